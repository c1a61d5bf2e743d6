// Takes columns 0 and 1 of a table of three 16-bit columns, and stores them as pairs.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel take_pairs --set rows=70
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(rows, 64))
tc_requires(rows <= 1 << 26)
__global__ void take_pairs(tc_shared tc_shape(rows, 3) tc_align(4) const short *in,
                           tc_out tc_shape(rows, 2) tc_tile(64, 2) tc_at(blockIdx.x, 0) tc_align(4) short *out, int rows)
{
    const int r = blockIdx.x * 64 + threadIdx.x;
    if (r < rows) {
        const short *p = in + 3 * r;
        reinterpret_cast<short2 *>(out)[r] = make_short2(p[0], p[1]);
    }
}
