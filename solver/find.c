// Searching for values: real products, sizes under growing limits. What Z3 gives is evaluated exactly before it counts.
#include "solver/solvei.h"

enum {
    RLIMIT_STEP = 50000,
    RLIMIT_SMALL = 10000,   // preferences and smaller values
    RLIMIT_ALL = 500000,   // of one search, at an effort of 100
    MODELS_PER_LIMIT = 3,
    REPAIRS = 4,            // corrections of functions that Z3 does not know
    SHRINK_SYMS = 8
};

typedef struct entry {
    const tc_fn *fn;
    const tc_i128 *args;
    tc_i128 value;
} entry;

struct tc_model {
    tc_solver *s;
    tc_map syms; // symbol -> tc_i128 *
    TC_VEC(entry) table;
};

typedef struct finder {
    tc_solver *s;
    tc_arena *scratch;
    const tc_t *hyps;
    size_t nhyps;
    const tc_search *search;
    tc_tvec leaves;   // symbols, and applications of the caller's functions after their arguments
    tc_tvec sizes;    // what the limits bound: launch symbols and counters
    tc_tvec factors;  // launch symbols that stand in products
    tc_tvec internal; // lowered applications of internal functions
    tc_tvec learnt;   // corrections of internal functions
    tc_map seen;
    unsigned levels, models, tries;
    uint64_t spent;
    bool found;
} finder;

// ---- values ----

static tc_i128 clamp(tc_i128 v, bool has_lo, tc_i128 lo, bool has_hi, tc_i128 hi) {
    if (has_lo && v < lo)
        return lo;
    return has_hi && v > hi ? hi : v;
}

static bool model_sym(void *ctx, const tc_sym *s, tc_i128 *r) {
    const tc_model *m = ctx;
    const tc_i128 *v = tc_map_get(&m->syms, TC_KEY(s));
    *r = v ? *v : s->sort == TC_BOOL ? 0 : clamp(0, s->has_lo, s->lo, s->has_hi, s->hi);
    return true;
}

static bool same_args(const tc_fn *f, const tc_i128 *a, const tc_i128 *b) {
    for (uint32_t i = 0; i < f->arity; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool model_app(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r) {
    const tc_model *m = ctx;
    if (tc_lower_is_internal(m->s->lowering, f))
        return tc_lower_value(m->s->lowering, f, args, r);
    *r = clamp(0, f->has_lo, f->lo, f->has_hi, f->hi);
    for (size_t i = 0; i < m->table.len; i++)
        if (m->table.data[i].fn == f && same_args(f, m->table.data[i].args, args))
            *r = m->table.data[i].value;
    return true;
}

bool tc_model_value(tc_model *m, tc_t t, tc_i128 *r) {
    tc_env env = {.app = model_app, .sym = model_sym, .ctx = m};
    return tc_eval(m->s->ts, t, &env, r);
}

void tc_model_table(tc_model *m, const tc_fn *f, void (*fn)(void *ctx, const tc_i128 *args, tc_i128 value), void *ctx) {
    for (size_t i = 0; i < m->table.len; i++)
        if (m->table.data[i].fn == f)
            fn(ctx, m->table.data[i].args, m->table.data[i].value);
}

static void read_app(finder *f, tc_model *m, tc_t t, tc_i128 value) {
    tc_i128 *args = TC_NEW_ARRAY(f->scratch, tc_i128, t->nargs + 1);
    for (uint32_t i = 0; i < t->nargs; i++)
        if (!tc_model_value(m, t->args[i], &args[i]))
            return;
    for (size_t i = 0; i < m->table.len; i++)
        if (m->table.data[i].fn == t->fn && same_args(t->fn, m->table.data[i].args, args))
            return;
    tc_push(f->scratch, &m->table, ((entry){t->fn, args, value}));
}

// What Z3 says of the leaves, arguments before the functions applied to them.
static void read_model(finder *f, tc_model *m) {
    *m = (tc_model){.s = f->s};
    for (size_t i = 0; i < f->leaves.len; i++) {
        tc_t t = f->leaves.data[i];
        tc_i128 v;
        if (!tc_z3_value(f->s->z3, tc_lower(f->s->lowering, t), &v))
            continue;
        if (t->op == TC_T_APP) {
            read_app(f, m, t, v);
            continue;
        }
        tc_i128 *keep = TC_NEW(f->scratch, tc_i128);
        *keep = v;
        tc_map_put(f->scratch, &m->syms, TC_KEY(t->sym), keep);
    }
}

static bool holds(finder *f, tc_model *m) {
    for (size_t i = 0; i < f->nhyps; i++) {
        tc_i128 v;
        if (!tc_model_value(m, f->hyps[i], &v) || v != 1)
            return false;
    }
    return true;
}

// ---- questions ----

static tc_z3_answer check(finder *f, uint64_t rlimit) {
    return tc_z3_check(f->s->z3, rlimit * f->s->effort / 100, &f->spent);
}

static bool exhausted(const finder *f) {
    return f->found || f->models >= f->tries || f->spent > (uint64_t)RLIMIT_ALL * f->s->effort / 100;
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
}

static void say(finder *f, tc_t t) {
    tc_z3_assert(f->s->z3, tc_lower(f->s->lowering, t), false);
}

// A condition that is kept if it can be; the level stays pushed then.
static bool prefer(finder *f, tc_t t) {
    push(f);
    say(f, t);
    if (f->spent <= (uint64_t)RLIMIT_ALL * f->s->effort / 100 && check(f, RLIMIT_SMALL) == TC_Z3_SAT)
        return true;
    pop_to(f, f->levels - 1);
    return false;
}

// Smaller values, one size after the other.
static void shrink(finder *f) {
    tc_i128 now[SHRINK_SYMS] = {0};
    size_t n = f->sizes.len < SHRINK_SYMS ? f->sizes.len : SHRINK_SYMS;
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
            if (steps[k] >= least && prefer(f, tc_bound_term(f->s->ts, t, false, steps[k])))
                break;
    }
}

// Z3's value of an operator that it does not know is wrong: says what it is for these arguments.
static bool repair(finder *f, tc_model *m) {
    tc_terms *ts = f->s->ts;
    bool repaired = false;
    for (size_t i = 0; i < f->internal.len; i++) {
        tc_t t = f->internal.data[i], when = tc_bool(ts, true);
        tc_i128 is, said, arg;
        if (!tc_model_value(m, t, &is) || !tc_z3_value(f->s->z3, t, &said) || is == said)
            continue;
        for (uint32_t k = 0; k < t->nargs; k++)
            if (tc_model_value(m, t->args[k], &arg))
                when = tc_and(ts, when, tc_eq(ts, t->args[k], tc_int(ts, arg)));
        tc_push(f->scratch, &f->learnt, tc_implies(ts, when, tc_eq(ts, t, tc_int(ts, is))));
        repaired = true;
    }
    return repaired;
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

// The present level is satisfiable: offers a model that holds. What is learnt is said one level down.
static void offer(finder *f, unsigned level, unsigned *repairs) {
    soften(f);
    shrink(f);
    tc_model m;
    if (check(f, RLIMIT_STEP) != TC_Z3_SAT) {
        // A preference pushed the question over the budget: without them.
        pop_to(f, level);
        if (check(f, RLIMIT_STEP) != TC_Z3_SAT) {
            *repairs = REPAIRS;
            return;
        }
    }
    read_model(f, &m);
    if (holds(f, &m)) {
        f->models++;
        *repairs = 0;
        f->found = f->search->accept(f->search->ctx, &m);
        pop_to(f, level);
        if (!f->found)
            say(f, different(f, &m));
        return;
    }
    size_t known = f->learnt.len;
    bool repaired = ++*repairs < REPAIRS && repair(f, &m);
    pop_to(f, level);
    for (size_t i = known; i < f->learnt.len; i++)
        tc_z3_assert(f->s->z3, f->learnt.data[i], false);
    if (!repaired)
        say(f, different(f, &m));
}

// Models under what was said since the last push.
static tc_z3_answer models_here(finder *f) {
    unsigned level = f->levels, repairs = 0;
    tc_z3_answer r = TC_Z3_SAT;
    for (size_t i = 0; i < f->learnt.len; i++)
        tc_z3_assert(f->s->z3, f->learnt.data[i], false);
    for (unsigned i = 0; i < MODELS_PER_LIMIT + REPAIRS && !exhausted(f); i++) {
        r = check(f, RLIMIT_STEP);
        if (r != TC_Z3_SAT)
            break;
        unsigned before = f->models;
        offer(f, level, &repairs);
        if (repairs >= REPAIRS || (f->models > before && f->models % MODELS_PER_LIMIT == 0))
            break;
    }
    pop_to(f, level);
    return r;
}

// ---- the search ----

static void fix_factors(finder *f, tc_i128 v) {
    for (size_t i = 0; i < f->factors.len; i++) {
        const tc_sym *s = f->factors.data[i]->sym;
        say(f, tc_eq(f->s->ts, f->factors.data[i], tc_int(f->s->ts, clamp(v, s->has_lo, s->lo, s->has_hi, s->hi))));
    }
}

static void small_sizes(finder *f) {
    static const int limits[] = {1, 2, 3, 4, 8, 17, 33, 65, 130, 258, 1025, 70000};
    for (size_t k = 0; k < sizeof limits / sizeof *limits && !exhausted(f); k++) {
        unsigned level = f->levels;
        push(f);
        for (size_t i = 0; i < f->sizes.len; i++) {
            tc_t t = f->sizes.data[i];
            tc_i128 hi = t->sym->has_lo && t->sym->lo > limits[k] ? t->sym->lo : limits[k];
            say(f, tc_bound_term(f->s->ts, t, false, hi));
            say(f, tc_bound_term(f->s->ts, t, true, -hi));
        }
        // Where the products are too much for it, they become linear.
        if (models_here(f) == TC_Z3_UNDEF && f->factors.len && !exhausted(f)) {
            push(f);
            fix_factors(f, limits[k]);
            models_here(f);
        }
        pop_to(f, level);
    }
}

// Sizes at which products and sums leave 32 bits; one size is fixed, so that most products are linear.
static void large_sizes(finder *f) {
    static const int64_t values[] = {46341, 65536, INT32_MAX, 32768, 1 << 30, (1 << 24) + 1};
    unsigned level = f->levels;
    push(f);
    models_here(f);
    pop_to(f, level);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (size_t i = 0; i < f->factors.len && i < 4 && !exhausted(f); i++) {
            const tc_sym *s = f->factors.data[i]->sym;
            if ((s->has_lo && s->lo > values[k]) || (s->has_hi && s->hi < values[k]))
                continue;
            push(f);
            say(f, tc_eq(f->s->ts, f->factors.data[i], tc_int(f->s->ts, values[k])));
            models_here(f);
            pop_to(f, level);
        }
}

static void collect(void *ctx, tc_t t) {
    finder *f = ctx;
    if ((t->op != TC_T_SYM && t->op != TC_T_APP && t->op != TC_T_MUL) || tc_map_has(&f->seen, TC_KEY(t)))
        return;
    tc_map_put(f->scratch, &f->seen, TC_KEY(t), f);
    if (t->op != TC_T_MUL)
        tc_push(f->scratch, &f->leaves, t);
    if (t->op == TC_T_SYM && t->sort == TC_INT &&
        (t->variance == TC_VAR_LAUNCH || t->sym->kind == TC_SYM_COUNTER || t->sym->kind == TC_SYM_TRIPS))
        tc_push(f->scratch, &f->sizes, t);
    for (uint32_t i = 0; t->op == TC_T_MUL && i < t->nargs; i++) {
        tc_t x = t->args[i];
        bool known = x->op != TC_T_SYM || x->variance != TC_VAR_LAUNCH || tc_is_const(t->args[0]) + 2u > t->nargs;
        for (size_t k = 0; k < f->factors.len && !known; k++)
            known = f->factors.data[k] == x;
        if (!known)
            tc_push(f->scratch, &f->factors, x);
    }
}

static void collect_internal(void *ctx, tc_t t) {
    finder *f = ctx;
    if (t->op != TC_T_APP || !tc_lower_is_internal(f->s->lowering, t->fn) || tc_map_has(&f->seen, TC_KEY(t)))
        return;
    tc_map_put(f->scratch, &f->seen, TC_KEY(t), f);
    tc_push(f->scratch, &f->internal, t);
}

static void begin(finder *f) {
    tc_tvec all = {0};
    for (size_t i = 0; i < f->nhyps; i++) {
        tc_walk(f->s->ts, f->hyps[i], collect, f);
        tc_push(f->scratch, &all, tc_lower(f->s->lowering, f->hyps[i]));
    }
    tc_lower_facts(f->s->lowering, f->scratch, &all);
    tc_z3_begin(f->s->z3, f->scratch, true);
    for (size_t i = 0; i < all.len; i++) {
        tc_walk(f->s->ts, all.data[i], collect_internal, f);
        tc_z3_assert(f->s->z3, all.data[i], false);
    }
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
    f.scratch = tc_arena_new(tc_arena_trap(s->arena));
    begin(&f);
    small_sizes(&f);
    if (search->large && !exhausted(&f))
        large_sizes(&f);
    tc_z3_end(s->z3);
    tc_arena_free(f.scratch);
    return f.found;
}
