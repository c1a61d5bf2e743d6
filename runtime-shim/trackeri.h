// Inside the tracker: what its files share. The door is tracker.h.
#ifndef TC_RUNTIME_TRACKERI_H
#define TC_RUNTIME_TRACKERI_H

#include <stdlib.h>
#include <string.h>

#include "runtime-shim/tracker.h"

// ---- memory (heap.c): malloc with the test hook ----
//
// When an allocation fails, the event in hand finds nothing more, and all loans are forgotten at its end: what order it should have
// made can then not be missed by any loan that is left.

void *tc_rt_realloc(void *p, size_t size); // NULL: failed, p is kept
void *tc_rt_new(tc_rt_tracker *t, size_t size); // zeroed
// After HASH_ADD: was the item added? If not it is freed.
bool rt_added(tc_rt_tracker *t, void *item);
void tc_rt_release(void *p);

extern _Thread_local bool tc_rt_hash_full; // an item was not added
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) (tc_rt_hash_full = true)
#define uthash_malloc(size) tc_rt_realloc(NULL, (size))
#define uthash_free(p, size) tc_rt_release(p)
#include <uthash.h>

// A growing array: {data, len, cap}. false: no memory, and nothing changed.
#define RT_VEC(T)                                                                                                      \
    struct {                                                                                                           \
        T *data;                                                                                                       \
        size_t len, cap;                                                                                               \
    }
bool tc_rt_grow(void **data, size_t *cap, size_t len, size_t size);
#define rt_reserve(t, v)                                                                                               \
    ((v)->len < (v)->cap || tc_rt_grow((void **)&(v)->data, &(v)->cap, (v)->len, sizeof *(v)->data) || ((t)->lost = true, false))

// Texts that live as long as the tracker, each once.
typedef struct rt_text rt_text;
const char *rt_keep(tc_rt_tracker *t, const char *s, uint32_t flags); // NULL for NULL and when memory is out
void rt_texts_free(tc_rt_tracker *t);

// ---- order (order.c) ----

// How much of each slot has been passed: the first at[slot] operations. Slots beyond n: none.
typedef struct rt_clock {
    uint64_t *at;
    uint32_t n;
} rt_clock;

typedef struct rt_capture rt_capture;

// A place for a stream's operations. It outlives the stream until the host has passed its operations, and is then used again;
// counts go on, so that clocks stay right.
typedef struct rt_slot {
    uint32_t number;
    uint32_t device;
    uint64_t handle;     // 0: the stream was destroyed
    const char *name;
    bool live, blocking, legacy;
    bool guessed;        // its making was not seen: that it is blocking is more order, and no reason for a finding
    uint64_t seq;        // operations given so far
    rt_clock clock;      // what its next operation comes after
    uint64_t host_seen, legacy_seen, barrier_seen; // versions joined
    uint64_t floor;      // what a programmatic launch comes after, of its own operations
    uint64_t since;      // … and who waits for the last operation, behind its wait: those from this one on
    bool last_is_launch;
    rt_capture *capture; // NULL: it runs
    size_t branch;       // in the capture
} rt_slot;

typedef struct rt_stream_key {
    uint64_t handle;
    uint32_t device, thread; // for the default streams, else 0
} rt_stream_key;

// An event of which a finding may say that it is to blame.
typedef struct rt_moment {
    tc_rt_op op;
    uint64_t line, stack;
    const char *site;
} rt_moment;

typedef struct rt_stream {
    rt_stream_key key;
    rt_slot *slot; // NULL: destroyed
    const char *name;
    rt_moment ended; // where it was destroyed
    UT_hash_handle hh;
} rt_stream;

// A set of nodes of a graph.
typedef struct rt_bits {
    uint64_t *words;
    size_t n;
} rt_bits;

typedef struct rt_mark {
    uint64_t handle;
    const char *name;
    bool live, recorded;
    rt_moment ended; // where it is not live
    rt_clock clock;
    uint64_t capture; // number of the capture in which it was recorded last, 0: none
    rt_bits nodes;
    UT_hash_handle hh;
} rt_mark;

typedef struct rt_device {
    uint32_t number;
    rt_slot *legacy; // NULL: not used yet
    uint64_t legacy_version;
    rt_clock barrier; // by copies that are in order with all work
    uint64_t barrier_version;
    UT_hash_handle hh;
} rt_device;

// ---- memory of the program (places.c) ----

// Which of its slot's operations made a loan, or renewed it.
typedef struct rt_turn {
    uint64_t seq;
    uint64_t line, stack; // of its event
} rt_turn;

// The last launch of an executable, for all loans that its launches renew.
typedef struct rt_turns {
    rt_turn last;
    uint64_t holders;
    bool over; // its launches have other loans now
} rt_turns;

typedef struct rt_loan rt_loan;
struct rt_loan {
    uint32_t slot;
    tc_rt_borrow borrow;
    rt_turn own;
    rt_turns *turns; // NULL: its own turn holds
    tc_rt_region region;
    tc_rt_op op;
    uint64_t stream, exec;
    const char *name, *use, *site, *stream_name;
    uint64_t born; // running number, by when it was added or renewed by name
    rt_loan *older, *newer;
};

static inline const rt_turn *rt_loan_turn(const rt_loan *l) {
    return l->turns ? &l->turns->last : &l->own;
}

typedef struct rt_part rt_part;

// What an allocator made of its memory. Innermost parts decide where a use may end and what was given back.
struct rt_part {
    uint64_t base, size;
    bool live;
    const char *name, *site;
    uint64_t line, stack;
};

typedef struct rt_place rt_place;
struct rt_place {
    uint64_t base, size;
    tc_rt_memory memory;
    uint32_t device;
    bool live;
    const char *name, *site;
    uint64_t line, stack;
    rt_place *freed_before, *freed_after; // of those that are not live, in the order in which they were freed
    uint64_t epoch;          // of its loans: another one when one comes or goes, or when another slot than the last one renews one
    uint32_t last_slot;
    uint64_t lost;           // how many went that launches of an executable renew
    RT_VEC(rt_loan *) loans; // by base of their regions
    rt_loan *newest;
    uint64_t longest;        // bytes from base to end of any of them
    RT_VEC(rt_part) parts;   // by base, outer ones first
    uint64_t id;
};

// ---- graphs (graphs.c) ----

#define RT_NO_SLOT UINT32_MAX // of a node that was not captured

typedef struct rt_use {
    uint32_t node, slot;
    tc_rt_borrow borrow;
    tc_rt_region region;
    tc_rt_op op;
    uint64_t line, stack;
    const char *name, *use, *site;
} rt_use;

typedef struct rt_nodes {
    RT_VEC(rt_bits) before; // of each node: those that it comes after
    RT_VEC(rt_use) uses;
} rt_nodes;

typedef struct rt_branch {
    rt_slot *slot;
    rt_bits known;
    rt_bits floor; // what a programmatic launch comes after
    rt_bits ended; // … and behind its wait for the last node
    bool last_is_launch;
} rt_branch;

struct rt_capture {
    uint64_t number;
    rt_slot *origin;
    rt_moment began;
    bool spoilt;
    rt_nodes nodes;
    RT_VEC(rt_branch) branches;
    rt_capture *next;
};

// A place that an executable uses, as its last launch left it.
typedef struct rt_seen {
    rt_place *place;
    uint64_t epoch, lost;
} rt_seen;

typedef struct rt_graph {
    uint64_t handle;
    bool live, is_exec;
    bool spoilt; // a node was lost: the numbers of the others are not known
    const char *name;
    rt_moment ended; // where it is not live
    rt_nodes nodes;
    // Of an executable's last launch:
    rt_clock clock;
    rt_turns *turns;   // NULL: none, or the nodes are others now
    uint32_t slot;
    uint64_t version; // of the places
    uint64_t changes; // of all loans; 0: a use was in conflict
    uint64_t born;    // the last loan's
    RT_VEC(rt_seen) seen;
    UT_hash_handle hh;
} rt_graph;

// A use that was found to be in order, and the loan that it left (loans_again.c).
typedef struct rt_again {
    const char *name, *use; // of the event and its use: texts that last
    tc_rt_region region;    // as it was given
    uint64_t version, epoch; // of the places, of the place, when it was in order
    rt_place *place;
    rt_loan *loan;
    uint32_t slot;
    tc_rt_borrow borrow;
    tc_rt_op op;
    bool unshaped;
} rt_again;

#define RT_MAX_DEAD 65536 // handles of destroyed streams, of events, and of graphs, that are remembered
#define RT_AGAIN 1024 // a power of 2

// A use of the event in hand and the place in which it begins; NULL: it lends nothing. again: it was in order before, and nothing
// has changed.
typedef struct rt_found {
    rt_place *place;
    rt_loan *again; // the loan that is renewed, while the place has this epoch; NULL: a new one
    uint64_t epoch;
    tc_rt_use use;
    bool clean; // no conflict was found
} rt_found;

// A use of the event in hand, by the bytes that it spans.
typedef struct rt_span {
    uint64_t base, end;
    uint32_t use; // its index
} rt_span;

// A loan that a use is in conflict with.
typedef struct rt_met {
    const rt_loan *loan;
    uint64_t at; // an address that both use
} rt_met;

typedef struct rt_told {
    uint64_t key;
    UT_hash_handle hh;
} rt_told;

struct tc_rt_tracker {
    tc_rt_settings settings;
    tc_rt_sink sink;
    void *ctx;
    tc_rt_counts counts;
    bool lost; // an allocation failed during this event
    rt_text *texts;
    rt_clock host;
    uint64_t host_version;
    RT_VEC(rt_slot *) slots;
    rt_stream *streams;
    rt_mark *marks;
    size_t dead_streams, dead_marks;
    rt_device *devices;
    RT_VEC(rt_place *) places; // by base; live ones and freed ones do not overlap
    rt_place elsewhere;        // memory of which no allocation was seen
    rt_place *freed_first, *freed_last;
    size_t freed_places;
    uint64_t version; // another one when a place, a part or a slot becomes another
    uint64_t changes; // how often a place got another epoch, from 1
    rt_again *again;  // RT_AGAIN of them
    uint64_t next_id, next_born, next_capture;
    rt_capture *captures;
    bool capture_lost; // there was no memory to follow one: what runs is not known, and nothing is found, until one ends
    rt_graph *graphs, *execs;
    rt_told *told;
    size_t ntold;
    RT_VEC(rt_found) found; // uses of the event in hand
    RT_VEC(rt_span) spans;  // the same, by borrow and base (alias.c)
    RT_VEC(rt_met) met;     // conflicts of the use in hand (loans.c)
    RT_VEC(uint64_t) latest; // by slot: 0, or the last of them; zero between uses
};

// ---- order.c ----

void rt_clock_join(tc_rt_tracker *t, rt_clock *c, const rt_clock *from);
void rt_clock_raise(tc_rt_tracker *t, rt_clock *c, uint32_t slot, uint64_t seq);
void rt_clock_free(rt_clock *c);
static inline uint64_t rt_clock_at(const rt_clock *c, uint32_t slot) {
    return slot < c->n ? c->at[slot] : 0;
}

// The slot of an event's stream, made when the handle is new. NULL: destroyed (TC5005 was said) or no memory.
rt_slot *rt_stream_slot(tc_rt_tracker *t, const tc_rt_event *e);
rt_device *rt_device_of(tc_rt_tracker *t, uint32_t number);
// Joins into the slot's clock all that its next operation comes after. Before the checks of that operation.
void rt_order_before(tc_rt_tracker *t, rt_slot *s);
// The same for an operation that is not given: into a clock of the caller's.
void rt_order_next(tc_rt_tracker *t, rt_slot *s, rt_clock *next);
// Counts the operation; its number. After rt_order_before and the checks.
uint64_t rt_order_count(tc_rt_tracker *t, rt_slot *s, bool launch, uint32_t flags);
void rt_host_passes(tc_rt_tracker *t, const rt_clock *c);
void rt_host_passes_all(tc_rt_tracker *t);
void rt_host_passes_device(tc_rt_tracker *t, uint32_t device);
void rt_order_event(tc_rt_tracker *t, const tc_rt_event *e); // streams, events, synchronisation
// A copy in order with all work of two devices: before it, and after it.
void rt_order_before_all(tc_rt_tracker *t, rt_slot *s, uint32_t device, uint32_t peer);
void rt_order_after_all(tc_rt_tracker *t, rt_slot *s, uint32_t device, uint32_t peer);
void rt_order_reset_device(tc_rt_tracker *t, const tc_rt_event *e);
const char *rt_stream_name(tc_rt_tracker *t, const tc_rt_event *e); // of the event's stream; NULL: none is known
const char *rt_mark_name(tc_rt_tracker *t, uint64_t event);
void rt_order_free(tc_rt_tracker *t);

// ---- places.c ----

// The place, live or freed, in which the address lies; NULL: none.
rt_place *rt_place_at(tc_rt_tracker *t, uint64_t address);
rt_place *rt_place_new(tc_rt_tracker *t, const tc_rt_event *e);
void rt_place_freed(tc_rt_tracker *t, rt_place *p); // a live one
// What a new place will overlap goes.
void rt_places_clear(tc_rt_tracker *t, uint64_t base, uint64_t size);
rt_part *rt_part_at(rt_place *p, uint64_t address); // the innermost one; NULL: none
bool rt_part_new(tc_rt_tracker *t, rt_place *p, const tc_rt_event *e);
tc_rt_buffer rt_place_buffer(const rt_place *p, uint64_t address);
void rt_places_reset_device(tc_rt_tracker *t, uint32_t device);
void rt_places_free(tc_rt_tracker *t);

// ---- loans.c ----

// Of uses that have a byte in common.
static inline bool rt_conflict(tc_rt_borrow a, tc_rt_borrow b) {
    return a == TC_RT_EXCLUSIVE || b == TC_RT_EXCLUSIVE || a != b;
}

// Who uses memory now: a stream's next operation, or the host (slot NULL).
typedef struct rt_user {
    const tc_rt_event *event;
    rt_slot *slot;
    const rt_clock *clock;
    uint64_t own;   // operations of the slot itself that come before this one
    uint64_t since; // … and those from this one on; 0: no others
    bool alone;     // who comes after it need not come after what its slot was given before
    uint64_t exec;
    rt_turns *turns; // of an executable's launch
} rt_user;

// Conflicts of a use with the loans of its place; what the host has passed goes.
// Was there none?
bool rt_loans_check(tc_rt_tracker *t, rt_place *p, const rt_user *who, const tc_rt_use *use);
// All loans of a part of a place, against a free or a new tenancy: TC5001. forget: those that overlap go afterwards.
void rt_loans_check_freed(tc_rt_tracker *t, rt_place *p, const rt_user *who, uint64_t base, uint64_t size, bool forget);
rt_loan *rt_loans_add(tc_rt_tracker *t, rt_place *p, const rt_user *who, const tc_rt_use *use, uint64_t seq); // NULL: no memory
void rt_loans_release(tc_rt_tracker *t, rt_place *p, uint32_t slot, uint64_t base);
void rt_loans_clear(tc_rt_tracker *t, rt_place *p);
void rt_turns_drop(rt_turns **turns); // by one of its holders; may be NULL
// Is a launch with these uses in order with the loans that the place was given since the loan of that number?
bool rt_loans_apart_since(tc_rt_tracker *t, const rt_place *p, const rt_user *who, uint64_t born, const rt_nodes *nodes);
void rt_loans_used_by(tc_rt_tracker *t, rt_place *p, uint32_t slot); // its loans are renewed

// ---- loans_again.c: what a program does over and over ----
//
// A use that is the same as one before, by the same slot, needs no check when nothing that the check looked at is another: the loans
// of its place, the places and parts. SOUND: what the slot has passed only grows, and a loan that another slot renews makes another epoch.
// The launches of an executable are looked at as a whole, by the same rule (graphs.c).

// Is the use known to be in order? Then *f has its place and loan.
bool rt_again_find(tc_rt_tracker *t, const rt_user *who, const tc_rt_use *use, rt_found *f);
// Renews the loan. false: there is none, or the event in hand has changed the place since it was looked up.
bool rt_again_renew(const rt_found *f, const rt_user *who, uint64_t seq);
void rt_again_note(tc_rt_tracker *t, const rt_user *who, const tc_rt_use *given, rt_place *p, rt_loan *l);

// ---- uses.c: what an operation's uses mean, wherever it runs ----

// The place in which a use begins; NULL: it lends nothing, being empty, in freed memory (TC5001) or too long (TC4003). *out is the use
// with its region in normal form.
rt_place *rt_use_find(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s, const tc_rt_use *use, tc_rt_use *out);
void rt_launch_check(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s); // TC4001, TC4002

// ---- alias.c ----

// TC4002: uses of the event that have bytes in common and may not.
void rt_alias_check(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s);

// ---- graphs.c ----

void rt_graph_event(tc_rt_tracker *t, const tc_rt_event *e);
void rt_graph_launch(tc_rt_tracker *t, const tc_rt_event *e);
// The uses are those of the event, or the whole of `place`.
void rt_capture_node(tc_rt_tracker *t, rt_slot *s, const tc_rt_event *e, const rt_place *whole);
void rt_capture_record(tc_rt_tracker *t, rt_slot *s, rt_mark *m);
// false: TC5005 was said, the wait has no effect.
bool rt_capture_wait(tc_rt_tracker *t, rt_slot *s, const tc_rt_event *e, const rt_mark *m);
void rt_capture_spoil(rt_capture *c);
rt_capture *rt_capture_numbered(tc_rt_tracker *t, uint64_t number);
// May the stream be given nothing, as it is in order with one that is being captured? Then TC5005 was said.
bool rt_capture_forbids(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s);
// TC5005 because of a capture, where it began; NULL: of none that is known.
void rt_find_captured(tc_rt_tracker *t, const tc_rt_event *e, const rt_capture *c, const char *text);
const char *rt_graph_name(tc_rt_tracker *t, uint64_t handle, bool exec);
// Memory that is freed: TC5004 where a graph can still use it.
void rt_graphs_check_freed(tc_rt_tracker *t, const tc_rt_event *e, rt_place *p, uint64_t base, uint64_t size);
void rt_graphs_free(tc_rt_tracker *t);
void rt_bits_set(tc_rt_tracker *t, rt_bits *b, size_t i);
void rt_bits_join(tc_rt_tracker *t, rt_bits *b, const rt_bits *from);
bool rt_bits_has(const rt_bits *b, size_t i);

// ---- findings.c ----

tc_rt_party rt_party_now(const tc_rt_event *e, const rt_slot *s, const char *use, tc_rt_borrow b);
tc_rt_party rt_party_loan(const rt_loan *l);
rt_moment rt_moment_of(tc_rt_tracker *t, const tc_rt_event *e);
tc_rt_party rt_party_then(const rt_moment *m, const char *name, uint64_t stream, const char *stream_name);
void rt_told_free(tc_rt_tracker *t);
void rt_find(tc_rt_tracker *t, tc_rt_finding *f, uint64_t place_id);
// TC5005. The text says why the call does nothing; why: the event that made it so, or NULL.
void rt_find_call(tc_rt_tracker *t, const tc_rt_event *e, const tc_rt_party *why, const char *text);

// ---- texts.c ----

void rt_text_of(const tc_rt_finding *f, char *to, size_t size);
void rt_remedy_of(const tc_rt_finding *f, char *to, size_t size); // empty when there is nothing to say
// What a call of TC5005 does: "the host waits for stream 'up'".
void rt_call_text(tc_rt_tracker *t, const tc_rt_event *e, const tc_rt_party *now, char *to, size_t size);

#endif
