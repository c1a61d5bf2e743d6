// Fault: rows are eight apart whatever the width, in the contract and the code.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_block(8, 16) tc_grid(tc_cdiv(w, 8))
tc_requires(h >= 1 && h <= 16384 && w <= 16384 && pitch >= w && pitch <= 65536)
// CHECK: constant-pitch.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1005]
__global__ void scale_strips(tc_mut tc_shape(h, w) tc_stride(8, 1) tc_tile(h, 8) tc_at(0, blockIdx.x) float *m,
                             float s, int h, int w, int pitch)
{
    const int c = blockIdx.x * 8 + threadIdx.x;
    if (c >= w)
        return;
    for (int r = threadIdx.y; r < h; r += 16)
        m[r * 8 + c] *= s;
}
