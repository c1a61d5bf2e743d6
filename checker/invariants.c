// Candidate invariants of loops: those that are not inductive are dropped until the rest is (Flanagan and Leino,
// "Houdini, an annotation assistant for ESC/Java", FME 2001).
#include "checker/rules.h"

static bool shown(tc_cx *cx, tc_t guard, uint32_t loop, uint32_t point, tc_t cond) {
    tc_t goal = tc_settle(cx, cond);
    if (tc_is_true(goal))
        return true;
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, guard, loop, point);
    tc_hyps_contents(cx, &h, goal);
    return tc_try_all(cx, &h, goal);
}

static bool inductive(tc_cx *cx, uint32_t l, const tc_invariant *inv) {
    const tc_loop *loop = &cx->model->loops.data[l];
    return shown(cx, inv->entry_guard, loop->parent, loop->first, inv->entry_cond) &&
           shown(cx, inv->step_guard, l, loop->last + 1, inv->step_cond);
}

bool tc_drop_invariants(tc_cx *cx) {
    bool dropped = false;
    for (uint32_t l = 0; l < cx->model->loops.len; l++) {
        tc_loop *loop = &cx->model->loops.data[l];
        for (size_t i = 0; i < loop->invariants.len; i++) {
            tc_invariant *inv = &loop->invariants.data[i];
            if (!inv->holds || inductive(cx, l, inv))
                continue;
            inv->holds = false;
            dropped = true;
        }
    }
    return dropped;
}

void tc_report_invariants(tc_cx *cx) {
    for (size_t l = 0; l < cx->model->loops.len; l++) {
        const tc_loop *loop = &cx->model->loops.data[l];
        for (size_t i = 0; i < loop->invariants.len; i++) {
            const tc_invariant *inv = &loop->invariants.data[i];
            if (inv->declared && !inv->holds)
                tc_note_unknown(cx, inv->loc,
                                "this tc_invariant is not shown to hold on entry and after each iteration");
        }
    }
}
