// What comes after what: nodes, streams, events, the host.
#include <stdlib.h>
#include <string.h>

#include "streams/modeli.h"

void *model_room(void *v, size_t n, size_t *cap, size_t size) {
    if (n < *cap)
        return v;
    *cap = *cap ? *cap * 2 : 16;
    v = realloc(v, *cap * size);
    if (!v)
        abort();
    return v;
}

bool node_has(const node_set *s, int node) {
    return s->w[node / 64] >> (node % 64) & 1;
}

void node_add(node_set *s, int node) {
    s->w[node / 64] |= UINT64_C(1) << (node % 64);
}

void node_join(node_set *s, const node_set *other) {
    for (size_t i = 0; i < MODEL_MAX_NODES / 64; i++)
        s->w[i] |= other->w[i];
}

node_set model_reach(const model *m, const node_set *from) {
    node_set reached = *from;
    int todo[MODEL_MAX_NODES], n = 0;
    for (int i = 0; i < (int)m->nodes.n; i++)
        if (node_has(from, i))
            todo[n++] = i;
    while (n) {
        const node_set *next = &m->nodes.v[todo[--n]].before;
        for (size_t w = 0; w < MODEL_MAX_NODES / 64; w++)
            for (uint64_t left = next->w[w] & ~reached.w[w]; left; left &= left - 1) {
                int i = (int)w * 64 + __builtin_ctzll(left);
                node_add(&reached, i);
                todo[n++] = i;
            }
    }
    return reached;
}

static int new_node(model *m) {
    if (m->nodes.n == MODEL_MAX_NODES)
        abort();
    node *n = PUSH(m->nodes);
    *n = (node){.stream = NONE, .capture = NONE};
    return (int)m->nodes.n - 1;
}

static bool stream_is(const stream *s, uint64_t handle, const tc_rt_event *e) {
    if (s->handle != handle)
        return false;
    if (handle == TC_RT_LEGACY)
        return s->device == e->device;
    return handle != TC_RT_PER_THREAD || (s->device == e->device && s->thread == e->thread);
}

int model_stream(model *m, const tc_rt_event *e) {
    uint64_t handle = e->stream ? e->stream : TC_RT_LEGACY;
    for (size_t i = m->streams.n; i-- > 0;)
        if (stream_is(&m->streams.v[i], handle, e))
            return (int)i;
    *PUSH(m->streams) = (stream){.handle = handle,
                                 .device = e->device,
                                 .thread = e->thread,
                                 .legacy = handle == TC_RT_LEGACY,
                                 .guessed = handle > TC_RT_PER_THREAD,
                                 .capture = NONE,
                                 .running.kernel = NONE,
                                 .captured.kernel = NONE};
    return (int)m->streams.n - 1;
}

int model_find_event(model *m, const tc_rt_event *e) {
    for (size_t i = m->events.n; i-- > 0;)
        if (m->events.v[i].handle == e->event)
            return (int)i;
    *PUSH(m->events) = (event_state){.handle = e->event, .device = e->device, .capture = NONE};
    return (int)m->events.n - 1;
}

// Does the order of the legacy stream, or of a copy with all work of two devices, put y before an operation x?
static bool comes_before(const model *m, const node *y, const node *x) {
    if (y->stream == NONE || y->capture != NONE)
        return false;
    const stream *sx = &m->streams.v[x->stream], *sy = &m->streams.v[y->stream];
    if ((y->everywhere || x->everywhere) && (x->devices & y->devices))
        return true;
    if (sx == sy || sx->device != sy->device)
        return false;
    return (sx->legacy && !sy->non_blocking) || (sy->legacy && !sx->non_blocking);
}

static node_set edges(const model *m, const node *x, const position *at, bool early) {
    node_set before = early ? m->nodes.v[at->kernel].start : at->tail;
    if (x->capture != NONE)
        return before;
    node_add(&before, m->host);
    for (int y = 0; y < (int)m->nodes.n; y++)
        if (&m->nodes.v[y] != x && comes_before(m, &m->nodes.v[y], x))
            node_add(&before, y);
    return before;
}

node_set model_next_comes_after(const model *m, int s) {
    const stream *st = &m->streams.v[s];
    node next = {.stream = s, .capture = NONE, .devices = 1u << st->device};
    node_set before = edges(m, &next, &st->running, false);
    return model_reach(m, &before);
}

int model_operation(model *m, int s, const tc_rt_event *e) {
    int x = new_node(m);
    stream *st = &m->streams.v[s];
    node *n = &m->nodes.v[x];
    position *at = st->capture == NONE ? &st->running : &st->captured;
    bool early = (e->flags & TC_RT_PROGRAMMATIC) && at->kernel != NONE;
    *n = (node){.line = e->line, .op = e->op, .stream = s, .capture = st->capture, .devices = 1u << st->device};
    if (e->op == TC_RT_COPY && (e->flags & TC_RT_ALL_DEVICES)) {
        n->everywhere = true;
        n->devices |= 1u << e->device | 1u << e->peer;
    }
    n->before = n->start = edges(m, n, at, early);
    if (early && (e->flags & TC_RT_WAITS))
        node_add(&n->before, at->kernel);
    if (!early)
        at->tail = (node_set){0};
    node_add(&at->tail, x);
    at->kernel = e->op == TC_RT_LAUNCH || e->op == TC_RT_LAUNCH_UNTRACKED ? x : NONE;
    return x;
}

node_set model_of_device(const model *m, uint32_t device) {
    node_set all = {0};
    for (int i = 0; i < (int)m->nodes.n; i++) {
        const node *n = &m->nodes.v[i];
        if (n->stream != NONE && n->capture == NONE && (n->devices >> device & 1))
            node_add(&all, i);
    }
    return all;
}

void model_host_passes(model *m, const node_set *s) {
    int x = new_node(m);
    m->nodes.v[x].before = *s;
    if (m->host != NONE)
        node_add(&m->nodes.v[x].before, m->host);
    m->host = x;
}

node_set model_passed(const model *m) {
    node_set now = {0};
    node_add(&now, m->host);
    return model_reach(m, &now);
}
