// What a question about a loop hangs on: a variable that it speaks of, and not once more the tc_invariant that is there already.
// RUN: %tilecheck --nosearch --rules=TC1,TC2 %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: loops.cu:[[@LINE+7]]:{{.*}} warning: unknown, TC2001
// CHECK: note: it hangs on what the loop at line [[@LINE+5]] makes of 'x': tc_invariant first in its body can say what always holds of it
tc_block(1) tc_grid(1)
__global__ void none_there(tc_mut tc_shape(258) float *a, int n)
{
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        a[2 * x] = 1;
        x = x > 70 ? x - 70 : 2 * x;
    }
}

// CHECK: loops.cu:[[@LINE+8]]:{{.*}} warning: unknown, TC2001
// CHECK: note: the tc_invariant of the loop at line [[@LINE+5]] holds, and what it says of 'x' does not decide this
tc_block(1) tc_grid(1)
__global__ void one_there(tc_mut tc_shape(258) float *a, int n)
{
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        tc_invariant(x <= 200);
        a[2 * x] = 1;
        x = x > 70 ? x - 70 : 2 * x;
    }
}

// 'count' has no part in how far i goes.
// CHECK: loops.cu:[[@LINE+6]]:{{.*}} warning: unknown, TC2002
// CHECK: note: it hangs on the values stored in 'last'
tc_block(256) tc_grid(1)
__global__ void another_variable(tc_shared tc_shape(256) const unsigned *last, tc_mut tc_shape(256) int *r)
{
    int count = 0;
    for (int i = 0; i < last[threadIdx.x]; i++)
        count += r[threadIdx.x] < i;
    r[threadIdx.x] = count;
}
