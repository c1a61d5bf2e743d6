// The other integer operators: minimum and maximum, choice, powers of two, wrapping.
#include "solver/termi.h"

// ---- minimum and maximum ----

static tc_interval difference(tc_terms *ts, tc_t a, tc_t b) {
    return tc_range_get(tc_sub(ts, a, b));
}

static tc_t keep(tc_terms *ts, tc_t a, tc_t b, bool is_min) {
    tc_interval d = difference(ts, a, b);
    if (d.has_hi && d.hi <= 0)
        return is_min ? a : b;
    if (d.has_lo && d.lo >= 0)
        return is_min ? b : a;
    return NULL;
}

// min(min(x, y), z): x and z, or y and z, may be known to be one of them.
static tc_t keep_inner(tc_terms *ts, tc_t m, tc_t z, bool is_min) {
    if (m->op != (is_min ? TC_T_MIN : TC_T_MAX))
        return NULL;
    for (int i = 0; i < 2; i++) {
        tc_t k = keep(ts, m->args[i], z, is_min);
        if (k == m->args[i])
            return m;
        if (k == z)
            return is_min ? tc_min(ts, m->args[1 - i], z) : tc_max(ts, m->args[1 - i], z);
    }
    return NULL;
}

// min(x, max(x, y)) == x
static bool absorbed(tc_t x, tc_t m, bool is_min) {
    return m->op == (is_min ? TC_T_MAX : TC_T_MIN) && (m->args[0] == x || m->args[1] == x);
}

static tc_t minmax(tc_terms *ts, tc_t a, tc_t b, bool is_min) {
    tc_t k = keep(ts, a, b, is_min);
    if (!k)
        k = keep_inner(ts, a, b, is_min);
    if (!k)
        k = keep_inner(ts, b, a, is_min);
    if (k)
        return k;
    if (absorbed(a, b, is_min))
        return a;
    if (absorbed(b, a, is_min))
        return b;
    return tc_term_sorted2(ts, is_min ? TC_T_MIN : TC_T_MAX, TC_INT, a, b);
}

tc_t tc_min(tc_terms *ts, tc_t a, tc_t b) {
    return minmax(ts, a, b, true);
}

tc_t tc_max(tc_terms *ts, tc_t a, tc_t b) {
    return minmax(ts, a, b, false);
}

// ---- choice ----

// What p <= c says about t, where t is p or -p apart from a constant.
static tc_interval bounded_by(tc_terms *ts, tc_t le, tc_t t) {
    tc_interval r = tc_range_any();
    if (le->op != TC_T_LE || !tc_is_const(le->args[1]))
        return r;
    tc_t d = tc_sub(ts, t, le->args[0]), s = tc_add(ts, t, le->args[0]);
    tc_i128 c = le->args[1]->value;
    if (tc_is_const(d))
        r.has_hi = tc_add128(c, d->value, &r.hi);
    else if (tc_is_const(s))
        r.has_lo = tc_sub128(s->value, c, &r.lo);
    return r;
}

static tc_interval range_where(tc_terms *ts, tc_t cond, tc_t t) {
    tc_interval r = tc_range_meet(tc_range_get(t), bounded_by(ts, cond, t));
    if (cond->op == TC_T_AND)
        for (uint32_t i = 0; i < cond->nargs && i < 8; i++)
            r = tc_range_meet(r, bounded_by(ts, cond->args[i], t));
    return r;
}

static tc_t choose_bool(tc_terms *ts, tc_t c, tc_t a, tc_t b) {
    if (tc_is_true(a))
        return tc_or(ts, c, b);
    if (tc_is_false(a))
        return tc_and(ts, tc_not(ts, c), b);
    if (tc_is_true(b))
        return tc_or(ts, tc_not(ts, c), a);
    if (tc_is_false(b))
        return tc_and(ts, c, a);
    if (a == c)
        return tc_or(ts, c, b);
    if (b == c)
        return tc_and(ts, c, a);
    return NULL;
}

tc_t tc_ite(tc_terms *ts, tc_t c, tc_t a, tc_t b) {
    if (tc_is_const(c))
        return c->value ? a : b;
    tc_t n = tc_not(ts, c);
    if (n->id < c->id) {
        tc_t x = a;
        a = b;
        b = x;
        x = c;
        c = n;
        n = x;
    }
    if (a->op == TC_T_ITE && a->args[0] == c)
        a = a->args[1];
    if (b->op == TC_T_ITE && b->args[0] == c)
        b = b->args[2];
    if (a == b)
        return a;
    if (a->sort == TC_BOOL) {
        tc_t t = choose_bool(ts, c, a, b);
        if (t)
            return t;
    }
    tc_t args[3] = {c, a, b};
    uint32_t before = ts->count;
    tc_t t = tc_term_op(ts, TC_T_ITE, a->sort, args, 3);
    if (ts->count != before && t->sort == TC_INT)
        tc_tnode_of(t)->range = tc_range_join(range_where(ts, c, a), range_where(ts, n, b));
    return t;
}

// ---- powers of two ----

tc_t tc_pow2_term(tc_terms *ts, tc_t a) {
    if (tc_is_const(a) && a->value >= 0 && a->value <= 126)
        return tc_int(ts, tc_pow2((unsigned)a->value));
    return tc_term_op(ts, TC_T_POW2, TC_INT, &a, 1);
}

// ---- wrapping ----

// Coefficients reduced modulo 2^width, to the smallest magnitude.
static void reduce_coefs(tc_poly *p, unsigned width) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        tc_mono m = p->m[i];
        m.coef = tc_wrap128(m.coef, width, true);
        if (m.coef != 0)
            p->m[n++] = m;
    }
    p->n = n;
    p->c = tc_wrap128(p->c, width, true);
}

// Takes away inner wraps and remainders that change nothing modulo 2^width.
static bool strip_wrap(tc_terms *ts, const tc_poly *p, unsigned width, tc_t *t) {
    for (uint32_t i = 0; i < p->n; i++) {
        tc_t core = p->m[i].core;
        tc_i128 modulus, multiple;
        if (core->op == TC_T_WRAP && !tc_wrap_is_kept(core))
            modulus = tc_pow2(tc_wrap_width(core));
        else if (core->op == TC_T_MOD && tc_is_const(core->args[1]) && core->args[1]->value > 0)
            modulus = core->args[1]->value;
        else
            continue;
        if (!tc_mul128(p->m[i].coef, modulus, &multiple) || tc_wrap128(multiple, width, false) != 0)
            continue;
        tc_poly rest;
        rest.n = 0;
        rest.c = p->c;
        for (uint32_t j = 0; j < p->n; j++)
            if (j != i)
                rest.m[rest.n++] = p->m[j];
        *t = tc_add(ts, tc_poly_term(ts, &rest), tc_mulc(ts, core->args[0], p->m[i].coef));
        return true;
    }
    return false;
}

// The value where all of t lies in one copy of the range, shifted by a multiple of 2^width.
static bool one_copy(tc_terms *ts, tc_t t, unsigned width, bool is_signed, tc_t *r) {
    tc_interval range = tc_range_get(t);
    tc_i128 lo = is_signed ? -tc_pow2(width - 1) : 0, size = tc_pow2(width), from, to, back;
    if (!range.has_lo || !range.has_hi || !tc_sub128(range.lo, lo, &from) || !tc_sub128(range.hi, lo, &to))
        return false;
    from = tc_floor_div(from, size);
    if (from != tc_floor_div(to, size) || !tc_mul128(from, -size, &back))
        return false;
    *r = tc_addc(ts, t, back);
    return true;
}

tc_t tc_wrap(tc_terms *ts, tc_t a, unsigned width, bool is_signed) {
    if (tc_is_const(a))
        return tc_int(ts, tc_wrap128(a->value, width, is_signed));
    tc_t t;
    if (one_copy(ts, a, width, is_signed, &t))
        return t;
    tc_poly p;
    tc_poly_of(a, &p);
    if (strip_wrap(ts, &p, width, &t))
        return tc_wrap(ts, t, width, is_signed);
    reduce_coefs(&p, width);
    a = tc_poly_term(ts, &p);
    if (one_copy(ts, a, width, is_signed, &t))
        return t;
    tc_term parts = {.op = TC_T_WRAP, .sort = TC_INT, .value = is_signed ? -(tc_i128)width : (tc_i128)width};
    return tc_term_intern(ts, &parts, &a, 1);
}

tc_t tc_wrap_kept(tc_terms *ts, tc_t a, unsigned width, bool is_signed) {
    tc_interval r = tc_range_get(a);
    tc_i128 lo = is_signed ? -tc_pow2(width - 1) : 0, hi = lo + tc_pow2(width) - 1;
    if (r.has_lo && r.has_hi && r.lo >= lo && r.hi <= hi)
        return a;
    tc_i128 value = (tc_i128)width + 1024;
    tc_term parts = {.op = TC_T_WRAP, .sort = TC_INT, .value = is_signed ? -value : value};
    return tc_term_intern(ts, &parts, &a, 1);
}
