// Fault: the bound is in a default that is declared unreachable.
// RUN: %verdicts %s | FileCheck %s
// CHECK: kernel clamp {{violated|unknown|assumed|proved-if}}
// CHECK-NEXT: assumption 14

#include <tilecheck.h>

tc_block(192) tc_grid(tc_cdiv(n, 192)) tc_requires(n <= 1 << 30)
__global__ void clamp(tc_mut tc_shape(n) float *v, float bound, int n)
{
    const int i = blockIdx.x * 192 + threadIdx.x;
    switch (i / n) {
    case 0: break;
    default: __builtin_unreachable();
    }
    v[i] = fminf(v[i], bound);
}
