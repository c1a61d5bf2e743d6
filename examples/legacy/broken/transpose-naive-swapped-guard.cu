// Fault: the guard compares the column with rows and the row with cols.
// The repaired kernel is ../transpose-naive.cu.
#include <tilecheck.h>

tc_block(32, 8) tc_grid(tc_cdiv(cols, 32), tc_cdiv(rows, 8))
tc_requires(rows <= 32768 && cols <= 32768)
__global__ void transpose_naive(tc_out tc_shape(cols, rows) tc_tile(32, 8) tc_at(blockIdx.x, blockIdx.y) float *out,
                                tc_shared tc_shape(rows, cols) const float *in,
                                int rows, int cols)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < rows && r < cols)
        out[c * rows + r] = in[r * cols + c];
}
