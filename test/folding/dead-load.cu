// A load out of bounds of which nobody uses the value: LLVM deletes it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void broken(tc_shared tc_shape(n) const float *p, tc_mut tc_shape(n) tc_tile(64) float *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (n == 1234) {
        // CHECK: dead-load.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
        float unused = p[1000000000];
    }
    if (i < n)
        out[i] = 0.0f;
}

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void repaired(tc_shared tc_shape(n) const float *p, tc_mut tc_shape(n) tc_tile(64) float *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (n == 1234) {
        float unused = p[1233];
    }
    if (i < n)
        out[i] = 0.0f;
}
// CHECK: 2 kernels: 1 proved, 1 violated
