// The same word twice says two things: which one is meant?
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: duplicates.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}shape{{.*}}[TC9001]
__global__ void two_shapes(tc_mut tc_shape(n) tc_shape(2 * n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: duplicates.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}block{{.*}}[TC9001]
tc_block(64) tc_block(128)
__global__ void two_blocks(tc_mut tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}
