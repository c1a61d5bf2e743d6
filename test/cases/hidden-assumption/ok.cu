// Cuts values off at a bound, in place, one a thread.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel clamp --set n=200
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(192) tc_grid(tc_cdiv(n, 192)) tc_requires(n <= 1 << 30)
__global__ void clamp(tc_mut tc_shape(n) float *v, float bound, int n)
{
    const int i = blockIdx.x * 192 + threadIdx.x;
    if (i >= n)
        return;
    v[i] = fminf(v[i], bound);
}
