// Values of the lifter: makers, choices, unknowns, constants.
#include <string.h>

#include "checker/host.h"
#include "checker/lift.h"

enum { MAX_ELEMENTS = 64 };

static tc_val *new_val(tc_lift *L, tc_val_kind kind) {
    tc_val *v = TC_NEW(L->arena, tc_val);
    v->kind = kind;
    v->undef = L->ff;
    v->from = TC_NONE;
    v->serial = ++L->serial;
    return v;
}

const tc_val *tc_val_made(tc_lift *L, unsigned width, tc_t term, LLVMValueRef made, const char *what) {
    tc_val *v = new_val(L, TC_V_INT);
    v->width = width;
    v->term = term;
    v->made = made;
    v->what = what;
    return v;
}

const tc_val *tc_val_int(tc_lift *L, unsigned width, tc_t term) { return tc_val_made(L, width, term, NULL, NULL); }

const tc_val *tc_val_bool(tc_lift *L, tc_t term) { return tc_val_made(L, 1, term, NULL, NULL); }

const tc_val *tc_val_float(tc_lift *L, tc_t undef) {
    tc_val *v = new_val(L, TC_V_FLOAT);
    v->undef = undef;
    return v;
}

const tc_val *tc_val_any(tc_lift *L) { return new_val(L, TC_V_ANY); }

const tc_val *tc_val_alts(tc_lift *L, const tc_alt *alts, size_t n) {
    tc_val *v = new_val(L, TC_V_PTR);
    tc_alt *copy = TC_NEW_ARRAY(L->arena, tc_alt, n == 0 ? 1 : n);
    if (n > 0)
        memcpy(copy, alts, n * sizeof *alts);
    v->alts = copy;
    v->nalts = n;
    return v;
}

const tc_val *tc_val_bytes(tc_lift *L, uint32_t from, tc_t offset) {
    tc_val *v = new_val(L, TC_V_BYTES);
    v->from = from;
    v->from_offset = offset;
    return v;
}

const tc_val *tc_val_zero_bytes(tc_lift *L) {
    tc_val *v = new_val(L, TC_V_BYTES);
    v->zero = true;
    return v;
}

const tc_val *tc_val_slice(tc_lift *L, const tc_val *v, uint64_t by) {
    tc_val *c = TC_NEW(L->arena, tc_val);
    *c = *v;
    c->slice += by;
    c->bits = NULL;
    return c;
}

const tc_val *tc_val_ptr(tc_lift *L, uint32_t place, tc_t offset) {
    return tc_val_alts(L, &(tc_alt){L->tt, place, offset}, 1);
}

const tc_val *tc_val_agg(tc_lift *L, const tc_val *const *elems, size_t n) {
    tc_val *v = new_val(L, TC_V_AGG);
    const tc_val **copy = TC_NEW_ARRAY(L->arena, const tc_val *, n == 0 ? 1 : n);
    for (size_t i = 0; i < n; i++)
        copy[i] = elems[i];
    v->elems = copy;
    v->nelems = n;
    return v;
}

// ---- symbols of the current instance ----

static bool is_below(const tc_node *n, const tc_node *top) {
    for (; n != NULL && n->depth >= top->depth; n = n->parent)
        if (n == top)
            return true;
    return false;
}

bool tc_lift_born_in(tc_lift *L, const tc_sym *s, const tc_node *node) {
    const tc_node *born = tc_map_get(&L->born, TC_KEY(s));
    return born != NULL && is_below(born, node);
}

typedef struct tc_varies {
    tc_lift *lift;
    const tc_node *node;
} tc_varies;

static bool varies_here(void *ctx, tc_t t) {
    tc_varies *v = ctx;
    return t->op == TC_T_SYM && tc_lift_born_in(v->lift, t->sym, v->node);
}

bool tc_lift_varies_in(tc_lift *L, tc_t t, const tc_node *node) {
    tc_varies v = {L, node};
    return tc_any(L->ts, t, varies_here, &v);
}

static uint64_t thing_key(const tc_lift *L, uint64_t key) { return tc_hash_mix(TC_KEY(L->inst), key + 0x5171); }

tc_sym *tc_lift_sym(tc_lift *L, const char *name, tc_sym_kind kind, tc_sort sort, uint64_t key, bool *fresh) {
    uint64_t k = tc_hash_mix(thing_key(L, key), (uint64_t)kind * 2 + (uint64_t)sort);
    tc_sym *s = tc_map_get(&L->node->things, k);
    *fresh = s == NULL;
    if (s == NULL) {
        s = tc_sym_new(L->ts, name, kind, TC_VAR_ACCESS, sort);
        tc_map_put(L->arena, &L->node->things, k, s);
        tc_map_put(L->arena, &L->born, TC_KEY(s), L->node);
    }
    return s;
}

tc_t tc_lift_bool_sym(tc_lift *L, const char *name, uint64_t key) {
    bool fresh;
    return tc_of_sym(L->ts, tc_lift_sym(L, name, TC_SYM_UNKNOWN, TC_BOOL, key, &fresh));
}

const tc_val *tc_val_unknown_ranged(tc_lift *L, unsigned width, const char *name, uint64_t key, tc_i128 lo,
                                    tc_i128 hi) {
    bool fresh;
    tc_sym *s = tc_lift_sym(L, name, TC_SYM_UNKNOWN, TC_INT, key, &fresh);
    if (fresh) {
        s->has_lo = s->has_hi = true;
        s->lo = lo;
        s->hi = hi;
    }
    return tc_val_int(L, width, tc_of_sym(L->ts, s));
}

static const char signless;

const tc_val *tc_val_signless(const tc_val *v) {
    if (v->kind == TC_V_INT && v->width > 1 && v->term->op == TC_T_SYM && v->term->sym->kind == TC_SYM_UNKNOWN)
        ((tc_sym *)(uintptr_t)v->term->sym)->tag = (void *)(uintptr_t)&signless;
    return v;
}

const tc_val *tc_val_signless_all(const tc_val *v) {
    for (size_t i = 0; v != NULL && i < v->nelems; i++)
        tc_val_signless_all(v->elems[i]);
    return v == NULL ? NULL : tc_val_signless(v);
}

// SOUND: of all its bits only. Widened it has the sign that the widening gave it, and narrowed it is another value.
bool tc_val_is_signless(const tc_val *v) {
    if (v->kind != TC_V_INT || v->term->op != TC_T_SYM || v->term->sym->tag != &signless)
        return false;
    const tc_sym *s = v->term->sym;
    return s->has_lo && s->has_hi && s->lo == -tc_pow2(v->width - 1) && s->hi == tc_pow2(v->width - 1) - 1;
}

static const tc_val *unknown_int(tc_lift *L, unsigned width, const char *name, uint64_t key) {
    if (width == 1)
        return tc_val_bool(L, tc_lift_bool_sym(L, name, key));
    return tc_val_unknown_ranged(L, width, name, key, -tc_pow2(width - 1), tc_pow2(width - 1) - 1);
}

// ---- types ----

bool tc_lift_type_bits(tc_lift *L, LLVMTypeRef type, unsigned *bits) {
    (void)L;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
        return false;
    *bits = LLVMGetIntTypeWidth(type);
    return true;
}

uint64_t tc_lift_type_size(tc_lift *L, LLVMTypeRef type) {
    return LLVMTypeIsSized(type) ? LLVMABISizeOfType(L->layout, type) : 0;
}

static size_t element_count(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type);
    case LLVMArrayTypeKind:
        return (size_t)LLVMGetArrayLength2(type);
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type);
    default:
        return 0;
    }
}

static LLVMTypeRef element_type(LLVMTypeRef type, size_t i) {
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, (unsigned)i)
                                                       : LLVMGetElementType(type);
}

static bool is_aggregate(LLVMTypeRef type) {
    LLVMTypeKind k = LLVMGetTypeKind(type);
    return k == LLVMStructTypeKind || k == LLVMArrayTypeKind || k == LLVMVectorTypeKind;
}

typedef const tc_val *(*tc_leaf_fn)(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key);

static const tc_val *build(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key, tc_leaf_fn leaf) {
    if (!is_aggregate(type))
        return leaf(L, type, name, key);
    size_t n = element_count(type);
    if (n > MAX_ELEMENTS)
        return tc_val_any(L);
    const tc_val *elems[MAX_ELEMENTS];
    for (size_t i = 0; i < n; i++)
        elems[i] = build(L, element_type(type, i), name, tc_hash_mix(key, i + 1), leaf);
    return tc_val_agg(L, elems, n);
}

static const tc_val *unknown_leaf(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key) {
    unsigned bits;
    if (tc_lift_type_bits(L, type, &bits))
        return unknown_int(L, bits, name, key);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        const tc_val *p = L->host != NULL ? tc_host_pointer(L, name, key) : NULL;
        return p != NULL ? p : tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    }
    return tc_val_float(L, L->ff);
}

const tc_val *tc_val_unknown(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key) {
    return build(L, type, name, key, unknown_leaf);
}

static const tc_val *zero_leaf(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key) {
    unsigned bits;
    (void)name;
    (void)key;
    if (tc_lift_type_bits(L, type, &bits))
        return bits == 1 ? tc_val_bool(L, L->ff) : tc_val_int(L, bits, tc_int(L->ts, 0));
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return tc_val_ptr(L, tc_place_null(L), tc_int(L->ts, 0));
    return tc_val_float(L, L->ff);
}

const tc_val *tc_val_zero(tc_lift *L, LLVMTypeRef type) { return build(L, type, "", 0, zero_leaf); }

static const tc_val *undef_leaf(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key) {
    unsigned bits;
    bool fresh;
    if (tc_lift_type_bits(L, type, &bits)) {
        tc_sym *s = tc_lift_sym(L, name, TC_SYM_UNINIT, bits == 1 ? TC_BOOL : TC_INT, key, &fresh);
        if (fresh && bits > 1) {
            s->has_lo = s->has_hi = true;
            s->lo = -tc_pow2(bits - 1);
            s->hi = tc_pow2(bits - 1) - 1;
        }
        return tc_val_int(L, bits, tc_of_sym(L->ts, s));
    }
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    return tc_val_float(L, L->tt);
}

// ---- results of operations that are not modelled ----

tc_t tc_val_undef(tc_lift *L, const tc_val *v) {
    tc_t r = v->undef;
    if (v->kind == TC_V_INT && v->term->uninit)
        return L->tt;
    for (size_t i = 0; i < v->nalts; i++)
        if (v->alts[i].offset->uninit)
            return L->tt;
    for (size_t i = 0; i < v->nelems; i++)
        r = tc_or(L->ts, r, tc_val_undef(L, v->elems[i]));
    return r;
}

static tc_t undef_of(tc_lift *L, const tc_val *const *args, size_t n) {
    tc_t r = L->ff;
    for (size_t i = 0; i < n; i++)
        r = tc_or(L->ts, r, tc_val_undef(L, args[i]));
    return r;
}

static void note_source(tc_lift *L, const tc_sym *s, tc_t t) {
    if (!tc_is_const(t))
        tc_push(L->arena, &L->m->derived, ((tc_carried){s, t, NULL}));
}

static void note_sources(tc_lift *L, const tc_sym *s, const tc_val *from) {
    if (from->kind == TC_V_INT)
        note_source(L, s, from->term);
    for (size_t i = 0; i < from->nalts; i++)
        note_source(L, s, from->alts[i].offset);
    for (size_t i = 0; i < from->nelems; i++)
        note_sources(L, s, from->elems[i]);
}

static void note_derived(tc_lift *L, const tc_val *r, const tc_val *const *args, size_t nargs) {
    if (L->pure || !tc_lift_recording(L))
        return;
    for (size_t i = 0; i < nargs && r->kind == TC_V_INT && r->term->op == TC_T_SYM; i++)
        note_sources(L, r->term->sym, args[i]);
    for (size_t i = 0; i < r->nelems; i++)
        note_derived(L, r->elems[i], args, nargs);
}

const tc_val *tc_val_derived(tc_lift *L, LLVMTypeRef type, const char *name, uint64_t key, const tc_val *const *args,
                             size_t nargs) {
    const tc_val *r = tc_val_unknown(L, type, name, key);
    note_derived(L, r, args, nargs);
    tc_t undef = undef_of(L, args, nargs);
    return tc_is_false(undef) ? r : tc_val_choose(L, undef, build(L, type, name, tc_hash_mix(key, 0x0d), undef_leaf), r, type);
}

const tc_val *tc_val_derived_ranged(tc_lift *L, unsigned width, const char *name, uint64_t key, tc_i128 lo, tc_i128 hi,
                                    const tc_val *const *args, size_t nargs) {
    const tc_val *r = tc_val_unknown_ranged(L, width, name, key, lo, hi);
    note_derived(L, r, args, nargs);
    tc_t undef = undef_of(L, args, nargs);
    if (tc_is_false(undef))
        return r;
    bool fresh;
    tc_sym *s = tc_lift_sym(L, name, TC_SYM_UNINIT, TC_INT, tc_hash_mix(key, 0x0d), &fresh);
    if (fresh) {
        s->has_lo = s->has_hi = true;
        s->lo = lo;
        s->hi = hi;
    }
    return tc_val_choose(L, undef, tc_val_int(L, width, tc_of_sym(L->ts, s)), r, NULL);
}

// ---- floating point ----

const tc_val *tc_val_with_bits(tc_lift *L, const tc_val *v, tc_t bits) {
    tc_val *c = new_val(L, TC_V_FLOAT);
    c->undef = v->undef;
    c->bits = bits;
    return c;
}

// A term that decides the value, or NULL.
static tc_t decided_by(tc_lift *L, const tc_val *v) {
    enum { LARGEST = 64 };
    if (!tc_is_false(tc_val_undef(L, v)))
        return NULL;
    if (v->kind == TC_V_FLOAT)
        return v->bits;
    if (v->kind != TC_V_INT || tc_term_size(v->term) > LARGEST)
        return NULL;
    return v->term->sort == TC_BOOL ? tc_ite(L->ts, v->term, tc_int(L->ts, 1), tc_int(L->ts, 0)) : v->term;
}

static tc_t made_of(tc_lift *L, const tc_t *parts, size_t n) {
    if (!L->made_of[n - 1])
        L->made_of[n - 1] = tc_fn_new(L->ts, "made of", (uint32_t)n);
    return tc_app(L->ts, L->made_of[n - 1], parts);
}

// SOUND: whether an operation is contracted with its neighbours, and how it rounds, is decided once for the instruction: threads that
// execute one instruction on the same operands get the same. Two instructions have two symbols, also for the same operands.
const tc_val *tc_val_computed(tc_lift *L, const tc_val *r, uint64_t key, const tc_val *const *args, size_t nargs) {
    tc_t parts[sizeof L->made_of / sizeof *L->made_of];
    if (L->pure || nargs == 0 || nargs > sizeof parts / sizeof *parts || !tc_is_false(r->undef))
        return r;
    for (size_t i = 0; i < nargs; i++) {
        parts[i] = decided_by(L, args[i]);
        if (parts[i] == NULL)
            return r;
    }
    bool fresh;
    if (r->kind == TC_V_FLOAT)
        r = tc_val_with_bits(L, r, tc_of_sym(L->ts, tc_lift_sym(L, "value", TC_SYM_UNKNOWN, TC_INT, tc_hash_mix(key, 0xb175), &fresh)));
    tc_t t = r->kind == TC_V_FLOAT ? r->bits : r->kind == TC_V_INT ? r->term : NULL;
    if (t != NULL && t->op == TC_T_SYM && t->sym->kind == TC_SYM_UNKNOWN && tc_lift_recording(L))
        tc_push(L->arena, &L->m->computed, ((tc_carried){t->sym, made_of(L, parts, nargs), NULL}));
    return r;
}

// ---- choices ----

static const tc_val *choose_ptr(tc_lift *L, tc_t cond, const tc_val *a, const tc_val *b) {
    TC_VEC(tc_alt) out = {0};
    tc_t no = tc_not(L->ts, cond);
    for (size_t i = 0; i < a->nalts; i++) {
        tc_alt x = a->alts[i];
        x.cond = tc_and(L->ts, cond, x.cond);
        tc_push(L->arena, &out, x);
    }
    for (size_t i = 0; i < b->nalts; i++) {
        tc_alt y = b->alts[i];
        size_t j = 0;
        while (j < a->nalts && a->alts[j].place != y.place)
            j++;
        if (j < a->nalts) { // one base: the offsets differ at most
            tc_alt *x = &out.data[j];
            x->offset = tc_ite(L->ts, cond, x->offset, y.offset);
            x->cond = tc_or(L->ts, x->cond, tc_and(L->ts, no, y.cond));
        } else {
            y.cond = tc_and(L->ts, no, y.cond);
            tc_push(L->arena, &out, y);
        }
    }
    return tc_val_alts(L, out.data, out.len);
}

const tc_val *tc_val_with_undef(tc_lift *L, const tc_val *v, tc_t undef) {
    if (v->undef == undef)
        return v;
    tc_val *c = new_val(L, v->kind);
    uint32_t serial = c->serial;
    *c = *v;
    c->serial = serial;
    c->undef = undef;
    return c;
}

static const tc_val *choose_same_kind(tc_lift *L, tc_t cond, const tc_val *a, const tc_val *b) {
    switch (a->kind) {
    case TC_V_INT:
        if (a->width != b->width)
            return NULL;
        return tc_val_made(L, a->width, tc_ite(L->ts, cond, a->term, b->term), a->made ? a->made : b->made,
                           a->made ? a->what : b->what);
    case TC_V_PTR:
        return choose_ptr(L, cond, a, b);
    case TC_V_FLOAT:
        return a->bits == b->bits ? a : tc_val_float(L, L->ff);
    case TC_V_AGG: {
        if (a->nelems != b->nelems || a->nelems > MAX_ELEMENTS)
            return NULL;
        const tc_val *elems[MAX_ELEMENTS];
        for (size_t i = 0; i < a->nelems; i++)
            elems[i] = tc_val_choose(L, cond, a->elems[i], b->elems[i], NULL);
        return tc_val_agg(L, elems, a->nelems);
    }
    default:
        return NULL;
    }
}

const tc_val *tc_val_choose(tc_lift *L, tc_t cond, const tc_val *a, const tc_val *b, LLVMTypeRef type) {
    if (a == b || tc_is_true(cond))
        return a;
    if (tc_is_false(cond))
        return b;
    if (type != NULL) {
        a = tc_val_as(L, a, type, 0);
        b = tc_val_as(L, b, type, 0);
    }
    const tc_val *v = a->kind == b->kind ? choose_same_kind(L, cond, a, b) : NULL;
    if (v == NULL) {
        v = tc_val_any(L); // SOUND: an unknown value covers both
        if (L->host != NULL) {
            tc_host_leak(L, a);
            tc_host_leak(L, b);
        }
    }
    return tc_val_with_undef(L, v, tc_ite(L->ts, cond, a->undef, b->undef));
}

// ---- reading a value as a type ----

static bool fits_type(tc_lift *L, const tc_val *v, LLVMTypeRef type) {
    unsigned bits;
    LLVMTypeKind k = LLVMGetTypeKind(type);
    switch (v->kind) {
    case TC_V_INT:
        return tc_lift_type_bits(L, type, &bits) && bits == v->width;
    case TC_V_PTR:
        return k == LLVMPointerTypeKind;
    case TC_V_FLOAT:
        return k != LLVMPointerTypeKind && !is_aggregate(type) && !tc_lift_type_bits(L, type, &bits);
    case TC_V_AGG:
        return is_aggregate(type) && element_count(type) == v->nelems;
    default:
        return false;
    }
}

// An uninitialised value stays visible when its bytes are read as something else.
static const tc_val *keep_undef(tc_lift *L, const tc_val *r, tc_t undef, LLVMTypeRef type, uint64_t key) {
    unsigned bits;
    if (tc_is_false(undef))
        return r;
    if (tc_lift_type_bits(L, type, &bits))
        return tc_val_choose(L, undef, undef_leaf(L, type, "uninitialised", key), r, NULL);
    return tc_val_with_undef(L, r, undef);
}

static const tc_val *pieces_as(tc_lift *L, const tc_val *v, LLVMTypeRef type, uint64_t offset) {
    size_t n = element_count(type);
    if (n > MAX_ELEMENTS)
        return tc_val_slice(L, v, offset);
    const tc_val *elems[MAX_ELEMENTS];
    for (size_t i = 0; i < n; i++) {
        LLVMTypeRef t = element_type(type, i);
        uint64_t at = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMOffsetOfElement(L->layout, type, (unsigned)i)
                                                                  : i * tc_lift_type_size(L, t);
        elems[i] = tc_val_as(L, v, t, offset + at);
    }
    return tc_val_agg(L, elems, n);
}

// An integer of the bytes at an offset of an object.
static const tc_val *bytes_leaf(tc_lift *L, uint32_t object, tc_t offset, LLVMTypeRef type, uint64_t key) {
    unsigned bits;
    if (!tc_lift_type_bits(L, type, &bits) || bits == 1)
        return tc_val_unknown(L, type, "loaded", key);
    tc_sign sign = tc_object_sign(L, object, offset, bits / 8);
    if (sign == TC_SIGN_UNSIGNED && bits < 32)
        return tc_val_unknown_ranged(L, bits, "loaded", key, 0, tc_pow2(bits) - 1);
    const tc_val *v = tc_val_unknown(L, type, "loaded", key);
    return sign == TC_SIGN_SIGNED ? v : tc_val_signless(v);
}

const tc_val *tc_val_as(tc_lift *L, const tc_val *v, LLVMTypeRef type, uint64_t offset) {
    unsigned bits;
    if (fits_type(L, v, type))
        return v;
    if (v->kind == TC_V_BYTES && v->zero)
        return tc_val_zero(L, type);
    offset += v->slice;
    if ((v->kind == TC_V_BYTES || v->kind == TC_V_ANY) && is_aggregate(type))
        return pieces_as(L, v, type, offset - v->slice);
    uint64_t key = tc_hash_mix(((uint64_t)v->serial << 20) ^ offset, 0xa5);
    bool truth = false;
    if (v->kind == TC_V_INT && v->width == 8 && tc_lift_type_bits(L, type, &bits) && bits == 1)
        return tc_val_bool(L, tc_ne(L->ts, tc_mod(L->ts, v->term, tc_int(L->ts, 2)), tc_int(L->ts, 0)));
    if (v->kind == TC_V_INT && v->width == 1 && tc_lift_type_bits(L, type, &bits))
        return tc_val_int(L, bits, tc_ite(L->ts, v->term, tc_int(L->ts, 1), tc_int(L->ts, 0)));
    if (v->kind == TC_V_INT && v->width == 64 && LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return tc_lift_int_to_ptr(L, v);
    if (v->kind == TC_V_PTR && tc_lift_type_bits(L, type, &bits) && bits == 64)
        return tc_lift_ptr_to_int(L, v, bits);
    uint32_t object = TC_NONE;
    tc_t at = NULL;
    if (v->kind == TC_V_BYTES && v->from != TC_NONE && L->places.data[v->from].kind == TC_PL_OBJECT) {
        object = L->places.data[v->from].object;
        at = tc_addc(L->ts, v->from_offset, (tc_i128)offset);
        const tc_val *known = tc_object_contents(L, object, at, type);
        if (known != NULL)
            return known;
        truth = tc_lift_type_bits(L, type, &bits) && bits == 8 && tc_bool_holds(L, object, at, 1);
    }
    if (L->host != NULL)
        tc_host_leak(L, v);
    // The same bytes read twice are the same value: the key is theirs, not the reading instruction's.
    LLVMValueRef inst = L->inst;
    L->inst = NULL;
    const tc_val *r = truth             ? tc_val_unknown_ranged(L, 8, "loaded", key, 0, 1)
                      : object == TC_NONE ? tc_val_unknown(L, type, "loaded", key)
                                          : bytes_leaf(L, object, at, type, key);
    r = keep_undef(L, r, v->undef, type, key);
    L->inst = inst;
    return r;
}

// ---- constants ----

static const tc_val *const_aggregate(tc_lift *L, LLVMValueRef v, LLVMTypeRef type) {
    size_t n = element_count(type);
    if (n > MAX_ELEMENTS)
        return tc_val_any(L);
    const tc_val *elems[MAX_ELEMENTS];
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef e = LLVMGetAggregateElement(v, (unsigned)i);
        if (e == NULL)
            return tc_val_any(L);
        elems[i] = tc_val_const(L, e);
    }
    return tc_val_agg(L, elems, n);
}

static bool is_scalar_float(LLVMTypeRef t) {
    LLVMTypeKind k = LLVMGetTypeKind(t);
    return k == LLVMHalfTypeKind || k == LLVMBFloatTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind;
}

static tc_t float_bits(tc_lift *L, LLVMValueRef v) {
    LLVMBool loses;
    const double x = LLVMConstRealGetDouble(v, &loses);
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return loses ? NULL : tc_int(L->ts, (tc_i128)bits);
}

const tc_val *tc_val_const(tc_lift *L, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    unsigned bits;
    if (LLVMIsUndef(v) || LLVMIsPoison(v))
        return build(L, type, "undef", TC_KEY(v), undef_leaf);
    if (LLVMIsAConstantInt(v) && tc_lift_type_bits(L, type, &bits)) {
        if (bits == 1)
            return tc_val_bool(L, tc_bool(L->ts, LLVMConstIntGetZExtValue(v) != 0));
        return tc_val_int(L, bits, tc_int(L->ts, (tc_i128)LLVMConstIntGetSExtValue(v)));
    }
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return tc_lift_const_ptr(L, v);
    if (LLVMIsAConstantFP(v) && is_scalar_float(type))
        return tc_val_with_bits(L, tc_val_float(L, L->ff), float_bits(L, v));
    if (LLVMIsNull(v))
        return tc_val_zero(L, type);
    if (is_aggregate(type) && (LLVMIsAConstantStruct(v) || LLVMIsAConstantArray(v) || LLVMIsAConstantVector(v) ||
                               LLVMIsAConstantDataArray(v) || LLVMIsAConstantDataVector(v)))
        return const_aggregate(L, v, type);
    if (LLVMIsAConstantExpr(v) && tc_lift_type_bits(L, type, &bits) && LLVMGetConstOpcode(v) == LLVMPtrToInt)
        return tc_lift_ptr_to_int(L, tc_val_const(L, LLVMGetOperand(v, 0)), bits);
    return tc_val_unknown(L, type, "constant", TC_KEY(v));
}

// ---- what a guard says ----

static void note_conjunct(tc_lift *L, tc_t c) {
    tc_map_put(L->arena, &L->under_map, TC_KEY(c), (void *)(uintptr_t)L->tt);
    tc_map_put(L->arena, &L->under_map, TC_KEY(tc_not(L->ts, c)), (void *)(uintptr_t)L->ff);
}

static bool is_condition(void *ctx, tc_t t) {
    (void)ctx;
    return t->sort == TC_BOOL && t->op != TC_T_CONST;
}

tc_t tc_lift_under(tc_lift *L, tc_t guard, tc_t t) {
    if (tc_is_const(guard) || tc_is_const(t) || t->op == TC_T_SYM)
        return t;
    if (!tc_any(L->ts, t, is_condition, NULL))
        return t;
    if (L->under_guard != guard) {
        L->under_guard = guard;
        L->under_map = (tc_map){0};
        if (guard->op == TC_T_AND)
            for (uint32_t i = 0; i < guard->nargs; i++)
                note_conjunct(L, guard->args[i]);
        else
            note_conjunct(L, guard);
    }
    return tc_subst(L->ts, t, &L->under_map);
}

static bool has_conjunct(tc_t a, tc_t c) {
    if (a == c)
        return true;
    if (a->op == TC_T_AND)
        for (uint32_t i = 0; i < a->nargs; i++)
            if (a->args[i] == c)
                return true;
    return false;
}

tc_t tc_lift_strip(tc_lift *L, tc_t a, tc_t b) {
    if (a->op != TC_T_AND)
        return has_conjunct(b, a) ? L->tt : a;
    tc_tvec keep = {0};
    for (uint32_t i = 0; i < a->nargs; i++)
        if (!has_conjunct(b, a->args[i]))
            tc_push(L->arena, &keep, a->args[i]);
    return keep.len == a->nargs ? a : tc_and_n(L->ts, keep.data, keep.len);
}

bool tc_lift_implied(tc_lift *L, tc_t guard, tc_t conjunct_set) {
    if (tc_is_true(conjunct_set) || tc_is_false(guard))
        return true;
    return tc_is_true(tc_lift_strip(L, conjunct_set, guard));
}
