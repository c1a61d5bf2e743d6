// D = A B + bias + C on tensor cores, for bf16 and fp16 with sums in float.
#include "gemm_raster.cuh"
#include "gemm_tile.cuh"
#include <tilecheck.h>

// What follows the products; each part may be left out.
template <typename T> struct tk_gemm_epilogue {
    const T *bias;
    const T *residual;
    int64_t ld_residual;
};

template <typename T, typename O, bool WIDE, bool A_BY_K, bool B_BY_K, bool GATED, int BM, int BN, int WARPS_M, int WARPS_N, int STAGES>
tc_block(8, 4, WARPS_M * WARPS_N) tc_smem(STAGES * (BM + BN) * TK_GEMM_BK * 2)
tc_requires(M >= 1 && N >= 1 && K >= 1 && M <= 1 << 30 && N <= 1 << 30 && K <= 1 << 30)
tc_requires(lda >= (A_BY_K ? K : M) && ldb >= (B_BY_K ? K : N) && ldd >= N && lda <= 1LL << 31 && ldb <= 1LL << 31 && ldd <= 1LL << 31)
tc_requires(!WIDE || (lda % 8 == 0 && ldb % 8 == 0 && (A_BY_K ? K : M) % 8 == 0 && (B_BY_K ? K : N) % 8 == 0 && ldd % 4 == 0))
tc_requires(gridDim.x < 65536 && gridDim.y == 1 && gridDim.z == 1)
__global__ void __launch_bounds__(WARPS_M * WARPS_N * 32)
tk_gemm_kernel(tc_mut tc_shape(M, N) tc_stride(ldd, 1) tc_tile(BM, BN / (GATED ? 2 : 1)) tc_align(WIDE ? 8 : sizeof(O))
               tc_owner(i, j; tk_tile_number(i, j, tc_cdiv(M, BM), tc_cdiv(N, BN / (GATED ? 2 : 1))) % gridDim.x) O *D,
               tc_shared tc_shape(M, K) tc_stride(A_BY_K ? lda : 1, A_BY_K ? 1 : lda) tc_align(WIDE ? 16 : sizeof(T)) const T *A,
               tc_shared tc_shape(N, K) tc_stride(B_BY_K ? ldb : 1, B_BY_K ? 1 : ldb) tc_align(WIDE ? 16 : sizeof(T)) const T *B,
               tc_shared tc_optional tc_shape(N) const T *bias, int M, int N, int K, int64_t lda, int64_t ldb, int64_t ldd)
{
    constexpr int BK = TK_GEMM_BK, WARPS = WARPS_M * WARPS_N, WM = BM / WARPS_M, WN = BN / WARPS_N, PER_TILE = GATED ? BN / 2 : BN;
    constexpr int PIECES_A = A_BY_K ? 8 : BM / 8, PIECES_B = B_BY_K ? 8 : BN / 8;
    extern __shared__ __align__(128) unsigned char tk_gemm_memory[];
    uint4 (*const ring)[(BM + BN) * 8] = reinterpret_cast<uint4 (*)[(BM + BN) * 8]>(tk_gemm_memory);
    const int x = threadIdx.x, y = threadIdx.y, wm = threadIdx.z % WARPS_M * WM, wn = threadIdx.z / WARPS_M * WN;
    const int64_t rows = tc_cdiv(M, BM), cols = tc_cdiv(N, PER_TILE);
    const int steps = (K + BK - 1) / BK;

    for (int64_t number = blockIdx.x; number < rows * cols; number += gridDim.x) {
        const int64_t row = tk_tile_row(number, rows, cols), col = tk_tile_col(number, rows, cols);
        if (row >= rows || col >= cols) // never
            continue;
        const int m0 = (int)row * BM, n0 = (int)col * PER_TILE;

        auto fetch_a = [&](int step) {
            if (A_BY_K)
                tk_fetch<WIDE, BM, PIECES_A, WARPS, 0>(ring[step % STAGES], 0, A, lda, m0, step * BK, M, K);
            else
                tk_fetch<WIDE, BK, PIECES_A, WARPS, 0>(ring[step % STAGES], 0, A, lda, step * BK, m0, K, M);
        };
        auto fetch_b = [&](int step, int half) {
            uint4 *const to = ring[step % STAGES] + BM * 8;
            if (B_BY_K)
                tk_fetch<WIDE, BN / 2, PIECES_B, WARPS, 0>(to, half * (BN / 2), B, ldb, n0 + half * (BN / 2), step * BK, N, K);
            else
                tk_fetch<WIDE, BK / 2, PIECES_B, WARPS, 0>(to, half * (BK / 2), B, ldb, step * BK + half * (BK / 2), n0, K, N);
        };
        unsigned fa[2][WM / 16][4], fb[2][WN / 16][4];
        auto load = [&](int to, int step, int kk) {
            const uint4 *const a = ring[step % STAGES], *const b = a + BM * 8;
#pragma unroll
            for (int i = 0; i < WM / 16; ++i)
                if (A_BY_K)
                    tk_load_matrix<false>(fa[to][i], &a[(wm + i * 16 + y % 2 * 8 + x) * 8 + ((kk * 2 + y / 2) ^ x)]);
                else {
                    const int piece = wm / 8 + i * 2 + y % 2;
                    tk_load_matrix<true>(fa[to][i], &a[(kk * 16 + y / 2 * 8 + x) * PIECES_A + piece / 8 * 8 + (piece % 8 ^ x)]);
                }
#pragma unroll
            for (int j = 0; j < WN / 16; ++j)
                if (B_BY_K)
                    tk_load_matrix<false>(fb[to][j], &b[(wn + j * 16 + y / 2 * 8 + x) * 8 + ((kk * 2 + y % 2) ^ x)]);
                else {
                    const int piece = wn / 8 + j * 2 + y / 2;
                    tk_load_matrix<true>(fb[to][j], &b[(kk * 16 + y % 2 * 8 + x) * PIECES_B + piece / 8 * 8 + (piece % 8 ^ x)]);
                }
        };
        float acc[WM / 16][WN / 8][4] = {};
        auto multiply = [&](int from) {
#pragma unroll
            for (int i = 0; i < WM / 16; ++i)
#pragma unroll
                for (int j = 0; j < WN / 8; ++j)
                    tk_mma<T>(acc[i][j], fa[from][i], fb[from][j / 2][j % 2 * 2], fb[from][j / 2][j % 2 * 2 + 1]);
        };

        fetch_a(0), fetch_b(0, 0), fetch_b(0, 1);
        tk_copy_commit();
        if (STAGES > 2) {
            fetch_a(1), fetch_b(1, 0), fetch_b(1, 1);
            tk_copy_commit();
        }
        if (STAGES > 3) {
            fetch_a(2), fetch_b(2, 0), fetch_b(2, 1);
            tk_copy_commit();
        }
        tk_copy_wait<STAGES - 2>();
        __syncthreads();
        load(0, 0, 0);
        for (int step = 0; step < steps; ++step) {
#pragma unroll
            for (int kk = 0; kk < 3; ++kk) {
                load((kk + 1) % 2, step, kk + 1);
                if (kk == 0)
                    fetch_a(step + STAGES - 1);
                else
                    fetch_b(step + STAGES - 1, kk - 1);
                multiply(kk % 2);
            }
            tk_copy_commit();
            tk_copy_wait<STAGES - 2>();
            __syncthreads();
            load(0, step + 1, 0);
            multiply(1);
        }
        tk_copy_wait<0>();
        __syncthreads();

#pragma unroll
        for (int i = 0; i < WM / 16; ++i)
#pragma unroll
            for (int j = 0; j < WN / 8; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int r = m0 + wm + i * 16 + y * 2 + x / 4 + e / 2 * 8, c = n0 + wn + j * 8 + x % 4 * 2 + e % 2;
                    if (r < M && c < N)
                        D[r * ldd + c] = tk_round<O>(acc[i][j][e]);
                }
    }
}
template __global__ void tk_gemm_kernel<__nv_bfloat16, __nv_bfloat16, true, true, true, false, 128, 256, 2, 4, 3>(__nv_bfloat16 *, const __nv_bfloat16 *, const __nv_bfloat16 *, const __nv_bfloat16 *, int, int, int, int64_t, int64_t, int64_t);
