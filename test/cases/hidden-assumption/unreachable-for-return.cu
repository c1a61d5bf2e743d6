// Fault: the threads past the end are declared unreachable.
// RUN: %verdicts %s | FileCheck %s
// CHECK: kernel clamp {{violated|unknown|assumed|proved-if}}
// CHECK-NEXT: assumption 13

#include <tilecheck.h>

tc_block(192) tc_grid(tc_cdiv(n, 192)) tc_requires(n <= 1 << 30)
__global__ void clamp(tc_mut tc_shape(n) float *v, float bound, int n)
{
    const int i = blockIdx.x * 192 + threadIdx.x;
    if (i >= n)
        __builtin_unreachable();
    v[i] = fminf(v[i], bound);
}
