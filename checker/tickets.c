// Values drawn by atomic additions: all different, or disjoint intervals [v, v + amount).
//
// A counter is one place of an object in global memory, of an integer type, that is touched by nothing but additions of
// amounts that are never negative, in the scope of the device at least. The object's other places may be touched where
// they are apart in plain sight. Then the additions of the launch have an order, and each gives the sum of those before it,
// modulo 2^w. Their intervals on the circle of 2^w values are disjoint as long as all amounts together are no more than
// 2^w ("they do not come round again").
//
// How many amounts are drawn. Where the guard has a condition 0 <= X < N, with one N for the launch and an X that no two
// executions share (of two blocks, two threads or two iterations), there are no more than N. Else, outside of a loop, each
// thread that comes to an addition draws once: at most one thread of a block, where its guard says which, or all. In an
// outermost loop a thread draws again only if what it drew, or what it loaded last, was below a bound B that is the same for
// the whole launch.
// SOUND: take the additions in their order, as far as their sum is at most 2^w; their intervals are disjoint. Of each thread,
// and each addition in the text, at most one is the thread's last there (or its first). All others gave values in
// [lo, B), all different, since amounts in loops are positive; so there are no more than B - lo of them. If that, together
// with the last ones, is less than 2^w, then the prefix was all of them. With a known value at launch, and as long as the
// sum stays in the type's range, lo is that value.
//
// SOUND: a ticket's symbol means something only where the addition was executed, which its guard says. Elsewhere it stands
// for no value that matters: one that keeps to what is said of it can be chosen, since there are 2^w of them.
#include "checker/rules.h"

enum { max_draws = 8 };

typedef struct counter {
    uint32_t object;
    tc_t offset;
    unsigned width;
    bool is_signed;
    const tc_event *draws[max_draws];
    size_t n;
    tc_t amount[max_draws]; // settled
    tc_t most[max_draws];   // the amount is at most this, which is one for the launch
    tc_relays relays;
    tc_t lo, hi; // of the type
    tc_t first;  // at launch, or NULL
} counter;

static tc_t conjunct(tc_t t, uint32_t i) { return t->op == TC_T_AND ? t->args[i] : t; }
static uint32_t conjuncts(tc_t t) { return t->op == TC_T_AND ? t->nargs : 1; }

static bool holds_at(tc_cx *cx, const tc_event *e, tc_t goal) { return tc_follows(cx, e->guard, e->loop, e->point, goal); }

// ---- the accesses to the counter ----

static bool apart(tc_cx *cx, const tc_event *a, const tc_event *b) {
    tc_t x = tc_settle(cx, a->offset), y = tc_settle(cx, b->offset);
    tc_t d = tc_sub(cx->ts, y, x), wa = tc_settle(cx, a->width), wb = tc_settle(cx, b->width);
    return x->variance == TC_VAR_LAUNCH && tc_is_const(d) && tc_is_const(wa) && tc_is_const(wb) &&
           (d->value >= wa->value || -d->value >= wb->value);
}

static bool is_draw(tc_cx *cx, const counter *k, const tc_event *e) {
    tc_t w = tc_settle(cx, e->width);
    return e->kind == TC_EV_ATOMIC && e->added && e->value && e->value->op == TC_T_SYM && e->scope >= TC_SCOPE_GPU &&
           tc_settle(cx, e->offset) == k->offset && tc_is_const(w) && w->value * 8 == (tc_i128)k->width;
}

// Amounts are read as the machine does where they lie in [0, 2^w), as they are only congruent to it.
static bool take_draw(tc_cx *cx, counter *k, const tc_event *e) {
    tc_t a = tc_settle(cx, e->added);
    bool again = e->loop != TC_NONE;
    if (k->n == max_draws || !holds_at(cx, e, tc_le(cx->ts, tc_int(cx->ts, again ? 1 : 0), a)) ||
        !holds_at(cx, e, tc_lt(cx->ts, a, tc_int(cx->ts, tc_pow2(k->width)))))
        return false;
    tc_interval r = tc_range_of(cx->ts, a);
    if (a->variance != TC_VAR_LAUNCH && !r.has_hi)
        return false;
    k->amount[k->n] = a;
    k->most[k->n] = a->variance == TC_VAR_LAUNCH ? a : tc_int(cx->ts, r.hi);
    k->draws[k->n++] = e;
    return true;
}

static bool may_alias(const tc_cx *cx, int contract) {
    for (size_t i = 0; i < cx->contract->may_alias.len; i++)
        if (contract >= 0 && cx->contract->may_alias.data[i] == (uint32_t)contract)
            return true;
    return false;
}

// Every access to the place is a draw.
static bool collect_draws(tc_cx *cx, counter *k, const tc_event *seed) {
    const tc_kmodel *m = cx->model;
    const tc_object *o = &m->objects.data[k->object];
    if (o->space != TC_SPACE_GLOBAL || cx->borrow[k->object] != TC_BORROW_ATOMIC || may_alias(cx, o->contract) ||
        k->offset->variance != TC_VAR_LAUNCH || tc_hole_may_touch(m, k->object))
        return false;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->object != k->object || !tc_event_touches(e) || apart(cx, seed, e))
            continue;
        if (!is_draw(cx, k, e) || !take_draw(cx, k, e))
            return false;
    }
    return k->n > 0;
}

static void set_type(tc_cx *cx, counter *k) {
    const tc_object *o = &cx->model->objects.data[k->object];
    const tc_object_contract *c = o->contract >= 0 ? &cx->objects[o->contract] : NULL;
    const tc_sym *s = k->draws[0]->value->sym;
    k->is_signed = !s->has_lo || s->lo < 0;
    k->lo = tc_int(cx->ts, k->is_signed ? -tc_pow2(k->width - 1) : 0);
    k->hi = tc_int(cx->ts, k->is_signed ? tc_pow2(k->width - 1) - 1 : tc_pow2(k->width) - 1);
    k->first = c && c->borrow == TC_BORROW_ATOMIC && c->has_init && c->init->variance == TC_VAR_LAUNCH ? c->init : NULL;
}

// The machine's value, as the counter's type reads it.
static tc_t read_as(tc_cx *cx, const counter *k, tc_t symbol) { return tc_wrap(cx->ts, symbol, k->width, k->is_signed); }

// ---- how much is drawn ----

static tc_t blocks(tc_cx *cx) {
    tc_t n = tc_int(cx->ts, 1);
    for (int d = 0; d < 3; d++)
        n = tc_mul(cx->ts, n, tc_settle(cx, cx->contract->syms.grid_dim[d]));
    return n;
}

static bool one_a_block(tc_cx *cx, const tc_event *e) {
    tc_tvec h = {0}, both = {0};
    tc_hyps_at(cx, &h, e->guard, e->loop, e->point);
    for (size_t i = 0; i < h.len; i++)
        for (uint32_t copy = 1; copy <= 2; copy++)
            tc_hyps_push(cx, &both, tc_rename(cx->ts, h.data[i], TC_VAR_WARP, copy));
    for (int d = 0; d < 3; d++) {
        tc_t i = tc_settle(cx, cx->contract->syms.thread_idx[d]);
        tc_t same = tc_eq(cx->ts, tc_rename(cx->ts, i, TC_VAR_WARP, 1), tc_rename(cx->ts, i, TC_VAR_WARP, 2));
        if (!tc_try_all(cx, &both, same))
            return false;
    }
    return true;
}

static tc_t drawers(tc_cx *cx, const tc_event *e) {
    tc_t n = blocks(cx);
    bool one = one_a_block(cx, e);
    for (int d = 0; d < 3 && !one; d++)
        n = tc_mul(cx->ts, n, tc_settle(cx, cx->contract->syms.block_dim[d]));
    return n;
}

// The part of a sum that is the same for the launch.
static tc_t launch_part(tc_cx *cx, tc_t sum) {
    tc_t fixed = tc_int(cx->ts, 0);
    const tc_t *parts = sum->op == TC_T_ADD ? sum->args : &sum;
    for (uint32_t k = 0; k < (sum->op == TC_T_ADD ? sum->nargs : 1); k++)
        if (parts[k]->variance == TC_VAR_LAUNCH)
            fixed = tc_add(cx->ts, fixed, parts[k]);
    return fixed;
}

// x differs between two instances, of what differs in one of the symbols.
static bool tells_apart(tc_cx *cx, const tc_tvec *h, tc_t x, tc_variance from, const tc_t *syms, size_t n) {
    tc_terms *ts = cx->ts;
    tc_tvec both = {0};
    tc_t differ = tc_bool(ts, false);
    for (uint32_t copy = 1; copy <= 2; copy++)
        for (size_t i = 0; i < h->len; i++)
            tc_hyps_push(cx, &both, tc_rename(ts, h->data[i], from, copy));
    for (size_t i = 0; i < n; i++)
        differ = tc_or(ts, differ, tc_ne(ts, tc_rename(ts, syms[i], from, 1), tc_rename(ts, syms[i], from, 2)));
    tc_hyps_push(cx, &both, differ);
    return tc_is_false(differ) || tc_prove_disjoint(cx->solver, both.data, both.len, tc_rename(ts, x, from, 1), 1,
                                                    tc_rename(ts, x, from, 2), 1).proved;
}

static bool is_own_number(tc_cx *cx, const tc_event *e, const tc_tvec *h, tc_t x) {
    tc_t blocks[3], threads[3];
    tc_tvec counters = {0};
    for (int d = 0; d < 3; d++) {
        blocks[d] = tc_settle(cx, cx->contract->syms.block_idx[d]);
        threads[d] = tc_settle(cx, cx->contract->syms.thread_idx[d]);
    }
    for (uint32_t l = e->loop; l != TC_NONE; l = cx->model->loops.data[l].parent) {
        if (!cx->model->loops.data[l].counter)
            return false;
        tc_push(cx->arena, &counters, tc_of_sym(cx->ts, cx->model->loops.data[l].counter));
    }
    return tells_apart(cx, h, x, TC_VAR_BLOCK, blocks, 3) && tells_apart(cx, h, x, TC_VAR_WARP, threads, 3) &&
           tells_apart(cx, h, x, TC_VAR_ITERATION, counters.data, counters.len);
}

// At most how often e is executed, from a number that each execution has for itself; NULL when none is found.
static tc_t executions(tc_cx *cx, const tc_event *e) {
    tc_t guard = tc_settle(cx, e->guard), zero = tc_int(cx->ts, 0);
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, e->guard, e->loop, e->point);
    for (uint32_t i = 0; i < conjuncts(guard); i++) {
        tc_t c = conjunct(guard, i);
        if (c->op != TC_T_LE)
            continue;
        tc_t d = tc_sub(cx->ts, c->args[1], c->args[0]), last = launch_part(cx, d), x = tc_sub(cx->ts, last, d);
        if (x->variance > TC_VAR_LAUNCH && tc_try_all(cx, &h, tc_le(cx->ts, zero, x)) && is_own_number(cx, e, &h, x))
            return tc_max(cx->ts, zero, tc_addc(cx->ts, last, 1));
    }
    return NULL;
}

// What the guard says a value that varies is at most, for the launch: each of the sides of its inequalities.
static bool bounded_by(tc_cx *cx, const tc_tvec *h, tc_t guard, tc_t value, tc_t *bound) {
    for (uint32_t i = 0; i < conjuncts(guard); i++) {
        tc_t c = conjunct(guard, i);
        if (c->op != TC_T_LE)
            continue;
        tc_t fixed = launch_part(cx, tc_sub(cx->ts, c->args[1], c->args[0]));
        if (tc_try_all(cx, h, tc_le(cx->ts, value, fixed))) {
            *bound = tc_addc(cx->ts, fixed, 1);
            return true;
        }
    }
    return false;
}

// The load after the draw's store, in its iteration, by the thread that made it.
// SOUND: one thread makes all stores, so that what it loads is what it stored last.
static const tc_event *own_load(const tc_relay *r, const tc_event *draw, const tc_event **store) {
    *store = NULL;
    for (size_t i = 0; i < r->stores.len; i++)
        if (r->draws.data[i] == draw)
            *store = *store ? NULL : r->stores.data[i];
    if (!*store)
        return NULL;
    for (size_t i = 0; i < r->loads.len; i++) {
        const tc_event *l = r->loads.data[i];
        bool other = false;
        for (size_t k = 0; k < r->stores.len; k++) {
            const tc_event *s = r->stores.data[k];
            other |= s != *store && s->loop == l->loop && s->point > (*store)->point && s->point < l->point;
        }
        if (l->loop == (*store)->loop && l->point > (*store)->point && !other)
            return l;
    }
    return NULL;
}

// Each iteration that draws and comes to a next one has drawn a value below the bound.
static bool bounded_after(tc_cx *cx, const counter *k, const tc_event *draw, const tc_loop *l, tc_t *bound) {
    if (!l->again)
        return false;
    tc_t value = read_as(cx, k, draw->value), again = tc_settle(cx, l->again);
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, draw->guard, draw->loop, l->last);
    tc_hyps_push(cx, &h, again);
    if (bounded_by(cx, &h, again, value, bound))
        return true;
    for (size_t i = 0; i < k->relays.len; i++) {
        const tc_event *store, *load = own_load(&k->relays.data[i], draw, &store);
        if (!load)
            continue;
        // What was drawn was stored, and loaded.
        if (!tc_try_all(cx, &h, tc_settle(cx, store->guard)) || !tc_try_all(cx, &h, tc_settle(cx, load->guard)))
            continue;
        tc_hyps_push(cx, &h, tc_eq(cx->ts, read_as(cx, k, load->value), value));
        if (bounded_by(cx, &h, again, value, bound))
            return true;
    }
    return false;
}

static const tc_event *load_of(const tc_relay *r, tc_t value) {
    for (size_t i = 0; i < r->loads.len; i++)
        if (value && r->loads.data[i]->value == value)
            return r->loads.data[i];
    return NULL;
}

// A variable of the relay's loop that is loaded before it, and again in each iteration: always the value of some load. Its
// range says how wide it is.
static bool carries(tc_cx *cx, const counter *k, const tc_relay *r, const tc_carried *v, const tc_event **before,
                    const tc_event **again) {
    const tc_loop *l = &cx->model->loops.data[r->loop];
    *before = load_of(r, v->entry);
    *again = load_of(r, v->step);
    return *before && *again && v->sym->has_lo && v->sym->has_hi && v->sym->hi - v->sym->lo + 1 == tc_pow2(k->width) &&
           (*before)->loop == TC_NONE && (*again)->loop == r->loop && l->again &&
           tc_follows(cx, l->guard, TC_NONE, l->first, (*before)->guard) &&
           tc_follows(cx, l->again, r->loop, l->last, (*again)->guard);
}

// In the thread that stores, what the variable has at the start of an iteration was drawn last: both loads come after all
// stores there.
static bool carries_last(tc_cx *cx, const counter *k, const tc_relay *r, const tc_carried *v) {
    const tc_event *before, *again;
    if (!carries(cx, k, r, v, &before, &again))
        return false;
    for (size_t i = 0; i < r->stores.len; i++) {
        const tc_event *s = r->stores.data[i];
        if (s->point > (s->loop == TC_NONE ? before : again)->point)
            return false;
    }
    return true;
}

static bool bounded_carried(tc_cx *cx, const counter *k, const tc_relay *r, const tc_event *draw, tc_t *bound) {
    const tc_loop *l = &cx->model->loops.data[r->loop];
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, draw->guard, draw->loop, draw->point);
    for (size_t i = 0; i < l->carried.len; i++)
        if (carries_last(cx, k, r, &l->carried.data[i]) &&
            bounded_by(cx, &h, tc_settle(cx, draw->guard), read_as(cx, k, tc_of_sym(cx->ts, l->carried.data[i].sym)), bound))
            return true;
    return false;
}

// Each draw in the loop comes after a load of what its thread drew before, which was below the bound.
static bool bounded_before(tc_cx *cx, const counter *k, const tc_event *draw, tc_t *bound) {
    for (size_t i = 0; i < k->relays.len; i++) {
        const tc_relay *r = &k->relays.data[i];
        bool all = r->loop == draw->loop;
        for (size_t d = 0; d < k->n && all; d++) {
            const tc_event *store = NULL;
            for (size_t s = 0; s < r->stores.len; s++)
                if (r->draws.data[s] == k->draws[d])
                    store = r->stores.data[s];
            // All that is drawn is stored, at once.
            all = store && tc_settle(cx, store->guard) == tc_settle(cx, k->draws[d]->guard) &&
                  (store->loop != r->loop || k->draws[d] == draw);
        }
        for (size_t n = 0; n < r->loads.len && all; n++) {
            const tc_event *load = r->loads.data[n];
            if (load->loop != draw->loop || load->point > draw->point || !holds_at(cx, draw, tc_settle(cx, load->guard)))
                continue;
            tc_tvec h = {0};
            tc_hyps_at(cx, &h, draw->guard, draw->loop, draw->point);
            if (bounded_by(cx, &h, tc_settle(cx, draw->guard), read_as(cx, k, load->value), bound))
                return true;
        }
        if (all && bounded_carried(cx, k, r, draw, bound))
            return true;
    }
    return false;
}

// All amounts together are at most this, where values begin at lo; NULL when there is no bound.
static tc_t all_amounts(tc_cx *cx, const counter *k, tc_t lo) {
    tc_terms *ts = cx->ts;
    tc_t zero = tc_int(ts, 0), sum = zero, most = NULL, upto = NULL;
    for (size_t i = 0; i < k->n; i++) {
        const tc_event *e = k->draws[i];
        tc_t times = executions(cx, e);
        if (times) {
            sum = tc_add(ts, sum, tc_mul(ts, k->most[i], times));
            continue;
        }
        sum = tc_add(ts, sum, tc_mul(ts, k->most[i], drawers(cx, e)));
        if (e->loop == TC_NONE)
            continue;
        const tc_loop *l = &cx->model->loops.data[e->loop];
        tc_t bound;
        if (l->parent != TC_NONE || !(bounded_after(cx, k, e, l, &bound) || bounded_before(cx, k, e, &bound)))
            return NULL;
        upto = upto ? tc_max(ts, upto, bound) : bound;
    }
    for (size_t i = 0; i < k->n && upto; i++)
        most = most ? tc_max(ts, most, k->most[i]) : k->most[i];
    return upto ? tc_add(ts, sum, tc_mul(ts, most, tc_max(ts, zero, tc_sub(ts, upto, lo)))) : sum;
}

// ---- tickets ----

static void add_ticket(tc_cx *cx, const counter *k, const tc_ticket *like, const tc_event *e, tc_t amount) {
    tc_ticket t = *like;
    t.symbol = e->value->sym;
    t.relay = e->object;
    t.value = read_as(cx, k, e->value);
    t.guard = tc_settle(cx, e->guard);
    t.amount = amount;
    tc_push(cx->arena, &cx->tickets, t);
}

static void add_relayed(tc_cx *cx, const counter *k, const tc_ticket *like, const tc_relay *r) {
    tc_t amount = NULL;
    for (size_t i = 0; i < k->n; i++)
        for (size_t d = 0; d < r->draws.len; d++) {
            if (r->draws.data[d] != k->draws[i])
                continue;
            if (k->amount[i]->variance != TC_VAR_LAUNCH || (amount && amount != k->amount[i]))
                return;
            amount = k->amount[i];
        }
    for (size_t i = 0; i < r->loads.len && amount; i++) {
        add_ticket(cx, k, like, r->loads.data[i], amount);
        const tc_event *twin = i > 0 ? r->loads.data[i - 1] : NULL;
        if (!twin || !tc_relay_same(r, twin, r->loads.data[i]))
            continue;
        tc_last(&cx->tickets).twin = read_as(cx, k, twin->value);
        tc_last(&cx->tickets).twin_guard = tc_settle(cx, twin->guard);
    }
    if (!amount || r->loop == TC_NONE)
        return;
    const tc_loop *l = &cx->model->loops.data[r->loop];
    for (size_t i = 0; i < l->carried.len; i++) {
        const tc_event *before, *again;
        if (!carries(cx, k, r, &l->carried.data[i], &before, &again))
            continue;
        tc_event e = {.object = r->object, .from = TC_NONE, .guard = l->guard};
        e.value = tc_of_sym(cx->ts, l->carried.data[i].sym);
        add_ticket(cx, k, like, &e, amount);
    }
}

static bool is_met(void *ctx, tc_t t) { return t == ctx; }

static bool is_handed_on(const tc_cx *cx, const tc_event *e, tc_t symbol) {
    return e->kind == TC_EV_WRITE && e->value == symbol && cx->model->objects.data[e->object].space == TC_SPACE_SHARED;
}

// Does an address or a condition depend on a value drawn, or may it do so in shared memory?
static bool is_used(tc_cx *cx, tc_t symbol) {
    void *s = (void *)(uintptr_t)symbol;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (tc_any(cx->ts, e->offset, is_met, s) || tc_any(cx->ts, e->guard, is_met, s) || is_handed_on(cx, e, symbol))
            return true;
    }
    return false;
}

static bool in_address(tc_cx *cx, tc_t symbol) {
    for (size_t i = 0; i < cx->model->events.len; i++)
        if (tc_any(cx->ts, cx->model->events.data[i].offset, is_met, (void *)(uintptr_t)symbol))
            return true;
    return false;
}

static bool is_addressed(tc_cx *cx, const counter *k) {
    for (size_t i = 0; i < k->n; i++)
        if (in_address(cx, k->draws[i]->value))
            return true;
    for (size_t r = 0; r < k->relays.len; r++)
        for (size_t i = 0; i < k->relays.data[r].loads.len; i++)
            if (in_address(cx, k->relays.data[r].loads.data[i]->value))
                return true;
    return false;
}

// Whether the condition on the launch is known; where it may be, as one more precondition: that dimensions of the grid which
// the kernel never reads are 1, other than x, or a bound where the contract leaves the grid open.
bool tc_is_given(tc_cx *cx, tc_t total, tc_t last, tc_loc loc, bool infer) {
    tc_terms *ts = cx->ts;
    if (tc_try_all(cx, &cx->facts, tc_le(ts, total, last)))
        return true;
    if (!infer)
        return false;
    tc_tvec h = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &h, cx->facts.data[i]);
    for (size_t i = 0; i < cx->ones.len; i++)
        if (!tc_any(ts, cx->ones.data[i].term, is_met, (void *)(uintptr_t)cx->contract->syms.grid_dim[0]))
            tc_hyps_push(cx, &h, cx->ones.data[i].term);
    if (!tc_try_all(cx, &h, tc_le(ts, total, last)))
        return tc_infer_bound(cx, tc_le(ts, total, last), loc);
    for (size_t i = 0; i < cx->ones.len; i++)
        if (!tc_any(ts, cx->ones.data[i].term, is_met, (void *)(uintptr_t)cx->contract->syms.grid_dim[0]))
            tc_take_bound(cx, cx->ones.data[i]);
    return true;
}

// The counter's range where it does not leave its type's, or the bound under which its values do not come round again.
static bool bound_counter(tc_cx *cx, const counter *k, tc_ticket *t, bool infer) {
    tc_terms *ts = cx->ts;
    t->fewer = tc_bool(ts, true);
    tc_t total = k->first ? all_amounts(cx, k, k->first) : NULL;
    if (total && tc_try_all(cx, &cx->facts, tc_le(ts, k->lo, k->first)) &&
        tc_is_given(cx, total, tc_sub(ts, k->hi, k->first), k->draws[0]->loc, infer)) {
        t->first = k->first;
        t->total = total;
        return true;
    }
    total = all_amounts(cx, k, k->lo);
    tc_t last = tc_int(ts, tc_pow2(k->width) - 1);
    if (total && !tc_is_given(cx, total, last, k->draws[0]->loc, infer))
        t->fewer = tc_le(ts, total, last);
    return total != NULL;
}

static bool is_seen(const tc_cx *cx, const counter *k) {
    for (size_t i = 0; i < cx->tickets.len; i++)
        if (cx->tickets.data[i].object == k->object && cx->tickets.data[i].offset == k->offset)
            return true;
    return false;
}

static void find_counter(tc_cx *cx, const tc_event *seed, bool infer) {
    tc_t w = tc_settle(cx, seed->width);
    if (!seed->added || !seed->value || seed->object == TC_NONE || !tc_is_const(w) || w->value < 1 || w->value > 8)
        return;
    counter k = {.object = seed->object, .offset = tc_settle(cx, seed->offset), .width = (unsigned)w->value * 8};
    if (is_seen(cx, &k) || !is_used(cx, seed->value) || !collect_draws(cx, &k, seed))
        return;
    set_type(cx, &k);
    k.relays = tc_find_relays(cx, k.draws, k.n, k.width);
    tc_ticket t = {.object = k.object, .offset = k.offset, .width = k.width};
    if (!bound_counter(cx, &k, &t, infer && is_addressed(cx, &k)))
        return;
    for (size_t i = 0; i < k.n; i++)
        add_ticket(cx, &k, &t, k.draws[i], k.amount[i]);
    for (size_t i = 0; i < k.relays.len; i++)
        add_relayed(cx, &k, &t, &k.relays.data[i]);
}

bool tc_find_tickets(tc_cx *cx, bool infer) {
    // What was found before is not used to find it.
    size_t before = cx->tickets.len;
    cx->tickets.len = 0;
    for (size_t i = 0; i < cx->model->events.len; i++)
        if (cx->model->events.data[i].kind == TC_EV_ATOMIC)
            find_counter(cx, &cx->model->events.data[i], infer);
    return cx->tickets.len > before;
}

// ---- what is known of them ----

void tc_hyps_tickets(tc_cx *cx, tc_tvec *h) {
    tc_terms *ts = cx->ts;
    for (size_t i = 0; i < cx->tickets.len; i++) {
        const tc_ticket *t = &cx->tickets.data[i];
        if (t->twin)
            tc_hyps_push(cx, h, tc_settle(cx, tc_implies(ts, tc_and(ts, t->guard, t->twin_guard), tc_eq(ts, t->value, t->twin))));
        if (!t->first)
            continue;
        tc_t end = tc_add(ts, t->first, t->total);
        tc_t in = tc_and(ts, tc_le(ts, t->first, t->value), tc_le(ts, tc_add(ts, t->value, t->amount), end));
        tc_hyps_push(cx, h, tc_settle(cx, tc_implies(ts, t->guard, in)));
    }
}

// SOUND: two intervals on the circle of 2^w values that are disjoint, with both begins as one type reads them.
static tc_t intervals_apart(tc_cx *cx, const tc_ticket *a, tc_t x, tc_t wx, const tc_ticket *b, tc_t y, tc_t wy) {
    tc_terms *ts = cx->ts;
    tc_t one = tc_int(ts, 1);
    if (a->amount == one && b->amount == one)
        return tc_ne(ts, x, y);
    tc_t before = tc_le(ts, tc_add(ts, x, wx), y), after = tc_le(ts, tc_add(ts, y, wy), x);
    if (!a->first) {
        tc_t round = tc_int(ts, tc_pow2(a->width));
        before = tc_and(ts, before, tc_le(ts, tc_add(ts, y, wy), tc_add(ts, x, round)));
        after = tc_and(ts, after, tc_le(ts, tc_add(ts, x, wx), tc_add(ts, y, round)));
    }
    return tc_or(ts, before, after);
}

static bool mentions(tc_cx *cx, const tc_tvec *h, tc_t offset, tc_t t) {
    void *s = (void *)(uintptr_t)t;
    for (size_t i = 0; i < h->len; i++)
        if (tc_any(cx->ts, h->data[i], is_met, s))
            return true;
    return tc_any(cx->ts, offset, is_met, s);
}

// Of the pairs of which the hypotheses speak.
// SOUND: two threads draw twice. What they load from where a draw was put may be one draw.
void tc_hyps_two_tickets(tc_cx *cx, tc_tvec *h, const tc_site *first, const tc_site *second, const tc_view *v) {
    tc_terms *ts = cx->ts;
    tc_tvec facts = {0};
    tc_t one = tc_seen(v, first->offset, 1), two = tc_seen(v, second->offset, 2);
    for (size_t i = 0; i < cx->tickets.len; i++)
        for (size_t k = 0; k < cx->tickets.len; k++) {
            const tc_ticket *a = &cx->tickets.data[i], *b = &cx->tickets.data[k];
            if (a->object != b->object || a->offset != b->offset || (v->one_block && (a->relay != a->object || b->relay != b->object)))
                continue;
            tc_t x = tc_seen(v, tc_settle(cx, a->value), 1), y = tc_seen(v, tc_settle(cx, b->value), 2);
            if (!mentions(cx, h, one, x) || !mentions(cx, h, two, y))
                continue;
            tc_t drawn = tc_and(ts, tc_seen(v, tc_settle(cx, a->guard), 1), tc_seen(v, tc_settle(cx, b->guard), 2));
            tc_t apart = intervals_apart(cx, a, x, tc_seen(v, tc_settle(cx, a->amount), 1), b, y,
                                         tc_seen(v, tc_settle(cx, b->amount), 2));
            tc_push(cx->arena, &facts, tc_implies(ts, tc_and(ts, tc_settle(cx, a->fewer), drawn), apart));
        }
    for (size_t i = 0; i < facts.len; i++)
        tc_hyps_push(cx, h, facts.data[i]);
}

typedef struct speaking {
    const tc_cx *cx;
    const tc_ticket *ticket; // found
} speaking;

static bool is_ticket(void *ctx, tc_t t) {
    speaking *s = ctx;
    for (size_t i = 0; i < s->cx->tickets.len && t->op == TC_T_SYM; i++) {
        const tc_sym *drawn = s->cx->tickets.data[i].symbol;
        if (t->sym == drawn || t->sym->origin == drawn)
            s->ticket = &s->cx->tickets.data[i];
    }
    return s->ticket != NULL;
}

static bool uses_tickets(tc_cx *cx, const tc_obligation *ob) {
    speaking s = {cx, NULL};
    for (size_t i = 0; i < ob->hyps.len; i++)
        if (tc_any(cx->ts, ob->hyps.data[i], is_ticket, &s))
            return true;
    return ob->goal && tc_any(cx->ts, ob->goal, is_ticket, &s);
}

static bool carries_tickets(const tc_cx *cx, uint32_t object) {
    for (size_t i = 0; i < cx->tickets.len; i++)
        if (cx->tickets.data[i].object == object || cx->tickets.data[i].relay == object)
            return true;
    return false;
}

void tc_lean_on_tickets(tc_cx *cx, tc_obligation *ob) {
    if (cx->tickets.len == 0 || !uses_tickets(cx, ob))
        return;
    // How much is drawn may depend on stored values.
    for (size_t i = 0; i < cx->tickets.len; i++)
        tc_note_uses(cx, ob, cx->tickets.data[i].guard);
    for (size_t i = 0; i < cx->model->loops.len; i++)
        if (cx->model->loops.data[i].again)
            tc_note_uses(cx, ob, tc_settle(cx, cx->model->loops.data[i].again));
    for (size_t i = 0; i < cx->sites.len; i++)
        if (carries_tickets(cx, cx->sites.data[i].object))
            tc_depend(cx, ob, cx->sites.data[i].bounds);
}
