// Blocks that draw a number, wait for it, and let the next one in: the two counters in one array, or in two. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define CONTRACT tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 16 && m >= 0)
#define PARAMETERS                                                                                                                \
    tc_mut tc_shape(B) float *sum, tc_atomic tc_shape(4) tc_init(0) unsigned *lock, tc_atomic tc_shape(1) tc_init(0) unsigned *next, \
        tc_atomic tc_shape(1) tc_init(0) unsigned *serving, int n, unsigned m

__device__ unsigned load_acquire(const unsigned *p)
{
    unsigned v;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

__device__ unsigned wait(unsigned *next, unsigned *serving)
{
    unsigned mine = atomicAdd(next, 1u);
    while (load_acquire(serving) != mine)
        ;
    return mine;
}

__device__ void pass_on(unsigned *serving)
{
    __threadfence();
    atomicAdd(serving, 1u);
}

// CHECK: kernel in_two_arrays proved
CONTRACT __global__ void in_two_arrays(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(next, serving);
        sum[0] += 1;
        pass_on(serving);
    }
}

// CHECK: kernel in_one_array proved
CONTRACT __global__ void in_one_array(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
    }
}

// CHECK: kernel of_block proved
CONTRACT __global__ void of_block(PARAMETERS)
{
    if (threadIdx.x == 0)
        wait(lock, lock + 1);
    __syncthreads();
    sum[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0)
        pass_on(lock + 1);
}

// CHECK: kernel by_exchange proved
CONTRACT __global__ void by_exchange(PARAMETERS)
{
    if (threadIdx.x == 0) {
        unsigned mine = wait(lock, lock + 1);
        sum[0] += 1;
        __threadfence();
        atomicExch(lock + 1, mine + 1);
    }
}

// CHECK: kernel two_locks proved
CONTRACT __global__ void two_locks(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
        wait(lock + 2, lock + 3);
        sum[1] += 1;
        pass_on(lock + 3);
    }
}

// CHECK: kernel b_under_the_other {{violated|unknown}}
CONTRACT __global__ void b_under_the_other(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
        wait(lock + 2, lock + 3);
        sum[0] += 1;
        pass_on(lock + 3);
    }
}

// CHECK: kernel b_before_the_last_one {{violated|unknown}}
CONTRACT __global__ void b_before_the_last_one(PARAMETERS)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(lock, 1u);
        while (load_acquire(lock + 1) + 1 < mine)
            ;
        sum[0] += 1;
        pass_on(lock + 1);
    }
}

// CHECK: kernel b_two_with_one_number {{violated|unknown}}
CONTRACT __global__ void b_two_with_one_number(PARAMETERS)
{
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(lock, 1u) / 2;
        while (load_acquire(lock + 1) != mine)
            ;
        sum[0] += 1;
        pass_on(lock + 1);
    }
}

// CHECK: kernel b_two_turns_at_once {{violated|unknown}}
CONTRACT __global__ void b_two_turns_at_once(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        __threadfence();
        atomicAdd(lock + 1, 2u);
    }
}

// Somebody else lets a block in.
// CHECK: kernel b_another_passes_on {{violated|unknown}}
CONTRACT __global__ void b_another_passes_on(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
    }
    if (threadIdx.x == 1 && blockIdx.x == m)
        atomicAdd(lock + 1, 1u);
}

// … perhaps: the place depends on the block.
// CHECK: kernel b_another_writes_somewhere {{violated|unknown}}
CONTRACT __global__ void b_another_writes_somewhere(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
    }
    if (threadIdx.x == 1)
        atomicAdd(lock + blockIdx.x % 4, 1u);
}

// Both counters at once.
// CHECK: kernel b_wider {{violated|unknown}}
CONTRACT __global__ void b_wider(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
    }
    if (threadIdx.x == 1 && blockIdx.x == m)
        atomicAdd((unsigned long long *)lock, 1ull << 32);
}

// The numbers that are drawn set back by who has one.
// CHECK: kernel b_draws_again {{violated|unknown}}
CONTRACT __global__ void b_draws_again(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
        atomicSub(lock, 1u);
    }
}

// CHECK: kernel b_after violated
CONTRACT __global__ void b_after(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        pass_on(lock + 1);
        sum[0] += 1;
    }
}

// CHECK: kernel b_no_release violated
CONTRACT __global__ void b_no_release(PARAMETERS)
{
    if (threadIdx.x == 0) {
        wait(lock, lock + 1);
        sum[0] += 1;
        atomicAdd(lock + 1, 1u);
    }
}
