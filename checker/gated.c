// Barriers of the grid that a kernel makes of a counter that the last block to come sets back, and of a gate that it opens then.
//
//     mine = load(gate);
//     __threadfence();
//     if (atomicAdd(count, 1) == gridDim.x - 1) {  // the last one
//         *count = 0;
//         __threadfence();
//         atomicAdd(gate, 1);                      // opens it
//     } else {
//         while (load(gate) == mine)
//             ;
//     }
//
// SOUND: by induction over the rounds. All that is written to the counter is arrivals, and what sets it back to its first value;
// all that is written to the gate is made by who finds first + gridDim - 1 in the counter, behind that, and leaves another value
// than `mine`. Let all blocks have arrived r - 1 times in the rounds before, the counter be set back and the gate opened r - 1
// times, as long as no block arrives an r-th time. A block arrives so behind its last wait, which acquires what the last opening
// released: its arrival comes behind what set the counter back. It has read `mine` behind that opening and before it released its
// arrival, which the next opening comes behind; so `mine` is what the gate has between the two, and it waits until the next
// opening. No block arrives twice in the round: so who finds first + gridDim - 1 is the last of all, one alone does, and opens
// the gate when all have come.
//
// The opening acquires what all arrivals released (they carry on one another's), and releases it to those who wait.
#include "checker/madei.h"

// The only event of its kind between the arrival and the barrier behind; NULL where there are none or more.
static const tc_event *only_change(tc_cx *cx, const tc_made *m, const tc_made_place *p) {
    const tc_event *found = NULL;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e == m->arrives || e->point < m->arrives->point || e->point > m->behind->point || e->object != p->object ||
            !tc_changes(cx, e) || tc_made_elsewhere(cx, p, e))
            continue;
        if (found || !tc_made_at(cx, p, e) || e->loop != m->arrives->loop)
            return NULL;
        found = e;
    }
    return found;
}

// What the thread reads at the gate, last before it arrives.
static const tc_event *find_mine(tc_cx *cx, const tc_made *m, const tc_made_place *gate) {
    const tc_event *found = NULL;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->point > m->before->point && e->point < m->arrives->point && tc_made_at(cx, gate, e) && tc_made_is_read(cx, e) &&
            tc_made_goes_with(cx, m->arrives, e) && (!found || e->point > found->point))
            found = e;
    }
    return found;
}

static bool find_look(tc_cx *cx, const tc_made_place *p, tc_made *m, tc_made_place *gate) {
    for (size_t i = 0; i < cx->model->events.len && !m->look; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->object == TC_NONE || !tc_made_is_read(cx, e) || !tc_made_elsewhere(cx, p, e) || !tc_made_waits_at(cx, m, e) ||
            !tc_may_send(cx, e->object) || !tc_made_place_of(cx, e, gate))
            continue;
        m->look = e;
        m->wait = e->loop;
    }
    return m->look != NULL;
}

// ---- values ----

static tc_t is_last(tc_cx *cx, const tc_made *m, const tc_made_place *p) {
    tc_t end = tc_add(cx->ts, tc_made_read_as(cx, m->arrives, tc_made_first(cx, p)), tc_made_blocks(cx));
    return tc_eq(cx->ts, tc_made_read_as(cx, m->arrives, m->arrives->value), tc_addc(cx->ts, end, -1));
}

// It is executed by the last one, always and alone.
static bool is_of_last(tc_cx *cx, tc_made *m, tc_t last, const tc_event *e) {
    const tc_event *a = m->arrives;
    tc_t always = tc_bool(cx->ts, true);
    return tc_made_of_thread(cx, m, e) &&
           tc_made_show(cx, m, e->guard, e->loop, e->point, always, tc_and(cx->ts, a->guard, last)) &&
           tc_made_show(cx, m, a->guard, a->loop, e->point, last, e->guard);
}

// What a write leaves; NULL: not known.
static tc_t left_by(const tc_event *e) {
    if (e->kind == TC_EV_WRITE)
        return e->value && e->value->sort == TC_INT ? e->value : NULL;
    return e->kind == TC_EV_ATOMIC && !e->expected ? e->put : NULL;
}

// Begins again by itself (atomicInc), or is set back.
static bool begins_again(tc_cx *cx, const tc_made_place *p, tc_made *m, tc_t last) {
    tc_terms *ts = cx->ts;
    const tc_event *a = m->arrives;
    tc_t always = tc_bool(ts, true), first = tc_made_first(cx, p);
    if (a->limit && !m->back) {
        tc_t limit = tc_wrap(ts, tc_settle(cx, a->limit), 32, false);
        return p->bytes == 4 && tc_constant_or(cx, first, 1) == 0 &&
               tc_made_show(cx, m, a->guard, a->loop, a->point, always, tc_eq(ts, limit, tc_addc(ts, tc_made_blocks(cx), -1)));
    }
    tc_t value = m->back ? left_by(m->back) : NULL;
    return value && !a->limit && is_of_last(cx, m, last, m->back) &&
           tc_made_show(cx, m, m->back->guard, m->back->loop, m->back->point, always,
                        tc_eq(ts, tc_made_read_as(cx, a, value), tc_made_read_as(cx, a, first)));
}

static bool opens(tc_cx *cx, tc_made *m, tc_t last) {
    const tc_event *e = m->opens;
    tc_t value = left_by(e);
    if (!tc_is_atomic(e) || e->scope < TC_SCOPE_GPU || !is_of_last(cx, m, last, e))
        return false;
    if (!value) { // added to
        tc_i128 by = e->kind == TC_EV_ATOMIC && e->added ? tc_constant_or(cx, e->added, 0) : 0;
        return by % tc_pow2((unsigned)tc_constant_or(cx, e->width, 0) * 8) != 0;
    }
    tc_t same = tc_eq(cx->ts, tc_made_read_as(cx, m->mine, value), tc_made_read_as(cx, m->mine, m->mine->value));
    return tc_made_show(cx, m, e->guard, e->loop, e->point, tc_bool(cx->ts, true), tc_not(cx->ts, same));
}

// Who waits goes on when the gate has changed; who does not wait is the last one.
static bool waits(tc_cx *cx, tc_made *m, tc_t last) {
    tc_terms *ts = cx->ts;
    const tc_event *a = m->arrives;
    const tc_loop *l = &cx->model->loops.data[m->wait];
    tc_t same = tc_eq(ts, tc_made_read_as(cx, m->mine, m->look->value), tc_made_read_as(cx, m->mine, m->mine->value));
    return tc_made_show_left(cx, m, tc_not(ts, same)) &&
           (tc_made_always_waits(cx, m) || tc_made_show(cx, m, a->guard, a->loop, l->first, tc_not(ts, l->guard), last));
}

// Fewer blocks than the counter has values.
static bool are_few(tc_cx *cx, const tc_made_place *p, tc_made *m) {
    tc_t most = tc_int(cx->ts, tc_pow2((unsigned)p->bytes * 8)), always = tc_bool(cx->ts, true);
    return tc_made_show(cx, m, always, TC_NONE, 0, always, tc_le(cx->ts, tc_made_blocks(cx), most));
}

// ---- order ----

// The opening acquires what the arrival has found, and releases that and what sets the counter back.
static bool hands_on(tc_cx *cx, const tc_made *m) {
    const tc_event *a = m->arrives, *o = m->opens;
    uint32_t acquired = tc_acquires(a->order) ? a->point : TC_NONE, released = tc_releases(o->order) ? o->point : 0;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->point < a->point || e->point > o->point || !tc_made_goes_with(cx, o, e))
            continue;
        if (tc_made_is_fence(e, TC_ORD_RELEASE, false) && e->point < acquired)
            acquired = e->point;
        if (tc_made_is_fence(e, TC_ORD_ACQUIRE, false) && e->point > released)
            released = e->point;
    }
    return acquired <= released && released > 0 && (!m->back || m->back->point < released);
}

static bool find_parts(tc_cx *cx, const tc_made_place *p, const tc_event *arrival, tc_made *m, tc_made_place *gate) {
    tc_made_span s;
    bool adds = (arrival->added && tc_constant_or(cx, arrival->added, 0) == 1) || arrival->limit;
    *m = (tc_made){.arrives = arrival};
    if (arrival->kind != TC_EV_ATOMIC || !adds || arrival->scope < TC_SCOPE_GPU || !arrival->value ||
        arrival->value->op != TC_T_SYM || !tc_made_at(cx, p, arrival) || !tc_one_thread(cx, &arrival, 1, &m->thread))
        return false;
    if (!tc_made_find_before(cx, m) || !find_look(cx, p, m, gate) || !tc_made_find_behind(cx, m))
        return false;
    m->mine = find_mine(cx, m, gate);
    m->back = only_change(cx, m, p);
    m->opens = only_change(cx, m, gate);
    if (!m->mine || !m->opens || (m->back && m->back->point > m->opens->point))
        return false;
    m->fenced = tc_made_is_ordered(cx, m, false, &s) && m->mine->point < s.own && hands_on(cx, m);
    return m->fenced || tc_made_lacks_fences(cx, m);
}

// ---- one counter ----

// Of all that touches the counter and the gate: arrivals and what sets back; what opens, and reads.
static bool are_all_told(tc_cx *cx, const tc_made_place *p, const tc_made_place *gate, const tc_mades *found) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        bool reads_gate = tc_made_elsewhere(cx, gate, e) || !tc_changes(cx, e);
        bool known = !tc_event_touches(e) || (tc_made_elsewhere(cx, p, e) && reads_gate);
        for (size_t k = 0; k < found->len && !known; k++)
            known = e == found->data[k].arrives || e == found->data[k].back || e == found->data[k].opens;
        if (!known)
            return false;
    }
    return true;
}

bool tc_made_by_gate(tc_cx *cx, const tc_made_place *p, tc_mades *found) {
    tc_made_place gate = {.object = TC_NONE};
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        tc_made_place other;
        tc_made m;
        if (e->object != p->object || e->kind != TC_EV_ATOMIC || !(e->added || e->limit) || tc_made_elsewhere(cx, p, e))
            continue;
        if (!find_parts(cx, p, e, &m, &other) || (gate.object != TC_NONE && !tc_made_at(cx, &gate, m.look)))
            return false;
        gate = other;
        tc_t last = is_last(cx, &m, p);
        if (!begins_again(cx, p, &m, last) || !opens(cx, &m, last) || !waits(cx, &m, last) || !are_few(cx, p, &m))
            return false;
        tc_push(cx->arena, found, m);
    }
    // What one of them lacks the rounds of all lack.
    bool fenced = true;
    for (size_t i = 0; i < found->len; i++)
        fenced &= found->data[i].fenced;
    for (size_t i = 0; i < found->len; i++)
        found->data[i].fenced = fenced;
    return found->len > 0 && are_all_told(cx, p, &gate, found);
}
