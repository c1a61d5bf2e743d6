#include "runtime-shim/trackeri.h"

// ---- clocks ----

static bool clock_reserve(tc_rt_tracker *t, rt_clock *c, uint32_t n) {
    if (n <= c->n)
        return true;
    uint64_t *at = tc_rt_realloc(c->at, n * sizeof *at);
    if (!at) {
        t->lost = true;
        return false;
    }
    memset(at + c->n, 0, (n - c->n) * sizeof *at);
    c->at = at;
    c->n = n;
    return true;
}

void rt_clock_join(tc_rt_tracker *t, rt_clock *c, const rt_clock *from) {
    if (!clock_reserve(t, c, from->n))
        return;
    for (uint32_t i = 0; i < from->n; i++)
        if (c->at[i] < from->at[i])
            c->at[i] = from->at[i];
}

void rt_clock_raise(tc_rt_tracker *t, rt_clock *c, uint32_t slot, uint64_t seq) {
    if (clock_reserve(t, c, slot + 1) && c->at[slot] < seq)
        c->at[slot] = seq;
}

void rt_clock_free(rt_clock *c) {
    tc_rt_release(c->at);
    *c = (rt_clock){0};
}

static void clock_copy(tc_rt_tracker *t, rt_clock *c, const rt_clock *from) {
    if (c->n)
        memset(c->at, 0, c->n * sizeof *c->at);
    rt_clock_join(t, c, from);
}

// ---- devices, slots, streams ----

rt_device *rt_device_of(tc_rt_tracker *t, uint32_t number) {
    rt_device *d = NULL;
    HASH_FIND(hh, t->devices, &number, sizeof number, d);
    if (d)
        return d;
    d = tc_rt_new(t, sizeof *d);
    if (!d)
        return NULL;
    d->number = number;
    HASH_ADD(hh, t->devices, number, sizeof d->number, d);
    return rt_added(t, d) ? d : NULL;
}

// A slot that no clock can tell from a new one: the host, and so all that comes from now on, has passed what was on it.
static rt_slot *idle_slot(tc_rt_tracker *t) {
    for (size_t i = 0; i < t->slots.len; i++) {
        rt_slot *s = t->slots.data[i];
        if (!s->live && rt_clock_at(&t->host, s->number) >= s->seq)
            return s;
    }
    return NULL;
}

static rt_slot *slot_new(tc_rt_tracker *t) {
    rt_slot *s = idle_slot(t);
    unsigned max = t->settings.max_streams ? t->settings.max_streams : 65536;
    if (!s) {
        if (t->slots.len >= max || !rt_reserve(t, &t->slots) || !(s = tc_rt_new(t, sizeof *s))) {
            t->lost = true;
            return NULL;
        }
        s->number = (uint32_t)t->slots.len;
        t->slots.data[t->slots.len++] = s;
    }
    if (s->clock.n)
        memset(s->clock.at, 0, s->clock.n * sizeof *s->clock.at);
    t->version++;
    s->live = true;
    s->legacy = false;
    s->guessed = false;
    s->blocking = true;
    s->name = NULL;
    s->capture = NULL;
    s->last_is_launch = false;
    s->floor = s->seq;
    s->host_seen = s->legacy_seen = s->barrier_seen = 0;
    rt_clock_raise(t, &s->clock, s->number, s->seq);
    return s;
}

static rt_stream_key key_of(uint64_t handle, const tc_rt_event *e) {
    rt_stream_key k;
    memset(&k, 0, sizeof k); // padding is part of the key
    k.handle = handle;
    if (handle == TC_RT_LEGACY || handle == TC_RT_PER_THREAD)
        k.device = e->device;
    if (handle == TC_RT_PER_THREAD)
        k.thread = e->thread;
    return k;
}

static rt_stream *stream_find(tc_rt_tracker *t, rt_stream_key k) {
    rt_stream *s = NULL;
    HASH_FIND(hh, t->streams, &k, sizeof k, s);
    return s;
}

static rt_stream *stream_make(tc_rt_tracker *t, const tc_rt_event *e, uint64_t handle, bool blocking) {
    rt_stream_key k = key_of(handle, e);
    rt_stream *s = stream_find(t, k);
    bool known = s != NULL;
    if (!s) {
        s = tc_rt_new(t, sizeof *s);
        if (!s)
            return NULL;
        s->key = k;
        HASH_ADD(hh, t->streams, key, sizeof s->key, s);
        if (!rt_added(t, s))
            return NULL;
    }
    if (s->slot) // created again without a destroy that was seen
        s->slot->live = false;
    else
        t->counts.live_streams++;
    t->dead_streams -= known && !s->slot;
    s->slot = slot_new(t);
    if (!s->slot) { // not known rather than destroyed: what comes to it makes it anew, as a blocking one
        t->counts.live_streams--;
        HASH_DEL(t->streams, s);
        tc_rt_release(s);
        return NULL;
    }
    s->slot->handle = handle;
    s->slot->device = e->device;
    s->slot->blocking = blocking;
    if (handle == TC_RT_LEGACY) {
        s->slot->legacy = true;
        s->slot->blocking = false;
        rt_device *d = rt_device_of(t, e->device);
        if (d)
            d->legacy = s->slot;
    }
    return s;
}

static void find_destroyed(tc_rt_tracker *t, const tc_rt_event *e, const rt_stream *s) {
    tc_rt_party end = rt_party_then(&s->ended, NULL, s->key.handle, s->name);
    rt_find_call(t, e, &end, end.op == TC_RT_DEVICE_RESET ? "the stream ended when its device was reset" : "the stream was destroyed before");
}

rt_slot *rt_stream_slot(tc_rt_tracker *t, const tc_rt_event *e) {
    uint64_t handle = e->stream ? e->stream : TC_RT_LEGACY;
    rt_stream *s = stream_find(t, key_of(handle, e));
    if (s && !s->slot) {
        find_destroyed(t, e, s);
        return NULL;
    }
    if (!s) { // made before the tracker began: a blocking one is in order with more
        s = stream_make(t, e, handle, true);
        if (s)
            s->slot->guessed = handle != TC_RT_LEGACY && handle != TC_RT_PER_THREAD;
    }
    return s ? s->slot : NULL;
}

const char *rt_stream_name(tc_rt_tracker *t, const tc_rt_event *e) {
    const rt_stream *s = e->stream ? stream_find(t, key_of(e->stream, e)) : NULL;
    return s ? s->name : NULL;
}

static rt_mark *mark_find(tc_rt_tracker *t, uint64_t handle) {
    rt_mark *m = NULL;
    HASH_FIND(hh, t->marks, &handle, sizeof handle, m);
    return m;
}

static rt_mark *mark_make(tc_rt_tracker *t, uint64_t handle) {
    rt_mark *m = mark_find(t, handle);
    bool known = m != NULL;
    if (!m) {
        m = tc_rt_new(t, sizeof *m);
        if (!m)
            return NULL;
        m->handle = handle;
        HASH_ADD(hh, t->marks, handle, sizeof m->handle, m);
        if (!rt_added(t, m))
            return NULL;
    }
    if (!m->live)
        t->counts.live_events++;
    t->dead_marks -= known && !m->live;
    m->live = true;
    m->recorded = false;
    m->capture = 0;
    m->name = NULL;
    return m;
}

const char *rt_mark_name(tc_rt_tracker *t, uint64_t event) {
    const rt_mark *m = mark_find(t, event);
    return m ? m->name : NULL;
}

// ---- what the next operation of a stream comes after ----

// What of the stream's own operations comes before the next one by another way than the stream holds for a programmatic launch too.
static void join_order(tc_rt_tracker *t, rt_slot *s, const rt_clock *from) {
    uint64_t own = rt_clock_at(from, s->number);
    if (s->floor < own)
        s->floor = own;
    rt_clock_join(t, &s->clock, from);
}

// Operations on blocking streams of the device and those on its legacy default stream are in order with each other.
static void join_legacy(tc_rt_tracker *t, rt_slot *s, rt_device *d) {
    if (s->legacy) {
        for (size_t i = 0; i < t->slots.len; i++) {
            const rt_slot *b = t->slots.data[i];
            if (b->blocking && b->device == d->number && b->seq && rt_clock_at(&s->clock, b->number) < b->seq)
                join_order(t, s, &b->clock);
        }
    } else if (s->blocking && d->legacy && s->legacy_seen != d->legacy_version) {
        join_order(t, s, &d->legacy->clock);
        s->legacy_seen = d->legacy_version;
    }
}

void rt_order_before(tc_rt_tracker *t, rt_slot *s) {
    if (s->host_seen != t->host_version) {
        join_order(t, s, &t->host);
        s->host_seen = t->host_version;
    }
    rt_device *d = rt_device_of(t, s->device);
    if (!d)
        return;
    if (s->barrier_seen != d->barrier_version) {
        join_order(t, s, &d->barrier);
        s->barrier_seen = d->barrier_version;
    }
    join_legacy(t, s, d);
}

void rt_order_next(tc_rt_tracker *t, rt_slot *s, rt_clock *next) {
    rt_slot would = *s;
    would.clock = (rt_clock){0};
    clock_copy(t, &would.clock, &s->clock);
    rt_order_before(t, &would);
    *next = would.clock;
}

// The end of a kernel that does not wait says nothing of those before it, which may run on: a gap between floor and since.
uint64_t rt_order_count(tc_rt_tracker *t, rt_slot *s, bool launch, uint32_t flags) {
    bool early = (flags & TC_RT_PROGRAMMATIC) && s->last_is_launch;
    if (!early)
        s->floor = s->seq;
    s->seq++;
    if (!early || !(flags & TC_RT_WAITS))
        s->since = s->seq;
    s->last_is_launch = launch;
    rt_clock_raise(t, &s->clock, s->number, s->seq);
    if (s->legacy) {
        rt_device *d = rt_device_of(t, s->device);
        if (d) {
            d->legacy = s; // where there was no memory for the device when the stream was made
            d->legacy_version++;
        }
    }
    return s->seq;
}

static void join_device(tc_rt_tracker *t, rt_clock *c, uint32_t device) {
    for (size_t i = 0; i < t->slots.len; i++)
        if (t->slots.data[i]->device == device)
            rt_clock_join(t, c, &t->slots.data[i]->clock);
}

void rt_order_before_all(tc_rt_tracker *t, rt_slot *s, uint32_t device, uint32_t peer) {
    join_device(t, &s->clock, device);
    join_device(t, &s->clock, peer);
}

void rt_order_after_all(tc_rt_tracker *t, rt_slot *s, uint32_t device, uint32_t peer) {
    rt_device *both[2] = {rt_device_of(t, device), rt_device_of(t, peer)};
    for (unsigned i = 0; i < 2; i++)
        if (both[i]) {
            rt_clock_join(t, &both[i]->barrier, &s->clock);
            both[i]->barrier_version++;
        }
}

void rt_host_passes(tc_rt_tracker *t, const rt_clock *c) {
    rt_clock_join(t, &t->host, c);
    t->host_version++;
}

void rt_host_passes_all(tc_rt_tracker *t) {
    for (size_t i = 0; i < t->slots.len; i++)
        rt_clock_join(t, &t->host, &t->slots.data[i]->clock);
    t->host_version++;
}

void rt_host_passes_device(tc_rt_tracker *t, uint32_t device) {
    join_device(t, &t->host, device);
    const rt_device *d = rt_device_of(t, device);
    if (d)
        rt_clock_join(t, &t->host, &d->barrier); // copies of other devices with this one
    t->host_version++;
}

// ---- events of the program ----

static void create_stream(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_stream *s = stream_make(t, e, e->stream, !(e->flags & TC_RT_NON_BLOCKING));
    if (s)
        s->name = s->slot->name = rt_keep(t, e->name, e->flags);
}

static void destroy_stream(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_stream *s = stream_find(t, key_of(e->stream, e));
    if (s && !s->slot)
        find_destroyed(t, e, s);
    if (!s) // made before the tracker began
        s = stream_make(t, e, e->stream, true);
    if (!s || !s->slot)
        return;
    if (s->slot->capture)
        rt_capture_spoil(s->slot->capture);
    s->slot->live = false;
    s->slot->handle = 0;
    s->slot = NULL;
    s->ended = rt_moment_of(t, e);
    t->counts.live_streams--;
    if (++t->dead_streams > RT_MAX_DEAD) {
        t->dead_streams--;
        HASH_DEL(t->streams, s);
        tc_rt_release(s);
    }
}

static void sync_stream(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_slot *s = rt_stream_slot(t, e);
    if (!s)
        return;
    if (s->capture) {
        rt_find_captured(t, e, s->capture, "the stream is being captured, so that nothing that was given to it runs, and the capture is lost");
        rt_capture_spoil(s->capture);
        return;
    }
    if (s->legacy) // waiting for it waits for what it would wait for
        rt_order_before(t, s);
    rt_host_passes(t, &s->clock);
}

static void create_mark(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_mark *m = mark_make(t, e->event);
    if (m)
        m->name = rt_keep(t, e->name, e->flags);
}

static rt_mark *mark_of(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_mark *m = mark_find(t, e->event);
    if (!m || m->live)
        return m;
    tc_rt_party end = rt_party_then(&m->ended, m->name, 0, NULL);
    rt_find_call(t, e, &end, "the event was destroyed before");
    return NULL;
}

static void record(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_mark *m = mark_find(t, e->event);
    m = m ? mark_of(t, e) : mark_make(t, e->event);
    rt_slot *s = m ? rt_stream_slot(t, e) : NULL;
    if (!s)
        return;
    if (s->capture) {
        rt_capture_record(t, s, m);
        return;
    }
    if (rt_capture_forbids(t, e, s))
        return;
    rt_order_before(t, s);
    rt_order_count(t, s, false, 0);
    m->recorded = true;
    m->capture = 0;
    clock_copy(t, &m->clock, &s->clock);
}

// Of an event that was made before the tracker began anything may have been recorded: all that was given so far.
static void wait_for_anything(tc_rt_tracker *t, rt_slot *s) {
    for (size_t i = 0; i < t->slots.len; i++)
        rt_clock_join(t, &s->clock, &t->slots.data[i]->clock);
}

static void wait(tc_rt_tracker *t, const tc_rt_event *e) {
    const rt_mark *m = mark_find(t, e->event);
    if (m && !mark_of(t, e))
        return;
    rt_slot *s = rt_stream_slot(t, e);
    if (!s) {
        t->capture_lost = t->capture_lost || (t->lost && m && m->capture);
        return;
    }
    if (s->capture || (m && m->recorded && m->capture)) {
        if (m)
            rt_capture_wait(t, s, e, m);
        return;
    }
    if (rt_capture_forbids(t, e, s))
        return;
    if (m && !m->recorded)
        return; // no operation
    rt_order_before(t, s);
    if (!m)
        wait_for_anything(t, s);
    else
        rt_clock_join(t, &s->clock, &m->clock);
    rt_order_count(t, s, false, 0);
}

static void sync_mark(tc_rt_tracker *t, const tc_rt_event *e) {
    const rt_mark *m = mark_find(t, e->event);
    if (!m) {
        rt_host_passes_all(t);
        return;
    }
    if (!mark_of(t, e) || !m->recorded)
        return;
    if (m->capture) {
        rt_capture *c = rt_capture_numbered(t, m->capture);
        rt_find_captured(t, e, c, "the event was recorded in a capture, and never happens for the host");
        if (c)
            rt_capture_spoil(c);
        return;
    }
    rt_host_passes(t, &m->clock);
}

static void mark_remove(tc_rt_tracker *t, rt_mark *m) {
    HASH_DEL(t->marks, m);
    rt_clock_free(&m->clock);
    tc_rt_release(m->nodes.words);
    tc_rt_release(m);
}

static void destroy_mark(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_mark *m = mark_find(t, e->event);
    if (m && !mark_of(t, e))
        return;
    if (!m && !(m = mark_make(t, e->event)))
        return;
    m->live = false;
    m->recorded = false;
    m->ended = rt_moment_of(t, e);
    rt_clock_free(&m->clock);
    t->counts.live_events--;
    if (++t->dead_marks > RT_MAX_DEAD) {
        t->dead_marks--;
        mark_remove(t, m);
    }
}

static void sync_device(tc_rt_tracker *t, const tc_rt_event *e) {
    const rt_capture *captured = NULL;
    for (rt_capture *c = t->captures; c; c = c->next)
        for (size_t i = 0; i < c->branches.len; i++)
            if (c->branches.data[i].slot->device == e->device) {
                captured = c;
                rt_capture_spoil(c);
            }
    if (!captured) {
        rt_host_passes_device(t, e->device);
        return;
    }
    rt_find_captured(t, e, captured, "a stream of the device is being captured, so that the call fails, and the capture is lost");
}

void rt_order_event(tc_rt_tracker *t, const tc_rt_event *e) {
    switch (e->op) {
    case TC_RT_STREAM_CREATE:
        create_stream(t, e);
        break;
    case TC_RT_STREAM_DESTROY:
        destroy_stream(t, e);
        break;
    case TC_RT_STREAM_SYNC:
    case TC_RT_STREAM_QUERY:
        sync_stream(t, e);
        break;
    case TC_RT_STREAM_WAIT:
        wait(t, e);
        break;
    case TC_RT_EVENT_CREATE:
        create_mark(t, e);
        break;
    case TC_RT_EVENT_DESTROY:
        destroy_mark(t, e);
        break;
    case TC_RT_EVENT_RECORD:
        record(t, e);
        break;
    case TC_RT_EVENT_SYNC:
    case TC_RT_EVENT_QUERY:
        sync_mark(t, e);
        break;
    case TC_RT_DEVICE_SYNC:
        sync_device(t, e);
        break;
    default:
        break;
    }
}

void rt_order_reset_device(tc_rt_tracker *t, const tc_rt_event *e) {
    uint32_t device = e->device;
    rt_host_passes_device(t, device);
    rt_stream *s, *next;
    HASH_ITER(hh, t->streams, s, next) {
        if (s->slot && s->slot->device == device && s->key.handle != TC_RT_LEGACY && s->key.handle != TC_RT_PER_THREAD) {
            s->slot->live = false;
            s->slot->handle = 0;
            s->slot = NULL;
            s->ended = rt_moment_of(t, e);
            t->counts.live_streams--;
            t->dead_streams++;
        }
    }
}

void rt_order_free(tc_rt_tracker *t) {
    rt_stream *s, *snext;
    HASH_ITER(hh, t->streams, s, snext) {
        HASH_DEL(t->streams, s);
        tc_rt_release(s);
    }
    rt_mark *m, *mnext;
    HASH_ITER(hh, t->marks, m, mnext) {
        mark_remove(t, m);
    }
    rt_device *d, *dnext;
    HASH_ITER(hh, t->devices, d, dnext) {
        HASH_DEL(t->devices, d);
        rt_clock_free(&d->barrier);
        tc_rt_release(d);
    }
    for (size_t i = 0; i < t->slots.len; i++) {
        rt_clock_free(&t->slots.data[i]->clock);
        tc_rt_release(t->slots.data[i]);
    }
    tc_rt_release(t->slots.data);
    rt_clock_free(&t->host);
}
