// Largest value of each column; a block owns 16 columns and walks down the rows, four partial
// maxima a column meet in shared memory.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel column_max --set rows=9 --set cols=20
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(16, 4) tc_grid(tc_cdiv(cols, 16))
tc_requires(rows >= 1 && rows <= 1 << 24 && cols <= 1 << 24)
__global__ void column_max(tc_mut tc_shape(cols) tc_tile(16) float *top, tc_shared tc_shape(rows, cols) const float *m,
                           int rows, int cols)
{
    __shared__ float seen[4][17];
    const int x = threadIdx.x, y = threadIdx.y;
    const int c = blockIdx.x * 16 + x;

    float v = -3.0e38f;
    if (c < cols)
        for (int r = y; r < rows; r += 4)
            v = fmaxf(v, m[(long long)r * cols + c]);
    seen[y][x] = v;
    __syncthreads();

    if (y == 0 && c < cols) {
        for (int k = 1; k < 4; ++k)
            v = fmaxf(v, seen[k][x]);
        top[c] = fmaxf(top[c], v);
    }
}
