// A smaller trace with the same property.
#include <string.h>

#include "streams/trace.h"

static bool made(const trace *t, size_t before, bool (*makes)(const tc_rt_event *, const tc_rt_event *), const tc_rt_event *e) {
    for (size_t i = 0; i < before; i++)
        if (makes(&t->items[i].e, e))
            return true;
    return false;
}

static bool makes_stream(const tc_rt_event *m, const tc_rt_event *e) {
    return m->op == TC_RT_STREAM_CREATE && m->stream == e->stream;
}

static bool makes_event(const tc_rt_event *m, const tc_rt_event *e) {
    return m->op == TC_RT_EVENT_CREATE && m->event == e->event;
}

static bool makes_graph(const tc_rt_event *m, const tc_rt_event *e) {
    return (m->op == TC_RT_CAPTURE_END || m->op == TC_RT_GRAPH_CREATE) && m->graph == e->graph;
}

static bool makes_exec(const tc_rt_event *m, const tc_rt_event *e) {
    return m->op == TC_RT_GRAPH_INSTANTIATE && m->exec == e->exec;
}

static bool begins_capture(const tc_rt_event *m, const tc_rt_event *e) {
    return m->op == TC_RT_CAPTURE_BEGIN && m->stream == e->stream;
}

static bool ends_capture(const tc_rt_event *m, const tc_rt_event *e) {
    return m->op == TC_RT_CAPTURE_END && m->stream == e->stream;
}

static bool makes_memory(const tc_rt_event *m, const tc_rt_event *e) {
    return (m->op == TC_RT_ALLOC || m->op == TC_RT_ALLOC_ASYNC) && e->base >= m->base && e->base - m->base < TRACE_SLOT;
}

static bool makes_part(const tc_rt_event *m, const tc_rt_event *e) {
    return m->op == TC_RT_SUB_ALLOC && m->base == e->base;
}

static bool is_new(const tc_rt_event *e) {
    return e->op == TC_RT_ALLOC || e->op == TC_RT_ALLOC_ASYNC;
}

static bool captured_to_the_end(const trace *t, size_t begin) {
    for (size_t k = begin + 1; k < t->n; k++)
        if (ends_capture(&t->items[k].e, &t->items[begin].e))
            return true;
    return false;
}

static bool memory_is_there(const trace *t, size_t i, uint64_t address) {
    return made(t, i, makes_memory, &(tc_rt_event){.base = address}) || (t->strange_memory >> ((address - TRACE_BASE) / TRACE_SLOT) & 1);
}

static bool well_formed_at(const trace *t, size_t i) {
    const trace_item *it = &t->items[i];
    const tc_rt_event *e = &it->e;
    if (e->stream > TC_RT_PER_THREAD && e->op != TC_RT_STREAM_CREATE && !made(t, i, makes_stream, e) &&
        !(t->strange_streams >> (e->stream - TRACE_STREAM) & 1))
        return false;
    if (e->event && e->op != TC_RT_EVENT_CREATE && !made(t, i, makes_event, e))
        return false;
    if (e->graph && e->op != TC_RT_CAPTURE_END && e->op != TC_RT_GRAPH_CREATE && !made(t, i, makes_graph, e))
        return false;
    if (e->exec && e->op != TC_RT_GRAPH_INSTANTIATE && !made(t, i, makes_exec, e))
        return false;
    if (e->op == TC_RT_CAPTURE_END && !made(t, i, begins_capture, e))
        return false;
    if (e->op == TC_RT_CAPTURE_BEGIN && !captured_to_the_end(t, i))
        return false;
    if (e->op == TC_RT_SUB_FREE && !made(t, i, makes_part, e))
        return false;
    if (e->base && !is_new(e) && !memory_is_there(t, i, e->base))
        return false;
    for (size_t u = 0; u < e->nuses; u++)
        if (!memory_is_there(t, i, it->uses[u].region.base))
            return false;
    return true;
}

// No allocation where another one still is.
static bool places_free(const trace *t, size_t i) {
    if (!is_new(&t->items[i].e))
        return true;
    bool taken = false;
    for (size_t k = 0; k < i; k++) {
        const tc_rt_event *e = &t->items[k].e;
        if (e->base != t->items[i].e.base)
            continue;
        if (is_new(e))
            taken = true;
        else if (e->op == TC_RT_FREE || e->op == TC_RT_FREE_ASYNC)
            taken = false;
    }
    return !taken;
}

bool trace_well_formed(const trace *t) {
    for (size_t i = 0; i < t->n; i++)
        if (!well_formed_at(t, i) || !places_free(t, i))
            return false;
    return true;
}

static bool keeps(const trace *t, trace_property p, void *ctx) {
    return trace_well_formed(t) && p(ctx, t);
}

static bool without_events(trace *t, size_t from, size_t count, trace_property p, void *ctx) {
    static trace smaller;
    smaller = *t;
    memmove(&smaller.items[from], &smaller.items[from + count], (t->n - from - count) * sizeof t->items[0]);
    smaller.n -= count;
    if (!keeps(&smaller, p, ctx))
        return false;
    *t = smaller;
    return true;
}

static bool without_pair(trace *t, size_t i, trace_property p, void *ctx) {
    for (size_t k = i + 1; k < t->n; k++) {
        static trace smaller;
        smaller = *t;
        memmove(&smaller.items[k], &smaller.items[k + 1], (smaller.n - k - 1) * sizeof t->items[0]);
        memmove(&smaller.items[i], &smaller.items[i + 1], (smaller.n - i - 2) * sizeof t->items[0]);
        smaller.n -= 2;
        if (keeps(&smaller, p, ctx)) {
            *t = smaller;
            return true;
        }
    }
    return false;
}

static bool without_use(trace *t, size_t i, size_t u, trace_property p, void *ctx) {
    static trace smaller;
    smaller = *t;
    trace_item *it = &smaller.items[i];
    if (it->e.op != TC_RT_LAUNCH || it->e.nuses < 2)
        return false;
    memmove(&it->uses[u], &it->uses[u + 1], (it->e.nuses - u - 1) * sizeof it->uses[0]);
    it->e.nuses--;
    if (!keeps(&smaller, p, ctx))
        return false;
    *t = smaller;
    return true;
}

static bool one_pass(trace *t, trace_property p, void *ctx) {
    bool any = false;
    for (size_t count = t->n / 2; count >= 1; count /= 2)
        for (size_t i = 0; i + count <= t->n;)
            if (without_events(t, i, count, p, ctx))
                any = true;
            else
                i++;
    for (size_t i = 0; i < t->n; i++)
        any = without_pair(t, i, p, ctx) || any;
    for (size_t i = 0; i < t->n; i++)
        for (size_t u = t->items[i].e.nuses; u-- > 0;)
            any = without_use(t, i, u, p, ctx) || any;
    return any;
}

void trace_shrink(trace *t, trace_property p, void *ctx) {
    while (one_pass(t, p, ctx))
        ;
}
