// A divisor that is zero on one path: LLVM drops that path and proves the other.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void broken(tc_mut tc_shape(n) tc_tile(128) float *out, int n, int paged)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    int page = 0;
    if (paged)
        page = 16;
    if (i < n)
        // CHECK: division-on-one-path.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2004]
        out[i / page * 16 + i % page] = 1.0f;
}

tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(128) float *out, int n, int paged)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    int page = 0;
    if (paged)
        page = 16;
    if (i < n && paged)
        out[i / page * 16 + i % page] = 1.0f;
}
// CHECK: 2 kernels: 1 proved, 1 violated
