#include "runtime-shim/trackeri.h"

typedef enum frees { WAITS, DOES_NOT_WAIT } frees;

static const struct {
    const char *name;
    frees frees;
} memories[] = {
#define X(id, name, frees, what) {name, frees},
#include "runtime-shim/memory.def"
#undef X
};

const char *tc_rt_memory_name(tc_rt_memory m) {
    return memories[m].name;
}

const char *tc_rt_op_name(tc_rt_op op) {
    static const char *const names[] = {
#define X(id, name, what) name,
#include "runtime-shim/events.def"
#undef X
    };
    return names[op];
}

// ---- operations on streams ----

// The slot of an event that gives work to a stream that runs; NULL: it has no effect, or it was captured.
static rt_slot *running_slot(tc_rt_tracker *t, const tc_rt_event *e, const rt_place *whole) {
    rt_slot *s = rt_stream_slot(t, e);
    if (!s)
        return NULL;
    if (s->capture) {
        rt_launch_check(t, e, s);
        rt_capture_node(t, s, e, whole);
        return NULL;
    }
    return rt_capture_forbids(t, e, s) ? NULL : s;
}

static tc_rt_memory memory_of(tc_rt_tracker *t, const tc_rt_use *use) {
    const rt_place *p = rt_place_at(t, use->region.base);
    if (p && p->live)
        return p->memory;
    return use->host ? TC_RT_MEM_PAGEABLE : TC_RT_MEM_DEVICE;
}

static bool on_host(tc_rt_memory m) {
    return m == TC_RT_MEM_PINNED || m == TC_RT_MEM_REGISTERED || m == TC_RT_MEM_PAGEABLE;
}

// What of a copy or a set the host has passed when its call returns (docs/streams.md, Copies and sets).
typedef enum returns { RETURNS_AT_ONCE, RETURNS_STAGED, RETURNS_DONE } returns; // staged: its source has been read

static returns copy_returns(tc_rt_tracker *t, const tc_rt_event *e) {
    tc_rt_memory from = memory_of(t, &e->uses[0]), to = memory_of(t, &e->uses[1]);
    if (on_host(from) && on_host(to))
        return RETURNS_DONE;
    bool sync = e->flags & TC_RT_SYNC;
    if (from == TC_RT_MEM_PAGEABLE)
        return sync || !t->settings.pageable_async ? RETURNS_STAGED : RETURNS_AT_ONCE;
    if (to == TC_RT_MEM_PAGEABLE)
        return sync || !t->settings.pageable_async ? RETURNS_DONE : RETURNS_AT_ONCE;
    return sync && (on_host(from) || on_host(to)) ? RETURNS_DONE : RETURNS_AT_ONCE;
}

static returns set_returns(tc_rt_tracker *t, const tc_rt_event *e) {
    tc_rt_memory m = memory_of(t, &e->uses[0]);
    bool waits = m == TC_RT_MEM_PINNED || m == TC_RT_MEM_REGISTERED || m == TC_RT_MEM_MANAGED;
    return (e->flags & TC_RT_SYNC) && waits ? RETURNS_DONE : RETURNS_AT_ONCE;
}

static returns returns_when(tc_rt_tracker *t, const tc_rt_event *e) {
    if ((e->op != TC_RT_COPY && e->op != TC_RT_SET) || (e->flags & TC_RT_ALL_DEVICES))
        return RETURNS_AT_ONCE;
    if (e->nuses < (e->op == TC_RT_COPY ? 2u : 1u))
        return RETURNS_AT_ONCE;
    for (size_t i = 0; i < e->nuses; i++)
        if (t->counts.failed_allocations && !rt_place_at(t, e->uses[i].region.base))
            return RETURNS_DONE; // of its kind there was no memory to keep a note
    return e->op == TC_RT_COPY ? copy_returns(t, e) : set_returns(t, e);
}

typedef struct operation {
    rt_slot *slot;
    rt_user who;
    rt_user start; // of what it uses before it has waited
} operation;

// A programmatic launch: when it begins, and behind its wait.
static void begins_early(operation *op, const rt_slot *s, bool waits) {
    bool gap = s->since > s->floor + 1;
    op->start.own = s->floor;
    op->who.own = waits && !gap ? s->seq : s->floor;
    op->who.since = waits && gap ? s->since : 0;
    op->who.alone = op->start.alone = !waits || gap;
}

static bool begin(tc_rt_tracker *t, const tc_rt_event *e, const rt_place *whole, operation *op) {
    rt_slot *s = running_slot(t, e, whole);
    if (!s)
        return false;
    rt_order_before(t, s);
    if (e->flags & TC_RT_ALL_DEVICES)
        rt_order_before_all(t, s, e->device, e->peer);
    bool early = (e->flags & TC_RT_PROGRAMMATIC) && s->last_is_launch;
    op->slot = s;
    op->who = op->start = (rt_user){.event = e, .slot = s, .clock = &s->clock, .own = s->seq};
    if (early)
        begins_early(op, s, (e->flags & TC_RT_WAITS) != 0);
    return true;
}

static uint64_t done(tc_rt_tracker *t, const tc_rt_event *e, operation *op) {
    bool launch = e->op == TC_RT_LAUNCH || e->op == TC_RT_LAUNCH_UNTRACKED;
    uint64_t seq = rt_order_count(t, op->slot, launch, e->flags);
    if (e->flags & TC_RT_ALL_DEVICES)
        rt_order_after_all(t, op->slot, e->device, e->peer);
    return seq;
}

static void lend(tc_rt_tracker *t, const rt_user *who, const tc_rt_use *given, rt_found *f, uint64_t seq) {
    if (!f->place || rt_again_renew(f, who, seq))
        return;
    if (f->again) { // its region is still as it was given
        f->use = *given;
        tc_rt_region_normalize(&f->use.region);
    }
    rt_loan *l = rt_loans_add(t, f->place, who, &f->use, seq);
    if (f->clean)
        rt_again_note(t, who, given, f->place, l);
}

static void operate(tc_rt_tracker *t, const tc_rt_event *e) {
    operation op;
    returns returned = returns_when(t, e);
    if (!begin(t, e, NULL, &op))
        return;
    rt_launch_check(t, e, op.slot);
    t->found.len = 0;
    for (size_t i = 0; i < e->nuses && rt_reserve(t, &t->found); i++) {
        rt_found *f = &t->found.data[t->found.len++];
        const rt_user *who = e->uses[i].early ? &op.start : &op.who;
        f->clean = true;
        if (rt_again_find(t, who, &e->uses[i], f))
            continue;
        f->place = rt_use_find(t, e, op.slot, &e->uses[i], &f->use);
        f->clean = f->place && rt_loans_check(t, f->place, who, &f->use);
    }
    if (returned == RETURNS_STAGED && (e->flags & TC_RT_SYNC)) // it waits for the stream, stages, and does not wait again
        rt_host_passes(t, &op.slot->clock);
    uint64_t seq = done(t, e, &op);
    for (size_t i = returned == RETURNS_STAGED; i < t->found.len; i++)
        lend(t, &op.who, &e->uses[i], &t->found.data[i], seq);
    if (returned == RETURNS_DONE)
        rt_host_passes(t, &op.slot->clock);
}

static void host_access(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_user host = {.event = e, .clock = &t->host};
    for (size_t i = 0; i < e->nuses; i++) {
        tc_rt_use use;
        rt_place *p = rt_use_find(t, e, NULL, &e->uses[i], &use);
        if (p)
            rt_loans_check(t, p, &host, &use);
    }
}

static void release(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_slot *s = rt_stream_slot(t, e);
    rt_place *p = rt_place_at(t, e->base);
    if (s)
        rt_loans_release(t, p ? p : &t->elsewhere, s->number, e->base);
}

// ---- allocation ----

static void alloc(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_places_clear(t, e->base, e->size);
    rt_place_new(t, e);
}

// A place that begins there; of one that was freed TC5001 is said.
static rt_place *freeable(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_place *p = rt_place_at(t, e->base);
    if (!p || p->base != e->base)
        return NULL;
    if (p->live)
        return p;
    tc_rt_finding f = {.rule = TC_RT_RULE_FREED,
                       .line = e->line,
                       .now = rt_party_now(e, NULL, NULL, TC_RT_EXCLUSIVE),
                       .buffer = rt_place_buffer(p, e->base),
                       .at = e->base};
    rt_find(t, &f, p->id);
    return NULL;
}

static bool begins_place(tc_rt_tracker *t, uint64_t base) {
    const rt_place *p = rt_place_at(t, base);
    return p && p->base == base;
}

static void free_now(tc_rt_tracker *t, const tc_rt_event *e) {
    bool seen = begins_place(t, e->base);
    rt_place *p = freeable(t, e);
    if (!seen && memories[e->memory].frees == WAITS && !t->settings.free_is_async)
        rt_host_passes_all(t); // of which device it was is not known
    if (!p)
        return;
    rt_graphs_check_freed(t, e, p, p->base, p->size);
    bool waits = memories[p->memory].frees == WAITS && !t->settings.free_is_async;
    if (waits)
        rt_host_passes_device(t, p->device);
    rt_user host = {.event = e, .clock = &t->host};
    rt_loans_check_freed(t, p, &host, p->base, p->size, false);
    rt_place_freed(t, p);
}

static void alloc_async(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_slot *s = rt_stream_slot(t, e);
    if (!s && t->lost)
        rt_places_clear(t, e->base, e->size);
    if (!s)
        return;
    tc_rt_event of_pool = *e;
    of_pool.memory = TC_RT_MEM_POOL;
    of_pool.device = s->device;
    if (s->capture) {
        rt_places_clear(t, e->base, e->size);
        const rt_place *p = rt_place_new(t, &of_pool);
        if (p)
            rt_capture_node(t, s, e, p);
        return;
    }
    operation op;
    if (!begin(t, e, NULL, &op))
        return;
    rt_places_clear(t, e->base, e->size);
    rt_place *p = rt_place_new(t, &of_pool);
    uint64_t seq = done(t, e, &op);
    tc_rt_use all = {.region = tc_rt_region_dense(e->base, e->size), .borrow = TC_RT_EXCLUSIVE};
    if (p)
        rt_loans_add(t, p, &op.who, &all, seq);
}

static void free_async(tc_rt_tracker *t, const tc_rt_event *e) {
    bool seen = begins_place(t, e->base);
    rt_place *p = freeable(t, e);
    operation op;
    if ((seen && !p) || !begin(t, e, p, &op))
        return;
    if (!p) { // it is an operation all the same
        done(t, e, &op);
        return;
    }
    rt_graphs_check_freed(t, e, p, p->base, p->size);
    rt_loans_check_freed(t, p, &op.who, p->base, p->size, false);
    done(t, e, &op);
    rt_place_freed(t, p);
}

static void sub_alloc(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_place *p = rt_place_at(t, e->base);
    rt_slot *s = e->stream ? rt_stream_slot(t, e) : NULL;
    if (!p || !p->live || (e->stream && !s && !t->lost))
        return;
    if (!s || !s->capture) {
        rt_clock next = {0}; // nothing is given to the stream
        if (s)
            rt_order_next(t, s, &next);
        rt_user owner = {.event = e, .slot = s, .clock = s ? &next : &t->host, .own = s ? s->seq : 0};
        rt_loans_check_freed(t, p, &owner, e->base, e->size, true);
        rt_clock_free(&next);
    }
    rt_part_new(t, p, e);
}

static rt_part *part_that_begins(rt_place *p, uint64_t base, bool live) {
    rt_part *found = NULL;
    for (size_t i = 0; i < p->parts.len; i++)
        if (p->parts.data[i].base == base && p->parts.data[i].live == live && (!found || p->parts.data[i].size <= found->size))
            found = &p->parts.data[i];
    return found;
}

static void sub_free(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_place *p = rt_place_at(t, e->base);
    if (!p || !p->live)
        return;
    rt_part *part = part_that_begins(p, e->base, true);
    if (part) {
        rt_graphs_check_freed(t, e, p, part->base, part->size);
        part->live = false;
        t->version++;
    } else if (part_that_begins(p, e->base, false)) {
        tc_rt_finding f = {.rule = TC_RT_RULE_FREED,
                           .line = e->line,
                           .now = rt_party_now(e, NULL, NULL, TC_RT_EXCLUSIVE),
                           .buffer = rt_place_buffer(p, e->base),
                           .at = e->base};
        rt_find(t, &f, p->id);
    }
}

// ---- the door ----

static void take(tc_rt_tracker *t, const tc_rt_event *e) {
    switch (e->op) {
    case TC_RT_ALLOC:
        alloc(t, e);
        break;
    case TC_RT_FREE:
        free_now(t, e);
        break;
    case TC_RT_ALLOC_ASYNC:
        alloc_async(t, e);
        break;
    case TC_RT_FREE_ASYNC:
        free_async(t, e);
        break;
    case TC_RT_SUB_ALLOC:
        sub_alloc(t, e);
        break;
    case TC_RT_SUB_FREE:
        sub_free(t, e);
        break;
    case TC_RT_LAUNCH:
    case TC_RT_LAUNCH_UNTRACKED:
    case TC_RT_COPY:
    case TC_RT_SET:
    case TC_RT_HOST_FUNC:
    case TC_RT_LOAN:
        operate(t, e);
        break;
    case TC_RT_HOST_ACCESS:
        host_access(t, e);
        break;
    case TC_RT_RELEASE:
        release(t, e);
        break;
    case TC_RT_DEVICE_RESET:
        rt_places_reset_device(t, e->device);
        rt_order_reset_device(t, e);
        break;
    case TC_RT_CAPTURE_BEGIN:
    case TC_RT_CAPTURE_END:
    case TC_RT_GRAPH_CREATE:
    case TC_RT_GRAPH_NODE:
    case TC_RT_GRAPH_INSTANTIATE:
    case TC_RT_GRAPH_UPDATE:
    case TC_RT_GRAPH_LAUNCH:
    case TC_RT_GRAPH_DESTROY:
    case TC_RT_EXEC_DESTROY:
        rt_graph_event(t, e);
        break;
    default:
        rt_order_event(t, e);
        break;
    }
}

static void forget_all_loans(tc_rt_tracker *t) {
    for (size_t i = 0; i < t->places.len; i++)
        rt_loans_clear(t, t->places.data[i]);
    rt_loans_clear(t, &t->elsewhere);
    for (rt_capture *c = t->captures; c; c = c->next)
        rt_capture_spoil(c);
    t->counts.failed_allocations++;
    t->lost = false;
}

void tc_rt_tracker_event(tc_rt_tracker *t, const tc_rt_event *e) {
    t->counts.events++;
    t->counts.launches += e->op == TC_RT_LAUNCH;
    t->counts.untracked += e->op == TC_RT_LAUNCH_UNTRACKED;
    take(t, e);
    if (t->lost)
        forget_all_loans(t);
}

tc_rt_tracker *tc_rt_tracker_new(const tc_rt_settings *s, tc_rt_sink sink, void *ctx) {
    tc_rt_tracker *t = tc_rt_realloc(NULL, sizeof *t);
    if (!t)
        return NULL;
    memset(t, 0, sizeof *t);
    if (s)
        t->settings = *s;
    t->sink = sink;
    t->ctx = ctx;
    t->changes = 1;
    t->again = tc_rt_new(t, RT_AGAIN * sizeof *t->again);
    if (t->again)
        return t;
    tc_rt_release(t);
    return NULL;
}

void tc_rt_tracker_free(tc_rt_tracker *t) {
    if (!t)
        return;
    rt_graphs_free(t);
    rt_places_free(t);
    rt_order_free(t);
    rt_told_free(t);
    tc_rt_release(t->found.data);
    tc_rt_release(t->spans.data);
    tc_rt_release(t->met.data);
    tc_rt_release(t->latest.data);
    tc_rt_release(t->again);
    rt_texts_free(t);
    tc_rt_release(t);
}

tc_rt_counts tc_rt_tracker_counts(const tc_rt_tracker *t) {
    return t->counts;
}
