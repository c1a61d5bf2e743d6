// Halves n values, 192 a block.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel halve --set n=200
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(192) tc_grid(tc_cdiv(n, 192)) tc_requires(n <= 1 << 30)
__global__ void halve(tc_shared tc_shape(n) const float *in, tc_mut tc_shape(n) tc_tile(192) float *out, int n)
{
    const int i = blockIdx.x * 192 + threadIdx.x;
    if (i < n)
        out[i] = 0.5f * in[i];
}
