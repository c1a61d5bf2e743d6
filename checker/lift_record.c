// What goes into the model: events, checks, holes, assumptions, branches, with guards that say what they need.
#include "checker/host.h"
#include "checker/lift.h"

enum { MAX_EVENTS = 1 << 15, MAX_CHECKS = 1 << 15 };

bool tc_lift_recording(const tc_lift *L) { return L->dry == 0; }

static uint32_t current_loop(const tc_lift *L) {
    for (const tc_loop_ctx *c = L->loop; c != NULL; c = c->outer)
        if (!c->unrolled)
            return c->record;
    return TC_NONE;
}

// ---- guards ----

typedef struct tc_closure {
    tc_lift *L;
    tc_t guard;
    tc_tvec facts;
    tc_map seen;
} tc_closure;

static bool is_running(const tc_lift *L, const tc_sym *counter) {
    for (const tc_loop_ctx *c = L->loop; c != NULL; c = c->outer)
        if (c->counter == counter)
            return true;
    return false;
}

static void collect_left(void *ctx, tc_t t) {
    tc_closure *c = ctx;
    const tc_left *left = t->op == TC_T_SYM ? tc_map_get(&c->L->left, TC_KEY(t->sym)) : NULL;
    if (left == NULL || tc_map_has(&c->seen, TC_KEY(left->counter)))
        return;
    tc_map_put(c->L->arena, &c->seen, TC_KEY(left->counter), c);
    if (is_running(c->L, left->counter) || tc_is_true(left->fact))
        return;
    // SOUND: where the loop was not reached, its counter has no last value, and nothing is known of it.
    bool reached = tc_lift_implied(c->L, c->guard, left->guard);
    tc_push(c->L->arena, &c->facts, reached ? left->fact : tc_implies(c->L->ts, left->guard, left->fact));
}

tc_t tc_record_guard(tc_lift *L, tc_t guard, const tc_t *terms, size_t n) {
    if (L->left.len == 0)
        return guard;
    tc_closure c = {L, guard, {0}, {0}};
    tc_walk(L->ts, guard, collect_left, &c);
    for (size_t i = 0; i < n; i++)
        if (terms[i] != NULL)
            tc_walk(L->ts, terms[i], collect_left, &c);
    for (size_t i = 0; i < c.facts.len; i++) {
        tc_t fact = c.facts.data[i];
        guard = tc_and(L->ts, guard, fact);
        tc_walk(L->ts, fact, collect_left, &c);
    }
    return guard;
}

// SOUND: by induction over the iterations: where the header's value of an affine variable is read at iteration k >= 1,
// it was read (and checked) at k - 1. After the loop the last value is read, or one of an iteration that went on, with a check
// of the same node: where that fails, the node stays, and nothing leans on this one.
static tc_t with_iteration_before(tc_lift *L, tc_t guard, tc_t node) {
    for (const tc_loop_ctx *c = L->loop; c != NULL; c = c->outer)
        for (size_t i = 0; i < c->readings.len; i++)
            if (c->readings.data[i].node == node)
                guard = tc_and(L->ts, guard, c->readings.data[i].before);
    const tc_left *left = tc_map_get(&L->readings, TC_KEY(node));
    if (left != NULL && !is_running(L, left->counter))
        guard = tc_and(L->ts, guard, tc_implies(L->ts, left->guard, left->fact));
    return guard;
}

// ---- events ----

tc_event tc_event_make(tc_lift *L, const tc_flow *f, tc_event_kind kind, const char *what) {
    tc_event e = {.kind = kind, .object = TC_NONE, .guard = f->guard, .what = what, .loop = TC_NONE,
                  .order = TC_ORD_PLAIN, .scope = TC_SCOPE_THREAD, .inst = L->inst, .align = 1, .from = TC_NONE};
    e.offset = e.width = tc_int(L->ts, 0);
    return e;
}

void tc_record_event(tc_lift *L, tc_event e) {
    if (L->dry > 0 || tc_is_false(e.guard))
        return;
    if (L->m->events.len >= MAX_EVENTS) {
        L->stopped = true;
        return;
    }
    tc_t terms[] = {e.offset, e.width, e.operand[0], e.operand[1], e.from_offset};
    e.guard = tc_record_guard(L, e.guard, terms, 5);
    e.loop = current_loop(L);
    e.point = L->point++;
    e.loc = tc_lift_loc(L, L->inst, &e.inlined);
    tc_flow at = {.guard = e.guard};
    if (e.object == TC_NONE && (e.kind != TC_EV_WARP || e.order != TC_ORD_PLAIN)) // shuffles and votes give values
        tc_promise_effect(L, &at);
    L->synced |= e.kind != TC_EV_READ && e.kind != TC_EV_WRITE && e.kind != TC_EV_ASYNC_READ && e.kind != TC_EV_ASYNC_WRITE;
    tc_push(L->arena, &L->m->events, e);
}

void tc_record_abort(tc_lift *L, tc_t guard) {
    if (L->dry == 0 && !tc_is_false(guard))
        tc_push(L->arena, &L->m->aborts, ((tc_abort){tc_record_guard(L, guard, NULL, 0), current_loop(L), L->point}));
}

// ---- checks ----

typedef struct tc_seen_check {
    tc_t guard, cond;
    tc_check_kind kind;
    struct tc_seen_check *next;
} tc_seen_check;

// The same operation was checked before, where less was known.
static bool is_repeated(tc_lift *L, const tc_check *c) {
    tc_seen_check *first = tc_map_get(&L->checked, TC_KEY(c->term));
    // What the header says of the iteration before is true in the whole iteration.
    tc_t known = c->guard;
    for (const tc_loop_ctx *o = L->loop; first != NULL && o != NULL; o = o->outer)
        if (!o->unrolled && o->header_fact != NULL)
            known = tc_and(L->ts, known, o->header_fact);
    for (tc_seen_check *s = first; s != NULL; s = s->next)
        if (s->kind == c->kind && s->cond == c->cond &&
            tc_lift_implied(L, known, s->guard))
            return true;
    tc_seen_check *s = TC_NEW(L->arena, tc_seen_check);
    *s = (tc_seen_check){c->guard, c->cond, c->kind, first};
    tc_map_put(L->arena, &L->checked, TC_KEY(c->term), s);
    return false;
}

tc_check *tc_record_check(tc_lift *L, const tc_flow *f, tc_check_kind kind, tc_t cond, tc_t term,
                          const char *what, LLVMValueRef made) {
    if (L->dry > 0 || tc_is_false(f->guard) || tc_is_true(cond))
        return NULL;
    bool arithmetic = kind == TC_CK_WRAP || kind == TC_CK_DIV || kind == TC_CK_SHIFT;
    if (L->pure && L->pure_why == NULL && !arithmetic)
        L->pure_why = what;
    if (L->m->checks.len >= MAX_CHECKS) {
        L->stopped = true;
        return NULL;
    }
    tc_t terms[] = {cond, term};
    tc_check c = {.kind = kind, .cond = cond, .term = term, .what = what, .inst = made};
    c.guard = tc_record_guard(L, with_iteration_before(L, f->guard, term), terms, 2);
    if (is_repeated(L, &c))
        return NULL;
    c.loop = current_loop(L);
    c.point = L->point++;
    c.loc = tc_lift_loc(L, made, NULL);
    if (c.loc.line == 0)
        c.loc = tc_lift_loc(L, L->inst, NULL);
    tc_push(L->arena, &L->m->checks, c);
    return &tc_last(&L->m->checks);
}

// ---- holes ----

typedef struct tc_touched {
    TC_VEC(uint32_t) objects;
    bool all;
} tc_touched;

static void touch_value(tc_lift *L, tc_flow *f, const tc_val *v, tc_touched *t) {
    for (size_t i = 0; i < v->nelems; i++)
        touch_value(L, f, v->elems[i], t);
    for (size_t i = 0; i < v->nalts; i++) {
        const tc_place *p = &L->places.data[v->alts[i].place];
        if (p->kind == TC_PL_OBJECT)
            tc_push(L->arena, &t->objects, p->object);
        else if (p->kind == TC_PL_LOCAL) {
            tc_bool_store_local(L, p->local, tc_int(L->ts, 0), tc_int(L->ts, (tc_i128)p->local->size), NULL, NULL);
            tc_local_forget(L, f, p->local);
        }
        else if (p->kind == TC_PL_UNKNOWN)
            t->all = true;
    }
}

static void write_somehow(tc_lift *L, uint32_t object) {
    tc_object_write(L, object);
    tc_object_fill(L, object);
}

void tc_record_hole(tc_lift *L, tc_flow *f, unsigned effect, const char *what, const tc_val *const *touched, size_t n) {
    tc_touched t = {{0}, false};
    for (size_t i = 0; i < n; i++)
        touch_value(L, f, touched[i], &t);
    if (L->pure && L->pure_why == NULL)
        L->pure_why = what;
    if (L->dry > 0 || tc_is_false(f->guard))
        return;
    if (L->host != NULL && (effect & TC_HOLE_CONTROL) != 0)
        L->host->lost = tc_strdup(L->host->kept, what);
    if ((effect & TC_HOLE_MEMORY) != 0) {
        if (t.all || n == 0 || t.objects.len == 0) {
            t.objects.len = 0;
            for (uint32_t i = 0; i < L->m->objects.len; i++)
                write_somehow(L, i);
        }
        for (size_t i = 0; i < t.objects.len; i++)
            write_somehow(L, t.objects.data[i]);
    }
    L->synced = true;
    tc_hole h = {.effect = effect, .guard = tc_record_guard(L, f->guard, NULL, 0), .objects = t.objects.data,
                 .nobjects = t.objects.len, .what = what, .loop = current_loop(L), .point = L->point++};
    h.loc = L->inst ? tc_lift_loc(L, L->inst, NULL) : L->contract->kernel->loc;
    tc_push(L->arena, &L->m->holes, h);
}

// ---- assumptions and branches ----

void tc_record_assumption(tc_lift *L, tc_flow *f, tc_t cond, const char *text, const char *why) {
    if (L->dry > 0 || tc_is_false(f->guard) || tc_is_true(cond))
        return;
    if (L->pure && L->pure_why == NULL)
        L->pure_why = text;
    tc_assumption s = {.text = text, .why = why, .guard = tc_record_guard(L, f->guard, &cond, 1), .cond = cond};
    s.loc = tc_lift_loc(L, L->inst, NULL);
    for (size_t i = 0; i < L->m->assumptions.len; i++)
        if (L->m->assumptions.data[i].guard == s.guard && L->m->assumptions.data[i].cond == cond)
            return;
    tc_push(L->arena, &L->m->assumptions, s);
}

void tc_record_branch(tc_lift *L, const tc_flow *f, tc_t cond) {
    if (L->dry > 0 || tc_is_const(cond) || tc_is_false(f->guard))
        return;
    tc_event e = tc_event_make(L, f, TC_EV_READ, "branch");
    e.guard = tc_record_guard(L, f->guard, &cond, 1);
    e.loop = current_loop(L);
    e.point = L->point++;
    e.loc = tc_lift_loc(L, L->inst, NULL);
    e.value = cond;
    tc_push(L->arena, &L->m->branches, e);
}
