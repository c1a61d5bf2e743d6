// What one block hands over to another by release and acquire (PTX ISA, "Memory Consistency Model").
//
// A signal is a place in global memory, of known contents at launch, that blocks send to by atomic writes, and look at. What a look
// gives may show that all that some block sends had come before. Then what that block did before it sent happens before what is done
// behind the look: if it is released, and acquired.
#ifndef TC_CHECKER_HANDED_H
#define TC_CHECKER_HANDED_H

#include "checker/order.h"

// An atomic write that one thread of a block makes, once.
typedef struct tc_sent {
    const tc_event *event;
    tc_t place; // of the block: bytes from the object's base
    tc_t done;  // of the block: it comes to it
    tc_t value; // of the block, as the signal's values are read; NULL: not known
} tc_sent;

// A read of the place: of an iteration of its loop, or the last one, where it stands in a loop.
typedef struct tc_look {
    const tc_event *event;
    const tc_event *end;     // where it is over: itself, or the end of its loop (no event of the model)
    bool own;                // the thread's that looks; otherwise all is of the block: one thread looks for it
    uint32_t scope;          // own: what it says is of one iteration of this loop, or TC_NONE
    tc_t place, value, done; // done: it is executed
    tc_t when, then;         // known where it is over: `then`, if `when`
} tc_look;

typedef struct tc_signal {
    uint32_t object;
    tc_t at; // of the launch: of this place of the object alone is anything said, and no other access may touch it; NULL: of all of it
    tc_i128 bytes; // of each atomic access; all sent are at multiples of it
    bool is_signed; // how values are read here
    tc_t first; // of the launch: what is there at launch
    // Counters: each block of a group, at most `count` of them, adds `step`. Turns: a block waits for a value (its one look), then writes the
    // next one, or `first` again. Neither: flags, each written by one block alone.
    tc_t count;
    tc_i128 step; // counters between blocks
    bool turns;
    bool passed_on; // turns: what a look acquires is released again by what the same block sends
    bool by_pattern, by_sc; // counters: what the last block stores hands on what its addition acquires, by patterns, by fences.sc
    tc_t ticket; // of the block: what was there before it added; NULL: nothing is known of it
    TC_VEC(tc_sent) sent;
    TC_VEC(tc_look) looks;
} tc_signal;
// Of blocks, or of the threads of a block.
typedef struct tc_signals {
    tc_signal *data;
    size_t len, cap;
} tc_signals;

// ---- signals.c ----

// Adds what is known of what two blocks (instances 1 and 2) found in counters: in one place it differs; where one is the last, the
// other has added.
void tc_hyps_counters(tc_cx *cx, tc_tvec *h, const tc_signals *all);
// Finds them; needs sites and what is common to threads. True when there are some.
bool tc_find_signals(tc_cx *cx);
// An object that blocks may send to, all of whose accesses are told; and of known contents at launch.
bool tc_may_send(tc_cx *cx, uint32_t object);
bool tc_may_signal(tc_cx *cx, uint32_t object);
// Is the value that it reads of a type with a sign?
bool tc_is_read_signed(const tc_event *e);
// Is it in no common loop with y, before it, and of two threads a barrier between?
bool tc_comes_before(tc_cx *cx, const tc_site *x, const tc_site *y);
// A copy, where its own thread comes from x to y: it has waited for it. Anything else is.
bool tc_is_complete(tc_cx *cx, const tc_site *x, const tc_site *y);
// The same as tc_comes_before of two threads of the team.
bool tc_comes_before_of(tc_cx *cx, const tc_site *x, const tc_site *y, tc_team team);
// The event as a site, where more is known than its guard says.
tc_site tc_point_site(tc_cx *cx, const tc_event *e, tc_t guard);
// The access is made by the last block of the counter's group alone, when all of it have added.
bool tc_is_after_all(tc_cx *cx, const tc_signal *g, const tc_site *s);
// Who reads the value, or has found it before its own addition, sees that all of the counter's group have added.
tc_t tc_shows_all(tc_cx *cx, const tc_signal *g, tc_t value, bool found);
// The counter's last one: all others have added before it.
tc_t tc_is_last(tc_cx *cx, const tc_signal *g);

// What both kinds of signals are made of.
tc_i128 tc_constant_or(tc_cx *cx, tc_t t, tc_i128 otherwise); // t may be NULL
// Not at these bytes of its object, in plain sight: the distance of the two places is constant.
bool tc_is_elsewhere(tc_cx *cx, const tc_event *e, tc_t at, tc_i128 bytes);
tc_t tc_signal_reads(tc_cx *cx, const tc_signal *g, tc_t value); // as the signal's values are read
tc_t tc_value_sent(tc_cx *cx, const tc_event *e); // that a store or an exchange leaves (congruent); NULL: not known
bool tc_changes(tc_cx *cx, const tc_event *e); // it writes, and not by an addition of 0
// An atomic read of the object, at this scope or a wider one, of which the value is known.
bool tc_is_look(tc_cx *cx, const tc_event *e, uint32_t object, tc_scope scope);
// Where the look is over: of a loop that is not inside of another the point behind it, else itself; NULL where that is not known.
const tc_event *tc_look_end(tc_cx *cx, const tc_event *e);
// What a read says, as it is read: to its block, where one thread makes it; to its thread, in an iteration and behind its loop.
enum { TC_MOST_LOOKS = 3 };
size_t tc_looks_of(tc_cx *cx, const tc_event *e, tc_look looks[TC_MOST_LOOKS]);

// ---- handed.c ----

// How one side of a hand-over is made: by a pattern of one thread, by a fence.sc of any; under which condition. NULL: not.
typedef struct tc_side {
    tc_t pattern, sc;
} tc_side;

tc_side tc_released(tc_cx *cx, const tc_sent *sent, const tc_site *a); // what is done at a, before it is sent
// For what is done at b, behind the look; scope: of fences, by the thread itself (for a block: of the device).
tc_side tc_acquired(tc_cx *cx, const tc_look *k, const tc_site *b, tc_scope scope);
tc_t tc_in_order(tc_cx *cx, tc_side from, tc_side to);
// Has each thread one value of it in all of its iterations?
bool tc_has_one_value(tc_cx *cx, tc_t t);
// The thread that executes the access executes the event, outside of loops, too.
bool tc_goes_with(tc_cx *cx, const tc_site *s, const tc_event *e);

// By the thread that reads the one and writes the other behind it: what is acquired by the one is released by the other.
tc_side tc_linked(tc_cx *cx, const tc_event *read, const tc_event *write);
// What a look acquires is released again by what the same block sends, always.
bool tc_passes_on(tc_cx *cx, const tc_look *k, const tc_sent *s);

// Adds, to instances 1 and 2 of what is known at a and b in two blocks, that they are not in the order that signals make; fences: where
// what one block wrote is released, and the other one acquires it; otherwise as if it were.
void tc_hyps_handed(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, bool fences);
void tc_lean_on_handed(tc_cx *cx, tc_obligation *ob);

// ---- thread_signals.c, thread_handed.c: inside a block ----
//
// The same of two threads of a block: what is sent is sent by each of some threads, terms are of the thread, and looks are its own.

// Finds them in shared memory; needs what is common to threads, and the loads of which is asked that they were written before
// (tc_deciding_loads).
void tc_find_thread_signals(tc_cx *cx, const tc_map *deciding);
// Adds, to instances 1 and 2 of what is known at a and b by two threads of a block, what these find in counters, and that a and b
// are not in the order that signals make.
void tc_hyps_thread_handed(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, tc_two *w);
// Proofs that take these lean on the values that looks give being ones that were written (depends.c).
void tc_lean_on_thread_handed(tc_cx *cx, tc_obligation *ob);

// ---- locks.c ----

typedef struct tc_lock tc_lock;
typedef struct tc_locks {
    tc_lock **data;
    size_t len, cap;
} tc_locks;

// Finds the places that are locks; needs sites and what is common to threads. True when there are some.
bool tc_find_locks(tc_cx *cx);
bool tc_is_lock(const tc_cx *cx, uint32_t object);
// Adds, to what is known of a (as 1) and b (as 2) by two blocks or two threads of a block, that they are not under one lock; fences: as
// tc_hyps_handed.
void tc_hyps_locked(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_view *v, bool fences);

#endif
