// Fault: the place comes from a local array that is filled only where there is a hint.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// CHECK: array-not-filled.cu:{{(19|20)}}:{{[0-9]+}}: error: {{.*}}[TC2005]

#include <tilecheck.h>

tc_block(96) tc_grid(tc_cdiv(n, 96))
tc_requires(n <= 1 << 26)
__global__ void put(tc_mut tc_shape(n, 4) tc_tile(96, 4) tc_at(blockIdx.x, 0) int *bucket,
                    tc_shared tc_shape(n) const int *hint, tc_shared tc_shape(n) const int *key, int n)
{
    const int b = blockIdx.x * 96 + threadIdx.x;
    if (b < n) {
        int place, choice[2];
        if (hint[b] == 1)
            choice[1] = 1;
        else if (hint[b] == 2)
            choice[1] = 2;
        place = choice[1];
        bucket[4 * b + place] = key[b];
    }
}
