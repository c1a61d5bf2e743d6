// Fault: the walk starts behind the row: the first column reads the next row, or behind
// the image.
// The repaired kernel is ../flip.cu.
#include <tilecheck.h>

tc_block(32, 8) tc_grid(tc_cdiv(cols, 32), tc_cdiv(rows, 8))
tc_requires(rows <= 1 << 24 && cols <= 1 << 24)
__global__ void flip(tc_out tc_shape(rows, cols) tc_tile(8, 32) float *out,
                     tc_shared tc_shape(rows, cols) const float *in, int rows, int cols)
{
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    if (x < cols && y < rows) {
        const float *last = in + (size_t)y * cols + cols;
        out[(size_t)y * cols + x] = last[-x];
    }
}
