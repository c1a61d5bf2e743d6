// out = up * sigmoid(gate), gate and up in one row; one block a row.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel glu --block 32 --set rows=3 --set width=40
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_grid(rows)
tc_requires(blockDim.y == 1 && blockDim.z == 1 && width >= 1 && width <= 1 << 18)
__global__ void glu(tc_shared tc_shape(rows, 2 * width) const float *in,
                    tc_out tc_shape(rows, width) tc_tile(1, width) tc_at(blockIdx.x, 0) float *out, int rows, int width)
{
    const float *gate = in + (size_t)blockIdx.x * width * 2;
    float *to = out + (size_t)blockIdx.x * width;
    for (int c = threadIdx.x; c < width; c += blockDim.x)
        to[c] = gate[width + c] / (1.0f + expf(-gate[c]));
}
