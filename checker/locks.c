// Locks: critical sections, of which those of one lock never overlap in time.
//
//     while (atomicCAS(&lock[i], 0, 1) != 0)                 // takes it
//         ;
//     __threadfence();
//     sum[i] += x;                                           // a: under the lock
//     __threadfence();
//     atomicExch(&lock[i], 0);                               // gives it back
//
// A lock is a place that is free where it holds one value, of the launch. It is written by takes, which write another value than that
// and have it where they found it free (compare-and-swap, exchange), and by gives, which write the free one; each give stands behind
// a take that had it, by the same thread, or by the one thread that takes for its block, and is executed at most once for it.
// In shared memory the lock may be set up before, with a barrier between. One thread may take and give for its block also in each
// iteration of a loop that all threads of the block go through together, with a barrier of that iteration on both sides of the section.
//
// SOUND: take the writes of one place in their order (PTX ISA, "Memory Consistency Model": coherence), but for takes that did not find
// it free, which leave it as it was: not free. A take that had it comes right behind a write of the free value, which is a give, or
// the first of all. So between two takes there is a give; and there are no more gives than takes, in any beginning of that order, for
// each give comes behind its own take (one by compare-and-swap that finds another value than it expects writes nothing). Hence takes
// and gives alternate, and each give is that of the take before it.
//   Of two accesses under one lock, each behind its take and before the gives that may be its take's, the one whose take comes first is
// the earlier one, if its section is released by the give and the other one is acquired behind the take: directly, or over the
// sections between, each of which passes on what it acquires, or continues the chain of read-modify-writes. What the lock holds at
// launch is of no matter: where it is not free, nobody ever has it.
#include "checker/handed.h"
#include "checker/strength.h"

// A way in which it is known, behind a take, that it has the lock: by the thread that takes it, or by its block.
// done: it was executed, and found the lock free. Of a block, and with a scope: by its one thread in an iteration of that loop.
typedef tc_look hold;

// A give: by the thread that took the lock, or by a thread of the block that did, or both.
typedef struct give {
    const tc_site *site;
    const tc_event *take; // what it is of
    const hold *own;      // NULL: not shown
    const hold *block;
    tc_sent sent; // block: what it sends
} give;

struct tc_lock {
    uint32_t object;
    tc_i128 bytes;
    tc_scope scope; // the smallest of its operations
    tc_t free; // wrapped, unsigned
    TC_VEC(hold) holds;
    TC_VEC(give) gives;
};

// ---- values ----

static bool is_const(tc_t t, tc_i128 v) { return tc_is_const(t) && t->value == v; }

static tc_t read_as(tc_cx *cx, const tc_lock *g, tc_t v) { return tc_wrap(cx->ts, tc_settle(cx, v), (unsigned)g->bytes * 8, false); }

static tc_t exchanged(const tc_event *e) { return e->kind == TC_EV_WRITE ? e->value : e->put; }

// ---- operations ----

// Atomic, of the lock's width, and at a multiple of it: two places have no byte in common.
static bool is_operation(tc_cx *cx, const tc_lock *g, const tc_site *s) {
    return tc_is_atomic(s->event) && s->event->scope >= TC_SCOPE_CTA && s->bytes == g->bytes && exchanged(s->event) &&
           is_const(tc_mod(cx->ts, s->offset, tc_int(cx->ts, g->bytes)), 0);
}

static bool always(tc_cx *cx, const tc_site *s, tc_t what) {
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, s);
    return tc_try_all(cx, &h, what);
}

static bool is_take(tc_cx *cx, const tc_lock *g, const tc_site *s) {
    const tc_event *e = s->event;
    if (e->kind != TC_EV_ATOMIC || !e->value || e->value->op != TC_T_SYM || !is_operation(cx, g, s))
        return false;
    if (e->expected && !always(cx, s, tc_eq(cx->ts, read_as(cx, g, e->expected), g->free)))
        return false;
    return always(cx, s, tc_ne(cx->ts, read_as(cx, g, e->put), g->free));
}

static bool is_give(tc_cx *cx, const tc_lock *g, const tc_site *s) {
    return is_operation(cx, g, s) && always(cx, s, tc_eq(cx->ts, read_as(cx, g, exchanged(s->event)), g->free));
}

// ---- how a take is known to have the lock ----

// One thread waits for the lock in each iteration of the loop around.
static bool is_held_in_turn(tc_cx *cx, const tc_event *take, hold *o) {
    const tc_loop *l = take->loop == TC_NONE ? NULL : &cx->model->loops.data[take->loop];
    if (!l || l->parent == TC_NONE || !l->leaves)
        return false;
    tc_event *end = TC_NEW(cx->arena, tc_event);
    *end = (tc_event){.kind = TC_EV_FENCE, .object = TC_NONE, .guard = l->guard, .loop = l->parent, .point = l->last, .loc = take->loc};
    *o = (hold){.event = take, .end = end, .scope = l->parent};
    o->place = tc_turn_value(cx, take, take->offset);
    o->value = o->place ? tc_turn_value(cx, take, take->value) : NULL;
    o->done = o->value ? tc_turn_value(cx, take, take->guard) : NULL;
    o->when = o->done ? tc_turn_value(cx, take, l->guard) : NULL;
    o->then = o->when ? tc_turn_value(cx, take, l->leaves) : NULL;
    return o->then != NULL;
}

static bool is_in_turn(const hold *o) { return !o->own && o->scope != TC_NONE; }

static void add_holds(tc_cx *cx, tc_lock *g, const tc_event *take) {
    hold holds[TC_MOST_LOOKS + 1];
    size_t n = tc_looks_of(cx, take, holds);
    n += is_held_in_turn(cx, take, &holds[n]);
    for (size_t i = 0; i < n; i++) {
        holds[i].done = tc_and(cx->ts, holds[i].done, tc_eq(cx->ts, read_as(cx, g, holds[i].value), g->free));
        tc_push(cx->arena, &g->holds, holds[i]);
    }
}

// ---- gives ----

// A barrier of the block in each iteration of the loop itself, at points between, wherever s is executed: the first, or the last one.
// SOUND: all threads of the block come to it in that iteration then (TC3002).
static const tc_event *barrier_between(tc_cx *cx, const tc_site *s, uint32_t loop, uint32_t from, uint32_t to, bool last) {
    const tc_event *found = NULL;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (tc_is_block_barrier(e) && !tc_is_left_out(cx, e) && e->loop == loop && from < e->point && e->point < to &&
            (!found || (last ? e->point > found->point : e->point < found->point)) && always(cx, s, tc_settle(cx, e->guard)))
            found = e;
    }
    return found;
}

// Between the take and what is done at s, in one iteration of the loop around.
static const tc_event *barrier_behind_take(tc_cx *cx, const hold *o, const tc_site *s) {
    return tc_loop_encloses(cx->model, o->scope, s->event->loop) ? barrier_between(cx, s, o->scope, o->end->point, s->event->point, true) : NULL;
}

// Behind the take, in the iteration in which the thread has the lock.
static bool is_behind(tc_cx *cx, const hold *o, const tc_site *s) {
    if (is_in_turn(o))
        return barrier_behind_take(cx, o, s) != NULL;
    if (!o->own) {
        tc_site end = tc_point_site(cx, o->end, o->end->guard);
        return tc_comes_before(cx, &end, s);
    }
    return s->event->point > o->end->point && tc_loop_encloses(cx->model, o->scope, s->event->loop);
}

static tc_t known_of(tc_cx *cx, const hold *o) { return tc_implies(cx->ts, o->when, o->then); }

// By the thread that had it, once for each time.
static bool is_own_give(tc_cx *cx, const hold *o, const tc_site *s) {
    if (s->event->loop != o->scope || !is_behind(cx, o, s))
        return false;
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, s);
    tc_hyps_push(cx, &h, known_of(cx, o));
    return tc_try_all(cx, &h, tc_and(cx->ts, o->done, tc_eq(cx->ts, s->offset, o->place)));
}

// By one thread of the block that had it, once.
static bool is_block_give(tc_cx *cx, const hold *o, const tc_site *s, tc_sent *sent) {
    const tc_event *e = s->event;
    if (e->loop != TC_NONE || is_in_turn(o) || !is_behind(cx, o, s))
        return false;
    *sent = (tc_sent){.event = e, .place = tc_block_value(cx, e, s->offset), .done = tc_block_value(cx, e, e->guard)};
    if (!sent->place || !sent->done)
        return false;
    tc_tvec h = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &h, cx->facts.data[i]);
    tc_hyps_push(cx, &h, sent->done);
    tc_hyps_push(cx, &h, known_of(cx, o));
    return tc_try_all(cx, &h, tc_and(cx->ts, o->done, tc_eq(cx->ts, sent->place, o->place)));
}

static bool add_give(tc_cx *cx, tc_lock *g, const tc_site *s) {
    give v = {.site = s};
    for (size_t i = g->holds.len; i-- > 0;) { // the nearest take first
        const hold *o = &g->holds.data[i];
        if (v.take && v.take != o->event)
            continue;
        if (o->own && !v.own && is_own_give(cx, o, s))
            v.own = o;
        if (!o->own && !v.block && is_block_give(cx, o, s, &v.sent))
            v.block = o;
        v.take = v.own || v.block ? o->event : NULL;
    }
    if (v.take)
        tc_push(cx->arena, &g->gives, v);
    return v.take != NULL;
}

static bool never_both(tc_cx *cx, const tc_site *s, tc_t what) {
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, s);
    tc_hyps_push(cx, &h, what);
    return tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

// Where s is executed, by the thread that has the lock or by any of the block that has, the give of that take is not.
static bool excludes(tc_cx *cx, const give *v, const hold *o, const tc_site *s) {
    if (v->own && o->own && tc_loop_encloses(cx->model, v->own->scope, s->event->loop) && never_both(cx, s, v->site->guard))
        return true;
    return v->block && never_both(cx, s, v->sent.done);
}

// No two gives are of one take.
static bool are_single(tc_cx *cx, const tc_lock *g) {
    for (size_t i = 0; i < g->gives.len; i++)
        for (size_t k = 0; k < i; k++) {
            const give *a = &g->gives.data[k], *b = &g->gives.data[i];
            if (a->take != b->take)
                continue;
            bool own = a->own && a->own == b->own && never_both(cx, b->site, a->site->guard);
            if (!own && !(a->block && b->block && never_both(cx, b->site, a->sent.done)))
                return false;
        }
    return true;
}

// ---- release and acquire ----

// Is there a fence of the thread, between the points, wherever s is executed?
static const tc_event *fence_between(tc_cx *cx, const tc_site *s, uint32_t loop, uint32_t from, uint32_t to, bool (*does)(tc_order), tc_scope scope) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (f->kind == TC_EV_FENCE && f->scope >= scope && does(f->order) && f->loop == loop && from < f->point && f->point < to &&
            always(cx, s, tc_settle(cx, f->guard)))
            return f;
    }
    return NULL;
}

static bool passes_on(tc_cx *cx, const give *v, tc_scope scope) {
    const hold *o = v->own;
    if (v->site->event->kind == TC_EV_ATOMIC)
        return true;
    if (!o)
        return tc_passes_on(cx, v->block, &v->sent);
    uint32_t from = o->end->point, to = v->site->event->point;
    const tc_event *first = tc_acquires(o->event->order) ? o->end : fence_between(cx, v->site, o->scope, from, to, tc_acquires, scope);
    return first && (tc_releases(v->site->event->order) || fence_between(cx, v->site, o->scope, first->point - 1, to, tc_releases, scope));
}

// What the thread of the give has done before it.
static bool gives_own(const tc_cx *cx, const give *v, const hold *o, const tc_site *a) {
    return v->own && o->own && a->event->point < v->site->event->point && tc_loop_encloses(cx->model, v->own->scope, a->event->loop);
}

// Between what another thread of the block does at a, in one iteration of the loop around, and the give.
static const tc_event *barrier_before_give(tc_cx *cx, const give *v, const hold *o, const tc_site *a) {
    bool in_turn = is_in_turn(o) && v->own && v->own->scope == o->scope && tc_loop_encloses(cx->model, o->scope, a->event->loop);
    return in_turn ? barrier_between(cx, v->site, o->scope, a->event->point, v->site->event->point, false) : NULL;
}

static tc_side released_in_turn(tc_cx *cx, const give *v, const hold *o, const tc_site *a, tc_scope scope) {
    tc_side r = {0};
    const tc_event *b = barrier_before_give(cx, v, o, a);
    bool by_give = tc_releases(v->site->event->order);
    if (b && (by_give || fence_between(cx, v->site, o->scope, b->point, v->site->event->point, tc_releases, scope)))
        r.pattern = tc_bool(cx->ts, true);
    return r;
}

static tc_side acquired_in_turn(tc_cx *cx, const hold *o, const tc_site *b, tc_scope scope) {
    tc_side r = {0};
    const tc_event *barrier = barrier_behind_take(cx, o, b);
    tc_site end = tc_point_site(cx, o->end, o->end->guard);
    bool by_take = tc_acquires(o->event->order);
    if (barrier && (by_take || fence_between(cx, &end, o->scope, o->end->point, barrier->point, tc_acquires, scope)))
        r.pattern = tc_bool(cx->ts, true);
    return r;
}

static tc_side acquired(tc_cx *cx, const hold *o, const tc_site *b, tc_scope scope) {
    return is_in_turn(o) ? acquired_in_turn(cx, o, b, scope) : tc_acquired(cx, o, b, scope);
}

static tc_side released(tc_cx *cx, const give *v, const hold *o, const tc_site *a, tc_scope scope) {
    if (is_in_turn(o))
        return released_in_turn(cx, v, o, a, scope);
    if (!gives_own(cx, v, o, a))
        return tc_released(cx, &v->sent, a);
    tc_side r = {0};
    bool by_give = tc_releases(v->site->event->order);
    if (by_give || fence_between(cx, v->site, v->own->scope, a->event->point, v->site->event->point, tc_releases, scope))
        r.pattern = tc_bool(cx->ts, true);
    return r;
}

// ---- finding them ----

// Set up before anybody takes it, in shared memory.
static bool is_set_up(tc_cx *cx, const tc_lock *g, const tc_site *s) {
    if (cx->model->objects.data[g->object].space != TC_SPACE_SHARED || tc_is_async(s->event))
        return false;
    for (size_t i = 0; i < g->holds.len; i++) {
        tc_site take = tc_point_site(cx, g->holds.data[i].event, g->holds.data[i].event->guard);
        if (!tc_comes_before(cx, s, &take))
            return false;
    }
    return true;
}

static bool is_one_site(tc_cx *cx, const tc_event *e) {
    size_t n = 0;
    for (size_t i = 0; i < cx->sites.len; i++)
        n += cx->sites.data[i].event == e;
    return n == 1;
}

static bool may_lock(tc_cx *cx, uint32_t object) {
    const tc_object *o = &cx->model->objects.data[object];
    if (tc_hole_may_touch(cx->model, object))
        return false;
    return o->space == TC_SPACE_SHARED || (o->space == TC_SPACE_GLOBAL && cx->borrow[object] == TC_BORROW_ATOMIC && !tc_has_two_names(cx, object));
}

// The first compare-and-swap, or exchange, says which value is the free one: what it compares with, or, of exchanges, what some other
// one writes.
static tc_t free_value(tc_cx *cx, const tc_lock *g, const tc_site *s) {
    tc_t v = s->event->expected ? s->event->expected : exchanged(s->event);
    v = v ? read_as(cx, g, v) : NULL;
    return v && v->variance == TC_VAR_LAUNCH ? v : NULL;
}

static bool make_lock(tc_cx *cx, tc_lock *g) {
    g->scope = TC_SCOPE_SYS;
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->object != g->object || !is_take(cx, g, s))
            continue;
        if (!is_one_site(cx, s->event))
            return false;
        add_holds(cx, g, s->event);
        g->scope = s->event->scope < g->scope ? s->event->scope : g->scope;
    }
    for (size_t i = 0; g->holds.len > 0 && i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->object != g->object || !tc_event_writes(s->event) || is_take(cx, g, s) || is_set_up(cx, g, s))
            continue;
        if (!is_give(cx, g, s) || !is_one_site(cx, s->event) || !add_give(cx, g, s))
            return false;
        g->scope = s->event->scope < g->scope ? s->event->scope : g->scope;
    }
    return g->holds.len > 0 && are_single(cx, g);
}

static void find_lock(tc_cx *cx, tc_locks *all, uint32_t object) {
    for (int swaps = 1; swaps >= 0; swaps--)
        for (size_t i = 0; i < cx->sites.len; i++) {
            const tc_site *s = &cx->sites.data[i];
            if (s->object != object || !tc_is_atomic(s->event) || (s->event->expected != NULL) != swaps || s->bytes < 1 || s->bytes > 8)
                continue;
            tc_lock *g = TC_NEW(cx->arena, tc_lock);
            *g = (tc_lock){.object = object, .bytes = s->bytes};
            g->free = free_value(cx, g, s);
            if (g->free && make_lock(cx, g)) {
                tc_push(cx->arena, all, g);
                return;
            }
        }
}

static bool is_exchanged(const tc_cx *cx, uint32_t object) {
    for (size_t i = 0; i < cx->model->events.len; i++)
        if (cx->model->events.data[i].object == object && cx->model->events.data[i].put)
            return true;
    return false;
}

bool tc_find_locks(tc_cx *cx) {
    tc_locks *all = TC_NEW(cx->arena, tc_locks);
    for (uint32_t i = 0; i < cx->model->objects.len; i++)
        if (is_exchanged(cx, i) && may_lock(cx, i))
            find_lock(cx, all, i);
    cx->locks = all->len > 0 ? all : NULL;
    return cx->locks != NULL;
}

// ---- two accesses under a lock ----

typedef struct pair {
    tc_cx *cx;
    tc_tvec *h;
    const tc_lock *g;
    const tc_site *site[3]; // 1 and 2
    const tc_view *v;
    tc_scope scope; // of what orders the two
    bool fences;
} pair;

// Does the site lie behind the take, and before each give of that take? For its thread, or its block.
// SOUND: what is complete later, or done by another lane of the warp, is not where it stands in the program of who has the lock.
static bool is_under(const pair *p, const hold *o, const tc_site *a) {
    tc_cx *cx = p->cx;
    if (tc_is_async(a->event) || a->event->together || !is_behind(cx, o, a) || (!o->own && p->v->one_block))
        return false;
    for (size_t i = 0; i < p->g->gives.len; i++) {
        const give *v = &p->g->gives.data[i];
        if (v->take != o->event)
            continue;
        bool before = gives_own(cx, v, o, a) || barrier_before_give(cx, v, o, a) || (v->block && tc_comes_before(cx, a, v->site));
        if (!before && !excludes(cx, v, o, a))
            return false;
    }
    return true;
}

// What `from` does under its lock is released by whatever gives it back, and acquired by `to` behind its take.
static tc_t handed_on(const pair *p, const hold *o, int from, const hold *u, int to) {
    tc_cx *cx = p->cx;
    tc_t all = tc_bool(cx->ts, true);
    for (size_t i = 0; i < p->g->gives.len; i++) {
        const give *v = &p->g->gives.data[i];
        if (v->take != o->event || excludes(cx, v, o, p->site[from]))
            continue;
        tc_side r = released(cx, v, o, p->site[from], p->scope), a = acquired(cx, u, p->site[to], p->scope);
        all = tc_and(cx->ts, all, tc_in_order(cx, r, a));
    }
    return tc_seen(p->v, all, to);
}

static void push_holds(const pair *p, const hold *o, const hold *u) {
    tc_cx *cx = p->cx;
    tc_terms *ts = cx->ts;
    tc_t ordered = tc_bool(ts, true);
    if (p->fences)
        ordered = tc_and(ts, handed_on(p, o, 1, u, 2), handed_on(p, u, 2, o, 1));
    tc_hyps_push(cx, p->h, tc_seen(p->v, known_of(cx, o), 1));
    tc_hyps_push(cx, p->h, tc_seen(p->v, known_of(cx, u), 2));
    tc_t both = tc_and(ts, tc_seen(p->v, o->done, 1), tc_seen(p->v, u->done, 2));
    tc_t one = tc_eq(ts, tc_seen(p->v, o->place, 1), tc_seen(p->v, u->place, 2));
    tc_hyps_push(cx, p->h, tc_not(ts, tc_and(ts, ordered, tc_and(ts, both, one))));
}

void tc_hyps_locked(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_view *v, bool fences) {
    for (size_t i = 0; cx->locks && i < cx->locks->len; i++) {
        const tc_lock *g = cx->locks->data[i];
        bool shared = cx->model->objects.data[g->object].space == TC_SPACE_SHARED;
        pair p = {cx, h, g, {NULL, a, b}, v, v->one_block ? TC_SCOPE_CTA : TC_SCOPE_GPU, fences};
        bool passes = g->scope >= p.scope && !(shared && !v->one_block);
        for (size_t k = 0; fences && passes && k < g->gives.len; k++)
            passes = passes_on(cx, &g->gives.data[k], p.scope);
        for (size_t x = 0; passes && x < g->holds.len; x++)
            for (size_t y = 0; y < g->holds.len; y++)
                if (is_under(&p, &g->holds.data[x], a) && is_under(&p, &g->holds.data[y], b))
                    push_holds(&p, &g->holds.data[x], &g->holds.data[y]);
    }
}

bool tc_is_lock(const tc_cx *cx, uint32_t object) {
    for (size_t i = 0; cx->locks && i < cx->locks->len; i++)
        if (cx->locks->data[i]->object == object)
            return true;
    return false;
}
