// Conversions and unsigned arithmetic in the contract, of casts and of the functions that it calls, which change no value.
//
// C reduces them modulo 2^w, and so do the terms. What is never out of range, by the contract's facts, need not stand in them as such:
// the rules know more of a sum than of its remainder.
//
// SOUND: for the launches, blocks and tiles that there are, the node is its argument; nothing is asked about others.
#include "checker/rules.h"

typedef struct nodes {
    tc_cx *cx;
    tc_map seen;
    tc_tvec all; // arguments before what is built of them
} nodes;

static void meet(void *ctx, tc_t t) {
    nodes *n = ctx;
    if (t->op != TC_T_WRAP || tc_map_has(&n->seen, TC_KEY(t)))
        return;
    tc_map_put(n->cx->arena, &n->seen, TC_KEY(t), n);
    tc_push(n->cx->arena, &n->all, t);
}

static void visit(nodes *n, tc_t t) {
    if (t)
        tc_walk(n->cx->ts, t, meet, n);
}

static void visit_object(nodes *n, const tc_object_contract *o) {
    for (unsigned d = 0; d < o->ndims; d++) {
        const tc_t all[] = {o->shape[d], o->stride[d], o->tile[d], o->at[d]};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            visit(n, all[i]);
    }
    const tc_t all[] = {o->owner, o->rows_lo, o->rows_hi, o->align, o->range_lo, o->range_hi, o->init};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        visit(n, all[i]);
}

// The condition under which the node changes nothing.
static tc_t fits(tc_cx *cx, tc_t node) {
    unsigned w = tc_wrap_width(node);
    tc_i128 lo = tc_wrap_signed(node) ? -tc_pow2(w - 1) : 0;
    return tc_in_range(cx->ts, tc_settle(cx, node->args[0]), lo, lo + tc_pow2(w) - 1);
}

static bool changes_nothing(tc_cx *cx, tc_t node) {
    tc_tvec h = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &h, cx->facts.data[i]);
    tc_hyps_tiles(cx, &h);
    return tc_try_all(cx, &h, fits(cx, node));
}

tc_tvec tc_settle_wraps(tc_cx *cx) {
    nodes n = {.cx = cx};
    tc_tvec found = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        visit(&n, cx->facts.data[i]);
    for (size_t i = 0; i < cx->contract->objects.len; i++)
        visit_object(&n, &cx->objects[i]);
    for (size_t i = 0; i < n.all.len; i++) {
        tc_t node = n.all.data[i];
        if (!changes_nothing(cx, node))
            continue;
        tc_t to = tc_settle(cx, node->args[0]);
        tc_push(cx->arena, &found, fits(cx, node));
        tc_map_put(cx->arena, &cx->fixed, TC_KEY(node), (void *)(uintptr_t)to);
        tc_map_put(cx->arena, &cx->settled, TC_KEY(node), (void *)(uintptr_t)to);
    }
    return found;
}
