// Barriers of the grid that a kernel makes itself: their parts, and what they order.
//
// One thread of each block arrives: it adds 1 to a counter, behind a barrier of its block. It waits until what it reads shows that all
// blocks have arrived as often, in front of another barrier of its block.
//
// SOUND: *who has come.* All that is written to the counter is arrivals. In the order in which they are made (they are atomic, of the
// device's scope), take the first n * gridDim of them. No block has more than n of these: it arrives an (n+1)-th time only behind its
// n-th wait, which read, before that, what n * gridDim arrivals had left. So each has n. And a wait that gives first + n * gridDim or more
// to a block that has arrived n times at the most shows that all have. If the counter has wrapped before, more than max - first
// have arrived, and max is not less than what was read.
//
// *What is ordered.* What a block did before the barrier in front is released by the arrival, or by a fence before it; additions carry that
// on to whoever reads what they left; he acquires, and what his block does comes behind the other barrier (PTX ISA, "Memory Consistency
// Model": release and acquire patterns, observation order, causality order). Or fences of the kind fence.sc, by any threads, lie on both
// sides: they are in one order, in which the second cannot be the first. Between the outermost of these points nothing else touches
// memory that the grid writes.
//
// *Which arrivals belong together.* All blocks come to each barrier of the grid in the same iterations of the loops around it, or none do
// (TC3002); then the n-th arrivals of all blocks at one counter are at one place. Where some block does not come, the others wait
// for ever, and nothing lies behind.
#include "checker/made.h"

#include "checker/handed.h"

static tc_i128 constant(tc_cx *cx, tc_t t, tc_i128 otherwise) {
    t = t ? tc_settle(cx, t) : NULL;
    return t && tc_is_const(t) ? t->value : otherwise;
}

static const tc_loop *loop_of(const tc_cx *cx, uint32_t loop) { return &cx->model->loops.data[loop]; }

// What is executed in the same iteration as `at`, by a thread that executes that.
static bool goes_with(tc_cx *cx, const tc_event *at, const tc_event *e) {
    return e->loop == at->loop && tc_follows(cx, at->guard, at->loop, at->point, e->guard);
}

static tc_t by_thread(tc_cx *cx, const tc_map *thread) {
    tc_t all = tc_bool(cx->ts, true);
    for (int d = 0; d < 3; d++) {
        tc_t index = cx->contract->syms.thread_idx[d], at = tc_map_get(thread, TC_KEY(index));
        if (at)
            all = tc_and(cx->ts, all, tc_eq(cx->ts, index, at));
    }
    return all;
}

static bool is_of_thread(tc_cx *cx, const tc_made *m, const tc_event *e) {
    return tc_follows(cx, e->guard, e->loop, e->point, by_thread(cx, &m->thread));
}

// The thread that arrives, where all threads of the block have come to the barrier behind: it has executed e.
static bool has_executed(tc_cx *cx, const tc_made *m, const tc_event *e) {
    const tc_event *b = m->behind;
    return e->loop == b->loop && tc_follows(cx, tc_and(cx->ts, b->guard, by_thread(cx, &m->thread)), b->loop, b->point, e->guard);
}

// ---- the counter ----

static bool is_at(tc_cx *cx, const tc_made_place *p, const tc_event *e) {
    return e->object == p->object && tc_settle(cx, e->offset) == p->offset && constant(cx, e->width, 0) == p->bytes;
}

static bool is_elsewhere(tc_cx *cx, const tc_made_place *p, const tc_event *e) {
    if (e->object != p->object)
        return true;
    tc_i128 width = constant(cx, e->width, 0), far = constant(cx, tc_sub(cx->ts, e->offset, p->offset), 0);
    return width > 0 && (far >= p->bytes || far + width <= 0);
}

static bool changes(tc_cx *cx, const tc_event *e) {
    return tc_event_writes(e) && !(e->kind == TC_EV_ATOMIC && e->added && constant(cx, e->added, 1) == 0);
}

static bool is_arrival(tc_cx *cx, const tc_event *e) {
    return e->kind == TC_EV_ATOMIC && e->added && constant(cx, e->added, 0) == 1 && e->scope >= TC_SCOPE_GPU && e->value &&
           e->value->op == TC_T_SYM;
}

static bool is_look(tc_cx *cx, const tc_made_place *p, const tc_event *e) {
    return is_at(cx, p, e) && tc_event_reads(e) && tc_is_atomic(e) && !changes(cx, e) && e->scope >= TC_SCOPE_GPU && e->value &&
           e->value->op == TC_T_SYM && e->loop != TC_NONE;
}

static bool place_of(tc_cx *cx, const tc_event *arrival, tc_made_place *p) {
    *p = (tc_made_place){.object = arrival->object, .offset = tc_settle(cx, arrival->offset), .bytes = constant(cx, arrival->width, 0)};
    p->first = tc_settle(cx, cx->objects[cx->model->objects.data[p->object].contract].init);
    return p->bytes > 0 && p->bytes <= 8 && constant(cx, tc_mod(cx->ts, p->offset, tc_int(cx->ts, p->bytes)), 1) == 0 &&
           p->offset->variance <= TC_VAR_LAUNCH;
}

// ---- parts ----

static bool find_before(tc_cx *cx, tc_made *m) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (tc_is_block_barrier(e) && e->point < m->arrives->point && (!m->before || e->point > m->before->point) &&
            goes_with(cx, m->arrives, e))
            m->before = e;
    }
    return m->before != NULL;
}

// All that leaves the loop has looked, in the last iteration.
static bool looks_last(tc_cx *cx, const tc_event *look) {
    const tc_loop *l = loop_of(cx, look->loop);
    if (!l->leaves)
        return false;
    tc_t left = tc_and(cx->ts, tc_and(cx->ts, l->guard, tc_reached(cx, look->loop)), l->leaves);
    return tc_follows(cx, left, look->loop, l->first, look->guard);
}

static bool find_look(tc_cx *cx, const tc_made_place *p, tc_made *m) {
    for (size_t i = 0; i < cx->model->events.len && !m->look; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!is_look(cx, p, e) || loop_of(cx, e->loop)->parent != m->arrives->loop || loop_of(cx, e->loop)->first < m->arrives->point)
            continue;
        if (is_of_thread(cx, m, e) && looks_last(cx, e)) {
            m->look = e;
            m->wait = e->loop;
        }
    }
    return m->look != NULL;
}

static bool find_behind(tc_cx *cx, tc_made *m) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        tc_event *e = &cx->model->events.data[i];
        if (tc_is_block_barrier(e) && e->point > loop_of(cx, m->wait)->last && (!m->behind || e->point < m->behind->point) &&
            goes_with(cx, m->arrives, e))
            m->behind = e;
    }
    return m->behind && has_executed(cx, m, m->arrives);
}

// ---- order ----

// What all threads of the block do up to `from` is before what they do from `to` on, of another block; and what the thread that
// arrives does up to `own`.
typedef struct span {
    uint32_t from, own, to;
} span;

static bool is_fence(const tc_event *e, tc_order not, bool sc) {
    return e->kind == TC_EV_FENCE && e->scope >= TC_SCOPE_GPU && e->order != not && (!sc || e->order == TC_ORD_SEQ_CST);
}

static bool releases(tc_order o) { return o == TC_ORD_RELEASE || o >= TC_ORD_ACQ_REL; }
static bool acquires(tc_order o) { return o == TC_ORD_ACQUIRE || o >= TC_ORD_ACQ_REL; }

// Of the thread that arrives, or a fence.sc of all threads.
static bool find_release(tc_cx *cx, const tc_made *m, bool sc, span *s) {
    uint32_t first = m->before->point, all = TC_NONE;
    s->from = first;
    s->own = !sc && releases(m->arrives->order) ? m->arrives->point : 0;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!is_fence(e, TC_ORD_ACQUIRE, sc) || e->point > m->arrives->point)
            continue;
        if (e->point > first && e->point > s->own && goes_with(cx, m->arrives, e))
            s->own = e->point;
        else if (sc && e->point < first && (all == TC_NONE || e->point > all) && goes_with(cx, m->before, e))
            all = e->point;
    }
    if (s->own == 0 && all != TC_NONE)
        s->from = s->own = all;
    return s->own > 0;
}

static bool find_acquire(tc_cx *cx, const tc_made *m, bool always, bool sc, span *s) {
    uint32_t last = loop_of(cx, m->wait)->last;
    s->to = m->behind->point;
    if (!sc && acquires(m->look->order) && (always || acquires(m->arrives->order)))
        return true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!is_fence(e, TC_ORD_RELEASE, sc) || e->point < last)
            continue;
        if (e->point < m->behind->point && has_executed(cx, m, e))
            return true;
        if (sc && e->point > m->behind->point && goes_with(cx, m->behind, e)) {
            s->to = e->point;
            return true;
        }
    }
    return false;
}

// Touches memory that the grid writes, or orders something that is not looked at here.
static bool disturbs(tc_cx *cx, const tc_made_place *p, const tc_made *m, const span *s, const tc_event *e) {
    switch (e->kind) {
    case TC_EV_FENCE:
    case TC_EV_WARP:
        return false;
    case TC_EV_BARRIER:
        return !tc_is_block_barrier(e);
    case TC_EV_READ:
    case TC_EV_WRITE:
    case TC_EV_ATOMIC: {
        const tc_object *o = &cx->model->objects.data[e->object];
        if (o->space == TC_SPACE_SHARED || o->space == TC_SPACE_LOCAL || !o->written || e == m->arrives)
            return false;
        if (e->object == p->object && tc_is_atomic(e) && !changes(cx, e))
            return false;
        return !is_elsewhere(cx, p, e) || e->point > s->own || !is_of_thread(cx, m, e);
    }
    default:
        return true;
    }
}

static bool is_undisturbed(tc_cx *cx, const tc_made_place *p, const tc_made *m, const span *s) {
    const tc_kmodel *k = cx->model;
    for (size_t i = 0; i < k->events.len; i++) {
        const tc_event *e = &k->events.data[i];
        if (e->point > s->from && e->point < s->to && disturbs(cx, p, m, s, e))
            return false;
    }
    for (size_t i = 0; i < k->holes.len; i++)
        if (k->holes.data[i].point > s->from && k->holes.data[i].point < s->to && (k->holes.data[i].effect & ~(unsigned)TC_HOLE_VALUE))
            return false;
    return true;
}

// always: no block goes on without a look.
static bool is_ordered(tc_cx *cx, const tc_made_place *p, const tc_made *m, bool always) {
    for (int sc = 0; sc <= 1; sc++) {
        span s;
        if (find_release(cx, m, sc, &s) && find_acquire(cx, m, always, sc, &s) && is_undisturbed(cx, p, m, &s))
            return true;
    }
    return false;
}

// ---- when it opens ----

static tc_obligation start(tc_cx *cx, const tc_event *arrives) {
    tc_obligation ob = tc_obligation_start(TC_RULE_TC3002, arrives->loc,
                                           tc_fmt(cx->arena, "who waits for '%s' goes on when all blocks have come as often",
                                                  tc_object_name(cx, arrives->object)));
    ob.event = arrives;
    ob.object = TC_NONE;
    ob.contract = -1;
    return ob;
}

// A part of the argument, from what ob knows.
static bool decide_part(tc_cx *cx, tc_obligation *ob, tc_t goal) {
    tc_rung rung = ob->rung;
    ob->goal = goal;
    bool shown = tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->ones.data, cx->ones.len);
    ob->rung = rung > ob->rung ? rung : ob->rung;
    return shown;
}

// As the look reads it.
static tc_t read_as(tc_cx *cx, const tc_made_place *p, const tc_made *m, tc_t value) {
    return tc_wrap(cx->ts, tc_settle(cx, value), (unsigned)p->bytes * 8, tc_is_read_signed(m->look));
}

// Does the thread that arrives always come to the loop in which it waits?
static bool always_waits(tc_cx *cx, const tc_made *m) {
    return tc_follows(cx, m->arrives->guard, m->arrives->loop, m->arrives->point, loop_of(cx, m->wait)->guard);
}

// What it read last, or what its own arrival left where it does not wait, is all arrivals up to this one's, by all blocks, or more.
static bool opens_last(tc_cx *cx, const tc_made_place *p, tc_made *m, tc_t arrived) {
    tc_terms *ts = cx->ts;
    tc_obligation *ob = &m->opens;
    *ob = start(cx, m->arrives);
    const tc_loop *l = loop_of(cx, m->wait);
    tc_t goal = tc_add(ts, read_as(cx, p, m, p->first), tc_mul(ts, tc_grid_blocks(cx), tc_settle(cx, arrived)));
    ob->hyps.len = 0;
    tc_hyps_at(cx, &ob->hyps, m->look->guard, m->wait, l->last);
    tc_hyps_push(cx, &ob->hyps, tc_settle(cx, l->leaves));
    if (!decide_part(cx, ob, tc_le(ts, goal, read_as(cx, p, m, m->look->value))))
        return false;
    if (!always_waits(cx, m)) {
        ob->hyps.len = 0;
        tc_hyps_at(cx, &ob->hyps, tc_and(ts, m->arrives->guard, tc_not(ts, l->guard)), m->arrives->loop, l->first);
        if (!decide_part(cx, ob, tc_le(ts, goal, tc_addc(ts, read_as(cx, p, m, m->arrives->value), 1))))
            return false;
    }
    tc_note_uses(cx, ob, tc_settle(cx, m->arrives->guard));
    tc_note_uses(cx, ob, tc_settle(cx, m->behind->guard));
    if (ob->preconditions.len > 0)
        tc_verdict_proved_if(cx->arena, ob, ob->preconditions.data[0]);
    return true;
}

// ---- all of one counter ----

static bool find_parts(tc_cx *cx, const tc_made_place *p, const tc_event *arrival, tc_made *m) {
    *m = (tc_made){.arrives = arrival};
    return is_arrival(cx, arrival) && is_at(cx, p, arrival) && tc_one_thread(cx, &arrival, 1, &m->thread) && find_before(cx, m) &&
           find_look(cx, p, m) && find_behind(cx, m) && is_ordered(cx, p, m, always_waits(cx, m));
}

static bool find_at(tc_cx *cx, const tc_made_place *p, tc_mades *found) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->object != p->object || !changes(cx, e) || is_elsewhere(cx, p, e))
            continue;
        tc_made m;
        if (!find_parts(cx, p, e, &m))
            return false;
        tc_push(cx->arena, found, m);
    }
    for (size_t i = 0; i < found->len; i++) {
        bool shown = false;
        for (int last_values = 0; last_values <= 1 && !shown; last_values++) {
            tc_t arrived = tc_arrived_by(cx, found, i, last_values);
            shown = arrived && opens_last(cx, p, &found->data[i], arrived);
        }
        if (!shown)
            return false;
    }
    return found->len > 0;
}

static bool is_known(tc_cx *cx, const tc_mades *all, const tc_event *arrival) {
    for (size_t i = 0; i < all->len; i++)
        if (all->data[i].arrives->object == arrival->object && tc_settle(cx, all->data[i].arrives->offset) == tc_settle(cx, arrival->offset))
            return true;
    return false;
}

void tc_find_made(tc_cx *cx) {
    tc_mades *all = TC_NEW(cx->arena, tc_mades);
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        tc_mades found = {0};
        tc_made_place p;
        if (!is_arrival(cx, e) || !tc_may_signal(cx, e->object) || is_known(cx, all, e) || !place_of(cx, e, &p) || !find_at(cx, &p, &found))
            continue;
        for (size_t k = 0; k < found.len; k++)
            tc_push(cx->arena, all, found.data[k]);
    }
    for (size_t i = 0; i < all->len; i++)
        all->data[i].behind->scope = TC_SCOPE_GPU;
    cx->made = all->len > 0 ? all : NULL;
}

uint32_t tc_oblige_made(tc_cx *cx, const tc_made *m) {
    tc_obligation ob = m->opens;
    for (size_t k = 0; k < cx->sites.len; k++)
        if (cx->sites.data[k].object == m->arrives->object)
            tc_depend(cx, &ob, cx->sites.data[k].bounds);
    return tc_oblige(cx, &ob);
}

bool tc_is_made_with(const tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; cx->made && i < cx->made->len; i++)
        if (cx->made->data[i].before->inst == e->inst)
            return true;
    return false;
}
