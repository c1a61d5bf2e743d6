// Shuffles: all lanes of the mask come, and each takes its value from one of them that is there. b_: near misses.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <tilecheck.h>
#define ALL 0xffffffffu

// CHECK: kernel whole proved
tc_block(64) tc_grid(1) __global__ void whole(tc_mut tc_shape(64) float *y)
{
    float v = y[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(ALL, v, d);
    y[threadIdx.x] = v;
}

// CHECK: kernel b_last_warp unknown
tc_block(40) tc_grid(1) __global__ void b_last_warp(tc_mut tc_shape(40) float *y)
{
    float v = y[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(ALL, v, d);
    y[threadIdx.x] = v;
}

// CHECK: kernel from_first proved
tc_block(40) tc_grid(1) __global__ void from_first(tc_mut tc_shape(40) float *y)
{
    y[threadIdx.x] = __shfl_sync(ALL, y[threadIdx.x], 0);
}

// CHECK: kernel b_from_ninth unknown
tc_block(40) tc_grid(1) __global__ void b_from_ninth(tc_mut tc_shape(40) float *y)
{
    y[threadIdx.x] = __shfl_sync(ALL, y[threadIdx.x], 8);
}

// CHECK: kernel any_block proved-if
tc_grid(1) __global__ void any_block(tc_mut tc_shape(blockDim.x) float *y)
{
    y[threadIdx.x] += __shfl_xor_sync(ALL, y[threadIdx.x], 1);
}

// CHECK: kernel b_some {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_some(tc_mut tc_shape(32) float *y)
{
    if (threadIdx.x < 31)
        y[threadIdx.x] += __shfl_xor_sync(ALL, y[threadIdx.x], 1);
}

// CHECK: kernel low_half proved
tc_block(32) tc_grid(1) __global__ void low_half(tc_mut tc_shape(32) float *y)
{
    if (threadIdx.x < 16)
        y[threadIdx.x] += __shfl_xor_sync(0xffffu, y[threadIdx.x], 1);
}

// CHECK: kernel b_other_half unknown
tc_block(32) tc_grid(1) __global__ void b_other_half(tc_mut tc_shape(32) float *y)
{
    if (threadIdx.x < 16)
        y[threadIdx.x] += __shfl_xor_sync(0xffffu, y[threadIdx.x], 16);
}

// CHECK: kernel b_more_than_come {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_more_than_come(tc_mut tc_shape(32) float *y)
{
    if (threadIdx.x < 15)
        y[threadIdx.x] += __shfl_xor_sync(0xffffu, y[threadIdx.x], 1);
}

// CHECK: kernel segments proved
tc_block(32) tc_grid(1) __global__ void segments(tc_mut tc_shape(32) float *y)
{
    if (threadIdx.x < 16)
        y[threadIdx.x] += __shfl_down_sync(0xffffu, y[threadIdx.x], 4, 16);
}

// CHECK: kernel b_segments unknown
tc_block(32) tc_grid(1) __global__ void b_segments(tc_mut tc_shape(32) float *y)
{
    if (threadIdx.x < 16)
        y[threadIdx.x] += __shfl_down_sync(0xffffu, y[threadIdx.x], 4);
}

// Lanes leave the loop at different times.
// CHECK: kernel b_in_loop {{unknown|violated}}
tc_block(32) tc_grid(1) tc_requires(n >= 0 && n <= 1000) __global__ void b_in_loop(tc_mut tc_shape(32) float *y, int n)
{
    float v = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        v += __shfl_xor_sync(ALL, v, 1);
    y[threadIdx.x] = v;
}
