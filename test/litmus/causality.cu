// Chains over three threads: causality order is transitive, over scopes and over barriers; read-modify-writes carry on what they read.
//
// Sources: PTX ISA, "Memory Consistency Model": "Causality Order", "Observation Order"; ptx.als: cause_base, observation, synchronizes.
// RUN: %python %root/test/tools/litmus.py %tilecheck %s
#include "Inputs/ops.h"

#define FLAG tc_atomic tc_shape(1) tc_init(0) u *
#define CHAIN(NAME, FIRST, SECOND, THIRD)                                                                              \
    tc_block(1) tc_grid(3) __global__ void NAME(tc_mut tc_shape(1) int *data, FLAG x, FLAG y, tc_mut tc_shape(1) int *out)  \
    {                                                                                                                  \
        u r = 0;                                                                                                       \
        if (blockIdx.x == 0) {                                                                                         \
            FIRST                                                                                                      \
        } else if (blockIdx.x == 1) {                                                                                  \
            SECOND                                                                                                     \
        } else {                                                                                                       \
            THIRD                                                                                                      \
        }                                                                                                              \
    }
#define WRITE data[0] = 42;
#define READ_IF(v) if (r == v) out[0] = data[0];

// ---- over another flag ----

// LITMUS handed_on: race-free. Release, acquire, release, acquire
CHAIN(handed_on, WRITE st_release(x, 1);, r = ld_acquire(x); if (r == 1) st_release(y, 1);, r = ld_acquire(y); READ_IF(1))
// LITMUS not_acquired: racy. The second one did not acquire what it hands on
CHAIN(not_acquired, WRITE st_release(x, 1);, r = ld_relaxed(x); if (r == 1) st_release(y, 1);, r = ld_acquire(y); READ_IF(1))
// LITMUS not_released: racy. … or did not release it
CHAIN(not_released, WRITE st_release(x, 1);, r = ld_acquire(x); if (r == 1) st_relaxed(y, 1);, r = ld_acquire(y); READ_IF(1))
// LITMUS one_fence: race-free. One fence between two relaxed operations does for both
CHAIN(one_fence, WRITE fence_gpu(); st_relaxed(x, 1);, r = ld_relaxed(x); fence_gpu(); if (r == 1) st_relaxed(y, 1);,
      r = ld_relaxed(y); fence_gpu(); READ_IF(1))
// LITMUS dependency: racy. That one operation depends on another orders nothing
CHAIN(dependency, WRITE st_release(x, 1);, r = ld_relaxed(x); st_relaxed(y, r);, r = ld_acquire(y); READ_IF(1))
// LITMUS last_scope: racy. The last step is too narrow
CHAIN(last_scope, WRITE st_release(x, 1);, r = ld_acquire(x); if (r == 1) st_release_cta(y, 1);, r = ld_acquire(y); READ_IF(1))
// LITMUS second_writes_too: race-free. What the second one wrote is handed on as well
CHAIN(second_writes_too, st_release(x, 1);, r = ld_acquire(x); if (r == 1) WRITE st_release(y, r);, r = ld_acquire(y); READ_IF(1))

// ---- over one flag: a read-modify-write carries on what it reads (ptx.als: observation = (strong rf + rmw)+) ----

// LITMUS carried_on: race-free. A relaxed addition between release and acquire
CHAIN(carried_on, WRITE st_release(x, 1);, add_relaxed(x, 1);, r = ld_acquire(x); READ_IF(2))
// LITMUS two_additions: race-free. The tickets of those who have finished: the last one sees what all did
CHAIN(two_additions, WRITE add_release(x, 1);, add_release(x, 1);, r = add_acquire(x, 1); READ_IF(2))
// LITMUS overwritten: racy. A store carries on nothing
CHAIN(overwritten, WRITE st_release(x, 1);, r = ld_relaxed(x); st_relaxed(x, 2);, r = ld_acquire(x); READ_IF(2))
// LITMUS overwritten_by_release: racy. … also where it releases what its own thread did
CHAIN(overwritten_by_release, WRITE st_release(x, 1);, st_release(x, 2);, r = ld_acquire(x); READ_IF(2))
// LITMUS reduction_is_no_acquire: racy. A reduction acquires nothing (PTX ISA, "Reductions do not form Acquire Patterns")
CHAIN(reduction_is_no_acquire, WRITE st_release(x, 1);, red_relaxed(x, 1); fence_gpu(); st_relaxed(y, 1);, r = ld_acquire(y); READ_IF(1))

// ---- over barriers and scopes: two threads of a block, then another block ----

#define TWO(NAME, FIRST, SECOND, THIRD, FOURTH)                                                                        \
    tc_block(2) tc_grid(2) __global__ void NAME(tc_mut tc_shape(1) int *data, FLAG x, FLAG y, tc_mut tc_shape(1) int *out)  \
    {                                                                                                                  \
        u r = 0;                                                                                                       \
        if (blockIdx.x == 0) {                                                                                         \
            if (threadIdx.x == 0) {                                                                                    \
                FIRST                                                                                                  \
            }                                                                                                          \
            SECOND                                                                                                     \
        } else {                                                                                                       \
            THIRD                                                                                                      \
            if (threadIdx.x == 1) {                                                                                    \
                FOURTH                                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
    }
#define OTHER if (threadIdx.x == 1)
#define ONE if (threadIdx.x == 0)

// LITMUS barrier_then_release: race-free. The barrier hands it to the thread that releases
TWO(barrier_then_release, WRITE, __syncthreads(); OTHER st_release(x, 1);, ;, r = ld_acquire(x); READ_IF(1))
// LITMUS no_barrier: racy. Without
TWO(no_barrier, WRITE, OTHER st_release(x, 1);, ;, r = ld_acquire(x); READ_IF(1))
// LITMUS acquire_then_barrier: race-free. … and from the thread that acquires to another one
TWO(acquire_then_barrier, WRITE st_release(x, 1);, ;, __shared__ u s; ONE s = ld_acquire(x); __syncthreads(); r = s;, READ_IF(1))
// LITMUS relaxed_then_barrier: racy. A barrier orders the threads of its block
TWO(relaxed_then_barrier, WRITE st_release(x, 1);, ;, __shared__ u s; ONE s = ld_relaxed(x); __syncthreads(); r = s;, READ_IF(1))
// LITMUS narrow_then_wide: race-free. Scopes that hold the two threads of each step
TWO(narrow_then_wide, WRITE st_release(x, 1);, OTHER { r = ld_acquire(x); if (r == 1) st_release(y, 1); }, ;, r = ld_acquire(y); READ_IF(1))
// LITMUS fence_by_another: racy. The fence has to be of the thread that writes the flag
TWO(fence_by_another, WRITE fence_gpu();, __syncthreads(); OTHER st_relaxed(x, 1);, ;, r = ld_relaxed(x); fence_gpu(); READ_IF(1))
// LITMUS barriers_only: racy. Barriers of two blocks have nothing to do with each other
TWO(barriers_only, WRITE, __syncthreads();, __syncthreads();, out[0] = data[0];)
