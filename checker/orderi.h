// Inside order.c and order_async.c: a pair of accesses with the barrier instances that may lie between them.
#ifndef TC_CHECKER_ORDERI_H
#define TC_CHECKER_ORDERI_H

#include "checker/order.h"

enum { max_depth = 16 };

// Loops around a point, outermost first.
typedef struct tc_nest {
    uint32_t loops[max_depth];
    size_t n;
    bool deep; // there are more
} tc_nest;

// The two accesses in the program's order.
typedef struct tc_span {
    tc_cx *cx;
    tc_two *w;
    tc_tvec *h;
    const tc_event *first, *second;
    int copies[2]; // of first and second
    tc_nest nests[2];
    size_t same;   // depth of the loops that both are in the same iteration of
    bool apart;    // of the next one first is in an earlier iteration
    uint32_t unknowns; // copies for values of other iterations, so far
    bool ordered;  // a barrier between is always executed
    bool own;      // of one thread: its waits are what orders
} tc_span;

// A condition of the barrier, said of one instance of it.
typedef struct tc_shifted {
    tc_span *s;
    int copy;         // of the access whose iterations are meant
    uint32_t from;    // a loop that the access is in another iteration of, or not in; or TC_NONE
    uint32_t left;    // a loop that the access is in, and that is over; or TC_NONE
    tc_map map;       // symbols of the condition -> what they stand for
    uint32_t unknown; // copy for values that nothing is known of
} tc_shifted;

// Where a barrier instance lies: in the iterations of the one access, or next to them.
typedef enum tc_side {
    TC_AFTER_FIRST,   // in the first access's own iterations of the loops that the barrier shares with it
    TC_BEFORE_SECOND, // in the second's
    TC_NEXT,          // in the iteration after the first's, of one of these loops
    TC_PREVIOUS       // in the iteration before the second's
} tc_side;

// t in the instance that x stands for.
tc_t tc_order_place(tc_shifted *x, tc_t t);

// order_async.c: the condition, in the barrier instance x, that the first access, an asynchronous copy, is complete there. depth:
// of the loop of which the instance is in another iteration than the access (TC_NEXT, TC_PREVIOUS: one more than its place in the nest),
// or of the loops that both are in. end: the end of the first access's iterations.
tc_t tc_async_complete(tc_span *s, const tc_event *barrier, const tc_nest *n, tc_side where, size_t depth, tc_shifted *x, tc_shifted *end);

#endif
