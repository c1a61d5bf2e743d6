// D = A B + bias + C, and silu(A G) * (A U), on tensor cores (gemm_kernel.cuh): the tiles that there are, and the launches. Which tile a product is
// done with, and in how many slices of K: gemm_shape.c.
//
//     128 x 256, 256 x 160, 256 x 96   8 warps, one block a multiprocessor    what is large (the last two along K only)
//     128 x 128                        4 warps, two blocks    smaller ones, cut along K where a workspace allows it; outputs in float
//      64 x 64                         4 warps, three blocks    the smallest (along K), and rows that are not aligned: element by element
//      16 x 128                        4 warps, three blocks    up to 64 rows, both matrices along K: the weights are read once
// Proved with each launch: the kernel's preconditions hold.
#ifndef TK_GEMM_LAUNCH_CUH
#define TK_GEMM_LAUNCH_CUH

#include "gemm_call.h"
#include "gemm_kernel.cuh"

// ---- launches ----

template <typename T, typename O, bool WIDE, bool A_BY_K, bool B_BY_K, bool GATED, int BM, int BN, int WARPS_M, int WARPS_N, int STAGES>
static tk_status launch(const tk_gemm_call &c)
{
    constexpr int COLS = GATED ? BN / 2 : BN, BYTES = STAGES * (BM + BN) * 128;
    const auto kernel = tk_gemm_kernel<T, O, WIDE, A_BY_K, B_BY_K, GATED, BM, BN, WARPS_M, WARPS_N, STAGES>;
    O *const D = (O *)c.D;
    const T *const A = (const T *)c.A, *const B = (const T *)c.B, *const B2 = (const T *)c.B2, *const bias = (const T *)c.bias;
    const O *const C = (const O *)c.C;
    const int64_t M = c.M, N = c.N, K = c.K, lda = c.lda, ldb = c.ldb, ldc = c.ldc, ldd = c.ldd;
    const bool add_D = c.add_D;
    const tk_stream stream = c.stream;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES) != cudaSuccess)
        return tk_launched("gemm");
    if (M < 1 || N < 1 || K < 1 || M > 1 << 30 || N > 1 << 30 || K > 1 << 30)
        return tk_fail(TK_SIZE, "gemm: M, N and K are at most 2^30");
    if (lda < (A_BY_K ? K : M) || ldb < (B_BY_K ? K : N) || ldc < N || ldd < N)
        return tk_fail(TK_SHAPE, "gemm: rows overlap");
    if (lda > 1LL << 31 || ldb > 1LL << 31 || ldc > 1LL << 31 || ldd > 1LL << 31)
        return tk_fail(TK_SIZE, "gemm: leading dimensions are at most 2^31");
    constexpr size_t IN = WIDE ? 16 : sizeof(T), OUT = (WIDE ? 4 : 1) * sizeof(O);
    if ((WIDE && (lda % 8 || ldb % 8 || (A_BY_K ? K : M) % 8 || (B_BY_K ? K : N) % 8 || N % 4 || ldc % 4 || ldd % 4)) || !tk_is_aligned(A, IN) ||
        !tk_is_aligned(B, IN) || !tk_is_aligned(B2, IN) || !tk_is_aligned(C, OUT) || !tk_is_aligned(D, OUT))
        return tk_fail(TK_ALIGNMENT, "gemm: rows do not begin on 16 bytes");
    const int64_t rows = (M + BM - 1) / BM, cols = (N + COLS - 1) / COLS, most = BM < 1024 ? 1024 / BM : 1;
    const int64_t group = rows < most ? rows : most, groups = (rows + group - 1) / group; // side by side: rows of tiles that 1024 rows have
    if (cols > 65535 || groups > 65535 || group < 1)
        return tk_fail(TK_SIZE, "gemm: M is at most 2^25, N 2^21");
    kernel<<<dim3((unsigned)group, (unsigned)cols, (unsigned)groups), dim3(8, 4, WARPS_M * WARPS_N), BYTES, stream>>>(
        D, A, B, B2, bias, C, add_D, (int)M, (int)N, (int)K, lda, ldb, ldc, ldd);
    return tk_launched("gemm");
}

// In slices along K, which a second kernel adds.
template <typename T, typename O, bool A_BY_K, bool B_BY_K, int BM, int BN, int WARPS_M, int WARPS_N, int STAGES>
static tk_status launch_split(const tk_gemm_call &c, int64_t slices)
{
    constexpr int BYTES = STAGES * (BM + BN) * 128;
    const auto kernel = tk_gemm_split_kernel<T, A_BY_K, B_BY_K, BM, BN, WARPS_M, WARPS_N, STAGES>;
    O *const D = (O *)c.D;
    const T *const A = (const T *)c.A, *const B = (const T *)c.B, *const bias = (const T *)c.bias;
    const O *const C = (const O *)c.C;
    float *const part = (float *)c.w.data;
    const int64_t M = c.M, N = c.N, K = c.K, lda = c.lda, ldb = c.ldb, ldc = c.ldc, ldd = c.ldd;
    const bool add_D = c.add_D;
    const tk_stream stream = c.stream;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES) != cudaSuccess)
        return tk_launched("gemm");
    if (M < 1 || N < 1 || K < 1 || M > 1 << 12 || N > 1 << 16 || K > 1 << 21 || slices < 1 || slices > 64)
        return tk_fail(TK_SIZE, "gemm: too large to be cut along K");
    if (lda < (A_BY_K ? K : M) || ldb < (B_BY_K ? K : N) || ldc < N || ldd < N)
        return tk_fail(TK_SHAPE, "gemm: rows overlap");
    if (lda > 1LL << 31 || ldb > 1LL << 31 || ldc > 1LL << 31 || ldd > 1LL << 31)
        return tk_fail(TK_SIZE, "gemm: leading dimensions are at most 2^31");
    if (lda % 8 || ldb % 8 || (A_BY_K ? K : M) % 8 || (B_BY_K ? K : N) % 8 || N % 4 || ldc % 4 || ldd % 4 || !tk_is_aligned(A, 16) ||
        !tk_is_aligned(B, 16) || !tk_is_aligned(part, 16) || !tk_is_aligned(C, 4 * sizeof(O)) || !tk_is_aligned(D, 4 * sizeof(O)))
        return tk_fail(TK_ALIGNMENT, "gemm: rows do not begin on 16 bytes");
    const int m = (int)M, n = (int)N, k = (int)K, cuts = (int)slices, stages = (k + 63) / 64, each = (stages + cuts - 1) / cuts;
    kernel<<<dim3((n + BN - 1) / BN, (m + BM - 1) / BM, cuts), dim3(8, 4, WARPS_M * WARPS_N), BYTES, stream>>>(
        part, A, B, m, n, k, lda, ldb, cuts, each);
    TK_TRY(tk_launched("gemm"));
    tk_gemm_sum_kernel<T, O><<<dim3((n + 1023) / 1024, m), 256, 0, stream>>>(D, part, bias, C, add_D, m, n, ldc, ldd, cuts);
    return tk_launched("gemm");
}

template <typename T, typename O, bool A_BY_K, bool B_BY_K> static tk_status choose_tile(const tk_gemm_call &c)
{
    if (!c.wide)
        return launch<T, O, false, A_BY_K, B_BY_K, false, 64, 64, 2, 2, 2>(c);
    constexpr bool BY_K = A_BY_K && B_BY_K, LARGE = sizeof(O) == sizeof(T);
    const bool split = c.slices > 1;
    if constexpr (BY_K)
        if (c.M <= TK_GEMM_SKINNY)
            return split ? launch_split<T, O, true, true, 16, 128, 1, 4, 3>(c, c.slices)
                         : launch<T, O, true, true, true, false, 16, 128, 1, 4, 3>(c);
    if (split)
        return launch_split<T, O, A_BY_K, B_BY_K, 128, 128, 2, 2, 3>(c, c.slices);
    const unsigned tiles = !LARGE ? 1u << TK_GEMM_128_128 : BY_K ? ~0u : 1u << TK_GEMM_128_128 | (A_BY_K ? 1u << TK_GEMM_128_256 : 0);
    const tk_gemm_tile_size tile = tk_gemm_best_tile(c.M, c.N, c.K, tiles, tk_multiprocessors());
    if constexpr (BY_K && LARGE) {
        if (tile == TK_GEMM_256_160)
            return launch<T, O, true, true, true, false, 256, 160, 4, 2, 3>(c);
        if (tile == TK_GEMM_256_96)
            return launch<T, O, true, true, true, false, 256, 96, 4, 2, 3>(c);
        if (tile == TK_GEMM_64_64)
            return launch<T, O, true, true, true, false, 64, 64, 2, 2, 4>(c);
    }
    if constexpr (A_BY_K && LARGE)
        if (tile == TK_GEMM_128_256)
            return launch<T, O, true, true, B_BY_K, false, 128, 256, 2, 4, 3>(c);
    return launch<T, O, true, A_BY_K, B_BY_K, false, 128, 128, 2, 2, 3>(c);
}

template <typename T, typename O> static tk_status choose_layout(const tk_gemm_call &c)
{
    if (c.a_by_k)
        return c.b_by_k ? choose_tile<T, O, true, true>(c) : choose_tile<T, O, true, false>(c);
    return c.b_by_k ? choose_tile<T, O, false, true>(c) : choose_tile<T, O, false, false>(c);
}

template <typename T> static tk_status choose(const tk_gemm_call &c)
{
    if (!c.B2)
        return c.out == TK_F32 ? choose_layout<T, float>(c) : choose_layout<T, T>(c);
    if (c.M <= TK_GEMM_SKINNY)
        return launch<T, T, true, true, true, true, 16, 128, 1, 4, 3>(c);
    const unsigned tiles = 1u << TK_GEMM_128_256 | 1u << TK_GEMM_128_128;
    if (tk_gemm_best_tile(c.M, 2 * c.N, c.K, tiles, tk_multiprocessors()) == TK_GEMM_128_256)
        return launch<T, T, true, true, true, true, 128, 256, 2, 4, 3>(c);
    return launch<T, T, true, true, true, true, 128, 128, 2, 2, 3>(c);
}

#endif
