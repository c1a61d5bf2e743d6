// Records of any bytes: cut short, changed, hostile, of a later version; notes among others' notes. What is refused is refused with
// a reason, and what is taken can be used.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "embed_kit.h"

// One kernel with a row in every table.
static uint8_t *good;
static size_t good_size;

static void make_good(tc_trap *trap, void *arg) {
    (void)arg;
    tc_arena *a = tc_arena_new(trap);
    kit *k = TC_NEW(a, kit);
    kit_init(k, a);
    kit_param(k, "n", &kit_int, "");
    kit_param(k, "m", &kit_bool, "");
    kit_param(k, "x", &kit_floats, "mut optional shape(n, 4) stride(8, 1) inplace(y)");
    kit_param(k, "y", &kit_floats, "shared shape(n, 4) stride(8, 1)");
    kit_param(k, "idx", &kit_ints, "shared shape(n) range(0, n) injective monotone");
    kit_param(k, "z", &kit_floats, "unchecked(\"why\")");
    kit_var(k, "counter", &kit_int, "atomic init(0)");
    assert_int_equal(kit_make(k, "block(64) grid(tc_cdiv(n, 64)) requires(idx[0] == 0 || m) forall(i, j; i >= j || idx[i] < idx[j]) "
                                 "requires((n & 3) == 0 && (unsigned char)n < 200 && x != 0 && (n > 1 << 4 ? n : -n) != 5) "
                                 "requires(min(n, 7) % 3 != 2)"),
                     TC_OK);
    good = ek_record(k, true, NULL, &good_size);
}

static uint8_t *copy_of(const uint8_t *from, size_t size) {
    uint8_t *copy = malloc(size ? size : 1); // of exactly this size: a sanitizer sees what is read beyond
    memcpy(copy, from, size);
    return copy;
}

static void launch_of(ek_launch *l, const tc_embedded *e) {
    ek_launch_init(l, 1, 64);
    ek_set(l, e, "n", 64);
    for (int i = 0; i < 64; i++)
        l->memory[4 * i] = (uint8_t)i;
    static const char *const pointers[] = {"x", "y", "idx", "z"};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        ek_set(l, e, pointers[i], ek_base);
}

// Opens a copy of these bytes and uses it if it is taken.
static tc_embedded_error try_bytes(const uint8_t *bytes, size_t size) {
    uint8_t *copy = copy_of(bytes, size);
    tc_embedded e;
    tc_embedded_error error = tc_embedded_open(copy, size, &e);
    if (error == TC_EMBEDDED_OK) {
        static ek_launch l;
        ek_launch_init(&l, 1, 64);
        ek_use(&e, &l);
    }
    assert_true(strlen(tc_embedded_error_text(error)) > 5);
    free(copy);
    return error;
}

static void set32(uint8_t *p, uint32_t value) {
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t get32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void whole(void **state) {
    (void)state;
    tc_embedded e;
    static ek_launch l;
    assert_int_equal(tc_embedded_open(good, good_size, &e), TC_EMBEDDED_OK);
    assert_int_equal(good_size % 8, 0);
    for (unsigned i = 0; i < TC_REC_TABLE_COUNT; i++)
        assert_true(e.tables[i].count > 0);
    launch_of(&l, &e);
    uint64_t once = ek_use(&e, &l);
    assert_true(once > 100 && l.outside == 0);
    assert_int_equal(ek_use(&e, &l), once);
}

static void truncated(void **state) {
    (void)state;
    for (size_t n = 0; n < good_size; n++) {
        tc_embedded_error error = try_bytes(good, n);
        assert_int_equal(error, n < 8 ? TC_EMBEDDED_MAGIC : TC_EMBEDDED_TRUNCATED);
        uint8_t *copy = copy_of(good, n); // and with a size that says so: something in it lies outside then
        if (n >= TC_REC_HEADER_SIZE) {
            set32(copy + TC_REC_AT_SIZE, (uint32_t)n);
            assert_int_equal(try_bytes(copy, n), TC_EMBEDDED_CORRUPT);
        }
        free(copy);
    }
}

// Every byte, with every bit changed alone and some values; whatever is taken is used.
static void changed(void **state) {
    (void)state;
    uint8_t *copy = copy_of(good, good_size);
    for (size_t i = 0; i < good_size; i++) {
        static const uint8_t values[] = {0, 1, 7, 0x7f, 0x80, 0xfe, 0xff};
        for (size_t v = 0; v < 8 + sizeof values; v++) {
            copy[i] = v < 8 ? (uint8_t)(good[i] ^ 1u << v) : values[v - 8];
            try_bytes(copy, good_size);
        }
        copy[i] = good[i];
    }
    free(copy);
}

static void changed_at_random(void **state) {
    (void)state;
    uint64_t s = UINT64_C(0x9e3779b97f4a7c15);
    unsigned taken = 0;
    for (int round = 0; round < 20000; round++) {
        uint8_t *copy = copy_of(good, good_size);
        for (int k = 0; k <= round % 5; k++) {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            size_t at = (size_t)((s >> 8) % good_size);
            if (round % 2 && at + 4 <= good_size)
                set32(copy + at / 4 * 4, (uint32_t)(s >> 40) & (round % 4 == 1 ? 0xffu : 0xffffffffu));
            else
                copy[at] = (uint8_t)s;
        }
        taken += try_bytes(copy, good_size) == TC_EMBEDDED_OK;
        free(copy);
    }
    assert_true(taken > 100 && taken < 20000);
}

// ---- one thing wrong ----

// Where row i of a table begins.
static uint8_t *row(uint8_t *record, unsigned table, uint32_t i) {
    const uint8_t *d = record + TC_REC_AT_DIRECTORY + 12 * table;
    return record + get32(d) + (size_t)i * get32(d + 8);
}

static void expect(uint8_t *copy, uint8_t *at, uint32_t value, tc_embedded_error error) {
    uint32_t before = get32(at);
    set32(at, value);
    assert_int_equal(try_bytes(copy, good_size), error);
    set32(at, before);
}

static void hostile(void **state) {
    (void)state;
    uint8_t *copy = copy_of(good, good_size), *directory = copy + TC_REC_AT_DIRECTORY;
    expect(copy, copy + TC_REC_AT_MAJOR, 2, TC_EMBEDDED_VERSION);
    expect(copy, copy + TC_REC_AT_MAJOR, 0, TC_EMBEDDED_VERSION);
    expect(copy, copy + TC_REC_AT_MAJOR, 1 | 7 << 16, TC_EMBEDDED_OK); // a later minor one
    expect(copy, copy + TC_REC_AT_SIZE, 0xffffffff, TC_EMBEDDED_LIMIT);
    expect(copy, copy + TC_REC_AT_SIZE, 0, TC_EMBEDDED_CORRUPT);
    expect(copy, copy + TC_REC_AT_TABLES, 0, TC_EMBEDDED_CORRUPT);
    expect(copy, copy + TC_REC_AT_NAME, 0xfffffff0, TC_EMBEDDED_CORRUPT);
    for (unsigned t = 0; t < TC_REC_TABLE_COUNT; t++) {
        expect(copy, directory + 12 * t, (uint32_t)good_size + 1, TC_EMBEDDED_CORRUPT);
        expect(copy, directory + 12 * t, 0xffffffff, TC_EMBEDDED_CORRUPT);
        expect(copy, directory + 12 * t + 4, 0xffffffff, TC_EMBEDDED_LIMIT);
        expect(copy, directory + 12 * t + 4, 8000, TC_EMBEDDED_CORRUPT);
        expect(copy, directory + 12 * t + 8, 0, TC_EMBEDDED_CORRUPT);
        expect(copy, directory + 12 * t + 8, 0x10000000, TC_EMBEDDED_LIMIT);
    }
    // Text without an end.
    uint8_t *text = row(copy, TC_REC_TABLE_TEXT, get32(directory + 4) - 1);
    *text = 'x';
    assert_int_equal(try_bytes(copy, good_size), TC_EMBEDDED_CORRUPT);
    *text = 0;
    expect(copy, row(copy, TC_REC_TABLE_SCALAR, 0) + 4, 99, TC_EMBEDDED_CORRUPT);  // of no parameter
    expect(copy, row(copy, TC_REC_TABLE_SCALAR, 0) + 8, 4000, TC_EMBEDDED_CORRUPT); // beyond its end
    expect(copy, row(copy, TC_REC_TABLE_SCALAR, 0) + 12, 9, TC_EMBEDDED_CORRUPT);
    expect(copy, row(copy, TC_REC_TABLE_PARAM, 0) + 8, 0xfffffffe, TC_EMBEDDED_CORRUPT);
    expect(copy, row(copy, TC_REC_TABLE_BORROW, 0) + 8, 1, TC_EMBEDDED_CORRUPT);
    expect(copy, row(copy, TC_REC_TABLE_BORROW, 0) + 24, 0xffffffff, TC_EMBEDDED_CORRUPT);
    expect(copy, row(copy, TC_REC_TABLE_PAIR, 0), 0xffffffff, TC_EMBEDDED_CORRUPT);
    expect(copy, row(copy, TC_REC_TABLE_CONDITION, 0) + 4, TC_REC_NONE, TC_EMBEDDED_CORRUPT);
    expect(copy, row(copy, TC_REC_TABLE_FACT, 0) + 20, 5, TC_EMBEDDED_CORRUPT); // more names than there may be
    free(copy);
}

// An expression that contains itself, or what comes later.
static void cycles(void **state) {
    (void)state;
    uint8_t *copy = copy_of(good, good_size);
    uint32_t nodes = get32(copy + TC_REC_AT_DIRECTORY + 12 * TC_REC_TABLE_NODE + 4), seen = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        uint8_t *n = row(copy, TC_REC_TABLE_NODE, i);
        if (n[0] < TC_REC_OP_ADD)
            continue;
        expect(copy, n + 4, i, TC_EMBEDDED_CORRUPT);
        expect(copy, n + 4, i + 1, TC_EMBEDDED_CORRUPT);
        expect(copy, n + 4, TC_REC_NONE, TC_EMBEDDED_CORRUPT);
        seen++;
    }
    assert_true(seen > 10);
    free(copy);
}

// An operator of a later minor version has no value; what does not need it has one.
static void later_operator(void **state) {
    (void)state;
    uint8_t *copy = copy_of(good, good_size);
    tc_embedded e;
    static ek_launch l;
    unsigned cannot[2] = {0, 0};
    for (int later = 0; later < 2; later++) {
        uint32_t nodes = get32(copy + TC_REC_AT_DIRECTORY + 12 * TC_REC_TABLE_NODE + 4);
        for (uint32_t i = 0; later && i < nodes; i++)
            if (row(copy, TC_REC_TABLE_NODE, i)[0] == TC_REC_OP_MIN)
                row(copy, TC_REC_TABLE_NODE, i)[0] = 200;
        assert_int_equal(tc_embedded_open(copy, good_size, &e), TC_EMBEDDED_OK);
        tc_embedded_cell *cells = ek_cells(&e);
        tc_embedded_frame f;
        launch_of(&l, &e);
        tc_embedded_begin(&f, &e, &l.launch, cells);
        for (uint32_t i = 0; i < e.tables[TC_REC_TABLE_CONDITION].count; i++) {
            tc_embedded_state why = TC_EMBEDDED_VALUE;
            cannot[later] += tc_embedded_meets(&f, i, &why) == TC_EMBEDDED_CANNOT;
            assert_true(why == TC_EMBEDDED_VALUE || why == TC_EMBEDDED_NEVER);
        }
        free(cells);
    }
    assert_int_equal(cannot[0], 0);
    assert_int_equal(cannot[1], 1);
    free(copy);
}

// A graph of few nodes that is an enormous tree is evaluated and printed in no time.
static void shared_nodes(void **state) {
    (void)state;
    uint8_t *copy = copy_of(good, good_size);
    uint32_t nodes = get32(copy + TC_REC_AT_DIRECTORY + 12 * TC_REC_TABLE_NODE + 4);
    for (uint32_t i = 1; i < nodes; i++) {
        uint8_t *n = row(copy, TC_REC_TABLE_NODE, i);
        memset(n, 0, 16);
        n[0] = TC_REC_OP_MAX;
        set32(n + 4, i - 1);
        set32(n + 8, i - 1);
    }
    tc_embedded e;
    char text[64];
    assert_int_equal(tc_embedded_open(copy, good_size, &e), TC_EMBEDDED_OK);
    assert_true(strlen(tc_embedded_expr_text(&e, nodes - 1, text, sizeof text)) < sizeof text);
    assert_non_null(strstr(text, "..."));
    assert_int_equal(try_bytes(copy, good_size), TC_EMBEDDED_OK);
    free(copy);
}

static void small_texts(void **state) {
    (void)state;
    tc_embedded e;
    assert_int_equal(tc_embedded_open(good, good_size, &e), TC_EMBEDDED_OK);
    for (size_t size = 1; size < 40; size++) {
        char *text = malloc(size);
        for (uint32_t i = 0; i < tc_embedded_nodes(&e); i++)
            assert_true(strlen(tc_embedded_expr_text(&e, i, text, size)) < size);
        free(text);
    }
}

// ---- notes ----

typedef struct seen {
    unsigned records, bad;
} seen;

static bool count(void *ctx, const tc_embedded *e, tc_embedded_error error) {
    seen *s = ctx;
    s->records += e != NULL;
    s->bad += e == NULL && error != TC_EMBEDDED_OK;
    return true;
}

static size_t put_note(uint8_t *to, const char *name, uint32_t type, const uint8_t *rest, size_t size, size_t align) {
    size_t n = strlen(name) + 1, at = (12 + n + align - 1) / align * align, end = (at + size + align - 1) / align * align;
    memset(to, 0, end);
    set32(to, (uint32_t)n);
    set32(to + 4, (uint32_t)size);
    set32(to + 8, type);
    memcpy(to + 12, name, n);
    memcpy(to + at, rest, size);
    return end;
}

static void notes(void **state) {
    (void)state;
    static const uint8_t id[] = {1, 2, 3, 4, 5};
    uint8_t *all = malloc(4 * good_size + 400);
    for (size_t align = 4; align <= 8; align += 4) {
        size_t n = put_note(all, "GNU", 3, id, sizeof id, align);
        size_t first = n;
        n += put_note(all + n, TC_REC_NOTE_NAME, TC_REC_NOTE_TYPE, good, good_size, align);
        n += put_note(all + n, TC_REC_NOTE_NAME, 77, id, sizeof id, align);     // ours, of another kind
        n += put_note(all + n, "tilechecker", TC_REC_NOTE_TYPE, id, sizeof id, align);
        n += put_note(all + n, TC_REC_NOTE_NAME, TC_REC_NOTE_TYPE, good, good_size, align);
        n += put_note(all + n, TC_REC_NOTE_NAME, TC_REC_NOTE_TYPE, id, sizeof id, align);
        seen s = {0, 0};
        assert_true(tc_embedded_notes(all, n, align, count, &s));
        assert_true(s.records == 2 && s.bad == 1);
        memset(all + n, 0, 8); // padding
        assert_true(tc_embedded_notes(all, n + 8, align, count, &s));
        for (size_t cut = 0; cut < n; cut++) {
            uint8_t *copy = copy_of(all, cut);
            seen part = {0, 0};
            tc_embedded_notes(copy, cut, align, count, &part);
            assert_true(part.records <= 2);
            free(copy);
        }
        static const uint32_t hostile_sizes[] = {0xffffffff, 0xfffffff0, 0x80000000, 0x7fffffff};
        for (size_t i = 0; i < 4; i++)
            for (size_t field = 0; field < 8; field += 4) {
                uint32_t before = get32(all + first + field);
                set32(all + first + field, hostile_sizes[i]);
                seen none = {0, 0};
                assert_false(tc_embedded_notes(all, n, align, count, &none));
                assert_int_equal(none.records, 0);
                set32(all + first + field, before);
            }
    }
    free(all);
}

// ---- what is loaded ----

// This program has no contracts: whatever notes it and its libraries have are walked through.
static void loaded(void **state) {
    (void)state;
    seen s = {0, 0};
    tc_embedded e;
    unsigned others = 7;
    tc_embedded_loaded(count, &s);
    assert_true(s.records == 0 && s.bad == 0);
    assert_false(tc_embedded_find("_Z1kv", &e, &others));
    assert_int_equal(others, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),          cmocka_unit_test(truncated),    cmocka_unit_test(changed), cmocka_unit_test(changed_at_random),
        cmocka_unit_test(hostile),        cmocka_unit_test(cycles),       cmocka_unit_test(later_operator), cmocka_unit_test(shared_nodes),
        cmocka_unit_test(small_texts),    cmocka_unit_test(notes),        cmocka_unit_test(loaded)};
    const char *why;
    if (tc_trap_run(make_good, NULL, &why) != TC_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(good);
    return failed;
}
