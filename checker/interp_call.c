// Calls: what the effects table knows, inline PTX, and functions with a body.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "checker/interp_decode.h"

static unsigned int_bits(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(t) : 0;
}

static unsigned float_kind(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
        return TC_F16;
    case LLVMBFloatTypeKind:
        return TC_FB16;
    case LLVMFloatTypeKind:
        return TC_F32;
    case LLVMDoubleTypeKind:
        return TC_F64;
    default:
        return 4; // no float
    }
}

static bool has_result(LLVMValueRef call) {
    return LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

static uint32_t arg(tc_decoder *d, LLVMValueRef call, unsigned k) {
    return tc_use(d, LLVMGetOperand(call, k));
}

static unsigned nargs(LLVMValueRef call) {
    return LLVMGetNumArgOperands(call);
}

// Results that nobody can compute.
static void stop_call(tc_decoder *d, LLVMValueRef call, const char *what) {
    if (has_result(call))
        tc_def(d, call);
    tc_emit_stop(d, "%s", what);
}

// ---- values ----

static void decode_sreg(tc_decoder *d, LLVMValueRef call, tc_sreg s) {
    static const struct {
        tc_sreg reg;
        uint32_t slot;
    } slots[] = {{TC_SREG_TID_X, TC_SLOT_TID},
                 {TC_SREG_TID_Y, TC_SLOT_TID + 1},
                 {TC_SREG_TID_Z, TC_SLOT_TID + 2},
                 {TC_SREG_CTAID_X, TC_SLOT_CTAID},
                 {TC_SREG_CTAID_Y, TC_SLOT_CTAID + 1},
                 {TC_SREG_CTAID_Z, TC_SLOT_CTAID + 2},
                 {TC_SREG_NTID_X, TC_SLOT_NTID},
                 {TC_SREG_NTID_Y, TC_SLOT_NTID + 1},
                 {TC_SREG_NTID_Z, TC_SLOT_NTID + 2},
                 {TC_SREG_NCTAID_X, TC_SLOT_NCTAID},
                 {TC_SREG_NCTAID_Y, TC_SLOT_NCTAID + 1},
                 {TC_SREG_NCTAID_Z, TC_SLOT_NCTAID + 2},
                 {TC_SREG_LANEID, TC_SLOT_LANE},
                 {TC_SREG_WARPID, TC_SLOT_WARP},
                 {TC_SREG_LANEMASK_LT, TC_SLOT_MASKS},
                 {TC_SREG_LANEMASK_LE, TC_SLOT_MASKS + 1},
                 {TC_SREG_LANEMASK_EQ, TC_SLOT_MASKS + 2},
                 {TC_SREG_LANEMASK_GE, TC_SLOT_MASKS + 3},
                 {TC_SREG_LANEMASK_GT, TC_SLOT_MASKS + 4},
                 {TC_SREG_DYN_SMEM, TC_SLOT_SMEM}};
    uint32_t reg = TC_NONE;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (slots[i].reg == s)
            reg = slots[i].slot;
    if (s == TC_SREG_WARPSIZE)
        reg = tc_const_int(d, 32, 32);
    if (reg != TC_NONE && !tc_map_has(&d->inst->vals, TC_KEY(call)))
        tc_bind(d, call, tc_dval_new(d, TC_DV_FIXED, reg, 1));
    else if (reg != TC_NONE)
        tc_emit(d, TC_OP_MOV, 0, tc_def(d, call), reg, 0, 0, 0);
    else if (s == TC_SREG_CLOCK)
        tc_emit(d, TC_OP_CLOCK, int_bits(LLVMTypeOf(call)), tc_def(d, call), 0, 0, 0, 0);
    else
        stop_call(d, call, "a special register that is not modelled");
}

static void decode_int(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    unsigned n = nargs(call);
    LLVMTypeRef t = n ? LLVMTypeOf(LLVMGetOperand(call, 0)) : LLVMTypeOf(call);
    if (fx.arg == TC_INT_IDENTITY) {
        tc_dval *v = tc_settled(d, LLVMGetOperand(call, 0));
        tc_emit(d, TC_OP_MOVN, 0, tc_def(d, call), v->reg, 0, v->n, 0);
        return;
    }
    if (fx.arg == TC_INT_ZERO) {
        tc_emit(d, TC_OP_MOV, 0, tc_def(d, call), tc_const_int(d, 0, 32), 0, 0, 0);
        return;
    }
    bool vector = LLVMGetTypeKind(t) == LLVMVectorTypeKind;
    unsigned bits = int_bits(vector ? LLVMGetElementType(t) : t), lanes = vector ? LLVMGetVectorSize(t) : 1;
    if (bits == 0 || bits > 64 || (vector && n > 3)) {
        stop_call(d, call, fx.what);
        return;
    }
    uint32_t a[3] = {TC_NONE, TC_NONE, TC_NONE};
    for (unsigned k = 0; k < n && k < 3; k++)
        a[k] = arg(d, call, k);
    uint32_t r = tc_def(d, call), place = tc_place_here(d, fx.what);
    for (unsigned e = 0; e < lanes; e++)
        tc_emit_at(d, place, TC_OP_INT, bits, r + e, a[0] + e, a[1] == TC_NONE ? TC_NONE : a[1] + e,
                   a[2] == TC_NONE ? TC_NONE : a[2] + e, fx.arg);
}

static void emit_math(tc_decoder *d, uint32_t place, unsigned op, unsigned from, uint32_t r, unsigned rkind,
                      unsigned rbits, const uint32_t *a) {
    tc_emit_at(d, place, TC_OP_MATH, from, r, a[0], a[1], a[2], op | rkind << 16 | rbits << 20);
}

// sincos(x, *s, *c) and its kind: one value to each pointer.
static void decode_math_store(tc_decoder *d, LLVMValueRef call, unsigned op, uint32_t x, unsigned kind, uint32_t ptr,
                              bool is_int) {
    uint32_t place = tc_place_here(d, "write"), tmp = tc_regs_new(d, 1);
    uint32_t a[3] = {x, TC_NONE, TC_NONE};
    (void)call;
    emit_math(d, place, op, kind, tmp, is_int ? 4 : kind, 32, a);
    bool wide = kind == TC_F64 && !is_int;
    tc_emit_at(d, place, wide ? TC_OP_STORE64 : TC_OP_STORE32, wide ? 64 : 32, tmp, ptr, wide ? 8 : 4, 0, 0);
    tc_regs_free(d, tmp, 1);
}

static void decode_math(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    unsigned n = nargs(call);
    LLVMTypeRef rt = LLVMTypeOf(call), at = n ? LLVMTypeOf(LLVMGetOperand(call, 0)) : rt;
    bool vector = LLVMGetTypeKind(at) == LLVMVectorTypeKind;
    unsigned lanes = vector ? LLVMGetVectorSize(at) : 1;
    if (vector) {
        at = LLVMGetElementType(at);
        rt = LLVMGetTypeKind(rt) == LLVMVectorTypeKind ? LLVMGetElementType(rt) : rt;
    }
    unsigned from = float_kind(at), to = float_kind(rt), op = fx.arg;
    uint32_t a[3] = {TC_NONE, TC_NONE, TC_NONE};
    for (unsigned k = 0; k < n && k < 3; k++)
        a[k] = arg(d, call, k);
    uint32_t place = tc_place_here(d, fx.what);
    switch (op) {
    case TC_MATH_SINCOS:
    case TC_MATH_SINCOSPI:
        decode_math_store(d, call, op == TC_MATH_SINCOS ? TC_MATH_SIN : TC_MATH_SINPI, a[0], from, a[1], false);
        decode_math_store(d, call, op == TC_MATH_SINCOS ? TC_MATH_COS : TC_MATH_COSPI, a[0], from, a[2], false);
        return;
    case TC_MATH_MODF:
        decode_math_store(d, call, TC_MATH_TRUNC, a[0], from, a[1], false);
        break;
    case TC_MATH_FREXP:
        decode_math_store(d, call, TC_MATH_FREXP, a[0], from, a[1], true);
        break;
    case TC_MATH_S2F:
    case TC_MATH_U2F:
        tc_emit_at(d, place, op == TC_MATH_S2F ? TC_OP_S2F : TC_OP_U2F, int_bits(at), tc_def(d, call), a[0], 0, to, 0);
        return;
    case TC_MATH_BITCAST:
        tc_emit_at(d, place, TC_OP_MOV, 0, tc_def(d, call), a[0], 0, 0, 0);
        return;
    default:
        break;
    }
    if (from == 4 && op != TC_MATH_H2F && op != TC_MATH_HILO2D && op != TC_MATH_LOHI2D && op != TC_MATH_JN &&
        op != TC_MATH_YN) {
        stop_call(d, call, fx.what);
        return;
    }
    uint32_t r = tc_def(d, call);
    for (unsigned e = 0; e < lanes; e++) {
        uint32_t b[3] = {a[0] + e, a[1] == TC_NONE ? TC_NONE : a[1] + e, a[2] == TC_NONE ? TC_NONE : a[2] + e};
        emit_math(d, place, op, from, r + e, to, int_bits(rt), b);
    }
}

// ---- synchronisation ----

static void decode_barrier(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    // barrier0.* have no number; the other forms begin with it.
    bool numbered = nargs(call) > 0 && (fx.arg == TC_RED_NONE || nargs(call) > 1);
    uint32_t id = numbered ? arg(d, call, 0) : tc_const_int(d, 0, 32);
    uint32_t pred = TC_NONE;
    if (fx.arg != TC_RED_NONE)
        pred = arg(d, call, numbered ? 1 : 0);
    uint32_t r = has_result(call) ? tc_def(d, call) : TC_NONE;
    tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_BARRIER, 0, r, id, pred, TC_NONE, fx.arg);
}

static void decode_named(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    d->p->fine_sync = true;
    uint32_t id = arg(d, call, 0), count = nargs(call) > 1 ? arg(d, call, 1) : TC_NONE;
    tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_NAMED, 0, 0, id, count, 0, fx.kind == TC_FX_NAMED_ARRIVE);
}

static void decode_shuffle(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    uint32_t mask = arg(d, call, 0), v = arg(d, call, 1), lane = arg(d, call, 2), control = arg(d, call, 3);
    bool pred = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMStructTypeKind;
    uint32_t r = tc_def(d, call);
    tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_SHUFFLE, fx.arg | (pred ? 16u : 0u), r, mask, v, lane, control);
}

static void decode_vote(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    bool no_mask = fx.arg == TC_VOTE_ACTIVEMASK;
    uint32_t mask =
        no_mask ? TC_NONE : arg(d, call, fx.arg == TC_VOTE_MATCH_ANY || fx.arg == TC_VOTE_MATCH_ALL ? 0 : 0);
    uint32_t v = TC_NONE;
    unsigned bits = 32;
    if (!no_mask && nargs(call) > 1) {
        // redux.sync has its mask second.
        bool redux = fx.arg >= TC_VOTE_REDUX_ADD && fx.arg <= TC_VOTE_REDUX_XOR;
        v = arg(d, call, 1);
        bits = int_bits(LLVMTypeOf(LLVMGetOperand(call, 1)));
        if (redux) {
            uint32_t t = mask;
            mask = v;
            v = t;
            bits = int_bits(LLVMTypeOf(LLVMGetOperand(call, 0)));
        }
    }
    uint32_t r = tc_def(d, call);
    tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_VOTE, bits, r, mask, v, 0, fx.arg);
}

static void decode_atomic_call(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    LLVMTypeRef t = LLVMTypeOf(call);
    tc_atomic_desc desc = {.op = (tc_atomic_op)fx.arg, .scope = fx.width, .what = fx.what, .success = TC_NONE};
    unsigned k = float_kind(t);
    desc.is_float = k != 4;
    desc.bits = desc.is_float ? (k == TC_F64 ? 64 : 32) : int_bits(t);
    bool cas = desc.op == TC_AT_CAS;
    uint32_t a = arg(d, call, 0), c = cas ? arg(d, call, 1) : TC_NONE, b = arg(d, call, cas ? 2 : 1);
    tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_ATOMIC, desc.bits, tc_def(d, call), a, b, c,
               tc_atomic_index(d, &desc));
}

// ---- memory ----

static void decode_load_nc(tc_decoder *d, LLVMValueRef call) {
    tc_layout l;
    tc_layout_of(d->a, d->td, LLVMTypeOf(call), &l);
    uint32_t a = arg(d, call, 0), r = tc_def(d, call);
    uint32_t align = nargs(call) > 1 && LLVMIsAConstantInt(LLVMGetOperand(call, 1))
                         ? (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1))
                         : l.size;
    tc_emit_at(d, tc_place_here(d, "read"), TC_OP_LOADV, 0, r, a, align, tc_layout_index(d, LLVMTypeOf(call)),
               TC_ACC_NC);
}

static uint32_t arg_align(LLVMValueRef call, unsigned k) {
    static const char name[] = "align";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    LLVMAttributeRef at = LLVMGetCallSiteEnumAttribute(call, k + 1, kind);
    return at ? (uint32_t)LLVMGetEnumAttributeValue(at) : 1;
}

static void decode_memcpy(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    uint32_t dst = arg(d, call, 0), src = arg(d, call, 1), n = arg(d, call, 2);
    unsigned bits = int_bits(LLVMTypeOf(LLVMGetOperand(call, 2)));
    uint32_t place = tc_place_here(d, fx.what);
    if (fx.kind == TC_FX_MEMSET)
        tc_emit_at(d, place, TC_OP_MEMSET, bits, dst, src, n, arg_align(call, 0), 0);
    else
        tc_emit_at(d, place, TC_OP_MEMCPY, bits, dst, src, n, arg_align(call, 0), arg_align(call, 1));
}

static void decode_cp_async(tc_decoder *d, LLVMValueRef call, tc_effect fx) {
    d->p->fine_sync = true;
    uint32_t to = arg(d, call, 0), from = arg(d, call, 1), n = nargs(call) > 2 ? arg(d, call, 2) : TC_NONE;
    tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_CP_ASYNC, 64, to, from, n, 0, fx.width);
}

static void decode_lifetime(tc_decoder *d, LLVMValueRef call, const char *name) {
    if (strncmp(name, "llvm.lifetime.start", 19) == 0)
        tc_slot_reset(d, LLVMGetOperand(call, nargs(call) - 1), LLVMGetNextInstruction(call));
}

static bool decode_effect(tc_decoder *d, LLVMValueRef call, const char *name, tc_effect fx) {
    uint32_t place;
    switch (fx.kind) {
    case TC_FX_GRID_WAIT: // a run is of one launch: there is nothing to wait for
        return true;
    case TC_FX_NOTHING:
        decode_lifetime(d, call, name);
        return true;
    case TC_FX_SREG:
        decode_sreg(d, call, (tc_sreg)fx.arg);
        return true;
    case TC_FX_OPAQUE:
        decode_math(d, call, fx);
        return true;
    case TC_FX_INT:
        decode_int(d, call, fx);
        return true;
    case TC_FX_BARRIER:
        decode_barrier(d, call, fx);
        return true;
    case TC_FX_GRID_BARRIER:
        d->p->grid_sync = true;
        tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_GRID, 0, TC_NONE, 0, TC_NONE, TC_NONE, 0);
        return true;
    case TC_FX_NAMED_SYNC:
    case TC_FX_NAMED_ARRIVE:
        decode_named(d, call, fx);
        return true;
    case TC_FX_SYNCWARP:
        d->p->fine_sync = true;
        tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_SYNCWARP, 0, 0, arg(d, call, 0), 0, 0, 0);
        return true;
    case TC_FX_SHUFFLE:
        decode_shuffle(d, call, fx);
        return true;
    case TC_FX_VOTE:
        decode_vote(d, call, fx);
        return true;
    case TC_FX_FENCE:
        d->p->hands_on = true;
        tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_FENCE, 0, 0, 0, 0, 5, fx.arg);
        return true;
    case TC_FX_ATOMIC:
        decode_atomic_call(d, call, fx);
        return true;
    case TC_FX_LOAD_NC:
        decode_load_nc(d, call);
        return true;
    case TC_FX_CP_ASYNC:
        decode_cp_async(d, call, fx);
        return true;
    case TC_FX_CP_COMMIT:
        tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_CP_COMMIT, 0, 0, 0, 0, 0, 0);
        return true;
    case TC_FX_CP_WAIT: {
        uint32_t n = fx.arg;
        if (n == TC_FX_OPERAND)
            n = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
        tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_CP_WAIT, 0, 0, 0, 0, fx.width, n);
        return true;
    }
    case TC_FX_MEMCPY:
    case TC_FX_MEMMOVE:
    case TC_FX_MEMSET:
        decode_memcpy(d, call, fx);
        return true;
    case TC_FX_ASSUME:
    case TC_FX_STMT_ASSUME:
    case TC_FX_STMT_ASSERT:
    case TC_FX_STMT_INVARIANT:
        place = tc_place_here(d, fx.what);
        tc_emit_at(d, place, TC_OP_ASSERT, 0, 0, arg(d, call, 0), 0, 0,
                   fx.kind == TC_FX_STMT_ASSERT      ? 0
                   : fx.kind == TC_FX_STMT_INVARIANT ? 1
                   : fx.kind == TC_FX_STMT_ASSUME    ? 2
                                                     : 3);
        return true;
    case TC_FX_ANOTHER:
    case TC_FX_NOT_READ:
        tc_value(d, LLVMGetOperand(call, 0));
        tc_emit(d, TC_OP_MOV, 0, tc_def(d, call), tc_const_reg(d, (tc_reg){.mark = TC_MARK_UNKNOWN}), 0, 0, 0);
        return true;
    case TC_FX_TRAP:
        tc_emit_at(d, tc_place_here(d, fx.what), TC_OP_TRAP, 0, 0, 0, 0, 0, fx.arg);
        return true;
    case TC_FX_PRINTF:
        for (unsigned k = 0; k < nargs(call); k++)
            tc_value(d, LLVMGetOperand(call, k));
        if (has_result(call))
            tc_emit(d, TC_OP_MOV, 0, tc_def(d, call), tc_const_int(d, 0, 32), 0, 0, 0);
        return true;
    case TC_FX_CVTA: {
        uint32_t a = arg(d, call, 0);
        tc_emit(d, TC_OP_MOV, 0, tc_def(d, call), a, 0, 0, 0);
        return true;
    }
    default:
        return false;
    }
}

static bool decode_isspace(tc_decoder *d, LLVMValueRef call, const char *name) {
    static const struct {
        const char *name;
        tc_space space;
    } forms[] = {{"llvm.nvvm.isspacep.global", TC_SPACE_GLOBAL},
                 {"llvm.nvvm.isspacep.shared", TC_SPACE_SHARED},
                 {"llvm.nvvm.isspacep.local", TC_SPACE_LOCAL},
                 {"llvm.nvvm.isspacep.const", TC_SPACE_CONSTANT}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0) {
            uint32_t a = arg(d, call, 0);
            tc_emit(d, TC_OP_ISSPACE, 0, tc_def(d, call), a, 0, 0, forms[i].space);
            return true;
        }
    return false;
}

void tc_decode_call(tc_decoder *d, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMGetValueKind(callee) == LLVMInlineAsmValueKind) {
        tc_decode_asm(d, call);
        return;
    }
    if (LLVMGetValueKind(callee) != LLVMFunctionValueKind) {
        tc_decode_indirect(d, call);
        return;
    }
    tc_decode_callee(d, call, callee);
}

void tc_decode_callee(tc_decoder *d, LLVMValueRef call, LLVMValueRef callee) {
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    tc_effect fx = tc_effect_of_call(name);
    if (decode_effect(d, call, name, fx) || decode_isspace(d, call, name))
        return;
    if (!LLVMIsDeclaration(callee))
        tc_decode_call_body(d, call, callee);
    else
        stop_call(d, call, tc_fmt(d->a, "a call of '%s', which has no body and is not known", tc_demangle(d->a, name)));
}

// ---- inline PTX ----

typedef struct asm_env {
    tc_decoder *d;
    LLVMValueRef call;
    uint32_t regs[32]; // of %0, %1, …
    uint32_t n;
    tc_strmap names;            // PTX registers -> register + 1
    uint32_t out, result, nout; // outputs as they are computed, and where they go
    bool ok;
} asm_env;

// A register that the asm itself declares (or just uses).
static uint32_t ptx_reg(asm_env *e, const char *name) {
    uint32_t r = (uint32_t)(uintptr_t)tc_strmap_get(&e->names, name);
    if (r)
        return r - 1;
    r = tc_regs_new(e->d, 1);
    tc_regs_free(e->d, r, 1);
    tc_strmap_put(e->d->a, &e->names, name, (void *)(uintptr_t)(r + 1));
    return r;
}

static bool parse_imm(const char *s, uint64_t *out) {
    char *end;
    if (s[0] == '0' && (s[1] == 'f' || s[1] == 'F' || s[1] == 'd' || s[1] == 'D')) {
        *out = strtoull(s + 2, &end, 16);
        return *end == '\0';
    }
    if (isdigit((unsigned char)s[0]) || s[0] == '-') {
        if (strchr(s, '.') && strncmp(s, "0x", 2) != 0)
            return false;
        *out = (uint64_t)strtoll(s, &end, 0);
        if (s[0] != '-')
            *out = strtoull(s, &end, 0);
        return *end == '\0' || ((*end == 'U' || *end == 'u') && end[1] == '\0');
    }
    return false;
}

static tc_px_operand ptx_operand(asm_env *e, const char *text);

static tc_px_operand ptx_list(asm_env *e, const char *text, size_t n, char separator, tc_px_kind kind) {
    tc_px_operand o = {.kind = kind};
    o.sub = TC_NEW_ARRAY(e->d->a, tc_px_operand, 8);
    const char *p = text, *end = text + n;
    while (p <= end && o.n < 8) {
        const char *q = memchr(p, separator, (size_t)(end - p));
        if (!q)
            q = end;
        o.sub[o.n++] = ptx_operand(e, tc_strndup(e->d->a, p, (size_t)(q - p)));
        p = q + 1;
    }
    return o;
}

static tc_px_operand ptx_operand(asm_env *e, const char *text) {
    tc_px_operand o = {0};
    size_t n = strlen(text);
    if (n > 1 && text[0] == '{' && text[n - 1] == '}')
        return ptx_list(e, text + 1, n - 2, ',', TC_PX_VEC);
    if (strchr(text, '|'))
        return ptx_list(e, text, n, '|', TC_PX_PAIR);
    const char *plus = strpbrk(text + (n > 0), "+-");
    if (plus && (text[0] == '%' || isalpha((unsigned char)text[0]) || text[0] == '_')) { // an address: register + bytes
        o = ptx_operand(e, tc_strndup(e->d->a, text, (size_t)(plus - text)));
        uint64_t off = 0;
        if (!parse_imm(*plus == '+' ? plus + 1 : plus, &off))
            e->ok = false;
        o.imm = off;
        return o;
    }
    if (text[0] == '%' && isdigit((unsigned char)text[1])) {
        unsigned long k = strtoul(text + 1, NULL, 10);
        if (k >= e->n) {
            e->ok = false;
            return o;
        }
        o.kind = TC_PX_REG;
        o.reg = e->regs[k];
        return o;
    }
    if (parse_imm(text, &o.imm)) {
        o.kind = TC_PX_IMM;
        return o;
    }
    if (strcmp(text, "_") == 0)
        return o;
    if (isalpha((unsigned char)text[0]) || text[0] == '_' || text[0] == '%' || text[0] == '$') {
        o.kind = TC_PX_REG;
        o.reg = ptx_reg(e, text);
        return o;
    }
    e->ok = false;
    return o;
}

// The registers of an operand one after another.
static uint32_t flatten(const tc_px_operand *o, const tc_px_operand **out, uint32_t n) {
    if (o->kind != TC_PX_VEC) {
        out[n++] = o;
        return n;
    }
    for (uint32_t i = 0; i < o->n && n < 8; i++)
        out[n++] = &o->sub[i];
    return n;
}

static uint32_t operand_reg(asm_env *e, const tc_px_operand *o, unsigned bits) {
    if (o->kind == TC_PX_REG)
        return o->reg;
    if (o->kind == TC_PX_IMM)
        return tc_const_int(e->d, o->imm, bits);
    e->ok = false;
    return 0;
}

// The generic pointer of an address operand. Shared addresses are 32-bit numbers, or 64-bit ones that cvta made.
static uint32_t address_reg(asm_env *e, const tc_ptx_inst *in, unsigned k) {
    tc_decoder *d = e->d;
    tc_px_operand o = ptx_operand(e, in->operands[k]);
    uint32_t r = operand_reg(e, &o, 64), p = tc_regs_new(d, 1);
    tc_regs_free(d, p, 1);
    bool shared = in->space == TC_PTX_SHARED;
    tc_emit(d, shared ? TC_OP_I2PS : TC_OP_I2P, 64, p, r, 0, 0, 0);
    if (o.kind == TC_PX_REG && o.imm)
        tc_emit(d, TC_OP_GEPC, 0, p, p, 0, 0, (uint32_t)o.imm);
    return p;
}

static uint32_t ptx_flags(const tc_ptx_inst *in) {
    uint32_t f = in->is_volatile ? TC_ACC_VOLATILE : 0;
    if (in->effect.kind == TC_FX_LOAD_NC)
        f |= TC_ACC_NC;
    if (in->order > 0 && !in->is_volatile)
        f |= TC_ACC_ATOMIC | in->scope << TC_ACC_SCOPE_SHIFT;
    if (in->order == 2 || in->order >= 4)
        f |= TC_ACC_ACQUIRE;
    if (in->order == 3 || in->order >= 4)
        f |= TC_ACC_RELEASE;
    return f;
}

static uint32_t ptx_layout(tc_decoder *d, const tc_ptx_inst *in) {
    tc_layout l = {.n = in->vector};
    unsigned bits = tc_ptx_type_bits(in->type);
    l.leaves = TC_NEW_ARRAY(d->a, tc_leaf, in->vector);
    for (unsigned i = 0; i < in->vector; i++) {
        bool is_float = in->type >= TC_PTXT_F16;
        l.leaves[i] =
            (tc_leaf){i * bits / 8, (uint16_t)bits, (uint8_t)(bits / 8), is_float ? TC_LEAF_FLOAT : TC_LEAF_INT, 0};
    }
    l.size = in->vector * bits / 8;
    tc_push(d->a, &d->p->layouts, l);
    return (uint32_t)d->p->layouts.len - 1;
}

// Bits of the output that the register is; 0 when it is none, or no integer.
static unsigned output_bits(const asm_env *e, uint32_t reg) {
    if (reg < e->out || reg >= e->out + e->nout)
        return 0;
    LLVMTypeRef t = LLVMTypeOf(e->call);
    return int_bits(e->nout == 1 ? t : LLVMStructGetTypeAtIndex(t, reg - e->out));
}

// In a wider register, by the type (PTX ISA, "Operand Size Exceeding Instruction-Type Size").
static void asm_loaded(asm_env *e, const tc_ptx_inst *in, uint32_t to, uint32_t from) {
    unsigned bits = tc_ptx_type_bits(in->type), wide = output_bits(e, to);
    bool is_signed = in->type >= TC_PTXT_S8 && in->type <= TC_PTXT_S64;
    if (in->type < TC_PTXT_F16 && wide > bits && wide <= 64)
        tc_emit(e->d, is_signed ? TC_OP_SEXT : TC_OP_ZEXT, bits, to, from, 0, 0, wide);
    else
        tc_emit(e->d, TC_OP_MOV, 0, to, from, 0, 0, 0);
}

static void asm_access(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    bool store = in->effect.kind == TC_FX_STORE;
    unsigned bits = tc_ptx_type_bits(in->type);
    if (bits < 8 || bits > 64 || in->noperands < 2 || !in->is_mem[store ? 0 : 1]) {
        e->ok = false;
        return;
    }
    uint32_t p = address_reg(e, in, store ? 0 : 1);
    tc_px_operand o = ptx_operand(e, in->operands[store ? 1 : 0]);
    const tc_px_operand *parts[8];
    uint32_t n = flatten(&o, parts, 0);
    if (n != in->vector) {
        e->ok = false;
        return;
    }
    uint32_t run = tc_regs_new(d, n);
    tc_regs_free(d, run, n);
    uint32_t place = tc_place_here(d, store ? "write" : "read");
    d->p->hands_on |= in->order > 0;
    for (uint32_t i = 0; store && i < n; i++)
        tc_emit(d, TC_OP_MOV, 0, run + i, operand_reg(e, parts[i], bits), 0, 0, 0);
    tc_emit_at(d, place, store ? TC_OP_STOREV : TC_OP_LOADV, 0, run, p, in->vector * bits / 8, ptx_layout(d, in),
               ptx_flags(in));
    for (uint32_t i = 0; !store && i < n; i++)
        if (parts[i]->kind == TC_PX_REG)
            asm_loaded(e, in, parts[i]->reg, run + i);
}

static void asm_atomic(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    bool red = strcmp(in->base, "red") == 0, cas = in->effect.arg == TC_AT_CAS;
    unsigned at = red ? 0 : 1, bits = tc_ptx_type_bits(in->type);
    if (in->noperands != at + 2u + cas || !in->is_mem[at] || bits < 16 || bits > 64) {
        e->ok = false;
        return;
    }
    tc_atomic_desc desc = {.op = (tc_atomic_op)in->effect.arg,
                           .bits = bits,
                           .scope = in->scope,
                           .what = red ? "red" : "atom",
                           .success = TC_NONE};
    desc.reduction = red;
    desc.is_float = in->type >= TC_PTXT_F16;
    desc.bfloat = in->type == TC_PTXT_BF16;
    desc.flags = ptx_flags(in) & (TC_ACC_ACQUIRE | TC_ACC_RELEASE);
    d->p->hands_on |= desc.flags != 0;
    uint32_t p = address_reg(e, in, at);
    tc_px_operand v = ptx_operand(e, in->operands[at + 1]), c = {0}, r = {0};
    if (cas) {
        c = v;
        v = ptx_operand(e, in->operands[at + 2]);
    }
    if (!red)
        r = ptx_operand(e, in->operands[0]);
    uint32_t dst = r.kind == TC_PX_REG ? r.reg : ptx_reg(e, "%unused");
    tc_emit_at(d, tc_place_here(d, desc.what), TC_OP_ATOMIC, bits, dst, p, operand_reg(e, &v, bits),
               cas ? operand_reg(e, &c, bits) : TC_NONE, tc_atomic_index(d, &desc));
}

static void asm_cp_async(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    if (in->noperands < 3 || !in->is_mem[0] || !in->is_mem[1]) {
        e->ok = false;
        return;
    }
    tc_ptx_inst shared = *in, global = *in;
    shared.space = TC_PTX_SHARED;
    global.space = TC_PTX_GLOBAL;
    uint32_t width = in->effect.width;
    if (width == 0) { // %n with a constant
        tc_px_operand w = ptx_operand(e, in->operands[2]);
        if (w.kind == TC_PX_REG && w.reg & TC_CONST_BIT)
            width = (uint32_t)d->p->consts.data[w.reg & ~TC_CONST_BIT].bits;
    }
    if (width != 4 && width != 8 && width != 16) {
        e->ok = false;
        return;
    }
    uint32_t to = address_reg(e, &shared, 0), from = address_reg(e, &global, 1), n = TC_NONE;
    if (in->noperands > 3) {
        tc_px_operand o = ptx_operand(e, in->operands[3]);
        n = operand_reg(e, &o, 32);
    }
    d->p->fine_sync = true;
    tc_emit_at(d, tc_place_here(d, "cp.async"), TC_OP_CP_ASYNC, 32, to, from, n, 0, width);
}

static void asm_cp_wait(asm_env *e, const tc_ptx_inst *in) {
    uint32_t n = in->effect.arg;
    if (n == TC_FX_OPERAND) {
        tc_px_operand o = in->noperands ? ptx_operand(e, in->operands[0]) : (tc_px_operand){0};
        if (o.kind != TC_PX_REG || !(o.reg & TC_CONST_BIT)) {
            e->ok = false;
            return;
        }
        n = (uint32_t)e->d->p->consts.data[o.reg & ~TC_CONST_BIT].bits;
    }
    tc_emit_at(e->d, tc_place_here(e->d, "cp.async.wait_group"), TC_OP_CP_WAIT, 0, 0, 0, 0, in->effect.width, n);
}

static void asm_named(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    tc_px_operand id = {0}, count = {0};
    if (in->noperands > 0)
        id = ptx_operand(e, in->operands[0]);
    uint32_t r = in->noperands > 0 ? operand_reg(e, &id, 32) : tc_const_int(d, 0, 32), c = TC_NONE;
    if (in->noperands > 1) {
        count = ptx_operand(e, in->operands[1]);
        c = operand_reg(e, &count, 32);
    }
    uint32_t place = tc_place_here(d, in->effect.what);
    if (c == TC_NONE && in->effect.kind == TC_FX_NAMED_SYNC) {
        tc_emit_at(d, place, TC_OP_BARRIER, 0, TC_NONE, r, TC_NONE, TC_NONE, TC_RED_NONE);
        return;
    }
    d->p->fine_sync = true;
    tc_emit_at(d, place, TC_OP_NAMED, 0, 0, r, c, 0, in->effect.kind == TC_FX_NAMED_ARRIVE);
}

static void asm_warp(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    tc_px_operand o[5] = {0};
    uint32_t r[5] = {0};
    for (size_t k = 0; k < in->noperands && k < 5; k++) {
        o[k] = ptx_operand(e, in->operands[k]);
        r[k] = o[k].kind == TC_PX_PAIR ? 0 : operand_reg(e, &o[k], 32);
    }
    uint32_t place = tc_place_here(d, in->effect.what);
    if (in->effect.kind == TC_FX_SYNCWARP && in->noperands == 1) {
        d->p->fine_sync = true;
        tc_emit_at(d, place, TC_OP_SYNCWARP, 0, 0, r[0], 0, 0, 0);
    } else if (in->effect.kind == TC_FX_SHUFFLE && in->noperands == 5) {
        // d[|p], a, b, c, membermask
        bool pair =
            o[0].kind == TC_PX_PAIR && o[0].n == 2 && o[0].sub[0].kind == TC_PX_REG && o[0].sub[1].kind == TC_PX_REG;
        if (o[0].kind == TC_PX_PAIR && !pair)
            e->ok = false;
        uint32_t run = tc_regs_new(d, 2);
        tc_regs_free(d, run, 2);
        tc_emit_at(d, place, TC_OP_SHUFFLE, in->effect.arg | (pair ? 16u : 0u), run, r[4], r[1], r[2], r[3]);
        tc_emit(d, TC_OP_MOV, 0, pair ? o[0].sub[0].reg : r[0], run, 0, 0, 0);
        if (pair)
            tc_emit(d, TC_OP_MOV, 0, o[0].sub[1].reg, run + 1, 0, 0, 0);
    } else if (in->effect.kind == TC_FX_VOTE && in->effect.arg == TC_VOTE_ACTIVEMASK && in->noperands == 1) {
        tc_emit_at(d, place, TC_OP_VOTE, 32, r[0], TC_NONE, TC_NONE, 0, in->effect.arg);
    } else if (in->effect.kind == TC_FX_VOTE && in->effect.arg == TC_VOTE_ELECT && in->noperands == 2 && o[0].kind == TC_PX_PAIR && o[0].n == 2) {
        uint32_t run = tc_regs_new(d, 2);
        tc_regs_free(d, run, 2);
        tc_emit_at(d, place, TC_OP_VOTE, 32, run, r[1], TC_NONE, 0, in->effect.arg);
        for (unsigned k = 0; k < 2; k++)
            if (o[0].sub[k].kind == TC_PX_REG)
                tc_emit(d, TC_OP_MOV, 0, o[0].sub[k].reg, run + k, 0, 0, 0);
    } else if (in->effect.kind == TC_FX_VOTE && in->noperands == 3 && o[0].kind == TC_PX_REG) {
        unsigned bits = tc_ptx_type_bits(in->type);
        tc_emit_at(d, place, TC_OP_VOTE, bits ? bits : 32, r[0], r[2], r[1], 0, in->effect.arg);
    } else {
        e->ok = false;
    }
}

// Registers of an operand go to, or come from, a run of registers.
static void asm_gather(asm_env *e, const tc_px_operand *const *parts, uint32_t n, uint32_t run) {
    for (uint32_t i = 0; i < n; i++)
        tc_emit(e->d, TC_OP_MOV, 0, run + i, operand_reg(e, parts[i], 32), 0, 0, 0);
}

static void asm_spread(asm_env *e, const tc_px_operand *const *parts, uint32_t n, uint32_t run) {
    for (uint32_t i = 0; i < n; i++)
        if (parts[i]->kind == TC_PX_REG)
            tc_emit(e->d, TC_OP_MOV, 0, parts[i]->reg, run + i, 0, 0, 0);
}

static void asm_matrix(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    tc_matrix x;
    bool op = in->effect.kind == TC_FX_MATRIX_OP, stores = in->effect.kind == TC_FX_MATRIX_STORE;
    if (!tc_matrix_read(in, &x) || in->noperands != (op && !x.moves ? 4u : 2u) || (!op && !in->is_mem[stores ? 0 : 1])) {
        e->ok = false;
        return;
    }
    // The operands that are registers: the results, or what is stored, first.
    const tc_px_operand *parts[4][8];
    tc_px_operand o[4];
    uint32_t n[4] = {0}, want[4] = {x.n, x.moves ? 1 : 0, 0, 0};
    for (size_t i = 0; i < in->noperands && in->noperands <= 4; i++) {
        size_t to = stores ? 1 - i : i;
        o[to] = ptx_operand(e, in->operands[i]);
        n[to] = in->is_mem[i] ? 0 : flatten(&o[to], parts[to], 0);
    }
    if (op && !x.moves)
        memcpy(want, x.regs, sizeof want);
    uint32_t run = tc_regs_new(d, 32);
    tc_regs_free(d, run, 32);
    uint32_t first = run, rest = run + want[0], at = rest, place = tc_place_here(d, in->effect.what);
    for (size_t i = 0; i < 4; i++)
        e->ok &= n[i] == want[i];
    for (size_t i = 1; i < 4 && e->ok; at += n[i++])
        asm_gather(e, parts[i], n[i], at);
    if (stores && e->ok)
        asm_gather(e, parts[0], n[0], first);
    tc_push(d->a, &d->p->matrices, x);
    uint32_t from = op ? rest : address_reg(e, in, stores ? 0 : 1);
    tc_emit_at(d, place, TC_OP_MATRIX, 0, first, tc_const_int(d, UINT32_MAX, 32), from, 0, (uint32_t)d->p->matrices.len - 1);
    if (!stores && e->ok)
        asm_spread(e, parts[0], n[0], first);
}

static void asm_pure(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    tc_px_inst px = {.in = *in, .predicate = TC_NONE};
    if (!tc_ptx_known(in)) {
        e->ok = false;
        return;
    }
    for (size_t k = 0; k < in->noperands; k++)
        px.op[k] = ptx_operand(e, in->operands[k]);
    if (in->predicate)
        px.predicate = ptx_reg(e, in->predicate);
    tc_push(d->a, &d->p->ptx, px);
    tc_emit(d, TC_OP_PTX, 0, 0, 0, 0, 0, (uint32_t)d->p->ptx.len - 1);
}

static void asm_mov(asm_env *e, const tc_ptx_inst *in, uint32_t from, tc_vm_op op) {
    tc_px_operand o = ptx_operand(e, in->operands[0]);
    if (o.kind == TC_PX_REG)
        tc_emit(e->d, op, 64, o.reg, from, 0, 0, 0);
    else
        e->ok = false;
}

static void asm_sreg(asm_env *e, const tc_ptx_inst *in) {
    static const uint32_t slots[TC_SREG_OTHER] = {
        [TC_SREG_TID_X] = TC_SLOT_TID,
        [TC_SREG_TID_Y] = TC_SLOT_TID + 1,
        [TC_SREG_TID_Z] = TC_SLOT_TID + 2,
        [TC_SREG_CTAID_X] = TC_SLOT_CTAID,
        [TC_SREG_CTAID_Y] = TC_SLOT_CTAID + 1,
        [TC_SREG_CTAID_Z] = TC_SLOT_CTAID + 2,
        [TC_SREG_NTID_X] = TC_SLOT_NTID,
        [TC_SREG_NTID_Y] = TC_SLOT_NTID + 1,
        [TC_SREG_NTID_Z] = TC_SLOT_NTID + 2,
        [TC_SREG_NCTAID_X] = TC_SLOT_NCTAID,
        [TC_SREG_NCTAID_Y] = TC_SLOT_NCTAID + 1,
        [TC_SREG_NCTAID_Z] = TC_SLOT_NCTAID + 2,
        [TC_SREG_LANEID] = TC_SLOT_LANE,
        [TC_SREG_WARPID] = TC_SLOT_WARP,
        [TC_SREG_LANEMASK_LT] = TC_SLOT_MASKS,
        [TC_SREG_LANEMASK_LE] = TC_SLOT_MASKS + 1,
        [TC_SREG_LANEMASK_EQ] = TC_SLOT_MASKS + 2,
        [TC_SREG_LANEMASK_GE] = TC_SLOT_MASKS + 3,
        [TC_SREG_LANEMASK_GT] = TC_SLOT_MASKS + 4,
        [TC_SREG_DYN_SMEM] = TC_SLOT_SMEM,
    };
    tc_sreg s = (tc_sreg)in->effect.arg;
    if (s == TC_SREG_CLOCK)
        asm_mov(e, in, 0, TC_OP_CLOCK);
    else if (s == TC_SREG_WARPSIZE)
        asm_mov(e, in, tc_const_int(e->d, 32, 32), TC_OP_MOV);
    else if (s == TC_SREG_ENVREG)
        asm_mov(e, in, tc_const_reg(e->d, (tc_reg){.mark = TC_MARK_UNKNOWN}), TC_OP_MOV);
    else
        asm_mov(e, in, slots[s], TC_OP_MOV);
}

static void asm_cvta(asm_env *e, const tc_ptx_inst *in) {
    tc_px_operand v = in->noperands == 2 ? ptx_operand(e, in->operands[1]) : (tc_px_operand){0};
    uint32_t r = operand_reg(e, &v, 64);
    if (in->effect.arg == TC_CVTA_TO_GENERIC)
        asm_mov(e, in, r, in->space == TC_PTX_SHARED ? TC_OP_I2PS : TC_OP_MOV);
    else
        asm_mov(e, in, r, in->effect.arg == TC_CVTA_TO_SHARED ? TC_OP_P2IS : TC_OP_MOV);
}

static void asm_inst(asm_env *e, const tc_ptx_inst *in) {
    tc_decoder *d = e->d;
    bool pure = in->effect.kind == TC_FX_OPAQUE;
    // A predicated access is a jump around it.
    uint32_t skip = TC_NONE;
    if (in->predicate && !pure) {
        uint32_t go = tc_label_new(d), p = ptx_reg(e, in->predicate);
        skip = tc_label_new(d);
        tc_emit(d, TC_OP_BR, TC_GUARDS, in->negated ? skip : go, p, 0, in->negated ? go : skip, 0);
        tc_label_here(d, go);
    }
    switch (in->effect.kind) {
    case TC_FX_NOTHING:
    case TC_FX_GRID_WAIT:
        break;
    case TC_FX_OPAQUE:
        asm_pure(e, in);
        break;
    case TC_FX_SREG:
        asm_sreg(e, in);
        break;
    case TC_FX_LOAD:
    case TC_FX_LOAD_NC:
    case TC_FX_STORE:
        d->p->hands_on |= in->order > 1;
        asm_access(e, in);
        break;
    case TC_FX_ATOMIC:
        d->p->hands_on |= in->order > 1;
        asm_atomic(e, in);
        break;
    case TC_FX_CP_ASYNC:
        asm_cp_async(e, in);
        break;
    case TC_FX_CP_COMMIT:
        tc_emit(d, TC_OP_CP_COMMIT, 0, 0, 0, 0, 0, 0);
        break;
    case TC_FX_CP_WAIT:
        asm_cp_wait(e, in);
        break;
    case TC_FX_NAMED_SYNC:
    case TC_FX_NAMED_ARRIVE:
        asm_named(e, in);
        break;
    case TC_FX_SYNCWARP:
    case TC_FX_SHUFFLE:
    case TC_FX_VOTE:
        asm_warp(e, in);
        break;
    case TC_FX_MATRIX_LOAD:
    case TC_FX_MATRIX_STORE:
    case TC_FX_MATRIX_OP:
        asm_matrix(e, in);
        break;
    case TC_FX_FENCE:
        d->p->hands_on = true;
        tc_emit(d, TC_OP_FENCE, 0, 0, 0, 0, in->order, in->effect.arg);
        break;
    case TC_FX_TRAP:
        tc_emit(d, TC_OP_TRAP, 0, 0, 0, 0, 0, in->effect.arg);
        break;
    case TC_FX_CVTA:
        asm_cvta(e, in);
        break;
    default:
        e->ok = false;
    }
    if (skip != TC_NONE)
        tc_label_here(d, skip);
}

// The registers of the operands: outputs first, then inputs; "0" ties an input to an output.
static void bind_operands(asm_env *e, const char *constraints) {
    tc_decoder *d = e->d;
    uint32_t out = has_result(e->call) ? tc_leaf_count(d, LLVMTypeOf(e->call)) : 0, nout = 0, k = 0;
    uint32_t inputs[32], tied[32], nin = 0;
    for (const char *p = constraints; *p && nin + nout < 31;) {
        size_t n = strcspn(p, ",");
        if (*p == '=' && memchr(p, '*', n)) {
            e->ok = false; // through memory
        } else if (*p == '=' || *p == '+') {
            nout++;
        } else if (*p != '~') {
            tied[nin] = isdigit((unsigned char)*p) ? (uint32_t)strtoul(p, NULL, 10) : TC_NONE;
            inputs[nin++] = arg(d, e->call, k++);
        }
        p += n + (p[n] == ',');
    }
    if (nout != out)
        e->ok = false;
    uint32_t r = out ? tc_def(d, e->call) : 0;
    // The results are apart from the inputs until the end: an output may be written before an input is read.
    uint32_t run = out ? tc_regs_new(d, out) : 0;
    if (out)
        tc_regs_free(d, run, out);
    for (uint32_t i = 0; i < out && i < 31; i++)
        e->regs[i] = run + i;
    for (uint32_t i = 0; i < nin; i++) {
        e->regs[out + i] = inputs[i];
        if (tied[i] < out) {
            tc_emit(d, TC_OP_MOV, 0, run + tied[i], inputs[i], 0, 0, 0);
            e->regs[out + i] = run + tied[i];
        }
    }
    e->n = out + nin;
    e->out = run;
    e->result = r;
    e->nout = out;
}

void tc_decode_asm(tc_decoder *d, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n, nc;
    const char *text = LLVMGetInlineAsmAsmString(callee, &n);
    text = tc_strndup(d->a, text, n);
    const char *constraints = LLVMGetInlineAsmConstraintString(callee, &nc);
    constraints = tc_strndup(d->a, constraints, nc);
    asm_env e = {.d = d, .call = call, .ok = true};
    bind_operands(&e, constraints);
    enum { MAX = 64 };
    tc_ptx_inst *in = TC_NEW_ARRAY(d->a, tc_ptx_inst, MAX);
    int count = tc_ptx_parse(d->a, text, in, MAX);
    size_t code = d->p->code.len;
    for (int i = 0; i < count && e.ok; i++)
        asm_inst(&e, &in[i]);
    if (count < 0 || !e.ok) {
        d->p->code.len = d->p->place.len = code;
        size_t end = strcspn(text, "\n");
        tc_emit_stop(d, "inline asm '%.*s'", (int)(end < 120 ? end : 120), text);
    }
    for (uint32_t i = 0; i < e.nout; i++)
        tc_emit(d, TC_OP_MOV, 0, e.result + i, e.out + i, 0, 0, 0);
}
