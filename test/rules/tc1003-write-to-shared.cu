// TC1003: a shared parameter is written.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel broken violated
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void broken(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
        // CHECK: tc1003-write-to-shared.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'x'{{.*}}[TC1003]
        const_cast<float *>(x)[i] = 0.0f;
    }
}

// VERDICT: kernel repaired proved
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void repaired(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}

// Near miss: the write is there, and never happens.
// VERDICT: kernel never_reached proved
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void never_reached(tc_shared tc_shape(n) float *x, tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    y[i] = x[i];
    if (threadIdx.x > 63)
        x[i] = 0.0f;
}
