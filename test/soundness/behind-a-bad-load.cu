// What a load out of bounds gives is not known: no run shows what comes of it. Where the load stays inside, it is shown. The report says which
// elements the launch reads.
// RUN: not %clang --cuda-device-only -fplugin-arg-tilecheck-report=%t.json %s 2>&1 | FileCheck %s
// RUN: %python -c "import json; [print(k['name'], o['rule'], o['counterexample'].get('contents')) for k in json.load(open('%t.json'))['kernels'] for o in k['obligations'] if o['verdict'] == 'violated']" | FileCheck %s --check-prefix=REPORT
// RUN: %verdicts %s | FileCheck %s --check-prefix=KERNELS
#include <tilecheck.h>
#define K tc_block(32) tc_grid(k) tc_requires(k >= 1 && k <= 1 << 20) __global__ void

// KERNELS: kernel beyond violated
// REPORT: beyond TC2001
// REPORT-NOT: beyond
K beyond(tc_shared tc_shape(k) const int *off, tc_mut tc_shape(k) float *y, int k)
{
    // CHECK: behind-a-bad-load.cu:[[#@LINE+1]]:{{.*}} error: out of bounds
    if (threadIdx.x == 0 && off[k] == 0)
        y[0] = 1.0f;
    // CHECK-NOT: error: regions of two blocks overlap
}

// KERNELS: kernel last violated
// REPORT: last TC1001 {'off[{{[0-9]+}}]': 0}
K last(tc_shared tc_shape(k) const int *off, tc_mut tc_shape(k) float *y, int k)
{
    if (threadIdx.x == 0 && off[k - 1] == 0)
        // CHECK: behind-a-bad-load.cu:[[#@LINE+1]]:{{.*}} error: regions of two blocks overlap
        y[0] = 1.0f;
}
