// Fault: two elements are loaded as one word, at an odd element in every other row.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(rows, 64))
tc_requires(rows <= 1 << 26)
__global__ void take_pairs(tc_shared tc_shape(rows, 3) tc_align(4) const short *in,
                           tc_out tc_shape(rows, 2) tc_tile(64, 2) tc_at(blockIdx.x, 0) tc_align(4) short *out, int rows)
{
    const int r = blockIdx.x * 64 + threadIdx.x;
    if (r < rows) {
        const short *p = in + 3 * r;
        // CHECK: pair-at-odd-element.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2003]
        reinterpret_cast<short2 *>(out)[r] = *reinterpret_cast<const short2 *>(p);
    }
}
