// Searching for values: sizes under growing limits, what Z3 gives is evaluated exactly before it counts.
//
// Z3 gets linear integers only, with products as an unknown function: its steps are then what it is charged for, which
// they are not where it multiplies. A model whose products are wrong is repaired in two ways. What the products are for
// its values is added for good (x == 3 implies x*y == 3*y). And factors are given their values one after the other,
// each time making the products with them linear, until nothing is left to multiply.
#include "solver/solvei.h"

// Budgets in units of Z3's rlimit, at an effort of 100.
enum {
    RLIMIT_STEP = 20000,
    RLIMIT_SMALL = 5000,   // preferences, smaller values, values of factors
    RLIMIT_QUESTION = 200, // what every question costs besides
    RLIMIT_SEARCH = 150000,
    RLIMIT_ALL = 600000, // of all searches with one solver
    MODELS_PER_LIMIT = 3,
    REPAIRS = 4,    // rounds of corrections under one limit
    LEARN_MAX = 24, // products corrected in a round
    SHRINK_SYMS = 8,
    FACTORS_MAX = 24 // of which values are chosen for one model
};

typedef struct fixed {
    tc_t factor;
    tc_i128 value;
    unsigned level;
} fixed;

typedef struct finder {
    tc_solver *s;
    tc_arena *scratch;
    const tc_t *hyps;
    size_t nhyps;
    const tc_search *search;
    tc_tvec leaves;      // symbols, and applications of the caller's functions after their arguments
    tc_tvec sizes;       // what the limits bound: launch symbols and counters
    tc_tvec products;    // without their constants
    tc_tvec factors;     // of the products
    tc_tvec internal;    // lowered applications of internal functions
    tc_tvec learnt;      // corrections of products and internal functions
    TC_VEC(fixed) fixed; // factors that have their values at the present level
    tc_map seen;
    unsigned levels, models, tries;
    tc_i128 limit; // of the sizes; 0 for none
    uint64_t spent;
    bool found;
} finder;

static bool holds(finder *f, tc_model *m) {
    for (size_t i = 0; i < f->nhyps; i++) {
        tc_i128 v;
        if (!tc_model_value(m, f->hyps[i], &v) || v != 1)
            return false;
    }
    return true;
}

// ---- questions ----

static uint64_t budget(const finder *f, uint64_t rlimit) {
    return rlimit * f->s->effort / 100;
}

static bool is_spent(const finder *f) {
    return f->spent > budget(f, RLIMIT_SEARCH) || f->s->searched + f->spent > budget(f, RLIMIT_ALL);
}

static bool exhausted(const finder *f) {
    return f->found || f->models >= f->tries || is_spent(f);
}

static tc_z3_answer check(finder *f, uint64_t rlimit) {
    if (is_spent(f))
        return TC_Z3_UNDEF;
    f->spent += budget(f, RLIMIT_QUESTION) + 1;
    tc_z3_answer r = tc_z3_check(f->s->z3, budget(f, rlimit), &f->spent);
    return r;
}

static void push(finder *f) {
    tc_z3_push(f->s->z3);
    f->levels++;
}

static void pop_to(finder *f, unsigned level) {
    while (f->levels > level) {
        tc_z3_pop(f->s->z3);
        f->levels--;
    }
    while (f->fixed.len && tc_last(&f->fixed).level > level)
        (void)tc_pop(&f->fixed);
}

static void say(finder *f, tc_t t) {
    tc_z3_assert(f->s->z3, tc_lower(f->s->lowering, t), false);
}

// A condition that is kept if it can be; the level stays pushed then.
static bool prefer(finder *f, tc_t t) {
    push(f);
    say(f, t);
    if (check(f, RLIMIT_SMALL) == TC_Z3_SAT)
        return true;
    pop_to(f, f->levels - 1);
    return false;
}

// Smaller values, one size after the other. Returns whether anything is smaller.
static bool shrink(finder *f) {
    tc_i128 now[SHRINK_SYMS] = {0};
    size_t n = f->sizes.len < SHRINK_SYMS ? f->sizes.len : SHRINK_SYMS;
    bool smaller = false;
    for (size_t i = 0; i < n; i++)
        if (!tc_z3_value(f->s->z3, f->sizes.data[i], &now[i]))
            now[i] = 0;
    for (size_t i = 0; i < n; i++) {
        tc_t t = f->sizes.data[i];
        tc_i128 v = now[i], least = t->sym->has_lo ? t->sym->lo : 0;
        if (v <= least || v <= 1)
            continue;
        tc_i128 steps[] = {least > 1 ? least : 1, v / 4, v / 2};
        for (size_t k = 0; k < 3; k++)
            if (steps[k] >= least && prefer(f, tc_bound_term(f->s->ts, t, false, steps[k]))) {
                smaller = true;
                break;
            }
    }
    return smaller;
}

// ---- products ----

static bool value_of_factor(const finder *f, tc_t x, tc_i128 *v) {
    for (size_t i = 0; i < f->fixed.len; i++)
        if (f->fixed.data[i].factor == x) {
            *v = f->fixed.data[i].value;
            return true;
        }
    return false;
}

static bool has_factor(tc_t product, tc_t x) {
    for (uint32_t i = 0; i < product->nargs; i++)
        if (product->args[i] == x)
            return true;
    return false;
}

static unsigned open_factors(const finder *f, tc_t product) {
    unsigned n = 0;
    tc_i128 v;
    for (uint32_t i = 0; i < product->nargs; i++)
        n += !value_of_factor(f, product->args[i], &v);
    return n;
}

// What the product is where its fixed factors have their values.
static void state_product(finder *f, tc_t product) {
    tc_terms *ts = f->s->ts;
    tc_t rest = tc_int(ts, 1);
    tc_i128 k = 1, v;
    for (uint32_t i = 0; i < product->nargs; i++)
        if (!value_of_factor(f, product->args[i], &v))
            rest = tc_mul(ts, rest, product->args[i]);
        else if (!tc_mul128(k, v, &k))
            return;
    say(f, tc_eq(ts, product, tc_mulc(ts, rest, k)));
}

static void fix(finder *f, tc_t x, tc_i128 v) {
    say(f, tc_eq(f->s->ts, x, tc_int(f->s->ts, v)));
    tc_push(f->scratch, &f->fixed, ((fixed){x, v, f->levels}));
    for (size_t i = 0; i < f->products.len; i++)
        if (has_factor(f->products.data[i], x))
            state_product(f, f->products.data[i]);
}

// The factor that stands in most products that are not linear yet, sizes before others; NULL when all are linear.
static tc_t next_factor(const finder *f) {
    tc_t best = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < f->factors.len; i++) {
        tc_t x = f->factors.data[i];
        unsigned n = 0;
        tc_i128 v;
        if (value_of_factor(f, x, &v))
            continue;
        for (size_t k = 0; k < f->products.len; k++)
            n += has_factor(f->products.data[k], x) && open_factors(f, f->products.data[k]) > 1;
        if (n && x->op == TC_T_SYM && x->variance == TC_VAR_LAUNCH)
            n += (unsigned)f->products.len;
        if (n > most) {
            most = n;
            best = x;
        }
    }
    return best;
}

static bool fix_one(finder *f, tc_t x) {
    tc_interval r = tc_range_get(x);
    tc_i128 now = 0, tried[3];
    size_t n = 0;
    if (!tc_z3_value(f->s->z3, x, &now))
        return false;
    tc_i128 values[] = {tc_model_clamp(1, r.has_lo, r.lo, r.has_hi, r.hi), now,
                        tc_model_clamp(f->limit, r.has_lo, r.lo, r.has_hi, r.hi)};
    for (size_t i = 0; i < 3; i++) {
        bool again = i == 2 && f->limit == 0;
        for (size_t k = 0; k < n; k++)
            again |= tried[k] == values[i];
        if (again)
            continue;
        tried[n++] = values[i];
        push(f);
        fix(f, x, values[i]);
        if (check(f, RLIMIT_SMALL) == TC_Z3_SAT)
            return true;
        pop_to(f, f->levels - 1);
    }
    return false;
}

// Values for the factors, one after the other, until a model holds; its levels stay pushed.
static bool commit(finder *f, tc_model *m) {
    for (unsigned i = 0; i < FACTORS_MAX; i++) {
        tc_t x = next_factor(f);
        if (!x || !fix_one(f, x))
            return false;
        tc_model_read(m, f->s, f->scratch, &f->leaves);
        if (holds(f, m))
            return true;
    }
    return false;
}

// ---- corrections ----

// Z3's value of t is wrong in the model: *is is the right one.
static bool is_wrong(finder *f, tc_model *m, tc_t t, tc_i128 *is) {
    tc_i128 said;
    return tc_model_value(m, t, is) && tc_z3_value(f->s->z3, t, &said) && *is != said;
}

static bool repair_function(finder *f, tc_model *m, tc_t t) {
    tc_terms *ts = f->s->ts;
    tc_t when = tc_bool(ts, true);
    tc_i128 is, arg;
    if (!is_wrong(f, m, t, &is))
        return false;
    for (uint32_t k = 0; k < t->nargs; k++)
        if (tc_model_value(m, t->args[k], &arg))
            when = tc_and(ts, when, tc_eq(ts, t->args[k], tc_int(ts, arg)));
    tc_push(f->scratch, &f->learnt, tc_implies(ts, when, tc_eq(ts, t, tc_int(ts, is))));
    return true;
}

// For each factor: what the product is in it when the others have the model's values.
static bool repair_product(finder *f, tc_model *m, tc_t t) {
    tc_terms *ts = f->s->ts;
    tc_i128 is, v, k;
    if (t->nargs > 3 || !is_wrong(f, m, t, &is))
        return false;
    for (uint32_t i = 0; i < t->nargs; i++) {
        tc_t when = tc_bool(ts, true);
        bool known = true;
        k = 1;
        for (uint32_t j = 0; j < t->nargs; j++) {
            if (j == i)
                continue;
            known = known && tc_model_value(m, t->args[j], &v) && tc_mul128(k, v, &k);
            if (known)
                when = tc_and(ts, when, tc_eq(ts, t->args[j], tc_int(ts, v)));
        }
        if (known)
            tc_push(f->scratch, &f->learnt, tc_implies(ts, when, tc_eq(ts, t, tc_mulc(ts, t->args[i], k))));
    }
    return true;
}

static bool repair(finder *f, tc_model *m) {
    unsigned n = 0;
    for (size_t i = 0; i < f->internal.len; i++)
        n += repair_function(f, m, f->internal.data[i]);
    for (size_t i = 0; i < f->products.len && n < LEARN_MAX; i++)
        n += repair_product(f, m, f->products.data[i]);
    return n > 0;
}

static tc_t different(finder *f, tc_model *m) {
    tc_terms *ts = f->s->ts;
    tc_t any = tc_bool(ts, false);
    for (int all = 0; all < 2 && tc_is_false(any); all++) {
        const tc_tvec *v = all ? &f->leaves : &f->sizes;
        for (size_t i = 0; i < v->len; i++) {
            tc_i128 x;
            if (v->data[i]->op == TC_T_SYM && v->data[i]->sort == TC_INT && tc_model_value(m, v->data[i], &x))
                any = tc_or(ts, any, tc_ne(ts, v->data[i], tc_int(ts, x)));
        }
    }
    return any;
}

static void soften(finder *f) {
    for (size_t i = 0; i < f->search->nsoft; i++)
        prefer(f, f->search->soft[i]);
}

// ---- models ----

// m holds: the same with smaller sizes, where there is one.
static void smaller(finder *f, tc_model *m) {
    tc_model less;
    if (!shrink(f) || check(f, RLIMIT_STEP) != TC_Z3_SAT)
        return;
    tc_model_read(&less, f->s, f->scratch, &f->leaves);
    if (holds(f, &less))
        *m = less;
}

static void offer(finder *f, tc_model *m, unsigned level) {
    smaller(f, m);
    f->models++;
    f->found = f->search->accept(f->search->ctx, m);
    pop_to(f, level);
    if (!f->found)
        say(f, different(f, m));
}

// The present level is satisfiable: offers a model that holds, or learns. false when neither is possible.
static bool pursue(finder *f, unsigned level) {
    soften(f);
    if (check(f, RLIMIT_STEP) != TC_Z3_SAT) {
        // A preference pushed the question over the budget: without them.
        pop_to(f, level);
        if (check(f, RLIMIT_STEP) != TC_Z3_SAT)
            return false;
    }
    tc_model m, exact;
    size_t known = f->learnt.len;
    tc_model_read(&m, f->s, f->scratch, &f->leaves);
    if (holds(f, &m)) {
        offer(f, &m, level);
        return true;
    }
    bool repaired = repair(f, &m);
    if (commit(f, &exact)) {
        offer(f, &exact, level);
        repaired = true;
    }
    pop_to(f, level);
    for (size_t i = known; i < f->learnt.len; i++)
        say(f, f->learnt.data[i]);
    return repaired;
}

// Models under what was said since the last push.
static tc_z3_answer models_here(finder *f) {
    unsigned level = f->levels, before = f->models;
    tc_z3_answer r = TC_Z3_SAT;
    for (size_t i = 0; i < f->learnt.len; i++)
        say(f, f->learnt.data[i]);
    for (unsigned i = 0; i < MODELS_PER_LIMIT + REPAIRS && !exhausted(f); i++) {
        r = check(f, RLIMIT_STEP);
        if (r != TC_Z3_SAT || !pursue(f, level) || f->models >= before + MODELS_PER_LIMIT ||
            (f->models == before && i + 1 >= REPAIRS))
            break;
    }
    pop_to(f, level);
    return r;
}

// ---- the search ----

static bool is_size(tc_t x) {
    return x->op == TC_T_SYM && x->variance == TC_VAR_LAUNCH;
}

static void fix_sizes(finder *f, tc_i128 v) {
    for (size_t i = 0; i < f->factors.len; i++) {
        tc_t x = f->factors.data[i];
        if (is_size(x))
            fix(f, x, tc_model_clamp(v, x->sym->has_lo, x->sym->lo, x->sym->has_hi, x->sym->hi));
    }
}

static void small_sizes(finder *f) {
    static const int limits[] = {1, 2, 3, 4, 8, 17, 33, 65, 130, 258, 1025, 70000};
    for (size_t k = 0; k < sizeof limits / sizeof *limits && !exhausted(f); k++) {
        unsigned level = f->levels, before = f->models;
        push(f);
        f->limit = limits[k];
        for (size_t i = 0; i < f->sizes.len; i++) {
            tc_t t = f->sizes.data[i];
            tc_i128 hi = t->sym->has_lo && t->sym->lo > limits[k] ? t->sym->lo : limits[k];
            say(f, tc_bound_term(f->s->ts, t, false, hi));
            say(f, tc_bound_term(f->s->ts, t, true, -hi));
        }
        // Where nothing is found, all sizes the same.
        if (models_here(f) != TC_Z3_UNSAT && f->models == before && f->factors.len && !exhausted(f)) {
            push(f);
            fix_sizes(f, limits[k]);
            models_here(f);
        }
        pop_to(f, level);
    }
    f->limit = 0;
}

// Sizes at which products and sums leave 32 bits; one size is fixed, so that most products are linear.
static void large_sizes(finder *f) {
    static const int64_t values[] = {46341, 65536, INT32_MAX, 32768, 1 << 30, (1 << 24) + 1};
    unsigned level = f->levels;
    push(f);
    models_here(f);
    pop_to(f, level);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (size_t i = 0, tried = 0; i < f->factors.len && tried < 4 && !exhausted(f); i++) {
            tc_t x = f->factors.data[i];
            if (!is_size(x))
                continue;
            tried++;
            if ((x->sym->has_lo && x->sym->lo > values[k]) || (x->sym->has_hi && x->sym->hi < values[k]))
                continue;
            push(f);
            fix(f, x, values[k]);
            models_here(f);
            pop_to(f, level);
        }
}

static bool is_new(finder *f, tc_t t) {
    if (tc_map_has(&f->seen, TC_KEY(t)))
        return false;
    tc_map_put(f->scratch, &f->seen, TC_KEY(t), f);
    return true;
}

static void collect(void *ctx, tc_t t) {
    finder *f = ctx;
    if ((t->op != TC_T_SYM && t->op != TC_T_APP) || !is_new(f, t))
        return;
    tc_push(f->scratch, &f->leaves, t);
    if (t->op == TC_T_SYM && t->sort == TC_INT &&
        (t->variance == TC_VAR_LAUNCH || t->sym->kind == TC_SYM_COUNTER || t->sym->kind == TC_SYM_TRIPS))
        tc_push(f->scratch, &f->sizes, t);
}

static void collect_product(finder *f, tc_t t) {
    t = tc_is_const(t->args[0]) ? tc_tnode_of(t)->core : t;
    if (t->op != TC_T_MUL)
        return;
    for (size_t i = 0; i < f->products.len; i++)
        if (f->products.data[i] == t)
            return;
    tc_push(f->scratch, &f->products, t);
    for (uint32_t i = 0; i < t->nargs; i++) {
        bool known = false;
        for (size_t k = 0; k < f->factors.len && !known; k++)
            known = f->factors.data[k] == t->args[i];
        if (!known)
            tc_push(f->scratch, &f->factors, t->args[i]);
    }
}

// Of lowered formulas.
static void collect_lowered(void *ctx, tc_t t) {
    finder *f = ctx;
    if (t->op == TC_T_MUL)
        collect_product(f, t);
    else if (t->op == TC_T_APP && tc_lower_is_internal(f->s->lowering, t->fn) && is_new(f, t))
        tc_push(f->scratch, &f->internal, t);
}

static void begin(finder *f) {
    tc_tvec all = {0}, lemmas = {0};
    // The negated goal is the last.
    for (size_t i = f->nhyps; i-- > 0;) {
        tc_walk(f->s->ts, f->hyps[i], collect, f);
        tc_push(f->scratch, &all, tc_lower(f->s->lowering, f->hyps[i]));
    }
    tc_lower_facts(f->s->lowering, f->scratch, &all);
    tc_lemmas(f->s->ts, f->scratch, all.data, all.len, 1, false, &lemmas);
    tc_z3_begin(f->s->z3, f->scratch, false, false);
    for (size_t i = 0; i < all.len; i++) {
        tc_walk(f->s->ts, all.data[i], collect_lowered, f);
        tc_z3_assert(f->s->z3, all.data[i], false);
    }
    for (size_t i = 0; i < lemmas.len; i++)
        tc_z3_assert(f->s->z3, lemmas.data[i], false);
    // Sizes that only the limits speak of.
    for (size_t i = 0; i < f->leaves.len; i++)
        if (f->leaves.data[i]->op == TC_T_SYM && f->leaves.data[i]->sort == TC_INT)
            say(f, tc_bound_term(f->s->ts, f->leaves.data[i], true, TC_I128_MIN / 4));
}

bool tc_find(tc_solver *s, const tc_t *hyps, size_t nhyps, const tc_search *search) {
    for (size_t i = 0; i < nhyps; i++)
        if (tc_is_false(hyps[i]))
            return false;
    finder f = {.s = s, .hyps = hyps, .nhyps = nhyps, .search = search, .tries = search->tries ? search->tries : 1};
    if (is_spent(&f))
        return false;
    f.scratch = tc_arena_new(tc_arena_trap(s->arena));
    tc_solver_catch_up(s, f.scratch);
    s->asked = NULL;
    begin(&f);
    small_sizes(&f);
    if (search->large && !exhausted(&f))
        large_sizes(&f);
    tc_z3_end(s->z3);
    s->searched += f.spent;
    tc_arena_free(f.scratch);
    return f.found;
}
