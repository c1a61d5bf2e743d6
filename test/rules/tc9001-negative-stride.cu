// Strides are 0 or more: what is walked backwards is passed from its first byte on. b_: refused.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

// TEXT: tc9001-negative-stride.cu:[[@LINE+3]]:{{[0-9]+}}: error: tc_stride: a stride is never negative [TC9001]
// CHECK: kernel b_backwards unknown
tc_block(64) tc_grid(1)
__global__ void b_backwards(tc_mut tc_shape(64) tc_stride(-1) float *y)
{
    y[-(int)threadIdx.x] = 0;
}

// CHECK: kernel b_rows_backwards unknown
tc_block(64) tc_grid(1) tc_requires(ld <= -64)
__global__ void b_rows_backwards(tc_mut tc_shape(8, 64) tc_stride(ld, 1) float *y, int ld)
{
    y[ld * 7 + (int)threadIdx.x] = 0;
}

// CHECK: kernel backwards proved
tc_block(64) tc_grid(1)
__global__ void backwards(tc_mut tc_shape(64) float *y)
{
    float *end = y + 63;
    end[-(int)threadIdx.x] = 0;
}

// Nothing else says that the stride is not negative.
// CHECK: kernel rows proved
tc_block(64) tc_grid(h) tc_requires(h >= 1 && h <= 1000 && (ld < 0 || ld >= 64) && ld <= 1000)
__global__ void rows(tc_mut tc_shape(h, 64) tc_stride(ld, 1) tc_tile(1, 64) tc_at(blockIdx.x, 0) float *y, int h, int ld)
{
    y[(int)blockIdx.x * ld + (int)threadIdx.x] = 0;
}
