// Bounds of quotients: what is below d * k has a quotient by d below k. So an index that is taken apart by extents stays below them, digit
// by digit, where the whole is below their product; Z3, to which products are an unknown function, does not see that, nor do intervals.
#include "solver/solvei.h"

enum { DIVISIONS_MAX = 12 };

typedef struct quotients {
    tc_terms *ts;
    tc_arena *scratch;
    tc_map seen;
    tc_tvec divisions; // by what is no constant
} quotients;

static void take_division(void *ctx, tc_t t) {
    quotients *q = ctx;
    if (t->op != TC_T_DIV || tc_is_const(t->args[1]) || q->divisions.len == DIVISIONS_MAX || tc_map_has(&q->seen, TC_KEY(t)))
        return;
    tc_map_put(q->scratch, &q->seen, TC_KEY(t), q);
    tc_push(q->scratch, &q->divisions, t);
}

// p == d * k, of a monomial d.
static bool divides(tc_terms *ts, tc_t p, tc_t d, tc_t *k) {
    tc_poly of, by;
    tc_poly_of(p, &of);
    tc_poly_of(d, &by);
    if (by.n != 1 || by.c != 0 || of.n == 0 || of.c != 0)
        return false;
    *k = tc_int(ts, 0);
    for (uint32_t i = 0; i < of.n; i++) {
        tc_t one;
        if (!tc_mono_divide(ts, of.m[i], by.m[0], &one))
            return false;
        *k = tc_add(ts, *k, one);
    }
    return true;
}

typedef struct bound {
    tc_t when, fact;
    size_t from; // the hypothesis that it is made of
} bound;

// SOUND: x <= d * k - 1 and d >= 1 imply x / d < k, as the quotient is rounded down.
static bool below(tc_terms *ts, const bound *known, tc_t division, bound *out) {
    tc_t d = division->args[1], k, fact = known->fact;
    if (fact->op != TC_T_LE)
        return false;
    tc_t limit = tc_addc(ts, tc_add(ts, tc_sub(ts, fact->args[1], fact->args[0]), division->args[0]), 1);
    if (!divides(ts, limit, d, &k))
        return false;
    *out = (bound){tc_and(ts, known->when, tc_le(ts, tc_int(ts, 1), d)), tc_lt(ts, division, k), known->from};
    return !tc_is_const(out->fact);
}

size_t tc_quotient_bounds(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t n, tc_t goal, tc_t *out, size_t *from, size_t most) {
    quotients q = {.ts = ts, .scratch = scratch};
    TC_VEC(bound) bounds = {0};
    tc_walk(ts, goal, take_division, &q);
    for (size_t i = 0; i < n; i++)
        tc_walk(ts, hyps[i], take_division, &q);
    for (size_t i = 0; i < n && q.divisions.len > 0; i++)
        tc_push(scratch, &bounds, ((bound){tc_bool(ts, true), hyps[i], i}));
    // Bounds of quotients bound the quotients of these.
    for (size_t i = 0; i < bounds.len; i++)
        for (size_t k = 0; k < q.divisions.len && bounds.len < n + most; k++) {
            bound b;
            if (below(ts, &bounds.data[i], q.divisions.data[k], &b))
                tc_push(scratch, &bounds, b);
        }
    for (size_t i = n; i < bounds.len; i++) {
        out[i - n] = tc_implies(ts, bounds.data[i].when, bounds.data[i].fact);
        from[i - n] = bounds.data[i].from;
    }
    return q.divisions.len > 0 ? bounds.len - n : 0;
}
