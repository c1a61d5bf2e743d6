// TC1006: a plain access to what all blocks share.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel broken violated
tc_block(64) tc_grid(tc_cdiv(n, 64))
tc_requires(n >= 1)
__global__ void broken(tc_atomic tc_shape(1) int *sum, tc_shared tc_shape(n) const int *x, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i == 0)
        // CHECK: tc1006-plain-access.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'sum'{{.*}}[TC1006]
        *sum = 0;
    if (i < n)
        atomicAdd(sum, x[i]);
}

// VERDICT: kernel repaired proved
tc_block(64) tc_grid(tc_cdiv(n, 64))
tc_requires(n >= 1)
__global__ void repaired(tc_atomic tc_shape(1) int *sum, tc_shared tc_shape(n) const int *x, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i]);
}
