// Message passing: a block writes data and sets a flag, another one reads the flag and then the data.
//
// Sources: PTX ISA, "Memory Consistency Model": "Release and Acquire Patterns", "Causality Order", "Morally strong operations" and "Conflict
// and Data-races"; NVlabs/ptxmemorymodel, ptx.als: prefix, suffix, sync, strong_r.
// RUN: %python %root/test/tools/litmus.py %tilecheck %s
#include "Inputs/ops.h"

#define FLAG tc_atomic tc_shape(1) tc_init(0) u *
#define MP(NAME, SEND, RECEIVE)                                                                                        \
    tc_block(1) tc_grid(2) __global__ void NAME(tc_mut tc_shape(1) int *data, FLAG flag, FLAG other, tc_mut tc_shape(1) int *out) \
    {                                                                                                                  \
        if (blockIdx.x == 0) {                                                                                         \
            SEND                                                                                                       \
        } else {                                                                                                       \
            RECEIVE                                                                                                    \
        }                                                                                                              \
    }
#define WRITE data[0] = 42;
#define READ out[0] = data[0];
#define READ_IF_SET if (r == 1) READ

// ---- fences around relaxed operations (ptx.als: FenceRels <: ^po :> Write, Read <: ^po :> FenceAcqs) ----

// LITMUS fences: race-free. CUDA's own: __threadfence is fence.sc at the device's scope, atomics are relaxed
MP(fences, WRITE __threadfence(); atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); __threadfence(); READ_IF_SET)
// LITMUS fences_acq_rel: race-free. The weakest fences that do
MP(fences_acq_rel, WRITE fence_gpu(); st_relaxed(flag, 1);, u r = ld_relaxed(flag); fence_gpu(); READ_IF_SET)
// LITMUS fence_behind_test: race-free. The fence stands between the read of the flag and that of the data
MP(fence_behind_test, WRITE fence_gpu(); st_relaxed(flag, 1);, u r = ld_relaxed(flag); if (r == 1) { fence_gpu(); READ })
// LITMUS no_fences: racy. Nothing orders
MP(no_fences, WRITE atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); READ_IF_SET)
// LITMUS no_release: racy. No release pattern
MP(no_release, WRITE atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); __threadfence(); READ_IF_SET)
// LITMUS no_acquire: racy. No acquire pattern
MP(no_acquire, WRITE __threadfence(); atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); READ_IF_SET)
// LITMUS fence_before_data: racy. A release pattern makes visible what comes before it
MP(fence_before_data, __threadfence(); WRITE atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); __threadfence(); READ_IF_SET)
// LITMUS flag_before_data: racy. The other way round
MP(flag_before_data, __threadfence(); atomicExch(flag, 1u); WRITE, u r = atomicAdd(flag, 0u); __threadfence(); READ_IF_SET)
// LITMUS fence_before_flag_read: racy. An acquire pattern begins with the read
MP(fence_before_flag_read, WRITE __threadfence(); atomicExch(flag, 1u);, __threadfence(); u r = atomicAdd(flag, 0u); READ_IF_SET)
// LITMUS data_before_flag: racy. What is read before the flag is not ordered by it
MP(data_before_flag, WRITE __threadfence(); atomicExch(flag, 1u);, int d = data[0]; u r = atomicAdd(flag, 0u); __threadfence(); if (r == 1) out[0] = d;)
// LITMUS not_looked_at: racy, not seen by a run. The receiver may have come first; threads of a run come in one order
MP(not_looked_at, WRITE __threadfence(); atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); __threadfence(); READ out[0] += r;)
// LITMUS looked_for_zero: racy. It reads when the flag is not set
MP(looked_for_zero, u r = atomicAdd(flag, 0u); __threadfence(); if (r == 0) WRITE, u r = atomicAdd(flag, 0u); __threadfence(); if (r == 0) READ)
// LITMUS behind_first_flag: racy. Between the fences the flag that is read is not written
MP(behind_first_flag, __threadfence(); atomicExch(other, 1u); WRITE atomicExch(flag, 1u);, u r = atomicAdd(other, 0u); __threadfence(); READ_IF_SET)

// ---- release and acquire on the operations (ptx.als: Release <: optional[po_loc] :> Write) ----

// LITMUS release_acquire: race-free. The pattern itself
MP(release_acquire, WRITE st_release(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS release_relaxed: racy. No acquire pattern
MP(release_relaxed, WRITE st_release(flag, 1);, u r = ld_relaxed(flag); READ_IF_SET)
// LITMUS relaxed_acquire: racy. No release pattern
MP(relaxed_acquire, WRITE st_relaxed(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS relaxed: racy. Strong, and no more
MP(relaxed, WRITE st_relaxed(flag, 1);, u r = ld_relaxed(flag); READ_IF_SET)
// LITMUS release_fence: race-free. Both kinds of patterns go together
MP(release_fence, WRITE st_release(flag, 1);, u r = ld_relaxed(flag); fence_gpu(); READ_IF_SET)
// LITMUS fence_acquire: race-free. …
MP(fence_acquire, WRITE fence_gpu(); st_relaxed(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS rmw: race-free. By read-modify-writes
MP(rmw, WRITE add_release(flag, 1);, u r = add_acquire(flag, 0); READ_IF_SET)
// LITMUS rmw_acq_rel: race-free. …
MP(rmw_acq_rel, WRITE add_acq_rel(flag, 1);, u r = add_acq_rel(flag, 0); READ_IF_SET)
// LITMUS rmw_wrong_way: racy. Acquire on the sender's, release on the receiver's
MP(rmw_wrong_way, WRITE add_acquire(flag, 1);, u r = add_release(flag, 0); READ_IF_SET)
// LITMUS reduction: race-free. A reduction writes: it ends a release pattern
MP(reduction, WRITE red_release(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS another_flag: racy, not seen by a run. A release is of one location; a run takes what was released once for all later writes
MP(another_flag, WRITE st_release(other, 1); st_relaxed(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS fence_for_all_flags: race-free. A fence is of all
MP(fence_for_all_flags, WRITE fence_gpu(); st_relaxed(other, 1); st_relaxed(flag, 1);, u r = ld_relaxed(flag); fence_gpu(); READ_IF_SET)
// LITMUS another_acquired: racy. … and so is an acquire
MP(another_acquired, WRITE st_release(flag, 1);, u r = ld_relaxed(flag); ld_acquire(other); READ_IF_SET)
// LITMUS write_behind_release: racy. What comes behind the release is not in it
MP(write_behind_release, st_release(flag, 1); WRITE, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS later_relaxed_store: race-free. The release pattern may end with a later write of the same thread to the flag
MP(later_relaxed_store, WRITE st_release(flag, 3); st_relaxed(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS earlier_relaxed_load: race-free. … and the acquire pattern begin with an earlier read
MP(earlier_relaxed_load, WRITE st_release(flag, 1);, u r = ld_relaxed(flag); ld_acquire(flag); READ_IF_SET)
// LITMUS sc_fences: race-free. fence.sc is a fence.acq_rel too
MP(sc_fences, WRITE fence_sc(); st_relaxed(flag, 1);, u r = ld_relaxed(flag); fence_sc(); READ_IF_SET)

// ---- scopes: both sides have to be morally strong (ptx.als: strong_r) ----

// LITMUS sys_scope: race-free. Wider than needed
MP(sys_scope, WRITE st_release_sys(flag, 1);, u r = ld_acquire_sys(flag); READ_IF_SET)
// LITMUS scopes_that_hold_both: race-free. Not one scope, but each holds the other thread
MP(scopes_that_hold_both, WRITE st_release_sys(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS release_cta: racy. The receiver is in another block
MP(release_cta, WRITE st_release_cta(flag, 1);, u r = ld_acquire(flag); READ_IF_SET)
// LITMUS acquire_cta: racy. The sender is
MP(acquire_cta, WRITE st_release(flag, 1);, u r = ld_acquire_cta(flag); READ_IF_SET)
// LITMUS fence_sys: race-free. Fences of the system's scope
MP(fence_sys, WRITE __threadfence_system(); atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); __threadfence_system(); READ_IF_SET)
// LITMUS sender_fence_cta: racy, not seen by a run. The fence's scope counts, not only that of the flag's operations; a run looks at these
MP(sender_fence_cta, WRITE __threadfence_block(); atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); __threadfence(); READ_IF_SET)
// LITMUS receiver_fence_cta: racy, not seen by a run. …
MP(receiver_fence_cta, WRITE __threadfence(); atomicExch(flag, 1u);, u r = atomicAdd(flag, 0u); __threadfence_block(); READ_IF_SET)

// ---- Clang's atomics, of which the code has the order ----

#define STORE_N(order, scope) __scoped_atomic_store_n(flag, 1u, __ATOMIC_##order, __MEMORY_SCOPE_##scope)
#define LOAD_N(order, scope) __scoped_atomic_load_n(flag, __ATOMIC_##order, __MEMORY_SCOPE_##scope)
// LITMUS scoped: race-free. st.release and ld.acquire
MP(scoped, WRITE STORE_N(RELEASE, DEVICE);, u r = LOAD_N(ACQUIRE, DEVICE); READ_IF_SET)
// LITMUS scoped_relaxed: racy. …
MP(scoped_relaxed, WRITE STORE_N(RELAXED, DEVICE);, u r = LOAD_N(ACQUIRE, DEVICE); READ_IF_SET)
// LITMUS scoped_relaxed_load: racy. …
MP(scoped_relaxed_load, WRITE STORE_N(RELEASE, DEVICE);, u r = LOAD_N(RELAXED, DEVICE); READ_IF_SET)
