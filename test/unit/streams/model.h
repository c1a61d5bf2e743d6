// The semantics of docs/streams.md by brute force, to compare the tracker with. It shares no more with it than the structs of events:
// every operation is a node with an edge to each one that a rule puts before it, the host is a chain of nodes, "ordered" is
// reachability by search, memory is a set of bytes of a small universe, and no loan is ever forgotten.
//
// Where the page is silent, it decides:
// - A record on the legacy stream, and a wait there, order as a kernel would ("an action … such as a kernel launch or
//   cudaStreamWaitEvent", RT, Stream synchronization behavior). A wait for an event that was never recorded is nothing.
// - A synchronisation with the legacy stream passes what an operation given to it would come after; one with a blocking stream, what
//   was given to that stream and what that comes after, and not what was given to the legacy stream since.
// - A launched graph borrows parts that were given back (TC5004 was said of them), and memory that was freed no more.
// - What a call that gives TC5005 would use is not looked at.
// - Handing out a part ends the loans that it reports, where they lie in it. All others go on: other streams may not have passed them.
// - A use that is too long (TC4003) lends all its bytes.
// - A kernel with programmatic serialisation after anything but a kernel is in order as any other (PG, Programmatic Dependent Launch).
// - The stream that gets memory of the pool comes after the free of what was there; for cudaMalloc the host does.
#ifndef TC_TEST_STREAMS_MODEL_H
#define TC_TEST_STREAMS_MODEL_H

#include "runtime-shim/tracker.h"

enum { MODEL_MAX_NODES = 512 }; // operations and moments of the host in one trace

typedef struct model model;

typedef struct model_finding {
    uint64_t line; // of the event
    tc_rt_rule rule;
    uint64_t before; // line of the other operation, or 0
} model_finding;

// All addresses of its events are in [base, base + bytes). Aborts when memory runs out.
model *model_new(uint64_t base, size_t bytes);
void model_free(model *m);
// Forgets everything: another trace begins.
void model_reset(model *m, const tc_rt_settings *s);
void model_event(model *m, const tc_rt_event *e);
// No two are equal. Valid until the next event.
const model_finding *model_findings(const model *m, size_t *n);

#endif
