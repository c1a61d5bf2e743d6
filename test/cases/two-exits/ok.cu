// Largest score of each item and head, stored head by head; an empty item has none.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel group_max --set heads=2 --set items=3 --set most=4
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(32) tc_grid(heads, items)
tc_requires(heads <= 1024 && items <= 32768 && most >= 1 && most <= 1 << 16)
__global__ void group_max(tc_out tc_shape(heads, items) float *best, tc_shared tc_shape(items, heads, most) const float *score,
                          tc_shared tc_shape(items) tc_range(0, most + 1) const int *length, int heads, int items, int most)
{
    const int h = blockIdx.x, i = blockIdx.y;
    const int n = length[i];
    if (n == 0) {
        if (threadIdx.x == 0)
            best[h * items + i] = 0.0f;
        return;
    }
    float m = -3.0e38f;
    for (int k = threadIdx.x; k < n; k += 32)
        m = fmaxf(m, score[((size_t)i * heads + h) * most + k]);
    for (int k = 16; k > 0; k >>= 1)
        m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, k));
    if (threadIdx.x == 0)
        best[h * items + i] = m;
}
