// Many stores to one of several elements of a local array: an answer in bounded time, and none that is too good.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel too_small {{violated|unknown}}
tc_block(1) tc_grid(1)
__global__ void too_small(tc_shared tc_shape(8) tc_range(0, 21) const int *x, tc_mut tc_shape(16) int *y, int n)
{
    int count[8];
    for (int i = 0; i < 8; i++)
        count[i] = 0;
    for (int i = 0; i < 8; i++)
        count[x[i] & 7]++;
    for (int i = 0; i < 8; i++)
        count[x[i] & 7]++;
    y[count[n & 7]] = 1;
}
