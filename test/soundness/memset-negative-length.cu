// A length that wraps below zero is out of bounds at once.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
// CHECK: kernel k {{violated|unknown}}
tc_block(32) tc_grid(1) __global__ void k(tc_mut tc_shape(32) float *y, int n) { if (n <= 31) memset(y + 1, 0, n * sizeof(float)); }
