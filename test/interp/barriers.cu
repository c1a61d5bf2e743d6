// Barriers that some threads miss, and what warps do with lanes that are not there.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=40 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(64) tc_grid(1)
__global__ void early_return(tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x >= n)
        return;
    // CHECK-DAG: barriers.cu:[[@LINE+1]]:{{.*}}it has returned{{.*}}[TC3002]
    __syncthreads();
    out[threadIdx.x] = 1;
}

tc_block(64) tc_grid(2)
__global__ void whole_block_returns(tc_mut tc_shape(n) int *out, int n)
{
    if (blockIdx.x == 1)
        return;
    __syncthreads();
    if (threadIdx.x < n)
        out[threadIdx.x] = 1;
}

tc_block(64) tc_grid(1)
__global__ void two_sites(tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x < 32)
        __syncthreads();
    else
        // CHECK-DAG: barriers.cu:[[@LINE+1]]:{{.*}}two different barriers{{.*}}[TC3002]
        __syncthreads();
    if (threadIdx.x < n)
        out[threadIdx.x] = 1;
}

tc_block(64) tc_grid(1)
__global__ void other_trip_count(tc_mut tc_shape(n) int *out, int n)
{
    for (int k = threadIdx.x / 32; k < 2; ++k)
        // CHECK-DAG: barriers.cu:[[@LINE+1]]:{{.*}}it has returned{{.*}}[TC3002]
        __syncthreads();
    if (threadIdx.x < n)
        out[threadIdx.x] = 1;
}

tc_block(32) tc_grid(1)
__global__ void lane_that_left(tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x >= 16)
        return;
    // CHECK-DAG: barriers.cu:[[@LINE+1]]:{{.*}}takes a value from lane 16, which has returned{{.*}}[TC3004]
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 1);
}

tc_block(32) tc_grid(1)
__global__ void within_the_width(tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x >= 16)
        return;
    out[threadIdx.x] = __shfl_xor_sync(0x0000ffffu, (int)threadIdx.x, 8, 16);
}

tc_block(32) tc_grid(1)
__global__ void not_in_the_mask(tc_mut tc_shape(n) int *out, int n)
{
    // CHECK-DAG: barriers.cu:[[@LINE+1]]:{{.*}}not in its own mask{{.*}}[TC3004]
    out[threadIdx.x] = __shfl_xor_sync(0x0000ffffu, (int)threadIdx.x, 1);
}

tc_block(32) tc_grid(1)
__global__ void values_of_lanes(tc_mut tc_shape(n) int *out, int n)
{
    int v = threadIdx.x;
    for (int o = 16; o > 0; o >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, o);
    const unsigned even = __ballot_sync(0xffffffffu, threadIdx.x % 2 == 0);
    // A wrong sum or ballot leaves the array.
    if (v != 496 || even != 0x55555555u)
        out[1000] = 1;
}

tc_block(64) tc_grid(1)
__global__ void reductions(tc_mut tc_shape(n) int *out, int n)
{
    const int count = __syncthreads_count(threadIdx.x < 5);
    const int all = __syncthreads_and(threadIdx.x < 64), any = __syncthreads_or(threadIdx.x == 63);
    if (count != 5 || !all || !any)
        out[1000] = 1;
    if (threadIdx.x == 0)
        out[0] = count;
}
