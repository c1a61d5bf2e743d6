// A fault is told once, of the access that has it: another access on the same line keeps its own verdict.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
#include <tilecheck.h>

tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n <= 1 << 28)
__global__ void gather(int n, tc_shared tc_shape(n) tc_range(0, n) const int *index, tc_shared tc_shape(n) const float *x,
                       tc_mut tc_shape(n) tc_tile(128) float *y)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: {{.*}} of 'index', which has 4{{.*}}[TC2001]
        y[i] = x[index[i + 1]];
}

// Both accesses of one object.
tc_block(128) tc_grid(tc_cdiv(n, 128)) tc_requires(n <= 1 << 28)
__global__ void difference(int n, tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(128) float *y)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        // CHECK: [[@LINE+1]]:{{[0-9]+}}: error: {{.*}}read of 4 bytes at byte 4 of 'x', which has 4{{.*}}[TC2001]
        y[i] = x[i + 1] - x[i];
}
