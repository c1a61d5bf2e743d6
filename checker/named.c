// Named barriers: bar.sync and bar.arrive with a number and a count of threads (PTX ISA, "barrier").
//
// A round of such a barrier is over when as many threads as it counts have come to it, whoever they are. Each instance of a
// use (an event in an iteration of its loop) is given a rank, a number that rises along the program of each thread. Shown is of
// one group of as many threads as all the barriers count, G, that
//
// 1. nobody else comes, and threads of a warp come together;
// 2. where one of G comes to a barrier at some rank, each of G comes to the same barrier at that rank;
// 3. along a thread's program ranks rise;
// 4. between an arrival that does not wait and the thread's next one at that barrier, the thread waits somewhere.
//
// SOUND: then each round is made of the arrivals of one rank, one of each thread of G. Take the first arrival, in time, of a
// thread at a barrier whose round with the thread's previous arrival, at rank r, is not over. By 4, or as that arrival waited
// itself, the thread has passed a wait at a rank of at least r, whose round was over and so made of one arrival of each of G;
// these came after all of lower ranks (3): those at r had all come, and by 2 there are as many as the barrier counts. The round
// was over. So who has passed a wait at rank r knows that all of G have come to r. Nobody waits for ever: of the waits with the
// least rank, each one misses a thread that is stopped by a lower rank (3), or by a barrier of the block, which does not lie
// between uses; lanes of a warp stop each other at one place in the program, which all of them have come to or none (1).
//
// Ranks are guessed. SOUND: any that meet 1 to 4 will do.
#include "checker/order.h"

enum { most_uses = 12, most_guesses = 64 };

typedef struct use {
    const tc_event *event;
    tc_i128 id;
    bool waits;
    tc_t counter; // of the loop, or NULL
    tc_t guard, entry, leaves; // settled; entry, leaves: of the loop
    int class;    // the uses that one thread comes to in one iteration, or one use outside of loops
    tc_t rank;    // over the counter
} use;

typedef struct class {
    uint32_t loop;
    size_t first, size; // first: a use
    tc_t start;         // rank before the first iteration, without the shift
    tc_i128 shift;
} class;

typedef struct tc_named {
    use uses[most_uses];
    size_t n;
    class classes[most_uses];
    size_t nclasses;
    tc_i128 count, lo; // G: threads [lo, lo + count) of the block
    tc_i128 step;      // ranks of an iteration
    const char *why;   // it is not shown; or NULL
} tc_named;

bool tc_is_named_barrier(const tc_event *e) {
    return e->kind == TC_EV_ARRIVE || (e->kind == TC_EV_BARRIER && !tc_is_block_barrier(e));
}

const char *tc_named_unfit(const tc_cx *cx) { return cx->named ? cx->named->why : NULL; }

void tc_named_uses(tc_cx *cx, tc_obligation *ob) {
    for (size_t i = 0; i < cx->named->n; i++) {
        const use *u = &cx->named->uses[i];
        tc_note_uses(cx, ob, u->guard);
        if (u->counter) {
            tc_note_uses(cx, ob, u->entry);
            tc_note_uses(cx, ob, u->leaves);
        }
    }
}

// ---- uses ----

// Of the thread, and neither its index nor the counter (ctx).
static bool is_other(void *ctx, tc_t t) {
    tc_t counter = *(tc_t *)ctx;
    if (t->op == TC_T_APP)
        return t->fn->variance > TC_VAR_BLOCK;
    return t->op == TC_T_SYM && t->variance > TC_VAR_BLOCK && t != counter && t->sym->kind != TC_SYM_THREADIDX;
}

// Made of the launch, the block, the thread's index and the counter.
static bool is_plain(tc_cx *cx, tc_t t, tc_t counter) {
    return !tc_any(cx->ts, t, is_other, &counter);
}

static const char *add_use(tc_cx *cx, tc_named *g, const tc_event *e) {
    if (g->n == most_uses)
        return "more uses of numbered barriers than are compared";
    tc_t id = e->operand[0] ? tc_settle(cx, e->operand[0]) : NULL, count = e->operand[1] ? tc_settle(cx, e->operand[1]) : tc_block_threads(cx);
    if (!id || !tc_is_const(id) || id->value < 1 || id->value > 15 || e->value)
        return "the number of a barrier is no constant from 1 to 15";
    if (!tc_is_const(count) || count->value < 32 || count->value % 32 != 0 || (g->n > 0 && count->value != g->count))
        return "barriers count threads that are no whole warps, or not the same number everywhere";
    use u = {.event = e, .id = id->value, .waits = e->kind == TC_EV_BARRIER, .guard = tc_settle(cx, e->guard)};
    if (e->loop != TC_NONE) {
        const tc_loop *l = &cx->model->loops.data[e->loop];
        if (l->parent != TC_NONE || !l->counter || !l->leaves)
            return "a numbered barrier in a loop within a loop, or in one of which it is not known when threads leave it";
        u.counter = tc_of_sym(cx->ts, l->counter);
        u.entry = tc_settle(cx, l->guard);
        u.leaves = tc_settle(cx, l->leaves);
    }
    if (!is_plain(cx, u.guard, u.counter) || (u.counter && (!is_plain(cx, u.entry, NULL) || !is_plain(cx, u.leaves, u.counter))))
        return "whether a thread comes to a numbered barrier hangs on more than its index and the iteration";
    g->count = count->value;
    g->uses[g->n++] = u;
    return NULL;
}

// Barriers of the block lie before all uses or behind all, in none of their loops.
static bool is_between(const tc_cx *cx, const tc_named *g, const tc_event *b) {
    bool before = b->point < g->uses[0].event->point;
    uint32_t around = tc_loop_outermost(cx->model, b->loop);
    for (size_t i = 0; i < g->n; i++)
        if ((b->point < g->uses[i].event->point) != before || (around != TC_NONE && around == g->uses[i].event->loop))
            return true;
    return false;
}

// ---- instances ----

static tc_t in_iteration(tc_cx *cx, const use *u, tc_t t, tc_t k) {
    tc_map m = {0};
    if (u->counter)
        tc_map_put(cx->arena, &m, TC_KEY(u->counter), (void *)(uintptr_t)k);
    return tc_subst(cx->ts, t, &m);
}

// The use is executed in iteration k. SOUND: a thread that leaves the loop in some iteration would leave it in each later one
// too (shown before): if it does not in k - 1, it has come to k. The terms are right only in the counter's range.
static tc_t executed(tc_cx *cx, const use *u, tc_t k) {
    tc_terms *ts = cx->ts;
    if (!u->counter)
        return u->guard;
    tc_t zero = tc_int(ts, 0), stays = tc_not(ts, in_iteration(cx, u, u->leaves, tc_addc(ts, k, -1)));
    tc_t come = tc_and(ts, tc_le(ts, zero, k), tc_or(ts, tc_eq(ts, k, zero), stays));
    if (u->counter->sym->has_hi)
        come = tc_and(ts, come, tc_le(ts, k, tc_int(ts, u->counter->sym->hi)));
    return tc_and(ts, tc_and(ts, u->entry, come), in_iteration(cx, u, u->guard, k));
}

static tc_t rank_at(tc_cx *cx, const use *u, tc_t k) { return in_iteration(cx, u, u->rank, k); }

static void push_known(tc_cx *cx, tc_tvec *h, tc_t what, uint32_t copy) {
    tc_tvec known = {0};
    tc_hyps_at(cx, &known, tc_bool(cx->ts, true), TC_NONE, 0);
    tc_hyps_push(cx, &known, what);
    for (size_t i = 0; i < known.len; i++)
        tc_hyps_push(cx, h, tc_rename(cx->ts, known.data[i], TC_VAR_THREAD, copy));
}

static tc_t thread(tc_cx *cx, tc_t t, uint32_t copy) { return tc_rename(cx->ts, t, TC_VAR_THREAD, copy); }

// An iteration of no thread's own.
static tc_t some_iteration(tc_cx *cx) {
    tc_sym *s = tc_sym_new(cx->ts, "j", TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
    s->has_lo = true;
    return tc_of_sym(cx->ts, s);
}

static tc_t in_group(tc_cx *cx, const tc_named *g, uint32_t copy) {
    return tc_in_range(cx->ts, thread(cx, tc_linear_thread(cx), copy), g->lo, g->lo + g->count - 1);
}

// ---- what is shown ----

static bool leaves_for_good(tc_cx *cx, const use *u) {
    if (!u->counter)
        return true;
    tc_tvec h = {0};
    tc_t j = some_iteration(cx);
    push_known(cx, &h, u->entry, 1);
    tc_hyps_push(cx, &h, thread(cx, in_iteration(cx, u, u->leaves, j), 1));
    tc_hyps_push(cx, &h, tc_lt(cx->ts, j, thread(cx, u->counter, 1)));
    return tc_try_all(cx, &h, thread(cx, u->leaves, 1));
}

static tc_tvec at_use(tc_cx *cx, const use *u, uint32_t copy) {
    tc_tvec h = {0};
    push_known(cx, &h, executed(cx, u, u->counter), copy);
    return h;
}

static bool all_from(tc_cx *cx, const tc_named *g, tc_i128 lo) {
    for (size_t i = 0; i < g->n; i++) {
        tc_tvec h = at_use(cx, &g->uses[i], 1);
        if (!tc_try_all(cx, &h, tc_le(cx->ts, tc_int(cx->ts, lo), thread(cx, tc_linear_thread(cx), 1))))
            return false;
    }
    return true;
}

// 1: of G, and whole warps.
static const char *find_group(tc_cx *cx, tc_named *g) {
    tc_terms *ts = cx->ts;
    while (g->lo + 32 + g->count <= 1024 && all_from(cx, g, g->lo + 32))
        g->lo += 32;
    tc_tvec facts = {0};
    tc_hyps_at(cx, &facts, tc_bool(ts, true), TC_NONE, 0);
    if (!tc_try_all(cx, &facts, tc_le(ts, tc_int(ts, g->lo + g->count), tc_block_threads(cx))))
        return "not shown that there are as many threads as the barriers count";
    tc_t warp = tc_div(ts, tc_linear_thread(cx), tc_int(ts, 32));
    for (size_t i = 0; i < g->n; i++) {
        const use *u = &g->uses[i];
        tc_tvec h = at_use(cx, u, 1);
        if (!tc_try_all(cx, &h, in_group(cx, g, 1)))
            return "not shown that no more threads come than the barriers count";
        push_known(cx, &h, tc_bool(ts, true), 2);
        tc_hyps_push(cx, &h, tc_eq(ts, thread(cx, warp, 1), thread(cx, warp, 2)));
        tc_map same = {0};
        if (u->counter)
            tc_map_put(cx->arena, &same, TC_KEY(thread(cx, u->counter, 2)), (void *)(uintptr_t)thread(cx, u->counter, 1));
        if (!tc_try_all(cx, &h, tc_subst(ts, thread(cx, executed(cx, u, u->counter), 2), &same)))
            return "not shown that all threads of a warp come to it together";
    }
    return NULL;
}

// The iteration of v that may have u's rank in iteration k.
static tc_t same_rank(tc_cx *cx, const tc_named *g, const use *u, const use *v, tc_t k) {
    tc_terms *ts = cx->ts;
    if (!v->counter)
        return NULL;
    return tc_div(ts, tc_sub(ts, rank_at(cx, u, k), in_iteration(cx, v, v->rank, tc_int(ts, 0))), tc_int(ts, g->step));
}

// 2.
static bool all_come(tc_cx *cx, const tc_named *g, const use *u) {
    tc_terms *ts = cx->ts;
    tc_tvec h = at_use(cx, u, 1);
    push_known(cx, &h, tc_bool(ts, true), 2);
    tc_hyps_push(cx, &h, in_group(cx, g, 2));
    tc_t any = tc_bool(ts, false);
    tc_t k = u->counter ? thread(cx, u->counter, 1) : NULL;
    for (size_t i = 0; i < g->n; i++) {
        const use *v = &g->uses[i];
        if (v->id != u->id)
            continue;
        // The other thread's own values are renamed; the iteration is said in the first one's.
        tc_t j = same_rank(cx, g, u, v, k);
        // SOUND: the place that it is put in meanwhile has no range, so that nothing is left out of the condition.
        tc_t placed = v->counter ? tc_of_sym(ts, tc_sym_new(ts, "j", TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT)) : NULL;
        tc_t comes = thread(cx, executed(cx, v, placed), 2), equal = tc_eq(ts, rank_at(cx, u, k), rank_at(cx, v, placed));
        tc_map m = {0};
        if (placed)
            tc_map_put(cx->arena, &m, TC_KEY(placed), (void *)(uintptr_t)j);
        any = tc_or(ts, any, tc_subst(ts, tc_and(ts, comes, equal), &m));
    }
    return tc_try_all(cx, &h, any);
}

// Two instances by one thread, u's first; false where there are none. k and j are the iterations.
static bool in_order(tc_cx *cx, const use *u, const use *v, bool apart, tc_tvec *h, tc_t *k, tc_t *j) {
    bool together = u->counter && u->counter == v->counter;
    *k = u->counter;
    *j = v->counter;
    if ((!together && apart) || (!apart && u->event->point >= v->event->point))
        return false;
    if (apart)
        *j = some_iteration(cx);
    tc_hyps_at(cx, h, executed(cx, u, *k), TC_NONE, 0);
    tc_hyps_push(cx, h, executed(cx, v, *j));
    if (apart)
        tc_hyps_push(cx, h, tc_lt(cx->ts, *k, *j));
    return true;
}

// A wait of the thread between the two.
static tc_t waits_between(tc_cx *cx, const tc_named *g, const use *u, tc_t k, const use *v, tc_t j) {
    tc_terms *ts = cx->ts;
    tc_t any = tc_bool(ts, false);
    for (size_t i = 0; i < g->n; i++) {
        const use *w = &g->uses[i];
        tc_t at[4] = {NULL};
        size_t n = 1;
        if (w->counter) {
            n = 0;
            if (w->counter == u->counter) {
                at[n++] = k;
                at[n++] = tc_addc(ts, k, 1);
            }
            if (w->counter == v->counter) {
                at[n++] = j;
                at[n++] = tc_addc(ts, j, -1);
            }
        }
        for (size_t a = 0; a < n && w->waits; a++) {
            tc_t rank = rank_at(cx, w, at[a]);
            tc_t between = tc_and(ts, tc_lt(ts, rank_at(cx, u, k), rank), tc_lt(ts, rank, rank_at(cx, v, j)));
            any = tc_or(ts, any, tc_and(ts, between, executed(cx, w, at[a])));
        }
    }
    return any;
}

// 3 and 4.
static bool rise(tc_cx *cx, const tc_named *g, const use *u, const use *v) {
    for (int apart = 0; apart < 2; apart++) {
        tc_tvec h = {0};
        tc_t k, j;
        if (!in_order(cx, u, v, apart, &h, &k, &j))
            continue;
        if (!tc_try_all(cx, &h, tc_lt(cx->ts, rank_at(cx, u, k), rank_at(cx, v, j))))
            return false;
        if (!u->waits && u->id == v->id && !tc_try(cx, &h, waits_between(cx, g, u, k, v, j)).proved)
            return false;
    }
    return true;
}

static bool fits(tc_cx *cx, const tc_named *g) {
    for (size_t i = 0; i < g->n; i++)
        if (!all_come(cx, g, &g->uses[i]))
            return false;
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < g->n; k++)
            if (!rise(cx, g, &g->uses[i], &g->uses[k]))
                return false;
    return true;
}

// ---- a guess of ranks ----

// No thread comes to both.
static bool exclude(tc_cx *cx, const use *u, const use *v) {
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, executed(cx, u, u->counter), TC_NONE, 0);
    tc_hyps_push(cx, &h, executed(cx, v, v->counter && v->counter == u->counter ? some_iteration(cx) : v->counter));
    return tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

static void find_classes(tc_cx *cx, tc_named *g) {
    for (size_t i = 0; i < g->n; i++) {
        use *u = &g->uses[i];
        u->class = -1;
        for (size_t c = 0; c < g->nclasses && u->class < 0 && u->counter; c++)
            if (g->classes[c].loop == u->event->loop && !exclude(cx, &g->uses[g->classes[c].first], u))
                u->class = (int)c;
        if (u->class < 0) {
            u->class = (int)g->nclasses;
            g->classes[g->nclasses++] = (class){.loop = u->event->loop, .first = i};
        }
        g->classes[u->class].size++;
    }
}

// Classes come after those before them that a thread may come to too.
static void guess_ranks(tc_cx *cx, tc_named *g) {
    tc_terms *ts = cx->ts;
    tc_t ends[most_uses];
    for (size_t c = 0; c < g->nclasses; c++) {
        class *x = &g->classes[c];
        x->start = tc_int(ts, 0);
        for (size_t b = c; b-- > 0;)
            if (ends[b] && !exclude(cx, &g->uses[g->classes[b].first], &g->uses[x->first])) {
                x->start = ends[b];
                break;
            }
        x->start = tc_addc(ts, x->start, x->shift);
        tc_t trips = x->loop == TC_NONE ? NULL : cx->model->loops.data[x->loop].trips;
        ends[c] = x->loop == TC_NONE ? tc_addc(ts, x->start, 1) : trips ? tc_add(ts, x->start, tc_mulc(ts, tc_settle(cx, trips), g->step)) : NULL;
        if (ends[c] && !is_plain(cx, ends[c], NULL))
            ends[c] = NULL;
    }
    size_t seen[most_uses] = {0};
    for (size_t i = 0; i < g->n; i++) {
        use *u = &g->uses[i];
        u->rank = tc_addc(ts, g->classes[u->class].start, (tc_i128)seen[u->class]++);
        if (u->counter)
            u->rank = tc_add(ts, u->rank, tc_mulc(ts, u->counter, g->step));
    }
}

// Two uses of one rank, as far as constants tell, are of one barrier.
static bool is_likely(const tc_named *g) {
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < i; k++) {
            const use *u = &g->uses[i], *v = &g->uses[k];
            tc_i128 d = tc_poly_constant(u->rank) - tc_poly_constant(v->rank);
            if (u->counter && v->counter && tc_is_const(g->classes[u->class].start) && tc_is_const(g->classes[v->class].start) &&
                d % g->step == 0 && u->id != v->id)
                return false;
        }
    return true;
}

static bool next_shifts(tc_named *g) {
    for (size_t c = 0; c < g->nclasses; c++) {
        if (g->classes[c].loop == TC_NONE)
            continue;
        if (++g->classes[c].shift < g->step)
            return true;
        g->classes[c].shift = 0;
    }
    return false;
}

static bool find_ranks(tc_cx *cx, tc_named *g) {
    find_classes(cx, g);
    g->step = 1;
    for (size_t c = 0; c < g->nclasses; c++)
        if (g->classes[c].loop != TC_NONE)
            g->step = (tc_i128)g->classes[c].size;
    for (size_t c = 0; c < g->nclasses; c++)
        if (g->classes[c].loop != TC_NONE && (tc_i128)g->classes[c].size != g->step)
            return false;
    for (int i = 0; i < most_guesses; i++) {
        guess_ranks(cx, g);
        if (is_likely(g) && fits(cx, g))
            return true;
        if (!next_shifts(g))
            return false;
    }
    return false;
}

static const char *examine(tc_cx *cx, tc_named *g) {
    const tc_kmodel *m = cx->model;
    for (size_t i = 0; i < m->events.len; i++)
        if (tc_is_named_barrier(&m->events.data[i])) {
            const char *why = add_use(cx, g, &m->events.data[i]);
            if (why)
                return why;
        }
    for (size_t i = 0; i < m->events.len; i++)
        if (tc_is_block_barrier(&m->events.data[i]) && is_between(cx, g, &m->events.data[i]))
            return "a barrier of the whole block lies between numbered ones, which is not followed here";
    for (size_t i = 0; i < g->n; i++)
        if (!leaves_for_good(cx, &g->uses[i]))
            return "not shown when threads leave the loop around a numbered barrier";
    const char *why = find_group(cx, g);
    if (why)
        return why;
    return find_ranks(cx, g) ? NULL : "not shown that in each round exactly those threads come that the barrier counts";
}

void tc_named_find(tc_cx *cx) {
    bool any = false;
    cx->named = NULL;
    for (size_t i = 0; i < cx->model->events.len; i++)
        any |= tc_is_named_barrier(&cx->model->events.data[i]);
    if (!any)
        return;
    tc_named *g = TC_NEW(cx->arena, tc_named);
    g->why = examine(cx, g);
    cx->named = g;
}

// ---- order ----

enum { most_instances = 2 };

// Iterations of the use that certainly come after the access (or before it), the nearest ones; said of the access's own thread.
static size_t instances(tc_cx *cx, const use *u, const tc_event *e, bool after, tc_t *out) {
    tc_terms *ts = cx->ts;
    bool later = u->event->point > e->point;
    if (!u->counter) {
        out[0] = NULL;
        return later == after && u->event->point != e->point;
    }
    if (e->loop != TC_NONE && tc_loop_encloses(cx->model, u->event->loop, e->loop)) {
        tc_i128 next = after ? 1 : -1;
        size_t n = 0;
        if (later == after)
            out[n++] = u->counter;
        out[n++] = tc_addc(ts, u->counter, next);
        return n;
    }
    if (later != after)
        return 0;
    tc_t trips = cx->model->loops.data[u->event->loop].trips;
    if (after) {
        out[0] = tc_int(ts, 0);
        out[1] = tc_int(ts, 1);
    } else if (trips) {
        out[0] = tc_addc(ts, tc_settle(cx, trips), -1);
        out[1] = tc_addc(ts, out[0], -1);
    }
    return after || trips ? 2 : 0;
}

// Another role's loop: no thread is in both.
static bool is_elsewhere(const tc_cx *cx, const tc_named *g, const use *u, const tc_event *e) {
    uint32_t around = tc_loop_outermost(cx->model, e->loop);
    if (around == TC_NONE || !u->counter || u->event->loop == around)
        return false;
    for (size_t i = 0; i < g->n; i++)
        if (g->uses[i].event->loop == around)
            return true;
    return false;
}

static void not_ordered(tc_cx *cx, tc_tvec *h, tc_two *w, const tc_event *first, int copy, const tc_event *second) {
    const tc_named *g = cx->named;
    tc_terms *ts = cx->ts;
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < g->n; k++) {
            const use *u = &g->uses[i], *v = &g->uses[k];
            tc_t at[most_instances], to[most_instances];
            if (!v->waits || is_elsewhere(cx, g, u, first) || is_elsewhere(cx, g, v, second))
                continue;
            size_t nu = instances(cx, u, first, true, at), nv = instances(cx, v, second, false, to);
            for (size_t a = 0; a < nu; a++)
                for (size_t b = 0; b < nv; b++) {
                    tc_t come = tc_two_at(w, executed(cx, u, at[a]), copy), passed = tc_two_at(w, executed(cx, v, to[b]), 3 - copy);
                    tc_t x = tc_two_at(w, rank_at(cx, u, at[a]), copy), y = tc_two_at(w, rank_at(cx, v, to[b]), 3 - copy);
                    tc_hyps_push(cx, h, tc_not(ts, tc_and(ts, tc_and(ts, come, passed), tc_le(ts, x, y))));
                }
        }
}

void tc_hyps_named(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, tc_two *w) {
    if (!cx->named || cx->named->why || tc_is_async(a->event) || tc_is_async(b->event))
        return;
    not_ordered(cx, h, w, a->event, 1, b->event);
    not_ordered(cx, h, w, b->event, 2, a->event);
}
