// One thread takes a lock for its block, in each iteration of a loop. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define CONTRACT tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 16 && m >= 0)
#define PARAMETERS tc_mut tc_shape(B) float *sum, tc_atomic tc_shape(B) int *lock, int n, int m

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}
__device__ void give(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

// CHECK: kernel three_times proved
CONTRACT __global__ void three_times(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
    }
}

// CHECK: kernel loop_inside proved
CONTRACT __global__ void loop_inside(PARAMETERS)
{
    for (int i = 0; i < m; i++) {
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        for (int j = 0; j < i; j++)
            sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
    }
}

// CHECK: kernel of_each proved
CONTRACT __global__ void of_each(PARAMETERS)
{
    for (int i = 0; i < B; i++) {
        if (threadIdx.x == 0)
            take(&lock[i]);
        __syncthreads();
        if (threadIdx.x == 5)
            sum[i] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(&lock[i]);
    }
}

// CHECK: kernel b_of_another violated
CONTRACT __global__ void b_of_another(PARAMETERS)
{
    for (int i = 0; i < B; i++) {
        if (threadIdx.x == 0)
            take(&lock[i]);
        __syncthreads();
        if (threadIdx.x == 5)
            sum[i / 2] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(&lock[i]);
    }
}

// CHECK: kernel not_in_the_second proved
CONTRACT __global__ void not_in_the_second(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0 && i != 1)
            take(lock);
        __syncthreads();
        if (i != 1)
            sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0 && i != 1)
            give(lock);
    }
}

// CHECK: kernel b_not_in_the_second violated
CONTRACT __global__ void b_not_in_the_second(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0 && i != 1)
            take(lock);
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0 && i != 1)
            give(lock);
    }
}

// CHECK: kernel b_no_barrier_behind violated
CONTRACT __global__ void b_no_barrier_behind(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            take(lock);
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
    }
}

// CHECK: kernel b_no_barrier_in_front violated
CONTRACT __global__ void b_no_barrier_in_front(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        sum[threadIdx.x] += 1;
        if (threadIdx.x == 0)
            give(lock);
    }
}

// CHECK: kernel b_barrier_in_others violated
CONTRACT __global__ void b_barrier_in_others(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            take(lock);
        if (i != m)
            __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
    }
}

// CHECK: kernel b_written_when_given violated
CONTRACT __global__ void b_written_when_given(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        float v = sum[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
        __syncthreads();
        sum[threadIdx.x] = v + 1;
    }
}

// CHECK: kernel b_no_release violated
CONTRACT __global__ void b_no_release(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(lock, 0);
    }
}

// The fence of the thread that gives, before it has met the others.
// CHECK: kernel b_releases_its_own violated
CONTRACT __global__ void b_releases_its_own(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        sum[threadIdx.x] += 1;
        if (threadIdx.x == 0)
            __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            atomicExch(lock, 0);
    }
}

// CHECK: kernel b_another_acquires violated
CONTRACT __global__ void b_another_acquires(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0)
            while (atomicCAS(lock, 0, 1) != 0)
                ;
        if (threadIdx.x == 1)
            __threadfence();
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
    }
}

// CHECK: kernel b_gives_up violated
CONTRACT __global__ void b_gives_up(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (threadIdx.x == 0) {
            int tries = 0;
            while (atomicCAS(lock, 0, 1) != 0 && tries < 100)
                tries++;
            __threadfence();
        }
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
    }
}

// Not all threads come to as many iterations.
// CHECK: kernel b_own_iterations {{violated|unknown}}
CONTRACT __global__ void b_own_iterations(PARAMETERS)
{
    for (int i = threadIdx.x; i < m; i += B) {
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            give(lock);
    }
}

// Held over into the next iteration.
// CHECK: kernel b_given_in_the_next {{violated|unknown}}
CONTRACT __global__ void b_given_in_the_next(PARAMETERS)
{
    for (int i = 0; i < 3; i++) {
        if (i > 0 && threadIdx.x == 0)
            give(lock);
        if (threadIdx.x == 0)
            take(lock);
        __syncthreads();
        sum[threadIdx.x] += 1;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        give(lock);
}
