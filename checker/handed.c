// What happens before what in two blocks, by signals (signals.c).
//
//     part[blockIdx.x] = sum;                                // a: written by each block
//     __threadfence();
//     if (atomicAdd(count, 1) == gridDim.x - 1) {            // sent, and looked at
//         __threadfence();
//         for (i = 0; i < gridDim.x; i++) total += part[i];  // b: read by the last one
//
// SOUND: where a look of block 2 shows that what block 1 sends had come (PTX ISA, "Memory Consistency Model": observation order;
// read-modify-writes carry it on), an access a of block 1 happens before an access b of block 2 if
//   a happens before a release of the sending thread, which is the atomic write or a fence before it, and the look, or a fence behind
//   it by the same thread, acquires, and happens before b (release and acquire patterns), or
//   a happens before a fence.sc, by any thread, that happens before what is sent, and b comes behind a fence.sc, by any thread, that
//   comes behind the look: the fences are in one order, in which the second cannot be the first, as block 2 would have read what it
//   happens before (causality).
// All of device scope at least. Inside a block, program order and barriers are what happens before is made of (order.h).
#include "checker/handed.h"
#include "checker/strength.h"

static tc_t in_block(tc_cx *cx, tc_t t, uint32_t which) { return tc_rename(cx->ts, t, TC_VAR_BLOCK, which); }

// ---- release and acquire ----

static void or_else(tc_cx *cx, tc_t *so_far, tc_t more) { *so_far = *so_far ? tc_or(cx->ts, *so_far, more) : more; }

static bool is_fence_of(const tc_event *e, uint32_t loop, tc_scope scope) { return e->kind == TC_EV_FENCE && e->scope >= scope && e->loop == loop; }
static bool is_device_fence(const tc_event *e) { return is_fence_of(e, TC_NONE, TC_SCOPE_GPU); }
static bool is_sc(const tc_event *e) { return e->order == TC_ORD_SEQ_CST; }

// Has a thread more than one value of it?
static bool varies(void *ctx, tc_t t) {
    uint32_t loop;
    if (t->op == TC_T_APP)
        return t->fn->variance > TC_VAR_BLOCK;
    bool one = t->op != TC_T_SYM || t->variance <= TC_VAR_BLOCK || t->sym->kind == TC_SYM_THREADIDX;
    return !one && !(tc_symbol_loop(ctx, t->sym, &loop) && loop == TC_NONE);
}

bool tc_has_one_value(tc_cx *cx, tc_t t) { return !tc_any(cx->ts, t, varies, cx); }

// What varies in the event's condition would be another value in the access's iterations.
bool tc_goes_with(tc_cx *cx, const tc_site *s, const tc_event *e) {
    tc_t guard = tc_settle(cx, e->guard);
    if (!tc_has_one_value(cx, guard))
        return false;
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, s);
    return tc_try_all(cx, &h, guard);
}

tc_side tc_released(tc_cx *cx, const tc_sent *sent, const tc_site *a) {
    tc_side r = {0};
    const tc_event *e = sent->event;
    tc_t always = tc_bool(cx->ts, true);
    tc_site send = tc_point_site(cx, e, e->guard);
    if (tc_releases(e->order) && tc_comes_before(cx, a, &send))
        r.pattern = always;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_device_fence(f) || f->order == TC_ORD_ACQUIRE || f->point > e->point)
            continue;
        tc_site by_sender = tc_point_site(cx, f, tc_and(cx->ts, f->guard, e->guard)), by_any = tc_point_site(cx, f, f->guard);
        if (tc_follows(cx, e->guard, TC_NONE, e->point, tc_settle(cx, f->guard)) && tc_comes_before(cx, a, &by_sender)) {
            or_else(cx, &r.pattern, always);
            if (is_sc(f))
                or_else(cx, &r.sc, always);
        }
        if (is_sc(f) && a->event->point < f->point && tc_goes_with(cx, a, f) && tc_is_complete(cx, a, &by_any) &&
            tc_comes_before(cx, &by_any, &send))
            or_else(cx, &r.sc, always);
    }
    return r;
}

// Executed by the thread of the access wherever that is, in the same iteration of its own loop.
static bool is_executed_by(tc_cx *cx, const tc_site *b, const tc_event *e) {
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, b);
    return tc_loop_encloses(cx->model, e->loop, b->event->loop) && tc_try_all(cx, &h, tc_settle(cx, e->guard));
}

// By the thread of b itself.
static tc_side acquired_by_itself(tc_cx *cx, const tc_look *k, const tc_site *b, tc_scope scope) {
    tc_side r = {0};
    tc_t always = tc_bool(cx->ts, true);
    if (tc_acquires(k->event->order))
        r.pattern = always;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_fence_of(f, k->scope, scope) || f->order == TC_ORD_RELEASE || f->point < k->end->point || f->point > b->event->point ||
            !is_executed_by(cx, b, f))
            continue;
        r.pattern = always;
        if (is_sc(f))
            r.sc = always;
    }
    return r;
}

tc_side tc_acquired(tc_cx *cx, const tc_look *k, const tc_site *b, tc_scope scope) {
    tc_side r = {0};
    if (k->own)
        return acquired_by_itself(cx, k, b, scope);
    tc_t always = tc_bool(cx->ts, true);
    tc_site end = tc_point_site(cx, k->end, k->end->guard);
    if (tc_acquires(k->event->order) && tc_comes_before(cx, &end, b))
        r.pattern = always;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_device_fence(f) || f->order == TC_ORD_RELEASE || f->point < k->end->point)
            continue;
        // By the thread that looks: where its condition holds for that thread.
        tc_t executed = tc_last_value(cx, k->event, f->guard);
        tc_site by_looker = tc_point_site(cx, f, tc_and(cx->ts, f->guard, k->end->guard));
        if (executed && tc_comes_before(cx, &by_looker, b)) {
            or_else(cx, &r.pattern, executed);
            if (is_sc(f))
                or_else(cx, &r.sc, executed);
        }
        tc_site by_any = tc_point_site(cx, f, f->guard);
        if (is_sc(f) && f->point < b->event->point && tc_goes_with(cx, b, f) && tc_comes_before(cx, &end, &by_any))
            or_else(cx, &r.sc, always);
    }
    return r;
}

tc_t tc_in_order(tc_cx *cx, tc_side from, tc_side to) {
    tc_t r = tc_bool(cx->ts, false);
    if (from.pattern && to.pattern)
        r = tc_and(cx->ts, from.pattern, to.pattern);
    return from.sc && to.sc ? tc_or(cx->ts, r, tc_and(cx->ts, from.sc, to.sc)) : r;
}

// Where a look acquires, and where what is sent is released: is the one always before the other?
bool tc_passes_on(tc_cx *cx, const tc_look *k, const tc_sent *s) {
    tc_site end = tc_point_site(cx, k->end, k->end->guard), send = tc_point_site(cx, s->event, s->event->guard);
    if (tc_acquires(k->event->order))
        return tc_released(cx, s, &end).pattern != NULL;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        tc_site by_looker = tc_point_site(cx, f, tc_and(cx->ts, f->guard, k->end->guard));
        if (is_device_fence(f) && f->order != TC_ORD_RELEASE && f->point > k->end->point && f->point < send.event->point &&
            tc_follows(cx, k->end->guard, TC_NONE, f->point, tc_settle(cx, f->guard)) && tc_released(cx, s, &by_looker).pattern)
            return true;
    }
    return false;
}

// SOUND: fences that the thread comes to whenever it comes to the write; one that does both, or one for each, in this order.
tc_side tc_linked(tc_cx *cx, const tc_event *read, const tc_event *write) {
    tc_side r = {0};
    tc_map thread = {0};
    tc_t always = tc_bool(cx->ts, true);
    if (!tc_is_atomic(write) || write->scope < TC_SCOPE_GPU || read->loop != TC_NONE || write->loop != TC_NONE ||
        !tc_one_thread(cx, (const tc_event *const[]){read, write}, 2, &thread))
        return r;
    uint32_t acquired = tc_acquires(read->order) ? read->point : TC_NONE, released = tc_releases(write->order) ? write->point : 0;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_device_fence(f) || f->point <= read->point || f->point >= write->point ||
            !tc_follows(cx, write->guard, TC_NONE, write->point, tc_settle(cx, f->guard)))
            continue;
        if (f->order != TC_ORD_RELEASE && f->point < acquired)
            acquired = f->point;
        if (f->order != TC_ORD_ACQUIRE && f->point > released)
            released = f->point;
        if (is_sc(f))
            r.sc = always;
    }
    if (released > 0 && acquired <= released)
        r.pattern = always;
    return r;
}

// ---- what is known of two blocks ----

typedef struct pair {
    tc_cx *cx;
    tc_tvec *h;
    const tc_signal *g;
    const tc_site *a, *b;
    uint32_t one, two; // instances of a and b
    bool fences;
} pair;

// Does b come behind the look, for the thread that looks or by a barrier?
static bool is_behind(const pair *p, const tc_look *k) {
    tc_site end = tc_point_site(p->cx, k->end, k->end->guard);
    if (k->own)
        return k->end->point < p->b->event->point && tc_loop_encloses(p->cx->model, k->scope, p->b->event->loop);
    return tc_comes_before(p->cx, &end, p->b);
}

// Released before this was sent, and acquired behind the look.
static tc_t handed_on(const pair *p, const tc_sent *s, tc_side to) {
    tc_cx *cx = p->cx;
    if (p->fences)
        return in_block(cx, tc_in_order(cx, tc_released(cx, s, p->a), to), p->two);
    tc_site send = tc_point_site(cx, s->event, s->event->guard);
    return tc_bool(cx->ts, tc_comes_before(cx, p->a, &send));
}

static tc_t one_place(const pair *p, const tc_sent *s, const tc_look *k) {
    return tc_eq(p->cx->ts, in_block(p->cx, s->place, p->one), in_block(p->cx, k->place, p->two));
}

// The look shows that all of its group have added.
static tc_t sees_all(const pair *p, const tc_look *k) {
    return in_block(p->cx, tc_shows_all(p->cx, p->g, k->value, k->event == p->g->sent.data[0].event), p->two);
}

// The look shows something that block `one` sent; and whatever it was, a was released before it.
static tc_t sees_flag(const pair *p, const tc_look *k, tc_side to) {
    tc_cx *cx = p->cx;
    tc_terms *ts = cx->ts;
    tc_t value = in_block(cx, k->value, p->two), from = tc_bool(ts, false), all = tc_bool(ts, true);
    for (size_t i = 0; i < p->g->sent.len; i++) {
        const tc_sent *s = &p->g->sent.data[i];
        tc_t place = one_place(p, s, k);
        from = tc_or(ts, from, tc_and(ts, place, in_block(cx, s->done, p->one)));
        tc_t another = tc_not(ts, place);
        if (s->value)
            another = tc_or(ts, another, tc_ne(ts, value, in_block(cx, s->value, p->one)));
        all = tc_and(ts, all, tc_or(ts, another, handed_on(p, s, to)));
    }
    return tc_and(ts, tc_ne(ts, value, p->g->first), tc_and(ts, from, all));
}

// It is the turn of a block behind that of block `one`, which has passed its own on; and by whatever it did that, a was released before it.
static tc_t sees_later_turn(const pair *p, const tc_look *k, tc_side to) {
    tc_cx *cx = p->cx;
    tc_terms *ts = cx->ts;
    tc_t any = tc_bool(ts, false), all = tc_bool(ts, true), mine = in_block(cx, k->value, p->two);
    if (p->fences && !p->g->passed_on)
        return any;
    for (size_t i = 0; i < p->g->sent.len; i++) {
        const tc_sent *s = &p->g->sent.data[i];
        tc_t value = in_block(cx, s->value, p->one);
        // It had waited for its own.
        tc_hyps_push(cx, p->h, in_block(cx, tc_implies(ts, tc_and(ts, s->done, k->when), k->then), p->one));
        tc_t later = tc_and(ts, tc_lt(ts, p->g->first, value), tc_le(ts, value, mine));
        tc_t sent = tc_and(ts, tc_and(ts, one_place(p, s, k), in_block(cx, s->done, p->one)), later);
        any = tc_or(ts, any, sent);
        all = tc_and(ts, all, tc_or(ts, tc_not(ts, sent), handed_on(p, s, to)));
    }
    return tc_and(ts, any, all);
}

static void push_look(const pair *p, const tc_look *k) {
    tc_cx *cx = p->cx;
    tc_terms *ts = cx->ts;
    if (!is_behind(p, k))
        return;
    tc_hyps_push(cx, p->h, in_block(cx, tc_implies(ts, k->when, k->then), p->two));
    tc_side to = p->fences ? tc_acquired(cx, k, p->b, TC_SCOPE_GPU) : (tc_side){0};
    tc_t seen = NULL;
    if (p->g->turns) {
        seen = sees_later_turn(p, k, to);
    } else if (p->g->count) {
        const tc_sent *s = &p->g->sent.data[0];
        tc_side links = {p->g->by_pattern ? to.pattern : NULL, p->g->by_sc ? to.sc : NULL};
        seen = tc_and(ts, tc_and(ts, one_place(p, s, k), sees_all(p, k)), handed_on(p, s, k->event == s->event ? to : links));
    } else {
        seen = sees_flag(p, k, to);
    }
    tc_hyps_push(cx, p->h, tc_not(ts, tc_and(ts, in_block(cx, k->done, p->two), seen)));
}

void tc_hyps_handed(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, bool fences) {
    if (!cx->signals)
        return;
    tc_hyps_counters(cx, h, cx->signals);
    for (size_t i = 0; i < cx->signals->len; i++) {
        const tc_signal *g = &cx->signals->data[i];
        for (size_t k = 0; k < g->looks.len; k++) {
            push_look(&(pair){cx, h, g, a, b, 1, 2, fences}, &g->looks.data[k]);
            push_look(&(pair){cx, h, g, b, a, 2, 1, fences}, &g->looks.data[k]);
        }
    }
}

static bool is_signal(const tc_cx *cx, uint32_t object) {
    for (size_t i = 0; cx->signals && i < cx->signals->len; i++)
        if (cx->signals->data[i].object == object)
            return true;
    return false;
}

void tc_lean_on_handed(tc_cx *cx, tc_obligation *ob) {
    ob->handed = true;
    tc_lean_on_barriers(cx, ob);
    for (size_t k = 0; k < cx->sites.len; k++)
        if (is_signal(cx, cx->sites.data[k].object) || tc_is_lock(cx, cx->sites.data[k].object))
            tc_depend(cx, ob, cx->sites.data[k].bounds);
}
