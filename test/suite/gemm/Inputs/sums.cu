// The products of a tile and the exchange of columns, in the interpreter, without a GPU: small integers, each result compared with the exact sum.
//     tilecheck run sums.cu --kernel='*' --set=M=72 --set=N=136 --set=K=72 --
//         -Iexamples/tk -Iexamples/gemm '-DCFG=true, true, false, false, 128, 128, 2, 2, 3'
// CFG: WIDE, A along K, B along K, gated, BM, BN, warps along M and N, stages.
#include "gemm_kernel.cuh"

template <typename T, bool WIDE, bool AK, bool BK, bool GATED, int BM, int BN, int WM, int WN, int S>
tc_block(8, 4, WM * WN) tc_grid(1) tc_smem(S * (BM + BN) * 128)
tc_requires(M >= 1 && N >= 1 && K >= 1 && M <= BM && N <= BN && K <= 4096)
__global__ void sim(tc_mut tc_shape(AK ? M : K, AK ? K : M) tc_align(16) T *A, tc_mut tc_shape(BK ? N : K, BK ? K : N) tc_align(16) T *B,
                    tc_mut tc_shape(GATED ? N : 0, K) tc_align(16) T *B2, int M, int N, int K)
{
    using tile = tk_gemm_tile<T, WIDE, AK, BK, GATED, BM, BN, WM, WN, S>;
    const int t = threadIdx.x + 8 * threadIdx.y + 32 * threadIdx.z;
    for (int i = t; i < M * K; i += 32 * WM * WN)
        A[i] = tk_round<T>((float)(i * 7 % 5 - 2));
    for (int i = t; i < N * K; i += 32 * WM * WN)
        B[i] = tk_round<T>((float)(i * 11 % 7 - 3));
    if (GATED)
        for (int i = t; i < N * K; i += 32 * WM * WN)
            B2[i] = tk_round<T>((float)(i * 3 % 5 - 1));
    __syncthreads();
    float sums[tile::WM / 16][tile::WN / 8][4] = {};
    tile::products(sums, tk_gemm_memory, A, B, B2, M, N, K, AK ? K : M, BK ? K : N, 0, 0, 0, (K + 63) / 64);
    constexpr int COLS = GATED ? BN / 2 : BN;
    const int r0 = threadIdx.z / WN * tile::WM, c0 = threadIdx.z % WN * (COLS / WN);
    for (int i = 0; i < tile::WM / 16; ++i)
        for (int j = 0; j < tile::WN / (GATED ? 32 : 16); ++j)
            for (int h = 0; h < 2; ++h) {
                const int r = tk_gemm_row(i, h), c = tk_gemm_col(j);
                float sum[4];
                tk_gemm_run<BK, GATED>(sum, sums, i, j, h);
                for (int e = 0; e < 4; ++e) {
                    const int row = r0 + r, col = c0 + c + e;
                    if (row >= M || col >= N)
                        continue;
#ifdef WRONG
                    int want = 1, up = 1;
#else
                    int want = 0, up = 0;
#endif
                    for (int k = 0; k < K; ++k) {
                        const int a = (AK ? row * K + k : k * M + row) * 7 % 5 - 2;
                        want += a * ((BK ? col * K + k : k * N + col) * 11 % 7 - 3);
                        up += a * ((col * K + k) * 3 % 5 - 1);
                    }
                    if (GATED) {
                        const float w = (float)want / (1.0f + __expf(-(float)want)) * (float)up;
                        tc_assert((int)(sum[e] * 16) == (int)(w * 16));
                    } else
                        tc_assert((int)sum[e] == want);
                }
            }
}
#ifndef CFG
#define CFG true, true, true, false, 16, 128, 1, 4, 3
#endif
template __global__ void sim<__half, CFG>(__half *, __half *, __half *, int, int, int);
