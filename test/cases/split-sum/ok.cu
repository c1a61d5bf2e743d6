// Matrix-vector product with the row split over blockIdx.y; the parts are added with atomics,
// y comes zeroed.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel split_dot --set rows=70 --set cols=100
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define PART 64

tc_block(64) tc_grid(tc_cdiv(rows, 64), tc_cdiv(cols, PART))
tc_requires(rows <= 1 << 20 && cols >= 1 && cols <= 65535 * PART)
__global__ void split_dot(tc_shared tc_shape(rows, cols) const float *m, tc_shared tc_shape(cols) const float *x,
                          tc_atomic tc_shape(rows) float *y, int rows, int cols)
{
    __shared__ float part[PART];
    const int r = blockIdx.x * 64 + threadIdx.x;
    const int c0 = blockIdx.y * PART;
    const int len = min(PART, cols - c0);

    if (threadIdx.x < len)
        part[threadIdx.x] = x[c0 + threadIdx.x];
    __syncthreads();
    if (r < rows) {
        float sum = 0.0f;
        for (int c = 0; c < len; ++c)
            sum += m[(size_t)r * cols + c0 + c] * part[c];
        atomicAdd(&y[r], sum);
    }
}
