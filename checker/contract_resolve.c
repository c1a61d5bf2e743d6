// Expressions to terms: operators, over mathematical integers.
#include <stdarg.h>
#include <stdio.h>

#include "checker/contract_build.h"

enum { MAX_SHIFT = 126 }; // tc_pow2

// ---- values ----

tc_value tc_value_nothing(void) {
    return (tc_value){.kind = TC_MEANS_NOTHING};
}

tc_value tc_resolve_fail(const tc_scope *s, const tc_expr *e, const char *hint, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tc_contract_fail_at(s->b, s->said, e->pos, e->end, hint, "tc_%s: %s", s->said->name, text);
    return tc_value_nothing();
}

static tc_terms *terms(const tc_scope *s) {
    return s->b->c->terms;
}

static tc_t always(const tc_scope *s) {
    return tc_bool(terms(s), true);
}

static tc_value number(const tc_scope *s, tc_i128 n) {
    return (tc_value){.kind = TC_MEANS_INT, .term = tc_int(terms(s), n), .defined = always(s)};
}

static bool is_nothing(tc_value a) {
    return a.kind == TC_MEANS_NOTHING;
}

static tc_value make(const tc_scope *s, tc_meaning kind, tc_t term, tc_t defined_a, tc_t defined_b) {
    return (tc_value){.kind = kind, .term = term, .defined = tc_and(terms(s), defined_a, defined_b)};
}

static tc_value as_int(const tc_scope *s, const tc_expr *e, tc_value v) {
    if (v.kind == TC_MEANS_POINTER)
        return tc_resolve_fail(s, e, NULL, "'%s' is a pointer, not a number", s->b->c->objects.data[v.object].path);
    if (v.kind == TC_MEANS_BOOL) {
        v.kind = TC_MEANS_INT;
        v.term = tc_ite(terms(s), v.term, tc_int(terms(s), 1), tc_int(terms(s), 0));
    }
    return v;
}

static tc_value as_cond(const tc_scope *s, const tc_expr *e, tc_value v) {
    if (v.kind == TC_MEANS_INT) {
        v.kind = TC_MEANS_BOOL;
        v.term = tc_ne(terms(s), v.term, tc_int(terms(s), 0));
    }
    if (v.kind != TC_MEANS_POINTER)
        return v;
    const tc_object_contract *o = &s->b->c->objects.data[v.object];
    if (!o->optional)
        return tc_resolve_fail(s, e, tc_fmt(s->b->arena, "say tc_optional of '%s'", o->path), "'%s' is never null",
                               o->path);
    return (tc_value){.kind = TC_MEANS_BOOL, .term = o->nonnull, .defined = v.defined};
}

tc_value tc_resolve_int(const tc_scope *s, const tc_expr *e) {
    return as_int(s, e, tc_resolve(s, e));
}

tc_value tc_resolve_cond(const tc_scope *s, const tc_expr *e) {
    return as_cond(s, e, tc_resolve(s, e));
}

// ---- arithmetic ----

// Both constant: the exact result has to fit. What is symbolic is the term manager's to keep exact.
static tc_value exact(const tc_scope *s, const tc_expr *e, tc_value a, tc_value b,
                      bool (*op)(tc_i128, tc_i128, tc_i128 *), tc_t (*build)(tc_terms *, tc_t, tc_t)) {
    tc_i128 r;
    if (tc_is_const(a.term) && tc_is_const(b.term) && !op(a.term->value, b.term->value, &r))
        return tc_resolve_fail(s, e, NULL, "this number is too large");
    return make(s, TC_MEANS_INT, build(terms(s), a.term, b.term), a.defined, b.defined);
}

static tc_value resolve_sum(const tc_scope *s, const tc_expr *e) {
    tc_value sum = tc_resolve_int(s, e->args[0]);
    for (size_t i = 1; i < e->nargs && !is_nothing(sum); i++) {
        tc_value next = tc_resolve_int(s, e->args[i]);
        sum = is_nothing(next) ? next : exact(s, e, sum, next, tc_add128, tc_add);
    }
    return sum;
}

static tc_value resolve_product(const tc_scope *s, const tc_expr *e) {
    tc_value product = tc_resolve_int(s, e->args[0]);
    for (size_t i = 1; i < e->nargs && !is_nothing(product); i++) {
        tc_value next = tc_resolve_int(s, e->args[i]);
        product = is_nothing(next) ? next : exact(s, e, product, next, tc_mul128, tc_mul);
    }
    return product;
}

static bool at_least(tc_terms *ts, tc_t t, tc_i128 n) {
    tc_interval r = tc_range_of(ts, t);
    return r.has_lo && r.lo >= n;
}

// The condition lo <= t, true where the interval shows it.
static tc_t not_below(const tc_scope *s, tc_t t, tc_i128 lo) {
    return at_least(terms(s), t, lo) ? always(s) : tc_le(terms(s), tc_int(terms(s), lo), t);
}

static tc_t not_zero(const tc_scope *s, tc_t t) {
    tc_interval r = tc_range_of(terms(s), t);
    bool never = (r.has_lo && r.lo > 0) || (r.has_hi && r.hi < 0);
    return never ? always(s) : tc_ne(terms(s), t, tc_int(terms(s), 0));
}

// C's division truncates. Where no sign is in the way it is floor division, of which more is known.
static tc_t quotient(tc_terms *ts, tc_t a, tc_t b, bool remainder) {
    if (at_least(ts, a, 0) && at_least(ts, b, 1))
        return remainder ? tc_mod(ts, a, b) : tc_div(ts, a, b);
    return remainder ? tc_trem(ts, a, b) : tc_tdiv(ts, a, b);
}

static tc_value resolve_division(const tc_scope *s, const tc_expr *e) {
    tc_value a = tc_resolve_int(s, e->args[0]), b = tc_resolve_int(s, e->args[1]);
    if (is_nothing(a) || is_nothing(b))
        return tc_value_nothing();
    if (tc_is_const(b.term) && b.term->value == 0)
        return tc_resolve_fail(s, e->args[1], NULL, "division by zero");
    tc_value r = make(s, TC_MEANS_INT, quotient(terms(s), a.term, b.term, e->op == TC_X_MOD), a.defined, b.defined);
    r.defined = tc_and(terms(s), r.defined, not_zero(s, b.term));
    return r;
}

tc_value tc_value_cdiv(const tc_scope *s, const tc_expr *e, tc_value a, tc_value b) {
    tc_terms *ts = terms(s);
    if (tc_is_const(b.term) && b.term->value < 1)
        return tc_resolve_fail(s, e, NULL, "tc_cdiv divides by %s", b.term->value == 0 ? "zero" : "a negative number");
    tc_value top = exact(s, e, a, b, tc_add128, tc_add);
    if (is_nothing(top))
        return top;
    top.term = tc_div(ts, tc_addc(ts, top.term, -1), b.term);
    top.defined = tc_and(ts, top.defined, not_below(s, b.term, 1));
    return top;
}

static tc_value resolve_shift(const tc_scope *s, const tc_expr *e) {
    tc_terms *ts = terms(s);
    tc_value a = tc_resolve_int(s, e->args[0]), k = tc_resolve_int(s, e->args[1]);
    if (is_nothing(a) || is_nothing(k))
        return tc_value_nothing();
    if (tc_is_const(k.term) && k.term->value < 0)
        return tc_resolve_fail(s, e->args[1], NULL, "shift by a negative amount");
    if (tc_is_const(k.term) && k.term->value > MAX_SHIFT)
        return tc_resolve_fail(s, e->args[1], NULL, "shift by more than %d", MAX_SHIFT);
    tc_value power = {.kind = TC_MEANS_INT,
                      .term = tc_pow2_term(ts, k.term),
                      .defined = tc_and(ts, k.defined, not_below(s, k.term, 0))};
    if (e->op == TC_X_SHL)
        return exact(s, e, a, power, tc_mul128, tc_mul);
    return make(s, TC_MEANS_INT, tc_div(ts, a.term, power.term), a.defined, power.defined);
}

static tc_value resolve_bits(const tc_scope *s, const tc_expr *e, tc_op op) {
    tc_value r = tc_resolve_int(s, e->args[0]);
    for (size_t i = 1; i < e->nargs && !is_nothing(r); i++) {
        tc_value next = tc_resolve_int(s, e->args[i]);
        r = is_nothing(next)
                ? next
                : make(s, TC_MEANS_INT, tc_bitop(terms(s), op, r.term, next.term), r.defined, next.defined);
    }
    return r;
}

static tc_value resolve_sign(const tc_scope *s, const tc_expr *e) {
    tc_value v = tc_resolve_int(s, e->args[0]);
    if (is_nothing(v))
        return v;
    tc_i128 r;
    if (tc_is_const(v.term) && !tc_sub128(0, v.term->value, &r))
        return tc_resolve_fail(s, e, NULL, "this number is too large");
    v.term = tc_neg(terms(s), v.term);
    if (e->op == TC_X_BITNOT) // ~x is -x - 1 in two's complement of any width
        v.term = tc_addc(terms(s), v.term, -1);
    return v;
}

// ---- conditions ----

// p == nullptr, 0 != p
static tc_value compare_pointer(const tc_scope *s, const tc_expr *e, tc_value a, tc_value b) {
    bool a_is_pointer = a.kind == TC_MEANS_POINTER;
    tc_value p = a_is_pointer ? a : b, other = a_is_pointer ? b : a;
    bool equality = e->op == TC_X_EQ || e->op == TC_X_NE;
    if (!equality || other.kind != TC_MEANS_INT || !tc_is_const(other.term) || other.term->value != 0)
        return tc_resolve_fail(s, e,
                               "whether two pointers are equal is said by tc_distinct, tc_may_alias and tc_inplace",
                               "a pointer can be compared with nullptr only");
    tc_value v = as_cond(s, e->args[a_is_pointer ? 0 : 1], p);
    if (!is_nothing(v) && e->op == TC_X_EQ)
        v.term = tc_not(terms(s), v.term);
    return v;
}

static tc_t comparison(tc_terms *ts, tc_expr_op op, tc_t a, tc_t b) {
    switch (op) {
    case TC_X_LT:
        return tc_lt(ts, a, b);
    case TC_X_LE:
        return tc_le(ts, a, b);
    case TC_X_GT:
        return tc_lt(ts, b, a);
    case TC_X_GE:
        return tc_le(ts, b, a);
    case TC_X_EQ:
        return tc_eq(ts, a, b);
    default:
        return tc_ne(ts, a, b);
    }
}

static tc_value resolve_comparison(const tc_scope *s, const tc_expr *e) {
    tc_value a = tc_resolve(s, e->args[0]), b = tc_resolve(s, e->args[1]);
    if (is_nothing(a) || is_nothing(b))
        return tc_value_nothing();
    if (a.kind == TC_MEANS_POINTER || b.kind == TC_MEANS_POINTER)
        return compare_pointer(s, e, a, b);
    a = as_int(s, e->args[0], a);
    b = as_int(s, e->args[1], b);
    return make(s, TC_MEANS_BOOL, comparison(terms(s), e->op, a.term, b.term), a.defined, b.defined);
}

// a && b has a value where a has one and, if a holds, b has one; a || b likewise.
static tc_value resolve_junction(const tc_scope *s, const tc_expr *e) {
    tc_terms *ts = terms(s);
    bool is_and = e->op == TC_X_AND;
    tc_value r = tc_resolve_cond(s, e->args[0]);
    for (size_t i = 1; i < e->nargs && !is_nothing(r); i++) {
        tc_value next = tc_resolve_cond(s, e->args[i]);
        if (is_nothing(next))
            return next;
        tc_t reached = is_and ? r.term : tc_not(ts, r.term);
        tc_t defined = tc_is_true(next.defined) ? next.defined : tc_implies(ts, reached, next.defined);
        r = make(s, TC_MEANS_BOOL, is_and ? tc_and(ts, r.term, next.term) : tc_or(ts, r.term, next.term), r.defined,
                 defined);
    }
    return r;
}

static tc_value resolve_choice(const tc_scope *s, const tc_expr *e) {
    tc_terms *ts = terms(s);
    tc_value c = tc_resolve_cond(s, e->args[0]), a = tc_resolve_int(s, e->args[1]), b = tc_resolve_int(s, e->args[2]);
    if (is_nothing(c) || is_nothing(a) || is_nothing(b))
        return tc_value_nothing();
    tc_t defined = tc_and(ts, tc_implies(ts, c.term, a.defined), tc_or(ts, c.term, b.defined));
    return make(s, TC_MEANS_INT, tc_ite(ts, c.term, a.term, b.term), c.defined, defined);
}

static tc_value resolve_not(const tc_scope *s, const tc_expr *e) {
    tc_value v = tc_resolve_cond(s, e->args[0]);
    if (!is_nothing(v))
        v.term = tc_not(terms(s), v.term);
    return v;
}

tc_value tc_resolve(const tc_scope *s, const tc_expr *e) {
    switch (e->op) {
    case TC_X_NUM:
        return number(s, e->num);
    case TC_X_NAME:
    case TC_X_FIELD:
    case TC_X_INDEX:
        return tc_resolve_name(s, e);
    case TC_X_CALL:
        return tc_resolve_call(s, e);
    case TC_X_CAST:
        return tc_resolve_cast(s, e);
    case TC_X_STRING:
        return tc_resolve_fail(s, e, NULL, "a text is not a number");
    case TC_X_NEG:
    case TC_X_BITNOT:
        return resolve_sign(s, e);
    case TC_X_NOT:
        return resolve_not(s, e);
    case TC_X_ADD:
        return resolve_sum(s, e);
    case TC_X_MUL:
        return resolve_product(s, e);
    case TC_X_DIV:
    case TC_X_MOD:
        return resolve_division(s, e);
    case TC_X_SHL:
    case TC_X_SHR:
        return resolve_shift(s, e);
    case TC_X_LT:
    case TC_X_LE:
    case TC_X_GT:
    case TC_X_GE:
    case TC_X_EQ:
    case TC_X_NE:
        return resolve_comparison(s, e);
    case TC_X_AND:
    case TC_X_OR:
        return resolve_junction(s, e);
    case TC_X_BITAND:
        return resolve_bits(s, e, TC_T_BITAND);
    case TC_X_BITOR:
        return resolve_bits(s, e, TC_T_BITOR);
    case TC_X_BITXOR:
        return resolve_bits(s, e, TC_T_BITXOR);
    case TC_X_COND:
        return resolve_choice(s, e);
    }
    return tc_value_nothing();
}
