// Random weights: the same from one seed however they are made, of the distribution asked for, in a folder that reads back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "examples/qwen3/q3_random.h"
#include "examples/qwen3/q3_safetensors.h"
#include "q3_kit.h"

static const q3_config small = {.hidden = 64, .intermediate = 96, .layers = 2, .heads = 4, .kv_heads = 2, .head_dim = 16, .vocab = 101,
                                .positions = 512, .eps = 1e-6, .theta = 1e6, .tied = false};

static float widen(uint16_t bits) {
    const uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, sizeof x);
    return x;
}

// All bytes of a folder's tensors, in the order of names.
static uint64_t digest(const char *folder, int64_t *tensors) {
    q3_safetensors *s;
    uint64_t h = 0xcbf29ce484222325u;
    assert_int_equal(q3_safetensors_open(folder, &s), TK_OK);
    *tensors = (int64_t)q3_safetensors_count(s);
    for (size_t i = 0; i < q3_safetensors_count(s); ++i) {
        const q3_stored *t = q3_safetensors_at(s, i);
        for (size_t k = 0; k < t->bytes; ++k)
            h = (h ^ ((const unsigned char *)t->data)[k]) * 0x100000001b3u;
    }
    q3_safetensors_close(s);
    return h;
}

static uint64_t made(const q3_config *c, q3_random how) {
    kit_folder f = kit_folder_new();
    q3_config back;
    int64_t tensors;
    assert_int_equal(q3_random_write(kit_path(&f, "model"), c, &how), TK_OK);
    assert_int_equal(q3_config_read(kit_path(&f, "model"), &back), TK_OK);
    assert_int_equal(back.vocab, c->vocab);
    const uint64_t h = digest(kit_path(&f, "model"), &tensors);
    assert_int_equal(tensors, q3_weight_count(c));
    assert_int_equal(q3_random_write(kit_path(&f, "model"), c, &how), TK_FILE); // it is there already
    kit_folder_free(&f);
    return h;
}

static void test_one_seed_makes_one_model(void **state) {
    (void)state;
    q3_random how = q3_random_default(1);
    const uint64_t h = made(&small, how);
    how.threads = 1;
    assert_true(made(&small, how) == h);
    how.threads = 7;
    how.shard_bytes = 20000;
    assert_true(made(&small, how) == h);
    how.seed = 2;
    assert_true(made(&small, how) != h);
    assert_true(h == 0x0e3fa0231880a391u); // from one version and machine to the next
}

static void test_the_weights_fit_the_config(void **state) {
    (void)state;
    for (int tied = 0; tied < 2; ++tied) {
        kit_folder f = kit_folder_new();
        q3_config c = small;
        const q3_random how = q3_random_default(3);
        q3_safetensors *s;
        c.tied = tied;
        assert_int_equal(q3_random_write(f.path, &c, &how), TK_OK);
        assert_int_equal(q3_safetensors_open(f.path, &s), TK_OK);
        assert_int_equal(q3_safetensors_find(s, "lm_head.weight") == NULL, tied);
        for (int64_t i = 0; i < q3_weight_count(&c); ++i) {
            const q3_weight w = q3_weight_at(&c, i);
            const size_t n = (size_t)q3_weight_elements(&w);
            uint16_t *again = malloc(n * 2);
            tk_tensor t;
            assert_int_equal(q3_safetensors_get(s, w.name, TK_BF16, w.rank, w.extent, &t), TK_OK);
            assert_int_equal((uintptr_t)t.data % 2, 0);
            assert_int_equal(q3_random_fill(&w, &how, 0, n, again), TK_OK);
            assert_memory_equal(again, t.data, n * 2);
            for (uint64_t from = 1; from < 9 && from < n; ++from) {
                assert_int_equal(q3_random_fill(&w, &how, from, n - from, again), TK_OK);
                assert_memory_equal(again, (const uint16_t *)t.data + from, (n - from) * 2);
            }
            free(again);
        }
        q3_safetensors_close(s);
        kit_folder_free(&f);
    }
}

// Mean, deviation, fourth moment and the neighbours' product, within five standard errors.
static void check_moments(const q3_weight *w, const q3_random *how, double mean, double sigma) {
    enum { N = 1 << 18 };
    uint16_t *bits = malloc(N * sizeof *bits);
    const double n = N, error = 5 / sqrt(n);
    double sum = 0, square = 0, fourth = 0, product = 0, last = 0;
    assert_int_equal(q3_random_fill(w, how, 12345, N, bits), TK_OK);
    for (int i = 0; i < N; ++i) {
        const double z = ((double)widen(bits[i]) - mean) / sigma;
        sum += z;
        square += z * z;
        fourth += z * z * z * z;
        product += z * last;
        last = z;
    }
    free(bits);
    assert_true(fabs(sum / n) < error);
    assert_true(fabs(square / n - 1) < error * sqrt(2) + 1e-3);
    assert_true(fabs(fourth / n - 3) < error * sqrt(96) + 1e-2);
    assert_true(fabs(product / n) < error);
}

static void test_values_are_normal(void **state) {
    (void)state;
    q3_config c;
    q3_random how = q3_random_default(4);
    assert_int_equal(q3_config_named("0.6B", &c), TK_OK);
    const q3_weight down = q3_weight_of(&c, Q3_DOWN, 3), norm = q3_weight_of(&c, Q3_POST_NORM, 3);
    check_moments(&down, &how, 0, 1 / sqrt(3072));
    check_moments(&norm, &how, 1, 0.1);
    how.sigma = 0.02;
    check_moments(&down, &how, 0, 0.02);
    how.norm_sigma = 0;
    uint16_t ones[8];
    assert_int_equal(q3_random_fill(&norm, &how, 0, 8, ones), TK_OK);
    for (int i = 0; i < 8; ++i)
        assert_int_equal(ones[i], 0x3f80);
}

static void test_bad_requests_are_refused(void **state) {
    (void)state;
    kit_folder f = kit_folder_new();
    q3_random how = q3_random_default(0);
    q3_config c = small;
    c.heads = 3;
    assert_int_equal(q3_random_write(f.path, &c, &how), TK_VALUE);
    how.sigma = -1;
    assert_int_equal(q3_random_write(f.path, &small, &how), TK_VALUE);
    how.sigma = 0;
    assert_int_equal(q3_random_write(kit_path(&f, "no/folder"), &small, &how), TK_FILE);
    for (uint64_t k = 1;; ++k) {
        how.threads = 1;
        q3_memory_fail_at(k);
        const tk_status status = q3_random_write(f.path, &small, &how);
        if (status == TK_OK)
            break;
        assert_int_equal(status, TK_MEMORY);
        unlink(kit_path(&f, "model.safetensors")); // where the configs, which come after, failed
    }
    q3_memory_fail_at(0);
    kit_folder_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_seed_makes_one_model), cmocka_unit_test(test_the_weights_fit_the_config),
        cmocka_unit_test(test_values_are_normal),        cmocka_unit_test(test_bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
