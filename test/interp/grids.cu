// Blocks that talk to each other: tickets, the last block, and a block that waits for another.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=4 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(32) tc_grid(n)
__global__ void last_block_sums(tc_mut tc_shape(n) int *part, tc_mut tc_shape(1) int *out,
                                tc_atomic tc_shape(1) tc_init(0) unsigned *count, int n)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;
        __threadfence();
        last = atomicAdd(count, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int s = 0;
        for (int i = 0; i < n; ++i)
            s += part[i];
        out[0] = s;
    }
}

tc_block(32) tc_grid(n)
__global__ void without_fence(tc_mut tc_shape(n) int *part, tc_mut tc_shape(1) int *out,
                              tc_atomic tc_shape(1) tc_init(0) unsigned *count, int n)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = 1;
        last = atomicAdd(count, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int s = 0;
        for (int i = 0; i < n; ++i)
            // CHECK-DAG: grids.cu:[[@LINE+1]]:{{.*}}[TC1002]
            s += part[i];
        out[0] = s;
    }
}

// The first block waits for the last one: it is put aside until that has run.
tc_block(32) tc_grid(n)
__global__ void waits_for_another(tc_atomic tc_shape(1) tc_init(0) int *flag, tc_mut tc_shape(1) int *out, int n)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == n - 1)
        atomicExch(flag, 1);
    else if (blockIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0)
            ;
        out[0] = 1;
    }
}

tc_block(1) tc_grid(n)
__global__ void tickets(tc_mut tc_shape(n) int *out, tc_atomic tc_shape(1) tc_init(0) int *next, int n)
{
    out[atomicAdd(next, 1)] = blockIdx.x;
}
