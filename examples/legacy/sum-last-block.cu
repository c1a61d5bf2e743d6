// The sum of a vector in one launch: each block sums a part, and the last one to finish adds up the parts.
//
// Shapes: x has n elements, parts one for each block, y one; count is 0 at launch, and again behind it.
// Proved for every n up to 2^30 and up to 65535 blocks: the fences and the counter order what the blocks write before what the last
// one reads. Without the second fence, by all threads behind the barrier, they would not.
#include <tilecheck.h>

#define B 256

__device__ float sum_of_block(float v, float *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = B / 2; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    return s[0];
}

tc_block(B) tc_grid(blocks)
tc_requires(n >= 0 && n <= 1 << 30 && blocks >= 1 && blocks <= 65535)
__global__ void sum(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(blocks) float *parts,
                    tc_mut tc_shape(1) float *y, tc_atomic tc_shape(1) tc_init(0) unsigned *count,
                    int n, int blocks)
{
    __shared__ float s[B];
    __shared__ bool last;
    float v = 0.0f;
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B)
        v += x[i];
    v = sum_of_block(v, s);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = v;
        __threadfence();
        last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    v = 0.0f;
    for (int i = threadIdx.x; i < blocks; i += B)
        v += parts[i];
    v = sum_of_block(v, s);
    if (threadIdx.x == 0) {
        *y = v;
        *count = 0;
    }
}
