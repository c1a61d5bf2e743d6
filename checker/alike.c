// Values that all threads of a block, of a warp, or of the grid have in common, and loops that all of them leave in the same
// iteration.
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
    tc_team team; // whose threads
    tc_map homes; // symbol -> home
    bool *uneven; // loops that threads may leave in different iterations
    TC_VEC(uint32_t) barriers;        // obligations of TC3002; of the block
    TC_VEC(const tc_event *) meeting; // barriers of the warp that all its threads reach together
} tc_alike;

static const tc_sym *original(const tc_sym *s) {
    while (s->origin)
        s = s->origin;
    return s;
}

// The largest variance of values that are common by themselves.
static tc_variance common_variance(tc_team team) { return team == TC_TEAM_GRID ? TC_VAR_LAUNCH : TC_VAR_BLOCK; }

static tc_alike *alike_of(const tc_cx *cx, tc_team team) {
    return team == TC_TEAM_WARP ? cx->alike_in_warp : team == TC_TEAM_GRID ? cx->alike_in_grid : cx->alike;
}

static home *home_of(const tc_alike *al, const tc_sym *s) { return tc_map_get(&al->homes, TC_KEY(original(s))); }

static void settle_at(tc_cx *cx, tc_alike *al, const tc_sym *s, home h) {
    home *known = tc_map_get(&al->homes, TC_KEY(s));
    if (known) { // made in two places
        known->differs |= h.differs || known->kind != h.kind || known->loop != h.loop || h.kind != HOME_FOLDED || known->entry != h.entry;
        return;
    }
    home *n = TC_NEW(cx->arena, home);
    *n = h;
    tc_map_put(cx->arena, &al->homes, TC_KEY(s), n);
}

// What a value is made of decides it.
static void settle_parts(tc_cx *cx, tc_alike *al, const tc_carried *f) {
    home h = {.kind = HOME_FOLDED, .loop = TC_NONE, .differs = !f->entry};
    h.entry = f->entry ? tc_settle(cx, f->entry) : NULL;
    settle_at(cx, al, f->sym, h);
}

static void find_homes(tc_cx *cx, tc_alike *al) {
    const tc_kmodel *m = cx->model;
    for (uint32_t i = 0; i < m->loops.len; i++) {
        const tc_loop *l = &m->loops.data[i];
        if (l->counter)
            settle_at(cx, al, l->counter, (home){.kind = HOME_COUNTER, .loop = i});
        for (size_t k = 0; k < l->carried.len; k++) {
            const tc_carried *v = &l->carried.data[k];
            home h = {.kind = HOME_CARRIED, .loop = i, .differs = !v->entry || !v->step};
            h.entry = v->entry ? tc_settle(cx, v->entry) : NULL;
            h.step = v->step ? tc_settle(cx, v->step) : NULL;
            settle_at(cx, al, v->sym, h);
        }
    }
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->bits)
            settle_at(cx, al, e->bits->sym, (home){.kind = HOME_LOADED, .loop = e->loop, .event = e});
        if (!e->value || e->value->op != TC_T_SYM || e->value->sym->kind != TC_SYM_UNKNOWN)
            continue;
        if (e->kind == TC_EV_READ)
            settle_at(cx, al, e->value->sym, (home){.kind = HOME_LOADED, .loop = e->loop, .event = e});
        else if (e->kind == TC_EV_BARRIER)
            settle_at(cx, al, e->value->sym, (home){.kind = HOME_REDUCED, .loop = e->loop, .event = e});
        else if (e->kind == TC_EV_ATOMIC)
            settle_at(cx, al, e->value->sym, (home){.kind = HOME_LOADED, .loop = e->loop, .event = e, .differs = true});
    }
    for (size_t i = 0; i < m->folded.len; i++)
        settle_parts(cx, al, &m->folded.data[i]);
    for (size_t i = 0; i < m->computed.len; i++)
        settle_parts(cx, al, &m->computed.data[i]);
}

bool tc_symbol_loop(const tc_cx *cx, const tc_sym *s, uint32_t *loop) {
    const home *h = home_of(cx->alike, s);
    if (!h || h->kind == HOME_FOLDED)
        return false;
    *loop = h->loop;
    return true;
}

// ---- is a term common? ----

typedef struct question {
    tc_cx *cx;
    const tc_alike *al;
    uint32_t loop; // where
} question;

// From loops that do not enclose the place, the last iteration's value is meant.
static bool left_unevenly(const question *q, uint32_t loop) {
    for (; loop != TC_NONE && !(q->loop != TC_NONE && tc_loop_encloses(q->cx->model, loop, q->loop));
         loop = q->cx->model->loops.data[loop].parent)
        if (q->al->uneven[loop])
            return true;
    return false;
}

static bool differs(void *ctx, tc_t t) {
    question *q = ctx;
    if (t->op == TC_T_APP)
        return t->fn->variance > common_variance(q->al->team);
    if (t->op != TC_T_SYM || t->variance <= common_variance(q->al->team))
        return false;
    const home *h = home_of(q->al, t->sym);
    if (!h || h->differs)
        return true;
    return h->kind == HOME_FOLDED ? tc_any(q->cx->ts, h->entry, differs, q) : left_unevenly(q, h->loop);
}

static bool is_alike(tc_cx *cx, const tc_alike *al, tc_t t, uint32_t loop) {
    question q = {cx, al, loop};
    return !tc_any(cx->ts, t, differs, &q);
}

bool tc_is_alike(tc_cx *cx, tc_t t, uint32_t loop) { return is_alike(cx, cx->alike, t, loop); }

bool tc_runs_alike(tc_cx *cx, const tc_group *g, uint32_t loop) {
    return !alike_of(cx, g->team)->uneven[loop];
}

bool tc_two_alike(const tc_two *w, tc_t t, uint32_t loop) { return is_alike(w->cx, w->alike, t, loop); }

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
    if (t->op == TC_T_SYM && t->variance > common_variance(b->w->team))
        b->one &= is_one(b->w, t->sym);
}

static bool is_one(const tc_two *w, const tc_sym *s) {
    tc_cx *cx = w->cx;
    if (w->own && s->kind == TC_SYM_THREADIDX)
        return true;
    const home *h = home_of(w->alike, s);
    if (!h || (h->differs && !w->own))
        return false;
    if (h->kind == HOME_FOLDED) {
        both b = {w, true};
        tc_walk(cx->ts, h->entry, is_part_one, &b);
        return b.one;
    }
    for (uint32_t l = h->loop; l != TC_NONE; l = cx->model->loops.data[l].parent) {
        if (encloses(cx, l, w->same))
            return true;
        if (encloses(cx, l, w->loops[0]) || encloses(cx, l, w->loops[1]) || (w->alike->uneven[l] && !w->own))
            return false;
    }
    return true;
}

static void merge(void *ctx, tc_t t) {
    tc_two *w = ctx;
    if (t->op != TC_T_SYM || t->sym->copy != 2 || tc_map_has(&w->merged, TC_KEY(t)))
        return;
    tc_t own = tc_of_sym(w->cx->ts, t->sym->origin);
    tc_t to = is_one(w, t->sym->origin) ? tc_rename(w->cx->ts, own, tc_two_from(w), 1) : t;
    tc_map_put(w->cx->arena, &w->merged, TC_KEY(t), (void *)(uintptr_t)to);
}

tc_variance tc_two_from(const tc_two *w) { return w->team == TC_TEAM_GRID ? TC_VAR_BLOCK : TC_VAR_THREAD; }

tc_t tc_two_at(tc_two *w, tc_t t, int which) {
    t = tc_rename(w->cx->ts, t, tc_two_from(w), (uint32_t)which);
    if (which == 1)
        return t;
    tc_walk(w->cx->ts, t, merge, w);
    return tc_subst(w->cx->ts, t, &w->merged);
}

static tc_t warp_of(tc_two *w, int which) { return tc_two_at(w, tc_div(w->cx->ts, tc_linear_thread(w->cx), tc_int(w->cx->ts, 32)), which); }

// The lane is one of the mask's: runs of ones.
tc_t tc_lane_in_mask(tc_cx *cx, uint32_t mask) {
    tc_terms *ts = cx->ts;
    tc_t any = tc_bool(ts, false), lane = tc_mod(ts, tc_linear_thread(cx), tc_int(ts, 32));
    for (int lo = 0; lo < 32; lo++) {
        int hi = lo;
        while (hi < 32 && mask >> hi & 1)
            hi++;
        if (hi > lo)
            any = tc_or(ts, any, tc_in_range(ts, lane, lo, hi - 1));
        lo = hi;
    }
    return any;
}

static tc_t at_thread(void *ctx, tc_t t, int which) { return tc_two_at(ctx, t, which); }

tc_view tc_view_threads(tc_two *w) { return (tc_view){.at = at_thread, .ctx = w, .one_block = w->team != TC_TEAM_GRID}; }

tc_t tc_two_in_warp(tc_two *w) { return tc_eq(w->cx->ts, warp_of(w, 1), warp_of(w, 2)); }

tc_two tc_two_new(tc_cx *cx, tc_team team, uint32_t same, uint32_t first, uint32_t second) {
    return (tc_two){.cx = cx, .team = team, .alike = alike_of(cx, team), .same = same, .loops = {first, second}};
}

static tc_t differ_in(tc_two *w, const tc_t *indices) {
    tc_terms *ts = w->cx->ts;
    tc_t any = tc_bool(ts, false);
    for (int d = 0; d < 3; d++) {
        tc_t i = tc_settle(w->cx, indices[d]);
        any = tc_or(ts, any, tc_ne(ts, tc_two_at(w, i, 1), tc_two_at(w, i, 2)));
    }
    return any;
}

tc_t tc_two_threads(tc_two *w) { return differ_in(w, w->cx->contract->syms.thread_idx); }

tc_t tc_two_blocks(tc_two *w) { return differ_in(w, w->cx->contract->syms.block_idx); }

// ---- conditions that are the same for two threads, though not by their symbols ----

tc_t tc_reached(const tc_cx *cx, uint32_t loop) {
    const tc_loop *l = loop == TC_NONE ? NULL : &cx->model->loops.data[loop];
    return l && l->reached ? l->reached : tc_bool(cx->ts, true);
}

// SOUND: where a thread gives up the launch, nobody passes what it does not come to, and nothing is promised any more. So that is
// no case of what happens behind, nor of what the thread would have come to in that iteration of the loops around.
static void not_aborted(tc_cx *cx, tc_two *w, tc_tvec *h, uint32_t loop, uint32_t point) {
    for (size_t i = 0; i < cx->model->aborts.len; i++) {
        const tc_abort *x = &cx->model->aborts.data[i];
        if (x->point > point || !(x->loop == TC_NONE || encloses(cx, x->loop, loop)))
            continue;
        for (int k = 1; k <= 2; k++)
            tc_hyps_push(cx, h, tc_not(cx->ts, tc_two_at(w, tc_settle(cx, x->guard), k)));
    }
}

// What is known of two threads in the same iteration of the loop, at its header or later in it.
static void two_in(tc_cx *cx, const tc_alike *al, tc_two *w, tc_tvec *h, uint32_t loop, uint32_t point) {
    *w = tc_two_new(cx, al->team, loop, loop, loop);
    tc_tvec known = {0};
    tc_hyps_at(cx, &known, tc_reached(cx, loop), loop, point);
    for (int k = 1; k <= 2; k++)
        for (size_t i = 0; i < known.len; i++)
            tc_hyps_push(cx, h, tc_two_at(w, known.data[i], k));
    if (al->team == TC_TEAM_WARP)
        tc_hyps_push(cx, h, tc_two_in_warp(w));
    not_aborted(cx, w, h, loop, point);
}

static bool decide(tc_cx *cx, const tc_alike *al, tc_obligation *ob, tc_t cond, uint32_t mask, uint32_t loop, uint32_t point) {
    cond = tc_settle(cx, cond);
    if (is_alike(cx, al, cond, loop)) {
        tc_note_uses(cx, ob, cond);
        tc_verdict_proved(ob, TC_RUNG_TRIVIAL, 0);
        return true;
    }
    tc_two w;
    ob->hyps.len = 0;
    two_in(cx, al, &w, &ob->hyps, loop, point);
    if (mask != UINT32_MAX)
        tc_hyps_push(cx, &ob->hyps, tc_two_at(&w, tc_lane_in_mask(cx, mask), 2));
    tc_hyps_push(cx, &ob->hyps, tc_two_at(&w, cond, 1));
    ob->goal = tc_two_at(&w, cond, 2);
    return tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->block_ones.data, cx->block_ones.len);
}

bool tc_decide_alike(tc_cx *cx, tc_obligation *ob, const tc_group *g, tc_t cond, uint32_t loop, uint32_t point) {
    return decide(cx, alike_of(cx, g->team), ob, cond, g->mask, loop, point);
}

// Where the condition holds for one it holds for the other, or one has given up the launch before the point `aborts`.
static bool is_alike_condition(tc_cx *cx, const tc_alike *al, tc_t cond, uint32_t loop, uint32_t point, uint32_t aborts) {
    cond = tc_settle(cx, cond);
    if (is_alike(cx, al, cond, loop))
        return true;
    tc_two w;
    tc_tvec h = {0};
    two_in(cx, al, &w, &h, loop, point);
    not_aborted(cx, &w, &h, loop, aborts);
    tc_hyps_push(cx, &h, tc_two_at(&w, cond, 1));
    return tc_try_all(cx, &h, tc_two_at(&w, cond, 2));
}

// The threads of a warp are few enough for the question to be worth asking of values too.
static bool is_alike_value(tc_cx *cx, const tc_alike *al, tc_t t, uint32_t loop) {
    if (is_alike(cx, al, t, loop))
        return true;
    if (al->team != TC_TEAM_WARP)
        return false;
    tc_two w;
    tc_tvec h = {0};
    two_in(cx, al, &w, &h, loop, loop == TC_NONE ? 0 : cx->model->loops.data[loop].first);
    tc_t x = tc_two_at(&w, t, 1), y = tc_two_at(&w, t, 2);
    tc_t same = t->sort == TC_BOOL ? tc_and(cx->ts, tc_implies(cx->ts, x, y), tc_implies(cx->ts, y, x)) : tc_eq(cx->ts, x, y);
    return tc_try_all(cx, &h, same);
}

// ---- striking out ----

static bool is_unwritten(const tc_cx *cx, uint32_t object) {
    return !tc_is_written(cx, object) && cx->borrow[object] == TC_BORROW_SHARED;
}

// No other name of the contract may stand for the same memory, and all accesses are told.
static bool has_one_name(const tc_cx *cx, uint32_t object) {
    if (cx->borrow[object] == TC_BORROW_UNCHECKED || cx->contract->may_alias.len > 0)
        return false;
    for (size_t i = 0; i < cx->contract->objects.len; i++)
        if (cx->contract->objects.data[i].inplace)
            return false;
    return true;
}

// Who may write it: threads of the block, or any. False where that is not asked about.
static bool find_writers(const tc_cx *cx, const tc_alike *al, uint32_t object, tc_team *writers) {
    tc_space space = cx->model->objects.data[object].space;
    *writers = space == TC_SPACE_SHARED ? TC_TEAM_BLOCK : TC_TEAM_GRID;
    if (space == TC_SPACE_SHARED)
        return al->team != TC_TEAM_GRID;
    return space == TC_SPACE_GLOBAL && cx->alike_in_grid && has_one_name(cx, object);
}

// SOUND: both threads load one place in the same iteration, and no write of it lies between the same barriers, of the block or,
// where other blocks may write, of the grid: that is asked of any two threads, also of one that is both, and without taking what is
// loaded for common.
static bool is_steady(tc_cx *cx, const tc_alike *al, home *h) {
    const tc_event *e = h->event;
    tc_team writers;
    if (is_unwritten(cx, e->object))
        return true;
    if (!find_writers(cx, al, e->object, &writers) || e->is_volatile || e->order != TC_ORD_PLAIN ||
        tc_hole_may_touch(cx->model, e->object))
        return false;
    h->differs = true;
    bool apart = true;
    for (size_t i = 0; i < cx->sites.len && apart; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->event != e)
            continue;
        for (size_t k = 0; k < cx->sites.len && apart; k++)
            if (cx->sites.data[k].object == e->object && tc_event_writes(cx->sites.data[k].event))
                apart = tc_never_meet(cx, s, &cx->sites.data[k], writers);
    }
    h->differs = false;
    return apart;
}

static bool is_struck(tc_cx *cx, const tc_alike *al, home *h) {
    uint32_t parent = h->loop == TC_NONE ? TC_NONE : cx->model->loops.data[h->loop].parent;
    switch (h->kind) {
    case HOME_CARRIED:
        return !is_alike_value(cx, al, h->entry, parent) || !is_alike_value(cx, al, h->step, h->loop);
    case HOME_LOADED:
        return !is_alike_value(cx, al, tc_settle(cx, h->event->offset), h->loop) || !is_steady(cx, al, h);
    case HOME_REDUCED:
        return al->team == TC_TEAM_GRID || !tc_is_block_barrier(h->event);
    case HOME_COUNTER:
    case HOME_FOLDED: // asked part by part
        return false;
    }
    return true;
}

static bool is_uneven(tc_cx *cx, const tc_alike *al, uint32_t loop) {
    const tc_loop *l = &cx->model->loops.data[loop];
    return !l->leaves || !is_alike_condition(cx, al, l->leaves, loop, l->first, l->last);
}

static bool strike(tc_cx *cx, tc_alike *al) {
    bool changed = false;
    for (size_t i = 0; i < al->homes.len; i++) {
        home *h = al->homes.values[i];
        if (!h->differs && is_struck(cx, al, h))
            h->differs = changed = true;
    }
    for (uint32_t l = 0; l < cx->model->loops.len; l++)
        if (!al->uneven[l] && is_uneven(cx, al, l))
            al->uneven[l] = changed = true;
    return changed;
}

static tc_alike *alike_new(tc_cx *cx, tc_team team) {
    tc_alike *al = TC_NEW(cx->arena, tc_alike);
    al->team = team;
    al->uneven = TC_NEW_ARRAY(cx->arena, bool, cx->model->loops.len + 1);
    find_homes(cx, al);
    return al;
}

// ---- barriers of warps ----

static bool is_warp_barrier(const tc_cx *cx, const tc_event *e) {
    return e->kind == TC_EV_WARP && e->order == TC_ORD_ACQ_REL && !tc_is_left_out(cx, e);
}

static bool is_whole_mask(const tc_event *e) {
    return e->operand[0] && tc_is_const(e->operand[0]) && (e->operand[0]->value == -1 || e->operand[0]->value == UINT32_MAX);
}

static bool all_meet(tc_cx *cx, const tc_alike *al, const tc_event *e) {
    for (uint32_t l = e->loop; l != TC_NONE; l = cx->model->loops.data[l].parent) {
        const tc_loop *lp = &cx->model->loops.data[l];
        if (al->uneven[l] || !is_alike_condition(cx, al, lp->guard, lp->parent, lp->first, lp->first))
            return false;
    }
    return is_alike_condition(cx, al, e->guard, e->loop, e->point, e->point);
}

static void find_in_warps(tc_cx *cx) {
    bool any = false;
    for (size_t i = 0; i < cx->model->events.len; i++)
        any |= cx->model->events.data[i].kind == TC_EV_WARP && cx->model->events.data[i].operand[0];
    if (!any)
        return;
    cx->alike_in_warp = alike_new(cx, TC_TEAM_WARP);
    while (strike(cx, cx->alike_in_warp))
        ;
}

// SOUND: as for the block's barriers, all threads of a warp execute one sequence of these. If one of them is not met by all, or
// has another mask, none of them counts.
static void find_warp_barriers(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    tc_alike *al = cx->alike_in_warp;
    for (size_t i = 0; al && !m->ends_threads && i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (!is_warp_barrier(cx, e))
            continue;
        tc_push(cx->arena, &al->meeting, e);
        if (!is_whole_mask(e) || !all_meet(cx, al, e)) {
            al->meeting.len = 0;
            return;
        }
    }
}

bool tc_warps_meet(const tc_cx *cx) { return cx->alike_in_warp && cx->alike_in_warp->meeting.len > 0; }

bool tc_is_barrier_for(const tc_two *w, const tc_event *e) {
    if (w->team == TC_TEAM_GRID)
        return tc_is_grid_barrier(e) && !tc_is_left_out(w->cx, e);
    for (size_t i = 0; i < w->alike->meeting.len; i++)
        if (w->alike->meeting.data[i] == e)
            return true;
    return tc_is_block_barrier(e) && !tc_is_left_out(w->cx, e);
}

void tc_alike_find(tc_cx *cx) {
    cx->alike_in_warp = NULL;
    cx->alike_in_grid = tc_has_grid_barriers(cx) ? alike_new(cx, TC_TEAM_GRID) : NULL;
    cx->alike = alike_new(cx, TC_TEAM_BLOCK);
    while (cx->alike_in_grid && strike(cx, cx->alike_in_grid))
        ;
    while (strike(cx, cx->alike))
        ;
    find_in_warps(cx);
    find_warp_barriers(cx);
}

void tc_lean_on_barriers(tc_cx *cx, tc_obligation *ob) {
    for (size_t i = 0; i < cx->alike->barriers.len; i++)
        tc_depend(cx, ob, cx->alike->barriers.data[i]);
}

void tc_note_barrier(tc_cx *cx, uint32_t obligation) { tc_push(cx->arena, &cx->alike->barriers, obligation); }
