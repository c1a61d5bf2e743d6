// Cooperative groups and asynchronous copies.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

__global__ void groups(float *p, const float *q)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    auto grid = cg::this_grid();
    __shared__ float4 s[128];
    __pipeline_memcpy_async(s + block.thread_rank(), q + 4 * block.thread_rank(), 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    block.sync();
    float v = s[block.thread_rank()].x + q[grid.thread_rank()];
    for (int i = tile.size() / 2; i > 0; i /= 2)
        v += tile.shfl_down(v, i);
    v = cg::reduce(tile, v, cg::plus<float>());
    if (tile.thread_rank() == 0 && tile.any(v > 0.0f))
        p[block.group_index().x + tile.meta_group_rank()] = v;
    grid.sync();
    cg::synchronize(block);
}
