// Fault: nothing orders what was written under the lock before it is given back.
// The repaired kernel is ../argmax-locked.cu.
#include <tilecheck.h>

#define B 256

__device__ void lock_take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ void lock_give(int *lock)
{
    atomicExch(lock, 0);
}

__device__ bool better(float v, int i, float w, int k)
{
    return v > w || (v == w && i < k);
}

tc_block(B) tc_grid(blocks)
tc_requires(n >= 1 && n <= 1 << 30 && blocks >= 1 && blocks <= 1 << 20)
__global__ void argmax(tc_mut tc_shape(1) float *best_value, tc_mut tc_shape(1) int *best_index,
                       tc_shared tc_shape(n) const float *x, tc_atomic tc_shape(1) tc_init(0) int *lock, int n, int blocks)
{
    __shared__ float value[B];
    __shared__ int index[B];
    const int t = threadIdx.x;
    float v = -1e38f;
    int at = 0x7fffffff;
    for (int i = blockIdx.x * B + t; i < n; i += gridDim.x * B)
        if (better(x[i], i, v, at)) {
            v = x[i];
            at = i;
        }
    value[t] = v;
    index[t] = at;
    __syncthreads();
    for (int d = B / 2; d > 0; d /= 2) {
        if (t < d && better(value[t + d], index[t + d], value[t], index[t])) {
            value[t] = value[t + d];
            index[t] = index[t + d];
        }
        __syncthreads();
    }
    if (t == 0) {
        lock_take(lock);
        if (better(value[0], index[0], *best_value, *best_index)) {
            *best_value = value[0];
            *best_index = index[0];
        }
        lock_give(lock);
    }
}
