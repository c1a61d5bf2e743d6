// How often a block has arrived at a barrier of the grid that it makes itself: by the arrivals in the text, and the iterations of
// the loops around them.
#include "checker/made.h"

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

// In how many iterations of a run of the loop that is over the arrival was executed, at the most, by the last value of its counter.
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

// SOUND: an arrival is executed once in an iteration of its loop or not at all, so that the counters of the loops around it, completed
// iterations, bound how often it was. Of loops that are over, and that were not entered, the last value of the counter is nothing that
// is known: it may be taken to be 0.
tc_t tc_arrived_by(tc_cx *cx, const tc_mades *all, size_t which, bool last_values) {
    tc_t sum = tc_int(cx->ts, 0);
    for (size_t i = 0; i < all->len; i++) {
        tc_t n = before(cx, all->data[i].arrives, all->data[which].arrives, last_values);
        if (!n)
            return NULL;
        sum = tc_add(cx->ts, sum, n);
    }
    return sum;
}

tc_t tc_grid_blocks(tc_cx *cx) {
    tc_t n = tc_int(cx->ts, 1);
    for (int d = 0; d < 3; d++)
        n = tc_mul(cx->ts, n, tc_settle(cx, cx->contract->syms.grid_dim[d]));
    return n;
}
