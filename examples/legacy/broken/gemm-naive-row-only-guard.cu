// Fault: only the row is tested: the last column of blocks runs into the next row, and
// past the end.
// The repaired kernel is ../gemm-naive.cu.
#include <tilecheck.h>

tc_block(16, 16) tc_grid(tc_cdiv(N, 16), tc_cdiv(M, 16))
tc_requires(K <= 1 << 28)
__global__ void sgemm_naive(int M, int N, int K, float alpha,
                            tc_shared tc_shape(M, K) const float *A,
                            tc_shared tc_shape(K, N) const float *B, float beta,
                            tc_mut tc_shape(M, N) tc_tile(16, 16) float *C)
{
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row >= M)
        return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    C[(size_t)row * N + col] = alpha * sum + beta * C[(size_t)row * N + col];
}
