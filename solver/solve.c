// Proving: the ladder of rungs, cheapest first.
#include "solver/solvei.h"

// Budgets in units of Z3's rlimit, at an effort of 100.
enum { RLIMIT_NARROW = 20000, RLIMIT_CUTS = 25000, RLIMIT_WIDE = 80000, RLIMIT_BITS = 400000, RLIMIT_BIT_LEMMA = 40000 };

// With real products a step takes about ten times as long: all such questions of a kernel have a budget of their own, which the
// first few that fail may spend.
enum { EFFORT_NONLINEAR = 101, RLIMIT_NONLINEAR = 500000, RLIMIT_NONLINEAR_ALL = 1000000 };

const char *tc_rung_name(tc_rung r) {
    static const char *const names[] = {
#define X(name, text) text,
        TC_RUNGS(X)
#undef X
    };
    return r < TC_RUNG_COUNT ? names[r] : "?";
}

tc_solver *tc_solver_new(tc_terms *ts, tc_arena *a, unsigned effort) {
    tc_solver *s = TC_NEW(a, tc_solver);
    s->ts = ts;
    s->arena = a;
    s->effort = effort ? effort : 1;
    s->lowering = tc_lowering_new(ts, a);
    s->z3 = tc_z3_new(ts, a);
    return s;
}

void tc_solver_free(tc_solver *s) {
    tc_z3_free(s->z3);
}

void tc_solver_quick(tc_solver *s, bool quick) {
    s->quick = quick;
}

tc_work tc_solver_work(const tc_solver *s) {
    tc_work w = tc_z3_work(s->z3);
    return (tc_work){w.rlimit + s->known.rlimit, w.questions + s->known.questions, s->known.questions};
}

void tc_solver_dump(tc_solver *s, void (*fn)(void *ctx, const char *smtlib), void *ctx) {
    s->dump = fn;
    s->dump_ctx = ctx;
}

// ---- one goal ----

typedef struct question {
    tc_solver *s;
    tc_arena *scratch;
    const tc_t *hyps;
    size_t nhyps;
    tc_t goal;
    tc_tvec bit_lemmas; // true statements about bit operations
    tc_tvec hints; // comparisons whose polynomials matter (offsets' differences); never asserted
    bool *relevant;
    size_t given;       // of the hypotheses; those behind are made of them
    const size_t *from; // of which
    tc_proof *proof;
    unsigned split;  // symbols that have a value of their own already
    unsigned *cases; // how many more there may be, of the whole question
} question;

static void use(question *q, size_t i) {
    tc_proof *p = q->proof;
    i = i < q->given ? i : q->from[i - q->given];
    for (size_t k = 0; k < p->used.len; k++)
        if (p->used.data[k] == q->hyps[i])
            return;
    tc_push(q->s->arena, &p->used, q->hyps[i]);
}

static bool proved(question *q, tc_rung rung) {
    q->proof->proved = true;
    q->proof->rung = rung;
    return true;
}

static bool proved_by_all(question *q, tc_rung rung) {
    for (size_t i = 0; i < q->nhyps; i++)
        use(q, i);
    return proved(q, rung);
}

static bool prove_trivial(question *q) {
    if (tc_is_true(q->goal))
        return proved(q, TC_RUNG_TRIVIAL);
    for (size_t i = 0; i < q->nhyps; i++)
        if (q->hyps[i] == q->goal || tc_is_false(q->hyps[i])) {
            use(q, i);
            return proved(q, TC_RUNG_TRIVIAL);
        }
    return false;
}

// ---- which hypotheses matter ----

typedef struct cone {
    tc_arena *arena;
    tc_map *known; // symbols and functions
    bool grew, meets;
} cone;

static const void *leaf_of(tc_t t) {
    return t->op == TC_T_SYM ? (const void *)t->sym : t->op == TC_T_APP ? (const void *)t->fn : NULL;
}

static void meet_leaf(void *ctx, tc_t t) {
    cone *c = ctx;
    const void *leaf = leaf_of(t);
    c->meets |= leaf && tc_map_has(c->known, TC_KEY(leaf));
}

static void add_leaf(void *ctx, tc_t t) {
    cone *c = ctx;
    const void *leaf = leaf_of(t);
    if (leaf && !tc_map_has(c->known, TC_KEY(leaf))) {
        tc_map_put(c->arena, c->known, TC_KEY(leaf), c);
        c->grew = true;
    }
}

// SOUND: leaving out a hypothesis only makes less provable.
static size_t mark_relevant(question *q) {
    tc_map known = {0};
    cone c = {.arena = q->scratch, .known = &known, .grew = true};
    q->relevant = TC_NEW_ARRAY(q->scratch, bool, q->nhyps + 1);
    size_t left_out = q->nhyps;
    if (tc_is_const(q->goal)) {
        for (size_t i = 0; i < q->nhyps; i++)
            q->relevant[i] = true;
        return 0;
    }
    tc_walk(q->s->ts, q->goal, add_leaf, &c);
    while (c.grew) {
        c.grew = false;
        for (size_t i = 0; i < q->nhyps; i++) {
            c.meets = false;
            if (!q->relevant[i])
                tc_walk(q->s->ts, q->hyps[i], meet_leaf, &c);
            if (!c.meets)
                continue;
            q->relevant[i] = true;
            left_out--;
            tc_walk(q->s->ts, q->hyps[i], add_leaf, &c);
        }
    }
    return left_out;
}

// ---- Z3 ----

// The lowered formulas: the negated goal, hints, hypotheses, and facts about operators.
static void formulas_of(question *q, tc_tvec *all, size_t *ngoal) {
    tc_lowering *l = q->s->lowering;
    tc_push(q->scratch, all, tc_lower(l, tc_not(q->s->ts, q->goal)));
    for (size_t i = 0; i < q->hints.len; i++)
        tc_push(q->scratch, all, tc_lower(l, q->hints.data[i]));
    *ngoal = all->len;
    for (size_t i = 0; i < q->bit_lemmas.len; i++)
        tc_push(q->scratch, all, tc_lower(l, q->bit_lemmas.data[i]));
    for (size_t i = 0; i < q->nhyps; i++)
        if (q->relevant[i])
            tc_push(q->scratch, all, tc_lower(l, q->hyps[i]));
}

typedef TC_VEC(tc_asked) asked;

// The same with what may be left out, in the order in which Z3 gets them.
static void asked_of(question *q, const tc_tvec *all, const tc_tvec *lemmas, asked *out) {
    size_t at = 1 + q->hints.len;
    tc_push(q->scratch, out, ((tc_asked){.formula = all->data[0]}));
    for (size_t i = 0; i < q->bit_lemmas.len; i++)
        tc_push(q->scratch, out, ((tc_asked){.formula = all->data[at++]}));
    for (size_t i = 0; i < q->nhyps; i++)
        if (q->relevant[i])
            tc_push(q->scratch, out, ((tc_asked){.formula = all->data[at++], .tracked = true}));
    for (; at < all->len; at++)
        tc_push(q->scratch, out, ((tc_asked){.formula = all->data[at]}));
    for (size_t i = 0; i < lemmas->len; i++)
        tc_push(q->scratch, out, ((tc_asked){.formula = lemmas->data[i]}));
}

static void use_core(question *q, const tc_known *known) {
    size_t k = 0;
    for (size_t i = 0; i < q->nhyps; i++)
        if (q->relevant[i] && known->used[k++])
            use(q, i);
}

typedef struct attempt {
    bool wide, real, cuts;
    uint64_t rlimit;
} attempt;

static tc_z3_answer ask(question *q, attempt a, bool *strides) {
    tc_solver *s = q->s;
    tc_tvec all = {0}, lemmas = {0};
    asked list = {0};
    size_t ngoal;
    formulas_of(q, &all, &ngoal);
    tc_lower_facts(s->lowering, q->scratch, &all);
    *strides = tc_lemmas(s->ts, q->scratch, all.data, all.len, ngoal, a.wide, &lemmas);
    asked_of(q, &all, &lemmas, &list);
    tc_ask one = {.list = list.data, .n = list.len, .real = a.real, .cuts = a.cuts, .rlimit = a.rlimit};
    tc_known known = tc_solver_ask(s, q->scratch, &one);
    q->proof->rlimit += known.spent;
    if (known.answer == TC_Z3_UNSAT)
        use_core(q, &known);
    return known.answer;
}

static bool prove_by_narrow(question *q, size_t *left_out) {
    bool strides;
    *left_out = mark_relevant(q);
    attempt narrow = {.cuts = true, .rlimit = tc_solver_budget(q->s, RLIMIT_NARROW)};
    tc_z3_answer r = ask(q, narrow, &strides);
    if (r == TC_Z3_UNSAT)
        return proved(q, strides ? TC_RUNG_DELIN : TC_RUNG_LINEAR);
    q->proof->reason = r == TC_Z3_UNDEF ? "budget" : "no rung decides it";
    return false;
}

static bool prove_by_wide(question *q, size_t left_out) {
    bool strides;
    for (size_t i = 0; left_out && i < q->nhyps; i++)
        q->relevant[i] = true;
    attempt wide[] = {{.wide = true, .cuts = true, .rlimit = tc_solver_budget(q->s, RLIMIT_CUTS)},
                      {.wide = true, .rlimit = tc_solver_budget(q->s, RLIMIT_WIDE)}};
    tc_z3_answer r = TC_Z3_UNDEF;
    for (int i = 0; i < 2 && r == TC_Z3_UNDEF; i++) {
        r = ask(q, wide[i], &strides);
        if (r == TC_Z3_UNSAT)
            return proved(q, TC_RUNG_LINEAR);
    }
    q->proof->reason = r == TC_Z3_UNDEF ? "budget" : "no rung decides it";
    return false;
}

static bool prove_by_cases(question *q);

static bool prove_by_z3(question *q) {
    size_t left_out;
    if (prove_by_narrow(q, &left_out))
        return true;
    if (q->s->quick)
        return false;
    return prove_by_cases(q) || (q->split == 0 && prove_by_wide(q, left_out));
}

static bool prove_by_bits(question *q) {
    tc_solver *s = q->s;
    if (s->quick)
        return false;
    if (tc_bits_prove(s, q->scratch, q->hyps, q->nhyps, q->goal, tc_solver_budget(s, RLIMIT_BITS), q->proof))
        return proved(q, TC_RUNG_BITVECTOR);
    if (q->bit_lemmas.len > 0)
        return false;
    tc_tvec all = {0};
    tc_push(q->scratch, &all, q->goal);
    for (size_t i = 0; i < q->nhyps; i++)
        tc_push(q->scratch, &all, q->hyps[i]);
    tc_bits_lemmas(s, q->scratch, all.data, all.len, tc_solver_budget(s, RLIMIT_BIT_LEMMA), &q->proof->rlimit, &q->bit_lemmas);
    size_t left_out;
    return q->bit_lemmas.len > 0 && (prove_by_narrow(q, &left_out) || (q->split == 0 && prove_by_wide(q, left_out))) &&
           proved(q, TC_RUNG_BITVECTOR);
}

static bool prove_by_real_products(question *q) {
    bool strides;
    tc_solver *s = q->s;
    if (s->effort < EFFORT_NONLINEAR || s->multiplied >= tc_solver_budget(s, RLIMIT_NONLINEAR_ALL))
        return false;
    attempt real = {.wide = true, .real = true, .rlimit = tc_solver_budget(s, RLIMIT_NONLINEAR)};
    uint64_t before = q->proof->rlimit;
    tc_z3_answer r = ask(q, real, &strides);
    s->multiplied += TC_RLIMIT_PUT + q->proof->rlimit - before;
    return r == TC_Z3_UNSAT && proved(q, TC_RUNG_NONLINEAR);
}

static bool prove_by_bounds(question *q) {
    return tc_bounds_prove(q->s->ts, q->scratch, q->hyps, q->nhyps, q->goal) && proved_by_all(q, TC_RUNG_INTERVAL);
}

// Adds what the hypotheses say of quotients. False where they say nothing.
static bool with_quotients(question *q) {
    enum { most = 24 };
    tc_t *all = TC_NEW_ARRAY(q->scratch, tc_t, q->nhyps + most);
    size_t *from = TC_NEW_ARRAY(q->scratch, size_t, most), n = q->nhyps;
    for (size_t i = 0; i < n; i++)
        all[i] = q->hyps[i];
    q->nhyps += tc_quotient_bounds(q->s->ts, q->scratch, q->hyps, n, q->goal, all + n, from, most);
    q->hyps = all;
    q->from = from;
    return q->nhyps > n;
}

static bool prove_one(question *q) {
    q->given = q->nhyps;
    if (prove_trivial(q) || prove_by_bounds(q) || (q->split == 0 && with_quotients(q) && prove_by_bounds(q)))
        return true;
    if (tc_solver_is_spent(q->s)) {
        q->proof->reason = "the budget of all proofs of this kernel is spent: --budget=N gives more";
        return false;
    }
    if (prove_by_z3(q))
        return true;
    if (tc_enumerate(q->s->ts, q->scratch, q->hyps, q->nhyps, q->goal))
        return proved_by_all(q, TC_RUNG_ENUMERATED);
    return prove_by_bits(q) || (q->split == 0 && prove_by_real_products(q));
}

// ---- one value of a symbol after the other ----

enum { SPLIT_MAX = 2, CASES_MAX = 128 };

static bool prove_case(question *q, const tc_map *value) {
    tc_terms *ts = q->s->ts;
    tc_t *hyps = TC_NEW_ARRAY(q->scratch, tc_t, q->nhyps + 1);
    for (size_t i = 0; i < q->nhyps; i++) {
        hyps[i] = tc_subst(ts, q->hyps[i], value);
        if (tc_is_false(hyps[i]))
            return true;
    }
    tc_proof p = {.rlimit = 0};
    question one = {.s = q->s, .scratch = q->scratch, .hyps = hyps, .nhyps = q->nhyps, .goal = tc_subst(ts, q->goal, value),
                    .proof = &p, .split = q->split + 1, .cases = q->cases};
    for (size_t i = 0; i < q->hints.len; i++)
        tc_push(q->scratch, &one.hints, tc_subst(ts, q->hints.data[i], value));
    bool all = prove_one(&one);
    q->proof->rlimit += p.rlimit;
    return all;
}

static bool prove_by_cases(question *q) {
    tc_cases c;
    if (q->split == SPLIT_MAX || !tc_cases_find(q->s->ts, q->scratch, q->hyps, q->nhyps, q->goal, *q->cases, &c))
        return false;
    for (unsigned i = 0; i < c.n; i++) {
        tc_map value = {0};
        tc_map_put(q->scratch, &value, TC_KEY(c.sym), (void *)(uintptr_t)tc_int(q->s->ts, c.values[i]));
        if (*q->cases == 0)
            return false;
        --*q->cases;
        if (!prove_case(q, &value))
            return false;
    }
    return proved_by_all(q, TC_RUNG_ENUMERATED);
}

static tc_proof prove(tc_solver *s, const tc_t *hyps, size_t nhyps, tc_t goal, tc_t hint) {
    tc_proof p = {.rung = TC_RUNG_NONE}, part;
    const tc_t *goals = goal->op == TC_T_AND ? goal->args : &goal;
    size_t n = goal->op == TC_T_AND ? goal->nargs : 1;
    tc_arena *scratch = tc_arena_new(tc_arena_trap(s->arena));
    for (size_t i = 0; i < n; i++) {
        part = (tc_proof){.used = p.used, .rlimit = p.rlimit};
        unsigned cases = CASES_MAX;
        question q = {.s = s, .scratch = scratch, .hyps = hyps, .nhyps = nhyps, .goal = goals[i], .proof = &part, .cases = &cases};
        if (hint)
            tc_push(scratch, &q.hints, hint);
        if (!prove_one(&q)) {
            p.rlimit = part.rlimit;
            p.used.len = 0;
            p.rung = TC_RUNG_NONE;
            p.reason = part.reason ? part.reason : "no rung decides it";
            tc_arena_free(scratch);
            return p;
        }
        p.used = part.used;
        p.rlimit = part.rlimit;
        if (part.rung > p.rung)
            p.rung = part.rung;
    }
    p.proved = true;
    tc_arena_free(scratch);
    return p;
}

tc_proof tc_prove(tc_solver *s, const tc_t *hyps, size_t nhyps, tc_t goal) {
    return prove(s, hyps, nhyps, goal, NULL);
}

tc_proof tc_prove_disjoint(tc_solver *s, const tc_t *hyps, size_t nhyps, tc_t a, tc_i128 wa, tc_t b, tc_i128 wb) {
    tc_terms *ts = s->ts;
    tc_t before = tc_le(ts, tc_addc(ts, a, wa), b), after = tc_le(ts, tc_addc(ts, b, wb), a);
    return prove(s, hyps, nhyps, tc_or(ts, before, after), tc_eq(ts, a, b));
}

bool tc_maybe_sat(tc_solver *s, const tc_t *hyps, size_t nhyps) {
    return !prove(s, hyps, nhyps, tc_bool(s->ts, false), NULL).proved;
}
