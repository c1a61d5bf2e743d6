// The kernel reads blockIdx.y, and the tile map does not: it asks for it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64), rows)
tc_requires(rows <= 1 << 15 && n <= 1 << 15)
// CHECK: missing-grid-dimension.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}blockIdx.y{{.*}}[TC9001]
__global__ void fill(tc_mut tc_shape(rows, n) tc_tile(1, 64) tc_at(0, blockIdx.x) float *out, int rows, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[blockIdx.y * n + i] = 0.0f;
}
