// A guard that only signed overflow can make true: LLVM deletes it, and with it the sum.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(1)
__global__ void broken(tc_mut tc_shape(256) int *out, int n)
{
    const int t = threadIdx.x;
    // CHECK: overflow-guard.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2002]
    int i = n + t;
    if (i < n)
        return;
    out[t] = i;
}

tc_block(256) tc_grid(1)
tc_requires(n <= 1 << 30)
__global__ void repaired(tc_mut tc_shape(256) int *out, int n)
{
    const int t = threadIdx.x;
    int i = n + t;
    if (i < n)
        return;
    out[t] = i;
}
// CHECK: 2 kernels: 1 proved, 1 violated
