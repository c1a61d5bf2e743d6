// D = A B + bias + C in float, without tensor cores: a tile of 128 x 128 a block and 8 x 8 a thread, in registers. The next slice of 8 along K
// is on its way from global memory, in registers too, while the last one is used from shared memory.
//
// Shapes: A is M x K and B is K x N, each with elements next to each other along K or along its other dimension; D and C are M x N.
// Proved for all sizes up to 2^30 a dimension: accesses are in bounds, the two stages are never read while they are written, and a
// block writes its own tile.
#include "gemm_call.h"
#include "tk_device.h"

#include <stdint.h>
#include <tilecheck.h>

constexpr int TK_SGEMM_B = 128, TK_SGEMM_K = 8, TK_SGEMM_EACH = TK_SGEMM_B * TK_SGEMM_K / 256;

// A slice of 8 along K of 128 rows, into registers: element e of thread t is number t + 256 e, counted along the contiguous dimension.
template <bool BY_K>
__device__ __forceinline__ void tk_sgemm_fetch(float (&to)[TK_SGEMM_EACH], const float *from, int64_t ld, int row0, int k0, int rows, int K, int t)
{
#pragma unroll
    for (int e = 0; e < TK_SGEMM_EACH; ++e) {
        const int at = t + e * 256;
        const int row = row0 + (BY_K ? at / TK_SGEMM_K : at % TK_SGEMM_B), k = k0 + (BY_K ? at % TK_SGEMM_K : at / TK_SGEMM_B);
        to[e] = row < rows && k < K ? BY_K ? from[row * ld + k] : from[k * ld + row] : 0.0f;
    }
}

template <bool BY_K> __device__ __forceinline__ void tk_sgemm_put(float (*to)[TK_SGEMM_B + 4], const float (&from)[TK_SGEMM_EACH], int t)
{
#pragma unroll
    for (int e = 0; e < TK_SGEMM_EACH; ++e) {
        const int at = t + e * 256;
        to[BY_K ? at % TK_SGEMM_K : at / TK_SGEMM_B][BY_K ? at / TK_SGEMM_K : at % TK_SGEMM_B] = from[e];
    }
}

template <bool A_BY_K, bool B_BY_K>
tc_block(16, 16) tc_grid(tc_cdiv(N, TK_SGEMM_B), tc_cdiv(M, TK_SGEMM_B))
tc_requires(M >= 1 && N >= 1 && K >= 1 && M <= 1 << 22 && N <= 1 << 30 && K <= 1 << 30)
tc_requires(lda >= (A_BY_K ? K : M) && ldb >= (B_BY_K ? K : N) && ldc >= N && ldd >= N)
tc_requires(lda <= 1LL << 31 && ldb <= 1LL << 31 && ldc <= 1LL << 31 && ldd <= 1LL << 31)
__global__ void __launch_bounds__(256, 2)
tk_sgemm_kernel(tc_mut tc_shape(M, N) tc_stride(ldd, 1) tc_tile(TK_SGEMM_B, TK_SGEMM_B) float *D,
                tc_shared tc_shape(A_BY_K ? M : K, A_BY_K ? K : M) tc_stride(lda, 1) const float *A,
                tc_shared tc_shape(B_BY_K ? N : K, B_BY_K ? K : N) tc_stride(ldb, 1) const float *B,
                tc_shared tc_optional tc_shape(N) const float *bias,
                tc_shared tc_optional tc_shape(M, N) tc_stride(ldc, 1) const float *C, bool add_D, int M, int N, int K,
                int64_t lda, int64_t ldb, int64_t ldc, int64_t ldd)
{
    __shared__ __align__(16) float a[2][TK_SGEMM_K][TK_SGEMM_B + 4], b[2][TK_SGEMM_K][TK_SGEMM_B + 4];
    const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    const int m0 = blockIdx.y * TK_SGEMM_B, n0 = blockIdx.x * TK_SGEMM_B, steps = (K + TK_SGEMM_K - 1) / TK_SGEMM_K;
    float sums[8][8] = {}, next_a[TK_SGEMM_EACH], next_b[TK_SGEMM_EACH];

    tk_sgemm_fetch<A_BY_K>(next_a, A, lda, m0, 0, M, K, t);
    tk_sgemm_fetch<B_BY_K>(next_b, B, ldb, n0, 0, N, K, t);
    for (int step = 0; step < steps; ++step) {
        tk_sgemm_put<A_BY_K>(a[step % 2], next_a, t);
        tk_sgemm_put<B_BY_K>(b[step % 2], next_b, t);
        __syncthreads(); // one is enough: who writes this stage again has passed the barrier of the other one
        if (step + 1 < steps) {
            tk_sgemm_fetch<A_BY_K>(next_a, A, lda, m0, (step + 1) * TK_SGEMM_K, M, K, t);
            tk_sgemm_fetch<B_BY_K>(next_b, B, ldb, n0, (step + 1) * TK_SGEMM_K, N, K, t);
        }
#pragma unroll
        for (int k = 0; k < TK_SGEMM_K; ++k) {
            tk_pack<float, 4> ra[2], rb[2];
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                ra[h] = *reinterpret_cast<const tk_pack<float, 4> *>(&a[step % 2][k][h * 64 + y * 4]);
                rb[h] = *reinterpret_cast<const tk_pack<float, 4> *>(&b[step % 2][k][h * 64 + x * 4]);
            }
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j)
                    sums[i][j] = fmaf(ra[i / 4].at[i % 4], rb[j / 4].at[j % 4], sums[i][j]);
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int row = m0 + i / 4 * 64 + y * 4 + i % 4, col = n0 + j / 4 * 64 + x * 4 + j % 4;
            if (row >= M || col >= N)
                continue;
            float *const at = D + row * ldd + col;
            *at = sums[i][j] + (bias ? bias[col] : 0.0f) + (C ? C[row * ldc + col] : add_D ? *at : 0.0f);
        }
}

// ---- launches ----

template <bool A_BY_K, bool B_BY_K> static tk_status launch(const tk_gemm_call &c)
{
    float *const D = (float *)c.D;
    const float *const A = (const float *)c.A, *const B = (const float *)c.B, *const bias = (const float *)c.bias, *const C = (const float *)c.C;
    const int64_t M = c.M, N = c.N, K = c.K, lda = c.lda, ldb = c.ldb, ldc = c.ldc, ldd = c.ldd;
    const bool add_D = c.add_D;
    const tk_stream stream = c.stream;
    if (M < 1 || N < 1 || K < 1 || M > 1 << 22 || N > 1 << 30 || K > 1 << 30)
        return tk_fail(TK_SIZE, "gemm in f32: M is at most 2^22, N and K 2^30");
    if (lda < (A_BY_K ? K : M) || ldb < (B_BY_K ? K : N) || ldc < N || ldd < N)
        return tk_fail(TK_SHAPE, "gemm: rows overlap");
    if (lda > 1LL << 31 || ldb > 1LL << 31 || ldc > 1LL << 31 || ldd > 1LL << 31)
        return tk_fail(TK_SIZE, "gemm: leading dimensions are at most 2^31");
    const int m = (int)M, n = (int)N, k = (int)K;
    tk_sgemm_kernel<A_BY_K, B_BY_K><<<dim3((n + TK_SGEMM_B - 1) / TK_SGEMM_B, (m + TK_SGEMM_B - 1) / TK_SGEMM_B), dim3(16, 16), 0, stream>>>(
        D, A, B, bias, C, add_D, m, n, k, lda, ldb, ldc, ldd);
    return tk_launched("gemm in f32");
}

tk_status tk_gemm_in_f32(const tk_gemm_call *c)
{
    if (c->a_by_k)
        return c->b_by_k ? launch<true, true>(*c) : launch<true, false>(*c);
    return c->b_by_k ? launch<false, true>(*c) : launch<false, false>(*c);
}
