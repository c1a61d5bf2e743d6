// Blocks begin with a tile of their own number and then draw from 0 on: a tile may have two. Which, hangs on the order of the blocks: in
// the launches that are tried each block draws its own.
// RUN: %verdicts %s | FileCheck %s
// CHECK: kernel scale_drawn {{unknown|violated}}
#include <tilecheck.h>

#define TILE 1024

tc_block(256) tc_grid(blocks)
tc_requires(n >= 1 && n <= 1 << 30 && blocks < 4096)
__global__ void scale_drawn(tc_mut tc_shape(n) float *x, tc_atomic tc_shape(1) tc_init(0) int *next,
                            float s, int n, int blocks)
{
    __shared__ int drawn;
    const int tiles = (n + TILE - 1) / TILE;
    int tile = blockIdx.x;
    while (tile < tiles) {
        for (int k = threadIdx.x; k < TILE; k += blockDim.x) {
            const int i = tile * TILE + k;
            if (i < n)
                x[i] *= s;
        }
        if (threadIdx.x == 0)
            drawn = atomicAdd(next, 1);
        __syncthreads();
        tile = drawn;
        __syncthreads(); // all have read it before the next is drawn
    }
}
