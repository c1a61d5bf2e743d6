// A proof that leans on something that is not proved is none, also where the rule that would tell is switched off.
// RUN: %verdicts %s --rules=TC2 | FileCheck %s
// RUN: %verdicts %s --rules=TC2001 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y

// Contents that the kernel overwrites: TC1003 would tell.
// CHECK: kernel overwritten {{violated|unknown}}
K overwritten(Y, tc_shared tc_shape(64) tc_range(0, 32) int *x, int rare) { if (rare == 1000002) x[threadIdx.x] = 77; y[x[threadIdx.x]] = 1; }
// Contents behind the end: no fact speaks of them.
// CHECK: kernel behind_the_end {{violated|unknown}}
K behind_the_end(Y, tc_shared tc_shape(64) tc_range(0, 32) const int *x, int n) { if (n > 1000000) y[x[n]] = 1; }
// A value that is equal to itself only if nobody writes it in between.
// CHECK: kernel read_twice {{violated|unknown}}
K read_twice(Y, tc_mut tc_shape(64) int *x, int rare) { int i = x[0]; if (i < 0 || i > 31) return; if (rare == 1000002) x[0] = 99; y[x[0]] = 1; }
// CHECK: kernel read_in_each_turn {{violated|unknown}}
K read_in_each_turn(Y, int rare)
{
    __shared__ int at[1];
    at[0] = 0;
    for (int i = 0; i < 40; i++) {
        int k = at[0];
        if (i == 0 && (k < 0 || k > 31))
            return;
        y[k] = 1;
        __syncthreads();
        if (rare == 1000002)
            at[0] = k + 1;
        __syncthreads();
    }
}
// The initial value of a variable is not its value at a launch.
__device__ tc_shared tc_shape(4) int places[4] = {0, 1, 2, 3};
__constant__ int firm[4] = {0, 1, 2, 3};
__device__ const int truly[4] = {0, 1, 2, 3};
// CHECK: kernel set_by_the_host {{violated|unknown}}
K set_by_the_host(Y, int rare) { if (rare == 1000002) y[places[threadIdx.x & 3]] = 1; }
// CHECK: kernel constant_set_by_the_host {{violated|unknown}}
K constant_set_by_the_host(Y, int rare) { if (rare == 1000002) y[firm[threadIdx.x & 3]] = 1; }
// CHECK: kernel constant proved
K constant(Y) { y[truly[threadIdx.x & 3]] = 1; }
// An index that wraps where it is read: TC2002 would tell.
// CHECK: kernel wraps_on_the_way {{violated|unknown}}
K wraps_on_the_way(Y, int n) { if (n > 0 && n * 65536 >= 0 && n * 65536 < 32) y[n] = 1; }
// A fact about indices says nothing of what the index array may hold besides.
// CHECK: kernel unsigned_fact {{violated|unknown}}
K unsigned_fact(Y, tc_shared tc_shape(64) tc_range(-5, 32) const int *x, int rare) { if (rare == 1000002 && x[3] < 0) y[x[3] + 4] = 1; }
// CHECK: kernel unsigned_fact_less proved
K unsigned_fact_less(Y, tc_shared tc_shape(64) tc_range(-5, 32) const int *x, int rare) { if (rare == 1000002 && x[3] < 0) y[x[3] + 5] = 1; }
