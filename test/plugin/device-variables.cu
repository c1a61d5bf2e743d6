// Words on variables of the device.
// RUN: not %clang --cuda-device-only %s 2>&1 | FileCheck %s
#include <tilecheck.h>

__constant__ tc_shared tc_range(0, 64) int order[64];
__device__ tc_mut tc_shape(64) float result[64];

tc_block(64) tc_grid(1)
__global__ void gather(tc_shared tc_shape(64) const float *in) { result[threadIdx.x] = in[order[threadIdx.x]]; }

tc_block(64) tc_grid(1)
__global__ void past_end(tc_shared tc_shape(64) const float *in)
{
    // CHECK: device-variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
    result[threadIdx.x + 1] = in[order[threadIdx.x]];
}
// CHECK: tilecheck: 2 kernels
