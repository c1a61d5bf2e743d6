// Small launches that a contract allows. Values come from short lists of telling numbers; what breaks a fact is
// repaired by changing one variable of it at a time.
#include <string.h>

#include "checker/launch.h"

enum {
    MAX_VARS = 64,
    MAX_VALUES = 96,
    MAX_REPAIRS = 60,
    MAX_VARIABLES = 6, // ways to set variables of the device
    LARGE_LIMIT = 1000000 // instructions of a large launch's few threads
};

typedef enum var_kind { VAR_SCALAR, VAR_GRID, VAR_BLOCK, VAR_NULL, VAR_FUNCTION, VAR_VARIABLES, VAR_IN_PLACE } var_kind;

typedef struct var {
    var_kind kind;
    uint32_t index; // of the scalar, object or function, or the axis
    const tc_sym *sym;
    bool shapes; // a size: part of a shape, a region, a fact or the launch
    tc_i128 lo, hi;
    tc_i128 values[MAX_VALUES]; // candidates, small ones first
    unsigned n;
} var;

typedef struct sweep {
    tc_arena *a;
    tc_contract *c;
    tc_launch l;
    var *vars;
    unsigned nvars;
    uint64_t rng;
    TC_VEC(tc_i128) constants; // that stand in the contract
    tc_map seen;
    uint64_t max_threads;
    tc_i128 cap; // of the values tried
    bool by_contents; // sizes depend on what is stored: contents are chosen first
} sweep;

static uint64_t next(sweep *s) {
    s->rng = tc_hash_mix(s->rng, 0x9e3779b97f4a7c15u);
    return s->rng;
}

// ---- the terms of a contract ----

typedef void (*term_fn)(void *ctx, tc_t t);

static void each_region_term(const tc_object_contract *o, term_fn fn, void *ctx) {
    for (unsigned d = 0; d < o->ndims; d++) {
        const tc_t terms[] = {o->shape[d], o->stride[d], o->tile[d], o->at[d]};
        for (size_t k = 0; k < sizeof terms / sizeof *terms; k++)
            if (terms[k])
                fn(ctx, terms[k]);
    }
    const tc_t more[] = {o->owner, o->rows_lo, o->rows_hi, o->range_lo, o->range_hi, o->init, o->align};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        if (more[k])
            fn(ctx, more[k]);
}

static void each_term(const tc_contract *c, term_fn fn, void *ctx) {
    for (size_t i = 0; i < c->objects.len; i++)
        each_region_term(&c->objects.data[i], fn, ctx);
    for (int d = 0; d < 3; d++) {
        if (c->has_block && c->block[d])
            fn(ctx, c->block[d]);
        if (c->has_grid && c->grid[d])
            fn(ctx, c->grid[d]);
    }
    if (c->has_smem && c->smem)
        fn(ctx, c->smem);
    for (size_t i = 0; i < c->facts.len; i++)
        if (c->facts.data[i].term->variance <= TC_VAR_LAUNCH)
            fn(ctx, c->facts.data[i].term);
    for (size_t i = 0; i < c->foralls.len; i++)
        fn(ctx, c->foralls.data[i].term);
}

typedef struct mention {
    const tc_sym *sym;
    bool found;
} mention;

static bool is_mention(void *ctx, tc_t t) {
    const mention *m = ctx;
    return t->op == TC_T_SYM && t->sym == m->sym;
}

static bool mentions(tc_contract *c, tc_t t, const tc_sym *s) {
    mention m = {s, false};
    return tc_any(c->terms, t, is_mention, &m);
}

typedef struct search_sym {
    tc_contract *c;
    const tc_sym *sym;
    bool found;
} search_sym;

static void look(void *ctx, tc_t t) {
    search_sym *s = ctx;
    s->found = s->found || mentions(s->c, t, s->sym);
}

static bool is_mentioned(tc_contract *c, const tc_sym *sym) {
    search_sym s = {c, sym, false};
    if (sym)
        each_term(c, look, &s);
    return s.found;
}

static void take_constant(void *ctx, tc_t t) {
    sweep *s = ctx;
    if (t->op != TC_T_CONST || t->sort != TC_INT || t->value < 2 || t->value > 4096)
        return;
    for (size_t i = 0; i < s->constants.len; i++)
        if (s->constants.data[i] == t->value)
            return;
    if (s->constants.len < 16)
        tc_push(s->a, &s->constants, t->value);
}

static void take_constants(void *ctx, tc_t t) {
    sweep *s = ctx;
    tc_walk(s->c->terms, t, take_constant, s);
}

// ---- candidates ----

static void add(var *v, tc_i128 x) {
    if (x < v->lo || x > v->hi || v->n == MAX_VALUES)
        return;
    for (unsigned i = 0; i < v->n; i++)
        if (v->values[i] == x)
            return;
    v->values[v->n++] = x;
}

static void sort(var *v) {
    for (unsigned i = 1; i < v->n; i++)
        for (unsigned j = i; j > 0; j--) {
            tc_i128 a = v->values[j - 1] < 0 ? -v->values[j - 1] : v->values[j - 1];
            tc_i128 b = v->values[j] < 0 ? -v->values[j] : v->values[j];
            if (a <= b)
                break;
            tc_i128 t = v->values[j];
            v->values[j] = v->values[j - 1];
            v->values[j - 1] = t;
        }
}

static void fill_candidates(sweep *s, var *v) {
    static const int sizes[] = {1,  2,   3,   0,   5,   7,   4,   8,   15,  16,  17,  31,  32,  33,   35,   63,  64,
                                65, 100, 127, 128, 129, 130, 255, 256, 257, 300, 511, 512, 513, 1000, 1024, 1025};
    static const int flags[] = {0, 1, 2, 3, -1, 4, 5, 7, 8, -2, 16, 31, 32, 40, 64, -7, 100};
    static const int blocks[] = {32, 64, 1, 2, 128, 4, 8, 16, 96, 48, 256, 3, 24, 512, 1024};
    static const int grids[] = {1, 2, 3, 4, 5, 7};
    if (v->kind == VAR_NULL || v->kind == VAR_IN_PLACE) {
        add(v, 0);
        add(v, 1);
    } else if (v->kind == VAR_VARIABLES) {
        for (int i = 0; i <= MAX_VARIABLES; i++)
            add(v, i);
    } else if (v->kind == VAR_FUNCTION) {
        add(v, 0);
        for (size_t i = 0; i < s->c->callable.len; i++)
            add(v, s->c->callable.data[i].number);
        return;
    } else if (v->kind == VAR_BLOCK) {
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            add(v, blocks[i]);
    } else if (v->kind == VAR_GRID) {
        for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
            add(v, grids[i]);
    } else if (v->shapes) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            add(v, sizes[i]);
        for (size_t i = 0; i < s->constants.len; i++) {
            tc_i128 k = s->constants.data[i];
            const tc_i128 near[] = {k, k - 1, k + 1, 2 * k, 2 * k + 1, 3 * k, 4 * k};
            for (size_t j = 0; j < sizeof near / sizeof *near; j++)
                if (near[j] <= 8192)
                    add(v, near[j]);
        }
    } else {
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            add(v, flags[i]);
    }
    if (v->n == 0 || v->lo > 1) { // a range that lies elsewhere
        add(v, v->lo);
        add(v, v->lo + 1);
        add(v, v->lo * 2);
    }
    sort(v);
}

static void new_var(sweep *s, var_kind kind, uint32_t index, tc_t term, tc_i128 lo, tc_i128 hi) {
    if (s->nvars == MAX_VARS)
        return;
    var *v = &s->vars[s->nvars++];
    *v = (var){.kind = kind, .index = index, .lo = lo, .hi = hi};
    if (term && term->op == TC_T_SYM) {
        v->sym = term->sym;
        if (v->sym->has_lo && v->sym->lo > v->lo)
            v->lo = v->sym->lo;
        if (v->sym->has_hi && v->sym->hi < v->hi)
            v->hi = v->sym->hi;
    }
    v->shapes = kind != VAR_SCALAR || is_mentioned(s->c, v->sym);
    fill_candidates(s, v);
}

static void make_vars(sweep *s) {
    tc_contract *c = s->c;
    each_term(c, take_constants, s);
    for (uint32_t i = 0; i < c->scalars.len; i++) {
        const tc_scalar *x = &c->scalars.data[i];
        bool is_int = x->type->kind == TC_TY_INT || x->type->kind == TC_TY_BOOL;
        if (tc_is_const(x->term))
            s->l.scalars[i] = x->term->value;
        else if (is_int)
            new_var(s, VAR_SCALAR, i, x->term, x->type->kind == TC_TY_BOOL ? 0 : -(tc_i128)INT64_MAX,
                    x->type->kind == TC_TY_BOOL ? 1 : INT64_MAX);
    }
    static const tc_i128 most_block[3] = {1024, 1024, 64};
    for (uint32_t d = 0; d < 3; d++) {
        // A dimension that the contract does not name, and that nothing in it depends on, is 1.
        bool named = is_mentioned(c, c->syms.block_dim[d]->sym) || is_mentioned(c, c->syms.thread_idx[d]->sym);
        if (!c->has_block && !c->unread_block[d] && (d == 0 || named))
            new_var(s, VAR_BLOCK, d, c->syms.block_dim[d], 1, most_block[d]);
    }
    for (uint32_t d = 0; d < 3; d++) {
        bool named = is_mentioned(c, c->syms.grid_dim[d]->sym) || is_mentioned(c, c->syms.block_idx[d]->sym);
        if (!c->has_grid && !c->unread_grid[d] && (d == 0 || named))
            new_var(s, VAR_GRID, d, c->syms.grid_dim[d], 1, 65535);
    }
    for (uint32_t i = 0; i < c->objects.len; i++)
        if (c->objects.data[i].optional)
            new_var(s, VAR_NULL, i, c->objects.data[i].nonnull, 0, 1);
    for (uint32_t i = 0; i < c->functions.len; i++)
        new_var(s, VAR_FUNCTION, i, c->functions.data[i].which, 0, INT32_MAX);
    for (uint32_t i = 0; i < c->objects.len; i++)
        if (c->joins && c->objects.data[i].inplace) {
            new_var(s, VAR_IN_PLACE, 0, NULL, 0, 1);
            break;
        }
    if (c->sets_variables)
        new_var(s, VAR_VARIABLES, 0, NULL, 0, MAX_VARIABLES);
}

// ---- values ----

static void assign(sweep *s, const var *v, tc_i128 x) {
    switch (v->kind) {
    case VAR_SCALAR:
        s->l.scalars[v->index] = x;
        break;
    case VAR_GRID:
        s->l.grid[v->index] = (uint32_t)x;
        break;
    case VAR_BLOCK:
        s->l.block[v->index] = (uint32_t)x;
        break;
    case VAR_NULL:
        s->l.buffers[v->index].null = x != 0;
        break;
    case VAR_FUNCTION:
        s->l.functions[v->index] = (uint32_t)x;
        break;
    case VAR_VARIABLES:
        s->l.variables = (uint32_t)x;
        break;
    case VAR_IN_PLACE:
        s->l.in_place = x != 0;
        break;
    }
}

static tc_i128 value(const sweep *s, const var *v) {
    return v->kind == VAR_SCALAR  ? s->l.scalars[v->index]
           : v->kind == VAR_GRID  ? s->l.grid[v->index]
           : v->kind == VAR_BLOCK ? s->l.block[v->index]
           : v->kind == VAR_NULL  ? (tc_i128)s->l.buffers[v->index].null
           : v->kind == VAR_FUNCTION ? (tc_i128)s->l.functions[v->index]
           : v->kind == VAR_IN_PLACE ? (tc_i128)s->l.in_place
                                     : (tc_i128)s->l.variables;
}

static bool set_extents(sweep *s, const tc_t *terms, uint32_t *out) {
    for (int d = 0; d < 3; d++) {
        tc_i128 v = 1;
        if (terms[d] && !tc_launch_eval(s->c, &s->l, NULL, NULL, terms[d], &v))
            return false;
        if (v < 0 || v > UINT32_MAX)
            return false;
        out[d] = (uint32_t)v;
    }
    return true;
}

// What the contract derives from the variables: block, grid, shared memory.
static bool derive(sweep *s) {
    tc_contract *c = s->c;
    tc_i128 smem;
    const char *why = NULL;
    if (s->by_contents)
        tc_launch_size(s->a, c, NULL, &s->l, &why); // what has a size gets it
    if (c->has_block && !set_extents(s, c->block, s->l.block))
        return false;
    if (c->has_grid && !set_extents(s, c->grid, s->l.grid))
        return false;
    s->l.smem = 49152; // nothing is said of it: what every device has
    if (c->has_smem) {
        if (!tc_launch_eval(c, &s->l, NULL, NULL, c->smem, &smem) || smem < 0 || smem > INT32_MAX)
            return false;
        s->l.smem = (uint64_t)smem;
    }
    return true;
}

// The first fact that does not hold, among those over the launch.
static tc_t broken(sweep *s) {
    if (!derive(s))
        return NULL;
    const tc_fact *f = NULL;
    return tc_launch_allowed(s->c, &s->l, &f) ? NULL : f->term;
}

static bool fact_true(sweep *s, tc_t t) {
    tc_i128 r;
    return derive(s) && tc_launch_eval(s->c, &s->l, NULL, NULL, t, &r) && r != 0;
}

typedef struct derived {
    sweep *s;
    const var *v;
    tc_i128 values[24];
    unsigned n;
} derived;

// A subterm that does not depend on the variable: its value, and those beside it, may be what the fact wants.
static void take_value(void *ctx, tc_t t) {
    derived *d = ctx;
    tc_i128 r;
    if (d->n + 3 > 24 || t->sort != TC_INT || mentions(d->s->c, t, d->v->sym) ||
        !tc_launch_eval(d->s->c, &d->s->l, NULL, NULL, t, &r))
        return;
    d->values[d->n++] = r;
    d->values[d->n++] = r + 1;
    d->values[d->n++] = -r;
}

// Gives v a value that makes the fact hold; false, and v unchanged, when none is found.
static bool repair_with(sweep *s, const var *v, tc_t fact) {
    tc_i128 before = value(s, v);
    uint64_t start = next(s) % (v->n ? v->n : 1);
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < v->n; i++) {
            tc_i128 x = v->values[pass == 0 ? i : (start + i) % v->n];
            if (pass == 0 && (i < start || x > s->cap)) // near the chosen size first
                continue;
            assign(s, v, x);
            if (fact_true(s, fact))
                return true;
        }
    assign(s, v, before);
    derived d = {s, v, {0}, 0};
    tc_walk(s->c->terms, fact, take_value, &d);
    for (unsigned i = 0; i < d.n; i++) {
        if (d.values[i] < v->lo || d.values[i] > v->hi)
            continue;
        assign(s, v, d.values[i]);
        if (fact_true(s, fact))
            return true;
    }
    assign(s, v, before);
    return false;
}

// Does the fact depend on v, also by way of what is derived from it?
static bool touches(sweep *s, const var *v, tc_t fact) {
    if (mentions(s->c, fact, v->sym))
        return true;
    for (int d = 0; d < 3; d++) {
        const tc_sym *g = s->c->syms.grid_dim[d]->sym, *b = s->c->syms.block_dim[d]->sym;
        if (s->c->has_grid && g && mentions(s->c, fact, g) && mentions(s->c, s->c->grid[d], v->sym))
            return true;
        if (s->c->has_block && b && mentions(s->c, fact, b) && mentions(s->c, s->c->block[d], v->sym))
            return true;
    }
    return false;
}

static bool repair(sweep *s) {
    for (int round = 0; round < MAX_REPAIRS; round++) {
        tc_t fact = broken(s);
        if (!fact)
            return derive(s);
        uint64_t start = next(s);
        bool fixed = false;
        for (unsigned k = 0; k < s->nvars && !fixed; k++) {
            const var *v = &s->vars[(start + k) % s->nvars];
            if (v->sym && touches(s, v, fact))
                fixed = repair_with(s, v, fact);
        }
        if (!fixed)
            return false;
    }
    return false;
}

static uint64_t identity(const sweep *s) {
    uint64_t h = 0;
    for (unsigned i = 0; i < s->nvars; i++)
        h = tc_hash_mix(h, (uint64_t)value(s, &s->vars[i]));
    return h;
}

static bool is_runnable(sweep *s) {
    uint64_t blocks = (uint64_t)s->l.grid[0] * s->l.grid[1] * s->l.grid[2];
    uint64_t threads = (uint64_t)s->l.block[0] * s->l.block[1] * s->l.block[2];
    return blocks > 0 && threads > 0 && threads <= 4096 && blocks <= s->max_threads &&
           blocks * threads <= s->max_threads;
}

// Contents at the ends of their range show other faults than random ones.
static void reset_buffers(sweep *s) {
    for (size_t i = 0; i < s->c->objects.len; i++) {
        bool null = s->l.buffers[i].null;
        static const uint8_t modes[] = {0, 0, 2, 0, 1, 0, 3, 2};
        s->l.buffers[i] = (tc_buffer){.null = null, .mode = modes[next(s) % sizeof modes]};
        if (s->by_contents && s->cap < INT64_MAX)
            s->l.buffers[i].span = 1 + next(s) % (uint64_t)(4 * s->cap);
    }
}

static bool complete(sweep *s) {
    const char *why = NULL;
    if (!s->by_contents)
        reset_buffers(s);
    return tc_launch_size(s->a, s->c, NULL, &s->l, &why) && tc_launch_contents(s->c, &s->l);
}

// One of the first k candidates; the larger half comes up more often, as most faults need several tiles in some
// dimension.
static unsigned pick(sweep *s, unsigned k) {
    uint64_t r = next(s);
    return r & 1 ? (unsigned)((r >> 8) % k) : k / 2 + (unsigned)((r >> 8) % (k - k / 2));
}

static void choose(sweep *s) {
    for (unsigned i = 0; i < s->nvars; i++) {
        const var *v = &s->vars[i];
        unsigned k = 0;
        bool sized = v->shapes && (v->kind == VAR_SCALAR || v->kind == VAR_GRID);
        while (k < v->n && (!sized || v->values[k] <= s->cap))
            k++;
        k = k ? k : 1;
        if (v->n)
            assign(s, v, v->values[sized ? pick(s, k) : next(s) % k]);
    }
    if (s->by_contents)
        reset_buffers(s);
}

static sweep *start(tc_arena *a, tc_contract *c, uint64_t seed) {
    sweep *s = TC_NEW(a, sweep);
    s->a = a;
    s->c = c;
    s->rng = seed + 12345;
    s->l.seed = seed;
    s->l.scalars = TC_NEW_ARRAY(a, tc_i128, c->scalars.len + 1);
    s->l.buffers = TC_NEW_ARRAY(a, tc_buffer, c->objects.len + 1);
    s->l.functions = TC_NEW_ARRAY(a, uint32_t, c->functions.len + 1);
    for (size_t i = 0; i < c->scalars.len; i++)
        s->l.scalars[i] = 1;
    for (size_t i = 0; i < c->functions.len; i++)
        s->l.functions[i] = TC_FUNCTION_UNSAID;
    for (int d = 0; d < 3; d++)
        s->l.grid[d] = s->l.block[d] = 1;
    s->vars = TC_NEW_ARRAY(a, var, MAX_VARS);
    s->by_contents = tc_launch_by_contents(c);
    make_vars(s);
    return s;
}

// The caller may keep the launch: it gets arrays of its own.
static tc_launch *copy_launch(const sweep *s) {
    tc_launch *l = TC_NEW(s->a, tc_launch);
    *l = s->l;
    l->scalars = TC_NEW_ARRAY(s->a, tc_i128, s->c->scalars.len + 1);
    l->buffers = TC_NEW_ARRAY(s->a, tc_buffer, s->c->objects.len + 1);
    l->functions = TC_NEW_ARRAY(s->a, uint32_t, s->c->functions.len + 1);
    if (s->c->functions.len)
        memcpy(l->functions, s->l.functions, s->c->functions.len * sizeof *l->functions);
    if (s->c->scalars.len)
        memcpy(l->scalars, s->l.scalars, s->c->scalars.len * sizeof *l->scalars);
    if (s->c->objects.len)
        memcpy(l->buffers, s->l.buffers, s->c->objects.len * sizeof *l->buffers);
    return l;
}

typedef struct given {
    size_t n, max;
    bool (*fn)(void *ctx, tc_launch *l);
    void *ctx;
    bool enough; // fn says so
} given;

// Gives the launch as it stands, if it is a new one. True when that was the last one.
static bool give(sweep *s, given *g) {
    tc_map_put(s->a, &s->seen, identity(s), s);
    g->n++;
    g->enough = g->fn(g->ctx, copy_launch(s));
    return g->enough || g->n == g->max;
}

static bool is_new(sweep *s) { return is_runnable(s) && !tc_map_has(&s->seen, identity(s)) && complete(s); }

static bool is_size(const var *v) { return v->kind == VAR_SCALAR && v->shapes; }

// The least value above the present one, and all others as they are.
static bool grow(sweep *s, const var *v) {
    const tc_i128 now = value(s, v);
    for (unsigned k = 0; k < v->n; k++) {
        assign(s, v, v->values[k]);
        if (v->values[k] > now && derive(s) && !broken(s))
            return true;
    }
    assign(s, v, now);
    return false;
}

// Where one launch takes long, few are made: from a small one each size grows by itself, so that each loop comes round again.
static bool grow_each(sweep *s, given *g) {
    for (unsigned i = 0; i < s->nvars; i++)
        if (is_size(&s->vars[i]))
            assign(s, &s->vars[i], s->vars[i].values[0]);
    if (!repair(s))
        return false;
    for (unsigned i = 0; i < s->nvars; i++) {
        const tc_i128 least = value(s, &s->vars[i]);
        if (!is_size(&s->vars[i]) || !grow(s, &s->vars[i]))
            continue;
        s->l.seed++;
        if (is_new(s) && give(s, g))
            return true;
        assign(s, &s->vars[i], least);
    }
    return false;
}

bool tc_launch_sweep(tc_arena *a, tc_contract *c, uint64_t seed, size_t max, bool (*fn)(void *ctx, tc_launch *l),
                     void *ctx) {
    static const int caps[] = {1, 3, 8, 17, 35, 35, 66, 66, 130, 130, 260, 520, 1100};
    enum { LEVELS = sizeof caps / sizeof *caps, before_growing = 4 };
    sweep *s = start(a, c, seed);
    given g = {0, max, fn, ctx, false};
    // Each level gives its share; what small sizes cannot give is left to larger ones.
    for (size_t level = 0; level < LEVELS && g.n < max; level++) {
        size_t share = (max - g.n) / (LEVELS - level), tries = 8 * (share + 1), got = 0;
        s->cap = caps[level];
        s->max_threads = level < 4 ? 4096 : 16384;
        for (size_t k = 0; k < tries && got < share + (share == 0 && level % 2 == 0); k++) {
            choose(s);
            s->l.seed = seed + g.n + (s->by_contents ? k << 16 : 0);
            if (!repair(s) || !is_new(s))
                continue;
            got++;
            if (give(s, &g) || (g.n == before_growing && share >= before_growing && grow_each(s, &g)))
                return g.enough;
        }
    }
    return false;
}

// ---- large launches, of which a few threads run ----

static void fill_large(var *v) {
    static const int64_t sizes[] = {
        46341, 65536, 32768,  1048576, 1 << 24, 1 << 30, INT32_MAX, INT64_C(1) << 32, (INT64_C(1) << 32) + 1,
        16384, 4096,  131072, 128,     33,      2};
    v->n = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        add(v, sizes[i]);
    if (v->hi < INT64_MAX)
        add(v, v->hi);
    add(v, v->lo > 1 ? v->lo : 1);
    sort(v);
}

static void corner(const uint32_t *extent, unsigned k, uint32_t *idx) {
    for (int d = 0; d < 3; d++)
        idx[d] = k == 0 ? 0 : k == 1 ? extent[d] - 1 : extent[d] / 2;
}

static void choose_threads(sweep *s) {
    uint32_t (*only)[6] = tc_alloc_array(s->a, 9, sizeof *only);
    size_t n = 0;
    for (unsigned b = 0; b < 3; b++)
        for (unsigned t = 0; t < 3; t++) {
            uint32_t o[6];
            corner(s->l.grid, b == 0 ? 1 : b == 1 ? 0 : 2, o);
            corner(s->l.block, t, o + 3);
            bool known = false;
            for (size_t i = 0; i < n; i++)
                known |= memcmp(only[i], o, sizeof o) == 0;
            if (!known)
                memcpy(only[n++], o, sizeof o);
        }
    s->l.only = (const uint32_t (*)[6])only;
    s->l.nonly = n;
    s->l.max_steps = LARGE_LIMIT;
}

bool tc_launch_large(tc_arena *a, tc_contract *c, uint64_t seed, size_t max, bool (*fn)(void *ctx, tc_launch *l),
                     void *ctx) {
    sweep *s = start(a, c, seed);
    size_t given = 0;
    for (unsigned i = 0; i < s->nvars; i++)
        if (s->vars[i].kind == VAR_SCALAR && s->vars[i].shapes)
            fill_large(&s->vars[i]);
        else if (s->vars[i].kind == VAR_GRID)
            add(&s->vars[i], 65535);
    s->cap = INT64_MAX;
    for (size_t k = 0; k < 12 * max && given < max; k++) {
        choose(s);
        s->l.seed = seed + k;
        uint64_t threads = 0;
        if (!repair(s) || tc_map_has(&s->seen, identity(s)))
            continue;
        threads = (uint64_t)s->l.block[0] * s->l.block[1] * s->l.block[2];
        if (threads == 0 || threads > 4096 || s->l.grid[0] == 0 || s->l.grid[1] == 0 || s->l.grid[2] == 0 ||
            !complete(s))
            continue;
        tc_map_put(a, &s->seen, identity(s), s);
        choose_threads(s);
        given++;
        if (fn(ctx, copy_launch(s)))
            return true;
    }
    return false;
}
