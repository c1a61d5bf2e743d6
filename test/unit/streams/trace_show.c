// A random trace in the readable form.
#include <inttypes.h>
#include <string.h>

#include "streams/trace.h"

typedef struct shown {
    FILE *to;
    unsigned times[TRACE_SLOTS]; // allocated
} shown;

static unsigned slot_of(uint64_t address) {
    return (unsigned)((address - TRACE_BASE) / TRACE_SLOT);
}

// The memory that an address is in: m3, and m3_2 once it was allocated again.
static void show_memory(const shown *w, uint64_t address) {
    unsigned s = slot_of(address);
    fprintf(w->to, "m%u", s);
    if (w->times[s] > 1)
        fprintf(w->to, "_%u", w->times[s]);
}

static void show_stream(const shown *w, uint64_t handle) {
    if (handle == TC_RT_LEGACY || handle == TC_RT_PER_THREAD)
        fputs(handle == TC_RT_LEGACY ? "legacy" : "per_thread", w->to);
    else
        fprintf(w->to, "s%" PRIu64, handle - TRACE_STREAM);
}

static void show_on(const shown *w, const tc_rt_event *e) {
    if (!e->stream)
        return;
    fputs(" on ", w->to);
    show_stream(w, e->stream);
}

static void show_region(const shown *w, const tc_rt_region *r) {
    uint64_t from = (r->base - TRACE_BASE) % TRACE_SLOT;
    show_memory(w, r->base);
    fprintf(w->to, "[%" PRIu64 "..%" PRIu64 ")", from, from + r->run);
    for (unsigned d = 0; d < r->ndims; d++)
        fprintf(w->to, " %" PRIu64 " times by %" PRIu64, r->dims[d].count, r->dims[d].stride);
}

static void show_uses(const shown *w, const tc_rt_event *e) {
    static const char *const how[] = {"shared", "atomic", "mut"};
    fputs("(", w->to);
    for (size_t i = 0; i < e->nuses; i++) {
        fputs(i ? ", " : "", w->to);
        show_region(w, &e->uses[i].region);
        fprintf(w->to, " %s%s", how[e->uses[i].borrow], e->uses[i].early ? " early" : "");
    }
    fputs(")", w->to);
}

static void show_allocation(shown *w, const tc_rt_event *e) {
    static const char *const calls[TC_RT_MEM_COUNT] = {
        [TC_RT_MEM_DEVICE] = "malloc",    [TC_RT_MEM_MANAGED] = "malloc_managed", [TC_RT_MEM_PINNED] = "host",
        [TC_RT_MEM_REGISTERED] = "host",  [TC_RT_MEM_PAGEABLE] = "host",          [TC_RT_MEM_SYSTEM] = "malloc_system",
        [TC_RT_MEM_POOL] = "malloc_async", [TC_RT_MEM_IPC] = "ipc open"};
    unsigned s = slot_of(e->base);
    w->times[s]++;
    fprintf(w->to, "%s ", calls[e->memory]);
    show_memory(w, e->base);
    fprintf(w->to, " %" PRIu64 " B", e->size);
    show_on(w, e->op == TC_RT_ALLOC_ASYNC ? e : &(tc_rt_event){0});
    if (strcmp(calls[e->memory], "host") == 0)
        fprintf(w->to, " (%s)", tc_rt_memory_name(e->memory));
    if (w->times[s] > 1)
        fprintf(w->to, w->times[s] > 2 ? " (at m%u_%u)" : " (at m%u)", s, w->times[s] - 1);
}

static void show_shape(const shown *w, const tc_rt_event *e) {
    if (e->grid[0] | e->grid[1] | e->grid[2])
        fprintf(w->to, " grid %" PRIu32 ",%" PRIu32 ",%" PRIu32, e->grid[0], e->grid[1], e->grid[2]);
    if (e->block[0] | e->block[1] | e->block[2])
        fprintf(w->to, " block %" PRIu32 ",%" PRIu32 ",%" PRIu32, e->block[0], e->block[1], e->block[2]);
    if (e->nbreaches)
        fprintf(w->to, " (breaks %s)", e->breaches->text);
    for (size_t i = 0; i < e->nuses; i++)
        if (e->uses[i].group) { // all of them, in this form
            fputs(" (may alias)", w->to);
            break;
        }
    if (e->flags & TC_RT_PROGRAMMATIC)
        fputs(e->flags & TC_RT_WAITS ? " (programmatic, waits)" : " (programmatic)", w->to);
}

static void show_operation(const shown *w, const tc_rt_event *e) {
    static const char *const names[TC_RT_OP_COUNT] = {
        [TC_RT_LAUNCH] = "launch", [TC_RT_LAUNCH_UNTRACKED] = "launch", [TC_RT_HOST_FUNC] = "host_func", [TC_RT_LOAN] = "loan"};
    fprintf(w->to, "%s %s", names[e->op], e->name);
    show_uses(w, e);
    show_on(w, e);
    show_shape(w, e);
}

static void show_copy(const shown *w, const tc_rt_event *e) {
    bool sync = e->flags & TC_RT_SYNC, peer = e->flags & TC_RT_ALL_DEVICES;
    fprintf(w->to, "%s ", e->op == TC_RT_SET ? (sync ? "memset" : "memset_async") : peer ? "memcpy_peer" : sync ? "memcpy" : "memcpy_async");
    show_region(w, &e->uses[0].region);
    if (e->nuses > 1) {
        fputs(" -> ", w->to);
        show_region(w, &e->uses[1].region);
    }
    if (!sync && !peer)
        show_on(w, e);
    if (peer)
        fprintf(w->to, " (device %" PRIu32 ")", e->peer);
}

static void show_node(const shown *w, const tc_rt_event *e) {
    fprintf(w->to, "graph node g%" PRIu64 " %s", e->graph, e->name);
    show_uses(w, e);
    for (size_t i = 0; i < e->nafter; i++)
        fprintf(w->to, "%s %" PRIu32, i ? "," : " after", e->after[i]);
}

// Calls that name a stream and an event, or one of them: text with s, e, g, x where they go.
static const char *const calls[TC_RT_OP_COUNT] = {[TC_RT_STREAM_CREATE] = "stream s create",
                                                  [TC_RT_STREAM_DESTROY] = "stream s destroy",
                                                  [TC_RT_STREAM_SYNC] = "sync stream s",
                                                  [TC_RT_STREAM_QUERY] = "query stream s",
                                                  [TC_RT_STREAM_WAIT] = "stream wait s on e",
                                                  [TC_RT_EVENT_CREATE] = "event e create",
                                                  [TC_RT_EVENT_DESTROY] = "event e destroy",
                                                  [TC_RT_EVENT_RECORD] = "event record e on s",
                                                  [TC_RT_EVENT_SYNC] = "sync event e",
                                                  [TC_RT_EVENT_QUERY] = "query event e",
                                                  [TC_RT_CAPTURE_BEGIN] = "capture begin s",
                                                  [TC_RT_CAPTURE_END] = "capture end s -> g",
                                                  [TC_RT_GRAPH_CREATE] = "graph create g",
                                                  [TC_RT_GRAPH_INSTANTIATE] = "graph instantiate g -> x",
                                                  [TC_RT_GRAPH_UPDATE] = "graph update x from g",
                                                  [TC_RT_GRAPH_LAUNCH] = "graph launch x on s",
                                                  [TC_RT_GRAPH_DESTROY] = "graph destroy g",
                                                  [TC_RT_EXEC_DESTROY] = "graph destroy x"};

static void show_call(const shown *w, const tc_rt_event *e) {
    const char *c = calls[e->op];
    for (size_t i = 0; c[i]; i++) {
        bool alone = (i == 0 || c[i - 1] == ' ') && (c[i + 1] == ' ' || !c[i + 1]);
        if (alone && c[i] == 's')
            show_stream(w, e->stream);
        else if (alone && c[i] == 'e')
            fprintf(w->to, "e%" PRIu64, e->event - TRACE_EVENT);
        else if (alone && c[i] == 'g')
            fprintf(w->to, "g%" PRIu64, e->graph);
        else if (alone && c[i] == 'x')
            fprintf(w->to, "x%" PRIu64, e->exec);
        else
            fputc(c[i], w->to);
    }
    if (e->op == TC_RT_STREAM_CREATE && (e->flags & TC_RT_NON_BLOCKING))
        fputs(" (non-blocking)", w->to);
}

static void show_base(const shown *w, const char *call, const tc_rt_event *e) {
    fprintf(w->to, "%s ", call);
    show_memory(w, e->base);
    show_on(w, e);
}

static void show_part(const shown *w, const tc_rt_event *e) {
    uint64_t from = (e->base - TRACE_BASE) % TRACE_SLOT;
    if (e->op == TC_RT_SUB_FREE) {
        fprintf(w->to, "subfree p%" PRIu64, e->base - TRACE_BASE);
        return;
    }
    fprintf(w->to, "suballoc p%" PRIu64 " %" PRIu64 " B in ", e->base - TRACE_BASE, e->size);
    show_memory(w, e->base);
    fprintf(w->to, "[%" PRIu64 "..%" PRIu64 ")", from, from + e->size);
    show_on(w, e);
}

static void show_access(const shown *w, const tc_rt_event *e) {
    fputs(e->uses[0].borrow == TC_RT_SHARED ? "host read " : "host write ", w->to);
    show_region(w, &e->uses[0].region);
}

static void show_event(shown *w, const tc_rt_event *e) {
    switch (e->op) {
    case TC_RT_ALLOC:
    case TC_RT_ALLOC_ASYNC:
        show_allocation(w, e);
        break;
    case TC_RT_FREE:
        show_base(w, "free", e);
        break;
    case TC_RT_FREE_ASYNC:
        show_base(w, "free_async", e);
        break;
    case TC_RT_RELEASE:
        show_base(w, "release", e);
        break;
    case TC_RT_SUB_ALLOC:
    case TC_RT_SUB_FREE:
        show_part(w, e);
        break;
    case TC_RT_DEVICE_SYNC:
        fputs("sync device", w->to);
        break;
    case TC_RT_COPY:
    case TC_RT_SET:
        show_copy(w, e);
        break;
    case TC_RT_HOST_ACCESS:
        show_access(w, e);
        break;
    case TC_RT_GRAPH_NODE:
        show_node(w, e);
        break;
    default:
        calls[e->op] ? show_call(w, e) : show_operation(w, e);
    }
    if (e->device)
        fprintf(w->to, " (device %" PRIu32 ")", e->device);
    if (e->thread)
        fprintf(w->to, " (thread %" PRIu32 ")", e->thread);
}

void trace_show(const trace *t, FILE *to) {
    shown w = {.to = to};
    if (t->settings.pageable_async || t->settings.free_is_async)
        fprintf(to, "# with%s%s\n", t->settings.pageable_async ? " --pageable-async" : "",
                t->settings.free_is_async ? " --free-is-async" : "");
    for (unsigned i = 0; i < 32; i++) {
        if (t->strange_streams >> i & 1)
            fprintf(to, "# s%u was made before\n", i);
        if (t->strange_memory >> i & 1)
            fprintf(to, "# m%u was allocated before\n", i);
    }
    for (size_t i = 0; i < t->n; i++) {
        tc_rt_event e = trace_event(t, i);
        fprintf(to, "%zu. ", i + 1);
        show_event(&w, &e);
        fputc('\n', to);
    }
}
