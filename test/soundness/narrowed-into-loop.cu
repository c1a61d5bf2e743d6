// UNSOUND, for TC2002 only: a value that narrowing changes, carried into a loop by a variable without a closed form, is not
// asked about (docs/model.md, Limits).
// XFAIL: *
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel narrowed {{violated|unknown}}
tc_block(4) tc_grid(1) tc_requires(n >= 4)
__global__ void narrowed(tc_mut tc_shape(n) float *z, int n, int a, int rare)
{
    if (rare != 1000002)
        return;
    short l = a;
    while (l >= 1) {
        l /= 2;
        z[threadIdx.x] = 1;
    }
}
