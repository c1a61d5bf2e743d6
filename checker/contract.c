#include "checker/contract.h"

#include <string.h>

#include "checker/contract_build.h"

void tc_contract_set_call_hook(tc_contract *c, tc_lift_call fn, void *ctx) {
    c->call = fn;
    c->call_ctx = ctx;
}

// ---- making ----

static void forget_object(tc_object_contract *o) {
    o->ndims = 0;
    o->region = TC_REGION_NONE;
    o->explicit_stride = o->has_range = o->has_init = false;
    o->inplace = NULL;
    o->align = NULL;
}

// What a pass resolves, in the term manager of c.
static void resolve_all(tc_build *b) {
    for (size_t i = 0; i < b->words.len; i++)
        b->words.data[i].shape = TC_SHAPE_OPEN;
    tc_launch_symbols(b);
    tc_launch_facts(b);
    tc_facts_required(b);
    tc_objects_resolve(b);
    tc_facts_forall(b);
    tc_facts_alias(b);
}

// Back to what does not depend on terms.
static void forget_pass(tc_build *b) {
    tc_contract *c = b->c;
    c->facts.len = c->foralls.len = c->distinct.len = c->may_alias.len = 0;
    c->contents = (tc_map){0};
    c->has_block = c->has_grid = c->has_smem = c->has_cluster = false;
    memset(c->block, 0, sizeof c->block);
    memset(c->grid, 0, sizeof c->grid);
    memset(b->block_defined, 0, sizeof b->block_defined);
    memset(b->grid_defined, 0, sizeof b->grid_defined);
    for (size_t i = 0; i < c->objects.len; i++)
        forget_object(&c->objects.data[i]);
}

// The first pass, in a term manager that is thrown away.
static void find_bounds(tc_build *b) {
    tc_terms *kept = b->c->terms;
    tc_arena *scratch = tc_arena_new(tc_arena_trap(b->arena));
    b->c->terms = tc_terms_new(scratch);
    b->first = true;
    resolve_all(b);
    tc_bounds_harvest(b);
    b->first = false;
    b->c->terms = kept;
    forget_pass(b);
    tc_arena_free(scratch);
}

tc_status tc_contract_make(tc_arena *a, tc_terms *ts, const tc_unit *u, const tc_kernel *k, const tc_options *o,
                           tc_contract *c, tc_findings *out) {
    tc_build b = {.arena = a, .unit = u, .kernel = k, .options = o, .c = c, .out = out};
    *c = (tc_contract){.kernel = k, .terms = ts, .call = c->call, .call_ctx = c->call_ctx,
                       .pure_extern = o->pure_extern, .lockstep = o->lockstep, .without = c->without};
    tc_places_make(&b);
    tc_words_of_kernel(&b);
    tc_words_check(&b);
    find_bounds(&b);
    resolve_all(&b);
    return b.failed ? TC_EINPUT : TC_OK;
}

// ---- asking ----

const tc_fn *tc_contract_contents(tc_contract *c, uint32_t object) {
    tc_fn *f = tc_map_get(&c->contents, (uint64_t)object + 1);
    if (f)
        return f;
    const tc_object_contract *o = &c->objects.data[object];
    f = tc_fn_new(c->terms, o->path, 1);
    if (o->elem && tc_type_is_integer(o->elem)) {
        f->has_lo = f->has_hi = true;
        tc_type_range(o->elem, &f->lo, &f->hi);
    }
    tc_map_put(tc_terms_arena(c->terms), &c->contents, (uint64_t)object + 1, f);
    return f;
}

const tc_object_contract *tc_contract_object(const tc_contract *c, uint32_t param, uint64_t offset) {
    for (size_t i = 0; i < c->objects.len; i++)
        if (c->objects.data[i].param == (int)param && c->objects.data[i].offset == offset)
            return &c->objects.data[i];
    return NULL;
}

const tc_scalar *tc_contract_scalar(const tc_contract *c, uint32_t param, uint64_t offset) {
    for (size_t i = 0; i < c->scalars.len; i++)
        if (c->scalars.data[i].param == param && c->scalars.data[i].offset == offset)
            return &c->scalars.data[i];
    return NULL;
}

const tc_function_param *tc_contract_function(const tc_contract *c, uint32_t param, uint64_t offset) {
    for (size_t i = 0; i < c->functions.len; i++)
        if (c->functions.data[i].param == param && c->functions.data[i].offset == offset)
            return &c->functions.data[i];
    return NULL;
}

const char *tc_contract_callable(const tc_contract *c, uint32_t number) {
    for (size_t i = 0; i < c->callable.len; i++)
        if (c->callable.data[i].number == number)
            return c->callable.data[i].name;
    return number == 0 ? "nullptr" : "some function";
}

tc_t tc_contract_flat(const tc_contract *c, const tc_object_contract *o, const tc_t *index) {
    tc_t flat = tc_int(c->terms, 0);
    for (unsigned d = 0; d < o->ndims; d++)
        flat = tc_add(c->terms, flat, tc_mul(c->terms, index[d], o->stride[d]));
    return flat;
}

// ---- Own(block, element) ----

// at * tile <= index < (at + 1) * tile in each dimension
static tc_t owned_by_at(tc_terms *ts, const tc_object_contract *o, const tc_t *index) {
    tc_t all = tc_bool(ts, true);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t first = tc_mul(ts, o->at[d], o->tile[d]);
        all = tc_and(ts, all, tc_le(ts, first, index[d]));
        all = tc_and(ts, all, tc_lt(ts, index[d], tc_add(ts, first, o->tile[d])));
    }
    return all;
}

// owner(index / tile) == x + gridDim.x * (y + gridDim.y * z)
static tc_t owned_by_owner(const tc_contract *c, const tc_object_contract *o, const tc_t *index) {
    tc_terms *ts = c->terms;
    tc_map map = {0};
    for (unsigned d = 0; d < o->ndims; d++)
        tc_map_put(tc_terms_arena(ts), &map, TC_KEY(tc_of_sym(ts, o->owner_index[d])),
                   (void *)(uintptr_t)tc_div(ts, index[d], o->tile[d]));
    const tc_launch_syms *s = &c->syms;
    tc_t rest = tc_add(ts, s->block_idx[1], tc_mul(ts, s->grid_dim[1], s->block_idx[2]));
    tc_t block = tc_add(ts, s->block_idx[0], tc_mul(ts, s->grid_dim[0], rest));
    return tc_eq(ts, tc_subst(ts, o->owner, &map), block);
}

tc_t tc_contract_owned(const tc_contract *c, const tc_object_contract *o, const tc_t *index) {
    tc_terms *ts = c->terms;
    switch (o->region) {
    case TC_REGION_AT:
        return owned_by_at(ts, o, index);
    case TC_REGION_OWNER:
        return owned_by_owner(c, o, index);
    case TC_REGION_ROWS:
        return tc_and(ts, tc_le(ts, o->rows_lo, index[0]), tc_lt(ts, index[0], o->rows_hi));
    case TC_REGION_NONE:
        break;
    }
    return NULL;
}
