// Expressions of one launch, over 128-bit integers: what does not fit has no value, nothing wraps.
#include "runtime-shim/contract.h"

#include <string.h>

typedef tc_embedded_cell cell;

const char *tc_embedded_state_text(tc_embedded_state s) {
    switch (s) {
    case TC_EMBEDDED_OPEN:
    case TC_EMBEDDED_VALUE:
        return "it has a value";
    case TC_EMBEDDED_UNDEFINED:
        return "it has no value: a division by zero, a shift too far, or an element that does not exist";
    case TC_EMBEDDED_OVERFLOW:
        return "a number is beyond 128 bits";
    case TC_EMBEDDED_MISSING:
        return "a value that it speaks of is not known";
    case TC_EMBEDDED_LONG:
        return "it takes more steps than are allowed";
    case TC_EMBEDDED_NEVER:
        break;
    }
    return "it cannot be said at run time";
}

// ---- arguments ----

// `size` bytes at `offset` of a parameter.
static bool read_argument(const tc_embedded_frame *f, uint32_t param, uint32_t offset, uint32_t size, void *to) {
    const tc_embedded_launch *l = f->launch;
    if (l->params) {
        const uint8_t *from = l->params[param];
        if (from)
            memcpy(to, from + offset, size);
        return from != NULL;
    }
    size_t at = (size_t)tc_embedded_param_at(f->record, param).offset + offset;
    if (!l->buffer || at > l->buffer_size || size > l->buffer_size - at)
        return false;
    memcpy(to, (const uint8_t *)l->buffer + at, size);
    return true;
}

static uint64_t little_endian(const uint8_t *p, unsigned size) {
    uint64_t v = 0;
    for (unsigned i = 0; i < size; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static tc_embedded_state scalar(const tc_embedded_frame *f, uint32_t i, tc_i128 *r) {
    tc_embedded_scalar s = tc_embedded_scalar_at(f->record, i);
    uint8_t bytes[8];
    if (!read_argument(f, s.param, s.offset, s.size, bytes))
        return TC_EMBEDDED_MISSING;
    uint64_t v = little_endian(bytes, s.size);
    *r = s.sign == TC_REC_SCALAR_BOOL ? v != 0 : tc_wrap128((tc_i128)v, s.size * 8u, s.sign == TC_REC_SCALAR_SIGNED);
    return TC_EMBEDDED_VALUE;
}

static tc_embedded_state variable(const tc_embedded_launch *l, const tc_embedded_borrow *b, uint64_t *address) {
    uint8_t bytes[8];
    if (!l->variable || !l->variable(l->ctx, b->variable, address))
        return TC_EMBEDDED_MISSING;
    if (!(b->flags & TC_REC_BORROW_HOLDS_POINTER))
        return TC_EMBEDDED_VALUE;
    if (!l->read || !l->read(l->ctx, *address, sizeof bytes, bytes))
        return TC_EMBEDDED_MISSING;
    *address = little_endian(bytes, sizeof bytes);
    return TC_EMBEDDED_VALUE;
}

tc_embedded_state tc_embedded_address(const tc_embedded_frame *f, uint32_t borrow, uint64_t *address) {
    tc_embedded_borrow b = tc_embedded_borrow_at(f->record, borrow);
    uint8_t bytes[8];
    if (b.param == TC_REC_NONE)
        return variable(f->launch, &b, address);
    if (!read_argument(f, b.param, b.offset, sizeof bytes, bytes))
        return TC_EMBEDDED_MISSING;
    *address = little_endian(bytes, sizeof bytes);
    return TC_EMBEDDED_VALUE;
}

static tc_embedded_state address_of(const tc_embedded_frame *f, uint32_t borrow, tc_i128 *r) {
    uint64_t address;
    tc_embedded_state s = tc_embedded_address(f, borrow, &address);
    if (s == TC_EMBEDDED_VALUE)
        *r = (tc_i128)address;
    return s;
}

tc_embedded_state tc_embedded_element(const tc_embedded_frame *f, uint32_t borrow, tc_i128 index, tc_i128 *r) {
    tc_embedded_borrow b = tc_embedded_borrow_at(f->record, borrow);
    uint64_t address;
    tc_i128 at;
    uint8_t bytes[8];
    bool integer = b.content == TC_REC_ELEMENT_SIGNED || b.content == TC_REC_ELEMENT_UNSIGNED || b.content == TC_REC_ELEMENT_BOOL;
    if (!integer || b.element < 1 || b.element > sizeof bytes)
        return TC_EMBEDDED_NEVER;
    tc_embedded_state s = tc_embedded_address(f, borrow, &address);
    if (s != TC_EMBEDDED_VALUE)
        return s;
    if (!tc_mul128(index, b.element, &at) || !tc_add128(at, (tc_i128)address, &at) || at < 0 || at > (tc_i128)(UINT64_MAX - b.element))
        return TC_EMBEDDED_OVERFLOW;
    if (address == 0 || !f->launch->read || !f->launch->read(f->launch->ctx, (uint64_t)at, b.element, bytes))
        return TC_EMBEDDED_MISSING;
    uint64_t v = little_endian(bytes, b.element);
    *r = b.content == TC_REC_ELEMENT_BOOL ? v != 0 : tc_wrap128((tc_i128)v, b.element * 8u, b.content == TC_REC_ELEMENT_SIGNED);
    return TC_EMBEDDED_VALUE;
}

// Without a cluster attribute a launch has the kernel's own, or none.
static tc_embedded_state cluster(const tc_embedded_frame *f, uint32_t axis, tc_i128 *r) {
    const tc_embedded_launch *l = f->launch;
    bool compiled = f->record->flags & TC_REC_CLUSTER_KNOWN;
    *r = compiled ? f->record->cluster[axis] : l->cluster[axis];
    return *r > 0 ? TC_EMBEDDED_VALUE : TC_EMBEDDED_MISSING;
}

// ---- operators ----

static const char *const op_kinds[] = {
#define X(name, text, kinds) kinds,
    TC_REC_OPS(X)
#undef X
};

static bool is_node(char kind, uint32_t x) {
    return kind == 'n' || (kind == 'g' && x != TC_REC_NONE);
}

static tc_embedded_state leaf(const tc_embedded_frame *f, const tc_embedded_node *n, tc_i128 *r) {
    switch (n->op) {
    case TC_REC_OP_CONST:
        *r = tc_embedded_constant(*n);
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_SCALAR:
        return scalar(f, n->a, r);
    case TC_REC_OP_GRID:
        *r = f->launch->grid[n->a];
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_BLOCK:
        *r = f->launch->block[n->a];
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_CLUSTER:
        return cluster(f, n->a, r);
    case TC_REC_OP_SMEM:
        *r = (tc_i128)f->launch->smem;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_ADDRESS:
        return address_of(f, n->a, r);
    case TC_REC_OP_NONNULL: {
        tc_embedded_state s = address_of(f, n->a, r);
        *r = *r != 0;
        return s;
    }
    case TC_REC_OP_BOUND:
        *r = n->a < f->nbound ? f->bound[n->a] : 0;
        return n->a < f->nbound ? TC_EMBEDDED_VALUE : TC_EMBEDDED_MISSING;
    default:
        return TC_EMBEDDED_NEVER;
    }
}

static tc_embedded_state divide(unsigned op, tc_i128 a, tc_i128 b, tc_i128 *r) {
    if (b == 0)
        return TC_EMBEDDED_UNDEFINED;
    if (b == -1 && a == TC_I128_MIN)
        return TC_EMBEDDED_OVERFLOW;
    *r = op == TC_REC_OP_DIV    ? tc_floor_div(a, b)
         : op == TC_REC_OP_MOD  ? tc_floor_mod(a, b)
         : op == TC_REC_OP_TDIV ? a / b
                                : a % b;
    return TC_EMBEDDED_VALUE;
}

static tc_embedded_state fits(bool good) {
    return good ? TC_EMBEDDED_VALUE : TC_EMBEDDED_OVERFLOW;
}

// All arguments have values.
static tc_embedded_state apply(const tc_embedded_node *n, tc_i128 a, tc_i128 b, tc_i128 *r) {
    switch (n->op) {
    case TC_REC_OP_ADD:
        return fits(tc_add128(a, b, r));
    case TC_REC_OP_MUL:
        return fits(tc_mul128(a, b, r));
    case TC_REC_OP_DIV:
    case TC_REC_OP_MOD:
    case TC_REC_OP_TDIV:
    case TC_REC_OP_TREM:
        return divide(n->op, a, b, r);
    case TC_REC_OP_MIN:
        *r = a < b ? a : b;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_MAX:
        *r = a > b ? a : b;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_POW2:
        if (a < 0 || a > 126)
            return TC_EMBEDDED_UNDEFINED;
        *r = tc_pow2((unsigned)a);
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_BITAND:
        *r = a & b;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_BITOR:
        *r = a | b;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_BITXOR:
        *r = a ^ b;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_WRAP_SIGNED:
    case TC_REC_OP_WRAP_UNSIGNED:
        *r = tc_wrap128(a, n->width, n->op == TC_REC_OP_WRAP_SIGNED);
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_EQ:
        *r = a == b;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_LE:
        *r = a <= b;
        return TC_EMBEDDED_VALUE;
    case TC_REC_OP_NOT:
        *r = a == 0;
        return TC_EMBEDDED_VALUE;
    default:
        return TC_EMBEDDED_NEVER;
    }
}

// A false conjunct decides, whatever the other is; dually for a disjunction.
static tc_embedded_state connective(bool is_and, const cell *a, const cell *b, tc_i128 *r) {
    const cell *both[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i]->state == TC_EMBEDDED_VALUE && (both[i]->value != 0) != is_and) {
            *r = !is_and;
            return TC_EMBEDDED_VALUE;
        }
    *r = is_and;
    return (tc_embedded_state)(a->state != TC_EMBEDDED_VALUE ? a->state : b->state);
}

static tc_embedded_state choice(const cell *c, const cell *a, const cell *b, tc_i128 *r) {
    if (c->state != TC_EMBEDDED_VALUE)
        return (tc_embedded_state)c->state;
    const cell *taken = c->value ? a : b;
    *r = taken->value;
    return (tc_embedded_state)taken->state;
}

static tc_embedded_state guarded_element(const tc_embedded_frame *f, const tc_embedded_node *n, tc_i128 *r) {
    const cell *index = &f->cells[n->b];
    if (n->c != TC_REC_NONE) {
        const cell *exists = &f->cells[n->c];
        if (exists->state != TC_EMBEDDED_VALUE)
            return (tc_embedded_state)exists->state;
        if (exists->value == 0)
            return TC_EMBEDDED_UNDEFINED;
    }
    if (index->state != TC_EMBEDDED_VALUE)
        return (tc_embedded_state)index->state;
    return tc_embedded_element(f, n->a, index->value, r);
}

static void compute(tc_embedded_frame *f, uint32_t i) {
    tc_embedded_node n = tc_embedded_node_at(f->record, i);
    tc_i128 r = 0;
    tc_embedded_state s = TC_EMBEDDED_NEVER;
    if (n.op >= TC_REC_OP_COUNT) {
        // of a later minor version
    } else if (n.op == TC_REC_OP_AND || n.op == TC_REC_OP_OR) {
        s = connective(n.op == TC_REC_OP_AND, &f->cells[n.a], &f->cells[n.b], &r);
    } else if (n.op == TC_REC_OP_ITE) {
        s = choice(&f->cells[n.a], &f->cells[n.b], &f->cells[n.c], &r);
    } else if (n.op == TC_REC_OP_ELEMENT) {
        s = guarded_element(f, &n, &r);
    } else if (op_kinds[n.op][0] != 'n') {
        s = leaf(f, &n, &r);
    } else {
        const cell *a = &f->cells[n.a], *b = op_kinds[n.op][1] == 'n' ? &f->cells[n.b] : a;
        s = (tc_embedded_state)(a->state != TC_EMBEDDED_VALUE ? a->state : b->state);
        if (s == TC_EMBEDDED_VALUE)
            s = apply(&n, a->value, b->value, &r);
    }
    f->cells[i].state = (uint8_t)s;
    f->cells[i].value = s == TC_EMBEDDED_VALUE ? r : 0;
}

// ---- evaluation ----

static void arguments(const tc_embedded_node *n, bool is[3], uint32_t x[3]) {
    const char *kinds = n->op < TC_REC_OP_COUNT ? op_kinds[n->op] : "---";
    x[0] = n->a;
    x[1] = n->b;
    x[2] = n->c;
    for (int k = 0; k < 3; k++)
        is[k] = is_node(kinds[k], x[k]);
}

void tc_embedded_begin(tc_embedded_frame *f, const tc_embedded *e, const tc_embedded_launch *l, tc_embedded_cell *cells) {
    *f = (tc_embedded_frame){.record = e, .launch = l, .cells = cells};
    for (uint32_t i = 0; i < tc_embedded_nodes(e); i++) {
        tc_embedded_node n = tc_embedded_node_at(e, i);
        bool is[3];
        uint32_t x[3];
        cells[i] = (cell){.state = TC_EMBEDDED_OPEN, .varies = n.op == TC_REC_OP_BOUND};
        arguments(&n, is, x);
        for (int k = 0; k < 3; k++)
            cells[i].varies |= is[k] && cells[x[k]].varies;
    }
}

void tc_embedded_bind(tc_embedded_frame *f, const tc_i128 *values, unsigned n) {
    f->nbound = n < TC_REC_MAX_BOUND ? n : TC_REC_MAX_BOUND;
    for (unsigned i = 0; i < f->nbound; i++)
        f->bound[i] = values[i];
    for (uint32_t i = 0; i < tc_embedded_nodes(f->record); i++)
        if (f->cells[i].varies)
            f->cells[i].state = TC_EMBEDDED_OPEN;
}

// Arguments come before what they are arguments of: one walk down marks what is needed, one up computes it.
tc_embedded_state tc_embedded_value(tc_embedded_frame *f, uint32_t expr, tc_i128 *r) {
    if (expr >= tc_embedded_nodes(f->record))
        return TC_EMBEDDED_NEVER;
    uint32_t lowest = expr;
    f->cells[expr].wanted = true;
    for (uint32_t i = expr + 1; i-- > lowest;) {
        if (!f->cells[i].wanted || f->cells[i].state != TC_EMBEDDED_OPEN)
            continue;
        tc_embedded_node n = tc_embedded_node_at(f->record, i);
        bool is[3];
        uint32_t x[3];
        arguments(&n, is, x);
        for (int k = 0; k < 3; k++)
            if (is[k]) {
                f->cells[x[k]].wanted = true;
                lowest = x[k] < lowest ? x[k] : lowest;
            }
    }
    for (uint32_t i = lowest; i <= expr; i++) {
        if (f->cells[i].wanted && f->cells[i].state == TC_EMBEDDED_OPEN)
            compute(f, i);
        f->cells[i].wanted = false;
    }
    if (f->cells[expr].state == TC_EMBEDDED_VALUE)
        *r = f->cells[expr].value;
    return (tc_embedded_state)f->cells[expr].state;
}

tc_embedded_answer tc_embedded_meets(tc_embedded_frame *f, uint32_t condition, tc_embedded_state *why) {
    tc_i128 r = 0;
    tc_embedded_state s = tc_embedded_value(f, tc_embedded_condition_at(f->record, condition).expr, &r);
    if (why)
        *why = s;
    return s != TC_EMBEDDED_VALUE ? TC_EMBEDDED_CANNOT : r ? TC_EMBEDDED_HOLDS : TC_EMBEDDED_FAILS;
}
