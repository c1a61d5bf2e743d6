// Transpose of a matrix, one element a thread, straight through global memory.
//
// Shapes: in is rows x cols, out is cols x rows. Blocks of 32 x 8 threads; the block
// (x, y) owns the 32 x 8 elements of out that mirror its patch of in.
// Proved for all sizes up to 32768: the mirrored patch is in bounds and in the tile,
// tiles do not overlap, no index overflows an int.
#include <tilecheck.h>

tc_block(32, 8) tc_grid(tc_cdiv(cols, 32), tc_cdiv(rows, 8))
tc_requires(rows <= 32768 && cols <= 32768)
__global__ void transpose_naive(tc_out tc_shape(cols, rows) tc_tile(32, 8) tc_at(blockIdx.x, blockIdx.y) float *out,
                                tc_shared tc_shape(rows, cols) const float *in,
                                int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < cols && r < rows)
        out[c * rows + r] = in[r * cols + c];
}
