// Strides give each element an address of its own, also where elements are only read.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel narrow violated
tc_block(32) tc_grid(1) tc_requires(m >= 2 && m <= 100 && ld >= 16 && ld <= 100)
__global__ void narrow(tc_mut tc_shape(32) float *y, tc_shared tc_shape(m, 32) tc_stride(ld, 1) const float *x, int m, int ld)
{
    y[threadIdx.x] = x[(m - 1) * ld + threadIdx.x];
}

// CHECK: kernel wide proved
tc_block(32) tc_grid(1) tc_requires(m >= 2 && m <= 100 && ld >= 32 && ld <= 100)
__global__ void wide(tc_mut tc_shape(32) float *y, tc_shared tc_shape(m, 32) tc_stride(ld, 1) const float *x, int m, int ld)
{
    y[threadIdx.x] = x[(m - 1) * ld + threadIdx.x];
}

// CHECK: kernel one_row proved
tc_block(32) tc_grid(1) tc_requires(ld >= 0 && ld <= 100)
__global__ void one_row(tc_mut tc_shape(32) float *y, tc_shared tc_shape(1, 32) tc_stride(ld, 1) const float *x, int ld)
{
    y[threadIdx.x] = x[threadIdx.x];
}
