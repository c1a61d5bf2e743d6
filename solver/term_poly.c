// Polynomial normal form: sums of monomials, sorted by the ids of their cores, so that equal polynomials are one term.
#include <stdlib.h>
#include <string.h>

#include "solver/termi.h"

// ---- monomials ----

static tc_mono mono_of(tc_t t) {
    if (t->op == TC_T_MUL && tc_is_const(t->args[0]) && tc_tnode_of(t)->core)
        return (tc_mono){tc_tnode_of(t)->core, t->args[0]->value};
    return (tc_mono){t, 1};
}

tc_t tc_mono_term(tc_terms *ts, tc_t core, tc_i128 coef) {
    if (coef == 1)
        return core;
    tc_t args[TC_DEGREE_MAX + 1] = {tc_int(ts, coef), core};
    uint32_t n = 2;
    if (core->op == TC_T_MUL && !tc_is_const(core->args[0]) && core->nargs <= TC_DEGREE_MAX) {
        memcpy(args + 1, core->args, core->nargs * sizeof *args);
        n = core->nargs + 1;
    }
    tc_t t = tc_term_op(ts, TC_T_MUL, TC_INT, args, n);
    tc_tnode_of(t)->core = core;
    return t;
}

const tc_t *tc_core_factors(const tc_t *core, uint32_t *n) {
    if ((*core)->op == TC_T_MUL && !tc_is_const((*core)->args[0])) {
        *n = (*core)->nargs;
        return (*core)->args;
    }
    *n = 1;
    return core;
}

static tc_t cores_multiply(tc_terms *ts, tc_t a, tc_t b) {
    uint32_t na, nb, n = 0;
    const tc_t *fa = tc_core_factors(&a, &na), *fb = tc_core_factors(&b, &nb);
    if (na + nb > TC_DEGREE_MAX)
        return tc_term_sorted2(ts, TC_T_MUL, TC_INT, a, b);
    tc_t args[TC_DEGREE_MAX];
    for (uint32_t i = 0, k = 0; i < na || k < nb;)
        args[n++] = k == nb || (i < na && fa[i]->id <= fb[k]->id) ? fa[i++] : fb[k++];
    return tc_term_op(ts, TC_T_MUL, TC_INT, args, n);
}

bool tc_mono_divide(tc_terms *ts, tc_mono a, tc_mono b, tc_t *quotient) {
    uint32_t na, nb, n = 0, k = 0;
    const tc_t *fa = tc_core_factors(&a.core, &na), *fb = tc_core_factors(&b.core, &nb);
    if (b.coef == 0 || (b.coef == -1 && a.coef == TC_I128_MIN) || a.coef % b.coef != 0 || nb > na || na > TC_DEGREE_MAX)
        return false;
    tc_t rest[TC_DEGREE_MAX];
    for (uint32_t i = 0; i < na; i++)
        if (k < nb && fa[i] == fb[k])
            k++;
        else
            rest[n++] = fa[i];
    if (k < nb)
        return false;
    tc_i128 coef = a.coef / b.coef;
    if (n == 0)
        *quotient = tc_int(ts, coef);
    else
        *quotient = tc_mono_term(ts, n == 1 ? rest[0] : tc_term_op(ts, TC_T_MUL, TC_INT, rest, n), coef);
    return true;
}

// ---- polynomials ----

static void poly_atom(tc_t t, tc_poly *p) {
    p->n = 1;
    p->c = 0;
    p->m[0] = (tc_mono){t, 1};
}

static int compare_monos(const void *x, const void *y) {
    uint32_t a = ((const tc_mono *)x)->core->id, b = ((const tc_mono *)y)->core->id;
    return (a > b) - (a < b);
}

static bool sorted(const tc_mono *m, uint32_t n) {
    for (uint32_t i = 1; i < n; i++)
        if (m[i - 1].core->id >= m[i].core->id)
            return false;
    return true;
}

// Sorts m and collects equal cores. false when a coefficient overflows.
static bool collect(tc_mono *m, uint32_t *n) {
    if (sorted(m, *n))
        return true;
    qsort(m, *n, sizeof *m, compare_monos);
    uint32_t out = 0;
    for (uint32_t i = 0; i < *n;) {
        tc_mono sum = m[i++];
        for (; i < *n && m[i].core == sum.core; i++)
            if (!tc_add128(sum.coef, m[i].coef, &sum.coef))
                return false;
        if (sum.coef != 0)
            m[out++] = sum;
    }
    *n = out;
    return true;
}

static bool poly_read(tc_t t, tc_poly *p) {
    if (tc_is_const(t)) {
        p->n = 0;
        p->c = t->value;
        return true;
    }
    p->n = 0;
    p->c = 0;
    if (t->op != TC_T_ADD) {
        p->m[p->n++] = mono_of(t);
        return true;
    }
    for (uint32_t i = 0; i < t->nargs; i++) {
        tc_t a = t->args[i];
        if (tc_is_const(a)) {
            if (!tc_add128(p->c, a->value, &p->c))
                return false;
        } else if (p->n == TC_POLY_MAX) {
            return false;
        } else {
            p->m[p->n++] = mono_of(a);
        }
    }
    return collect(p->m, &p->n);
}

void tc_poly_of(tc_t t, tc_poly *p) {
    if (!poly_read(t, p))
        poly_atom(t, p);
}

tc_t tc_poly_term(tc_terms *ts, const tc_poly *p) {
    if (p->n == 0)
        return tc_int(ts, p->c);
    tc_t args[TC_POLY_MAX + 1];
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        args[n++] = tc_mono_term(ts, p->m[i].core, p->m[i].coef);
    if (p->c != 0)
        args[n++] = tc_int(ts, p->c);
    return n == 1 ? args[0] : tc_term_op(ts, TC_T_ADD, TC_INT, args, n);
}

tc_i128 tc_poly_content(const tc_poly *p) {
    tc_i128 g = 0;
    for (uint32_t i = 0; i < p->n; i++)
        g = tc_gcd128(g, p->m[i].coef);
    return g;
}

static bool poly_scale(tc_poly *p, tc_i128 k) {
    if (!tc_mul128(p->c, k, &p->c))
        return false;
    if (k == 0)
        p->n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (!tc_mul128(p->m[i].coef, k, &p->m[i].coef))
            return false;
    return true;
}

// p + k * q into r. false when something does not fit.
static bool poly_add_scaled(const tc_poly *p, const tc_poly *q, tc_i128 k, tc_poly *r) {
    tc_i128 c;
    r->n = 0;
    if (!tc_mul128(q->c, k, &c) || !tc_add128(p->c, c, &r->c))
        return false;
    for (uint32_t i = 0, j = 0; i < p->n || j < q->n;) {
        tc_mono m;
        bool take_p = j == q->n || (i < p->n && p->m[i].core->id <= q->m[j].core->id);
        bool both = i < p->n && j < q->n && p->m[i].core == q->m[j].core;
        if (both || !take_p) {
            m.core = q->m[j].core;
            if (!tc_mul128(q->m[j].coef, k, &m.coef))
                return false;
            if (both && !tc_add128(m.coef, p->m[i].coef, &m.coef))
                return false;
        } else {
            m = p->m[i];
        }
        i += both || take_p;
        j += both || !take_p;
        if (m.coef == 0)
            continue;
        if (r->n == TC_POLY_MAX)
            return false;
        r->m[r->n++] = m;
    }
    return true;
}

// ---- products ----

// An unexpanded product.
static tc_t multiply_atoms(tc_terms *ts, tc_t a, tc_t b) {
    tc_mono x = mono_of(a), y = mono_of(b);
    tc_i128 coef;
    if (!tc_mul128(x.coef, y.coef, &coef))
        return tc_term_sorted2(ts, TC_T_MUL, TC_INT, a, b);
    return tc_mono_term(ts, cores_multiply(ts, x.core, y.core), coef);
}

static bool multiply_out(tc_terms *ts, const tc_poly *p, const tc_poly *q, tc_poly *r) {
    r->n = 0;
    if (!tc_mul128(p->c, q->c, &r->c))
        return false;
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k < q->n; k++) {
            tc_mono m = {cores_multiply(ts, p->m[i].core, q->m[k].core), 0};
            if (!tc_mul128(p->m[i].coef, q->m[k].coef, &m.coef))
                return false;
            r->m[r->n++] = m;
        }
    for (uint32_t i = 0; i < p->n && q->c; i++) {
        tc_mono m = p->m[i];
        if (!tc_mul128(m.coef, q->c, &m.coef))
            return false;
        r->m[r->n++] = m;
    }
    for (uint32_t k = 0; k < q->n && p->c; k++) {
        tc_mono m = q->m[k];
        if (!tc_mul128(m.coef, p->c, &m.coef))
            return false;
        r->m[r->n++] = m;
    }
    return collect(r->m, &r->n);
}

// false when the product is too large to be multiplied out.
static bool multiply(tc_terms *ts, tc_t a, tc_t b, tc_poly *r) {
    tc_poly p, q;
    tc_poly_of(a, &p);
    tc_poly_of(b, &q);
    uint32_t np = p.n + (p.c != 0), nq = q.n + (q.c != 0);
    bool small = np * nq <= TC_PRODUCT_MAX || ((np == 1 || nq == 1) && np * nq <= TC_POLY_MAX);
    return small && multiply_out(ts, &p, &q, r);
}

// ---- a == b * div(a, b) + mod(a, b) ----

static bool holds_op(tc_t core, tc_op op) {
    if (core->op == op)
        return true;
    if (core->op == TC_T_MUL)
        for (uint32_t i = 0; i < core->nargs; i++)
            if (core->args[i]->op == op)
                return true;
    return false;
}

static bool any_core(const tc_poly *p, tc_op op) {
    for (uint32_t i = 0; i < p->n; i++)
        if (holds_op(p->m[i].core, op))
            return true;
    return false;
}

static tc_i128 coef_of(const tc_poly *p, tc_t core) {
    for (uint32_t i = 0; i < p->n; i++)
        if (p->m[i].core == core)
            return p->m[i].coef;
    return 0;
}

// The divisor of a remainder or quotient times the quotient, as one monomial.
static bool divisor_times(tc_terms *ts, tc_t divisor, tc_t quotient, tc_mono *m) {
    tc_poly r;
    if (!multiply(ts, divisor, quotient, &r) || r.n != 1 || r.c != 0)
        return false;
    *m = r.m[0];
    return true;
}

static bool positive_divisor(tc_t b) {
    return tc_range_positive(tc_range_get(b));
}

// k * mod(a, b) + k * b * div(a, b) becomes k * a.
static bool join_mod(tc_terms *ts, const tc_poly *p, tc_t *result) {
    for (uint32_t i = 0; i < p->n; i++) {
        tc_t mod = p->m[i].core;
        if (mod->op != TC_T_MOD || !positive_divisor(mod->args[1]))
            continue;
        tc_mono w;
        tc_i128 want;
        if (!divisor_times(ts, mod->args[1], tc_div(ts, mod->args[0], mod->args[1]), &w))
            continue;
        if (!tc_mul128(w.coef, p->m[i].coef, &want) || coef_of(p, w.core) != want)
            continue;
        tc_poly rest;
        rest.n = 0;
        rest.c = p->c;
        for (uint32_t k = 0; k < p->n; k++)
            if (k != i && p->m[k].core != w.core)
                rest.m[rest.n++] = p->m[k];
        *result = tc_add(ts, tc_poly_term(ts, &rest), tc_mulc(ts, mod->args[0], p->m[i].coef));
        return true;
    }
    return false;
}

// Takes k * a out of p where all of its monomials are there; constants make up the difference.
static bool take_out(const tc_poly *p, const tc_poly *a, tc_i128 k, tc_t without, tc_poly *rest) {
    if (a->n == 0 || !poly_add_scaled(p, a, -k, rest) || rest->n + a->n != p->n)
        return false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < rest->n; i++)
        if (rest->m[i].core != without)
            rest->m[n++] = rest->m[i];
    if (n + 1 != rest->n)
        return false;
    rest->n = n;
    return true;
}

// k * a - k * b * div(a, b) becomes k * mod(a, b).
static bool join_div(tc_terms *ts, const tc_poly *p, tc_t *result) {
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t n;
        const tc_t *f = tc_core_factors(&p->m[i].core, &n);
        for (uint32_t d = 0; d < n; d++) {
            if (f[d]->op != TC_T_DIV || !positive_divisor(f[d]->args[1]))
                continue;
            tc_mono w;
            if (!divisor_times(ts, f[d]->args[1], f[d], &w))
                continue;
            if (w.core != p->m[i].core || w.coef == 0 || p->m[i].coef % w.coef != 0 || p->m[i].coef == TC_I128_MIN)
                continue;
            tc_i128 k = -(p->m[i].coef / w.coef);
            tc_poly a, rest;
            tc_poly_of(f[d]->args[0], &a);
            if (!take_out(p, &a, k, w.core, &rest))
                continue;
            tc_t mod = tc_mod(ts, f[d]->args[0], f[d]->args[1]);
            *result = tc_add(ts, tc_poly_term(ts, &rest), tc_mulc(ts, mod, k));
            return true;
        }
    }
    return false;
}

// A finished sum.
static tc_t poly_finish(tc_terms *ts, const tc_poly *p) {
    tc_t joined;
    if (p->n > 1 && p->n <= 32 && any_core(p, TC_T_DIV)) {
        if (any_core(p, TC_T_MOD) && join_mod(ts, p, &joined))
            return joined;
        if (join_div(ts, p, &joined))
            return joined;
    }
    return tc_poly_term(ts, p);
}

// ---- the constructors ----

static tc_t add_scaled(tc_terms *ts, tc_t a, tc_t b, tc_i128 k) {
    tc_poly p, q, r;
    tc_poly_of(a, &p);
    tc_poly_of(b, &q);
    if (poly_add_scaled(&p, &q, k, &r))
        return poly_finish(ts, &r);
    return tc_term_sorted2(ts, TC_T_ADD, TC_INT, a, tc_mulc(ts, b, k));
}

tc_t tc_add(tc_terms *ts, tc_t a, tc_t b) {
    return add_scaled(ts, a, b, 1);
}

tc_t tc_sub(tc_terms *ts, tc_t a, tc_t b) {
    return a == b ? tc_int(ts, 0) : add_scaled(ts, a, b, -1);
}

tc_t tc_neg(tc_terms *ts, tc_t a) {
    return tc_mulc(ts, a, -1);
}

tc_t tc_mulc(tc_terms *ts, tc_t a, tc_i128 c) {
    if (c == 1)
        return a;
    tc_poly p;
    tc_poly_of(a, &p);
    if (poly_scale(&p, c))
        return tc_poly_term(ts, &p);
    // A product of two constants that overflows is kept: the second one is then an atom.
    return tc_mono_term(ts, a, c);
}

tc_t tc_addc(tc_terms *ts, tc_t a, tc_i128 c) {
    return c == 0 ? a : tc_add(ts, a, tc_int(ts, c));
}

tc_t tc_mul(tc_terms *ts, tc_t a, tc_t b) {
    if (tc_is_const(a))
        return tc_mulc(ts, b, a->value);
    if (tc_is_const(b))
        return tc_mulc(ts, a, b->value);
    tc_poly r;
    return multiply(ts, a, b, &r) ? poly_finish(ts, &r) : multiply_atoms(ts, a, b);
}

tc_t tc_sum(tc_terms *ts, const tc_t *xs, size_t n) {
    if (n == 0)
        return tc_int(ts, 0);
    if (n == 1)
        return xs[0];
    return tc_add(ts, tc_sum(ts, xs, n / 2), tc_sum(ts, xs + n / 2, n - n / 2));
}
