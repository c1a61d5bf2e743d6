// The memory events as the rules see them: settled terms, the object's borrow (stated or inferred), one site for each
// alternative of an offset.
#include "checker/rules.h"

// ---- borrows ----

static bool only_atomics(const tc_kmodel *m, uint32_t object) {
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->object == object && tc_event_touches(e) && !tc_is_atomic(e))
            return false;
    }
    return true;
}

static bool written_by_event(const tc_kmodel *m, uint32_t object) {
    for (size_t i = 0; i < m->events.len; i++)
        if (m->events.data[i].object == object && tc_event_writes(&m->events.data[i]))
            return true;
    return false;
}

static tc_borrow inferred_borrow(const tc_kmodel *m, uint32_t object) {
    const tc_object *o = &m->objects.data[object];
    if (o->space == TC_SPACE_CONSTANT || o->space == TC_SPACE_PARAM)
        return TC_BORROW_SHARED;
    if (!o->written && !written_by_event(m, object))
        return TC_BORROW_SHARED;
    return only_atomics(m, object) ? TC_BORROW_ATOMIC : TC_BORROW_MUT;
}

static const char *borrow_word(tc_borrow b) {
    switch (b) {
    case TC_BORROW_SHARED:
        return "tc_shared (it is never written)";
    case TC_BORROW_ATOMIC:
        return "tc_atomic (only atomics touch it)";
    default:
        return "tc_mut";
    }
}

static void take(tc_cx *cx, tc_loc loc, const char *text, const char *why) {
    tc_taken t = {text, why, loc};
    tc_push(cx->arena, &cx->result->assumptions, t);
}

static void infer_borrow(tc_cx *cx, uint32_t i) {
    const tc_object *o = &cx->model->objects.data[i];
    cx->borrow[i] = inferred_borrow(cx->model, i);
    if (o->space == TC_SPACE_GLOBAL && o->contract >= 0)
        take(cx, o->loc,
             tc_fmt(cx->arena, "'%s' is %s, and shares no memory with a pointer that is written", o->name,
                    borrow_word(cx->borrow[i])),
             "it has no ownership word");
}

void tc_infer_borrows(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    cx->borrow = TC_NEW_ARRAY(cx->arena, tc_borrow, m->objects.len + 1);
    for (uint32_t i = 0; i < m->objects.len; i++) {
        const tc_object *o = &m->objects.data[i];
        const tc_object_contract *c = o->contract >= 0 ? &cx->objects[o->contract] : NULL;
        if (o->space == TC_SPACE_SHARED || o->space == TC_SPACE_LOCAL)
            cx->borrow[i] = TC_BORROW_NONE;
        else if (c && c->borrow != TC_BORROW_NONE)
            cx->borrow[i] = c->borrow;
        else
            infer_borrow(cx, i);
        if (cx->borrow[i] == TC_BORROW_UNCHECKED)
            take(cx, c->loc, tc_fmt(cx->arena, "accesses to '%s' are not checked", c->path), c->unchecked_why);
    }
}

// ---- launch dimensions that nobody reads ----

static bool is_symbol(void *ctx, tc_t t) {
    return t == ctx;
}

static bool mentions(tc_cx *cx, tc_t t, tc_t sym) {
    return t && tc_any(cx->ts, t, is_symbol, (void *)(uintptr_t)sym);
}

static bool contract_speaks_of(tc_cx *cx, tc_t sym) {
    for (size_t i = 0; i < cx->contract->objects.len; i++) {
        const tc_object_contract *o = &cx->contract->objects.data[i];
        if (o->region == TC_REGION_NONE)
            continue;
        if (mentions(cx, o->owner, sym) || mentions(cx, o->rows_lo, sym) || mentions(cx, o->rows_hi, sym))
            return true;
        for (unsigned d = 0; d < o->ndims; d++)
            if (mentions(cx, o->at[d], sym))
                return true;
    }
    return false;
}

// An extent that nothing reads, and that may be 1 or not: what is proved where it is 1 is proved if.
static bool infer_one(tc_cx *cx, tc_t sym, const char *name, tc_fact *f) {
    tc_t extent = tc_settle(cx, sym);
    if (tc_is_const(extent))
        return false;
    tc_tvec h = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_push(cx->arena, &h, cx->facts.data[i]);
    tc_t one = tc_eq(cx->ts, extent, tc_int(cx->ts, 1));
    if (tc_try(cx, &h, one).proved || tc_try(cx, &h, tc_not(cx->ts, one)).proved)
        return false;
    *f = (tc_fact){one, tc_fmt(cx->arena, "%s == 1", name), cx->contract->kernel->loc};
    return true;
}

void tc_infer_grid(tc_cx *cx) {
    const tc_launch_syms *s = &cx->contract->syms;
    const tc_kmodel *m = cx->model;
    tc_fact f;
    for (int d = 0; d < 3 && !cx->contract->has_grid; d++)
        if (!m->reads_block_idx[d] && !m->reads_grid_dim[d] && !contract_speaks_of(cx, s->block_idx[d]) &&
            infer_one(cx, s->grid_dim[d], tc_fmt(cx->arena, "gridDim.%c", "xyz"[d]), &f))
            tc_push(cx->arena, &cx->ones, f);
}

void tc_infer_block(tc_cx *cx) {
    const tc_kmodel *m = cx->model;
    tc_fact f;
    for (int d = 0; d < 3 && !cx->contract->has_block; d++)
        if (!m->reads_thread_idx[d] && !m->reads_block_dim[d] &&
            infer_one(cx, cx->contract->syms.block_dim[d], tc_fmt(cx->arena, "blockDim.%c", "xyz"[d]), &f))
            tc_push(cx->arena, &cx->block_ones, f);
}

// ---- sites ----

// A choice among the summands of the offset that no subscript can hold: both alternatives become sites.
static tc_t loose_choice(tc_cx *cx, const tc_site *s) {
    tc_i128 unit = s->contract && s->contract->elem ? (tc_i128)s->contract->elem->size : 1;
    const tc_t *parts = s->offset->op == TC_T_ADD ? s->offset->args : &s->offset;
    uint32_t n = s->offset->op == TC_T_ADD ? s->offset->nargs : 1;
    (void)cx;
    for (uint32_t i = 0; i < n; i++)
        if (parts[i]->op == TC_T_ITE && unit != 1)
            return parts[i];
    return NULL;
}

static void add_site(tc_cx *cx, tc_site s, int depth);

static void add_half(tc_cx *cx, tc_site half, tc_t cond, int depth) {
    half.guard = tc_and(cx->ts, half.guard, cond);
    if (!tc_is_false(half.guard))
        add_site(cx, half, depth + 1);
}

// The part of a site whose width is 0.
// SOUND: no byte of it is touched, so that nothing is asked of where it would be but that it is aligned.
static void add_idle(tc_cx *cx, tc_site s, tc_t cond) {
    s.guard = tc_and(cx->ts, s.guard, cond);
    s.bytes = 0;
    if (!tc_is_false(s.guard))
        tc_push(cx->arena, &cx->idle, s);
}

// An asynchronous copy that reads 16 bytes, or none and writes zeros: false where it is none.
static bool split_by_width(tc_cx *cx, tc_site *s, int depth) {
    tc_t zero = tc_int(cx->ts, 0);
    if (depth < 4 && s->width->op == TC_T_ITE) {
        for (uint32_t k = 1; k <= 2; k++) {
            tc_site half = *s;
            half.width = s->width->args[k];
            half.bytes = tc_is_const(half.width) && half.width->value > 0 ? half.width->value : 0;
            add_half(cx, half, k == 1 ? s->width->args[0] : tc_not(cx->ts, s->width->args[0]), depth);
        }
        return true;
    }
    if (s->bytes > 0 || (s->event->kind != TC_EV_ASYNC_READ && s->width != zero))
        return false;
    tc_t touches = tc_lt(cx->ts, zero, s->width);
    add_idle(cx, *s, tc_not(cx->ts, touches));
    s->guard = tc_and(cx->ts, s->guard, touches);
    return tc_is_false(s->guard);
}

static void add_site(tc_cx *cx, tc_site s, int depth) {
    if (split_by_width(cx, &s, depth))
        return;
    tc_t choice = depth < 4 ? loose_choice(cx, &s) : NULL;
    if (!choice) {
        tc_push(cx->arena, &cx->sites, s);
        return;
    }
    for (uint32_t k = 1; k <= 2; k++) {
        tc_site half = s;
        tc_t cond = k == 1 ? choice->args[0] : tc_not(cx->ts, choice->args[0]);
        half.offset = tc_add(cx->ts, tc_sub(cx->ts, s.offset, choice), choice->args[k]);
        add_half(cx, half, cond, depth);
    }
}

void tc_sites_make(tc_cx *cx) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!tc_event_touches(e) || cx->borrow[e->object] == TC_BORROW_UNCHECKED)
            continue;
        int c = cx->model->objects.data[e->object].contract;
        tc_site s = {.event = e,
                     .object = e->object,
                     .contract = c >= 0 ? &cx->objects[c] : NULL,
                     .borrow = cx->borrow[e->object],
                     .offset = tc_settle(cx, e->offset),
                     .width = tc_settle(cx, e->width),
                     .guard = tc_settle(cx, e->guard),
                     .bounds = TC_NONE,
                     .owned = TC_NONE};
        s.bytes = tc_is_const(s.width) && s.width->value > 0 ? s.width->value : 0;
        if (!tc_is_false(s.guard))
            add_site(cx, s, 0);
    }
}
