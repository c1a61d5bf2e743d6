// Division and remainder: floor (DIV, MOD) and C's (TDIV, TREM).
#include "solver/termi.h"

// Is every value of r in one [k * c, (k + 1) * c)?
static bool one_quotient(tc_interval r, tc_i128 c, tc_i128 *k) {
    if (!r.has_lo || !r.has_hi || tc_floor_div(r.lo, c) != tc_floor_div(r.hi, c))
        return false;
    *k = tc_floor_div(r.lo, c);
    return true;
}

// p = c * q + r with coefficients of r below c in magnitude and 0 <= r.c < c.
static void split(const tc_poly *p, tc_i128 c, tc_poly *q, tc_poly *r) {
    q->n = r->n = 0;
    q->c = tc_floor_div(p->c, c);
    r->c = tc_floor_mod(p->c, c);
    for (uint32_t i = 0; i < p->n; i++) {
        tc_mono m = p->m[i];
        if (m.coef / c != 0)
            q->m[q->n++] = (tc_mono){m.core, m.coef / c};
        if (m.coef % c != 0)
            r->m[r->n++] = (tc_mono){m.core, m.coef % c};
    }
}

// Divides r and c by their common divisor; the remainder of the constant, below it, goes to *low.
static tc_i128 reduce(tc_poly *r, tc_i128 *c, tc_i128 *low) {
    tc_i128 g = tc_gcd128(tc_poly_content(r), *c);
    *c /= g;
    *low = tc_floor_mod(r->c, g);
    r->c = tc_floor_div(r->c, g);
    for (uint32_t i = 0; i < r->n; i++)
        r->m[i].coef /= g;
    return g;
}

// r = g * high + low with 0 <= low < g, g > 1 a divisor of c: the digits of a mixed radix number. Tries the common
// divisors of c and a coefficient, the largest first.
static bool digits(tc_terms *ts, const tc_poly *r, tc_i128 c, tc_i128 *g, tc_t *high, tc_t *low) {
    tc_i128 bound = c;
    for (uint32_t tries = 0; tries < 8; tries++) {
        tc_i128 best = 1;
        for (uint32_t i = 0; i < r->n; i++) {
            tc_i128 d = tc_gcd128(r->m[i].coef, c);
            if (d > best && d < bound)
                best = d;
        }
        if (best == 1)
            return false;
        bound = best;
        tc_poly h, l;
        h.n = l.n = 0;
        h.c = tc_floor_div(r->c, best);
        l.c = tc_floor_mod(r->c, best);
        for (uint32_t i = 0; i < r->n; i++) {
            tc_mono m = r->m[i];
            if (m.coef % best == 0)
                h.m[h.n++] = (tc_mono){m.core, m.coef / best};
            else
                l.m[l.n++] = m;
        }
        tc_t rest = tc_poly_term(ts, &l);
        tc_i128 k;
        if (h.n == 0 || !one_quotient(tc_range_get(rest), best, &k))
            continue;
        tc_i128 back;
        if (!tc_mul128(k, -best, &back) || !tc_add128(h.c, k, &h.c))
            continue;
        *g = best;
        *high = tc_poly_term(ts, &h);
        *low = tc_addc(ts, rest, back);
        return true;
    }
    return false;
}

// floor((div(x, b) + k) / c) == floor((x + k * b) / (b * c))
static bool nested_div(tc_terms *ts, const tc_poly *r, tc_i128 c, tc_t *t) {
    if (r->n != 1 || r->m[0].coef != 1 || r->m[0].core->op != TC_T_DIV)
        return false;
    tc_t x = r->m[0].core->args[0], b = r->m[0].core->args[1];
    tc_i128 shift, product;
    if (!tc_is_const(b) || b->value <= 0 || !tc_mul128(r->c, b->value, &shift) || !tc_mul128(c, b->value, &product))
        return false;
    *t = tc_div(ts, tc_addc(ts, x, shift), tc_int(ts, product));
    return true;
}

static tc_t div_const(tc_terms *ts, tc_t a, tc_i128 c) {
    if (c == 0 || c == TC_I128_MIN)
        return tc_term_op2(ts, TC_T_DIV, TC_INT, a, tc_int(ts, c));
    if (c < 0) {
        a = tc_neg(ts, a);
        c = -c;
    }
    if (c == 1)
        return a;
    tc_poly p, q, r;
    tc_poly_of(a, &p);
    split(&p, c, &q, &r);
    tc_i128 low, k, g;
    tc_t high, digit, rest, t;
    reduce(&r, &c, &low);
    rest = tc_poly_term(ts, &r);
    if (c == 1)
        t = rest;
    else if (one_quotient(tc_range_get(rest), c, &k))
        t = tc_int(ts, k);
    else if (nested_div(ts, &r, c, &t))
        ;
    else if (digits(ts, &r, c, &g, &high, &digit))
        t = div_const(ts, high, c / g);
    else
        t = tc_term_op2(ts, TC_T_DIV, TC_INT, rest, tc_int(ts, c));
    return tc_add(ts, tc_poly_term(ts, &q), t);
}

// Takes away an inner remainder or wrap that changes nothing modulo c.
static bool strip_mod(tc_terms *ts, const tc_poly *p, tc_i128 c, tc_t *t) {
    for (uint32_t i = 0; i < p->n; i++) {
        tc_t core = p->m[i].core;
        tc_i128 modulus, multiple;
        if (core->op == TC_T_MOD && tc_is_const(core->args[1]))
            modulus = core->args[1]->value;
        else if (core->op == TC_T_WRAP && !tc_wrap_is_kept(core))
            modulus = tc_pow2(tc_wrap_width(core));
        else
            continue;
        if (modulus == 0 || !tc_mul128(p->m[i].coef, modulus, &multiple) || tc_floor_mod(multiple, c) != 0)
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

static tc_t mod_const(tc_terms *ts, tc_t a, tc_i128 c) {
    if (c == 0 || c == TC_I128_MIN)
        return tc_term_op2(ts, TC_T_MOD, TC_INT, a, tc_int(ts, c));
    if (c < 0)
        return tc_neg(ts, mod_const(ts, tc_neg(ts, a), -c));
    tc_poly p, q, r;
    tc_poly_of(a, &p);
    split(&p, c, &q, &r);
    tc_t rest, high, t;
    if (strip_mod(ts, &r, c, &t))
        return mod_const(ts, t, c);
    tc_i128 low, k, g = reduce(&r, &c, &low), back;
    rest = tc_poly_term(ts, &r);
    if (c == 1)
        t = tc_int(ts, 0);
    else if (one_quotient(tc_range_get(rest), c, &k) && tc_mul128(k, -c, &back))
        t = tc_addc(ts, rest, back);
    else {
        tc_i128 d;
        tc_t digit;
        if (digits(ts, &r, c, &d, &high, &digit))
            t = tc_add(ts, tc_mulc(ts, mod_const(ts, high, c / d), d), digit);
        else if (rest->op == TC_T_BITOR && (c & (c - 1)) == 0) // the low bits of x | y are those of x and of y
            t = tc_bitop(ts, TC_T_BITOR, mod_const(ts, rest->args[0], c), mod_const(ts, rest->args[1], c));
        else
            t = tc_term_op2(ts, TC_T_MOD, TC_INT, rest, tc_int(ts, c));
    }
    return tc_addc(ts, tc_mulc(ts, t, g), low);
}

// ---- symbolic divisors: only where they cannot be 0 ----

static bool nonzero(tc_interval b) {
    return tc_range_positive(b) || (b.has_hi && b.hi <= -1);
}

// a = b * q + r, q from the monomials that are multiples of b.
static void split_symbolic(tc_terms *ts, tc_t a, tc_t b, tc_t *q, tc_t *r) {
    tc_poly pa, pb;
    tc_poly_of(a, &pa);
    tc_poly_of(b, &pb);
    *q = tc_int(ts, 0);
    *r = a;
    if (pb.n != 1 || pb.c != 0)
        return;
    tc_poly rest;
    rest.n = 0;
    rest.c = pa.c;
    for (uint32_t i = 0; i < pa.n; i++) {
        tc_t quotient;
        if (tc_mono_divide(ts, pa.m[i], pb.m[0], &quotient))
            *q = tc_add(ts, *q, quotient);
        else
            rest.m[rest.n++] = pa.m[i];
    }
    *r = tc_poly_term(ts, &rest);
}

// Is the quotient 0?
static bool below_divisor(tc_t a, tc_t b) {
    tc_interval rb = tc_range_get(b);
    return tc_range_positive(rb) && tc_range_in(tc_range_get(a), 0, rb.lo - 1);
}

tc_t tc_div(tc_terms *ts, tc_t a, tc_t b) {
    if (tc_is_const(b))
        return div_const(ts, a, b->value);
    if (!nonzero(tc_range_get(b)))
        return tc_term_op2(ts, TC_T_DIV, TC_INT, a, b);
    if (a == b)
        return tc_int(ts, 1);
    tc_t q, r;
    split_symbolic(ts, a, b, &q, &r);
    if ((tc_is_const(r) && r->value == 0) || below_divisor(r, b))
        return q;
    return tc_add(ts, q, tc_term_op2(ts, TC_T_DIV, TC_INT, r, b));
}

tc_t tc_mod(tc_terms *ts, tc_t a, tc_t b) {
    if (tc_is_const(b))
        return mod_const(ts, a, b->value);
    if (!nonzero(tc_range_get(b)))
        return tc_term_op2(ts, TC_T_MOD, TC_INT, a, b);
    if (a == b)
        return tc_int(ts, 0);
    tc_t q, r;
    split_symbolic(ts, a, b, &q, &r);
    if (tc_is_const(r) && r->value == 0)
        return r;
    return below_divisor(r, b) ? r : tc_term_op2(ts, TC_T_MOD, TC_INT, r, b);
}

// ---- C's division ----

static bool nonpositive(tc_interval r) {
    return r.has_hi && r.hi <= 0;
}

// Are all coefficients and the constant multiples of c?
static bool exact(tc_t a, tc_i128 c) {
    tc_poly p;
    tc_poly_of(a, &p);
    return tc_floor_mod(tc_poly_content(&p), c) == 0 && tc_floor_mod(p.c, c) == 0;
}

static bool both_nonneg(tc_t a, tc_t b) {
    return tc_range_nonneg(tc_range_get(a)) && tc_range_nonneg(tc_range_get(b));
}

tc_t tc_tdiv(tc_terms *ts, tc_t a, tc_t b) {
    if (both_nonneg(a, b))
        return tc_div(ts, a, b);
    if (!tc_is_const(b) || b->value == 0 || b->value == TC_I128_MIN)
        return tc_term_op2(ts, TC_T_TDIV, TC_INT, a, b);
    tc_i128 c = b->value;
    if (c < 0)
        return tc_neg(ts, tc_tdiv(ts, a, tc_int(ts, -c)));
    tc_interval r = tc_range_get(a);
    if (c == 1)
        return a;
    if (exact(a, c))
        return tc_div(ts, a, b);
    if (nonpositive(r))
        return tc_neg(ts, tc_div(ts, tc_neg(ts, a), b));
    if (tc_range_in(r, 1 - c, c - 1))
        return tc_int(ts, 0);
    return tc_term_op2(ts, TC_T_TDIV, TC_INT, a, b);
}

tc_t tc_trem(tc_terms *ts, tc_t a, tc_t b) {
    if (both_nonneg(a, b))
        return tc_mod(ts, a, b);
    if (!tc_is_const(b) || b->value == 0 || b->value == TC_I128_MIN)
        return tc_term_op2(ts, TC_T_TREM, TC_INT, a, b);
    tc_i128 c = b->value;
    if (c < 0)
        return tc_trem(ts, a, tc_int(ts, -c));
    tc_interval r = tc_range_get(a);
    if (c == 1 || exact(a, c))
        return tc_int(ts, 0);
    if (nonpositive(r))
        return tc_neg(ts, tc_mod(ts, tc_neg(ts, a), b));
    if (tc_range_in(r, 1 - c, c - 1))
        return a;
    return tc_term_op2(ts, TC_T_TREM, TC_INT, a, b);
}
