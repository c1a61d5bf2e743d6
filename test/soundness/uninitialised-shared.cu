// An index from shared memory that nobody wrote.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
// CHECK: kernel bad_never {{violated|unknown}}
K bad_never(Y, int n) { __shared__ int s[32]; if (n > 1000000) y[s[threadIdx.x] & 31] = 1; }
