// A pipeline of asynchronous copies whose first stages are filled in a loop. b_: near misses.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <cuda_pipeline.h>
#include <tilecheck.h>
#define STAGE(t) __pipeline_memcpy_async(s[(t) % ST] + 4 * threadIdx.x, x + 128 * (t) + 4 * threadIdx.x, 16)
#define K tc_block(32) tc_grid(1) tc_requires(n >= ST && n < 100) __global__ void
#define ARGS tc_shared tc_align(16) tc_shape(n, 128) const float *x, tc_mut tc_shape(n, 128) float *y, int n
#define READ for (int k = 0; k < 4; k++) y[t * 128 + threadIdx.x + 32 * k] = s[t % ST][threadIdx.x + 32 * k]

// CHECK: kernel pipeline<2> proved
// CHECK: kernel pipeline<4> proved
template <int ST> K pipeline(ARGS)
{
    __shared__ __align__(16) float s[ST][128];
    for (int t = 0; t < ST - 1; t++) {
        STAGE(t);
        __pipeline_commit();
    }
    for (int t = 0; t < n; t++) {
        __pipeline_wait_prior(ST - 2);
        __syncthreads();
        READ;
        if (t + ST - 1 < n)
            STAGE(t + ST - 1);
        __pipeline_commit();
    }
}
template __global__ void pipeline<2>(const float *, float *, int);
template __global__ void pipeline<4>(const float *, float *, int);

#define ST 3
// Two halves of a stage, in a loop of their own.
// CHECK: kernel nested proved
K nested(ARGS)
{
    __shared__ __align__(16) float s[ST][128];
    for (int t = 0; t < ST - 1; t++) {
        for (int h = 0; h < 2; h++)
            if (threadIdx.x / 16 == h)
                STAGE(t);
        __pipeline_commit();
    }
    for (int t = 0; t < n; t++) {
        __pipeline_wait_prior(ST - 2);
        __syncthreads();
        READ;
        if (t + ST - 1 < n)
            STAGE(t + ST - 1);
        __pipeline_commit();
    }
}

// CHECK: kernel b_one_more_pending {{violated|unknown}}
K b_one_more_pending(ARGS)
{
    __shared__ __align__(16) float s[ST][128];
    for (int t = 0; t < ST - 1; t++) {
        STAGE(t);
        __pipeline_commit();
    }
    for (int t = 0; t < n; t++) {
        __pipeline_wait_prior(ST - 1);
        __syncthreads();
        READ;
        if (t + ST - 1 < n)
            STAGE(t + ST - 1);
        __pipeline_commit();
    }
}

// All stages of the prologue are one group.
// CHECK: kernel b_one_group {{violated|unknown}}
K b_one_group(ARGS)
{
    __shared__ __align__(16) float s[ST][128];
    for (int t = 0; t < ST - 1; t++)
        STAGE(t);
    __pipeline_commit();
    for (int t = 0; t < n; t++) {
        __pipeline_wait_prior(ST - 2);
        __syncthreads();
        READ;
        if (t + ST - 1 < n)
            STAGE(t + ST - 1);
        __pipeline_commit();
    }
}

// A copy is in the group of the next iteration, and the last one in none before the loop.
// CHECK: kernel b_commit_before {{violated|unknown}}
K b_commit_before(ARGS)
{
    __shared__ __align__(16) float s[ST][128];
    for (int t = 0; t < ST - 1; t++) {
        __pipeline_commit();
        STAGE(t);
    }
    for (int t = 0; t < n; t++) {
        __pipeline_wait_prior(ST - 2);
        __syncthreads();
        READ;
        if (t + ST - 1 < n)
            STAGE(t + ST - 1);
        __pipeline_commit();
    }
}

// CHECK: kernel b_commits_some {{violated|unknown}}
K b_commits_some(ARGS)
{
    __shared__ __align__(16) float s[ST][128];
    for (int t = 0; t < ST - 1; t++) {
        STAGE(t);
        if (t == 0)
            __pipeline_commit();
    }
    for (int t = 0; t < n; t++) {
        __pipeline_wait_prior(ST - 2);
        __syncthreads();
        READ;
        if (t + ST - 1 < n)
            STAGE(t + ST - 1);
        __pipeline_commit();
    }
}

// CHECK: kernel b_leaves_early {{violated|unknown}}
K b_leaves_early(ARGS)
{
    __shared__ __align__(16) float s[ST][128];
    for (int t = 0; t < ST - 1; t++) {
        STAGE(t);
        if (x[t] > 0)
            break;
        __pipeline_commit();
    }
    for (int t = 0; t < n; t++) {
        __pipeline_wait_prior(ST - 2);
        __syncthreads();
        READ;
        if (t + ST - 1 < n)
            STAGE(t + ST - 1);
        __pipeline_commit();
    }
}
