// Fault: a block begins with the tile of its number, and the counter at 0.
// The repaired kernel is ../tile-queue.cu.
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
