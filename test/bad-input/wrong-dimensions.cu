// Tile, tile map, strides and shape must have as many dimensions as each other.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: wrong-dimensions.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tile{{.*}}[TC9001]
__global__ void tile(tc_mut tc_shape(n, n) tc_tile(16) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: wrong-dimensions.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}at{{.*}}[TC9001]
__global__ void at(tc_mut tc_shape(n, n) tc_tile(16, 16) tc_at(blockIdx.x) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: wrong-dimensions.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}stride{{.*}}[TC9001]
__global__ void stride(tc_mut tc_shape(n) tc_stride(n, 1) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: wrong-dimensions.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}shape{{.*}}[TC9001]
__global__ void tile_of_nothing(tc_mut tc_tile(16) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: wrong-dimensions.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
__global__ void owner(tc_mut tc_shape(n, n) tc_tile(16, 16) tc_owner(i; i % gridDim.x) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}
