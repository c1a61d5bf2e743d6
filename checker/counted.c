// Barriers of the grid that a kernel makes of a counter that only grows: each block adds 1, and waits until all have added as
// often.
//
// SOUND: all that is written to the counter is arrivals. In the order in which they are made (they are atomic, of the device's
// scope), take the first n * gridDim of them. No block has more than n of these: it arrives an (n+1)-th time only behind its n-th
// wait, which read, before that, what n * gridDim arrivals had left. So each has n. And a wait that gives first + n * gridDim or
// more to a block that has arrived n times at the most shows that all have. If the counter has wrapped before, more than max -
// first have arrived, and max is not less than what was read.
//
// How often a block has arrived is bounded by the arrivals in the text, and the iterations of the loops around them.
#include "checker/madei.h"

enum { max_depth = 8 };

typedef struct nest {
    uint32_t loops[max_depth]; // outermost first
    size_t n;
} nest;

static bool nest_of(const tc_kmodel *m, uint32_t loop, nest *r) {
    r->n = 0;
    for (uint32_t l = loop; l != TC_NONE; l = m->loops.data[l].parent)
        r->n++;
    size_t i = r->n;
    for (uint32_t l = loop; i > 0 && r->n <= max_depth; l = m->loops.data[l].parent)
        r->loops[--i] = l;
    return r->n <= max_depth;
}

// The arrival is perhaps executed in the iteration in which its loop is left.
static bool is_in_last_iteration(tc_cx *cx, const tc_event *e, uint32_t loop) {
    const tc_loop *l = &cx->model->loops.data[loop];
    if (!l->leaves)
        return true;
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, e->guard, e->loop, e->point);
    tc_hyps_push(cx, &h, tc_settle(cx, l->leaves));
    return !tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

// In how many iterations of a run of the loop that is over the arrival was executed, at the most, by the last value of its
// counter.
static tc_t iterations(tc_cx *cx, const tc_event *e, uint32_t loop, tc_t last) {
    return is_in_last_iteration(cx, e, loop) ? tc_addc(cx->ts, last, 1) : last;
}

// A number of the launch that the arrival's iterations of any run of the loop stay below; or NULL.
static tc_t most_iterations(tc_cx *cx, const tc_event *e, uint32_t loop) {
    tc_terms *ts = cx->ts;
    const tc_loop *l = &cx->model->loops.data[loop];
    tc_t k = tc_loop_counter(cx, loop), trips = l->trips ? tc_settle(cx, l->trips) : NULL;
    if (!k || !trips || trips->variance > TC_VAR_LAUNCH)
        return NULL;
    tc_t most = tc_max(ts, trips, tc_int(ts, 0));
    for (int more = 0; more <= 1; more++)
        if (tc_follows(cx, e->guard, e->loop, e->point, tc_lt(ts, k, tc_addc(ts, most, more))))
            return tc_addc(ts, most, more);
    return NULL;
}

// By one run of the loops from depth d on; NULL where that is not one number for all runs.
static tc_t by_one_run(tc_cx *cx, const tc_event *e, const nest *n, size_t d) {
    tc_t all = tc_int(cx->ts, 1);
    for (; d < n->n && all; d++) {
        tc_t most = most_iterations(cx, e, n->loops[d]);
        all = most ? tc_mul(cx->ts, all, most) : NULL;
    }
    return all;
}

// By one arrival, before another one (or itself).
static tc_t before(tc_cx *cx, const tc_event *one, const tc_event *at, bool last_values) {
    tc_terms *ts = cx->ts;
    nest x, y;
    if (!nest_of(cx->model, one->loop, &x) || !nest_of(cx->model, at->loop, &y))
        return NULL;
    size_t both = 0;
    while (both < x.n && both < y.n && x.loops[both] == y.loops[both])
        both++;
    tc_t sum = tc_int(ts, one == at ? 1 : 0);
    for (size_t d = 0; d < both; d++) {
        tc_t k = tc_loop_counter(cx, x.loops[d]), run = by_one_run(cx, one, &x, d + 1);
        if (!k || !run)
            return NULL;
        sum = tc_add(ts, sum, tc_mul(ts, k, run));
    }
    if (one == at || one->point > at->point)
        return sum;
    tc_t last = last_values && both + 1 == x.n ? tc_loop_counter(cx, x.loops[both]) : NULL;
    tc_t run = last ? iterations(cx, one, x.loops[both], last) : by_one_run(cx, one, &x, both);
    return run ? tc_add(ts, sum, run) : NULL;
}

// How often, at the most, the block has arrived when it has at all[which] (itself included); NULL where that is not known.
// last_values: of loops that are over it is told by the last values of their counters, otherwise by their bounds.
// SOUND: an arrival is executed once in an iteration of its loop or not at all, so that the counters of the loops around it,
// completed iterations, bound how often it was. Of loops that are over, and that were not entered, the last value of the counter
// is nothing that is known: it may be taken to be 0.
static tc_t arrived_by(tc_cx *cx, const tc_mades *all, size_t which, bool last_values) {
    tc_t sum = tc_int(cx->ts, 0);
    for (size_t i = 0; i < all->len; i++) {
        tc_t n = before(cx, all->data[i].arrives, all->data[which].arrives, last_values);
        if (!n)
            return NULL;
        sum = tc_add(cx->ts, sum, n);
    }
    return sum;
}

tc_t tc_made_blocks(tc_cx *cx) {
    tc_t n = tc_int(cx->ts, 1);
    for (int d = 0; d < 3; d++)
        n = tc_mul(cx->ts, n, tc_settle(cx, cx->contract->syms.grid_dim[d]));
    return n;
}

// ---- one counter ----

static bool is_arrival(tc_cx *cx, const tc_event *e) {
    return e->kind == TC_EV_ATOMIC && e->added && tc_constant_or(cx, e->added, 0) == 1 && e->scope >= TC_SCOPE_GPU &&
           e->value && e->value->op == TC_T_SYM;
}

static bool is_ordered(tc_cx *cx, tc_made *m) {
    tc_made_span s;
    m->fenced = tc_made_is_ordered(cx, m, false, &s) || tc_made_is_ordered(cx, m, true, &s);
    return m->fenced || tc_made_lacks_fences(cx, m);
}

static bool find_parts(tc_cx *cx, const tc_made_place *p, const tc_event *arrival, tc_made *m) {
    *m = (tc_made){.arrives = arrival};
    return is_arrival(cx, arrival) && tc_made_at(cx, p, arrival) && tc_one_thread(cx, &arrival, 1, &m->thread) &&
           tc_made_find_before(cx, m) && tc_made_find_look(cx, p, m) && tc_made_find_behind(cx, m) && is_ordered(cx, m);
}

// What it read last, or what its own arrival left where it does not wait, is all arrivals up to this one's, by all blocks, or
// more.
static bool opens_last(tc_cx *cx, const tc_made_place *p, tc_made *m, tc_t arrived) {
    tc_terms *ts = cx->ts;
    const tc_event *a = m->arrives;
    const tc_loop *l = &cx->model->loops.data[m->wait];
    m->shown.claim = NULL;
    tc_t first = tc_made_read_as(cx, m->look, tc_made_first(cx, p));
    tc_t all = tc_add(ts, first, tc_mul(ts, tc_made_blocks(cx), tc_settle(cx, arrived)));
    tc_t left = tc_addc(ts, tc_made_read_as(cx, m->look, a->value), 1);
    return tc_made_show_left(cx, m, tc_le(ts, all, tc_made_read_as(cx, m->look, m->look->value))) &&
           (tc_made_always_waits(cx, m) ||
            tc_made_show(cx, m, a->guard, a->loop, l->first, tc_not(ts, l->guard), tc_le(ts, all, left)));
}

bool tc_made_by_count(tc_cx *cx, const tc_made_place *p, tc_mades *found) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (e->object != p->object || !tc_changes(cx, e) || tc_made_elsewhere(cx, p, e))
            continue;
        tc_made m;
        if (!find_parts(cx, p, e, &m))
            return false;
        tc_push(cx->arena, found, m);
    }
    for (size_t i = 0; i < found->len; i++) {
        bool shown = false;
        for (int last_values = 0; last_values <= 1 && !shown; last_values++) {
            tc_t arrived = arrived_by(cx, found, i, last_values);
            shown = arrived && opens_last(cx, p, &found->data[i], arrived);
        }
        if (!shown)
            return false;
    }
    return found->len > 0;
}
