// Inside made.c, counted.c, gated.c and flipped.c: parts of barriers of the grid that a kernel makes itself.
#ifndef TC_CHECKER_MADEI_H
#define TC_CHECKER_MADEI_H

#include "checker/handed.h"
#include "checker/made.h"
#include "checker/strength.h"

// A place in global memory.
typedef struct tc_made_place {
    uint32_t object;
    tc_t offset; // of the launch
    tc_i128 bytes;
} tc_made_place;

// What all threads of the block do up to `from` is before what they do from `to` on, of another block; and what the thread that
// arrives does up to `own`.
typedef struct tc_made_span {
    uint32_t from, own, to;
} tc_made_span;

// ---- made.c ----

// The place that the event touches, if it is one of the launch, aligned; false otherwise.
bool tc_made_place_of(tc_cx *cx, const tc_event *e, tc_made_place *p);
bool tc_made_at(tc_cx *cx, const tc_made_place *p, const tc_event *e);
bool tc_made_elsewhere(tc_cx *cx, const tc_made_place *p, const tc_event *e);
// An atomic read of the device's scope that leaves what is there, with a value.
bool tc_made_is_read(tc_cx *cx, const tc_event *e);
// What is there at launch.
tc_t tc_made_first(tc_cx *cx, const tc_made_place *p);
// A value as the event reads the place.
tc_t tc_made_read_as(tc_cx *cx, const tc_event *e, tc_t value);

// The thread that executes `at` executes e in the same iteration.
bool tc_made_goes_with(tc_cx *cx, const tc_event *at, const tc_event *e);
bool tc_made_of_thread(tc_cx *cx, const tc_made *m, const tc_event *e);
// The loop around the look is one in which the thread waits, behind its arrival, and in whose last iteration it looks.
bool tc_made_waits_at(tc_cx *cx, const tc_made *m, const tc_event *look);
// Parts of m that are to be found, each where those that stand before it in tc_made are.
bool tc_made_find_before(tc_cx *cx, tc_made *m);
bool tc_made_find_look(tc_cx *cx, const tc_made_place *p, tc_made *m);
bool tc_made_find_behind(tc_cx *cx, tc_made *m);
// Does the thread that arrives always come to the loop in which it waits?
bool tc_made_always_waits(tc_cx *cx, const tc_made *m);
// By fences.sc of any threads (sc), or by patterns of the one thread.
bool tc_made_is_ordered(tc_cx *cx, const tc_made *m, bool sc, tc_made_span *s);
// It would be with fences right beside the arrival and behind the wait.
bool tc_made_lacks_fences(tc_cx *cx, const tc_made *m);
bool tc_made_is_fence(const tc_event *e, tc_order not, bool sc);

// A part of the argument: what follows where the guard holds at (loop, point), and `also`.
bool tc_made_show(tc_cx *cx, tc_made *m, tc_t guard, uint32_t loop, uint32_t point, tc_t also, tc_t what);
// Where it leaves the loop in which it waits.
bool tc_made_show_left(tc_cx *cx, tc_made *m, tc_t what);

// ---- counted.c: by a counter that grows ----

bool tc_made_by_count(tc_cx *cx, const tc_made_place *p, tc_mades *found);
// How many blocks the launch has.
tc_t tc_made_blocks(tc_cx *cx);

// ---- gated.c: by a counter that is set back ----

bool tc_made_by_gate(tc_cx *cx, const tc_made_place *p, tc_mades *found);

// ---- flipped.c: by the uppermost bit of a counter ----

bool tc_made_by_flip(tc_cx *cx, const tc_made_place *p, tc_mades *found);

#endif
