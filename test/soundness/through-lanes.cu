// What decides is asked about also where it came through another lane, a vote, the whole block or inline PTX. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define ALL 0xffffffffu

// ---- an overflow ----

// CHECK: kernel shuffled proved
tc_block(32) tc_grid(1) tc_requires(a <= 1000 && b <= 1000 && a >= 0 && b >= 0)
__global__ void shuffled(tc_mut tc_shape(32) float *y, int a, int b)
{
    if (__shfl_sync(ALL, a * b, 0) > 3)
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_shuffled {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_shuffled(tc_mut tc_shape(32) float *y, int a, int b)
{
    if (__shfl_sync(ALL, a * b, 0) > 3)
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_voted {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_voted(tc_mut tc_shape(32) float *y, int a, int b)
{
    if (__any_sync(ALL, a * b > 3))
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_reduced {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_reduced(tc_mut tc_shape(32) float *y, int a, int b)
{
    if (__syncthreads_or(a * b > 3))
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_in_ptx {{unknown|violated}}
tc_block(32) tc_grid(1) __global__ void b_in_ptx(tc_mut tc_shape(32) float *y, int a, int b)
{
    int v;
    asm("xor.b32 %0, %1, 5;" : "=r"(v) : "r"(a * b));
    if (v > 3)
        y[threadIdx.x] = 1;
}

// CHECK: kernel only_data proved
tc_block(32) tc_grid(1) __global__ void only_data(tc_mut tc_shape(32) int *y, int a, int b)
{
    y[threadIdx.x] = __shfl_sync(ALL, a * b, 0);
}

// ---- shared memory that was not written: only in launches that nobody runs ----

// CHECK: kernel filled proved
tc_block(32) tc_grid(1) __global__ void filled(tc_mut tc_shape(32) float *y, tc_shared tc_shape(32) const int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (__shfl_sync(ALL, s[threadIdx.x], 0) > 3)
        y[threadIdx.x] = 1;
}

#define HOLE                                                                                                           \
    __shared__ int s[64];                                                                                              \
    s[threadIdx.x] = p[threadIdx.x];                                                                                   \
    if (n == 1234567)                                                                                                  \
        s[threadIdx.x + 32] = 0;                                                                                       \
    __syncthreads();                                                                                                   \
    const int v = n == 12345678 ? s[threadIdx.x + 32] : 0;

// CHECK: kernel b_hole_shuffled unknown
tc_block(32) tc_grid(1) __global__ void b_hole_shuffled(tc_mut tc_shape(32) float *y, tc_shared tc_shape(32) const int *p, int n)
{
    HOLE
    if (__shfl_sync(ALL, v, 0) > 3)
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_hole_twice unknown
tc_block(32) tc_grid(1) __global__ void b_hole_twice(tc_mut tc_shape(32) float *y, tc_shared tc_shape(32) const int *p, int n)
{
    HOLE
    const int w = __shfl_xor_sync(ALL, __shfl_sync(ALL, v, 0) * 2, 1);
    if (w > 3)
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_hole_voted unknown
tc_block(32) tc_grid(1) __global__ void b_hole_voted(tc_mut tc_shape(32) float *y, tc_shared tc_shape(32) const int *p, int n)
{
    HOLE
    if (__ballot_sync(ALL, v) != 0)
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_hole_reduced unknown
tc_block(32) tc_grid(1) __global__ void b_hole_reduced(tc_mut tc_shape(32) float *y, tc_shared tc_shape(32) const int *p, int n)
{
    HOLE
    if (__syncthreads_or(v))
        y[threadIdx.x] = 1;
}

// CHECK: kernel b_hole_in_ptx unknown
tc_block(32) tc_grid(1) __global__ void b_hole_in_ptx(tc_mut tc_shape(32) float *y, tc_shared tc_shape(32) const int *p, int n)
{
    HOLE
    int w;
    asm("xor.b32 %0, %1, 5;" : "=r"(w) : "r"(v));
    if (w > 9)
        y[threadIdx.x] = 1;
}
