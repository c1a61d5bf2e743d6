// An array filled by a loop, then read at an unknown place.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// CHECK: {{1 kernel: 1 proved($|[^-])}}
#include <tilecheck.h>
tc_block(32) tc_grid(1) tc_requires(n >= 1 && n <= 64) __global__
    void k(tc_mut tc_shape(64) int *o, tc_shared tc_shape(64) const int *in, int n) {
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = i;
    if (threadIdx.x == 0)
        o[a[in[0] & 7]] = 1;
}
