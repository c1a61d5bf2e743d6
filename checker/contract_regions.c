// What is said of each object: shape and strides, a block's region, values stored.
#include <string.h>

#include "checker/contract_build.h"

static tc_object_contract *object(tc_build *b, uint32_t i) {
    return &b->c->objects.data[i];
}

static const tc_said *word(const tc_build *b, uint32_t i, tc_word w) {
    return b->words.data[i].of[w];
}

// e as an integer term. What functions compute for it is shown by the rules.
static tc_value resolve_one(tc_build *b, const tc_scope *s, const tc_expr *e) {
    unsigned calls = b->calls;
    tc_value v = tc_resolve_int(s, e);
    if (v.kind == TC_MEANS_INT && b->calls > calls && !tc_is_true(v.defined))
        tc_push(b->arena, &b->c->needs,
                ((tc_need){v.defined, tc_said_slice(b->arena, s->said, e), s->said->loc}));
    return v;
}

// The arguments as integer terms; NULL entries do not occur. False after an error.
static bool resolve_list(tc_build *b, const tc_said *said, unsigned sees, tc_exprs *args, tc_value *out) {
    tc_scope s = {.b = b, .said = said, .sees = sees};
    if (!tc_words_args(b, said, args, NULL))
        return false;
    bool all = true;
    for (size_t i = 0; i < args->len; i++) {
        out[i] = resolve_one(b, &s, args->data[i]);
        all &= out[i].kind == TC_MEANS_INT;
    }
    return all;
}

static bool same_dims(tc_build *b, const tc_object_contract *o, const tc_said *said, size_t n) {
    if (n == o->ndims)
        return true;
    tc_contract_fail(b, said->loc, NULL, "tc_%s of '%s' has %zu dimension%s, its tc_shape has %u", said->name, o->path,
                     n, n == 1 ? "" : "s", o->ndims);
    return false;
}

// ---- shape and strides ----

static void not_negative(tc_build *b, const tc_said *said, const tc_expr *e, tc_value v, const char *what) {
    tc_terms *ts = b->c->terms;
    tc_t nonneg = tc_le(ts, tc_int(ts, 0), v.term);
    const char *text = tc_fmt(b->arena, "%s >= 0", tc_said_slice(b->arena, said, e));
    if (tc_is_false(nonneg)) {
        tc_contract_fail_at(b, said, e->pos, e->end, NULL, "tc_%s: %s is never negative", said->name, what);
        return;
    }
    // SOUND: where it has no value nothing is assumed of it.
    tc_fact_push(b, tc_implies(ts, v.defined, nonneg), text, said->loc);
}

// SOUND: an object of more than PTRDIFF_MAX bytes does not exist, so no launch has one. Said where an extent is wide: sums of
// an index and a grid's stride do not wrap then. A null pointer is no object: nothing is said where one is allowed.
static void size_fact(tc_build *b, const tc_said *said, const tc_object_contract *o, tc_t defined, bool optional) {
    tc_terms *ts = b->c->terms;
    if (optional || !o->elem || o->elem->size == 0)
        return;
    bool wide = false;
    tc_t bytes = tc_int(ts, (tc_i128)o->elem->size);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_interval r = tc_range_of(ts, o->shape[d]);
        wide |= !tc_is_const(o->shape[d]) && (!r.has_hi || r.hi >= tc_pow2(32));
        bytes = tc_mul(ts, bytes, o->shape[d]);
    }
    if (wide)
        tc_fact_push(b, tc_implies(ts, defined, tc_le(ts, bytes, tc_int(ts, tc_pow2(63) - 1))),
                     tc_fmt(b->arena, "'%s' has fewer than 2^63 bytes", o->path), said->loc);
}

// The extents of a device variable's type; false when it has none.
static bool extents_of_type(tc_build *b, tc_object_contract *o) {
    const tc_place *p = tc_place_find(b, o->path);
    if (o->param >= 0 || !p || p->type->kind == TC_TY_POINTER)
        return false;
    const tc_type *t = p->type;
    for (; t->kind == TC_TY_ARRAY; t = t->elem) {
        if (o->ndims == TC_MAX_DIMS || t->count == 0) {
            o->ndims = 0;
            return false;
        }
        o->shape[o->ndims++] = tc_int(b->c->terms, (tc_i128)t->count);
    }
    if (o->ndims == 0)
        o->shape[o->ndims++] = tc_int(b->c->terms, 1);
    o->shape_loc = o->loc;
    return true;
}

static bool extents_of_word(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_SHAPE);
    tc_exprs args = {0};
    tc_value v[TC_MAX_DIMS];
    if (!said)
        return extents_of_type(b, object(b, i));
    if (object(b, i)->elem && object(b, i)->elem->kind == TC_TY_VOID) {
        tc_contract_fail(b, said->loc, "declare it as a pointer to its elements", "tc_shape of '%s': void has no size",
                         object(b, i)->path);
        return false;
    }
    if (!resolve_list(b, said, TC_SEES_LAUNCH, &args, v))
        return false;
    tc_object_contract *o = object(b, i); // resolving may not move it, but does not promise so
    o->ndims = (unsigned)args.len;
    o->shape_loc = said->loc;
    tc_t defined = tc_bool(b->c->terms, true);
    for (size_t d = 0; d < args.len; d++) {
        o->shape[d] = v[d].term;
        not_negative(b, said, args.data[d], v[d], "an extent");
        defined = tc_and(b->c->terms, defined, v[d].defined);
    }
    size_fact(b, said, o, defined, word(b, i, TC_WORD_OPTIONAL) != NULL);
    return true;
}

static void row_major(tc_build *b, tc_object_contract *o) {
    tc_t stride = tc_int(b->c->terms, 1);
    for (unsigned d = o->ndims; d-- > 0;) {
        o->stride[d] = stride;
        stride = tc_mul(b->c->terms, stride, o->shape[d]);
    }
}

static void resolve_stride(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_STRIDE);
    tc_exprs args = {0};
    tc_value v[TC_MAX_DIMS];
    row_major(b, object(b, i));
    if (!said || !resolve_list(b, said, TC_SEES_LAUNCH, &args, v) || !same_dims(b, object(b, i), said, args.len))
        return;
    tc_object_contract *o = object(b, i);
    o->explicit_stride = true;
    o->stride_loc = said->loc;
    for (size_t d = 0; d < args.len; d++) {
        o->stride[d] = v[d].term;
        not_negative(b, said, args.data[d], v[d], "a stride");
    }
}

bool tc_object_shape(tc_build *b, uint32_t i) {
    tc_words *w = &b->words.data[i];
    if (w->shape == TC_SHAPE_BUSY) {
        tc_contract_fail(b, w->of[TC_WORD_SHAPE]->loc, NULL, "the tc_shape of '%s' depends on itself",
                         object(b, i)->path);
        return false;
    }
    if (w->shape == TC_SHAPE_DONE)
        return object(b, i)->ndims != 0;
    w->shape = TC_SHAPE_BUSY;
    if (extents_of_word(b, i))
        resolve_stride(b, i);
    b->words.data[i].shape = TC_SHAPE_DONE;
    return object(b, i)->ndims != 0;
}

// ---- tiles ----

static bool mentions(void *ctx, tc_t t) {
    return t->op == TC_T_SYM && t->sym == ctx;
}

typedef struct excuse {
    tc_build *b;
    tc_t shape;
    bool found;
} excuse;

// A symbol of a tile extent: is there something else that may keep the extent positive, or the shape empty with it?
static void look_for_excuse(void *ctx, tc_t t) {
    excuse *x = ctx;
    if (t->op != TC_T_SYM)
        return;
    void *sym = (void *)(uintptr_t)t->sym;
    x->found |= tc_any(x->b->c->terms, x->shape, mentions, sym);
    for (size_t i = 0; i < x->b->c->facts.len; i++)
        x->found |= tc_any(x->b->c->terms, x->b->c->facts.data[i].term, mentions, sym);
}

// Only what is certainly wrong is told here: an extent that its own interval lets be zero, with symbols that neither a
// fact nor the shape speaks of. SOUND: with an empty tile a block owns nothing, and each of its writes is refused.
static void check_tile_extent(tc_build *b, const tc_object_contract *o, unsigned d, const tc_said *said,
                              const tc_expr *e, tc_value tile) {
    tc_interval r = tc_range_of(b->c->terms, tile.term);
    if (r.has_lo && r.lo >= 1)
        return;
    excuse x = {b, o->shape[d], false};
    if (!tc_is_const(tile.term))
        tc_walk(b->c->terms, tile.term, look_for_excuse, &x);
    if (x.found)
        return;
    const char *text = tc_said_slice(b->arena, said, e);
    const char *hint = tc_is_const(tile.term) ? NULL : tc_fmt(b->arena, "say tc_requires(%s >= 1)", text);
    tc_contract_fail_at(b, said, e->pos, e->end, hint,
                        tc_is_const(tile.term) ? "tc_tile of '%s': a tile extent of %s has no elements"
                                               : "tc_tile of '%s': the extent %s may be zero",
                        o->path, tc_is_const(tile.term) ? tc_i128_text(b->arena, tile.term->value) : text);
}

static bool resolve_tile(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_TILE);
    tc_exprs args = {0};
    tc_value v[TC_MAX_DIMS];
    if (!said || !resolve_list(b, said, TC_SEES_LAUNCH, &args, v) || !same_dims(b, object(b, i), said, args.len))
        return false;
    tc_object_contract *o = object(b, i);
    o->tile_loc = said->loc;
    for (unsigned d = 0; d < o->ndims; d++) {
        o->tile[d] = v[d].term;
        check_tile_extent(b, o, d, said, args.data[d], v[d]);
    }
    return true;
}

static void resolve_at(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_AT);
    tc_exprs args = {0};
    tc_value v[TC_MAX_DIMS];
    tc_object_contract *o = object(b, i);
    if (!said && o->ndims > 3) {
        tc_contract_fail(b, o->tile_loc, "say tc_at(…) with one index for each dimension",
                         "the tile of '%s' has %u dimensions and the grid has three: which tile is a block's?", o->path,
                         o->ndims);
        return;
    }
    if (said && (!resolve_list(b, said, TC_SEES_LAUNCH | TC_SEES_BLOCK_IDX, &args, v) ||
                 !same_dims(b, object(b, i), said, args.len)))
        return;
    o = object(b, i);
    for (unsigned d = 0; d < o->ndims; d++)
        o->at[d] = said ? v[d].term : b->c->syms.block_idx[o->ndims - 1 - d];
    o->at_loc = said ? said->loc : o->tile_loc;
    o->region = TC_REGION_AT;
}

static void resolve_owner(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_OWNER);
    tc_exprs args = {0}, names = {0};
    if (!tc_words_args(b, said, &args, &names) || !same_dims(b, object(b, i), said, names.len))
        return;
    tc_object_contract *o = object(b, i);
    for (size_t d = 0; d < names.len; d++)
        o->owner_index[d] = tc_sym_new(b->c->terms, names.data[d]->text, TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
    tc_scope s = {.b = b, .said = said, .sees = TC_SEES_LAUNCH, .bound = o->owner_index, .nbound = names.len};
    tc_value v = resolve_one(b, &s, args.data[0]);
    if (v.kind != TC_MEANS_INT)
        return;
    o->owner = v.term;
    o->at_loc = said->loc;
    o->region = TC_REGION_OWNER;
}

static void resolve_rows(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_ROWS);
    tc_exprs args = {0};
    tc_value v[2];
    if (!said || !resolve_list(b, said, TC_SEES_LAUNCH | TC_SEES_BLOCK_IDX, &args, v))
        return;
    tc_object_contract *o = object(b, i);
    o->rows_lo = v[0].term;
    o->rows_hi = v[1].term;
    o->at_loc = said->loc;
    o->region = TC_REGION_ROWS;
}

// ---- the rest ----

static void resolve_range(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_RANGE);
    tc_exprs args = {0};
    tc_value v[2];
    if (!said || !resolve_list(b, said, TC_SEES_LAUNCH, &args, v))
        return;
    tc_object_contract *o = object(b, i);
    if (tc_is_const(v[0].term) && tc_is_const(v[1].term) && v[0].term->value >= v[1].term->value) {
        tc_contract_fail(b, said->loc, "the upper end is not part of the range",
                         "tc_range of '%s' has no values: %s to %s", o->path, tc_i128_text(b->arena, v[0].term->value),
                         tc_i128_text(b->arena, v[1].term->value));
        return;
    }
    bool truths = o->elem && o->elem->kind == TC_TY_BOOL;
    for (size_t k = 0; k < 2 && truths; k++)
        if (tc_is_const(v[k].term) && (v[k].term->value < 0 || v[k].term->value > 2)) {
            tc_contract_fail(b, said->loc, "what is read as bool is 0 or 1, says the code to the compiler",
                             "tc_range of '%s', whose elements are bools, goes from %s to %s", o->path,
                             tc_term_text(b->c->terms, v[0].term), tc_term_text(b->c->terms, v[1].term));
            return;
        }
    o->has_range = true;
    o->range_lo = v[0].term;
    o->range_hi = v[1].term;
}

static void resolve_init(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_INIT);
    tc_exprs args = {0};
    tc_value v[1];
    if (!said || !resolve_list(b, said, TC_SEES_LAUNCH, &args, v))
        return;
    object(b, i)->has_init = true;
    object(b, i)->init = v[0].term;
}

static void resolve_align(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_ALIGN);
    tc_exprs args = {0};
    tc_value v[1];
    if (!said || !resolve_list(b, said, 0, &args, v))
        return;
    tc_i128 n = tc_is_const(v[0].term) ? v[0].term->value : 0;
    if (n < 1 || (n & (n - 1)) != 0) {
        tc_contract_fail_at(b, said, args.data[0]->pos, args.data[0]->end, NULL,
                            "tc_align of '%s': an alignment is a constant power of two", object(b, i)->path);
        return;
    }
    object(b, i)->align = v[0].term;
}

static void resolve_inplace(tc_build *b, uint32_t i) {
    const tc_said *said = word(b, i, TC_WORD_INPLACE);
    tc_exprs args = {0};
    if (!said || !tc_words_args(b, said, &args, NULL))
        return;
    const tc_place *p = tc_resolve_object(b, said, args.data[0]);
    if (p && p->index == i)
        tc_contract_fail(b, said->loc, NULL, "tc_inplace of '%s' names itself", object(b, i)->path);
    else if (p && object(b, p->index)->is_restrict)
        tc_contract_fail(
            b, said->loc, NULL,
            "tc_inplace of '%s': '%s' is __restrict__, which says that no other pointer reaches this memory",
            object(b, i)->path, object(b, p->index)->path);
    else if (p)
        object(b, i)->inplace = object(b, p->index)->path;
}

static void resolve_region(tc_build *b, uint32_t i) {
    if (!tc_object_shape(b, i))
        return;
    if (word(b, i, TC_WORD_ROWS))
        resolve_rows(b, i);
    else if (!resolve_tile(b, i))
        return;
    else if (word(b, i, TC_WORD_OWNER))
        resolve_owner(b, i);
    else
        resolve_at(b, i);
}

// SOUND: where y may be x and z may be y, all three may be one buffer: a launch that passes it three times keeps every word.
static void join_buffers(tc_build *b, uint32_t i, uint32_t k) {
    tc_object_contract *x = object(b, i), *y = object(b, k);
    uint32_t from = x->one_buffer, to = y->one_buffer ? y->one_buffer : from ? from : k + 1;
    for (uint32_t j = 0; from && j < b->c->objects.len; j++)
        if (object(b, j)->one_buffer == from)
            object(b, j)->one_buffer = to;
    x->one_buffer = y->one_buffer = to;
}

static void find_buffers(tc_build *b) {
    uint32_t n = (uint32_t)b->c->objects.len;
    for (uint32_t i = 0; i < n; i++)
        object(b, i)->one_buffer = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; object(b, i)->inplace && k < n; k++)
            if (strcmp(object(b, k)->path, object(b, i)->inplace) == 0)
                join_buffers(b, i, k);
}

void tc_objects_resolve(tc_build *b) {
    for (uint32_t i = 0; i < b->c->objects.len; i++)
        tc_object_shape(b, i);
    for (uint32_t i = 0; i < b->c->objects.len; i++) {
        resolve_region(b, i);
        resolve_range(b, i);
        resolve_init(b, i);
        resolve_align(b, i);
        resolve_inplace(b, i);
    }
    find_buffers(b);
}
