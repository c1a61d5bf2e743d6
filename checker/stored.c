// Bounds on the values that shared memory holds: what every store that may have been to the bytes of a load keeps to.
//
//     ib[t] = perm[t];            // 0 <= perm[…] < 128, says the contract
//     __syncthreads();
//     y[t] = x[ib[t]];
//
// A bound L <= v or v <= U, with L and U of the launch and the block, is guessed from what is known at one of the stores, and holds
// of a load when it holds of the value of each store that may touch its bytes, at its own program point.
//
// SOUND: by induction over time. A load gives what some earlier store of its bytes put there, of one width and aligned to it, so
// that no value is put together from two; whichever store it was, with a race or without. That there was one is TC2005 of the load,
// which all that uses the bound leans on. Values that are stored may have been loaded before.
//
// Where one store alone may have been to the bytes, of one thread and outside of loops, what it put there is known outright:
//
//     if (threadIdx.x == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
//     __syncthreads();
//     if (last) …
#include "checker/order.h"

enum { most_bounds = 16 };

// ---- what is known of a load ----

typedef struct guess {
    tc_t limit;
    bool upper, failed;
} guess;

typedef struct load {
    const tc_site *site;
    guess guesses[most_bounds];
    size_t n;
    tc_t value; // of the block, that it gives; or NULL
} load;

typedef TC_VEC(load) loads;

static tc_t claim(tc_cx *cx, const guess *g, tc_t v) {
    return g->upper ? tc_le(cx->ts, v, g->limit) : tc_le(cx->ts, g->limit, v);
}

static bool is_candidate(const tc_cx *cx, const tc_map *deciding, const tc_site *s) {
    const tc_event *e = s->event;
    return tc_map_has(deciding, TC_KEY(e)) && e->kind == TC_EV_READ && cx->model->objects.data[s->object].space == TC_SPACE_SHARED && e->value &&
           e->value->op == TC_T_SYM && e->value->sort == TC_INT && s->bytes && !tc_hole_may_touch(cx->model, s->object);
}

static void set_facts(tc_cx *cx, const loads *ls) {
    cx->stored.len = 0;
    for (size_t i = 0; i < ls->len; i++) {
        const tc_site *s = ls->data[i].site;
        if (ls->data[i].value)
            tc_push(cx->arena, &cx->stored,
                    ((tc_stored){s->event, tc_implies(cx->ts, s->guard, tc_eq(cx->ts, s->event->value, ls->data[i].value)), ls->data[i].value}));
        for (size_t k = 0; k < ls->data[i].n; k++) {
            const load *l = &ls->data[i];
            if (!l->guesses[k].failed)
                tc_push(cx->arena, &cx->stored,
                        ((tc_stored){l->site->event, tc_implies(cx->ts, l->site->guard, claim(cx, &l->guesses[k], l->site->event->value)), NULL}));
        }
    }
}

// SOUND: of loads that the thread has executed before it comes to the point: what a later one gives is not known yet, and may hang on
// what is to be shown here.
void tc_hyps_stored(tc_cx *cx, tc_tvec *h, uint32_t loop, uint32_t point) {
    for (size_t i = 0; i < cx->stored.len; i++) {
        const tc_event *l = cx->stored.data[i].load;
        bool around = l->loop == TC_NONE || (loop != TC_NONE && tc_loop_encloses(cx->model, l->loop, loop));
        if (around && l->point < point)
            tc_hyps_push(cx, h, tc_settle(cx, cx->stored.data[i].fact));
    }
}

// ---- guesses ----

static void add_guess(load *l, tc_t limit, bool upper) {
    for (size_t i = 0; i < l->n; i++)
        if (l->guesses[i].limit == limit && l->guesses[i].upper == upper)
            return;
    if (l->n < most_bounds && limit->variance <= TC_VAR_BLOCK)
        l->guesses[l->n++] = (guess){limit, upper, false};
}

// From x <= y: y - x + v is an upper bound of v where v is gone from it, and v - (y - x) a lower one.
static void guess_from(tc_cx *cx, load *l, tc_t fact, tc_t v) {
    if (fact->op != TC_T_LE)
        return;
    tc_t d = tc_sub(cx->ts, fact->args[1], fact->args[0]);
    add_guess(l, tc_add(cx->ts, d, v), true);
    add_guess(l, tc_sub(cx->ts, v, d), false);
}

static void guess_from_all(tc_cx *cx, load *l, tc_t facts, tc_t v) {
    for (uint32_t i = 0; i < (facts->op == TC_T_AND ? facts->nargs : 1); i++)
        guess_from(cx, l, facts->op == TC_T_AND ? facts->args[i] : facts, v);
}

static void guess_at(tc_cx *cx, load *l, const tc_site *store) {
    tc_t v = tc_settle(cx, store->event->value);
    tc_tvec h = {0};
    tc_hyps_site(cx, &h, store);
    tc_hyps_contents(cx, &h, v);
    for (size_t i = 0; i < h.len; i++)
        guess_from(cx, l, h.data[i], v);
    if (v->op == TC_T_ITE) {
        guess_from_all(cx, l, v->args[0], v->args[1]);
        guess_from_all(cx, l, tc_not(cx->ts, v->args[0]), v->args[2]);
    }
    tc_interval r = tc_range_of(cx->ts, v);
    if (r.has_lo)
        add_guess(l, tc_int(cx->ts, r.lo), false);
    if (r.has_hi)
        add_guess(l, tc_int(cx->ts, r.hi), true);
}

// ---- stores ----

// May the store be to bytes of the load, at any time?
static bool may_meet(tc_cx *cx, const tc_site *store, const tc_site *read) {
    tc_two w = tc_two_new(cx, TC_TEAM_BLOCK, TC_NONE, store->event->loop, read->event->loop);
    tc_tvec one = {0}, two = {0}, h = {0};
    tc_hyps_site(cx, &one, store);
    tc_hyps_site(cx, &two, read);
    for (size_t i = 0; i < one.len; i++)
        tc_hyps_push(cx, &h, tc_two_at(&w, one.data[i], 1));
    for (size_t i = 0; i < two.len; i++)
        tc_hyps_push(cx, &h, tc_two_at(&w, two.data[i], 2));
    tc_view v = tc_view_threads(&w);
    tc_hyps_push(cx, &h, tc_bytes_meet(cx, &v, store, read));
    return !tc_try(cx, &h, tc_bool(cx->ts, false)).proved;
}

static bool is_simple_store(const tc_site *store, const tc_site *read) {
    return store->event->kind == TC_EV_WRITE && store->event->value && store->event->value->sort == TC_INT && store->bytes == read->bytes;
}

typedef TC_VEC(const tc_site *) stores;

// All stores that may be to the load's bytes; false where one of them is of another kind or width.
static bool stores_of(tc_cx *cx, const tc_site *read, stores *out) {
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (s->object != read->object || !tc_event_writes(s->event))
            continue;
        if (!is_simple_store(s, read)) {
            if (may_meet(cx, s, read))
                return false;
            continue;
        }
        tc_push(cx->arena, out, s);
    }
    return out->len > 0;
}

// SOUND: the term is congruent to what is stored; the load reads it as its symbol does, so both have to be of one range.
static bool is_read_as_stored(tc_cx *cx, const tc_site *store, const tc_site *read, tc_tvec *h) {
    const tc_sym *s = read->event->value->sym;
    tc_t v = tc_settle(cx, store->event->value);
    tc_hyps_site(cx, h, store);
    tc_hyps_contents(cx, h, v);
    return s->has_lo && s->has_hi && tc_try_all(cx, h, tc_in_range(cx->ts, v, s->lo, s->hi));
}

static bool keeps_to(tc_cx *cx, const tc_site *store, const tc_site *read, const guess *g) {
    tc_tvec h = {0};
    return is_read_as_stored(cx, store, read, &h) && tc_try(cx, &h, claim(cx, g, tc_settle(cx, store->event->value))).proved;
}

// SOUND: the load leans on having been written before (TC2005); only this store can have done so, and a block executes it once. What is
// read is congruent to what was stored, and in the range of the load's type.
static tc_t only_value(tc_cx *cx, const tc_site *read, const stores *of) {
    const tc_site *only = NULL;
    for (size_t i = 0; i < of->len; i++) {
        if (!may_meet(cx, of->data[i], read))
            continue;
        if (only || of->data[i]->event->loop != TC_NONE)
            return NULL;
        only = of->data[i];
    }
    tc_t value = only ? tc_block_value(cx, only->event, only->event->value) : NULL;
    tc_tvec h = {0};
    if (!value || is_read_as_stored(cx, only, read, &h))
        return value;
    const tc_sym *s = read->event->value->sym;
    tc_i128 span = tc_pow2((unsigned)read->bytes * 8);
    bool whole = read->bytes <= 8 && s->has_lo && s->has_hi && s->hi - s->lo + 1 == span && (s->lo == 0 || s->lo == -span / 2);
    return whole ? tc_wrap(cx->ts, value, (unsigned)read->bytes * 8, s->lo < 0) : NULL;
}

static bool check(tc_cx *cx, loads *ls, const stores *all) {
    bool changed = false;
    for (size_t i = 0; i < ls->len; i++)
        for (size_t k = 0; k < ls->data[i].n; k++) {
            guess *g = &ls->data[i].guesses[k];
            for (size_t j = 0; j < all[i].len && !g->failed; j++)
                if (!keeps_to(cx, all[i].data[j], ls->data[i].site, g))
                    g->failed = changed = true;
        }
    return changed;
}

bool tc_find_stored(tc_cx *cx, const tc_map *deciding) {
    loads ls = {0};
    TC_VEC(stores) all = {0};
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        stores of = {0};
        if (!is_candidate(cx, deciding, s) || !stores_of(cx, s, &of))
            continue;
        load l = {.site = s, .value = only_value(cx, s, &of)};
        tc_push(cx->arena, &ls, l);
        tc_push(cx->arena, &all, of);
    }
    // What is found of one load may bound what another one's stores put there.
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < ls.len; i++)
            for (size_t k = 0; k < all.data[i].len; k++)
                guess_at(cx, &ls.data[i], all.data[i].data[k]);
        do
            set_facts(cx, &ls);
        while (check(cx, &ls, all.data));
        set_facts(cx, &ls);
    }
    return cx->stored.len > 0;
}

// ---- dependencies ----

typedef struct speaking {
    const tc_cx *cx;
    bool found;
} speaking;

// Also a variable of a loop: an invariant may have been shown with what is known of loads.
static void note_variable(void *ctx, tc_t t) {
    speaking *s = ctx;
    const tc_sym *sym = t->op == TC_T_SYM ? t->sym->origin ? t->sym->origin : t->sym : NULL;
    for (size_t i = 0; i < s->cx->stored.len && sym; i++)
        s->found |= sym == s->cx->stored.data[i].load->value->sym;
    for (size_t i = 0; i < s->cx->model->loops.len && sym; i++) {
        const tc_loop *l = &s->cx->model->loops.data[i];
        for (size_t k = 0; k < l->carried.len; k++)
            s->found |= sym == l->carried.data[k].sym;
    }
}

// One of the facts itself, in some instance: it says nothing where nothing else speaks of the value.
static bool is_fact(tc_cx *cx, tc_t t) {
    for (size_t i = 0; i < cx->stored.len; i++) {
        tc_t f = tc_settle(cx, cx->stored.data[i].fact);
        bool same = t == f;
        for (uint32_t k = 1; k <= 2; k++)
            same |= t == tc_rename(cx->ts, f, TC_VAR_BLOCK, k) || t == tc_rename(cx->ts, f, TC_VAR_THREAD, k);
        if (same)
            return true;
    }
    return false;
}

static bool speaks_of_stored(tc_cx *cx, const tc_obligation *ob) {
    speaking s = {cx, false};
    for (size_t i = 0; i < ob->hyps.len && !s.found; i++)
        if (!is_fact(cx, ob->hyps.data[i]))
            tc_walk(cx->ts, ob->hyps.data[i], note_variable, &s);
    if (ob->goal)
        tc_walk(cx->ts, ob->goal, note_variable, &s);
    return s.found;
}

static bool is_about_order(tc_rule r) { return r >= TC_RULE_TC3001 && r <= TC_RULE_TC3004; }

// On all loads, since the values that one of them gives may have been loaded by another. So does what is said of order: that a
// condition is common may have been shown with what is known of loads, and where a signal lies.
void tc_lean_on_stored(tc_cx *cx, tc_obligation *ob) {
    if (cx->stored.len == 0 || !(is_about_order(ob->rule) || ob->handed || speaks_of_stored(cx, ob)))
        return;
    for (size_t i = 0; i < cx->result->obligations.len; i++) {
        const tc_obligation *on = &cx->result->obligations.data[i];
        if (on->rule != TC_RULE_TC2005 || !on->event)
            continue;
        for (size_t k = 0; k < cx->stored.len; k++)
            if (cx->stored.data[k].load == on->event && on != ob)
                tc_depend(cx, ob, (uint32_t)i);
    }
    for (size_t i = 0; i < cx->sites.len; i++) // stored values may be contents of arrays
        if (cx->sites.data[i].event->kind == TC_EV_WRITE && cx->sites.data[i].event->value &&
            cx->model->objects.data[cx->sites.data[i].object].space == TC_SPACE_SHARED)
            tc_note_uses(cx, ob, tc_settle(cx, cx->sites.data[i].event->value));
}
