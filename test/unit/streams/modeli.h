// Inside the model: its nodes, its memory, its graphs.
#ifndef TC_TEST_STREAMS_MODELI_H
#define TC_TEST_STREAMS_MODELI_H

#include "streams/model.h"

#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *v;                                                                                                          \
        size_t n, cap;                                                                                                 \
    }
#define PUSH(vec) ((vec).v = model_room((vec).v, (vec).n, &(vec).cap, sizeof *(vec).v), &(vec).v[(vec).n++])

enum { NONE = -1 };

typedef struct node_set {
    uint64_t w[MODEL_MAX_NODES / 64];
} node_set;

typedef struct node {
    uint64_t line;
    tc_rt_op op;
    int stream;       // NONE: a moment of the host
    int capture;      // NONE: it runs
    unsigned devices; // bit for each
    bool everywhere;  // in order with all work of its devices
    node_set before;  // edges, not closed
    node_set start;   // … of what it does before it has waited for the kernel before it
} node;

// What the next operation of a stream comes after.
typedef struct position {
    node_set tail;
    int kernel; // the last operation, where it is a kernel
} position;

typedef struct stream {
    uint64_t handle;
    uint32_t device, thread;
    bool legacy, non_blocking, destroyed;
    bool guessed; // its making was not seen
    int capture; // NONE, or the one that it takes part in
    position running, captured;
} stream;

typedef struct event_state {
    uint64_t handle;
    uint32_t device;
    bool destroyed, recorded;
    int capture; // the one that it was recorded in, or NONE
    node_set nodes;
} event_state;

typedef size_t bits; // a set of bytes: where it begins in the pool

typedef struct allocation {
    uint64_t base, size;
    tc_rt_memory memory;
    uint32_t device;
    bool live;
} allocation;

typedef struct use {
    int node;
    tc_rt_borrow borrow;
    bits bytes;    // that are on loan
    bool lent;     // by a LOAN
    uint64_t base; // of its region
} use;

// Of a graph's node: kept for the launches.
typedef struct node_use {
    int node;
    tc_rt_borrow borrow;
    bits bytes;
    uint64_t base;
} node_use;

typedef struct graph {
    uint64_t handle;
    bool executable, destroyed;
    int capture; // while it is being captured, or NONE
    VEC(node_use) uses;
    VEC(int) nodes;
    VEC(int) told; // allocations of which TC5004 was said
    int launched; // the last launch, or NONE
} graph;

typedef struct capture {
    int origin; // stream
    bool active, spoilt;
    int graph;
} capture;

struct model {
    uint64_t base;
    size_t words; // of a set of bytes
    tc_rt_settings settings;
    VEC(node) nodes;
    VEC(stream) streams;
    VEC(event_state) events;
    VEC(allocation) allocations;
    VEC(use) uses;
    VEC(graph) graphs;
    VEC(capture) captures;
    VEC(model_finding) findings;
    VEC(uint64_t) pool;
    int host; // the present
};

void *model_room(void *v, size_t n, size_t *cap, size_t size);
void model_report(model *m, const tc_rt_event *e, tc_rt_rule rule, uint64_t before);

// ---- order ----
bool node_has(const node_set *s, int node);
void node_add(node_set *s, int node);
void node_join(node_set *s, const node_set *other);
// Everything that can be reached from the set, itself included.
node_set model_reach(const model *m, const node_set *from);
int model_stream(model *m, const tc_rt_event *e);
int model_find_event(model *m, const tc_rt_event *e);
// A new operation on the stream: in its capture, or running.
int model_operation(model *m, int s, const tc_rt_event *e);
// All that an operation comes after that is given to the stream now.
node_set model_next_comes_after(const model *m, int s);
node_set model_of_device(const model *m, uint32_t device);
void model_host_passes(model *m, const node_set *s);
// All that the host has passed.
node_set model_passed(const model *m);

// ---- memory ----
bits model_bits(model *m);
bits model_bits_of(model *m, const tc_rt_region *r);
uint64_t *model_words(const model *m, bits b);
bool model_within(const model *m, bits a, bits b);
bool model_common(const model *m, bits a, bits b);
void model_take(const model *m, bits a, bits b); // a without b
void model_join_bits(const model *m, bits a, bits b);
// The innermost allocation, or part of one, that has the address; freed ones count until the address is given out again. NONE: none.
int model_allocation_at(const model *m, uint64_t address);
// The same, not looking at parts.
int model_whole_at(const model *m, uint64_t address);
// What of a use is on loan: nothing where it begins in memory that was freed (*freed), else all its bytes, those of a use that is
// too long (TC4003) as well.
bits model_lent(model *m, uint64_t base, bits bytes, bool *freed);
bool model_conflict(tc_rt_borrow a, tc_rt_borrow b);

// ---- events that make, change or run graphs ----
void model_graph_event(model *m, const tc_rt_event *e);
// TC5004, once for an executable graph and an allocation.
void model_graph_lost(model *m, const tc_rt_event *e, int g, int allocation);
// A node of a graph uses memory: checks it against the others of its graph and keeps it.
void model_node_uses(model *m, const tc_rt_event *e, int g, int node);
// A use by an operation that runs: against all loans, then one itself.
void model_lend(model *m, const tc_rt_event *e, int x, bool early, tc_rt_borrow borrow, bits bytes, uint64_t base);
void model_conditions(model *m, const tc_rt_event *e); // TC4001, TC4002
void model_extents(model *m, const tc_rt_event *e);    // TC4003
void model_spoil(model *m, uint32_t device);
bool model_captured_device(const model *m, uint32_t device, bool blocking_only);

#endif
