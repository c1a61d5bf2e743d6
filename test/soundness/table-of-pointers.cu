// Pointers and sizes in a struct that is passed by value, indexed by the block: each pointer goes with its own size.
// RUN: %exits 2 %tilecheck %s
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

#define N 24

struct table {
    float *to[N];
    const float *from[N];
    int size[N];
};

#define KERNEL                                                                                                         \
    tc_block(64) tc_grid(count) tc_param(t.to[i], mut, shape(t.size[i])) tc_param(t.from[i], shared, shape(t.size[i])) \
        __global__ void

// CHECK: kernel own_size proved
tc_requires(count <= N) KERNEL own_size(table t, int count)
{
    const size_t n = t.size[blockIdx.x];
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        t.to[blockIdx.x][i] = t.from[blockIdx.x][i];
}

// CHECK: kernel size_of_the_next violated
tc_requires(count < N) KERNEL size_of_the_next(table t, int count)
{
    const size_t n = t.size[blockIdx.x + 1];
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        t.to[blockIdx.x][i] = 1;
}

// The pointer behind the table is the first of those that are only read.
// CHECK: kernel behind_the_table {{violated|unknown}}
tc_requires(count <= N) KERNEL behind_the_table(table t, int count)
{
    if (threadIdx.x < t.size[0] && count == N)
        t.to[blockIdx.x + 1][threadIdx.x] = 1;
}

// CHECK: kernel two_blocks_one_tensor violated
tc_requires(count <= N) KERNEL two_blocks_one_tensor(table t, int count)
{
    const int k = blockIdx.x % 8;
    if (threadIdx.x < t.size[k])
        t.to[k][threadIdx.x] = 1;
}
