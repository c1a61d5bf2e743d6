// Fault: the mode is not tested where the length divides.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
tc_requires(n <= 1 << 29)
__global__ void copy_chunks(tc_shared tc_shape(n) const float *from, tc_mut tc_shape(n) float *to, int n, int chunked)
{
    const int e = blockIdx.x * 64 + threadIdx.x;
    int chunk = 0;
    if (chunked == 1)
        chunk = 12;
    if (e < n) {
        // CHECK: no-mode-test.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2004]
        const int c = e / chunk;
        to[c * 12 + e % chunk] = from[e];
    }
}
