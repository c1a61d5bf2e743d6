// The semantics of docs/streams.md by brute force, to compare the tracker with. It shares no more with it than the structs of events:
// every operation is a node with an edge to each one that a rule puts before it, the host is a chain of nodes, "ordered" is
// reachability by search, memory is a set of bytes of a small universe, and no loan is ever forgotten.
//
// Where the page is silent, it decides (with the sections of the CUDA documentation that say so):
// - Records and waits are operations: on the legacy stream they order as a kernel would ("an action … such as a kernel launch or
//   cudaStreamWaitEvent", RT, Stream synchronization behavior). A wait for an event that was never recorded is nothing.
// - The order with the legacy stream, and with a peer copy, holds between operations: a synchronisation with a stream passes what
//   was given to that stream and what that comes after.
// - What a call that gives TC5005 would use is not looked at.
// - Bytes that were freed are on loan to nobody, whoever is told to use them.
// - A use of a graph's node whose memory was freed stays wrong, also when the address is given out again.
// - Handing out a part ends the loans on it that it reports; the others go on.
// - A kernel with programmatic serialisation after anything but a kernel is in order as any other (PG, Programmatic Dependent Launch).
// - During a capture (PG, Prohibited and Unhandled Operations; each TC5005): a synchronisation with or a query of a stream that is
//   captured, an event that was recorded in a capture, or a device that has a captured stream; a captured stream that waits for an event
//   recorded outside or in another capture; an operation on the legacy stream while a blocking stream of its device is captured.
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
