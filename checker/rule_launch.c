// TC4001: a launch meets what the kernel's contract asks of it.
//
// The contract's facts are about symbols of its own: parameters, extents, bytes of shared memory. Each is said of the launch by putting
// what the host function passes in their place. Facts are shown in an order, each from what is known at the launch and from the facts
// before it; so where all are shown, all hold.
#include "checker/launches.h"

#include <string.h>

// Of a block (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"): no device has more.
enum { MAX_SMEM = 227 * 1024, MAX_CLUSTER = 16 };

static const char *const axes = "xyz";

const char *tc_site_verdict_name(tc_site_verdict v) {
    static const char *const names[] = {"proved", "run-time", "violated"};
    return names[v];
}

void tc_site_worse(tc_site_rule *r, tc_site_verdict v, const char *text) {
    if (v <= r->verdict && r->text != NULL)
        return;
    if (v == TC_SITE_PROVED)
        return;
    r->verdict = v;
    r->text = text;
}

// ---- terms of the contract, as the launch has them ----

tc_t tc_site_term(tc_site_cx *x, tc_t t) {
    tc_t given = tc_subst(x->cx->ts, t, &x->given);
    return tc_subst(x->cx->ts, tc_settle(x->cx, given), &x->exact);
}

static void give(tc_site_cx *x, tc_t sym, tc_t value) {
    if (sym != NULL && sym->op == TC_T_SYM && value != NULL)
        tc_map_put(x->cx->arena, &x->given, TC_KEY(sym), (void *)(uintptr_t)value);
}

static void give_all(tc_site_cx *x) {
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
static void settle_nodes(tc_site_cx *x, tc_tvec more) {
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
    TC_VEC(const tc_sym *) params;
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

// ---- what the contract asks ----

static void ask(tc_site_cx *x, tc_t term, const char *text, tc_loc loc) {
    tc_fact f = {tc_site_term(x, term), text, loc};
    tc_push(x->cx->arena, &x->facts, f);
}

typedef struct extent_search {
    const tc_launch_syms *syms;
} extent_search;

static bool is_extent(void *ctx, tc_t t) {
    const tc_launch_syms *s = ((const extent_search *)ctx)->syms;
    for (unsigned d = 0; d < 3; d++)
        if (t->op == TC_T_SYM && (t == s->grid_dim[d] || t == s->block_dim[d]))
            return true;
    return t->op == TC_T_SYM && t == s->smem;
}

static bool is_about_extents(tc_site_cx *x, tc_t t) {
    extent_search e = {&x->contract->syms};
    return tc_any(x->cx->ts, t, is_extent, &e);
}

static void ask_facts(tc_site_cx *x, bool about_extents) {
    const tc_contract *c = x->contract;
    for (size_t i = 0; i < c->facts.len; i++) {
        const tc_fact *f = &c->facts.data[i];
        if (f->term->variance == TC_VAR_LAUNCH && is_about_extents(x, f->term) == about_extents) // indices are the kernel's own
            ask(x, f->term, f->text, f->loc);
    }
}

// What the contract says of a symbol alone may have made it a constant, of which no fact is left.
static void ask_constants(tc_site_cx *x) {
    tc_terms *ts = x->cx->ts;
    const tc_contract *c = x->contract;
    for (size_t i = 0; i < c->scalars.len; i++) {
        const tc_scalar *s = &c->scalars.data[i];
        if (tc_is_const(s->term) && s->term->sort == TC_INT)
            ask(x, tc_eq(ts, x->site->scalars[i], s->term), tc_fmt(x->cx->arena, "%s == %s", s->path, tc_i128_text(x->cx->arena, s->term->value)),
                c->kernel->loc);
    }
}

static void ask_extents(tc_site_cx *x, const char *name, const tc_t *declared, const tc_t *passed, tc_loc loc) {
    for (unsigned d = 0; d < 3; d++)
        if (tc_is_const(declared[d]))
            ask(x, tc_eq(x->cx->ts, passed[d], declared[d]),
                tc_fmt(x->cx->arena, "%s.%c == %s", name, axes[d], tc_i128_text(x->cx->arena, declared[d]->value)), loc);
}

static void ask_smem(tc_site_cx *x) {
    tc_terms *ts = x->cx->ts;
    const tc_contract *c = x->contract;
    if (tc_is_const(c->syms.smem))
        ask(x, tc_eq(ts, x->site->smem, c->syms.smem),
            tc_fmt(x->cx->arena, "%s bytes of dynamic shared memory", tc_i128_text(x->cx->arena, c->syms.smem->value)), c->kernel->loc);
    ask(x, tc_le(ts, x->site->smem, tc_int(ts, MAX_SMEM)),
        tc_fmt(x->cx->arena, "at most %d bytes of dynamic shared memory", MAX_SMEM), c->kernel->loc);
}

// The shape of clusters is the kernel's own (__cluster_dims__) or an attribute of the launch.
static void ask_cluster(tc_site_cx *x) {
    tc_terms *ts = x->cx->ts;
    const tc_contract *c = x->contract;
    const tc_launch_site *s = x->site;
    tc_t one = tc_int(ts, 1), blocks = one;
    bool passed = s->cluster[0] != NULL && s->cluster[1] != NULL && s->cluster[2] != NULL;
    bool own = c->kernel->cluster[0] > 0;
    for (unsigned d = 0; d < 3; d++) {
        tc_t t = passed                     ? s->cluster[d]
                 : s->any_cluster           ? tc_of_sym(ts, tc_sym_new(ts, "the cluster's extent", TC_SYM_UNKNOWN, TC_VAR_LAUNCH, TC_INT))
                 : own && c->kernel->cluster[d] > 0 ? tc_int(ts, (tc_i128)c->kernel->cluster[d])
                                            : one;
        blocks = tc_mul(ts, blocks, t);
        if (c->has_cluster)
            ask(x, tc_eq(ts, t, c->cluster[d]),
                tc_fmt(x->cx->arena, "a cluster with %c == %s", axes[d], tc_i128_text(x->cx->arena, c->cluster[d]->value)), c->kernel->loc);
        if (passed) {
            ask(x, tc_le(ts, one, t), tc_fmt(x->cx->arena, "a cluster with %c >= 1", axes[d]), c->kernel->loc);
            ask(x, tc_eq(ts, tc_mod(ts, s->grid[d], t), tc_int(ts, 0)),
                tc_fmt(x->cx->arena, "gridDim.%c to be a multiple of the cluster's extent", axes[d]), c->kernel->loc);
        }
    }
    if (passed)
        ask(x, tc_le(ts, blocks, tc_int(ts, MAX_CLUSTER)), tc_fmt(x->cx->arena, "at most %d blocks in a cluster", MAX_CLUSTER), c->kernel->loc);
}

static void ask_all(tc_site_cx *x) {
    ask_constants(x);
    ask_facts(x, false);
    ask_facts(x, true);
    ask_extents(x, "blockDim", x->contract->syms.block_dim, x->site->block, x->contract->has_block ? x->contract->block_loc : x->contract->kernel->loc);
    ask_extents(x, "gridDim", x->contract->syms.grid_dim, x->site->grid, x->contract->has_grid ? x->contract->grid_loc : x->contract->kernel->loc);
    ask_smem(x);
    ask_cluster(x);
    for (size_t i = 0; i < x->contract->inferred.len; i++)
        ask(x, x->contract->inferred.data[i].term, x->contract->inferred.data[i].text, x->contract->inferred.data[i].loc);
}

// ---- what the code itself shows ----

// gridDim.x == tc_cdiv(n, 256): the extent that is passed, and the one that is asked for.
static bool is_of_grid(tc_site_cx *x, const tc_fact *f, tc_t *passed, tc_t *asked) {
    const tc_contract *c = x->contract;
    for (unsigned d = 0; d < 3 && c->has_grid; d++)
        if (f->loc.line == c->grid_loc.line && f->loc.column == c->grid_loc.column && !tc_is_const(c->syms.grid_dim[d]) &&
            f->text[0] == 'g' && f->text[8] == axes[d] && strstr(f->text, " == ") != NULL) {
            *passed = tc_site_term(x, c->syms.grid_dim[d]);
            *asked = tc_site_term(x, c->grid[d]);
            return true;
        }
    return false;
}

// Never too many blocks, sometimes enough, and sometimes too few of them: a division that is rounded down.
static bool leaves_tail(tc_site_cx *x, const tc_tvec *h, const tc_fact *f, tc_site_rule *r) {
    tc_t passed, asked;
    if (!is_of_grid(x, f, &passed, &asked) || tc_site_unknown(x, f->term) != NULL ||
        !tc_site_shows(x, h, tc_le(x->cx->ts, passed, asked)))
        return false;
    tc_tvec few = {0}, enough = {0};
    for (size_t i = 0; i < h->len; i++) {
        tc_hyps_push(x->cx, &few, h->data[i]);
        tc_hyps_push(x->cx, &enough, h->data[i]);
    }
    tc_site_values none = {0};
    tc_hyps_push(x->cx, &enough, tc_eq(x->cx->ts, passed, asked));
    tc_hyps_push(x->cx, &enough, tc_le(x->cx->ts, tc_int(x->cx->ts, 1), passed));
    tc_hyps_push(x->cx, &few, tc_lt(x->cx->ts, passed, asked));
    tc_hyps_push(x->cx, &few, tc_le(x->cx->ts, tc_int(x->cx->ts, 1), passed));
    r->values.len = 0;
    return tc_site_example(x, &enough, &none) && tc_site_example(x, &few, &r->values);
}

// Sizes beyond 2^31 that a narrowing turns into 0 are nothing that a reader of the code would be told of.
static void push_ordinary(tc_site_cx *x, tc_tvec *h, tc_t t) {
    seen s = {.x = x};
    tc_walk(x->cx->ts, t, see, &s);
    for (size_t i = 0; i < s.params.len; i++)
        if (s.params.data[i]->sort == TC_INT)
            tc_hyps_push(x->cx, h, tc_in_range(x->cx->ts, tc_of_sym(x->cx->ts, s.params.data[i]), INT32_MIN, INT32_MAX));
}

// A parameter of which negative values have been sorted out: who did that has thought of 0.
static tc_t tested_size(tc_site_cx *x, tc_t passed) {
    seen s = {.x = x};
    tc_walk(x->cx->ts, passed, see, &s);
    for (size_t i = 0; i < s.params.len; i++) {
        const tc_sym *p = s.params.data[i];
        tc_t t = tc_of_sym(x->cx->ts, p);
        if (p->sort == TC_INT && p->has_lo && p->lo < 0 && tc_site_shows(x, &x->hyps, tc_le(x->cx->ts, tc_int(x->cx->ts, 0), t)))
            return t;
    }
    return NULL;
}

// The size is tested before the launch, and 0 passes the test.
static bool lets_zero_pass(tc_site_cx *x, const tc_fact *f, tc_site_rule *r) {
    if (strncmp(f->text, "gridDim.", 8) != 0 || strstr(f->text, " >= 1") == NULL || tc_site_unknown(x, f->term) != NULL)
        return false;
    tc_t passed = NULL;
    for (unsigned d = 0; d < 3; d++)
        if (f->text[8] == axes[d])
            passed = tc_site_term(x, x->site->grid[d]);
    tc_t size = passed == NULL ? NULL : tested_size(x, passed);
    if (size == NULL)
        return false;
    tc_tvec h = {0};
    for (size_t i = 0; i < x->hyps.len; i++)
        tc_hyps_push(x->cx, &h, x->hyps.data[i]);
    push_ordinary(x, &h, passed);
    tc_hyps_push(x->cx, &h, tc_eq(x->cx->ts, passed, tc_int(x->cx->ts, 0)));
    tc_hyps_push(x->cx, &h, tc_eq(x->cx->ts, size, tc_int(x->cx->ts, 0)));
    r->values.len = 0;
    return tc_site_example(x, &h, &r->values);
}

// ---- deciding ----

static tc_tvec with_facts(tc_site_cx *x, size_t before, size_t without, const bool *broken) {
    tc_tvec h = {0};
    for (size_t i = 0; i < x->hyps.len; i++)
        tc_hyps_push(x->cx, &h, x->hyps.data[i]);
    for (size_t i = 0; i < before; i++)
        if (i != without && !broken[i])
            tc_hyps_push(x->cx, &h, x->facts.data[i].term);
    return h;
}

static bool fails_always(tc_site_cx *x, tc_tvec *h, tc_t goal, tc_site_values *values) {
    tc_t not = tc_not(x->cx->ts, goal);
    if (!tc_is_true(not) && !tc_site_shows(x, h, not))
        return false;
    tc_hyps_push(x->cx, h, not);
    return tc_site_example(x, h, values);
}

// "blockDim.x = 128"
static const char *passed_text(tc_site_cx *x, const tc_fact *f) {
    const struct {
        const char *name;
        const tc_t *dims;
    } all[] = {{"gridDim", x->site->grid}, {"blockDim", x->site->block}};
    for (size_t i = 0; i < 2; i++)
        for (unsigned d = 0; d < 3; d++) {
            const char *name = tc_fmt(x->cx->arena, "%s.%c", all[i].name, axes[d]);
            tc_t t = tc_site_term(x, all[i].dims[d]);
            if (strncmp(f->text, name, strlen(name)) == 0 && tc_is_const(t))
                return tc_fmt(x->cx->arena, ", and is launched with %s = %s", name, tc_i128_text(x->cx->arena, t->value));
        }
    tc_t smem = tc_site_term(x, x->site->smem);
    if (strstr(f->text, "shared memory") != NULL && tc_is_const(smem))
        return tc_fmt(x->cx->arena, ", and is launched with %s", tc_i128_text(x->cx->arena, smem->value));
    return "";
}

static void violated(tc_site_cx *x, tc_site_rule *r, const tc_fact *f, tc_site_values values) {
    if (r->verdict == TC_SITE_VIOLATED)
        return;
    r->values = values;
    r->notes.len = 0;
    tc_site_worse(r, TC_SITE_VIOLATED, tc_fmt(x->cx->arena, "'%s' needs %s%s", x->contract->kernel->name, f->text, passed_text(x, f)));
    tc_push(x->cx->arena, &r->notes, ((tc_note){f->loc, "the kernel says so here"}));
}

static const char *why_open(tc_site_cx *x, const tc_fact *f, const tc_tvec *h, tc_site_rule *r) {
    const char *unknown = tc_site_unknown(x, f->term);
    if (unknown != NULL)
        return tc_fmt(x->cx->arena, "'%s' needs %s, which hangs on %s", x->contract->kernel->name, f->text,
                      strcmp(unknown, "loaded") == 0 ? "a value that is read from memory" : tc_fmt(x->cx->arena, "'%s'", unknown));
    tc_tvec with = {0};
    for (size_t i = 0; i < h->len; i++)
        tc_hyps_push(x->cx, &with, h->data[i]);
    tc_hyps_push(x->cx, &with, tc_not(x->cx->ts, f->term));
    r->values.len = 0;
    if (tc_site_example(x, &with, &r->values))
        return tc_fmt(x->cx->arena, "'%s' needs %s, which does not hold for all values that reach the launch", x->contract->kernel->name, f->text);
    return tc_fmt(x->cx->arena, "'%s' needs %s, which is not shown", x->contract->kernel->name, f->text);
}

static void warn(tc_site_cx *x, tc_site_rule *r, const tc_fact *f, const char *what) {
    r->verdict = TC_SITE_RUN_TIME;
    r->warned = true;
    r->text = tc_fmt(x->cx->arena, "'%s' needs %s, and %s", x->contract->kernel->name, f->text, what);
    tc_push(x->cx->arena, &r->notes, ((tc_note){f->loc, "the kernel says so here"}));
}

// What the code shows to fail, before what merely is not shown; the first of each kind.
static void tell_open(tc_site_cx *x, tc_site_rule *r, const bool *open, const bool *broken) {
    size_t n = x->facts.len;
    for (size_t i = 0; i < n && !r->warned; i++) {
        tc_tvec others = with_facts(x, n, i, broken);
        if (open[i] && leaves_tail(x, &others, &x->facts.data[i], r))
            warn(x, r, &x->facts.data[i], "the grid of this launch leaves out the last block");
    }
    for (size_t i = 0; i < n && !r->warned; i++)
        if (open[i] && lets_zero_pass(x, &x->facts.data[i], r))
            warn(x, r, &x->facts.data[i], "the tests before this launch sort out negative sizes, and let 0 pass");
    for (size_t i = 0; i < n && r->text == NULL; i++) {
        if (!open[i])
            continue;
        tc_tvec h = with_facts(x, i, i, broken);
        tc_site_worse(r, TC_SITE_RUN_TIME, why_open(x, &x->facts.data[i], &h, r));
        tc_push(x->cx->arena, &r->notes, ((tc_note){x->facts.data[i].loc, "the kernel says so here"}));
    }
}

// What the contract says of stored values, nothing of the host function shows.
static void rule_stored(tc_site_cx *x, tc_site_rule *r) {
    const tc_contract *c = x->contract;
    const char *name = c->kernel->name;
    for (size_t i = 0; i < c->objects.len && r->verdict == TC_SITE_PROVED; i++) {
        const tc_object_contract *o = &c->objects.data[i];
        if (o->has_range || o->injective || o->monotone || o->has_init)
            tc_site_worse(r, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "'%s' needs what its contract says of the values in '%s'", name, o->path));
    }
    if (c->foralls.len > 0 && r->verdict == TC_SITE_PROVED)
        tc_site_worse(r, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "'%s' needs %s of stored values", name, c->foralls.data[0].text));
}

static void rule_preconditions(tc_site_cx *x, tc_site_rule *r) {
    size_t n = x->facts.len;
    bool *broken = TC_NEW_ARRAY(x->cx->arena, bool, n + 1), *open = TC_NEW_ARRAY(x->cx->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (tc_site_by_contents(x, x->facts.data[i].term)) {
            tc_site_worse(r, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "'%s' needs %s, which hangs on what is stored", x->contract->kernel->name, x->facts.data[i].text));
            continue;
        }
        tc_tvec h = with_facts(x, i, i, broken);
        open[i] = !tc_site_shows(x, &h, x->facts.data[i].term);
    }
    for (size_t i = 0; i < n; i++) {
        tc_site_values values = {0};
        tc_tvec h = with_facts(x, 0, i, broken);
        broken[i] = open[i] && fails_always(x, &h, x->facts.data[i].term, &values);
        if (!broken[i])
            continue;
        tc_site_values other = {0}; // of a launch that is right otherwise, if there is one
        tc_tvec with = with_facts(x, n, i, broken);
        violated(x, r, &x->facts.data[i], fails_always(x, &with, x->facts.data[i].term, &other) ? other : values);
    }
    for (size_t i = 0; i < n; i++) {
        tc_site_values values = {0};
        tc_tvec h = with_facts(x, n, i, broken);
        bool whole = open[i] && !broken[i] && fails_always(x, &h, x->facts.data[i].term, &values);
        if (whole) {
            broken[i] = true;
            violated(x, r, &x->facts.data[i], values);
        }
    }
    if (r->verdict != TC_SITE_VIOLATED)
        tell_open(x, r, open, broken);
    for (size_t i = 0; i < n; i++) // what the other rules may take for granted
        if (!broken[i] && !tc_site_by_contents(x, x->facts.data[i].term))
            tc_hyps_push(x->cx, &x->hyps, x->facts.data[i].term);
}

// Of what is passed, with its offsets.
static tc_tvec sizes_of(tc_site_cx *x) {
    tc_tvec out = {0};
    for (size_t i = 0; i < x->contract->objects.len; i++)
        for (size_t k = 0; k < x->site->pointers[i].alts.len; k++) {
            const tc_passed_alt *a = &x->site->pointers[i].alts.data[k];
            tc_push(x->cx->arena, &out, tc_site_term(x, a->offset));
            if (a->size != NULL)
                tc_push(x->cx->arena, &out, tc_site_term(x, a->size));
        }
    return out;
}

void tc_site_decide(tc_cx *cx, const tc_launch_site *s, tc_site_result *out) {
    static const tc_rule rules[TC_SITE_RULES] = {TC_RULE_TC4001, TC_RULE_TC4002, TC_RULE_TC4003};
    tc_site_cx x = {.cx = cx, .site = s, .contract = s->contract};
    for (size_t i = 0; i < TC_SITE_RULES; i++)
        out->rules[i].rule = rules[i];
    give_all(&x);
    tc_hyps_at(cx, &x.hyps, s->guard, s->loop, s->point);
    ask_all(&x);
    settle_nodes(&x, (tc_tvec){0});
    rule_preconditions(&x, &out->rules[0]);
    settle_nodes(&x, sizes_of(&x));
    tc_site_rule_alignment(&x, &out->rules[0]);
    rule_stored(&x, &out->rules[0]);
    tc_site_rule_aliases(&x, &out->rules[1]);
    tc_site_rule_buffers(&x, &out->rules[2]);
}
