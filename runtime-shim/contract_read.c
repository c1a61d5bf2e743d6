// One record: checked once, then read without fear.
#include "runtime-shim/contract.h"

#include <string.h>

static uint32_t get32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const uint8_t *p) {
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static unsigned get16(const uint8_t *p) {
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

const char *tc_embedded_error_text(tc_embedded_error e) {
    switch (e) {
    case TC_EMBEDDED_OK:
        return "no error";
    case TC_EMBEDDED_TRUNCATED:
        return "the contract is cut short";
    case TC_EMBEDDED_MAGIC:
        return "this is no contract";
    case TC_EMBEDDED_VERSION:
        return "the contract is of a later tilecheck, whose format this one does not know";
    case TC_EMBEDDED_LIMIT:
        return "the contract is larger than any contract is";
    case TC_EMBEDDED_CORRUPT:
        break;
    }
    return "the contract is corrupt";
}

// ---- rows ----

static const uint8_t *row_at(const tc_embedded *e, unsigned table, uint32_t i) {
    const tc_embedded_table *t = &e->tables[table];
    return e->bytes + t->offset + (size_t)i * t->row;
}

static const char *text_at(const tc_embedded *e, uint32_t offset) {
    return offset == TC_REC_NONE ? NULL : (const char *)e->bytes + e->tables[TC_REC_TABLE_TEXT].offset + offset;
}

tc_embedded_param tc_embedded_param_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_PARAM, i);
    return (tc_embedded_param){.name = text_at(e, get32(p)),
                               .type = text_at(e, get32(p + 4)),
                               .offset = get32(p + 8),
                               .size = get32(p + 12),
                               .align = get32(p + 16),
                               .kind = p[20]};
}

tc_embedded_scalar tc_embedded_scalar_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_SCALAR, i);
    return (tc_embedded_scalar){
        .path = text_at(e, get32(p)), .param = get32(p + 4), .offset = get32(p + 8), .size = p[12], .sign = p[13]};
}

tc_embedded_borrow tc_embedded_borrow_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_BORROW, i);
    return (tc_embedded_borrow){.path = text_at(e, get32(p)),
                                .param = get32(p + 4),
                                .offset = get32(p + 8),
                                .variable = text_at(e, get32(p + 12)),
                                .element = get32(p + 16),
                                .align = get32(p + 20),
                                .first_dim = get32(p + 24),
                                .ndims = p[28],
                                .kind = p[29],
                                .flags = p[30],
                                .content = p[31],
                                .why = text_at(e, get32(p + 32)),
                                .line = get32(p + 36),
                                .lo = get32(p + 40),
                                .hi = get32(p + 44)};
}

tc_embedded_dim tc_embedded_dim_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_DIM, i);
    return (tc_embedded_dim){get32(p), get32(p + 4)};
}

tc_embedded_condition tc_embedded_condition_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_CONDITION, i);
    return (tc_embedded_condition){
        .text = text_at(e, get32(p)), .expr = get32(p + 4), .line = get32(p + 8), .kind = p[12], .flags = p[13]};
}

tc_embedded_fact tc_embedded_fact_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_FACT, i);
    return (tc_embedded_fact){.text = text_at(e, get32(p)),
                              .borrow = get32(p + 4),
                              .lo = get32(p + 8),
                              .hi = get32(p + 12),
                              .first_bound = get32(p + 16),
                              .nbound = get32(p + 20),
                              .line = get32(p + 24),
                              .kind = p[28],
                              .flags = p[29]};
}

tc_embedded_bound tc_embedded_bound_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_BOUND, i);
    return (tc_embedded_bound){text_at(e, get32(p)), get32(p + 4), get32(p + 8)};
}

tc_embedded_pair tc_embedded_pair_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_PAIR, i);
    return (tc_embedded_pair){get32(p), get32(p + 4), p[8]};
}

tc_embedded_node tc_embedded_node_at(const tc_embedded *e, uint32_t i) {
    const uint8_t *p = row_at(e, TC_REC_TABLE_NODE, i);
    return (tc_embedded_node){p[0], p[1], get32(p + 4), get32(p + 8), get32(p + 12)};
}

tc_i128 tc_embedded_constant(tc_embedded_node n) {
    tc_i128 high = n.c & 0x80000000u ? (tc_i128)n.c - tc_pow2(32) : (tc_i128)n.c;
    return high * tc_pow2(64) + (tc_i128)((uint64_t)n.b << 32 | n.a);
}

uint32_t tc_embedded_nodes(const tc_embedded *e) {
    return e->tables[TC_REC_TABLE_NODE].count;
}

// ---- checking ----

static const uint32_t row_sizes[] = {
#define X(name, bytes) bytes,
    TC_REC_TABLES(X)
#undef X
};

static bool is_text(const tc_embedded *e, uint32_t t) {
    return t < e->tables[TC_REC_TABLE_TEXT].count;
}

static bool is_text_or_none(const tc_embedded *e, uint32_t t) {
    return t == TC_REC_NONE || is_text(e, t);
}

static bool is_row(const tc_embedded *e, unsigned table, uint32_t i) {
    return i < e->tables[table].count;
}

static bool is_expr_or_none(const tc_embedded *e, uint32_t x) {
    return x == TC_REC_NONE || is_row(e, TC_REC_TABLE_NODE, x);
}

static bool are_rows(const tc_embedded *e, unsigned table, uint32_t first, uint32_t n) {
    uint32_t count = e->tables[table].count;
    return n == 0 || (first < count && n <= count - first);
}

static tc_embedded_error check_table(const tc_embedded *e, unsigned table) {
    const tc_embedded_table *t = &e->tables[table];
    bool bytes = table == TC_REC_TABLE_TEXT;
    uint32_t most = bytes ? TC_REC_MAX_SIZE : table == TC_REC_TABLE_NODE ? TC_REC_MAX_NODES : TC_REC_MAX_ROWS;
    if (t->count > most || t->row > TC_REC_MAX_ROW_SIZE)
        return TC_EMBEDDED_LIMIT;
    if (bytes ? t->row != 1 : t->row < row_sizes[table])
        return TC_EMBEDDED_CORRUPT;
    // No overflow: a row has at most 256 bytes, a table of rows at most 2^14 of them, the text at most 2^24 bytes.
    if (t->offset > e->size || t->count * t->row > e->size - t->offset)
        return TC_EMBEDDED_CORRUPT;
    return TC_EMBEDDED_OK;
}

static bool check_params(const tc_embedded *e) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_PARAM].count; i++) {
        const uint8_t *p = row_at(e, TC_REC_TABLE_PARAM, i);
        if (!is_text(e, get32(p)) || !is_text(e, get32(p + 4)))
            return false;
        uint32_t offset = get32(p + 8), size = get32(p + 12);
        if (offset > e->arguments || size > e->arguments - offset)
            return false;
    }
    return true;
}

// `size` bytes at `offset` of a parameter.
static bool in_param(const tc_embedded *e, uint32_t param, uint32_t offset, uint32_t size) {
    if (!is_row(e, TC_REC_TABLE_PARAM, param))
        return false;
    uint32_t whole = tc_embedded_param_at(e, param).size;
    return offset <= whole && size <= whole - offset;
}

static bool check_scalars(const tc_embedded *e) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_SCALAR].count; i++) {
        const uint8_t *p = row_at(e, TC_REC_TABLE_SCALAR, i);
        if (!is_text(e, get32(p)) || p[12] < 1 || p[12] > 8 || !in_param(e, get32(p + 4), get32(p + 8), p[12]))
            return false;
    }
    return true;
}

static bool check_borrow(const tc_embedded *e, const uint8_t *p) {
    uint32_t param = get32(p + 4), variable = get32(p + 12), align = get32(p + 20);
    bool where = param == TC_REC_NONE ? is_text(e, variable) : in_param(e, param, get32(p + 8), 8);
    return where && is_text(e, get32(p)) && is_text_or_none(e, variable) && align > 0 && p[28] <= TC_REC_MAX_DIMS &&
           are_rows(e, TC_REC_TABLE_DIM, get32(p + 24), p[28]) && is_text_or_none(e, get32(p + 32)) && is_expr_or_none(e, get32(p + 40)) &&
           is_expr_or_none(e, get32(p + 44));
}

static bool check_borrows(const tc_embedded *e) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_BORROW].count; i++)
        if (!check_borrow(e, row_at(e, TC_REC_TABLE_BORROW, i)))
            return false;
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_DIM].count; i++) {
        const uint8_t *p = row_at(e, TC_REC_TABLE_DIM, i);
        if (!is_expr_or_none(e, get32(p)) || !is_expr_or_none(e, get32(p + 4)))
            return false;
    }
    return true;
}

static bool check_conditions(const tc_embedded *e) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_CONDITION].count; i++) {
        const uint8_t *p = row_at(e, TC_REC_TABLE_CONDITION, i);
        if (!is_text(e, get32(p)) || !is_row(e, TC_REC_TABLE_NODE, get32(p + 4)))
            return false;
    }
    return true;
}

static bool check_fact(const tc_embedded *e, const uint8_t *p) {
    uint32_t borrow = get32(p + 4), n = get32(p + 20);
    bool whole = p[28] == TC_REC_FACT_FORALL || p[28] >= TC_REC_FACT_COUNT;
    return is_text(e, get32(p)) && (is_row(e, TC_REC_TABLE_BORROW, borrow) || (whole && borrow == TC_REC_NONE)) &&
           is_expr_or_none(e, get32(p + 8)) && is_expr_or_none(e, get32(p + 12)) && n <= TC_REC_MAX_BOUND &&
           are_rows(e, TC_REC_TABLE_BOUND, get32(p + 16), n);
}

static bool check_facts(const tc_embedded *e) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_FACT].count; i++)
        if (!check_fact(e, row_at(e, TC_REC_TABLE_FACT, i)))
            return false;
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_BOUND].count; i++) {
        const uint8_t *p = row_at(e, TC_REC_TABLE_BOUND, i);
        if (!is_text(e, get32(p)) || !is_expr_or_none(e, get32(p + 4)) || !is_expr_or_none(e, get32(p + 8)))
            return false;
    }
    return true;
}

static bool check_pairs(const tc_embedded *e) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_PAIR].count; i++) {
        const uint8_t *p = row_at(e, TC_REC_TABLE_PAIR, i);
        if (!is_row(e, TC_REC_TABLE_BORROW, get32(p)) || !is_row(e, TC_REC_TABLE_BORROW, get32(p + 4)))
            return false;
    }
    return true;
}

static const char *const op_kinds[] = {
#define X(name, text, kinds) kinds,
    TC_REC_OPS(X)
#undef X
};

// An argument of node `self`, of the kind that the table of operators says.
static bool check_argument(const tc_embedded *e, uint32_t self, char kind, uint32_t x) {
    switch (kind) {
    case 'n':
        return x < self; // no cycles
    case 'g':
        return x == TC_REC_NONE || x < self;
    case 's':
        return is_row(e, TC_REC_TABLE_SCALAR, x);
    case 'b':
        return is_row(e, TC_REC_TABLE_BORROW, x);
    case 'x':
        return x < 3;
    case 'k':
        return x < TC_REC_MAX_BOUND;
    case 't':
        return is_text(e, x);
    default:
        return true;
    }
}

static bool check_nodes(const tc_embedded *e) {
    for (uint32_t i = 0; i < e->tables[TC_REC_TABLE_NODE].count; i++) {
        tc_embedded_node n = tc_embedded_node_at(e, i);
        if (n.op >= TC_REC_OP_COUNT)
            continue; // of a later minor version
        const char *kinds = op_kinds[n.op];
        bool wraps = n.op == TC_REC_OP_WRAP_SIGNED || n.op == TC_REC_OP_WRAP_UNSIGNED;
        if (!check_argument(e, i, kinds[0], n.a) || !check_argument(e, i, kinds[1], n.b) || !check_argument(e, i, kinds[2], n.c) ||
            (wraps && (n.width < 1 || n.width > 64)))
            return false;
    }
    return true;
}

static tc_embedded_error read_header(tc_embedded *e, size_t size) {
    const uint8_t *p = e->bytes;
    if (size < 8 || memcmp(p, TC_REC_MAGIC, 8) != 0)
        return TC_EMBEDDED_MAGIC;
    if (size < TC_REC_HEADER_FIRST)
        return TC_EMBEDDED_TRUNCATED;
    if (get16(p + TC_REC_AT_MAJOR) != TC_REC_MAJOR)
        return TC_EMBEDDED_VERSION;
    e->size = get32(p + TC_REC_AT_SIZE);
    if (e->size > TC_REC_MAX_SIZE)
        return TC_EMBEDDED_LIMIT;
    if (e->size > size)
        return TC_EMBEDDED_TRUNCATED;
    uint32_t header = get32(p + TC_REC_AT_HEADER), tables = get32(p + TC_REC_AT_TABLES);
    if (header < TC_REC_HEADER_FIRST || header > e->size || tables < TC_REC_TABLE_COUNT)
        return TC_EMBEDDED_CORRUPT;
    e->line = get32(p + TC_REC_AT_LINE);
    e->verdict = p[TC_REC_AT_VERDICT];
    e->flags = p[TC_REC_AT_FLAGS];
    e->arguments = get32(p + TC_REC_AT_ARGUMENTS);
    e->max_threads = get32(p + TC_REC_AT_MAX_THREADS);
    for (unsigned i = 0; i < 3; i++)
        e->cluster[i] = get32(p + TC_REC_AT_CLUSTER + 4 * i);
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++) {
        const uint8_t *d = p + TC_REC_AT_DIRECTORY + 12 * i;
        e->tables[i] = (tc_embedded_table){get32(d), get32(d + 4), get32(d + 8)};
    }
    if (header >= TC_REC_HEADER_SIZE) {
        e->code_size = get64(p + TC_REC_AT_CODE_SIZE);
        e->code_hash = get64(p + TC_REC_AT_CODE_HASH);
    }
    return TC_EMBEDDED_OK;
}

static tc_embedded_error read_texts(tc_embedded *e) {
    const tc_embedded_table *t = &e->tables[TC_REC_TABLE_TEXT];
    const uint8_t *p = e->bytes;
    uint32_t mangled = get32(p + TC_REC_AT_MANGLED), name = get32(p + TC_REC_AT_NAME), file = get32(p + TC_REC_AT_FILE);
    if (t->count == 0 || p[t->offset + t->count - 1] != 0 || !is_text(e, mangled) || !is_text(e, name) || !is_text(e, file))
        return TC_EMBEDDED_CORRUPT;
    e->mangled = text_at(e, mangled);
    e->name = text_at(e, name);
    e->file = text_at(e, file);
    return TC_EMBEDDED_OK;
}

tc_embedded_error tc_embedded_open(const void *bytes, size_t size, tc_embedded *out) {
    tc_embedded e = {.bytes = bytes};
    tc_embedded_error error = read_header(&e, size);
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT && error == TC_EMBEDDED_OK; i++)
        error = check_table(&e, i);
    if (error == TC_EMBEDDED_OK)
        error = read_texts(&e);
    if (error != TC_EMBEDDED_OK)
        return error;
    if (!check_params(&e) || !check_scalars(&e) || !check_borrows(&e) || !check_conditions(&e) || !check_facts(&e) || !check_pairs(&e) ||
        !check_nodes(&e))
        return TC_EMBEDDED_CORRUPT;
    *out = e;
    return TC_EMBEDDED_OK;
}

// ---- names ----

static const char *name_in(const char *const *names, unsigned count, unsigned i) {
    return i < count ? names[i] : "?";
}

#define X(name, text) text,
#define NAMES(function, LIST, count)                                                                                                       \
    const char *function(unsigned i) {                                                                                                     \
        static const char *const names[] = {LIST(X)};                                                                                      \
        return name_in(names, count, i);                                                                                                   \
    }
NAMES(tc_embedded_verdict_name, TC_REC_VERDICTS, TC_REC_VERDICT_COUNT)
NAMES(tc_embedded_borrow_name, TC_REC_BORROWS, TC_REC_BORROW_COUNT)
NAMES(tc_embedded_param_name, TC_REC_PARAM_KINDS, TC_REC_PARAM_COUNT)
NAMES(tc_embedded_condition_name, TC_REC_CONDITIONS, TC_REC_CONDITION_COUNT)
NAMES(tc_embedded_fact_name, TC_REC_FACTS, TC_REC_FACT_COUNT)
NAMES(tc_embedded_pair_name, TC_REC_PAIRS, TC_REC_PAIR_COUNT)
#undef NAMES
#undef X
