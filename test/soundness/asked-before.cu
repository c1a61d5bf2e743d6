// Kernels that ask the same questions but for what a value can be, or for a number: what is known of the first is no answer for the others.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

template <class T, int ROWS> tc_block(32) tc_grid(1) tc_requires(n <= 1000000)
__global__ void row_of(tc_mut tc_shape(ROWS * n) float *rows, T row, int n)
{
    const size_t at = (size_t)row * n + threadIdx.x;
    if (threadIdx.x < n && at != 7)
        rows[at] = 1.0f;
}

// CHECK: kernel row_of<unsigned char, 256> proved
template __global__ void row_of<unsigned char, 256>(float *, unsigned char, int);
// CHECK: kernel row_of<unsigned short, 256> violated
template __global__ void row_of<unsigned short, 256>(float *, unsigned short, int);
// CHECK: kernel row_of<unsigned char, 255> violated
template __global__ void row_of<unsigned char, 255>(float *, unsigned char, int);
// CHECK: kernel row_of<unsigned short, 65536> proved
template __global__ void row_of<unsigned short, 65536>(float *, unsigned short, int);
