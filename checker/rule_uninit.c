// TC2005: no address and no guard depends on a value that was never written.
//
// Two instances of one access that differ in nothing but the uninitialised values must be reached together and touch
// the same bytes: a value that is only carried along, or only looked at where it was written, does no harm.
#include "checker/cover.h"

typedef struct uninit {
    tc_cx *cx;
    tc_tvec syms;
} uninit;

static void collect(void *ctx, tc_t t) {
    uninit *u = ctx;
    if (t->op != TC_T_SYM || t->sym->kind != TC_SYM_UNINIT)
        return;
    for (size_t i = 0; i < u->syms.len; i++)
        if (u->syms.data[i] == t)
            return;
    tc_push(u->cx->arena, &u->syms, t);
}

static tc_map instance(tc_cx *cx, const uninit *u, const char *suffix) {
    tc_map map = {0};
    for (size_t i = 0; i < u->syms.len; i++) {
        const tc_sym *s = u->syms.data[i]->sym;
        tc_sym *copy =
            tc_sym_new(cx->ts, tc_fmt(cx->arena, "%s%s", s->name, suffix), TC_SYM_UNINIT, s->variance, s->sort);
        copy->has_lo = s->has_lo;
        copy->has_hi = s->has_hi;
        copy->lo = s->lo;
        copy->hi = s->hi;
        tc_map_put(cx->arena, &map, TC_KEY(u->syms.data[i]), (void *)(uintptr_t)tc_of_sym(cx->ts, copy));
    }
    return map;
}

static const char *name_of(const tc_cx *cx, const uninit *u) {
    (void)cx;
    const char *n = u->syms.data[0]->sym->name;
    return n ? n : "a variable";
}

// Where the guard of one instance holds, that of the other does, and the offsets agree.
static tc_t goal_of(tc_cx *cx, const tc_site *s, const uninit *u, tc_obligation *ob) {
    tc_map one = instance(cx, u, ""), two = instance(cx, u, "'");
    tc_tvec known = ob->hyps;
    ob->hyps = (tc_tvec){0};
    for (size_t i = 0; i < known.len; i++)
        tc_hyps_push(cx, &ob->hyps, tc_subst(cx->ts, known.data[i], &one));
    tc_t guard = tc_subst(cx->ts, s->guard, &two);
    tc_t same = tc_eq(cx->ts, tc_subst(cx->ts, s->offset, &one), tc_subst(cx->ts, s->offset, &two));
    return tc_and(cx->ts, guard, same);
}

static void oblige_site(tc_cx *cx, const tc_site *s) {
    uninit u = {.cx = cx};
    tc_walk(cx->ts, s->guard, collect, &u);
    tc_walk(cx->ts, s->offset, collect, &u);
    if (u.syms.len == 0)
        return;
    const char *name = name_of(cx, &u);
    tc_obligation ob =
        tc_site_obligation(cx, TC_RULE_TC2005, s,
                           tc_fmt(cx->arena, "the %s '%s' does not depend on '%s', which may not have been written",
                                  tc_event_noun(s->event), tc_object_name(cx, s->object), name));
    ob.goal = goal_of(cx, s, &u, &ob);
    tc_decide(cx, &ob);
    tc_oblige(cx, &ob);
}

void tc_rule_uninit(tc_cx *cx) {
    for (size_t i = 0; i < cx->sites.len; i++)
        oblige_site(cx, &cx->sites.data[i]);
}

// ---- shared memory ----

// Symbols that an address, a guard, a trip count or a barrier depends on.
typedef struct reached {
    tc_cx *cx;
    tc_map syms;
} reached;

static void reach_sym(void *ctx, tc_t t) {
    reached *r = ctx;
    if (t->op == TC_T_SYM)
        tc_map_put(r->cx->arena, &r->syms, TC_KEY(t->sym), r);
}

static void reach(reached *r, tc_t t) {
    if (t)
        tc_walk(r->cx->ts, tc_settle(r->cx, t), reach_sym, r);
}

static bool is_read_of_shared(const tc_cx *cx, const tc_event *e) {
    return (e->kind == TC_EV_READ || e->kind == TC_EV_ATOMIC) && e->object != TC_NONE &&
           cx->model->objects.data[e->object].space == TC_SPACE_SHARED && e->value && e->value->op == TC_T_SYM;
}

// What was put into the object, perhaps to be read back.
static void reach_stores(reached *r, uint32_t object) {
    const tc_kmodel *m = r->cx->model;
    for (size_t i = 0; i < m->events.len; i++)
        if (m->events.data[i].object == object && m->events.data[i].kind == TC_EV_WRITE)
            reach(r, m->events.data[i].value);
}

static tc_map reached_symbols(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    reached r = {.cx = cx};
    bool *done = TC_NEW_ARRAY(cx->arena, bool, m->derived.len + 1);
    for (size_t i = 0; i < m->events.len; i++) {
        reach(&r, m->events.data[i].guard);
        reach(&r, m->events.data[i].offset);
        reach(&r, m->events.data[i].width);
    }
    for (size_t i = 0; i < m->loops.len; i++) {
        reach(&r, m->loops.data[i].guard);
        reach(&r, m->loops.data[i].leaves);
    }
    for (size_t before = 0; before != r.syms.len;) { // what these stand for
        before = r.syms.len;
        for (size_t i = 0; i < m->loops.len; i++)
            for (size_t k = 0; k < m->loops.data[i].carried.len; k++) {
                const tc_carried *v = &m->loops.data[i].carried.data[k];
                if (tc_map_has(&r.syms, TC_KEY(v->sym))) {
                    reach(&r, v->entry);
                    reach(&r, v->step);
                }
            }
        for (size_t i = 0; i < m->folded.len; i++)
            if (tc_map_has(&r.syms, TC_KEY(m->folded.data[i].sym)))
                reach(&r, m->folded.data[i].entry);
        for (size_t i = m->derived.len; i-- > 0;)
            if (!done[i] && tc_map_has(&r.syms, TC_KEY(m->derived.data[i].sym))) {
                done[i] = true;
                reach(&r, m->derived.data[i].entry);
            }
        for (size_t i = 0; i < m->events.len; i++)
            if (is_read_of_shared(cx, &m->events.data[i]) && tc_map_has(&r.syms, TC_KEY(m->events.data[i].value->sym)))
                reach_stores(&r, m->events.data[i].object);
    }
    return r.syms;
}

tc_map tc_deciding_loads(tc_cx *cx) {
    tc_map loads = {0}, syms = {0};
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!is_read_of_shared(cx, e))
            continue;
        if (syms.len == 0)
            syms = reached_symbols(cx);
        if (tc_map_has(&syms, TC_KEY(e->value->sym)))
            tc_map_put(cx->arena, &loads, TC_KEY(e), cx);
    }
    return loads;
}

static bool has_bounds(const tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; i < cx->stored.len; i++)
        if (cx->stored.data[i].load == e)
            return true;
    return false;
}

// Those of which bounds are known too, whatever is left of what they decide.
void tc_rule_uninit_shared(tc_cx *cx) {
    tc_map loads = tc_deciding_loads(cx);
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (!tc_map_has(&loads, TC_KEY(s->event)) && !has_bounds(cx, s->event))
            continue;
        const char *name = tc_object_name(cx, s->object);
        tc_obligation ob = tc_site_obligation(cx, TC_RULE_TC2005, s, tc_fmt(cx->arena, "what is read of '%s' was written before", name));
        if (!tc_decide_written(cx, &ob, s))
            tc_verdict_unknown(&ob, tc_fmt(cx->arena, "not shown that what is read of '%s', and decides an address, a guard or a trip "
                                                      "count, was written before", name));
        tc_oblige(cx, &ob);
    }
}
