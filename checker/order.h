// What the threads of a block, or of the grid, have in common, and which of their accesses are in no order.
//
// Threads of a block meet at barriers. Where each barrier is executed by all of them or by none, in the same iterations of
// the loops around it (TC3002), all execute one sequence of barriers, and two accesses of two threads are ordered when a
// barrier of that sequence lies between them in the program: after the one and before the other. So what is asked of two
// accesses is whether they can meet with no executed barrier between them. The same goes for all threads of the launch and the
// barriers of the grid, with values that the whole launch has in common.
//
// Positions in the program's execution are compared like words: by the iterations of the loops that two points have in
// common, outermost first, then by their place in the text. Each thread executes in that order.
#ifndef TC_CHECKER_ORDER_H
#define TC_CHECKER_ORDER_H

#include "checker/rules.h"

// Threads that meet at barriers: those of a block, of a warp, of the grid.
typedef enum tc_team { TC_TEAM_BLOCK, TC_TEAM_WARP, TC_TEAM_GRID } tc_team;

// ---- alike.c: values that all threads of a team have in common ----

// Finds them, and the loops that all threads leave in the same iteration, anew: needs settled terms and sites.
void tc_alike_find(tc_cx *cx);
// Is t, at a point in `loop` (or TC_NONE), one value for all threads of a block that are in the same iteration there?
bool tc_is_alike(tc_cx *cx, tc_t t, uint32_t loop);
// Threads that are to do something together: a team, or the lanes of a warp that a mask names.
typedef struct tc_group {
    tc_team team; // a warp, the grid: where the model has operations of these
    uint32_t mask;
} tc_group;
// Do all of them that enter the loop in the same iteration of the loops around it leave it in the same iteration?
bool tc_runs_alike(tc_cx *cx, const tc_group *g, uint32_t loop);
// Is the condition, at a point in `loop`, the same for any two threads of the group that are in the same iteration there? Where it
// is not by its symbols, ob gets the question (hyps and goal) and decides it.
bool tc_decide_alike(tc_cx *cx, tc_obligation *ob, const tc_group *g, tc_t cond, uint32_t loop, uint32_t point);
// The loop of whose iterations the symbol has one value each (TC_NONE: one in all); false where that is not known.
bool tc_symbol_loop(const tc_cx *cx, const tc_sym *s, uint32_t *loop);
// What is known wherever the header of the loop is reached; true for TC_NONE.
tc_t tc_reached(const tc_cx *cx, uint32_t loop);

// ---- order.c: two instances of program points, by two threads of a team ----

// Instances 1 and 2 of what is known at two points, with the symbols merged that are the same in both.
typedef struct tc_two {
    tc_cx *cx;
    tc_team team;                 // of which both are
    const struct tc_alike *alike; // what it has in common
    bool own;          // both are of one thread: its values in one iteration are one
    uint32_t same;     // innermost loop that both are in the same iteration of (and of those around it), or TC_NONE
    uint32_t loops[2]; // in which the points lie
    tc_map merged;     // symbol of instance 2 -> that of instance 1
} tc_two;

// Of two threads of a team; of a warp only where warps meet, of the grid where it has barriers.
tc_two tc_two_new(tc_cx *cx, tc_team team, uint32_t same, uint32_t first, uint32_t second);
// Two instances differ in symbols of this variance, and in those below.
tc_variance tc_two_from(const tc_two *w);
// t, at point `which` (1 or 2) of the two.
tc_t tc_two_at(tc_two *w, tc_t t, int which);
tc_view tc_view_threads(tc_two *w);
// Is t, at a point in `loop`, one value for all threads of their team that are in the same iteration there?
bool tc_two_alike(const tc_two *w, tc_t t, uint32_t loop);
// The two threads are not one.
tc_t tc_two_threads(tc_two *w);
// The thread's lane is one that the mask names.
tc_t tc_lane_in_mask(tc_cx *cx, uint32_t mask);
// They are of one warp: 32 consecutive threads.
tc_t tc_two_in_warp(tc_two *w);
// They are of two blocks, of the grid.
tc_t tc_two_blocks(tc_two *w);
// Are there barriers of warps (__syncwarp of the whole warp), and do all threads of a warp reach each of them together?
bool tc_warps_meet(const tc_cx *cx);
// Does this barrier order the two?
bool tc_is_barrier_for(const tc_two *w, const tc_event *e);

// How two accesses may come to be in no order: in which iterations.
typedef struct tc_meeting {
    uint32_t same;  // innermost loop of which they are in the same iteration, or TC_NONE
    uint32_t apart; // the loop in it of which the first of them is in an earlier iteration, or TC_NONE
    int first;      // 1 or 2: which of the two comes first in the program's order
} tc_meeting;
typedef TC_VEC(tc_meeting) tc_meetings;

tc_meetings tc_meetings_of(tc_cx *cx, const tc_site *a, const tc_site *b);
// What is known when a (as 1) and b (as 2) are executed, by threads of a team that no barrier orders. False when a barrier always
// does.
bool tc_hyps_unordered(tc_cx *cx, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_team team, tc_two *w, tc_tvec *h);
// Of one thread, where a barrier has to order even that: another lane of its warp may be who touches the bytes (tc_event.together).
bool tc_hyps_unordered_own(tc_cx *cx, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_two *w, tc_tvec *h);
// The same for a, an asynchronous copy, and a later access by its own thread, with no wait for it between.
bool tc_hyps_unfinished(tc_cx *cx, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_two *w, tc_tvec *h);
bool tc_is_async(const tc_event *e);

// Where groups of threads go in lock-step: a and b, so ordered, are not of one group where that orders them.
void tc_hyps_lockstep(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_two *w);

// Shown: two threads of the team, or one, never touch a common byte at the two sites with no barrier between.
bool tc_never_meet(tc_cx *cx, const tc_site *a, const tc_site *b, tc_team team);
// A barrier of the whole block; those of the grid are too.
bool tc_is_block_barrier(const tc_event *e);
bool tc_is_grid_barrier(const tc_event *e);
bool tc_has_grid_barriers(const tc_cx *cx);

// What is said of order and of common values leans on all threads reaching each barrier.
void tc_lean_on_barriers(tc_cx *cx, tc_obligation *ob);
void tc_note_barrier(tc_cx *cx, uint32_t obligation); // of TC3002

// ---- epoch.c: accesses of two blocks, and barriers of the grid ----

// Shown: a and b, in two blocks, are apart in each way in which no barrier of the grid lies between them. ob gets the questions, and
// the verdict where it is shown; it leans on the barriers then.
bool tc_decide_in_epochs(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b);

// ---- named.c: numbered barriers of some threads (bar.sync and bar.arrive with a count) ----

bool tc_is_named_barrier(const tc_event *e);
// Finds what they order; once a kernel.
void tc_named_find(tc_cx *cx);
// Why they are not shown to be met by those whom they count, round by round; NULL when they are, or there are none.
const char *tc_named_unfit(const tc_cx *cx);
// Stored values on which it hangs who comes to them are added to ob->uses.
void tc_named_uses(tc_cx *cx, tc_obligation *ob);
// Adds, to what is known of a (as 1) and b (as 2) by two threads, that no round of a numbered barrier lies between them.
void tc_hyps_named(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, tc_two *w);

// ---- the rules ----

void tc_rule_barrier(tc_cx *cx); // TC3002
void tc_rule_race(tc_cx *cx);    // TC3001, TC3003
void tc_rule_lanes(tc_cx *cx);   // TC3004

// ---- redundant.c ----

// Is it the barrier, or another copy of it, that is taken to be not there?
bool tc_is_left_out(const tc_cx *cx, const tc_event *e);

// Barriers without which the same is proved, each taken away alone, are noted in the result. For kernels that are proved.
void tc_find_redundant(tc_cx *cx);

#endif
