// What is known at a program point: the contract's facts, the guard, invariants, and facts about stored values.
#include "checker/rules.h"

// ---- launch symbols of a fixed value ----

// sym == constant, from a == b; false when the equation says something else.
static bool fixed_by(tc_terms *ts, tc_t eq, tc_t *sym, tc_i128 *value) {
    if (eq->op != TC_T_EQ)
        return false;
    tc_t d = tc_sub(ts, eq->args[0], eq->args[1]);
    tc_t rest = tc_addc(ts, d, -tc_poly_constant(d));
    tc_i128 c = -tc_poly_constant(d);
    if (rest->op == TC_T_MUL && rest->nargs == 2 && tc_is_const(rest->args[0]) && rest->args[1]->op == TC_T_SYM) {
        tc_i128 k = rest->args[0]->value;
        if (k == 0 || c % k != 0)
            return false;
        *sym = rest->args[1];
        *value = c / k;
        return true;
    }
    *sym = rest;
    *value = c;
    return rest->op == TC_T_SYM;
}

static void fix(tc_cx *cx, tc_t sym, tc_i128 value) {
    if (!tc_map_has(&cx->settled, TC_KEY(sym)))
        tc_map_put(cx->arena, &cx->settled, TC_KEY(sym), (void *)(uintptr_t)tc_int(cx->ts, value));
}

// n % 16 == 0: n is 16 times a symbol of its own, so that offsets made of it are multiples in plain sight.
static void fix_multiple(tc_cx *cx, tc_t eq) {
    if (eq->op != TC_T_EQ)
        return;
    tc_t zero = eq->args[0], rem = eq->args[1];
    if (!tc_is_const(zero)) {
        zero = eq->args[1];
        rem = eq->args[0];
    }
    if (!tc_is_const(zero) || zero->value != 0 || (rem->op != TC_T_MOD && rem->op != TC_T_TREM))
        return;
    tc_t n = rem->args[0], by = rem->args[1];
    if (n->op != TC_T_SYM || n->variance != TC_VAR_LAUNCH || !tc_is_const(by) || by->value < 2 ||
        tc_map_has(&cx->settled, TC_KEY(n)))
        return;
    const tc_sym *s = n->sym;
    tc_sym *q = tc_sym_new(cx->ts, tc_fmt(cx->arena, "%s/%s", s->name, tc_i128_text(cx->arena, by->value)), s->kind,
                           TC_VAR_LAUNCH, TC_INT);
    q->has_lo = s->has_lo;
    q->has_hi = s->has_hi;
    q->lo = s->has_lo ? -tc_floor_div(-s->lo, by->value) : 0;
    q->hi = s->has_hi ? tc_floor_div(s->hi, by->value) : 0;
    tc_map_put(cx->arena, &cx->settled, TC_KEY(n), (void *)(uintptr_t)tc_mulc(cx->ts, tc_of_sym(cx->ts, q), by->value));
}

// gridDim.x == blocks: one symbol for both, so that their products are the same. The extent's is the one with the range.
static void fix_extent(tc_cx *cx, tc_t eq) {
    const tc_launch_syms *s = &cx->contract->syms;
    if (eq->op != TC_T_EQ)
        return;
    tc_t d = tc_sub(cx->ts, eq->args[0], eq->args[1]);
    for (int i = 0; i < 6; i++) {
        tc_t extent = i < 3 ? s->grid_dim[i] : s->block_dim[i - 3];
        for (int sign = 0; sign < 2 && extent->op == TC_T_SYM; sign++) {
            tc_t other = sign ? tc_add(cx->ts, extent, d) : tc_sub(cx->ts, extent, d);
            if (other->op == TC_T_SYM && other->sym->kind == TC_SYM_PARAM && !tc_map_has(&cx->settled, TC_KEY(other)) &&
                !tc_map_has(&cx->settled, TC_KEY(extent)))
                tc_map_put(cx->arena, &cx->settled, TC_KEY(other), (void *)(uintptr_t)extent);
        }
    }
}

static void fix_fact(tc_cx *cx, tc_t t) {
    fix_multiple(cx, t);
    fix_extent(cx, t);
    if (t->op == TC_T_AND)
        for (uint32_t i = 0; i < t->nargs; i++)
            fix_fact(cx, t->args[i]);
    tc_t sym;
    tc_i128 value;
    if (fixed_by(cx->ts, t, &sym, &value) && sym->variance == TC_VAR_LAUNCH)
        fix(cx, sym, value);
}

// An index into an extent of 1 is 0.
static void fix_indices(tc_cx *cx) {
    const tc_launch_syms *s = &cx->contract->syms;
    for (int d = 0; d < 3; d++) {
        tc_t grid = tc_settle(cx, s->grid_dim[d]), block = tc_settle(cx, s->block_dim[d]);
        if (tc_is_const(grid) && grid->value == 1 && s->block_idx[d]->op == TC_T_SYM)
            fix(cx, s->block_idx[d], 0);
        if (tc_is_const(block) && block->value == 1 && s->thread_idx[d]->op == TC_T_SYM)
            fix(cx, s->thread_idx[d], 0);
    }
}

static void settle_object(tc_cx *cx, tc_object_contract *o) {
    for (unsigned d = 0; d < o->ndims; d++) {
        o->shape[d] = tc_settle(cx, o->shape[d]);
        o->stride[d] = o->stride[d] ? tc_settle(cx, o->stride[d]) : NULL;
        o->tile[d] = o->tile[d] ? tc_settle(cx, o->tile[d]) : NULL;
        o->at[d] = o->at[d] ? tc_settle(cx, o->at[d]) : NULL;
    }
    o->owner = o->owner ? tc_settle(cx, o->owner) : NULL;
    o->rows_lo = o->rows_lo ? tc_settle(cx, o->rows_lo) : NULL;
    o->rows_hi = o->rows_hi ? tc_settle(cx, o->rows_hi) : NULL;
    o->align = o->align ? tc_settle(cx, o->align) : NULL;
    o->range_lo = o->range_lo ? tc_settle(cx, o->range_lo) : NULL;
    o->init = o->init ? tc_settle(cx, o->init) : NULL;
    o->range_hi = o->range_hi ? tc_settle(cx, o->range_hi) : NULL;
}

// Symbols for what terms do not show: 0, or true.
static void fix_lost(tc_cx *cx) {
    for (size_t i = 0; i < cx->model->lost.len; i++) {
        const tc_sym *s = cx->model->lost.data[i].sym;
        tc_t t = tc_of_sym(cx->ts, s), value = s->sort == TC_BOOL ? tc_bool(cx->ts, true) : tc_int(cx->ts, 0);
        tc_map_put(cx->arena, &cx->settled, TC_KEY(t), (void *)(uintptr_t)value);
    }
}

static void settle_contract(tc_cx *cx) {
    const tc_contract *c = cx->contract;
    cx->facts.len = 0;
    for (size_t i = 0; i < c->facts.len; i++)
        tc_hyps_push(cx, &cx->facts, tc_settle(cx, c->facts.data[i].term));
    for (size_t i = 0; i < c->objects.len; i++) {
        cx->objects[i] = c->objects.data[i];
        settle_object(cx, &cx->objects[i]);
    }
}

void tc_settle_launch(tc_cx *cx) {
    const tc_contract *c = cx->contract;
    fix_lost(cx);
    for (size_t i = 0; i < c->facts.len; i++)
        fix_fact(cx, c->facts.data[i].term);
    // What became constant may fix more: gridDim.x == n / 256 with a fixed n.
    for (size_t i = 0; i < c->facts.len; i++)
        fix_fact(cx, tc_settle(cx, c->facts.data[i].term));
    fix_indices(cx);
    for (size_t i = 0; i < cx->settled.len; i++) // an extent that a parameter stands for may be constant
        cx->settled.values[i] = (void *)(uintptr_t)tc_settle(cx, cx->settled.values[i]);
    for (size_t i = 0; i < cx->settled.len; i++)
        tc_map_put(cx->arena, &cx->fixed, cx->settled.keys[i], cx->settled.values[i]);
    cx->objects = TC_NEW_ARRAY(cx->arena, tc_object_contract, c->objects.len ? c->objects.len : 1);
    settle_contract(cx);
    tc_tvec fits = tc_settle_wraps(cx);
    if (fits.len > 0)
        settle_contract(cx);
    for (size_t i = 0; i < fits.len; i++) // it may have been the nodes that said so
        if (fits.data[i]->variance == TC_VAR_LAUNCH)
            tc_hyps_push(cx, &cx->facts, fits.data[i]);
}

tc_t tc_settle(tc_cx *cx, tc_t t) {
    return tc_subst(cx->ts, t, &cx->settled);
}

// ---- hypotheses ----

void tc_hyps_push(tc_cx *cx, tc_tvec *h, tc_t t) {
    if (t->op == TC_T_AND) {
        for (uint32_t i = 0; i < t->nargs; i++)
            tc_hyps_push(cx, h, t->args[i]);
        return;
    }
    if (tc_is_true(t))
        return;
    for (size_t i = 0; i < h->len; i++)
        if (h->data[i] == t)
            return;
    tc_push(cx->arena, h, t);
}

bool tc_loop_encloses(const tc_kmodel *m, uint32_t outer, uint32_t inner) {
    while (inner != TC_NONE && inner != outer)
        inner = m->loops.data[inner].parent;
    return inner == outer;
}

uint32_t tc_loop_outermost(const tc_kmodel *m, uint32_t loop) {
    while (loop != TC_NONE && m->loops.data[loop].parent != TC_NONE)
        loop = m->loops.data[loop].parent;
    return loop;
}

tc_t tc_loop_counter(const tc_cx *cx, uint32_t loop) {
    const tc_sym *k = cx->model->loops.data[loop].counter;
    return k ? tc_of_sym(cx->ts, k) : NULL;
}

tc_t tc_linear_thread(tc_cx *cx) {
    const tc_launch_syms *s = &cx->contract->syms;
    tc_t l = tc_int(cx->ts, 0);
    for (int d = 3; d-- > 0;)
        l = tc_add(cx->ts, tc_mul(cx->ts, l, tc_settle(cx, s->block_dim[d])), tc_settle(cx, s->thread_idx[d]));
    return l;
}

tc_t tc_block_threads(tc_cx *cx) {
    tc_t n = tc_int(cx->ts, 1);
    for (int d = 0; d < 3; d++)
        n = tc_mul(cx->ts, n, tc_settle(cx, cx->contract->syms.block_dim[d]));
    return n;
}

typedef struct node_query {
    tc_t node;
    bool found;
} node_query;

static void is_node(void *ctx, tc_t t) {
    node_query *q = ctx;
    q->found |= t == q->node;
}

uint32_t tc_wraps_decided(tc_cx *cx, uint32_t loop, tc_t term) {
    const tc_kmodel *m = cx->model;
    uint32_t last = 0;
    for (size_t i = 0; i < m->checks.len; i++) {
        const tc_check *c = &m->checks.data[i];
        if (c->kind != TC_CK_WRAP || !c->term || c->point < last || c->loop == TC_NONE || !tc_loop_encloses(m, loop, c->loop))
            continue;
        node_query q = {c->term, false};
        tc_walk(cx->ts, term, is_node, &q);
        if (q.found)
            last = c->point + 1;
    }
    return last;
}

// SOUND: a loop's symbols mean something only where its header was reached. Inside it the guard says so; after it, the
// invariants stand under the loop's entry condition, and only where the loop around it is still in the same iteration.
static void push_invariants(tc_cx *cx, tc_tvec *h, uint32_t loop, uint32_t point) {
    const tc_kmodel *m = cx->model;
    for (uint32_t l = 0; l < m->loops.len; l++) {
        const tc_loop *lp = &m->loops.data[l];
        bool inside = loop != TC_NONE && tc_loop_encloses(m, l, loop);
        bool before =
            lp->last < point && (lp->parent == TC_NONE || (loop != TC_NONE && tc_loop_encloses(m, lp->parent, loop)));
        if (!inside && !before)
            continue;
        for (size_t i = 0; i < lp->invariants.len; i++) {
            if (!lp->invariants.data[i].holds)
                continue;
            // SOUND: an invariant in which an operation of the iteration stands says nothing of it before that operation is shown not
            // to wrap, for the settled term takes it for the mathematical one; nor behind the loop: at the last header it is not executed.
            uint32_t decided = tc_wraps_decided(cx, l, lp->invariants.data[i].term);
            if (inside ? point < decided : decided != 0)
                continue;
            tc_t t = tc_settle(cx, lp->invariants.data[i].term);
            tc_hyps_push(cx, h, inside ? t : tc_implies(cx->ts, tc_settle(cx, lp->guard), t));
        }
    }
}

void tc_hyps_at(tc_cx *cx, tc_tvec *h, tc_t guard, uint32_t loop, uint32_t point) {
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, h, cx->facts.data[i]);
    tc_hyps_push(cx, h, tc_settle(cx, guard));
    push_invariants(cx, h, loop, point);
    tc_hyps_tickets(cx, h);
    tc_hyps_twins(cx, h);
    tc_hyps_votes(cx, h, point);
    tc_hyps_stored(cx, h, loop, point);
}

void tc_hyps_site(tc_cx *cx, tc_tvec *h, const tc_site *s) {
    tc_hyps_at(cx, h, s->event->guard, s->event->loop, s->event->point);
    tc_hyps_push(cx, h, s->guard);
}

static void push_renamed(tc_cx *cx, tc_tvec *h, const tc_tvec *from, uint32_t copy) {
    for (size_t i = 0; i < from->len; i++)
        tc_hyps_push(cx, h, tc_rename(cx->ts, from->data[i], TC_VAR_BLOCK, copy));
}

static tc_t blocks_differ(tc_cx *cx) {
    tc_t any = tc_bool(cx->ts, false);
    for (int d = 0; d < 3; d++) {
        tc_t i = tc_settle(cx, cx->contract->syms.block_idx[d]);
        any = tc_or(cx->ts, any,
                    tc_ne(cx->ts, tc_rename(cx->ts, i, TC_VAR_BLOCK, 1), tc_rename(cx->ts, i, TC_VAR_BLOCK, 2)));
    }
    return any;
}

void tc_hyps_two_sites(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b) {
    tc_tvec one = {0}, two = {0};
    tc_hyps_site(cx, &one, a);
    tc_hyps_site(cx, &two, b);
    push_renamed(cx, h, &one, 1);
    push_renamed(cx, h, &two, 2);
    tc_hyps_push(cx, h, blocks_differ(cx));
    tc_view v = tc_view_blocks(cx);
    tc_hyps_two_tickets(cx, h, a, b, &v);
}

void tc_hyps_two_blocks(tc_cx *cx, tc_tvec *h) {
    push_renamed(cx, h, &cx->facts, 1);
    push_renamed(cx, h, &cx->facts, 2);
    tc_hyps_push(cx, h, blocks_differ(cx));
}

// ---- facts about stored values ----

typedef struct applications {
    tc_arena *arena;
    tc_map seen;
    tc_tvec terms; // arguments before what is built of them
} applications;

static void collect_app(void *ctx, tc_t t) {
    applications *a = ctx;
    if (t->op != TC_T_APP || tc_map_has(&a->seen, TC_KEY(t)))
        return;
    tc_map_put(a->arena, &a->seen, TC_KEY(t), (void *)(uintptr_t)t);
    tc_push(a->arena, &a->terms, t);
}

static const tc_object *object_of_contents(const tc_cx *cx, const tc_fn *f) {
    for (size_t i = 0; i < cx->model->objects.len; i++) {
        const tc_object *o = &cx->model->objects.data[i];
        if (o->contents == f)
            return o;
    }
    return NULL;
}

static bool dense(tc_cx *cx, const tc_object_contract *o) {
    tc_t s = tc_int(cx->ts, 1);
    for (unsigned d = o->ndims; d-- > 0;) {
        if (o->stride[d] != s)
            return false;
        s = tc_mul(cx->ts, s, o->shape[d]);
    }
    return o->ndims > 0;
}

tc_t tc_flat_exists(tc_cx *cx, const tc_object_contract *o, tc_t i) {
    if (!dense(cx, o))
        return NULL;
    tc_t n = tc_int(cx->ts, 1);
    for (unsigned d = 0; d < o->ndims; d++)
        n = tc_mul(cx->ts, n, o->shape[d]);
    tc_t within = tc_and(cx->ts, tc_le(cx->ts, tc_int(cx->ts, 0), i), tc_lt(cx->ts, i, n));
    return tc_and(cx->ts, tc_settle(cx, o->nonnull), within);
}

// `fact` where all of `when` is; without the condition when h shows it.
static void push_when(tc_cx *cx, tc_tvec *h, tc_t when, tc_t fact) {
    if (!tc_try(cx, h, when).proved)
        fact = tc_implies(cx->ts, when, fact);
    tc_hyps_push(cx, h, fact);
}

static const tc_object_contract *contents_contract(tc_cx *cx, tc_t app) {
    const tc_object *o = object_of_contents(cx, app->fn);
    return o && o->contract >= 0 && app->nargs == 1 ? &cx->objects[o->contract] : NULL;
}

static void push_range(tc_cx *cx, tc_tvec *h, tc_t app) {
    const tc_object_contract *o = contents_contract(cx, app);
    if (!o || !o->has_range)
        return;
    tc_t exists = tc_flat_exists(cx, o, app->args[0]);
    if (exists)
        push_when(cx, h, exists, tc_and(cx->ts, tc_le(cx->ts, o->range_lo, app), tc_lt(cx->ts, app, o->range_hi)));
}

static void push_pair(tc_cx *cx, tc_tvec *h, tc_t a, tc_t b) {
    const tc_object_contract *o = contents_contract(cx, a);
    if (!o || a->fn != b->fn || !(o->injective || o->monotone))
        return;
    tc_t i = a->args[0], j = b->args[0];
    tc_t ei = tc_flat_exists(cx, o, i), ej = tc_flat_exists(cx, o, j);
    if (!ei || !ej)
        return;
    tc_terms *ts = cx->ts;
    tc_t when = tc_and(ts, ei, ej);
    if (o->injective)
        push_when(cx, h, when, tc_or(ts, tc_eq(ts, i, j), tc_ne(ts, a, b)));
    if (o->monotone)
        push_when(cx, h, when,
                  tc_and(ts, tc_or(ts, tc_lt(ts, j, i), tc_le(ts, a, b)), tc_or(ts, tc_lt(ts, i, j), tc_le(ts, b, a))));
}

// ---- tc_forall: instances by matching the subscripts of stored values ----

typedef struct matching {
    tc_cx *cx;
    const tc_forall_fact *fact;
    tc_t value[4];
} matching;

static int bound_number(const tc_forall_fact *f, tc_t t) {
    for (unsigned b = 0; b < f->nbound; b++)
        if (t->op == TC_T_SYM && t->sym == f->bound[b])
            return (int)b;
    return -1;
}

// Splits a flat index by the shape's strides into subscripts, without proof: a guess at which instance to take.
static void guess_subscripts(tc_cx *cx, const tc_object_contract *o, tc_t flat, tc_t *out) {
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t rest;
        if (d + 1 == o->ndims) {
            out[d] = flat;
            return;
        }
        tc_poly_divide(cx->ts, flat, o->stride[d], &out[d], &rest);
        flat = rest;
    }
}

static bool match_app(matching *m, tc_t pattern, tc_t ground) {
    const tc_object_contract *o = contents_contract(m->cx, pattern);
    if (!o || pattern->fn != ground->fn)
        return false;
    tc_t p[TC_MAX_DIMS], g[TC_MAX_DIMS];
    guess_subscripts(m->cx, o, pattern->args[0], p);
    guess_subscripts(m->cx, o, ground->args[0], g);
    for (unsigned d = 0; d < o->ndims; d++) {
        int b = bound_number(m->fact, p[d]);
        if (b >= 0 && !m->value[b])
            m->value[b] = g[d];
        else if (b >= 0 ? m->value[b] != g[d] : p[d] != g[d])
            return false;
    }
    return true;
}

// The stored value that `pattern` speaks of exists, subscript by subscript.
static tc_t pattern_exists(tc_cx *cx, tc_t pattern, const tc_map *map) {
    const tc_object_contract *o = contents_contract(cx, pattern);
    if (!o || o->ndims == 0)
        return NULL;
    // SOUND: nothing is stored behind a null pointer, and nothing is said of it.
    tc_t sub[TC_MAX_DIMS], all = tc_settle(cx, o->nonnull);
    guess_subscripts(cx, o, pattern->args[0], sub);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t i = tc_subst(cx->ts, sub[d], map);
        all = tc_and(cx->ts, all, tc_and(cx->ts, tc_le(cx->ts, tc_int(cx->ts, 0), i), tc_lt(cx->ts, i, o->shape[d])));
    }
    return all;
}

// SOUND: any instance of a fact that holds for all values is true where every stored value that it speaks of exists.
static void push_instance(tc_cx *cx, tc_tvec *h, const matching *m, const tc_tvec *patterns) {
    tc_map map = {0};
    for (unsigned b = 0; b < m->fact->nbound; b++) {
        if (!m->value[b])
            return;
        tc_map_put(cx->arena, &map, TC_KEY(tc_of_sym(cx->ts, m->fact->bound[b])), (void *)(uintptr_t)m->value[b]);
    }
    tc_t when = tc_bool(cx->ts, true);
    for (size_t i = 0; i < patterns->len; i++) {
        tc_t exists = pattern_exists(cx, patterns->data[i], &map);
        if (!exists)
            return;
        when = tc_and(cx->ts, when, exists);
    }
    push_when(cx, h, when, tc_subst(cx->ts, tc_settle(cx, m->fact->term), &map));
}

// Takes for the other stored values of the fact whatever fits what is bound already.
static void match_others(matching *m, const tc_tvec *patterns, const tc_tvec *ground) {
    for (size_t q = 0; q < patterns->len; q++)
        for (size_t k = 0; k < ground->len; k++) {
            matching trial = *m;
            if (match_app(&trial, patterns->data[q], ground->data[k])) {
                *m = trial;
                break;
            }
        }
}

static void push_forall(tc_cx *cx, tc_tvec *h, const tc_forall_fact *fact, const tc_tvec *ground) {
    applications patterns = {.arena = cx->arena};
    tc_walk(cx->ts, tc_settle(cx, fact->term), collect_app, &patterns);
    for (size_t p = 0; p < patterns.terms.len; p++)
        for (size_t g = 0; g < ground->len; g++) {
            matching m = {.cx = cx, .fact = fact};
            if (!match_app(&m, patterns.terms.data[p], ground->data[g]))
                continue;
            match_others(&m, &patterns.terms, ground);
            push_instance(cx, h, &m, &patterns.terms);
        }
}

static void sort_by_id(tc_tvec *v) {
    for (size_t i = 1; i < v->len; i++)
        for (size_t k = i; k > 0 && v->data[k]->id < v->data[k - 1]->id; k--) {
            tc_t t = v->data[k];
            v->data[k] = v->data[k - 1];
            v->data[k - 1] = t;
        }
}

static void push_known(tc_cx *cx, tc_tvec *h, tc_tvec *apps) {
    // An argument is older than what is built of it, so its facts are there when the outer index is asked about.
    sort_by_id(apps);
    for (size_t i = 0; i < apps->len; i++)
        push_range(cx, h, apps->data[i]);
    for (size_t i = 0; i < apps->len; i++)
        for (size_t k = i + 1; k < apps->len; k++)
            push_pair(cx, h, apps->data[i], apps->data[k]);
    for (size_t f = 0; f < cx->contract->foralls.len; f++)
        push_forall(cx, h, &cx->contract->foralls.data[f], apps);
}

void tc_hyps_contents(tc_cx *cx, tc_tvec *h, tc_t goal) {
    applications apps = {.arena = cx->arena};
    for (size_t i = 0; i < h->len; i++)
        tc_walk(cx->ts, h->data[i], collect_app, &apps);
    tc_walk(cx->ts, goal, collect_app, &apps);
    push_known(cx, h, &apps.terms);
}

// Its instances with each of its names at each of the first n places, equal ones too; of many names, at fewer.
static void push_instances(tc_cx *cx, tc_tvec *h, const tc_forall_fact *fact, size_t n) {
    applications patterns = {.arena = cx->arena};
    tc_walk(cx->ts, tc_settle(cx, fact->term), collect_app, &patterns);
    size_t total = 1;
    if (fact->nbound > 2 && n > 2)
        n = 2;
    for (unsigned b = 0; b < fact->nbound; b++)
        total *= n;
    for (size_t k = 0; k < total; k++) {
        matching m = {.cx = cx, .fact = fact};
        size_t rest = k;
        for (unsigned b = 0; b < fact->nbound; b++, rest /= n)
            m.value[b] = tc_int(cx->ts, (tc_i128)(rest % n));
        push_instance(cx, h, &m, &patterns.terms);
    }
}

void tc_hyps_first_contents(tc_cx *cx, tc_tvec *h, size_t n) {
    for (size_t f = 0; f < cx->contract->foralls.len; f++)
        push_instances(cx, h, &cx->contract->foralls.data[f], n);
    applications apps = {.arena = cx->arena};
    for (size_t i = 0; i < h->len; i++)
        tc_walk(cx->ts, h->data[i], collect_app, &apps);
    for (size_t i = 0; i < cx->model->objects.len; i++)
        for (size_t k = 0; cx->model->objects.data[i].contents && cx->model->objects.data[i].contract >= 0 && k < n; k++) {
            tc_t at = tc_int(cx->ts, (tc_i128)k);
            collect_app(&apps, tc_app(cx->ts, cx->model->objects.data[i].contents, &at));
        }
    push_known(cx, h, &apps.terms);
}

void tc_note_uses(tc_cx *cx, tc_obligation *ob, tc_t t) {
    applications apps = {.arena = cx->arena};
    tc_walk(cx->ts, t, collect_app, &apps);
    for (size_t i = 0; i < apps.terms.len; i++) {
        const tc_object *o = object_of_contents(cx, apps.terms.data[i]->fn);
        if (!o)
            continue;
        uint32_t index = (uint32_t)(o - cx->model->objects.data);
        bool known = false;
        for (size_t k = 0; k < ob->uses.len; k++)
            known |= ob->uses.data[k] == index;
        if (!known)
            tc_push(cx->arena, &ob->uses, index);
    }
}
