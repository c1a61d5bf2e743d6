// Scans in one launch: a block looks back over the blocks before it until it finds one that knows all before itself. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define CONTRACT tc_block(B) tc_grid(blocks) tc_requires(blocks >= 1 && blocks <= 1 << 20)
#define PARAMETERS                                                                                                                         \
    tc_mut tc_shape(blocks) int *own, tc_mut tc_shape(blocks) int *all, tc_mut tc_shape(blocks, B) int *y,                                 \
        tc_shared tc_shape(blocks, B) const int *x, tc_atomic tc_shape(blocks) tc_init(0) int *state, int blocks

enum { NOTHING = 0, OWN = 1, ALL = 2 };

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

__device__ int sum_of_block(const int *x)
{
    int sum = 0;
    for (int i = 0; i < B; ++i)
        sum ^= x[blockIdx.x * B + i];
    return sum;
}

// CHECK: kernel look_back proved
CONTRACT __global__ void look_back(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        store_release(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            int s;
            do
                s = load_acquire(&state[p]);
            while (s == NOTHING);
            if (s == ALL) {
                sum ^= all[p];
                break;
            }
            sum ^= own[p];
        }
        all[b] = sum ^ mine;
        store_release(&state[b], ALL);
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// CHECK: kernel with_fences proved
CONTRACT __global__ void with_fences(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        __threadfence();
        store_relaxed(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            int s;
            do
                s = load_relaxed(&state[p]);
            while (s == NOTHING);
            __threadfence();
            if (s == ALL) {
                sum ^= all[p];
                break;
            }
            sum ^= own[p];
        }
        all[b] = sum ^ mine;
        __threadfence();
        atomicExch(&state[b], ALL);
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// CHECK: kernel b_fence_before_the_loop violated
CONTRACT __global__ void b_fence_before_the_loop(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        __threadfence();
        store_relaxed(&state[b], OWN);
        int sum = 0;
        __threadfence();
        for (int p = b - 1; p >= 0; --p) {
            while (load_relaxed(&state[p]) == NOTHING)
                ;
            sum ^= own[p];
        }
        y[blockIdx.x * B] = sum;
    }
}

// CHECK: kernel each_by_itself proved
CONTRACT __global__ void each_by_itself(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        __threadfence();
        store_relaxed(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            while (load_relaxed(&state[p]) == NOTHING)
                ;
            __threadfence();
            sum ^= own[p];
        }
        y[blockIdx.x * B] = sum;
    }
}

// The prefix is read where only the block's own sum is known to be there.
// CHECK: kernel b_not_yet violated
CONTRACT __global__ void b_not_yet(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        store_release(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            int s;
            do
                s = load_acquire(&state[p]);
            while (s == NOTHING);
            if (s == OWN) {
                sum ^= all[p];
                break;
            }
            sum ^= own[p];
        }
        all[b] = sum ^ mine;
        store_release(&state[b], ALL);
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// The state of one block is waited for, the sum of the one before it is read.
// CHECK: kernel b_one_further violated
CONTRACT __global__ void b_one_further(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        store_release(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 1; --p) {
            while (load_acquire(&state[p]) == NOTHING)
                ;
            sum ^= own[p - 1];
        }
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// It does not wait.
// CHECK: kernel b_looks_once violated
CONTRACT __global__ void b_looks_once(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        store_release(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            int s = load_acquire(&state[p]);
            sum ^= s == ALL ? 0 : own[p];
        }
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// CHECK: kernel looks_once_and_asks proved
CONTRACT __global__ void looks_once_and_asks(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        store_release(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            int s = load_acquire(&state[p]);
            if (s != NOTHING)
                sum ^= own[p];
        }
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// What one iteration has seen, the next one has not.
// CHECK: kernel b_of_the_iteration_before violated
CONTRACT __global__ void b_of_the_iteration_before(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        own[b] = mine;
        store_release(&state[b], OWN);
        int sum = 0, s = NOTHING;
        for (int p = b - 1; p >= 0; --p) {
            if (s != NOTHING)
                sum ^= own[p];
            s = load_acquire(&state[p]);
        }
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// Sums are written after the state says so.
// CHECK: kernel b_said_too_early violated
CONTRACT __global__ void b_said_too_early(PARAMETERS)
{
    __shared__ int before;
    if (threadIdx.x == 0) {
        const int b = blockIdx.x, mine = sum_of_block(x);
        store_release(&state[b], OWN);
        own[b] = mine;
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            while (load_acquire(&state[p]) == NOTHING)
                ;
            sum ^= own[p];
        }
        before = sum;
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = before ^ x[blockIdx.x * B + threadIdx.x];
}

// ---- looked at by additions of 0, and sent by exchanges ----

// CHECK: kernel by_exchanges proved
CONTRACT __global__ void by_exchanges(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x;
        own[b] = x[b * B];
        __threadfence();
        atomicExch(&state[b], OWN);
        int sum = 0;
        for (int p = b - 1; p >= 0; --p) {
            int s;
            while ((s = atomicAdd(&state[p], 0)) == NOTHING)
                ;
            __threadfence();
            if (s == ALL) {
                sum ^= all[p];
                break;
            }
            sum ^= own[p];
        }
        all[b] = sum ^ x[b * B];
        __threadfence();
        atomicExch(&state[b], ALL);
    }
}

// CHECK: kernel waits_for_the_second proved
CONTRACT __global__ void waits_for_the_second(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x;
        own[b] = x[b * B];
        __threadfence();
        atomicExch(&state[b], OWN);
        int sum = 0;
        if (b > 0) {
            while (atomicAdd(&state[b - 1], 0) != ALL)
                ;
            __threadfence();
            sum = all[b - 1] ^ own[b - 1];
        }
        all[b] = sum ^ x[b * B];
        __threadfence();
        atomicExch(&state[b], ALL);
    }
}

// CHECK: kernel b_waits_for_the_first {{violated|unknown}}
CONTRACT __global__ void b_waits_for_the_first(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x;
        own[b] = x[b * B];
        __threadfence();
        atomicExch(&state[b], OWN);
        int sum = 0;
        if (b > 0) {
            while (atomicAdd(&state[b - 1], 0) == NOTHING)
                ;
            __threadfence();
            sum = all[b - 1];
        }
        all[b] = sum ^ x[b * B];
        __threadfence();
        atomicExch(&state[b], ALL);
    }
}

// CHECK: kernel b_one_value_for_both {{violated|unknown}}
CONTRACT __global__ void b_one_value_for_both(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x;
        own[b] = x[b * B];
        __threadfence();
        atomicExch(&state[b], ALL);
        int sum = 0;
        if (b > 0) {
            while (atomicAdd(&state[b - 1], 0) != ALL)
                ;
            __threadfence();
            sum = all[b - 1];
        }
        all[b] = sum ^ x[b * B];
        __threadfence();
        atomicExch(&state[b], ALL);
    }
}

// CHECK: kernel b_exchanged_too_early {{violated|unknown}}
CONTRACT __global__ void b_exchanged_too_early(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x;
        own[b] = x[b * B];
        __threadfence();
        atomicExch(&state[b], OWN);
        int sum = 0;
        if (b > 0) {
            while (atomicAdd(&state[b - 1], 0) != ALL)
                ;
            __threadfence();
            sum = all[b - 1];
        }
        atomicExch(&state[b], ALL);
        __threadfence();
        all[b] = sum ^ x[b * B];
    }
}

// CHECK: kernel b_no_fence_in_front {{violated|unknown}}
CONTRACT __global__ void b_no_fence_in_front(PARAMETERS)
{
    if (threadIdx.x == 0) {
        const int b = blockIdx.x;
        own[b] = x[b * B];
        __threadfence();
        atomicExch(&state[b], OWN);
        int sum = 0;
        if (b > 0) {
            while (atomicAdd(&state[b - 1], 0) != ALL)
                ;
            __threadfence();
            sum = all[b - 1];
        }
        all[b] = sum ^ x[b * B];
        atomicExch(&state[b], ALL);
    }
}
