// Fault: 16-byte accesses, of whose alignment only an assumption speaks.
// RUN: %verdicts %s | FileCheck %s
// CHECK: kernel clamp {{violated|unknown|proved-if}}

#include <tilecheck.h>

tc_block(192) tc_grid(tc_cdiv(n, 192)) tc_requires(n <= 1 << 30)
__global__ void clamp(tc_mut tc_shape(n) float *v, float bound, int n)
{
    const int i = blockIdx.x * 192 + threadIdx.x;
    if (i >= n)
        return;
    if (i % 4 == 0 && i + 4 <= n) {
        float4 *q = (float4 *)__builtin_assume_aligned(v, 16) + i / 4;
        q->w = bound;
        *q = make_float4(bound, q->y, q->z, q->w);
    }
}
