// Ground lemmas about products, which Z3 otherwise takes for an unknown function.
//
// There is one kind: the sign of a quotient. For a polynomial q and a monomial d,
//     d >= 0  implies  (q >= 1 -> q*d >= d), (q <= -1 -> q*d <= -d),     and     q == 0 -> q*d == 0.
// With q = x - y it is the step lemma (rows do not overlap), with q = x the sign lemma, and monotony; the uniqueness of
// quotient and remainder follows. Which q and d: a comparison's polynomial is p = q*d + r for each monomial d that divides
// some of its products. Going on with r, r + d and r - d takes the strides out one after the other, outermost first: the
// difference form of delinearisation.
#include "solver/solvei.h"

enum {
    DIVISORS_MAX = 40,
    FACTORS_MAX = 6,   // of a product whose divisors are taken
    PARTS_MAX = 10,    // quotients by one divisor that are combined
    DEPTH_MAX = 3,     // strides taken out of one polynomial
    LEMMAS_NARROW = 60,
    LEMMAS_WIDE = 240,
    TERMS_MAX = 8,     // monomials of a quotient
    LINEAR_MAX = 40,   // linear comparisons that are multiplied
    LINEAR_TERMS_MAX = 4,
    LINEAR_LEMMAS_MAX = 8,
    DIVISIONS_MAX = 600 // on the way to strides
};

typedef struct maker {
    tc_terms *ts;
    tc_arena *arena;
    tc_tvec *out;
    size_t limit, made, divisions;
    tc_map seen; // (q, d) -> itself
    tc_tvec polys; // of comparisons with products; the first ngoal of the goal
    size_t ngoal;
    tc_tvec divisors;
    tc_map known_divisors, known_polys;
    tc_tvec linear;  // comparisons of two symbols or more without products
    tc_map products; // cores of the polys' products
    bool strides;
} maker;

// ---- the lemma ----

static uint64_t pair_key(tc_t q, tc_t d) {
    return (uint64_t)q->id << 32 | d->id;
}

static tc_t normal_quotient(tc_terms *ts, tc_t q) {
    tc_poly p;
    tc_poly_of(q, &p);
    tc_i128 g = tc_poly_content(&p);
    if (g <= 0 || tc_floor_mod(p.c, g) != 0)
        g = 1;
    if (p.n && p.m[0].coef < 0)
        g = -g;
    for (uint32_t i = 0; i < p.n; i++) {
        if (p.m[i].coef == TC_I128_MIN)
            return NULL;
        p.m[i].coef /= g;
    }
    if (p.c == TC_I128_MIN)
        return NULL;
    p.c /= g;
    return tc_poly_term(ts, &p);
}

static void say(maker *m, tc_t when, tc_t t) {
    t = tc_implies(m->ts, when, t);
    if (!tc_is_true(t))
        tc_push(m->arena, m->out, t);
}

// SOUND: true of all integers q and d; see test_solve_lemma.
static bool sign_lemma(maker *m, tc_t q, tc_t d) {
    tc_terms *ts = m->ts;
    if (tc_is_const(q) || tc_is_const(d) || m->made >= m->limit)
        return false;
    q = normal_quotient(ts, q);
    if (!q || (q->op == TC_T_ADD && q->nargs > TERMS_MAX) || tc_map_has(&m->seen, pair_key(q, d)))
        return false;
    tc_map_put(m->arena, &m->seen, pair_key(q, d), m);
    m->made++;
    tc_t one = tc_int(ts, 1), zero = tc_int(ts, 0), minus = tc_int(ts, -1), p = tc_mul(ts, q, d);
    tc_t nonneg = tc_le(ts, zero, d);
    say(m, tc_and(ts, nonneg, tc_le(ts, one, q)), tc_le(ts, d, p));
    say(m, tc_and(ts, nonneg, tc_le(ts, q, minus)), tc_le(ts, p, tc_neg(ts, d)));
    say(m, tc_eq(ts, q, zero), tc_eq(ts, p, zero));
    return true;
}

// ---- polynomials of comparisons ----

static bool has_product(tc_t t) {
    tc_poly p;
    uint32_t n;
    tc_poly_of(t, &p);
    for (uint32_t i = 0; i < p.n; i++) {
        (void)tc_core_factors(&p.m[i].core, &n);
        if (n > 1)
            return true;
    }
    return false;
}

static void take_poly(maker *m, tc_t p) {
    if (p->sort != TC_INT || tc_map_has(&m->known_polys, TC_KEY(p)))
        return;
    tc_map_put(m->arena, &m->known_polys, TC_KEY(p), m);
    if (has_product(p))
        tc_push(m->arena, &m->polys, p);
    else if (p->op == TC_T_ADD && p->nargs <= LINEAR_TERMS_MAX && m->linear.len < LINEAR_MAX)
        tc_push(m->arena, &m->linear, p);
}

static void take_comparison(void *ctx, tc_t t) {
    maker *m = ctx;
    if (t->op == TC_T_EQ || t->op == TC_T_LE)
        take_poly(m, tc_sub(m->ts, t->args[0], t->args[1]));
}

// ---- divisors ----

static void take_divisor(maker *m, tc_t d) {
    if (tc_is_const(d) || tc_map_has(&m->known_divisors, TC_KEY(d)) || m->divisors.len == DIVISORS_MAX)
        return;
    tc_map_put(m->arena, &m->known_divisors, TC_KEY(d), m);
    tc_push(m->arena, &m->divisors, d);
}

// All products of some of the factors of the products in p.
static void take_divisors(maker *m, tc_t p) {
    tc_poly poly;
    tc_poly_of(p, &poly);
    for (uint32_t i = 0; i < poly.n; i++) {
        uint32_t n;
        const tc_t *f = tc_core_factors(&poly.m[i].core, &n);
        if (n < 2 || n > FACTORS_MAX)
            continue;
        for (uint32_t subset = (1u << n) - 1; subset > 0; subset--) {
            tc_t d = tc_int(m->ts, 1);
            for (uint32_t k = 0; k < n; k++)
                if (subset >> k & 1)
                    d = tc_mul(m->ts, d, f[k]);
            take_divisor(m, d);
        }
    }
}

// p == q * d + r, q from all monomials of p that d divides. false when there is none.
static bool divide(maker *m, tc_t p, tc_t d, tc_t *q, tc_t *r) {
    tc_poly poly;
    tc_poly_of(p, &poly);
    *q = tc_int(m->ts, 0);
    tc_t taken = tc_int(m->ts, 0);
    bool any = false;
    for (uint32_t i = 0; i < poly.n; i++) {
        tc_t one;
        if (!tc_mono_divide(m->ts, poly.m[i], (tc_mono){d, 1}, &one))
            continue;
        *q = tc_add(m->ts, *q, one);
        taken = tc_add(m->ts, taken, tc_mono_term(m->ts, poly.m[i].core, poly.m[i].coef));
        any = true;
    }
    *r = tc_sub(m->ts, p, taken);
    return any;
}

static tc_i128 content(tc_t q) {
    tc_poly p;
    tc_poly_of(q, &p);
    tc_i128 g = tc_gcd128(tc_poly_content(&p), p.c);
    return g > 0 ? g : 1;
}

// A stride: the same for all threads. A single symbol of any kind otherwise.
static bool is_stride(tc_t d) {
    return d->variance == TC_VAR_LAUNCH;
}

// Takes the strides out of p, outermost first.
static void delinearise(maker *m, tc_t p, unsigned depth) {
    if (depth == DEPTH_MAX || !has_product(p))
        return;
    for (size_t i = 0; i < m->divisors.len && m->made < m->limit; i++) {
        tc_t d = m->divisors.data[i], q, r;
        if (!is_stride(d) || m->divisions++ > DIVISIONS_MAX || !divide(m, p, d, &q, &r) || tc_is_const(q))
            continue;
        if (sign_lemma(m, q, d) && depth > 0)
            m->strides = true;
        tc_t step = tc_mulc(m->ts, d, content(q));
        delinearise(m, r, depth + 1);
        delinearise(m, tc_add(m->ts, r, step), depth + 1);
        delinearise(m, tc_sub(m->ts, r, step), depth + 1);
    }
}

// ---- combinations ----

typedef struct parts {
    tc_t q[PARTS_MAX];
    size_t n, ngoal;
} parts;

static void take_part(parts *ps, tc_t q) {
    for (size_t i = 0; i < ps->n; i++)
        if (ps->q[i] == q)
            return;
    if (ps->n < PARTS_MAX)
        ps->q[ps->n++] = q;
}

static parts parts_of(maker *m, tc_t d) {
    parts ps = {.n = 0};
    for (size_t i = 0; i < m->polys.len; i++) {
        tc_t q, r;
        if (divide(m, m->polys.data[i], d, &q, &r))
            take_part(&ps, q);
        if (i + 1 == m->ngoal)
            ps.ngoal = ps.n;
    }
    return ps;
}

// A choice between values: it is one of them.
static void choice_lemmas(maker *m, tc_t q, tc_t d) {
    tc_poly p;
    tc_poly_of(q, &p);
    for (uint32_t i = 0; i < p.n; i++) {
        tc_t x = p.m[i].core;
        for (int branch = 1; x->op == TC_T_ITE && branch <= 2; branch++)
            sign_lemma(m, tc_sub(m->ts, x, x->args[branch]), d);
    }
}

static void single_lemmas(maker *m, tc_t d, const parts *ps, size_t n) {
    for (size_t i = 0; i < n; i++) {
        sign_lemma(m, ps->q[i], d);
        choice_lemmas(m, ps->q[i], d);
        // The ends of its interval.
        tc_interval r = tc_range_get(ps->q[i]);
        if (!tc_is_const(ps->q[i]) && r.has_hi)
            sign_lemma(m, tc_sub(m->ts, ps->q[i], tc_int(m->ts, r.hi)), d);
    }
}

static void pair_lemmas(maker *m, tc_t d, const parts *ps, size_t first, size_t n) {
    for (size_t i = 0; i < first; i++)
        for (size_t k = i + 1; k < n; k++) {
            sign_lemma(m, tc_sub(m->ts, ps->q[i], ps->q[k]), d);
            sign_lemma(m, tc_add(m->ts, ps->q[i], ps->q[k]), d);
        }
}

// The monomials of the quotients on their own, against each other.
static void monomial_lemmas(maker *m, tc_t d, const parts *ps) {
    parts single = {.n = 0};
    for (size_t i = 0; i < ps->n; i++) {
        tc_poly p;
        tc_poly_of(ps->q[i], &p);
        for (uint32_t k = 0; k < p.n; k++)
            take_part(&single, p.m[k].core);
    }
    single_lemmas(m, d, &single, single.n);
    for (size_t i = 0; i < single.n; i++)
        for (size_t k = i + 1; k < single.n; k++)
            sign_lemma(m, tc_sub(m->ts, single.q[i], single.q[k]), d);
}

// New products came with the lemmas: their comparisons take part in the wide round.
static void take_own_products(maker *m) {
    size_t n = m->out->len;
    for (size_t i = 0; i < n; i++)
        tc_walk(m->ts, m->out->data[i], take_comparison, m);
    for (size_t i = 0; i < m->polys.len; i++)
        take_divisors(m, m->polys.data[i]);
}

// ---- linear comparisons times a symbol ----

static bool is_known_product(const maker *m, tc_t t) {
    tc_poly p;
    uint32_t n;
    tc_poly_of(t, &p);
    for (uint32_t i = 0; i < p.n; i++) {
        (void)tc_core_factors(&p.m[i].core, &n);
        if (n > 1 && !tc_map_has(&m->products, TC_KEY(p.m[i].core)))
            return false;
    }
    return true;
}

static void note_products(maker *m, tc_t t) {
    tc_poly p;
    uint32_t n;
    tc_poly_of(t, &p);
    for (uint32_t i = 0; i < p.n; i++) {
        (void)tc_core_factors(&p.m[i].core, &n);
        if (n > 1)
            tc_map_put(m->arena, &m->products, TC_KEY(p.m[i].core), m);
    }
}

// a <= b times d, where the products that this makes are spoken of anyway.
static void linear_lemmas(maker *m) {
    unsigned made = 0;
    for (size_t i = 0; i < m->polys.len; i++)
        note_products(m, m->polys.data[i]);
    for (size_t i = 0; i < m->linear.len; i++)
        for (size_t k = 0; k < m->divisors.len && made < LINEAR_LEMMAS_MAX; k++) {
            tc_t q = m->linear.data[i], d = m->divisors.data[k];
            if (d->op == TC_T_SYM && is_known_product(m, tc_mul(m->ts, q, d)))
                made += sign_lemma(m, q, d);
        }
}

// x * x against y * y: by x and by y, which share no factor.
static void square_lemmas(maker *m) {
    parts squared = {.n = 0};
    for (size_t i = 0; i < m->polys.len; i++) {
        tc_poly p;
        tc_poly_of(m->polys.data[i], &p);
        for (uint32_t k = 0; k < p.n; k++) {
            uint32_t n;
            const tc_t *f = tc_core_factors(&p.m[k].core, &n);
            if (n == 2 && f[0] == f[1])
                take_part(&squared, f[0]);
        }
    }
    for (size_t i = 0; i < squared.n; i++)
        for (size_t k = i + 1; k < squared.n; k++) {
            tc_t q = tc_sub(m->ts, squared.q[i], squared.q[k]);
            sign_lemma(m, q, squared.q[i]);
            sign_lemma(m, q, squared.q[k]);
        }
}

bool tc_lemmas(tc_terms *ts, tc_arena *scratch, const tc_t *formulas, size_t n, size_t ngoal, bool wide, tc_tvec *out) {
    maker m = {.ts = ts, .arena = scratch, .out = out, .limit = wide ? LEMMAS_WIDE : LEMMAS_NARROW};
    for (size_t i = 0; i < n; i++) {
        tc_walk(ts, formulas[i], take_comparison, &m);
        if (i + 1 == ngoal)
            m.ngoal = m.polys.len;
    }
    for (size_t i = 0; i < m.polys.len; i++)
        take_divisors(&m, m.polys.data[i]);
    square_lemmas(&m);
    for (size_t i = 0; i < m.ngoal; i++)
        delinearise(&m, m.polys.data[i], 0);
    if (wide)
        m.limit = LEMMAS_WIDE / 2;
    for (size_t i = 0; i < m.divisors.len; i++) {
        tc_t d = m.divisors.data[i];
        parts ps = parts_of(&m, d);
        single_lemmas(&m, d, &ps, wide ? ps.n : ps.ngoal);
        pair_lemmas(&m, d, &ps, wide ? ps.n : ps.ngoal, ps.n);
    }
    if (!wide)
        return m.strides;
    m.limit = LEMMAS_WIDE;
    take_own_products(&m);
    for (size_t i = 0; i < m.divisors.len; i++) {
        parts ps = parts_of(&m, m.divisors.data[i]);
        monomial_lemmas(&m, m.divisors.data[i], &ps);
    }
    linear_lemmas(&m);
    return m.strides;
}
