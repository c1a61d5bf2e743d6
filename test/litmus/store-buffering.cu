// Store buffering: each of two blocks raises its flag and looks at the other's, and who sees none goes in. fence.sc lets one of them in at
// most; weaker fences let both in, which no interleaving of the two shows.
//
// Sources: PTX ISA, "Memory Consistency Model": "Fence-SC Order", "Fence-SC"; ptx.als: sc, wf_sc, causality.
// RUN: %python %root/test/tools/litmus.py %tilecheck %s
#include "Inputs/ops.h"

#define FLAG tc_atomic tc_shape(1) tc_init(0) u *
#define SB(NAME, FENCE)                                                                                                \
    tc_block(1) tc_grid(2) __global__ void NAME(tc_mut tc_shape(1) int *data, FLAG x, FLAG y)                              \
    {                                                                                                                  \
        u *mine = blockIdx.x == 0 ? x : y, *theirs = blockIdx.x == 0 ? y : x;                                          \
        st_relaxed(mine, 1);                                                                                           \
        FENCE                                                                                                          \
        if (ld_relaxed(theirs) == 0)                                                                                   \
            data[0] = (int)blockIdx.x;                                                                                 \
    }

// LITMUS sc: race-free. One of the two fences is the first
SB(sc, fence_sc();)
// LITMUS cuda: race-free. __threadfence is fence.sc
SB(cuda, __threadfence();)
// LITMUS acq_rel: racy, not seen by a run. Both may read 0
SB(acq_rel, fence_gpu();)
// LITMUS none: racy, not seen by a run. …
SB(none, )
// LITMUS block_scope: racy, not seen by a run. The fences have nothing to do with each other
SB(block_scope, __threadfence_block();)

// Load buffering: who reads 1 goes in. Values do not come out of thin air, but each may read what the other writes later.
#define LB(NAME, FENCE)                                                                                                \
    tc_block(1) tc_grid(2) __global__ void NAME(tc_mut tc_shape(1) int *data, FLAG x, FLAG y)                              \
    {                                                                                                                  \
        u *mine = blockIdx.x == 0 ? x : y, *theirs = blockIdx.x == 0 ? y : x;                                          \
        u r = ld_relaxed(theirs);                                                                                      \
        FENCE                                                                                                          \
        st_relaxed(mine, 1);                                                                                           \
        if (r == 1)                                                                                                    \
            data[0] = (int)blockIdx.x;                                                                                 \
    }
// LITMUS load_buffering: racy, not seen by a run. Both may read 1
LB(load_buffering, )
// LITMUS load_buffering_fences: race-free. Not so with fences: each read would come before itself
LB(load_buffering_fences, fence_gpu();)

// IRIW: two writers, and two readers that see the two in opposite orders. Each reader writes where it has seen x first, or y first.
#define IRIW(NAME, FENCE)                                                                                              \
    tc_block(1) tc_grid(4) __global__ void NAME(tc_mut tc_shape(1) int *data, FLAG x, FLAG y)                              \
    {                                                                                                                  \
        if (blockIdx.x == 0) {                                                                                         \
            st_relaxed(x, 1);                                                                                          \
        } else if (blockIdx.x == 3) {                                                                                  \
            st_relaxed(y, 1);                                                                                          \
        } else {                                                                                                       \
            u *first = blockIdx.x == 1 ? x : y, *second = blockIdx.x == 1 ? y : x;                                     \
            u a = ld_relaxed(first);                                                                                   \
            FENCE                                                                                                      \
            u b = ld_relaxed(second);                                                                                  \
            if (a == 1 && b == 0)                                                                                      \
                data[0] = (int)blockIdx.x;                                                                             \
        }                                                                                                              \
    }
// LITMUS iriw_sc: race-free. The readers' fences are in one order
IRIW(iriw_sc, fence_sc();)
// LITMUS iriw_acq_rel: racy, not seen by a run. Nothing says that the readers agree
IRIW(iriw_acq_rel, fence_gpu();)
