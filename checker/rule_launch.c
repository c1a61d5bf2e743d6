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
    const char *text = tc_fmt(x->cx->arena, "'%s' needs %s%s", x->contract->kernel->name, f->text, passed_text(x, f));
    if (r->verdict == TC_SITE_VIOLATED) {
        tc_push(x->cx->arena, &r->notes, ((tc_note){f->loc, tc_fmt(x->cx->arena, "besides, %s", text)}));
        return;
    }
    r->values = values;
    r->notes.len = 0;
    tc_site_worse(r, TC_SITE_VIOLATED, text);
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
        if (open[i] && tc_site_leaves_tail(x, &others, &x->facts.data[i], r))
            warn(x, r, &x->facts.data[i], "the grid of this launch leaves out the last block");
    }
    for (size_t i = 0; i < n && !r->warned; i++)
        if (open[i] && tc_site_lets_zero_pass(x, &x->facts.data[i], r))
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

// What a kernel touches before it waits meets what the kernels before it on its stream do, of which a site says nothing. That a kernel reads
// early what is lent shared is how the attribute is meant to be used; anything else is told.
static void rule_order(tc_site_cx *x, tc_site_rule *r) {
    const tc_contract *c = x->contract;
    const char *name = c->kernel->name, *early = "may begin before the kernels before it have ended";
    if (!x->site->begins_early || r->verdict != TC_SITE_PROVED)
        return;
    if (!c->waits_first) {
        r->warned = c->knows_inferred;
        tc_site_worse(r, TC_SITE_RUN_TIME,
                      tc_fmt(x->cx->arena, "'%s' %s, and is not shown to wait for them (cudaGridDependencySynchronize) before all else", name, early));
    }
    tc_text read = {.arena = x->cx->arena};
    unsigned n = 0;
    for (size_t i = 0; i < c->objects.len && r->verdict == TC_SITE_PROVED; i++) {
        const tc_object_contract *o = &c->objects.data[i];
        if (o->early && o->borrow == TC_BORROW_SHARED) {
            tc_putf(&read, "%s'%s'", n++ ? ", " : "", o->path);
        } else if (o->early) {
            r->warned = true;
            tc_site_worse(r, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "'%s' %s, and touches '%s' before it waits for them", name, early, o->path));
        }
    }
    if (n > 0 && r->verdict == TC_SITE_PROVED)
        tc_site_worse(r, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "'%s' %s, and reads %s before it waits for them", name, early, tc_text_str(&read)));
}

// The runtime reads the address of each parameter from the list (CUDA Runtime API, cudaLaunchKernel).
static void rule_arguments(tc_site_cx *x, tc_site_rule *r) {
    size_t takes = x->contract->kernel->nparams;
    tc_site_values values = {0};
    if (x->site->missing == 0 || !tc_site_example(x, &x->hyps, &values))
        return;
    r->values = values;
    tc_site_worse(r, TC_SITE_VIOLATED, tc_fmt(x->cx->arena, "'%s' takes %zu arguments, and the list has %zu", x->contract->kernel->name, takes,
                                              takes - x->site->missing));
    tc_push(x->cx->arena, &r->notes, ((tc_note){x->contract->kernel->loc, "the kernel is declared here"}));
}

static void rule_preconditions(tc_site_cx *x, tc_site_rule *r) {
    size_t n = x->facts.len;
    bool *broken = TC_NEW_ARRAY(x->cx->arena, bool, n + 1), *open = TC_NEW_ARRAY(x->cx->arena, bool, n + 1);
    tc_site_values *values = TC_NEW_ARRAY(x->cx->arena, tc_site_values, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (tc_site_by_contents(x, x->facts.data[i].term)) {
            tc_site_worse(r, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "'%s' needs %s, which hangs on what is stored", x->contract->kernel->name, x->facts.data[i].text));
            continue;
        }
        // SOUND: what is shown after a fact that fails must not come of it: from a contradiction all follows.
        tc_tvec h = with_facts(x, i, i, broken), alone = with_facts(x, 0, i, broken);
        open[i] = !tc_site_shows(x, &h, x->facts.data[i].term);
        broken[i] = open[i] && fails_always(x, &alone, x->facts.data[i].term, &values[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (!broken[i])
            continue;
        tc_site_values other = {0}; // of a launch that is right otherwise, if there is one
        tc_tvec with = with_facts(x, n, i, broken);
        violated(x, r, &x->facts.data[i], fails_always(x, &with, x->facts.data[i].term, &other) ? other : values[i]);
    }
    for (size_t i = 0; i < n; i++) {
        tc_tvec h = with_facts(x, n, i, broken);
        bool whole = open[i] && !broken[i] && fails_always(x, &h, x->facts.data[i].term, &values[i]);
        if (whole) {
            broken[i] = true;
            violated(x, r, &x->facts.data[i], values[i]);
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
            if (a->pinned != NULL) {
                tc_push(x->cx->arena, &out, tc_site_term(x, a->pinned->from));
                tc_push(x->cx->arena, &out, tc_site_term(x, a->pinned->size));
            }
        }
    return out;
}

void tc_site_decide(tc_cx *cx, const tc_launch_site *s, tc_site_result *out) {
    static const tc_rule rules[TC_SITE_RULES] = {TC_RULE_TC4001, TC_RULE_TC4002, TC_RULE_TC4003};
    tc_site_cx x = {.cx = cx, .site = s, .contract = s->contract};
    for (size_t i = 0; i < TC_SITE_RULES; i++)
        out->rules[i].rule = rules[i];
    tc_site_give(&x);
    tc_hyps_at(cx, &x.hyps, s->guard, s->loop, s->point);
    ask_all(&x);
    tc_site_settle(&x, (tc_tvec){0});
    rule_arguments(&x, &out->rules[0]);
    rule_preconditions(&x, &out->rules[0]);
    tc_site_settle(&x, sizes_of(&x));
    tc_site_rule_alignment(&x, &out->rules[0]);
    rule_order(&x, &out->rules[0]);
    rule_stored(&x, &out->rules[0]);
    tc_site_rule_aliases(&x, &out->rules[1]);
    tc_site_rule_buffers(&x, &out->rules[2]);
}
