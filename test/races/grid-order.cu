// Barriers of the whole grid: which accesses of two blocks they order. b_: near misses.
// RUN: %verdicts %s --standin --rules=TC1001,TC1002,TC3 | FileCheck %s
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <tilecheck.h>
#define B 32
#define GRID cooperative_groups::this_grid()
#define LINE (blockIdx.x * B + threadIdx.x)
#define LAUNCH tc_block(B) tc_grid(n / B) tc_requires(n >= B && n <= 4096 && n % B == 0)

// ---- what one block writes and others read ----

// CHECK: kernel partial_sums proved
tc_block(B) tc_grid(n)
__global__ void partial_sums(tc_mut tc_shape(n) float *part, tc_mut tc_shape(n) float *y, int n)
{
    float a = 0;
    if (threadIdx.x == 0)
        part[blockIdx.x] = 1;
    GRID.sync();
    for (int i = threadIdx.x; i < n; i += B)
        a += part[i];
    if (threadIdx.x == 0)
        y[blockIdx.x] = a;
}

// CHECK: kernel b_barrier_of_the_block violated
tc_block(B) tc_grid(n)
__global__ void b_barrier_of_the_block(tc_mut tc_shape(n) float *part, tc_mut tc_shape(n) float *y, int n)
{
    float a = 0;
    if (threadIdx.x == 0)
        part[blockIdx.x] = 1;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += B)
        a += part[i];
    if (threadIdx.x == 0)
        y[blockIdx.x] = a;
}

// CHECK: kernel b_barrier_too_early violated
tc_block(B) tc_grid(n)
__global__ void b_barrier_too_early(tc_mut tc_shape(n) float *part, tc_mut tc_shape(n) float *y, int n)
{
    float a = 0;
    GRID.sync();
    if (threadIdx.x == 0)
        part[blockIdx.x] = 1;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += B)
        a += part[i];
    if (threadIdx.x == 0)
        y[blockIdx.x] = a;
}

// CHECK: kernel b_barrier_too_late violated
tc_block(B) tc_grid(n)
__global__ void b_barrier_too_late(tc_mut tc_shape(n) float *part, tc_mut tc_shape(n) float *y, int n)
{
    float a = 0;
    if (threadIdx.x == 0)
        part[blockIdx.x] = 1;
    for (int i = threadIdx.x; i < n; i += B)
        a += part[i];
    GRID.sync();
    if (threadIdx.x == 0)
        y[blockIdx.x] = a;
}

// The partial sums are used again: the next ones have to wait.
// CHECK: kernel used_twice proved
tc_block(B) tc_grid(n)
__global__ void used_twice(tc_mut tc_shape(n) float *part, tc_mut tc_shape(n) float *y, int n, int turns)
{
    float a = 0;
    for (int k = 0; k < turns; k++) {
        if (threadIdx.x == 0)
            part[blockIdx.x] = a;
        GRID.sync();
        for (int i = threadIdx.x; i < n; i += B)
            a += part[i];
        GRID.sync();
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = a;
}

// CHECK: kernel b_used_too_early violated
tc_block(B) tc_grid(n) tc_requires(n <= 64)
__global__ void b_used_too_early(tc_mut tc_shape(n) float *part, tc_mut tc_shape(n) float *y, int n, int turns)
{
    float a = 0;
    for (int k = 0; k < turns; k++) {
        if (threadIdx.x == 0)
            part[blockIdx.x] = a;
        GRID.sync();
        for (int i = threadIdx.x; i < n; i += B)
            a += part[i];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        y[blockIdx.x] = a;
}

// ---- other owners in another epoch ----

// CHECK: kernel mirrored proved
LAUNCH __global__ void mirrored(tc_mut tc_shape(n) float *y, int n)
{
    y[LINE] = 1;
    GRID.sync();
    y[n - 1 - LINE] += 1;
}

// CHECK: kernel b_mirrored violated
LAUNCH __global__ void b_mirrored(tc_mut tc_shape(n) float *y, int n)
{
    y[LINE] = 1;
    __syncthreads();
    y[n - 1 - LINE] += 1;
}

// In the second epoch two blocks write one element.
// CHECK: kernel b_second_epoch violated
LAUNCH __global__ void b_second_epoch(tc_mut tc_shape(n) float *y, int n)
{
    y[LINE] = 1;
    GRID.sync();
    y[LINE / 2] = 2;
}

// ---- iterated stencils ----

// CHECK: kernel in_place proved
LAUNCH __global__ void in_place(tc_mut tc_shape(n) float *a, int n, int steps)
{
    const int i = LINE;
    for (int k = 0; k < steps; k++) {
        float v = 0;
        if (0 < i && i < n - 1)
            v = a[i - 1] + a[i + 1];
        GRID.sync();
        if (0 < i && i < n - 1)
            a[i] = v;
        GRID.sync();
    }
}

// CHECK: kernel b_in_place_first violated
LAUNCH __global__ void b_in_place_first(tc_mut tc_shape(n) float *a, int n, int steps)
{
    const int i = LINE;
    for (int k = 0; k < steps; k++) {
        float v = 0;
        if (0 < i && i < n - 1)
            v = a[i - 1] + a[i + 1];
        __syncthreads();
        if (0 < i && i < n - 1)
            a[i] = v;
        GRID.sync();
    }
}

// CHECK: kernel b_in_place_second violated
LAUNCH __global__ void b_in_place_second(tc_mut tc_shape(n) float *a, int n, int steps)
{
    const int i = LINE;
    for (int k = 0; k < steps; k++) {
        float v = 0;
        if (0 < i && i < n - 1)
            v = a[i - 1] + a[i + 1];
        GRID.sync();
        if (0 < i && i < n - 1)
            a[i] = v;
        __syncthreads();
    }
}

// CHECK: kernel two_buffers proved
LAUNCH __global__ void two_buffers(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, int n, int steps)
{
    const int i = LINE;
    for (int k = 0; k < steps; k++) {
        const float *from = k % 2 ? b : a;
        float *to = k % 2 ? a : b;
        if (0 < i && i < n - 1)
            to[i] = from[i - 1] + from[i + 1];
        GRID.sync();
    }
}

// CHECK: kernel b_every_other_step violated
LAUNCH __global__ void b_every_other_step(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, int n, int steps)
{
    const int i = LINE;
    for (int k = 0; k < steps; k++) {
        const float *from = k % 2 ? b : a;
        float *to = k % 2 ? a : b;
        if (0 < i && i < n - 1)
            to[i] = from[i - 1] + from[i + 1];
        if (k % 2)
            GRID.sync();
    }
}

// Both steps of a pair, with one barrier.
// CHECK: kernel b_two_steps violated
LAUNCH __global__ void b_two_steps(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, int n, int steps)
{
    const int i = LINE;
    const bool inner = 0 < i && i < n - 1;
    for (int k = 0; k < steps; k++) {
        if (inner)
            b[i] = a[i - 1] + a[i + 1];
        GRID.sync();
        if (inner)
            a[i] = b[i - 1] + b[i + 1];
    }
}

// CHECK: kernel swapped proved
LAUNCH __global__ void swapped(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, int n, int steps)
{
    const int i = LINE;
    float *from = a, *to = b;
    for (int k = 0; k < steps; k++) {
        if (0 < i && i < n - 1)
            to[i] = from[i - 1] + from[i + 1];
        GRID.sync();
        float *t = from;
        from = to;
        to = t;
    }
}

// CHECK: kernel b_swapped_no_barrier violated
LAUNCH __global__ void b_swapped_no_barrier(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, int n, int steps)
{
    const int i = LINE;
    float *from = a, *to = b;
    for (int k = 0; k < steps; k++) {
        if (0 < i && i < n - 1)
            to[i] = from[i - 1] + from[i + 1];
        __syncthreads();
        float *t = from;
        from = to;
        to = t;
    }
}

// From the second step on both are one buffer.
// CHECK: kernel b_half_a_swap violated
LAUNCH __global__ void b_half_a_swap(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, int n, int steps)
{
    const int i = LINE;
    float *from = a, *to = b;
    for (int k = 0; k < steps; k++) {
        if (0 < i && i < n - 1)
            to[i] = from[i - 1] + from[i + 1];
        GRID.sync();
        from = to;
    }
}

// Neighbouring blocks swap at different times.
// CHECK: kernel b_own_swap {{unknown|violated}}
LAUNCH __global__ void b_own_swap(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, int n, int steps)
{
    const int i = LINE;
    float *from = a, *to = b;
    for (int k = 0; k < steps; k++) {
        if (0 < i && i < n - 1)
            to[i] = from[i - 1] + from[i + 1];
        GRID.sync();
        if ((k + blockIdx.x) % 2 == 0) {
            float *t = from;
            from = to;
            to = t;
        }
    }
}

// CHECK: kernel three_in_turn proved
LAUNCH __global__ void three_in_turn(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, tc_mut tc_shape(n) float *c, int n, int steps)
{
    const int i = LINE;
    float *x = a, *y = b, *z = c;
    for (int k = 0; k < steps; k++) {
        if (0 < i && i < n - 1)
            z[i] = y[i - 1] + y[i + 1] - x[i];
        GRID.sync();
        float *t = x;
        x = y;
        y = z;
        z = t;
    }
}

// The oldest of the three is written when neighbours may still read it.
// CHECK: kernel b_three_in_turn violated
LAUNCH __global__ void b_three_in_turn(tc_mut tc_shape(n) float *a, tc_mut tc_shape(n) float *b, tc_mut tc_shape(n) float *c, int n, int steps)
{
    const int i = LINE;
    float *x = a, *y = b, *z = c;
    for (int k = 0; k < steps; k++) {
        if (0 < i && i < n - 1)
            z[i] = y[i - 1] + x[i + 1];
        if (k % 2)
            GRID.sync();
        float *t = x;
        x = y;
        y = z;
        z = t;
    }
}

// A tree over the whole grid.
// CHECK: kernel tree proved
LAUNCH __global__ void tree(tc_mut tc_shape(n) float *a, int n)
{
    const int i = LINE;
    for (int s = n / 2; s > 0; s /= 2) {
        if (i < s)
            a[i] += a[i + s];
        GRID.sync();
    }
}

// CHECK: kernel b_tree violated
LAUNCH __global__ void b_tree(tc_mut tc_shape(n) float *a, int n)
{
    const int i = LINE;
    for (int s = n / 2; s > 0; s /= 2) {
        if (i < s)
            a[i] += a[i + s];
        __syncthreads();
    }
}

// ---- barriers that are perhaps not executed ----

// CHECK: kernel b_none_at_all violated
LAUNCH __global__ void b_none_at_all(tc_mut tc_shape(n) float *y, int n, int steps)
{
    y[LINE] = 1;
    for (int k = 0; k < steps; k++)
        GRID.sync();
    y[n - 1 - LINE] += 1;
}

// CHECK: kernel at_least_one proved
tc_block(B) tc_grid(n / B) tc_requires(n >= B && n <= 4096 && n % B == 0 && steps > 0)
__global__ void at_least_one(tc_mut tc_shape(n) float *y, int n, int steps)
{
    y[LINE] = 1;
    for (int k = 0; k < steps; k++)
        GRID.sync();
    y[n - 1 - LINE] += 1;
}

// CHECK: kernel b_if_asked violated
LAUNCH __global__ void b_if_asked(tc_mut tc_shape(n) float *y, int n, bool ordered)
{
    y[LINE] = 1;
    if (ordered)
        GRID.sync();
    y[n - 1 - LINE] += 1;
}

// CHECK: kernel both_if_asked proved
LAUNCH __global__ void both_if_asked(tc_mut tc_shape(n) float *y, int n, bool mirrored)
{
    y[LINE] = 1;
    if (mirrored)
        GRID.sync();
    if (mirrored)
        y[n - 1 - LINE] += 1;
}

// ---- asynchronous copies ----

// CHECK: kernel waited_for proved
LAUNCH __global__ void waited_for(tc_mut tc_shape(n) int *y, int n)
{
    __shared__ int s[B];
    __pipeline_memcpy_async(s + threadIdx.x, y + n - 1 - LINE, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    GRID.sync();
    y[LINE] = s[threadIdx.x];
}

// The copy may still read what another block writes.
// CHECK: kernel b_waited_for_too_late {{unknown|violated}}
LAUNCH __global__ void b_waited_for_too_late(tc_mut tc_shape(n) int *y, int n)
{
    __shared__ int s[B];
    __pipeline_memcpy_async(s + threadIdx.x, y + n - 1 - LINE, 4);
    __pipeline_commit();
    GRID.sync();
    y[LINE] = 1;
    __pipeline_wait_prior(0);
    y[LINE] = s[threadIdx.x];
}

// ---- one buffer under two names ----

// CHECK: kernel shifted proved
LAUNCH __global__ void shifted(tc_mut tc_shape(n) tc_inplace(x) float *y, tc_mut tc_shape(n) float *x, int n)
{
    const float v = x[n - 1 - LINE];
    GRID.sync();
    y[LINE] = v;
}

// CHECK: kernel b_shifted {{unknown|violated}}
LAUNCH __global__ void b_shifted(tc_mut tc_shape(n) tc_inplace(x) float *y, tc_mut tc_shape(n) float *x, int n)
{
    const float v = x[n - 1 - LINE];
    __syncthreads();
    y[LINE] = v;
}

// What is loaded under the one name is written under the other.
// CHECK: kernel b_until_other_name {{unknown|violated}}
LAUNCH __global__ void b_until_other_name(tc_mut tc_shape(n) tc_inplace(x) int *y, tc_mut tc_shape(n) int *x, int n)
{
    while (x[0] > 0) {
        GRID.sync();
        y[LINE] -= 1;
    }
}

// ---- no order ----

// The read-only cache knows no epochs.
// CHECK: kernel b_read_only_cache {{unknown|violated}}
LAUNCH __global__ void b_read_only_cache(tc_mut tc_shape(n) float *x, tc_mut tc_shape(n) float *y, int n)
{
    x[LINE] = 1;
    GRID.sync();
    y[LINE] = __ldg(x + n - 1 - LINE);
}
