// The place has no value where there is no hint, and is not used there either.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel put --set n=100
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(96) tc_grid(tc_cdiv(n, 96))
tc_requires(n <= 1 << 26)
__global__ void put(tc_mut tc_shape(n, 4) tc_tile(96, 4) tc_at(blockIdx.x, 0) int *bucket,
                    tc_shared tc_shape(n) const int *hint, tc_shared tc_shape(n) const int *key, int n)
{
    const int b = blockIdx.x * 96 + threadIdx.x;
    if (b < n) {
        int place;
        if (hint[b] == 1)
            place = 1;
        else if (hint[b] == 2)
            place = 2;
        if (hint[b] == 1 || hint[b] == 2)
            bucket[4 * b + place] = key[b];
    }
}
