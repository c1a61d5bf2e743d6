// Fault: the tail goes by the thread in its block, so every block writes it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_block(96)
tc_requires(n <= 1 << 29 && gridDim.x <= 4096 && gridDim.y == 1 && gridDim.z == 1)
__global__ void scale_quads(tc_shared tc_shape(n) tc_align(16) const int *__restrict__ x, int k, int n,
                            tc_out tc_shape(n) tc_align(16) int *__restrict__ y)
{
    const int me = blockIdx.x * 96 + threadIdx.x;
    const int quads = n >> 2;

    for (int q = me; q < quads; q += gridDim.x * 96) {
        int4 v = reinterpret_cast<const int4 *>(x)[q];
        v.x *= k;
        v.y *= k;
        v.z *= k;
        v.w *= k;
        reinterpret_cast<int4 *>(y)[q] = v;
    }

    const int rest = 4 * quads + threadIdx.x;
    if (rest < n)
        // CHECK: tail-of-every-block.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1001]
        y[rest] = k * x[rest];
}
