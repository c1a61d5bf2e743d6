// The last block by counters that count by another constant than 1, down, or round. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define LINE (blockIdx.x * B + threadIdx.x)
#define CONTRACT tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1024)
#define ARRAYS tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y

// Of the program, and 0 again when a launch is over.
__device__ tc_atomic tc_init(0) unsigned blocks_done = 0;

__device__ void sum_all(const float *part, float *y, int m)
{
    __threadfence();
    float sum = 0;
    for (int i = 0; i < m; i++)
        sum += part[i * B + threadIdx.x];
    y[threadIdx.x] = sum;
}

#define LAST(IS_LAST)                      \
    __shared__ bool last;                  \
    part[LINE] = 1;                        \
    __threadfence();                       \
    __syncthreads();                       \
    if (threadIdx.x == 0)                  \
        last = IS_LAST;                    \
    __syncthreads();                       \
    if (last)                              \
    sum_all(part, y, m)

// CHECK: kernel set_back proved
CONTRACT __global__ void set_back(ARRAYS, int m)
{
    LAST(atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1);
    if (last && threadIdx.x == 0)
        blocks_done = 0;
}

// CHECK: kernel begins_again proved
CONTRACT __global__ void begins_again(ARRAYS, int m) { LAST(atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1); }

// CHECK: kernel down proved
CONTRACT __global__ void down(ARRAYS, tc_atomic tc_shape(1) tc_init(m) int *left, int m) { LAST(atomicSub(left, 1) == 1); }

// CHECK: kernel down_without_sign proved
CONTRACT __global__ void down_without_sign(ARRAYS, tc_atomic tc_shape(1) tc_init(m) unsigned *left, int m)
{
    LAST(atomicAdd(left, 0xffffffffu) == 1);
}

// CHECK: kernel down_below_zero proved
CONTRACT __global__ void down_below_zero(ARRAYS, tc_atomic tc_shape(1) tc_init(0) int *left, int m) { LAST(atomicAdd(left, -1) == 1 - m); }

// CHECK: kernel down_and_set_back proved
CONTRACT __global__ void down_and_set_back(ARRAYS, tc_atomic tc_shape(1) tc_init(m) int *left, int m)
{
    LAST(atomicAdd(left, -1) == 1);
    if (last && threadIdx.x == 0)
        *left = m;
}

// CHECK: kernel by_two proved
CONTRACT __global__ void by_two(ARRAYS, tc_atomic tc_shape(1) tc_init(0) int *count, int m) { LAST(atomicAdd(count, 2) == 2 * m - 2); }

// CHECK: kernel by_builtin proved
CONTRACT __global__ void by_builtin(ARRAYS, tc_atomic tc_shape(1) tc_init(m) int *left, int m)
{
    LAST(__atomic_fetch_sub(left, 1, __ATOMIC_RELAXED) == 1);
}

// Waits until the counter has come down.
// CHECK: kernel waits_for_none proved
CONTRACT __global__ void waits_for_none(ARRAYS, tc_atomic tc_shape(1) tc_init(m) int *left, int m)
{
    part[LINE] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicSub(left, 1);
        if (blockIdx.x == 0)
            while (atomicAdd(left, 0) > 0)
                ;
    }
    __syncthreads();
    if (blockIdx.x == 0)
        sum_all(part, y, m);
}

// CHECK: kernel b_waits_for_one violated
CONTRACT __global__ void b_waits_for_one(ARRAYS, tc_atomic tc_shape(1) tc_init(m) int *left, int m)
{
    part[LINE] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicSub(left, 1);
        if (blockIdx.x == 0)
            while (atomicAdd(left, 0) > 1)
                ;
    }
    __syncthreads();
    if (blockIdx.x == 0)
        sum_all(part, y, m);
}

// CHECK: kernel b_down_to_two violated
CONTRACT __global__ void b_down_to_two(ARRAYS, tc_atomic tc_shape(1) tc_init(m) int *left, int m) { LAST(atomicSub(left, 1) == 2); }

// CHECK: kernel b_down_from_more {{violated|unknown}}
CONTRACT __global__ void b_down_from_more(ARRAYS, tc_atomic tc_shape(1) tc_init(m - 1) int *left, int m) { LAST(atomicSub(left, 1) == 1); }

// CHECK: kernel b_by_two violated
CONTRACT __global__ void b_by_two(ARRAYS, tc_atomic tc_shape(1) tc_init(0) int *count, int m) { LAST(atomicAdd(count, 2) >= m - 1); }

// The first one finds what the last one would find without going round.
// CHECK: kernel b_below_nothing violated
CONTRACT __global__ void b_below_nothing(ARRAYS, tc_atomic tc_shape(1) tc_init(0) unsigned *left, int m)
{
    LAST(atomicSub(left, 1u) + (unsigned)m - 1 == (unsigned)m - 1);
}

// Steps of 2^30 come round.
// CHECK: kernel b_comes_round {{violated|unknown}}
CONTRACT __global__ void b_comes_round(ARRAYS, tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m)
{
    LAST(atomicAdd(count, 1u << 30) == (unsigned)(m - 1) << 30);
}

// CHECK: kernel b_opened_by_store {{violated|unknown}}
CONTRACT __global__ void b_opened_by_store(ARRAYS, tc_atomic tc_shape(1) tc_init(m) int *left, int m)
{
    LAST(atomicSub(left, 1) == 1);
    if (last && threadIdx.x == 0)
        *left = -1;
    if (blockIdx.x == 0 && !last && threadIdx.x == 0) {
        while (atomicAdd(left, 0) >= 0)
            ;
        __threadfence();
        y[0] = part[(m - 1) * B];
    }
}
