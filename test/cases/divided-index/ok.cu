// Copies n floats chunk by chunk; the chunk has a length in one mode only.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel copy_chunks --set n=100 --set chunked=1
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
tc_requires(n <= 1 << 29)
__global__ void copy_chunks(tc_shared tc_shape(n) const float *from, tc_mut tc_shape(n) float *to, int n, int chunked)
{
    const int e = blockIdx.x * 64 + threadIdx.x;
    int chunk = 0;
    if (chunked == 1)
        chunk = 12;
    if (e < n && chunked == 1) {
        const int c = e / chunk;
        to[c * 12 + e % chunk] = from[e];
    }
}
