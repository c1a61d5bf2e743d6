// A thread that traps, or whose assertion fails, gives up the launch: nobody goes on past what it does not come to. b_: near misses.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <assert.h>
#include <tilecheck.h>
#define B 64
#define Y tc_mut tc_shape(B) float *y
#define X tc_shared tc_shape(B) const int *x
#define K tc_block(B) tc_grid(1) __global__ void

// CHECK: kernel asserted proved
K asserted(Y, X)
{
    __shared__ float s[B];
    int k = x[threadIdx.x];
    assert(k >= 0 && k < B);
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[k];
}

// CHECK: kernel in_loop proved
K in_loop(Y, X)
{
    __shared__ float s[B];
    for (int i = 0; i < 100; i++) {
        int k = x[(threadIdx.x + i) % B];
        if (k < 0 || k >= B)
            __trap();
        s[threadIdx.x] = i;
        __syncthreads();
        y[threadIdx.x] += s[k];
        __syncthreads();
    }
}

__device__ int checked(int k)
{
    if (k < 0 || k >= B)
        asm volatile("trap;");
    return k;
}

// CHECK: kernel other_branch proved
K other_branch(Y, X)
{
    __shared__ float s[B];
    int k = x[threadIdx.x];
    if (k >= 0 && k < B) {
        s[threadIdx.x] = 1;
        __syncthreads();
        y[threadIdx.x] = s[k];
    } else {
        printf("%d\n", k);
        __trap();
    }
}

// CHECK: kernel in_function proved
K in_function(Y, X)
{
    __shared__ float s[B];
    for (int i = 0; i < 100; i++) {
        int k = checked(x[(threadIdx.x + i) % B]);
        s[threadIdx.x] = i;
        __syncthreads();
        y[threadIdx.x] += s[k];
        __syncthreads();
    }
}

// CHECK: kernel behind_loop proved
K behind_loop(Y, X)
{
    __shared__ float s[B];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            assert(x[threadIdx.x] > i + j);
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel in_warp proved
K in_warp(Y, X)
{
    assert(x[threadIdx.x] > 0);
    y[threadIdx.x] = __shfl_down_sync(~0u, x[threadIdx.x], 1);
}

// A return does not end the launch.
// CHECK: kernel b_returns {{violated|unknown}}
K b_returns(Y, X)
{
    __shared__ float s[B];
    int k = x[threadIdx.x];
    if (k < 0 || k >= B)
        return;
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[k];
}

// CHECK: kernel b_exits {{violated|unknown}}
K b_exits(Y, X)
{
    __shared__ float s[B];
    int k = x[threadIdx.x];
    if (k < 0 || k >= B)
        asm volatile("exit;");
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[k];
}

// CHECK: kernel b_exits_in_loop {{violated|unknown}}
K b_exits_in_loop(Y, X)
{
    __shared__ float s[B];
    for (int i = 0; i < 8; i++)
        asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, 0; @p exit; }" ::"r"(x[threadIdx.x] - i));
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// Others are left out than those that trap.
// CHECK: kernel b_others {{violated|unknown}}
K b_others(Y, X)
{
    __shared__ float s[B];
    int k = x[threadIdx.x];
    if (k < 0)
        __trap();
    s[threadIdx.x] = 1;
    if (k < B)
        __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}

// CHECK: kernel b_barrier_before_trap {{violated|unknown}}
K b_barrier_before_trap(Y, X)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    if (x[threadIdx.x] < 0) {
        __syncthreads();
        __trap();
    }
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_barrier_before_trap_in_loop {{violated|unknown}}
K b_barrier_before_trap_in_loop(Y, X)
{
    __shared__ float s[B];
    for (int i = 0; i < 100; i++) {
        s[threadIdx.x] = 1;
        if (x[threadIdx.x] == i) {
            __syncthreads();
            y[threadIdx.x] = s[B - 1 - threadIdx.x];
            __trap();
        }
        __syncthreads();
        y[threadIdx.x] = s[B - 1 - threadIdx.x];
        __syncthreads();
    }
}

// Only the next iteration traps.
// It stores before it traps, and no barrier is between that and what others load.
// CHECK: kernel b_store_before_trap {{violated|unknown}}
K b_store_before_trap(Y, X)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    __syncthreads();
    for (int i = 0; i < 100; i++) {
        y[threadIdx.x] += s[B - 1 - threadIdx.x];
        if (x[threadIdx.x] == i) {
            s[threadIdx.x] = 2;
            __trap();
        }
        __syncthreads();
    }
}

// CHECK: kernel b_store_in_other_branch {{violated|unknown}}
K b_store_in_other_branch(Y, X)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
    if (x[threadIdx.x] > 0) {
        __syncthreads();
        y[threadIdx.x] = s[threadIdx.x];
    } else {
        s[threadIdx.x] = 2;
        __trap();
    }
}

// CHECK: kernel b_iteration_before {{violated|unknown}}
K b_iteration_before(Y, X)
{
    int before = 0;
    for (int i = 0; i < 100; i++) {
        if (before < 0)
            __trap();
        before = x[(threadIdx.x + i) % B];
        if (before >= 0)
            __syncthreads();
    }
    y[threadIdx.x] = 1;
}

// CHECK: kernel b_leaves_loop {{violated|unknown}}
K b_leaves_loop(Y, X)
{
    for (int i = 0; i < 100; i++) {
        if (x[threadIdx.x] < i)
            break;
        assert(x[threadIdx.x] != i);
        __syncthreads();
    }
    y[threadIdx.x] = 1;
}

// CHECK: kernel b_race {{violated|unknown}}
K b_race(Y, X)
{
    __shared__ float s[B];
    s[threadIdx.x] = 1;
    assert(x[threadIdx.x] > 0);
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_waits_for_ever {{violated|unknown}}
K b_waits_for_ever(Y, X)
{
    if (x[threadIdx.x] < 0)
        for (;;)
            ;
    __syncthreads();
    y[threadIdx.x] = 1;
}
