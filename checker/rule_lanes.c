// TC3004: a shuffle takes values from lanes that its mask names and that are there.
//
// That all lanes of the mask come is TC3002. So with a mask of the whole warp only lanes are missing that do not exist: in the last
// warp of a block whose threads are no multiple of 32. With a part of the warp, the lane that each one reads from has to be one of it.
#include "checker/effects.h"
#include "checker/order.h"

static bool is_known(tc_t t) { return t && tc_is_const(t); }

// PTX ISA, shfl.sync: where lane l reads from; its own value where that is out of the segment.
static uint32_t source(uint32_t mode, uint32_t l, uint32_t b, uint32_t c) {
    uint32_t segment = c >> 8 & 31, clamp = c & 31;
    uint32_t top = (l & segment) | (clamp & ~segment), bottom = l & segment;
    int64_t from;
    switch ((tc_shuffle_mode)mode) {
    case TC_SHFL_UP:
        from = (int64_t)l - (b & 31);
        return from >= (int64_t)top ? (uint32_t)from : l;
    case TC_SHFL_DOWN:
        from = (int64_t)l + (b & 31);
        break;
    case TC_SHFL_BFLY:
        from = l ^ (b & 31);
        break;
    case TC_SHFL_IDX:
    default:
        from = bottom | (b & 31 & ~segment);
    }
    return from <= (int64_t)top ? (uint32_t)from : l;
}

static bool stays_in_mask(const tc_event *e, uint32_t mask) {
    for (uint32_t l = 0; l < 32; l++)
        if (mask >> l & 1 && !(mask >> source(e->exchange - 1, l, (uint32_t)e->lane[0]->value, (uint32_t)e->lane[1]->value) & 1))
            return false;
    return true;
}

// The last lane that has to be there, in the warp of a thread that comes.
static tc_t lane_exists(tc_cx *cx, uint32_t lane) {
    tc_terms *ts = cx->ts;
    tc_t linear = tc_linear_thread(cx), first = tc_sub(ts, linear, tc_mod(ts, linear, tc_int(ts, 32)));
    return tc_lt(ts, tc_addc(ts, first, lane), tc_block_threads(cx));
}

static tc_t whole_warps(tc_cx *cx) {
    return tc_eq(cx->ts, tc_mod(cx->ts, tc_block_threads(cx), tc_int(cx->ts, 32)), tc_int(cx->ts, 0));
}

// Where no block is declared: that its first dimension is made of whole warps.
static bool decide_if_whole(tc_cx *cx, tc_obligation *ob) {
    TC_VEC(tc_fact) facts = {0};
    tc_t x = tc_settle(cx, cx->contract->syms.block_dim[0]);
    if (cx->contract->has_block)
        return false;
    tc_fact whole = {tc_eq(cx->ts, tc_mod(cx->ts, x, tc_int(cx->ts, 32)), tc_int(cx->ts, 0)), "blockDim.x % 32 == 0",
                     cx->contract->kernel->loc};
    tc_push(cx->arena, &facts, whole);
    for (size_t i = 0; i < cx->block_ones.len; i++)
        tc_push(cx->arena, &facts, cx->block_ones.data[i]);
    return tc_decide_if(cx, ob, facts.data, facts.len);
}

static void decide(tc_cx *cx, tc_obligation *ob, const tc_event *e) {
    if (!is_known(e->operand[0])) {
        tc_verdict_unknown(ob, "the mask is no constant, and is not followed");
        return;
    }
    uint32_t mask = (uint32_t)e->operand[0]->value, last = 31;
    bool fixed = is_known(e->lane[0]) && is_known(e->lane[1]);
    if (mask == 0 || (mask != UINT32_MAX && (!fixed || !stays_in_mask(e, mask)))) {
        tc_verdict_unknown(ob, fixed ? tc_fmt(cx->arena, "lanes of the mask 0x%x read from lanes that it does not name", mask)
                                     : "the mask is not of the whole warp, and the lane is no constant");
        return;
    }
    while (!(mask >> last & 1))
        last--;
    if (mask == UINT32_MAX && fixed && e->exchange - 1 == TC_SHFL_IDX && (e->lane[1]->value >> 8 & 31) == 0)
        last = (uint32_t)e->lane[0]->value & 31; // one lane for all
    tc_hyps_at(cx, &ob->hyps, e->guard, e->loop, e->point);
    ob->goal = last == 31 ? whole_warps(cx) : lane_exists(cx, last);
    if (!tc_decide(cx, ob) && !decide_if_whole(cx, ob))
        tc_verdict_unknown(ob, "not shown that the last warp of the block is whole: lanes that are not there give no value");
}

void tc_rule_lanes(tc_cx *cx) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!e->exchange)
            continue;
        tc_obligation ob = tc_obligation_start(TC_RULE_TC3004, e->loc, "each lane takes a value from one that the mask names");
        ob.event = e;
        ob.object = TC_NONE;
        ob.contract = -1;
        decide(cx, &ob, e);
        tc_lean_on_barriers(cx, &ob);
        tc_oblige(cx, &ob);
    }
}
