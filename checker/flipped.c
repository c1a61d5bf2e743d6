// Barriers of the grid that a kernel makes of a counter whose uppermost bit changes when all blocks have come.
//
//     add = blockIdx.x == 0 ? 0x80000000 - (gridDim.x - 1) : 1;
//     old = atomicAdd(count, add);
//     while (((old ^ load(count)) & 0x80000000) == 0)
//         ;
//
// SOUND: by induction over the rounds. All that is written to the counter is arrivals, and all blocks together add 2^31 in a
// round, which begins where the lower 31 bits are 0. Some of the blocks, but not all, add from 1 to gridDim - 1, or from 2^31 -
// (gridDim - 1) to 2^31 - 1: as long as not all have come the bit is what it was. A block that has come waits for the other bit,
// and comes to no next round before; so the bit that it finds when it arrives is that of the round before, and it does not change
// back while the block waits.
#include "checker/madei.h"

static tc_t bits_of(tc_cx *cx, tc_t value) { return tc_wrap(cx->ts, tc_settle(cx, value), 32, false); }

static tc_t is_upper(tc_cx *cx, tc_t value) { return tc_le(cx->ts, tc_int(cx->ts, tc_pow2(31)), bits_of(cx, value)); }

static bool find_parts(tc_cx *cx, const tc_made_place *p, const tc_event *arrival, tc_made *m) {
    tc_made_span s;
    *m = (tc_made){.arrives = arrival};
    bool found = arrival->kind == TC_EV_ATOMIC && arrival->added && arrival->scope >= TC_SCOPE_GPU && arrival->value &&
           arrival->value->op == TC_T_SYM && tc_made_at(cx, p, arrival) && tc_one_thread(cx, &arrival, 1, &m->thread) &&
           tc_made_find_before(cx, m) && tc_made_find_look(cx, p, m) && tc_made_find_behind(cx, m) && tc_made_always_waits(cx, m);
    m->fenced = found && (tc_made_is_ordered(cx, m, false, &s) || tc_made_is_ordered(cx, m, true, &s));
    return found && (m->fenced || tc_made_lacks_fences(cx, m));
}

// One block adds what is missing from 2^31, the others 1.
static bool adds_its_share(tc_cx *cx, tc_made *m) {
    tc_terms *ts = cx->ts;
    const tc_event *a = m->arrives;
    tc_t first = tc_bool(ts, true), added = bits_of(cx, a->added);
    tc_t rest = tc_sub(ts, tc_int(ts, tc_pow2(31) + 1), tc_made_blocks(cx));
    for (int d = 0; d < 3; d++)
        first = tc_and(ts, first, tc_eq(ts, cx->contract->syms.block_idx[d], tc_int(ts, 0)));
    return tc_made_show(cx, m, a->guard, a->loop, a->point, first, tc_eq(ts, added, rest)) &&
           tc_made_show(cx, m, a->guard, a->loop, a->point, tc_not(ts, first), tc_eq(ts, added, tc_int(ts, 1)));
}

static bool opens_when_flipped(tc_cx *cx, tc_made *m) {
    tc_terms *ts = cx->ts;
    tc_t always = tc_bool(ts, true), old = is_upper(cx, m->arrives->value), now = is_upper(cx, m->look->value);
    tc_t differ = tc_and(ts, tc_or(ts, old, now), tc_or(ts, tc_not(ts, old), tc_not(ts, now)));
    return tc_made_show(cx, m, always, TC_NONE, 0, always, tc_le(ts, tc_made_blocks(cx), tc_int(ts, tc_pow2(31)))) &&
           tc_made_show_left(cx, m, differ);
}

bool tc_made_by_flip(tc_cx *cx, const tc_made_place *p, tc_mades *found) {
    if (p->bytes != 4 || tc_constant_or(cx, tc_mod(cx->ts, tc_made_first(cx, p), tc_int(cx->ts, tc_pow2(31))), 1) != 0)
        return false;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->object != p->object || !tc_changes(cx, e) || tc_made_elsewhere(cx, p, e))
            continue;
        tc_made m;
        if (!find_parts(cx, p, e, &m) || !adds_its_share(cx, &m) || !opens_when_flipped(cx, &m))
            return false;
        tc_push(cx->arena, found, m);
    }
    return found->len > 0;
}
