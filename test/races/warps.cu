// Barriers of warps order the threads of one warp, where all of them reach each one.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <tilecheck.h>
#define B 64
#define ALL 0xffffffffu

// CHECK: kernel own_warp proved
tc_block(B) tc_grid(1)
__global__ void own_warp(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[warp * 32 + lane] = y[threadIdx.x];
    __syncwarp();
    y[threadIdx.x] = s[warp * 32 + (31 - lane)];
}

// CHECK: kernel b_other_warp violated
tc_block(B) tc_grid(1)
__global__ void b_other_warp(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = y[threadIdx.x];
    __syncwarp();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// A shuffle or a vote orders no memory.
// CHECK: kernel b_shuffle violated
tc_block(B) tc_grid(1)
__global__ void b_shuffle(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    s[threadIdx.x] = y[threadIdx.x];
    float v = __shfl_xor_sync(ALL, y[threadIdx.x], 1);
    y[threadIdx.x] = s[warp * 32 + (31 - lane)] + v;
}

// CHECK: kernel b_lock_step violated
tc_block(B) tc_grid(1)
__global__ void b_lock_step(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = y[threadIdx.x];
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}

// CHECK: kernel half_mask {{unknown|violated}}
tc_block(32) tc_grid(1)
__global__ void half_mask(tc_mut tc_shape(32) float *y)
{
    __shared__ float s[32];
    s[threadIdx.x] = y[threadIdx.x];
    if (threadIdx.x < 16)
        __syncwarp(0xffffu);
    y[threadIdx.x] = s[31 - threadIdx.x];
}

// Each warp has rows of its own, and as many iterations as it has rows.
// CHECK: kernel warp_rows proved
tc_block(B) tc_grid(1) tc_requires(rows >= 0 && rows <= 100)
__global__ void warp_rows(tc_mut tc_shape(rows, 32) float *y, int rows)
{
    __shared__ float s[B / 32][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int r = warp; r < rows; r += B / 32) {
        s[warp][lane] = y[r * 32 + lane];
        __syncwarp();
        y[r * 32 + lane] = s[warp][31 - lane];
        __syncwarp();
    }
}

// CHECK: kernel b_warp_rows violated
tc_block(B) tc_grid(1) tc_requires(rows >= 0 && rows <= 100)
__global__ void b_warp_rows(tc_mut tc_shape(rows, 32) float *y, int rows)
{
    __shared__ float s[B / 32][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int r = warp; r < rows; r += B / 32) {
        s[warp][lane] = y[r * 32 + lane];
        __syncwarp();
        y[r * 32 + lane] = s[warp][31 - lane];
    }
}

// Lanes that have left the loop do not come to the barrier.
// CHECK: kernel b_some_lanes {{unknown|violated}}
tc_block(32) tc_grid(1) tc_requires(n >= 0 && n <= 100)
__global__ void b_some_lanes(tc_mut tc_shape(32) float *y, int n)
{
    __shared__ float s[32];
    for (int i = threadIdx.x; i < n; i += 32) {
        s[threadIdx.x] = i;
        __syncwarp();
        y[threadIdx.x] = s[31 - threadIdx.x];
        __syncwarp();
    }
}

// Who comes to the barrier has to be named himself.
// CHECK: kernel b_outsider {{unknown|violated}}
tc_block(B) tc_grid(1)
__global__ void b_outsider(tc_mut tc_shape(B) float *y)
{
    __syncwarp(0xffff);
    y[threadIdx.x] = 1;
}
