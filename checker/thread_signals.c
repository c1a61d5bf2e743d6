// Signals inside a block, in shared memory: flags that one thread alone writes, counters to which each of some threads adds 1.
//
//     if (threadIdx.x == 0)
//         count = 0;                                  // set up: by plain stores of one value,
//     __syncthreads();                                // a barrier before everything else
//     …
//     if (atomicAdd(&count, 1) == blockDim.x - 1) …   // the last thread of all
//
// Nothing else writes the object. So what is read of a place, if it is not the first value, was sent: that it was written at all
// is TC2005's to show.
//
// Counters: all additions are to one place. A rank in [0, count) is looked for that tells the threads apart that add. Each adds
// once at most. So where count additions were made, each of these threads has added.
//
// Flags: no two threads write one place. So what is read there was sent by the one thread whose place it is.
#include "checker/handed.h"

static bool is_shared(const tc_cx *cx, uint32_t object) { return cx->model->objects.data[object].space == TC_SPACE_SHARED; }

// ---- what is written ----

// At a multiple of its width, so that two places have no byte in common.
static bool is_whole(tc_cx *cx, const tc_signal *g, const tc_site *s) {
    return s->bytes == g->bytes && tc_constant_or(cx, tc_mod(cx->ts, s->offset, tc_int(cx->ts, g->bytes)), 1) == 0;
}

static bool is_before_looks(tc_cx *cx, const tc_site *x) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (tc_is_look(cx, s->event, x->object, TC_SCOPE_CTA) && !tc_comes_before(cx, x, s))
            return false;
    }
    return true;
}

static bool is_setup(tc_cx *cx, const tc_site *s) { return s->event->kind == TC_EV_WRITE && is_before_looks(cx, s); }

// It puts the first value there, which is one for the block.
static bool set_up(tc_cx *cx, tc_signal *g, const tc_site *s) {
    tc_t v = s->event->value && s->event->value->sort == TC_INT ? tc_settle(cx, s->event->value) : NULL;
    if (!v || v->variance > TC_VAR_BLOCK || !is_whole(cx, g, s))
        return false;
    v = tc_signal_reads(cx, g, v);
    bool same = !g->first || g->first == v;
    g->first = v;
    return same;
}

static bool send(tc_cx *cx, tc_signal *g, const tc_site *s) {
    const tc_event *e = s->event;
    if (!tc_is_atomic(e) || e->scope < TC_SCOPE_CTA || e->loop != TC_NONE || !is_whole(cx, g, s))
        return false;
    tc_sent sent = {.event = e, .place = s->offset, .done = s->guard};
    tc_t v = tc_value_sent(cx, e);
    sent.value = v && tc_has_one_value(cx, v) ? tc_signal_reads(cx, g, v) : NULL;
    tc_push(cx->arena, &g->sent, sent);
    return tc_has_one_value(cx, sent.place) && tc_has_one_value(cx, sent.done);
}

// All that is written to the object; what is sent comes behind a barrier that stands behind what sets it up.
static bool collect(tc_cx *cx, tc_signal *g) {
    tc_sites setup = {0};
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->object != g->object || !tc_changes(cx, s->event))
            continue;
        bool before = is_setup(cx, s);
        if (before)
            tc_push(cx->arena, &setup, *s);
        if (before ? !set_up(cx, g, s) : !send(cx, g, s))
            return false;
    }
    for (size_t i = 0; i < setup.len; i++)
        for (size_t k = 0; k < g->sent.len; k++) {
            tc_site sent = tc_point_site(cx, g->sent.data[k].event, g->sent.data[k].done);
            if (!tc_comes_before(cx, &setup.data[i], &sent))
                return false;
        }
    return setup.len > 0 && g->sent.len > 0;
}

// ---- two threads ----

static void push_sent(tc_cx *cx, tc_two *w, tc_tvec *h, const tc_sent *s, int which) {
    tc_site at = tc_point_site(cx, s->event, s->done);
    tc_tvec known = {0};
    tc_hyps_site(cx, &known, &at);
    for (size_t i = 0; i < known.len; i++)
        tc_hyps_push(cx, h, tc_two_at(w, known.data[i], which));
}

// Two threads never both come to the two, where these terms of theirs agree.
static bool never_both(tc_cx *cx, const tc_sent *a, const tc_sent *b, tc_t x, tc_t y) {
    tc_two w = tc_two_new(cx, TC_TEAM_BLOCK, TC_NONE, TC_NONE, TC_NONE);
    tc_tvec h = {0};
    push_sent(cx, &w, &h, a, 1);
    push_sent(cx, &w, &h, b, 2);
    tc_hyps_push(cx, &h, tc_two_threads(&w));
    tc_hyps_push(cx, &h, tc_eq(cx->ts, tc_two_at(&w, x, 1), tc_two_at(&w, y, 2)));
    return tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

static bool are_flags(tc_cx *cx, const tc_signal *g) {
    for (size_t i = 0; i < g->sent.len; i++)
        for (size_t k = i; k < g->sent.len; k++)
            if (!never_both(cx, &g->sent.data[i], &g->sent.data[k], g->sent.data[i].place, g->sent.data[k].place))
                return false;
    return true;
}

// ---- counters ----

static const tc_sent *addition_of(tc_cx *cx, const tc_signal *g) {
    const tc_event *e = g->sent.data[0].event;
    bool adds_one = e->kind == TC_EV_ATOMIC && e->added && tc_constant_or(cx, e->added, 0) == 1;
    return adds_one && g->sent.len == 1 && g->sent.data[0].place->variance <= TC_VAR_BLOCK ? &g->sent.data[0] : NULL;
}

// One more signal, where no more than count threads add: ranks are below it, and no two of these have one.
static void with_count(tc_cx *cx, tc_signals *all, const tc_signal *g, const tc_sent *add, tc_t rank, tc_t count) {
    tc_terms *ts = cx->ts;
    unsigned width = (unsigned)g->bytes * 8;
    tc_t hi = tc_int(ts, g->is_signed ? tc_pow2(width - 1) - 1 : tc_pow2(width) - 1);
    tc_t lo = tc_int(ts, g->is_signed ? -tc_pow2(width - 1) : 0);
    tc_t below = tc_and(ts, tc_le(ts, tc_int(ts, 0), rank), tc_lt(ts, rank, count));
    tc_t fits = tc_and(ts, tc_le(ts, lo, g->first), tc_le(ts, tc_add(ts, g->first, count), hi));
    tc_site at = tc_point_site(cx, add->event, add->done);
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, &at);
    if (count->variance > TC_VAR_BLOCK || !tc_try_all(cx, &h, below) || !tc_try_all(cx, &h, fits) ||
        !never_both(cx, add, add, rank, rank))
        return;
    tc_signal made = *g;
    made.count = count;
    tc_push(cx->arena, all, made);
}

enum { most_bounds = 4 };

typedef struct bounds {
    tc_t of[most_bounds];
    size_t n;
} bounds;

static void add_bound(bounds *b, tc_t t) {
    if (b->n < most_bounds)
        b->of[b->n++] = t;
}

// What left >= 0 says of number * each, if it does: from where on, or below what.
static void read_bound(tc_cx *cx, tc_t left, tc_t number, tc_t each, bounds *low, bounds *high) {
    tc_terms *ts = cx->ts;
    tc_t from = tc_sub(ts, number, left), last = tc_add(ts, number, left);
    if (from->variance <= TC_VAR_BLOCK)
        add_bound(low, tc_mul(ts, from, each));
    else if (last->variance <= TC_VAR_BLOCK)
        add_bound(high, tc_mul(ts, tc_addc(ts, last, 1), each));
}

// Guesses: the threads, or one of each warp, from some number on, below another one: as the condition says, or all.
static void find_counters(tc_cx *cx, tc_signals *all, tc_signal *g, const tc_sent *add) {
    tc_terms *ts = cx->ts;
    tc_t one = tc_int(ts, 1), lanes = tc_int(ts, 32);
    tc_t thread = tc_settle(cx, tc_linear_thread(cx)), warp = tc_div(ts, thread, lanes);
    bounds low = {{tc_int(ts, 0)}, 1}, high = {{tc_settle(cx, tc_block_threads(cx))}, 1};
    const tc_t *parts = add->done->op == TC_T_AND ? add->done->args : &add->done;
    for (uint32_t i = 0; i < (add->done->op == TC_T_AND ? add->done->nargs : 1); i++) {
        bool negated = parts[i]->op == TC_T_NOT;
        tc_t t = negated ? parts[i]->args[0] : parts[i];
        if (t->op != TC_T_LE)
            continue;
        tc_t less = tc_sub(ts, t->args[0], t->args[1]), left = negated ? tc_addc(ts, less, -1) : tc_neg(ts, less);
        read_bound(cx, left, thread, one, &low, &high);
        read_bound(cx, left, warp, lanes, &low, &high);
    }
    for (size_t i = 0; i < low.n; i++)
        for (size_t k = 0; k < high.n; k++) {
            tc_t from = tc_div(ts, low.of[i], lanes), end = tc_div(ts, tc_addc(ts, high.of[k], 31), lanes);
            with_count(cx, all, g, add, tc_sub(ts, thread, low.of[i]), tc_sub(ts, high.of[k], low.of[i]));
            with_count(cx, all, g, add, tc_sub(ts, warp, from), tc_sub(ts, end, from));
        }
}

// ---- looks ----

// SOUND: what a look finds was written, as TC2005 shows of each load that decides something; of others nothing is said.
static void add_looks(tc_cx *cx, tc_signal *g, const tc_map *deciding) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        const tc_event *e = s->event;
        if (!tc_is_look(cx, e, g->object, TC_SCOPE_CTA) || !tc_map_has(deciding, TC_KEY(e)) || !is_whole(cx, g, s))
            continue;
        tc_look k = {.event = e, .end = tc_look_end(cx, e), .own = true, .place = s->offset, .done = s->guard};
        if (!k.end)
            continue;
        k.value = tc_signal_reads(cx, g, e->value);
        k.when = tc_settle(cx, k.end->guard);
        k.then = e->loop == TC_NONE ? tc_bool(cx->ts, true) : tc_settle(cx, cx->model->loops.data[e->loop].leaves);
        tc_push(cx->arena, &g->looks, k);
    }
}

static void find_in(tc_cx *cx, tc_signals *all, uint32_t object, const tc_map *deciding) {
    tc_signal g = {.object = object};
    for (size_t i = 0; i < cx->sites.len && g.bytes == 0; i++)
        if (tc_is_look(cx, cx->sites.data[i].event, object, TC_SCOPE_CTA)) {
            g.bytes = cx->sites.data[i].bytes;
            g.is_signed = tc_is_read_signed(cx->sites.data[i].event);
        }
    if (g.bytes < 1 || g.bytes > 8 || !collect(cx, &g))
        return;
    add_looks(cx, &g, deciding);
    if (g.looks.len == 0)
        return;
    const tc_sent *add = addition_of(cx, &g);
    if (add) {
        // SOUND: as of looks, of what the addition found something is said only where it decides something.
        bool draws = tc_map_has(deciding, TC_KEY(add->event)) && add->event->value->op == TC_T_SYM;
        g.ticket = draws ? tc_signal_reads(cx, &g, add->event->value) : NULL;
        find_counters(cx, all, &g, add);
    }
    if (are_flags(cx, &g))
        tc_push(cx->arena, all, g);
}

void tc_find_thread_signals(tc_cx *cx, const tc_map *deciding) {
    tc_signals *all = TC_NEW(cx->arena, tc_signals);
    for (uint32_t i = 0; i < cx->model->objects.len; i++)
        if (is_shared(cx, i) && !tc_hole_may_touch(cx->model, i))
            find_in(cx, all, i, deciding);
    cx->thread_signals = all->len > 0 ? all : NULL;
}
