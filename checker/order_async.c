// When asynchronous copies (cp.async) are complete: once their thread has waited for the group that they were committed to.
//
// A thread's copies since its last commit become a group at the next one. wait_group N returns when at most the N latest groups
// are pending; wait_all when nothing is (PTX ISA, "cp.async.wait_group"). So a copy is complete after a wait_group N between which
// and the copy the thread has made at least N + 1 commits. What the copy writes is ordered before what comes after the barrier that
// follows the wait.
//
// SOUND: commits are counted only where they are certainly executed, each in one place at most: in what is left of the copy's own
// iteration and of its loops, where these are over, in whole iterations between, and in the barrier's iteration before the wait. More of
// them complete more groups. Where the iteration is known by the other thread's values, only commits and waits count that all threads
// execute or none.
#include "checker/orderi.h"

typedef struct count {
    tc_span *s;
    tc_shifted *x, *end;
    bool theirs; // x is said in the other thread's values
    tc_t sum;
} count;

static bool is_known(const tc_span *s, tc_t t) {
    for (size_t i = 0; i < s->h->len; i++)
        if (s->h->data[i] == t)
            return true;
    return false;
}

// 1 where the condition holds, else 0.
static tc_t once(tc_span *s, tc_t cond) {
    tc_terms *ts = s->cx->ts;
    const tc_t *parts = cond->op == TC_T_AND ? cond->args : &cond;
    bool known = true;
    for (uint32_t i = 0; i < (cond->op == TC_T_AND ? cond->nargs : 1); i++)
        known &= tc_is_true(parts[i]) || is_known(s, parts[i]);
    return known ? tc_int(ts, 1) : tc_ite(ts, cond, tc_int(ts, 1), tc_int(ts, 0));
}

static bool counts(const count *c, const tc_event *e) {
    return !c->theirs || c->s->own || tc_two_alike(c->s->w, tc_settle(c->s->cx, e->guard), e->loop);
}

// Commits directly in the loop, with from < point < to, in the instance at.
static void add_commits(count *c, tc_shifted *at, uint32_t loop, uint32_t from, uint32_t to) {
    tc_cx *cx = c->s->cx;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->kind == TC_EV_COMMIT && e->loop == loop && e->point > from && e->point < to && (at->copy == c->s->copies[0] || counts(c, e)))
            c->sum = tc_add(cx->ts, c->sum, once(c->s, tc_order_place(at, tc_settle(cx, e->guard))));
    }
}

// So many whole iterations of the loop.
static void add_iterations(count *c, uint32_t loop, tc_t iterations) {
    tc_cx *cx = c->s->cx;
    const tc_loop *l = &cx->model->loops.data[loop];
    for (size_t i = 0; l->again && i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->kind == TC_EV_COMMIT && e->loop == loop && tc_follows(cx, l->again, loop, l->last, e->guard))
            c->sum = tc_add(cx->ts, c->sum, iterations);
    }
}

static tc_t at_copy(tc_span *s, uint32_t loop, int which) {
    return tc_two_at(s->w, tc_loop_counter(s->cx, loop), s->copies[which]);
}

// In the loops around the copy, from this depth of them on, that are over before the barrier: in what is left of the copy's iteration, and
// in the iterations after it.
static void add_left(count *c, size_t depth) {
    tc_span *s = c->s;
    tc_cx *cx = s->cx;
    const tc_nest *n = &s->nests[0];
    for (size_t d = n->n; d-- > depth;) {
        const tc_loop *l = &cx->model->loops.data[n->loops[d]];
        const tc_t trips = l->trips ? tc_settle(cx, l->trips) : NULL;
        tc_shifted rest = {.s = s, .copy = s->copies[0], .from = TC_NONE, .left = d + 1 < n->n ? n->loops[d + 1] : TC_NONE};
        rest.unknown = s->unknowns++;
        add_commits(c, &rest, n->loops[d], s->first->point, UINT32_MAX);
        // SOUND: iterations 0 .. trips - 1 went on, and these are those of them that come after the copy's.
        if (trips && tc_is_const(trips) && tc_loop_counter(cx, n->loops[d]))
            add_iterations(c, n->loops[d], tc_max(cx->ts, tc_int(cx->ts, 0), tc_sub(cx->ts, tc_addc(cx->ts, trips, -1), at_copy(s, n->loops[d], 0))));
    }
}

// From the copy to the beginning of the barrier's iteration.
static void add_before(count *c, const tc_nest *n, tc_side where, size_t depth) {
    tc_span *s = c->s;
    tc_cx *cx = s->cx;
    uint32_t from = s->first->point;
    if (where == TC_NEXT) {
        add_commits(c, c->end, n->loops[depth - 1], from, UINT32_MAX);
        return;
    }
    uint32_t q = n->loops[s->same]; // that both are in (apart), or that the barrier is in, behind the copy
    if (!tc_loop_counter(cx, q))
        return;
    bool before = where == TC_PREVIOUS && depth - 1 == s->same;
    tc_t iterations = tc_addc(cx->ts, at_copy(s, q, 1), before ? -1 : 0);
    if (s->apart) {
        add_commits(c, c->end, q, from, UINT32_MAX);
        iterations = tc_addc(cx->ts, tc_sub(cx->ts, iterations, at_copy(s, q, 0)), -1);
    } else {
        add_commits(c, c->end, s->same == 0 ? TC_NONE : n->loops[s->same - 1], from, cx->model->loops.data[q].first);
    }
    add_iterations(c, q, iterations);
}

tc_t tc_async_complete(tc_span *s, const tc_event *b, const tc_nest *n, tc_side where, size_t depth, tc_shifted *x, tc_shifted *end) {
    tc_cx *cx = s->cx;
    tc_terms *ts = cx->ts;
    const tc_event *f = s->first;
    bool here = where == TC_AFTER_FIRST && depth == n->n; // the barrier is in no loop that the copy is not in
    count c = {s, x, end, x->copy != s->copies[0], tc_int(ts, 0)};
    if (where == TC_AFTER_FIRST && !here)
        add_commits(&c, x, depth == 0 ? TC_NONE : n->loops[depth - 1], f->point, cx->model->loops.data[n->loops[depth]].first);
    else if (!here)
        add_before(&c, n, where, depth);
    add_left(&c, where == TC_AFTER_FIRST || where == TC_NEXT ? depth : s->same + s->apart);
    tc_t complete = tc_bool(ts, false), before = c.sum;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->kind != TC_EV_WAIT || e->loop != b->loop || e->point > b->point || (s->own && e != b) || (here && e->point < f->point) || !e->operand[0] ||
            !tc_is_const(e->operand[0]) || tc_is_left_out(cx, e) || !counts(&c, e))
            continue;
        c.sum = before;
        add_commits(&c, x, b->loop, here ? f->point : 0, e->point);
        tc_t enough = e->operand[1] ? tc_bool(ts, true) : tc_lt(ts, e->operand[0], c.sum);
        complete = tc_or(ts, complete, tc_and(ts, tc_order_place(x, tc_settle(cx, e->guard)), enough));
    }
    return complete;
}
