// __builtin_assume instead of a guard guards nothing. What leans on it is not proved
// unless the report lists it; where it follows from a guard, nothing is assumed.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void broken(tc_mut tc_shape(n) tc_tile(256) float *y, float a, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    // CHECK: kernel broken {{violated|unknown|assumed}}
    // CHECK-NEXT: assumption [[@LINE+1]] {{.*}}
    __builtin_assume(i < n);
    y[i] += a;
}

// CHECK: kernel repaired proved
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(256) float *y, float a, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    __builtin_assume(i < n);
    y[i] += a;
}
