// Fault: a last group of one row of tiles is treated as one of two: tiles are never written.
// RUN: %exits 2 %tilecheck run %s --kernel outer_grouped --set m=35 --set n=40 2>&1 | FileCheck %s

#include <tilecheck.h>

#define TM 8
#define TN 16
#define GROUP 2

#define ROWS_OF_TILES ((m + TM - 1) / TM)
#define COLS_OF_TILES ((n + TN - 1) / TN)
#define FIRST(p) ((p) / (GROUP * COLS_OF_TILES) * GROUP)
#define HEIGHT(p) min(ROWS_OF_TILES - FIRST(p), GROUP)

tc_block(TN, TM) tc_grid(ROWS_OF_TILES * COLS_OF_TILES)
tc_requires(m >= 1 && n >= 1 && m <= 8192 && n <= 8192)
__global__ void outer_grouped(tc_out tc_shape(m, n) tc_tile(TM, TN)
                              tc_at(FIRST(blockIdx.x) + blockIdx.x % (GROUP * COLS_OF_TILES) % HEIGHT(blockIdx.x),
                                    // CHECK: grouped-raster-last-group-of-two.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1007]
                                    blockIdx.x % (GROUP * COLS_OF_TILES) / HEIGHT(blockIdx.x)) float *c,
                              tc_shared tc_shape(m) const float *u, tc_shared tc_shape(n) const float *v, int m, int n)
{
    const int p = blockIdx.x;
    const int cols = COLS_OF_TILES;
    const int in_group = p % (GROUP * cols);
    const int first = p / (GROUP * cols) * GROUP;
    const int height = GROUP;
    const int ti = first + in_group % height;
    const int tj = in_group / height;

    const int i = ti * TM + threadIdx.y;
    const int j = tj * TN + threadIdx.x;
    if (i < m && j < n)
        c[i * n + j] = u[i] * v[j];
}
