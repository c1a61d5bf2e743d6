// Finite tables: all values of a goal's symbols, where they are few.
#include "solver/solvei.h"

enum { SYMS_MAX = 6, CASES_MAX = 8192, WORK_MAX = 2000000 };

typedef struct domain {
    tc_arena *arena;
    const tc_sym *syms[SYMS_MAX];
    tc_i128 values[SYMS_MAX];
    unsigned n;
    uint64_t cases, nodes;
    bool fits;
} domain;

static tc_interval sym_range(const tc_sym *s) {
    if (s->sort == TC_BOOL)
        return tc_range_between(0, 1);
    return (tc_interval){.has_lo = s->has_lo, .lo = s->lo, .has_hi = s->has_hi, .hi = s->hi};
}

static void take(void *ctx, tc_t t) {
    domain *d = ctx;
    d->nodes++;
    if (t->op == TC_T_APP)
        d->fits = false;
    if (t->op != TC_T_SYM || !d->fits)
        return;
    for (unsigned i = 0; i < d->n; i++)
        if (d->syms[i] == t->sym)
            return;
    tc_interval r = sym_range(t->sym);
    if (d->n == SYMS_MAX || !r.has_lo || !r.has_hi || r.hi - r.lo >= CASES_MAX || r.hi < r.lo) {
        d->fits = false;
        return;
    }
    d->cases *= (uint64_t)(r.hi - r.lo + 1);
    d->fits = d->cases <= CASES_MAX;
    d->values[d->n] = r.lo;
    d->syms[d->n++] = t->sym;
}

static bool advance(domain *d) {
    for (unsigned i = 0; i < d->n; i++) {
        tc_interval r = sym_range(d->syms[i]);
        if (++d->values[i] <= r.hi)
            return true;
        d->values[i] = r.lo;
    }
    return false;
}

static bool value_of(void *ctx, const tc_sym *s, tc_i128 *r) {
    const domain *d = ctx;
    for (unsigned i = 0; i < d->n; i++)
        if (d->syms[i] == s) {
            *r = d->values[i];
            return true;
        }
    return false;
}

static bool no_function(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r) {
    (void)ctx;
    (void)f;
    (void)args;
    (void)r;
    return false;
}

bool tc_enumerate(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal) {
    domain d = {.arena = scratch, .cases = 1, .fits = true};
    tc_walk(ts, goal, take, &d);
    if (!d.fits || d.n == 0 || d.cases * d.nodes > WORK_MAX)
        return false;
    tc_env env = {.app = no_function, .sym = value_of, .ctx = &d};
    do {
        tc_i128 v;
        if (tc_eval(ts, goal, &env, &v) && v == 1)
            continue;
        // SOUND: a hypothesis that has no value here, or another symbol in it, excludes nothing.
        bool excluded = false;
        for (size_t i = 0; i < nhyps && !excluded; i++)
            excluded = tc_eval(ts, hyps[i], &env, &v) && v == 0;
        if (!excluded)
            return false;
    } while (advance(&d));
    return true;
}
