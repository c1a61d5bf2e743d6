// TC2001: every access lies in elements that exist, and its object is not null.
#include "checker/rules.h"

#include <string.h>

static const char *claim(tc_cx *cx, const tc_site *s) {
    return tc_fmt(cx->arena, "the %s '%s' is in bounds", tc_event_noun(s->event), tc_object_name(cx, s->object));
}

// 0 <= offset and offset + width <= size, in bytes.
static tc_t in_bytes(tc_cx *cx, const tc_site *s, tc_t size) {
    tc_terms *ts = cx->ts;
    return tc_and(ts, tc_le(ts, tc_int(ts, 0), s->offset), tc_le(ts, tc_add(ts, s->offset, s->width), size));
}

static tc_t dense_size(tc_cx *cx, const tc_object_contract *o) {
    tc_t n = tc_int(cx->ts, (tc_i128)o->elem->size);
    for (unsigned d = 0; d < o->ndims; d++)
        n = tc_mul(cx->ts, n, o->shape[d]);
    return n;
}

// The goal in subscripts where they are found and help, else in bytes; NULL with a reason when neither can be said.
static tc_t goal_of(tc_cx *cx, tc_site *s, const tc_tvec *h, const char **reason) {
    const tc_object *obj = &cx->model->objects.data[s->object];
    const tc_object_contract *o = s->contract;
    if (!o && obj->size)
        return in_bytes(cx, s, tc_settle(cx, obj->size));
    if (!o || o->ndims == 0) {
        *reason =
            tc_fmt(cx->arena, "the extent of '%s' is not known: say it with tc_shape", tc_object_name(cx, s->object));
        return NULL;
    }
    tc_index_find(cx, s, h);
    if (s->index.inside)
        return tc_index_inside(cx, o, &s->index);
    if (tc_flat_exists(cx, o, tc_int(cx->ts, 0)))
        return in_bytes(cx, s, dense_size(cx, o));
    if (s->index.exact)
        return tc_index_inside(cx, o, &s->index);
    *reason = tc_fmt(cx->arena, "the offset into '%s' is not recognised as subscripts times the strides of its shape",
                     tc_object_name(cx, s->object));
    return NULL;
}

static bool is_open(const tc_site *s) { return s->contract && s->contract->param >= 0 && s->contract->ndims == 0; }

// in-bounds: what nothing is said of is taken to be large enough.
static void take_inside(tc_cx *cx, const tc_site *s) {
    const char *text = tc_fmt(cx->arena, "accesses to '%s' are in bounds", tc_object_name(cx, s->object));
    for (size_t i = 0; i < cx->result->assumptions.len; i++)
        if (strcmp(cx->result->assumptions.data[i].text, text) == 0)
            return;
    tc_taken t = {text, "in-bounds: it has no shape", cx->model->objects.data[s->object].loc};
    tc_push(cx->arena, &cx->result->assumptions, t);
}

void tc_rule_bounds(tc_cx *cx) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        tc_site *s = &cx->sites.data[i];
        tc_obligation ob = tc_site_obligation(cx, TC_RULE_TC2001, s, claim(cx, s));
        const char *reason = NULL;
        tc_hyps_contents(cx, &ob.hyps, s->offset);
        tc_t goal = goal_of(cx, s, &ob.hyps, &reason);
        tc_t nonnull = tc_settle(cx, cx->model->objects.data[s->object].nonnull);
        ob.goal = tc_and(cx->ts, goal ? goal : tc_bool(cx->ts, true), nonnull);
        // A variable's shape may say more than there is of it.
        const tc_object *obj = &cx->model->objects.data[s->object];
        if (s->contract && obj->value && obj->size)
            ob.goal = tc_and(cx->ts, ob.goal, in_bytes(cx, s, tc_settle(cx, obj->size)));
        tc_decide(cx, &ob);
        if (!goal && cx->options->in_bounds && is_open(s))
            take_inside(cx, s); // what is left to show is that it is not null
        else if (!goal)
            tc_verdict_unknown(&ob, reason);
        s->bounds = tc_oblige(cx, &ob);
    }
}
