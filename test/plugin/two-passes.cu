// The host's pass leaves the report and the summary of the device's alone.
// RUN: rm -f %t.json
// RUN: %clang -fplugin-arg-tilecheck-report=%t.json %s 2> %t.err
// RUN: grep -c '^tilecheck: ' %t.err | FileCheck %s --check-prefix=SUMMARIES
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// SUMMARIES: {{^1$}}
// REPORT: "fill"
//
// A compilation of the host's side alone says that nothing was checked.
// RUN: %clang --cuda-host-only %s 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: tilecheck: no kernel checked
#include <tilecheck.h>

tc_block(64) tc_grid(1)
__global__ void fill(tc_mut tc_shape(64) float *out) { out[threadIdx.x] = 0.0f; }
