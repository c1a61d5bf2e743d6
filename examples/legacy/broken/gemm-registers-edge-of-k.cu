// Fault: the guard of A asks for the slice and not for the column in it.
// The repaired kernel is ../gemm-registers.cu.
#include <tilecheck.h>

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4
#define THREADS ((BM / TM) * (BN / TN))

tc_block(BN / TN, BM / TM) tc_grid(tc_cdiv(N, BN), tc_cdiv(M, BM))
tc_requires(M <= 32000 && N <= 32000 && K <= 32000)
__global__ void sgemm_registers(tc_out tc_shape(M, N) tc_tile(BM, BN) float *C,
                                tc_shared tc_shape(M, K) const float *A,
                                tc_shared tc_shape(K, N) const float *B, int M, int N, int K)
{
    __shared__ float a[2][BK][BM];
    __shared__ float b[2][BK][BN];
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float acc[TM][TN] = {};

    auto fetch = [&](int stage, int k0) {
        for (int e = t; e < BM * BK; e += THREADS) {
            const int r = e / BK, k = e % BK;
            a[stage][k][r] = row0 + r < M && k0 < K ? A[(row0 + r) * K + k0 + k] : 0.0f;
        }
        for (int e = t; e < BK * BN; e += THREADS) {
            const int k = e / BN, c = e % BN;
            b[stage][k][c] = k0 + k < K && col0 + c < N ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
    };

    int stage = 0;
    fetch(stage, 0);
    __syncthreads();
    for (int k0 = 0; k0 < K; k0 += BK) {
        if (k0 + BK < K)
            fetch(stage ^ 1, k0 + BK);
        for (int k = 0; k < BK; ++k) {
            float ra[TM], rb[TN];
            for (int i = 0; i < TM; ++i)
                ra[i] = a[stage][k][threadIdx.y * TM + i];
            for (int j = 0; j < TN; ++j)
                rb[j] = b[stage][k][threadIdx.x * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
        stage ^= 1;
    }

    for (int i = 0; i < TM; ++i) {
        const int r = row0 + threadIdx.y * TM + i;
        if (r >= M)
            break;
        for (int j = 0; j < TN; ++j) {
            const int c = col0 + threadIdx.x * TN + j;
            if (c < N)
                C[r * N + c] = acc[i][j];
        }
    }
}
