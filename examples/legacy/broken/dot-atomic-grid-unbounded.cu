// Fault: nothing bounds the grid that is declared: the index wraps behind 2^31 and the
// loop goes on with a negative one.
// The repaired kernel is ../dot-atomic.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(blocks)
tc_requires(n <= 1 << 30)
__global__ void dot(tc_atomic tc_shape(1) float *result,
                    tc_shared tc_shape(n) const float *x,
                    tc_shared tc_shape(n) const float *y, int n, int blocks)
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
