// C = alpha * A * B + beta * C, one thread an element of C.
//
// Shapes: A is M x K, B is K x N, C is M x N, row-major. A block owns 16 x 16 elements
// of C; offsets are 64-bit.
// Proved for all M and N that a grid can hold and all K up to 2^28: accesses in
// bounds, C written only by the owner of the tile, A and B never, nothing overflows.
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
    if (row >= M || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    C[(size_t)row * N + col] = alpha * sum + beta * C[(size_t)row * N + col];
}
