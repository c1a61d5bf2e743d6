// Barriers of the grid that a kernel makes itself, of atomics in global memory, and may come to many times.
//
//     __syncthreads();                                       // before
//     if (threadIdx.x == 0) {
//         __threadfence();
//         atomicAdd(count, 1);                               // arrives
//         while (load_acquire(count) < (k + 1) * gridDim.x)  // waits
//             ;
//     }
//     __syncthreads();                                       // behind: a barrier of the grid
//
// The barrier of the block behind the wait is taken for one of the grid, where it is shown to be one; what follows from that is
// as for grid_group::sync() (epoch.c).
#ifndef TC_CHECKER_MADE_H
#define TC_CHECKER_MADE_H

#include "checker/order.h"

// One such barrier in the program. All of it is of one thread of the block, but for the barriers of the block, and of one iteration
// of the loops around it.
typedef struct tc_made {
    const tc_event *before, *arrives, *look;
    tc_event *behind;
    uint32_t wait;      // the loop of which the look is
    tc_map thread;      // thread indices -> constants
    tc_obligation opens; // the wait is over only when all blocks have come as often
} tc_made;

// A place in global memory whose writes are all told.
typedef struct tc_made_place {
    uint32_t object;
    tc_t offset; // of the launch
    tc_i128 bytes;
    tc_t first; // what is there at launch
} tc_made_place;

typedef struct tc_mades {
    tc_made *data;
    size_t len, cap;
} tc_mades;

// ---- made.c ----

// Finds them, and makes them barriers of the grid; needs sites. Before tc_alike_find.
void tc_find_made(tc_cx *cx);
// Its obligation, of TC3002.
uint32_t tc_oblige_made(tc_cx *cx, const tc_made *m);
// Does one need this barrier of the block?
bool tc_is_made_with(const tc_cx *cx, const tc_event *e);

// ---- counted.c ----

// How often, at the most, the block has arrived when it has at all[which] (itself included), by these arrivals, each at most once in an
// iteration of its loop; NULL where that is not known. last_values: of loops that are over it is told by the last values of their
// counters, otherwise by their bounds.
tc_t tc_arrived_by(tc_cx *cx, const tc_mades *all, size_t which, bool last_values);
// How many blocks the launch has.
tc_t tc_grid_blocks(tc_cx *cx);

#endif
