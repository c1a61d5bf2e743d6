// Values of which a block has one.
//
//     if (threadIdx.x == 0)
//         t = atomicAdd(counter, 1);
//
// What an operation gives that one thread of a block executes, outside of loops, is a value of the block: its twin, a symbol that
// all threads have in common. Where the operation is executed its value and the twin are one; where it is not, the twin says nothing.
//
// So with what one thread alone may vote for:
//
//     last = __syncthreads_or(threadIdx.x == 0 && t == gridDim.x - 1);
#include "checker/order.h"

static tc_i128 constant_of(tc_cx *cx, tc_t guard, tc_t index) {
    const tc_t *parts = guard->op == TC_T_AND ? guard->args : &guard;
    (void)cx;
    for (uint32_t i = 0; i < (guard->op == TC_T_AND ? guard->nargs : 1); i++)
        for (int k = 0; k < 2 && parts[i]->op == TC_T_EQ; k++)
            if (parts[i]->args[k] == index && tc_is_const(parts[i]->args[1 - k]))
                return parts[i]->args[1 - k]->value;
    return 0;
}

bool tc_one_thread(tc_cx *cx, const tc_event *const *events, size_t n, tc_map *thread) {
    for (int d = 0; d < 3; d++) {
        tc_t index = cx->contract->syms.thread_idx[d], extent = cx->contract->syms.block_dim[d];
        if (index->op != TC_T_SYM)
            continue;
        tc_t at = tc_int(cx->ts, constant_of(cx, tc_settle(cx, events[0]->guard), index));
        for (size_t i = 0; i < n; i++)
            if (!tc_follows(cx, events[i]->guard, events[i]->loop, events[i]->point, tc_eq(cx->ts, index, at)))
                return false;
        tc_t exists = tc_and(cx->ts, tc_le(cx->ts, tc_int(cx->ts, 0), at), tc_lt(cx->ts, at, extent));
        if (!tc_follows(cx, tc_bool(cx->ts, true), TC_NONE, 0, exists))
            return false;
        tc_map_put(cx->arena, thread, TC_KEY(index), (void *)(uintptr_t)at);
    }
    return true;
}

static const tc_event *source_of(const tc_cx *cx, const tc_sym *s) {
    const tc_event *found = NULL;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!e->value || e->value->op != TC_T_SYM || e->value->sym != s || e->kind == TC_EV_WRITE)
            continue;
        if (found)
            return NULL;
        found = e;
    }
    return found;
}

static const tc_sym *twin_symbol(tc_cx *cx, const tc_sym *s) {
    tc_sym *t = tc_sym_new(cx->ts, tc_fmt(cx->arena, "%s of the block", s->name), s->kind, TC_VAR_BLOCK, s->sort);
    t->has_lo = s->has_lo;
    t->has_hi = s->has_hi;
    t->lo = s->lo;
    t->hi = s->hi;
    return t;
}

static tc_t twin_of(tc_cx *cx, const tc_event *e) {
    for (size_t i = 0; i < cx->twins.len; i++)
        if (cx->twins.data[i].event == e)
            return cx->twins.data[i].twin;
    tc_twin twin = {e, tc_of_sym(cx->ts, twin_symbol(cx, e->value->sym))};
    tc_push(cx->arena, &cx->twins, twin);
    return twin.twin;
}

typedef struct making {
    tc_cx *cx;
    tc_map *thread; // and the values put in for symbols
    uint32_t loop;  // whose last iteration is meant, or TC_NONE
    uint32_t around; // of one iteration of this loop, and of those around it; or TC_NONE
    bool failed;
} making;

static tc_t last_of(tc_cx *cx, tc_t t) {
    tc_t twin = tc_map_get(&cx->last, TC_KEY(t));
    if (!twin) {
        twin = tc_of_sym(cx->ts, twin_symbol(cx, t->sym));
        tc_map_put(cx->arena, &cx->last, TC_KEY(t), (void *)(uintptr_t)twin);
    }
    return twin;
}

static void put_in(void *ctx, tc_t t) {
    making *m = ctx;
    tc_cx *cx = m->cx;
    m->failed |= t->op == TC_T_APP && t->fn->variance > TC_VAR_BLOCK;
    if (t->op != TC_T_SYM || t->variance <= TC_VAR_BLOCK || tc_map_has(m->thread, TC_KEY(t)))
        return;
    uint32_t loop;
    if (m->around != TC_NONE && t->sym->kind == TC_SYM_COUNTER && tc_symbol_loop(cx, t->sym, &loop) && loop != TC_NONE &&
        tc_loop_encloses(cx->model, loop, m->around))
        return;
    if (m->loop != TC_NONE && tc_symbol_loop(cx, t->sym, &loop) && loop == m->loop) {
        tc_map_put(cx->arena, m->thread, TC_KEY(t), (void *)(uintptr_t)last_of(cx, t));
        return;
    }
    for (size_t i = 0; i < cx->stored.len; i++)
        if (cx->stored.data[i].value && cx->stored.data[i].load->value == t) {
            tc_map_put(cx->arena, m->thread, TC_KEY(t), (void *)(uintptr_t)cx->stored.data[i].value);
            return;
        }
    const tc_event *from = source_of(cx, t->sym);
    tc_map same = {0};
    // SOUND: the thread that has the value is the one that is asked about.
    bool one = from && from->loop == TC_NONE && tc_one_thread(cx, &from, 1, &same);
    for (size_t i = 0; i < same.len && one; i++)
        one = tc_map_get(m->thread, same.keys[i]) == same.values[i];
    if (one)
        tc_map_put(cx->arena, m->thread, TC_KEY(t), (void *)(uintptr_t)twin_of(cx, from));
    else
        m->failed = true;
}

static tc_t value_of(tc_cx *cx, const tc_event *e, tc_t t, uint32_t loop, uint32_t around) {
    tc_map thread = {0};
    if (!tc_one_thread(cx, &e, 1, &thread))
        return NULL;
    making m = {.cx = cx, .thread = &thread, .loop = loop, .around = around};
    t = tc_settle(cx, t);
    tc_walk(cx->ts, t, put_in, &m);
    return m.failed ? NULL : tc_subst(cx->ts, t, &thread);
}

tc_t tc_block_value(tc_cx *cx, const tc_event *e, tc_t t) { return e->loop == TC_NONE ? value_of(cx, e, t, TC_NONE, TC_NONE) : NULL; }

// SOUND: one thread executes the loop, once, and so has one last value of each of its variables.
tc_t tc_last_value(tc_cx *cx, const tc_event *e, tc_t t) {
    if (e->loop == TC_NONE)
        return value_of(cx, e, t, TC_NONE, TC_NONE);
    const tc_loop *l = &cx->model->loops.data[e->loop];
    tc_event entry = {.guard = l->guard, .loop = TC_NONE, .point = l->first};
    return l->parent == TC_NONE ? value_of(cx, &entry, t, e->loop, TC_NONE) : NULL;
}

// SOUND: in one iteration of the loops around one thread executes the loop once. The twins are of that iteration.
tc_t tc_turn_value(tc_cx *cx, const tc_event *e, tc_t t) {
    const tc_loop *l = e->loop == TC_NONE ? NULL : &cx->model->loops.data[e->loop];
    if (!l || l->parent == TC_NONE)
        return NULL;
    tc_event entry = {.guard = l->guard, .loop = l->parent, .point = l->first};
    return value_of(cx, &entry, t, e->loop, l->parent);
}

void tc_hyps_twins(tc_cx *cx, tc_tvec *h) {
    for (size_t i = 0; i < cx->twins.len; i++) {
        const tc_twin *t = &cx->twins.data[i];
        tc_hyps_push(cx, h, tc_settle(cx, tc_implies(cx->ts, t->event->guard, tc_eq(cx->ts, t->event->value, t->twin))));
    }
}

// ---- votes ----

// Whether any has voted, as the barrier's value says it; NULL: the term may be another number than the machine's.
static tc_t any_voted(tc_cx *cx, tc_t value) {
    if (value->op != TC_T_SYM)
        return NULL;
    if (value->sort == TC_BOOL)
        return value;
    tc_i128 most = tc_pow2(32);
    bool whole = value->sort == TC_INT && value->sym->has_lo && value->sym->has_hi && value->sym->lo > -most && value->sym->hi < most;
    return whole ? tc_ne(cx->ts, value, tc_int(cx->ts, 0)) : NULL;
}

// SOUND: of the threads that come to the barrier one has voted, where its value is not 0; and that can only be the one thread. Whether
// it came, where it is 0, is of no matter.
void tc_find_votes(tc_cx *cx) {
    cx->votes.len = 0;
    for (size_t i = 0; i < cx->model->events.len; i++) {
        const tc_event *e = &cx->model->events.data[i];
        if (!tc_is_block_barrier(e) || e->loop != TC_NONE || !e->voted || !e->value)
            continue;
        tc_event vote = *e;
        vote.guard = tc_and(cx->ts, tc_settle(cx, e->guard), tc_settle(cx, e->voted));
        tc_t voted = tc_block_value(cx, &vote, e->voted);
        tc_t any = any_voted(cx, e->value);
        if (voted && any)
            tc_push(cx->arena, &cx->votes, ((tc_vote){e, tc_implies(cx->ts, tc_and(cx->ts, e->guard, any), voted)}));
    }
}

void tc_hyps_votes(tc_cx *cx, tc_tvec *h, uint32_t point) {
    for (size_t i = 0; i < cx->votes.len; i++)
        if (cx->votes.data[i].barrier->point < point)
            tc_hyps_push(cx, h, tc_settle(cx, cx->votes.data[i].fact));
}

static bool is_value_of(void *ctx, tc_t t) {
    const tc_event *e = ctx;
    return t->op == TC_T_SYM && (t->sym == e->value->sym || t->sym->origin == e->value->sym);
}

// Itself, in some instance: it says nothing where nothing else speaks of the value.
static bool is_vote(tc_cx *cx, const tc_vote *v, tc_t t) {
    tc_t fact = tc_settle(cx, v->fact);
    bool same = t == fact;
    for (uint32_t k = 1; k <= 2; k++)
        same |= t == tc_rename(cx->ts, fact, TC_VAR_BLOCK, k) || t == tc_rename(cx->ts, fact, TC_VAR_THREAD, k);
    return same;
}

static bool speaks_of_vote(tc_cx *cx, const tc_vote *v, const tc_obligation *ob) {
    void *e = (void *)(uintptr_t)v->barrier;
    bool any = ob->goal && tc_any(cx->ts, ob->goal, is_value_of, e);
    for (size_t i = 0; i < ob->hyps.len && !any; i++)
        any = !is_vote(cx, v, ob->hyps.data[i]) && tc_any(cx->ts, ob->hyps.data[i], is_value_of, e);
    return any;
}

// SOUND: on all threads coming to the barrier together: who votes elsewhere votes for something else.
void tc_lean_on_votes(tc_cx *cx, tc_obligation *ob) {
    bool any = false;
    for (size_t i = 0; i < cx->votes.len && !any; i++)
        any = speaks_of_vote(cx, &cx->votes.data[i], ob);
    for (size_t i = 0; any && i < cx->result->obligations.len; i++) {
        const tc_obligation *on = &cx->result->obligations.data[i];
        if (on->rule == TC_RULE_TC3002 && on->event && tc_is_block_barrier(on->event) && on != ob)
            tc_depend(cx, ob, (uint32_t)i);
    }
}
