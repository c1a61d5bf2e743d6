// Clang runs for the host and for each architecture; a finding is shown once, and there is one summary.
// RUN: rm -f %t.json
// RUN: not %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_100 -fplugin-arg-tilecheck-report=%t.json %s 2> %t.err
// RUN: grep -c 'error: .*\[TC' %t.err | FileCheck %s --check-prefix=ERRORS
// RUN: grep -c '^tilecheck: ' %t.err | FileCheck %s --check-prefix=SUMMARIES
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// ERRORS: {{^1$}}
// SUMMARIES: {{^1$}}
// REPORT: "past_end"
#include <tilecheck.h>

tc_block(64) tc_grid(1)
__global__ void past_end(tc_mut tc_shape(64) float *out) { out[threadIdx.x + 1] = 0.0f; }
