// Fault: the slices are taken to be N x M.
// The repaired kernel is ../split-k.cu.
#include <tilecheck.h>

#define T 16

tc_block(T, T) tc_grid(tc_cdiv(N, T), tc_cdiv(M, T), slices)
tc_requires(M <= 1 << 20 && N <= 1 << 20 && K <= 1 << 20 && slices >= 1 && slices < 65536)
tc_requires(slices * M * N < 1 << 30 && M * K < 1 << 30 && K * N < 1 << 30)
__global__ void split_k(tc_out tc_shape(slices, M, N) tc_tile(1, T, T) float *part,
                        tc_shared tc_shape(M, K) const float *A,
                        tc_shared tc_shape(K, N) const float *B,
                        int M, int N, int K, int slices)
{
    const int r = blockIdx.y * T + threadIdx.y;
    const int c = blockIdx.x * T + threadIdx.x;
    if (r >= M || c >= N)
        return;

    const int each = (K + slices - 1) / slices;
    const int from = blockIdx.z * each, to = min(from + each, K);
    float sum = 0.0f;
    for (int k = from; k < to; ++k)
        sum += A[r * K + k] * B[k * N + c];
    part[(blockIdx.z * N + r) * N + c] = sum;
}
