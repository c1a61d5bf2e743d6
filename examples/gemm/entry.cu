// tk_gemm and tk_gemm_gated: what is asked for is checked, and handed to the kernel that does it.
//
//     M at most 4, weights along K      gemv.cu       every weight read once, no tensor cores
//     bf16, fp16                        gemm-mma.cu   tensor cores by mma.sync; here a kernel for Hopper's wgmma would be asked first
//     f32                               gemm-f32.cu
#include "gemm_call.h"
#include "tk_gemm.h"

// The dimension along which a matrix is contiguous, as whether it is the second one, and the distance of its rows along the other dimension.
static tk_status layout(const tk_tensor *t, const char *name, bool *second, int64_t *ld)
{
    const int64_t e0 = t->extent[0], e1 = t->extent[1], s0 = t->stride[0], s1 = t->stride[1];
    if (s0 != 1 && s1 != 1 && e0 != 1 && e1 != 1)
        return tk_fail(TK_UNSUPPORTED, "%s: no dimension is contiguous", name);
    *second = s1 == 1 || (s0 != 1 && e1 == 1);
    const int64_t run = *second ? e1 : e0, outer = *second ? e0 : e1;
    *ld = outer == 1 ? (run + 7) / 8 * 8 : *second ? s0 : s1; // that of a single row is never used
    return *ld < run ? tk_fail(TK_SHAPE, "%s: its rows overlap", name) : TK_OK;
}

static tk_status rows_of(const tk_tensor *t, const char *name, int64_t *ld)
{
    if (t->extent[1] > 1 && t->stride[1] != 1)
        return tk_fail(TK_UNSUPPORTED, "%s: its rows are not contiguous", name);
    *ld = t->extent[0] == 1 ? (t->extent[1] + 7) / 8 * 8 : t->stride[0];
    return *ld < t->extent[1] ? tk_fail(TK_SHAPE, "%s: its rows overlap", name) : TK_OK;
}

static bool on(const void *p, int bytes) { return (uintptr_t)p % bytes == 0; }

static tk_status on_tensor_cores(const tk_gemm_call *c) { return c->type == TK_BF16 ? tk_gemm_in_bf16(c) : tk_gemm_in_f16(c); }

static tk_status check(const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, const char *name, tk_gemm_call *c)
{
    const unsigned types = TK_OF(TK_BF16) | TK_OF(TK_F16) | TK_OF(TK_F32);
    TK_TRY(tk_check(a, "a", 2, types));
    TK_TRY(tk_check(b, name, 2, TK_OF(a->type)));
    TK_TRY(tk_check_written(out, "out", 2, TK_OF(a->type) | TK_OF(TK_F32)));
    c->M = a->extent[0], c->K = a->extent[1], c->N = b->extent[1];
    TK_TRY(tk_check_extent(b, name, 0, c->K));
    TK_TRY(tk_check_extent(out, "out", 0, c->M));
    TK_TRY(tk_check_extent(out, "out", 1, c->N));
    TK_TRY(tk_check_apart(out, "out", a, "a", false));
    TK_TRY(tk_check_apart(out, "out", b, name, false));
    c->D = out->data, c->A = a->data, c->B = b->data, c->type = a->type, c->out = out->type;
    return TK_OK;
}

static bool is_wide(const tk_gemm_call *c)
{
    const int run = c->out == TK_F32 ? 16 : 8;
    return on(c->A, 16) && on(c->B, 16) && on(c->B2, 16) && on(c->D, run) && on(c->C, run) && c->lda % 8 == 0 && c->ldb % 8 == 0 && c->ldc % 4 == 0 &&
           c->ldd % 4 == 0 && c->N % 4 == 0 && (c->a_by_k ? c->K : c->M) % 8 == 0 && (c->b_by_k ? c->K : c->N) % 8 == 0;
}

extern "C" size_t tk_gemm_workspace(int64_t m, int64_t n, int64_t k)
{
    const int64_t slices = tk_gemm_split(m, n, k);
    return slices > 1 ? (size_t)(slices * m * n) * sizeof(float) : 0;
}

// Into how many slices K is cut. A workspace that is too small is not used; one that is large enough has to be one.
static tk_status choose_slices(int count, const tk_tensor *const *tensors, const char *const *names, tk_gemm_call *c)
{
    const size_t bytes = tk_gemm_workspace(c->M, c->N, c->K);
    c->slices = 1;
    if (!c->wide || bytes == 0 || c->w.bytes < bytes)
        return TK_OK;
    TK_TRY(tk_check_scratch(c->w, bytes, count, tensors, names));
    c->slices = tk_gemm_split(c->M, c->N, c->K);
    return TK_OK;
}

extern "C" tk_status tk_gemm(const tk_tensor *out, const tk_tensor *a, const tk_tensor *b, const tk_tensor *bias, const tk_tensor *residual,
                             tk_workspace w, tk_stream stream)
{
    tk_gemm_call c = {};
    bool second;
    TK_TRY(check(out, a, b, "b", &c));
    if (bias) {
        TK_TRY(tk_check(bias, "bias", 1, TK_OF(a->type)));
        TK_TRY(tk_check_extent(bias, "bias", 0, c.N));
        if (c.N > 1 && bias->stride[0] != 1)
            return tk_fail(TK_UNSUPPORTED, "bias is not contiguous");
        TK_TRY(tk_check_apart(out, "out", bias, "bias", false));
        c.bias = bias->data;
    }
    if (residual) {
        TK_TRY(tk_check(residual, "residual", 2, TK_OF(out->type)));
        TK_TRY(tk_check_extent(residual, "residual", 0, c.M));
        TK_TRY(tk_check_extent(residual, "residual", 1, c.N));
        TK_TRY(tk_check_apart(out, "out", residual, "residual", true));
    }
    if (c.M == 0 || c.N == 0)
        return TK_OK;
    if (c.K == 0)
        return tk_fail(TK_UNSUPPORTED, "a has no columns");
    TK_TRY(layout(a, "a", &c.a_by_k, &c.lda));
    TK_TRY(layout(b, "b", &second, &c.ldb));
    c.b_by_k = !second;
    TK_TRY(rows_of(out, "out", &c.ldd));
    c.ldc = c.ldd;
    if (residual && residual->data == out->data)
        c.add_D = true;
    else if (residual) {
        TK_TRY(rows_of(residual, "residual", &c.ldc));
        c.C = residual->data;
    }
    c.w = w, c.stream = stream, c.wide = is_wide(&c);
    if (c.type == TK_F32)
        return tk_gemm_in_f32(&c);
    if (c.wide && c.a_by_k && c.b_by_k && c.M <= TK_GEMM_FEW)
        return tk_gemm_of_few_rows(&c);
    const tk_tensor *const tensors[] = {out, a, b, bias, residual};
    const char *const names[] = {"out", "a", "b", "bias", "residual"};
    TK_TRY(choose_slices(5, tensors, names, &c));
    return on_tensor_cores(&c);
}

extern "C" tk_status tk_gemm_gated(const tk_tensor *out, const tk_tensor *a, const tk_tensor *gate, const tk_tensor *up, tk_stream stream)
{
    tk_gemm_call c = {};
    bool second, second_up;
    int64_t ld_up;
    TK_TRY(check(out, a, gate, "gate", &c));
    TK_TRY(tk_check(up, "up", 2, TK_OF(a->type)));
    TK_TRY(tk_check_extent(up, "up", 0, c.K));
    TK_TRY(tk_check_extent(up, "up", 1, c.N));
    TK_TRY(tk_check_apart(out, "out", up, "up", false));
    if (a->type == TK_F32 || out->type != a->type)
        return tk_fail(TK_TYPE, "gated products are of bf16 or fp16, out too");
    if (c.M == 0 || c.N == 0)
        return TK_OK;
    if (c.K == 0)
        return tk_fail(TK_UNSUPPORTED, "a has no columns");
    TK_TRY(layout(a, "a", &c.a_by_k, &c.lda));
    TK_TRY(layout(gate, "gate", &second, &c.ldb));
    TK_TRY(layout(up, "up", &second_up, &ld_up));
    TK_TRY(rows_of(out, "out", &c.ldd));
    c.b_by_k = true, c.B2 = up->data, c.ldc = c.ldd, c.stream = stream;
    if (!c.a_by_k || second || second_up || ld_up != c.ldb || !is_wide(&c))
        return tk_fail(TK_UNSUPPORTED, "a, gate and up: contiguous along K, gate and up with one leading dimension, all on 16 bytes");
    return c.M <= TK_GEMM_FEW ? tk_gemm_of_few_rows(&c) : on_tensor_cores(&c);
}
