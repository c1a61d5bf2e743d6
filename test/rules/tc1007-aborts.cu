// Of a launch that is given up nothing is promised: who would have written may trap instead. b_: near misses.
// RUN: %verdicts %s --rules=TC1007 | FileCheck %s
#include <assert.h>
#include <tilecheck.h>
#define B 64
#define Y tc_out tc_shape(B) float *y
#define X tc_shared tc_shape(B) const int *x
#define K tc_block(B) tc_grid(1) __global__ void

// CHECK: kernel asserted proved
K asserted(Y, X)
{
    assert(x[threadIdx.x] >= 0);
    y[threadIdx.x] = 1;
}

// CHECK: kernel b_others {{violated|unknown}}
K b_others(Y, X)
{
    assert(x[threadIdx.x] >= 0);
    if (x[threadIdx.x] > 0)
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_returns {{violated|unknown}}
K b_returns(Y, X)
{
    if (x[threadIdx.x] < 0)
        return;
    y[threadIdx.x] = 1;
}

// CHECK: kernel b_other_thread {{violated|unknown}}
K b_other_thread(Y, X)
{
    if (threadIdx.x > 0)
        assert(x[threadIdx.x] >= 0);
    if (x[threadIdx.x] >= 0)
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_leaves_loop {{violated|unknown}}
tc_block(B) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_leaves_loop(tc_out tc_shape(n) float *y, tc_shared tc_shape(n) const int *x, int n)
{
    for (int i = threadIdx.x; i < n; i += B) {
        assert(x[i] >= 0);
        if (x[i] == 0)
            break;
        y[i] = 1;
    }
}
