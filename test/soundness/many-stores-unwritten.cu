// An element that none of many stores writes has no value, though the stores are not told apart any more.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel element_without_value {{violated|unknown}}
tc_block(1) tc_grid(1)
__global__ void element_without_value(tc_shared tc_shape(16) tc_range(0, 7) const int *x, tc_mut tc_shape(32) int *y,
                                      int rare)
{
    int slot[8];
    for (int i = 0; i < 16; i++)
        slot[x[i] & 7] = i;
    if (rare > 1000000)
        y[slot[7] & 31] = 1;
}

// CHECK: kernel all_have_one proved
tc_block(1) tc_grid(1)
__global__ void all_have_one(tc_shared tc_shape(16) tc_range(0, 7) const int *x, tc_mut tc_shape(32) int *y, int rare)
{
    int slot[8];
    for (int i = 0; i < 8; i++)
        slot[i] = 0;
    for (int i = 0; i < 16; i++)
        slot[x[i] & 7] = i;
    if (rare > 1000000)
        y[slot[7] & 31] = 1;
}
