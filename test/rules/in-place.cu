// One buffer under two names: what is written under one is written under the other, in proofs and in runs. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

#define T threadIdx.x
#define I (blockIdx.x * 64 + threadIdx.x)
#define LAUNCH tc_block(64) tc_grid(m) tc_requires(m >= 1 && m <= 64) __global__ void
#define ROWS tc_shared tc_shape(m, 64) const float *x, tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(x) float *y, int m

// CHECK: kernel own_element proved
LAUNCH own_element(ROWS)
{
    y[I] = x[I] + 1;
}

// CHECK: kernel reversed proved
LAUNCH reversed(ROWS)
{
    float v = x[blockIdx.x * 64 + 63 - T];
    __syncthreads();
    y[I] = v;
}

// CHECK: kernel b_reversed violated
LAUNCH b_reversed(ROWS)
{
    y[I] = x[blockIdx.x * 64 + 63 - T];
}

// CHECK: kernel b_next_row violated
LAUNCH b_next_row(ROWS)
{
    float v = x[(I + 64) % (m * 64)];
    __syncthreads();
    y[I] = v;
}

// CHECK: kernel b_read_only_cache violated
LAUNCH b_read_only_cache(ROWS)
{
    y[I] = 2 * x[I];
    __syncthreads();
    float v = __ldg(&x[blockIdx.x * 64 + 63 - T]);
    __syncthreads();
    y[I] = v;
}

// CHECK: kernel b_common_condition violated
LAUNCH b_common_condition(ROWS)
{
    y[I] = T;
    if (x[blockIdx.x * 64] > 0)
        __syncthreads();
}

// CHECK: kernel twice proved
LAUNCH twice(tc_shared tc_shape(m, 64) const float *x, tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(x) float *y,
             tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(x) float *z, int m)
{
    y[I] = x[I];
    z[I] = y[I] + 1;
}

// CHECK: kernel b_siblings violated
LAUNCH b_siblings(tc_shared tc_shape(m, 64) const float *x, tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(x) float *y,
                  tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(x) float *z, int m)
{
    y[I] = x[I];
    z[blockIdx.x * 64 + 63 - T] = 1;
}

// In place of what is in place of another: all three may be one.
#define CHAIN                                                                                                          \
    tc_shared tc_shape(m, 64) const float *x, tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(x) float *y, \
        tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(y) float *z, int m

// CHECK: kernel chain proved
LAUNCH chain(CHAIN)
{
    y[I] = x[I];
    z[I] = x[I] + 1;
}

// CHECK: kernel b_chain violated
LAUNCH b_chain(CHAIN)
{
    z[I] = x[blockIdx.x * 64 + 63 - T];
}

// Few launches come there.
// CHECK: kernel b_chain_for_large {{violated|unknown}}
LAUNCH b_chain_for_large(tc_shared tc_shape(n) const int *x, tc_mut tc_shape(n) tc_inplace(x) int *y, tc_mut tc_shape(n) tc_inplace(y) int *z, int n, int m)
{
    if (I < n && m > 63 && n > 4000)
        z[n - 1 - I] = x[I];
}

// CHECK: kernel no_chain proved
LAUNCH no_chain(tc_shared tc_shape(m, 64) const float *x, tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) float *y,
                tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) tc_inplace(y) float *z, int m)
{
    z[I] = x[blockIdx.x * 64 + 63 - T];
}

// Written by the name that others are in place of, read by another.
// CHECK: kernel b_read_by_the_other {{violated|unknown}}
LAUNCH b_read_by_the_other(tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) float *x, tc_mut tc_shape(m, 64) tc_inplace(x) float *y,
                           tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) float *z, int m)
{
    x[I] = 1;
    z[I] = y[(I + 64) % (m * 64)];
}

// The names have elements of several sizes.
// CHECK: kernel b_bytes violated
LAUNCH b_bytes(tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) float *x,
               tc_mut tc_shape(m, 256) tc_tile(1, 256) tc_at(blockIdx.x, 0) tc_inplace(x) char *y, int m)
{
    x[I] = 1;
    y[blockIdx.x * 256 + 255 - T] = 1;
}

// CHECK: kernel bytes_behind proved
LAUNCH bytes_behind(tc_mut tc_shape(m, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) float *x,
                    tc_mut tc_shape(m, 256) tc_tile(1, 256) tc_at(blockIdx.x, 0) tc_inplace(x) char *y, int m)
{
    x[I] = 1;
    __syncthreads();
    y[blockIdx.x * 256 + 255 - T] = 1;
}

// It goes another way where there are two buffers: what runs of one buffer do is not known then.
// CHECK: kernel told_apart {{proved|unknown}}
LAUNCH told_apart(ROWS)
{
    if (x != y)
        y[I] = x[blockIdx.x * 64 + 63 - T];
}

// ---- beside a barrier of the grid ----

#define COUNT tc_atomic tc_shape(1) tc_init(0) int *count
__device__ int load_acquire(const int *p) { int v; asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
__device__ void meet(int *count, int m)
{
    __threadfence();
    atomicAdd(count, 1);
    while (load_acquire(count) < m)
        ;
    __threadfence();
}

// CHECK: kernel read_before proved
LAUNCH read_before(tc_shared tc_shape(m * 64) const float *x, tc_mut tc_shape(m * 64) tc_inplace(x) float *y, COUNT, int m)
{
    float v = x[m * 64 - 1 - I];
    __syncthreads();
    if (T == 0)
        meet(count, m);
    __syncthreads();
    y[I] = v;
}

// CHECK: kernel b_read_beside violated
LAUNCH b_read_beside(tc_shared tc_shape(m * 64) const float *x, tc_mut tc_shape(m * 64) tc_inplace(x) float *y, COUNT, int m)
{
    float v = 0;
    __syncthreads();
    if (T == 0)
        meet(count, m);
    else
        v = x[m * 64 - 1 - I];
    __syncthreads();
    y[I] = v;
}

// Nobody writes it: it is read at any time.
// CHECK: kernel read_of_another proved
LAUNCH read_of_another(tc_shared tc_shape(m * 64) const float *x, tc_mut tc_shape(m * 64) float *y, COUNT, int m)
{
    float v = 0;
    __syncthreads();
    if (T == 0)
        meet(count, m);
    else
        v = x[m * 64 - 1 - I];
    __syncthreads();
    y[I] = v;
}
