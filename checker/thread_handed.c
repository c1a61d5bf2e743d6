// What happens before what in two threads of a block, by signals (thread_signals.c).
//
//     part[threadIdx.x] = sum;                           // a: written by each thread
//     __threadfence_block();
//     if (atomicAdd(&count, 1) == blockDim.x - 1) {      // sent, and looked at
//         __threadfence_block();
//         for (i = 0; i < blockDim.x; i++) t += part[i]; // b: read by the last one
//
// SOUND: where a look of thread 2 shows that what a thread sends had come (PTX ISA, "Memory Consistency Model": observation order;
// read-modify-writes carry it on), an access a of thread 1 happens before an access b of thread 2 if a happens before a release of the
// sending thread, which is the atomic write or a fence before it, and the look, or a fence behind it by thread 2, acquires, and comes
// before b in the program. a happens before that release where thread 1 sends, by its program's order, and where a barrier stands
// between, whoever sends. All of them of the block's scope at least.
#include "checker/handed.h"

// ---- release and acquire ----

static bool is_fence(const tc_event *e) { return e->kind == TC_EV_FENCE && e->scope >= TC_SCOPE_CTA && e->loop == TC_NONE; }
static bool releases(const tc_event *e) { return e->order == TC_ORD_RELEASE || e->order >= TC_ORD_ACQ_REL; }
static bool acquires(const tc_event *e) { return e->order == TC_ORD_ACQUIRE || e->order >= TC_ORD_ACQ_REL; }

// By whom what is sent is to be sent.
typedef enum sender { BY_ITSELF, BY_ANYONE } sender;

static bool is_before(tc_cx *cx, const tc_site *a, const tc_site *point, sender by) {
    return by == BY_ANYONE ? tc_comes_before(cx, a, point) : a->event->point < point->event->point;
}

// Released behind a, by the thread that sends; what is sent stands in no loop.
static bool released(tc_cx *cx, const tc_sent *sent, const tc_site *a, sender by) {
    const tc_event *e = sent->event;
    tc_site send = tc_point_site(cx, e, sent->done);
    if (releases(e) && is_before(cx, a, &send, by))
        return true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_fence(f) || !releases(f) || f->point > e->point || !tc_follows(cx, sent->done, TC_NONE, e->point, tc_settle(cx, f->guard)))
            continue;
        tc_site by_sender = tc_point_site(cx, f, tc_and(cx->ts, f->guard, sent->done));
        if (is_before(cx, a, &by_sender, by))
            return true;
    }
    return false;
}

static bool acquired(tc_cx *cx, const tc_look *k, const tc_site *b) {
    if (acquires(k->event))
        return true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (is_fence(f) && acquires(f) && f->point > k->end->point && f->point < b->event->point && tc_goes_with(cx, b, f))
            return true;
    }
    return false;
}

// ---- what is known of two threads ----

typedef struct pair {
    tc_cx *cx;
    tc_tvec *h;
    tc_two *w;
    const tc_signal *g;
    const tc_site *a, *b;
    int one, two; // instances of a and b
} pair;

static tc_t at_one(const pair *p, tc_t t) { return tc_two_at(p->w, t, p->one); }
static tc_t at_two(const pair *p, tc_t t) { return tc_two_at(p->w, t, p->two); }
static tc_t by_anyone(const pair *p, const tc_sent *s) { return tc_bool(p->cx->ts, released(p->cx, s, p->a, BY_ANYONE)); }
static tc_t by_itself(const pair *p, const tc_sent *s) { return tc_bool(p->cx->ts, released(p->cx, s, p->a, BY_ITSELF)); }

// The look shows that all who add to the counter have.
static tc_t sees_all(const pair *p, const tc_look *k) {
    tc_terms *ts = p->cx->ts;
    const tc_sent *s = &p->g->sent.data[0];
    tc_t value = k->event == s->event ? tc_addc(ts, k->value, 1) : k->value;
    tc_t all = tc_le(ts, tc_add(ts, p->g->first, p->g->count), at_two(p, value));
    tc_t place = tc_eq(ts, at_one(p, s->place), at_two(p, k->place));
    tc_t handed = tc_or(ts, by_anyone(p, s), tc_and(ts, at_one(p, s->done), by_itself(p, s)));
    return tc_and(ts, tc_and(ts, all, place), handed);
}

// The look shows something that was sent; and whatever it was, a was released before it.
static tc_t sees_flag(const pair *p, const tc_look *k) {
    tc_terms *ts = p->cx->ts;
    tc_t value = at_two(p, k->value), mine = tc_bool(ts, false), all = tc_bool(ts, true), anyone = tc_bool(ts, true);
    for (size_t i = 0; i < p->g->sent.len; i++) {
        const tc_sent *s = &p->g->sent.data[i];
        tc_t place = tc_eq(ts, at_one(p, s->place), at_two(p, k->place)), another = tc_not(ts, place);
        mine = tc_or(ts, mine, tc_and(ts, place, at_one(p, s->done)));
        if (s->value)
            another = tc_or(ts, another, tc_ne(ts, value, at_one(p, s->value)));
        all = tc_and(ts, all, tc_or(ts, another, by_itself(p, s)));
        anyone = tc_and(ts, anyone, by_anyone(p, s));
    }
    return tc_and(ts, tc_ne(ts, value, p->g->first), tc_or(ts, anyone, tc_and(ts, mine, all)));
}

static void push_look(const pair *p, const tc_look *k) {
    tc_cx *cx = p->cx;
    tc_terms *ts = cx->ts;
    if (k->end->point >= p->b->event->point || k->event == p->b->event)
        return;
    tc_hyps_push(cx, p->h, at_two(p, tc_implies(ts, k->when, k->then)));
    if (!acquired(cx, k, p->b))
        return;
    tc_t seen = p->g->count ? sees_all(p, k) : sees_flag(p, k);
    tc_hyps_push(cx, p->h, tc_not(ts, tc_and(ts, at_two(p, k->done), seen)));
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
        for (size_t k = 0; k < g->looks.len && is_its_own(a->event) && is_its_own(b->event); k++) {
            push_look(&(pair){cx, h, w, g, a, b, 1, 2}, &g->looks.data[k]);
            push_look(&(pair){cx, h, w, g, b, a, 2, 1}, &g->looks.data[k]);
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
