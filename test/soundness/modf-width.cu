// modf writes a double.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
// CHECK: kernel bad {{violated|unknown}}
tc_block(32) tc_grid(1) __global__ void bad(tc_mut tc_shape(33) tc_align(8) float *y, double d) { modf(d, (double *)(y + 32)); }
