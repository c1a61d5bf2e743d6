// Regions against sets of bytes: random strides in a small universe.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "runtime-shim/region.h"

enum { BASE = 5000, BYTES = 512, ROUNDS = 60000 };

typedef struct random_state {
    uint64_t s;
} random_state;

static unsigned below(random_state *r, unsigned n) {
    r->s ^= r->s << 13;
    r->s ^= r->s >> 7;
    r->s ^= r->s << 17;
    return (unsigned)((r->s >> 20) % n);
}

typedef struct byte_set {
    bool has[BYTES];
} byte_set;

static void add_bytes(byte_set *s, const tc_rt_region *r, unsigned d, uint64_t from) {
    if (d == r->ndims) {
        for (uint64_t i = 0; i < r->run; i++) {
            assert_in_range(from + i, BASE, BASE + BYTES - 1);
            s->has[from + i - BASE] = true;
        }
        return;
    }
    for (uint64_t i = 0; i < r->dims[d].count; i++)
        add_bytes(s, r, d + 1, from + i * r->dims[d].stride);
}

static byte_set bytes_of(const tc_rt_region *r) {
    byte_set s = {0};
    add_bytes(&s, r, 0, r->base);
    return s;
}

// A step back moves the base; the region has to end within the universe.
static void add_dim(random_state *r, tc_rt_region *to) {
    static const unsigned strides[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100};
    unsigned count = below(r, 20) ? 1 + below(r, 8) : 0;
    int64_t stride = (int64_t)strides[below(r, sizeof strides / sizeof *strides)] * (below(r, 4) ? 1 : -1);
    tc_rt_region longer = *to;
    if (tc_rt_region_add(&longer, count, stride) && longer.base >= BASE && tc_rt_region_end(&longer) <= BASE + BYTES)
        *to = longer;
}

static tc_rt_region some_region(random_state *r) {
    tc_rt_region it = tc_rt_region_dense(BASE + below(r, BYTES / 2), below(r, 30) ? 1 + below(r, below(r, 3) ? 8 : 64) : 0);
    for (unsigned dims = below(r, 5); dims; dims--)
        add_dim(r, &it);
    return it;
}

static void a_normal_form_has_the_same_bytes(void **state) {
    (void)state;
    random_state r = {71};
    for (unsigned k = 0; k < ROUNDS; k++) {
        tc_rt_region it = some_region(&r), normal = it;
        byte_set before = bytes_of(&it);
        tc_rt_region_normalize(&normal);
        byte_set after = bytes_of(&normal);
        assert_memory_equal(&before, &after, sizeof before);
        assert_int_equal(tc_rt_region_empty(&it), memchr(before.has, 1, BYTES) == NULL);
        tc_rt_region again = normal;
        tc_rt_region_normalize(&again);
        assert_true(tc_rt_region_equal(&again, &normal));
        for (unsigned d = 0; d < normal.ndims; d++) {
            assert_true(normal.dims[d].count > 1 && normal.dims[d].stride > normal.run);
            assert_true(d == 0 || normal.dims[d - 1].stride >= normal.dims[d].stride);
        }
    }
}

static void two_regions_overlap_where_they_have_a_byte_in_common(void **state) {
    (void)state;
    random_state r = {72};
    unsigned met = 0, both_strided = 0;
    for (unsigned k = 0; k < ROUNDS; k++) {
        tc_rt_region a = some_region(&r), b = some_region(&r);
        byte_set x = bytes_of(&a), y = bytes_of(&b);
        bool common = false;
        for (unsigned i = 0; i < BYTES; i++)
            common = common || (x.has[i] && y.has[i]);
        tc_rt_region_normalize(&a);
        tc_rt_region_normalize(&b);
        uint64_t at = 0;
        assert_int_equal(tc_rt_region_overlap(&a, &b, &at), common ? TC_RT_OVERLAP : TC_RT_DISJOINT);
        if (common)
            assert_true(at - BASE < BYTES && x.has[at - BASE] && y.has[at - BASE]);
        met += common;
        both_strided += a.ndims && b.ndims && !common;
    }
    assert_in_range(met, ROUNDS / 10, ROUNDS - ROUNDS / 10);
    assert_true(both_strided > ROUNDS / 50);
}

static void what_covers_holds_all_bytes(void **state) {
    (void)state;
    random_state r = {73};
    unsigned covered = 0;
    for (unsigned k = 0; k < ROUNDS; k++) {
        tc_rt_region a = some_region(&r), b = below(&r, 4) ? some_region(&r) : a;
        byte_set x = bytes_of(&a), y = bytes_of(&b);
        tc_rt_region_normalize(&a);
        tc_rt_region_normalize(&b);
        if (!tc_rt_region_covers(&a, &b))
            continue;
        covered++;
        for (unsigned i = 0; i < BYTES && b.run; i++)
            assert_true(x.has[i] || !y.has[i]);
    }
    assert_true(covered > ROUNDS / 50);
}

static void the_end_is_behind_the_last_byte(void **state) {
    (void)state;
    random_state r = {74};
    for (unsigned k = 0; k < ROUNDS; k++) {
        tc_rt_region a = some_region(&r);
        if (tc_rt_region_empty(&a))
            continue;
        byte_set x = bytes_of(&a);
        uint64_t end = tc_rt_region_end(&a) - BASE;
        assert_true(x.has[end - 1] && x.has[a.base - BASE]);
        for (uint64_t i = end; i < BYTES; i++)
            assert_false(x.has[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_normal_form_has_the_same_bytes),
        cmocka_unit_test(two_regions_overlap_where_they_have_a_byte_in_common),
        cmocka_unit_test(what_covers_holds_all_bytes),
        cmocka_unit_test(the_end_is_behind_the_last_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
