// TC2004: divisions by zero, shifts out of range.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel broken violated
tc_block(64) tc_grid(1)
__global__ void broken(tc_mut tc_shape(64) int *y, int n, int groups)
{
    // CHECK: tc2004-division.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2004]
    y[threadIdx.x] = n / groups;
}

// VERDICT: kernel repaired proved
tc_block(64) tc_grid(1)
tc_requires(groups >= 1)
__global__ void repaired(tc_mut tc_shape(64) int *y, int n, int groups)
{
    y[threadIdx.x] = n / groups;
}

// Near miss: a guard in place of a requirement.
// VERDICT: kernel guarded proved
tc_block(64) tc_grid(1)
__global__ void guarded(tc_mut tc_shape(64) int *y, int n, int groups)
{
    y[threadIdx.x] = groups > 0 ? n / groups : 0;
}

// VERDICT: kernel shift violated
tc_block(64) tc_grid(1)
__global__ void shift(tc_mut tc_shape(64) int *y, int bits)
{
    // CHECK: tc2004-division.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2004]
    y[threadIdx.x] = 1 << bits;
}
