// Threads of a block hand over to others by flags and counters in shared memory. b_: near misses.
// RUN: %verdicts %s --standin | FileCheck %s
#include <cuda/atomic>
#include <tilecheck.h>
#define B 128

template <class T> using ref = cuda::atomic_ref<T, cuda::thread_scope_block>;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;

#define KERNEL tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 65535) __global__ void
#define OUT tc_shared tc_shape(m, B) const float *x, tc_mut tc_shape(m, B) float *y, int m
#define X x[blockIdx.x * B + threadIdx.x]
#define Y y[blockIdx.x * B + threadIdx.x]

// ---- one flag, of one thread ----

#define ONE_FLAG(NAME, SETUP, SEND, RECEIVE)                                                                           \
    KERNEL NAME(OUT)                                                                                                   \
    {                                                                                                                  \
        __shared__ float data[4];                                                                                      \
        __shared__ int flag;                                                                                           \
        SETUP                                                                                                          \
        if (threadIdx.x == 0) {                                                                                        \
            SEND                                                                                                       \
        }                                                                                                              \
        if (threadIdx.x == 64) {                                                                                       \
            RECEIVE                                                                                                    \
        }                                                                                                              \
    }
#define ZERO                                                                                                           \
    if (threadIdx.x == 0)                                                                                              \
        flag = 0;                                                                                                      \
    __syncthreads();
#define FILL                                                                                                           \
    for (int i = 0; i < 4; i++)                                                                                        \
        data[i] = x[i];
#define TAKE                                                                                                           \
    for (int i = 0; i < 4; i++)                                                                                        \
        Y = data[i];
#define SET(order) ref<int>(flag).store(1, memory_order_##order);
#define WAIT(order) while (ref<int>(flag).load(memory_order_##order) == 0);

// CHECK: kernel waits proved
ONE_FLAG(waits, ZERO, FILL SET(release), WAIT(acquire) TAKE)
// CHECK: kernel looks proved
ONE_FLAG(looks, ZERO, FILL SET(release), if (ref<int>(flag).load(memory_order_acquire) == 1) { TAKE })
// CHECK: kernel fences proved
ONE_FLAG(fences, ZERO, FILL __threadfence_block(); SET(relaxed), WAIT(relaxed) __threadfence_block(); TAKE)
// CHECK: kernel wider_fences proved
ONE_FLAG(wider_fences, ZERO, FILL __threadfence(); SET(relaxed), WAIT(relaxed) __threadfence(); TAKE)
// CHECK: kernel fence_behind_test proved
ONE_FLAG(fence_behind_test, ZERO, FILL __threadfence_block(); atomicExch(&flag, 1);,
         if (atomicAdd(&flag, 0) == 1) { __threadfence_block(); TAKE })
// CHECK: kernel exchanged proved
ONE_FLAG(exchanged, ZERO, FILL ref<int>(flag).exchange(3, memory_order_release);, WAIT(acquire) TAKE)
// Set up by an atomic store, and to another value than 0.
// CHECK: kernel set_up_by_store proved
ONE_FLAG(set_up_by_store, if (threadIdx.x == 64) ref<int>(flag).store(7, memory_order_relaxed); __syncthreads();,
         FILL SET(release), while (ref<int>(flag).load(memory_order_acquire) == 7); TAKE)
// Two steps of one thread: the second says more than the first.
// CHECK: kernel two_steps proved
ONE_FLAG(two_steps, ZERO, data[0] = 1; SET(release) data[1] = 2; ref<int>(flag).store(2, memory_order_release);,
         int r = ref<int>(flag).load(memory_order_acquire); if (r >= 1) Y = data[0]; if (r == 2) Y = data[1];)
// CHECK: kernel object_of_libcu proved
KERNEL object_of_libcu(OUT)
{
    __shared__ float data;
    __shared__ cuda::atomic<int, cuda::thread_scope_block> flag;
    if (threadIdx.x == 0)
        flag.store(0, memory_order_relaxed);
    __syncthreads();
    if (threadIdx.x == 32) {
        data = X;
        flag.store(1);
    }
    if (threadIdx.x == 64) {
        flag.wait(0);
        Y = data;
    }
}

// CHECK: kernel b_relaxed violated
ONE_FLAG(b_relaxed, ZERO, FILL SET(relaxed), WAIT(relaxed) TAKE)
// CHECK: kernel b_no_release violated
ONE_FLAG(b_no_release, ZERO, FILL SET(relaxed), WAIT(acquire) TAKE)
// CHECK: kernel b_no_acquire violated
ONE_FLAG(b_no_acquire, ZERO, FILL SET(release), WAIT(relaxed) TAKE)
// CHECK: kernel b_no_fence_in_front violated
ONE_FLAG(b_no_fence_in_front, ZERO, FILL SET(relaxed), WAIT(relaxed) __threadfence_block(); TAKE)
// CHECK: kernel b_fence_too_early violated
ONE_FLAG(b_fence_too_early, ZERO, __threadfence_block(); FILL SET(relaxed), WAIT(relaxed) __threadfence_block(); TAKE)
// CHECK: kernel b_fence_too_late violated
ONE_FLAG(b_fence_too_late, ZERO, FILL SET(release), WAIT(relaxed) TAKE __threadfence_block();)
// CHECK: kernel b_fence_before_look violated
ONE_FLAG(b_fence_before_look, ZERO, FILL SET(release), __threadfence_block(); WAIT(relaxed) TAKE)
// CHECK: kernel b_sent_too_early violated
ONE_FLAG(b_sent_too_early, ZERO, SET(release) FILL, WAIT(acquire) TAKE)
// CHECK: kernel b_looks_too_late {{violated|unknown}}
ONE_FLAG(b_looks_too_late, ZERO, FILL SET(release), TAKE WAIT(acquire))
// CHECK: kernel b_looks_and_takes_anyway {{violated|unknown}}
ONE_FLAG(b_looks_and_takes_anyway, ZERO, FILL SET(release), ref<int>(flag).load(memory_order_acquire); TAKE)
// CHECK: kernel b_looks_for_the_first {{violated|unknown}}
ONE_FLAG(b_looks_for_the_first, ZERO, FILL SET(release), if (ref<int>(flag).load(memory_order_acquire) == 0) { TAKE })
// What is sent is what was there.
// CHECK: kernel b_sends_the_first {{violated|unknown}}
ONE_FLAG(b_sends_the_first, ZERO, FILL ref<int>(flag).store(0, memory_order_release);,
         if (ref<int>(flag).load(memory_order_acquire) == 0) { TAKE })
// CHECK: kernel b_plain_flag violated
ONE_FLAG(b_plain_flag, ZERO, FILL __threadfence_block(); flag = 1;, WAIT(relaxed) __threadfence_block(); TAKE)
// CHECK: kernel b_volatile_flag violated
ONE_FLAG(b_volatile_flag, ZERO, FILL __threadfence_block(); *(volatile int *)&flag = 1;,
         while (*(volatile int *)&flag == 0); __threadfence_block(); TAKE)
// CHECK: kernel b_other_width {{violated|unknown}}
ONE_FLAG(b_other_width, ZERO, FILL SET(release), while (ref<short>((short &)flag).load(memory_order_acquire) == 0); TAKE)

// Never set up: what is found may be anything.
// CHECK: kernel b_not_set_up {{violated|unknown}}
ONE_FLAG(b_not_set_up, , FILL SET(release), WAIT(acquire) TAKE)
// CHECK: kernel b_no_barrier_behind {{violated|unknown}}
ONE_FLAG(b_no_barrier_behind, if (threadIdx.x == 64) flag = 0;, FILL SET(release), WAIT(acquire) TAKE)
// CHECK: kernel b_barrier_in_front {{violated|unknown}}
ONE_FLAG(b_barrier_in_front, __syncthreads(); if (threadIdx.x == 64) flag = 0;, FILL SET(release), WAIT(acquire) TAKE)
// CHECK: kernel b_set_up_sometimes {{violated|unknown}}
ONE_FLAG(b_set_up_sometimes, if (threadIdx.x == 0 && m > 2) flag = 0; __syncthreads();, FILL SET(release), WAIT(acquire) TAKE)
// CHECK: kernel b_set_up_to_two_values {{violated|unknown}}
ONE_FLAG(b_set_up_to_two_values, if (threadIdx.x < 2) ref<int>(flag).store(threadIdx.x, memory_order_relaxed); __syncthreads();,
         FILL SET(release), WAIT(acquire) TAKE)
// CHECK: kernel b_set_up_to_set {{violated|unknown}}
ONE_FLAG(b_set_up_to_set, if (threadIdx.x == 0) flag = 1; __syncthreads();, FILL SET(release), WAIT(acquire) TAKE)
// Set back while others may still wait, or by another thread than the one that sends.
// CHECK: kernel b_set_back {{violated|unknown}}
ONE_FLAG(b_set_back, ZERO, FILL SET(release), WAIT(acquire) TAKE ref<int>(flag).store(0, memory_order_relaxed);)
// CHECK: kernel b_set_by_another {{violated|unknown}}
ONE_FLAG(b_set_by_another, ZERO if (threadIdx.x == 1) SET(relaxed), FILL SET(release), WAIT(acquire) TAKE)
// CHECK: kernel b_first_of_two_steps {{violated|unknown}}
ONE_FLAG(b_first_of_two_steps, ZERO, data[0] = 1; SET(release) data[1] = 2; ref<int>(flag).store(2, memory_order_release);,
         WAIT(acquire) Y = data[1];)
// Both steps send one value.
// CHECK: kernel b_steps_of_one_value {{violated|unknown}}
ONE_FLAG(b_steps_of_one_value, ZERO, data[0] = 1; SET(release) data[1] = 2; SET(release), WAIT(acquire) Y = data[1];)
// The last of three is relaxed, and may be the one that is seen.
// CHECK: kernel b_relaxed_step {{violated|unknown}}
ONE_FLAG(b_relaxed_step, ZERO, SET(release) data[1] = 2; ref<int>(flag).store(2, memory_order_relaxed);,
         if (ref<int>(flag).load(memory_order_acquire) == 2) Y = data[1];)
// What one thread saw another one does not know.
// CHECK: kernel b_another_looks {{violated|unknown}}
ONE_FLAG(b_another_looks, ZERO if (threadIdx.x == 65) WAIT(acquire), FILL SET(release), TAKE)
// A scope of one thread.
// CHECK: kernel b_thread_scope {{violated|unknown}}
ONE_FLAG(b_thread_scope, ZERO, FILL (cuda::atomic_ref<int, cuda::thread_scope_thread>(flag)).store(1);, WAIT(acquire) TAKE)

// ---- what others wrote before a barrier, or with none ----

// CHECK: kernel written_by_all proved
KERNEL written_by_all(OUT)
{
    __shared__ float data[B];
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        data[threadIdx.x] = X;
    __syncwarp();
    if (threadIdx.x == 0) {
        data[0] = 1;
        ref<int>(flag).store(1, memory_order_release);
    }
    if (threadIdx.x == 64) {
        WAIT(acquire)
        Y = data[0];
    }
}

// Of the lanes beside the one that sends nothing is known.
// CHECK: kernel b_written_by_others {{violated|unknown}}
KERNEL b_written_by_others(OUT)
{
    __shared__ float data[B];
    __shared__ int flag;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        data[threadIdx.x] = X;
    if (threadIdx.x == 0)
        ref<int>(flag).store(1, memory_order_release);
    if (threadIdx.x == 64) {
        WAIT(acquire)
        Y = data[1];
    }
}

// ---- a flag for each thread ----

#define FLAGS(NAME, PLACE, LOOK, FROM)                                                                                 \
    KERNEL NAME(OUT)                                                                                                   \
    {                                                                                                                  \
        __shared__ float data[B];                                                                                      \
        __shared__ int flag[B];                                                                                        \
        flag[threadIdx.x] = 0;                                                                                         \
        __syncthreads();                                                                                               \
        data[threadIdx.x] = X;                                                                                         \
        ref<int>(flag[PLACE]).store(1, memory_order_release);                                                          \
        const int other = (threadIdx.x + 1) % B;                                                                       \
        if (ref<int>(flag[LOOK]).load(memory_order_acquire) == 1)                                                      \
            Y = data[FROM];                                                                                            \
    }
// CHECK: kernel each proved
FLAGS(each, threadIdx.x, other, other)
// CHECK: kernel reversed proved
FLAGS(reversed, B - 1 - threadIdx.x, B - 1 - other, other)
// CHECK: kernel b_other_data violated
FLAGS(b_other_data, threadIdx.x, other, (other + 1) % B)
// CHECK: kernel b_shared_by_two {{violated|unknown}}
FLAGS(b_shared_by_two, threadIdx.x / 2, other / 2, other)
// CHECK: kernel b_own_flag violated
FLAGS(b_own_flag, threadIdx.x, threadIdx.x, other)

// ---- the last thread ----

#define LAST(NAME, SETUP, BEFORE, WHO, ADD, NUMBER, BEHIND)                                                            \
    KERNEL NAME(OUT)                                                                                                   \
    {                                                                                                                  \
        __shared__ float part[B];                                                                                      \
        __shared__ unsigned count;                                                                                     \
        SETUP                                                                                                          \
        __syncthreads();                                                                                               \
        if (WHO) {                                                                                                     \
            part[threadIdx.x] = X;                                                                                     \
            BEFORE                                                                                                     \
            if (ADD == NUMBER) {                                                                                       \
                BEHIND                                                                                                 \
                float sum = 0;                                                                                         \
                for (int i = 0; i < B; i++)                                                                            \
                    if (i == threadIdx.x || (WHO_IS(i)))                                                               \
                        sum += part[i];                                                                                \
                y[blockIdx.x * B] = sum;                                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }
#define NONE
#define FENCE __threadfence_block();
#define COUNT_0                                                                                                        \
    if (threadIdx.x == 0)                                                                                              \
        count = 0;
#define ADD_1 atomicAdd(&count, 1u)
#define ADD_IN(order) ref<unsigned>(count).fetch_add(1, memory_order_##order)
#define WHO_IS(i) true

// CHECK: kernel last proved
LAST(last, COUNT_0, FENCE, true, ADD_1, blockDim.x - 1, FENCE)
// CHECK: kernel last_in_block_scope proved
LAST(last_in_block_scope, COUNT_0, FENCE, true, atomicAdd_block(&count, 1u), B - 1, FENCE)
// CHECK: kernel last_acq_rel proved
LAST(last_acq_rel, COUNT_0, , true, ADD_IN(acq_rel), B - 1, )
// CHECK: kernel last_from_5 proved
LAST(last_from_5, if (threadIdx.x == 3) count = 5;, FENCE, true, ADD_1, B + 4, FENCE)

// CHECK: kernel b_last_no_fences violated
LAST(b_last_no_fences, COUNT_0, , true, ADD_1, B - 1, )
// CHECK: kernel b_last_no_fence_behind violated
LAST(b_last_no_fence_behind, COUNT_0, FENCE, true, ADD_1, B - 1, )
// CHECK: kernel b_last_no_fence_in_front violated
LAST(b_last_no_fence_in_front, COUNT_0, , true, ADD_1, B - 1, FENCE)
// CHECK: kernel b_last_release_only violated
LAST(b_last_release_only, COUNT_0, , true, ADD_IN(release), B - 1, )
// CHECK: kernel b_last_acquire_only violated
LAST(b_last_acquire_only, COUNT_0, , true, ADD_IN(acquire), B - 1, )
// CHECK: kernel b_last_but_one violated
LAST(b_last_but_one, COUNT_0, FENCE, true, ADD_1, B - 2, FENCE)
// CHECK: kernel b_last_from_1 {{violated|unknown}}
LAST(b_last_from_1, if (threadIdx.x == 0) count = 1;, FENCE, true, ADD_1, B - 1, FENCE)
// CHECK: kernel b_last_not_set_up {{violated|unknown}}
LAST(b_last_not_set_up, , FENCE, true, ADD_1, B - 1, FENCE)
// CHECK: kernel b_last_set_up_to_thread {{violated|unknown}}
LAST(b_last_set_up_to_thread, ref<unsigned>(count).store(threadIdx.x, memory_order_relaxed);, FENCE, true, ADD_1, B - 1, FENCE)
// CHECK: kernel b_last_adds_two {{violated|unknown}}
LAST(b_last_adds_two, COUNT_0, FENCE, true, atomicAdd(&count, 2u), B - 1, FENCE)
// More come than are counted, twice.
// CHECK: kernel b_last_twice {{violated|unknown}}
LAST(b_last_twice, COUNT_0, FENCE atomicAdd(&count, 1u);, true, ADD_1, B - 1, FENCE)
// CHECK: kernel b_last_of_some {{violated|unknown}}
LAST(b_last_of_some, COUNT_0 else if (threadIdx.x == 1) atomicAdd(&count, 1u);, FENCE, true, ADD_1, B - 1, FENCE)
// CHECK: kernel b_last_subtracted {{violated|unknown}}
LAST(b_last_subtracted, COUNT_0, FENCE if (threadIdx.x == 0) atomicSub(&count, 1u);, true, ADD_1, B - 2, FENCE)

#undef WHO_IS
#define WHO_IS(i) i < 48
// Of some of the threads.
// CHECK: kernel last_of_48 proved
LAST(last_of_48, COUNT_0, FENCE, threadIdx.x < 48, ADD_1, 47, FENCE)
// CHECK: kernel b_last_of_47 violated
LAST(b_last_of_47, COUNT_0, FENCE, threadIdx.x < 48, ADD_1, 46, FENCE)
#undef WHO_IS
#define WHO_IS(i) i % 32 == 0
// CHECK: kernel last_of_leaders proved
LAST(last_of_leaders, COUNT_0, FENCE, threadIdx.x % 32 == 0, ADD_1, blockDim.x / 32 - 1, FENCE)
// CHECK: kernel b_last_of_leaders {{violated|unknown}}
LAST(b_last_of_leaders, COUNT_0, FENCE, threadIdx.x % 32 < 2, ADD_1, blockDim.x / 32 - 1, FENCE)

// One thread waits until all have added.
// CHECK: kernel gathers proved
KERNEL gathers(OUT)
{
    __shared__ float part[B];
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (threadIdx.x >= 32) {
        part[threadIdx.x] = X;
        ref<int>(count).fetch_add(1, memory_order_release);
    } else if (threadIdx.x == 0) {
        while (ref<int>(count).load(memory_order_acquire) < B - 32)
            ;
        for (int i = 32; i < B; i++)
            Y = part[i];
    }
}

// CHECK: kernel b_gathers_too_early {{violated|unknown}}
KERNEL b_gathers_too_early(OUT)
{
    __shared__ float part[B];
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (threadIdx.x >= 32) {
        part[threadIdx.x] = X;
        ref<int>(count).fetch_add(1, memory_order_release);
    } else if (threadIdx.x == 0) {
        while (ref<int>(count).load(memory_order_acquire) < B - 33)
            ;
        for (int i = 32; i < B; i++)
            Y = part[i];
    }
}

// The block's extent is free.
// CHECK: kernel free_block {{proved|proved-if}}
__global__ void free_block(tc_shared tc_shape(gridDim.x, blockDim.x) const float *x, tc_mut tc_shape(gridDim.x) float *y)
{
    __shared__ float part[1024];
    __shared__ unsigned count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    part[threadIdx.x] = x[(size_t)blockIdx.x * blockDim.x + threadIdx.x];
    __threadfence_block();
    if (atomicAdd(&count, 1u) == blockDim.x - 1) {
        __threadfence_block();
        float sum = 0;
        for (unsigned i = 0; i < blockDim.x; i++)
            sum += part[i];
        y[blockIdx.x] = sum;
    }
}

// ---- warps: lane 0 sends, or looks, for the others ----

#define WARPS(NAME, WRITE, SEND, LOOK, READ)                                                                           \
    KERNEL NAME(OUT)                                                                                                   \
    {                                                                                                                  \
        __shared__ float data[B];                                                                                      \
        __shared__ int flag[B / 32];                                                                                   \
        if (threadIdx.x < B / 32)                                                                                      \
            flag[threadIdx.x] = 0;                                                                                     \
        __syncthreads();                                                                                               \
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, before = warp - 1;                                 \
        data[threadIdx.x] = X;                                                                                         \
        WRITE                                                                                                          \
        if (lane == 0) {                                                                                               \
            SEND                                                                                                       \
        }                                                                                                              \
        if (warp > 0) {                                                                                                \
            if (lane == 0) {                                                                                           \
                LOOK                                                                                                   \
            }                                                                                                          \
            READ                                                                                                       \
            Y = data[threadIdx.x - 32];                                                                                \
        }                                                                                                              \
    }
#define SEND_FOR_WARP ref<int>(flag[warp]).store(1, memory_order_release);
#define WAIT_FOR_WARP(order) while (ref<int>(flag[before]).load(memory_order_##order) == 0);
// CHECK: kernel chain_of_warps proved
WARPS(chain_of_warps, __syncwarp();, SEND_FOR_WARP, WAIT_FOR_WARP(acquire), __syncwarp();)
// CHECK: kernel warps_with_fences proved
WARPS(warps_with_fences, __syncwarp();, __threadfence_block(); atomicExch(&flag[warp], 1);,
      WAIT_FOR_WARP(relaxed) __threadfence_block();, __syncwarp();)
// Each lane looks for itself.
// CHECK: kernel lanes_look proved
WARPS(lanes_look, __syncwarp();, SEND_FOR_WARP, , WAIT_FOR_WARP(acquire))
// CHECK: kernel b_warp_no_barrier_in_front violated
WARPS(b_warp_no_barrier_in_front, , SEND_FOR_WARP, WAIT_FOR_WARP(acquire), __syncwarp();)
// CHECK: kernel b_warp_no_barrier_behind {{violated|unknown}}
WARPS(b_warp_no_barrier_behind, __syncwarp();, SEND_FOR_WARP, WAIT_FOR_WARP(acquire), )
// CHECK: kernel b_warp_relaxed violated
WARPS(b_warp_relaxed, __syncwarp();, ref<int>(flag[warp]).store(1, memory_order_relaxed);, WAIT_FOR_WARP(acquire), __syncwarp();)
// CHECK: kernel b_warp_no_acquire violated
WARPS(b_warp_no_acquire, __syncwarp();, SEND_FOR_WARP, WAIT_FOR_WARP(relaxed), __syncwarp();)
// Acquired by lanes that did not look.
// CHECK: kernel b_warp_fence_by_others {{violated|unknown}}
WARPS(b_warp_fence_by_others, __syncwarp();, SEND_FOR_WARP, WAIT_FOR_WARP(relaxed),
      __syncwarp(); if (lane > 0) __threadfence_block();)
// CHECK: kernel b_warp_own_flag {{violated|unknown}}
WARPS(b_warp_own_flag, __syncwarp();, SEND_FOR_WARP, while (ref<int>(flag[warp]).load(memory_order_acquire) == 0);, __syncwarp();)
// CHECK: kernel b_warp_one_flag {{violated|unknown}}
WARPS(b_warp_one_flag, __syncwarp();, ref<int>(flag[0]).store(1, memory_order_release);,
      while (ref<int>(flag[0]).load(memory_order_acquire) == 0);, __syncwarp();)
// Some lanes look at one flag, and some at another.
// CHECK: kernel b_warp_looks_at_two {{violated|unknown}}
WARPS(b_warp_looks_at_two, __syncwarp();, SEND_FOR_WARP, ,
      while (ref<int>(flag[lane < 16 ? before : warp]).load(memory_order_acquire) == 0);)

// The last warp to come.
#define LAST_WARP(NAME, BEFORE, NUMBER, BEHIND)                                                                        \
    KERNEL NAME(OUT)                                                                                                   \
    {                                                                                                                  \
        __shared__ float part[B];                                                                                      \
        __shared__ unsigned count;                                                                                     \
        if (threadIdx.x == 0)                                                                                          \
            count = 0;                                                                                                 \
        __syncthreads();                                                                                               \
        part[threadIdx.x] = X;                                                                                         \
        BEFORE                                                                                                         \
        if (threadIdx.x % 32 == 0) {                                                                                   \
            if (ref<unsigned>(count).fetch_add(1, memory_order_acq_rel) == NUMBER) {                                   \
                float sum = 0;                                                                                         \
                for (int i = 0; i < B; i++)                                                                            \
                    sum += part[i];                                                                                    \
                y[blockIdx.x * B] = sum;                                                                               \
            }                                                                                                          \
        }                                                                                                              \
    }
// CHECK: kernel last_warp proved
LAST_WARP(last_warp, __syncwarp();, B / 32 - 1, )
// CHECK: kernel b_last_warp_no_barrier violated
LAST_WARP(b_last_warp_no_barrier, , B / 32 - 1, )
// CHECK: kernel b_last_warp_but_one violated
LAST_WARP(b_last_warp_but_one, __syncwarp();, B / 32 - 2, )

// ---- other ways to go wrong ----

// Written again when it was sent.
// CHECK: kernel b_written_again violated
ONE_FLAG(b_written_again, ZERO, FILL SET(release) data[0] = 5;, WAIT(acquire) TAKE)
// A wait that gives up.
// CHECK: kernel b_gives_up {{violated|unknown}}
ONE_FLAG(b_gives_up, ZERO, FILL SET(release), for (int i = 0; i < m && ref<int>(flag).load(memory_order_acquire) == 0; i++); TAKE)
// What was there first may be what is waited for.
// CHECK: kernel b_set_up_to_size {{violated|unknown}}
ONE_FLAG(b_set_up_to_size, if (threadIdx.x == 0) flag = m - 1; __syncthreads();, FILL SET(release), WAIT(acquire) TAKE)
// A barrier of the warp is none of the block.
// CHECK: kernel b_set_up_in_warp {{violated|unknown}}
ONE_FLAG(b_set_up_in_warp, if (threadIdx.x == 64) flag = 0; __syncwarp();, FILL SET(release), WAIT(acquire) TAKE)
// Sent in a loop: by the first time not all is done.
// CHECK: kernel b_sent_in_loop {{violated|unknown}}
ONE_FLAG(b_sent_in_loop, ZERO, for (int i = 0; i < 4; i++) { data[i] = x[i]; SET(release) }, WAIT(acquire) TAKE)
// Where the fence stands on one path only.
// CHECK: kernel b_fence_on_one_path {{violated|unknown}}
ONE_FLAG(b_fence_on_one_path, ZERO, FILL if (m > 3) __threadfence_block(); SET(relaxed), WAIT(acquire) TAKE)
// CHECK: kernel b_acquire_on_one_path {{violated|unknown}}
ONE_FLAG(b_acquire_on_one_path, ZERO, FILL SET(release), WAIT(relaxed) if (m > 3) __threadfence_block(); TAKE)
// Through another name.
// CHECK: kernel b_reset_by_pointer {{violated|unknown}}
ONE_FLAG(b_reset_by_pointer, ZERO float *p = x[0] > 0 ? (float *)&flag : data; if (threadIdx.x == 1) *p = 1;,
         FILL SET(release), WAIT(acquire) TAKE)

// Each place has a first value of its own.
// CHECK: kernel b_set_up_by_place violated
KERNEL b_set_up_by_place(OUT)
{
    __shared__ float data;
    __shared__ int flag[2];
    if (threadIdx.x == 0)
        flag[0] = 0;
    if (threadIdx.x == 1)
        flag[1] = 1;
    __syncthreads();
    if (threadIdx.x == 64) {
        data = X;
        ref<int>(flag[0]).store(2, memory_order_release);
    }
    if (threadIdx.x == 0) {
        while (ref<int>(flag[0]).load(memory_order_acquire) == 1)
            ;
        Y = data;
    }
}

// Places that are not set up.
// CHECK: kernel b_half_set_up {{violated|unknown}}
KERNEL b_half_set_up(OUT)
{
    __shared__ float data[B];
    __shared__ int flag[B];
    if (threadIdx.x < B / 2)
        flag[threadIdx.x] = 0;
    __syncthreads();
    data[threadIdx.x] = X;
    ref<int>(flag[threadIdx.x]).store(1, memory_order_release);
    const int other = (threadIdx.x + 1) % B;
    if (ref<int>(flag[other]).load(memory_order_acquire) == 1)
        Y = data[other];
}

// The loop's variable means another thing in it than behind it.
// CHECK: kernel b_by_last_iteration {{violated|unknown}}
KERNEL b_by_last_iteration(OUT)
{
    __shared__ float data[B];
    __shared__ int flag[B];
    flag[threadIdx.x] = 0;
    __syncthreads();
    int i = 0;
    if (threadIdx.x == 0)
        for (; x[i] > 0 && i < B - 1; i++)
            data[i] = 1;
    if (threadIdx.x == 0)
        ref<int>(flag[i]).store(1, memory_order_release);
    if (threadIdx.x == 64 && ref<int>(flag[3]).load(memory_order_acquire) == 1)
        Y = data[3];
    if (threadIdx.x == 0)
        data[3] = 7;
}

// ---- what two threads find in a counter ----

// CHECK: kernel b_compacts_in_pairs {{violated|unknown}}
KERNEL b_compacts_in_pairs(OUT)
{
    __shared__ float kept[B];
    __shared__ unsigned count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (X > 0)
        kept[atomicAdd(&count, 1u) / 2] = X;
    __syncthreads();
    Y = count;
}
// CHECK: kernel b_compacts_two_counters {{violated|unknown}}
KERNEL b_compacts_two_counters(OUT)
{
    __shared__ float kept[B];
    __shared__ unsigned count[2];
    if (threadIdx.x < 2)
        count[threadIdx.x] = 0;
    __syncthreads();
    kept[atomicAdd(&count[threadIdx.x % 2], 1u)] = X;
    __syncthreads();
    Y = count[0];
}
