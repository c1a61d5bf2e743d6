// __syncthreads_count counts no more threads than the block has.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define X tc_shared tc_shape(64) const int *x

// CHECK: kernel count proved
tc_block(64) tc_grid(1) __global__ void count(tc_mut tc_shape(65) int *y, X)
{
    int c = __syncthreads_count(x[threadIdx.x]);
    if (threadIdx.x == 0)
        y[c] = 1;
}

// CHECK: kernel b_all_of_them violated
tc_block(64) tc_grid(1) __global__ void b_all_of_them(tc_mut tc_shape(64) int *y, tc_range(1, 9) X)
{
    int c = __syncthreads_count(x[threadIdx.x]);
    if (threadIdx.x == 0)
        y[c] = 1;
}

// CHECK: kernel rows proved
tc_block(8, 8) tc_grid(1) __global__ void rows(tc_mut tc_shape(65) int *y, X)
{
    int c = __syncthreads_count(x[threadIdx.y * 8 + threadIdx.x]);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        y[c] = 1;
}

// CHECK: kernel any_block proved-if
tc_grid(1) __global__ void any_block(tc_mut tc_shape(1025) int *y, tc_shared tc_shape(1024) const int *x)
{
    int c = __syncthreads_count(x[threadIdx.x]);
    if (threadIdx.x == 0)
        y[c] = 1;
}

// CHECK: kernel b_any_block {{violated|unknown}}
tc_grid(1) __global__ void b_any_block(tc_mut tc_shape(1024) int *y, tc_shared tc_shape(1024) const int *x)
{
    int c = __syncthreads_count(x[threadIdx.x]);
    if (threadIdx.x == 0)
        y[c] = 1;
}
