// Fault: each tile clears the row above it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

#define TM 8
#define TN 16
#define GROUP 2

__device__ int draw(int *next, int *slot)
{
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
        *slot = atomicAdd(next, 1);
    __syncthreads();
    return *slot;
}

tc_block(TN, TM) tc_grid(blocks)
tc_requires(m >= 1 && n >= 1 && m <= 8192 && n <= 8192 && blocks < 1000)
__global__ void outer_drawn(tc_mut tc_shape(m, n) float *c, tc_atomic tc_shape(1) tc_init(0) int *next,
                            tc_shared tc_shape(m) const float *u, tc_shared tc_shape(n) const float *v, int m, int n,
                            int blocks)
{
    __shared__ int slot;
    const int rows = tc_cdiv(m, TM), cols = tc_cdiv(n, TN);
    for (int p = draw(next, &slot); p < rows * cols; p = draw(next, &slot)) {
        const int in_group = p % (GROUP * cols);
        const int first = p / (GROUP * cols) * GROUP;
        const int height = min(rows - first, GROUP);
        const int i = (first + in_group % height) * TM + threadIdx.y;
        const int j = in_group / height * TN + threadIdx.x;
        if (i < m && j < n)
            c[i * n + j] = u[i] * v[j];
        if (i > 0 && i < m && j < n && threadIdx.y == 0)
            // CHECK: row-above-too.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[{{TC1001}}]
            c[(i - 1) * n + j] = 0.0f;
    }
}
