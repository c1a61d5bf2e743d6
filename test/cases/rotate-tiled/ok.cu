// Rotates an image by a quarter turn through a padded shared tile; every thread moves TILE /
// ROWS pixels.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel rotate --set h=19 --set w=35
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

template <typename T, int TILE, int ROWS>
tc_block(TILE, ROWS) tc_grid(tc_cdiv(w, TILE), tc_cdiv(h, TILE))
tc_requires(w <= 16384 && h <= 16384)
__global__ void rotate(tc_out tc_shape(w, h) tc_tile(TILE, TILE) tc_at(blockIdx.x, blockIdx.y) T *out,
                       tc_shared tc_shape(h, w) const T *in, int h, int w)
{
    __shared__ T tile[TILE][TILE + 1];
    const int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;

    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (x0 + threadIdx.x < w && y0 + j < h)
            tile[j][threadIdx.x] = in[(y0 + j) * w + x0 + threadIdx.x];

    __syncthreads();

    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (y0 + threadIdx.x < h && x0 + j < w)
            out[(x0 + j) * h + y0 + threadIdx.x] = tile[threadIdx.x][j];
}

template __global__ void rotate<double, 16, 4>(double *, const double *, int, int);
