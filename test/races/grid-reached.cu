// Barriers of the whole grid: all threads of all blocks come to each of them, or none. b_: near misses.
// RUN: %verdicts %s --standin --rules=TC1001,TC1002,TC3 | FileCheck %s
// RUN: %if cuda %{ %verdicts %s --cuda-path=%cuda --rules=TC1001,TC1002,TC3 | FileCheck %s %}
#include <cooperative_groups.h>
#include <tilecheck.h>
#define B 32
#define GRID cooperative_groups::this_grid()
#define LINE (blockIdx.x * B + threadIdx.x)
#define LAUNCH tc_block(B) tc_grid(n / B) tc_requires(n >= B && n <= 4096 && n % B == 0)

// CHECK: kernel b_some_blocks violated
LAUNCH __global__ void b_some_blocks(tc_mut tc_shape(n) float *y, int n)
{
    y[LINE] = 1;
    if (blockIdx.x > 0)
        GRID.sync();
}

// CHECK: kernel b_some_threads violated
LAUNCH __global__ void b_some_threads(tc_mut tc_shape(n) float *y, int n)
{
    y[LINE] = 1;
    if (threadIdx.x < 16)
        GRID.sync();
}

// CHECK: kernel b_early_return violated
tc_block(B) tc_grid(tc_cdiv(n, B))
__global__ void b_early_return(tc_mut tc_shape(n) float *y, int n)
{
    if (LINE >= n)
        return;
    y[LINE] = 1;
    GRID.sync();
}

// Whole blocks return.
// CHECK: kernel b_blocks_return violated
tc_block(B) tc_grid(n / B + 1) tc_requires(n >= B && n <= 4096 && n % B == 0)
__global__ void b_blocks_return(tc_mut tc_shape(n) float *y, int n)
{
    if (LINE >= n)
        return;
    y[LINE] = 1;
    GRID.sync();
}

// CHECK: kernel fitting_launch proved
LAUNCH __global__ void fitting_launch(tc_mut tc_shape(n) float *y, int n)
{
    if (LINE >= n)
        return;
    y[LINE] = 1;
    GRID.sync();
}

// CHECK: kernel b_turns_of_the_block violated
LAUNCH __global__ void b_turns_of_the_block(tc_mut tc_shape(n) float *y, int n)
{
    for (int k = 0; k < blockIdx.x; k++)
        GRID.sync();
    y[LINE] = 1;
}

// CHECK: kernel b_turns_of_the_thread violated
LAUNCH __global__ void b_turns_of_the_thread(tc_mut tc_shape(n) float *y, int n)
{
    for (int i = LINE; i < n; i += 40)
        GRID.sync();
    y[LINE] = 1;
}

// CHECK: kernel b_left_by_some violated
LAUNCH __global__ void b_left_by_some(tc_mut tc_shape(n) float *y, int n, int steps)
{
    for (int k = 0; k < steps; k++) {
        if (k > 2 && blockIdx.x == 1)
            break;
        GRID.sync();
    }
    y[LINE] = 1;
}

// CHECK: kernel loaded_turns proved
LAUNCH __global__ void loaded_turns(tc_mut tc_shape(n) float *y, tc_shared tc_shape(1) const int *turns, int n)
{
    for (int k = 0; k < turns[0]; k++)
        GRID.sync();
    y[LINE] = 1;
}

// CHECK: kernel b_own_loaded_turns {{unknown|violated}}
LAUNCH __global__ void b_own_loaded_turns(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n / B) const int *turns, int n)
{
    for (int k = 0; k < turns[blockIdx.x]; k++)
        GRID.sync();
    y[LINE] = 1;
}

// One value for the block, and none for the grid.
// CHECK: kernel b_shared_turns violated
LAUNCH __global__ void b_shared_turns(tc_mut tc_shape(n) float *y, int n)
{
    __shared__ int turns;
    if (threadIdx.x == 0)
        turns = blockIdx.x % 3;
    __syncthreads();
    for (int k = 0; k < turns; k++)
        GRID.sync();
    y[LINE] = 1;
}

// CHECK: kernel b_voted {{unknown|violated}}
LAUNCH __global__ void b_voted(tc_mut tc_shape(n) float *y, int n)
{
    if (__syncthreads_or(LINE == 5))
        GRID.sync();
    y[LINE] = 1;
}

// A value that all blocks load between the same two barriers, and nobody writes there.
// CHECK: kernel until_done proved
tc_block(B) tc_grid(n)
__global__ void until_done(tc_mut tc_shape(n) float *part, tc_mut tc_shape(1) int *done, int n)
{
    for (;;) {
        if (threadIdx.x == 0)
            part[blockIdx.x] /= 2;
        GRID.sync();
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            float a = 0;
            for (int i = 0; i < n; i++)
                a += part[i];
            done[0] = a < 1;
        }
        GRID.sync();
        if (done[0])
            break;
    }
}

// CHECK: kernel b_until_done {{unknown|violated}}
tc_block(B) tc_grid(n)
__global__ void b_until_done(tc_mut tc_shape(n) float *part, tc_mut tc_shape(1) int *done, int n)
{
    for (;;) {
        if (threadIdx.x == 0)
            part[blockIdx.x] /= 2;
        GRID.sync();
        if (blockIdx.x == 0 && threadIdx.x == 0)
            done[0] = part[0] < 1;
        __syncthreads();
        if (done[0])
            break;
    }
}

// Each block has its own.
// CHECK: kernel b_own_done {{unknown|violated}}
tc_block(B) tc_grid(n)
__global__ void b_own_done(tc_mut tc_shape(n) float *part, tc_mut tc_shape(n) int *done, int n)
{
    for (;;) {
        if (threadIdx.x == 0)
            part[blockIdx.x] /= 2;
        GRID.sync();
        if (threadIdx.x == 0)
            done[blockIdx.x] = part[blockIdx.x] < 1;
        GRID.sync();
        if (done[blockIdx.x])
            break;
    }
}

// The next value may be there before all have seen this one.
// CHECK: kernel b_done_again {{unknown|violated}}
tc_block(B) tc_grid(n)
__global__ void b_done_again(tc_mut tc_shape(n) float *part, tc_mut tc_shape(1) int *done, int n)
{
    for (;;) {
        if (blockIdx.x == 0 && threadIdx.x == 0)
            done[0] = part[0] < 1;
        GRID.sync();
        if (done[0])
            break;
        if (threadIdx.x == 0)
            part[blockIdx.x] /= 2;
    }
}

// ---- threads of one block ----

// CHECK: kernel within_the_block proved
LAUNCH __global__ void within_the_block(tc_mut tc_shape(n) float *y, int n)
{
    __shared__ float s[B];
    s[threadIdx.x] = y[LINE];
    GRID.sync();
    y[LINE] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_within_the_block violated
LAUNCH __global__ void b_within_the_block(tc_mut tc_shape(n) float *y, int n)
{
    __shared__ float s[B];
    GRID.sync();
    s[threadIdx.x] = y[LINE];
    y[LINE] = s[B - 1 - threadIdx.x];
}

// Some come to the one barrier, some to the other.
// CHECK: kernel b_two_barriers violated
LAUNCH __global__ void b_two_barriers(tc_mut tc_shape(n) float *y, int n)
{
    if (threadIdx.x < 16)
        GRID.sync();
    else
        __syncthreads();
    y[LINE] = 1;
}

// ---- what is not followed ----

// Blocks come to the barrier at two places of the program, each once.
// CHECK: kernel two_places unknown
LAUNCH __global__ void two_places(tc_mut tc_shape(n) float *y, int n)
{
    if (blockIdx.x == 0) {
        y[LINE] = 1;
        GRID.sync();
    } else {
        GRID.sync();
    }
}
