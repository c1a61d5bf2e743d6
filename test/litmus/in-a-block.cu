// Two threads of one block, by shared or global memory: barriers, warps, flags of the block's scope, volatile.
//
// Sources: PTX ISA, "Memory Consistency Model": "Scope", "Morally strong operations", "Memory synchronization" (barriers), "Operation types"
// (volatile is relaxed at the system's scope); "bar, barrier", "bar.warp.sync"; ptx.als: synchronizes, BarrierArrive, BarrierWait.
// RUN: %python %root/test/tools/litmus.py %tilecheck %s
#include "Inputs/ops.h"

// Threads 0 and 64, of two warps; 0 and 1, of one.
#define BLOCK(NAME, RECEIVER, BOTH_BEFORE, SEND, BETWEEN, RECEIVE)                                                     \
    tc_block(96) tc_grid(1) __global__ void NAME(tc_mut tc_shape(1) int *out, tc_atomic tc_shape(1) tc_init(0) u *flag)    \
    {                                                                                                                  \
        __shared__ int data;                                                                                           \
        BOTH_BEFORE                                                                                                    \
        if (threadIdx.x == 0) {                                                                                        \
            SEND                                                                                                       \
        }                                                                                                              \
        BETWEEN                                                                                                        \
        if (threadIdx.x == RECEIVER) {                                                                                 \
            RECEIVE                                                                                                    \
        }                                                                                                              \
    }
#define WRITE data = 42;
#define READ out[0] = data;

// ---- barriers ----

// LITMUS barrier: race-free. Arrive and wait of all threads
BLOCK(barrier, 64, , WRITE, __syncthreads();, READ)
// LITMUS no_barrier: racy. Without
BLOCK(no_barrier, 64, , WRITE, , READ)
// LITMUS barrier_before: racy. It stands before both
BLOCK(barrier_before, 64, __syncthreads();, WRITE, , READ)
// LITMUS fence_is_no_barrier: racy. A fence orders one thread's operations, and waits for nobody
BLOCK(fence_is_no_barrier, 64, , WRITE __threadfence_block();, , __threadfence_block(); READ)
// LITMUS warp_barrier: race-free. Of one warp
BLOCK(warp_barrier, 1, , WRITE, __syncwarp();, READ)
// LITMUS warp_barrier_of_others: racy. Of another one
BLOCK(warp_barrier_of_others, 64, , WRITE, __syncwarp();, READ)
// LITMUS lock_step: racy. Threads of a warp need not go together
BLOCK(lock_step, 1, , WRITE, , READ)
// LITMUS shuffle: racy. A shuffle waits for the lanes, and orders no memory
BLOCK(shuffle, 1, , WRITE, __shfl_sync(0xffffffffu, 1, 0);, READ)
// LITMUS vote: racy. … nor does a vote
BLOCK(vote, 1, , WRITE, __any_sync(0xffffffffu, 1);, READ)
// LITMUS counted: race-free. A barrier with a reduction is a barrier
BLOCK(counted, 64, , WRITE, __syncthreads_count(1);, READ)
// LITMUS named: race-free. Arrival of one warp, and wait of the other
BLOCK(named, 64, , WRITE, if (threadIdx.x / 32 == 0) asm volatile("bar.arrive 1, 64;" ::: "memory");
      if (threadIdx.x / 32 == 2) asm volatile("bar.sync 1, 64;" ::: "memory");, READ)
// LITMUS who_arrives_has_not_waited: racy. The other way round
BLOCK(who_arrives_has_not_waited, 64, , WRITE, if (threadIdx.x / 32 == 0) asm volatile("bar.sync 1, 64;" ::: "memory");
      if (threadIdx.x / 32 == 2) asm volatile("bar.arrive 1, 64;" ::: "memory");, READ)

// ---- flags in shared memory, of the block's scope ----

#define SHARED(NAME, SEND, RECEIVE)                                                                                    \
    tc_block(96) tc_grid(1) __global__ void NAME(tc_mut tc_shape(1) int *out)                                          \
    {                                                                                                                  \
        __shared__ int data;                                                                                           \
        __shared__ u flag;                                                                                             \
        if (threadIdx.x == 0)                                                                                          \
            flag = 0;                                                                                                  \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0) {                                                                                        \
            SEND                                                                                                       \
        }                                                                                                              \
        if (threadIdx.x == 64) {                                                                                       \
            RECEIVE                                                                                                    \
        }                                                                                                              \
    }
#define READ_IF_SET if (r == 1) READ

// LITMUS release_cta: race-free. The block's scope holds both
SHARED(release_cta, WRITE st_release_cta(&flag, 1);, u r = ld_acquire_cta(&flag); READ_IF_SET)
// LITMUS release_gpu: race-free. … and so does a wider one
SHARED(release_gpu, WRITE st_release(&flag, 1);, u r = ld_acquire(&flag); READ_IF_SET)
// LITMUS relaxed_cta: racy. No patterns
SHARED(relaxed_cta, WRITE st_relaxed_cta(&flag, 1);, u r = ld_relaxed_cta(&flag); READ_IF_SET)
// LITMUS fences_cta: race-free. Fences of the block's scope
SHARED(fences_cta, WRITE __threadfence_block(); atomicExch_block(&flag, 1u);, u r = atomicAdd_block(&flag, 0u); __threadfence_block(); READ_IF_SET)
// LITMUS sender_without_fence: racy. …
SHARED(sender_without_fence, WRITE atomicExch_block(&flag, 1u);, u r = atomicAdd_block(&flag, 0u); __threadfence_block(); READ_IF_SET)
// LITMUS receiver_without_fence: racy. …
SHARED(receiver_without_fence, WRITE __threadfence_block(); atomicExch_block(&flag, 1u);, u r = atomicAdd_block(&flag, 0u); READ_IF_SET)
// LITMUS plain_flag: racy. A plain flag races itself
SHARED(plain_flag, WRITE __threadfence_block(); flag = 1;, u r = flag; __threadfence_block(); READ_IF_SET)
// LITMUS spins: race-free. The receiver waits for the flag
SHARED(spins, WRITE st_release_cta(&flag, 1);, while (ld_acquire_cta(&flag) != 1); READ)
// LITMUS spins_relaxed: racy. … without an acquire
SHARED(spins_relaxed, WRITE st_release_cta(&flag, 1);, while (ld_relaxed_cta(&flag) != 1); READ)
// LITMUS spins_then_fence: race-free. … with a fence behind
SHARED(spins_then_fence, WRITE st_release_cta(&flag, 1);, while (ld_relaxed_cta(&flag) != 1); fence_cta(); READ)

// ---- volatile: PTX has it relaxed at the system's scope; the checker counts unordered volatile accesses as a race ----

#define V(x) (*(volatile u *)&(x))
// LITMUS volatile_flag: racy. Strong, and no more: the data are not ordered
SHARED(volatile_flag, WRITE V(flag) = 1;, u r = V(flag); READ_IF_SET)
// LITMUS volatile_data: racy. Volatile data alone, without a barrier (docs/model.md: a choice; no race in PTX)
SHARED(volatile_data, *(volatile int *)&data = 42;, out[0] = *(volatile int *)&data;)
// LITMUS volatile_and_barrier: race-free. A barrier orders them as it does others
BLOCK(volatile_and_barrier, 64, , *(volatile int *)&data = 42;, __syncthreads();, out[0] = *(volatile int *)&data;)
