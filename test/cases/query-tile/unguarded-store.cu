// Fault: the results of queries that are not there are stored.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

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
        // CHECK: unguarded-store.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
        out[(size_t)(first + q) * W + threadIdx.x] = sum[q];
}
