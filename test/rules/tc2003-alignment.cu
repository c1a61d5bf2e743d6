// TC2003: vector accesses are aligned to their width.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel broken violated
tc_block(64) tc_grid(1)
__global__ void broken(tc_shared tc_shape(260) tc_align(16) const float *x, tc_mut tc_shape(64) float *y)
{
    // CHECK: tc2003-alignment.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2003]
    const float4 v = *reinterpret_cast<const float4 *>(x + 4 * threadIdx.x + 1);
    y[threadIdx.x] = v.x + v.w;
}

// VERDICT: kernel repaired proved
tc_block(64) tc_grid(1)
__global__ void repaired(tc_shared tc_shape(260) tc_align(16) const float *x, tc_mut tc_shape(64) float *y)
{
    const float4 v = *reinterpret_cast<const float4 *>(x + 4 * threadIdx.x + 4);
    y[threadIdx.x] = v.x + v.w;
}

// Nothing is said of the pointer's alignment: a condition on the launch.
// VERDICT: kernel not_declared proved-if
// CHECK: note: the address of 'x' is a multiple of 16
tc_block(64) tc_grid(1)
__global__ void not_declared(tc_shared tc_shape(260) const float *x, tc_mut tc_shape(64) float *y)
{
    const float4 v = *reinterpret_cast<const float4 *>(x + 4 * threadIdx.x);
    y[threadIdx.x] = v.x + v.w;
}
