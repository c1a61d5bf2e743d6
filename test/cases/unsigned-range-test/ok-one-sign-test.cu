// The signs of both are tested in one, by an or.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel take_tap --set ih=5 --set iw=7 --set oh=9 --set ow=20 --set pad=2 --set tap=1
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

__device__ __forceinline__ bool within(int a, int n) { return static_cast<unsigned>(a) < static_cast<unsigned>(n); }

tc_block(16, 8) tc_grid(tc_cdiv(ow, 16), tc_cdiv(oh, 8))
tc_requires(ih >= 1 && iw >= 1 && ih <= 8192 && iw <= 8192 && oh <= 8192 && ow <= 8192)
tc_requires(pad >= 0 && pad <= 16 && tap >= 0 && tap <= 16)
__global__ void take_tap(tc_shared tc_shape(ih, iw) const float *image, tc_out tc_shape(oh, ow) tc_tile(8, 16) float *taps,
                         int ih, int iw, int oh, int ow, int pad, int tap)
{
    const int c = blockIdx.x * 16 + threadIdx.x;
    const int r = blockIdx.y * 8 + threadIdx.y;
    if (c >= ow || r >= oh)
        return;
    const int ic = c - pad + tap;
    const int ir = r - pad + tap;
    taps[r * ow + c] = (ir | ic) >= 0 && ir < ih && ic < iw ? image[ir * iw + ic] : 0.0f;
}
