// Values that one thread of a block draws and hands on to the others through shared memory:
//
//     if (threadIdx.x == 0) t = atomicAdd(counter, 1);
//     __syncthreads();
//     tile = t;
//     __syncthreads();
//
// What a load of t gives was put there by a store of its own block, so that what two blocks load are two draws. That is
// so where the stores and the loads never race, and a store comes before every load. It is shown without saying that the
// threads of the block load one value of one iteration; that follows.
//
// The loop is an outermost one, or there is none. Stores and loads before it may be there too. Threads meet at the n-th
// barrier that each of them executes, so that what counts is how many barriers a thread has executed before an access: its
// phase.
// (1) All stores are made by one thread c of the block, that exists, and each of them puts a draw of the counter there.
//     Nothing else writes the bytes: no other access, no hole.
// (2) Whether a block barrier is executed, before the loop or in it, is decided by what all threads of the block have in
//     common: the launch, the block, the loops' counters, and what they load from t in the same iteration, or loaded in the
//     one before. Loops inside that contain barriers are left by a condition of the same kind. So is the loop entered.
// (3) Between each store and each load there is a barrier, both ways: from the store to the load, and from the load to
//     the next store, on every way round the loop.
// (4) Where the loop is entered, thread c executes a store before the first load.
//
// SOUND: by induction over the iterations: all threads that begin iteration k have executed the same number of barriers,
// s(k), and those that load t in it get one value. The barriers before the loop, and those in it up to any point, are as
// many for each thread that comes there, by (2); and those that begin the next iteration have executed all of them. By (3)
// all loads of an iteration lie in phases strictly between those of the stores before and after them, so none races with a
// store, and each gives the last store of an earlier phase, which is the same for all of them, and exists by (4). Threads
// that leave the loop earlier do not touch t any more, and take part in barriers, or count as having arrived, whatever
// they do. That all threads reach the same barriers (TC3002) is not needed.
#include "checker/order.h"

// ---- what all threads of a block have in common ----

enum { max_variables = 8 };

// Loops around a condition: of the threads in the same iterations of them all.
typedef struct inside {
    uint32_t loop;
    const tc_sym *variables[max_variables]; // of the loop, that are being shown to be common
    size_t n;
    struct inside *outer;
} inside;

typedef struct common {
    tc_cx *cx;
    const tc_relay *relay;
    inside *in;
} common;

static bool is_common_in(tc_cx *cx, const tc_relay *r, tc_t t, inside *in);

// A loop that all threads which enter it leave in the same iteration: what they leave it by is decided by what they have in
// common in each iteration, by induction.
static bool runs_alike(tc_cx *cx, const tc_relay *r, const tc_loop *l, inside *outer) {
    inside in = {.loop = l->id, .outer = outer};
    return l->leaves && is_common_in(cx, r, l->leaves, &in);
}

// Inside its loop a counter is the same for all that are in the same iteration; behind it, if the loop runs alike.
static bool counts_alike(tc_cx *cx, const tc_relay *r, const tc_sym *s, inside *in) {
    const tc_kmodel *m = cx->model;
    for (size_t i = 0; i < m->loops.len; i++) {
        const tc_loop *l = &m->loops.data[i];
        if (l->counter != s)
            continue;
        for (inside *k = in; k; k = k->outer)
            if (k->loop == l->id)
                return true;
        return l->id == r->loop || runs_alike(cx, r, l, in);
    }
    return false;
}

// A variable of a loop around, by induction: common on entry, and made of what is common in each iteration.
static bool varies_alike(tc_cx *cx, const tc_relay *r, const tc_sym *s, inside *in) {
    for (inside *k = in; k; k = k->outer) {
        const tc_loop *l = &cx->model->loops.data[k->loop];
        for (size_t i = 0; i < k->n; i++)
            if (k->variables[i] == s)
                return true;
        for (size_t i = 0; i < l->carried.len && k->n < max_variables; i++) {
            const tc_carried *v = &l->carried.data[i];
            if (v->sym != s || !v->entry || !v->step)
                continue;
            k->variables[k->n++] = s;
            return is_common_in(cx, r, v->entry, in) && is_common_in(cx, r, v->step, in);
        }
    }
    return false;
}

static bool is_loaded(const tc_relay *r, tc_t value) {
    for (size_t i = 0; i < r->loads.len; i++)
        if (r->loads.data[i]->value == value)
            return true;
    return false;
}

// Loaded, or a variable of the loop that is loaded before it and again in each iteration.
static bool is_relayed(const tc_cx *cx, const tc_relay *r, tc_t t) {
    if (is_loaded(r, t) || r->loop == TC_NONE)
        return is_loaded(r, t);
    const tc_loop *l = &cx->model->loops.data[r->loop];
    for (size_t i = 0; i < l->carried.len; i++) {
        const tc_carried *v = &l->carried.data[i];
        if (v->sym == t->sym)
            return is_loaded(r, v->entry) && is_loaded(r, v->step);
    }
    return false;
}

static bool differs(void *ctx, tc_t t) {
    const common *c = ctx;
    if (t->op == TC_T_APP)
        return true; // stored values: whether nobody writes them is another question
    if (t->op != TC_T_SYM || t->variance <= TC_VAR_BLOCK)
        return false;
    if (t->sym->kind == TC_SYM_COUNTER)
        return !counts_alike(c->cx, c->relay, t->sym, c->in);
    return !is_relayed(c->cx, c->relay, t) && !varies_alike(c->cx, c->relay, t->sym, c->in);
}

static bool is_common_in(tc_cx *cx, const tc_relay *r, tc_t t, inside *in) {
    common c = {cx, r, in};
    return !tc_any(cx->ts, tc_settle(cx, t), differs, &c);
}

static bool is_common(tc_cx *cx, const tc_relay *r, tc_t t) { return is_common_in(cx, r, t, NULL); }

// The condition at a point of a loop inside is common, of all threads in the same iterations there, and so are the loops
// around it.
static bool is_common_at(tc_cx *cx, const tc_relay *r, uint32_t loop, tc_t guard) {
    enum { deepest = 6 };
    inside around[deepest];
    uint32_t loops[deepest];
    size_t n = 0;
    for (; loop != TC_NONE && loop != r->loop; loop = cx->model->loops.data[loop].parent) {
        if (n == deepest)
            return false;
        loops[n++] = loop;
    }
    inside *in = NULL;
    for (size_t i = n; i-- > 0;) {
        if (!runs_alike(cx, r, &cx->model->loops.data[loops[i]], in))
            return false;
        around[i] = (inside){.loop = loops[i], .outer = in};
        in = &around[i];
    }
    return is_common_in(cx, r, guard, in);
}

static uint32_t end_of(const tc_cx *cx, const tc_relay *r) {
    if (r->loop != TC_NONE)
        return cx->model->loops.data[r->loop].last;
    uint32_t end = 0;
    for (size_t i = 0; i < r->loads.len; i++)
        if (r->loads.data[i]->point > end)
            end = r->loads.data[i]->point;
    return end;
}

// (2)
static bool barriers_are_common(tc_cx *cx, const tc_relay *r) {
    const tc_kmodel *m = cx->model;
    uint32_t end = end_of(cx, r);
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->kind != TC_EV_BARRIER && e->kind != TC_EV_ARRIVE)
            continue;
        bool other = e->operand[0] && tc_is_const(e->operand[0]) && e->operand[0]->value != 0;
        if (other)
            continue;
        if (!tc_is_block_barrier(e))
            return false;
        if (e->point <= end && !is_common_at(cx, r, e->loop, e->guard))
            return false;
    }
    return r->loop == TC_NONE || is_common(cx, r, m->loops.data[r->loop].guard);
}

// ---- (3) ----

// A barrier directly in `loop` with from < point < to, that is executed whenever the guard holds.
static bool barrier_between(tc_cx *cx, uint32_t loop, uint32_t from, uint32_t to, tc_t guard, uint32_t in, uint32_t point) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (tc_is_block_barrier(e) && e->loop == loop && from < e->point && e->point < to &&
            tc_follows(cx, guard, in, point, e->guard))
            return true;
    }
    return false;
}

// In one iteration, from the earlier access a to the later one b.
static bool apart_within(tc_cx *cx, const tc_relay *r, const tc_event *a, const tc_event *b) {
    return barrier_between(cx, r->loop, a->point, b->point, b->guard, b->loop, b->point);
}

// From b in one iteration to a in a later one: after b to the end, or before a.
static bool apart_around(tc_cx *cx, const tc_relay *r, const tc_event *a, const tc_event *b) {
    const tc_loop *l = &cx->model->loops.data[r->loop];
    return barrier_between(cx, r->loop, l->first, a->point, a->guard, a->loop, a->point) ||
           (l->again && barrier_between(cx, r->loop, b->point, l->last, l->again, r->loop, l->last));
}

static bool is_before_loop(const tc_cx *cx, const tc_relay *r, const tc_event *e) {
    return r->loop != TC_NONE && e->loop == TC_NONE && e->point < cx->model->loops.data[r->loop].first;
}

// A load before the loop: from or to a store there, and to the stores in the loop.
static bool apart_before_loop(tc_cx *cx, const tc_relay *r, const tc_event *store, const tc_event *load) {
    const tc_loop *l = &cx->model->loops.data[r->loop];
    if (!is_before_loop(cx, r, store))
        return barrier_between(cx, TC_NONE, load->point, l->first, l->guard, TC_NONE, l->first) ||
               barrier_between(cx, r->loop, l->first, store->point, store->guard, store->loop, store->point);
    const tc_event *first = store->point < load->point ? store : load, *second = first == store ? load : store;
    return barrier_between(cx, TC_NONE, first->point, second->point, second->guard, TC_NONE, second->point);
}

static bool store_and_load_apart(tc_cx *cx, const tc_relay *r, const tc_event *store, const tc_event *load) {
    if (r->loop == TC_NONE)
        return store->point < load->point && apart_within(cx, r, store, load);
    if (is_before_loop(cx, r, load))
        return apart_before_loop(cx, r, store, load);
    const tc_loop *l = &cx->model->loops.data[r->loop];
    if (is_before_loop(cx, r, store))
        return barrier_between(cx, TC_NONE, store->point, l->first, l->guard, TC_NONE, l->first) ||
               barrier_between(cx, r->loop, l->first, load->point, load->guard, load->loop, load->point);
    return store->point < load->point ? apart_within(cx, r, store, load) && apart_around(cx, r, store, load)
                                      : apart_within(cx, r, load, store) && apart_around(cx, r, load, store);
}

// ---- (4) ----

static bool loaded_before(const tc_relay *r, uint32_t point) {
    for (size_t k = 0; k < r->loads.len; k++)
        if (r->loads.data[k]->point < point)
            return true;
    return false;
}

// Without a loop: whoever loads knows that the writer has stored. done: what the writer stores under.
static bool stored_before_loads(tc_cx *cx, const tc_relay *r, tc_t done) {
    for (size_t k = 0; k < r->loads.len; k++) {
        const tc_event *l = r->loads.data[k];
        if (!tc_follows(cx, l->guard, l->loop, l->point, done))
            return false;
    }
    return is_common(cx, r, done);
}

// In the first iteration, or before it, and before loads there: of the iteration only that it is entered is known.
static bool stored_at_first(tc_cx *cx, const tc_relay *r, const tc_event *store, tc_t done) {
    const tc_loop *l = &cx->model->loops.data[r->loop];
    if (loaded_before(r, store->point))
        return false;
    for (size_t k = 0; k < r->loads.len; k++) {
        const tc_event *e = r->loads.data[k];
        if (is_before_loop(cx, r, e) && !(is_before_loop(cx, r, store) && is_common(cx, r, done) &&
                                          tc_follows(cx, e->guard, TC_NONE, e->point, done)))
            return false;
    }
    tc_map first = {0};
    if (l->counter)
        tc_map_put(cx->arena, &first, TC_KEY(tc_of_sym(cx->ts, l->counter)), (void *)(uintptr_t)tc_int(cx->ts, 0));
    done = tc_subst(cx->ts, done, &first);
    return is_common(cx, r, done) && tc_follows(cx, l->guard, TC_NONE, l->first, done);
}

// (4)
static bool is_filled(tc_cx *cx, const tc_relay *r, const tc_map *writer) {
    for (size_t i = 0; i < r->stores.len; i++) {
        const tc_event *s = r->stores.data[i];
        tc_t done = tc_subst(cx->ts, tc_settle(cx, s->guard), writer);
        if (r->loop == TC_NONE ? stored_before_loads(cx, r, done) : stored_at_first(cx, r, s, done))
            return true;
    }
    return false;
}

// ---- candidates ----

bool tc_hole_may_touch(const tc_kmodel *m, uint32_t object) {
    for (size_t i = 0; i < m->holes.len; i++) {
        const tc_hole *h = &m->holes.data[i];
        if (h->effect & (TC_HOLE_CONTROL | TC_HOLE_SYNC))
            return true;
        if (!(h->effect & TC_HOLE_MEMORY))
            continue;
        bool touched = h->nobjects == 0;
        for (size_t k = 0; k < h->nobjects; k++)
            touched |= h->objects[k] == object;
        if (touched)
            return true;
    }
    return false;
}

static const tc_event *draw_of(const tc_event *const *draws, size_t n, const tc_event *store) {
    for (size_t i = 0; i < n; i++)
        if (store->value && draws[i]->value == store->value)
            return draws[i];
    return NULL;
}

static bool same_place(tc_cx *cx, const tc_event *e, tc_t offset, unsigned width) {
    tc_t w = tc_settle(cx, e->width);
    return tc_settle(cx, e->offset) == offset && tc_is_const(w) && w->value * 8 == (tc_i128)width;
}

static bool elsewhere(tc_cx *cx, const tc_event *e, tc_t offset, unsigned width) {
    tc_t at = tc_settle(cx, e->offset), w = tc_settle(cx, e->width);
    return tc_is_const(at) && tc_is_const(w) &&
           (at->value + w->value <= offset->value || offset->value + (tc_i128)width / 8 <= at->value);
}

// All stores to the place: (1), and directly in one outermost loop, or before it.
static bool collect_stores(tc_cx *cx, tc_relay *r, const tc_event *const *draws, size_t n) {
    const tc_kmodel *m = cx->model;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->object != r->object || !tc_event_writes(e) || elsewhere(cx, e, r->offset, r->width))
            continue;
        const tc_event *d = draw_of(draws, n, e);
        if (e->kind != TC_EV_WRITE || !same_place(cx, e, r->offset, r->width) || !d || d->loop != e->loop ||
            d->point > e->point || !tc_follows(cx, e->guard, e->loop, e->point, d->guard))
            return false;
        if (e->loop != TC_NONE && (m->loops.data[e->loop].parent != TC_NONE || (r->loop != TC_NONE && r->loop != e->loop)))
            return false;
        if (e->loop != TC_NONE)
            r->loop = e->loop;
        tc_push(cx->arena, &r->stores, e);
        tc_push(cx->arena, &r->draws, d);
    }
    return r->stores.len > 0;
}

static bool collect_loads(tc_cx *cx, tc_relay *r) {
    const tc_kmodel *m = cx->model;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->object != r->object || e->kind != TC_EV_READ || !same_place(cx, e, r->offset, r->width) || !e->value ||
            e->value->op != TC_T_SYM ||
            (r->loop != TC_NONE && tc_loop_outermost(m, e->loop) != r->loop && !is_before_loop(cx, r, e)))
            continue;
        tc_push(cx->arena, &r->loads, e);
    }
    for (size_t i = 0; i < r->stores.len; i++)
        if (r->loop != TC_NONE && r->stores.data[i]->loop != r->loop && !is_before_loop(cx, r, r->stores.data[i]))
            return false;
    return r->loads.len > 0;
}

static bool is_relay(tc_cx *cx, const tc_relay *r) {
    tc_map writer = {0};
    if (!tc_one_thread(cx, r->stores.data, r->stores.len, &writer) || !barriers_are_common(cx, r) || !is_filled(cx, r, &writer))
        return false;
    for (size_t s = 0; s < r->stores.len; s++)
        for (size_t l = 0; l < r->loads.len; l++)
            if (!store_and_load_apart(cx, r, r->stores.data[s], r->loads.data[l]))
                return false;
    return true;
}

// SOUND: all loads of an iteration with no store between them, of whatever threads, give the last store before them.
bool tc_relay_same(const tc_relay *r, const tc_event *a, const tc_event *b) {
    if (r->loop != TC_NONE && (a->loop == TC_NONE) != (b->loop == TC_NONE))
        return false;
    for (size_t i = 0; i < r->stores.len; i++)
        if ((r->stores.data[i]->point > a->point) != (r->stores.data[i]->point > b->point))
            return false;
    return true;
}

tc_relays tc_find_relays(tc_cx *cx, const tc_event *const *draws, size_t n, unsigned width) {
    const tc_kmodel *m = cx->model;
    tc_relays out = {0};
    if (m->ends_threads)
        return out;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->kind != TC_EV_WRITE || e->object == TC_NONE || m->objects.data[e->object].space != TC_SPACE_SHARED ||
            !draw_of(draws, n, e) || tc_hole_may_touch(m, e->object))
            continue;
        tc_relay r = {.object = e->object, .offset = tc_settle(cx, e->offset), .width = width, .loop = TC_NONE};
        bool known = !tc_is_const(r.offset);
        for (size_t k = 0; k < out.len; k++)
            known |= out.data[k].object == r.object && out.data[k].offset == r.offset;
        if (!known && collect_stores(cx, &r, draws, n) && collect_loads(cx, &r) && is_relay(cx, &r))
            tc_push(cx->arena, &out, r);
    }
    return out;
}
