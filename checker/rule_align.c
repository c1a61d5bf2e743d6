// TC2003: vector and asynchronous accesses are aligned to their width.
#include "checker/rules.h"

#include <string.h>

#include "checker/embed_terms.h"

static uint64_t base_align(tc_cx *cx, const tc_site *s) {
    const tc_object *obj = &cx->model->objects.data[s->object];
    uint64_t align = obj->align ? obj->align : 1;
    const tc_object_contract *o = s->contract;
    if (o && o->elem && o->elem->align > align)
        align = o->elem->align;
    if (o && o->align && tc_is_const(o->align) && o->align->value > (tc_i128)align)
        align = (uint64_t)o->align->value;
    return align;
}

// A member read through a pointer to an aligned type has the type's alignment in the IR, and needs that of its width.
static uint64_t needed_align(const tc_event *e) {
    uint64_t align = e->align;
    while (tc_is_const(e->width) && e->width->value > 0 && align > (uint64_t)e->width->value)
        align >>= 1;
    return align;
}

// The precondition that the launch has to meet; one symbol for each object and alignment.
static tc_fact aligned_base(tc_cx *cx, const tc_site *s, uint64_t align) {
    const char *text = tc_fmt(cx->arena, "the address of '%s' is a multiple of %llu", tc_object_name(cx, s->object),
                              (unsigned long long)align);
    for (size_t i = 0; i < cx->result->obligations.len; i++) {
        const tc_obligation *ob = &cx->result->obligations.data[i];
        if (ob->rule != TC_RULE_TC2003 || ob->object != s->object || ob->preconditions.len == 0)
            continue;
        for (size_t k = 0; k < ob->preconditions.len; k++)
            if (strcmp(ob->preconditions.data[k].text, text) == 0)
                return ob->preconditions.data[k];
    }
    uint32_t object = s->contract ? (uint32_t)(s->contract - cx->objects) : UINT32_MAX;
    return (tc_fact){tc_aligned_symbol(cx->ts, text, object, align), text, cx->model->objects.data[s->object].loc};
}

// The address itself is a multiple by what is known here: a test of it in the kernel. SOUND: a parameter has one address in a launch, so
// the symbol that stands for it in the test is the address of this access's object.
static bool by_address(tc_cx *cx, tc_obligation *ob, const tc_site *s, uint64_t align) {
    const tc_object *obj = &cx->model->objects.data[s->object];
    if (!obj->address || obj->space != TC_SPACE_GLOBAL || obj->variance != TC_VAR_LAUNCH)
        return false;
    tc_t at = tc_add(cx->ts, tc_settle(cx, obj->address), s->offset);
    tc_obligation tested = *ob;
    tested.hyps = (tc_tvec){0};
    tc_hyps_site(cx, &tested.hyps, s);
    tested.goal = tc_eq(cx->ts, tc_mod(cx->ts, at, tc_int(cx->ts, (tc_i128)align)), tc_int(cx->ts, 0));
    if (!tc_decide(cx, &tested))
        return false;
    *ob = tested;
    return true;
}

static void decide_base(tc_cx *cx, tc_obligation *ob, const tc_site *s, uint64_t align) {
    uint64_t base = base_align(cx, s);
    if (base % align == 0 || by_address(cx, ob, s, align))
        return;
    const tc_object *obj = &cx->model->objects.data[s->object];
    if (obj->space == TC_SPACE_GLOBAL && !obj->value) {
        tc_verdict_proved_if(cx->arena, ob, aligned_base(cx, s, align));
        return;
    }
    ob->goal = tc_bool(cx->ts, false);
    tc_verdict_unknown(ob, tc_fmt(cx->arena,
                                  "'%s' is aligned to %llu byte%s, the access needs %llu: declare it __align__(%llu)",
                                  tc_object_name(cx, s->object), (unsigned long long)base, base == 1 ? "" : "s",
                                  (unsigned long long)align, (unsigned long long)align));
}

static void align_site(tc_cx *cx, const tc_site *s) {
    uint64_t align = needed_align(s->event);
    if (align <= 1)
        return;
    tc_t goal = tc_eq(cx->ts, tc_mod(cx->ts, s->offset, tc_int(cx->ts, (tc_i128)align)), tc_int(cx->ts, 0));
    if (tc_is_true(goal) && base_align(cx, s) % align == 0)
        return;
    tc_obligation ob = tc_site_obligation(cx, TC_RULE_TC2003, s,
                                          tc_fmt(cx->arena, "the %s '%s' is aligned to %llu bytes", tc_event_noun(s->event),
                                                 tc_object_name(cx, s->object), (unsigned long long)align));
    ob.goal = goal;
    if (tc_decide(cx, &ob))
        decide_base(cx, &ob, s, align);
    else
        by_address(cx, &ob, s, align);
    tc_oblige(cx, &ob);
}

void tc_rule_align(tc_cx *cx) {
    for (size_t i = 0; i < cx->sites.len; i++)
        align_site(cx, &cx->sites.data[i]);
    for (size_t i = 0; i < cx->idle.len; i++)
        align_site(cx, &cx->idle.data[i]);
}
