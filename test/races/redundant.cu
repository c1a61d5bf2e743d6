// Barriers that no proof needs are told, each by itself; those that one needs are not.
// RUN: %tilecheck --standin --report=%t.json %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT: "redundant_barriers": [14, 15]
#include <tilecheck.h>
#define B 32

// CHECK: redundant.cu:[[#@LINE+6]]:5: remark: 'twice' is proved without this barrier too
// CHECK: redundant.cu:[[#@LINE+6]]:5: remark: 'twice' is proved without this barrier too
tc_block(B) tc_grid(1) __global__ void twice(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    __syncthreads();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: redundant.cu:[[#@LINE+9]]:9: remark: 'at_the_end' is proved without this barrier too
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m < 100) __global__ void at_the_end(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[2][B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[k & 1][threadIdx.x] = k;
        __syncthreads();
        a += s[k & 1][B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// CHECK-NOT: without this barrier
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m < 100) __global__ void needed(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[threadIdx.x] = k;
        __syncthreads();
        a += s[B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// A barrier whose value is used stays.
tc_block(B) tc_grid(1) __global__ void counted(tc_mut tc_shape(B) int *y)
{
    y[threadIdx.x] = __syncthreads_count(threadIdx.x < 5);
}
