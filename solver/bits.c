// Bit-vectors: what masks, shifts and exclusive or do to numbers of bounded size.
//
// A formula over integers is one over bit-vectors of width w where every value in it, by the ranges of its symbols alone, lies in
// [-2^(w-1), 2^(w-1)): addition and multiplication modulo 2^w are then exact at every node, also where sums of parts
// are not, and comparisons are signed ones.
#include "solver/solvei.h"

enum {
    WIDTH_MAX = 72,
    FACTOR_BITS_MAX = 24, // of a product of two symbols: what multipliers cost
    PAIRS_MAX = 24
};

// ---- widths ----

typedef struct measure {
    tc_terms *ts;
    unsigned width; // bits that all values so far need
    bool ok;
    bool has_bits; // a bit operation was met: something for this rung to do
} measure;

// Bits of a signed number.
static unsigned bits_of(tc_i128 v) {
    unsigned n = 1;
    for (tc_u128 x = v < 0 ? ~(tc_u128)v : (tc_u128)v; x; x >>= 1)
        n++;
    return n;
}

static void fit(measure *m, tc_interval r) {
    if (!r.has_lo || !r.has_hi) {
        m->ok = false;
        return;
    }
    unsigned n = bits_of(r.lo) > bits_of(r.hi) ? bits_of(r.lo) : bits_of(r.hi);
    if (n > m->width)
        m->width = n;
    m->ok &= n <= WIDTH_MAX;
}

static bool small_factors(tc_t t) {
    unsigned factors = 0;
    for (uint32_t i = 0; i < t->nargs; i++)
        factors += !tc_is_const(t->args[i]);
    tc_interval r = tc_range_get(t);
    return factors < 2 || (r.has_lo && r.has_hi && bits_of(r.lo) <= FACTOR_BITS_MAX && bits_of(r.hi) <= FACTOR_BITS_MAX);
}

// SOUND: an operator that means something else on bit-vectors than on integers for some value in its arguments' ranges makes the formula
// unfit: division by what may not be positive, powers of what may be negative or too large.
static void measure_node(void *ctx, tc_t t) {
    measure *m = ctx;
    if (!m->ok)
        return;
    tc_interval a = t->nargs && t->args[0]->sort == TC_INT ? tc_range_get(t->args[0]) : tc_range_any();
    tc_interval b = t->nargs > 1 && t->args[1]->sort == TC_INT ? tc_range_get(t->args[1]) : tc_range_any();
    switch (t->op) {
    case TC_T_BITAND:
    case TC_T_BITOR:
    case TC_T_BITXOR:
        m->has_bits = true;
        break;
    case TC_T_MUL:
        m->ok = small_factors(t);
        break;
    case TC_T_DIV:
    case TC_T_MOD:
    case TC_T_TDIV:
    case TC_T_TREM:
        m->ok = tc_range_positive(b);
        break;
    case TC_T_POW2:
        m->has_bits |= !tc_is_const(t->args[0]);
        m->ok = tc_range_nonneg(a) && a.has_hi && a.hi < WIDTH_MAX;
        break;
    default:
        break;
    }
    if (m->ok && t->sort == TC_INT)
        fit(m, tc_range_get(t));
}

static measure measured(tc_terms *ts, tc_t t) {
    measure m = {.ts = ts, .ok = true};
    tc_walk(ts, t, measure_node, &m);
    return m;
}

// ---- a goal ----

bool tc_bits_prove(tc_solver *s, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal, uint64_t rlimit, tc_proof *p) {
    measure whole = measured(s->ts, goal);
    if (!whole.ok)
        return false;
    // SOUND: a hypothesis that does not fit is left out, which only makes less provable.
    bool *fits = TC_NEW_ARRAY(scratch, bool, nhyps + 1);
    for (size_t i = 0; i < nhyps; i++) {
        measure m = measured(s->ts, hyps[i]);
        fits[i] = m.ok;
        if (!m.ok)
            continue;
        whole.has_bits |= m.has_bits;
        if (m.width > whole.width)
            whole.width = m.width;
    }
    if (!whole.has_bits)
        return false;
    TC_VEC(tc_asked) list = {0};
    tc_push(scratch, &list, ((tc_asked){.formula = tc_not(s->ts, goal)}));
    for (size_t i = 0; i < nhyps; i++)
        if (fits[i])
            tc_push(scratch, &list, ((tc_asked){.formula = hyps[i], .tracked = true}));
    tc_ask one = {.list = list.data, .n = list.len, .width = whole.width, .rlimit = rlimit};
    tc_known known = tc_solver_ask(s, scratch, &one);
    p->rlimit += known.spent;
    for (size_t i = 0, k = 0; known.answer == TC_Z3_UNSAT && i < nhyps; i++)
        if (fits[i] && known.used[k++])
            tc_push(s->arena, &p->used, hyps[i]);
    return known.answer == TC_Z3_UNSAT;
}

// ---- lemmas for what is not bounded: two instances of one bit operation are equal only for equal arguments ----

typedef struct bit_terms {
    tc_arena *arena;
    tc_tvec terms;
} bit_terms;

static bool is_bitop(tc_t t) {
    return t->op == TC_T_BITAND || t->op == TC_T_BITOR || t->op == TC_T_BITXOR;
}

static void take_bitop(void *ctx, tc_t t) {
    bit_terms *b = ctx;
    if (!is_bitop(t) || b->terms.len >= PAIRS_MAX)
        return;
    for (size_t i = 0; i < b->terms.len; i++)
        if (b->terms.data[i] == t)
            return;
    tc_push(b->arena, &b->terms, t);
}

static const tc_sym *origin_of(const tc_sym *s) {
    return s->origin ? s->origin : s;
}

// Do x and y differ in nothing but the instance of their symbols? all: the pairs of symbols that differ are equal.
static bool same_but_instance(tc_terms *ts, tc_t x, tc_t y, tc_t *all, int depth) {
    if (x == y)
        return true;
    if (x->op != y->op || x->nargs != y->nargs || x->sort != y->sort || x->value != y->value || x->fn != y->fn || depth > 24)
        return false;
    if (x->op == TC_T_SYM) {
        if (x->sort != TC_INT || origin_of(x->sym) != origin_of(y->sym))
            return false;
        *all = tc_and(ts, *all, tc_eq(ts, x, y));
        return true;
    }
    for (uint32_t i = 0; i < x->nargs; i++)
        if (!same_but_instance(ts, x->args[i], y->args[i], all, depth + 1))
            return false;
    return x->op != TC_T_CONST;
}

void tc_bits_lemmas(tc_solver *s, tc_arena *scratch, const tc_t *formulas, size_t n, uint64_t rlimit, uint64_t *spent, tc_tvec *out) {
    bit_terms b = {.arena = scratch};
    for (size_t i = 0; i < n; i++)
        tc_walk(s->ts, formulas[i], take_bitop, &b);
    for (size_t i = 0; i < b.terms.len; i++)
        for (size_t k = i + 1; k < b.terms.len; k++) {
            tc_t x = b.terms.data[i], y = b.terms.data[k], same = tc_bool(s->ts, true), equal = tc_eq(s->ts, x, y);
            if (!same_but_instance(s->ts, x, y, &same, 0) || tc_is_const(same) || tc_is_const(equal))
                continue;
            tc_proof p = {0};
            if (tc_bits_prove(s, scratch, &equal, 1, same, rlimit, &p))
                tc_push(scratch, out, tc_implies(s->ts, equal, same));
            *spent += p.rlimit;
        }
}
