// Random traces: a program that mostly keeps order (how much, differs from trace to trace), over few streams and little memory.
#include <stdio.h>
#include <string.h>

#include "streams/trace.h"

enum { STREAMS = 8, EVENTS = 4, BUFFERS = TRACE_SLOTS, PARTS = 4, EXECS = 3 };

typedef struct g_stream {
    uint64_t handle;
    uint32_t device, thread;
    bool live, non_blocking, captured;
} g_stream;

typedef struct g_buffer {
    uint64_t base, size;
    tc_rt_memory memory;
    uint32_t device;
    bool live;
    bool strange; // allocated before the trace begins: allocators have no parts there
    unsigned readers, writers;           // streams, by bit, that the host has not waited for
    unsigned node_readers, node_writers; // of the capture
} g_buffer;

typedef struct g_exec {
    uint64_t graph, exec;
    bool graph_live, exec_live;
    unsigned nodes;
    unsigned reads, writes; // buffers
} g_exec;

typedef struct gen {
    trace *t;
    trace_random r;
    g_stream streams[STREAMS];
    unsigned nstreams;
    bool events[EVENTS];
    g_buffer buffers[BUFFERS];
    g_buffer parts[PARTS];
    g_exec execs[EXECS];
    bool capturing;
    unsigned cap_reads, cap_writes;
    uint64_t handles;
    unsigned names;
    unsigned care;   // of 100 places where order is needed, how many have it
    unsigned wild;   // of 100, calls that break a rule
    unsigned events_wanted;
    bool pool, graphs, with_parts, two_devices, programmatic;
} gen;

unsigned trace_below(trace_random *r, unsigned n) {
    r->s ^= r->s << 13;
    r->s ^= r->s >> 7;
    r->s ^= r->s << 17;
    return (unsigned)((r->s >> 20) % n);
}

static unsigned below(gen *g, unsigned n) {
    return trace_below(&g->r, n);
}

static bool chance(gen *g, unsigned percent) {
    return below(g, 100) < percent;
}

static bool full(const gen *g) {
    return g->t->n + 1 >= TRACE_MAX;
}

static trace_item *emit(gen *g, tc_rt_op op) {
    trace_item *i = &g->t->items[g->t->n < TRACE_MAX ? g->t->n++ : TRACE_MAX - 1];
    memset(i, 0, sizeof *i);
    i->e.op = op;
    i->named = ++g->names;
    return i;
}

static trace_item *emit_on(gen *g, tc_rt_op op, unsigned s) {
    trace_item *i = emit(g, op);
    i->e.stream = g->streams[s].handle;
    i->e.device = g->streams[s].device;
    i->e.thread = g->streams[s].thread;
    return i;
}

// ---- regions ----

// Ends in the gap behind the buffer.
static tc_rt_region too_long(gen *g, const g_buffer *b) {
    if (chance(g, 50))
        return tc_rt_region_dense(b->base + 4, b->size);
    tc_rt_region rows = tc_rt_region_dense(b->base, 4);
    tc_rt_region_add(&rows, b->size / 8 + 1, 8);
    return rows;
}

static tc_rt_region some_region(gen *g, const g_buffer *b, bool may_end_beyond) {
    unsigned size = (unsigned)b->size;
    if (chance(g, 35))
        return tc_rt_region_dense(b->base, b->size);
    unsigned from = below(g, size);
    if (may_end_beyond && chance(g, 2))
        return too_long(g, b);
    if (chance(g, 50))
        return tc_rt_region_dense(b->base + from, 1 + below(g, size - from));
    tc_rt_region r = tc_rt_region_dense(b->base + from % 8, 1 + below(g, 4));
    unsigned left = size - (from % 8 < size ? from % 8 : 0);
    unsigned dims = 1 + below(g, 2);
    for (unsigned d = 0; d < dims; d++) {
        unsigned stride = 1 + below(g, 16), count = 1 + below(g, 6);
        if (tc_rt_region_end(&r) - r.base + (count - 1) * stride <= left)
            tc_rt_region_add(&r, count, stride);
    }
    return tc_rt_region_end(&r) <= b->base + b->size ? r : tc_rt_region_dense(b->base, b->size);
}

// ---- order ----

static unsigned some_event(gen *g) {
    unsigned v = below(g, EVENTS);
    if (!g->events[v]) {
        emit(g, TC_RT_EVENT_CREATE)->e.event = TRACE_EVENT + v;
        g->events[v] = true;
    }
    return v;
}

static void host_waited(gen *g, unsigned streams) {
    for (unsigned b = 0; b < BUFFERS; b++) {
        g->buffers[b].readers &= ~streams;
        g->buffers[b].writers &= ~streams;
    }
    for (unsigned p = 0; p < PARTS; p++) {
        g->parts[p].readers &= ~streams;
        g->parts[p].writers &= ~streams;
    }
}

static void sync_stream(gen *g, unsigned s) {
    if (g->streams[s].captured && !chance(g, g->wild))
        return;
    emit_on(g, chance(g, 80) ? TC_RT_STREAM_SYNC : TC_RT_STREAM_QUERY, s);
    host_waited(g, 1u << s);
}

static void wait_for(gen *g, unsigned waiting, unsigned of) {
    unsigned v = some_event(g);
    emit_on(g, TC_RT_EVENT_RECORD, of)->e.event = TRACE_EVENT + v;
    if (chance(g, 3) && !g->capturing) // by another record
        emit_on(g, TC_RT_EVENT_RECORD, waiting)->e.event = TRACE_EVENT + v;
    emit_on(g, TC_RT_STREAM_WAIT, waiting)->e.event = TRACE_EVENT + v;
}

static void order_after(gen *g, unsigned s, unsigned others) {
    for (unsigned o = 0; o < g->nstreams && !full(g); o++) {
        if (!(others >> o & 1) || o == s || !g->streams[o].live || !chance(g, g->care))
            continue;
        if (g->streams[o].captured != g->streams[s].captured || chance(g, 15))
            sync_stream(g, o);
        else
            wait_for(g, s, o);
    }
}

static void before_use(gen *g, g_buffer *b, unsigned s, bool writes) {
    bool nodes = g->streams[s].captured;
    unsigned writers = nodes ? b->node_writers : b->writers, readers = nodes ? b->node_readers : b->readers;
    order_after(g, s, writes ? writers | readers : writers);
    unsigned *set = writes ? (nodes ? &b->node_writers : &b->writers) : (nodes ? &b->node_readers : &b->readers);
    *set |= 1u << s;
}

static void host_after(gen *g, unsigned streams) {
    for (unsigned s = 0; s < g->nstreams && !full(g); s++)
        if ((streams >> s & 1) && g->streams[s].live && chance(g, g->care))
            sync_stream(g, s);
}

// ---- what is picked ----

// STREAMS: none.
static unsigned some_stream(gen *g, bool captured) {
    bool blocked = g->capturing && !chance(g, g->wild);
    for (unsigned tries = 0; tries < 12; tries++) {
        unsigned s = below(g, g->nstreams);
        const g_stream *st = &g->streams[s];
        if ((st->live || chance(g, g->wild)) && st->captured == captured && !(blocked && st->handle == TC_RT_LEGACY))
            return s;
    }
    return STREAMS;
}

static bool on_host(tc_rt_memory m) {
    return m == TC_RT_MEM_PINNED || m == TC_RT_MEM_REGISTERED || m == TC_RT_MEM_PAGEABLE;
}

static bool has_parts(const gen *g, const g_buffer *b) {
    if (b < g->buffers || b >= g->buffers + BUFFERS)
        return false;
    for (unsigned p = 0; p < PARTS; p++)
        if (g->parts[p].live && g->parts[p].base >= b->base && g->parts[p].base < b->base + b->size)
            return true;
    return false;
}

static g_buffer *some_buffer(gen *g) {
    for (unsigned tries = 0; tries < 40; tries++) {
        g_buffer *b = g->with_parts && chance(g, 40) ? &g->parts[below(g, PARTS)] : &g->buffers[below(g, BUFFERS)];
        if ((b->live && !has_parts(g, b)) || (b->size && chance(g, g->wild)))
            return b;
    }
    return NULL;
}

static void add_use(gen *g, trace_item *i, const g_buffer *b, tc_rt_borrow borrow, const char *name) {
    i->uses[i->e.nuses++] = (tc_rt_use){
        .region = some_region(g, b, i->e.op == TC_RT_LAUNCH), .borrow = borrow, .name = name, .host = on_host(b->memory)};
}

static void note_node(gen *g, const g_buffer *b, unsigned s, bool writes) {
    if (!g->streams[s].captured || b < g->buffers || b >= g->buffers + BUFFERS)
        return;
    unsigned bit = 1u << (unsigned)(b - g->buffers);
    *(writes ? &g->cap_writes : &g->cap_reads) |= bit;
}

// ---- operations ----

static void launch_shape(gen *g, trace_item *i) {
    if (!chance(g, 6 + g->wild))
        return;
    uint32_t grid[3] = {1 + below(g, 8), 1, 1}, block[3] = {1u << below(g, 11), 1, 1};
    if (chance(g, g->wild))
        grid[below(g, 3)] = chance(g, 50) ? 0 : 70000;
    if (chance(g, g->wild))
        block[1] = 3;
    memcpy(i->e.grid, grid, sizeof grid);
    memcpy(i->e.block, block, sizeof block);
    if (chance(g, g->wild)) {
        i->breach.text = "n % 4 == 0";
        i->e.nbreaches = 1;
    }
}

static void programmatic(gen *g, trace_item *it, unsigned nuses) {
    it->e.flags |= TC_RT_PROGRAMMATIC;
    if (chance(g, 40))
        return;
    it->e.flags |= TC_RT_WAITS;
    for (unsigned i = 0; i < nuses; i++)
        it->uses[i].early = chance(g, 30);
}

static bool launch_again(gen *g, bool captured);

static void launch(gen *g, bool captured) {
    if (chance(g, 30) && launch_again(g, captured))
        return;
    static const char *const names[] = {"a", "b", "c"};
    unsigned s = some_stream(g, captured), n = 1 + below(g, TRACE_USES);
    if (s == STREAMS)
        return;
    g_buffer *with[TRACE_USES];
    tc_rt_borrow how[TRACE_USES];
    unsigned k = 0;
    for (unsigned i = 0; i < n; i++) {
        g_buffer *b = some_buffer(g);
        tc_rt_borrow w = chance(g, 45) ? TC_RT_SHARED : chance(g, 20) ? TC_RT_ATOMIC : TC_RT_EXCLUSIVE;
        bool again = false;
        for (unsigned j = 0; j < k; j++)
            again = again || with[j] == b;
        if (!b || (again && !chance(g, 3)))
            continue;
        before_use(g, b, s, w != TC_RT_SHARED);
        with[k] = b;
        how[k++] = w;
    }
    if (full(g))
        return;
    trace_item *it = emit_on(g, k ? TC_RT_LAUNCH : TC_RT_LAUNCH_UNTRACKED, s);
    for (unsigned i = 0; i < k; i++) {
        add_use(g, it, with[i], how[i], names[i]);
        note_node(g, with[i], s, how[i] != TC_RT_SHARED);
    }
    if (g->programmatic && chance(g, 40))
        programmatic(g, it, k);
    bool overlap = chance(g, 4); // as the contract allows
    for (unsigned i = 0; i < k; i++)
        it->uses[i].group = overlap;
    launch_shape(g, it);
}

// A launch that was given before, most often to the same stream: what programs do all the time.
static bool launch_again(gen *g, bool captured) {
    unsigned from = below(g, (unsigned)g->t->n + 1), s = some_stream(g, captured);
    if (from >= g->t->n || g->t->items[from].e.op != TC_RT_LAUNCH || s == STREAMS || full(g))
        return false;
    trace_item old = g->t->items[from];
    trace_item *it = emit_on(g, TC_RT_LAUNCH, s);
    tc_rt_event placed = it->e;
    *it = old;
    if (chance(g, 30) || captured) {
        it->e.stream = placed.stream;
        it->e.device = placed.device;
        it->e.thread = placed.thread;
    }
    return true;
}

static void copy(gen *g, bool captured) {
    unsigned s = some_stream(g, captured);
    g_buffer *from = some_buffer(g), *to = some_buffer(g);
    if (s == STREAMS || !from || !to || (from == to && !chance(g, 4)))
        return;
    bool peer = g->two_devices && !captured && !g->capturing && chance(g, 25), sync = !peer && !captured && !g->capturing && chance(g, 25);
    if (peer || sync)
        s = 0; // the legacy stream
    before_use(g, from, s, false);
    before_use(g, to, s, true);
    if (full(g))
        return;
    trace_item *i = emit_on(g, TC_RT_COPY, s);
    i->e.flags = sync ? TC_RT_SYNC : peer ? TC_RT_ALL_DEVICES : 0;
    i->e.peer = peer;
    add_use(g, i, from, TC_RT_SHARED, "source");
    add_use(g, i, to, TC_RT_EXCLUSIVE, "destination");
    note_node(g, from, s, false);
    note_node(g, to, s, true);
}

static void one_use(gen *g, tc_rt_op op, bool captured) {
    unsigned s = some_stream(g, captured);
    g_buffer *b = some_buffer(g);
    if (s == STREAMS || !b)
        return;
    bool writes = op == TC_RT_SET || chance(g, 50), sync = op == TC_RT_SET && !captured && !g->capturing && chance(g, 30);
    s = sync ? 0 : s;
    before_use(g, b, s, writes);
    if (full(g))
        return;
    trace_item *i = emit_on(g, op, s);
    i->e.flags = sync ? TC_RT_SYNC : 0;
    add_use(g, i, b, writes ? TC_RT_EXCLUSIVE : TC_RT_SHARED, op == TC_RT_SET ? "destination" : "x");
    note_node(g, b, s, writes);
}

static void host_access(gen *g) {
    g_buffer *b = some_buffer(g);
    if (!b)
        return;
    bool writes = chance(g, 50);
    host_after(g, writes ? b->readers | b->writers : b->writers);
    if (!full(g))
        add_use(g, emit(g, TC_RT_HOST_ACCESS), b, writes ? TC_RT_EXCLUSIVE : TC_RT_SHARED, NULL);
}

static void loan(gen *g) {
    unsigned s = some_stream(g, false);
    g_buffer *b = some_buffer(g);
    if (s == STREAMS || !b)
        return;
    before_use(g, b, s, true);
    if (full(g))
        return;
    trace_item *i = emit_on(g, TC_RT_LOAN, s);
    i->uses[i->e.nuses++] = (tc_rt_use){.region = tc_rt_region_dense(b->base, b->size), .borrow = TC_RT_EXCLUSIVE};
    if (chance(g, 60))
        emit_on(g, TC_RT_RELEASE, s)->e.base = b->base;
}

// ---- memory ----

static void forget_users(g_buffer *b) {
    b->readers = b->writers = b->node_readers = b->node_writers = 0;
}

static void allocate(gen *g) {
    static const tc_rt_memory kinds[] = {TC_RT_MEM_DEVICE, TC_RT_MEM_DEVICE,     TC_RT_MEM_SYSTEM,   TC_RT_MEM_MANAGED, TC_RT_MEM_PINNED,
                                         TC_RT_MEM_PINNED, TC_RT_MEM_REGISTERED, TC_RT_MEM_PAGEABLE, TC_RT_MEM_IPC};
    unsigned slot = below(g, BUFFERS);
    g_buffer *b = &g->buffers[slot];
    if (b->live)
        return;
    if (!b->size && chance(g, 3)) { // allocated before
        *b = (g_buffer){.base = TRACE_BASE + slot * TRACE_SLOT, .size = 32, .live = true, .strange = true};
        b->memory = chance(g, 50) ? TC_RT_MEM_DEVICE : TC_RT_MEM_PAGEABLE;
        g->t->strange_memory |= 1u << slot;
        return;
    }
    unsigned s = g->pool && chance(g, 70) ? some_stream(g, false) : STREAMS;
    trace_item *i = s != STREAMS ? emit_on(g, TC_RT_ALLOC_ASYNC, s) : emit(g, TC_RT_ALLOC);
    i->e.memory = s != STREAMS ? TC_RT_MEM_POOL : kinds[below(g, sizeof kinds / sizeof kinds[0])];
    if (s == STREAMS)
        i->e.device = g->two_devices && chance(g, 30);
    i->e.base = TRACE_BASE + slot * TRACE_SLOT;
    i->e.size = 16u << below(g, 3);
    i->e.size = i->e.size < b->size ? b->size : i->e.size; // all of what was there before
    *b = (g_buffer){.base = i->e.base, .size = i->e.size, .memory = i->e.memory, .device = i->e.device, .live = true};
    if (s != STREAMS)
        b->writers = 1u << s;
}

static void graphs_forget(gen *g, const g_buffer *b) {
    for (unsigned x = 0; x < EXECS; x++) {
        g_exec *e = &g->execs[x];
        if (!((e->reads | e->writes) >> (unsigned)(b - g->buffers) & 1) || !chance(g, g->care))
            continue;
        if (e->graph_live)
            emit(g, TC_RT_GRAPH_DESTROY)->e.graph = e->graph;
        if (e->exec_live)
            emit(g, TC_RT_EXEC_DESTROY)->e.exec = e->exec;
        e->graph_live = e->exec_live = false;
    }
}

static void give_up(gen *g) {
    g_buffer *b = &g->buffers[below(g, BUFFERS)];
    if ((!b->live && !(b->size && chance(g, g->wild))) || (has_parts(g, b) && !chance(g, g->wild)))
        return;
    graphs_forget(g, b);
    unsigned s = b->memory == TC_RT_MEM_POOL || (b->memory == TC_RT_MEM_DEVICE && chance(g, 10)) ? some_stream(g, false) : STREAMS;
    if (s != STREAMS && chance(g, 80)) {
        before_use(g, b, s, true);
        if (full(g))
            return;
        emit_on(g, TC_RT_FREE_ASYNC, s)->e.base = b->base;
    } else {
        if (b->memory != TC_RT_MEM_DEVICE)
            host_after(g, b->readers | b->writers);
        if (full(g))
            return;
        emit(g, TC_RT_FREE)->e.base = b->base;
    }
    b->live = false;
    forget_users(b);
    for (unsigned p = 0; p < PARTS; p++)
        if (g->parts[p].base >= b->base && g->parts[p].base < b->base + b->size)
            g->parts[p].live = false;
}

static void part(gen *g) {
    g_buffer *p = &g->parts[below(g, PARTS)], *b = &g->buffers[below(g, BUFFERS)];
    if (p->live) {
        emit(g, TC_RT_SUB_FREE)->e.base = p->base;
        p->live = false;
        return;
    }
    unsigned s = some_stream(g, false);
    if (!b->live || b->strange || b->size < 32 || s == STREAMS)
        return;
    uint64_t base = b->base + 8 * below(g, 3), size = 8;
    for (unsigned k = 0; k < PARTS; k++)
        if (g->parts[k].live && g->parts[k].base < base + size && base < g->parts[k].base + g->parts[k].size)
            return;
    unsigned users = b->readers | b->writers;
    for (unsigned k = 0; k < PARTS; k++)
        if (g->parts[k].base == base)
            users |= g->parts[k].readers | g->parts[k].writers;
    bool host = chance(g, 15);
    host ? host_after(g, users) : order_after(g, s, users);
    if (full(g))
        return;
    trace_item *i = host ? emit(g, TC_RT_SUB_ALLOC) : emit_on(g, TC_RT_SUB_ALLOC, s);
    i->e.base = base;
    i->e.size = size;
    *p = (g_buffer){.base = base, .size = size, .memory = b->memory, .live = true};
}

// ---- streams and events ----

static void new_stream(gen *g) {
    if (g->nstreams == STREAMS)
        return;
    unsigned s = g->nstreams++;
    g->streams[s] = (g_stream){
        .handle = TRACE_STREAM + s, .device = g->two_devices && chance(g, 40), .live = true, .non_blocking = chance(g, 60)};
    if (chance(g, 3)) { // made before
        g->t->strange_streams |= 1u << s;
        return;
    }
    emit_on(g, TC_RT_STREAM_CREATE, s)->e.flags = g->streams[s].non_blocking ? TC_RT_NON_BLOCKING : 0;
}

static void end_stream(gen *g) {
    unsigned s = below(g, g->nstreams);
    if (g->streams[s].handle < TRACE_STREAM || !g->streams[s].live || g->streams[s].captured)
        return;
    emit_on(g, TC_RT_STREAM_DESTROY, s);
    g->streams[s].live = false;
    if (!chance(g, 40))
        return;
    g->streams[s].live = true; // the handle comes back
    g->streams[s].non_blocking = chance(g, 50);
    emit_on(g, TC_RT_STREAM_CREATE, s)->e.flags = g->streams[s].non_blocking ? TC_RT_NON_BLOCKING : 0;
}

static void event_call(gen *g) {
    static const tc_rt_op calls[] = {TC_RT_EVENT_RECORD, TC_RT_STREAM_WAIT, TC_RT_EVENT_SYNC, TC_RT_EVENT_QUERY, TC_RT_EVENT_RECORD};
    unsigned v = some_event(g), s = some_stream(g, false);
    if (chance(g, g->wild + 5)) {
        emit(g, TC_RT_EVENT_DESTROY)->e.event = TRACE_EVENT + v;
        g->events[v] = chance(g, g->wild * 5); // used on
        return;
    }
    if (s == STREAMS)
        return;
    emit_on(g, calls[below(g, 5)], s)->e.event = TRACE_EVENT + v;
}

static void sync_device(gen *g) {
    if (g->capturing && !chance(g, g->wild))
        return;
    uint32_t device = g->two_devices && chance(g, 40);
    emit(g, TC_RT_DEVICE_SYNC)->e.device = device;
    for (unsigned s = 0; s < g->nstreams; s++)
        if (g->streams[s].device == device)
            host_waited(g, 1u << s);
}

// ---- graphs ----

static void node(gen *g) {
    switch (below(g, 6)) {
    case 0:
        copy(g, true);
        break;
    case 1:
        one_use(g, chance(g, 50) ? TC_RT_SET : TC_RT_HOST_FUNC, true);
        break;
    default:
        launch(g, true);
    }
}

static void capture_begin(gen *g, unsigned origin) {
    emit_on(g, TC_RT_CAPTURE_BEGIN, origin);
    g->streams[origin].captured = g->capturing = true;
    g->cap_reads = g->cap_writes = 0;
    for (unsigned b = 0; b < BUFFERS; b++)
        g->buffers[b].node_readers = g->buffers[b].node_writers = 0;
}

static void step(gen *g);

static void capture(gen *g, g_exec *x) {
    unsigned origin = some_stream(g, false);
    if (origin == STREAMS || g->streams[origin].handle == TC_RT_LEGACY || !g->streams[origin].live)
        return;
    capture_begin(g, origin);
    for (unsigned n = 1 + below(g, 5); n && !full(g); n--) {
        unsigned s = below(g, g->nstreams);
        if (chance(g, 30) && g->streams[s].live && !g->streams[s].captured && g->streams[s].handle != TC_RT_LEGACY) {
            wait_for(g, s, origin);
            g->streams[s].captured = true;
        } else if (chance(g, 8))
            step(g);
        else
            node(g);
    }
    for (unsigned s = 0; s < g->nstreams; s++)
        if (s != origin && g->streams[s].captured && chance(g, 97))
            wait_for(g, origin, s);
    x->graph = ++g->handles + 0x1000;
    emit_on(g, TC_RT_CAPTURE_END, origin)->e.graph = x->graph;
    for (unsigned s = 0; s < g->nstreams; s++)
        g->streams[s].captured = false;
    g->capturing = false;
    x->graph_live = true;
    x->nodes = 0;
    x->reads = g->cap_reads;
    x->writes = g->cap_writes;
}

static void explicit_graph(gen *g, g_exec *x) {
    *x = (g_exec){.graph = ++g->handles + 0x1000, .graph_live = true};
    emit(g, TC_RT_GRAPH_CREATE)->e.graph = x->graph;
    for (unsigned n = 1 + below(g, 4); n && !full(g); n--) {
        g_buffer *b = &g->buffers[below(g, BUFFERS)];
        if (!b->live)
            continue;
        trace_item *i = emit(g, TC_RT_GRAPH_NODE);
        i->e.graph = x->graph;
        add_use(g, i, b, chance(g, 50) ? TC_RT_SHARED : TC_RT_EXCLUSIVE, "a");
        *(i->uses[0].borrow == TC_RT_SHARED ? &x->reads : &x->writes) |= 1u << (unsigned)(b - g->buffers);
        if (x->nodes && chance(g, 80))
            i->after[i->e.nafter++] = x->nodes - 1;
        if (x->nodes > 1 && chance(g, 30))
            i->after[i->e.nafter++] = below(g, x->nodes);
        x->nodes++;
    }
}

static void graph_update(gen *g, g_exec *x) {
    const g_exec *from = &g->execs[below(g, EXECS)];
    if (!from->graph_live || full(g))
        return;
    trace_item *i = emit(g, TC_RT_GRAPH_UPDATE);
    i->e.exec = x->exec;
    i->e.graph = from->graph;
    x->reads = from->reads;
    x->writes = from->writes;
}

static void graph_launch(gen *g, g_exec *x) {
    unsigned s = some_stream(g, false);
    if (s == STREAMS)
        return;
    for (unsigned b = 0; b < BUFFERS; b++) {
        if (x->reads >> b & 1)
            before_use(g, &g->buffers[b], s, false);
        if (x->writes >> b & 1)
            before_use(g, &g->buffers[b], s, true);
    }
    for (unsigned n = chance(g, 40) ? 2 + below(g, 3) : 1; n && !full(g); n--) { // what nothing came between is not looked at again
        emit_on(g, TC_RT_GRAPH_LAUNCH, s)->e.exec = x->exec;
        if (chance(g, 10))
            graph_update(g, x);
        else if (chance(g, 30))
            chance(g, 60) ? launch(g, false) : chance(g, 50) ? copy(g, false) : host_access(g);
    }
}

static void graph_call(gen *g) {
    g_exec *x = &g->execs[below(g, EXECS)];
    if (x->exec_live && chance(g, 60)) {
        graph_launch(g, x);
    } else if (x->exec_live && chance(g, 25)) {
        graph_update(g, x);
    } else if (x->exec_live && chance(g, 40)) {
        emit(g, TC_RT_EXEC_DESTROY)->e.exec = x->exec;
        x->exec_live = chance(g, g->wild * 5);
    } else if (x->graph_live && x->exec_live) {
        emit(g, TC_RT_GRAPH_DESTROY)->e.graph = x->graph;
        x->graph_live = chance(g, g->wild * 5);
    } else if (x->graph_live) {
        trace_item *i = emit(g, TC_RT_GRAPH_INSTANTIATE);
        i->e.graph = x->graph;
        i->e.exec = x->exec = ++g->handles + 0x1000;
        x->exec_live = true;
    } else if (!x->exec_live && !g->capturing) {
        chance(g, 30) ? explicit_graph(g, x) : capture(g, x);
    }
}

// ---- a trace ----

static void step(gen *g) {
    unsigned k = below(g, g->graphs ? 120 : g->with_parts ? 92 : 82);
    if (k < 30)
        launch(g, g->capturing && chance(g, 30));
    else if (k < 42)
        copy(g, false);
    else if (k < 48)
        one_use(g, chance(g, 70) ? TC_RT_SET : TC_RT_HOST_FUNC, false);
    else if (k < 56)
        host_access(g);
    else if (k < 64)
        allocate(g);
    else if (k < 70)
        give_up(g);
    else if (k < 74)
        event_call(g);
    else if (k < 77)
        sync_device(g);
    else if (k < 80)
        end_stream(g);
    else if (k < 82)
        loan(g);
    else if (k < 92)
        g->with_parts ? part(g) : launch(g, false);
    else
        graph_call(g);
}

void trace_generate(trace *t, uint64_t seed) {
    gen g = {.t = t, .r.s = seed * 0x9e3779b97f4a7c15u + 0x1234567};
    for (int i = 0; i < 8; i++)
        below(&g, 2);
    memset(&t->settings, 0, sizeof t->settings);
    t->n = t->strange_memory = t->strange_streams = 0;
    static const unsigned cares[] = {100, 97, 90, 80, 60, 30};
    g.care = cares[below(&g, 6)];
    g.wild = chance(&g, 30) ? 3 : 0;
    g.pool = chance(&g, 35);
    g.graphs = chance(&g, 50);
    g.with_parts = chance(&g, 25);
    g.two_devices = chance(&g, 30);
    g.programmatic = chance(&g, 15);
    t->settings.pageable_async = chance(&g, 20);
    t->settings.free_is_async = chance(&g, 15);
    t->settings.every = true;
    t->lasting = chance(&g, 50);
    g.streams[g.nstreams++] = (g_stream){.handle = TC_RT_LEGACY, .live = true};
    if (chance(&g, 30))
        g.streams[g.nstreams++] = (g_stream){.handle = TC_RT_PER_THREAD, .live = true};
    if (chance(&g, 15))
        g.streams[g.nstreams++] = (g_stream){.handle = TC_RT_PER_THREAD, .thread = 1, .live = true};
    if (g.two_devices && chance(&g, 50))
        g.streams[g.nstreams++] = (g_stream){.handle = TC_RT_LEGACY, .device = 1, .live = true};
    for (unsigned n = 1 + below(&g, 3); n; n--)
        new_stream(&g);
    for (unsigned n = 2 + below(&g, 3); n; n--)
        allocate(&g);
    for (unsigned n = 4 + below(&g, 16); n && t->n < TRACE_MAX / 2; n--)
        step(&g);
}

tc_rt_event trace_event(const trace *t, size_t i) {
    static _Thread_local char names[4 * TRACE_MAX][12];
    const trace_item *it = &t->items[i];
    tc_rt_event e = it->e;
    e.line = i + 1;
    e.uses = it->uses;
    e.after = it->after;
    e.breaches = &it->breach;
    char *name = names[it->named % (sizeof names / sizeof *names)];
    snprintf(name, sizeof *names, "n%u", it->named);
    e.name = name;
    e.flags |= t->lasting ? TC_RT_LASTING : 0;
    return e;
}
