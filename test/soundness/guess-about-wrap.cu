// A guessed invariant about an operation of the iteration is no help in showing that this very operation does not wrap: what it says of the
// machine's value (244 for t = 0) is not true of the mathematical one (-12).
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel remainders {{violated|unknown}}
tc_block(4) tc_grid(1) tc_requires(b >= -3 && b <= 12)
__global__ void remainders(tc_mut tc_shape(65533) float *y, unsigned char a, short b)
{
    int t = threadIdx.x;
    unsigned char l = t - 12;
    long long v = b;
    for (; l != t; l++) {
        short k = b;
        for (; k > 0; k--) {
            v %= 5;
            if (b - v < (short)5)
                y[0] = 1;
        }
    }
    y[(unsigned short)(a - 3)] = 1; // 65533 for a = 0
}

// CHECK: kernel two_stores {{violated|unknown}}
tc_block(4) tc_grid(1) tc_requires(b >= -3 && b <= 12)
__global__ void two_stores(tc_mut tc_shape(65533) float *y, unsigned char a, short b)
{
    int t = threadIdx.x;
    unsigned char l = t - 12;
    long long v = b;
    for (; l != t; l++) {
        short k = b;
        for (; k > 0; k--) {
            v %= 5;
            y[l] = 1;
            if (b - v < (short)5)
                y[v] = 1;
        }
    }
    y[(unsigned short)(a - 3)] = 1;
}

// The same with a declared one: x + 1 is INT_MIN for the largest x, and below 100.
// CHECK: kernel declared {{violated|unknown}}
tc_block(1) tc_grid(1)
__global__ void declared(tc_mut tc_shape(100) float *y, int x, int n)
{
    for (int i = 0; i < n; i++) {
        tc_invariant(x + 1 < 100);
        if (x >= 0)
            y[x] = 1;
    }
}
