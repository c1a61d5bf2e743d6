// Fault: the output column is taken from blockIdx.x, as the input column is.
// The repaired kernel is ../transpose-tiled.cu.
#include <tilecheck.h>

#define TILE 32
#define STEP 8

tc_block(TILE, STEP) tc_grid(tc_cdiv(cols, TILE), tc_cdiv(rows, TILE))
tc_requires(rows <= 32768 && cols <= 32768)
__global__ void transpose_tiled(tc_out tc_shape(cols, rows) tc_tile(TILE, TILE) tc_at(blockIdx.x, blockIdx.y) float *out,
                                tc_shared tc_shape(rows, cols) const float *in,
                                int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int c = blockIdx.x * TILE + threadIdx.x;
    int r = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += STEP)
        if (c < cols && r + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(r + j) * cols + c];

    __syncthreads();

    c = blockIdx.x * TILE + threadIdx.x;
    r = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += STEP)
        if (c < rows && r + j < cols)
            out[(r + j) * rows + c] = tile[threadIdx.x][threadIdx.y + j];
}
