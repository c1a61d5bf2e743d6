// Weighted sums of NV value rows for QT queries a block; the last block may have fewer.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel mix --set queries=7 --set values=5
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define QT 3
#define W 32

tc_block(W) tc_grid(tc_cdiv(queries, QT))
tc_requires(queries <= 1 << 22 && values <= 1 << 22)
__global__ void mix(tc_shared tc_shape(queries, values) const float *weight, tc_shared tc_shape(values, W) const float *value,
                    tc_out tc_shape(queries, W) tc_tile(QT, W) tc_at(blockIdx.x, 0) float *out, int queries, int values)
{
    const int first = blockIdx.x * QT;
    float sum[QT] = {0.0f, 0.0f, 0.0f};

    for (int v = 0; v < values; ++v)
        for (int q = 0; q < QT; ++q)
            if (first + q < queries)
                sum[q] += weight[(size_t)(first + q) * values + v] * value[(size_t)v * W + threadIdx.x];

    for (int q = 0; q < QT; ++q)
        if (first + q < queries)
            out[(size_t)(first + q) * W + threadIdx.x] = sum[q];
}
