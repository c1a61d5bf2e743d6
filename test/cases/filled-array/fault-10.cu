// A variable of the body has a value in the first round only.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}[TC2005]
#include <tilecheck.h>
tc_block(32) tc_grid(1) tc_requires(n >= 1 && n <= 64) __global__
    void k(tc_mut tc_shape(64) int *o, tc_shared tc_shape(64) const int *in, int n) {
    int a[8];
    for (int i = 0; i < n; i++) {
        int x;
        if (i == 0)
            x = 0;
        if (threadIdx.x == 0)
            o[x] = 1;
    }
}
