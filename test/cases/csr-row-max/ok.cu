// Largest weighted entry of each row of a sparse matrix in CSR; one thread a row.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel row_max --set rows=70 --set cols=11 --set entries=200
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(rows, 64))
tc_requires(rows <= 1 << 30)
__global__ void row_max(tc_out tc_shape(rows) tc_tile(64) float *best,
                        tc_shared tc_shape(rows + 1) tc_range(0, entries + 1) const int *start,
                        tc_shared tc_shape(entries) tc_range(0, cols) const int *col,
                        tc_shared tc_shape(entries) const float *value,
                        tc_shared tc_shape(cols) const float *weight, int rows, int cols, int entries)
{
    const int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= rows)
        return;
    float m = 0.0f;
    for (int e = start[r]; e < start[r + 1]; ++e)
        m = fmaxf(m, value[e] * weight[col[e]]);
    best[r] = m;
}
