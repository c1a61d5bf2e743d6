// The kernel library's host side: what it refuses, what it launches, and that it neither waits nor allocates.
#include "fake_runtime.h"

#include "tk_attention.h"
#include "tk_elementwise.h"
#include "tk_gather.h"
#include "tk_gemm.h"
#include "tk_host.h"
#include "tk_norm.h"
#include "tk_softmax.h"
#include "../../examples/qwen3/q3_kernels.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *memory(int i) { return (char *)(uintptr_t)0x100000000000 + (ptrdiff_t)i * ((ptrdiff_t)1 << 44); } // far apart, aligned

static tk_workspace work(size_t bytes) { return (tk_workspace){memory(7), bytes}; }

static int reset(void **state)
{
    (void)state;
    fake_reset();
    return 0;
}

#define REFUSED(status, call)                                            \
    do {                                                                 \
        const size_t before = fake_launches;                             \
        const tk_status got = (call);                                    \
        if (got != (status))                                             \
            fail_msg("%s: %s (%s)", #call, tk_status_text(got), tk_message()); \
        assert_true(tk_message()[0] != 0);                               \
        assert_int_equal(fake_launches, before);                         \
    } while (0)

#define DONE(call)                                                       \
    do {                                                                 \
        const tk_status got = (call);                                    \
        if (got != TK_OK)                                                \
            fail_msg("%s: %s (%s)", #call, tk_status_text(got), tk_message()); \
    } while (0)

#define LAUNCHED(call)                                                   \
    do {                                                                 \
        const size_t before = fake_launches;                             \
        DONE(call);                                                      \
        assert_true(fake_launches > before);                             \
        assert_int_equal(fake_waits, 0);                                 \
    } while (0)

#define NOTHING_LAUNCHED(call)                                           \
    do {                                                                 \
        const size_t before = fake_launches;                             \
        DONE(call);                                                      \
        assert_int_equal(fake_launches, before);                         \
    } while (0)

// ---- tensors ----

static uint64_t random_state = 1;

static int64_t draw(int64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((random_state >> 33) % (uint64_t)below);
}

static tk_tensor random_tensor(char *base)
{
    tk_tensor t = {.data = base + 2 * draw(40), .type = TK_BF16, .rank = (int)draw(4)};
    for (int d = 0; d < t.rank; ++d) {
        t.extent[d] = draw(4);
        t.stride[d] = draw(9);
    }
    return t;
}

// Byte offsets of all elements from base; how many.
static size_t all_elements(const tk_tensor *t, const char *base, int64_t *at)
{
    size_t n = 0;
    const int64_t total = tk_elements(t);
    for (int64_t i = 0; i < total; ++i) {
        int64_t rest = i, offset = 0;
        for (int d = t->rank - 1; d >= 0; --d) {
            offset += rest % t->extent[d] * t->stride[d];
            rest /= t->extent[d];
        }
        at[n++] = (const char *)t->data - base + 2 * offset;
    }
    return n;
}

static bool has_twice(const int64_t *at, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < i; ++k)
            if (at[i] == at[k])
                return true;
    return false;
}

static bool meet(const int64_t *a, size_t n, const int64_t *b, size_t m)
{
    for (size_t i = 0; i < n; ++i)
        for (size_t k = 0; k < m; ++k)
            if (llabs(a[i] - b[k]) < 2)
                return true;
    return false;
}

// Whatever passes as written has each element once; what passes as apart does not meet; rows are rows.
static void test_tensors_by_enumeration(void **state)
{
    (void)state;
    int64_t a[64], b[64];
    size_t written = 0, refused = 0, apart = 0, rows_seen = 0;
    for (int i = 0; i < 200000; ++i) {
        char *base = memory(0);
        const tk_tensor t = random_tensor(base), u = random_tensor(base);
        const size_t n = all_elements(&t, base, a), m = all_elements(&u, base, b);
        if (tk_check_written(&t, "t", t.rank, TK_OF(TK_BF16)) == TK_OK) {
            ++written;
            assert_false(has_twice(a, n));
        } else {
            ++refused;
        }
        if (tk_check_apart(&t, "t", &u, "u", false) == TK_OK) {
            ++apart;
            assert_false(meet(a, n, b, m));
        }
        int64_t rows, cols, ld;
        if (n && tk_as_rows(&t, &rows, &cols, &ld)) {
            ++rows_seen;
            assert_int_equal(rows * cols, n);
            for (size_t k = 0; k < n; ++k)
                assert_int_equal(a[k] - a[0], 2 * ((int64_t)k / cols * ld + (int64_t)k % cols));
        }
        if (n && tk_is_dense(&t))
            for (size_t k = 0; k < n; ++k)
                assert_int_equal(a[k] - a[0], 2 * (int64_t)k);
    }
    assert_true(written > 1000 && refused > 1000 && apart > 1000 && rows_seen > 1000);
}

static void test_tensors_refused(void **state)
{
    (void)state;
    tk_tensor t = tk_vector(memory(0), TK_F32, 10);
    REFUSED(TK_NULL, tk_check(NULL, "t", 1, ~0u));
    REFUSED(TK_TYPE, tk_check(&t, "t", 1, TK_OF(TK_BF16)));
    REFUSED(TK_SHAPE, tk_check(&t, "t", 2, ~0u));
    t.type = (tk_type)77;
    REFUSED(TK_TYPE, tk_check(&t, "t", 1, ~0u));
    assert_string_equal(tk_type_name(t.type), "no type");
    t = tk_vector(memory(0) + 1, TK_F32, 10);
    REFUSED(TK_ALIGNMENT, tk_check(&t, "t", 1, ~0u));
    t = tk_vector(NULL, TK_F32, 10);
    REFUSED(TK_NULL, tk_check(&t, "t", 1, ~0u));
    t = tk_vector(NULL, TK_F32, 0);
    DONE(tk_check(&t, "t", 1, ~0u));
    t = tk_vector(memory(0), TK_F32, -1);
    REFUSED(TK_SHAPE, tk_check(&t, "t", 1, ~0u));
    t = tk_matrix(memory(0), TK_F32, 10, 10, -10);
    REFUSED(TK_SHAPE, tk_check(&t, "t", 2, ~0u));
    t = tk_matrix(memory(0), TK_F32, INT64_MAX, INT64_MAX, 1);
    REFUSED(TK_SIZE, tk_check(&t, "t", 2, ~0u));
    t = tk_matrix(memory(0), TK_F32, 3, 1, INT64_MAX);
    REFUSED(TK_SIZE, tk_check(&t, "t", 2, ~0u));
    t = tk_dense(memory(0), TK_F32, 99, NULL);
    REFUSED(TK_SHAPE, tk_check(&t, "t", 2, ~0u));
    t = tk_matrix(memory(0), TK_F32, 4, 10, 9);
    DONE(tk_check(&t, "t", 2, ~0u));
    REFUSED(TK_SHAPE, tk_check_written(&t, "t", 2, ~0u));
    REFUSED(TK_NULL, tk_check_workspace((tk_workspace){NULL, 100}, 100));
    REFUSED(TK_WORKSPACE, tk_check_workspace(work(99), 100));
    REFUSED(TK_ALIGNMENT, tk_check_workspace((tk_workspace){memory(7) + 4, 100}, 100));
    DONE(tk_check_workspace((tk_workspace){NULL, 0}, 0));
    assert_string_equal(tk_status_text((tk_status)1000), "no status");
}

// Of rows at one distance, or a single row, it is told exactly whether they meet.
static void test_rows_by_enumeration(void **state)
{
    (void)state;
    int64_t a[64], b[64];
    size_t between = 0, met = 0;
    for (int i = 0; i < 200000; ++i) {
        const int64_t ld = 6 + draw(3), extent[] = {1 + draw(3), 1 + draw(2), 1 + draw(5)};
        char *base = memory(0);
        const tk_tensor t = tk_matrix(base + 2 * draw(40), TK_BF16, 1 + draw(4), 1 + draw(6), ld);
        tk_tensor u = tk_dense(base + 2 * draw(40), TK_BF16, 3, extent);
        u.stride[1] = ld;
        u.stride[0] = ld * extent[1];
        const size_t n = all_elements(&t, base, a), m = all_elements(&u, base, b);
        const bool passes = tk_check_apart(&t, "t", &u, "u", false) == TK_OK;
        assert_int_equal(passes, !meet(a, n, b, m));
        met += !passes;
        between += passes && a[0] < b[m - 1] && b[0] < a[n - 1];
    }
    assert_true(met > 1000 && between > 1000);
}

// Columns of one matrix are apart where no element is of both.
static void test_columns_of_one_matrix(void **state)
{
    (void)state;
    char *const p = memory(0);
    const tk_tensor left = tk_matrix(p, TK_BF16, 4, 64, 256), right = tk_matrix(p + 128, TK_BF16, 4, 64, 256);
    LAUNCHED(tk_copy(&left, &right, NULL));
    LAUNCHED(tk_copy(&right, &left, NULL));
    LAUNCHED(tk_swiglu(&left, &left, &right, NULL)); // halves of one tensor's rows, in place
    tk_tensor other = tk_matrix(p + 126, TK_BF16, 4, 64, 256);
    REFUSED(TK_OVERLAP, tk_copy(&left, &other, NULL)); // a column of both
    other = tk_matrix(p + 386, TK_BF16, 4, 64, 256);
    REFUSED(TK_OVERLAP, tk_copy(&left, &other, NULL)); // its last column is in the next row's first
    other = tk_matrix(p + 384, TK_F32, 4, 32, 128);
    LAUNCHED(tk_cast(&other, &(tk_tensor){.data = p, .type = TK_BF16, .rank = 2, .extent = {4, 32}, .stride = {256, 1}}, NULL));
    other = tk_matrix(p + 128, TK_BF16, 4, 64, 255);
    REFUSED(TK_OVERLAP, tk_copy(&left, &other, NULL));
    assert_non_null(strstr(tk_message(), "not in rows of one distance"));
    const tk_tensor row = tk_matrix(p + 640, TK_BF16, 1, 192, 192), one = tk_matrix(p, TK_BF16, 1, 192, 256);
    const tk_tensor longer = tk_matrix(p + 640, TK_BF16, 1, 193, 193);
    DONE(tk_check_apart(&row, "row", &left, "left", false)); // the gap behind a row
    DONE(tk_check_apart(&left, "left", &row, "row", false));
    REFUSED(TK_OVERLAP, tk_check_apart(&left, "left", &longer, "longer", false));
    REFUSED(TK_OVERLAP, tk_check_apart(&one, "one", &left, "left", true));
    const int64_t extent[] = {3, 8, 64};
    tk_tensor q = tk_dense(p, TK_F16, 3, extent), k = tk_dense(p + 1024, TK_F16, 3, extent); // heads of a joint projection
    q.stride[0] = k.stride[0] = 1024;
    DONE(tk_check_apart(&q, "q", &k, "k", false));
    k.data = p + 1022;
    REFUSED(TK_OVERLAP, tk_check_apart(&q, "q", &k, "k", false));
}

// ---- calls ----

enum { TYPES = 3 };
static const tk_type types[TYPES] = {TK_F32, TK_F16, TK_BF16};

static const int64_t lengths[] = {1, 2, 3, 7, 8, 63, 64, 65, 1000, 1024, 4096, 5120, 151936, ((int64_t)1 << 31) + 1, ((int64_t)1 << 33) + 8};

static void test_elementwise(void **state)
{
    (void)state;
    typedef tk_status unary(const tk_tensor *, const tk_tensor *, tk_stream);
    typedef tk_status binary(const tk_tensor *, const tk_tensor *, const tk_tensor *, tk_stream);
    unary *const one[] = {tk_copy, tk_cast, tk_silu, tk_gelu_erf, tk_gelu_tanh};
    binary *const two[] = {tk_add, tk_mul, tk_swiglu};
    for (size_t t = 0; t < TYPES; ++t)
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
            const int64_t n = lengths[i];
            const tk_tensor out = tk_vector(memory(0), types[t], n), a = tk_vector(memory(1), types[t], n);
            const tk_tensor odd = tk_vector(memory(2) + tk_type_bytes(types[t]), types[t], n), other = tk_vector(memory(2), types[t], n + 1);
            const tk_tensor none = tk_vector(NULL, types[t], n), empty = tk_vector(NULL, types[t], 0);
            for (size_t f = 0; f < sizeof one / sizeof one[0]; ++f) {
                LAUNCHED(one[f](&out, &a, NULL));
                LAUNCHED(one[f](&out, &odd, NULL));
                REFUSED(TK_NULL, one[f](&out, NULL, NULL));
                REFUSED(TK_NULL, one[f](&none, &a, NULL));
                REFUSED(TK_SHAPE, one[f](&out, &other, NULL));
                NOTHING_LAUNCHED(one[f](&empty, &empty, NULL));
            }
            for (size_t f = 0; f < sizeof two / sizeof two[0]; ++f) {
                LAUNCHED(two[f](&out, &a, &odd, NULL));
                LAUNCHED(two[f](&out, &out, &a, NULL)); // in place
                REFUSED(TK_NULL, two[f](&out, &a, NULL, NULL));
                REFUSED(TK_SHAPE, two[f](&out, &a, &other, NULL));
            }
            if (n > 64 && n < 1000000) {
                const tk_tensor shifted = tk_vector(memory(0) + 16, types[t], n);
                REFUSED(TK_OVERLAP, tk_add(&out, &shifted, &a, NULL));
                REFUSED(TK_OVERLAP, tk_silu(&out, &shifted, NULL));
            }
        }
    const tk_tensor ints = tk_vector(memory(0), TK_I32, 8), floats = tk_vector(memory(1), TK_F32, 8);
    REFUSED(TK_TYPE, tk_add(&ints, &ints, &ints, NULL));
    REFUSED(TK_TYPE, tk_add(&floats, &floats, &ints, NULL));
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; ++t)
        for (int64_t rows = 1; rows <= 3; ++rows)
            for (size_t i = 0; i + 2 < sizeof lengths / sizeof lengths[0]; ++i) {
                const int64_t n = lengths[i];
                const tk_tensor out = tk_matrix(memory(0), types[t], rows, n, n), x = tk_matrix(memory(1), types[t], rows, n, n + 5);
                const tk_tensor w = tk_vector(memory(2), types[t], n), bias = tk_vector(memory(3), types[t], n), less = tk_vector(memory(2), types[t], n - 1);
                const tk_tensor best = tk_vector(memory(4), TK_I32, rows);
                LAUNCHED(tk_rmsnorm(&out, &x, &w, 1e-6f, 0, NULL));
                LAUNCHED(tk_rmsnorm(&x, &x, &w, 1e-6f, 1, NULL));
                LAUNCHED(tk_layernorm(&out, &x, &w, &bias, 1e-6f, NULL));
                LAUNCHED(tk_layernorm(&out, &x, &w, NULL, 1e-6f, NULL));
                REFUSED(TK_SHAPE, tk_rmsnorm(&out, &x, &less, 1e-6f, 0, NULL));
                REFUSED(TK_NULL, tk_rmsnorm(&out, &x, NULL, 1e-6f, 0, NULL));
                LAUNCHED(tk_softmax(&out, &x, work(tk_softmax_workspace(&x)), NULL));
                LAUNCHED(tk_argmax(&best, &x, work(tk_argmax_workspace(&x)), NULL));
                if (tk_softmax_workspace(&x))
                    REFUSED(TK_WORKSPACE, tk_softmax(&out, &x, work(tk_softmax_workspace(&x) - 1), NULL));
            }
    const tk_tensor x = tk_matrix(memory(0), TK_F32, 3, 64, 64), y = tk_matrix(memory(1), TK_F32, 3, 64, 64), g = tk_vector(memory(2), TK_F32, 64);
    const int64_t extent[] = {3, 2, 64};
    const tk_tensor heads = tk_dense(memory(0), TK_F32, 3, extent);
    static const float bad[] = {NAN, INFINITY, -INFINITY, -1.0f, -1e-30f}, good[] = {0.0f, 1e-5f, 1e38f};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        REFUSED(TK_VALUE, tk_rmsnorm(&x, &x, &g, bad[i], 0, NULL));
        REFUSED(TK_VALUE, tk_rmsnorm_add(&x, &y, &x, &g, bad[i], 0, NULL));
        REFUSED(TK_VALUE, tk_rmsnorm_heads(&heads, &heads, &g, bad[i], 0, NULL));
        REFUSED(TK_VALUE, tk_layernorm(&x, &x, &g, NULL, bad[i], NULL));
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        LAUNCHED(tk_rmsnorm(&x, &x, &g, good[i], 0, NULL));
        LAUNCHED(tk_rmsnorm_add(&x, &y, &x, &g, good[i], 0, NULL));
        LAUNCHED(tk_rmsnorm_heads(&heads, &heads, &g, good[i], 0, NULL));
        LAUNCHED(tk_layernorm(&x, &x, &g, NULL, good[i], NULL));
    }
    const tk_tensor empty = tk_matrix(NULL, TK_F32, 0, 10, 10), w = tk_vector(memory(2), TK_F32, 10);
    NOTHING_LAUNCHED(tk_rmsnorm(&empty, &empty, &w, 1e-6f, 0, NULL));
}

static void test_sampling(void **state)
{
    (void)state;
    const tk_tensor out = tk_vector(memory(0), TK_I32, 4), logits = tk_matrix(memory(1), TK_BF16, 4, 151936, 151936);
    const tk_tensor uniform = tk_vector(memory(2), TK_F32, 4), few = tk_vector(memory(2), TK_F32, 3);
    const tk_workspace w = work(tk_sample_workspace(&logits));
    LAUNCHED(tk_sample(&out, &logits, &uniform, 0.7f, 20, 0.9f, w, NULL));
    LAUNCHED(tk_sample(&out, &logits, &uniform, 1.0f, 0, 1.0f, w, NULL));
    static const float bad[] = {0.0f, -1.0f, NAN, INFINITY, -INFINITY, 1e-45f, 4e-39f}, good[] = {5e-39f, 1e-30f, 3.4e38f};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        REFUSED(TK_VALUE, tk_sample(&out, &logits, &uniform, bad[i], 20, 0.9f, w, NULL));
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i)
        LAUNCHED(tk_sample(&out, &logits, &uniform, good[i], 20, 0.9f, w, NULL));
    REFUSED(TK_VALUE, tk_sample(&out, &logits, &uniform, 1.0f, 20, NAN, w, NULL));
    REFUSED(TK_VALUE, tk_sample(&out, &logits, &uniform, 1.0f, 20, 1.5f, w, NULL));
    REFUSED(TK_VALUE, tk_sample(&out, &logits, &uniform, 1.0f, -1, 0.5f, w, NULL));
    REFUSED(TK_SHAPE, tk_sample(&out, &logits, &few, 1.0f, 20, 0.5f, w, NULL));
    REFUSED(TK_WORKSPACE, tk_sample(&out, &logits, &uniform, 1.0f, 20, 0.5f, work(w.bytes - 1), NULL));
}

// Whatever is written to a workspace is of no tensor of the call.
static void test_workspaces_apart(void **state)
{
    (void)state;
    for (int where = 0; where < 2; ++where) { // at the tensor's first byte; so that the last byte of the workspace is the tensor's first
        const tk_tensor x = tk_matrix(memory(0), TK_BF16, 1, 151936, 151936), out = tk_matrix(memory(1), TK_BF16, 1, 151936, 151936);
        const tk_tensor one = tk_vector(memory(2), TK_I32, 1), uniform = tk_vector(memory(3), TK_F32, 1);
#define AT(tensor, n) ((tk_workspace){(char *)(tensor).data - (where ? ((n) - 1) / 256 * 256 : 0), (n)})
        const size_t softmax = tk_softmax_workspace(&x), argmax = tk_argmax_workspace(&x), sample = tk_sample_workspace(&x);
        assert_true(softmax > 1 && argmax > 1 && sample > 1);
        REFUSED(TK_OVERLAP, tk_softmax(&out, &x, AT(x, softmax), NULL));
        REFUSED(TK_OVERLAP, tk_softmax(&out, &x, AT(out, softmax), NULL));
        REFUSED(TK_OVERLAP, tk_argmax(&one, &x, AT(x, argmax), NULL));
        REFUSED(TK_OVERLAP, tk_argmax(&one, &x, AT(one, argmax), NULL));
        REFUSED(TK_OVERLAP, tk_sample(&one, &x, &uniform, 1.0f, 0, 1.0f, AT(x, sample), NULL));
        REFUSED(TK_OVERLAP, tk_sample(&one, &x, &uniform, 1.0f, 0, 1.0f, AT(one, sample), NULL));
        REFUSED(TK_OVERLAP, tk_sample(&one, &x, &uniform, 1.0f, 0, 1.0f, AT(uniform, sample), NULL));
        assert_non_null(strstr(tk_message(), "the workspace overlaps uniform"));
        const tk_tensor a = tk_matrix(memory(0), TK_BF16, 64, 4096, 4096), b = tk_matrix(memory(1), TK_BF16, 4096, 4096, 4096);
        const tk_tensor d = tk_matrix(memory(2), TK_BF16, 64, 4096, 4096), c = tk_matrix(memory(3), TK_BF16, 64, 4096, 4096);
        const tk_tensor bias = tk_vector(memory(4), TK_BF16, 4096), *const all[] = {&a, &b, &c, &d, &bias};
        const size_t gemm = tk_gemm_workspace(64, 4096, 4096);
        assert_true(gemm > 1);
        for (int i = 0; i < 5; ++i)
            REFUSED(TK_OVERLAP, tk_gemm(&d, &a, &b, &bias, &c, AT(*all[i], gemm), NULL));
        LAUNCHED(tk_gemm(&d, &a, &b, NULL, NULL, AT(c, gemm), NULL));
        LAUNCHED(tk_gemm(&d, &a, &b, NULL, NULL, (tk_workspace){a.data, gemm - 1}, NULL)); // not used
#undef AT
    }
    const tk_tensor short_x = tk_matrix(memory(0), TK_BF16, 4, 64, 64);
    LAUNCHED(tk_softmax(&short_x, &short_x, (tk_workspace){memory(0), 1000}, NULL)); // nor here
}

// A workspace that cannot be used is refused, one that is too small left alone; a call that is done leaves the text of the last one that was not.
static void test_texts_of_failures_alone(void **state)
{
    (void)state;
    const tk_tensor a = tk_matrix(memory(0), TK_BF16, 64, 4096, 4096), b = tk_matrix(memory(1), TK_BF16, 4096, 4096, 4096);
    const tk_tensor d = tk_matrix(memory(2), TK_BF16, 64, 4096, 4096), wrong = tk_matrix(memory(3), TK_BF16, 65, 4096, 4096);
    const size_t bytes = tk_gemm_workspace(64, 4096, 4096);
    REFUSED(TK_NULL, tk_gemm(&d, &a, &b, NULL, NULL, (tk_workspace){NULL, bytes}, NULL));
    REFUSED(TK_ALIGNMENT, tk_gemm(&d, &a, &b, NULL, NULL, (tk_workspace){memory(7) + 128, bytes}, NULL));
    REFUSED(TK_SHAPE, tk_gemm(&wrong, &a, &b, NULL, NULL, work(bytes), NULL));
    char text[512];
    snprintf(text, sizeof text, "%s", tk_message());
    LAUNCHED(tk_gemm(&d, &a, &b, NULL, NULL, (tk_workspace){NULL, 0}, NULL));
    LAUNCHED(tk_gemm(&d, &a, &b, NULL, NULL, work(bytes - 1), NULL));
    LAUNCHED(tk_gemm(&d, &a, &b, NULL, NULL, (tk_workspace){memory(7) + 128, bytes - 1}, NULL));
    tk_tensor bad = tk_matrix(memory(0), TK_I64, 4, 64, 64);
    assert_int_equal(tk_softmax_workspace(NULL) + tk_softmax_workspace(&bad) + tk_argmax_workspace(&bad) + tk_sample_workspace(&bad), 0);
    const tk_tensor nowhere = tk_matrix(NULL, TK_BF16, 1, 151936, 151936);
    assert_true(tk_softmax_workspace(&nowhere) && tk_argmax_workspace(&nowhere) && tk_sample_workspace(&nowhere));
    bad = tk_matrix(memory(0), TK_BF16, INT64_MAX, INT64_MAX, 64);
    assert_int_equal(tk_softmax_workspace(&bad) + tk_argmax_workspace(&bad) + tk_sample_workspace(&bad), 0);
    assert_string_equal(tk_message(), text);
    REFUSED(TK_NULL, tk_silu(NULL, &a, NULL)); // texts are told again
    assert_string_equal(tk_message(), "out is null");
}

static void test_gather(void **state)
{
    (void)state;
    const tk_tensor ids = tk_vector(memory(0), TK_I32, 5), table = tk_matrix(memory(1), TK_BF16, 151936, 1024, 1024);
    const tk_tensor out = tk_matrix(memory(2), TK_BF16, 5, 1024, 1024), narrow = tk_matrix(memory(2), TK_BF16, 5, 1023, 1024);
    LAUNCHED(tk_embedding(&out, &table, &ids, NULL));
    REFUSED(TK_SHAPE, tk_embedding(&narrow, &table, &ids, NULL));
    REFUSED(TK_NULL, tk_embedding(&out, &table, NULL, NULL));
    REFUSED(TK_TYPE, tk_embedding(&out, &table, &out, NULL));
    const int64_t x3[] = {5, 40, 128};
    const tk_tensor q = tk_dense(memory(3), TK_BF16, 3, x3), angles = tk_matrix(memory(4), TK_BF16, 4096, 64, 64);
    LAUNCHED(tk_rope(&q, &q, &angles, &angles, &ids, NULL));
    const int64_t k4[] = {2, 3, 8, 128}, c4[] = {2, 100, 8, 128}, p4[] = {50, 16, 8, 128};
    const tk_tensor k = tk_dense(memory(0), TK_BF16, 4, k4), v = tk_dense(memory(1), TK_BF16, 4, k4), start = tk_vector(memory(6), TK_I32, 2);
    const tk_tensor kc = tk_dense(memory(2), TK_BF16, 4, c4), vc = tk_dense(memory(3), TK_BF16, 4, c4);
    const tk_tensor kp = tk_dense(memory(2), TK_BF16, 4, p4), vp = tk_dense(memory(3), TK_BF16, 4, p4), pages = tk_matrix(memory(5), TK_I32, 2, 7, 7);
    LAUNCHED(tk_kv_append(&kc, &vc, &k, &v, &start, NULL));
    LAUNCHED(tk_kv_append_paged(&kp, &vp, &k, &v, &pages, &start, NULL));
    REFUSED(TK_OVERLAP, tk_kv_append(&kc, &kc, &k, &v, &start, NULL));
    REFUSED(TK_NULL, tk_kv_append(&kc, &vc, &k, &v, NULL, NULL));

    // Caches without room, whatever the strides of what is not there.
    for (int far = 0; far < 2; ++far) {
        tk_tensor none[2][2];
        for (int i = 0; i < 2; ++i) {
            none[i][0] = kc, none[i][1] = kp;
            none[i][0].data = none[i][1].data = memory(2 + i);
            none[i][0].extent[1] = none[i][1].extent[0] = 0;
            if (far)
                none[i][0].stride[1] = none[i][1].stride[0] = (int64_t)1 << 62;
        }
        const tk_status status = far ? TK_SIZE : TK_SHAPE;
        REFUSED(status, tk_kv_append(&none[0][0], &none[1][0], &k, &v, &start, NULL));
        assert_non_null(strstr(tk_message(), far ? "stride 1 is 4611686018427387904" : "3 tokens for a cache of 0"));
        REFUSED(status, tk_kv_append_paged(&none[0][1], &none[1][1], &k, &v, &pages, &start, NULL));
        assert_non_null(strstr(tk_message(), far ? "stride 0 is 4611686018427387904" : "3 tokens for a cache of 0 pages of 16"));
    }
    const tk_tensor blank = tk_matrix(memory(5), TK_I32, 2, 0, 0);
    REFUSED(TK_SHAPE, tk_kv_append_paged(&kp, &vp, &k, &v, &blank, &start, NULL));
    assert_non_null(strstr(tk_message(), "3 tokens for 0 pages of 16"));
}

static void test_gemm(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{1, 1, 1}, {1, 4096, 2560}, {16, 151936, 1024}, {7, 9, 5}, {512, 4096, 4096}, {4096, 4096, 4096}, {128, 128, 16384}};
    for (size_t t = 0; t < TYPES; ++t)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
            for (int way = 0; way < 4; ++way) {
                const int64_t m = sizes[i][0], n = sizes[i][1], k = sizes[i][2];
                tk_tensor a = tk_matrix(memory(0), types[t], m, k, k), b = tk_matrix(memory(1), types[t], k, n, n);
                if (way & 1)
                    a.stride[0] = 1, a.stride[1] = m;
                if (way & 2)
                    b.stride[0] = 1, b.stride[1] = k;
                const tk_tensor out = tk_matrix(memory(2), types[t], m, n, n), bias = tk_vector(memory(3), types[t], n);
                const tk_tensor wrong = tk_matrix(memory(2), types[t], m, n + 1, n + 1);
                const tk_workspace w = work(tk_gemm_workspace(m, n, k));
                LAUNCHED(tk_gemm(&out, &a, &b, NULL, NULL, w, NULL));
                LAUNCHED(tk_gemm(&out, &a, &b, &bias, &out, w, NULL));
                LAUNCHED(tk_gemm(&out, &a, &b, NULL, NULL, (tk_workspace){NULL, 0}, NULL)); // slower, no error
                REFUSED(TK_SHAPE, tk_gemm(&wrong, &a, &b, NULL, NULL, w, NULL));
                REFUSED(TK_NULL, tk_gemm(&out, &a, NULL, NULL, NULL, w, NULL));
                if (m == k)
                    REFUSED(TK_OVERLAP, tk_gemm(&out, &out, &b, NULL, NULL, w, NULL));
            }
}

static void test_attention(void **state)
{
    (void)state;
    const int64_t q4[] = {2, 100, 32, 128}, k4[] = {2, 300, 8, 128}, c4[] = {2, 4096, 8, 128}, q3[] = {2, 32, 128}, odd[] = {2, 33, 128};
    const tk_tensor out = tk_dense(memory(0), TK_BF16, 4, q4), q = tk_dense(memory(1), TK_BF16, 4, q4), k = tk_dense(memory(2), TK_BF16, 4, k4);
    const tk_tensor v = tk_dense(memory(3), TK_BF16, 4, k4), f = tk_dense(memory(2), TK_F16, 4, k4);
    LAUNCHED(tk_attention_prefill(&out, &q, &k, &v, 0.1f, 1, NULL));
    LAUNCHED(tk_attention_prefill(&out, &q, &k, &v, 0.1f, 0, NULL));
    REFUSED(TK_TYPE, tk_attention_prefill(&out, &q, &f, &f, 0.1f, 0, NULL));
    REFUSED(TK_OVERLAP, tk_attention_prefill(&q, &q, &k, &v, 0.1f, 0, NULL));
    const tk_tensor one = tk_dense(memory(0), TK_BF16, 3, q3), oq = tk_dense(memory(1), TK_BF16, 3, q3), uneven = tk_dense(memory(1), TK_BF16, 3, odd);
    const tk_tensor kc = tk_dense(memory(2), TK_BF16, 4, c4), vc = tk_dense(memory(3), TK_BF16, 4, c4), n = tk_vector(memory(4), TK_I32, 2);
    const tk_workspace w = work(tk_attention_decode_workspace(2, 32, 8, 128, 4096));
    LAUNCHED(tk_attention_decode(&one, &oq, &kc, &vc, &n, 0.1f, w, NULL));
    REFUSED(TK_SHAPE, tk_attention_decode(&one, &uneven, &kc, &vc, &n, 0.1f, w, NULL));
    REFUSED(TK_NULL, tk_attention_decode(&one, &oq, &kc, &vc, NULL, 0.1f, w, NULL));
    static const float bad[] = {0.0f, -1.0f, NAN, INFINITY, 3e38f}; // times log2(e)
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        REFUSED(TK_VALUE, tk_attention_prefill(&out, &q, &k, &v, bad[i], 1, NULL));
        REFUSED(TK_VALUE, tk_attention_decode(&one, &oq, &kc, &vc, &n, bad[i], w, NULL));
    }
    static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, 64, 65535, 1 << 24, INT64_MAX - 1, INT64_MAX};
    enum { EXTREMES = sizeof extremes / sizeof extremes[0] };
    for (int i = 0; i < EXTREMES * EXTREMES * EXTREMES; ++i) { // nothing overflows, with UBSan
        const int64_t x = extremes[i % EXTREMES], y = extremes[i / EXTREMES % EXTREMES], z = extremes[i / EXTREMES / EXTREMES];
        (void)tk_attention_decode_workspace(x, y, 1, 64, z);
        (void)tk_attention_decode_workspace(1, y, x, 64, z);
        (void)tk_attention_decode_workspace(1, 1, x, y, z);
        (void)tk_attention_decode_paged_workspace(1, x, 1, 128, y, z);
        (void)tk_gemm_workspace(x, y, z);
    }
    assert_int_equal(tk_attention_decode_workspace(1, 1, 1, 64, INT64_MAX), 0);
    if (w.bytes)
        REFUSED(TK_WORKSPACE, tk_attention_decode(&one, &oq, &kc, &vc, &n, 0.1f, work(w.bytes - 1), NULL));
}

// A tensor of these extents, and now and then one that differs in one of them, a stride, its rank or its address.
static tk_tensor wild(int place, tk_type type, int rank, const int64_t *extent)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 16, 1 << 20, (int64_t)1 << 31, (int64_t)1 << 40, (int64_t)1 << 48, (int64_t)1 << 58, ((int64_t)1 << 58) + 1,
                                    (int64_t)1 << 62, INT64_MAX - 1, INT64_MAX, -1, INT64_MIN};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    tk_tensor t = tk_dense(memory(place), type, rank, extent);
    for (int d = 0; d < rank; ++d) {
        if (draw(24) == 0)
            t.extent[d] = sizes[draw(SIZES)];
        if (draw(16) == 0)
            t.stride[d] = sizes[draw(SIZES)];
    }
    if (draw(64) == 0)
        t.rank = (int)draw(7) - 1;
    if (draw(64) == 0)
        t.data = (void *)(uintptr_t)sizes[draw(SIZES)];
    return t;
}

// Whatever extents and strides are, a call launches or says why not. With UBSan: nothing is computed that overflows.
static void test_wild_extents(void **state)
{
    (void)state;
    static const int64_t some[] = {0, 1, 2, 3, 8, 1 << 20, (int64_t)1 << 40, (int64_t)1 << 62, INT64_MAX};
    size_t done = 0, calls = 0;
#define CALL(call)                                    \
    do {                                              \
        const tk_status got = (call);                 \
        ++calls;                                      \
        done += got == TK_OK;                         \
        if (got == TK_DEVICE) /* no launch that a device refuses */ \
            fail_msg("%s: %s", #call, tk_message());  \
    } while (0)
    for (int i = 0; i < 40000; ++i) {
        const tk_type type = types[draw(TYPES)];
        const int64_t a = draw(4) ? 1 + draw(9) : some[draw(9)], b = draw(4) ? 1 + draw(9) : some[draw(9)], c = draw(4) ? 64 : some[draw(9)];
        const int64_t e4[] = {a, b, 4, c}, e3[] = {a, b, c}, e2[] = {a, c}, n2[] = {c, b}, o2[] = {a, b}, c4[] = {a, b + (b < 10 ? 5 : 0), 4, c}, half[] = {9, c / 2};
        const int rank = 1 + (int)draw(4);
        const int64_t *const e = rank == 4 ? e4 : rank == 3 ? e3 : e2;
        const tk_tensor out = wild(0, type, rank, e), x = wild(1, type, rank, e), y = wild(2, type, rank, e), w = wild(3, type, 1, &e[rank - 1]);
        const tk_tensor ids = wild(4, TK_I32, 1, &a), best = wild(5, TK_I32, rank - 1, e);
        CALL(tk_copy(&out, &x, NULL));
        CALL(tk_cast(&out, &x, NULL));
        CALL(tk_add(&out, &x, &y, NULL));
        CALL(tk_swiglu(&out, &x, &y, NULL));
        CALL(tk_gelu_tanh(&out, &x, NULL));
        CALL(tk_rmsnorm(&out, &x, &w, 1e-6f, 1, NULL));
        CALL(tk_rmsnorm_add(&out, &y, &x, &w, 1e-6f, 1, NULL));
        CALL(tk_layernorm(&out, &x, &w, NULL, 1e-6f, NULL));
        CALL(tk_softmax(&out, &x, work(tk_softmax_workspace(&x)), NULL));
        CALL(tk_argmax(&best, &x, work(tk_argmax_workspace(&x)), NULL));
        const tk_tensor m3 = wild(0, type, 3, e3), q3 = wild(1, type, 3, e3), w3 = wild(2, type, 1, &c), angles = wild(3, type, 2, half);
        CALL(tk_rmsnorm_heads(&m3, &q3, &w3, 1e-6f, 0, NULL));
        CALL(tk_rope(&m3, &q3, &angles, &angles, &ids, NULL));
        const tk_tensor o = wild(0, type, 2, o2), l = wild(1, type, 2, e2), r = wild(2, type, 2, n2), table = wild(3, type, 2, (int64_t[]){100, b});
        const tk_tensor number = wild(6, TK_I64, 1, &(int64_t){1}), chance = wild(6, TK_F32, 1, &a), pages = wild(5, TK_I32, 2, (int64_t[]){a, 3});
        CALL(tk_gemm(&o, &l, &r, NULL, NULL, work(tk_gemm_workspace(o.extent[0], o.extent[1], l.extent[1])), NULL));
        CALL(tk_embedding(&o, &table, &ids, NULL));
        CALL(tk_count_outside(&number, &ids, some[draw(9)], NULL));
        CALL(tk_sample(&ids, &l, &chance, 1.0f, 0, 0.5f, work(tk_sample_workspace(&l)), NULL));
        const tk_tensor k = wild(0, type, 4, e4), v = wild(1, type, 4, e4), kc = wild(2, type, 4, c4), vc = wild(3, type, 4, c4);
        CALL(tk_kv_append(&kc, &vc, &k, &v, &ids, NULL));
        const tk_tensor kp = wild(2, type, 4, (int64_t[]){some[draw(9)], 16, 4, c}), vp = tk_dense(memory(3), type, 4, kp.extent);
        CALL(tk_kv_append_paged(&kp, &vp, &k, &v, &pages, &ids, NULL));
        const tk_tensor q = wild(4, type, 3, (int64_t[]){a, 8, c}), qo = wild(5, type, 3, (int64_t[]){a, 8, c}), starts = wild(6, TK_I32, 1, &(int64_t){3});
        const tk_tensor q4 = wild(4, type, 4, (int64_t[]){a, 3, 8, c}), o4 = wild(5, type, 4, (int64_t[]){a, 3, 8, c});
        CALL(tk_attention_decode(&qo, &q, &k, &v, &ids, 0.1f, work((size_t)1 << 40), NULL));
        CALL(tk_attention_decode_paged(&qo, &q, &kp, &vp, &pages, &ids, 0.1f, work((size_t)1 << 40), NULL));
        CALL(tk_attention_prefill(&o4, &q4, &k, &v, 0.1f, 1, NULL));
        CALL(tk_attention_prefill_ragged(&qo, &q, &m3, &q3, &starts, &starts, some[draw(9)], 0.1f, 1, NULL));
        char *const p = memory(0);
        CALL(q3_linear(memory(1), p, p, NULL, NULL, some[draw(9)], some[draw(9)], 0.0f, NULL));
        CALL(q3_heads(memory(1), memory(2), memory(3), p, p, p, p, p, (int32_t *)memory(4), a, b, some[draw(9)], some[draw(9)], 0.0f, NULL));
        int32_t *const at = (int32_t *)memory(5);
        CALL(q3_advance(at, at + 1, at + 2, (int32_t *)memory(6), some[draw(9)], NULL));
    }
#undef CALL
    assert_true(done > calls / 10 && done < calls * 9 / 10);
}

static void test_qwen3(void **state)
{
    (void)state;
    char *const p = memory(0), *const y = memory(1);
    static const int64_t sizes[][2] = {{1, 8}, {1024, 2048}, {4096, 1024}, {6144, 2560}, {2560, 9728}, {151936, 4096}, {5120, 25600}, {1 << 24, 32768}};
    for (int blocks = 1; blocks < 200; blocks += 33) {
        fake_multiprocessors = blocks;
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            LAUNCHED(q3_linear(y, p, p, p, NULL, sizes[i][0], sizes[i][1], 1e-6f, NULL));
            LAUNCHED(q3_linear(y, p, p, NULL, y, sizes[i][0], sizes[i][1], 1e-6f, NULL));
            LAUNCHED(q3_gated(y, p, p, p, p, sizes[i][0], sizes[i][1], 1e-6f, NULL));
        }
    }
    static const float bad[] = {NAN, INFINITY, -1.0f};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        REFUSED(TK_VALUE, q3_linear(y, p, p, p, NULL, 64, 64, bad[i], NULL));
        LAUNCHED(q3_linear(y, p, p, NULL, NULL, 64, 64, bad[i], NULL)); // not looked at
        REFUSED(TK_VALUE, q3_gated(y, p, p, p, p, 64, 64, bad[i], NULL));
        REFUSED(TK_VALUE, q3_heads(y, memory(3), memory(4), p, p, p, p, p, (int32_t *)memory(2), 17, 32, 8, 4096, bad[i], NULL));
    }
    REFUSED(TK_ALIGNMENT, q3_linear(y, p + 2, p, NULL, NULL, 8, 8, 1e-6f, NULL));
    REFUSED(TK_SHAPE, q3_linear(y, p, p, NULL, NULL, 8, 9, 1e-6f, NULL));
    REFUSED(TK_SIZE, q3_linear(y, p, p, NULL, NULL, INT64_MAX, 8, 1e-6f, NULL));
    REFUSED(TK_NULL, q3_gated(NULL, p, p, p, NULL, 8, 8, 1e-6f, NULL));
    int32_t *const at = (int32_t *)memory(2);
    char *const k = memory(3), *const v = memory(4);
    LAUNCHED(q3_heads(y, k, v, p, p, p, p, p, at, 17, 32, 8, 4096, 1e-6f, NULL));
    REFUSED(TK_SIZE, q3_heads(y, k, v, p, p, p, p, p, at, 4097, 32, 8, 4096, 1e-6f, NULL));
    REFUSED(TK_NULL, q3_heads(y, k, v, p, p, p, p, p, NULL, 1, 32, 8, 4096, 1e-6f, NULL));
    LAUNCHED(q3_advance(at, at + 1, at + 2, at + 102, 100, NULL));
    REFUSED(TK_SIZE, q3_advance(at, at + 1, at + 2, at + 102, 0, NULL));
    REFUSED(TK_NULL, q3_advance(at, at + 1, NULL, at + 102, 100, NULL));
    assert_non_null(strstr(tk_message(), "tokens"));
}

// Each pointer moved to an odd address, and each that is written put upon each other one.
static void test_qwen3_places(void **state)
{
    (void)state;
    enum { N = 64, K = 128 };
    for (int few = 0; few < 2; ++few) { // rows that warps share, and not
        fake_multiprocessors = few ? 132 : 1;
        char *place[5];
        for (int i = 0; i < 5; ++i)
            place[i] = memory(i);
#define LINEAR q3_linear(place[0], place[1], place[2], place[3], place[4], N, K, 1e-6f, NULL)
#define GATED q3_gated(place[0], place[1], place[2], place[3], place[4], N, K, 1e-6f, NULL)
        LAUNCHED(LINEAR);
        LAUNCHED(GATED);
        for (int i = 0; i < 5; ++i) {
            place[i] = memory(i) + 1;
            REFUSED(TK_ALIGNMENT, LINEAR);
            REFUSED(TK_ALIGNMENT, GATED);
            place[i] = memory(i);
        }
        static const int64_t linear[] = {N, N * K, K, K, N}, gated[] = {N, N * K, N * K, K, K}; // elements
        for (int i = 1; i < 5; ++i) {
            place[0] = memory(i) + 2 * (linear[i] - 1); // on the last element
            REFUSED(TK_OVERLAP, LINEAR);
            place[0] = memory(i) - 2 * (N - 1);
            REFUSED(TK_OVERLAP, LINEAR);
            place[0] = memory(i) + 2 * linear[i]; // behind it
            LAUNCHED(LINEAR);
            place[0] = memory(i) + 2 * (gated[i] - 1);
            REFUSED(TK_OVERLAP, GATED);
            place[0] = memory(i) + 2 * gated[i];
            LAUNCHED(GATED);
            place[0] = memory(i);
            REFUSED(TK_OVERLAP, GATED);
            if (i == 4)
                LAUNCHED(LINEAR); // the residual itself
            else
                REFUSED(TK_OVERLAP, LINEAR);
        }
#undef LINEAR
#undef GATED
    }
    enum { TOKENS = 3, HEADS = 4, KV = 2, ROOM = 32, D = 128 };
    static const int64_t cache = 2 * ROOM * KV * D, angles = ROOM * D;
    static const int64_t bytes[9] = {2 * TOKENS * HEADS * D, cache, cache, 2 * TOKENS * (HEADS + 2 * KV) * D, 2 * D, 2 * D, angles, angles, 4};
    char *at[9];
    for (int i = 0; i < 9; ++i)
        at[i] = memory(0) + (ptrdiff_t)i * 1048576;
#define CALL q3_heads(at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], (int32_t *)(void *)at[8], TOKENS, HEADS, KV, ROOM, 1e-6f, NULL)
    LAUNCHED(CALL);
    for (int i = 0; i < 9; ++i) {
        char *const is = at[i];
        at[i] = is + 2;
        REFUSED(TK_ALIGNMENT, CALL);
        for (int other = 0; i < 3 && other < 9; ++other) {
            if (other == i)
                continue;
            at[i] = at[other] + bytes[other] - 4;
            REFUSED(TK_OVERLAP, CALL);
            at[i] = at[other] - bytes[i] + 4;
            REFUSED(TK_OVERLAP, CALL);
            at[i] = at[other] + bytes[other];
            LAUNCHED(CALL);
        }
        at[i] = is;
    }
#undef CALL
    int32_t *one[4];
    for (int i = 0; i < 4; ++i)
        one[i] = (int32_t *)(void *)(memory(0) + (ptrdiff_t)i * 4096);
#define CALL q3_advance(one[0], one[1], one[2], one[3], ROOM, NULL)
    LAUNCHED(CALL);
    for (int i = 0; i < 4; ++i) {
        int32_t *const is = one[i];
        one[i] = (int32_t *)(void *)((char *)is + 2);
        REFUSED(TK_ALIGNMENT, CALL);
        for (int other = 0; other < 4; ++other) {
            if (other == i)
                continue;
            one[i] = one[other] + (other == 2 ? ROOM - 1 : 0);
            REFUSED(TK_OVERLAP, CALL);
        }
        one[i] = is;
    }
#undef CALL
}

// What the runtime says of a launch comes back as a status, and is gone for the next call.
static void test_errors_of_the_device(void **state)
{
    (void)state;
    const tk_tensor a = tk_vector(memory(0), TK_F32, 100), b = tk_vector(memory(1), TK_F32, 100);
    fake_launch_error = 2;
    assert_int_equal(tk_add(&a, &b, &b, NULL), TK_MEMORY);
    fake_launch_error = 700;
    assert_int_equal(tk_silu(&a, &b, NULL), TK_DEVICE);
    assert_non_null(strstr(tk_message(), "error"));
    fake_launch_error = 0;
    DONE(tk_silu(&a, &b, NULL));
    tk_stream stream = (tk_stream)(void *)memory(5);
    DONE(tk_silu(&a, &b, stream));
    assert_ptr_equal(fake_last.stream, stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_tensors_by_enumeration, reset), cmocka_unit_test_setup(test_tensors_refused, reset),
        cmocka_unit_test_setup(test_rows_by_enumeration, reset),    cmocka_unit_test_setup(test_columns_of_one_matrix, reset),
        cmocka_unit_test_setup(test_elementwise, reset),            cmocka_unit_test_setup(test_rows, reset),
        cmocka_unit_test_setup(test_workspaces_apart, reset),       cmocka_unit_test_setup(test_texts_of_failures_alone, reset),
        cmocka_unit_test_setup(test_sampling, reset),               cmocka_unit_test_setup(test_gather, reset),
        cmocka_unit_test_setup(test_gemm, reset),                   cmocka_unit_test_setup(test_attention, reset),
        cmocka_unit_test_setup(test_wild_extents, reset),
        cmocka_unit_test_setup(test_qwen3, reset),                  cmocka_unit_test_setup(test_qwen3_places, reset),
        cmocka_unit_test_setup(test_errors_of_the_device, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
