// Values that a thread reads back: a load gives what the same thread stored at its place before, or loaded from there.
//
//     if (s[y][x] == 0 && s[y][k] != 0)   // not where x == k: the two loads are of one place
//
// Of two plain accesses of one object by a thread, in the same iterations, with no order with other threads between them and
// no store of its own to that object: where their places are equal, the later load gives the value of the earlier access.
//
// SOUND: a write by another thread that comes between the two, in time, is in no order with the load, for nothing between
// them orders the thread with others: it is a race. What uses the fact leans on there being none of that object (depends.c).
// These lean on each other by time: where a fact fails for the first time, there was a race before, or just then; and what is
// known where that happens speaks of loads before it only. In lock-step other threads of the group come between without a
// race: there, nobody else touches the place at all.
#include "checker/order.h"

#include <string.h>

enum { most_for_load = 16, most_looked_at = 400 };

// ---- what lies between ----

static bool is_plain(const tc_event *e, tc_event_kind kind) {
    return e->kind == kind && e->order == TC_ORD_PLAIN && !e->non_coherent && tc_is_const(e->width) && e->width->value > 0 &&
           e->width->value <= 8;
}

static bool is_common(const tc_cx *cx, uint32_t object) {
    const tc_object *o = &cx->model->objects.data[object];
    return (o->space == TC_SPACE_SHARED || (o->space == TC_SPACE_GLOBAL && cx->borrow[object] != TC_BORROW_UNCHECKED)) &&
           !tc_has_two_names(cx, object);
}

// May other threads come in where it stands, or does it change the object?
static bool comes_between(const tc_event *e, uint32_t object) {
    if (e->kind != TC_EV_READ && e->kind != TC_EV_WRITE)
        return true;
    return e->order > TC_ORD_RELAXED || (e->kind == TC_EV_WRITE && e->object == object);
}

// The outermost loop that the load is in and the other access is not; TC_NONE: there is none.
static uint32_t loop_between(const tc_kmodel *m, const tc_event *before, const tc_event *load) {
    uint32_t found = TC_NONE;
    for (uint32_t l = load->loop; l != before->loop; l = m->loops.data[l].parent)
        found = l;
    return found;
}

static bool is_around(const tc_kmodel *m, uint32_t loop, uint32_t inner) {
    return loop == TC_NONE || (inner != TC_NONE && tc_loop_encloses(m, loop, inner));
}

static bool lies_between(const tc_kmodel *m, const tc_event *before, const tc_event *load, uint32_t loop, uint32_t point) {
    const uint32_t repeats = loop_between(m, before, load);
    const bool again = repeats != TC_NONE && loop != TC_NONE && is_around(m, repeats, loop);
    return again || (point > before->point && point < load->point);
}

static bool hole_between(const tc_kmodel *m, const tc_event *before, const tc_event *load) {
    for (size_t i = 0; i < m->holes.len; i++) {
        const tc_hole *h = &m->holes.data[i];
        if (h->effect & (TC_HOLE_MEMORY | TC_HOLE_SYNC | TC_HOLE_CONTROL) && lies_between(m, before, load, h->loop, h->point))
            return true;
    }
    return false;
}

// In earlier iterations of loops that only the load is in.
static bool repeated_between(const tc_kmodel *m, const tc_event *before, const tc_event *load) {
    const uint32_t repeats = loop_between(m, before, load);
    for (size_t i = 0; repeats != TC_NONE && i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->loop != TC_NONE && is_around(m, repeats, e->loop) && comes_between(e, load->object))
            return true;
    }
    return false;
}

// ---- finding them ----

static bool is_integer_symbol(tc_t v) {
    return v && v->op == TC_T_SYM && v->sort == TC_INT && v->sym->kind == TC_SYM_UNKNOWN && v->sym->has_lo && v->sym->has_hi;
}

// The bits of v as the load reads them.
static tc_t as_read(tc_cx *cx, const tc_event *load, tc_t v) {
    return tc_wrap(cx->ts, v, (unsigned)load->width->value * 8, load->value->sym->lo < 0);
}

static void add(tc_cx *cx, const tc_event *before, const tc_event *load) {
    tc_terms *ts = cx->ts;
    tc_read_back r = {.load = load, .before = before};
    r.value = tc_settle(cx, before->value);
    r.same = tc_and(ts, tc_settle(cx, before->guard), tc_eq(ts, tc_settle(cx, before->offset), tc_settle(cx, load->offset)));
    if (tc_is_false(r.same) || r.value->sort != TC_INT)
        return;
    if (is_integer_symbol(load->value))
        r.fact = tc_implies(ts, tc_and(ts, tc_settle(cx, load->guard), r.same),
                            tc_eq(ts, load->value, as_read(cx, load, r.value)));
    tc_push(cx->arena, &cx->read_back, r);
}

static void look_back(tc_cx *cx, size_t at) {
    const tc_kmodel *m = cx->model;
    const tc_event *load = &m->events.data[at];
    size_t found = 0;
    for (size_t i = at; i-- > 0 && at - i <= most_looked_at && found < most_for_load;) {
        const tc_event *e = &m->events.data[i];
        const bool read = is_plain(e, TC_EV_READ) && is_integer_symbol(e->value), written = is_plain(e, TC_EV_WRITE) && e->value;
        if (e->object == load->object && (read || written) && e->width == load->width && e->point < load->point && is_around(m, e->loop, load->loop) &&
            !hole_between(m, e, load) && !repeated_between(m, e, load)) {
            add(cx, e, load);
            found++;
        }
        if (comes_between(e, load->object))
            return;
    }
}

// Events stand in the order of their points.
static void find(tc_cx *cx) {
    if (cx->read_back_known)
        return;
    cx->read_back_known = true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->object != TC_NONE && is_plain(e, TC_EV_READ) && is_common(cx, e->object))
            look_back(cx, i);
    }
}

// ---- lock-step ----

static bool may_touch(tc_cx *cx, const tc_site *load, const tc_site *write) {
    tc_two w = tc_two_new(cx, false, TC_NONE, load->event->loop, write->event->loop);
    tc_tvec one = {0}, two = {0}, h = {0};
    tc_hyps_site(cx, &one, load);
    tc_hyps_site(cx, &two, write);
    for (size_t i = 0; i < one.len; i++)
        tc_hyps_push(cx, &h, tc_two_at(&w, one.data[i], 1));
    for (size_t i = 0; i < two.len; i++)
        tc_hyps_push(cx, &h, tc_two_at(&w, two.data[i], 2));
    tc_view v = tc_view_threads(&w);
    tc_hyps_push(cx, &h, tc_two_threads(&w));
    tc_hyps_push(cx, &h, tc_bytes_meet(cx, &v, load, write));
    return !tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

static bool is_left_alone(tc_cx *cx, const tc_event *load) {
    for (size_t i = 0; i < cx->sites.len; i++)
        for (size_t k = 0; cx->sites.data[i].event == load && k < cx->sites.len; k++) {
            const tc_site *w = &cx->sites.data[k];
            if (w->object == load->object && tc_event_writes(w->event) && may_touch(cx, &cx->sites.data[i], w))
                return false;
        }
    return true;
}

static bool holds(tc_cx *cx, tc_read_back *r) {
    if (cx->options->lockstep < 2)
        return true;
    if (!cx->alike)
        return false;
    if (!r->asked) {
        r->alone = is_left_alone(cx, r->load);
        r->asked = true;
    }
    return r->alone;
}

// ---- using them ----

static void note_object(tc_cx *cx, tc_obligation *ob, uint32_t object) {
    for (size_t i = 0; i < ob->read_back.len; i++)
        if (ob->read_back.data[i] == object)
            return;
    tc_push(cx->arena, &ob->read_back, object);
}

typedef struct mention {
    tc_t symbol;
    bool found;
} mention;

static void look(void *ctx, tc_t t) {
    mention *m = ctx;
    m->found |= t == m->symbol;
}

static bool is_mentioned(tc_cx *cx, const tc_tvec *h, tc_t goal, tc_t symbol) {
    mention m = {symbol, false};
    for (size_t i = 0; i < h->len && !m.found; i++)
        tc_walk(cx->ts, h->data[i], look, &m);
    if (goal)
        tc_walk(cx->ts, goal, look, &m);
    return m.found;
}

// Facts about loads before the point, of which something that is known speaks; v: as they are in instance `which`, or NULL.
static bool push_facts(tc_cx *cx, tc_obligation *ob, uint32_t loop, uint32_t point, const tc_view *v, int which) {
    bool any = false;
    find(cx);
    for (size_t i = cx->read_back.len; i-- > 0;) { // a fact may speak of earlier loads
        tc_read_back *r = &cx->read_back.data[i];
        if (!r->fact || r->load->point >= point || !is_around(cx->model, r->load->loop, loop))
            continue;
        tc_t symbol = v ? tc_seen(v, r->load->value, which) : r->load->value;
        if (!is_mentioned(cx, &ob->hyps, ob->goal, symbol) || !holds(cx, r))
            continue;
        tc_hyps_push(cx, &ob->hyps, v ? tc_seen(v, r->fact, which) : r->fact);
        note_object(cx, ob, r->load->object);
        any = true;
    }
    return any;
}

bool tc_hyps_read_back(tc_cx *cx, tc_obligation *ob, uint32_t loop, uint32_t point) {
    return push_facts(cx, ob, loop, point, NULL, 0);
}

bool tc_hyps_two_read_back(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_view *v) {
    const bool one = push_facts(cx, ob, a->event->loop, a->event->point, v, 1);
    return push_facts(cx, ob, b->event->loop, b->event->point, v, 2) || one;
}

const tc_read_back *tc_own_write_before(tc_cx *cx, const tc_event *load) {
    find(cx);
    for (size_t i = 0; i < cx->read_back.len; i++) {
        tc_read_back *r = &cx->read_back.data[i];
        if (r->load == load && r->before->kind == TC_EV_WRITE && holds(cx, r))
            return r;
    }
    return NULL;
}
