// Fault: the guard of A lets the column K through.
// The repaired kernel is ../gemm-tiled.cu.
#include <tilecheck.h>

#define T 16

tc_block(T, T) tc_grid(tc_cdiv(N, T), tc_cdiv(M, T))
tc_requires(M <= 32768 && N <= 32768 && K <= 32768)
__global__ void sgemm_tiled(int M, int N, int K,
                            tc_shared tc_shape(M, K) const float *A,
                            tc_shared tc_shape(K, N) const float *B,
                            tc_out tc_shape(M, N) tc_tile(T, T) float *C)
{
    __shared__ float a[T][T];
    __shared__ float b[T][T];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * T + ty;
    const int col = blockIdx.x * T + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < K; k0 += T) {
        a[ty][tx] = row < M && k0 + tx <= K ? A[row * K + k0 + tx] : 0.0f;
        b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();

        for (int k = 0; k < T; ++k)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = sum;
}
