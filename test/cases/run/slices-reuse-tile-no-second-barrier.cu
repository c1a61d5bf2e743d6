// Fault: the tile is filled for the next slice while others still read it.
// RUN: %exits 2 %tilecheck run %s --kernel flip_slices --set count=2 --set h=9 --set w=20 2>&1 | FileCheck %s
// CHECK: slices-reuse-tile-no-second-barrier.cu:{{(20|23)}}:{{[0-9]+}}: error: {{.*}}[TC3001]

#include <tilecheck.h>

#define S 16

tc_block(S, S) tc_grid(tc_cdiv(w, S), tc_cdiv(h, S))
tc_requires(h <= 8192 && w <= 8192 && count >= 1 && count <= 65536)
__global__ void flip_slices(tc_shared tc_shape(count, h, w) const int *in,
                            tc_out tc_shape(count, w, h) tc_tile(count, S, S) tc_at(0, blockIdx.x, blockIdx.y) int *out,
                            int count, int h, int w)
{
    __shared__ int tile[S][S + 1];
    const int x = blockIdx.x * S, y = blockIdx.y * S;

    for (long long z = 0; z < count; ++z) {
        if (y + threadIdx.y < h && x + threadIdx.x < w)
            tile[threadIdx.y][threadIdx.x] = in[(z * h + y + threadIdx.y) * w + x + threadIdx.x];
        __syncthreads();
        if (x + threadIdx.y < w && y + threadIdx.x < h)
            out[(z * w + x + threadIdx.y) * h + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    }
}
