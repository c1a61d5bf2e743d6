// The launch: symbols for scalars, block and grid, and what the hardware and the declared launch say of them.
#include <string.h>

#include "checker/contract_build.h"

// CUDA C Programming Guide, "Technical Specifications per Compute Capability".
enum { MAX_THREADS = 1024, MAX_CLUSTER = 16 };
static const tc_i128 max_block[3] = {1024, 1024, 64};
static const tc_i128 max_grid[3] = {INT32_MAX, 65535, 65535};
static const tc_i128 max_smem = INT32_MAX; // above what any device has

static const char axis_names[] = "xyz";

// ---- scalars ----

static const tc_setting *find_define(const tc_options *o, const char *name) {
    for (size_t i = 0; i < o->defines.len; i++)
        if (strcmp(o->defines.data[i].name, name) == 0)
            return &o->defines.data[i];
    return NULL;
}

static void scalar_symbol(tc_build *b, uint32_t index) {
    tc_scalar *p = &b->c->scalars.data[index];
    tc_sym *s = tc_sym_new(b->c->terms, p->path, TC_SYM_PARAM, TC_VAR_LAUNCH, TC_INT);
    s->owner = index;
    tc_i128 lo, hi;
    tc_type_range(p->type, &lo, &hi);
    const tc_setting *fixed = find_define(b->options, p->path);
    if (fixed && (fixed->value < lo || fixed->value > hi))
        tc_contract_fail(b, b->kernel->loc, NULL, "define=%s: the value does not fit in %s", p->path, p->type->name);
    else if (fixed)
        lo = hi = fixed->value;
    tc_bounds_apply(b, s, TC_SYM_PARAM, index, lo, hi);
    p->term = lo == hi ? tc_int(b->c->terms, lo) : tc_of_sym(b->c->terms, s);
}

static void null_symbol(tc_build *b, uint32_t index) {
    tc_object_contract *o = &b->c->objects.data[index];
    o->nonnull = tc_bool(b->c->terms, true);
    if (!o->optional)
        return;
    tc_sym *s =
        tc_sym_new(b->c->terms, tc_fmt(b->arena, "%s != nullptr", o->path), TC_SYM_PARAM, TC_VAR_LAUNCH, TC_BOOL);
    s->owner = index;
    o->nonnull = tc_of_sym(b->c->terms, s);
}

static void function_symbol(tc_build *b, uint32_t index) {
    tc_function_param *f = &b->c->functions.data[index];
    tc_sym *s = tc_sym_new(b->c->terms, tc_fmt(b->arena, "the number of %s", f->path), TC_SYM_UNKNOWN, TC_VAR_LAUNCH, TC_INT);
    s->has_lo = s->has_hi = true;
    s->lo = b->options->null_functions && !f->type->is_reference ? 0 : 1;
    s->hi = INT32_MAX;
    f->which = tc_of_sym(b->c->terms, s);
}

// ---- extents ----

typedef struct extents {
    const char *name; // "blockDim"
    tc_sym_kind kind, index_kind;
    const char *index_name;
    tc_variance index_variance;
    const tc_i128 *most;
    bool has;            // declared, by a word or an option
    const tc_said *said; // by a word
    tc_t *declared, *defined;
    tc_t *dims, *indices; // of the launch symbols
} extents;

static void declare_by_word(tc_build *b, extents *x, unsigned sees) {
    tc_exprs args = {0};
    tc_scope s = {.b = b, .said = x->said, .sees = sees};
    if (!tc_words_args(b, x->said, &args, NULL))
        return;
    for (size_t d = 0; d < 3; d++) {
        tc_value v = {.kind = TC_MEANS_INT, .term = tc_int(b->c->terms, 1), .defined = tc_bool(b->c->terms, true)};
        if (d < args.len)
            v = tc_resolve_int(&s, args.data[d]);
        if (v.kind != TC_MEANS_INT)
            return;
        if (tc_is_const(v.term) && (v.term->value < 1 || v.term->value > x->most[d])) {
            tc_resolve_fail(&s, args.data[d], NULL,
                            v.term->value < 1 ? "%s.%c is %s: no launch is that small"
                                              : "%s.%c is %s: no launch is that large",
                            x->name, axis_names[d], tc_i128_text(b->arena, v.term->value));
            return;
        }
        x->declared[d] = v.term;
        x->defined[d] = v.defined;
    }
    x->has = true;
}

static void declare_by_option(tc_build *b, extents *x, const tc_extents *given) {
    for (size_t d = 0; d < 3; d++)
        if (given->dim[d] >= 0) {
            x->declared[d] = tc_int(b->c->terms, given->dim[d]);
            x->defined[d] = tc_bool(b->c->terms, true);
        }
    x->has = true;
}

static tc_t extent_symbol(tc_build *b, const extents *x, uint32_t d) {
    tc_t declared = x->declared[d];
    if (declared && tc_is_const(declared))
        return declared;
    tc_sym *s =
        tc_sym_new(b->c->terms, tc_fmt(b->arena, "%s.%c", x->name, axis_names[d]), x->kind, TC_VAR_LAUNCH, TC_INT);
    s->axis = d;
    tc_bounds_apply(b, s, x->kind, d, 1, x->most[d]);
    tc_interval r = declared ? tc_range_of(b->c->terms, declared) : (tc_interval){.has_lo = false};
    // SOUND: a launch has the declared extent, so the extent lies within the interval of what is declared.
    if (r.has_lo && r.lo > s->lo && r.lo < s->hi)
        s->lo = r.lo;
    if (r.has_hi && r.hi < s->hi && r.hi > s->lo)
        s->hi = r.hi;
    return tc_of_sym(b->c->terms, s);
}

static tc_t index_symbol(tc_build *b, const extents *x, uint32_t d) {
    tc_interval extent = tc_range_of(b->c->terms, x->dims[d]);
    if (extent.hi == 1)
        return tc_int(b->c->terms, 0);
    tc_sym *s = tc_sym_new(b->c->terms, tc_fmt(b->arena, "%s.%c", x->index_name, axis_names[d]), x->index_kind,
                           x->index_variance, TC_INT);
    s->axis = d;
    s->has_lo = s->has_hi = true;
    s->lo = 0;
    s->hi = extent.hi - 1;
    return tc_of_sym(b->c->terms, s);
}

static void extents_make(tc_build *b, extents *x, const tc_extents *option, unsigned sees) {
    if (x->said)
        declare_by_word(b, x, sees);
    else if (option->given)
        declare_by_option(b, x, option);
    for (uint32_t d = 0; d < 3; d++) {
        x->dims[d] = extent_symbol(b, x, d);
        x->indices[d] = index_symbol(b, x, d);
        if (x->has && !x->declared[d]) // free
            x->declared[d] = x->dims[d];
    }
}

static void block_symbols(tc_build *b) {
    tc_contract *c = b->c;
    const tc_said *said = b->kernel_words.of[TC_WORD_BLOCK];
    extents x = {"blockDim", TC_SYM_BLOCKDIM, TC_SYM_THREADIDX, "threadIdx",       TC_VAR_THREAD,     max_block, false,
                 said,       c->block,        b->block_defined, c->syms.block_dim, c->syms.thread_idx};
    extents_make(b, &x, &b->options->block, 0);
    c->has_block = x.has;
    c->block_loc = said ? said->loc : b->kernel->loc;
}

static void grid_symbols(tc_build *b) {
    tc_contract *c = b->c;
    const tc_said *said = b->kernel_words.of[TC_WORD_GRID];
    extents x = {"gridDim", TC_SYM_GRIDDIM, TC_SYM_BLOCKIDX, "blockIdx",      TC_VAR_BLOCK,     max_grid,
                 false,     said,           c->grid,         b->grid_defined, c->syms.grid_dim, c->syms.block_idx};
    extents_make(b, &x, &b->options->grid, TC_SEES_BLOCK_DIM);
    c->has_grid = x.has;
    c->grid_loc = said ? said->loc : b->kernel->loc;
}

// ---- shared memory, clusters ----

static void smem_symbol(tc_build *b) {
    tc_contract *c = b->c;
    const tc_said *said = b->kernel_words.of[TC_WORD_SMEM];
    tc_exprs args = {0};
    tc_scope s = {.b = b, .said = said, .sees = TC_SEES_LAUNCH};
    if (said && tc_words_args(b, said, &args, NULL)) {
        tc_value v = tc_resolve_int(&s, args.data[0]);
        if (v.kind == TC_MEANS_INT && tc_is_const(v.term) && (v.term->value < 0 || v.term->value > max_smem))
            v = tc_resolve_fail(&s, args.data[0], NULL, "no launch has %s bytes of shared memory",
                                tc_i128_text(b->arena, v.term->value));
        if (v.kind == TC_MEANS_INT) {
            c->has_smem = true;
            c->smem = v.term;
            b->smem_defined = v.defined;
        }
    }
    if (c->has_smem && tc_is_const(c->smem)) {
        c->syms.smem = c->smem;
        return;
    }
    tc_sym *sym = tc_sym_new(c->terms, "dynamic shared memory", TC_SYM_PARAM, TC_VAR_LAUNCH, TC_INT);
    sym->owner = UINT32_MAX; // no scalar
    sym->has_lo = sym->has_hi = true;
    sym->hi = max_smem;
    c->syms.smem = tc_of_sym(c->terms, sym);
}

static void cluster_extents(tc_build *b) {
    tc_contract *c = b->c;
    const tc_said *said = b->kernel_words.of[TC_WORD_CLUSTER];
    tc_exprs args = {0};
    tc_scope s = {.b = b, .said = said, .sees = 0};
    if (!said || !tc_words_args(b, said, &args, NULL))
        return;
    tc_i128 blocks = 1;
    for (size_t d = 0; d < 3; d++) {
        c->cluster[d] = tc_int(c->terms, 1);
        tc_value v =
            d < args.len ? tc_resolve_int(&s, args.data[d]) : (tc_value){.kind = TC_MEANS_INT, .term = c->cluster[d]};
        if (v.kind != TC_MEANS_INT)
            return;
        if (!tc_is_const(v.term) || v.term->value < 1 || v.term->value > MAX_CLUSTER) {
            tc_resolve_fail(&s, args.data[d], NULL, "the extent of a cluster is a constant between 1 and %d",
                            MAX_CLUSTER);
            return;
        }
        c->cluster[d] = v.term;
        blocks *= v.term->value;
    }
    if (blocks > MAX_CLUSTER)
        tc_contract_fail(b, said->loc, NULL, "a cluster has at most %d blocks", MAX_CLUSTER);
    else
        c->has_cluster = true;
}

void tc_launch_symbols(tc_build *b) {
    for (uint32_t i = 0; i < b->c->scalars.len; i++)
        scalar_symbol(b, i);
    for (uint32_t i = 0; i < b->c->objects.len; i++)
        null_symbol(b, i);
    for (uint32_t i = 0; i < b->c->functions.len; i++)
        function_symbol(b, i);
    block_symbols(b);
    grid_symbols(b);
    smem_symbol(b);
    cluster_extents(b);
}

// ---- facts ----

static void extent_facts(tc_build *b, const char *name, const tc_t *dims, const tc_i128 *most, tc_loc loc) {
    for (size_t d = 0; d < 3; d++) {
        if (tc_is_const(dims[d]))
            continue;
        tc_fact_bound(b, dims[d], true, 1, tc_fmt(b->arena, "%s.%c >= 1", name, axis_names[d]), loc);
        tc_fact_bound(b, dims[d], false, most[d],
                      tc_fmt(b->arena, "%s.%c <= %s", name, axis_names[d], tc_i128_text(b->arena, most[d])), loc);
    }
}

static void declared_facts(tc_build *b, const tc_said *said, const char *name, const tc_t *dims, const tc_t *declared,
                           const tc_t *defined) {
    tc_terms *ts = b->c->terms;
    tc_exprs args = {0};
    if (!said || !declared[2] || !tc_words_args(b, said, &args, NULL))
        return;
    for (size_t d = 0; d < args.len; d++)
        if (dims[d] != declared[d])
            tc_fact_push(
                b, tc_and(ts, defined[d], tc_eq(ts, dims[d], declared[d])),
                tc_fmt(b->arena, "%s.%c == %s", name, axis_names[d], tc_said_slice(b->arena, said, args.data[d])),
                said->loc);
}

static void index_facts(tc_build *b, const char *index, const char *extent, const tc_t *indices, const tc_t *dims) {
    for (size_t d = 0; d < 3; d++)
        tc_fact_push(b, tc_lt(b->c->terms, indices[d], dims[d]),
                     tc_fmt(b->arena, "%s.%c < %s.%c", index, axis_names[d], extent, axis_names[d]), b->kernel->loc);
}

static void too_many_threads(tc_build *b, tc_i128 threads, tc_i128 most) {
    const char *why = most == MAX_THREADS ? "a block has at most" : "__launch_bounds__ allows at most";
    tc_contract_fail(b, b->c->block_loc, NULL, "a block of %s threads: %s %s", tc_i128_text(b->arena, threads), why,
                     tc_i128_text(b->arena, most));
}

// The extents' product is at most `most`. Constants are divided out, so that one free extent has a bound of its own.
static void thread_facts(tc_build *b) {
    tc_terms *ts = b->c->terms;
    const tc_said *said = b->kernel_words.of[TC_WORD_BLOCK];
    tc_i128 most = MAX_THREADS, constant = 1;
    if (b->kernel->max_threads && (tc_i128)b->kernel->max_threads < most)
        most = (tc_i128)b->kernel->max_threads;
    tc_t free = NULL;
    unsigned nfree = 0;
    for (size_t d = 0; d < 3; d++) {
        tc_t x = b->c->syms.block_dim[d];
        if (tc_is_const(x)) {
            constant *= x->value; // each at most 2^31
            continue;
        }
        free = free ? tc_mul(ts, free, x) : x;
        nfree++;
    }
    const char *text = tc_fmt(b->arena, "blockDim.x * blockDim.y * blockDim.z <= %s", tc_i128_text(b->arena, most));
    if (constant > most && said)
        too_many_threads(b, constant, most);
    else if (constant > most) // an option may ask for more than the hardware has
        return;
    else if (nfree == 1)
        tc_fact_bound(b, free, false, tc_floor_div(most, constant), text, b->c->block_loc);
    else if (nfree)
        tc_fact_push(b, tc_le(ts, free, tc_int(ts, tc_floor_div(most, constant))), text, b->c->block_loc);
}

static void cluster_facts(tc_build *b) {
    tc_terms *ts = b->c->terms;
    const tc_said *said = b->kernel_words.of[TC_WORD_CLUSTER];
    for (size_t d = 0; d < 3 && b->c->has_cluster; d++)
        if (b->c->cluster[d]->value > 1)
            tc_fact_push(b, tc_eq(ts, tc_mod(ts, b->c->syms.grid_dim[d], b->c->cluster[d]), tc_int(ts, 0)),
                         tc_fmt(b->arena, "gridDim.%c %% %s == 0", axis_names[d],
                                tc_i128_text(b->arena, b->c->cluster[d]->value)),
                         said->loc);
    for (size_t d = 0; d < 3; d++)
        if (b->kernel->cluster[d] > 1) // another launch fails (CUDA C++ Programming Guide, Thread Block Clusters)
            tc_fact_push(b, tc_eq(ts, tc_mod(ts, b->c->syms.grid_dim[d], tc_int(ts, (tc_i128)b->kernel->cluster[d])), tc_int(ts, 0)),
                         tc_fmt(b->arena, "__cluster_dims__: gridDim.%c %% %llu == 0", axis_names[d],
                                (unsigned long long)b->kernel->cluster[d]),
                         b->kernel->loc);
}

void tc_launch_facts(tc_build *b) {
    const tc_launch_syms *s = &b->c->syms;
    tc_loc loc = b->kernel->loc;
    extent_facts(b, "blockDim", s->block_dim, max_block, loc);
    extent_facts(b, "gridDim", s->grid_dim, max_grid, loc);
    thread_facts(b);
    declared_facts(b, b->kernel_words.of[TC_WORD_BLOCK], "blockDim", s->block_dim, b->c->block, b->block_defined);
    declared_facts(b, b->kernel_words.of[TC_WORD_GRID], "gridDim", s->grid_dim, b->c->grid, b->grid_defined);
    index_facts(b, "threadIdx", "blockDim", s->thread_idx, s->block_dim);
    index_facts(b, "blockIdx", "gridDim", s->block_idx, s->grid_dim);
    if (b->c->has_smem && !tc_is_const(b->c->smem))
        tc_fact_push(b, tc_and(b->c->terms, b->smem_defined, tc_eq(b->c->terms, s->smem, b->c->smem)),
                     "the declared bytes of dynamic shared memory", b->kernel_words.of[TC_WORD_SMEM]->loc);
    cluster_facts(b);
}
