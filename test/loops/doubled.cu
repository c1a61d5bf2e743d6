// Variables that are doubled in a loop that another variable counts. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define ONE tc_block(1) tc_grid(1) __global__ void

// CHECK: kernel product proved
ONE product(tc_mut tc_shape(1024) float *y)
{
    int s = 1;
    for (int i = 0; i < 10; i++) {
        y[s] = 1;
        s *= 2;
    }
}
// CHECK: kernel b_product violated
ONE b_product(tc_mut tc_shape(512) float *y)
{
    int s = 1;
    for (int i = 0; i < 10; i++) {
        y[s] = 1;
        s *= 2;
    }
}
// CHECK: kernel shift proved
ONE shift(tc_mut tc_shape(1024) float *y)
{
    unsigned s = 1;
    for (int i = 0; i < 10; i++) {
        y[s] = 1;
        s <<= 1;
    }
}
// CHECK: kernel b_shift violated
ONE b_shift(tc_mut tc_shape(1024) float *y)
{
    unsigned s = 1;
    for (int i = 0; i <= 10; i++) {
        y[s] = 1;
        s <<= 1;
    }
}
// CHECK: kernel sum proved
ONE sum(tc_mut tc_shape(1024) float *y)
{
    int s = 1;
    for (int i = 9; i >= 0; i--) {
        y[s] = 1;
        s += s;
    }
}
// CHECK: kernel b_sum violated
ONE b_sum(tc_mut tc_shape(1024) float *y)
{
    int s = 1;
    for (int i = 9; i >= 0; i--) {
        s += s;
        y[s] = 1;
    }
}
// CHECK: kernel behind proved
ONE behind(tc_mut tc_shape(1024) float *y)
{
    int s = 1;
    for (int i = 0; i < 10; i++) {
        y[s - 1] = 1;
        s = 2 * s;
    }
    y[s - 1] = 1;
}
// CHECK: kernel b_behind violated
ONE b_behind(tc_mut tc_shape(1024) float *y)
{
    int s = 1;
    for (int i = 0; i < 10; i++) {
        y[s - 1] = 1;
        s = 2 * s;
    }
    y[s] = 1;
}
// CHECK: kernel by_four proved
ONE by_four(tc_mut tc_shape(257 * 3) float *y)
{
    int s = 3;
    for (int i = 1; i < 11; i += 2) {
        y[s] = 1;
        s <<= 2;
    }
}
// CHECK: kernel b_by_four violated
ONE b_by_four(tc_mut tc_shape(256 * 3) float *y)
{
    int s = 3;
    for (int i = 1; i < 11; i += 2) {
        y[s] = 1;
        s <<= 2;
    }
}
// CHECK: kernel of_the_launch proved
tc_requires(n <= 10) ONE of_the_launch(tc_mut tc_shape(1024) float *y, int n)
{
    int s = 1;
    for (int i = 0; i < n; i++) {
        y[s] = 1;
        s *= 2;
    }
}
// CHECK: kernel b_of_the_launch violated
tc_requires(n <= 11) ONE b_of_the_launch(tc_mut tc_shape(1024) float *y, int n)
{
    int s = 1;
    for (int i = 0; i < n; i++) {
        y[s] = 1;
        s *= 2;
    }
}
// Not in each iteration: smaller than the power, and twice at one place.
// CHECK: kernel b_sometimes {{violated|unknown}}
tc_block(32) tc_grid(1) __global__ void b_sometimes(tc_mut tc_shape(1024) float *y)
{
    int s = 1;
    for (int i = 0; i < 5; i++) {
        if (threadIdx.x == s / 2)
            y[s - 1] = 1;
        __syncthreads();
        if (i != 2)
            s *= 2;
    }
    if (s != 32)
        y[1024] = 1;
}
// Once too often for the type: zero from there on.
// CHECK: kernel b_wraps {{violated|unknown}}
ONE b_wraps(tc_mut tc_shape(1024) float *y)
{
    unsigned s = 1;
    for (int i = 0; i < 33; i++)
        s *= 2;
    if (s == 0)
        y[1024] = 1;
}

// The product leaves the range before the loop ends, which ends only for that. Of 64 bits the two readings of the variable have ends
// that are one word.
// CHECK: kernel b_until_none_is_left unknown
tc_block(4) tc_grid(1) __global__ void b_until_none_is_left(tc_mut tc_shape(4) float *y)
{
    unsigned long long left = threadIdx.x;
    for (; left;)
        left *= 2;
    if (threadIdx.x == 0)
        y[0] = 1;
}
// CHECK: kernel b_of_32_bits unknown
tc_block(4) tc_grid(1) __global__ void b_of_32_bits(tc_mut tc_shape(4) float *y)
{
    unsigned left = threadIdx.x;
    for (; left;)
        left *= 2;
    if (threadIdx.x == 0)
        y[0] = 1;
}
