// The words of a report are those of the operation that goes wrong, and of the part of the contract.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s --implicit-check-not='before the product' --implicit-check-not='other access'
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel sum_as_int violated
tc_block(128) tc_grid(1)
__global__ void sum_as_int(tc_mut tc_shape(128) float *y, int n)
{
    // CHECK: [[@LINE+2]]:{{[0-9]+}}: error: {{.*}}the result of the unsigned addition is too large for the signed type{{.*}}[TC2002]
    // CHECK: note: compute in 64 bits before the addition
    const int end = n + blockDim.x;
    if (end > 0)
        y[threadIdx.x] = 0;
}

// VERDICT: kernel sum_as_int_bounded proved
tc_block(128) tc_grid(1) tc_requires(n <= 1 << 30)
__global__ void sum_as_int_bounded(tc_mut tc_shape(128) float *y, int n)
{
    const int end = n + blockDim.x;
    if (end > 0)
        y[threadIdx.x] = 0;
}

// VERDICT: kernel rows_meet violated
tc_block(32) tc_grid(1) tc_requires(ld >= 1 && ld <= 64)
// CHECK: [[@LINE+1]]:{{[0-9]+}}: error: the contract is not one-to-one: two elements of 'a' are at place {{[0-9]+}} by its strides [TC1005]
__global__ void rows_meet(tc_shared tc_shape(4, 32) tc_stride(ld, 1) const float *a, tc_mut tc_shape(32) float *y, int ld)
{
    y[threadIdx.x] = a[threadIdx.x];
}

// VERDICT: kernel rows_are_apart proved
tc_block(32) tc_grid(1) tc_requires(ld >= 32 && ld <= 64)
__global__ void rows_are_apart(tc_shared tc_shape(4, 32) tc_stride(ld, 1) const float *a, tc_mut tc_shape(32) float *y, int ld)
{
    y[threadIdx.x] = a[threadIdx.x];
}
