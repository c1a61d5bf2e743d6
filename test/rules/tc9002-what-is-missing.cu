// TC9002: what could not be decided says which attribute would unlock it.
// RUN: %exits 0,2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
// RUN: %exits 2 %tilecheck --unknown=error %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %exits 0 %tilecheck --unknown=ignore %s 2>&1 | FileCheck %s --check-prefix=SILENT
#include <tilecheck.h>

// VERDICT: kernel no_shape unknown
tc_block(64) tc_grid(1)
__global__ void no_shape(tc_mut float *y)
{
    // CHECK: tc9002-what-is-missing.cu:[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}'y'{{.*}}tc_shape{{.*}}[TC9002]
    // ERROR: tc9002-what-is-missing.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}tc_shape
    y[threadIdx.x] = 1.0f;
}
// SILENT-NOT: TC9002
// SILENT: 1 unknown
