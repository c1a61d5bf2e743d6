// Terms to nodes: the leaves of a launch, and the operators one by one.
#include "checker/embed_terms.h"

static const char *const op_kinds[] = {
#define X(name, text, kinds) kinds,
    TC_REC_OPS(X)
#undef X
};

bool tc_embed_cannot(const tc_embed *e, uint32_t expr) {
    return expr < e->never.len && e->never.data[expr];
}

static bool takes_never(const tc_embed *e, tc_rec_op op, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t x[3] = {a, b, c};
    bool any = op == TC_REC_OP_NEVER;
    for (int i = 0; i < 3; i++)
        any |= (op_kinds[op][i] == 'n' || op_kinds[op][i] == 'g') && tc_embed_cannot(e, x[i]);
    return any;
}

static uint32_t add_node(tc_embed *e, tc_rec_op op, unsigned width, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t words[] = {a, b, c};
    tc_bytes *rows = &e->tables[TC_REC_TABLE_NODE];
    tc_embed_put(e, rows, (uint64_t)op | (uint64_t)width << 8, 4);
    for (int i = 0; i < 3; i++)
        tc_embed_put(e, rows, words[i], 4);
    tc_push(e->arena, &e->never, takes_never(e, op, a, b, c));
    return e->counts[TC_REC_TABLE_NODE]++;
}

// The last node that there is room for. SOUND: it has no value, and so has nothing of which it becomes a part.
static uint32_t too_large(tc_embed *e) {
    e->partial = true;
    if (e->counts[TC_REC_TABLE_NODE] < TC_REC_MAX_NODES)
        add_node(e, TC_REC_OP_NEVER, 0, tc_embed_text(e, "the contract is too large"), 0, 0);
    return TC_REC_MAX_NODES - 1;
}

static bool is_node(const tc_embed *e, uint32_t node, tc_rec_op op, unsigned width, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t words[] = {(uint32_t)op | width << 8, a, b, c};
    const uint8_t *row = e->tables[TC_REC_TABLE_NODE].data + (size_t)node * 16;
    for (int i = 0; i < 16; i++)
        if (row[i] != (uint8_t)(words[i / 4] >> (8 * (i % 4))))
            return false;
    return true;
}

uint32_t tc_embed_node(tc_embed *e, tc_rec_op op, unsigned width, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t key = tc_hash_mix(tc_hash_mix((uint64_t)op << 8 | width, (uint64_t)a << 32 | b), c);
    uint32_t known = (uint32_t)(uintptr_t)tc_map_get(&e->leaves, key);
    if (known && is_node(e, known - 1, op, width, a, b, c))
        return known - 1;
    if (e->counts[TC_REC_TABLE_NODE] >= TC_REC_MAX_NODES - 1)
        return too_large(e);
    uint32_t node = add_node(e, op, width, a, b, c);
    tc_map_put(e->arena, &e->leaves, key, (void *)(uintptr_t)(node + 1));
    return node;
}

// SOUND: a part that cannot be said has no value at run time; what contains it is not taken for true.
static uint32_t never(tc_embed *e, const char *what) {
    return tc_embed_node(e, TC_REC_OP_NEVER, 0, tc_embed_text(e, what), 0, 0);
}

// Three words hold 96 bits; a wider number is a sum.
uint32_t tc_embed_constant(tc_embed *e, tc_i128 v) {
    tc_i128 high = tc_floor_div(v, tc_pow2(64));
    uint64_t low = (uint64_t)tc_floor_mod(v, tc_pow2(64));
    if (high >= INT32_MIN && high <= INT32_MAX)
        return tc_embed_node(e, TC_REC_OP_CONST, 0, (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)(int32_t)high);
    uint32_t upper = tc_embed_node(e, TC_REC_OP_MUL, 0, tc_embed_constant(e, high), tc_embed_constant(e, tc_pow2(64)), 0);
    return tc_embed_node(e, TC_REC_OP_ADD, 0, upper, tc_embed_constant(e, (tc_i128)low), 0);
}

// ---- what an object covers ----

static bool row_major(tc_embed *e, const tc_object_contract *o, tc_t *count) {
    tc_terms *ts = e->c->terms;
    *count = tc_int(ts, 1);
    for (unsigned d = o->ndims; d-- > 0;) {
        if (o->stride[d] != *count)
            return false;
        *count = tc_mul(ts, *count, o->shape[d]);
    }
    return true;
}

bool tc_embed_span(tc_embed *e, const tc_object_contract *o, tc_t *lo, tc_t *hi) {
    tc_terms *ts = e->c->terms;
    tc_t zero = tc_int(ts, 0), some = tc_bool(ts, true);
    if (o->ndims == 0)
        return false;
    *lo = zero;
    if (row_major(e, o, hi))
        return true;
    *hi = tc_int(ts, 1);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t last = tc_mul(ts, tc_addc(ts, o->shape[d], -1), o->stride[d]);
        *lo = tc_add(ts, *lo, tc_min(ts, zero, last));
        *hi = tc_add(ts, *hi, tc_max(ts, zero, last));
        some = tc_and(ts, some, tc_le(ts, tc_int(ts, 1), o->shape[d]));
    }
    *lo = tc_ite(ts, some, *lo, zero);
    *hi = tc_ite(ts, some, *hi, zero);
    return true;
}

// ---- symbols ----

// What a symbol of an inferred alignment is about.
typedef struct aligned {
    uint32_t object; // of the contract
    uint64_t align;
} aligned;

static const char aligned_mark; // where a tag begins with its address, it is one of these

typedef struct tagged {
    const char *mark;
    aligned is;
} tagged;

tc_t tc_aligned_symbol(tc_terms *ts, const char *text, uint32_t object, uint64_t align) {
    tc_sym *s = tc_sym_new(ts, text, TC_SYM_UNKNOWN, TC_VAR_LAUNCH, TC_BOOL);
    tagged *t = TC_NEW(tc_terms_arena(ts), tagged);
    *t = (tagged){&aligned_mark, {object, align}};
    s->tag = t;
    s->owner = object;
    return tc_of_sym(ts, s);
}

static const aligned *alignment_of(const tc_sym *s) {
    if (s->kind != TC_SYM_UNKNOWN || s->sort != TC_BOOL || s->variance != TC_VAR_LAUNCH || !s->tag)
        return NULL;
    const tagged *t = s->tag;
    return t->mark == &aligned_mark ? &t->is : NULL;
}

static uint32_t borrow_row(const tc_embed *e, uint32_t object) {
    return object < e->c->objects.len ? e->borrows[object] : TC_REC_NONE;
}

static uint32_t alignment(tc_embed *e, const aligned *x, const char *text) {
    uint32_t row = borrow_row(e, x->object);
    if (row == TC_REC_NONE)
        return never(e, text);
    uint32_t address = tc_embed_node(e, TC_REC_OP_ADDRESS, 0, row, 0, 0), align = tc_embed_constant(e, (tc_i128)x->align);
    uint32_t rest = tc_embed_node(e, TC_REC_OP_MOD, 0, address, align, 0);
    return tc_embed_node(e, TC_REC_OP_EQ, 0, rest, tc_embed_constant(e, 0), 0);
}

static uint32_t parameter(tc_embed *e, const tc_sym *s) {
    if (s->owner == UINT32_MAX)
        return tc_embed_node(e, TC_REC_OP_SMEM, 0, 0, 0, 0);
    if (s->sort == TC_INT && s->owner < e->c->scalars.len)
        return tc_embed_node(e, TC_REC_OP_SCALAR, 0, s->owner, 0, 0);
    uint32_t row = s->sort == TC_BOOL ? borrow_row(e, s->owner) : TC_REC_NONE;
    return row == TC_REC_NONE ? never(e, s->name) : tc_embed_node(e, TC_REC_OP_NONNULL, 0, row, 0, 0);
}

static uint32_t symbol(tc_embed *e, const tc_sym *s) {
    switch (s->kind) {
    case TC_SYM_PARAM:
        return parameter(e, s);
    case TC_SYM_BLOCKDIM:
        return tc_embed_node(e, TC_REC_OP_BLOCK, 0, s->axis, 0, 0);
    case TC_SYM_GRIDDIM:
        return tc_embed_node(e, TC_REC_OP_GRID, 0, s->axis, 0, 0);
    case TC_SYM_BOUND:
        for (unsigned i = 0; i < e->nbound; i++)
            if (e->bound[i] == s)
                return tc_embed_node(e, TC_REC_OP_BOUND, 0, i, 0, 0);
        return never(e, s->name);
    default: {
        const aligned *x = alignment_of(s);
        return x ? alignment(e, x, s->name) : never(e, s->name);
    }
    }
}

// ---- elements of arrays ----

static uint32_t contents_of(const tc_embed *e, const tc_fn *f) {
    for (uint32_t i = 0; i < e->c->objects.len; i++)
        if (tc_map_get(&e->c->contents, (uint64_t)i + 1) == f)
            return i;
    return UINT32_MAX;
}

// lo <= index && index + 1 <= hi. SOUND: as nodes, not as a term: the ranges of symbols would decide a part of it, and a launch that
// does not meet the contract has other values.
static uint32_t exists(tc_embed *e, uint32_t index, tc_t lo, tc_t hi) {
    uint32_t next = tc_embed_node(e, TC_REC_OP_ADD, 0, index, tc_embed_constant(e, 1), 0);
    uint32_t from = tc_embed_node(e, TC_REC_OP_LE, 0, tc_embed_term(e, lo), index, 0);
    uint32_t to = tc_embed_node(e, TC_REC_OP_LE, 0, next, tc_embed_term(e, hi), 0);
    return tc_embed_node(e, TC_REC_OP_AND, 0, from, to, 0);
}

// The element, and the condition under which it exists, without which nobody may read it.
static uint32_t element(tc_embed *e, tc_t t) {
    uint32_t object = contents_of(e, t->fn), row = borrow_row(e, object);
    tc_t lo, hi;
    if (row == TC_REC_NONE || t->nargs != 1 || !tc_embed_span(e, &e->c->objects.data[object], &lo, &hi))
        return never(e, t->fn->name);
    uint32_t index = tc_embed_term(e, t->args[0]);
    return tc_embed_node(e, TC_REC_OP_ELEMENT, 0, row, index, exists(e, index, lo, hi));
}

// ---- operators ----

static const struct {
    tc_op op;
    tc_rec_op rec;
} same_ops[] = {{TC_T_ADD, TC_REC_OP_ADD},       {TC_T_MUL, TC_REC_OP_MUL},       {TC_T_DIV, TC_REC_OP_DIV},    {TC_T_MOD, TC_REC_OP_MOD},
                {TC_T_TDIV, TC_REC_OP_TDIV},     {TC_T_TREM, TC_REC_OP_TREM},     {TC_T_MIN, TC_REC_OP_MIN},    {TC_T_MAX, TC_REC_OP_MAX},
                {TC_T_POW2, TC_REC_OP_POW2},     {TC_T_BITAND, TC_REC_OP_BITAND}, {TC_T_BITOR, TC_REC_OP_BITOR}, {TC_T_BITXOR, TC_REC_OP_BITXOR},
                {TC_T_ITE, TC_REC_OP_ITE},       {TC_T_EQ, TC_REC_OP_EQ},         {TC_T_LE, TC_REC_OP_LE},      {TC_T_NOT, TC_REC_OP_NOT},
                {TC_T_AND, TC_REC_OP_AND},       {TC_T_OR, TC_REC_OP_OR}};

static uint32_t argument(const tc_embed *e, tc_t t, uint32_t i) {
    return (uint32_t)(uintptr_t)tc_map_get(&e->nodes, TC_KEY(t->args[i])) - 1;
}

static uint32_t wrapped(tc_embed *e, tc_t t) {
    unsigned width = tc_wrap_width(t);
    tc_rec_op op = tc_wrap_signed(t) ? TC_REC_OP_WRAP_SIGNED : TC_REC_OP_WRAP_UNSIGNED;
    return width < 1 || width > 64 ? never(e, "an integer of more than 64 bits") : tc_embed_node(e, op, width, argument(e, t, 0), 0, 0);
}

static uint32_t operation(tc_embed *e, tc_t t) {
    if (t->op == TC_T_WRAP)
        return wrapped(e, t);
    for (size_t i = 0; i < sizeof same_ops / sizeof *same_ops; i++) {
        if (same_ops[i].op != t->op)
            continue;
        if (t->op == TC_T_ITE)
            return tc_embed_node(e, TC_REC_OP_ITE, 0, argument(e, t, 0), argument(e, t, 1), argument(e, t, 2));
        uint32_t r = argument(e, t, 0);
        if (t->nargs == 1)
            return tc_embed_node(e, same_ops[i].rec, 0, r, 0, 0);
        for (uint32_t k = 1; k < t->nargs; k++) // of any number of arguments: from the left, as they are evaluated
            r = tc_embed_node(e, same_ops[i].rec, 0, r, argument(e, t, k), 0);
        return r;
    }
    return never(e, "an operator that this version cannot say");
}

// ---- the walk ----

typedef struct order {
    tc_arena *arena;
    tc_tvec list;
} order;

static void note(void *ctx, tc_t t) {
    order *o = ctx;
    tc_push(o->arena, &o->list, t);
}

uint32_t tc_embed_term(tc_embed *e, tc_t t) {
    order o = {.arena = e->arena};
    tc_walk(e->c->terms, t, note, &o); // arguments first
    uint32_t last = 0;
    for (size_t i = 0; i < o.list.len; i++) {
        tc_t at = o.list.data[i];
        void *known = tc_map_get(&e->nodes, TC_KEY(at));
        if (known) {
            last = (uint32_t)(uintptr_t)known - 1;
            continue;
        }
        last = at->op == TC_T_CONST ? tc_embed_constant(e, at->value)
               : at->op == TC_T_SYM ? symbol(e, at->sym)
               : at->op == TC_T_APP ? element(e, at)
                                    : operation(e, at);
        tc_map_put(e->arena, &e->nodes, TC_KEY(at), (void *)(uintptr_t)(last + 1));
    }
    return last;
}
