// What each event does, and what is wrong with it.
#include <stdlib.h>
#include <string.h>

#include "streams/modeli.h"

model *model_new(uint64_t base, size_t bytes) {
    model *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->base = base;
    m->words = (bytes + 63) / 64;
    model_reset(m, &(tc_rt_settings){0});
    return m;
}

void model_free(model *m) {
    for (size_t i = 0; i < m->graphs.n; i++) {
        free(m->graphs.v[i].uses.v);
        free(m->graphs.v[i].nodes.v);
        free(m->graphs.v[i].told.v);
    }
    free(m->nodes.v);
    free(m->streams.v);
    free(m->events.v);
    free(m->allocations.v);
    free(m->uses.v);
    free(m->graphs.v);
    free(m->captures.v);
    free(m->findings.v);
    free(m->pool.v);
    free(m);
}

void model_reset(model *m, const tc_rt_settings *s) {
    for (size_t i = 0; i < m->graphs.n; i++) {
        free(m->graphs.v[i].uses.v);
        free(m->graphs.v[i].nodes.v);
        free(m->graphs.v[i].told.v);
    }
    free(m->graphs.v);
    memset(&m->graphs, 0, sizeof m->graphs);
    m->nodes.n = m->streams.n = m->events.n = m->allocations.n = m->uses.n = m->captures.n = m->findings.n = m->pool.n = 0;
    m->settings = *s;
    m->host = NONE;
    model_host_passes(m, &(node_set){0});
}

const model_finding *model_findings(const model *m, size_t *n) {
    *n = m->findings.n;
    return m->findings.v;
}

void model_report(model *m, const tc_rt_event *e, tc_rt_rule rule, uint64_t before) {
    for (size_t i = 0; i < m->findings.n; i++) {
        const model_finding *f = &m->findings.v[i];
        if (f->line == e->line && f->rule == rule && f->before == before)
            return;
    }
    *PUSH(m->findings) = (model_finding){e->line, rule, before};
}

// ---- memory comes and goes ----

// What is still there was freed unseen, if it is not what the new one is a part of.
static void allocate(model *m, const tc_rt_event *e, tc_rt_memory memory) {
    bits bytes = model_bits_of(m, &(tc_rt_region){.base = e->base, .run = e->size});
    for (size_t i = 0; i < m->uses.n && memory != TC_RT_MEM_SUB; i++)
        model_take(m, m->uses.v[i].bytes, bytes);
    *PUSH(m->allocations) = (allocation){e->base, e->size, memory, e->device, true};
}

// The loans on the bytes that are not in `passed` are found.
static void in_flight(model *m, const tc_rt_event *e, bits bytes, const node_set *passed, bool end_them) {
    for (size_t i = 0; i < m->uses.n; i++) {
        const use *u = &m->uses.v[i];
        if (node_has(passed, u->node) || !model_common(m, u->bytes, bytes))
            continue;
        model_report(m, e, TC_RT_RULE_FREED, m->nodes.v[u->node].line);
        if (end_them && model_within(m, u->bytes, bytes))
            model_take(m, u->bytes, bytes);
    }
}

static void graphs_lose(model *m, const tc_rt_event *e, int a, bits bytes) {
    for (size_t g = 0; g < m->graphs.n; g++)
        for (size_t i = 0; i < m->graphs.v[g].uses.n; i++)
            if (m->graphs.v[g].executable && !m->graphs.v[g].destroyed && model_common(m, m->graphs.v[g].uses.v[i].bytes, bytes))
                model_graph_lost(m, e, (int)g, a);
}

static void end_memory(model *m, const tc_rt_event *e, int a) {
    const allocation gone = m->allocations.v[a];
    bits bytes = model_bits_of(m, &(tc_rt_region){.base = gone.base, .run = gone.size});
    graphs_lose(m, e, a, bytes);
    for (size_t i = 0; i < m->uses.n; i++)
        model_take(m, m->uses.v[i].bytes, bytes);
    for (size_t i = 0; i < m->allocations.n; i++) { // with its parts
        allocation *part = &m->allocations.v[i];
        if (part->base >= gone.base && part->base - gone.base < gone.size)
            part->live = false;
    }
}

// The whole that begins there, to be freed; NONE: none, or it was freed before.
static int freeable(model *m, const tc_rt_event *e) {
    int a = model_whole_at(m, e->base);
    if (a == NONE || m->allocations.v[a].base != e->base)
        return NONE;
    if (m->allocations.v[a].live)
        return a;
    model_report(m, e, TC_RT_RULE_FREED, 0);
    return NONE;
}

static bool free_waits(const model *m, tc_rt_memory memory) {
    static const bool waits[] = {
#define WAITS true
#define DOES_NOT_WAIT false
#define X(id, name, frees, what) [TC_RT_MEM_##id] = frees,
#include "runtime-shim/memory.def"
#undef X
#undef WAITS
#undef DOES_NOT_WAIT
    };
    return waits[memory] && !m->settings.free_is_async;
}

static void pass_all(model *m) {
    node_set all = {0};
    for (int i = 0; i < (int)m->nodes.n; i++)
        if (m->nodes.v[i].capture == NONE)
            node_add(&all, i);
    model_host_passes(m, &all);
}

static void host_frees(model *m, const tc_rt_event *e) {
    int known = model_whole_at(m, e->base);
    if ((known == NONE || m->allocations.v[known].base != e->base) && free_waits(m, e->memory)) // of which device is not known
        pass_all(m);
    int a = freeable(m, e);
    if (a == NONE)
        return;
    const allocation gone = m->allocations.v[a];
    if (free_waits(m, gone.memory)) {
        node_set all = model_of_device(m, gone.device);
        model_host_passes(m, &all);
    }
    node_set passed = model_passed(m);
    in_flight(m, e, model_bits_of(m, &(tc_rt_region){.base = gone.base, .run = gone.size}), &passed, false);
    end_memory(m, e, a);
}

static void part_out(model *m, const tc_rt_event *e) {
    int s = e->stream ? model_stream(m, e) : NONE;
    if (s != NONE && m->streams.v[s].destroyed) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    node_set before = s == NONE ? model_passed(m) : model_next_comes_after(m, s);
    if (s == NONE || m->streams.v[s].capture == NONE)
        in_flight(m, e, model_bits_of(m, &(tc_rt_region){.base = e->base, .run = e->size}), &before, true);
    allocate(m, e, TC_RT_MEM_SUB);
}

static void part_back(model *m, const tc_rt_event *e) {
    int a = model_allocation_at(m, e->base);
    if (a == NONE || m->allocations.v[a].base != e->base || m->allocations.v[a].memory != TC_RT_MEM_SUB)
        return;
    if (!m->allocations.v[a].live) {
        if (m->allocations.v[model_whole_at(m, e->base)].live)
            model_report(m, e, TC_RT_RULE_FREED, 0);
        return;
    }
    graphs_lose(m, e, model_whole_at(m, e->base), model_bits_of(m, &(tc_rt_region){.base = e->base, .run = m->allocations.v[a].size}));
    m->allocations.v[a].live = false;
}

// ---- the conditions of a launch ----

static bool beyond_limits(const tc_rt_event *e) {
    static const uint64_t most_grid[] = {0x7fffffff, 65535, 65535}, most_block[] = {1024, 1024, 64};
    bool grid = e->grid[0] || e->grid[1] || e->grid[2], block = e->block[0] || e->block[1] || e->block[2];
    uint64_t threads = 1;
    for (int d = 0; d < 3; d++) {
        if ((grid && (e->grid[d] == 0 || e->grid[d] > most_grid[d])) || (block && (e->block[d] == 0 || e->block[d] > most_block[d])))
            return true;
        threads *= e->block[d];
    }
    return block && threads > 1024;
}

static void alias(model *m, const tc_rt_event *e) {
    for (size_t i = 0; i < e->nuses; i++)
        for (size_t k = 0; k < i; k++) {
            const tc_rt_use *u = &e->uses[i], *v = &e->uses[k];
            if (!(u->group && u->group == v->group) && model_conflict(u->borrow, v->borrow) &&
                model_common(m, model_bits_of(m, &u->region), model_bits_of(m, &v->region)))
                model_report(m, e, TC_RT_RULE_ALIAS, 0);
        }
}

void model_conditions(model *m, const tc_rt_event *e) {
    if (e->op != TC_RT_COPY && (e->nbreaches || beyond_limits(e)))
        model_report(m, e, TC_RT_RULE_PRECONDITION, 0);
    alias(m, e);
}

void model_extents(model *m, const tc_rt_event *e) {
    for (size_t i = 0; i < e->nuses; i++) {
        const tc_rt_use *u = &e->uses[i];
        int a = model_allocation_at(m, u->region.base);
        if (a == NONE || u->unshaped || !m->allocations.v[a].live)
            continue;
        bits beyond = model_bits_of(m, &u->region);
        model_take(m, beyond, model_bits_of(m, &(tc_rt_region){.base = m->allocations.v[a].base, .run = m->allocations.v[a].size}));
        if (model_common(m, beyond, beyond))
            model_report(m, e, TC_RT_RULE_SMALL, 0);
    }
}

// ---- operations ----

typedef enum side { ON_DEVICE, ON_HOST_LOCKED, ON_HOST_PAGEABLE, ON_BOTH } side;

static side side_of(const model *m, const tc_rt_use *u) {
    static const side sides[TC_RT_MEM_COUNT] = {[TC_RT_MEM_PINNED] = ON_HOST_LOCKED,
                                                [TC_RT_MEM_REGISTERED] = ON_HOST_LOCKED,
                                                [TC_RT_MEM_PAGEABLE] = ON_HOST_PAGEABLE,
                                                [TC_RT_MEM_MANAGED] = ON_BOTH};
    int a = model_whole_at(m, u->region.base);
    if (a == NONE || !m->allocations.v[a].live)
        return u->host ? ON_HOST_PAGEABLE : ON_DEVICE;
    return sides[m->allocations.v[a].memory];
}

static bool is_host(side s) {
    return s == ON_HOST_LOCKED || s == ON_HOST_PAGEABLE;
}

// What of a copy or a set the host has passed on return: the table of docs/streams.md. Managed memory may be on the device.
typedef enum passes { NOTHING, THE_SOURCE, ALL_OF_IT } passes;

static passes copy_passes(const model *m, const tc_rt_event *e) {
    side from = side_of(m, &e->uses[0]), to = side_of(m, &e->uses[1]);
    bool sync = e->flags & TC_RT_SYNC, async_option = m->settings.pageable_async;
    if (is_host(from) && is_host(to))
        return ALL_OF_IT;
    if (is_host(to))
        return sync || (to == ON_HOST_PAGEABLE && !async_option) ? ALL_OF_IT : NOTHING;
    if (from == ON_HOST_PAGEABLE)
        return sync || !async_option ? THE_SOURCE : NOTHING;
    return sync && is_host(from) ? ALL_OF_IT : NOTHING;
}

static passes call_passes(const model *m, const tc_rt_event *e) {
    if (e->op == TC_RT_COPY && !(e->flags & TC_RT_ALL_DEVICES))
        return copy_passes(m, e);
    if (e->op != TC_RT_SET || !(e->flags & TC_RT_SYNC))
        return NOTHING;
    side s = side_of(m, &e->uses[0]);
    return s == ON_HOST_LOCKED || s == ON_BOTH ? ALL_OF_IT : NOTHING;
}

void model_lend(model *m, const tc_rt_event *e, int x, bool early, tc_rt_borrow borrow, bits bytes, uint64_t base) {
    node_set before = model_reach(m, early ? &m->nodes.v[x].start : &m->nodes.v[x].before);
    for (size_t k = 0; k < m->uses.n; k++) {
        const use *other = &m->uses.v[k];
        if (other->node != x && !node_has(&before, other->node) && model_conflict(borrow, other->borrow) &&
            model_common(m, other->bytes, bytes))
            model_report(m, e, TC_RT_RULE_UNORDERED, m->nodes.v[other->node].line);
    }
    *PUSH(m->uses) = (use){x, borrow, bytes, e->op == TC_RT_LOAN, base};
}

static void use_memory(model *m, const tc_rt_event *e, int x) {
    for (size_t i = 0; i < e->nuses; i++) {
        const tc_rt_use *u = &e->uses[i];
        bool freed;
        bits bytes = model_lent(m, u->region.base, model_bits_of(m, &u->region), &freed);
        if (freed && u->region.run)
            model_report(m, e, TC_RT_RULE_FREED, 0);
        model_lend(m, e, x, u->early, u->borrow, bytes, u->region.base);
    }
}

// NONE: the stream's state forbids it.
static int operation(model *m, const tc_rt_event *e) {
    int s = model_stream(m, e);
    const stream *st = &m->streams.v[s];
    if (st->destroyed || (st->legacy && model_captured_device(m, st->device, true))) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return NONE;
    }
    return model_operation(m, s, e);
}

static void stream_operation(model *m, const tc_rt_event *e) {
    int x = operation(m, e);
    if (x == NONE)
        return;
    int c = m->nodes.v[x].capture;
    if (e->op == TC_RT_LAUNCH || e->op == TC_RT_LAUNCH_UNTRACKED || e->op == TC_RT_COPY)
        model_conditions(m, e);
    if (c != NONE && m->captures.v[c].spoilt)
        return;
    if (e->op == TC_RT_LAUNCH)
        model_extents(m, e);
    if (c != NONE) {
        model_node_uses(m, e, m->captures.v[c].graph, x);
        return;
    }
    passes passed = call_passes(m, e);
    size_t first = m->uses.n;
    use_memory(m, e, x);
    node_set it = {0};
    node_add(&it, x);
    if (passed == ALL_OF_IT)
        model_host_passes(m, &it);
    if (passed != THE_SOURCE)
        return;
    model_take(m, m->uses.v[first].bytes, m->uses.v[first].bytes); // that loan has ended
    if (e->flags & TC_RT_SYNC)
        model_host_passes(m, &m->nodes.v[x].before); // the stream was waited for before the copy
}

static void use_whole(model *m, const tc_rt_event *e, int x, uint64_t size) {
    tc_rt_use whole = {.region = {.base = e->base, .run = size}, .borrow = TC_RT_EXCLUSIVE};
    tc_rt_event with = *e;
    with.uses = &whole;
    with.nuses = 1;
    int c = m->nodes.v[x].capture;
    if (c == NONE)
        use_memory(m, &with, x);
    else if (!m->captures.v[c].spoilt)
        model_node_uses(m, &with, m->captures.v[c].graph, x);
}

static void pool_allocates(model *m, const tc_rt_event *e) {
    int x = operation(m, e);
    if (x == NONE)
        return;
    allocate(m, e, TC_RT_MEM_POOL);
    use_whole(m, e, x, e->size);
}

static void pool_frees(model *m, const tc_rt_event *e) {
    int known = model_whole_at(m, e->base);
    bool begins = known != NONE && m->allocations.v[known].base == e->base;
    int a = begins ? freeable(m, e) : NONE;
    if (begins && a == NONE)
        return;
    int x = operation(m, e); // of memory that was never seen too
    if (x == NONE || a == NONE)
        return;
    if (m->nodes.v[x].capture != NONE) { // a node, and nothing is freed now
        use_whole(m, e, x, m->allocations.v[a].size);
        return;
    }
    node_set before = model_reach(m, &m->nodes.v[x].before);
    in_flight(m, e, model_bits_of(m, &(tc_rt_region){.base = e->base, .run = m->allocations.v[a].size}), &before, false);
    end_memory(m, e, a);
}

static void host_access(model *m, const tc_rt_event *e) {
    node_set passed = model_passed(m);
    for (size_t i = 0; i < e->nuses; i++) {
        bool freed;
        bits bytes = model_lent(m, e->uses[i].region.base, model_bits_of(m, &e->uses[i].region), &freed);
        if (freed && e->uses[i].region.run)
            model_report(m, e, TC_RT_RULE_FREED, 0);
        for (size_t k = 0; k < m->uses.n; k++) {
            const use *u = &m->uses.v[k];
            if (!node_has(&passed, u->node) && model_conflict(e->uses[i].borrow, u->borrow) && model_common(m, u->bytes, bytes))
                model_report(m, e, TC_RT_RULE_HOST, m->nodes.v[u->node].line);
        }
    }
}

static void release(model *m, const tc_rt_event *e) {
    int s = model_stream(m, e);
    if (m->streams.v[s].destroyed)
        model_report(m, e, TC_RT_RULE_CALL, 0);
    for (size_t i = 0; i < m->uses.n && !m->streams.v[s].destroyed; i++) {
        const use *u = &m->uses.v[i];
        if (u->lent && u->base == e->base && m->nodes.v[u->node].stream == s)
            model_take(m, u->bytes, u->bytes);
    }
}

// ---- streams, events, the host's waits ----

// Who waits for the legacy stream waits for what it would wait for.
static void pass_stream(model *m, int s) {
    const stream *st = &m->streams.v[s];
    node_set all = st->legacy ? model_next_comes_after(m, s) : st->running.tail;
    model_host_passes(m, &all);
}

static void stream_event(model *m, const tc_rt_event *e) {
    if (e->op == TC_RT_STREAM_CREATE) {
        *PUSH(m->streams) = (stream){.handle = e->stream,
                                     .device = e->device,
                                     .thread = e->thread,
                                     .non_blocking = e->flags & TC_RT_NON_BLOCKING,
                                     .capture = NONE,
                                     .running.kernel = NONE,
                                     .captured.kernel = NONE};
        return;
    }
    stream *s = &m->streams.v[model_stream(m, e)];
    if (s->destroyed || (e->op != TC_RT_STREAM_DESTROY && s->capture != NONE)) {
        if (!s->destroyed)
            m->captures.v[s->capture].spoilt = true;
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    if (e->op == TC_RT_STREAM_DESTROY)
        s->destroyed = true;
    else
        pass_stream(m, (int)(s - m->streams.v));
}

static void record(model *m, const tc_rt_event *e) {
    int s = model_stream(m, e), v = model_find_event(m, e);
    stream *st = &m->streams.v[s];
    event_state *ev = &m->events.v[v];
    if (ev->destroyed || st->destroyed || (st->legacy && model_captured_device(m, st->device, true))) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    ev->recorded = true;
    ev->capture = st->capture;
    if (st->capture != NONE) {
        ev->nodes = st->captured.tail;
        st->captured.kernel = NONE;
        return;
    }
    ev->nodes = (node_set){0};
    node_add(&ev->nodes, model_operation(m, s, e));
}

// A wait for an event of a capture that goes on takes the stream into it.
static void wait_captured(model *m, const tc_rt_event *e, stream *st, const event_state *ev) {
    if (!m->captures.v[ev->capture].active || (st->capture != NONE && st->capture != ev->capture) || st->legacy) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        if (st->capture != NONE)
            m->captures.v[st->capture].spoilt = true;
        return;
    }
    if (st->capture == NONE)
        st->captured = (position){.kernel = NONE};
    st->capture = ev->capture;
    node_join(&st->captured.tail, &ev->nodes);
    st->captured.kernel = NONE;
}

static void stream_wait(model *m, const tc_rt_event *e) {
    int s = model_stream(m, e), v = model_find_event(m, e);
    stream *st = &m->streams.v[s];
    const event_state *ev = &m->events.v[v];
    if (ev->destroyed || st->destroyed) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    if (st->legacy && model_captured_device(m, st->device, true)) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    if (!ev->recorded)
        return;
    if (ev->capture != NONE) {
        wait_captured(m, e, st, ev);
        return;
    }
    if (st->capture != NONE) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        m->captures.v[st->capture].spoilt = true;
        return;
    }
    int x = model_operation(m, s, e);
    node_join(&m->nodes.v[x].before, &ev->nodes);
}

static void event_event(model *m, const tc_rt_event *e) {
    if (e->op == TC_RT_EVENT_CREATE) {
        *PUSH(m->events) = (event_state){.handle = e->event, .device = e->device, .capture = NONE};
        return;
    }
    event_state *ev = &m->events.v[model_find_event(m, e)];
    if (ev->destroyed || (e->op != TC_RT_EVENT_DESTROY && ev->capture != NONE)) {
        if (!ev->destroyed)
            m->captures.v[ev->capture].spoilt = true;
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    if (e->op == TC_RT_EVENT_DESTROY)
        ev->destroyed = true;
    else if (ev->recorded)
        model_host_passes(m, &ev->nodes);
}

static void device_sync(model *m, const tc_rt_event *e) {
    if (model_captured_device(m, e->device, false)) {
        model_spoil(m, e->device);
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    node_set all = model_of_device(m, e->device);
    model_host_passes(m, &all);
}

static void device_reset(model *m, const tc_rt_event *e) {
    node_set all = model_of_device(m, e->device);
    model_host_passes(m, &all);
    for (size_t i = 0; i < m->uses.n; i++)
        if (node_has(&all, m->uses.v[i].node))
            model_take(m, m->uses.v[i].bytes, m->uses.v[i].bytes);
    for (size_t i = 0; i < m->allocations.n; i++)
        if (m->allocations.v[i].device == e->device)
            m->allocations.v[i].live = false;
    for (size_t i = 0; i < m->streams.n; i++)
        if (m->streams.v[i].device == e->device && !m->streams.v[i].legacy && m->streams.v[i].handle != TC_RT_PER_THREAD)
            m->streams.v[i].destroyed = true;
    for (size_t i = 0; i < m->events.n; i++)
        if (m->events.v[i].device == e->device)
            m->events.v[i].destroyed = true;
}

static void nothing(model *m, const tc_rt_event *e) {
    (void)m, (void)e;
}

static void host_allocates(model *m, const tc_rt_event *e) {
    allocate(m, e, e->memory);
}

void model_event(model *m, const tc_rt_event *e) {
    static void (*const does[TC_RT_OP_COUNT])(model *, const tc_rt_event *) = {
        [TC_RT_DEVICE] = nothing,
        [TC_RT_ALLOC] = host_allocates,
        [TC_RT_FREE] = host_frees,
        [TC_RT_ALLOC_ASYNC] = pool_allocates,
        [TC_RT_FREE_ASYNC] = pool_frees,
        [TC_RT_SUB_ALLOC] = part_out,
        [TC_RT_SUB_FREE] = part_back,
        [TC_RT_STREAM_CREATE] = stream_event,
        [TC_RT_STREAM_DESTROY] = stream_event,
        [TC_RT_STREAM_SYNC] = stream_event,
        [TC_RT_STREAM_QUERY] = stream_event,
        [TC_RT_STREAM_WAIT] = stream_wait,
        [TC_RT_EVENT_CREATE] = event_event,
        [TC_RT_EVENT_DESTROY] = event_event,
        [TC_RT_EVENT_RECORD] = record,
        [TC_RT_EVENT_SYNC] = event_event,
        [TC_RT_EVENT_QUERY] = event_event,
        [TC_RT_DEVICE_SYNC] = device_sync,
        [TC_RT_LAUNCH] = stream_operation,
        [TC_RT_LAUNCH_UNTRACKED] = stream_operation,
        [TC_RT_COPY] = stream_operation,
        [TC_RT_SET] = stream_operation,
        [TC_RT_HOST_FUNC] = stream_operation,
        [TC_RT_HOST_ACCESS] = host_access,
        [TC_RT_LOAN] = stream_operation,
        [TC_RT_RELEASE] = release,
        [TC_RT_DEVICE_RESET] = device_reset,
    };
    (does[e->op] ? does[e->op] : model_graph_event)(m, e);
}
