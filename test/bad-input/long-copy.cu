// A copy of as many bytes as a size may say: a run of it ends with its steps, not with the copy.
// RUN: timeout 60 %verdicts %s | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel copy violated
tc_block(1) tc_grid(1) __global__ void copy(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    memcpy(y, x, 4 * n);
}

// CHECK: kernel copy_wide proved
tc_block(1) tc_grid(1) __global__ void copy_wide(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const float *x, size_t n)
{
    memcpy(y, x, 4 * n);
}

// CHECK: kernel fill proved
tc_block(1) tc_grid(1) __global__ void fill(tc_out tc_shape(n) float *y, int n)
{
    if (n > 0)
        memset(y, 0, n * sizeof(float));
}
