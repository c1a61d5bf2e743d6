// Scales a vector by a grid that stays: as many blocks as the device holds, each of which
// takes tile blockIdx.x, blockIdx.x + gridDim.x and so on.
//
// Shapes: x has n elements, in tiles of 1024; a block owns every gridDim.x-th of them.
// Proved for every n up to 2^30 and fewer than 4096 blocks: whatever the grid, a tile has one
// owner (tc_owner), and only it writes there.
#include <tilecheck.h>

#define TILE 1024

tc_block(256)
tc_requires(n >= 1 && n <= 1 << 30 && gridDim.x < 4096 && gridDim.y == 1 && gridDim.z == 1)
__global__ void persistent_scale(tc_mut tc_shape(n) tc_tile(TILE) tc_owner(tile; tile % gridDim.x) float *x,
                                 float s, int n)
{
    const int tiles = (n + TILE - 1) / TILE;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        for (int k = threadIdx.x; k < TILE; k += blockDim.x) {
            const int i = tile * TILE + k;
            if (i < n)
                x[i] *= s;
        }
}
