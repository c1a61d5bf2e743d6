// Barriers, and waits for asynchronous copies, that no proof needs: everything about order is proved once more with one of them taken
// away.
//
// Each is tried alone: of two that do the same work each is redundant, but not both.
#include "checker/handed.h"
#include "checker/made.h"

enum { most_barriers = 16, most_pairs = 400 };

static bool holds(const tc_obligation *ob) { return ob->verdict == TC_PROVED || ob->verdict == TC_PROVED_IF; }

static bool is_about_order(const tc_obligation *ob) {
    return ob->rule == TC_RULE_TC3001 || ob->rule == TC_RULE_TC3002 || ob->rule == TC_RULE_TC3003;
}

// What a barrier gives beside order: a value of all threads, a ticket that is handed on, what makes a later one a barrier of the grid.
static bool gives_more(const tc_cx *cx, const tc_event *e) {
    if (e->value || tc_is_made_with(cx, e))
        return true;
    for (size_t i = 0; i < cx->tickets.len; i++)
        if (cx->tickets.data[i].relay != cx->tickets.data[i].object)
            return true;
    return false;
}

static bool is_barrier(const tc_event *e) {
    return tc_is_block_barrier(e) || (e->kind == TC_EV_WARP && e->order == TC_ORD_ACQ_REL) || e->kind == TC_EV_WAIT;
}

// Copies of one barrier, of an unrolled loop or a function called twice, are one. What a header's function does has the place of its call.
static bool is_same(const tc_event *a, const tc_event *b) {
    return a->inst == b->inst && a->loc.file == b->loc.file && a->loc.line == b->loc.line && a->loc.column == b->loc.column;
}

// SOUND: what is proved here is thrown away; only whether it was is told.
static bool proved_without(tc_cx *cx, const tc_event *e) {
    size_t before = cx->result->obligations.len;
    struct tc_alike *alike = cx->alike, *in_warp = cx->alike_in_warp, *in_grid = cx->alike_in_grid;
    struct tc_signals *signals = cx->signals, *thread_signals = cx->thread_signals;
    struct tc_locks *locks = cx->locks;
    cx->without = e;
    tc_solver_quick(cx->solver, true);
    tc_alike_find(cx);
    tc_rule_barrier(cx);
    if (locks)
        tc_find_locks(cx);
    if (thread_signals) { // what sets them up may need it
        tc_map loads = tc_deciding_loads(cx);
        tc_find_thread_signals(cx, &loads);
    }
    tc_rule_race(cx);
    if (signals) { // what blocks hand on may need it
        tc_find_signals(cx);
        tc_rule_atomic(cx);
    }
    if (signals || locks || tc_is_grid_barrier(e))
        tc_rule_overlap(cx);
    tc_solver_quick(cx->solver, false);
    bool all = true;
    for (size_t i = before; i < cx->result->obligations.len; i++)
        all &= holds(&cx->result->obligations.data[i]) && cx->result->obligations.data[i].preconditions.len == 0;
    cx->result->obligations.len = before;
    cx->without = NULL;
    cx->alike = alike;
    cx->alike_in_warp = in_warp;
    cx->signals = signals;
    cx->locks = locks;
    cx->thread_signals = thread_signals;
    cx->alike_in_grid = in_grid;
    return all;
}

bool tc_is_left_out(const tc_cx *cx, const tc_event *e) { return cx->without && is_same(cx->without, e); }

static bool is_first(const tc_kmodel *m, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (is_same(&m->events.data[k], &m->events.data[i]) && m->events.data[k].kind == m->events.data[i].kind)
            return false;
    return true;
}

void tc_find_redundant(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    size_t barriers = 0, pairs = 0;
    for (size_t i = 0; i < m->events.len; i++)
        barriers += is_barrier(&m->events.data[i]) && is_first(m, i);
    for (size_t i = 0; i < cx->result->obligations.len; i++) {
        pairs += is_about_order(&cx->result->obligations.data[i]);
        if (!holds(&cx->result->obligations.data[i]))
            return;
    }
    for (size_t i = 0; i < m->events.len && barriers <= most_barriers && pairs <= most_pairs; i++)
        if (is_barrier(&m->events.data[i]) && is_first(m, i) && !gives_more(cx, &m->events.data[i]) && proved_without(cx, &m->events.data[i]))
            tc_push(cx->arena, &cx->result->redundant, ((tc_redundant){m->events.data[i].loc, m->events.data[i].kind == TC_EV_WAIT}));
}
