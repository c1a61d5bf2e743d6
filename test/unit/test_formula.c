// Formulas in 64 bits against the exact evaluator, on records of random expressions: where a formula has an answer it is the exact one, and
// it has one for most.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runtime-shim/formula.h"

enum { NODES = 60, PARAMS = 4, SCALARS = 4, BORROWS = 1, ARGUMENTS = 32, MAX_RECORD = 1 << 14 };

static uint64_t seed;
static uint64_t next(void) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed >> 33;
}

static uint8_t record[MAX_RECORD];
static uint32_t used;

static void put(uint32_t at, uint64_t v, unsigned size) {
    memcpy(record + at, &v, size);
}

static uint32_t table(unsigned which, uint32_t count, uint32_t row) {
    uint32_t at = used, entry = TC_REC_AT_DIRECTORY + 12 * which;
    put(entry, at, 4);
    put(entry + 4, count, 4);
    put(entry + 8, row, 4);
    used += count * row;
    return at;
}

static const char *const kinds[] = {
#define X(name, text, kinds) kinds,
    TC_REC_OPS(X)
#undef X
};

static uint64_t some_number(void) {
    static const uint64_t edges[] = {0, 1, 2, 3, 7, 64, 255, 256, INT32_MAX, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX};
    return next() % 3 ? next() % 200 : edges[next() % (sizeof edges / sizeof *edges)];
}

// An argument of a node, by its kind.
static uint32_t argument(char kind, uint32_t self) {
    switch (kind) {
    case 'n':
        return (uint32_t)(next() % self);
    case 's':
        return (uint32_t)(next() % SCALARS);
    case 'b':
        return 0;
    case 'x':
        return (uint32_t)(next() % 3);
    case 'g':
        return TC_REC_NONE;
    default:
        return 0;
    }
}

static void put_node(uint32_t at, uint32_t self) {
    unsigned op;
    do
        op = (unsigned)(next() % TC_REC_OP_COUNT);
    while (self == 0 && strchr(kinds[op], 'n')); // nothing to stand on yet
    put(at, op, 1);
    put(at + 1, 1 + next() % 64, 1);
    for (unsigned k = 0; k < 3; k++)
        put(at + 4 + 4 * k, argument(kinds[op][k], self), 4);
    if (op == TC_REC_OP_CONST) {
        uint64_t v = some_number();
        bool negative = next() % 4 == 0;
        put(at + 4, negative ? 0 - v : v, 8);
        put(at + 12, negative && v ? UINT32_MAX : next() % 16 == 0, 4);
    }
}

// Parameters: int, unsigned long, bool, pointer.
static void make_record(void) {
    static const uint32_t sizes[PARAMS] = {4, 8, 1, 8}, offsets[PARAMS] = {0, 8, 16, 24};
    memset(record, 0, sizeof record);
    memcpy(record, TC_REC_MAGIC, 8);
    used = TC_REC_HEADER_SIZE;
    uint32_t text = table(TC_REC_TABLE_TEXT, 8, 1), nodes = table(TC_REC_TABLE_NODE, NODES, 16);
    memcpy(record + text, "k\0\0\0\0\0\0", 8);
    for (uint32_t i = 0; i < NODES; i++)
        put_node(nodes + 16 * i, i);
    uint32_t params = table(TC_REC_TABLE_PARAM, PARAMS, 24);
    for (uint32_t i = 0; i < PARAMS; i++) {
        put(params + 24 * i + 8, offsets[i], 4);
        put(params + 24 * i + 12, sizes[i], 4);
    }
    uint32_t scalars = table(TC_REC_TABLE_SCALAR, SCALARS, 16);
    for (uint32_t i = 0; i < SCALARS; i++) {
        uint32_t at = scalars + 16 * i, param = i % 3;
        put(at + 4, param, 4);
        put(at + 12, i == 3 ? 2 : sizes[param], 1); // the last one is a half of the first
        put(at + 13, i == 0 || i == 3 ? TC_REC_SCALAR_SIGNED : i == 1 ? TC_REC_SCALAR_UNSIGNED : TC_REC_SCALAR_BOOL, 1);
    }
    uint32_t borrow = table(TC_REC_TABLE_BORROW, BORROWS, 48);
    put(borrow + 4, 3, 4);
    put(borrow + 12, TC_REC_NONE, 4);
    put(borrow + 20, 1, 4);
    put(borrow + 32, TC_REC_NONE, 4);
    put(borrow + 40, TC_REC_NONE, 4);
    put(borrow + 44, TC_REC_NONE, 4);
    for (unsigned which = TC_REC_TABLE_DIM; which < TC_REC_TABLE_COUNT; which++) {
        static const uint32_t rows[] = {
#define X(name, bytes) bytes,
            TC_REC_TABLES(X)
#undef X
        };
        table(which, 0, rows[which]);
    }
    used = (used + 7) & ~7u;
    put(TC_REC_AT_MAJOR, TC_REC_MAJOR, 2);
    put(TC_REC_AT_SIZE, used, 4);
    put(TC_REC_AT_HEADER, TC_REC_HEADER_SIZE, 4);
    put(TC_REC_AT_TABLES, TC_REC_TABLE_COUNT, 4);
    put(TC_REC_AT_ARGUMENTS, ARGUMENTS, 4);
}

static void make_launch(tc_embedded_launch *l, uint8_t arguments[ARGUMENTS], const void *params[PARAMS]) {
    static const uint32_t offsets[PARAMS] = {0, 8, 16, 24};
    *l = (tc_embedded_launch){.smem = next() % 3 ? 0 : next()};
    for (unsigned d = 0; d < 3; d++) {
        l->grid[d] = (uint32_t)some_number();
        l->block[d] = (uint32_t)(next() % 1025);
        l->cluster[d] = (uint32_t)(next() % 3);
    }
    for (unsigned i = 0; i < PARAMS; i++) {
        uint64_t v = some_number();
        memcpy(arguments + offsets[i], &v, 8);
        params[i] = arguments + offsets[i];
    }
    if (next() % 2)
        l->params = params;
    else
        *l = (tc_embedded_launch){.buffer = arguments, .buffer_size = next() % 4 ? ARGUMENTS : next() % ARGUMENTS, .smem = l->smem};
}

static unsigned answered, asked, exact_only;

static void compare(const tc_embedded *e, formula *f, const tc_embedded_launch *l) {
    static tc_embedded_cell cells[NODES];
    tc_embedded_frame frame;
    tc_embedded_begin(&frame, e, l, cells);
    formula_run(f, l);
    for (uint32_t i = 0; i < NODES; i++) {
        tc_i128 exact = 0;
        int64_t fast = 0;
        bool has = tc_embedded_value(&frame, i, &exact) == TC_EMBEDDED_VALUE, known = formula_value(f, i, &fast);
        asked += has;
        answered += known;
        exact_only += has && !known;
        if (known && (!has || exact != fast))
            fail_msg("node %u, operator %u: %lld, and the exact value is %s%lld", i, tc_embedded_node_at(e, i).op, (long long)fast,
                     has ? "" : "none, ", (long long)exact);
    }
}

static void random_records(void **state) {
    (void)state;
    uint32_t all[NODES];
    for (uint32_t i = 0; i < NODES; i++)
        all[i] = i;
    for (unsigned r = 0; r < 2000; r++) {
        seed = r + 1;
        make_record();
        tc_embedded e;
        assert_int_equal(tc_embedded_open(record, used, &e), TC_EMBEDDED_OK);
        formula *f = formula_new(&e, all, NODES);
        assert_non_null(f);
        uint8_t arguments[ARGUMENTS + 8];
        const void *params[PARAMS];
        tc_embedded_launch l;
        make_launch(&l, arguments, params);
        compare(&e, f, &l);
        compare(&e, f, &l); // the same launch again
        uint64_t address = next();
        memcpy(arguments + 24, &address, 8);
        compare(&e, f, &l); // another address alone
        for (unsigned k = 0; k < 4; k++) {
            make_launch(&l, arguments, params);
            compare(&e, f, &l);
        }
        formula_free(f);
    }
    assert_true(answered > 100000);
    assert_true(exact_only < asked / 4); // the rest is beyond 64 bits
}

static void some_expressions(void **state) { // steps for what was asked for alone
    (void)state;
    seed = 7;
    make_record();
    tc_embedded e;
    assert_int_equal(tc_embedded_open(record, used, &e), TC_EMBEDDED_OK);
    const uint32_t none[] = {TC_REC_NONE};
    formula *f = formula_new(&e, none, 1);
    assert_non_null(f);
    uint8_t arguments[ARGUMENTS + 8];
    const void *params[PARAMS];
    tc_embedded_launch l;
    int64_t v;
    make_launch(&l, arguments, params);
    formula_run(f, &l);
    assert_false(formula_value(f, TC_REC_NONE, &v));
    assert_false(formula_value(f, 0, &v));
    assert_false(formula_value(f, NODES, &v));
    formula_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_records), cmocka_unit_test(some_expressions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
