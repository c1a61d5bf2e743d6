// What happens before what in two threads of a block, by signals (thread_signals.c).
//
//     part[threadIdx.x] = sum;                           // a: written by each thread
//     __threadfence_block();
//     if (atomicAdd(&count, 1) == blockDim.x - 1) {      // sent, and looked at
//         __threadfence_block();
//         for (i = 0; i < blockDim.x; i++) t += part[i]; // b: read by the last one
//
// SOUND: where a look of thread 2 shows that what a thread sends had come (PTX ISA, "Memory Consistency Model": observation
// order; read-modify-writes carry it on), an access a of thread 1 happens before an access b of thread 2 if a happens before a
// release of the sending thread, which is the atomic write or a fence before it, and the look, or a fence behind it by thread 2,
// acquires, and comes before b in the program. a happens before that release where thread 1 sends, by its program's order, and
// where a barrier stands between, whoever sends. All of them of the block's scope at least.
//
// Lane 0 may send for its warp, or look for it, with a barrier of the warp between that and what the other lanes do:
//
//     stage[lane] = x;
//     __syncwarp();
//     if (lane == 0)
//         flag.store(1, memory_order_release);
#include "checker/handed.h"
#include "checker/strength.h"

// ---- release and acquire ----

static bool is_fence(const tc_event *e) { return e->kind == TC_EV_FENCE && e->scope >= TC_SCOPE_CTA && e->loop == TC_NONE; }

// By whom what is sent is sent, and who looks: the thread itself, the first lane of its warp, any thread of the block.
typedef enum actor { ITSELF, FIRST_LANE, ANYONE } actor;

// x by a thread, y by the other one, or the other way round.
static bool is_before(tc_cx *cx, const tc_site *x, const tc_site *y, actor by) {
    if (by == ITSELF)
        return x->event->point < y->event->point;
    return tc_comes_before_of(cx, x, y, by == ANYONE ? TC_TEAM_BLOCK : TC_TEAM_WARP);
}

// Released behind a, by the thread that sends; what is sent stands in no loop.
static bool released(tc_cx *cx, const tc_sent *sent, const tc_site *a, actor by) {
    const tc_event *e = sent->event;
    tc_site send = tc_point_site(cx, e, sent->done);
    if (tc_releases(e->order) && is_before(cx, a, &send, by))
        return true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_fence(f) || !tc_releases(f->order) || f->point > e->point ||
            !tc_follows(cx, sent->done, TC_NONE, e->point, tc_settle(cx, f->guard)))
            continue;
        tc_site by_sender = tc_point_site(cx, f, tc_and(cx->ts, f->guard, sent->done));
        if (is_before(cx, a, &by_sender, by))
            return true;
    }
    return false;
}

// By the thread of b itself.
static bool acquired(tc_cx *cx, const tc_look *k, const tc_site *b) {
    if (tc_acquires(k->event->order))
        return true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (is_fence(f) && tc_acquires(f->order) && f->point > k->end->point && f->point < b->event->point && tc_goes_with(cx, b, f))
            return true;
    }
    return false;
}

// By the first lane of its warp, which looks, and a barrier of the warp in front of b.
static bool acquired_for_warp(tc_cx *cx, const tc_look *k, const tc_site *b) {
    tc_site end = tc_point_site(cx, k->end, k->end->guard);
    if (tc_acquires(k->event->order))
        return is_before(cx, &end, b, FIRST_LANE);
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        tc_site by_looker = tc_point_site(cx, f, tc_and(cx->ts, f->guard, k->end->guard));
        if (is_fence(f) && tc_acquires(f->order) && f->point > k->end->point &&
            tc_follows(cx, k->end->guard, TC_NONE, f->point, tc_settle(cx, f->guard)) && is_before(cx, &by_looker, b, FIRST_LANE))
            return true;
    }
    return false;
}

// ---- the first lane of a thread's warp ----

enum { of_first_lane = 1000 }; // copies of what only it has: of instances 1 and 2

typedef struct lane {
    tc_cx *cx;
    tc_two *w;
    int of; // the thread's instance
    bool by_index; // fails where t is made of more than the thread's index
    bool failed;
    tc_map map;
} lane;

static void put_lane(void *ctx, tc_t t) {
    lane *l = ctx;
    tc_cx *cx = l->cx;
    l->failed |= t->op == TC_T_APP && t->fn->variance > TC_VAR_BLOCK;
    if (t->op != TC_T_SYM || t->variance <= TC_VAR_BLOCK)
        return;
    if (t->sym->kind == TC_SYM_THREADIDX) {
        tc_t lanes = tc_int(cx->ts, 32), warp = tc_div(cx->ts, tc_two_at(l->w, t, l->of), lanes);
        tc_map_put(cx->arena, &l->map, TC_KEY(t), (void *)(uintptr_t)tc_mul(cx->ts, lanes, warp));
    } else if (l->by_index) {
        l->failed = true;
    } else {
        tc_t own = tc_rename(cx->ts, t, tc_two_from(l->w), of_first_lane + (uint32_t)l->of);
        tc_map_put(cx->arena, &l->map, TC_KEY(t), (void *)(uintptr_t)own);
    }
}

// A row of threads: the first lane of a warp is the one whose number is a multiple of 32, and exists.
static bool has_first_lanes(tc_cx *cx) {
    const tc_t *i = cx->contract->syms.thread_idx;
    bool row = tc_is_const(tc_settle(cx, i[1])) && tc_is_const(tc_settle(cx, i[2]));
    return row && tc_settle(cx, i[0])->op == TC_T_SYM && tc_warps_meet(cx);
}

// ---- what is known of two threads ----

typedef struct pair {
    tc_cx *cx;
    tc_tvec *h;
    tc_two *w;
    const tc_signal *g;
    const tc_site *a, *b;
    int one, two; // instances of a and b
    actor looks;
} pair;

// As it is for who sends beside thread 1, or who looks beside thread 2; false where that is not known.
static bool at_actor(const pair *p, actor who, int of, bool by_index, tc_t *t) {
    if (who == ITSELF) {
        *t = tc_two_at(p->w, *t, of);
        return true;
    }
    lane l = {.cx = p->cx, .w = p->w, .of = of, .by_index = by_index};
    tc_walk(p->cx->ts, *t, put_lane, &l);
    *t = l.failed ? NULL : tc_subst(p->cx->ts, *t, &l.map);
    return !l.failed;
}

static tc_t at_looker(const pair *p, tc_t t) {
    return at_actor(p, p->looks, p->two, false, &t) ? t : NULL;
}

static tc_t is_released(const pair *p, const tc_sent *s, actor by) { return tc_bool(p->cx->ts, released(p->cx, s, p->a, by)); }

// One who may have sent for thread 1: itself, and the first lane of its warp.
static tc_t all_by(const pair *p, actor by) {
    const tc_sent *s = &p->g->sent.data[0];
    tc_t done = s->done;
    return at_actor(p, by, p->one, true, &done) ? tc_and(p->cx->ts, done, is_released(p, s, by)) : tc_bool(p->cx->ts, false);
}

// The look shows that all who add to the counter have.
static tc_t sees_all(const pair *p, const tc_look *k) {
    tc_terms *ts = p->cx->ts;
    const tc_sent *s = &p->g->sent.data[0];
    tc_t value = at_looker(p, k->event == s->event ? tc_addc(ts, k->value, 1) : k->value), place = at_looker(p, k->place);
    tc_t all = tc_and(ts, tc_le(ts, tc_add(ts, p->g->first, p->g->count), value), tc_eq(ts, s->place, place));
    tc_t handed = tc_or(ts, is_released(p, s, ANYONE), all_by(p, ITSELF));
    return tc_and(ts, all, has_first_lanes(p->cx) ? tc_or(ts, handed, all_by(p, FIRST_LANE)) : handed);
}

// What was sent is of this one; and whatever it was, a was released before it.
static tc_t flag_by(const pair *p, tc_t value, tc_t where, actor by) {
    tc_terms *ts = p->cx->ts;
    tc_t mine = tc_bool(ts, false), all = tc_bool(ts, true);
    for (size_t i = 0; i < p->g->sent.len; i++) {
        const tc_sent *s = &p->g->sent.data[i];
        tc_t place = s->place, done = s->done, sent = s->value;
        if (!at_actor(p, by, p->one, true, &place) || !at_actor(p, by, p->one, true, &done))
            return tc_bool(ts, false);
        tc_t here = tc_eq(ts, place, where), another = tc_not(ts, here);
        mine = tc_or(ts, mine, tc_and(ts, here, done));
        if (sent && at_actor(p, by, p->one, true, &sent))
            another = tc_or(ts, another, tc_ne(ts, value, sent));
        all = tc_and(ts, all, tc_or(ts, another, is_released(p, s, by)));
    }
    return tc_and(ts, mine, all);
}

// The look shows something that was sent.
static tc_t sees_flag(const pair *p, const tc_look *k) {
    tc_terms *ts = p->cx->ts;
    tc_t value = at_looker(p, k->value), place = at_looker(p, k->place), handed = tc_bool(ts, true);
    for (size_t i = 0; i < p->g->sent.len; i++)
        handed = tc_and(ts, handed, is_released(p, &p->g->sent.data[i], ANYONE));
    handed = tc_or(ts, handed, flag_by(p, value, place, ITSELF));
    if (has_first_lanes(p->cx))
        handed = tc_or(ts, handed, flag_by(p, value, place, FIRST_LANE));
    return tc_and(ts, tc_ne(ts, value, p->g->first), handed);
}

static void push_look(const pair *p, const tc_look *k) {
    tc_cx *cx = p->cx;
    tc_terms *ts = cx->ts;
    if (k->end->point >= p->b->event->point || k->event == p->b->event)
        return;
    tc_t known = at_looker(p, tc_implies(ts, k->when, k->then)), done = at_looker(p, k->done);
    if (!known || !done || !at_looker(p, k->value) || !at_looker(p, k->place))
        return;
    tc_hyps_push(cx, p->h, known);
    if (p->looks == ITSELF ? acquired(cx, k, p->b) : acquired_for_warp(cx, k, p->b))
        tc_hyps_push(cx, p->h, tc_not(ts, tc_and(ts, done, p->g->count ? sees_all(p, k) : sees_flag(p, k))));
}

// What two threads find in a counter: in its range, and not the same.
static void push_counter(tc_cx *cx, tc_tvec *h, const tc_signal *g, tc_two *w) {
    tc_terms *ts = cx->ts;
    tc_t end = tc_add(ts, g->first, g->count), drew[3], ticket[3];
    for (int i = 1; i <= 2; i++) {
        drew[i] = tc_two_at(w, g->sent.data[0].done, i);
        ticket[i] = tc_two_at(w, g->ticket, i);
        tc_t in = tc_and(ts, tc_le(ts, g->first, ticket[i]), tc_lt(ts, ticket[i], end));
        tc_hyps_push(cx, h, tc_implies(ts, drew[i], in));
    }
    if (ticket[1] != ticket[2])
        tc_hyps_push(cx, h, tc_implies(ts, tc_and(ts, drew[1], drew[2]), tc_ne(ts, ticket[1], ticket[2])));
}

static bool is_its_own(const tc_event *e) { return !tc_is_async(e) && !e->together; }

void tc_hyps_thread_handed(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, tc_two *w) {
    for (size_t i = 0; cx->thread_signals && i < cx->thread_signals->len; i++) {
        const tc_signal *g = &cx->thread_signals->data[i];
        if (g->count && g->ticket)
            push_counter(cx, h, g, w);
        // SOUND: what is complete later, or done by another lane, is not where it stands in the program.
        for (size_t k = 0; k < g->looks.len && is_its_own(a->event) && is_its_own(b->event); k++)
            for (actor looks = ITSELF; looks <= (has_first_lanes(cx) ? FIRST_LANE : ITSELF); looks++) {
                push_look(&(pair){cx, h, w, g, a, b, 1, 2, looks}, &g->looks.data[k]);
                push_look(&(pair){cx, h, w, g, b, a, 2, 1, looks}, &g->looks.data[k]);
            }
    }
}

static bool is_look_of(const tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; i < cx->thread_signals->len; i++)
        for (size_t k = 0; k < cx->thread_signals->data[i].looks.len; k++)
            if (cx->thread_signals->data[i].looks.data[k].event == e)
                return true;
    return false;
}

void tc_lean_on_thread_handed(tc_cx *cx, tc_obligation *ob) {
    if (!ob->handed_in_block || !cx->thread_signals)
        return;
    for (size_t i = 0; i < cx->thread_signals->len; i++)
        for (size_t k = 0; k < cx->sites.len; k++)
            if (cx->sites.data[k].object == cx->thread_signals->data[i].object)
                tc_depend(cx, ob, cx->sites.data[k].bounds);
    for (size_t i = 0; i < cx->result->obligations.len; i++) {
        const tc_obligation *on = &cx->result->obligations.data[i];
        if (on != ob && on->rule == TC_RULE_TC2005 && on->event && is_look_of(cx, on->event))
            tc_depend(cx, ob, (uint32_t)i);
    }
}
