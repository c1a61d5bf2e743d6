// Fault: columns are two apart, and the pitch covers only w elements.
// RUN: %verdicts %s | FileCheck %s
// CHECK: kernel scale_strips {{violated|unknown|proved-if|assumed}}

#include <tilecheck.h>

tc_block(8, 16) tc_grid(tc_cdiv(w, 8))
tc_requires(h >= 1 && h <= 16384 && w <= 16384 && pitch >= w && pitch <= 65536)
__global__ void scale_strips(tc_mut tc_shape(h, w) tc_stride(pitch, 2) tc_tile(h, 8) tc_at(0, blockIdx.x) float *m,
                             float s, int h, int w, int pitch)
{
    const int c = blockIdx.x * 8 + threadIdx.x;
    if (c >= w)
        return;
    for (int r = threadIdx.y; r < h; r += 16)
        m[r * pitch + 2 * c] *= s;
}
