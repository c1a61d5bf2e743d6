// What the check of a kernel has inferred, read back from its record in the compilation for the host.
#include <string.h>

#include "checker/contract.h"
#include "checker/embed.h"
#include "runtime-shim/contract.h"

enum { DEEPEST = 200 };

typedef struct reading {
    tc_arena *arena;
    tc_contract *contract;
    const tc_kernel *kernel;
    const tc_embedded *record;
    tc_t *terms; // of the nodes that were read
    bool found;
} reading;

static tc_t term_of(reading *r, uint32_t node, unsigned depth);

// The operators that have a value whatever their operands are.
static tc_t operation(tc_terms *ts, tc_rec_op op, tc_t a, tc_t b) {
    if (!a || (op != TC_REC_OP_NOT && !b))
        return NULL;
    bool booleans = op == TC_REC_OP_NOT || op == TC_REC_OP_AND || op == TC_REC_OP_OR;
    if ((a->sort == TC_BOOL) != booleans || (b && (b->sort == TC_BOOL) != booleans))
        return NULL;
    switch (op) {
    case TC_REC_OP_ADD:
        return tc_add(ts, a, b);
    case TC_REC_OP_MUL:
        return tc_mul(ts, a, b);
    case TC_REC_OP_MIN:
        return tc_min(ts, a, b);
    case TC_REC_OP_MAX:
        return tc_max(ts, a, b);
    case TC_REC_OP_MOD:
        return tc_is_const(b) && b->value > 0 ? tc_mod(ts, a, b) : NULL;
    case TC_REC_OP_DIV:
        return tc_is_const(b) && b->value > 0 ? tc_div(ts, a, b) : NULL;
    case TC_REC_OP_EQ:
        return tc_eq(ts, a, b);
    case TC_REC_OP_LE:
        return tc_le(ts, a, b);
    case TC_REC_OP_NOT:
        return tc_not(ts, a);
    case TC_REC_OP_AND:
        return tc_and(ts, a, b);
    case TC_REC_OP_OR:
        return tc_or(ts, a, b);
    default:
        return NULL;
    }
}

static tc_t scalar(const reading *r, uint32_t row) {
    tc_embedded_scalar s = tc_embedded_scalar_at(r->record, row);
    const tc_scalar *found = tc_contract_scalar(r->contract, s.param, s.offset);
    return found && found->term->sort == TC_INT ? found->term : NULL;
}

// NULL: another kind of node.
static tc_t leaf(const reading *r, const tc_embedded_node *n) {
    const tc_launch_syms *s = &r->contract->syms;
    switch (n->op) {
    case TC_REC_OP_CONST:
        return tc_int(r->contract->terms, tc_embedded_constant(*n));
    case TC_REC_OP_SCALAR:
        return scalar(r, n->a);
    case TC_REC_OP_GRID:
        return s->grid_dim[n->a];
    case TC_REC_OP_BLOCK:
        return s->block_dim[n->a];
    case TC_REC_OP_SMEM:
        return s->smem;
    default:
        return NULL;
    }
}

// NULL: not known here.
static tc_t read_node(reading *r, uint32_t node, unsigned depth) {
    tc_embedded_node n = tc_embedded_node_at(r->record, node);
    tc_t t = leaf(r, &n);
    if (t || n.op < TC_REC_OP_ADD || n.op == TC_REC_OP_ITE)
        return t;
    tc_t a = term_of(r, n.a, depth + 1);
    return operation(r->contract->terms, (tc_rec_op)n.op, a, n.op == TC_REC_OP_NOT ? NULL : term_of(r, n.b, depth + 1));
}

static tc_t term_of(reading *r, uint32_t node, unsigned depth) {
    if (depth > DEEPEST || node >= tc_embedded_nodes(r->record))
        return NULL;
    if (!r->terms[node])
        r->terms[node] = read_node(r, node, depth);
    return r->terms[node];
}

// SOUND: a condition that cannot be read here is one of which nothing is known, and is never shown.
static tc_t unreadable(reading *r, const char *text) {
    return tc_of_sym(r->contract->terms, tc_sym_new(r->contract->terms, text, TC_SYM_UNKNOWN, TC_VAR_LAUNCH, TC_BOOL));
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_of(const reading *r, const tc_unit *u, const tc_embedded *e) {
    const tc_kernel *k = r->kernel;
    const char *file = k->loc.file < u->nfiles ? u->files[k->loc.file] : "";
    return strcmp(e->name, k->name) == 0 && e->line == k->loc.line && strcmp(base_name(e->file), base_name(file)) == 0;
}

static void take_waits(reading *r, const tc_embedded *e) {
    r->contract->waits_first = (e->flags & TC_REC_WAITS_KNOWN) != 0 && (e->flags & TC_REC_WAITS) != 0;
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_BORROW].count; i++) {
        tc_embedded_borrow b = tc_embedded_borrow_at(e, i);
        for (size_t k = 0; k < r->contract->objects.len; k++)
            if (strcmp(r->contract->objects.data[k].path, b.path) == 0)
                r->contract->objects.data[k].early |= (b.flags & TC_REC_BORROW_EARLY) != 0;
    }
}

typedef struct walk {
    reading *reading;
    const tc_unit *unit;
} walk;

static bool take(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    walk *w = ctx;
    reading *r = w->reading;
    if (error != TC_EMBEDDED_OK || !is_of(r, w->unit, e))
        return true;
    r->record = e;
    r->found = true;
    take_waits(r, e);
    r->terms = TC_NEW_ARRAY(r->arena, tc_t, tc_embedded_nodes(e) + 1);
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_CONDITION].count; i++) {
        tc_embedded_condition c = tc_embedded_condition_at(e, i);
        if (c.kind != TC_REC_CONDITION_INFERRED)
            continue;
        const char *text = tc_strdup(r->arena, c.text);
        tc_t t = term_of(r, c.expr, 0);
        tc_loc at = r->kernel->loc;
        tc_push(r->arena, &r->contract->inferred, ((tc_fact){t && t->sort == TC_BOOL ? t : unreadable(r, text), text, at}));
    }
    return false;
}

bool tc_embed_inferred(tc_arena *a, const tc_unit *u, const tc_kernel *k, tc_contract *c) {
    reading r = {.arena = a, .contract = c, .kernel = k};
    walk w = {&r, u};
    if (u->records)
        tc_embedded_notes(u->records, u->nrecords, 4, take, &w);
    return r.found;
}
