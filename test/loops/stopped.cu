// An index that is moved only while it is in bounds. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define K tc_block(128) tc_grid(tc_cdiv(n, 512)) tc_requires(n >= 1 && n <= 1 << 30) __global__ void
#define Y tc_mut tc_shape(n) float *y
#define X tc_shared tc_shape(n) const float *x

// CHECK: kernel elementwise proved
K elementwise(Y, X, int n)
{
    int i = 512 * blockIdx.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (i < n) {
            y[i] = 2 * x[i];
            i += 128;
        }
    }
}

// CHECK: kernel by_block_size proved
K by_block_size(Y, X, int n)
{
    int i = 4 * blockDim.x * blockIdx.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (i < n) {
            y[i] = 2 * x[i];
            i += blockDim.x;
        }
    }
}

// CHECK: kernel downwards proved
K downwards(Y, X, int n)
{
    int i = n - 1 - 512 * blockIdx.x - threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (i >= 0) {
            y[i] = 2 * x[i];
            i -= 128;
        }
    }
}

// CHECK: kernel b_short_step violated
K b_short_step(Y, X, int n)
{
    int i = 512 * blockIdx.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (i < n) {
            y[i] = 2 * x[i];
            i += 64;
        }
    }
}

// CHECK: kernel b_five {{violated|unknown}}
K b_five(Y, X, int n)
{
    int i = 512 * blockIdx.x + threadIdx.x;
    for (int k = 0; k < 5; k++) {
        if (i < n) {
            y[i] = 2 * x[i];
            i += 128;
        }
    }
}

// CHECK: kernel b_goes_on_later {{violated|unknown}}
K b_goes_on_later(Y, X, int n)
{
    int i = 512 * blockIdx.x + threadIdx.x;
    for (int k = 0; k < 8; k++) {
        if (i < n && x[k < n ? k : 0] > 0) {
            y[i] = 2 * x[i];
            i += 128;
        }
    }
}

// CHECK: kernel b_outside violated
K b_outside(Y, X, int n)
{
    int i = 512 * blockIdx.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        y[i] = 2;
        if (i < n)
            i += 128;
    }
}
