// Scales strips of eight columns of a matrix with a pitch.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel scale_strips --set h=20 --set w=19 --set pitch=24
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(8, 16) tc_grid(tc_cdiv(w, 8))
tc_requires(h >= 1 && h <= 16384 && w <= 16384 && pitch >= w && pitch <= 65536)
__global__ void scale_strips(tc_mut tc_shape(h, w) tc_stride(pitch, 1) tc_tile(h, 8) tc_at(0, blockIdx.x) float *m,
                             float s, int h, int w, int pitch)
{
    const int c = blockIdx.x * 8 + threadIdx.x;
    if (c >= w)
        return;
    for (int r = threadIdx.y; r < h; r += 16)
        m[r * pitch + c] *= s;
}
