// Atomics and fences of Clang's builtins: order as LLVM's IR has it; a fence for the compiler alone is none.
// RUN: %python %root/test/tools/litmus.py %tilecheck %s
#include <tilecheck.h>

#define MP(NAME, SEND, RECEIVE)                                                                                        \
    tc_block(1) tc_grid(2) __global__ void NAME(tc_mut tc_shape(1) int *data, tc_atomic tc_shape(1) tc_init(0) int *flag, tc_mut tc_shape(1) int *out) \
    {                                                                                                                  \
        if (blockIdx.x == 0) {                                                                                         \
            data[0] = 42;                                                                                              \
            SEND                                                                                                       \
        } else {                                                                                                       \
            int r;                                                                                                     \
            RECEIVE                                                                                                    \
            if (r == 1)                                                                                                \
                out[0] = data[0];                                                                                      \
        }                                                                                                              \
    }
#define STORE(order) __atomic_store_n(flag, 1, __ATOMIC_##order);
#define LOAD(order) r = __atomic_load_n(flag, __ATOMIC_##order);
#define FENCE(order) __atomic_thread_fence(__ATOMIC_##order);

// LITMUS release_acquire: race-free. A release and an acquire
MP(release_acquire, STORE(RELEASE), LOAD(ACQUIRE))
// LITMUS seq_cst: race-free. Both are more than that
MP(seq_cst, STORE(SEQ_CST), LOAD(SEQ_CST))
// LITMUS relaxed_load: racy. No acquire
MP(relaxed_load, STORE(RELEASE), LOAD(RELAXED))
// LITMUS relaxed_store: racy. No release
MP(relaxed_store, STORE(RELAXED), LOAD(ACQUIRE))
// LITMUS fences: race-free. A release fence in front, an acquire fence behind
MP(fences, FENCE(RELEASE) STORE(RELAXED), LOAD(RELAXED) FENCE(ACQUIRE))
// LITMUS fences_the_other_way: racy. An acquire fence releases nothing, nor does a release fence acquire
MP(fences_the_other_way, FENCE(ACQUIRE) STORE(RELAXED), LOAD(RELAXED) FENCE(RELEASE))
// LITMUS signal_fences: racy. For the compiler alone
MP(signal_fences, __atomic_signal_fence(__ATOMIC_SEQ_CST); STORE(RELAXED), LOAD(RELAXED) __atomic_signal_fence(__ATOMIC_SEQ_CST);)
// LITMUS update: race-free. A read-modify-write of that order
MP(update, __atomic_fetch_add(flag, 1, __ATOMIC_RELEASE);, r = __atomic_fetch_add(flag, 0, __ATOMIC_ACQUIRE);)
// LITMUS update_relaxed: racy. …
MP(update_relaxed, __atomic_fetch_add(flag, 1, __ATOMIC_RELAXED);, r = __atomic_fetch_add(flag, 0, __ATOMIC_ACQUIRE);)
// LITMUS exchange_if: race-free. A compare-and-exchange, of one order whether it stores or not
MP(exchange_if, STORE(RELEASE), r = 1; __atomic_compare_exchange_n(flag, &r, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);)
// LITMUS exchange_if_relaxed: racy. …
MP(exchange_if_relaxed, STORE(RELEASE), r = 1; __atomic_compare_exchange_n(flag, &r, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);)
