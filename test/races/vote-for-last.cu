// That a block is the last one, told to all of its threads by a barrier that one of them votes at. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define LINE (blockIdx.x * B + threadIdx.x)
#define CONTRACT tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1024)
#define PARAMETERS tc_mut tc_shape(m, B) float *part, tc_mut tc_shape(B) float *y, tc_atomic tc_shape(1) tc_init(0) unsigned *count, int m, int q

__device__ void write_own(float *part)
{
    part[LINE] = 1;
    __threadfence();
    __syncthreads();
}

__device__ void sum_all(const float *part, float *y, int m)
{
    __threadfence();
    float sum = 0;
    for (int i = 0; i < m; i++)
        sum += part[i * B + threadIdx.x];
    y[threadIdx.x] = sum;
}

__device__ bool is_last(unsigned *count, int m) { return atomicAdd(count, 1u) == m - 1; }

// CHECK: kernel one_votes proved
CONTRACT __global__ void one_votes(PARAMETERS)
{
    write_own(part);
    int last = 0;
    if (threadIdx.x == 0)
        last = is_last(count, m);
    last = __syncthreads_or(last);
    if (last)
        sum_all(part, y, m);
    if (last && threadIdx.x == 0)
        *count = 0;
}

// CHECK: kernel another_votes proved
CONTRACT __global__ void another_votes(PARAMETERS)
{
    write_own(part);
    if (__syncthreads_or(threadIdx.x == B - 1 && is_last(count, m)))
        sum_all(part, y, m);
}

// CHECK: kernel one_is_counted proved
CONTRACT __global__ void one_is_counted(PARAMETERS)
{
    write_own(part);
    if (__syncthreads_count(threadIdx.x == 0 && is_last(count, m)) > 0)
        sum_all(part, y, m);
}

// CHECK: kernel b_second_voter violated
CONTRACT __global__ void b_second_voter(PARAMETERS)
{
    write_own(part);
    int last = 0;
    if (threadIdx.x == 0)
        last = is_last(count, m);
    if (threadIdx.x == 7)
        last = q == 3;
    if (__syncthreads_or(last))
        sum_all(part, y, m);
}

// CHECK: kernel b_votes_for_more violated
CONTRACT __global__ void b_votes_for_more(PARAMETERS)
{
    write_own(part);
    int last = 0;
    if (threadIdx.x == 0)
        last = is_last(count, m) || q == 3;
    if (__syncthreads_or(last))
        sum_all(part, y, m);
}

// CHECK: kernel b_all_but_last violated
CONTRACT __global__ void b_all_but_last(PARAMETERS)
{
    write_own(part);
    if (!__syncthreads_or(threadIdx.x == 0 && is_last(count, m)))
        sum_all(part, y, m);
}

// CHECK: kernel b_others_are_counted violated
CONTRACT __global__ void b_others_are_counted(PARAMETERS)
{
    write_own(part);
    if (__syncthreads_count(!(threadIdx.x == 0 && is_last(count, m))))
        sum_all(part, y, m);
}

// The others vote with what they never wrote.
// CHECK: kernel b_unwritten {{violated|unknown}}
CONTRACT __global__ void b_unwritten(PARAMETERS)
{
    write_own(part);
    int last;
    if (threadIdx.x == 0)
        last = is_last(count, m);
    if (__syncthreads_or(last))
        sum_all(part, y, m);
}

// Who votes elsewhere votes at the same barrier.
// CHECK: kernel b_two_places {{violated|unknown}}
CONTRACT __global__ void b_two_places(PARAMETERS)
{
    write_own(part);
    bool last;
    if (threadIdx.x < 32)
        last = __syncthreads_or(threadIdx.x == 0 && is_last(count, m));
    else
        last = __syncthreads_or(threadIdx.x == 40);
    if (last && threadIdx.x < 32)
        sum_all(part, y, m);
}

// CHECK: kernel b_next_vote violated
CONTRACT __global__ void b_next_vote(PARAMETERS)
{
    write_own(part);
    __syncthreads_or(threadIdx.x == 0 && is_last(count, m));
    if (__syncthreads_or(threadIdx.x == 40))
        sum_all(part, y, m);
}
