// One location: who may touch it together, by which operations, widths and scopes.
//
// Sources: PTX ISA, "Memory Consistency Model": "Conflict and Data-races", "Limitations on Mixed-size Data-races", "Atomicity" with its two
// litmus tests; ptx.als: strong_r, co_per_scope, atomicity.
// RUN: %python %root/test/tools/litmus.py %tilecheck %s
#include "Inputs/ops.h"

#define TWO(NAME, BORROW, FIRST, SECOND)                                                                               \
    tc_block(1) tc_grid(2) __global__ void NAME(BORROW tc_shape(2) u *x, tc_mut tc_shape(2) u *out)                        \
    {                                                                                                                  \
        if (blockIdx.x == 0) {                                                                                         \
            FIRST                                                                                                      \
        } else {                                                                                                       \
            SECOND                                                                                                     \
        }                                                                                                              \
    }

// ---- two blocks ----

// LITMUS plain_writes: racy. Two weak writes
TWO(plain_writes, tc_mut, x[0] = 1;, x[0] = 2;)
// LITMUS same_value: racy. … of one value (docs/model.md: a choice)
TWO(same_value, tc_mut, x[0] = 1;, x[0] = 1;)
// LITMUS other_element: race-free. No byte in common
TWO(other_element, tc_mut, x[0] = 1;, x[1] = 2;)
// LITMUS write_and_read: racy. A weak write and a weak read
TWO(write_and_read, tc_mut, x[0] = 1;, out[1] = x[0];)
// LITMUS reads: race-free. Reads do not conflict
TWO(reads, tc_shared const, out[0] = x[0];, out[1] = x[0];)
// LITMUS atomics: race-free. Both morally strong: no race, and no update is lost (the manual's first litmus test of atomicity)
TWO(atomics, tc_atomic, add_relaxed_sys(x, 1);, add_relaxed_sys(x, 1);)
// LITMUS atomics_gpu_sys: race-free. Each scope holds the other thread
TWO(atomics_gpu_sys, tc_atomic, add_relaxed(x, 1);, add_relaxed_sys(x, 1);)
// LITMUS atomic_cta: racy. One of them is of its own block's scope (the manual's second litmus test of atomicity)
TWO(atomic_cta, tc_atomic, add_relaxed_cta(x, 1);, add_relaxed(x, 1);)
// LITMUS atomic_block_cuda: racy. … in CUDA's words
TWO(atomic_block_cuda, tc_atomic, atomicAdd_block(x, 1u);, atomicAdd(x, 1u);)
// LITMUS atomic_and_plain: racy. A weak write beside an atomic
TWO(atomic_and_plain, tc_mut, atomicAdd(x, 1u);, x[0] = 2;)
// LITMUS atomic_and_plain_read: racy. … or a weak read
TWO(atomic_and_plain_read, tc_mut, atomicAdd(x, 1u);, out[1] = x[0];)
// LITMUS relaxed_store_load: race-free. Strong store and load
TWO(relaxed_store_load, tc_atomic, st_relaxed(x, 1);, u r = ld_relaxed(x); out[1] = r;)
// LITMUS store_cta: racy. … of too small a scope
TWO(store_cta, tc_atomic, st_relaxed_cta(x, 1);, u r = ld_relaxed(x); out[1] = r;)
// LITMUS strong_and_weak_load: race-free. Loads do not conflict, whatever their kind
TWO(strong_and_weak_load, tc_mut, out[0] = ld_relaxed(x);, out[1] = x[0];)
// LITMUS own_strong_load: racy. The load of the thread that has stored takes nothing back
TWO(own_strong_load, tc_mut, st_relaxed(x, 1); out[0] = ld_relaxed(x);, out[1] = x[0];)
// LITMUS atomic_cta_unnamed: racy. Too small a scope, on what is not said to be atomic
TWO(atomic_cta_unnamed, tc_mut, add_relaxed_cta(x, 1);, add_relaxed(x, 1);)
// LITMUS mixed_widths: racy. Two strong writes of two widths at one address are no morally strong pair
TWO(mixed_widths, tc_mut tc_align(8), atomicAdd(x, 1u);, atomicAdd((unsigned long long *)x, 1ull);)
// LITMUS volatile_and_plain: racy. One of them is weak
TWO(volatile_and_plain, tc_mut, *(volatile u *)x = 1;, out[1] = x[0];)

// ---- two threads of a block ----

#define THREADS(NAME, FIRST, SECOND)                                                                                   \
    tc_block(2) tc_grid(1) __global__ void NAME(tc_mut tc_shape(2) u *out)                                             \
    {                                                                                                                  \
        __shared__ tc_smem_align u x[2];                                                                               \
        if (threadIdx.x == 0)                                                                                          \
            x[0] = x[1] = 0;                                                                                           \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0) {                                                                                        \
            FIRST                                                                                                      \
        } else {                                                                                                       \
            SECOND                                                                                                     \
        }                                                                                                              \
    }
#define tc_smem_align __align__(8)

// LITMUS block_atomics: race-free. The block's scope is enough
THREADS(block_atomics, atomicAdd_block(x, 1u);, atomicAdd_block(x, 1u);)
// LITMUS block_plain: racy. …
THREADS(block_plain, x[0] = 1;, x[0] = 2;)
// LITMUS block_bytes: race-free. Bytes of one word are locations of their own
THREADS(block_bytes, ((unsigned char *)x)[0] = 1;, ((unsigned char *)x)[1] = 2;)
// LITMUS block_overlap: racy. Half of the word
THREADS(block_overlap, ((unsigned short *)x)[1] = 1;, x[0] = 2;)
// LITMUS block_mixed_widths: racy. …
THREADS(block_mixed_widths, atomicAdd_block(x, 1u);, atomicAdd_block((unsigned long long *)x, 1ull);)
// LITMUS own_accesses: race-free. Accesses of one thread are ordered by its program
THREADS(own_accesses, x[0] = 1; x[0] += 1; out[0] = x[0];, x[1] = 1; out[1] = x[1];)
