// Fault: a value 192 before the last is read; n >= 192 would save it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_block(192) tc_grid(tc_cdiv(n, 192)) tc_requires(n <= 1 << 30)
__global__ void halve(tc_shared tc_shape(n) const float *in, tc_mut tc_shape(n) tc_tile(192) float *out, int n)
{
    const int i = blockIdx.x * 192 + threadIdx.x;
    if (i < n)
        // CHECK: reads-far-behind.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
        out[i] = 0.5f * in[i] + in[n - 192];
}
