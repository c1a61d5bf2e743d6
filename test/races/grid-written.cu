// What other blocks write of a tc_out before a barrier of the grid is written when it is read behind that.
// RUN: %verdicts %s --rules=TC1007 | FileCheck %s
#include <cooperative_groups.h>
#include <tilecheck.h>
namespace cg = cooperative_groups;
#define K tc_block(64) tc_grid(nb) tc_requires(nb >= 1 && nb <= 1024) __global__ void
#define P tc_out tc_shape(nb) float *partial, tc_mut tc_shape(1) float *out, unsigned nb

__device__ float sum_of(const float *p, unsigned n)
{
    float s = 0;
    for (unsigned b = 0; b < n; b++)
        s += p[b];
    return s;
}

// CHECK: kernel each_block proved
K each_block(P)
{
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum_of(partial, nb);
}

// CHECK: kernel in_each_step proved
K in_each_step(P, int steps)
{
    for (int i = 0; i < steps; i++) {
        if (threadIdx.x == 0)
            partial[blockIdx.x] = i;
        cg::this_grid().sync();
        if (blockIdx.x == 0 && threadIdx.x == 0)
            *out += partial[nb - 1];
        cg::this_grid().sync();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 0;
}

// CHECK: kernel by_the_first proved
K by_the_first(P)
{
    if (blockIdx.x == 0)
        for (unsigned b = threadIdx.x; b < nb; b += 64)
            partial[b] = 1;
    cg::this_grid().sync();
    if (threadIdx.x == 0 && partial[blockIdx.x] > 2)
        *out = 1;
}

// CHECK: kernel b_barrier_of_the_block {{violated|unknown}}
K b_barrier_of_the_block(P)
{
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum_of(partial, nb);
    cg::this_grid().sync();
}

// CHECK: kernel b_all_but_the_last {{violated|unknown}}
K b_all_but_the_last(P)
{
    if (threadIdx.x == 0 && blockIdx.x + 1 < nb)
        partial[blockIdx.x] = 1;
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum_of(partial, nb);
    cg::this_grid().sync();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
}

// CHECK: kernel b_sometimes {{violated|unknown}}
K b_sometimes(P, int n)
{
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
    if (n > 3)
        cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum_of(partial, nb);
}

// CHECK: kernel b_too_late {{violated|unknown}}
K b_too_late(P)
{
    cg::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = sum_of(partial, nb);
    cg::this_grid().sync();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
}

// What a block knows is not what another one knows.
// CHECK: kernel b_own_flag {{violated|unknown}}
K b_own_flag(P, tc_mut tc_shape(nb) tc_tile(1) int *flag)
{
    __shared__ int mine;
    if (threadIdx.x == 0)
        mine = flag[blockIdx.x]++;
    __syncthreads();
    int go = mine;
    if (go > 0 && threadIdx.x == 0)
        partial[blockIdx.x] = 1;
    cg::this_grid().sync();
    if (go > 0 && threadIdx.x == 0)
        *out = sum_of(partial, nb);
    cg::this_grid().sync();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
}

// CHECK: kernel by_own_flag proved
K by_own_flag(P, tc_mut tc_shape(nb) tc_tile(1) int *flag)
{
    __shared__ int mine;
    if (threadIdx.x == 0)
        mine = flag[blockIdx.x]++;
    __syncthreads();
    int go = mine;
    if (threadIdx.x == 0)
        partial[blockIdx.x] = 1;
    cg::this_grid().sync();
    if (go > 0 && threadIdx.x == 0)
        *out = sum_of(partial, nb);
}
