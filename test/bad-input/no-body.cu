// A kernel that is only declared is somebody else's to check: no crash, and not counted.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void elsewhere(tc_mut tc_shape(n) tc_tile(64) float *out, int n);

// CHECK: no kernel checked
