// TC2005: an index that was never written on one path.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel broken violated
tc_block(32) tc_grid(1)
__global__ void broken(tc_mut tc_shape(32) int *y, int mode)
{
    int slot;
    if (mode == 0)
        slot = threadIdx.x;
    // CHECK: tc2005-uninitialised.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2005]
    y[slot] = 1;
}

// VERDICT: kernel repaired proved
tc_block(32) tc_grid(1)
__global__ void repaired(tc_mut tc_shape(32) int *y, int mode)
{
    int slot = 31 - threadIdx.x;
    if (mode == 0)
        slot = threadIdx.x;
    y[slot] = 1;
}

// Near miss: it has no value exactly where it is not used.
// VERDICT: kernel not_used_there proved
tc_block(32) tc_grid(1)
__global__ void not_used_there(tc_mut tc_shape(32) int *y, int mode)
{
    int slot;
    if (mode == 0)
        slot = threadIdx.x;
    if (mode == 0)
        y[slot] = 1;
}
