// What happened in a program, as the tracker takes it: plain data, the same from a recorded trace, the CUPTI callbacks or the
// explicit API. The caller owns everything that an event points to; the tracker copies what it keeps.
#ifndef TC_RUNTIME_EVENT_H
#define TC_RUNTIME_EVENT_H

#include "runtime-shim/region.h"

typedef enum tc_rt_op {
#define X(id, name, what) TC_RT_##id,
#include "runtime-shim/events.def"
#undef X
    TC_RT_OP_COUNT
} tc_rt_op;

// Kinds of memory, by what freeing and copying mean for the order (docs/streams.md).
typedef enum tc_rt_memory {
#define X(id, name, frees, what) TC_RT_MEM_##id,
#include "runtime-shim/memory.def"
#undef X
    TC_RT_MEM_COUNT
} tc_rt_memory;

// How an operation uses memory. Two uses conflict when they overlap, unless both are shared or both atomic.
typedef enum tc_rt_borrow { TC_RT_SHARED, TC_RT_ATOMIC, TC_RT_EXCLUSIVE } tc_rt_borrow;

typedef struct tc_rt_use {
    tc_rt_region region;
    tc_rt_borrow borrow;
    const char *name;   // the kernel's parameter; "source", "destination"; may be NULL
    uint32_t group;     // uses of one launch with the same number, not 0, may overlap: tc_may_alias, tc_inplace
    bool unshaped;      // the contract gives no extent: the region is a guess, and no reason for TC4003
    bool early;         // of a kernel that waits for the one before it: may be before it has waited
    bool host;          // outside of every allocation it is the host's memory, pageable, and not the device's
} tc_rt_use;

// A condition of the contract that a launch does not meet.
typedef struct tc_rt_breach {
    const char *text;  // as the contract writes it
    const char *where; // file:line of it, or NULL
    const char *values; // "n = 100, blockDim.x = 256", or NULL
    bool null;         // text is no condition, but a parameter that is null though it has elements; values: "1000 elements"
} tc_rt_breach;

// Handles are the API's values (pointers as numbers); 0 is none. Of streams:
#define TC_RT_LEGACY 1     // cudaStreamLegacy: the default stream of `device`
#define TC_RT_PER_THREAD 2 // cudaStreamPerThread: the default stream of `device` and `thread`

typedef enum tc_rt_flags {
    TC_RT_NON_BLOCKING = 1, // STREAM_CREATE: no order with the legacy default stream
    TC_RT_SYNC = 2,         // COPY, SET: cudaMemcpy, cudaMemset
    TC_RT_PROGRAMMATIC = 8, // LAUNCH: may begin before the kernel before it on its stream has ended
    TC_RT_ALL_DEVICES = 16, // COPY between devices by cudaMemcpyPeer: in order with all work of both
    TC_RT_LASTING = 32,     // texts of the event outlive the tracker and need no copies
    TC_RT_WAITS = 128,      // LAUNCH, programmatic: each thread waits for that kernel (griddepcontrol.wait), and uses what is not `early` behind it
    TC_RT_ACCEPTED = 64     // the driver took the call: whatever the model says, it was no misuse (TC5005)
} tc_rt_flags;

typedef struct tc_rt_event {
    tc_rt_op op;
    uint64_t line;   // of the trace, or a running number; findings name it
    uint32_t thread; // the host's, any numbering
    uint32_t device; // current device of the thread
    uint32_t peer;   // COPY with TC_RT_ALL_DEVICES: the other device
    uint32_t flags;
    uint64_t stream, event, graph, exec;
    uint64_t pool;   // ALLOC_ASYNC
    uint64_t base, size; // bytes
    tc_rt_memory memory;
    const tc_rt_use *uses;
    size_t nuses;
    const uint32_t *after; // GRAPH_NODE: numbers of nodes of the graph, from 0 on in order of their making
    size_t nafter;
    const char *name;       // of the kernel, the buffer, the host function; may be NULL
    const char *site;       // file:line of the call or of the launch; may be NULL
    uint32_t grid[3], block[3]; // LAUNCH, elements; all 0 where they are not known
    uint64_t smem;              // bytes
    const tc_rt_breach *breaches;
    size_t nbreaches;
    uint64_t stack; // of the call: any number that the front end can turn into text, 0 for none
} tc_rt_event;

const char *tc_rt_op_name(tc_rt_op op);
const char *tc_rt_memory_name(tc_rt_memory m);
const char *tc_rt_borrow_name(tc_rt_borrow b); // "shared", "atomic", "mut"

#endif
