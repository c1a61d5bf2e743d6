// A constant array read past its end: LLVM folds the value to poison and the guard to
// assume(n <= 3), and nothing is left of the store.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(32) tc_grid(1)
__global__ void broken(tc_mut tc_shape(32) int *out, int n)
{
    const int step[4] = {1, 2, 4, 8};
    int which = 7;
    if (n > 3 && threadIdx.x == 0)
        // CHECK: constant-array-past-end.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
        out[step[which] + 100000000] = 1;
}

tc_block(32) tc_grid(1)
__global__ void repaired(tc_mut tc_shape(32) int *out, int n)
{
    const int step[4] = {1, 2, 4, 8};
    int which = 3;
    if (n > 3 && threadIdx.x == 0)
        out[step[which]] = 1;
}
// CHECK: 2 kernels: 1 proved, 1 violated
