// What an iteration that goes on has met: the condition of the header, on whichever path it came back; and no more.
// RUN: %exits 2 %tilecheck %s
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

#define K tc_block(1) tc_grid(1) __global__ void
#define ARGS tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const int *x, int n

// CHECK: kernel sees_the_header proved
K sees_the_header(ARGS)
{
    for (int i = 0; i < n; i++)
        if (i > 0 && i < n - 1)
            y[i] = x[i - 1] + x[i + 1];
        else
            y[i] = 0;
}

// CHECK: kernel one_too_far violated
K one_too_far(ARGS)
{
    for (int i = 0; i < n; i++)
        if (i > 0 && i < n)
            y[i] = x[i - 1] + x[i + 1];
        else
            y[i] = 0;
}

// CHECK: kernel other_path_of_the_last violated
K other_path_of_the_last(ARGS)
{
    int last = -1;
    for (int i = 0; i < n; i++) {
        if (i > 3 && i < n - 1)
            last = i + 1;
        else
            last = i + 2;
    }
    if (n > 0)
        y[last] = 1;
}

// The condition of the header is not the only one: behind the loop the counter may be anything up to n.
// CHECK: kernel left_in_the_middle violated
K left_in_the_middle(ARGS)
{
    int i;
    for (i = 0; i < n; i++) {
        if (x[i] == 5)
            break;
        if (i > 0 && i < n - 1)
            y[i] = 1;
        else
            y[i] = 0;
    }
    if (n > 0)
        y[i - 1] = 2;
}

// CHECK: kernel left_at_the_header proved
K left_at_the_header(ARGS)
{
    int i;
    for (i = 0; i < n; i++)
        if (i > 0 && i < n - 1)
            y[i] = 1;
        else
            y[i] = 0;
    if (n > 0)
        y[i - 1] = 2;
}

// The condition stands at the end: the first iteration has not met it.
// CHECK: kernel asked_too_late violated
K asked_too_late(ARGS)
{
    int i = 0;
    do {
        if (i > 0 && i < n - 1)
            y[i] = 1;
        else
            y[i] = 0;
        i++;
    } while (i < n);
}

// What the header asks about is changed on one of the paths, behind it.
// CHECK: kernel changed_on_a_path violated
K changed_on_a_path(ARGS)
{
    for (int i = 0; i < n; i++) {
        if (x[i] == 7)
            i++;
        else
            y[i] = 0;
        y[i] = 1;
    }
}

// The header's condition is that of a value that is read anew: it says nothing of the next.
// CHECK: kernel condition_is_data violated
K condition_is_data(ARGS)
{
    for (int i = 0; i < 8 && x[0] < n; i++)
        if (i > 2)
            y[i] = 1;
}

// The limit is a choice, the counter is not.
// CHECK: kernel limit_is_a_choice proved
tc_requires(m <= n && n <= 1 << 30) K limit_is_a_choice(ARGS, int m, int some)
{
    for (int i = 0; i < (some ? n : m); i += 4096)
        y[i] = 1;
}

// CHECK: kernel limit_is_another violated
K limit_is_another(ARGS, int m, int some)
{
    for (int i = 0; i < (some ? n : m); i += 4096)
        y[i] = 1;
}

// Where the other counter is asked about, this one has met no limit and wraps.
// CHECK: kernel counter_is_a_choice violated
tc_requires(n >= 1 && n <= 1 << 20)
K counter_is_a_choice(ARGS, int some)
{
    for (int i = 0, j = 0; (some ? i : j) < n; i += 1 << 20, j++)
        if (i < n)
            y[i] = 1;
}
