// Fault: perm counts the rows from one.
// The repaired kernel is ../scatter-rows.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(rows)
tc_requires(cols >= 1 && cols <= 1 << 20)
__global__ void scatter_rows(tc_out tc_shape(rows, cols) tc_tile(1, cols) tc_at(perm[blockIdx.x], 0) float *out,
                             tc_shared tc_shape(rows, cols) const float *in,
                             tc_shared tc_shape(rows) tc_range(1, rows + 1) tc_injective const int *perm,
                             int rows, int cols)
{
    const long long from = (long long)blockIdx.x * cols;
    const long long to = (long long)perm[blockIdx.x] * cols;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        out[to + c] = in[from + c];
}
