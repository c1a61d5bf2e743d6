// Mirrors each row of tiles of a matrix inside its tile; the grid is as large as one likes, a
// block takes tiles blockIdx.x, blockIdx.x + gridDim.x and so on.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel flip_tiles --grid 3 --set h=20 --set w=64
// CHECK: {{1 kernel: 1 proved($|[^-])}}

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

    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int r = t / across * TH + y;
        const int c = t % across * TW + x;
        part[y][x] = r < h ? src[r * w + c] : 0.0f;
        __syncthreads();
        if (r < h)
            dst[r * w + c] = part[y][TW - 1 - x];
        __syncthreads();
    }
}
