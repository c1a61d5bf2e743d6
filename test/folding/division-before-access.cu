// A division by zero in the index of a store far out of bounds. LLVM calls the branch
// unreachable, deletes the store and keeps assume(n <= 5).
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(32) tc_grid(1)
__global__ void broken(tc_mut tc_shape(32) int *out, int n)
{
    int zero = 0;
    if (n > 5)
        // CHECK: division-before-access.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2004]
        out[1000000 + n / zero] = 1;
}

tc_block(32) tc_grid(1)
__global__ void repaired(tc_mut tc_shape(32) int *out, int n)
{
    int two = 2;
    if (n > 5 && n < 64)
        if (threadIdx.x == 0)
            out[n / two] = 1;
}
// CHECK: 2 kernels: 1 proved, 1 violated
