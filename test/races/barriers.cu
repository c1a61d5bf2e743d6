// Barriers in loops, branches and both: which pairs of accesses they order. b_: near misses.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <tilecheck.h>
#define B 32

// CHECK: kernel tile_loop proved
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 64)
__global__ void tile_loop(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[threadIdx.x] = x[k * B + threadIdx.x];
        __syncthreads();
        a += s[B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel b_tile_first violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 64)
__global__ void b_tile_first(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[threadIdx.x] = x[k * B + threadIdx.x];
        a += s[B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel b_tile_second violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 64)
__global__ void b_tile_second(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[threadIdx.x] = x[k * B + threadIdx.x];
        __syncthreads();
        a += s[B - 1 - threadIdx.x];
    }
    y[threadIdx.x] = a;
}

// One barrier an iteration is enough for two buffers in turn.
// CHECK: kernel two_buffers proved
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 64)
__global__ void two_buffers(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[2][B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[k & 1][threadIdx.x] = x[k * B + threadIdx.x];
        __syncthreads();
        a += s[k & 1][B - 1 - threadIdx.x];
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel b_two_buffers violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 64)
__global__ void b_two_buffers(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[2][B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[k / 2 & 1][threadIdx.x] = x[k * B + threadIdx.x];
        __syncthreads();
        a += s[k / 2 & 1][B - 1 - threadIdx.x];
    }
    y[threadIdx.x] = a;
}

// Read ahead: the next tile is written while this one is read, into the other buffer.
// CHECK: kernel ahead proved
tc_block(B) tc_grid(1) tc_requires(m >= 1 && m <= 64)
__global__ void ahead(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[2][B];
    float a = 0;
    s[0][threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int k = 0; k < m; k++) {
        if (k + 1 < m)
            s[(k + 1) & 1][threadIdx.x] = x[(k + 1) * B + threadIdx.x];
        a += s[k & 1][B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel b_ahead violated
tc_block(B) tc_grid(1) tc_requires(m >= 1 && m <= 64)
__global__ void b_ahead(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[2][B];
    float a = 0;
    s[0][threadIdx.x] = x[threadIdx.x];
    for (int k = 0; k < m; k++) {
        if (k + 1 < m)
            s[(k + 1) & 1][threadIdx.x] = x[(k + 1) * B + threadIdx.x];
        a += s[k & 1][B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel tree proved
tc_block(B) tc_grid(1)
__global__ void tree(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    for (int d = B / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    y[threadIdx.x] = s[0];
}

// CHECK: kernel b_tree_inclusive violated
tc_block(B) tc_grid(1)
__global__ void b_tree_inclusive(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B + 1];
    s[threadIdx.x] = y[threadIdx.x];
    s[B] = 0;
    __syncthreads();
    for (int d = B / 2; d > 0; d >>= 1) {
        if (threadIdx.x <= d && threadIdx.x + d < B)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    y[threadIdx.x] = s[0];
}

// CHECK: kernel b_tree_divergent violated
tc_block(B) tc_grid(1)
__global__ void b_tree_divergent(tc_mut tc_shape(B) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    for (int d = B / 2; d > 0; d >>= 1)
        if (threadIdx.x < d) {
            s[threadIdx.x] += s[threadIdx.x + d];
            __syncthreads();
        }
    y[threadIdx.x] = s[0];
}

// A barrier in a branch that all threads take, or none; the accesses around it in the same branch.
// CHECK: kernel in_branch proved
tc_block(B) tc_grid(2)
__global__ void in_branch(tc_mut tc_shape(2, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    if (blockIdx.x == 0) {
        __syncthreads();
        y[threadIdx.x] = s[B - 1 - threadIdx.x];
    } else {
        y[B + threadIdx.x] = s[threadIdx.x];
    }
}

// CHECK: kernel b_in_branch violated
tc_block(B) tc_grid(2)
__global__ void b_in_branch(tc_mut tc_shape(2, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    if (blockIdx.x == 0)
        __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = s[B - 1 - threadIdx.x];
}

// Two branches, a barrier in each, of which every thread takes the same.
// CHECK: kernel either proved
tc_block(B) tc_grid(2)
__global__ void either(tc_mut tc_shape(2, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    if (blockIdx.x == 0)
        __syncthreads();
    else
        __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_either violated
tc_block(B) tc_grid(2)
__global__ void b_either(tc_mut tc_shape(2, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_every_other violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16)
__global__ void b_every_other(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        s[threadIdx.x] = k;
        if (k % 2 == 0)
            __syncthreads();
        a += s[B - 1 - threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// An inner loop with a barrier that runs at least once, and one that may not run.
// CHECK: kernel inner_once proved
tc_block(B) tc_grid(1) tc_requires(m >= 1 && m <= 16)
__global__ void inner_once(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    for (int k = 0; k < m; k++)
        __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_inner_never violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16)
__global__ void b_inner_never(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    for (int k = 0; k < m; k++)
        __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// The last write of the loop, and what stands behind it.
// CHECK: kernel b_after_loop violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16)
__global__ void b_after_loop(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    for (int k = 0; k < m; k++) {
        __syncthreads();
        s[threadIdx.x] = k;
    }
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel after_loop proved
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16)
__global__ void after_loop(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    for (int k = 0; k < m; k++) {
        s[threadIdx.x] = k;
        __syncthreads();
    }
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// A way around the barrier: continue, break.
// CHECK: kernel b_continue violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16)
__global__ void b_continue(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    float a = 0;
    for (int k = 0; k < m; k++) {
        a += s[B - 1 - threadIdx.x];
        __syncthreads();
        s[threadIdx.x] = k;
        if (k == 3)
            continue;
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel b_break violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16)
__global__ void b_break(tc_mut tc_shape(B) float *y, int m)
{
    __shared__ float s[B];
    for (int k = 0; k < m; k++) {
        s[threadIdx.x] = k;
        if (k == 5)
            break;
        __syncthreads();
    }
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel nested proved
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16 && n >= 0 && n <= 16)
__global__ void nested(tc_mut tc_shape(B) float *y, int m, int n)
{
    __shared__ float s[B];
    float a = 0;
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < n; k++) {
            s[threadIdx.x] = k + i;
            __syncthreads();
            a += s[B - 1 - threadIdx.x];
            __syncthreads();
        }
        s[threadIdx.x] = i;
        __syncthreads();
        a += s[(threadIdx.x + 1) % B];
        __syncthreads();
    }
    y[threadIdx.x] = a;
}

// From the end of the inner loop to its next beginning: only the barrier of the outer loop is between.
// CHECK: kernel b_nested violated
tc_block(B) tc_grid(1) tc_requires(m >= 0 && m <= 16 && n >= 0 && n <= 16)
__global__ void b_nested(tc_mut tc_shape(B) float *y, int m, int n)
{
    __shared__ float s[B];
    float a = 0;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            if (k > 0)
                __syncthreads();
            s[threadIdx.x] = k + i;
            __syncthreads();
            a += s[B - 1 - threadIdx.x];
        }
    y[threadIdx.x] = a;
}

// One access with two places: the second, in an earlier iteration, meets the first in a later one.
// CHECK: kernel b_sides violated
tc_block(2) tc_grid(1) tc_requires(n >= 2 && n <= 30)
__global__ void b_sides(tc_mut tc_shape(2) float *y, int n)
{
    __shared__ float s[32];
    for (int k = 0; k < n; k++)
        s[threadIdx.x == 0 ? k : k + 1] = k;
    y[threadIdx.x] = 0;
}
