// Fault: the step over the tiles is one too small.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

#define TH 8
#define TW 32

tc_block(TW, TH)
tc_requires(gridDim.x <= 4096 && gridDim.y == 1 && gridDim.z == 1)
tc_requires(h >= 1 && w >= 1 && h <= 16384 && w <= 16384 && w % TW == 0)
__global__ void flip_tiles(tc_mut tc_shape(h, w) tc_tile(TH, TW)
                           tc_owner(i, j; (i * tc_cdiv(w, TW) + j) % gridDim.x) float *dst,
                           tc_shared tc_shape(h, w) const float *src, int h, int w)
{
    __shared__ float part[TH][TW];
    const int x = threadIdx.x, y = threadIdx.y;
    const int across = (w + TW - 1) / TW;
    const int tiles = across * ((h + TH - 1) / TH);

    for (int t = blockIdx.x; t < tiles; t += gridDim.x > 1 ? gridDim.x - 1 : 1) {
        const int r = t / across * TH + y;
        const int c = t % across * TW + x;
        part[y][x] = r < h ? src[r * w + c] : 0.0f;
        __syncthreads();
        if (r < h)
            // CHECK: short-step.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1004]
            dst[r * w + c] = part[y][TW - 1 - x];
        __syncthreads();
    }
}
