// Arenas, traps, containers, 128-bit integers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

// Most tests are a function that wants an arena.
typedef struct body {
    void (*fn)(tc_arena *a);
} body;

static void with_arena(tc_trap *trap, void *arg) {
    ((body *)arg)->fn(tc_arena_new(trap));
}

static void run(void (*fn)(tc_arena *)) {
    body b = {fn};
    const char *why;
    tc_status status = tc_trap_run(with_arena, &b, &why);
    if (status != TC_OK)
        fail_msg("status %d: %s", (int)status, why);
}

static void pieces(tc_arena *a) {
    size_t sizes[] = {0, 1, 7, 16, 17, 100, 4000, 4096, 100000, 3, 5000000, 1};
    unsigned char *p[12];
    for (size_t i = 0; i < 12; i++) {
        p[i] = tc_alloc(a, sizes[i]);
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % 16, 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(p[i][k], 0);
        memset(p[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < 12; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(p[i][k], i + 1);
    assert_int_equal(tc_arena_used(a), 0 + 1 + 7 + 16 + 17 + 100 + 4000 + 4096 + 100000 + 3 + 5000000 + 1);
    assert_string_equal(tc_fmt(a, "%s-%d", "x", 12), "x-12");
    assert_string_equal(tc_strndup(a, "abcdef", 3), "abc");
}

static void test_pieces_are_zeroed_and_apart(void **state) {
    (void)state;
    run(pieces);
}

static void many_arenas(tc_arena *a) {
    tc_arena *other[10];
    for (int i = 0; i < 10; i++)
        tc_alloc(other[i] = tc_arena_new(tc_arena_trap(a)), 10);
    for (int i = 9; i >= 0; i -= 2)
        tc_arena_free(other[i]);
    tc_alloc(a, 1);
}

static void test_arenas_may_be_freed_early(void **state) {
    (void)state;
    run(many_arenas);
}

static void too_large(tc_trap *trap, void *arg) {
    (void)arg;
    tc_alloc_array(tc_arena_new(trap), SIZE_MAX / 2, 4);
}

static void test_product_of_sizes_is_checked(void **state) {
    (void)state;
    const char *why = NULL;
    assert_int_equal(tc_trap_run(too_large, NULL, &why), TC_ENOMEM);
    assert_string_equal(why, "out of memory");
}

// Cleanups write their number here.
typedef struct trace {
    char text[64];
    size_t len;
    tc_trap *outer;
} trace;

typedef struct mark {
    trace *t;
    char c;
} mark;

static void put_mark(void *arg) {
    mark *m = arg;
    m->t->text[m->t->len++] = m->c;
}

static void raises(tc_trap *trap, void *arg) {
    tc_arena *a = tc_arena_new(trap);
    int second = 0;
    for (char c = 'a'; c < 'a' + 12; c++) {
        mark *m = TC_NEW(a, mark);
        *m = (mark){arg, c};
        int handle = tc_trap_cleanup(trap, put_mark, m);
        if (c == 'b')
            second = handle;
    }
    tc_trap_done(trap, second);
    tc_trap_done(trap, second);
    tc_trap_raise(trap, TC_ELIMIT, "enough");
}

static void test_cleanups_run_once_last_first(void **state) {
    (void)state;
    trace t = {.len = 0};
    const char *why;
    assert_int_equal(tc_trap_run(raises, &t, &why), TC_ELIMIT);
    assert_string_equal(why, "enough");
    assert_string_equal(t.text, "blkjihgfedca");
}

static void inner(tc_trap *trap, void *arg) {
    trace *t = arg;
    tc_arena *a = tc_arena_new(trap);
    mark *m = TC_NEW(a, mark);
    *m = (mark){t, 'i'};
    tc_trap_cleanup(trap, put_mark, m);
    if (t->outer)
        tc_trap_raise(t->outer, TC_EINTERNAL, "from inside");
    tc_trap_raise(trap, TC_EINPUT, "caught");
}

static void outer(tc_trap *trap, void *arg) {
    trace *t = arg;
    mark m = {t, 'o'};
    int handle = tc_trap_cleanup(trap, put_mark, &m);
    assert_int_equal(tc_trap_run(inner, t, NULL), TC_EINPUT);
    tc_trap_done(trap, handle);
    t->outer = trap;
    tc_trap_run(inner, t, NULL);
    fail_msg("control came back to a run that was left");
}

static void test_traps_nest(void **state) {
    (void)state;
    trace t = {.len = 0};
    const char *why;
    assert_int_equal(tc_trap_run(outer, &t, &why), TC_EINTERNAL);
    assert_string_equal(why, "from inside");
    assert_string_equal(t.text, "ioi");
}

// Arenas of one trap count together, one that is freed no more, and one of another trap never.
static void limited(tc_trap *trap, void *arg) {
    tc_arena *of_outer = arg, *a = tc_arena_new(trap);
    tc_trap_limit(trap, 4 << 20);
    for (int i = 0; i < 64; i++) {
        tc_arena *b = tc_arena_new(trap);
        tc_alloc(b, 2 << 20);
        tc_arena_free(b);
    }
    assert_int_equal(tc_trap_held(trap), 0);
    tc_alloc(of_outer, 8 << 20);
    tc_trap *outer = tc_arena_retrap(of_outer, trap);
    tc_alloc(of_outer, 1 << 20);
    assert_true(tc_trap_held(trap) >= 1 << 20 && tc_trap_held(trap) < 2 << 20);
    tc_arena_retrap(of_outer, outer);
    tc_alloc(a, 2 << 20);
    tc_alloc(a, 2 << 20);
    fail_msg("more than the limit was given");
}

static void holds_limited(tc_trap *trap, void *arg) {
    const char *why;
    (void)arg;
    assert_int_equal(tc_trap_run(limited, tc_arena_new(trap), &why), TC_ELIMIT);
    assert_string_equal(why, "it takes more than 4 MiB of memory");
}

static void test_memory_of_a_trap_is_limited(void **state) {
    (void)state;
    assert_int_equal(tc_trap_run(holds_limited, NULL, NULL), TC_OK);
}

static void nothing(void *arg) {
    (void)arg;
}

static void containers(tc_trap *trap, void *arg) {
    (void)arg;
    tc_arena *a = tc_arena_new(trap);
    TC_VEC(int) v = {0};
    tc_map m = {0};
    tc_strmap s = {0};
    tc_text t = {.arena = a};
    for (int i = 0; i < 100; i++) {
        tc_push(a, &v, i);
        tc_map_put(a, &m, (uint64_t)i, &v);
        tc_strmap_put(a, &s, tc_fmt(a, "k%d", i), &v);
        tc_putf(&t, "%d,", i);
        tc_trap_cleanup(trap, nothing, a);
    }
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    tc_alloc_count();
    assert_int_equal(tc_trap_run(containers, NULL, NULL), TC_OK);
    uint64_t n = tc_alloc_count();
    assert_true(n > 100);
    for (uint64_t i = 1; i <= n; i++) {
        tc_alloc_fail_at(i);
        assert_int_equal(tc_trap_run(containers, NULL, NULL), TC_ENOMEM);
    }
    tc_alloc_fail_at(n + 1);
    assert_int_equal(tc_trap_run(containers, NULL, NULL), TC_OK);
    tc_alloc_fail_at(0);
}

static void vectors(tc_arena *a) {
    TC_VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        tc_push(a, &v, i);
    assert_int_equal(v.len, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(v.data[i], i);
    assert_int_equal(tc_last(&v), 999);
    assert_int_equal(tc_pop(&v), 999);
    assert_int_equal(v.len, 999);
}

static void test_vectors_grow(void **state) {
    (void)state;
    run(vectors);
}

static void maps(tc_arena *a) {
    tc_map m = {0};
    static int values[2000];
    assert_null(tc_map_get(&m, 0));
    assert_false(tc_map_has(&m, 0));
    for (uint64_t i = 0; i < 2000; i++)
        tc_map_put(a, &m, i * 64, &values[i]);
    tc_map_put(a, &m, 64, &values[7]);
    tc_map_put(a, &m, 1, NULL);
    assert_int_equal(m.len, 2001);
    for (uint64_t i = 0; i < 2000; i++) {
        assert_int_equal(m.keys[i], i * 64);
        assert_ptr_equal(tc_map_get(&m, i * 64), &values[i == 1 ? 7 : i]);
        assert_false(tc_map_has(&m, i * 64 + 2));
    }
    assert_true(tc_map_has(&m, 1));
    assert_null(tc_map_get(&m, 1));
}

static void test_maps_keep_their_order(void **state) {
    (void)state;
    run(maps);
}

static void strmaps(tc_arena *a) {
    tc_strmap m = {0};
    static int values[500];
    char key[16];
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof key, "key %d", i);
        tc_strmap_put(a, &m, key, &values[i]);
    }
    tc_strmap_put(a, &m, "", &values[3]);
    tc_strmap_put(a, &m, "key 5", &values[6]);
    assert_int_equal(m.len, 501);
    assert_string_equal(m.keys[17], "key 17");
    assert_ptr_equal(tc_strmap_get(&m, "key 499"), &values[499]);
    assert_ptr_equal(tc_strmap_get(&m, "key 5"), &values[6]);
    assert_ptr_equal(tc_strmap_get(&m, ""), &values[3]);
    assert_null(tc_strmap_get(&m, "key"));
}

static void test_string_maps_copy_their_keys(void **state) {
    (void)state;
    run(strmaps);
}

static void texts(tc_arena *a) {
    tc_text t = {.arena = a};
    assert_string_equal(tc_text_str(&t), "");
    tc_put(&t, "");
    assert_string_equal(tc_text_str(&t), "");
    for (int i = 0; i < 100; i++)
        tc_putf(&t, "%d;", i % 10);
    tc_putc(&t, '!');
    tc_put128(&t, TC_I128_MIN);
    assert_int_equal(t.len, 201 + 40);
    assert_string_equal(t.data + 198, "9;!-170141183460469231731687303715884105728");
}

static void test_texts_grow(void **state) {
    (void)state;
    run(texts);
}

static void test_division_rounds_down(void **state) {
    (void)state;
    for (int x = -20; x <= 20; x++)
        for (int y = -6; y <= 6; y++) {
            if (!y)
                continue;
            tc_i128 q = tc_floor_div(x, y), r = tc_floor_mod(x, y);
            assert_true(q * y + r == x);
            assert_true(y > 0 ? r >= 0 && r < y : r <= 0 && r > y);
        }
    assert_true(tc_floor_div(TC_I128_MIN, 2) == -tc_pow2(126));
    assert_true(tc_floor_mod(TC_I128_MIN, -1) == 0);
}

static void test_overflow_is_told(void **state) {
    (void)state;
    tc_i128 r = 5;
    assert_false(tc_add128(TC_I128_MAX, 1, &r));
    assert_false(tc_sub128(TC_I128_MIN, 1, &r));
    assert_false(tc_mul128(tc_pow2(64), tc_pow2(63), &r));
    assert_true(r == 5);
    assert_true(tc_mul128(tc_pow2(63), tc_pow2(63), &r) && r == tc_pow2(126));
    assert_true(tc_add128(TC_I128_MAX, -1, &r) && r == TC_I128_MAX - 1);
}

static void test_wrapping_to_a_width(void **state) {
    (void)state;
    assert_true(tc_wrap128(255, 8, true) == -1);
    assert_true(tc_wrap128(255, 8, false) == 255);
    assert_true(tc_wrap128(-1, 32, false) == (tc_i128)UINT32_MAX);
    assert_true(tc_wrap128(tc_pow2(31), 32, true) == INT32_MIN);
    assert_true(tc_wrap128(tc_pow2(63), 64, true) == INT64_MIN);
    assert_true(tc_wrap128(-1, 64, false) == (tc_i128)UINT64_MAX);
    assert_true(tc_wrap128(tc_pow2(100) + 3, 64, true) == 3);
    assert_true(tc_wrap128(1, 1, true) == -1);
    assert_true(tc_wrap128(TC_I128_MIN + 7, 1, false) == 1);
}

static void test_greatest_common_divisor(void **state) {
    (void)state;
    assert_true(tc_gcd128(12, -18) == 6);
    assert_true(tc_gcd128(0, -5) == 5);
    assert_true(tc_gcd128(0, 0) == 0);
    assert_true(tc_gcd128(TC_I128_MIN, 0) == tc_pow2(126));
    assert_true(tc_gcd128(TC_I128_MIN, 12) == 4);
}

static void numbers(tc_arena *a) {
    static const char *const good[] = {"0",
                                       "7",
                                       "-7",
                                       "18446744073709551616",
                                       "170141183460469231731687303715884105727",
                                       "-170141183460469231731687303715884105728"};
    tc_i128 x;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(tc_i128_parse(good[i], strlen(good[i]), &x));
        assert_string_equal(tc_i128_text(a, x), good[i]);
    }
    assert_true(tc_i128_parse("0xfF", 4, &x) && x == 255);
    assert_true(tc_i128_parse("-0x10", 5, &x) && x == -16);
    static const char *const bad[] = {"",
                                      "-",
                                      "0x",
                                      "-0x",
                                      "12a",
                                      "0xg",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "a",
                                      "170141183460469231731687303715884105728",
                                      "0x100000000000000000000000000000000"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(tc_i128_parse(bad[i], strlen(bad[i]), &x));
}

static void test_numbers_as_text(void **state) {
    (void)state;
    run(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_zeroed_and_apart),
        cmocka_unit_test(test_arenas_may_be_freed_early),
        cmocka_unit_test(test_product_of_sizes_is_checked),
        cmocka_unit_test(test_cleanups_run_once_last_first),
        cmocka_unit_test(test_traps_nest),
        cmocka_unit_test(test_memory_of_a_trap_is_limited),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_vectors_grow),
        cmocka_unit_test(test_maps_keep_their_order),
        cmocka_unit_test(test_string_maps_copy_their_keys),
        cmocka_unit_test(test_texts_grow),
        cmocka_unit_test(test_division_rounds_down),
        cmocka_unit_test(test_overflow_is_told),
        cmocka_unit_test(test_wrapping_to_a_width),
        cmocka_unit_test(test_greatest_common_divisor),
        cmocka_unit_test(test_numbers_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
