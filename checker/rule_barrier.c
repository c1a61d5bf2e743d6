// TC3002: each barrier of the block is reached by all of its threads, in the same iterations of the loops around it.
//
// From outside in: all threads enter each loop around it or none, leave it in the same iteration, and reach the barrier in the
// same ones.
#include "checker/order.h"

static tc_obligation start(tc_cx *cx, const tc_event *e) {
    tc_obligation ob = tc_obligation_start(TC_RULE_TC3002, e->loc, "all threads of the block reach this barrier together");
    ob.event = e;
    ob.object = TC_NONE;
    ob.contract = -1;
    (void)cx;
    return ob;
}

// What one part of the argument needs is what the whole needs.
static bool take_part(tc_cx *cx, tc_obligation *ob, tc_t cond, uint32_t loop, uint32_t point) {
    tc_obligation part = *ob;
    bool shown = tc_decide_alike(cx, &part, cond, loop, point);
    if (shown && part.preconditions.len > 0)
        tc_verdict_proved_if(cx->arena, &part, part.preconditions.data[0]);
    part.rung = part.rung > ob->rung ? part.rung : ob->rung;
    *ob = part;
    return shown;
}

static bool take_loops(tc_cx *cx, tc_obligation *ob, uint32_t loop) {
    if (loop == TC_NONE)
        return true;
    const tc_loop *l = &cx->model->loops.data[loop];
    if (!take_loops(cx, ob, l->parent) || !take_part(cx, ob, l->guard, l->parent, l->first))
        return false;
    if (tc_runs_alike(cx, loop))
        return true;
    if (l->leaves)
        take_part(cx, ob, l->leaves, loop, l->first);
    tc_verdict_unknown(ob, tc_fmt(cx->arena, "not shown that all threads leave the loop at line %u in the same iteration", l->loc.line));
    return false;
}

static const char *unfit(const tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; i < cx->model->holes.len; i++)
        if (cx->model->holes.data[i].effect & TC_HOLE_SYNC)
            return tc_fmt(cx->arena, "%s, line %u, is not modelled", cx->model->holes.data[i].what, cx->model->holes.data[i].loc.line);
    if (cx->model->ends_threads)
        return "some code ends its thread, which is not followed here";
    return tc_is_block_barrier(e) ? NULL : "a barrier of some of the block's threads, which is not followed here";
}

void tc_rule_barrier(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->kind != TC_EV_BARRIER && e->kind != TC_EV_ARRIVE)
            continue;
        tc_obligation ob = start(cx, e);
        const char *why = unfit(cx, e);
        if (why)
            tc_verdict_unknown(&ob, why);
        else if (take_loops(cx, &ob, e->loop))
            take_part(cx, &ob, e->guard, e->loop, e->point);
        tc_note_barrier(cx, tc_oblige(cx, &ob));
    }
}
