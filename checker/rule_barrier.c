// TC3002: each barrier of the block is reached by all of its threads, in the same iterations of the loops around it; one of the
// grid by all threads of all blocks; and each operation of a warp by all lanes that its mask names.
//
// From outside in: all threads enter each loop around it or none, leave it in the same iteration, and reach the barrier in the
// same ones.
#include "checker/made.h"

static tc_obligation start(const tc_event *e) {
    const char *claim = e->kind == TC_EV_WARP       ? "all lanes of the mask reach this together"
                        : tc_is_grid_barrier(e) ? "all threads of all blocks reach this barrier together"
                                                : "all threads of the block reach this barrier together";
    tc_obligation ob = tc_obligation_start(TC_RULE_TC3002, e->loc, claim);
    ob.event = e;
    ob.object = TC_NONE;
    ob.contract = -1;
    return ob;
}

// What one part of the argument needs is what the whole needs.
static bool take_part(tc_cx *cx, tc_obligation *ob, const tc_group *g, tc_t cond, uint32_t loop, uint32_t point) {
    tc_obligation part = *ob;
    bool shown = tc_decide_alike(cx, &part, g, cond, loop, point);
    if (shown && part.preconditions.len > 0)
        tc_verdict_proved_if(cx->arena, &part, part.preconditions.data[0]);
    part.rung = part.rung > ob->rung ? part.rung : ob->rung;
    *ob = part;
    return shown;
}

static bool take_loops(tc_cx *cx, tc_obligation *ob, const tc_group *g, uint32_t loop) {
    if (loop == TC_NONE)
        return true;
    const tc_loop *l = &cx->model->loops.data[loop];
    if (!take_loops(cx, ob, g, l->parent) || !take_part(cx, ob, g, l->guard, l->parent, l->first))
        return false;
    if (tc_runs_alike(cx, g, loop))
        return true;
    if (l->leaves)
        take_part(cx, ob, g, l->leaves, loop, l->first);
    static const char *const who[] = {
        [TC_TEAM_BLOCK] = "threads", [TC_TEAM_WARP] = "lanes", [TC_TEAM_GRID] = "threads of all blocks"};
    tc_verdict_unknown(ob, tc_fmt(cx->arena, "not shown that all %s leave the loop at line %u in the same iteration",
                                  who[g->team], l->loc.line));
    return false;
}

static const char *unfit(const tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; i < cx->model->holes.len; i++)
        if (cx->model->holes.data[i].effect & TC_HOLE_SYNC)
            return tc_fmt(cx->arena, "%s, line %u, is not modelled", cx->model->holes.data[i].what, cx->model->holes.data[i].loc.line);
    if (cx->model->ends_threads)
        return "some code ends its thread, which is not followed here";
    if (e->kind == TC_EV_WARP)
        return tc_is_const(e->operand[0]) ? NULL : "the mask is no constant, and is not followed";
    return tc_is_named_barrier(e) ? tc_named_unfit(cx) : NULL;
}

static void take_named(tc_cx *cx, tc_obligation *ob) {
    ob->claim = "in each round of this barrier exactly those threads come that it counts";
    tc_named_uses(cx, ob);
    tc_verdict_proved(ob, TC_RUNG_LINEAR, 0);
    tc_lean_on_no_wrap(cx, ob);
}

// Who executes it has to be named himself.
static bool take_caller(tc_cx *cx, tc_obligation *ob, const tc_event *e, const tc_group *g) {
    tc_obligation part = *ob;
    if (g->team != TC_TEAM_WARP || g->mask == UINT32_MAX)
        return true;
    part.hyps.len = 0;
    tc_hyps_at(cx, &part.hyps, e->guard, e->loop, e->point);
    part.goal = tc_lane_in_mask(cx, g->mask);
    bool shown = tc_decide(cx, &part);
    *ob = part;
    return shown;
}

static uint32_t decide(tc_cx *cx, const tc_event *e) {
    tc_obligation ob = start(e);
    const char *why = unfit(cx, e);
    bool warp = e->kind == TC_EV_WARP;
    tc_group g = {tc_is_grid_barrier(e) ? TC_TEAM_GRID : TC_TEAM_BLOCK, UINT32_MAX};
    if (warp)
        g = (tc_group){TC_TEAM_WARP, why ? UINT32_MAX : (uint32_t)e->operand[0]->value};
    if (why)
        tc_verdict_unknown(&ob, why);
    else if (tc_is_named_barrier(e))
        take_named(cx, &ob);
    else if (take_caller(cx, &ob, e, &g) && take_loops(cx, &ob, &g, e->loop))
        take_part(cx, &ob, &g, e->guard, e->loop, e->point);
    return tc_oblige(cx, &ob);
}

void tc_rule_barrier(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    TC_VEC(uint32_t) all = {0};
    tc_named_find(cx);
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (tc_is_left_out(cx, e))
            continue;
        if ((e->kind == TC_EV_WARP && e->operand[0]) || e->kind == TC_EV_BARRIER || e->kind == TC_EV_ARRIVE)
            tc_push(cx->arena, &all, decide(cx, e));
    }
    for (size_t i = 0; cx->made && i < cx->made->len; i++)
        if (cx->made->data[i].fenced)
            tc_push(cx->arena, &all, tc_oblige_made(cx, &cx->made->data[i]));
    // SOUND: that all come together says nothing once some wait for others elsewhere.
    for (size_t i = 0; i < all.len; i++)
        tc_note_barrier(cx, all.data[i]);
    for (size_t i = 0; i < all.len; i++)
        for (size_t k = 0; k < all.len; k++)
            tc_depend(cx, &cx->result->obligations.data[all.data[i]], k == i ? TC_NONE : all.data[k]);
}
