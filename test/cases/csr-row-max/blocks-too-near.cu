// Fault: blocks are 63 rows apart.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(rows, 63))
tc_requires(rows <= 1 << 30)
__global__ void row_max(tc_out tc_shape(rows) float *best,
                        tc_shared tc_shape(rows + 1) tc_range(0, entries + 1) const int *start,
                        tc_shared tc_shape(entries) tc_range(0, cols) const int *col,
                        tc_shared tc_shape(entries) const float *value,
                        tc_shared tc_shape(cols) const float *weight, int rows, int cols, int entries)
{
    const int r = blockIdx.x * 63 + threadIdx.x;
    if (r >= rows)
        return;
    float m = 0.0f;
    for (int e = start[r]; e < start[r + 1]; ++e)
        m = fmaxf(m, value[e] * weight[col[e]]);
    // CHECK: blocks-too-near.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1001]
    best[r] = m;
}
