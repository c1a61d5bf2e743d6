// Asynchronous copies of what another block writes: a fence does not wait for them, nor does what hands over. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 32
#define CONTRACT tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64)
#define PARAMETERS                                                                                                                         \
    tc_mut tc_shape(m, B) float *x, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(m) tc_init(0) int *flag,                            \
        tc_atomic tc_shape(1) tc_init(0) int *count, int m

__device__ void copy4(float *s, const float *g)
{
    unsigned a = (unsigned)__cvta_generic_to_shared(s);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a), "l"(g) : "memory");
}
__device__ void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ int load_acquire(const int *p)
{
    int v;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ int load_relaxed(const int *p)
{
    int v;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }

// A block reads the row behind its own, and says so; then that row may be written.
// CHECK: kernel row_behind proved
CONTRACT __global__ void row_behind(PARAMETERS)
{
    __shared__ float s[B];
    int b = blockIdx.x;
    if (b + 1 < m)
        copy4(&s[threadIdx.x], &x[(b + 1) * B + threadIdx.x]);
    wait_all();
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        store_relaxed(&flag[b], 1);
    if (b + 1 < m)
        y[b * B + threadIdx.x] = s[threadIdx.x];
    if (b > 0) {
        if (threadIdx.x == 0)
            while (load_relaxed(&flag[b - 1]) == 0)
                ;
        __syncthreads();
        __threadfence();
        x[b * B + threadIdx.x] = 1;
    }
}

// CHECK: kernel b_waited_behind_the_fence {{violated|unknown}}
CONTRACT __global__ void b_waited_behind_the_fence(PARAMETERS)
{
    __shared__ float s[B];
    int b = blockIdx.x;
    if (b + 1 < m)
        copy4(&s[threadIdx.x], &x[(b + 1) * B + threadIdx.x]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        store_relaxed(&flag[b], 1);
    wait_all();
    if (b + 1 < m)
        y[b * B + threadIdx.x] = s[threadIdx.x];
    if (b > 0) {
        if (threadIdx.x == 0)
            while (load_relaxed(&flag[b - 1]) == 0)
                ;
        __syncthreads();
        __threadfence();
        x[b * B + threadIdx.x] = 1;
    }
}

// The thread that copies is the one that sends.
// CHECK: kernel by_one_thread proved
CONTRACT __global__ void by_one_thread(PARAMETERS)
{
    __shared__ float s[B];
    int b = blockIdx.x;
    if (threadIdx.x > 0)
        return;
    if (b + 1 < m)
        copy4(s, &x[(b + 1) * B]);
    wait_all();
    store_release(&flag[b], 1);
    if (b + 1 < m)
        y[b * B] = s[0];
    if (b > 0) {
        while (load_acquire(&flag[b - 1]) == 0)
            ;
        x[b * B] = 1;
    }
}

// CHECK: kernel b_pending_as_it_sends {{violated|unknown}}
CONTRACT __global__ void b_pending_as_it_sends(PARAMETERS)
{
    __shared__ float s[B];
    int b = blockIdx.x;
    if (threadIdx.x > 0)
        return;
    if (b + 1 < m)
        copy4(s, &x[(b + 1) * B]);
    store_release(&flag[b], 1);
    wait_all();
    if (b + 1 < m)
        y[b * B] = s[0];
    if (b > 0) {
        while (load_acquire(&flag[b - 1]) == 0)
            ;
        x[b * B] = 1;
    }
}

// The last block writes what all have read.
// CHECK: kernel cleared_by_last proved
CONTRACT __global__ void cleared_by_last(PARAMETERS)
{
    __shared__ float s[B];
    __shared__ bool last;
    copy4(&s[threadIdx.x], &x[blockIdx.x * B + threadIdx.x]);
    wait_all();
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(count, 1) == m - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        for (int i = 0; i < m; i++)
            x[i * B + threadIdx.x] = 0;
    }
    y[blockIdx.x * B + threadIdx.x] = s[threadIdx.x];
}

// CHECK: kernel b_cleared_too_early {{violated|unknown}}
CONTRACT __global__ void b_cleared_too_early(PARAMETERS)
{
    __shared__ float s[B];
    __shared__ bool last;
    copy4(&s[threadIdx.x], &x[blockIdx.x * B + threadIdx.x]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(count, 1) == m - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        for (int i = 0; i < m; i++)
            if (i != blockIdx.x)
                x[i * B + threadIdx.x] = 0;
    }
    wait_all();
    y[blockIdx.x * B + threadIdx.x] = s[threadIdx.x];
}
