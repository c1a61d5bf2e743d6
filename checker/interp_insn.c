// One IR instruction at a time to register code: arithmetic, casts, addresses, memory, aggregates.
#include <string.h>

#include "checker/interp_decode.h"
#include "checker/strength.h"

static unsigned int_bits(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static bool float_kind(LLVMTypeRef t, tc_fkind *k) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
        *k = TC_F16;
        return true;
    case LLVMBFloatTypeKind:
        *k = TC_FB16;
        return true;
    case LLVMFloatTypeKind:
        *k = TC_F32;
        return true;
    case LLVMDoubleTypeKind:
        *k = TC_F64;
        return true;
    default:
        return false;
    }
}

static bool is_vector(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind;
}

static LLVMTypeRef scalar_of(LLVMTypeRef t) {
    return is_vector(t) ? LLVMGetElementType(t) : t;
}

static unsigned lanes_of(LLVMTypeRef t) {
    return is_vector(t) ? LLVMGetVectorSize(t) : 1;
}

static void unknown(tc_decoder *d, LLVMValueRef i, const char *what) {
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        tc_def(d, i);
    tc_emit_stop(d, "%s", what);
}

// ---- arithmetic ----

static const char *arith_name(LLVMOpcode op, bool is_signed) {
    switch (op) {
    case LLVMAdd:
        return is_signed ? "signed addition" : "unsigned addition";
    case LLVMSub:
        return is_signed ? "signed subtraction" : "unsigned subtraction";
    case LLVMMul:
        return is_signed ? "signed product" : "unsigned product";
    case LLVMShl:
        return "left shift";
    case LLVMSDiv:
    case LLVMUDiv:
        return "division";
    case LLVMSRem:
    case LLVMURem:
        return "remainder";
    case LLVMTrunc:
        return "narrowing";
    default:
        return NULL;
    }
}

static tc_vm_op add_form(tc_vm_op generic, unsigned bits, bool nsw) {
    // ADD, SUB, MUL and their forms stand in one order: plain, then nsw, each for 32 and 64 bits and any width.
    unsigned k = (unsigned)generic - TC_OP_ADD;
    if (bits == 32)
        return (tc_vm_op)(TC_OP_ADD32 + k + (nsw ? 3u : 0u));
    if (bits == 64)
        return (tc_vm_op)(TC_OP_ADD64 + k + (nsw ? 3u : 0u));
    return (tc_vm_op)(TC_OP_ADD + k + (nsw ? 3u : 0u));
}

static bool int_op(LLVMOpcode op, unsigned bits, bool nsw, tc_vm_op *out) {
    switch (op) {
    case LLVMAdd:
        *out = add_form(TC_OP_ADD, bits, nsw);
        return true;
    case LLVMSub:
        *out = add_form(TC_OP_SUB, bits, nsw);
        return true;
    case LLVMMul:
        *out = add_form(TC_OP_MUL, bits, nsw);
        return true;
    case LLVMAnd:
        *out = TC_OP_AND;
        return true;
    case LLVMOr:
        *out = TC_OP_OR;
        return true;
    case LLVMXor:
        *out = TC_OP_XOR;
        return true;
    case LLVMShl:
        *out = TC_OP_SHL;
        return true;
    case LLVMLShr:
        *out = TC_OP_LSHR;
        return true;
    case LLVMAShr:
        *out = TC_OP_ASHR;
        return true;
    case LLVMUDiv:
        *out = TC_OP_UDIV;
        return true;
    case LLVMSDiv:
        *out = TC_OP_SDIV;
        return true;
    case LLVMURem:
        *out = TC_OP_UREM;
        return true;
    case LLVMSRem:
        *out = TC_OP_SREM;
        return true;
    default:
        return false;
    }
}

static void decode_int_binary(tc_decoder *d, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef t = LLVMTypeOf(i);
    unsigned bits = int_bits(scalar_of(t));
    bool nsw = (op == LLVMAdd || op == LLVMSub || op == LLVMMul) && LLVMGetNSW(i);
    tc_vm_op form;
    if (bits == 0 || bits > 64 || !int_op(op, bits, nsw, &form)) {
        unknown(d, i, "arithmetic on more than 64 bits");
        return;
    }
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), b = tc_use(d, LLVMGetOperand(i, 1));
    uint32_t r = tc_def(d, i), place = tc_place_here(d, arith_name(op, nsw || op == LLVMSDiv || op == LLVMSRem));
    for (unsigned k = 0; k < lanes_of(t); k++)
        tc_emit_at(d, place, form, bits, r + k, a + k, b + k, 0, 0);
}

static void decode_float_binary(tc_decoder *d, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef t = LLVMTypeOf(i);
    tc_fkind k;
    if (!float_kind(scalar_of(t), &k)) {
        unknown(d, i, "arithmetic on an unusual floating-point type");
        return;
    }
    unsigned sub = op == LLVMFAdd ? 0 : op == LLVMFSub ? 1 : op == LLVMFMul ? 2 : op == LLVMFDiv ? 3 : 4;
    tc_vm_op form = TC_OP_FOP;
    if (sub < 4 && k == TC_F32)
        form = (tc_vm_op)(TC_OP_FADD32 + sub);
    if (sub < 4 && k == TC_F64)
        form = (tc_vm_op)(TC_OP_FADD64 + sub);
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), b = tc_use(d, LLVMGetOperand(i, 1)), r = tc_def(d, i);
    for (unsigned e = 0; e < lanes_of(t); e++)
        tc_emit(d, form, k, r + e, a + e, b + e, form == TC_OP_FOP ? sub : 0, 0);
}

static void decode_fneg(tc_decoder *d, LLVMValueRef i) {
    LLVMTypeRef t = LLVMTypeOf(i);
    tc_fkind k;
    if (!float_kind(scalar_of(t), &k)) {
        unknown(d, i, "arithmetic on an unusual floating-point type");
        return;
    }
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), r = tc_def(d, i);
    for (unsigned e = 0; e < lanes_of(t); e++)
        tc_emit(d, TC_OP_FOP, k, r + e, a + e, a + e, 5, 0);
}

// ---- comparisons ----

static void decode_icmp(tc_decoder *d, LLVMValueRef i) {
    static const struct {
        LLVMIntPredicate p;
        tc_vm_op op;
        bool swap;
    } forms[] = {{LLVMIntEQ, TC_OP_EQ, false},   {LLVMIntNE, TC_OP_NE, false},   {LLVMIntULT, TC_OP_ULT, false},
                 {LLVMIntULE, TC_OP_ULE, false}, {LLVMIntUGT, TC_OP_ULT, true},  {LLVMIntUGE, TC_OP_ULE, true},
                 {LLVMIntSLT, TC_OP_SLT, false}, {LLVMIntSLE, TC_OP_SLE, false}, {LLVMIntSGT, TC_OP_SLT, true},
                 {LLVMIntSGE, TC_OP_SLE, true}};
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
    d->p->sees_addresses |= LLVMGetTypeKind(scalar_of(t)) == LLVMPointerTypeKind && !LLVMIsNull(LLVMGetOperand(i, 1));
    if (tc_is_fused_compare(i))
        return;
    unsigned bits = int_bits(scalar_of(t));
    bool is_pointer = LLVMGetTypeKind(scalar_of(t)) == LLVMPointerTypeKind;
    if (!is_pointer && (bits == 0 || bits > 64)) {
        unknown(d, i, "a comparison of more than 64 bits");
        return;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), b = tc_use(d, LLVMGetOperand(i, 1)), r = tc_def(d, i);
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if (forms[k].p != p)
            continue;
        tc_vm_op op = forms[k].op;
        if (is_pointer)
            op = op == TC_OP_EQ                       ? TC_OP_PEQ
                 : op == TC_OP_NE                     ? TC_OP_PNE
                 : op == TC_OP_ULT || op == TC_OP_SLT ? TC_OP_PLT
                                                      : TC_OP_PLE;
        for (unsigned e = 0; e < lanes_of(t); e++)
            tc_emit(d, op, bits, r + e, (forms[k].swap ? b : a) + e, (forms[k].swap ? a : b) + e, 0, 0);
    }
}

static void decode_fcmp(tc_decoder *d, LLVMValueRef i) {
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(i, 0));
    tc_fkind k;
    if (!float_kind(scalar_of(t), &k)) {
        unknown(d, i, "a comparison of an unusual floating-point type");
        return;
    }
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), b = tc_use(d, LLVMGetOperand(i, 1)), r = tc_def(d, i);
    for (unsigned e = 0; e < lanes_of(t); e++)
        tc_emit(d, TC_OP_FCMP, k, r + e, a + e, b + e, (uint32_t)LLVMGetFCmpPredicate(i), 0);
}

static void decode_select(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef c = LLVMGetOperand(i, 0);
    bool by_lane = is_vector(LLVMTypeOf(c));
    uint32_t cond = tc_use(d, c), a = tc_use(d, LLVMGetOperand(i, 1)), b = tc_use(d, LLVMGetOperand(i, 2));
    uint32_t r = tc_def(d, i), n = tc_leaf_count(d, LLVMTypeOf(i));
    for (uint32_t k = 0; k < n; k++)
        tc_emit(d, TC_OP_SELECT, 0, r + k, by_lane ? cond + k : cond, a + k, b + k, 0);
}

// ---- casts ----

static bool is_gep_index_only(LLVMValueRef i) {
    LLVMUseRef u = LLVMGetFirstUse(i);
    if (!u || LLVMGetNextUse(u) || !tc_is_local_value(i))
        return false;
    LLVMValueRef gep = LLVMGetUser(u);
    return LLVMIsAGetElementPtrInst(gep) && LLVMGetOperand(gep, 0) != i;
}

static void decode_int_cast(tc_decoder *d, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef v = LLVMGetOperand(i, 0);
    LLVMTypeRef t = LLVMTypeOf(i);
    unsigned from = int_bits(scalar_of(LLVMTypeOf(v))), to = int_bits(scalar_of(t));
    if (from == 0 || to == 0 || from > 64 || to > 64) {
        unknown(d, i, "integers of more than 64 bits");
        return;
    }
    if (op == LLVMSExt && from == 32 && to == 64 && !is_vector(t) && is_gep_index_only(i) && LLVMIsAInstruction(v)) {
        // The address computation extends it itself; the operand keeps its use until then.
        tc_dval *inner = tc_map_get(&d->inst->vals, TC_KEY(v));
        if (inner && inner->n == 1 && inner->kind != TC_DV_SEXT) {
            tc_dval *dv = tc_dval_new(d, TC_DV_SEXT, 0, 1);
            dv->inner = inner;
            dv->uses = 1;
            tc_bind(d, i, dv);
            return;
        }
    }
    tc_vm_op form = op == LLVMTrunc ? TC_OP_TRUNC : op == LLVMZExt ? TC_OP_ZEXT : TC_OP_SEXT;
    if (from == 1 && op != LLVMTrunc)
        form = op == LLVMZExt ? TC_OP_ZEXT1 : TC_OP_SEXT1;
    else if (from == 32 && to == 64)
        form = op == LLVMZExt ? TC_OP_ZEXT3264 : TC_OP_SEXT3264;
    else if (from == 64 && to == 32)
        form = TC_OP_TRUNC6432;
    uint32_t a = tc_use(d, v), r = tc_def(d, i);
    uint32_t place = tc_place_here(d, arith_name(op, false));
    for (unsigned e = 0; e < lanes_of(t); e++)
        tc_emit_at(d, place, form, from, r + e, a + e, 0, 0, to);
}

static void decode_float_cast(tc_decoder *d, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef t = LLVMTypeOf(i), s = scalar_of(LLVMTypeOf(LLVMGetOperand(i, 0)));
    tc_fkind from = TC_F32, to = TC_F32;
    unsigned from_bits = int_bits(s), to_bits = int_bits(scalar_of(t));
    bool ok = (from_bits ? from_bits <= 64 : float_kind(s, &from)) &&
              (to_bits ? to_bits <= 64 : float_kind(scalar_of(t), &to));
    if (!ok) {
        unknown(d, i, "a conversion of an unusual type");
        return;
    }
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), r = tc_def(d, i);
    uint32_t place = tc_place_here(d, "conversion to an integer");
    for (unsigned e = 0; e < lanes_of(t); e++) {
        if (op == LLVMSIToFP || op == LLVMUIToFP)
            tc_emit_at(d, place, op == LLVMSIToFP ? TC_OP_S2F : TC_OP_U2F, from_bits, r + e, a + e, 0, to, 0);
        else if (op == LLVMFPToSI || op == LLVMFPToUI)
            tc_emit_at(d, place, op == LLVMFPToSI ? TC_OP_F2S : TC_OP_F2U, from, r + e, a + e, 0, to_bits, 1);
        else
            tc_emit_at(d, place, TC_OP_FCVT, from, r + e, a + e, 0, to, 0);
    }
}

static void decode_bitcast(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0);
    tc_layout from, to;
    tc_layout_of(d->a, d->td, LLVMTypeOf(v), &from);
    tc_layout_of(d->a, d->td, LLVMTypeOf(i), &to);
    bool same = from.n == to.n;
    for (uint32_t k = 0; same && k < from.n; k++)
        same = from.leaves[k].bits == to.leaves[k].bits;
    if (from.n > TC_MAX_LEAVES || to.n > TC_MAX_LEAVES || from.size != to.size) {
        unknown(d, i, "a bit cast of an unusual type");
        return;
    }
    uint32_t a = tc_use(d, v), r = tc_def(d, i);
    if (same) {
        tc_emit(d, TC_OP_MOVN, 0, r, a, 0, from.n, 0);
        return;
    }
    uint32_t fi = tc_layout_index(d, LLVMTypeOf(v)), ti = tc_layout_index(d, LLVMTypeOf(i));
    tc_push(d->a, &d->p->packs, ((tc_pack){fi, ti}));
    tc_emit(d, TC_OP_PACK, 0, r, a, 0, 0, (uint32_t)d->p->packs.len - 1);
}

static void decode_pointer_cast(tc_decoder *d, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef v = LLVMGetOperand(i, 0);
    uint32_t a = tc_use(d, v), r = tc_def(d, i);
    unsigned bits = op == LLVMPtrToInt ? int_bits(LLVMTypeOf(i)) : int_bits(LLVMTypeOf(v));
    LLVMTypeRef p = op == LLVMPtrToInt ? LLVMTypeOf(v) : LLVMTypeOf(i);
    if (op == LLVMAddrSpaceCast) {
        // Generic and specific addresses are the same numbers here.
        tc_emit(d, TC_OP_MOV, 0, r, a, 0, 0, 0);
        return;
    }
    if (is_vector(LLVMTypeOf(i)) || bits == 0 || bits > 64) {
        unknown(d, i, "a pointer cast of an unusual type");
        return;
    }
    bool shared = LLVMGetPointerAddressSpace(p) == 3;
    d->p->sees_addresses |= op == LLVMPtrToInt && !shared;
    if (op == LLVMPtrToInt)
        tc_emit(d, shared ? TC_OP_P2IS : TC_OP_P2I, bits, r, a, 0, 0, 0);
    else
        tc_emit(d, shared ? TC_OP_I2PS : TC_OP_I2P, bits, r, a, 0, 0, 0);
}

// ---- addresses ----

static void decode_gep(tc_decoder *d, LLVMValueRef i) {
    tc_gep g = tc_gep_walk(d, i);
    if (!g.ok || is_vector(LLVMTypeOf(i))) {
        unknown(d, i, "an address computation of an unusual kind");
        return;
    }
    uint32_t at = tc_use(d, LLVMGetOperand(i, 0));
    // Indices are read before the result's register may be written.
    struct {
        uint32_t reg;
        unsigned bits;
    } index[16];
    for (unsigned k = 0; k < g.n; k++) {
        tc_dval *dv = tc_value(d, g.terms[k].index);
        bool deferred = dv->kind == TC_DV_SEXT;
        index[k].reg = deferred ? dv->inner->reg : dv->reg;
        index[k].bits = deferred ? 32 : int_bits(LLVMTypeOf(g.terms[k].index));
        if (deferred)
            tc_use_inner(d, dv);
        if (index[k].bits != 64 && index[k].bits != 32) {
            uint32_t wide = tc_regs_new(d, 1);
            tc_emit(d, TC_OP_SEXT, index[k].bits, wide, index[k].reg, 0, 0, 64);
            tc_regs_free(d, wide, 1);
            index[k].reg = wide;
            index[k].bits = 64;
        }
    }
    uint32_t r = tc_def(d, i);
    bool small = g.offset >= INT32_MIN && g.offset <= INT32_MAX;
    if (g.n == 0 && g.offset == 0) {
        tc_emit(d, TC_OP_MOV, 0, r, at, 0, 0, 0);
        return;
    }
    if (g.offset != 0 && small) {
        tc_emit(d, TC_OP_GEPC, 0, r, at, 0, 0, (uint32_t)(int32_t)g.offset);
        at = r;
    } else if (g.offset != 0) {
        uint32_t one = tc_const_int(d, 1, 64);
        tc_emit(d, TC_OP_GEPW, 0, r, at, one, tc_const_int(d, (uint64_t)g.offset, 64), 0);
        at = r;
    }
    for (unsigned k = 0; k < g.n; k++) {
        uint64_t scale = g.terms[k].scale;
        if (scale <= INT32_MAX) {
            tc_emit(d, index[k].bits == 32 ? TC_OP_GEP32 : TC_OP_GEP, 0, r, at, index[k].reg, 0, (uint32_t)scale);
        } else {
            uint32_t wide = index[k].reg;
            if (index[k].bits == 32) {
                wide = tc_regs_new(d, 1);
                tc_emit(d, TC_OP_SEXT3264, 32, wide, index[k].reg, 0, 0, 64);
                tc_regs_free(d, wide, 1);
            }
            tc_emit(d, TC_OP_GEPW, 0, r, at, wide, tc_const_int(d, scale, 64), 0);
        }
        at = r;
    }
}

// ---- memory ----

static uint32_t order_flags(LLVMValueRef i) {
    tc_order o = tc_llvm_order(i);
    uint32_t f = tc_acquires(o) && LLVMIsAStoreInst(i) == NULL ? TC_ACC_ACQUIRE : 0;
    return f | (tc_releases(o) && LLVMIsALoadInst(i) == NULL ? TC_ACC_RELEASE : 0);
}

static uint32_t access_flags(LLVMValueRef i) {
    uint32_t f = LLVMGetVolatile(i) ? TC_ACC_VOLATILE : 0;
    if (LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic)
        return f;
    return f | order_flags(i) | TC_ACC_ATOMIC | (uint32_t)tc_llvm_scope(i) << TC_ACC_SCOPE_SHIFT;
}

static tc_vm_op access_form(const tc_leaf *l, bool is_store) {
    unsigned k = l->bytes == 1 ? 0 : l->bytes == 2 ? 1 : l->bytes == 4 ? 2 : 3;
    if (is_store)
        return (tc_vm_op)(TC_OP_STORE8 + k);
    return (tc_vm_op)((l->kind == TC_LEAF_INT ? TC_OP_LOAD8 : TC_OP_LOADR8) + k);
}

static void load_promoted(tc_decoder *d, LLVMValueRef i, tc_aslot *s) {
    if (!tc_is_local_value(i)) {
        tc_emit(d, TC_OP_MOV, 0, tc_def(d, i), s->reg, 0, 0, 0);
        return;
    }
    tc_dval *dv = tc_dval_new(d, TC_DV_ALIAS, s->reg, 1);
    dv->uses = (uint32_t)tc_value_uses(i);
    dv->slot = s;
    tc_push(d->a, &s->aliases, dv);
    tc_bind(d, i, dv);
}

static void decode_load(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef ptr = LLVMGetOperand(i, 0);
    tc_aslot *s = tc_map_get(&d->inst->slots, TC_KEY(ptr));
    if (s) {
        load_promoted(d, i, s);
        return;
    }
    tc_layout l;
    tc_layout_of(d->a, d->td, LLVMTypeOf(i), &l);
    uint32_t flags = access_flags(i);
    d->p->hands_on |= (flags & TC_ACC_ACQUIRE) != 0;
    static const char name[] = "invariant.load";
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(ptr)) == 1 &&
        LLVMGetMetadata(i, LLVMGetMDKindIDInContext(LLVMGetModuleContext(d->u->module), name, sizeof name - 1)))
        flags |= TC_ACC_NC;
    if (l.n == 0 || tc_leaf_count(d, LLVMTypeOf(i)) > TC_MAX_LEAVES) {
        unknown(d, i, "a load of an unusual type");
        return;
    }
    uint32_t a = tc_use(d, ptr), r = tc_def(d, i), align = LLVMGetAlignment(i);
    uint32_t place = tc_place_here(d, "read");
    d->p->hands_on |= (flags & TC_ACC_ACQUIRE) != 0;
    if (l.n == 1 && l.leaves[0].bits == l.leaves[0].bytes * 8u)
        tc_emit_at(d, place, access_form(&l.leaves[0], false), l.leaves[0].bits, r, a, align, 0, flags);
    else
        tc_emit_at(d, place, TC_OP_LOADV, 0, r, a, align, tc_layout_index(d, LLVMTypeOf(i)), flags);
}

static void decode_store(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0), ptr = LLVMGetOperand(i, 1);
    tc_aslot *s = tc_map_get(&d->inst->slots, TC_KEY(ptr));
    if (s) {
        uint32_t reg = tc_use(d, v);
        if (reg == s->reg && !LLVMIsALoadInst(v))
            return; // computed in place
        tc_slot_written(d, s);
        if (reg != s->reg)
            tc_emit(d, TC_OP_MOV, 0, s->reg, reg, 0, 0, 0);
        return;
    }
    tc_layout l;
    tc_layout_of(d->a, d->td, LLVMTypeOf(v), &l);
    if (l.n == 0 || tc_leaf_count(d, LLVMTypeOf(v)) > TC_MAX_LEAVES) {
        tc_emit_stop(d, "a store of an unusual type");
        return;
    }
    uint32_t r = tc_use(d, v), a = tc_use(d, ptr), align = LLVMGetAlignment(i), flags = access_flags(i);
    uint32_t place = tc_place_here(d, "write");
    d->p->hands_on |= (flags & TC_ACC_RELEASE) != 0;
    if (l.n == 1 && l.leaves[0].bits == l.leaves[0].bytes * 8u)
        tc_emit_at(d, place, access_form(&l.leaves[0], true), l.leaves[0].bits, r, a, align, 0, flags);
    else
        tc_emit_at(d, place, TC_OP_STOREV, 0, r, a, align, tc_layout_index(d, LLVMTypeOf(v)), flags);
}

uint32_t tc_atomic_index(tc_decoder *d, const tc_atomic_desc *desc) {
    tc_push(d->a, &d->p->atomics, *desc);
    return (uint32_t)d->p->atomics.len - 1;
}

static bool rmw_op(LLVMAtomicRMWBinOp op, tc_atomic_op *out, const char **what) {
    static const struct {
        LLVMAtomicRMWBinOp llvm;
        tc_atomic_op op;
        const char *what;
    } forms[] = {
        {LLVMAtomicRMWBinOpXchg, TC_AT_EXCH, "atomicExch"},  {LLVMAtomicRMWBinOpAdd, TC_AT_ADD, "atomicAdd"},
        {LLVMAtomicRMWBinOpSub, TC_AT_SUB, "atomicSub"},     {LLVMAtomicRMWBinOpAnd, TC_AT_AND, "atomicAnd"},
        {LLVMAtomicRMWBinOpNand, TC_AT_NAND, "nand"},        {LLVMAtomicRMWBinOpOr, TC_AT_OR, "atomicOr"},
        {LLVMAtomicRMWBinOpXor, TC_AT_XOR, "atomicXor"},     {LLVMAtomicRMWBinOpMax, TC_AT_MAX, "atomicMax"},
        {LLVMAtomicRMWBinOpMin, TC_AT_MIN, "atomicMin"},     {LLVMAtomicRMWBinOpUMax, TC_AT_UMAX, "atomicMax"},
        {LLVMAtomicRMWBinOpUMin, TC_AT_UMIN, "atomicMin"},   {LLVMAtomicRMWBinOpFAdd, TC_AT_FADD, "atomicAdd"},
        {LLVMAtomicRMWBinOpFSub, TC_AT_FSUB, "atomicSub"},   {LLVMAtomicRMWBinOpFMax, TC_AT_FMAX, "atomicMax"},
        {LLVMAtomicRMWBinOpFMin, TC_AT_FMIN, "atomicMin"},   {LLVMAtomicRMWBinOpUIncWrap, TC_AT_INC, "atomicInc"},
        {LLVMAtomicRMWBinOpUDecWrap, TC_AT_DEC, "atomicDec"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].llvm == op) {
            *out = forms[i].op;
            *what = forms[i].what;
            return true;
        }
    return false;
}

// CUDA's own functions have the device's scope, which IR does not say.
static void strength_of(tc_decoder *d, LLVMValueRef i, tc_atomic_desc *desc) {
    tc_scope scope = tc_llvm_scope(i);
    desc->scope = scope == TC_SCOPE_SYS ? TC_SCOPE_GPU : scope;
    desc->flags = order_flags(i);
    d->p->hands_on |= desc->flags != 0;
}

static void decode_rmw(tc_decoder *d, LLVMValueRef i) {
    tc_atomic_desc desc = {.success = TC_NONE};
    strength_of(d, i, &desc);
    LLVMTypeRef t = LLVMTypeOf(i);
    tc_fkind k = TC_F32;
    desc.is_float = float_kind(t, &k);
    desc.bits = desc.is_float ? (k == TC_F64 ? 64 : k == TC_F32 ? 32 : 16) : int_bits(t);
    desc.bfloat = k == TC_FB16;
    if (!rmw_op(LLVMGetAtomicRMWBinOp(i), &desc.op, &desc.what) || desc.bits == 0 || desc.bits > 64) {
        unknown(d, i, "an atomic operation of an unusual kind");
        return;
    }
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), b = tc_use(d, LLVMGetOperand(i, 1)), r = tc_def(d, i);
    tc_emit_at(d, tc_place_here(d, desc.what), TC_OP_ATOMIC, desc.bits, r, a, b, TC_NONE, tc_atomic_index(d, &desc));
}

static void decode_cmpxchg(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 2);
    tc_atomic_desc desc = {.op = TC_AT_CAS, .what = "atomicCAS", .success = TC_NONE};
    strength_of(d, i, &desc);
    desc.bits = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind ? 64 : int_bits(LLVMTypeOf(v));
    if (desc.bits == 0 || desc.bits > 64) {
        unknown(d, i, "an atomic operation of an unusual kind");
        return;
    }
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), c = tc_use(d, LLVMGetOperand(i, 1)), b = tc_use(d, v);
    uint32_t r = tc_def(d, i); // {old value, success}
    desc.success = r + 1;
    tc_emit_at(d, tc_place_here(d, desc.what), TC_OP_ATOMIC, desc.bits, r, a, b, c, tc_atomic_index(d, &desc));
}

static void decode_fence(tc_decoder *d, LLVMValueRef i) {
    tc_scope scope = tc_llvm_scope(i);
    if (scope == TC_SCOPE_THREAD) // __atomic_signal_fence
        return;
    d->p->hands_on = true;
    tc_emit(d, TC_OP_FENCE, 0, 0, 0, 0, tc_llvm_order(i), scope);
}

// ---- aggregates and vectors ----

// The first register of the element that the indices name, and how many it has.
static uint32_t element_at(tc_decoder *d, LLVMTypeRef t, const unsigned *indices, unsigned n, LLVMTypeRef *out) {
    uint32_t at = 0;
    for (unsigned k = 0; k < n; k++) {
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            for (unsigned f = 0; f < indices[k]; f++)
                at += tc_leaf_count(d, LLVMStructGetTypeAtIndex(t, f));
            t = LLVMStructGetTypeAtIndex(t, indices[k]);
        } else {
            t = LLVMGetElementType(t);
            at += indices[k] * tc_leaf_count(d, t);
        }
    }
    *out = t;
    return at;
}

static void decode_extract_value(tc_decoder *d, LLVMValueRef i) {
    LLVMTypeRef t;
    uint32_t at = element_at(d, LLVMTypeOf(LLVMGetOperand(i, 0)), LLVMGetIndices(i), LLVMGetNumIndices(i), &t);
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), r = tc_def(d, i);
    tc_emit(d, TC_OP_MOVN, 0, r, a + at, 0, tc_leaf_count(d, t), 0);
}

static void decode_insert_value(tc_decoder *d, LLVMValueRef i) {
    LLVMTypeRef t;
    uint32_t at = element_at(d, LLVMTypeOf(i), LLVMGetIndices(i), LLVMGetNumIndices(i), &t);
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), v = tc_use(d, LLVMGetOperand(i, 1)), r = tc_def(d, i);
    tc_emit(d, TC_OP_MOVN, 0, r, a, 0, tc_leaf_count(d, LLVMTypeOf(i)), 0);
    tc_emit(d, TC_OP_MOVN, 0, r + at, v, 0, tc_leaf_count(d, t), 0);
}

static void decode_extract_element(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
    uint32_t a = tc_use(d, v);
    if (LLVMIsAConstantInt(index)) {
        tc_emit(d, TC_OP_MOV, 0, tc_def(d, i), a + (uint32_t)LLVMConstIntGetZExtValue(index), 0, 0, 0);
        return;
    }
    uint32_t b = tc_use(d, index);
    tc_emit(d, TC_OP_EXTRACT, int_bits(LLVMTypeOf(index)), tc_def(d, i), a, b, 0, LLVMGetVectorSize(LLVMTypeOf(v)));
}

static void decode_insert_element(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef index = LLVMGetOperand(i, 2);
    uint32_t n = LLVMGetVectorSize(LLVMTypeOf(i));
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), v = tc_use(d, LLVMGetOperand(i, 1));
    uint32_t b = LLVMIsAConstantInt(index) ? 0 : tc_use(d, index), r = tc_def(d, i);
    tc_emit(d, TC_OP_MOVN, 0, r, a, 0, n, 0);
    if (LLVMIsAConstantInt(index))
        tc_emit(d, TC_OP_MOV, 0, r + (uint32_t)LLVMConstIntGetZExtValue(index), v, 0, 0, 0);
    else
        tc_emit(d, TC_OP_INSERT, int_bits(LLVMTypeOf(index)), r, 0, b, v, n);
}

static void decode_shuffle_vector(tc_decoder *d, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0);
    uint32_t n = LLVMGetVectorSize(LLVMTypeOf(v));
    uint32_t a = tc_use(d, v), b = tc_use(d, LLVMGetOperand(i, 1)), r = tc_def(d, i);
    for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++) {
        int m = LLVMGetMaskValue(i, k);
        uint32_t from = m < 0             ? tc_const_reg(d, (tc_reg){.mark = 1})
                        : (uint32_t)m < n ? a + (uint32_t)m
                                          : b + (uint32_t)m - n;
        tc_emit(d, TC_OP_MOV, 0, r + k, from, 0, 0, 0);
    }
}

static void decode_freeze(tc_decoder *d, LLVMValueRef i) {
    uint32_t a = tc_use(d, LLVMGetOperand(i, 0)), r = tc_def(d, i);
    tc_emit(d, TC_OP_MOVN, 0, r, a, 0, tc_leaf_count(d, LLVMTypeOf(i)), 0);
}

void tc_decode_insn(tc_decoder *d, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:    // moves on the edges
    case LLVMAlloca: // made at the function's start
        break;
    case LLVMBr:
    case LLVMSwitch:
    case LLVMRet:
    case LLVMUnreachable:
    case LLVMIndirectBr:
        tc_decode_terminator(d, i);
        break;
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        decode_float_binary(d, i);
        break;
    case LLVMFNeg:
        decode_fneg(d, i);
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        decode_int_binary(d, i);
        break;
    case LLVMICmp:
        decode_icmp(d, i);
        break;
    case LLVMFCmp:
        decode_fcmp(d, i);
        break;
    case LLVMSelect:
        decode_select(d, i);
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        decode_int_cast(d, i);
        break;
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
        decode_float_cast(d, i);
        break;
    case LLVMBitCast:
        decode_bitcast(d, i);
        break;
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMAddrSpaceCast:
        decode_pointer_cast(d, i);
        break;
    case LLVMGetElementPtr:
        decode_gep(d, i);
        break;
    case LLVMLoad:
        decode_load(d, i);
        break;
    case LLVMStore:
        decode_store(d, i);
        break;
    case LLVMAtomicRMW:
        decode_rmw(d, i);
        break;
    case LLVMAtomicCmpXchg:
        decode_cmpxchg(d, i);
        break;
    case LLVMFence:
        decode_fence(d, i);
        break;
    case LLVMExtractValue:
        decode_extract_value(d, i);
        break;
    case LLVMInsertValue:
        decode_insert_value(d, i);
        break;
    case LLVMExtractElement:
        decode_extract_element(d, i);
        break;
    case LLVMInsertElement:
        decode_insert_element(d, i);
        break;
    case LLVMShuffleVector:
        decode_shuffle_vector(d, i);
        break;
    case LLVMFreeze:
        decode_freeze(d, i);
        break;
    case LLVMCall:
        tc_decode_call(d, i);
        break;
    default:
        unknown(d, i, "an instruction of an unusual kind");
    }
}
