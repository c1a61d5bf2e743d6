// TC9002: holes of the model, and what the source asks to be taken for true.
#include <string.h>

#include "checker/rules.h"

static bool touches(const tc_hole *h, uint32_t object) {
    if (h->nobjects == 0)
        return true;
    for (size_t i = 0; i < h->nobjects; i++)
        if (h->objects[i] == object)
            return true;
    return false;
}

static bool is_affected(const tc_cx *cx, const tc_hole *h, const tc_obligation *ob) {
    if (h->effect & TC_HOLE_CONTROL)
        return true;
    if (!(h->effect & TC_HOLE_MEMORY))
        return false;
    if (ob->object != TC_NONE)
        return touches(h, ob->object);
    for (size_t i = 0; i < cx->model->objects.len; i++)
        if (ob->contract >= 0 && cx->model->objects.data[i].contract == ob->contract)
            return touches(h, (uint32_t)i);
    return false;
}

static void blur(tc_cx *cx, const tc_hole *h) {
    for (size_t i = 0; i < cx->result->obligations.len; i++) {
        tc_obligation *ob = &cx->result->obligations.data[i];
        if ((ob->verdict == TC_PROVED || ob->verdict == TC_PROVED_IF) && is_affected(cx, h, ob))
            tc_verdict_unknown(ob, tc_fmt(cx->arena, "%s, line %u, is not modelled", h->what, h->loc.line));
    }
}

static bool is_reached(tc_cx *cx, const tc_hole *h) {
    tc_tvec hyps = {0};
    tc_hyps_at(cx, &hyps, h->guard, h->loop, h->point);
    return !tc_try(cx, &hyps, tc_bool(cx->ts, false)).proved;
}

void tc_rule_holes(tc_cx *cx) {
    for (size_t i = 0; i < cx->model->holes.len; i++) {
        const tc_hole *h = &cx->model->holes.data[i];
        if (!(h->effect & (TC_HOLE_MEMORY | TC_HOLE_CONTROL)) || !is_reached(cx, h))
            continue;
        blur(cx, h);
        tc_note_unknown(cx, h->loc, tc_fmt(cx->arena, "%s is not modelled", h->what));
    }
}

static bool is_listed(const tc_cx *cx, const tc_assumption *s) {
    for (size_t i = 0; i < cx->result->assumptions.len; i++) {
        const tc_taken *t = &cx->result->assumptions.data[i];
        if (strcmp(t->text, s->text) == 0 && t->loc.file == s->loc.file && t->loc.line == s->loc.line && t->loc.column == s->loc.column)
            return true;
    }
    return false;
}

// An assumption that follows from what is known before it is none.
void tc_rule_assumptions(tc_cx *cx) {
    for (size_t i = 0; i < cx->model->assumptions.len; i++) {
        const tc_assumption *s = &cx->model->assumptions.data[i];
        tc_tvec hyps = {0};
        if (is_listed(cx, s))
            continue;
        tc_hyps_at(cx, &hyps, s->guard, TC_NONE, 0);
        tc_t goal = tc_settle(cx, s->cond);
        tc_hyps_contents(cx, &hyps, goal);
        if (tc_try(cx, &hyps, goal).proved)
            continue;
        tc_taken t = {s->text, s->why, s->loc};
        tc_push(cx->arena, &cx->result->assumptions, t);
    }
    // SOUND: the order of the code that is compiled is taken for that of the source; without a clobber the compiler need not keep it (Inline PTX Assembly,
    // "Incorrect Optimization").
    for (size_t i = 0; i < cx->model->loose.len; i++) {
        const tc_loose *l = &cx->model->loose.data[i];
        tc_assumption s = {.text = tc_fmt(cx->arena, "the compiler moves no access across '%s'", l->what), .loc = l->loc};
        if (is_listed(cx, &s))
            continue;
        tc_taken t = {s.text, "inline assembly without a \"memory\" clobber", s.loc};
        tc_push(cx->arena, &cx->result->assumptions, t);
    }
}
