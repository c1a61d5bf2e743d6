// Words that exclude each other, and conditions that no launch meets.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: contradiction.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}shared{{.*}}mut{{.*}}[TC9001]
__global__ void two_borrows(tc_shared tc_mut tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: contradiction.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}out{{.*}}atomic{{.*}}[TC9001]
__global__ void out_and_atomic(tc_out tc_atomic tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: contradiction.cu:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}launch{{.*}}[TC9001]
tc_block(64) tc_grid(1)
tc_requires(n > 5)
tc_requires(n < 3)
__global__ void no_launch(tc_mut tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: contradiction.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC9001]
tc_block(32, 64)
__global__ void too_many_threads(tc_mut tc_shape(n) float *out, int n)
{
    if (blockIdx.x == 0 && threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}
