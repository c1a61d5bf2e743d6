// A counter of which nothing says what it holds at launch: which words do, also where other things are unknown too.
// RUN: %exits 0 %tilecheck --nosearch %s 2>&1 | FileCheck %s
#include <tilecheck.h>
#define B 64

__device__ unsigned blocks_done = 0;
__device__ tc_atomic tc_init(0) unsigned told = 0;

__device__ void last_block(float *part, float *y, unsigned *count, int m)
{
    __shared__ bool last;
    part[blockIdx.x * B + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        __threadfence();
        for (int s = m; s > 0; s >>= 1)
            y[threadIdx.x] += part[(s - 1) * B + threadIdx.x];
    }
}

// CHECK: note: 'blocks_done' counts by atomics, line {{[0-9]+}}: tc_atomic tc_init(V) at its declaration
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1024)
__global__ void of_program(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y, int m) { last_block(part, y, &blocks_done, m); }

// CHECK: note: 'count' counts by atomics, line {{[0-9]+}}: tc_init(V) on it
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1024)
__global__ void of_launch(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y, tc_atomic tc_shape(1) unsigned *count, int m)
{
    last_block(part, y, count, m);
}

// CHECK-NOT: 'told' counts
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1024)
__global__ void with_words(tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y, int m) { last_block(part, y, &told, m); }
