// TC1004: every write lies in the region of its block.
#include "checker/rules.h"

enum { max_elements = 16 };

// What is known of the elements once the access is shown to be in bounds.
static void push_inside(tc_cx *cx, tc_tvec *h, const tc_object_contract *o, const tc_t *index) {
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_hyps_push(cx, h, tc_le(cx->ts, tc_int(cx->ts, 0), index[d]));
        tc_hyps_push(cx, h, tc_lt(cx->ts, index[d], o->shape[d]));
    }
}

static tc_t owned_goal(tc_cx *cx, const tc_site *s, tc_tvec *h) {
    const tc_object_contract *o = s->contract;
    tc_t all = tc_bool(cx->ts, true);
    for (tc_i128 e = 0; e < s->index.count; e++) {
        tc_t index[TC_MAX_DIMS];
        tc_index_element(cx, o, &s->index, e, index);
        if (s->index.inside)
            push_inside(cx, h, o, index);
        tc_t owned = tc_contract_owned(cx->contract, o, index);
        all = tc_and(cx->ts, all, owned ? tc_settle(cx, owned) : tc_bool(cx->ts, true));
    }
    return all;
}

tc_obligation tc_owned_obligation(tc_cx *cx, tc_rule rule, tc_site *s) {
    const char *name = tc_object_name(cx, s->object);
    tc_obligation ob = tc_site_obligation(
        cx, rule, s, tc_fmt(cx->arena, "the %s '%s' stays in the block's region", tc_event_noun(s->event), name));
    tc_depend(cx, &ob, s->bounds);
    tc_depend(cx, &ob, cx->stride_lemma[ob.contract]);
    if (!s->index.exact) {
        tc_verdict_unknown(&ob, tc_fmt(cx->arena, "which element of '%s' is touched is not recognised", name));
        return ob;
    }
    if (s->index.count > max_elements) {
        tc_verdict_unknown(&ob, tc_fmt(cx->arena, "one operation touches too many elements of '%s'", name));
        return ob;
    }
    ob.goal = owned_goal(cx, s, &ob.hyps);
    if (!tc_decide(cx, &ob))
        tc_decide_if(cx, &ob, cx->ones.data, cx->ones.len);
    return ob;
}

static bool exclusive(const tc_site *s) {
    return s->borrow == TC_BORROW_MUT || s->borrow == TC_BORROW_OUT;
}

void tc_rule_owned(tc_cx *cx) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        tc_site *s = &cx->sites.data[i];
        if (!exclusive(s) || !tc_event_writes(s->event) || !s->contract || s->contract->region == TC_REGION_NONE)
            continue;
        tc_obligation ob = tc_owned_obligation(cx, TC_RULE_TC1004, s);
        s->owned = tc_oblige(cx, &ob);
    }
}
