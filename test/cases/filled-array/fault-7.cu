// What is stored has no value but in the first round.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}[TC2005]
#include <tilecheck.h>
tc_block(32) tc_grid(1) tc_requires(n >= 1 && n <= 64) __global__
    void k(tc_mut tc_shape(64) int *o, tc_shared tc_shape(64) const int *in, int n) {
    int a[8];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 8; i++) {
            int x;
            if (j == 0)
                x = i;
            a[i] = x;
        }
    if (threadIdx.x == 0)
        o[a[in[0] & 7] & 63] = 1;
}
