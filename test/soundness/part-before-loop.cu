// Bytes of a variable that was written in part before a loop stay what they were where the loop does not run.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
union word { int whole; short half[2]; };

// CHECK: kernel half_then_loop {{violated|unknown}}
tc_block(1) tc_grid(1)
__global__ void half_then_loop(tc_mut tc_shape(32) int *y, int n, int rare)
{
    word u;
    u.half[0] = 1;
    for (int k = 0; k < n; k++)
        u.whole = k;
    if (rare > 1000000)
        y[u.whole & 31] = 1;
}

// CHECK: kernel covered_then_loop {{violated|unknown}}
tc_block(1) tc_grid(1)
__global__ void covered_then_loop(tc_mut tc_shape(32) int *y, int n, int rare, int c)
{
    word u;
    if (c)
        u.whole = 3;
    u.half[0] = 1;
    for (int k = 0; k < n; k++)
        u.half[1] = k;
    if (rare > 1000000)
        y[u.half[1] & 31] = 1;
}

// CHECK: kernel both_halves proved
tc_block(1) tc_grid(1)
__global__ void both_halves(tc_mut tc_shape(32) int *y, int n, int rare)
{
    word u;
    u.half[0] = 1;
    u.half[1] = 0;
    for (int k = 0; k < n; k++)
        u.whole = k;
    if (rare > 1000000)
        y[u.whole & 31] = 1;
}
