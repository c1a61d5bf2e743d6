// What a launch has to meet: the facts of the contract that are about launches, what it fixes, alignments, what was inferred.
#include "checker/embed_terms.h"

#include <string.h>

// Adds a condition. One clause of the source may be several facts of the contract: they are one condition.
static void put_condition(tc_embed *e, unsigned kind, uint32_t expr, const char *text, uint32_t line) {
    tc_embed_condition c = {kind, tc_embed_text(e, text), expr, line};
    for (size_t i = 0; i < e->conditions.len; i++) {
        tc_embed_condition *known = &e->conditions.data[i];
        if (known->text == c.text && known->line == line && known->kind == kind) {
            known->expr = known->expr == expr ? expr : tc_embed_node(e, TC_REC_OP_AND, 0, known->expr, expr, 0);
            return;
        }
    }
    tc_push(e->arena, &e->conditions, c);
}

static void write_conditions(tc_embed *e) {
    for (size_t i = 0; i < e->conditions.len && tc_embed_row(e, TC_REC_TABLE_CONDITION); i++) {
        const tc_embed_condition *c = &e->conditions.data[i];
        tc_embed_put32(e, TC_REC_TABLE_CONDITION, c->text);
        tc_embed_put32(e, TC_REC_TABLE_CONDITION, c->expr);
        tc_embed_put32(e, TC_REC_TABLE_CONDITION, c->line);
        tc_embed_put8(e, TC_REC_TABLE_CONDITION, c->kind);
        tc_embed_put8(e, TC_REC_TABLE_CONDITION, tc_embed_cannot(e, c->expr) ? TC_REC_CONDITION_CANNOT : 0);
        tc_embed_put(e, &e->tables[TC_REC_TABLE_CONDITION], 0, 2);
    }
}

static bool same_loc(tc_loc a, tc_loc b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool is_required(const tc_contract *c, const tc_fact *f) {
    for (size_t i = 0; i < c->clauses.len; i++)
        if (same_loc(c->clauses.data[i].loc, f->loc) && strcmp(c->clauses.data[i].text, f->text) == 0)
            return true;
    return false;
}

static bool begins(const char *s, const char *with) {
    return strncmp(s, with, strlen(with)) == 0;
}

// Where a fact comes from, by its place and the texts of contract_launch.c. It decides what a message says, and nothing else.
static unsigned kind_of(const tc_contract *c, const tc_fact *f) {
    if (is_required(c, f))
        return TC_REC_CONDITION_REQUIRES;
    for (size_t i = 0; i < c->objects.len; i++)
        if (c->objects.data[i].ndims && same_loc(c->objects.data[i].shape_loc, f->loc))
            return TC_REC_CONDITION_EXTENT;
    if (strstr(f->text, " % "))
        return TC_REC_CONDITION_CLUSTER;
    if (begins(f->text, "the declared bytes"))
        return TC_REC_CONDITION_SMEM;
    if (strstr(f->text, " == "))
        return begins(f->text, "blockDim") ? TC_REC_CONDITION_BLOCK : TC_REC_CONDITION_GRID;
    return TC_REC_CONDITION_LIMIT;
}

static void put_facts(tc_embed *e) {
    const tc_contract *c = e->c;
    for (size_t i = 0; i < c->facts.len; i++) {
        const tc_fact *f = &c->facts.data[i];
        if (f->term->variance == TC_VAR_LAUNCH) // others are about indices, which every launch has
            put_condition(e, kind_of(c, f), tc_embed_term(e, f->term), f->text, f->loc.line);
    }
}

static void put_equal(tc_embed *e, unsigned kind, uint32_t leaf, tc_t is, const char *what, uint32_t line) {
    const char *text = tc_fmt(e->arena, "%s == %s", what, tc_i128_text(e->arena, is->value));
    put_condition(e, kind, tc_embed_node(e, TC_REC_OP_EQ, 0, leaf, tc_embed_constant(e, is->value), 0), text, line);
}

static bool is_defined(const tc_options *o, const char *path) {
    for (size_t i = 0; i < o->defines.len; i++)
        if (strcmp(o->defines.data[i].name, path) == 0)
            return true;
    return false;
}

// What a contract fixes is no symbol in it, so that no fact speaks of it: an extent, a scalar of one value.
static void put_fixed(tc_embed *e, const tc_options *o) {
    static const char axes[] = "xyz";
    const tc_contract *c = e->c;
    for (uint32_t d = 0; d < 3; d++) {
        if (tc_is_const(c->syms.block_dim[d]))
            put_equal(e, TC_REC_CONDITION_BLOCK, tc_embed_node(e, TC_REC_OP_BLOCK, 0, d, 0, 0), c->syms.block_dim[d],
                      tc_fmt(e->arena, "blockDim.%c", axes[d]), c->block_loc.line);
        if (tc_is_const(c->syms.grid_dim[d]))
            put_equal(e, TC_REC_CONDITION_GRID, tc_embed_node(e, TC_REC_OP_GRID, 0, d, 0, 0), c->syms.grid_dim[d],
                      tc_fmt(e->arena, "gridDim.%c", axes[d]), c->grid_loc.line);
        if (c->has_cluster)
            put_equal(e, TC_REC_CONDITION_CLUSTER, tc_embed_node(e, TC_REC_OP_CLUSTER, 0, d, 0, 0), c->cluster[d],
                      tc_fmt(e->arena, "cluster.%c", axes[d]), c->kernel->loc.line);
    }
    if (c->has_smem && tc_is_const(c->smem))
        put_equal(e, TC_REC_CONDITION_SMEM, tc_embed_node(e, TC_REC_OP_SMEM, 0, 0, 0, 0), c->smem, "dynamic shared memory",
                  c->kernel->loc.line);
    for (uint32_t i = 0; i < c->scalars.len && i < TC_REC_MAX_ROWS; i++) {
        const tc_scalar *s = &c->scalars.data[i];
        if (tc_is_const(s->term))
            put_equal(e, is_defined(o, s->path) ? TC_REC_CONDITION_DEFINE : TC_REC_CONDITION_REQUIRES,
                      tc_embed_node(e, TC_REC_OP_SCALAR, 0, i, 0, 0), s->term, s->path, c->kernel->loc.line);
    }
}

static void put_alignments(tc_embed *e) {
    for (uint32_t i = 0; i < e->c->objects.len; i++) {
        const tc_object_contract *o = &e->c->objects.data[i];
        uint32_t align = tc_embed_alignment(o);
        if (e->borrows[i] == TC_REC_NONE || o->param < 0 || o->borrow == TC_BORROW_NONE || align == 1)
            continue;
        const char *text = tc_fmt(e->arena, "the address of '%s' is a multiple of %u", o->path, align);
        tc_t term = tc_aligned_symbol(e->c->terms, text, i, align);
        put_condition(e, TC_REC_CONDITION_ALIGN, tc_embed_term(e, term), text, o->loc.line);
    }
}

// A pointer that is not optional may be null only where it has no elements.
static void put_not_null(tc_embed *e) {
    for (uint32_t i = 0; i < e->c->objects.len; i++) {
        const tc_object_contract *o = &e->c->objects.data[i];
        tc_t lo, hi;
        if (e->borrows[i] == TC_REC_NONE || o->param < 0 || o->borrow == TC_BORROW_NONE || o->optional || !tc_embed_span(e, o, &lo, &hi))
            continue;
        uint32_t there = tc_embed_node(e, TC_REC_OP_NONNULL, 0, e->borrows[i], 0, 0);
        uint32_t empty = tc_embed_node(e, TC_REC_OP_LE, 0, tc_embed_term(e, hi), tc_embed_term(e, lo), 0);
        put_condition(e, TC_REC_CONDITION_NOT_NULL, tc_embed_node(e, TC_REC_OP_OR, 0, there, empty, 0),
                      tc_fmt(e->arena, "'%s' is not null, or has no elements", o->path), o->loc.line);
    }
}

static void put_inferred(tc_embed *e, const tc_kernel_result *r) {
    for (size_t i = 0; r && i < r->preconditions.len; i++) {
        const tc_fact *f = &r->preconditions.data[i];
        put_condition(e, TC_REC_CONDITION_INFERRED, tc_embed_term(e, f->term), f->text, f->loc.line);
    }
}

void tc_embed_conditions(tc_embed *e, const tc_options *o, const tc_kernel_result *r) {
    put_fixed(e, o);
    put_facts(e);
    put_alignments(e);
    put_not_null(e);
    put_inferred(e, r);
    write_conditions(e);
}
