// __cluster_dims__: a grid of other extents than multiples of the cluster's is not launched at all, so that nothing is said of it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: error: no launch meets this contract: __cluster_dims__: gridDim.x % 2 == 0 never holds [TC9001]
tc_block(32) tc_grid(3)
__cluster_dims__(2) __global__ void three(tc_mut tc_shape(96) int *y)
{
    y[blockIdx.x * 32 + threadIdx.x] = 1;
}

// CHECK-NOT: error:
tc_block(32) tc_grid(4, 3)
__cluster_dims__(2, 1, 1) __global__ void four(tc_mut tc_shape(384) int *y)
{
    y[(blockIdx.y * 4 + blockIdx.x) * 32 + threadIdx.x] = 1;
}
