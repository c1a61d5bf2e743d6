// Fault: the tree starts with the whole block, one step too early.
// The repaired kernel is ../block-sum.cu.
#include <tilecheck.h>

#define THREADS 256

tc_block(THREADS) tc_grid(tc_cdiv(n, 2 * THREADS))
tc_requires(n <= 1 << 30)
__global__ void block_sum(tc_out tc_shape(tc_cdiv(n, 2 * THREADS)) tc_tile(1) float *sums,
                          tc_shared tc_shape(n) const float *x, int n)
{
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * (2 * THREADS) + t;

    float v = 0.0f;
    if (i < n)
        v = x[i];
    if (i + THREADS < n)
        v += x[i + THREADS];
    part[t] = v;
    __syncthreads();

    for (int half = THREADS; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
