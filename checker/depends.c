// What proofs lean on beyond what their rule says: stored values are those at launch only where nobody writes the
// object, and mean something only where the load was in bounds.
#include "checker/handed.h"

static bool backs_contents(const tc_obligation *on, uint32_t object) {
    if (on->object != object)
        return false;
    return on->rule == TC_RULE_TC1003 || (on->rule == TC_RULE_TC2001 && on->event && tc_event_reads(on->event));
}

// SOUND: what comes behind a call of nothing is not looked at.
static void lean_on_calls(tc_cx *cx) {
    tc_obligations *obs = &cx->result->obligations;
    for (size_t k = 0; k < obs->len; k++) {
        const tc_check *c = obs->data[k].check;
        for (size_t i = 0; c && c->kind == TC_CK_CALL && tc_is_false(c->cond) && i < obs->len; i++)
            if (i != k)
                tc_depend(cx, &obs->data[i], (uint32_t)k);
    }
}

// Copies of one value, where these are no conflict (same_value.c).
static void use_sources(tc_cx *cx, tc_obligation *ob) {
    const bool copies = ob->event && ob->other && ob->event->kind == TC_EV_WRITE && ob->other->kind == TC_EV_WRITE;
    if (cx->options->same_value && copies && ob->event->from != TC_NONE && ob->event->from == ob->other->from)
        tc_push(cx->arena, &ob->uses, ob->event->from);
}

// SOUND: on nobody else coming to the object between a thread's access and its load.
static bool keeps_others_away(const tc_obligation *on, uint32_t object) {
    static const tc_rule rules[] = {TC_RULE_TC1001, TC_RULE_TC1002, TC_RULE_TC1003, TC_RULE_TC1004,
                                    TC_RULE_TC1006, TC_RULE_TC3001, TC_RULE_TC3003};
    for (size_t i = 0; on->object == object && i < sizeof rules / sizeof *rules; i++)
        if (on->rule == rules[i])
            return true;
    return false;
}

static void lean_on_read_back(tc_cx *cx, size_t i) {
    tc_obligations *obs = &cx->result->obligations;
    for (size_t u = 0; u < obs->data[i].read_back.len; u++)
        for (size_t k = 0; k < obs->len; k++)
            if (k != i && keeps_others_away(&obs->data[k], obs->data[i].read_back.data[u]))
                tc_depend(cx, &obs->data[i], (uint32_t)k);
}

void tc_link_dependencies(tc_cx *cx) {
    tc_obligations *obs = &cx->result->obligations;
    lean_on_calls(cx);
    for (size_t i = 0; i < obs->len; i++) {
        tc_lean_on_tickets(cx, &obs->data[i]);
        tc_lean_on_stored(cx, &obs->data[i]);
        tc_lean_on_votes(cx, &obs->data[i]);
        tc_lean_on_thread_handed(cx, &obs->data[i]);
        use_sources(cx, &obs->data[i]);
        lean_on_read_back(cx, i);
    }
    for (size_t i = 0; i < obs->len; i++)
        for (size_t u = 0; u < obs->data[i].uses.len; u++)
            for (size_t k = 0; k < obs->len; k++)
                if (k != i && backs_contents(&obs->data[k], obs->data[i].uses.data[u]))
                    tc_depend(cx, &obs->data[i], (uint32_t)k);
}
