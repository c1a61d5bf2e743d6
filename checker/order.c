// Which pairs of accesses of two threads of a block, or of the grid, no barrier orders.
//
// Of two accesses f and s, of which f comes first in the program's order, it is assumed that no barrier instance between them
// is executed. That is said of a few instances only: of the barriers after f in f's own iteration and in the next one, and of
// those before s in s's own iteration and in the one before; of loops that only the barrier is in, the first iteration.
//
// SOUND: what is not said is no fact, and pairs that are ordered are asked about in vain. What is said is that an instance is
// not executed of which the thread, where the instance's condition holds, would have to execute it: f has been in that iteration,
// or comes to the next one (tc_loop.again), or s has been in an iteration after it. Values of an iteration that neither of the two
// accesses is in are unknown, each time anew.
#include "checker/orderi.h"

bool tc_is_block_barrier(const tc_event *e) {
    return e->kind == TC_EV_BARRIER && e->operand[0] && tc_is_const(e->operand[0]) && e->operand[0]->value == 0 && !e->operand[1];
}

bool tc_is_grid_barrier(const tc_event *e) { return tc_is_block_barrier(e) && e->scope >= TC_SCOPE_GPU; }

bool tc_has_grid_barriers(const tc_cx *cx) {
    for (size_t i = 0; i < cx->model->events.len; i++)
        if (tc_is_grid_barrier(&cx->model->events.data[i]))
            return true;
    return false;
}

static tc_nest nest_of(const tc_kmodel *m, uint32_t loop) {
    tc_nest r = {.n = 0};
    for (uint32_t l = loop; l != TC_NONE; l = m->loops.data[l].parent)
        r.n++;
    r.deep = r.n > max_depth;
    size_t i = r.n = r.deep ? 0 : r.n;
    for (uint32_t l = loop; l != TC_NONE && i > 0; l = m->loops.data[l].parent)
        r.loops[--i] = l;
    return r;
}

static size_t common(const tc_nest *a, const tc_nest *b) {
    size_t n = 0;
    while (n < a->n && n < b->n && a->loops[n] == b->loops[n])
        n++;
    return n;
}

// SOUND: of two sites of one event (the sides of a choice) either may come first; only of a site and itself one order says it all.
tc_meetings tc_meetings_of(tc_cx *cx, const tc_site *a, const tc_site *b) {
    tc_nest x = nest_of(cx->model, a->event->loop), y = nest_of(cx->model, b->event->loop);
    size_t n = common(&x, &y);
    tc_meetings out = {0};
    for (size_t k = 0; k < n; k++)
        for (int first = 1; first <= (a == b ? 1 : 2); first++)
            tc_push(cx->arena, &out, ((tc_meeting){k == 0 ? TC_NONE : x.loops[k - 1], x.loops[k], first}));
    tc_push(cx->arena, &out, ((tc_meeting){n == 0 ? TC_NONE : x.loops[n - 1], TC_NONE, a->event->point <= b->event->point ? 1 : 2}));
    return out;
}

// ---- instances of barriers ----

static bool is_in(const tc_cx *cx, uint32_t loop, uint32_t around) {
    return loop != TC_NONE && around != TC_NONE && tc_loop_encloses(cx->model, around, loop);
}

// Symbols that the map has no value for: of the access's own iterations, or unknown.
static void place_symbol(void *ctx, tc_t t) {
    tc_shifted *x = ctx;
    tc_variance varies = tc_two_from(x->s->w);
    if (t->op != TC_T_SYM || t->variance < varies || tc_map_has(&x->map, TC_KEY(t)))
        return;
    tc_cx *cx = x->s->cx;
    uint32_t loop;
    bool own = t->sym->kind == TC_SYM_THREADIDX || t->sym->kind == TC_SYM_BLOCKIDX ||
               (x->from == TC_NONE && x->left == TC_NONE) ||
               (tc_symbol_loop(cx, t->sym, &loop) && !is_in(cx, loop, x->from) && !is_in(cx, loop, x->left));
    tc_t to = own ? tc_two_at(x->s->w, t, x->copy) : tc_rename(cx->ts, t, varies, x->unknown);
    tc_map_put(cx->arena, &x->map, TC_KEY(t), (void *)(uintptr_t)to);
}

tc_t tc_order_place(tc_shifted *x, tc_t t) {
    tc_walk(x->s->cx->ts, t, place_symbol, x);
    return tc_subst(x->s->cx->ts, t, &x->map);
}

static void put(tc_shifted *x, tc_t symbol, tc_t value) {
    tc_map_put(x->s->cx->arena, &x->map, TC_KEY(symbol), (void *)(uintptr_t)value);
}

// The first iteration of the barrier's loops from depth d on.
static void begin_loops(tc_shifted *x, const tc_nest *n, size_t d) {
    tc_cx *cx = x->s->cx;
    for (; d < n->n; d++) {
        const tc_loop *l = &cx->model->loops.data[n->loops[d]];
        for (size_t i = 0; i < l->carried.len; i++)
            if (l->carried.data[i].entry)
                put(x, tc_of_sym(cx->ts, l->carried.data[i].sym), tc_order_place(x, tc_settle(cx, l->carried.data[i].entry)));
        tc_t k = tc_loop_counter(cx, n->loops[d]);
        if (k)
            put(x, k, tc_int(cx->ts, 0));
    }
}

// Adds that the barrier instance is not executed, if `when`: without the parts of the condition that are known to hold.
static void assume_skipped(tc_span *s, tc_t when, tc_t executed) {
    tc_terms *ts = s->cx->ts;
    tc_t left = tc_bool(ts, true), all = tc_and(ts, when, executed);
    const tc_t *parts = all->op == TC_T_AND ? all->args : &all;
    for (uint32_t i = 0; i < (all->op == TC_T_AND ? all->nargs : 1); i++) {
        bool known = false;
        for (size_t k = 0; k < s->h->len && !known; k++)
            known = s->h->data[k] == parts[i];
        if (!known)
            left = tc_and(ts, left, parts[i]);
    }
    if (tc_is_true(left))
        s->ordered = true;
    else
        tc_hyps_push(s->cx, s->h, tc_not(ts, left));
}

static uint32_t loop_at(const tc_nest *n, size_t depth) { return depth < n->n ? n->loops[depth] : TC_NONE; }

static tc_shifted shift(tc_span *s, int which, uint32_t from, uint32_t left) {
    return (tc_shifted){.s = s, .copy = s->copies[which], .from = from, .left = left, .unknown = s->unknowns++};
}

bool tc_is_async(const tc_event *e) { return e->kind == TC_EV_ASYNC_READ || e->kind == TC_EV_ASYNC_WRITE; }

// Adds that the barrier instance x orders nothing, if `when`: it is not executed, or what the first access begins is not complete.
static void assume_no_order(tc_span *s, const tc_event *b, const tc_nest *n, tc_side where, size_t depth, tc_t when, tc_t executed,
                            tc_shifted *x) {
    if (tc_is_async(s->first)) {
        size_t inner = where == TC_NEXT ? depth : s->same + s->apart;
        tc_shifted end = shift(s, 0, TC_NONE, loop_at(&s->nests[0], inner));
        executed = tc_and(s->cx->ts, executed, tc_async_complete(s, b, n, where, depth, x, &end));
    }
    assume_skipped(s, when, executed);
}

// After the first access (which: 0) or before the second one (1), in the iterations that this is in of the `depth` loops that both
// are in.
static void in_own_iteration(tc_span *s, const tc_event *b, const tc_nest *n, int which, size_t depth) {
    tc_shifted x = shift(s, which, loop_at(n, depth), loop_at(&s->nests[which], depth));
    begin_loops(&x, n, depth);
    tc_t executed = tc_order_place(&x, tc_settle(s->cx, b->guard));
    bool with_first = which == 0 || (!s->apart && depth == s->same);
    assume_no_order(s, b, n, with_first ? TC_AFTER_FIRST : TC_BEFORE_SECOND, depth, tc_bool(s->cx->ts, true), executed, &x);
}

// In the iteration of the loop at `depth - 1` that follows the first access's.
static void in_next_iteration(tc_span *s, const tc_event *b, const tc_nest *n, size_t depth) {
    tc_cx *cx = s->cx;
    uint32_t q = n->loops[depth - 1];
    const tc_loop *l = &cx->model->loops.data[q];
    tc_t k = tc_loop_counter(cx, q);
    if (!k || !l->again)
        return;
    // What stands at the end of the first access's iteration.
    tc_shifted end = shift(s, 0, TC_NONE, loop_at(&s->nests[0], depth)), x = shift(s, 0, q, TC_NONE);
    tc_t next = tc_addc(cx->ts, tc_two_at(s->w, k, s->copies[0]), 1), when = tc_bool(cx->ts, true);
    for (size_t i = 0; i < l->carried.len; i++)
        if (l->carried.data[i].step)
            put(&x, tc_of_sym(cx->ts, l->carried.data[i].sym), tc_order_place(&end, tc_settle(cx, l->carried.data[i].step)));
    put(&x, k, next);
    begin_loops(&x, n, depth);
    tc_t executed = tc_order_place(&x, tc_settle(cx, b->guard));
    if (s->apart && depth - 1 == s->same) {
        // Before the second access: in an earlier iteration than that, or earlier in it.
        tc_t theirs = tc_two_at(s->w, k, s->copies[1]);
        bool earlier = depth == n->n && b->point < s->second->point;
        when = earlier ? tc_le(cx->ts, next, theirs) : tc_lt(cx->ts, next, theirs);
    } else {
        executed = tc_and(cx->ts, executed, tc_order_place(&end, tc_settle(cx, l->again)));
    }
    assume_no_order(s, b, n, TC_NEXT, depth, when, executed, &x);
}

// In the iteration before the second access's.
static void in_previous_iteration(tc_span *s, const tc_event *b, const tc_nest *n, size_t depth) {
    tc_cx *cx = s->cx;
    uint32_t q = n->loops[depth - 1];
    tc_t k = tc_loop_counter(cx, q);
    if (!k)
        return;
    tc_shifted x = shift(s, 1, q, TC_NONE);
    tc_t before = tc_addc(cx->ts, tc_two_at(s->w, k, s->copies[1]), -1), when = tc_le(cx->ts, tc_int(cx->ts, 0), before);
    put(&x, k, before);
    begin_loops(&x, n, depth);
    if (s->apart && depth - 1 == s->same) {
        // After the first access: in a later iteration than that, or later in it.
        tc_t mine = tc_two_at(s->w, k, s->copies[0]);
        bool later = depth == n->n && b->point > s->first->point && !tc_is_async(s->first);
        when = later ? tc_le(cx->ts, mine, before) : tc_lt(cx->ts, mine, before);
    }
    tc_t executed = tc_order_place(&x, tc_settle(cx, b->guard));
    // SOUND: the second access's thread went on from that iteration. Not where loops inside are taken in their first iterations.
    const tc_loop *l = &cx->model->loops.data[q];
    if (depth == n->n && l->again)
        tc_hyps_push(cx, s->h, tc_implies(cx->ts, tc_le(cx->ts, tc_int(cx->ts, 0), before), tc_order_place(&x, tc_settle(cx, l->again))));
    assume_no_order(s, b, n, TC_PREVIOUS, depth, when, executed, &x);
}

// The instances of the barrier that are spoken of.
static void with_barrier(tc_span *s, const tc_event *b) {
    tc_nest n = nest_of(s->cx->model, b->loop);
    size_t with_first = common(&n, &s->nests[0]), with_second = common(&n, &s->nests[1]);
    size_t around = s->same + s->apart; // of the loops that both accesses are in, those that hold all between them
    if (n.deep || with_first < around)
        return;
    bool after = b->point > s->first->point, before = b->point < s->second->point;
    if (!s->apart && with_first == s->same && with_second == s->same) {
        for (int which = 0; which < 2 && after && before && !s->ordered; which++)
            in_own_iteration(s, b, &n, which, s->same);
        return;
    }
    if (s->apart || with_first > s->same) {
        if (after)
            in_own_iteration(s, b, &n, 0, with_first);
        for (size_t d = with_first; d > s->same && !s->ordered; d--)
            in_next_iteration(s, b, &n, d);
    }
    if (s->apart || with_second > s->same) {
        if (before && !s->ordered)
            in_own_iteration(s, b, &n, 1, with_second);
        for (size_t d = with_second; d > s->same && !s->ordered; d--)
            in_previous_iteration(s, b, &n, d);
    }
}

static void push_instance(tc_cx *cx, tc_two *w, tc_tvec *h, const tc_site *site, int which) {
    tc_tvec known = {0};
    tc_hyps_site(cx, &known, site);
    for (size_t i = 0; i < known.len; i++)
        tc_hyps_push(cx, h, tc_two_at(w, known.data[i], which));
}

static bool orders(const tc_span *s, const tc_event *e) {
    return s->own ? e->kind == TC_EV_WAIT && !tc_is_left_out(s->cx, e) : tc_is_barrier_for(s->w, e);
}

static bool span_hyps(tc_span *s, const tc_site *a, const tc_site *b, const tc_meeting *m) {
    tc_cx *cx = s->cx;
    const tc_event *e[2] = {a->event, b->event};
    int second = 3 - m->first;
    s->first = e[m->first - 1];
    s->second = e[second - 1];
    s->copies[0] = m->first;
    s->copies[1] = second;
    s->nests[0] = nest_of(cx->model, s->first->loop);
    s->nests[1] = nest_of(cx->model, s->second->loop);
    s->same = m->same == TC_NONE ? 0 : nest_of(cx->model, m->same).n;
    s->apart = m->apart != TC_NONE;
    s->unknowns = 3;
    push_instance(cx, s->w, s->h, a, 1);
    push_instance(cx, s->w, s->h, b, 2);
    tc_t k = s->apart ? tc_loop_counter(cx, m->apart) : NULL;
    if (k)
        tc_hyps_push(cx, s->h, tc_lt(cx->ts, tc_two_at(s->w, k, m->first), tc_two_at(s->w, k, second)));
    for (size_t i = 0; i < cx->model->events.len && !s->ordered && !s->nests[0].deep && !s->nests[1].deep; i++)
        if (orders(s, &cx->model->events.data[i]))
            with_barrier(s, &cx->model->events.data[i]);
    return !s->ordered;
}

bool tc_hyps_unordered(tc_cx *cx, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_team team, tc_two *w, tc_tvec *h) {
    *w = tc_two_new(cx, team, m->same, a->event->loop, b->event->loop);
    if (team == TC_TEAM_WARP)
        tc_hyps_push(cx, h, tc_two_in_warp(w));
    tc_span s = {.cx = cx, .w = w, .h = h};
    return span_hyps(&s, a, b, m);
}

bool tc_hyps_unordered_own(tc_cx *cx, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_two *w, tc_tvec *h) {
    *w = tc_two_new(cx, tc_warps_meet(cx), m->same, a->event->loop, b->event->loop);
    w->own = true;
    tc_span s = {.cx = cx, .w = w, .h = h};
    return span_hyps(&s, a, b, m);
}

bool tc_hyps_unfinished(tc_cx *cx, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_two *w, tc_tvec *h) {
    *w = tc_two_new(cx, TC_TEAM_BLOCK, m->same, a->event->loop, b->event->loop);
    w->own = true;
    tc_span s = {.cx = cx, .w = w, .h = h, .own = true};
    return span_hyps(&s, a, b, m);
}
