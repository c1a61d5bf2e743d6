// Random traces, and how they are shown and made small.
#ifndef TC_TEST_STREAMS_TRACE_H
#define TC_TEST_STREAMS_TRACE_H

#include <stdio.h>

#include "runtime-shim/tracker.h"

// All memory of a random trace: TRACE_SLOTS places for an allocation, with a gap behind each.
enum { TRACE_BASE = 0x1000, TRACE_SLOT = 128, TRACE_SLOTS = 10, TRACE_BYTES = TRACE_SLOT * TRACE_SLOTS };
enum { TRACE_STREAM = 0x10, TRACE_EVENT = 0x100 }; // the first handles
enum { TRACE_MAX = 128, TRACE_USES = 3, TRACE_AFTER = 2 };

typedef struct trace_item {
    tc_rt_event e; // its pointers: see trace_event
    tc_rt_use uses[TRACE_USES];
    uint32_t after[TRACE_AFTER];
    tc_rt_breach breach;
    char name[12];
} trace_item;

typedef struct trace {
    tc_rt_settings settings;
    unsigned strange_memory, strange_streams; // places, by bit, and streams from TRACE_STREAM on: made before the trace begins
    size_t n;
    trace_item items[TRACE_MAX];
} trace;

typedef struct trace_random {
    uint64_t s;
} trace_random;

// 0 <= result < n.
unsigned trace_below(trace_random *r, unsigned n);

// The same seed gives the same trace. Names are unique, so that no finding repeats another.
void trace_generate(trace *t, uint64_t seed);
// Event i, with pointers into the trace; its line is i + 1.
tc_rt_event trace_event(const trace *t, size_t i);
// Is every stream, event, graph and memory made before it is used?
bool trace_well_formed(const trace *t);
// In the readable form.
void trace_show(const trace *t, FILE *to);

typedef bool (*trace_property)(void *ctx, const trace *t);
// Takes events and uses away while the property holds.
void trace_shrink(trace *t, trace_property p, void *ctx);

#endif
