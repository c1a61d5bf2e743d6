// Signals: counters to which each block of a group adds one amount, and flags that one block alone writes.
//
//     if (atomicAdd(count, 1) == gridDim.x - 1) …            // the last block of all
//     while (load_acquire(&flag[blockIdx.x - 1]) == 0) …     // waits for its neighbour
//
// Nothing else writes the object, but for the last block of a counter's group, behind its own addition: that comes after all
// additions, and may set the counter back, or to what others wait for. A store there is no link of the chain that additions make: who
// reads it has what its thread hands on, which has to have acquired what the addition gave.
//
// Counters: the place depends on the block. A rank in [0, count) is looked for that, together with the place, tells blocks apart; so
// no more than count blocks have one place, and where count of them have added, each of the group has. Each adds once at most. So
// the one that found first + count - 1 is the last, and who reads first + count or more sees that all have added. Where each adds
// another constant than 1, all of that is multiplied by it; a negative one counts down.
//
// Turns: each block waits until it reads its own number, and then writes the next one, or what was there at first; of one place all
// blocks write different numbers. So who reads a number larger than another block's has come behind it: one after the other has passed
// the turn on. A block that sends and has not waited is taken for one that has read what was there at first. Its number may be one
// that it has drawn from a counter.
//
// Flags: no two blocks write one place. So what is read there, if it is not what was there at launch, was written by the one block
// whose place it is.
#include "checker/handed.h"

#include <string.h>

tc_site tc_point_site(tc_cx *cx, const tc_event *e, tc_t guard) {
    return (tc_site){.event = e, .object = e->object, .guard = tc_settle(cx, guard), .bounds = TC_NONE, .owned = TC_NONE};
}

bool tc_comes_before(tc_cx *cx, const tc_site *x, const tc_site *y) {
    return tc_comes_before_of(cx, x, y, TC_TEAM_BLOCK);
}

// SOUND: what comes behind a copy in its own thread's program does not come behind the copy, but for a wait between.
bool tc_is_complete(tc_cx *cx, const tc_site *x, const tc_site *y) {
    tc_meeting m = {.same = TC_NONE, .apart = TC_NONE, .first = 1};
    tc_two w;
    tc_tvec h = {0};
    return !tc_is_async(x->event) || !tc_hyps_unfinished(cx, x, y, &m, &w, &h) || tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

bool tc_comes_before_of(tc_cx *cx, const tc_site *x, const tc_site *y, tc_team team) {
    uint32_t one = tc_loop_outermost(cx->model, x->event->loop), two = tc_loop_outermost(cx->model, y->event->loop);
    if (x->event->point >= y->event->point || (one == two && one != TC_NONE) || !tc_is_complete(cx, x, y))
        return false;
    tc_meeting m = {.same = TC_NONE, .apart = TC_NONE, .first = 1};
    tc_two w;
    tc_tvec h = {0};
    if (!tc_hyps_unordered(cx, x, y, &m, team, &w, &h))
        return true;
    tc_hyps_push(cx, &h, tc_two_threads(&w));
    return tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

static tc_t in_block(tc_cx *cx, tc_t t, uint32_t which) { return tc_rename(cx->ts, t, TC_VAR_BLOCK, which); }

// ---- groups of blocks ----

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
static void guess_group(tc_cx *cx, tc_t place, tc_t *count, tc_t *rank) {
    tc_terms *ts = cx->ts;
    *count = tc_int(ts, 1);
    *rank = tc_int(ts, 0);
    for (int d = 3; d-- > 0;) {
        tc_t index = tc_settle(cx, cx->contract->syms.block_idx[d]), extent = tc_settle(cx, cx->contract->syms.grid_dim[d]);
        part p = use_of(place, index);
        if (p.use == USE_OTHER || tc_is_const(index))
            continue;
        tc_t many = p.use == USE_NONE ? extent : p.use == USE_DIV ? p.by : tc_div(ts, tc_sub(ts, tc_add(ts, extent, p.by), tc_int(ts, 1)), p.by);
        tc_t mine = p.use == USE_NONE ? index : p.use == USE_DIV ? tc_mod(ts, index, p.by) : tc_div(ts, index, p.by);
        *count = tc_mul(ts, *count, many);
        *rank = tc_add(ts, tc_mul(ts, *rank, many), mine);
    }
}

// No two blocks of one place have one rank, and ranks are below count. NULL where that is not shown.
static tc_t group_of(tc_cx *cx, tc_t place) {
    tc_terms *ts = cx->ts;
    tc_t count, rank;
    guess_group(cx, place, &count, &rank);
    tc_tvec h = {0};
    tc_hyps_two_blocks(cx, &h);
    tc_hyps_push(cx, &h, tc_eq(ts, in_block(cx, place, 1), in_block(cx, place, 2)));
    tc_hyps_push(cx, &h, tc_eq(ts, in_block(cx, rank, 1), in_block(cx, rank, 2)));
    tc_t below = tc_and(ts, tc_le(ts, tc_int(ts, 0), rank), tc_lt(ts, rank, count));
    return tc_try(cx, &h, tc_bool(ts, false)).proved && tc_try_all(cx, &cx->facts, below) ? count : NULL;
}

// ---- what is sent ----

bool tc_is_elsewhere(tc_cx *cx, const tc_event *e, tc_t at, tc_i128 bytes) {
    tc_i128 width = tc_constant_or(cx, e->width, 0), far = tc_constant_or(cx, tc_sub(cx->ts, e->offset, at), 0);
    return width > 0 && (far >= bytes || far + width <= 0);
}

static bool is_apart(tc_cx *cx, const tc_signal *g, const tc_event *e) { return g->at && tc_is_elsewhere(cx, e, g->at, g->bytes); }

tc_i128 tc_constant_or(tc_cx *cx, tc_t t, tc_i128 otherwise) {
    t = t ? tc_settle(cx, t) : NULL;
    return t && tc_is_const(t) ? t->value : otherwise;
}

tc_t tc_signal_reads(tc_cx *cx, const tc_signal *g, tc_t value) {
    return tc_wrap(cx->ts, value, (unsigned)g->bytes * 8, g->is_signed);
}

bool tc_is_read_signed(const tc_event *e) { return !e->value->sym->has_lo || e->value->sym->lo < 0; }

bool tc_changes(tc_cx *cx, const tc_event *e) {
    return tc_event_writes(e) && !(e->kind == TC_EV_ATOMIC && e->added && tc_constant_or(cx, e->added, 1) == 0);
}

tc_t tc_value_sent(tc_cx *cx, const tc_event *e) {
    tc_t v = e->kind == TC_EV_WRITE ? e->value : e->kind == TC_EV_ATOMIC && !e->expected ? e->put : NULL;
    return v && v->sort == TC_INT ? tc_settle(cx, v) : NULL;
}

static bool send(tc_cx *cx, tc_signal *g, const tc_event *e) {
    if (!tc_is_atomic(e) || e->scope < TC_SCOPE_GPU || e->loop != TC_NONE || tc_constant_or(cx, e->width, 0) != g->bytes || g->bytes < 1 ||
        g->bytes > 8)
        return false;
    tc_sent s = {.event = e, .place = tc_block_value(cx, e, e->offset), .done = tc_block_value(cx, e, e->guard)};
    tc_t v = tc_value_sent(cx, e);
    v = v ? tc_block_value(cx, e, v) : NULL;
    s.value = v ? tc_signal_reads(cx, g, v) : NULL;
    // Aligned, so that two places have no byte in common.
    if (!s.place || !s.done || tc_constant_or(cx, tc_mod(cx->ts, s.place, tc_int(cx->ts, g->bytes)), 1) != 0)
        return false;
    tc_push(cx->arena, &g->sent, s);
    return true;
}

// The constant that is added, the one nearest to 0 of those that are congruent; 0: none is.
static tc_i128 step_of(tc_cx *cx, const tc_event *e) {
    if (e->kind != TC_EV_ATOMIC || !e->value || e->value->op != TC_T_SYM)
        return 0;
    tc_i128 bytes = tc_constant_or(cx, e->width, 0), by = e->limit ? 1 : tc_constant_or(cx, e->added, 0);
    if (bytes < 1 || bytes > 8)
        return 0;
    tc_i128 span = tc_pow2((unsigned)bytes * 8), rest = (by % span + span) % span;
    return rest >= span / 2 ? rest - span : rest;
}

// How far the counter has come where it holds the value, in the direction in which it counts.
static tc_t way_to(tc_cx *cx, const tc_signal *g, tc_t value) {
    return g->step > 0 ? tc_sub(cx->ts, value, g->first) : tc_sub(cx->ts, g->first, value);
}

static tc_i128 length_of(tc_i128 step) { return step > 0 ? step : -step; }

// How far it comes by so many additions of all.
static tc_t whole_way(tc_cx *cx, const tc_signal *g, int less) {
    return tc_mul(cx->ts, tc_int(cx->ts, length_of(g->step)), tc_addc(cx->ts, g->count, -less));
}

// The counter stays in its type's range.
static bool fits(tc_cx *cx, const tc_signal *g, const tc_event *draw) {
    tc_terms *ts = cx->ts;
    unsigned width = (unsigned)g->bytes * 8;
    tc_t hi = tc_int(ts, g->is_signed ? tc_pow2(width - 1) - 1 : tc_pow2(width) - 1), lo = tc_int(ts, g->is_signed ? -tc_pow2(width - 1) : 0);
    tc_t starts = g->step > 0 ? tc_le(ts, lo, g->first) : tc_le(ts, g->first, hi);
    return tc_try_all(cx, &cx->facts, starts) &&
           tc_is_given(cx, whole_way(cx, g, 0), way_to(cx, g, g->step > 0 ? hi : lo), draw->loc, true);
}

// atomicInc does not begin again before all have added.
static bool is_in_limit(tc_cx *cx, const tc_signal *g, const tc_event *draw) {
    tc_terms *ts = cx->ts;
    if (!draw->limit)
        return true;
    tc_t limit = tc_wrap(ts, tc_settle(cx, draw->limit), 32, false), zero = tc_int(ts, 0);
    return g->bytes == 4 && limit->variance == TC_VAR_LAUNCH && tc_try_all(cx, &cx->facts, tc_le(ts, zero, g->first)) &&
           tc_try_all(cx, &cx->facts, tc_lt(ts, tc_add(ts, g->first, g->count), tc_addc(ts, limit, 2)));
}

tc_t tc_is_last(tc_cx *cx, const tc_signal *g) {
    tc_terms *ts = cx->ts;
    return tc_and(ts, g->sent.data[0].done, tc_eq(ts, way_to(cx, g, g->ticket), whole_way(cx, g, 1)));
}

tc_t tc_shows_all(tc_cx *cx, const tc_signal *g, tc_t value, bool found) {
    return tc_le(cx->ts, whole_way(cx, g, 0), tc_addc(cx->ts, way_to(cx, g, value), found ? length_of(g->step) : 0));
}

bool tc_is_after_all(tc_cx *cx, const tc_signal *g, const tc_site *s) {
    const tc_event *draw = g->sent.data[0].event;
    if (!g->count || s->event == draw || s->object != g->object || s->bytes != g->bytes || tc_is_async(s->event))
        return false;
    tc_site at = tc_point_site(cx, draw, draw->guard);
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, s);
    return tc_comes_before(cx, &at, s) &&
           tc_try_all(cx, &h, tc_and(cx->ts, tc_is_last(cx, g), tc_eq(cx->ts, s->offset, g->sent.data[0].place)));
}

// What it has found, where it has come to it.
static tc_t found_between(tc_cx *cx, const tc_signal *g) {
    tc_terms *ts = cx->ts;
    tc_t way = way_to(cx, g, g->ticket);
    tc_t between = tc_and(ts, tc_le(ts, tc_int(ts, 0), way), tc_le(ts, way, whole_way(cx, g, 1)));
    return tc_implies(ts, g->sent.data[0].done, between);
}

static void push_counter(tc_cx *cx, tc_tvec *h, const tc_signal *g) {
    tc_terms *ts = cx->ts;
    const tc_sent *s = &g->sent.data[0];
    tc_t same = tc_eq(ts, in_block(cx, s->place, 1), in_block(cx, s->place, 2)), drew[3], ticket[3];
    for (uint32_t i = 1; i <= 2; i++) {
        drew[i] = in_block(cx, s->done, i);
        ticket[i] = in_block(cx, g->ticket, i);
        tc_hyps_push(cx, h, in_block(cx, found_between(cx, g), i));
    }
    tc_hyps_push(cx, h, tc_implies(ts, tc_and(ts, same, tc_and(ts, drew[1], drew[2])), tc_ne(ts, ticket[1], ticket[2])));
    for (uint32_t i = 1; i <= 2; i++)
        tc_hyps_push(cx, h, tc_implies(ts, tc_and(ts, same, in_block(cx, tc_is_last(cx, g), i)), drew[3 - i]));
}

void tc_hyps_counters(tc_cx *cx, tc_tvec *h, const tc_signals *all) {
    for (size_t i = 0; i < all->len; i++)
        if (all->data[i].count)
            push_counter(cx, h, &all->data[i]);
}

static bool is_store_of_last(const tc_signal *g, const tc_site *s) {
    return s->object == g->object && s->event != g->sent.data[0].event && s->event->kind != TC_EV_ATOMIC && tc_event_writes(s->event);
}

static bool is_changed_by(tc_cx *cx, const tc_signal *g, const tc_event *e) {
    return e->object == g->object && tc_changes(cx, e) && !is_apart(cx, g, e);
}

// May a look that shows that all have added have read it, or what another write made of it?
static bool shows_all(tc_cx *cx, const tc_signal *g, const tc_site *store) {
    tc_t v = store->event->value && store->event->value->sort == TC_INT ? tc_settle(cx, store->event->value) : NULL;
    for (size_t i = 0; i < cx->sites.len && v; i++) {
        const tc_event *e = cx->sites.data[i].event;
        if (e != g->sent.data[0].event && e->kind == TC_EV_ATOMIC && is_changed_by(cx, g, e))
            v = NULL;
    }
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, store);
    return !v || !tc_try_all(cx, &h, tc_not(cx->ts, tc_shows_all(cx, g, tc_signal_reads(cx, g, v), false)));
}

static void find_links(tc_cx *cx, tc_signal *g) {
    g->by_pattern = g->by_sc = true;
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (!is_store_of_last(g, s) || is_apart(cx, g, s->event) || !shows_all(cx, g, s))
            continue;
        tc_side link = tc_linked(cx, g->sent.data[0].event, s->event);
        g->by_pattern &= link.pattern != NULL;
        g->by_sc &= link.sc != NULL;
    }
}

// SOUND: as long as nobody else has written the counter, the last one is the last; so the first that does comes after all additions.
static bool make_counter(tc_cx *cx, tc_signal *g, const tc_event *draw) {
    g->step = step_of(cx, draw);
    if (g->step == 0)
        return false;
    g->bytes = tc_constant_or(cx, draw->width, 0);
    g->is_signed = tc_is_read_signed(draw);
    if (!send(cx, g, draw))
        return false;
    tc_t ticket = tc_block_value(cx, draw, draw->value);
    g->ticket = ticket ? tc_signal_reads(cx, g, ticket) : NULL;
    g->count = ticket ? group_of(cx, g->sent.data[0].place) : NULL;
    if (!g->count || !fits(cx, g, draw) || !is_in_limit(cx, g, draw))
        return false;
    g->at = g->sent.data[0].place->variance <= TC_VAR_LAUNCH ? g->sent.data[0].place : NULL;
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->event != draw && is_changed_by(cx, g, s->event) && !tc_is_after_all(cx, g, s))
            return false;
    }
    return true;
}

// Two blocks that have both come to it write two places.
static bool is_of_one_block(tc_cx *cx, const tc_signals *known, const tc_sent *a, const tc_sent *b) {
    tc_terms *ts = cx->ts;
    tc_tvec h = {0};
    tc_hyps_two_blocks(cx, &h);
    tc_hyps_counters(cx, &h, known);
    tc_hyps_push(cx, &h, in_block(cx, a->done, 1));
    tc_hyps_push(cx, &h, in_block(cx, b->done, 2));
    tc_hyps_push(cx, &h, tc_eq(ts, in_block(cx, a->place, 1), in_block(cx, b->place, 2)));
    return tc_try(cx, &h, tc_bool(ts, false)).proved;
}

// All that is written to the object.
static bool collect_sent(tc_cx *cx, tc_signal *g) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (!is_changed_by(cx, g, s->event))
            continue;
        g->bytes = g->bytes ? g->bytes : s->bytes;
        if (!send(cx, g, s->event))
            return false;
    }
    return g->sent.len > 0;
}

static bool are_flags(tc_cx *cx, const tc_signals *known, const tc_signal *g) {
    for (size_t i = 0; i < g->sent.len; i++)
        for (size_t k = i; k < g->sent.len; k++)
            if (!is_of_one_block(cx, known, &g->sent.data[i], &g->sent.data[k]))
                return false;
    return true;
}

// ---- looks ----

// The point behind its loop; NULL where it is not known what leaves that.
static const tc_event *end_of(tc_cx *cx, const tc_event *e) {
    if (e->loop == TC_NONE)
        return e;
    const tc_loop *l = &cx->model->loops.data[e->loop];
    tc_event *end = TC_NEW(cx->arena, tc_event);
    *end = (tc_event){.kind = TC_EV_FENCE, .object = TC_NONE, .guard = l->guard, .loop = l->parent, .point = l->last, .loc = e->loc};
    return l->leaves ? end : NULL;
}

const tc_event *tc_look_end(tc_cx *cx, const tc_event *e) {
    const tc_event *end = end_of(cx, e);
    return end && end->loop == TC_NONE ? end : NULL;
}

// One thread looks for the block.
static bool look_for_block(tc_cx *cx, tc_look *k) {
    const tc_event *e = k->event;
    const tc_loop *l = e->loop == TC_NONE ? NULL : &cx->model->loops.data[e->loop];
    k->place = tc_last_value(cx, e, e->offset);
    k->value = k->place ? tc_last_value(cx, e, e->value) : NULL;
    k->done = k->value ? tc_last_value(cx, e, e->guard) : NULL;
    k->when = k->done ? tc_last_value(cx, e, k->end->guard) : NULL;
    k->then = k->when ? l ? tc_last_value(cx, e, l->leaves) : tc_bool(cx->ts, true) : NULL;
    return k->then != NULL;
}

size_t tc_looks_of(tc_cx *cx, const tc_event *e, tc_look looks[TC_MOST_LOOKS]) {
    size_t n = 0;
    tc_look k = {.event = e, .end = tc_look_end(cx, e), .scope = TC_NONE};
    if (k.end && look_for_block(cx, &k))
        looks[n++] = k;
    k = (tc_look){.event = e, .end = e, .own = true, .scope = e->loop, .place = tc_settle(cx, e->offset), .value = e->value};
    k.done = tc_settle(cx, e->guard);
    k.when = k.then = tc_bool(cx->ts, true);
    looks[n++] = k;
    k.end = end_of(cx, e);
    if (e->loop == TC_NONE || !k.end)
        return n;
    const tc_loop *l = &cx->model->loops.data[e->loop];
    k.scope = l->parent;
    k.when = tc_settle(cx, l->guard);
    k.then = tc_settle(cx, l->leaves);
    looks[n++] = k;
    return n;
}

bool tc_is_look(tc_cx *cx, const tc_event *e, uint32_t object, tc_scope scope) {
    return e->object == object && tc_event_reads(e) && tc_is_atomic(e) && e->scope >= scope && e->value && e->value->op == TC_T_SYM &&
           tc_constant_or(cx, e->width, 0) > 0;
}

static void add_looks(tc_cx *cx, tc_signal *g) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!tc_is_look(cx, e, g->object, TC_SCOPE_GPU) || tc_constant_or(cx, e->width, 0) != g->bytes || is_apart(cx, g, e))
            continue;
        tc_look looks[TC_MOST_LOOKS];
        size_t n = tc_looks_of(cx, e, looks);
        for (size_t k = 0; k < n; k++) {
            looks[k].value = tc_signal_reads(cx, g, looks[k].value);
            tc_push(cx->arena, &g->looks, looks[k]);
        }
    }
}

// ---- all of them ----

bool tc_may_send(tc_cx *cx, uint32_t object) {
    const tc_object *o = &cx->model->objects.data[object];
    return o->contract >= 0 && cx->objects[o->contract].borrow == TC_BORROW_ATOMIC && o->space == TC_SPACE_GLOBAL &&
           !tc_has_two_names(cx, object) && !tc_hole_may_touch(cx->model, object);
}

bool tc_may_signal(tc_cx *cx, uint32_t object) {
    const tc_object_contract *c = tc_may_send(cx, object) ? &cx->objects[cx->model->objects.data[object].contract] : NULL;
    return c && c->has_init && c->init->variance == TC_VAR_LAUNCH;
}

static tc_signal signal_of(tc_cx *cx, uint32_t object) {
    return (tc_signal){.object = object, .first = cx->objects[cx->model->objects.data[object].contract].init};
}

// What others add behind the draw is the last block's, or there is no counter.
static void find_counter(tc_cx *cx, tc_signals *all, uint32_t object) {
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        tc_signal g = signal_of(cx, object);
        if (e->object != object || !make_counter(cx, &g, e))
            continue;
        g.first = tc_signal_reads(cx, &g, g.first);
        find_links(cx, &g);
        add_looks(cx, &g);
        tc_push(cx->arena, all, g);
    }
}

// ---- turns ----

// The look of a block that sends s. SOUND: nothing was read where the block did not look; then it has the first turn, and no other block
// that sends may have that.
static tc_look turn_of(tc_cx *cx, const tc_signal *g, const tc_look *k, const tc_sent *s) {
    tc_look r = *k;
    r.place = tc_ite(cx->ts, k->done, k->place, s->place);
    r.value = tc_ite(cx->ts, k->done, k->value, g->first);
    return r;
}

// What is known of a block that has come to what it sends.
static tc_t has_passed(tc_cx *cx, const tc_look *k, const tc_sent *s) {
    return tc_and(cx->ts, s->done, tc_implies(cx->ts, k->when, k->then));
}

// SOUND: by induction over the numbers. Who reads r at a place, other than what was there at first, reads what one block wrote there,
// and that block had read r - 1 there, or the same with an addition of 1: as many have added as numbers were passed, each of them once,
// so that what is added to is the block's own number. Who has not looked sends what comes behind the first one: there the induction ends.
static bool takes_turns(tc_cx *cx, const tc_signals *known, const tc_signal *g, const tc_look *k, const tc_sent *s) {
    tc_terms *ts = cx->ts;
    tc_tvec h = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &h, cx->facts.data[i]);
    for (size_t i = 0; i < known->len; i++)
        if (known->data[i].count)
            tc_hyps_push(cx, &h, found_between(cx, &known->data[i]));
    tc_hyps_push(cx, &h, has_passed(cx, k, s));
    tc_look turn = turn_of(cx, g, k, s);
    tc_t next = tc_addc(ts, turn.value, 1), restarts = tc_eq(ts, s->value, g->first);
    tc_site end = tc_point_site(cx, k->end, k->end->guard), send = tc_point_site(cx, s->event, s->event->guard);
    return tc_comes_before(cx, &end, &send) && tc_try_all(cx, &h, tc_le(ts, g->first, turn.value)) &&
           tc_try_all(cx, &h, tc_eq(ts, s->place, turn.place)) && tc_try(cx, &h, tc_or(ts, restarts, tc_eq(ts, s->value, next))).proved;
}

static bool differ(tc_cx *cx, const tc_signals *known, const tc_signal *g, const tc_look *k, const tc_sent *a, const tc_sent *b) {
    tc_terms *ts = cx->ts;
    tc_tvec h = {0};
    tc_hyps_two_blocks(cx, &h);
    tc_hyps_counters(cx, &h, known);
    tc_hyps_push(cx, &h, in_block(cx, has_passed(cx, k, a), 1));
    tc_hyps_push(cx, &h, in_block(cx, has_passed(cx, k, b), 2));
    tc_hyps_push(cx, &h, tc_eq(ts, in_block(cx, a->place, 1), in_block(cx, b->place, 2)));
    tc_t x = in_block(cx, a->value, 1), y = in_block(cx, b->value, 2);
    tc_hyps_push(cx, &h, tc_eq(ts, x, y));
    tc_hyps_push(cx, &h, tc_ne(ts, x, g->first));
    return tc_try(cx, &h, tc_bool(ts, false)).proved;
}

static bool make_turns(tc_cx *cx, const tc_signals *known, tc_signal *g) {
    const tc_look *k = NULL;
    size_t looks = 0;
    for (size_t i = 0; i < g->looks.len; i++)
        if (!g->looks.data[i].own && !tc_changes(cx, g->looks.data[i].event)) {
            k = &g->looks.data[i];
            looks++;
        }
    if (looks != 1)
        return false;
    for (size_t i = 0; i < g->sent.len; i++) {
        tc_sent *s = &g->sent.data[i];
        bool adds_one = s->event->kind == TC_EV_ATOMIC && s->event->added && tc_constant_or(cx, s->event->added, 0) == 1;
        if (adds_one)
            s->value = g->sent.len == 1 ? tc_addc(cx->ts, turn_of(cx, g, k, s).value, 1) : NULL;
        if (!s->value || !takes_turns(cx, known, g, k, s))
            return false;
        g->passed_on = (i == 0 || g->passed_on) && tc_passes_on(cx, k, s);
    }
    for (size_t i = 0; i < g->sent.len; i++)
        for (size_t j = i; j < g->sent.len; j++)
            if (!differ(cx, known, g, k, &g->sent.data[i], &g->sent.data[j]))
                return false;
    g->looks.data[0] = *k;
    g->looks.len = 1;
    return g->turns = true;
}

// ---- all of them ----

static bool is_counter(const tc_signals *all, const tc_signal *g) {
    for (size_t i = 0; i < all->len; i++)
        if (all->data[i].object == g->object && (!g->at || !all->data[i].at || g->at == all->data[i].at))
            return true;
    return false;
}

// SOUND: what is compared is read one way, whatever the types of the writes and reads are.
static bool take_flags(tc_cx *cx, tc_signals *all, tc_signal g, const tc_event *look) {
    g.is_signed = tc_is_read_signed(look);
    if (!collect_sent(cx, &g))
        return false;
    g.first = tc_signal_reads(cx, &g, g.first);
    add_looks(cx, &g);
    bool taken = (!is_counter(all, &g) && are_flags(cx, all, &g)) || make_turns(cx, all, &g);
    if (taken)
        tc_push(cx->arena, all, g);
    return taken;
}

static bool is_taken(const tc_signals *all, uint32_t object, tc_t at) {
    for (size_t i = 0; i < all->len; i++)
        if (all->data[i].object == object && all->data[i].at == at && !all->data[i].count)
            return true;
    return false;
}

// Of all places of the object, or of some that the launch has.
static void find_flags(tc_cx *cx, tc_signals *all, uint32_t object) {
    bool first = true;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!tc_is_look(cx, e, object, TC_SCOPE_GPU))
            continue;
        tc_signal g = signal_of(cx, object);
        if (first && take_flags(cx, all, g, e))
            return;
        first = false;
        g.at = tc_settle(cx, e->offset);
        g.bytes = tc_constant_or(cx, e->width, 0);
        if (g.at->variance <= TC_VAR_LAUNCH && g.bytes > 0 && !is_taken(all, object, g.at))
            take_flags(cx, all, g, e);
    }
}

// What counters give may tell the places of flags apart.
bool tc_find_signals(tc_cx *cx) {
    tc_signals *all = TC_NEW(cx->arena, tc_signals);
    for (uint32_t i = 0; i < cx->model->objects.len; i++)
        if (tc_may_signal(cx, i))
            find_counter(cx, all, i);
    for (uint32_t i = 0; i < cx->model->objects.len; i++)
        if (tc_may_signal(cx, i))
            find_flags(cx, all, i);
    cx->signals = all->len > 0 ? all : NULL;
    return cx->signals != NULL;
}
