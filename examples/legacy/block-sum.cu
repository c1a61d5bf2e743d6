// Sums of 512 elements each, by a tree in shared memory; the first step of a long sum.
//
// Shapes: x has n elements, sums one for every 512 of them, the last for what is left.
// Proved for every n up to 2^30: a block writes its own sum, the tree stays inside its 256
// partial sums, both guarded loads are in bounds.
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

    for (int half = THREADS / 2; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}
