// Variables that grow in some threads, or under a condition of the launch, in each iteration or in none. b_: near misses.
// RUN: %verdicts %s --standin | FileCheck %s
#include <tilecheck.h>
#define B 64
#define CONTRACT tc_block(B) tc_grid(1) tc_requires(n >= 0 && n <= 1024 && q >= 0 && q <= 10)

// CHECK: kernel of_one_thread proved
CONTRACT __global__ void of_one_thread(tc_mut tc_shape(4 * 1024) int *a, int n, int q)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) {
            a[at] = 1;
            at += 4;
        }
    }
}

// CHECK: kernel two_ways proved
CONTRACT __global__ void two_ways(tc_mut tc_shape(B, 2 * 1024) int *a, int n, int q)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        a[threadIdx.x * 2 * 1024 + at] = 1;
        if (q > 3)
            at += 2;
        else
            at += threadIdx.x < 7 ? 1 : 0;
    }
}

// CHECK: kernel down proved
CONTRACT __global__ void down(tc_mut tc_shape(1024) int *a, int n, int q)
{
    int at = n - 1;
    for (int i = 0; i < n; i++)
        if (threadIdx.x == 3) {
            a[at] = 1;
            at--;
        }
}

// CHECK: kernel b_one_too_many violated
CONTRACT __global__ void b_one_too_many(tc_mut tc_shape(4 * 1024) int *a, int n, int q)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        if (threadIdx.x == 0) {
            at += 4;
            a[at] = 1;
        }
}

// CHECK: kernel b_more_on_one_way violated
CONTRACT __global__ void b_more_on_one_way(tc_mut tc_shape(B, 2 * 1024) int *a, int n, int q)
{
    int at = 0;
    for (int i = 0; i < n; i++) {
        a[threadIdx.x * 2 * 1024 + at] = 1;
        if (q > 3)
            at += 3;
        else
            at += threadIdx.x < 7 ? 1 : 0;
    }
}

// Not in each iteration.
// CHECK: kernel b_from_the_third_on violated
CONTRACT __global__ void b_from_the_third_on(tc_mut tc_shape(1024) int *a, int n, int q)
{
    int at = 1025;
    for (int i = 0; i < n; i++)
        if (i >= 2) {
            at -= 1;
            if (threadIdx.x == 0)
                a[at] = 1;
        }
}

// The condition changes.
// CHECK: kernel b_turns_off violated
CONTRACT __global__ void b_turns_off(tc_mut tc_shape(1024) int *a, int n, int q)
{
    int at = 0, on = 0;
    for (int i = 0; i < n; i++) {
        if (on)
            at += 1;
        if (i == q)
            on = 1;
        if (threadIdx.x == 0)
            a[at - (i > q ? i - q + 1 : 0)] = 1;
    }
}
