// Signed overflow is undefined also where a mask keeps the low bits; unsigned wrapping below a mask is fine.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
// CHECK: kernel bad_product {{violated|unknown}}
K bad_product(Y, unsigned short a, unsigned short b) { int p = a * b; y[p & 31] = 1; }
// CHECK: kernel bad_negate {{violated|unknown}}
K bad_negate(Y, int a) { a = -a; a = -a; y[a & 31] = 1; }
// CHECK: kernel good_product proved
K good_product(Y, unsigned short a, unsigned short b) { unsigned p = (unsigned)a * b; y[p & 31] = 1; }
