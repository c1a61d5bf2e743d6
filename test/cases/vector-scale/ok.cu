// Scales a vector of ints, four at a time over a grid-stride loop; the first threads of the
// grid take the last elements.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel scale_quads --grid 2 --set n=11 --set k=3
// CHECK: {{1 kernel: 1 proved($|[^-])}}

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

    const int rest = 4 * quads + me;
    if (rest < n)
        y[rest] = k * x[rest];
}
