// y = A * x with a sparse A in compressed rows, a warp a row.
//
// Shapes: A is rows x cols with nnz entries; offsets has rows + 1 elements that never fall
// and lie in 0 ... nnz, column and value have nnz, x has cols, y has rows.
// Proved for all sizes up to 2^30: the entries of a row and the columns that they name are
// in bounds, and a block writes the elements of y of its own eight rows.
#include <tilecheck.h>

#define WARPS 8

tc_block(32 * WARPS) tc_grid(tc_cdiv(rows, WARPS))
tc_requires(rows <= 1 << 30 && nnz >= 0 && nnz <= 1 << 30)
__global__ void spmv(tc_out tc_shape(rows) tc_tile(WARPS) float *y,
                     tc_shared tc_shape(rows + 1) tc_range(0, nnz + 1) tc_monotone const int *offsets,
                     tc_shared tc_shape(nnz) tc_range(0, cols) const int *column,
                     tc_shared tc_shape(nnz) const float *value,
                     tc_shared tc_shape(cols) const float *x, int rows, int cols, int nnz)
{
    const int row = blockIdx.x * WARPS + threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows)
        return;

    float sum = 0.0f;
    for (int k = offsets[row] + lane; k < offsets[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}
