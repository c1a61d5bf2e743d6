// A loop that starts at a sum: its readings are of the sum, whether or not the sum wraps.
// RUN: %exits 2 %tilecheck %s
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

#define SEGMENTS(most)                                                                                                 \
    tc_mut tc_shape(blocks) tc_tile(1) float *out, tc_shared tc_shape(n) const float *x,                            \
        tc_shared tc_shape(blocks + 1) tc_range(0, most) tc_monotone const int *start, int n, int blocks

// CHECK: kernel from_sum proved
tc_block(64) tc_grid(blocks) tc_requires(0 <= n && n <= 1 << 30 && blocks <= 1 << 20)
__global__ void from_sum(SEGMENTS(n + 1))
{
    float s = 0;
    for (int k = start[blockIdx.x] + (int)threadIdx.x; k < start[blockIdx.x + 1]; k += 32)
        s += x[k];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s;
}

// The sum wraps: the first index is negative.
// CHECK: kernel from_sum_that_wraps violated
tc_block(64) tc_grid(blocks) tc_requires(0 <= n && n <= 1 << 30 && blocks <= 1 << 20)
__global__ void from_sum_that_wraps(SEGMENTS(2147483647))
{
    float s = 0;
    for (int k = start[blockIdx.x] + (int)threadIdx.x; k < n; k += 32)
        s += x[k];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s;
}

// The sum does not wrap, the step from the last index does.
// CHECK: kernel from_sum_step_wraps violated
tc_block(64) tc_grid(blocks) tc_requires(0 <= n && n <= 2147483647 - 64 && blocks <= 1 << 20)
__global__ void from_sum_step_wraps(SEGMENTS(n + 1))
{
    float s = 0;
    for (int k = start[blockIdx.x] + (int)threadIdx.x; k < start[blockIdx.x + 1]; k += 4096)
        s += x[k];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s;
}

// One iteration more than the condition allows.
// CHECK: kernel from_sum_read_ahead violated
tc_block(64) tc_grid(blocks) tc_requires(0 <= n && n <= 1 << 30 && blocks <= 1 << 20)
__global__ void from_sum_read_ahead(SEGMENTS(n + 1))
{
    float s = 0;
    for (int k = start[blockIdx.x] + (int)threadIdx.x; k < start[blockIdx.x + 1]; k += 32)
        s += x[k] + x[k + 1];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s;
}
