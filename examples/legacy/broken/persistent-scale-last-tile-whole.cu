// Fault: the last tile is taken to be whole.
// The repaired kernel is ../persistent-scale.cu.
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
            if (tile < tiles)
                x[i] *= s;
        }
}
