// Launches of which a few threads run: a thread that does not may be the one by which two blocks are ordered. What is not proved of
// these is unknown, as long as no whole launch shows a race. b_: near misses, which one does.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 96
#define LOOKER 37
#define CONTRACT tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64 && q >= 0 && q < B)
#define PARAMETERS                                                                                                                         \
    tc_mut tc_shape(B) float *sum, tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(m, B) float *y, tc_atomic tc_shape(1) int *lock, \
        tc_atomic tc_shape(1) tc_init(0) int *count, tc_atomic tc_shape(m) tc_init(0) int *flag, int m, int q

// ---- a lock that is taken in a loop, by one thread for its block ----

// CHECK: kernel lock_in_loop {{proved|unknown}}
CONTRACT __global__ void lock_in_loop(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == LOOKER) {
            while (atomicCAS(lock, 0, 1))
                ;
            __threadfence();
        }
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == LOOKER) {
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}
// CHECK: kernel b_lock_not_waited_for violated
CONTRACT __global__ void b_lock_not_waited_for(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == LOOKER) {
            atomicCAS(lock, 0, 1);
            __threadfence();
        }
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == LOOKER) {
            __threadfence();
            atomicExch(lock, 0);
        }
    }
}

// ---- a counter that rises by two ----

// CHECK: kernel by_two {{proved|unknown}}
CONTRACT __global__ void by_two(PARAMETERS)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == LOOKER) {
        __threadfence();
        atomicAdd(count, 2);
        while (atomicAdd(count, 0) < 2 * m)
            ;
        __threadfence();
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}
// CHECK: kernel b_all_but_one violated
CONTRACT __global__ void b_all_but_one(PARAMETERS)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == LOOKER) {
        __threadfence();
        atomicAdd(count, 2);
        while (atomicAdd(count, 0) < 2 * (m - 1))
            ;
        __threadfence();
    }
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = part[(m - 1 - blockIdx.x) * B + threadIdx.x];
}

// ---- a flag for which a thread of the launch's choice waits ----

__device__ void wait_for(int *flag)
{
    while (atomicAdd(flag, 0) == 0)
        ;
    __threadfence();
}
// CHECK: kernel one_waits {{proved|unknown}}
CONTRACT __global__ void one_waits(PARAMETERS)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&flag[blockIdx.x], 1);
    if (blockIdx.x > 0) {
        if (threadIdx.x == q)
            wait_for(&flag[blockIdx.x - 1]);
        __syncthreads();
        y[blockIdx.x * B + threadIdx.x] = part[(blockIdx.x - 1) * B + threadIdx.x];
    }
}
// CHECK: kernel b_sometimes_none violated
CONTRACT __global__ void b_sometimes_none(PARAMETERS)
{
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(&flag[blockIdx.x], 1);
    if (blockIdx.x > 0) {
        if (threadIdx.x == q + 1)
            wait_for(&flag[blockIdx.x - 1]);
        __syncthreads();
        y[blockIdx.x * B + threadIdx.x] = part[(blockIdx.x - 1) * B + threadIdx.x];
    }
}

// ---- launches that are too large to be run as a whole in the first place ----

#define LARGE tc_block(1) tc_grid(m) tc_requires(m >= 40000 && m <= 60000) __global__ void
#define TWO_PARAMETERS tc_mut tc_shape(m) float *x, tc_atomic tc_shape(1) int *count, int m
// Additions without a fence order nothing: the few are enough.
// CHECK: kernel b_additions violated
LARGE b_additions(TWO_PARAMETERS)
{
    atomicAdd(count, 1);
    x[blockIdx.x == 0 ? m - 1 : blockIdx.x] = 1;
}
// A fence might: the whole of it is run.
// CHECK: kernel b_with_a_fence violated
LARGE b_with_a_fence(TWO_PARAMETERS)
{
    atomicAdd(count, 1);
    __threadfence();
    x[blockIdx.x == 0 ? m - 1 : blockIdx.x] = 1;
}

// ---- values: what a thread wrote itself is known until it comes to a barrier, or releases something ----

#define OWN tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 64) __global__ void
#define ONE tc_mut tc_shape(m) tc_tile(1) tc_at(blockIdx.x) int *y, int m
// CHECK: kernel another_one_writes {{proved|unknown}}
OWN another_one_writes(ONE)
{
    __shared__ int at[2];
    if (threadIdx.x == 0)
        at[0] = 1000;
    __syncthreads();
    if (threadIdx.x == LOOKER)
        at[0] = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        y[at[0]] = 1;
}
// CHECK: kernel b_nobody_writes violated
OWN b_nobody_writes(ONE)
{
    __shared__ int at[2];
    if (threadIdx.x == 0)
        at[0] = 1000;
    __syncthreads();
    if (threadIdx.x == LOOKER)
        at[1] = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        y[at[0]] = 1;
}
