// C[b] = A[b] * B[b] + beta * C[b] for a batch of small matrices, strided: the distance from a
// matrix to the next is a number of its own.
//
// Shapes: A[b] is M x K, B[b] is K x N, C[b] is M x N; blockIdx.z is the matrix.
// Proved for sizes up to 4096 and any distance at which two matrices do not overlap: accesses
// are in bounds, never in the gap between two matrices, and a block writes its own tile of
// its own matrix.
#include <tilecheck.h>

#define T 16

tc_block(T, T) tc_grid(tc_cdiv(N, T), tc_cdiv(M, T), batch)
tc_requires(M <= 4096 && N <= 4096 && K <= 4096 && batch < 65536)
tc_requires(stride_a >= M * K && stride_b >= K * N && stride_c >= M * N)
tc_requires(stride_a <= 1LL << 40 && stride_b <= 1LL << 40 && stride_c <= 1LL << 40)
__global__ void sgemm_batched(tc_mut tc_shape(batch, M, N) tc_stride(stride_c, N, 1) tc_tile(1, T, T) float *C,
                              tc_shared tc_shape(batch, M, K) tc_stride(stride_a, K, 1) const float *A,
                              tc_shared tc_shape(batch, K, N) tc_stride(stride_b, N, 1) const float *B,
                              int M, int N, int K, long long stride_a, long long stride_b, long long stride_c,
                              float beta, int batch)
{
    const int row = blockIdx.y * T + threadIdx.y;
    const int col = blockIdx.x * T + threadIdx.x;
    if (row >= M || col >= N)
        return;

    const float *a = A + blockIdx.z * stride_a + row * K;
    const float *b = B + blockIdx.z * stride_b + col;
    float *c = C + blockIdx.z * stride_c + row * N + col;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += a[k] * b[k * N];
    *c = beta == 0.0f ? sum : sum + beta * *c;
}
