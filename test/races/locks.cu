// What is done under locks, by compare-and-swap or exchange. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 64
#define CONTRACT tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20 && m >= 1 && m <= 1 << 16)
#define PARAMETERS                                                                                                                         \
    tc_mut tc_shape(m) float *sum, tc_atomic tc_shape(m) int *lock, tc_shared tc_shape(n) tc_range(0, m - 1) const int *bin, \
        tc_shared tc_shape(n) const float *x, int n, int m

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

// ---- by one thread of each block ----

// CHECK: kernel one_lock proved
CONTRACT __global__ void one_lock(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel two_sections proved
CONTRACT __global__ void two_sections(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        give(lock);
        take(lock);
        float v = sum[0];
        if (v > 1.0f)
            sum[0] = v / 2.0f;
        give(lock);
    }
}

// CHECK: kernel b_between_sections violated
CONTRACT __global__ void b_between_sections(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        give(lock);
        sum[0] = 1.0f;
        take(lock);
        sum[0] += 1.0f;
        give(lock);
    }
}

// CHECK: kernel given_on_both_ways proved
CONTRACT __global__ void given_on_both_ways(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        float v = sum[0];
        if (v > x[0]) {
            sum[0] = x[0];
            give(lock);
        } else {
            sum[0] = v + 1.0f;
            give(lock);
        }
    }
}

// CHECK: kernel b_given_twice unknown
CONTRACT __global__ void b_given_twice(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        give(lock);
        if (n > 5)
            give(lock);
    }
}

// CHECK: kernel b_given_in_loop violated
CONTRACT __global__ void b_given_in_loop(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        for (int i = 0; i < n; ++i) {
            sum[0] += x[i];
            give(lock);
        }
    }
}

// CHECK: kernel b_after violated
CONTRACT __global__ void b_after(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        give(lock);
        sum[0] = 0.0f;
    }
}

// CHECK: kernel b_before violated
CONTRACT __global__ void b_before(PARAMETERS)
{
    if (threadIdx.x == 0) {
        float v = sum[0];
        take(lock);
        sum[0] = v + x[0];
        give(lock);
    }
}

// CHECK: kernel b_no_fence_in_front violated
CONTRACT __global__ void b_no_fence_in_front(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        atomicExch(lock, 0);
    }
}

// CHECK: kernel b_no_fence_behind violated
CONTRACT __global__ void b_no_fence_behind(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel b_fence_of_block violated
CONTRACT __global__ void b_fence_of_block(PARAMETERS)
{
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        __threadfence_block();
        atomicExch(lock, 0);
    }
}

// CHECK: kernel b_lock_of_block violated
CONTRACT __global__ void b_lock_of_block(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (atomicCAS_block(lock, 0, 1) != 0)
            ;
        __threadfence();
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel b_goes_on_without violated
CONTRACT __global__ void b_goes_on_without(PARAMETERS)
{
    if (threadIdx.x == 0) {
        bool mine = atomicCAS(lock, 0, 1) == 0;
        __threadfence();
        sum[0] += x[0];
        if (mine)
            give(lock);
    }
}

// CHECK: kernel b_gives_without violated
CONTRACT __global__ void b_gives_without(PARAMETERS)
{
    if (threadIdx.x == 0) {
        bool mine = atomicCAS(lock, 0, 1) == 0;
        __threadfence();
        if (mine)
            sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel tries proved
CONTRACT __global__ void tries(PARAMETERS)
{
    if (threadIdx.x == 0 && atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel never_given proved
CONTRACT __global__ void never_given(PARAMETERS)
{
    if (threadIdx.x == 0 && atomicCAS(lock, 0, 1) == 0)
        sum[0] += x[0];
}

// CHECK: kernel b_another_value unknown
CONTRACT __global__ void b_another_value(PARAMETERS)
{
    if (threadIdx.x == 0) {
        if (n > 100)
            atomicCAS(lock, 1, 2);
        take(lock);
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel b_freed_by_others violated
CONTRACT __global__ void b_freed_by_others(PARAMETERS)
{
    if (threadIdx.x == 1)
        atomicExch(lock, 0);
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel b_counted_down violated
CONTRACT __global__ void b_counted_down(PARAMETERS)
{
    if (threadIdx.x == 1)
        atomicSub(lock, 1);
    if (threadIdx.x == 0) {
        take(lock);
        sum[0] += x[0];
        give(lock);
    }
}

// Takes what is free: a lock that nobody else can have is no lock.
// CHECK: kernel b_leaves_it_free violated
CONTRACT __global__ void b_leaves_it_free(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 0) != 0)
            ;
        __threadfence();
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel by_exchange proved
CONTRACT __global__ void by_exchange(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (atomicExch(lock, 1) != 0)
            ;
        __threadfence();
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel b_exchange_of_any violated
CONTRACT __global__ void b_exchange_of_any(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (atomicExch(lock, (int)blockIdx.x) != 0)
            ;
        __threadfence();
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel by_number_of_block proved
CONTRACT __global__ void by_number_of_block(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, -1, (int)blockIdx.x) != -1)
            ;
        __threadfence();
        sum[0] += x[0];
        __threadfence();
        atomicExch(lock, -1);
    }
}

__device__ int cas_acquire(int *p, int from, int to)
{
    int v;
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(v) : "l"(p), "r"(from), "r"(to) : "memory");
    return v;
}
__device__ void store_release(int *p, int v) { asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ void store_relaxed(int *p, int v) { asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }

// CHECK: kernel by_orders proved
CONTRACT __global__ void by_orders(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (cas_acquire(lock, 0, 1) != 0)
            ;
        sum[0] += x[0];
        store_release(lock, 0);
    }
}

// CHECK: kernel b_released_in_loop unknown
CONTRACT __global__ void b_released_in_loop(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (cas_acquire(lock, 0, 1) != 0)
            ;
        for (int i = 0; i < n; ++i) {
            sum[0] += x[i];
            store_release(lock, 0);
        }
    }
}

// What the instruction says of success, by itself.
// CHECK: kernel by_builtin proved
CONTRACT __global__ void by_builtin(PARAMETERS)
{
    int none = 0;
    if (threadIdx.x == 0 && __atomic_compare_exchange_n(lock, &none, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        __threadfence();
        sum[0] += x[0];
        give(lock);
    }
}

// CHECK: kernel b_by_builtin_in_vain violated
CONTRACT __global__ void b_by_builtin_in_vain(PARAMETERS)
{
    int none = 0;
    if (threadIdx.x == 0) {
        bool mine = __atomic_compare_exchange_n(lock, &none, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        __threadfence();
        if (!mine)
            sum[0] += x[0];
        else
            give(lock);
    }
}

// CHECK: kernel b_relaxed violated
CONTRACT __global__ void b_relaxed(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (cas_acquire(lock, 0, 1) != 0)
            ;
        sum[0] += x[0];
        store_relaxed(lock, 0);
    }
}

// A section that neither acquires nor releases ends the chain, where it ends with a store.
// CHECK: kernel b_section_that_breaks_the_chain violated
CONTRACT __global__ void b_section_that_breaks_the_chain(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (cas_acquire(lock, 0, 1) != 0)
            ;
        sum[0] += x[0];
        store_release(lock, 0);
    }
    if (threadIdx.x == 1) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        store_relaxed(lock, 0);
    }
}

// CHECK: kernel section_that_continues_it proved
CONTRACT __global__ void section_that_continues_it(PARAMETERS)
{
    if (threadIdx.x == 0) {
        while (cas_acquire(lock, 0, 1) != 0)
            ;
        sum[0] += x[0];
        store_release(lock, 0);
    }
    if (threadIdx.x == 1) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        atomicExch(lock, 0);
    }
}

// ---- of many locks, by each thread ----

// CHECK: kernel bins proved
CONTRACT __global__ void bins(PARAMETERS)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n) {
        int b = bin[i];
        bool done = false;
        while (!done) {
            if (atomicCAS(&lock[b], 0, 1) == 0) {
                __threadfence();
                sum[b] += x[i];
                __threadfence();
                atomicExch(&lock[b], 0);
                done = true;
            }
        }
    }
}

// CHECK: kernel b_behind_the_loop violated
CONTRACT __global__ void b_behind_the_loop(PARAMETERS)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock[0], 0, 1) == 0) {
            __threadfence();
            sum[0] += 1.0f;
            __threadfence();
            atomicExch(&lock[0], 0);
            done = true;
        }
    }
    sum[0] += 1.0f;
}

// CHECK: kernel bins_in_turn proved
CONTRACT __global__ void bins_in_turn(PARAMETERS)
{
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B) {
        take(&lock[bin[i]]);
        sum[bin[i]] += x[i];
        give(&lock[bin[i]]);
    }
}

// CHECK: kernel loop_under_lock proved
CONTRACT __global__ void loop_under_lock(PARAMETERS)
{
    int b = threadIdx.x % m;
    take(&lock[b]);
    for (int i = 0; i < n; ++i)
        if (bin[i] == b)
            sum[b] += x[i];
    give(&lock[b]);
}

// CHECK: kernel b_other_bin violated
CONTRACT __global__ void b_other_bin(PARAMETERS)
{
    for (int i = blockIdx.x * B + threadIdx.x; i + 1 < n; i += gridDim.x * B) {
        take(&lock[bin[i]]);
        sum[bin[i + 1]] += x[i];
        give(&lock[bin[i]]);
    }
}

// CHECK: kernel b_gives_other_bin violated
CONTRACT __global__ void b_gives_other_bin(PARAMETERS)
{
    for (int i = blockIdx.x * B + threadIdx.x; i + 1 < n; i += gridDim.x * B) {
        take(&lock[bin[i]]);
        sum[bin[i]] += x[i];
        give(&lock[bin[i + 1]]);
    }
}

// CHECK: kernel b_given_before_the_store violated
CONTRACT __global__ void b_given_before_the_store(PARAMETERS)
{
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B) {
        int b = bin[i];
        take(&lock[b]);
        float v = sum[b];
        give(&lock[b]);
        sum[b] = v + x[i];
    }
}

// Held over the iterations, and given back in each.
// CHECK: kernel b_taken_once unknown
CONTRACT __global__ void b_taken_once(PARAMETERS)
{
    take(&lock[0]);
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B) {
        sum[0] += x[i];
        give(&lock[0]);
    }
}

// CHECK: kernel held_over_a_loop proved
CONTRACT __global__ void held_over_a_loop(PARAMETERS)
{
    take(&lock[0]);
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += gridDim.x * B)
        sum[0] += x[i];
    give(&lock[0]);
}

// ---- by a block ----

// CHECK: kernel of_block proved
CONTRACT __global__ void of_block(PARAMETERS)
{
    if (threadIdx.x == 0)
        take(lock);
    __syncthreads();
    if (threadIdx.x < m)
        sum[threadIdx.x] += 1.0f;
    __syncthreads();
    if (threadIdx.x == 0)
        give(lock);
}

// CHECK: kernel b_no_barrier_behind violated
CONTRACT __global__ void b_no_barrier_behind(PARAMETERS)
{
    if (threadIdx.x == 0)
        take(lock);
    if (threadIdx.x < m)
        sum[threadIdx.x] += 1.0f;
    __syncthreads();
    if (threadIdx.x == 0)
        give(lock);
}

// CHECK: kernel b_no_barrier_in_front violated
CONTRACT __global__ void b_no_barrier_in_front(PARAMETERS)
{
    if (threadIdx.x == 0)
        take(lock);
    __syncthreads();
    if (threadIdx.x < m)
        sum[threadIdx.x] += 1.0f;
    if (threadIdx.x == 0)
        give(lock);
}

// By other threads than the one that gives it back.
// CHECK: kernel b_still_at_work violated
CONTRACT __global__ void b_still_at_work(PARAMETERS)
{
    if (threadIdx.x == 0)
        take(lock);
    __syncthreads();
    if (threadIdx.x > 0 && threadIdx.x < m)
        sum[threadIdx.x] += 1.0f;
    if (threadIdx.x == 0)
        give(lock);
}

// The threads of the block are in no order with each other.
// CHECK: kernel b_all_of_block violated
CONTRACT __global__ void b_all_of_block(PARAMETERS)
{
    if (threadIdx.x == 0)
        take(lock);
    __syncthreads();
    sum[0] += 1.0f;
    __syncthreads();
    if (threadIdx.x == 0)
        give(lock);
}

// ---- in shared memory ----

// CHECK: kernel in_shared proved
CONTRACT __global__ void in_shared(tc_out tc_shape(gridDim.x) float *y, tc_shared tc_shape(n) const float *x, int n, int m)
{
    __shared__ int lock;
    __shared__ float sum;
    if (threadIdx.x == 0) {
        lock = 0;
        sum = 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += B) {
        bool done = false;
        while (!done)
            if (atomicCAS(&lock, 0, 1) == 0) {
                __threadfence_block();
                sum += x[i];
                __threadfence_block();
                atomicExch(&lock, 0);
                done = true;
            }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

// CHECK: kernel b_set_up_late violated
CONTRACT __global__ void b_set_up_late(tc_out tc_shape(gridDim.x) float *y, tc_shared tc_shape(n) const float *x, int n, int m)
{
    __shared__ int lock;
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0.0f;
    __syncthreads();
    if (threadIdx.x == 0)
        lock = 0;
    for (int i = threadIdx.x; i < n; i += B) {
        bool done = false;
        while (!done)
            if (atomicCAS(&lock, 0, 1) == 0) {
                __threadfence_block();
                sum += x[i];
                __threadfence_block();
                atomicExch(&lock, 0);
                done = true;
            }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

// CHECK: kernel b_set_up_again violated
CONTRACT __global__ void b_set_up_again(tc_out tc_shape(gridDim.x) float *y, tc_shared tc_shape(n) const float *x, int n, int m)
{
    __shared__ int lock;
    __shared__ float sum;
    if (threadIdx.x == 0)
        sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (threadIdx.x == 0)
            lock = 0;
        __syncthreads();
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            sum += x[i];
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

// CHECK: kernel b_shared_with_no_fence violated
CONTRACT __global__ void b_shared_with_no_fence(tc_out tc_shape(gridDim.x) float *y, tc_shared tc_shape(n) const float *x, int n, int m)
{
    __shared__ int lock;
    __shared__ float sum;
    if (threadIdx.x == 0) {
        lock = 0;
        sum = 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += B) {
        bool done = false;
        while (!done)
            if (atomicCAS(&lock, 0, 1) == 0) {
                sum += x[i];
                atomicExch(&lock, 0);
                done = true;
            }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
}

// ---- given back by compare-and-swap ----

// CHECK: kernel given_by_swap proved
CONTRACT __global__ void given_by_swap(PARAMETERS)
{
    if (threadIdx.x == 0) {
        int k = bin[blockIdx.x];
        take(&lock[k]);
        sum[k] += x[0];
        __threadfence();
        atomicCAS(&lock[k], 1, 0);
    }
}

// CHECK: kernel b_given_by_swap_with_no_fence violated
CONTRACT __global__ void b_given_by_swap_with_no_fence(PARAMETERS)
{
    if (threadIdx.x == 0) {
        int k = bin[blockIdx.x];
        take(&lock[k]);
        sum[k] += x[0];
        atomicCAS(&lock[k], 1, 0);
    }
}

// Who could not have the lock gives back another one's.
// CHECK: kernel b_given_by_swap_of_others violated
CONTRACT __global__ void b_given_by_swap_of_others(PARAMETERS)
{
    if (threadIdx.x == 0) {
        if (atomicCAS(&lock[0], 0, 1) != 0)
            atomicCAS(&lock[0], 1, 0);
        else {
            __threadfence();
            sum[0] += x[0];
            __threadfence();
            atomicCAS(&lock[0], 1, 0);
        }
    }
}

// Each row is written and named under its lock, but who reads it is any lane of the warp.
// CHECK: kernel b_read_by_other_lanes unknown
tc_block(64) tc_requires(n >= 1 && n <= 1 << 20) tc_grid(n) __global__ void b_read_by_other_lanes(tc_mut tc_shape(n, 64) unsigned *y, int n)
{
    __shared__ __align__(16) unsigned rows[64][4];
    __shared__ int lock[64];
    int t = threadIdx.x, row = t ^ 32;
    rows[t][0] = rows[t][1] = rows[t][2] = rows[t][3] = 0;
    lock[t] = 0;
    __syncthreads();
    unsigned v = 0;
    if (atomicCAS(&lock[t], 0, 1) == 0) {
        __threadfence_block();
        rows[t][0] = 1;
        __threadfence_block();
        atomicExch(&lock[t], 0);
    }
    while (atomicCAS(&lock[row], 0, 1) != 0)
        ;
    __threadfence_block();
    unsigned at = (unsigned)__cvta_generic_to_shared(&rows[row][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(at) : "memory");
    __threadfence_block();
    atomicExch(&lock[row], 0);
    y[blockIdx.x * 64 + t] = v;
}
