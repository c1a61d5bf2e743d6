// A guard with no value on one path: LLVM takes the path on which it has one.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void broken(tc_mut tc_shape(n) tc_tile(64) float *out, tc_shared tc_shape(n) const float *in, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    bool wanted;
    if (in[i] > 0.0f)
        wanted = true;
    // CHECK: uninitialised-guard.cu:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}[TC2005]
    if (wanted)
        out[i] = in[i];
}

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(64) float *out, tc_shared tc_shape(n) const float *in, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    bool wanted = false;
    if (in[i] > 0.0f)
        wanted = true;
    if (wanted)
        out[i] = in[i];
}
// CHECK: 2 kernels: 1 proved, 1 violated
