// Words stand before or after a declarator, on a kernel before __global__ or after the parameters, alone or through macros.
// RUN: %clang --cuda-device-only %s 2>&1 | FileCheck %s
#include <tilecheck.h>

#define THREADS 64
#define INPUT(extent) tc_shared tc_shape(extent)
#define LAUNCH tc_block(THREADS) tc_grid(tc_cdiv(n, THREADS))

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void before(tc_shared tc_shape(n) const float *in, tc_mut tc_shape(n) tc_tile(64) float *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

__global__ void after(const float *in tc_shared tc_shape(n), float *tc_mut tc_shape(n) tc_tile(64) out, int n)
    tc_block(64) tc_grid(tc_cdiv(n, 64));
__global__ void after(const float *in, float *out, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

LAUNCH __global__ void macros(INPUT(n) const float *in, tc_mut tc_shape(n) tc_tile(THREADS) float *out, int n)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ tc_block(64) tc_grid(tc_cdiv(n, 64)) void
between(tc_shared const float *tc_shape(n) in, float *out tc_mut tc_shape(n) tc_tile(64), int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

// CHECK-NOT: TC9001
// CHECK: tilecheck: 4 kernels: 4 proved
