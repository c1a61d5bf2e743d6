// A declared invariant is used only where it is proved: on entry, and from one turn of its loop to the next.
// RUN: %verdicts %s --rules=TC1,TC2,TC9 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(1) tc_grid(1) __global__ void
#define ARGS tc_shared tc_shape(64) const int *x, tc_mut tc_shape(32) float *y, int n, int rare

// CHECK: kernel not_on_entry {{violated|unknown}}
K not_on_entry(ARGS)
{
    int k = rare == 1000002 ? 32 : 0;
    for (int i = 0; i < n; i++) {
        tc_invariant(0 <= k && k < 32);
        y[k] = 1;
    }
}
// CHECK: kernel not_kept {{violated|unknown}}
K not_kept(ARGS)
{
    int k = 0;
    for (int i = 0; i < 64; i++) {
        tc_invariant(0 <= k && k < 32);
        y[k] = 1;
        if (x[i] == 1000002)
            k++;
    }
}
// CHECK: kernel kept_by_one_path {{violated|unknown}}
K kept_by_one_path(ARGS)
{
    int k = 0;
    for (int i = 0; i < 64; i++) {
        tc_invariant(0 <= k && k < 32);
        y[k] = 1;
        if (x[i] == 1000002) {
            k = x[i];
            continue;
        }
        k = i & 31;
    }
}
// Where the invariant stands behind a test, it says nothing of turns that do not come by.
// CHECK: kernel behind_a_test {{violated|unknown}}
K behind_a_test(ARGS)
{
    int k = 0;
    for (int i = 0; i < n && i < 64; i++) {
        if (rare != 1000002) {
            tc_invariant(k == 0);
        }
        y[k] = 1;
        if (rare == 1000002)
            k = 32;
    }
}
// It holds where it stands, not after the last turn.
// CHECK: kernel after_the_loop {{violated|unknown}}
K after_the_loop(ARGS)
{
    int k = 0;
    while (k < 32) {
        tc_invariant(0 <= k && k < 32);
        k += x[k] == 1000002 ? 1 : 32;
    }
    if (rare == 1000002)
        y[k] = 1;
}
// Two that would prove each other, and neither holds.
// CHECK: kernel each_the_other {{violated|unknown}}
K each_the_other(ARGS)
{
    int a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        tc_invariant(a < 32 && a >= 0);
        tc_invariant(b < 32 && b >= 0);
        y[a] = 1;
        const int was = a;
        a = b;
        b = rare == 1000002 ? was + 1 : was;
    }
}
// The invariant of an inner loop says nothing of the outer one's next turn.
// CHECK: kernel of_the_inner_loop {{violated|unknown}}
K of_the_inner_loop(ARGS)
{
    int k = 0;
    for (int i = 0; i < n; i++) {
        y[k & 63] = 1;
        for (int j = 0; j < 4; j++) {
            tc_invariant(0 <= k && k < 32);
            if (x[j] == 1000002)
                k = 31;
        }
        k = rare;
    }
}
// What it says may overflow like any C.
// CHECK: kernel overflows_itself {{violated|unknown}}
K overflows_itself(ARGS)
{
    int k = n;
    for (int i = 0; i < 4; i++) {
        tc_invariant(k + 1 > k);
        if (k + 1 > k && k == 2147483647)
            y[32] = 1;
        if (k < 0)
            k = 0;
    }
}
// CHECK: kernel good proved
K good(ARGS)
{
    int k = 0;
    for (int i = 0; i < 32; i++) {
        tc_invariant(0 <= k && k <= i);
        y[k] = 1;
        if (x[i] == 1000002)
            k++;
    }
}
// It holds in a loop that was reached: where it was not, a <= b need not be so.
// CHECK: kernel of_an_unreached_loop {{violated|unknown}}
K of_an_unreached_loop(ARGS, int a, int b)
{
    if (a <= b && a >= 0 && b < 64) {
        int k = a;
        while (true) {
            tc_invariant(a <= k && k <= b);
            if (k >= b || x[k] == 7)
                break;
            k += x[k] > 0 ? 1 : 0;
        }
    }
    if (a > b && rare == 1000002)
        y[32] = 1;
}
