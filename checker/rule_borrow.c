// TC1003: what is shared is not written. TC1006: what is atomic is touched by atomics alone, of the device's scope at
// least.
#include "checker/rules.h"

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

// Also a load or a store with an order and a scope (PTX ISA, "Operation types": a strong one). Volatile ones are no more than plain.
static bool is_atomic(const tc_event *e) { return e->kind == TC_EV_ATOMIC || (e->order != TC_ORD_PLAIN && !e->is_volatile); }

void tc_rule_atomic(tc_cx *cx) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->borrow != TC_BORROW_ATOMIC)
            continue;
        const char *name = tc_object_name(cx, s->object);
        if (!is_atomic(s->event))
            never(cx, TC_RULE_TC1006, s,
                  tc_fmt(cx->arena, "this plain access to '%s', which is atomic, never happens", name));
        else if (s->event->scope < TC_SCOPE_GPU)
            never(
                cx, TC_RULE_TC1006, s,
                tc_fmt(cx->arena, "this atomic on '%s', whose scope is smaller than the device, never happens", name));
    }
}
