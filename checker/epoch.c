// Accesses of two blocks where the grid has barriers: each begins an epoch, and in each epoch the blocks are to be apart.
//
// Where all threads of all blocks reach each barrier of the grid, in the same iterations of the loops around it (TC3002), the whole
// launch goes through one sequence of them, and what lies before one of these is over when what lies behind it begins. So two
// accesses are asked about as those of two threads of one block are (order.c): with values that the whole launch has in common as
// one, and with barriers of the grid alone.
//
// SOUND: a block's own barriers order nothing here; values that only the threads of a block agree on are two.
#include "checker/order.h"

static bool decide_meeting(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_meeting *m) {
    tc_two w;
    ob->hyps.len = 0;
    if (!tc_hyps_unordered(cx, a, b, m, TC_TEAM_GRID, &w, &ob->hyps)) {
        tc_verdict_proved(ob, TC_RUNG_TRIVIAL, ob->rlimit);
        return true;
    }
    tc_view v = tc_view_threads(&w);
    tc_hyps_push(cx, &ob->hyps, tc_two_blocks(&w));
    tc_hyps_two_tickets(cx, &ob->hyps, a, b, &v);
    tc_hyps_two_values(cx, &ob->hyps, a, b, &v);
    tc_hyps_contents(cx, &ob->hyps, tc_add(cx->ts, tc_seen(&v, a->offset, 1), tc_seen(&v, b->offset, 2)));
    for (size_t i = 0; i < ob->hyps.len; i++)
        tc_note_uses(cx, ob, ob->hyps.data[i]);
    tc_t meet = tc_elements_meet(cx, ob, &v, a, b);
    if (!meet && tc_disjoint_bytes(cx, ob, &v, &ob->hyps, a, b))
        return true;
    tc_hyps_push(cx, &ob->hyps, meet ? meet : tc_bytes_meet(cx, &v, a, b));
    ob->goal = tc_bool(cx->ts, false);
    return tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->ones.data, cx->ones.len);
}

bool tc_decide_in_epochs(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b) {
    if (!cx->alike_in_grid)
        return false;
    tc_meetings ms = tc_meetings_of(cx, a, b);
    tc_rung rung = TC_RUNG_TRIVIAL;
    for (size_t i = 0; i < ms.len; i++) {
        if (!decide_meeting(cx, ob, a, b, &ms.data[i]))
            return false;
        rung = ob->rung > rung ? ob->rung : rung;
    }
    tc_verdict_proved(ob, rung, ob->rlimit);
    if (ob->preconditions.len > 0)
        tc_verdict_proved_if(cx->arena, ob, ob->preconditions.data[0]);
    tc_lean_on_barriers(cx, ob);
    return true;
}
