// The tracker: events in, findings out. It knows nothing of CUDA's libraries; what it knows of CUDA's order is docs/streams.md.
//
// Happens-before is kept as vector clocks: each stream counts its operations, and knows of each other stream which of
// its operations come before its next one; events and the host are such clocks too. A use of memory leaves a loan
// (stream, count) on the allocation; a later use or a free conflicts with it unless its own clock has passed the count.
// (Fidge 1988, Mattern 1989; as in FastTrack, Flanagan and Freund, PLDI 2009.)
//
// The host is one agent: all calls are taken to be in the order in which they arrive, whichever thread makes them.
// UNSOUND: what two host threads do without order between them is taken to be in order (docs/streams.md, Limits).
//
// Memory is bounded by what lives (allocations, streams, events, graphs) and the limits below; what had to be forgotten is
// counted. A tracker is used by one thread at a time.
#ifndef TC_RUNTIME_TRACKER_H
#define TC_RUNTIME_TRACKER_H

#include "runtime-shim/event.h"

// The rules, with the codes of the checker.
typedef enum tc_rt_rule {
#define X(id, code, title) TC_RT_RULE_##id,
#include "runtime-shim/rules.def"
#undef X
    TC_RT_RULE_COUNT
} tc_rt_rule;

const char *tc_rt_rule_code(tc_rt_rule r);  // "TC5001"
const char *tc_rt_rule_title(tc_rt_rule r);

// In place of an executable graph: a node of one that is being captured, or made by hand.
#define TC_RT_CAPTURED UINT64_MAX
#define TC_RT_BUILT (UINT64_MAX - 1)

// An operation that a finding is about; of a call that is not allowed (TC5005) also the one that made it so. Texts live as long as the call of the sink.
typedef struct tc_rt_party {
    tc_rt_op op;
    uint64_t line;
    const char *name;  // kernel, or NULL
    const char *use;   // parameter, "source", "destination", or NULL
    tc_rt_borrow borrow;
    uint64_t stream;   // handle; 0: the host
    const char *stream_name; // NULL where the front end gave none
    uint64_t exec;     // the graph that it is a node of (TC_RT_CAPTURED, TC_RT_BUILT), or 0
    const char *site;
    uint64_t stack;
} tc_rt_party;

typedef struct tc_rt_buffer {
    uint64_t base, size; // bytes; size 0: not an allocation that was seen
    tc_rt_memory memory;
    const char *name;
    uint64_t line;       // of its allocation
    const char *site;
    uint64_t stack;
    bool freed;
} tc_rt_buffer;

typedef struct tc_rt_finding {
    tc_rt_rule rule;
    uint64_t line;       // of the event at which it shows
    tc_rt_party now;     // what that event does
    bool has_before;
    tc_rt_party before;  // the operation in flight
    tc_rt_buffer buffer;
    bool overtakes;      // TC5002: kernels of one stream; the later one is programmatic and does not wait for the earlier one
    bool others_between; // … and not the next one after it
    uint64_t at;         // an address that both use
    uint64_t needed;     // TC4003: bytes from the pointer on
    const char *text;    // one sentence
    const char *remedy;  // what would order them, one sentence; NULL when there is nothing to say
} tc_rt_finding;

// What a note says of an operation before: "the launch of 'fill' was given here, at a.cu:7". The length without what did not fit.
size_t tc_rt_party_note(const tc_rt_party *p, char *to, size_t size);

typedef void (*tc_rt_sink)(void *ctx, const tc_rt_finding *f);

typedef struct tc_rt_settings {
    bool pageable_async; // copies of pageable memory are taken to be asynchronous, as the documentation allows
    bool free_is_async;  // cudaFree is not taken to wait
    bool every;          // findings that were told before are told again; not TC5004, which is once for each executable and buffer
    unsigned max_loans;  // of one allocation; 0: 4096
    unsigned max_streams; // live or with work that the host has not waited for; 0: 65536
} tc_rt_settings;

typedef struct tc_rt_counts {
    uint64_t events, launches, untracked, findings, repeated; // repeated: same parties and buffer as one before
    uint64_t forgotten;  // loans dropped at max_loans
    uint64_t undecided;  // pairs of strided regions
    uint64_t live_allocations, live_loans, live_streams, live_events, live_graphs;
    uint64_t failed_allocations; // of the tracker's own memory: what that event did is lost
} tc_rt_counts;

typedef struct tc_rt_tracker tc_rt_tracker;

tc_rt_tracker *tc_rt_tracker_new(const tc_rt_settings *s, tc_rt_sink sink, void *ctx); // NULL: no memory
void tc_rt_tracker_free(tc_rt_tracker *t);
void tc_rt_tracker_event(tc_rt_tracker *t, const tc_rt_event *e);
// The program ends: nothing is checked, what is still in flight is let go.
tc_rt_counts tc_rt_tracker_counts(const tc_rt_tracker *t);

// Test hook: the n-th allocation from now fails; 0 switches it off.
void tc_rt_alloc_fail_at(uint64_t n);

#endif
