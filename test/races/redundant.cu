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

// Of two barriers of a warp, one: reads and writes of an iteration are apart, and the other barrier stands before the next one.
// CHECK: redundant.cu:[[#@LINE+10]]:9: remark: 'tail' is proved without this barrier too
tc_block(B) tc_grid(1) __global__ void tail(tc_mut tc_shape(1) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    s[threadIdx.x] = x[threadIdx.x];
    for (int k = B / 2; k > 0; k >>= 1) {
        __syncwarp();
        float v = 0;
        if (threadIdx.x < k)
            v = s[threadIdx.x] + s[threadIdx.x + k];
        __syncwarp();
        if (threadIdx.x < k)
            s[threadIdx.x] = v;
    }
    if (threadIdx.x == 0)
        y[0] = s[0];
}

// Behind a wait for all copies none is pending.
// CHECK: redundant.cu:[[#@LINE+8]]:5: remark: 'waits_twice' is proved without this wait too
// CHECK: redundant.cu:[[#@LINE+8]]:5: remark: 'waits_twice' is proved without this wait too
tc_block(B) tc_grid(1) __global__ void waits_twice(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    unsigned a = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a), "l"(&x[threadIdx.x]) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}
