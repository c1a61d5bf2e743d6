// Pointers: a guarded list of places with byte offsets.
#include "checker/host.h"
#include "checker/lift.h"

uint32_t tc_place_object(tc_lift *L, uint32_t object) {
    uint64_t key = tc_hash_mix(object + 1, 0x0b1ec7);
    uint64_t v = (uint64_t)(uintptr_t)tc_map_get(&L->root->things, key);
    if (v == 0) {
        tc_push(L->arena, &L->places, ((tc_place){TC_PL_OBJECT, object, NULL, NULL, NULL}));
        v = L->places.len;
        tc_map_put(L->arena, &L->root->things, key, (void *)(uintptr_t)v);
    }
    return (uint32_t)(v - 1);
}

// Places 0 and 1 are made with the lifter.
uint32_t tc_place_null(tc_lift *L) {
    (void)L;
    return 0;
}

uint32_t tc_place_unknown(tc_lift *L) {
    (void)L;
    return 1;
}

static uint32_t place_function(tc_lift *L, LLVMValueRef function) {
    uint64_t key = tc_hash_mix(TC_KEY(function), 0xf0ca);
    uint64_t v = (uint64_t)(uintptr_t)tc_map_get(&L->root->things, key);
    if (v == 0) {
        tc_push(L->arena, &L->places, ((tc_place){TC_PL_FUNCTION, TC_NONE, NULL, function, NULL}));
        v = L->places.len;
        tc_map_put(L->arena, &L->root->things, key, (void *)(uintptr_t)v);
    }
    return (uint32_t)(v - 1);
}

static const tc_val *unknown_ptr(tc_lift *L) { return tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0)); }

static const tc_val *shifted(tc_lift *L, const tc_val *p, tc_t by) {
    if (tc_is_const(by) && by->value == 0)
        return p;
    TC_VEC(tc_alt) out = {0};
    for (size_t i = 0; i < p->nalts; i++) {
        tc_alt a = p->alts[i];
        a.offset = tc_add(L->ts, a.offset, by);
        tc_push(L->arena, &out, a);
    }
    return tc_val_alts(L, out.data, out.len);
}

// An index of 64 bits needs no reading: addresses are computed modulo 2^64, and where the offset lies in the object, the
// machine's address does too and is the same.
static tc_t index_term(tc_lift *L, tc_flow *f, LLVMValueRef v) {
    const tc_val *x = tc_lift_operand(L, v);
    unsigned bits;
    if (!tc_lift_type_bits(L, LLVMTypeOf(v), &bits))
        return NULL;
    x = tc_val_as(L, x, LLVMTypeOf(v), 0);
    if (x->kind != TC_V_INT)
        return NULL;
    if (bits == 64 || f == NULL)
        return x->term;
    return tc_lift_signed(L, f, x, "index");
}

const tc_val *tc_lift_gep(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(inst);
    if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMPointerTypeKind)
        return tc_val_any(L); // a vector of pointers
    const tc_val *base = tc_val_as(L, tc_lift_operand(L, LLVMGetOperand(inst, 0)), LLVMTypeOf(inst), 0);
    if (base->kind != TC_V_PTR)
        return unknown_ptr(L);
    tc_t offset = tc_int(L->ts, 0);
    TC_VEC(const tc_val *) parts = {0};
    tc_push(L->arena, &parts, base);
    unsigned n = (unsigned)LLVMGetNumOperands(inst);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef op = LLVMGetOperand(inst, i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            if (!LLVMIsAConstantInt(op))
                return unknown_ptr(L);
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(op);
            offset = tc_addc(L->ts, offset, (tc_i128)LLVMOffsetOfElement(L->layout, type, field));
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) {
            LLVMTypeKind k = LLVMGetTypeKind(type);
            if (k != LLVMArrayTypeKind && k != LLVMVectorTypeKind)
                return unknown_ptr(L);
            type = LLVMGetElementType(type);
        }
        tc_t x = index_term(L, f, op);
        if (x == NULL || !LLVMTypeIsSized(type))
            return unknown_ptr(L);
        tc_push(L->arena, &parts, tc_val_int(L, 64, x));
        offset = tc_add(L->ts, offset, tc_mulc(L->ts, x, (tc_i128)LLVMABISizeOfType(L->layout, type)));
    }
    return tc_lift_traced(L, shifted(L, base, offset), parts.data, parts.len);
}

const tc_val *tc_lift_const_ptr(tc_lift *L, LLVMValueRef v) {
    if (LLVMIsAFunction(v))
        return tc_val_ptr(L, place_function(L, v), tc_int(L->ts, 0));
    if (LLVMIsAGlobalVariable(v))
        return tc_val_ptr(L, tc_place_object(L, tc_object_global(L, v)), tc_int(L->ts, 0));
    if (LLVMIsAGlobalAlias(v))
        return tc_lift_const_ptr(L, LLVMAliasGetAliasee(v));
    if (LLVMIsNull(v))
        return tc_val_ptr(L, tc_place_null(L), tc_int(L->ts, 0));
    if (!LLVMIsAConstantExpr(v))
        return unknown_ptr(L);
    switch (LLVMGetConstOpcode(v)) {
    case LLVMGetElementPtr:
        return tc_lift_gep(L, NULL, v);
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
        return tc_val_const(L, LLVMGetOperand(v, 0));
    case LLVMIntToPtr: {
        const tc_val *x = tc_val_const(L, LLVMGetOperand(v, 0));
        return x->kind == TC_V_INT ? tc_lift_int_to_ptr(L, x) : unknown_ptr(L);
    }
    default:
        return unknown_ptr(L);
    }
}

// ---- addresses as integers ----

static tc_t place_address(tc_lift *L, uint32_t place) {
    tc_place *p = &L->places.data[place];
    if (p->kind == TC_PL_NULL)
        return tc_int(L->ts, 0);
    if (p->address != NULL)
        return p->address;
    const char *name = "address";
    tc_i128 align = 1;
    tc_variance var = TC_VAR_LAUNCH;
    if (p->kind == TC_PL_OBJECT) {
        const tc_object *o = &L->m->objects.data[p->object];
        name = tc_fmt(L->arena, "&%s", o->name);
        align = o->align > 0 ? (tc_i128)o->align : 1;
        var = o->variance;
    } else if (p->kind == TC_PL_LOCAL) {
        var = TC_VAR_THREAD;
    }
    tc_sym *s = tc_sym_new(L->ts, name, TC_SYM_UNKNOWN, var, TC_INT);
    s->has_lo = true;
    s->lo = 0;
    s->has_hi = true;
    s->hi = tc_pow2(56) / align;
    tc_map_put(L->arena, &L->addresses, TC_KEY(s), (void *)(uintptr_t)(place + 1));
    p = &L->places.data[place];
    p->address = tc_mulc(L->ts, tc_of_sym(L->ts, s), align);
    if (p->kind == TC_PL_OBJECT)
        L->m->objects.data[p->object].address = p->address;
    return p->address;
}

tc_t tc_lift_address(tc_lift *L, uint32_t place) {
    tc_place_kind k = L->places.data[place].kind;
    return (k == TC_PL_OBJECT && !tc_host_is_several(L, place)) || k == TC_PL_NULL ? place_address(L, place) : NULL;
}

const tc_val *tc_lift_ptr_to_int(tc_lift *L, const tc_val *v, unsigned width) {
    tc_t t = NULL;
    if (L->host != NULL)
        tc_host_leak(L, v);
    for (size_t i = v->nalts; i-- > 0;) {
        if (L->places.data[v->alts[i].place].kind == TC_PL_UNKNOWN)
            return tc_val_unknown(L, LLVMIntTypeInContext(LLVMGetModuleContext(L->module), width), "address", 0xadd);
        tc_t x = tc_add(L->ts, place_address(L, v->alts[i].place), v->alts[i].offset);
        t = t == NULL ? x : tc_ite(L->ts, v->alts[i].cond, x, t);
    }
    if (t == NULL)
        t = tc_int(L->ts, 0);
    return tc_val_int(L, width, t);
}

typedef struct tc_bases {
    tc_lift *L;
    uint32_t place;
    unsigned count;
} tc_bases;

static void find_base(void *ctx, tc_t t) {
    tc_bases *b = ctx;
    if (t->op != TC_T_SYM)
        return;
    uint64_t v = (uint64_t)(uintptr_t)tc_map_get(&b->L->addresses, TC_KEY(t->sym));
    if (v != 0) {
        b->place = (uint32_t)(v - 1);
        b->count++;
    }
}

bool tc_lift_is_address(tc_lift *L, tc_t t) {
    tc_bases b = {L, TC_NONE, 0};
    if (L->addresses.len > 0)
        tc_walk(L->ts, t, find_base, &b);
    return b.count > 0;
}

typedef struct tc_low_bits {
    tc_lift *L;
    tc_map map;
} tc_low_bits;

static void find_low_bits(void *ctx, tc_t t) {
    tc_low_bits *l = ctx;
    if (t->op == TC_T_MOD && tc_is_const(t->args[1]) && t->args[1]->value > 0 && t->args[1]->value <= 4096)
        tc_map_put(l->L->arena, &l->map, TC_KEY(t), (void *)(uintptr_t)tc_int(l->L->ts, 0));
}

// Addresses of shared and local memory fit in 32 bits (PTX ISA, "State Spaces"), those of global memory do not.
static bool is_short(const tc_lift *L, uint32_t place) {
    const tc_place *p = &L->places.data[place];
    tc_space space = p->kind == TC_PL_OBJECT ? L->m->objects.data[p->object].space : TC_SPACE_GLOBAL;
    return space == TC_SPACE_SHARED || space == TC_SPACE_LOCAL || (p->kind == TC_PL_LOCAL && L->host == NULL);
}

// SOUND: a number that was cut to fewer than 64 bits on its way is not the address that it came from, but where those bits are all of it.
static const tc_val *ptr_of(tc_lift *L, tc_t t, bool cut, bool generic) {
    for (; t->op == TC_T_WRAP; t = t->args[0])
        cut |= tc_wrap_width(t) < 64;
    if (t->op == TC_T_ITE)
        return tc_val_choose(L, t->args[0], ptr_of(L, t->args[1], cut, generic), ptr_of(L, t->args[2], cut, generic), NULL);
    if (tc_is_const(t))
        return t->value == 0 ? tc_val_ptr(L, tc_place_null(L), t) : unknown_ptr(L);
    tc_bases b = {L, TC_NONE, 0};
    tc_walk(L->ts, t, find_base, &b);
    if (b.count != 1 || (cut && (generic || !is_short(L, b.place))))
        return unknown_ptr(L);
    // Something added, or low bits cleared: the base is still the base.
    tc_t rest = tc_sub(L->ts, t, place_address(L, b.place));
    tc_low_bits low = {L, {0}};
    tc_walk(L->ts, rest, find_low_bits, &low);
    tc_bases left = {L, TC_NONE, 0};
    tc_walk(L->ts, tc_subst(L->ts, rest, &low.map), find_base, &left);
    return left.count == 0 ? tc_val_ptr(L, b.place, rest) : unknown_ptr(L);
}

const tc_val *tc_lift_int_to_ptr(tc_lift *L, const tc_val *v) {
    if (v->width < 32)
        return unknown_ptr(L);
    return ptr_of(L, v->term, v->width < 64, false);
}

const tc_val *tc_lift_int_to_generic(tc_lift *L, const tc_val *v) {
    if (v->width < 32)
        return unknown_ptr(L);
    return ptr_of(L, v->term, v->width < 64, true);
}

// ---- comparisons ----

// An open answer that depends on the offset where that was never written.
static tc_t leaning_on(tc_lift *L, tc_t answer, tc_t offset) {
    if (!offset->uninit)
        return answer;
    return tc_ite(L->ts, tc_eq(L->ts, offset, tc_int(L->ts, 0)), answer, tc_not(L->ts, answer));
}

tc_t tc_lift_nonnull(tc_lift *L, const tc_val *v) {
    tc_t r = L->ff;
    for (size_t i = 0; i < v->nalts; i++) {
        const tc_alt *a = &v->alts[i];
        const tc_place *p = &L->places.data[a->place];
        tc_t x;
        if (p->kind == TC_PL_NULL)
            x = tc_ne(L->ts, a->offset, tc_int(L->ts, 0));
        else if (p->kind == TC_PL_UNKNOWN)
            x = tc_lift_bool_sym(L, "pointer != nullptr", 0x17 + i);
        else if (p->kind == TC_PL_OBJECT && tc_is_const(a->offset) && a->offset->value == 0)
            x = tc_object_nonnull(L, p->object);
        else if (p->kind == TC_PL_OBJECT && !tc_is_true(tc_object_nonnull(L, p->object)))
            x = tc_lift_bool_sym(L, "pointer != nullptr", 0x17 + i);
        else
            x = L->tt;
        if (p->kind != TC_PL_NULL && a->offset->uninit)
            x = leaning_on(L, tc_lift_bool_sym(L, "pointer != nullptr", 0x17 + i), a->offset);
        r = tc_or(L->ts, r, tc_and(L->ts, a->cond, x));
    }
    return r;
}

static bool is_null(const tc_lift *L, const tc_val *v) {
    return v->nalts == 1 && L->places.data[v->alts[0].place].kind == TC_PL_NULL && tc_is_const(v->alts[0].offset) &&
           v->alts[0].offset->value == 0;
}

static tc_t compared(tc_lift *L, LLVMIntPredicate p, tc_t x, tc_t y) {
    switch (p) {
    case LLVMIntEQ:
        return tc_eq(L->ts, x, y);
    case LLVMIntNE:
        return tc_ne(L->ts, x, y);
    case LLVMIntUGT:
    case LLVMIntSGT:
        return tc_lt(L->ts, y, x);
    case LLVMIntUGE:
    case LLVMIntSGE:
        return tc_le(L->ts, y, x);
    case LLVMIntULT:
    case LLVMIntSLT:
        return tc_lt(L->ts, x, y);
    default:
        return tc_le(L->ts, x, y);
    }
}

// The address as an unsigned number, of host code, where a test of two buffers tells something of both; NULL: not known which one.
static tc_t host_address(tc_lift *L, tc_flow *f, const tc_val *v) {
    tc_t at = L->host != NULL && v->nalts == 1 && !v->alts[0].offset->uninit ? tc_lift_address(L, v->alts[0].place) : NULL;
    return at == NULL ? NULL : tc_lift_unsigned(L, f, tc_val_int(L, 64, tc_add(L->ts, at, v->alts[0].offset)), "address", false);
}

static const tc_val *ptr_compare(tc_lift *L, tc_flow *f, LLVMIntPredicate p, const tc_val *a, const tc_val *b) {
    tc_t same = p == LLVMIntEQ || p == LLVMIntNE ? tc_lift_is_function(L, a, b) : NULL;
    if (same != NULL)
        return tc_val_bool(L, p == LLVMIntEQ ? same : tc_not(L->ts, same));
    if (a->nalts != 1 || b->nalts != 1 || a->alts[0].place != b->alts[0].place ||
        L->places.data[a->alts[0].place].kind == TC_PL_UNKNOWN || tc_host_is_several(L, a->alts[0].place)) {
        tc_t at = host_address(L, f, a), to = at == NULL ? NULL : host_address(L, f, b);
        if (to != NULL)
            return tc_val_bool(L, compared(L, p, at, to));
        tc_t open = tc_lift_bool_sym(L, "pointer comparison", 3);
        for (size_t i = 0; i < a->nalts; i++)
            open = leaning_on(L, open, a->alts[i].offset);
        for (size_t i = 0; i < b->nalts; i++)
            open = leaning_on(L, open, b->alts[i].offset);
        return tc_val_bool(L, open);
    }
    // Offsets as signed 64-bit numbers compare as the addresses do: an object does not wrap around the address space.
    tc_t x = tc_lift_signed(L, f, tc_val_int(L, 64, a->alts[0].offset), "pointer comparison");
    tc_t y = tc_lift_signed(L, f, tc_val_int(L, 64, b->alts[0].offset), "pointer comparison");
    return tc_val_bool(L, compared(L, p, x, y));
}

const tc_val *tc_lift_ptr_compare(tc_lift *L, tc_flow *f, LLVMIntPredicate p, const tc_val *a, const tc_val *b) {
    if ((p == LLVMIntEQ || p == LLVMIntNE) && (is_null(L, a) || is_null(L, b))) {
        tc_t t = tc_lift_nonnull(L, is_null(L, b) ? a : b);
        return tc_val_bool(L, p == LLVMIntNE ? t : tc_not(L->ts, t));
    }
    return tc_lift_traced(L, ptr_compare(L, f, p, a, b), (const tc_val *const[]){a, b}, 2);
}
