// Values that all threads of a block have in common, and loops that all of them leave in the same iteration.
//
// A value is common when it is made of common values alone: of the launch, the block, the iterations of the loops around
// (of threads that are in the same ones), loads at common addresses of what nobody writes meanwhile, reductions over the
// whole block. A variable of a loop is common when its first value and each next one are. What is left when everything that
// is made of something else has been struck out is common.
//
// SOUND: by induction over the steps of an execution. What a value is made of is older than the value: entries and steps of
// variables, addresses of loads, conditions of branches. So where all values up to some step agree between threads that
// have come to it, the next ones do; and that barriers are met by all threads together, which the order of accesses is taken
// from, is a statement about older steps too. The obligations of TC3002 and TC3001 lean on each other in this order.
#include "checker/order.h"

typedef enum home_kind { HOME_COUNTER, HOME_CARRIED, HOME_LOADED, HOME_REDUCED, HOME_FOLDED } home_kind;

// Where a symbol's values come from. There is one in each iteration of `loop` and the loops around it.
typedef struct home {
    home_kind kind;
    uint32_t loop;
    bool differs; // struck out
    tc_t entry, step;      // HOME_CARRIED; HOME_FOLDED: entry
    const tc_event *event; // HOME_LOADED, HOME_REDUCED
} home;

typedef struct tc_alike {
    tc_map homes; // symbol -> home
    bool *uneven; // loops that threads may leave in different iterations
    TC_VEC(uint32_t) barriers; // obligations of TC3002
} tc_alike;

static const tc_sym *original(const tc_sym *s) {
    while (s->origin)
        s = s->origin;
    return s;
}

static home *home_of(const tc_cx *cx, const tc_sym *s) {
    return tc_map_get(&cx->alike->homes, TC_KEY(original(s)));
}

static void settle_at(tc_cx *cx, const tc_sym *s, home h) {
    home *known = tc_map_get(&cx->alike->homes, TC_KEY(s));
    if (known) { // made in two places
        known->differs |= known->kind != h.kind || known->loop != h.loop || h.kind != HOME_FOLDED || known->entry != h.entry;
        return;
    }
    home *n = TC_NEW(cx->arena, home);
    *n = h;
    tc_map_put(cx->arena, &cx->alike->homes, TC_KEY(s), n);
}

static void find_homes(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    for (uint32_t i = 0; i < m->loops.len; i++) {
        const tc_loop *l = &m->loops.data[i];
        if (l->counter)
            settle_at(cx, l->counter, (home){.kind = HOME_COUNTER, .loop = i});
        for (size_t k = 0; k < l->carried.len; k++) {
            const tc_carried *v = &l->carried.data[k];
            home h = {.kind = HOME_CARRIED, .loop = i, .differs = !v->entry || !v->step};
            h.entry = v->entry ? tc_settle(cx, v->entry) : NULL;
            h.step = v->step ? tc_settle(cx, v->step) : NULL;
            settle_at(cx, v->sym, h);
        }
    }
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (!e->value || e->value->op != TC_T_SYM || e->value->sym->kind != TC_SYM_UNKNOWN)
            continue;
        if (e->kind == TC_EV_READ)
            settle_at(cx, e->value->sym, (home){.kind = HOME_LOADED, .loop = e->loop, .event = e});
        else if (e->kind == TC_EV_BARRIER)
            settle_at(cx, e->value->sym, (home){.kind = HOME_REDUCED, .loop = e->loop, .event = e});
    }
    for (size_t i = 0; i < m->folded.len; i++) {
        const tc_carried *f = &m->folded.data[i];
        home h = {.kind = HOME_FOLDED, .loop = TC_NONE, .differs = !f->entry};
        h.entry = f->entry ? tc_settle(cx, f->entry) : NULL;
        settle_at(cx, f->sym, h);
    }
}

bool tc_symbol_loop(const tc_cx *cx, const tc_sym *s, uint32_t *loop) {
    const home *h = home_of(cx, s);
    if (!h || h->kind == HOME_FOLDED)
        return false;
    *loop = h->loop;
    return true;
}

// ---- is a term common? ----

typedef struct question {
    tc_cx *cx;
    uint32_t loop; // where
} question;

// From loops that do not enclose the place, the last iteration's value is meant.
static bool left_unevenly(const question *q, uint32_t loop) {
    for (; loop != TC_NONE && !(q->loop != TC_NONE && tc_loop_encloses(q->cx->model, loop, q->loop));
         loop = q->cx->model->loops.data[loop].parent)
        if (q->cx->alike->uneven[loop])
            return true;
    return false;
}

static bool differs(void *ctx, tc_t t) {
    question *q = ctx;
    if (t->op == TC_T_APP)
        return t->fn->variance > TC_VAR_BLOCK;
    if (t->op != TC_T_SYM || t->variance <= TC_VAR_BLOCK)
        return false;
    const home *h = home_of(q->cx, t->sym);
    if (!h || h->differs)
        return true;
    return h->kind == HOME_FOLDED ? tc_any(q->cx->ts, h->entry, differs, q) : left_unevenly(q, h->loop);
}

bool tc_is_alike(tc_cx *cx, tc_t t, uint32_t loop) {
    question q = {cx, loop};
    return !tc_any(cx->ts, t, differs, &q);
}

bool tc_runs_alike(tc_cx *cx, uint32_t loop) { return !cx->alike->uneven[loop]; }

// ---- two threads ----

static bool encloses(const tc_cx *cx, uint32_t outer, uint32_t inner) {
    return inner != TC_NONE && tc_loop_encloses(cx->model, outer, inner);
}

// Is there one value of the symbol for both instances?
static bool is_one(const tc_two *w, const tc_sym *s);

typedef struct both {
    const tc_two *w;
    bool one;
} both;

static void is_part_one(void *ctx, tc_t t) {
    both *b = ctx;
    if (t->op == TC_T_SYM && t->variance > TC_VAR_BLOCK)
        b->one &= is_one(b->w, t->sym);
}

static bool is_one(const tc_two *w, const tc_sym *s) {
    tc_cx *cx = w->cx;
    const home *h = home_of(cx, s);
    if (!h || h->differs)
        return false;
    if (h->kind == HOME_FOLDED) {
        both b = {w, true};
        tc_walk(cx->ts, h->entry, is_part_one, &b);
        return b.one;
    }
    for (uint32_t l = h->loop; l != TC_NONE; l = cx->model->loops.data[l].parent) {
        if (encloses(cx, l, w->same))
            return true;
        if (encloses(cx, l, w->loops[0]) || encloses(cx, l, w->loops[1]) || cx->alike->uneven[l])
            return false;
    }
    return true;
}

static void merge(void *ctx, tc_t t) {
    tc_two *w = ctx;
    if (t->op != TC_T_SYM || t->sym->copy != 2 || tc_map_has(&w->merged, TC_KEY(t)))
        return;
    tc_t own = tc_of_sym(w->cx->ts, t->sym->origin);
    tc_t to = is_one(w, t->sym->origin) ? tc_rename(w->cx->ts, own, TC_VAR_THREAD, 1) : t;
    tc_map_put(w->cx->arena, &w->merged, TC_KEY(t), (void *)(uintptr_t)to);
}

tc_t tc_two_at(tc_two *w, tc_t t, int which) {
    t = tc_rename(w->cx->ts, t, TC_VAR_THREAD, (uint32_t)which);
    if (which == 1)
        return t;
    tc_walk(w->cx->ts, t, merge, w);
    return tc_subst(w->cx->ts, t, &w->merged);
}

tc_t tc_two_threads(tc_two *w) {
    tc_terms *ts = w->cx->ts;
    tc_t any = tc_bool(ts, false);
    for (int d = 0; d < 3; d++) {
        tc_t i = tc_settle(w->cx, w->cx->contract->syms.thread_idx[d]);
        any = tc_or(ts, any, tc_ne(ts, tc_two_at(w, i, 1), tc_two_at(w, i, 2)));
    }
    return any;
}

// ---- conditions that are the same for two threads, though not by their symbols ----

tc_t tc_reached(const tc_cx *cx, uint32_t loop) {
    const tc_loop *l = loop == TC_NONE ? NULL : &cx->model->loops.data[loop];
    return l && l->reached ? l->reached : tc_bool(cx->ts, true);
}

// Hypotheses and goal: where it holds for one thread it holds for the other.
static void ask_alike(tc_cx *cx, tc_tvec *h, tc_t *goal, tc_t cond, uint32_t loop, uint32_t point) {
    tc_two w = {.cx = cx, .same = loop, .loops = {loop, loop}};
    tc_tvec known = {0};
    tc_hyps_at(cx, &known, tc_reached(cx, loop), loop, point);
    for (int k = 1; k <= 2; k++)
        for (size_t i = 0; i < known.len; i++)
            tc_hyps_push(cx, h, tc_two_at(&w, known.data[i], k));
    tc_hyps_push(cx, h, tc_two_at(&w, cond, 1));
    *goal = tc_two_at(&w, cond, 2);
}

bool tc_decide_alike(tc_cx *cx, tc_obligation *ob, tc_t cond, uint32_t loop, uint32_t point) {
    cond = tc_settle(cx, cond);
    if (tc_is_alike(cx, cond, loop)) {
        tc_note_uses(cx, ob, cond);
        tc_verdict_proved(ob, TC_RUNG_TRIVIAL, 0);
        return true;
    }
    ob->hyps.len = 0;
    ask_alike(cx, &ob->hyps, &ob->goal, cond, loop, point);
    return tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->block_ones.data, cx->block_ones.len);
}

static bool asks_alike(tc_cx *cx, tc_t cond, uint32_t loop, uint32_t point) {
    tc_tvec h = {0};
    tc_t goal;
    ask_alike(cx, &h, &goal, cond, loop, point);
    return tc_try_all(cx, &h, goal);
}

// ---- striking out ----

static bool is_unwritten(const tc_cx *cx, uint32_t object) {
    const tc_object *o = &cx->model->objects.data[object];
    return !o->written && cx->borrow[object] == TC_BORROW_SHARED;
}

// SOUND: both threads load one place in the same iteration, and no write of it lies between the same barriers: that is asked of
// any two threads, also of one that is both, and without taking what is loaded for common.
static bool is_steady(tc_cx *cx, home *h) {
    const tc_event *e = h->event;
    if (is_unwritten(cx, e->object))
        return true;
    if (cx->model->objects.data[e->object].space != TC_SPACE_SHARED || e->is_volatile || e->order != TC_ORD_PLAIN || tc_hole_may_touch(cx->model, e->object))
        return false;
    h->differs = true;
    bool apart = true;
    for (size_t i = 0; i < cx->sites.len && apart; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->event != e)
            continue;
        for (size_t k = 0; k < cx->sites.len && apart; k++)
            if (cx->sites.data[k].object == e->object && tc_event_writes(cx->sites.data[k].event))
                apart = tc_never_meet(cx, s, &cx->sites.data[k]);
    }
    h->differs = false;
    return apart;
}

static bool is_struck(tc_cx *cx, home *h) {
    uint32_t parent = h->loop == TC_NONE ? TC_NONE : cx->model->loops.data[h->loop].parent;
    switch (h->kind) {
    case HOME_CARRIED:
        return !tc_is_alike(cx, h->entry, parent) || !tc_is_alike(cx, h->step, h->loop);
    case HOME_LOADED:
        return !tc_is_alike(cx, tc_settle(cx, h->event->offset), h->loop) || !is_steady(cx, h);
    case HOME_REDUCED:
        return !tc_is_block_barrier(h->event);
    case HOME_COUNTER:
    case HOME_FOLDED: // asked part by part
        return false;
    }
    return true;
}

static bool is_uneven(tc_cx *cx, uint32_t loop) {
    const tc_loop *l = &cx->model->loops.data[loop];
    if (!l->leaves)
        return true;
    tc_t leaves = tc_settle(cx, l->leaves);
    return !tc_is_alike(cx, leaves, loop) && !asks_alike(cx, leaves, loop, l->first);
}

static bool strike(tc_cx *cx) {
    bool changed = false;
    for (size_t i = 0; i < cx->alike->homes.len; i++) {
        home *h = cx->alike->homes.values[i];
        if (!h->differs && is_struck(cx, h))
            h->differs = changed = true;
    }
    for (uint32_t l = 0; l < cx->model->loops.len; l++)
        if (!cx->alike->uneven[l] && is_uneven(cx, l))
            cx->alike->uneven[l] = changed = true;
    return changed;
}

void tc_alike_find(tc_cx *cx) {
    cx->alike = TC_NEW(cx->arena, tc_alike);
    cx->alike->uneven = TC_NEW_ARRAY(cx->arena, bool, cx->model->loops.len + 1);
    find_homes(cx);
    while (strike(cx))
        ;
}

void tc_lean_on_barriers(tc_cx *cx, tc_obligation *ob) {
    for (size_t i = 0; i < cx->alike->barriers.len; i++)
        tc_depend(cx, ob, cx->alike->barriers.data[i]);
}

void tc_note_barrier(tc_cx *cx, uint32_t obligation) { tc_push(cx->arena, &cx->alike->barriers, obligation); }
