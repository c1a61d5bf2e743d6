// One lane of the warp is elected (elect.sync): which one is not known, but it is one. b_: near misses.
// RUN: %verdicts %s --rules=TC1,TC2,TC3 | FileCheck %s
#include <tilecheck.h>
#define ALL 0xffffffffu

__device__ bool elected(unsigned mask)
{
    unsigned yes;
    asm volatile("{ .reg .pred p; elect.sync _|p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(yes) : "r"(mask) : "memory");
    return yes != 0;
}
__device__ unsigned leader(unsigned mask)
{
    unsigned lane;
    asm volatile("{ .reg .pred p; elect.sync %0|p, %1; }" : "=r"(lane) : "r"(mask) : "memory");
    return lane;
}

// CHECK: kernel one_a_warp proved
tc_block(64) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void one_a_warp(tc_mut tc_shape(n, 2) float *y, int n)
{
    if (elected(ALL))
        y[blockIdx.x * 2 + threadIdx.x / 32] = 1.0f;
}

// CHECK: kernel through_shared proved
tc_block(64) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void through_shared(tc_mut tc_shape(n, 64) float *y, int n)
{
    __shared__ float s[2];
    if (elected(ALL))
        s[threadIdx.x / 32] = 1.0f;
    __syncthreads();
    y[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x % 2];
}

// CHECK: kernel by_number proved
tc_block(32) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void by_number(tc_mut tc_shape(n) float *y, int n)
{
    if (threadIdx.x == leader(ALL))
        y[blockIdx.x] = 1.0f;
}

// It orders nothing.
// CHECK: kernel b_no_barrier violated
tc_block(32) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void b_no_barrier(tc_mut tc_shape(n, 32) float *y, int n)
{
    __shared__ float s;
    s = 0.0f;
    __syncthreads();
    if (elected(ALL))
        s = 1.0f;
    y[blockIdx.x * 32 + threadIdx.x] = s;
}

// Of two warps there are two.
// CHECK: kernel b_two_warps violated
tc_block(64) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void b_two_warps(tc_mut tc_shape(n) float *y, int n)
{
    if (elected(ALL))
        y[blockIdx.x] = 1.0f;
}

// It need not be the first one.
// CHECK: kernel b_the_first unknown
tc_block(32) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void b_the_first(tc_mut tc_shape(n, 32) float *y, int n)
{
    __shared__ float s[1];
    if (threadIdx.x == 0)
        s[0] = 1.0f;
    __syncthreads();
    if (elected(ALL))
        s[0] = 1.0f;
    if (threadIdx.x == 0)
        s[0] = 2.0f;
    __syncthreads();
    y[blockIdx.x * 32 + threadIdx.x] = s[0];
}

// Of two warps it need not be the same lane.
// CHECK: kernel b_same_lane unknown
tc_block(64) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void b_same_lane(tc_mut tc_shape(n, 32) float *y, int n)
{
    if (elected(ALL))
        y[blockIdx.x * 32 + (threadIdx.x + threadIdx.x / 32) % 32] = 1.0f;
}

// Two groups of lanes have two leaders.
// CHECK: kernel b_two_masks violated
tc_block(32) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void b_two_masks(tc_mut tc_shape(n) float *y, int n)
{
    bool low = threadIdx.x < 16;
    if (elected(low ? 0xffffu : 0xffff0000u))
        y[blockIdx.x] = 1.0f;
}

// CHECK: kernel lanes_that_are_not_there proved
tc_block(40) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20) __global__ void lanes_that_are_not_there(tc_mut tc_shape(n, 2) float *y, int n)
{
    if (elected(ALL))
        y[blockIdx.x * 2 + threadIdx.x / 32] = 1.0f;
}
