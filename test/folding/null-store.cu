// A store through null, as a home-made assert. LLVM keeps assume(i < n), which then
// "proves" the access behind it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void broken(tc_mut tc_shape(n) tc_tile(256) int *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    int *nowhere = nullptr;
    if (i >= n)
        // CHECK: null-store.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
        *nowhere = 1;
    out[i] = 1;
}

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(256) int *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    out[i] = 1;
}
// CHECK: 2 kernels: 1 proved, 1 violated
