// Fault: the guard has a value only for the first key: no index is wrong, but the access
// depends on it.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// CHECK: guard-without-value.cu:{{(23|24)}}:{{[0-9]+}}: error: {{.*}}[TC2005]

#include <tilecheck.h>

tc_block(96) tc_grid(tc_cdiv(n, 96))
tc_requires(n <= 1 << 26)
__global__ void put(tc_mut tc_shape(n, 4) tc_tile(96, 4) tc_at(blockIdx.x, 0) int *bucket,
                    tc_shared tc_shape(n) const int *hint, tc_shared tc_shape(n) const int *key, int n)
{
    const int b = blockIdx.x * 96 + threadIdx.x;
    if (b < n) {
        int place = 3;
        bool full;
        if (b == 0)
            full = false;
        if (hint[b] == 1)
            place = 1;
        else if (hint[b] == 2)
            place = 2;
        if (!full)
            bucket[4 * b + place] = key[b];
    }
}
