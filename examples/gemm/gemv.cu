// D = A B + bias + C, or silu(A G) * (A U), for few rows of A: the products of decoding, in which every weight is read once and all else is little.
//
// Shapes: A is ROWS x K and B, the weights, K x N with elements next to each other along K, so rows of K elements each; D and C are ROWS x N. A warp
// has R columns of D, which are rows of the weights, or one column of gate and up; UNROLL packs of 16 bytes of each are under way at a time.
// Proved: accesses are in bounds and aligned for every K that is a multiple of 8, a block writes its own columns.
#include "gemm_call.h"
#include "tk_device.h"

#include <stdint.h>
#include <tilecheck.h>

constexpr int TK_GEMV_WARPS = 4;

template <typename T, typename O, int ROWS, int R, int UNROLL, bool GATED>
tc_block(32, TK_GEMV_WARPS) tc_grid(tc_cdiv(N, TK_GEMV_WARPS * (GATED ? 1 : R)))
tc_requires(N >= 1 && K >= 8 && N <= 1 << 30 && K <= 1 << 30 && K % 8 == 0 && lda >= K && ldb >= K && lda % 8 == 0 && ldb % 8 == 0)
tc_requires(ldc >= N && ldd >= N && lda <= 1LL << 31 && ldb <= 1LL << 31 && ldc <= 1LL << 31 && ldd <= 1LL << 31)
__global__ void __launch_bounds__(32 * TK_GEMV_WARPS)
tk_gemv_kernel(tc_mut tc_shape(ROWS, N) tc_stride(ldd, 1) tc_tile(ROWS, TK_GEMV_WARPS * (GATED ? 1 : R)) tc_at(0, blockIdx.x) O *D,
               tc_shared tc_shape(ROWS, K) tc_stride(lda, 1) tc_align(16) const T *A,
               tc_shared tc_shape(N, K) tc_stride(ldb, 1) tc_align(16) const T *B,
               tc_shared tc_shape(GATED ? N : 0, K) tc_stride(ldb, 1) tc_align(16) const T *B2, tc_shared tc_optional tc_shape(N) const T *bias,
               tc_shared tc_optional tc_shape(ROWS, N) tc_stride(ldc, 1) const O *C, bool add_D, int N, int K,
               int64_t lda, int64_t ldb, int64_t ldc, int64_t ldd)
{
    using pack = tk_pack<T, 8>;
    static_assert(!GATED || R == 2, "gate and up");
    constexpr int COLS = GATED ? 1 : R;
    const int lane = threadIdx.x, first = (blockIdx.x * TK_GEMV_WARPS + threadIdx.y) * COLS, packs = K / 8;
    float sums[R][ROWS] = {};

    for (int p0 = lane; p0 < packs; p0 += 32 * UNROLL) {
        pack b[UNROLL][R];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u)
#pragma unroll
            for (int r = 0; r < R; ++r) {
                const int p = p0 + u * 32, col = GATED ? first : first + r;
                if (p < packs && col < N)
                    b[u][r] = *reinterpret_cast<const pack *>((GATED && r ? B2 : B) + col * ldb + p * 8);
            }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
            const int p = p0 + u * 32;
            if (p >= packs)
                break;
#pragma unroll
            for (int m = 0; m < ROWS; ++m) {
                const pack a = *reinterpret_cast<const pack *>(A + m * lda + p * 8);
#pragma unroll
                for (int r = 0; r < R; ++r)
#pragma unroll
                    for (int e = 0; e < 8; ++e)
                        sums[r][m] = fmaf(tk_float(a.at[e]), tk_float(b[u][r].at[e]), sums[r][m]);
            }
        }
    }
#pragma unroll
    for (int r = 0; r < R; ++r)
#pragma unroll
        for (int m = 0; m < ROWS; ++m)
#pragma unroll
            for (int d = 16; d > 0; d >>= 1)
                sums[r][m] += __shfl_xor_sync(0xffffffffu, sums[r][m], d);

#pragma unroll
    for (int r = 0; r < COLS; ++r)
#pragma unroll
        for (int m = 0; m < ROWS; ++m) {
            const int col = first + r;
            if (lane != r * ROWS + m || col >= N)
                continue;
            const float s = sums[r][m];
            O *const at = D + m * ldd + col;
            const float add = C ? tk_float(C[m * ldc + col]) : add_D ? tk_float(*at) : 0.0f;
            *at = tk_round<O>((GATED ? s / (1.0f + __expf(-s)) * sums[R - 1][m] : s) + (bias ? tk_float(bias[col]) : 0.0f) + add);
        }
}

// ---- launches ----

template <typename T, typename O, int ROWS, int R, int UNROLL, bool GATED> static tk_status launch(const tk_gemm_call &c)
{
    constexpr int COLS = TK_GEMV_WARPS * (GATED ? 1 : R);
    O *const D = (O *)c.D;
    const T *const A = (const T *)c.A, *const B = (const T *)c.B, *const B2 = (const T *)c.B2, *const bias = (const T *)c.bias;
    const O *const C = (const O *)c.C;
    const int64_t N = c.N, K = c.K, lda = c.lda, ldb = c.ldb, ldc = c.ldc, ldd = c.ldd;
    const bool add_D = c.add_D;
    const tk_stream stream = c.stream;
    if (N < 1 || K < 8 || N > 1 << 30 || K > 1 << 30)
        return tk_fail(TK_SIZE, "gemm: N and K are at most 2^30");
    if (lda < K || ldb < K || ldc < N || ldd < N)
        return tk_fail(TK_SHAPE, "gemm: rows overlap");
    if (lda > 1LL << 31 || ldb > 1LL << 31 || ldc > 1LL << 31 || ldd > 1LL << 31)
        return tk_fail(TK_SIZE, "gemm: leading dimensions are at most 2^31");
    if (K % 8 || lda % 8 || ldb % 8 || (uintptr_t)A % 16 || (uintptr_t)B % 16 || (uintptr_t)B2 % 16)
        return tk_fail(TK_ALIGNMENT, "gemm: rows do not begin on 16 bytes");
    const int n = (int)N, k = (int)K;
    tk_gemv_kernel<T, O, ROWS, R, UNROLL, GATED>
        <<<(n + COLS - 1) / COLS, dim3(32, TK_GEMV_WARPS), 0, stream>>>(D, A, B, B2, bias, C, add_D, n, k, lda, ldb, ldc, ldd);
    return tk_launched("gemm of few rows");
}

// One column a warp for one row, so that short weights fill the device too; two share what is read of A.
template <typename T, typename O> static tk_status choose_rows(const tk_gemm_call &c)
{
    if (c.M == 1)
        return c.N < 1 << 15 ? launch<T, O, 1, 1, 8, false>(c) : launch<T, O, 1, 2, 4, false>(c);
    return c.M == 2 ? launch<T, O, 2, 2, 4, false>(c) : c.M == 3 ? launch<T, O, 3, 2, 4, false>(c) : launch<T, O, 4, 2, 4, false>(c);
}

template <typename T> static tk_status choose(const tk_gemm_call &c)
{
    if (!c.B2)
        return c.out == TK_F32 ? choose_rows<T, float>(c) : choose_rows<T, T>(c);
    if (c.M <= 2)
        return c.M == 1 ? launch<T, T, 1, 2, 4, true>(c) : launch<T, T, 2, 2, 4, true>(c);
    return c.M == 3 ? launch<T, T, 3, 2, 4, true>(c) : launch<T, T, 4, 2, 4, true>(c);
}

tk_status tk_gemm_of_few_rows(const tk_gemm_call *c) { return c->type == TK_BF16 ? choose<__nv_bfloat16>(*c) : choose<__half>(*c); }
