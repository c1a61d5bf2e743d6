// cp.async: what it writes is written by no thread until the copy is complete, and that is known behind a wait of its own thread.
//
// Sources: PTX ISA, "Asynchronous Operations" (Program Order); "cp.async", "cp.async.commit_group", "cp.async.wait_group"; ptx.als:
// synchronizes, FenceRels.
// RUN: %python %root/test/tools/litmus.py %tilecheck %s
#include "Inputs/ops.h"

#define COPY asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((u)__cvta_generic_to_shared(&s[threadIdx.x])), "l"(&x[threadIdx.x]) : "memory");
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory");
#define WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory");
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory");
#define BAR __syncthreads();
#define ASYNC(NAME, BODY)                                                                                              \
    tc_block(64) tc_grid(1) __global__ void NAME(tc_mut tc_shape(64) u *y, tc_shared tc_shape(64) const u *x)                \
    {                                                                                                                  \
        __shared__ u s[64];                                                                                            \
        __shared__ u flag;                                                                                             \
        const int t = threadIdx.x, other = 63 - t;                                                                     \
        BODY                                                                                                           \
    }

// LITMUS waited: race-free. Commit, wait, barrier
ASYNC(waited, COPY COMMIT WAIT(0) BAR y[t] = s[other];)
// LITMUS own: race-free. The thread's own copy needs no barrier
ASYNC(own, COPY COMMIT WAIT(0) y[t] = s[t];)
// LITMUS own_not_waited: racy. … but a wait: program order does not hold it
ASYNC(own_not_waited, COPY COMMIT y[t] = s[t];)
// LITMUS not_waited: racy. A barrier does not complete it
ASYNC(not_waited, COPY COMMIT BAR y[t] = s[other];)
// LITMUS not_committed: racy. wait_group waits for groups
ASYNC(not_committed, COPY WAIT(0) BAR y[t] = s[other];)
// LITMUS all: race-free. wait_all for whatever there is
ASYNC(all, COPY WAIT_ALL BAR y[t] = s[other];)
// LITMUS one_pending: racy. One group may be pending
ASYNC(one_pending, COPY COMMIT WAIT(1) BAR y[t] = s[other];)
// LITMUS older_group: race-free. … the newer one
ASYNC(older_group, COPY COMMIT COMMIT WAIT(1) BAR y[t] = s[other];)
// LITMUS waited_too_late: racy. The others do not know of a wait behind the barrier
ASYNC(waited_too_late, COPY COMMIT BAR WAIT(0) y[t] = s[other];)
// LITMUS no_barrier: racy. The wait is of the thread that copies
ASYNC(no_barrier, COPY COMMIT WAIT(0) y[t] = s[other];)
// LITMUS overwritten: racy. A store of the same thread while the copy is pending
ASYNC(overwritten, COPY COMMIT s[t] = 1; WAIT(0) BAR y[t] = s[other];)
// LITMUS fence_is_no_wait: racy. A fence completes nothing
ASYNC(fence_is_no_wait, COPY COMMIT __threadfence_block(); BAR y[t] = s[other];)
// LITMUS released: race-free. By a flag, behind the wait
ASYNC(released, if (t == 0) flag = 0; BAR if (t == 0) { COPY COMMIT WAIT(0) st_release_cta(&flag, 1); }
      if (t == 63 && ld_acquire_cta(&flag) == 1) y[0] = s[0];)
// LITMUS released_too_early: racy. … and before it
ASYNC(released_too_early, if (t == 0) flag = 0; BAR if (t == 0) { COPY COMMIT st_release_cta(&flag, 1); WAIT(0) }
      if (t == 63 && ld_acquire_cta(&flag) == 1) y[0] = s[0];)

// What is read is read at any time until the copy is complete.
#define COPY_AGAIN asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((u)__cvta_generic_to_shared(&s[64 + threadIdx.x])), "l"(&x[threadIdx.x]) : "memory");
#define SOURCE(NAME, BODY)                                                                                             \
    tc_block(64) tc_grid(1) __global__ void NAME(tc_mut tc_shape(64) u *y, tc_mut tc_shape(64) u *x)                         \
    {                                                                                                                  \
        __shared__ u s[128];                                                                                            \
        const int t = threadIdx.x, other = 63 - t;                                                                     \
        BODY                                                                                                           \
    }

// LITMUS source_waited: race-free. Written behind the wait and a barrier
SOURCE(source_waited, COPY COMMIT WAIT(0) BAR x[other] = 1; y[t] = s[t];)
// LITMUS source_pending: racy. … behind a barrier alone
SOURCE(source_pending, COPY COMMIT BAR x[other] = 1; WAIT(0) y[t] = s[t];)
// LITMUS source_own: race-free. By the thread itself behind its wait
SOURCE(source_own, COPY COMMIT WAIT(0) x[t] = 1; y[t] = s[t];)
// LITMUS source_own_pending: racy. … and before it
SOURCE(source_own_pending, COPY COMMIT x[t] = 1; WAIT(0) y[t] = s[t];)
// LITMUS source_one_pending: racy. The younger of two copies of it is pending
SOURCE(source_one_pending, COPY COMMIT COPY_AGAIN COMMIT WAIT(1) BAR x[other] = 1; WAIT(0) y[t] = s[t];)
// LITMUS source_both_waited: race-free. … and the older one
SOURCE(source_both_waited, COPY COMMIT COPY_AGAIN COMMIT WAIT(1) WAIT(0) BAR x[other] = 1; y[t] = s[t];)
// LITMUS source_waited_too_late: racy. The wait is over when others may have written
SOURCE(source_waited_too_late, COPY COMMIT BAR WAIT(0) x[other] = 1; y[t] = s[t];)
// LITMUS source_read: race-free. Read by others
SOURCE(source_read, COPY COMMIT y[t] = x[other]; WAIT(0))
// LITMUS source_piece_pending: racy. A byte of it
SOURCE(source_piece_pending, COPY COMMIT BAR ((unsigned char *)x)[4 * other + 3] = 1; WAIT(0) y[t] = s[t];)
