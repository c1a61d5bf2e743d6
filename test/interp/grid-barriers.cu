// Barriers of the whole grid: all blocks wait there, what was done before is seen behind, and who does not come is told.
// RUN: %exits 2 %tilecheck run %s --standin --kernel='*' --set=n=4 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cooperative_groups.h>
#include <tilecheck.h>
#define GRID cooperative_groups::this_grid()

// A wrong sum leaves the array. Blocks keep their shared memory while they wait.
tc_block(32) tc_grid(n)
__global__ void sums(tc_mut tc_shape(n) int *part, tc_mut tc_shape(n) int *out, int n)
{
    __shared__ int own;
    int a = 0;
    for (int k = 0; k < 3; ++k) {
        if (threadIdx.x == 0)
            part[blockIdx.x] = own = a + 1;
        GRID.sync();
        for (int i = 0; i < n; ++i)
            a += part[i];
        if (own != (k == 0 ? 1 : k == 1 ? n + 1 : n * n + 2 * n + 1))
            out[1000] = 1;
        GRID.sync();
    }
    if (a != n + n * (n + 1) + n * (n * n + 2 * n + 1))
        out[2000] = 1;
    if (threadIdx.x == 0)
        out[blockIdx.x] = a;
}

// More blocks than are run in turn.
tc_block(32) tc_grid(75 * n)
__global__ void many_blocks(tc_mut tc_shape(75 * n) int *part, tc_mut tc_shape(75 * n) int *out, int n)
{
    if (threadIdx.x == 0)
        part[blockIdx.x] = 1;
    GRID.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[75 * n - 1 - blockIdx.x];
}

tc_block(32) tc_grid(n)
__global__ void next_turn(tc_mut tc_shape(n) int *part, tc_mut tc_shape(n) int *out, int n)
{
    int a = 0;
    for (int k = 0; k < 3; ++k) {
        if (threadIdx.x == 0)
            // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}a read by another block{{.*}}[TC1002]
            part[blockIdx.x] = a;
        GRID.sync();
        for (int i = 0; i < n; ++i)
            // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}a write by another block{{.*}}[TC1002]
            a += part[i];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = a;
}

tc_block(32) tc_grid(n)
__global__ void two_writers(tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
    GRID.sync();
    if (threadIdx.x == 0)
        out[n - 1 - blockIdx.x] = 2;
    GRID.sync();
    if (threadIdx.x == 0)
        // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}a write by another block{{.*}}[TC1001]
        out[blockIdx.x / 2] = 3;
}

// A read of the epoch before is over, one of this epoch is not.
tc_block(32) tc_grid(n)
__global__ void readers(tc_mut tc_shape(n) int *x, tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x == 0)
        out[blockIdx.x] = x[0];
    GRID.sync();
    if (threadIdx.x == 0 && blockIdx.x == 2)
        out[blockIdx.x] += x[0];
    if (threadIdx.x == 0 && blockIdx.x == 3)
        // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}a read by another block{{.*}}[TC1002]
        x[0] = 1;
}

tc_block(32) tc_grid(n)
__global__ void block_returns(tc_mut tc_shape(n) int *out, int n)
{
    if (blockIdx.x == 2)
        return;
    // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}block (2,0,0) does not reach this barrier of the grid: it has returned{{.*}}[TC3002]
    GRID.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}

tc_block(32) tc_grid(n)
__global__ void thread_returns(tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x == 7)
        return;
    // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}thread (7,0,0) does not reach this barrier: it has returned{{.*}}[TC3002]
    GRID.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}

tc_block(64) tc_grid(n)
__global__ void waits_elsewhere(tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x < 32)
        // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}does not reach this barrier: it waits elsewhere{{.*}}[TC3002]
        GRID.sync();
    else
        // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}does not reach this barrier{{.*}}[TC3002]
        __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}

tc_block(32) tc_grid(n)
__global__ void once_more(tc_mut tc_shape(n) int *out, int n)
{
    for (unsigned k = 0; k <= blockIdx.x / 3; ++k)
        // CHECK-DAG: grid-barriers.cu:[[@LINE+1]]:{{.*}}does not reach this barrier of the grid: it has returned{{.*}}[TC3002]
        GRID.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}

// The hardware counts who comes, wherever in the program.
tc_block(32) tc_grid(n)
__global__ void two_places(tc_mut tc_shape(n) int *part, tc_mut tc_shape(n) int *out, int n)
{
    if (blockIdx.x % 2) {
        if (threadIdx.x == 0)
            part[blockIdx.x] = 1;
        GRID.sync();
    } else {
        if (threadIdx.x == 0)
            part[blockIdx.x] = 2;
        GRID.sync();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[n - 1 - blockIdx.x];
}

// A block that another one has to set free meanwhile.
tc_block(32) tc_grid(n)
__global__ void waits_for_another(tc_atomic tc_shape(1) tc_init(0) int *flag, tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
        while (atomicAdd(flag, 0) == 0)
            ;
    if (threadIdx.x == 0 && blockIdx.x == n - 1)
        atomicExch(flag, 1);
    GRID.sync();
    if (threadIdx.x == 0)
        out[n - 1 - blockIdx.x] = 1;
}
