// Terms of a contract as a launch has them, what is shown of them, and values that break them.
#include "checker/launches.h"

static const char *const axes = "xyz";

tc_t tc_site_term(tc_site_cx *x, tc_t t) {
    tc_t given = tc_subst(x->cx->ts, t, &x->given);
    return tc_subst(x->cx->ts, tc_settle(x->cx, given), &x->exact);
}

static void give(tc_site_cx *x, tc_t sym, tc_t value) {
    if (sym != NULL && sym->op == TC_T_SYM && value != NULL)
        tc_map_put(x->cx->arena, &x->given, TC_KEY(sym), (void *)(uintptr_t)value);
}

void tc_site_give(tc_site_cx *x) {
    const tc_contract *c = x->contract;
    const tc_launch_site *s = x->site;
    for (size_t i = 0; i < c->scalars.len; i++) {
        tc_t t = c->scalars.data[i].term, v = s->scalars[i];
        if (t->sort == TC_BOOL)
            v = tc_ne(x->cx->ts, v, tc_int(x->cx->ts, 0));
        give(x, t, v);
    }
    for (size_t i = 0; i < c->objects.len; i++)
        if (c->objects.data[i].param >= 0)
            give(x, c->objects.data[i].nonnull, s->pointers[i].nonnull);
    for (unsigned d = 0; d < 3; d++) {
        give(x, c->syms.grid_dim[d], s->grid[d]);
        give(x, c->syms.block_dim[d], s->block[d]);
    }
    give(x, c->syms.smem, s->smem);
}

// ---- reductions that change nothing ----

typedef struct nodes {
    tc_site_cx *x;
    tc_tvec list;
} nodes;

static bool is_reduction(tc_t t) {
    return t->op == TC_T_WRAP || (t->op == TC_T_MOD && tc_is_const(t->args[1]) && t->args[1]->value == tc_pow2(32));
}

static void collect(void *ctx, tc_t t) {
    nodes *n = ctx;
    if (!is_reduction(t) || tc_map_has(&n->x->exact, TC_KEY(t)))
        return;
    for (size_t i = 0; i < n->list.len; i++)
        if (n->list.data[i] == t)
            return;
    tc_push(n->x->cx->arena, &n->list, t);
}

static tc_t in_its_range(tc_terms *ts, tc_t node) {
    if (node->op == TC_T_MOD)
        return tc_in_range(ts, node->args[0], 0, tc_pow2(32) - 1);
    unsigned w = tc_wrap_width(node);
    return tc_wrap_signed(node) ? tc_in_range(ts, node->args[0], -tc_pow2(w - 1), tc_pow2(w - 1) - 1)
                                : tc_in_range(ts, node->args[0], 0, tc_pow2(w) - 1);
}

static void apply(tc_site_cx *x) {
    tc_tvec old = x->hyps;
    x->hyps = (tc_tvec){0};
    for (size_t i = 0; i < old.len; i++)
        tc_hyps_push(x->cx, &x->hyps, tc_subst(x->cx->ts, old.data[i], &x->exact));
    for (size_t i = 0; i < x->facts.len; i++)
        x->facts.data[i].term = tc_subst(x->cx->ts, x->facts.data[i].term, &x->exact);
}

// SOUND: at this one point of one execution. A node is what its argument is where that is shown, from what is known here, to lie in the
// type's range.
void tc_site_settle(tc_site_cx *x, tc_tvec more) {
    nodes n = {x, {0}};
    for (size_t i = 0; i < x->hyps.len; i++)
        tc_walk(x->cx->ts, x->hyps.data[i], collect, &n);
    for (size_t i = 0; i < x->facts.len; i++)
        tc_walk(x->cx->ts, x->facts.data[i].term, collect, &n);
    for (size_t i = 0; i < more.len; i++)
        tc_walk(x->cx->ts, more.data[i], collect, &n);
    for (size_t i = 1; i < n.list.len; i++) // arguments first
        for (size_t k = i; k > 0 && n.list.data[k]->id < n.list.data[k - 1]->id; k--) {
            tc_t t = n.list.data[k];
            n.list.data[k] = n.list.data[k - 1];
            n.list.data[k - 1] = t;
        }
    bool any = false;
    for (size_t i = 0; i < n.list.len; i++) {
        tc_t node = tc_subst(x->cx->ts, n.list.data[i], &x->exact), value = node;
        if (is_reduction(node) && tc_map_has(&x->exact, TC_KEY(node)))
            continue;
        if (node->op == TC_T_WRAP) // of the terms in it, multiples of 2^w do not count
            value = tc_wrap(x->cx->ts, node->args[0], tc_wrap_width(node), tc_wrap_signed(node));
        if (is_reduction(value) && tc_site_shows(x, &x->hyps, in_its_range(x->cx->ts, value)))
            value = value->args[0];
        if (value == n.list.data[i])
            continue;
        tc_map_put(x->cx->arena, &x->exact, TC_KEY(n.list.data[i]), (void *)(uintptr_t)value);
        if (node != n.list.data[i] && node != value)
            tc_map_put(x->cx->arena, &x->exact, TC_KEY(node), (void *)(uintptr_t)value);
        any = true;
    }
    if (any)
        apply(x);
}

// ---- questions ----

bool tc_site_shows(tc_site_cx *x, const tc_tvec *h, tc_t goal) {
    return tc_is_true(goal) || tc_try_all(x->cx, h, goal);
}

typedef struct seen {
    tc_site_cx *x;
    tc_site_syms params;
    const char *unknown;
} seen;

static void see(void *ctx, tc_t t) {
    seen *s = ctx;
    if (t->op == TC_T_APP && s->unknown == NULL)
        s->unknown = t->fn->name;
    if (t->op != TC_T_SYM)
        return;
    if (t->sym->kind != TC_SYM_PARAM) {
        s->unknown = s->unknown != NULL ? s->unknown : t->sym->name;
        return;
    }
    for (size_t i = 0; i < s->params.len; i++)
        if (s->params.data[i] == t->sym)
            return;
    tc_push(s->x->cx->arena, &s->params, t->sym);
}

tc_site_syms tc_site_params(tc_site_cx *x, tc_t t) {
    seen s = {.x = x};
    tc_walk(x->cx->ts, t, see, &s);
    return s.params;
}

const char *tc_site_unknown(tc_site_cx *x, tc_t t) {
    seen s = {.x = x};
    tc_walk(x->cx->ts, t, see, &s);
    return s.unknown;
}

static bool is_app(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_APP;
}

bool tc_site_by_contents(tc_site_cx *x, tc_t t) { return tc_any(x->cx->ts, t, is_app, NULL); }

typedef struct example {
    tc_site_cx *x;
    const tc_tvec *hyps;
    tc_site_values *out;
} example;

static void put_value(tc_site_cx *x, tc_site_values *out, const char *name, tc_i128 value) {
    tc_push(x->cx->arena, out, ((tc_site_value){tc_strdup(x->cx->arena, name), value}));
}

static void put_extents(tc_site_cx *x, tc_model *m, tc_site_values *out, const char *name, const tc_t *dims) {
    for (unsigned d = 0; d < 3; d++) {
        tc_i128 v;
        tc_t t = tc_site_term(x, dims[d]);
        if (tc_is_const(t) ? (v = t->value, true) : tc_model_value(m, t, &v))
            put_value(x, out, tc_fmt(x->cx->arena, "%s.%c", name, axes[d]), v);
    }
}

static bool take(void *ctx, tc_model *m) {
    example *e = ctx;
    seen s = {.x = e->x};
    for (size_t i = 0; i < e->hyps->len; i++)
        tc_walk(e->x->cx->ts, e->hyps->data[i], see, &s);
    for (unsigned d = 0; d < 3; d++) {
        tc_walk(e->x->cx->ts, tc_site_term(e->x, e->x->site->grid[d]), see, &s);
        tc_walk(e->x->cx->ts, tc_site_term(e->x, e->x->site->block[d]), see, &s);
    }
    for (size_t i = 0; i < s.params.len; i++) {
        tc_i128 v;
        if (tc_model_value(m, tc_of_sym(e->x->cx->ts, s.params.data[i]), &v))
            put_value(e->x, e->out, s.params.data[i]->name, v);
    }
    put_extents(e->x, m, e->out, "gridDim", e->x->site->grid);
    put_extents(e->x, m, e->out, "blockDim", e->x->site->block);
    return true;
}

bool tc_site_example(tc_site_cx *x, const tc_tvec *h, tc_site_values *out) {
    example e = {x, h, out};
    for (size_t i = 0; i < h->len; i++)
        if (tc_is_false(h->data[i]))
            return false;
    tc_search search = {.tries = 1, .large = true, .accept = take, .ctx = &e};
    return tc_find(x->cx->solver, h->data, h->len, &search);
}
