// One kernel's contract as a record: rows and texts, and the note around them.
#include "checker/embed_terms.h"

#include <string.h>

// ---- rows ----

void tc_embed_put(tc_embed *e, tc_bytes *to, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        tc_push(e->arena, to, (uint8_t)(value >> (8 * i)));
}

static void put32(tc_embed *e, unsigned table, uint32_t value) {
    tc_embed_put(e, &e->tables[table], value, 4);
}

static void put8(tc_embed *e, unsigned table, unsigned value) {
    tc_embed_put(e, &e->tables[table], value, 1);
}

// A new row; false when the table is full.
static bool row(tc_embed *e, unsigned table) {
    bool room = e->counts[table] < TC_REC_MAX_ROWS;
    e->partial |= !room;
    e->counts[table] += room;
    return room;
}

uint32_t tc_embed_text(tc_embed *e, const char *s) {
    if (!s)
        return TC_REC_NONE;
    uint32_t known = (uint32_t)(uintptr_t)tc_strmap_get(&e->texts, s);
    if (known)
        return known - 1;
    tc_bytes *to = &e->tables[TC_REC_TABLE_TEXT];
    size_t n = strlen(s);
    if (to->len + n + 1 > TC_REC_MAX_SIZE / 2) {
        e->partial = true;
        return 0;
    }
    uint32_t at = (uint32_t)to->len;
    for (size_t i = 0; i <= n; i++)
        tc_push(e->arena, to, (uint8_t)s[i]);
    e->counts[TC_REC_TABLE_TEXT] = (uint32_t)to->len;
    tc_strmap_put(e->arena, &e->texts, s, (void *)(uintptr_t)(at + 1));
    return at;
}

// ---- parameters ----

static unsigned param_kind(const tc_type *t) {
    switch (t->kind) {
    case TC_TY_BOOL:
        return TC_REC_PARAM_BOOL;
    case TC_TY_INT:
        return TC_REC_PARAM_INTEGER;
    case TC_TY_FLOAT:
        return TC_REC_PARAM_FLOAT;
    case TC_TY_POINTER:
        return TC_REC_PARAM_POINTER;
    case TC_TY_STRUCT:
        return TC_REC_PARAM_STRUCT;
    case TC_TY_ARRAY:
        return TC_REC_PARAM_ARRAY;
    case TC_TY_FUNCTION:
        return TC_REC_PARAM_FUNCTION;
    case TC_TY_VOID:
    case TC_TY_OTHER:
        break;
    }
    return TC_REC_PARAM_OTHER;
}

// Where each parameter lies in the argument buffer: at its alignment (CUDA Driver API, cuLaunchKernel). Gives the buffer's bytes.
static uint64_t put_params(tc_embed *e, const tc_kernel *k) {
    uint64_t at = 0;
    for (size_t i = 0; i < k->nparams && row(e, TC_REC_TABLE_PARAM); i++) {
        const tc_param *p = &k->params[i];
        uint64_t align = p->type->align ? p->type->align : 1;
        at = (at + align - 1) / align * align;
        put32(e, TC_REC_TABLE_PARAM, tc_embed_text(e, p->name ? p->name : ""));
        put32(e, TC_REC_TABLE_PARAM, tc_embed_text(e, p->type->name ? p->type->name : ""));
        put32(e, TC_REC_TABLE_PARAM, (uint32_t)at);
        put32(e, TC_REC_TABLE_PARAM, (uint32_t)p->type->size);
        put32(e, TC_REC_TABLE_PARAM, (uint32_t)align);
        put32(e, TC_REC_TABLE_PARAM, param_kind(p->type));
        at += p->type->size;
    }
    return at;
}

static void put_scalars(tc_embed *e) {
    for (size_t i = 0; i < e->c->scalars.len && row(e, TC_REC_TABLE_SCALAR); i++) {
        const tc_scalar *s = &e->c->scalars.data[i];
        unsigned sign = s->type->kind == TC_TY_BOOL ? TC_REC_SCALAR_BOOL
                        : s->type->is_signed        ? TC_REC_SCALAR_SIGNED
                                                    : TC_REC_SCALAR_UNSIGNED;
        put32(e, TC_REC_TABLE_SCALAR, tc_embed_text(e, s->path));
        put32(e, TC_REC_TABLE_SCALAR, s->param);
        put32(e, TC_REC_TABLE_SCALAR, (uint32_t)s->offset);
        put32(e, TC_REC_TABLE_SCALAR, (uint32_t)s->type->size | sign << 8);
    }
}

// ---- borrows ----

static bool is_borrowed(const tc_object_contract *o) {
    return o->param >= 0 || o->borrow != TC_BORROW_NONE;
}

static unsigned borrow_kind(tc_borrow b) {
    static const unsigned kinds[] = {
        [TC_BORROW_NONE] = TC_REC_BORROW_NONE, [TC_BORROW_SHARED] = TC_REC_BORROW_SHARED,
        [TC_BORROW_MUT] = TC_REC_BORROW_MUT,   [TC_BORROW_OUT] = TC_REC_BORROW_OUT,
        [TC_BORROW_ATOMIC] = TC_REC_BORROW_ATOMIC, [TC_BORROW_UNCHECKED] = TC_REC_BORROW_UNCHECKED};
    return kinds[b];
}

static unsigned element_kind(const tc_type *t) {
    if (!t)
        return TC_REC_ELEMENT_OTHER;
    return t->kind == TC_TY_BOOL    ? TC_REC_ELEMENT_BOOL
           : t->kind == TC_TY_FLOAT ? TC_REC_ELEMENT_FLOAT
           : t->kind != TC_TY_INT   ? TC_REC_ELEMENT_OTHER
           : t->is_signed           ? TC_REC_ELEMENT_SIGNED
                                    : TC_REC_ELEMENT_UNSIGNED;
}

// What a proof takes for granted of the address: the element type's alignment, or more by tc_align.
static uint32_t alignment(const tc_object_contract *o) {
    tc_i128 align = o->elem && o->elem->align ? (tc_i128)o->elem->align : 1;
    if (o->align && tc_is_const(o->align) && o->align->value > align)
        align = o->align->value;
    return align < TC_REC_NONE ? (uint32_t)align : 1u << 31;
}

static bool holds_pointer(const tc_unit *u, const tc_object_contract *o) {
    for (size_t i = 0; o->param < 0 && i < u->nvars; i++)
        if (strcmp(u->vars[i].mangled, o->var_mangled) == 0)
            return u->vars[i].type->kind == TC_TY_POINTER;
    return false;
}

// Which row an object has, before any expression speaks of it.
static void number_borrows(tc_embed *e) {
    uint32_t n = 0;
    e->borrows = TC_NEW_ARRAY(e->arena, uint32_t, e->c->objects.len);
    for (size_t i = 0; i < e->c->objects.len; i++)
        e->borrows[i] = is_borrowed(&e->c->objects.data[i]) && n < TC_REC_MAX_ROWS ? n++ : TC_REC_NONE;
}

static uint32_t put_dims(tc_embed *e, const tc_object_contract *o) {
    uint32_t first = e->counts[TC_REC_TABLE_DIM];
    for (unsigned d = 0; d < o->ndims; d++) {
        uint32_t extent = tc_embed_term(e, o->shape[d]), stride = tc_embed_term(e, o->stride[d]);
        put32(e, TC_REC_TABLE_DIM, extent);
        put32(e, TC_REC_TABLE_DIM, stride);
        e->counts[TC_REC_TABLE_DIM]++;
    }
    return first;
}

static void put_borrow(tc_embed *e, const tc_unit *u, const tc_object_contract *o) {
    enum { T = TC_REC_TABLE_BORROW };
    bool room = e->counts[TC_REC_TABLE_DIM] + o->ndims <= TC_REC_MAX_ROWS;
    unsigned ndims = room ? o->ndims : 0;
    unsigned flags = (o->optional ? TC_REC_BORROW_OPTIONAL : 0u) | (o->is_restrict ? TC_REC_BORROW_RESTRICT : 0u) |
                     (o->explicit_stride ? TC_REC_BORROW_STRIDED : 0u) | (holds_pointer(u, o) ? TC_REC_BORROW_HOLDS_POINTER : 0u);
    tc_t lo, hi;
    bool has_span = room && tc_embed_span(e, o, &lo, &hi);
    e->partial |= !room;
    uint32_t dims = room ? put_dims(e, o) : 0, lo_expr = has_span ? tc_embed_term(e, lo) : TC_REC_NONE;
    uint32_t hi_expr = has_span ? tc_embed_term(e, hi) : TC_REC_NONE;
    put32(e, T, tc_embed_text(e, o->path));
    put32(e, T, o->param < 0 ? TC_REC_NONE : (uint32_t)o->param);
    put32(e, T, (uint32_t)o->offset);
    put32(e, T, o->param < 0 ? tc_embed_text(e, o->var_mangled) : TC_REC_NONE);
    put32(e, T, o->elem ? (uint32_t)o->elem->size : 0);
    put32(e, T, alignment(o));
    put32(e, T, dims);
    put8(e, T, ndims);
    put8(e, T, borrow_kind(o->borrow));
    put8(e, T, flags);
    put8(e, T, element_kind(o->elem));
    put32(e, T, tc_embed_text(e, o->unchecked_why));
    put32(e, T, o->loc.line);
    put32(e, T, lo_expr);
    put32(e, T, hi_expr);
    e->counts[T]++;
}

static void put_pair(tc_embed *e, uint32_t a, uint32_t b, unsigned kind) {
    if (e->borrows[a] == TC_REC_NONE || e->borrows[b] == TC_REC_NONE || !row(e, TC_REC_TABLE_PAIR))
        return;
    put32(e, TC_REC_TABLE_PAIR, e->borrows[a]);
    put32(e, TC_REC_TABLE_PAIR, e->borrows[b]);
    put32(e, TC_REC_TABLE_PAIR, kind);
}

static void put_pairs(tc_embed *e) {
    const tc_contract *c = e->c;
    for (uint32_t i = 0; i < c->objects.len; i++)
        for (uint32_t k = 0; c->objects.data[i].inplace && k < c->objects.len; k++)
            if (strcmp(c->objects.data[k].path, c->objects.data[i].inplace) == 0)
                put_pair(e, i, k, TC_REC_PAIR_INPLACE);
    for (size_t i = 0; i + 1 < c->may_alias.len; i += 2)
        put_pair(e, c->may_alias.data[i], c->may_alias.data[i + 1], TC_REC_PAIR_MAY_ALIAS);
    for (size_t i = 0; i + 1 < c->distinct.len; i += 2)
        put_pair(e, c->distinct.data[i], c->distinct.data[i + 1], TC_REC_PAIR_DISTINCT);
}

// ---- conditions ----

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
    for (size_t i = 0; i < e->conditions.len && row(e, TC_REC_TABLE_CONDITION); i++) {
        const tc_embed_condition *c = &e->conditions.data[i];
        put32(e, TC_REC_TABLE_CONDITION, c->text);
        put32(e, TC_REC_TABLE_CONDITION, c->expr);
        put32(e, TC_REC_TABLE_CONDITION, c->line);
        put8(e, TC_REC_TABLE_CONDITION, c->kind);
        put8(e, TC_REC_TABLE_CONDITION, tc_embed_cannot(e, c->expr) ? TC_REC_CONDITION_CANNOT : 0);
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
        uint32_t align = alignment(o);
        if (e->borrows[i] == TC_REC_NONE || o->param < 0 || o->borrow == TC_BORROW_NONE || align == 1)
            continue;
        const char *text = tc_fmt(e->arena, "the address of '%s' is a multiple of %u", o->path, align);
        tc_t term = tc_aligned_symbol(e->c->terms, text, i, align);
        put_condition(e, TC_REC_CONDITION_ALIGN, tc_embed_term(e, term), text, o->loc.line);
    }
}

static void put_inferred(tc_embed *e, const tc_kernel_result *r) {
    for (size_t i = 0; r && i < r->preconditions.len; i++) {
        const tc_fact *f = &r->preconditions.data[i];
        put_condition(e, TC_REC_CONDITION_INFERRED, tc_embed_term(e, f->term), f->text, f->loc.line);
    }
}

// ---- facts about contents ----

typedef struct fact_row {
    unsigned kind;
    const char *text;
    uint32_t borrow, lo, hi, first_bound, nbound, line;
    bool unbounded; // a name of it takes any value
} fact_row;

static void put_fact(tc_embed *e, fact_row f) {
    bool cannot = f.unbounded || tc_embed_cannot(e, f.lo) || tc_embed_cannot(e, f.hi);
    if (!row(e, TC_REC_TABLE_FACT))
        return;
    put32(e, TC_REC_TABLE_FACT, tc_embed_text(e, f.text));
    put32(e, TC_REC_TABLE_FACT, f.borrow);
    put32(e, TC_REC_TABLE_FACT, f.lo);
    put32(e, TC_REC_TABLE_FACT, f.hi);
    put32(e, TC_REC_TABLE_FACT, f.first_bound);
    put32(e, TC_REC_TABLE_FACT, f.nbound);
    put32(e, TC_REC_TABLE_FACT, f.line);
    put32(e, TC_REC_TABLE_FACT, f.kind | (cannot ? TC_REC_CONDITION_CANNOT : 0u) << 8);
}

static void put_contents(tc_embed *e, uint32_t i) {
    const tc_object_contract *o = &e->c->objects.data[i];
    fact_row f = {.borrow = e->borrows[i], .lo = TC_REC_NONE, .hi = TC_REC_NONE, .line = o->loc.line};
    if (f.borrow == TC_REC_NONE)
        return;
    if (o->injective) {
        f.kind = TC_REC_FACT_INJECTIVE;
        f.text = tc_fmt(e->arena, "the elements of '%s' are all different", o->path);
        put_fact(e, f);
    }
    if (o->monotone) {
        f.kind = TC_REC_FACT_MONOTONE;
        f.text = tc_fmt(e->arena, "the elements of '%s' never fall", o->path);
        put_fact(e, f);
    }
    if (o->has_init) {
        f.kind = TC_REC_FACT_INIT;
        f.text = tc_fmt(e->arena, "'%s' is %s", o->path, tc_term_text(e->c->terms, o->init));
        f.lo = tc_embed_term(e, o->init);
        put_fact(e, f);
    }
    if (o->has_range) {
        f.kind = TC_REC_FACT_RANGE;
        f.text = tc_fmt(e->arena, "%s <= '%s' < %s", tc_term_text(e->c->terms, o->range_lo), o->path,
                        tc_term_text(e->c->terms, o->range_hi));
        f.lo = tc_embed_term(e, o->range_lo);
        f.hi = tc_embed_term(e, o->range_hi);
        put_fact(e, f);
    }
}

// ---- tc_forall: over which values of its names it has to be looked at ----

typedef struct mention {
    const tc_sym *const *syms;
    unsigned n;
} mention;

static bool mentions(void *ctx, tc_t t) {
    const mention *m = ctx;
    for (unsigned i = 0; t->op == TC_T_SYM && i < m->n; i++)
        if (t->sym == m->syms[i])
            return true;
    return false;
}

typedef struct limits {
    tc_t lo, hi; // lo <= name < hi; NULL: none
} limits;

// `member` is a part of a disjunction: where it holds, so does the whole. Where it does not, a <= b is false, a - b >= 1, which bounds
// a name that has the coefficient 1 or -1 there by what speaks of earlier names only.
static void limit_by(tc_terms *ts, const tc_forall_fact *f, unsigned which, tc_t member, limits *x) {
    tc_t a, b, name = tc_of_sym(ts, f->bound[which]);
    if (member->op == TC_T_LE) {
        a = member->args[0];
        b = member->args[1];
    } else if (member->op == TC_T_NOT && member->args[0]->op == TC_T_LE) { // a > b does not hold: b - a >= 0
        a = tc_addc(ts, member->args[0]->args[1], 1);
        b = member->args[0]->args[0];
    } else
        return;
    tc_t difference = tc_sub(ts, a, b); // >= 1
    mention later = {&f->bound[which], f->nbound - which};
    tc_t below = tc_sub(ts, difference, name), above = tc_add(ts, difference, name);
    if (!tc_any(ts, below, mentions, &later)) { // name + below >= 1
        tc_t lo = tc_addc(ts, tc_neg(ts, below), 1);
        x->lo = x->lo ? tc_max(ts, x->lo, lo) : lo;
    } else if (!tc_any(ts, above, mentions, &later)) // above - name >= 1
        x->hi = x->hi ? tc_min(ts, x->hi, above) : above;
}

static limits limits_of(tc_embed *e, const tc_forall_fact *f, unsigned which) {
    limits x = {0};
    tc_terms *ts = e->c->terms;
    if (f->term->op == TC_T_OR)
        for (uint32_t i = 0; i < f->term->nargs; i++)
            limit_by(ts, f, which, f->term->args[i], &x);
    else
        limit_by(ts, f, which, f->term, &x);
    return x;
}

static void put_forall(tc_embed *e, const tc_forall_fact *f) {
    fact_row r = {.kind = TC_REC_FACT_FORALL, .text = f->text, .borrow = TC_REC_NONE, .hi = TC_REC_NONE, .line = f->loc.line};
    e->bound = f->bound;
    e->nbound = f->nbound;
    r.first_bound = e->counts[TC_REC_TABLE_BOUND];
    r.nbound = f->nbound;
    r.lo = tc_embed_term(e, f->term);
    for (unsigned i = 0; i < f->nbound; i++) {
        limits x = limits_of(e, f, i);
        uint32_t lo = x.lo ? tc_embed_term(e, x.lo) : TC_REC_NONE, hi = x.hi ? tc_embed_term(e, x.hi) : TC_REC_NONE;
        r.unbounded |= lo == TC_REC_NONE || hi == TC_REC_NONE || tc_embed_cannot(e, lo) || tc_embed_cannot(e, hi);
        put32(e, TC_REC_TABLE_BOUND, tc_embed_text(e, f->bound[i]->name));
        put32(e, TC_REC_TABLE_BOUND, lo);
        put32(e, TC_REC_TABLE_BOUND, hi);
        e->counts[TC_REC_TABLE_BOUND]++;
    }
    put_fact(e, r);
    e->nbound = 0;
}

static void put_contract(tc_embed *e, const tc_unit *u, const tc_options *o, const tc_kernel_result *r) {
    const tc_contract *c = e->c;
    number_borrows(e);
    put_scalars(e);
    for (size_t i = 0; i < c->objects.len; i++)
        if (e->borrows[i] != TC_REC_NONE)
            put_borrow(e, u, &c->objects.data[i]);
    put_pairs(e);
    put_fixed(e, o);
    put_facts(e);
    put_alignments(e);
    put_inferred(e, r);
    write_conditions(e);
    for (uint32_t i = 0; i < c->objects.len; i++)
        put_contents(e, i);
    for (size_t i = 0; i < c->foralls.len && e->counts[TC_REC_TABLE_BOUND] + TC_REC_MAX_BOUND <= TC_REC_MAX_ROWS; i++)
        put_forall(e, &c->foralls.data[i]);
}

// ---- the record ----

static unsigned verdict_of(const tc_kernel_result *r) {
    static const unsigned verdicts[] = {[TC_PROVED] = TC_REC_VERDICT_PROVED,
                                        [TC_PROVED_IF] = TC_REC_VERDICT_PROVED_IF,
                                        [TC_UNKNOWN] = TC_REC_VERDICT_UNKNOWN,
                                        [TC_VIOLATED] = TC_REC_VERDICT_VIOLATED};
    return r ? verdicts[r->verdict] : TC_REC_VERDICT_NOT_CHECKED;
}

static const uint32_t row_sizes[] = {
#define X(name, bytes) bytes,
    TC_REC_TABLES(X)
#undef X
};

static void put_header(tc_embed *e, tc_bytes *to, const tc_unit *u, const tc_kernel *k, unsigned verdict, unsigned flags, uint64_t arguments) {
    uint32_t mangled = tc_embed_text(e, k->mangled), name = tc_embed_text(e, k->name);
    uint32_t file = tc_embed_text(e, k->loc.file < u->nfiles ? u->files[k->loc.file] : "");
    tc_bytes *text = &e->tables[TC_REC_TABLE_TEXT];
    size_t size = TC_REC_HEADER_SIZE;
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++)
        size += e->tables[i].len;
    for (; size % 8 != 0; size++)
        tc_push(e->arena, text, 0);
    e->counts[TC_REC_TABLE_TEXT] = (uint32_t)text->len;

    for (size_t i = 0; i < 8; i++)
        tc_embed_put(e, to, (uint8_t)TC_REC_MAGIC[i], 1);
    tc_embed_put(e, to, TC_REC_MAJOR, 2);
    tc_embed_put(e, to, TC_REC_MINOR, 2);
    const uint32_t words[] = {(uint32_t)size, TC_REC_HEADER_SIZE, TC_REC_TABLE_COUNT, mangled, name, file, k->loc.line,
                              verdict | flags << 8, (uint32_t)arguments, (uint32_t)k->max_threads};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        tc_embed_put(e, to, words[i], 4);
    bool known = k->cluster[0] || k->cluster[1] || k->cluster[2];
    for (int d = 0; d < 3; d++)
        tc_embed_put(e, to, known && k->cluster[d] == 0 ? 1 : k->cluster[d], 4);
    uint64_t at = TC_REC_HEADER_SIZE;
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++) {
        // TEXT comes last, so that it can be padded.
        uint64_t where = i == TC_REC_TABLE_TEXT ? size - text->len : at;
        tc_embed_put(e, to, where, 4);
        tc_embed_put(e, to, e->counts[i], 4);
        tc_embed_put(e, to, row_sizes[i], 4);
        at += i == TC_REC_TABLE_TEXT ? 0 : e->tables[i].len;
    }
}

static void append(tc_arena *a, tc_bytes *to, const tc_bytes *from) {
    for (size_t i = 0; i < from->len; i++)
        tc_push(a, to, from->data[i]);
}

// gABI, "Note Section". The name with its 0 has 10 bytes, so that the record begins at 24 under either padding.
static void put_note(tc_embed *e, tc_bytes *to, const tc_bytes *record) {
    static const char name[12] = TC_REC_NOTE_NAME;
    tc_embed_put(e, to, sizeof TC_REC_NOTE_NAME, 4);
    tc_embed_put(e, to, record->len, 4);
    tc_embed_put(e, to, TC_REC_NOTE_TYPE, 4);
    for (size_t i = 0; i < sizeof name; i++)
        tc_embed_put(e, to, (uint8_t)name[i], 1);
    append(e->arena, to, record);
}

void tc_embed_kernel(tc_arena *a, const tc_unit *u, const tc_options *o, const tc_kernel *k, const tc_contract *c, bool complete,
                     const tc_kernel_result *r, tc_bytes *out) {
    tc_embed e = {.arena = a, .c = c};
    tc_bytes record = {0};
    tc_embed_text(&e, ""); // at 0: what is left out for its length is the empty text
    uint64_t arguments = put_params(&e, k);
    if (c)
        put_contract(&e, u, o, r);
    bool known = k->cluster[0] || k->cluster[1] || k->cluster[2];
    unsigned flags = (!complete || !c || e.partial ? TC_REC_PARTIAL : 0u) | (o->rules ? TC_REC_SOME_RULES : 0u) |
                     (known ? TC_REC_CLUSTER_KNOWN : 0u);
    put_header(&e, &record, u, k, verdict_of(r), flags, arguments);
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++)
        if (i != TC_REC_TABLE_TEXT)
            append(a, &record, &e.tables[i]);
    append(a, &record, &e.tables[TC_REC_TABLE_TEXT]);
    put_note(&e, out, &record);
}

void tc_embed_unit(tc_arena *a, const tc_unit *u, const tc_options *o, tc_bytes *out) {
    for (size_t i = 0; i < u->nkernels; i++) {
        tc_contract contract = {0};
        tc_findings findings = {0}; // the device's pass tells them
        const tc_kernel *k = &u->kernels[i];
        tc_status status = tc_contract_make(a, tc_terms_new(a), u, k, o, &contract, &findings);
        if (contract.annotated && k->has_body)
            tc_embed_kernel(a, u, o, k, &contract, status == TC_OK, NULL, out);
    }
}

// ---- as C ----

const char *tc_embed_c_text(tc_arena *a, const tc_bytes *notes, const char *file) {
    tc_text t = {.arena = a};
    tc_put(&t, "/* Contracts of the kernels of ");
    for (const char *s = file; *s; s++)
        tc_putc(&t, *s == '*' || *s == '\\' || *s == '\n' ? '?' : *s); // nothing ends the comment
    tc_put(&t, ", written by tilecheck: compile and link with the program. */\n");
    if (notes->len == 0)
        return tc_text_str(&t);
    tc_putf(&t,
            "__attribute__((section(\"" TC_REC_SECTION "\"), used, aligned(4)))\n"
            "static const unsigned char tilecheck_contracts[%zu] = {",
            notes->len);
    for (size_t i = 0; i < notes->len; i++)
        tc_putf(&t, "%s%u,", i % 24 ? "" : "\n    ", notes->data[i]);
    tc_put(&t, "\n};\n");
    return tc_text_str(&t);
}
