// Barriers of the grid that a kernel makes itself: their parts, and what they order.
//
// One thread of each block arrives, by an addition to a counter, behind a barrier of its block. It waits until what it reads
// shows that all blocks have arrived as often, in front of another barrier of its block. When it does: counted.c, gated.c,
// flipped.c.
//
// SOUND: *what is ordered.* What a block did before the barrier in front is released by the arrival, or by a fence before it;
// additions carry that on to whoever reads what they left; he acquires, and what his block does comes behind the other barrier
// (PTX ISA, "Memory Consistency Model": release and acquire patterns, observation order, causality order). Or fences of the kind
// fence.sc, by any threads, lie on both sides: they are in one order, in which the second cannot be the first. Between the
// outermost of these points nothing else touches memory that the grid writes.
//
// *Which arrivals belong together.* All blocks come to each barrier of the grid in the same iterations of the loops around it, or
// none do (TC3002); then the n-th arrivals of all blocks at one counter are at one place. Where some block does not come, the
// others wait for ever, and nothing lies behind.
#include "checker/madei.h"

static const tc_loop *loop_of(const tc_cx *cx, uint32_t loop) { return &cx->model->loops.data[loop]; }

// ---- places ----

bool tc_made_place_of(tc_cx *cx, const tc_event *e, tc_made_place *p) {
    *p = (tc_made_place){e->object, tc_settle(cx, e->offset), tc_constant_or(cx, e->width, 0)};
    return p->bytes > 0 && p->bytes <= 8 && tc_constant_or(cx, tc_mod(cx->ts, p->offset, tc_int(cx->ts, p->bytes)), 1) == 0 &&
           p->offset->variance <= TC_VAR_LAUNCH;
}

bool tc_made_at(tc_cx *cx, const tc_made_place *p, const tc_event *e) {
    return e->object == p->object && tc_settle(cx, e->offset) == p->offset && tc_constant_or(cx, e->width, 0) == p->bytes;
}

bool tc_made_elsewhere(tc_cx *cx, const tc_made_place *p, const tc_event *e) {
    return e->object != p->object || tc_is_elsewhere(cx, e, p->offset, p->bytes);
}

bool tc_made_is_read(tc_cx *cx, const tc_event *e) {
    return tc_event_touches(e) && tc_event_reads(e) && tc_is_atomic(e) && !tc_changes(cx, e) &&
           e->scope >= TC_SCOPE_GPU && e->value && e->value->op == TC_T_SYM;
}

tc_t tc_made_first(tc_cx *cx, const tc_made_place *p) {
    return tc_settle(cx, cx->objects[cx->model->objects.data[p->object].contract].init);
}

tc_t tc_made_read_as(tc_cx *cx, const tc_event *e, tc_t value) {
    return tc_wrap(cx->ts, tc_settle(cx, value), (unsigned)tc_constant_or(cx, e->width, 0) * 8, tc_is_read_signed(e));
}

// ---- parts ----

bool tc_made_goes_with(tc_cx *cx, const tc_event *at, const tc_event *e) {
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

bool tc_made_of_thread(tc_cx *cx, const tc_made *m, const tc_event *e) {
    return tc_follows(cx, e->guard, e->loop, e->point, by_thread(cx, &m->thread));
}

// The thread that arrives, where all threads of the block have come to the barrier behind: it has executed e.
static bool has_executed(tc_cx *cx, const tc_made *m, const tc_event *e) {
    const tc_event *b = m->behind;
    return e->loop == b->loop && tc_follows(cx, tc_and(cx->ts, b->guard, by_thread(cx, &m->thread)), b->loop, b->point, e->guard);
}

bool tc_made_find_before(tc_cx *cx, tc_made *m) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (tc_is_block_barrier(e) && e->point < m->arrives->point && (!m->before || e->point > m->before->point) &&
            tc_made_goes_with(cx, m->arrives, e))
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

bool tc_made_waits_at(tc_cx *cx, const tc_made *m, const tc_event *look) {
    return look->loop != TC_NONE && loop_of(cx, look->loop)->parent == m->arrives->loop &&
           loop_of(cx, look->loop)->first > m->arrives->point && tc_made_of_thread(cx, m, look) && looks_last(cx, look);
}

bool tc_made_find_look(tc_cx *cx, const tc_made_place *p, tc_made *m) {
    for (size_t i = 0; i < cx->model->events.len && !m->look; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!tc_made_at(cx, p, e) || !tc_made_is_read(cx, e) || !tc_made_waits_at(cx, m, e))
            continue;
        m->look = e;
        m->wait = e->loop;
    }
    return m->look != NULL;
}

bool tc_made_find_behind(tc_cx *cx, tc_made *m) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        tc_event *e = &cx->model->events.data[i];
        if (tc_is_block_barrier(e) && e->point > loop_of(cx, m->wait)->last && (!m->behind || e->point < m->behind->point) &&
            tc_made_goes_with(cx, m->arrives, e))
            m->behind = e;
    }
    return m->behind && has_executed(cx, m, m->arrives);
}

bool tc_made_always_waits(tc_cx *cx, const tc_made *m) {
    return tc_follows(cx, m->arrives->guard, m->arrives->loop, m->arrives->point, loop_of(cx, m->wait)->guard);
}

// ---- order ----

bool tc_made_is_fence(const tc_event *e, tc_order not, bool sc) {
    return e->kind == TC_EV_FENCE && e->scope >= TC_SCOPE_GPU && e->order != not && (!sc || e->order == TC_ORD_SEQ_CST);
}

// Of the thread that arrives, or a fence.sc of all threads.
static bool find_release(tc_cx *cx, const tc_made *m, bool sc, tc_made_span *s) {
    uint32_t first = m->before->point, all = TC_NONE;
    s->from = first;
    s->own = !sc && tc_releases(m->arrives->order) ? m->arrives->point : 0;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!tc_made_is_fence(e, TC_ORD_ACQUIRE, sc) || e->point > m->arrives->point)
            continue;
        if (e->point > first && e->point > s->own && tc_made_goes_with(cx, m->arrives, e))
            s->own = e->point;
        else if (sc && e->point < first && (all == TC_NONE || e->point > all) && tc_made_goes_with(cx, m->before, e))
            all = e->point;
    }
    if (s->own == 0 && all != TC_NONE)
        s->from = s->own = all;
    return s->own > 0;
}

static bool find_acquire(tc_cx *cx, const tc_made *m, bool sc, tc_made_span *s) {
    uint32_t last = loop_of(cx, m->wait)->last;
    s->to = m->behind->point;
    // Who does not wait has read what its own arrival found.
    if (!sc && tc_acquires(m->look->order) && (tc_acquires(m->arrives->order) || tc_made_always_waits(cx, m)))
        return true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!tc_made_is_fence(e, TC_ORD_RELEASE, sc) || e->point < last)
            continue;
        if (e->point < m->behind->point && has_executed(cx, m, e))
            return true;
        if (sc && e->point > m->behind->point && tc_made_goes_with(cx, m->behind, e)) {
            s->to = e->point;
            return true;
        }
    }
    return false;
}

// Touches memory that the grid writes, or orders something that is not looked at here.
static bool disturbs(tc_cx *cx, const tc_made *m, const tc_made_span *s, const tc_event *e) {
    if (e->kind == TC_EV_FENCE || e->kind == TC_EV_WARP || tc_is_block_barrier(e) || e == m->arrives || e == m->back ||
        e == m->opens)
        return false;
    if ((e->kind != TC_EV_READ && e->kind != TC_EV_WRITE && e->kind != TC_EV_ATOMIC) || e->object == TC_NONE)
        return true;
    const tc_object *o = &cx->model->objects.data[e->object];
    if (o->space == TC_SPACE_SHARED || o->space == TC_SPACE_LOCAL || !tc_is_written(cx, e->object))
        return false;
    if (e->object == m->arrives->object || e->object == m->look->object)
        return !tc_is_atomic(e) || tc_changes(cx, e);
    return e->point > s->own || !tc_made_of_thread(cx, m, e);
}

static bool is_undisturbed(tc_cx *cx, const tc_made *m, const tc_made_span *s) {
    const tc_kmodel *k = cx->model;
    for (size_t i = 0; i < k->events.len; i++) {
        const tc_event *e = &k->events.data[i];
        if (e->point > s->from && e->point < s->to && disturbs(cx, m, s, e))
            return false;
    }
    for (size_t i = 0; i < k->holes.len; i++) {
        const tc_hole *h = &k->holes.data[i];
        if (h->point > s->from && h->point < s->to && (h->effect & ~(unsigned)TC_HOLE_VALUE))
            return false;
    }
    return true;
}

bool tc_made_is_ordered(tc_cx *cx, const tc_made *m, bool sc, tc_made_span *s) {
    return find_release(cx, m, sc, s) && find_acquire(cx, m, sc, s) && is_undisturbed(cx, m, s);
}

bool tc_made_lacks_fences(tc_cx *cx, const tc_made *m) {
    tc_made_span s = {m->before->point, m->arrives->point, m->behind->point};
    return is_undisturbed(cx, m, &s);
}

// ---- what is shown ----

static tc_obligation start(tc_cx *cx, const tc_event *arrives) {
    tc_obligation ob = tc_obligation_start(TC_RULE_TC3002, arrives->loc,
                                           tc_fmt(cx->arena, "who waits for '%s' goes on when all blocks have come as often",
                                                  tc_object_name(cx, arrives->object)));
    ob.event = arrives;
    ob.object = TC_NONE;
    ob.contract = -1;
    return ob;
}

bool tc_made_show(tc_cx *cx, tc_made *m, tc_t guard, uint32_t loop, uint32_t point, tc_t also, tc_t what) {
    tc_obligation *ob = &m->shown;
    if (!ob->claim)
        *ob = start(cx, m->arrives);
    tc_rung rung = ob->rung;
    ob->hyps.len = 0;
    tc_hyps_at(cx, &ob->hyps, guard, loop, point);
    tc_hyps_push(cx, &ob->hyps, tc_settle(cx, also));
    ob->goal = tc_settle(cx, what);
    bool shown = tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->ones.data, cx->ones.len);
    if (shown && ob->preconditions.len > 0)
        tc_verdict_proved_if(cx->arena, ob, ob->preconditions.data[0]);
    ob->rung = rung > ob->rung ? rung : ob->rung;
    return shown;
}

bool tc_made_show_left(tc_cx *cx, tc_made *m, tc_t what) {
    const tc_loop *l = loop_of(cx, m->wait);
    return tc_made_show(cx, m, m->look->guard, m->wait, l->last, l->leaves, what);
}

// ---- all of them ----

typedef TC_VEC(tc_made_place) places;

static bool is_among(tc_cx *cx, const places *tried, const tc_event *e) {
    for (size_t i = 0; i < tried->len; i++)
        if (tc_made_at(cx, &tried->data[i], e))
            return true;
    return false;
}

static void take(tc_cx *cx, tc_mades *all, const tc_mades *found) {
    for (size_t i = 0; i < found->len; i++) {
        tc_note_uses(cx, &found->data[i].shown, tc_settle(cx, found->data[i].arrives->guard));
        tc_note_uses(cx, &found->data[i].shown, tc_settle(cx, found->data[i].behind->guard));
        tc_push(cx->arena, all, found->data[i]);
    }
}

void tc_find_made(tc_cx *cx) {
    static bool (*const ways[])(tc_cx *, const tc_made_place *, tc_mades *) = {tc_made_by_count, tc_made_by_gate,
                                                                                tc_made_by_flip};
    tc_mades *all = TC_NEW(cx->arena, tc_mades);
    places tried = {0};
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        tc_made_place p;
        if (e->kind != TC_EV_ATOMIC || e->object == TC_NONE || !tc_may_signal(cx, e->object) || is_among(cx, &tried, e) ||
            !tc_made_place_of(cx, e, &p))
            continue;
        tc_push(cx->arena, &tried, p);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            tc_mades found = {0};
            if (!ways[k](cx, &p, &found))
                continue;
            take(cx, all, &found);
            break;
        }
    }
    for (size_t i = 0; i < all->len; i++)
        if (all->data[i].fenced)
            all->data[i].behind->scope = TC_SCOPE_GPU;
    cx->made = all->len > 0 ? all : NULL;
}

static void swap(struct tc_alike **a, struct tc_alike **b) {
    struct tc_alike *t = *a;
    *a = *b;
    *b = t;
}

bool tc_suppose_made(tc_cx *cx, bool all) {
    bool any = false;
    for (size_t i = 0; cx->made && i < cx->made->len; i++)
        if (!cx->made->data[i].fenced) {
            cx->made->data[i].behind->scope = all ? TC_SCOPE_GPU : TC_SCOPE_CTA;
            any = true;
        }
    if (!any)
        return false;
    swap(&cx->alike, &cx->made->alike);
    swap(&cx->alike_in_warp, &cx->made->alike_in_warp);
    swap(&cx->alike_in_grid, &cx->made->alike_in_grid);
    if (!cx->alike)
        tc_alike_find(cx);
    return true;
}

uint32_t tc_oblige_made(tc_cx *cx, const tc_made *m) {
    tc_obligation ob = m->shown;
    for (size_t k = 0; k < cx->sites.len; k++)
        if (cx->sites.data[k].object == m->arrives->object || cx->sites.data[k].object == m->look->object)
            tc_depend(cx, &ob, cx->sites.data[k].bounds);
    return tc_oblige(cx, &ob);
}

bool tc_is_made_with(const tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; cx->made && i < cx->made->len; i++)
        if (cx->made->data[i].before->inst == e->inst)
            return true;
    return false;
}

bool tc_sets_made_back(const tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; cx->made && i < cx->made->len; i++)
        if (cx->made->data[i].fenced && cx->made->data[i].back == e)
            return true;
    return false;
}
