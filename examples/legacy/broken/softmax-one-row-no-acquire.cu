// Fault: what the other blocks wrote is not acquired behind the wait.
// The repaired kernel is ../softmax-one-row.cu.
#include <tilecheck.h>

__device__ unsigned load_relaxed(const unsigned *p)
{
    unsigned v;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

// Until `goal` blocks have come, with those that came to earlier barriers.
__device__ void grid_barrier(unsigned *arrived, unsigned goal)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (load_relaxed(arrived) < goal)
            ;
    }
    __syncthreads();
}

// Over the threads of the block.
template <bool sum> __device__ float reduce(float v)
{
    __shared__ float s[256];
    s[threadIdx.x] = v;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            s[threadIdx.x] = sum ? s[threadIdx.x] + s[threadIdx.x + half] : fmaxf(s[threadIdx.x], s[threadIdx.x + half]);
    }
    __syncthreads();
    return s[0];
}

tc_block(256) tc_grid(blocks)
tc_requires(blocks <= 65535)
__global__ void softmax_one_row(tc_out tc_shape(n) float *y, tc_shared tc_shape(n) const float *x, tc_mut tc_shape(blocks) float *part,
                                tc_atomic tc_shape(1) tc_init(0) unsigned *arrived, long n, int blocks)
{
    const long first = (long)blockIdx.x * 256 + threadIdx.x, step = (long)blocks * 256;

    float top = -INFINITY;
    for (long i = first; i < n; i += step)
        top = fmaxf(top, x[i]);
    top = reduce<false>(top);
    if (threadIdx.x == 0)
        part[blockIdx.x] = top;
    grid_barrier(arrived, blocks);
    for (int b = 0; b < blocks; b++)
        top = fmaxf(top, part[b]);
    grid_barrier(arrived, 2 * blocks);

    float sum = 0;
    for (long i = first; i < n; i += step)
        sum += expf(x[i] - top);
    sum = reduce<true>(sum);
    if (threadIdx.x == 0)
        part[blockIdx.x] = sum;
    grid_barrier(arrived, 3 * blocks);
    sum = 0;
    for (int b = 0; b < blocks; b++)
        sum += part[b];

    for (long i = first; i < n; i += step)
        y[i] = expf(x[i] - top) / sum;
}
