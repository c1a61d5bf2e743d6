// Dot product by a grid of any size: each block adds its part to one number.
//
// Shapes: x and y have n elements, result one, which the caller clears.
// Proved for every n up to 2^30 and fewer than 4096 blocks: the stride over the grid does
// not overflow, loads and the tree are in bounds, result is touched only by atomics.
#include <tilecheck.h>

tc_block(256)
tc_requires(n <= 1 << 30 && gridDim.x < 4096 && gridDim.y == 1 && gridDim.z == 1)
__global__ void dot(tc_atomic tc_shape(1) float *result,
                    tc_shared tc_shape(n) const float *x,
                    tc_shared tc_shape(n) const float *y, int n)
{
    __shared__ float part[256];
    const unsigned int t = threadIdx.x;

    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += x[i] * y[i];
    part[t] = sum;
    __syncthreads();

    for (unsigned int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(result, part[0]);
}
