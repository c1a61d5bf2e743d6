// TC1003: what is shared is not written. TC1006: what is atomic is touched by atomics alone, of the device's scope at
// least. An access behind all atomics of the launch, by the last block that comes, may be a plain one (handed.c), and so may one that sets
// a counter back between two rounds (gated.c).
#include "checker/handed.h"
#include "checker/made.h"

static void never(tc_cx *cx, tc_rule rule, const tc_site *s, const char *claim) {
    tc_obligation ob = tc_site_obligation(cx, rule, s, claim);
    ob.goal = tc_bool(cx->ts, false);
    tc_decide(cx, &ob);
    tc_oblige(cx, &ob);
}

void tc_rule_shared(tc_cx *cx) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->borrow != TC_BORROW_SHARED || !tc_event_writes(s->event))
            continue;
        never(cx, TC_RULE_TC1003, s,
              tc_fmt(cx->arena, "this write of '%s', which is shared, never happens", tc_object_name(cx, s->object)));
    }
}

static void never_plain(tc_cx *cx, const tc_site *s) {
    const char *claim = tc_fmt(cx->arena, "this plain access to '%s', which is atomic, never happens", tc_object_name(cx, s->object));
    bool behind = tc_sets_made_back(cx, s->event);
    for (size_t i = 0; cx->signals && i < cx->signals->len && !behind; i++)
        behind = tc_is_after_all(cx, &cx->signals->data[i], s);
    if (!behind) {
        never(cx, TC_RULE_TC1006, s, claim);
        return;
    }
    tc_obligation ob = tc_site_obligation(cx, TC_RULE_TC1006, s, claim);
    tc_verdict_proved(&ob, TC_RUNG_TRIVIAL, 0);
    tc_lean_on_handed(cx, &ob);
    tc_lean_on_no_wrap(cx, &ob);
    tc_oblige(cx, &ob);
}

// Blocks other than its own see it as no atomic operation.
static void only_in_one_block(tc_cx *cx, const tc_site *s, const char *name) {
    const char *claim = tc_fmt(cx->arena, "this atomic on '%s', whose scope is smaller than the device, happens in no grid of several blocks", name);
    tc_obligation ob = tc_site_obligation(cx, TC_RULE_TC1006, s, claim);
    ob.goal = tc_bool(cx->ts, true);
    for (unsigned d = 0; d < 3; d++)
        ob.goal = tc_and(cx->ts, ob.goal, tc_eq(cx->ts, tc_settle(cx, cx->contract->syms.grid_dim[d]), tc_int(cx->ts, 1)));
    if (!tc_decide(cx, &ob))
        tc_decide_if(cx, &ob, cx->ones.data, cx->ones.len);
    tc_oblige(cx, &ob);
}

void tc_rule_atomic(tc_cx *cx) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->borrow != TC_BORROW_ATOMIC)
            continue;
        const char *name = tc_object_name(cx, s->object);
        if (!tc_is_atomic(s->event))
            never_plain(cx, s);
        else if (s->event->scope < TC_SCOPE_GPU)
            only_in_one_block(cx, s, name);
    }
}
