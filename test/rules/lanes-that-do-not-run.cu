// A replay of some threads shows nothing behind a condition on values of the others, also where these went through memory.
// RUN: %verdicts %s --rules=TC2 | FileCheck %s
#include <tilecheck.h>
#define ALL 0xffffffffu

// The value is 7 in every lane.
// CHECK: kernel shuffled unknown
tc_block(64) __global__ void shuffled(tc_mut tc_shape(64) float *y)
{
    if (__shfl_xor_sync(ALL, 7, 1) == 0)
        y[100000] = 1;
}

// CHECK: kernel through_shared_memory unknown
tc_block(64) __global__ void through_shared_memory(tc_mut tc_shape(64) float *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = __shfl_xor_sync(ALL, 7, 1);
    if (s[threadIdx.x] == 0)
        y[100000] = 1;
}

// CHECK: kernel through_global_memory unknown
tc_block(64) tc_grid(1) __global__ void through_global_memory(tc_mut tc_shape(64) float *y, tc_mut tc_shape(64) int *z)
{
    z[threadIdx.x] = __shfl_xor_sync(ALL, 7, 1);
    if (z[threadIdx.x] == 0)
        y[100000] = 1;
}

struct two {
    int a, b;
};

// CHECK: kernel through_a_copy unknown
tc_block(64) tc_grid(1) __global__ void through_a_copy(tc_mut tc_shape(64) float *y, tc_mut tc_shape(64) two *z)
{
    two t = {__shfl_xor_sync(ALL, 7, 1), 1};
    z[threadIdx.x] = t;
    t = z[threadIdx.x];
    if (t.a == 0)
        y[100000] = 1;
}

// Whoever else runs, this happens.
// CHECK: kernel whatever_others_do violated
tc_block(64) __global__ void whatever_others_do(tc_mut tc_shape(64) float *y)
{
    float v = 0;
    if (__shfl_xor_sync(ALL, 7, 1) == 0)
        v = 1;
    y[100000] = v;
}
