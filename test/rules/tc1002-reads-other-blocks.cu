// TC1002: a block reads what another block writes.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel broken violated
tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(n >= 1)
__global__ void broken(tc_mut tc_shape(n) tc_tile(128) float *y, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i + 1 < n)
        // CHECK: tc1002-reads-other-blocks.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1002]
        y[i] = y[i + 1];
}

// VERDICT: kernel repaired proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(n >= 1)
__global__ void repaired(tc_mut tc_shape(n) tc_tile(128) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n - 1)
        y[i] = x[i + 1];
}

// Near miss: the neighbour is read only inside the block's own tile.
// VERDICT: kernel inside_the_tile proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(n >= 1)
__global__ void inside_the_tile(tc_mut tc_shape(n) tc_tile(128) float *y, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n - 1 && threadIdx.x == 0)
        y[i] = y[i + 1];
}
