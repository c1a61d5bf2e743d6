// The index of the round before grows past the end.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}[TC2001]
#include <tilecheck.h>
tc_block(32) tc_grid(1) tc_requires(n >= 1 && n <= 64) __global__
    void k(tc_mut tc_shape(64) int *o, tc_shared tc_shape(64) const int *in, int n) {
    int a[8];
    int p = 0;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0)
            o[p] = 1;
        p = 2 * i;
    }
}
