// What one block hands over to another: by counting that all have come.
//
//     part[blockIdx.x] = sum;                                // a: written by each block
//     __threadfence();
//     if (atomicAdd(count, 1) == gridDim.x - 1) {            // the draw
//         __threadfence();
//         for (i = 0; i < gridDim.x; i++) total += part[i];  // b: read by the last one
//
// A counter is one place in global memory for all blocks of a group, known at launch, to which each block adds 1 once at most, by
// one thread, outside of loops, and which nothing else touches. If a group has `count` blocks, the one that draws
// first + count - 1 is the last of them: all others have drawn, and it read what they left (PTX ISA, "Memory Consistency Model":
// observation order; read-modify-writes carry it on).
//
// Groups: the place depends on the block. A rank in [0, count) is looked for that, together with the place, tells blocks apart; so
// no more than count blocks have one place, and where count of them drew, each of the group did.
//
// SOUND: an access a of block 1 happens before an access b of block 2, the last one, where
//   a happens before a release of the drawing thread of block 1, which is the draw or a fence before it, and the draw of block 2, or a
//   fence behind it by the same thread, acquires, and happens before b (release and acquire patterns), or
//   a happens before a fence.sc, by any thread, that happens before block 1's draw, and b comes behind a fence.sc, by any thread,
//   that comes behind block 2's draw: the fences are in one order, in which the second cannot be the first, as block 2 would have read
//   what it happens before (causality).
// All of device scope at least. Inside a block, program order and barriers are what happens before is made of (order.h).
//
// An access to the counter by the last of its group, behind its draw, comes after all draws of the group. A plain one is no fault
// then, and a counter may be set back so.
#include "checker/handed.h"

// ---- order inside a block ----

// The event as its one thread executes it, or (guard) where more is known.
static tc_site site_of(tc_cx *cx, const tc_event *e, tc_t guard) {
    return (tc_site){.event = e, .object = e->object, .guard = tc_settle(cx, guard), .bounds = TC_NONE, .owned = TC_NONE};
}

// All executions of x by any thread of a block happen before all of y: they are in no common loop, and of two threads a barrier
// lies between.
static bool comes_before(tc_cx *cx, const tc_site *x, const tc_site *y) {
    uint32_t one = tc_loop_outermost(cx->model, x->event->loop), two = tc_loop_outermost(cx->model, y->event->loop);
    if (x->event->point >= y->event->point || (one == two && one != TC_NONE))
        return false;
    tc_meeting m = {.same = TC_NONE, .apart = TC_NONE, .first = 1};
    tc_two w;
    tc_tvec h = {0};
    if (!tc_hyps_unordered(cx, x, y, &m, false, &w, &h))
        return true;
    tc_hyps_push(cx, &h, tc_two_threads(&w));
    return tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

// ---- counters ----

typedef enum use { USE_NONE, USE_DIV, USE_MOD, USE_OTHER } use;

typedef struct part {
    use use;
    tc_t by;
} part;

static part both(part a, part b) {
    if (a.use == USE_NONE || b.use == USE_NONE)
        return a.use == USE_NONE ? b : a;
    return a.use == b.use && a.by == b.by ? a : (part){USE_OTHER, NULL};
}

// How t depends on the block's index: by its quotient, or remainder, alone?
static part use_of(tc_t t, tc_t index) {
    if (t == index)
        return (part){USE_OTHER, NULL};
    bool division = t->op == TC_T_DIV || t->op == TC_T_TDIV, remainder = t->op == TC_T_MOD || t->op == TC_T_TREM;
    if ((division || remainder) && t->args[0] == index && t->args[1]->variance == TC_VAR_LAUNCH)
        return (part){division ? USE_DIV : USE_MOD, t->args[1]};
    part all = {USE_NONE, NULL};
    for (uint32_t i = 0; i < t->nargs; i++)
        all = both(all, use_of(t->args[i], index));
    return all;
}

// A guess at how many blocks have one place, and which of them a block is.
static void guess_group(tc_cx *cx, tc_counter *k, tc_t *rank) {
    tc_terms *ts = cx->ts;
    k->count = tc_int(ts, 1);
    *rank = tc_int(ts, 0);
    for (int d = 3; d-- > 0;) {
        tc_t index = tc_settle(cx, cx->contract->syms.block_idx[d]), extent = tc_settle(cx, cx->contract->syms.grid_dim[d]);
        part p = use_of(k->place, index);
        if (p.use == USE_OTHER || tc_is_const(index))
            continue;
        tc_t many = p.use == USE_NONE ? extent : p.use == USE_DIV ? p.by : tc_div(ts, tc_sub(ts, tc_add(ts, extent, p.by), tc_int(ts, 1)), p.by);
        tc_t mine = p.use == USE_NONE ? index : p.use == USE_DIV ? tc_mod(ts, index, p.by) : tc_div(ts, index, p.by);
        k->count = tc_mul(ts, k->count, many);
        *rank = tc_add(ts, tc_mul(ts, *rank, many), mine);
    }
}

static tc_t in_block(tc_cx *cx, tc_t t, uint32_t which) { return tc_rename(cx->ts, t, TC_VAR_BLOCK, which); }

// No two blocks of one place have one rank, and ranks are below count.
static bool is_group(tc_cx *cx, const tc_counter *k, tc_t rank) {
    tc_terms *ts = cx->ts;
    tc_tvec h = {0};
    tc_hyps_two_blocks(cx, &h);
    tc_hyps_push(cx, &h, tc_eq(ts, in_block(cx, k->place, 1), in_block(cx, k->place, 2)));
    tc_hyps_push(cx, &h, tc_eq(ts, in_block(cx, rank, 1), in_block(cx, rank, 2)));
    tc_t below = tc_and(ts, tc_le(ts, tc_int(ts, 0), rank), tc_lt(ts, rank, k->count));
    return tc_try(cx, &h, tc_bool(ts, false)).proved && tc_try_all(cx, &cx->facts, below);
}

static bool find_group(tc_cx *cx, tc_counter *k) {
    tc_t rank;
    guess_group(cx, k, &rank);
    return is_group(cx, k, rank);
}

static bool may_alias(const tc_cx *cx, int contract) {
    for (size_t i = 0; i < cx->contract->may_alias.len; i++)
        if (contract >= 0 && cx->contract->may_alias.data[i] == (uint32_t)contract)
            return true;
    return false;
}

static bool is_draw(tc_cx *cx, const tc_event *e) {
    tc_t added = e->added ? tc_settle(cx, e->added) : NULL, w = tc_settle(cx, e->width);
    return e->kind == TC_EV_ATOMIC && added && tc_is_const(added) && added->value == 1 && e->value && e->value->op == TC_T_SYM &&
           e->scope >= TC_SCOPE_GPU && e->loop == TC_NONE && tc_is_const(w) && w->value >= 1 && w->value <= 8;
}

// The block has drawn the last value of its group.
static tc_t is_last(tc_cx *cx, const tc_counter *k) {
    tc_terms *ts = cx->ts;
    return tc_and(ts, k->drew, tc_eq(ts, k->ticket, tc_addc(ts, tc_add(ts, k->first, k->count), -1)));
}

bool tc_is_after_all(tc_cx *cx, const tc_counter *k, const tc_site *s) {
    if (s->event == k->draw || s->object != k->draw->object || s->width != tc_settle(cx, k->draw->width) || tc_is_async(s->event))
        return false;
    tc_site draw = site_of(cx, k->draw, k->draw->guard);
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, s);
    return comes_before(cx, &draw, s) && tc_try_all(cx, &h, tc_and(cx->ts, is_last(cx, k), tc_eq(cx->ts, s->offset, k->place)));
}

// Nothing else touches the counters, but the last of a group.
static bool is_alone(tc_cx *cx, const tc_counter *k) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->object == k->draw->object && s->event != k->draw && !tc_is_after_all(cx, k, s))
            return false;
    }
    return true;
}

static tc_t draws_one(tc_cx *cx, const tc_event *e) {
    tc_t value = tc_block_value(cx, e, e->value);
    if (!value)
        return NULL;
    const tc_sym *s = e->value->sym;
    unsigned width = (unsigned)tc_settle(cx, e->width)->value * 8;
    return tc_wrap(cx->ts, value, width, !s->has_lo || s->lo < 0);
}

static bool make_counter(tc_cx *cx, const tc_event *e, tc_counter *k) {
    tc_terms *ts = cx->ts;
    const tc_object *o = &cx->model->objects.data[e->object];
    const tc_object_contract *c = o->contract >= 0 ? &cx->objects[o->contract] : NULL;
    if (!c || c->borrow != TC_BORROW_ATOMIC || !c->has_init || c->init->variance != TC_VAR_LAUNCH || o->space != TC_SPACE_GLOBAL ||
        may_alias(cx, o->contract) || tc_hole_may_touch(cx->model, e->object))
        return false;
    *k = (tc_counter){.draw = e, .first = c->init};
    k->ticket = draws_one(cx, e);
    k->place = k->ticket ? tc_block_value(cx, e, e->offset) : NULL;
    k->drew = k->place ? tc_block_value(cx, e, e->guard) : NULL;
    if (!k->drew || !find_group(cx, k))
        return false;
    unsigned width = (unsigned)tc_settle(cx, e->width)->value * 8;
    bool is_signed = e->value->sym->lo < 0;
    tc_t hi = tc_int(ts, is_signed ? tc_pow2(width - 1) - 1 : tc_pow2(width) - 1), lo = tc_int(ts, is_signed ? -tc_pow2(width - 1) : 0);
    return tc_try_all(cx, &cx->facts, tc_le(ts, lo, k->first)) && tc_is_given(cx, k->count, tc_sub(ts, hi, k->first), e->loc, true) &&
           is_alone(cx, k);
}

static bool is_met(void *ctx, tc_t t) { return t == ctx; }

// Does a condition depend on what was drawn, or a value in shared memory?
static bool is_looked_at(tc_cx *cx, const tc_event *draw) {
    void *drawn = (void *)(uintptr_t)draw->value;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        bool put = e->kind == TC_EV_WRITE && e->value && cx->model->objects.data[e->object].space == TC_SPACE_SHARED;
        if (tc_any(cx->ts, e->guard, is_met, drawn) || (put && tc_any(cx->ts, e->value, is_met, drawn)))
            return true;
    }
    return false;
}

bool tc_find_counters(tc_cx *cx) {
    cx->counters.len = 0;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        tc_counter k;
        const tc_event *e = &cx->model->events.data[i];
        if (is_draw(cx, e) && is_looked_at(cx, e) && make_counter(cx, e, &k))
            tc_push(cx->arena, &cx->counters, k);
    }
    return cx->counters.len > 0;
}

// ---- release and acquire ----

// How one side of a hand-over is made: by a pattern of the drawing thread, by a fence.sc of any; under which condition.
typedef struct side {
    tc_t pattern, sc; // NULL: not
} side;

static void or_else(tc_cx *cx, tc_t *so_far, tc_t more) { *so_far = *so_far ? tc_or(cx->ts, *so_far, more) : more; }

static bool is_device_fence(const tc_event *e) { return e->kind == TC_EV_FENCE && e->scope >= TC_SCOPE_GPU && e->loop == TC_NONE; }
static bool is_sc(const tc_event *e) { return e->order == TC_ORD_SEQ_CST; }

// Has a thread more than one value of it?
static bool varies(void *ctx, tc_t t) {
    uint32_t loop;
    if (t->op == TC_T_APP)
        return t->fn->variance > TC_VAR_BLOCK;
    bool one = t->op != TC_T_SYM || t->variance <= TC_VAR_BLOCK || t->sym->kind == TC_SYM_THREADIDX;
    return !one && !(tc_symbol_loop(ctx, t->sym, &loop) && loop == TC_NONE);
}

// The thread that executes the access executes the event, outside of loops, too. What varies in the event's condition would be
// another value in the access's iterations.
static bool goes_with(tc_cx *cx, const tc_site *s, const tc_event *e) {
    tc_t guard = tc_settle(cx, e->guard);
    if (tc_any(cx->ts, guard, varies, cx))
        return false;
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, s);
    return tc_try_all(cx, &h, guard);
}

static side released(tc_cx *cx, const tc_counter *k, const tc_site *a) {
    side r = {0};
    tc_t always = tc_bool(cx->ts, true);
    tc_site draw = site_of(cx, k->draw, k->draw->guard);
    if ((k->draw->order == TC_ORD_RELEASE || k->draw->order >= TC_ORD_ACQ_REL) && comes_before(cx, a, &draw))
        r.pattern = always;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_device_fence(f) || f->order == TC_ORD_ACQUIRE || f->point > k->draw->point)
            continue;
        tc_site by_drawer = site_of(cx, f, tc_and(cx->ts, f->guard, k->draw->guard)), by_any = site_of(cx, f, f->guard);
        if (tc_follows(cx, k->draw->guard, TC_NONE, k->draw->point, tc_settle(cx, f->guard)) && comes_before(cx, a, &by_drawer)) {
            or_else(cx, &r.pattern, always);
            if (is_sc(f))
                or_else(cx, &r.sc, always);
        }
        if (is_sc(f) && a->event->point < f->point && goes_with(cx, a, f) && comes_before(cx, &by_any, &draw))
            or_else(cx, &r.sc, always);
    }
    return r;
}

static side acquired(tc_cx *cx, const tc_counter *k, const tc_site *b) {
    side r = {0};
    tc_t always = tc_bool(cx->ts, true);
    tc_site draw = site_of(cx, k->draw, k->draw->guard);
    if ((k->draw->order == TC_ORD_ACQUIRE || k->draw->order >= TC_ORD_ACQ_REL) && comes_before(cx, &draw, b))
        r.pattern = always;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *f = &cx->model->events.data[i];
        if (!is_device_fence(f) || f->order == TC_ORD_RELEASE || f->point < k->draw->point)
            continue;
        // By the thread that drew: where its condition holds for that thread.
        tc_t executed = tc_block_value(cx, k->draw, f->guard);
        tc_site by_drawer = site_of(cx, f, tc_and(cx->ts, f->guard, k->draw->guard));
        if (executed && comes_before(cx, &by_drawer, b)) {
            or_else(cx, &r.pattern, executed);
            if (is_sc(f))
                or_else(cx, &r.sc, executed);
        }
        tc_site by_any = site_of(cx, f, f->guard);
        if (is_sc(f) && f->point < b->event->point && goes_with(cx, b, f) && comes_before(cx, &draw, &by_any))
            or_else(cx, &r.sc, always);
    }
    return r;
}

// ---- what is known of two blocks ----

// The place is one, and block `which` is the last that came to it.
static tc_t other_is_before(tc_cx *cx, const tc_counter *k, uint32_t which) {
    tc_t same = tc_eq(cx->ts, in_block(cx, k->place, 1), in_block(cx, k->place, 2));
    return tc_and(cx->ts, same, in_block(cx, is_last(cx, k), which));
}

static void push_tickets(tc_cx *cx, tc_tvec *h, const tc_counter *k) {
    tc_terms *ts = cx->ts;
    tc_t end = tc_add(ts, k->first, k->count), same = tc_eq(ts, in_block(cx, k->place, 1), in_block(cx, k->place, 2)), drew[3], ticket[3];
    for (uint32_t i = 1; i <= 2; i++) {
        drew[i] = in_block(cx, k->drew, i);
        ticket[i] = in_block(cx, k->ticket, i);
        tc_hyps_push(cx, h, tc_implies(ts, drew[i], tc_and(ts, tc_le(ts, k->first, ticket[i]), tc_lt(ts, ticket[i], end))));
    }
    tc_hyps_push(cx, h, tc_implies(ts, tc_and(ts, same, tc_and(ts, drew[1], drew[2])), tc_ne(ts, ticket[1], ticket[2])));
    for (uint32_t i = 1; i <= 2; i++)
        tc_hyps_push(cx, h, tc_implies(ts, other_is_before(cx, k, i), drew[3 - i]));
}

// No more is asked of a (before) and b (which: its instance) where b's block is the last and the two are in order.
static void push_order(tc_cx *cx, tc_tvec *h, const tc_counter *k, const tc_site *a, const tc_site *b, uint32_t which, bool fences) {
    tc_site draw = site_of(cx, k->draw, k->draw->guard);
    tc_t in_order = NULL;
    if (!fences) {
        if (comes_before(cx, a, &draw) && comes_before(cx, &draw, b))
            in_order = tc_bool(cx->ts, true);
    } else {
        side from = released(cx, k, a), to = acquired(cx, k, b);
        if (from.pattern && to.pattern)
            in_order = tc_and(cx->ts, from.pattern, to.pattern);
        if (from.sc && to.sc)
            or_else(cx, &in_order, tc_and(cx->ts, from.sc, to.sc));
    }
    if (in_order)
        tc_hyps_push(cx, h, tc_not(cx->ts, tc_and(cx->ts, other_is_before(cx, k, which), in_block(cx, in_order, which))));
}

void tc_hyps_handed(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, bool fences) {
    for (size_t i = 0; i < cx->counters.len; i++) {
        const tc_counter *k = &cx->counters.data[i];
        push_tickets(cx, h, k);
        push_order(cx, h, k, a, b, 2, fences);
        push_order(cx, h, k, b, a, 1, fences);
    }
}

void tc_lean_on_handed(tc_cx *cx, tc_obligation *ob) {
    tc_lean_on_barriers(cx, ob);
    for (size_t i = 0; i < cx->counters.len; i++)
        for (size_t k = 0; k < cx->sites.len; k++)
            if (cx->sites.data[k].object == cx->counters.data[i].draw->object)
                tc_depend(cx, ob, cx->sites.data[k].bounds);
}
