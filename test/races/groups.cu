// Barriers of cooperative groups: of the block, and of tiles that are warps.
// RUN: %verdicts %s --rules=TC3 --standin | FileCheck %s
#include <cooperative_groups.h>
#include <tilecheck.h>
namespace cg = cooperative_groups;

// CHECK: kernel whole_block proved
tc_block(64) tc_grid(1) __global__ void whole_block(tc_mut tc_shape(64) float *y)
{
    __shared__ float s[64];
    cg::thread_block block = cg::this_thread_block();
    s[block.thread_rank()] = y[threadIdx.x];
    block.sync();
    y[threadIdx.x] = s[63 - block.thread_rank()];
}

// CHECK: kernel tile proved
tc_block(64) tc_grid(1) __global__ void tile(tc_mut tc_shape(64) float *y)
{
    __shared__ float s[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = y[threadIdx.x];
    warp.sync();
    y[threadIdx.x] = s[threadIdx.x ^ 31];
}

// CHECK: kernel sum proved
tc_block(64) tc_grid(1) __global__ void sum(tc_mut tc_shape(64) float *y)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float v = y[threadIdx.x];
    for (int i = 16; i > 0; i /= 2)
        v += warp.shfl_down(v, i);
    y[threadIdx.x] = v;
}

// CHECK: kernel b_tile violated
tc_block(64) tc_grid(1) __global__ void b_tile(tc_mut tc_shape(64) float *y)
{
    __shared__ float s[64];
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = y[threadIdx.x];
    warp.sync();
    y[threadIdx.x] = s[63 - threadIdx.x];
}

// CHECK: kernel b_in_branch {{unknown|violated}}
tc_block(64) tc_grid(1) __global__ void b_in_branch(tc_mut tc_shape(64) float *y)
{
    __shared__ float s[64];
    s[threadIdx.x] = y[threadIdx.x];
    if (threadIdx.x < 48)
        cg::this_thread_block().sync();
    y[threadIdx.x] = s[63 - threadIdx.x];
}

// CHECK: kernel b_grid violated
tc_block(64) tc_grid(1) __global__ void b_grid(tc_mut tc_shape(64) float *y)
{
    __shared__ float s[64];
    s[threadIdx.x] = y[threadIdx.x];
    if (threadIdx.x < 48)
        cg::this_grid().sync();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
