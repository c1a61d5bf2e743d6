// lockstep=N: each N consecutive threads of a block execute an instruction together, and then the next one.
//
// Warps once did, and old code relies on it. Accesses of two of them at two instructions, or in two iterations, are then ordered.
#include "checker/order.h"

static tc_t group_of(tc_two *w, int which) {
    tc_cx *cx = w->cx;
    return tc_two_at(w, tc_div(cx->ts, tc_linear_thread(cx), tc_int(cx->ts, (tc_i128)cx->options->lockstep)), which);
}

// One instruction that several threads execute at once; or a copy, which is a loop of them.
static bool at_once(const tc_site *a, const tc_site *b, const tc_meeting *m) {
    return a->event->inst == b->event->inst && m->apart == TC_NONE;
}

// SOUND: where the two are of one group, the instruction that comes first in the program's order is over for all of it before the
// next one begins; of two sides of a branch the one goes after the other. What a thread reads is unknown in any case.
void tc_hyps_lockstep(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_meeting *m, tc_two *w) {
    if (cx->options->lockstep < 2 || at_once(a, b, m))
        return;
    tc_hyps_push(cx, h, tc_ne(cx->ts, group_of(w, 1), group_of(w, 2)));
}
