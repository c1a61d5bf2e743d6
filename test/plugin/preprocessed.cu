// Attributes do not survive a preprocessor that runs without the plugin, as under -save-temps; that is not passed over.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang_plugin --cuda-device-only -S -save-temps %s -o out.s 2>&1 | FileCheck %s
// CHECK: warning: {{.*}}preprocessed{{.*}}[TC9002]
// CHECK: tilecheck: no kernel checked
#include <tilecheck.h>

tc_block(64) tc_grid(1)
__global__ void fill(tc_mut tc_shape(64) float *out) { out[threadIdx.x] = 0.0f; }
