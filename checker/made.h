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

// One such barrier in the program. All of it is of one thread of the block, but for the barriers of the block, and of one
// iteration of the loops around it.
typedef struct tc_made {
    const tc_event *before, *arrives, *look;
    tc_event *behind;
    uint32_t wait; // the loop of which the look is
    tc_map thread; // thread indices -> constants
    // Where the last block to arrive sets the counter back, and then changes another place that the others wait for (gated.c):
    // what the thread read there before it arrived, and the two writes; else NULL.
    const tc_event *mine, *back, *opens;
    bool fenced;         // it releases and acquires
    tc_obligation shown; // who waits goes on only when all blocks have come as often
} tc_made;

typedef struct tc_mades {
    tc_made *data;
    size_t len, cap;
    // What threads have in common where those without fences are barriers too; NULL: not found yet, or the other way round.
    struct tc_alike *alike, *alike_in_warp, *alike_in_grid;
} tc_mades;

// Finds them, and makes those with fences barriers of the grid; needs sites. Before tc_alike_find.
void tc_find_made(tc_cx *cx);
// Its obligation, of TC3002.
uint32_t tc_oblige_made(tc_cx *cx, const tc_made *m);
// Takes those without fences for barriers of the grid too, or no longer; for questions of which the answer is no proof. False
// where there are none.
bool tc_suppose_made(tc_cx *cx, bool all);
// Does one need this barrier of the block?
bool tc_is_made_with(const tc_cx *cx, const tc_event *e);
// The access sets the counter of one back: all arrivals of its round lie before it, those of the next one behind.
bool tc_sets_made_back(const tc_cx *cx, const tc_event *e);

#endif
