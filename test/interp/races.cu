// Order inside a block: barriers, warps, named barriers, atomics; each pattern and what breaks it.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=64 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(64) tc_grid(1)
__global__ void with_barrier(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void without(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[64];
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}races with{{.*}}[TC3001]
    s[threadIdx.x] = 1;
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}races with{{.*}}[TC3001]
    out[threadIdx.x] = s[63 - threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void next_iteration(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[64];
    for (int k = 0; k < 2; ++k) {
        // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}races with a read{{.*}}[TC3001]
        s[threadIdx.x] = k;
        __syncthreads();
        // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}races with a write{{.*}}[TC3001]
        out[threadIdx.x] = s[63 - threadIdx.x];
    }
}

tc_block(64) tc_grid(1)
__global__ void bytes_of_a_word(tc_mut tc_shape(n) unsigned char *out, int n)
{
    __shared__ unsigned char s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x];
}

tc_block(32) tc_grid(1)
__global__ void warp_in_order(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    __syncwarp();
    out[threadIdx.x] = s[31 - threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void other_warp(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncwarp();
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}[TC3001]
    out[threadIdx.x] = s[63 - threadIdx.x];
}

tc_block(32) tc_grid(1)
__global__ void shuffle_is_no_fence(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    const int v = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}[TC3001]
    out[threadIdx.x] = s[31 - threadIdx.x] + v;
}

tc_block(64) tc_grid(1)
__global__ void volatile_is_no_order(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ volatile int s[64];
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}[TC3001]
    s[threadIdx.x] = 1;
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}[TC3001]
    out[threadIdx.x] = s[63 - threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void atomics_do_not_race(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[2];
    if (threadIdx.x < 2)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[threadIdx.x & 1], 1);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x & 1];
}

tc_block(64) tc_grid(1)
__global__ void atomic_and_plain(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int s[2];
    if (threadIdx.x < 2)
        s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}races with a read{{.*}}[TC3001]
        atomicAdd(&s[0], 1);
    // Those who have added come behind all who did so before them.
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}races with an atomic operation{{.*}}[TC3001]
    out[threadIdx.x] = s[0];
}

tc_block(64) tc_grid(1)
__global__ void same_value(tc_mut tc_shape(n) int *out, int n)
{
    // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}races with a write{{.*}}[TC3001]
    out[0] = 7;
}

// A flag with fences: release (fence, atomic) and acquire (atomic, fence).
tc_block(64) tc_grid(1)
__global__ void handed_over(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int value, flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = n;
        __threadfence_block();
        atomicExch(&flag, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd(&flag, 0) == 0)
            ;
        __threadfence_block();
        out[0] = value;
    }
}

tc_block(64) tc_grid(1)
__global__ void no_fence(tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int value, flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = n;
        atomicExch(&flag, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd(&flag, 0) == 0)
            ;
        __threadfence_block();
        // CHECK-DAG: races.cu:[[@LINE+1]]:{{.*}}[TC3001]
        out[0] = value;
    }
}
