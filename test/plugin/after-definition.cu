// Words on a redeclaration behind the definition come too late, and Clang says so.
// RUN: not %clang --cuda-device-only %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_grid(1) __global__ void fill(tc_mut tc_shape(32) float *out) { out[threadIdx.x] = 0.0f; }
// CHECK: after-definition.cu:[[@LINE+1]]:1: warning: attribute declaration must precede definition
tc_block(32) __global__ void fill(float *out);
// CHECK: after-definition.cu:5:{{[0-9]+}}: error: {{.*}}[TC2001]
