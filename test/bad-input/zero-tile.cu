// A tile or a block of no elements.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: zero-tile.cu:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}tile{{.*}}[TC9001]
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void zero(tc_mut tc_shape(n) tc_tile(0) float *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 0.0f;
}

// CHECK: zero-tile.cu:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}tile{{.*}}[TC9001]
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void negative(tc_mut tc_shape(n) tc_tile(-64) float *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 0.0f;
}

// CHECK: zero-tile.cu:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}tile{{.*}}[TC9001]
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void may_be_zero(tc_mut tc_shape(n) tc_tile(width) float *out, int n, int width)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = 0.0f;
}

// CHECK: zero-tile.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
tc_block(0)
__global__ void no_threads(tc_mut tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}
