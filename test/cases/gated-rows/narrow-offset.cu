// Fault: the offset of the input row wraps at 2^32, and the wrapped one is in bounds.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_grid(rows)
tc_requires(blockDim.y == 1 && blockDim.z == 1 && width >= 1 && width <= 1 << 18)
__global__ void glu(tc_shared tc_shape(rows, 2 * width) const float *in,
                    tc_out tc_shape(rows, width) tc_tile(1, width) tc_at(blockIdx.x, 0) float *out, int rows, int width)
{
    // CHECK: narrow-offset.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2002]
    const float *gate = in + blockIdx.x * width * 2;
    float *to = out + (size_t)blockIdx.x * width;
    for (int c = threadIdx.x; c < width; c += blockDim.x)
        to[c] = gate[width + c] / (1.0f + expf(-gate[c]));
}
