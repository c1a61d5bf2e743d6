// Scales a vector whose tiles the blocks draw one by one: a block that is done sooner takes more
// of them. The first thread draws, and hands the number on through shared memory.
//
// Shapes: x has n elements, in tiles of 1024; next is one counter, 0 at launch.
// Proved for every n up to 2^30 and fewer than 4096 blocks: the counter's values are tickets, no
// two of them equal, so that each tile has one block, and they never wrap around.
#include <tilecheck.h>

#define TILE 1024

tc_block(256) tc_grid(blocks)
tc_requires(n >= 1 && n <= 1 << 30 && blocks < 4096)
__global__ void scale_drawn(tc_mut tc_shape(n) float *x, tc_atomic tc_shape(1) tc_init(0) int *next,
                            float s, int n, int blocks)
{
    __shared__ int drawn;
    const int tiles = (n + TILE - 1) / TILE;
    for (;;) {
        if (threadIdx.x == 0)
            drawn = atomicAdd(next, 1);
        __syncthreads();
        const int tile = drawn;
        __syncthreads(); // all have read it before the next is drawn
        if (tile >= tiles)
            break;
        for (int k = threadIdx.x; k < TILE; k += blockDim.x) {
            const int i = tile * TILE + k;
            if (i < n)
                x[i] *= s;
        }
    }
}
