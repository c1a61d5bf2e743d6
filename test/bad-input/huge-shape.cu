// Shapes at the end of the 64-bit range and beyond: an answer, whatever it is, and no crash.
// RUN: %exits 0,2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

tc_block(64) tc_grid(1)
__global__ void two_to_63(tc_mut tc_shape(1ull << 63) char *out) { out[threadIdx.x] = 0; }

tc_block(64) tc_grid(1)
__global__ void product(tc_mut tc_shape(9223372036854775807, 9223372036854775807) float *out) { out[threadIdx.x] = 0; }

tc_block(64) tc_grid(1)
__global__ void minus_two_to_63(tc_mut tc_shape(-9223372036854775807 - 1) float *out) { out[threadIdx.x] = 0; }

tc_block(64) tc_grid(1)
__global__ void of_a_parameter(tc_mut tc_shape(n, n, n, n) float *out, unsigned long long n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0;
}

// CHECK: tilecheck: 4 kernels
// VERDICT-NOT: kernel minus_two_to_63 proved
