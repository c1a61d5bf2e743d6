// A shift by the width of its type is poison: LLVM deletes the branch that makes it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(64) tc_grid(1)
__global__ void broken(tc_mut tc_shape(64) int *out, int n)
{
    const int t = threadIdx.x;
    int by = 32;
    if (n > 5)
        // CHECK: shift-past-width.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2004]
        out[(1 << by) + t] = 1;
}

tc_block(64) tc_grid(1)
__global__ void repaired(tc_mut tc_shape(64) int *out, int n)
{
    const int t = threadIdx.x;
    int by = 5;
    if (n > 5 && t < 32)
        out[(1 << by) + t] = 1;
}
// CHECK: 2 kernels: 1 proved, 1 violated
