// What would make an obligation hold that does not: one more fact, tried by proving with it.
//
// A small family of facts about sizes, the launch, stored values and variables of loops is gone through, the weaker ones
// first. What is found is a note: "holds if …" beside a violation, the attribute that would decide beside an unknown. It
// never changes a verdict.
#include "checker/rules.h"

#include <string.h>

enum {
    tries_in_all = 80, // of one kernel
    tries_of_one = 40, // of one obligation
    hinted = 4,        // obligations of one kernel
    max_sizes = 10,
    max_parts = 4
};

// A number of the launch that the obligation may hang on.
typedef struct size {
    const char *text;
    tc_t term;      // as the contract has it
    bool of_launch; // an extent of the grid or of a block
} size;

typedef struct hunt {
    tc_cx *cx;
    tc_obligation *ob;
    size sizes[max_sizes];
    size_t nsizes;
    tc_t part;    // what is to be proved now
    tc_tvec hyps;
    unsigned left, left_in_all;
    bool only_part; // the counterexample breaks this part, so what makes it hold is false there
    const char *found;
} hunt;

// ---- rules ----

enum { BOUNDS = 1, BLOCKS = 2, OVERFLOW = 4, REST = 8, ANY = 15 };

static unsigned kind_of(tc_rule r) {
    switch (r) {
    case TC_RULE_TC2001:
    case TC_RULE_TC1004:
        return BOUNDS;
    case TC_RULE_TC1001:
    case TC_RULE_TC1002:
    case TC_RULE_TC1005:
        return BLOCKS;
    case TC_RULE_TC2002:
        return OVERFLOW;
    default:
        return REST;
    }
}

// ---- trying ----

static bool proves(hunt *h, const tc_tvec *hyps) {
    if (h->left == 0 || h->left_in_all == 0)
        return false;
    h->left--;
    h->left_in_all--;
    return tc_try(h->cx, hyps, h->part).proved;
}

static void copy(hunt *h, tc_tvec *to, const tc_tvec *from) {
    *to = (tc_tvec){0};
    for (size_t i = 0; i < from->len; i++)
        tc_push(h->cx->arena, to, from->data[i]);
}

// With this fact no launch is left, or the place is never reached: what is proved then says nothing.
static bool is_empty(hunt *h, tc_t fact) {
    tc_tvec facts = {0};
    copy(h, &facts, &h->cx->facts);
    tc_hyps_push(h->cx, &facts, fact);
    tc_t none = tc_bool(h->cx->ts, false);
    if (tc_try(h->cx, &facts, none).proved)
        return true;
    if (tc_is_false(h->part))
        return false;
    copy(h, &facts, &h->hyps);
    tc_hyps_push(h->cx, &facts, fact);
    return tc_try(h->cx, &facts, none).proved;
}

// Is the fact false in the launch that shows the violation? Otherwise it cannot be what makes it go away.
static bool excludes_example(hunt *h, tc_t fact) {
    tc_i128 v;
    const tc_counterexample *x = h->ob->example;
    return !x || !h->only_part || !tc_launch_eval(h->cx->contract, &x->launch, NULL, NULL, fact, &v) || v == 0;
}

// A size with a narrower range than the contract gives it: facts about one symbol alone are ranges (contract.h).
static void narrow(hunt *h, tc_map *map, tc_t term, bool lower, tc_i128 bound) {
    tc_t settled = tc_settle(h->cx, term);
    if (settled->op != TC_T_SYM)
        return;
    tc_t had = tc_map_get(map, TC_KEY(settled));
    const tc_sym *from = had ? had->sym : settled->sym;
    tc_sym *s = tc_sym_new(h->cx->ts, from->name, from->kind, from->variance, from->sort);
    s->has_lo = from->has_lo || lower;
    s->has_hi = from->has_hi || !lower;
    s->lo = lower && (!from->has_lo || bound > from->lo) ? bound : from->lo;
    s->hi = !lower && (!from->has_hi || bound < from->hi) ? bound : from->hi;
    s->axis = from->axis;
    s->owner = from->owner;
    if (!s->has_lo || !s->has_hi || s->lo <= s->hi)
        tc_map_put(h->cx->arena, map, TC_KEY(settled), (void *)(uintptr_t)tc_of_sym(h->cx->ts, s));
}

// With the fact among what is known, and the sizes in the map narrowed; the fact then says that too.
static bool try_narrowed(hunt *h, tc_t fact, const tc_map *map, const char *text) {
    tc_t settled = tc_settle(h->cx, fact);
    if (tc_is_const(settled) || !excludes_example(h, fact))
        return false;
    tc_tvec hyps = {0};
    for (size_t i = 0; i < h->hyps.len; i++)
        tc_hyps_push(h->cx, &hyps, tc_subst(h->cx->ts, h->hyps.data[i], map));
    tc_hyps_push(h->cx, &hyps, tc_subst(h->cx->ts, settled, map));
    tc_t part = h->part;
    h->part = tc_subst(h->cx->ts, part, map);
    bool found = proves(h, &hyps);
    h->part = part;
    if (!found || is_empty(h, settled))
        return false;
    h->found = text;
    return true;
}

static bool try_fact(hunt *h, tc_t fact, const char *text) {
    const tc_map none = {0};
    return try_narrowed(h, fact, &none, text);
}

static bool try_bound(hunt *h, tc_t term, bool lower, tc_i128 bound, const char *text) {
    tc_map map = {0};
    narrow(h, &map, term, lower, bound);
    return try_narrowed(h, tc_bound_term(h->cx->ts, term, lower, bound), &map, text);
}

// ---- sizes and the launch ----

typedef struct symbols {
    tc_cx *cx;
    tc_map met;
} symbols;

static void meet(void *ctx, tc_t t) {
    symbols *s = ctx;
    if (t->op == TC_T_SYM)
        tc_map_put(s->cx->arena, &s->met, TC_KEY(t->sym->origin ? t->sym->origin : t->sym), s);
}

typedef struct question {
    symbols *s;
    bool yes;
} question;

static void ask_met(void *ctx, tc_t t) {
    question *q = ctx;
    q->yes |= t->op == TC_T_SYM && tc_map_has(&q->s->met, TC_KEY(t->sym));
}

static bool is_met(symbols *s, tc_t t) {
    question q = {s, false};
    tc_walk(s->cx->ts, t, ask_met, &q);
    return q.yes;
}

static bool is_contract_fact(const tc_cx *cx, tc_t t) {
    for (size_t i = 0; i < cx->facts.len; i++)
        if (cx->facts.data[i] == t)
            return true;
    return false;
}

static void add_size(hunt *h, symbols *s, const char *text, tc_t term, bool of_launch) {
    tc_t settled = tc_settle(h->cx, term);
    if (h->nsizes < max_sizes && text && !tc_is_const(settled) && settled->sort == TC_INT && is_met(s, settled))
        h->sizes[h->nsizes++] = (size){text, term, of_launch};
}

static void meet_with(symbols *s, tc_t met, tc_t other) {
    if (met && other && is_met(s, tc_settle(s->cx, met)))
        tc_walk(s->cx->ts, tc_settle(s->cx, other), meet, s);
}

static void find_sizes(hunt *h) {
    symbols s = {.cx = h->cx};
    const tc_contract *c = h->cx->contract;
    tc_walk(h->cx->ts, h->ob->goal, meet, &s);
    for (size_t i = 0; i < h->ob->hyps.len; i++)
        if (!is_contract_fact(h->cx, h->ob->hyps.data[i]))
            tc_walk(h->cx->ts, h->ob->hyps.data[i], meet, &s);
    // An index is met with its extent, and with what the contract makes that of.
    for (int d = 0; d < 3; d++) {
        meet_with(&s, c->syms.block_idx[d], c->syms.grid_dim[d]);
        meet_with(&s, c->syms.thread_idx[d], c->syms.block_dim[d]);
        if (c->has_grid)
            meet_with(&s, c->syms.grid_dim[d], c->grid[d]);
        if (c->has_block)
            meet_with(&s, c->syms.block_dim[d], c->block[d]);
    }
    h->nsizes = 0;
    for (size_t i = 0; i < c->scalars.len; i++) {
        const tc_scalar *x = &c->scalars.data[i];
        if (x->type && x->type->kind == TC_TY_INT && x->term)
            add_size(h, &s, x->path, x->term, false);
    }
    for (int d = 0; d < 3; d++) {
        add_size(h, &s, tc_fmt(h->cx->arena, "blockDim.%c", "xyz"[d]), c->syms.block_dim[d], true);
        add_size(h, &s, tc_fmt(h->cx->arena, "gridDim.%c", "xyz"[d]), c->syms.grid_dim[d], true);
    }
}

static bool may_be_below(hunt *h, tc_t term, tc_i128 least) {
    tc_interval r = tc_range_of(h->cx->ts, tc_settle(h->cx, term));
    return !r.has_lo || r.lo < least;
}

static bool is_size(const hunt *h, tc_t term) {
    for (size_t i = 0; i < h->nsizes; i++)
        if (h->sizes[i].term == term)
            return true;
    return false;
}

static bool at_least(hunt *h) {
    for (tc_i128 least = 0; least <= 1; least++)
        for (size_t i = 0; i < h->nsizes; i++)
            if (may_be_below(h, h->sizes[i].term, least) &&
                try_bound(h, h->sizes[i].term, true, least,
                          tc_fmt(h->cx->arena, "%s >= %d", h->sizes[i].text, (int)least)))
                return true;
    return false;
}

// Pairs of one kind: sizes with sizes.
static bool compared(hunt *h) {
    tc_terms *ts = h->cx->ts;
    for (size_t i = 0; i < h->nsizes; i++)
        for (size_t k = 0; k < h->nsizes; k++)
            if (i != k && !h->sizes[i].of_launch && !h->sizes[k].of_launch &&
                try_fact(h, tc_le(ts, h->sizes[i].term, h->sizes[k].term),
                         tc_fmt(h->cx->arena, "%s <= %s", h->sizes[i].text, h->sizes[k].text)))
                return true;
    return false;
}

static bool covered(hunt *h) {
    tc_terms *ts = h->cx->ts;
    const tc_launch_syms *s = &h->cx->contract->syms;
    for (int d = 0; d < 3; d++) {
        if (!is_size(h, s->grid_dim[d]) && !h->cx->model->reads_block_idx[d])
            continue;
        tc_t block = tc_settle(h->cx, s->block_dim[d]);
        tc_t threads = tc_mul(ts, s->grid_dim[d], block);
        const char *text = tc_is_const(block) ? tc_i128_text(h->cx->arena, block->value)
                                              : tc_fmt(h->cx->arena, "blockDim.%c", "xyz"[d]);
        for (size_t i = 0; i < h->nsizes; i++)
            if (!h->sizes[i].of_launch &&
                try_fact(h, tc_le(ts, threads, h->sizes[i].term),
                         tc_fmt(h->cx->arena, "gridDim.%c * %s <= %s", "xyz"[d], text, h->sizes[i].text)))
                return true;
    }
    return false;
}

static void add_constant(tc_i128 *list, size_t *n, tc_t t) {
    if (!t || !tc_is_const(t) || t->value < 2 || t->value > 4096 || *n == 12)
        return;
    for (size_t i = 0; i < *n; i++)
        if (list[i] == t->value)
            return;
    list[(*n)++] = t->value;
}

static bool divisible_by(hunt *h, size_t i, tc_t by, const char *text) {
    tc_terms *ts = h->cx->ts;
    tc_interval r = tc_range_of(ts, tc_settle(h->cx, h->sizes[i].term));
    if (tc_is_const(by) && r.has_hi && r.hi < by->value)
        return false; // zero alone
    return try_fact(h, tc_eq(ts, tc_trem(ts, h->sizes[i].term, by), tc_int(ts, 0)),
                    tc_fmt(h->cx->arena, "%s %% %s == 0", h->sizes[i].text, text));
}

// By the block's extents, the tile's, and what vectors take.
static bool divisible(hunt *h) {
    tc_cx *cx = h->cx;
    const tc_launch_syms *s = &cx->contract->syms;
    tc_i128 list[12];
    size_t n = 0;
    for (tc_i128 v = 2; v <= 8; v *= 2)
        add_constant(list, &n, tc_int(cx->ts, v));
    for (int d = 0; d < 3; d++)
        add_constant(list, &n, tc_settle(cx, s->block_dim[d]));
    if (h->ob->contract >= 0)
        for (unsigned d = 0; d < cx->objects[h->ob->contract].ndims; d++) {
            add_constant(list, &n, cx->objects[h->ob->contract].tile[d]);
            add_constant(list, &n, cx->objects[h->ob->contract].shape[d]);
        }
    for (size_t i = 0; i < h->nsizes; i++) {
        if (h->sizes[i].of_launch)
            continue;
        for (size_t k = 0; k < n; k++)
            if (divisible_by(h, i, tc_int(cx->ts, list[k]), tc_i128_text(cx->arena, list[k])))
                return true;
        for (int d = 0; d < 3; d++)
            if (is_size(h, s->block_dim[d]) &&
                divisible_by(h, i, s->block_dim[d], tc_fmt(cx->arena, "blockDim.%c", "xyz"[d])))
                return true;
    }
    return false;
}

// How many elements the object has, where it is a shared or local array or a variable; NULL: it is not known.
static tc_t room(hunt *h) {
    const tc_object *o = h->ob->object == TC_NONE ? NULL : &h->cx->model->objects.data[h->ob->object];
    tc_t bytes = o && o->size ? tc_settle(h->cx, o->size) : NULL;
    return bytes && tc_is_const(bytes) && o->elem ? tc_int(h->cx->ts, bytes->value / (tc_i128)o->elem) : NULL;
}

// Room of a fixed size: a shared or local array, or a constant extent.
static bool within_constant(hunt *h) {
    tc_cx *cx = h->cx;
    tc_i128 list[12];
    size_t n = 0;
    add_constant(list, &n, room(h));
    if (h->ob->contract >= 0)
        for (unsigned d = 0; d < cx->objects[h->ob->contract].ndims; d++)
            add_constant(list, &n, cx->objects[h->ob->contract].shape[d]);
    for (size_t k = 0; k < n; k++) {
        const char *text = tc_i128_text(cx->arena, list[k]);
        tc_t most = tc_int(cx->ts, list[k]);
        for (size_t i = 0; i < h->nsizes; i++)
            if (try_bound(h, h->sizes[i].term, false, list[k],
                          tc_fmt(cx->arena, "%s <= %s", h->sizes[i].text, text)))
                return true;
        for (size_t i = 0; i < h->nsizes; i++)
            for (size_t j = i + 1; j < h->nsizes; j++)
                if (try_fact(h, tc_le(cx->ts, tc_mul(cx->ts, h->sizes[i].term, h->sizes[j].term), most),
                             tc_fmt(cx->arena, "%s * %s <= %s", h->sizes[i].text, h->sizes[j].text, text)))
                    return true;
    }
    return false;
}

// ---- bounds on sums and products, for overflow ----

// The product of two sizes, neither of them negative.
static bool bounded_product(hunt *h, tc_i128 most) {
    tc_cx *cx = h->cx;
    for (size_t i = 0; i < h->nsizes; i++)
        for (size_t k = i + 1; k < h->nsizes; k++) {
            const size *x[2] = {&h->sizes[i], &h->sizes[k]};
            if (x[0]->of_launch || x[1]->of_launch)
                continue;
            tc_t fact = tc_le(cx->ts, tc_mul(cx->ts, x[0]->term, x[1]->term), tc_int(cx->ts, most));
            tc_text said = {.arena = cx->arena};
            tc_map map = {0};
            for (int n = 0; n < 2; n++) {
                if (!may_be_below(h, x[n]->term, 0))
                    continue;
                narrow(h, &map, x[n]->term, true, 0);
                fact = tc_and(cx->ts, fact, tc_bound_term(cx->ts, x[n]->term, true, 0));
                tc_putf(&said, "%s >= 0 && ", x[n]->text);
            }
            tc_putf(&said, "%s * %s <= %s", x[0]->text, x[1]->text, tc_i128_text(cx->arena, most));
            if (try_narrowed(h, fact, &map, tc_text_str(&said)))
                return true;
        }
    return false;
}

// Room for one more step of a block's threads, or for a factor.
static bool bounded_size(hunt *h, tc_i128 most) {
    for (size_t i = 0; i < h->nsizes; i++)
        for (unsigned shift = 0; shift <= 16; shift += shift < 4 ? 1 : 4) {
            tc_i128 bound = shift ? ((most + 1) >> shift) - 1 : most - 1024;
            if (bound > 0 && try_bound(h, h->sizes[i].term, false, bound,
                                       tc_fmt(h->cx->arena, "%s <= %s", h->sizes[i].text,
                                              tc_i128_text(h->cx->arena, bound))))
                return true;
        }
    return false;
}

static bool no_overflow(hunt *h) {
    tc_t wrap = h->ob->check ? h->ob->check->term : NULL;
    if (!wrap || wrap->op != TC_T_WRAP)
        return false;
    unsigned width = tc_wrap_width(wrap);
    if (width < 8 || width > 64)
        return false;
    tc_i128 most = ((tc_i128)1 << (tc_wrap_signed(wrap) ? width - 1 : width)) - 1;
    return bounded_product(h, most) || bounded_size(h, most);
}

// ---- stored values ----

// With one more word on the array that o is, as if the contract had it.
static bool try_contents(hunt *h, tc_object_contract *o, const char *text) {
    tc_tvec hyps;
    copy(h, &hyps, &h->hyps);
    tc_hyps_contents(h->cx, &hyps, h->ob->goal);
    if (!proves(h, &hyps))
        return false;
    h->found = tc_fmt(h->cx->arena, "%s on '%s'", text, o->path);
    return true;
}

// Stored values up to n, as the ends of segments are, or below it.
static bool try_range(hunt *h, tc_object_contract *o, const char *text, tc_t n) {
    tc_object_contract kept = *o;
    o->has_range = true;
    o->range_lo = tc_int(h->cx->ts, 0);
    o->range_hi = tc_addc(h->cx->ts, n, 1);
    bool found = try_contents(h, o, tc_fmt(h->cx->arena, "tc_range(0, %s + 1)", text));
    o->range_hi = n;
    found = found || try_contents(h, o, tc_fmt(h->cx->arena, "tc_range(0, %s)", text));
    *o = kept;
    return found;
}

static const char *size_text(hunt *h, tc_t settled) {
    if (tc_is_const(settled))
        return tc_i128_text(h->cx->arena, settled->value);
    for (size_t i = 0; i < h->nsizes; i++)
        if (tc_settle(h->cx, h->sizes[i].term) == settled)
            return h->sizes[i].text;
    return tc_term_text(h->cx->ts, settled);
}

static bool ranged(hunt *h, tc_object_contract *o) {
    tc_cx *cx = h->cx;
    if (h->ob->contract >= 0) {
        const tc_object_contract *at = &cx->objects[h->ob->contract];
        tc_t all = tc_int(cx->ts, 1);
        for (unsigned d = 0; d < at->ndims; d++) {
            all = tc_mul(cx->ts, all, at->shape[d]);
            if (try_range(h, o, size_text(h, at->shape[d]), at->shape[d]))
                return true;
        }
        if (at->ndims > 1 && try_range(h, o, size_text(h, all), all))
            return true;
    }
    tc_t n = room(h);
    if (n && try_range(h, o, size_text(h, n), n))
        return true;
    for (size_t i = 0; i < h->nsizes; i++)
        if (!h->sizes[i].of_launch && try_range(h, o, h->sizes[i].text, tc_settle(cx, h->sizes[i].term)))
            return true;
    return false;
}

static bool is_application(void *ctx, tc_t t) {
    return t->op == TC_T_APP && t->fn == ctx;
}

static bool speaks_of(const hunt *h, const tc_fn *f) {
    if (tc_any(h->cx->ts, h->ob->goal, is_application, (void *)(uintptr_t)f))
        return true;
    for (size_t i = 0; i < h->ob->hyps.len; i++)
        if (tc_any(h->cx->ts, h->ob->hyps.data[i], is_application, (void *)(uintptr_t)f))
            return true;
    return false;
}

static bool stored(hunt *h) {
    tc_cx *cx = h->cx;
    for (size_t i = 0; i < cx->model->objects.len; i++) {
        const tc_object *m = &cx->model->objects.data[i];
        if (!m->contents || m->contract < 0 || !speaks_of(h, m->contents))
            continue;
        tc_object_contract *o = &cx->objects[m->contract];
        if (o->borrow != TC_BORROW_SHARED)
            continue;
        if (!o->has_range && ranged(h, o))
            return true;
        for (int word = 0; word < 2; word++) {
            bool *flag = word ? &o->monotone : &o->injective;
            bool race = h->ob->rule == TC_RULE_TC3001;
            if (*flag || !(race || kind_of(h->ob->rule) & (word ? BOUNDS | BLOCKS : BLOCKS)))
                continue;
            *flag = true;
            tc_solver_quick(cx->solver, false); // these are few, and take more steps than one
            bool found = try_contents(h, o, word ? "tc_monotone" : "tc_injective");
            tc_solver_quick(cx->solver, true);
            *flag = false;
            if (found)
                return true;
        }
    }
    return false;
}

// ---- variables of loops ----

static bool try_invariant(hunt *h, const tc_loop *l, tc_t v, const char *name, tc_t below, const char *text) {
    tc_terms *ts = h->cx->ts;
    tc_tvec hyps;
    copy(h, &hyps, &h->hyps);
    tc_hyps_push(h->cx, &hyps, tc_le(ts, tc_int(ts, 0), v));
    tc_hyps_push(h->cx, &hyps, tc_lt(ts, v, below));
    if (!proves(h, &hyps))
        return false;
    h->found = tc_fmt(h->cx->arena, "tc_invariant(0 <= %s && %s < %s) first in the body of the loop at line %u", name, name,
                      text, l->loc.line);
    return true;
}

static bool is_symbol(void *ctx, tc_t t) {
    return t->op == TC_T_SYM && (t->sym == ctx || t->sym->origin == ctx);
}

static bool has_symbol(const hunt *h, const tc_sym *s) {
    return tc_any(h->cx->ts, h->ob->goal, is_symbol, (void *)(uintptr_t)s);
}

// Below the extents of what is accessed, or one of the sizes.
static bool below_something(hunt *h, const tc_loop *l, tc_t v, const char *name) {
    tc_cx *cx = h->cx;
    for (unsigned d = 0; h->ob->contract >= 0 && d < cx->objects[h->ob->contract].ndims; d++) {
        tc_t n = cx->objects[h->ob->contract].shape[d];
        if (try_invariant(h, l, v, name, n, size_text(h, n)))
            return true;
    }
    tc_t n = room(h);
    if (n && try_invariant(h, l, v, name, n, size_text(h, n)))
        return true;
    for (size_t i = 0; i < h->nsizes; i++)
        if (!h->sizes[i].of_launch && try_invariant(h, l, v, name, tc_settle(cx, h->sizes[i].term), h->sizes[i].text))
            return true;
    return false;
}

static bool in_a_loop(hunt *h) {
    const tc_kmodel *m = h->cx->model;
    if (h->ob->other) // two instances: an invariant of one says little
        return false;
    for (size_t l = 0; l < m->loops.len; l++)
        for (size_t k = 0; k < m->loops.data[l].carried.len; k++) {
            const tc_sym *s = m->loops.data[l].carried.data[k].sym;
            if (s->sort == TC_INT && s->name && has_symbol(h, s) &&
                below_something(h, &m->loops.data[l], tc_settle(h->cx, tc_of_sym(h->cx->ts, s)), s->name))
                return true;
        }
    return false;
}

// ---- one obligation ----

// relation: of the launch, said with tc_requires or found in "holds if"; otherwise a whole attribute.
typedef struct family {
    bool (*search)(hunt *h);
    unsigned rules;
    bool relation;
    bool unknown_only; // a violation shows that the attribute would be a lie
} family;

static const family families[] = {
    {at_least, ANY, true, false},
    {no_overflow, OVERFLOW, true, false},
    {stored, ANY, false, false},
    {compared, ANY, true, false},
    {in_a_loop, BOUNDS | OVERFLOW | REST, false, true},
    {within_constant, BOUNDS, true, false},
    {divisible, ANY & ~OVERFLOW, true, false},
    {covered, BOUNDS, true, false},
};

static const family *search_part(hunt *h, tc_t part) {
    h->part = part;
    h->found = NULL;
    copy(h, &h->hyps, &h->ob->hyps);
    // What blocks do is told apart under the inferred preconditions anyway.
    for (size_t i = 0; h->ob->other && i < h->cx->ones.len; i++)
        tc_hyps_push(h->cx, &h->hyps, tc_settle(h->cx, h->cx->ones.data[i].term));
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (families[i].rules & kind_of(h->ob->rule) && !(families[i].unknown_only && h->ob->verdict == TC_VIOLATED) && families[i].search(h))
            return &families[i];
    return NULL;
}

static const char *hint_text(hunt *h, const char *relations, const char *attributes) {
    tc_arena *a = h->cx->arena;
    bool violated = h->ob->verdict == TC_VIOLATED;
    if (!*attributes)
        return violated ? tc_fmt(a, "holds if %s", relations) : tc_fmt(a, "tc_requires(%s) would decide it", relations);
    if (*relations)
        return violated ? tc_fmt(a, "holds if %s, with %s", relations, attributes)
                        : tc_fmt(a, "tc_requires(%s) with %s would decide it", relations, attributes);
    return violated ? tc_fmt(a, "holds with %s", attributes) : tc_fmt(a, "%s would decide it", attributes);
}

// Is s one of the parts of the list?
static bool has_part(const char *list, const char *between, const char *s, size_t n) {
    for (const char *at = list; at && *at;) {
        const char *end = strstr(at, between);
        size_t len = end ? (size_t)(end - at) : strlen(at);
        if (len == n && strncmp(at, s, n) == 0)
            return true;
        at = end ? end + strlen(between) : NULL;
    }
    return false;
}

// Adds the parts of s that are not there yet.
static void append(tc_text *t, const char *between, const char *s) {
    while (s) {
        const char *end = strstr(s, between);
        size_t n = end ? (size_t)(end - s) : strlen(s);
        if (!has_part(tc_text_str(t), between, s, n)) {
            if (t->len)
                tc_put(t, between);
            tc_putn(t, s, n);
        }
        s = end ? end + strlen(between) : NULL;
    }
}

// What is not proved of the goal, conjunct by conjunct; each needs a fact of its own.
static size_t open_parts(hunt *h, tc_t goal, tc_t *parts, size_t n) {
    if (goal->op == TC_T_AND) {
        for (uint32_t i = 0; i < goal->nargs; i++)
            n = open_parts(h, goal->args[i], parts, n);
        return n;
    }
    if (n > max_parts || tc_try(h->cx, &h->ob->hyps, goal).proved)
        return n;
    if (n < max_parts)
        parts[n] = goal;
    return n + 1;
}

static bool hint_for_all(hunt *h, const tc_t *parts, size_t n) {
    h->only_part = true;
    const family *f = search_part(h, tc_and_n(h->cx->ts, parts, n));
    if (f)
        h->ob->hint = hint_text(h, f->relation ? h->found : "", f->relation ? "" : h->found);
    return f != NULL;
}

static void hint(hunt *h) {
    tc_t parts[max_parts];
    h->left = tries_of_one;
    size_t n = open_parts(h, h->ob->goal, parts, 0);
    if (n == 0 || n > max_parts)
        return;
    find_sizes(h);
    if (hint_for_all(h, parts, n) || n == 1)
        return;
    h->left = tries_of_one;
    h->only_part = false;
    tc_text relations = {.arena = h->cx->arena}, attributes = {.arena = h->cx->arena};
    for (size_t i = 0; i < n; i++) {
        const family *f = search_part(h, parts[i]);
        if (!f)
            return;
        if (f->relation)
            append(&relations, " && ", h->found);
        else
            append(&attributes, " and ", h->found);
    }
    h->ob->hint = hint_text(h, tc_text_str(&relations), tc_text_str(&attributes));
}

// ---- what it hangs on, where no single fact decides it ----

static bool is_open_wrap(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_WRAP;
}

static bool any_term(const hunt *h, bool (*p)(void *, tc_t), void *ctx) {
    if (tc_any(h->cx->ts, h->ob->goal, p, ctx))
        return true;
    for (size_t i = 0; i < h->ob->hyps.len; i++)
        if (!is_contract_fact(h->cx, h->ob->hyps.data[i]) && tc_any(h->cx->ts, h->ob->hyps.data[i], p, ctx))
            return true;
    return false;
}

// The first TC2002 on the same value that is not proved.
static const tc_obligation *open_overflow(const hunt *h) {
    for (size_t i = 0; i < h->cx->result->obligations.len; i++) {
        const tc_obligation *ob = &h->cx->result->obligations.data[i];
        if (ob->rule == TC_RULE_TC2002 && ob != h->ob && (ob->verdict == TC_UNKNOWN || ob->verdict == TC_VIOLATED))
            return ob;
    }
    return NULL;
}

static bool has_conjunct(tc_t all, tc_t t) {
    if (all == t)
        return true;
    for (uint32_t i = 0; all->op == TC_T_AND && i < all->nargs; i++)
        if (has_conjunct(all->args[i], t))
            return true;
    return false;
}

static bool is_invariant(const hunt *h, tc_t t) {
    const tc_kmodel *m = h->cx->model;
    for (size_t l = 0; l < m->loops.len; l++)
        for (size_t i = 0; i < m->loops.data[l].invariants.len; i++) {
            const tc_invariant *v = &m->loops.data[l].invariants.data[i];
            if (v->holds && has_conjunct(tc_settle(h->cx, v->term), t))
                return true;
        }
    return false;
}

// What only an invariant speaks of has no part in what is asked.
static bool hangs_on_symbol(const hunt *h, const tc_sym *s) {
    if (has_symbol(h, s))
        return true;
    for (size_t i = 0; i < h->ob->hyps.len; i++) {
        tc_t t = h->ob->hyps.data[i];
        if (tc_any(h->cx->ts, t, is_symbol, (void *)(uintptr_t)s) && !is_contract_fact(h->cx, t) && !is_invariant(h, t))
            return true;
    }
    return false;
}

// Does a tc_invariant of the loop that was shown to hold speak of the symbol?
static bool is_declared_about(const hunt *h, const tc_loop *l, const tc_sym *s) {
    for (size_t i = 0; i < l->invariants.len; i++) {
        const tc_invariant *v = &l->invariants.data[i];
        if (v->declared && v->holds && tc_any(h->cx->ts, v->term, is_symbol, (void *)(uintptr_t)s))
            return true;
    }
    return false;
}

static const char *hangs_on_loop(const hunt *h) {
    const tc_kmodel *m = h->cx->model;
    for (size_t l = 0; l < m->loops.len; l++)
        for (size_t k = 0; k < m->loops.data[l].carried.len; k++) {
            const tc_sym *s = m->loops.data[l].carried.data[k].sym;
            if (!s->name || !hangs_on_symbol(h, s))
                continue;
            if (is_declared_about(h, &m->loops.data[l], s))
                return tc_fmt(h->cx->arena,
                              "the tc_invariant of the loop at line %u holds, and what it says of '%s' does not decide this: it takes a "
                              "stronger one, or --budget=200, which gives the solver more steps",
                              m->loops.data[l].loc.line, s->name);
            return tc_fmt(h->cx->arena,
                          "it hangs on what the loop at line %u makes of '%s': tc_invariant first in its body can say what "
                          "always holds of it",
                          m->loops.data[l].loc.line, s->name);
        }
    return NULL;
}

// Two elements are asked about, and of some pairs a tc_forall tells how they compare: of neighbours, mostly.
static bool lacks_order(const hunt *h, const tc_object *o) {
    const tc_rule r = h->ob->rule;
    if ((r != TC_RULE_TC1001 && r != TC_RULE_TC1002 && r != TC_RULE_TC3001) || o->contract < 0 || h->cx->objects[o->contract].monotone)
        return false;
    for (size_t i = 0; i < h->cx->contract->foralls.len; i++)
        if (tc_any(h->cx->ts, h->cx->contract->foralls.data[i].term, is_application, (void *)(uintptr_t)o->contents))
            return true;
    return false;
}

static const char *hangs_on_contents(const hunt *h) {
    const tc_kmodel *m = h->cx->model;
    for (size_t i = 0; i < m->objects.len; i++)
        if (m->objects.data[i].contents && speaks_of(h, m->objects.data[i].contents) && lacks_order(h, &m->objects.data[i]))
            return tc_fmt(h->cx->arena,
                          "it hangs on how any two values stored in '%s' compare: what tc_forall says of neighbours does not say it, "
                          "tc_monotone beside it does, or a tc_forall of two indices",
                          m->objects.data[i].name);
    for (size_t i = 0; i < m->objects.len; i++)
        if (m->objects.data[i].contents && speaks_of(h, m->objects.data[i].contents))
            return tc_fmt(h->cx->arena,
                          "it hangs on the values stored in '%s': tc_range, tc_injective, tc_monotone or tc_forall can say what "
                          "they keep to",
                          m->objects.data[i].name);
    return NULL;
}

static bool is_value_of_event(void *ctx, tc_t t) {
    const tc_event *e = ctx;
    return t == e->value;
}

static const char *hangs_on_load(const hunt *h) {
    const tc_kmodel *m = h->cx->model;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (e->value && e->value->op == TC_T_SYM && e->object != TC_NONE && tc_event_reads(e) &&
            (any_term(h, is_value_of_event, (void *)(uintptr_t)e) ||
             any_term(h, is_symbol, (void *)(uintptr_t)e->value->sym)))
            return tc_fmt(h->cx->arena,
                          "it hangs on what is read of '%s' at line %u: guard the access by it, or state with tc_assume what "
                          "the value keeps to",
                          tc_object_name(h->cx, e->object), e->loc.line);
    }
    return NULL;
}

// ---- counters of which nothing says what they hold at launch ----

static bool counts(const tc_event *e) {
    return e->kind == TC_EV_ATOMIC && e->object != TC_NONE && e->value && e->value->op == TC_T_SYM &&
           (e->limit || (e->added && tc_is_const(e->added) && e->added->value != 0));
}

// It speaks of what the event gives, or of what all threads of the block may have been told of it.
static bool tells_of_count(const hunt *h, const tc_event *count) {
    const tc_kmodel *m = h->cx->model;
    if (h->ob->object == count->object)
        return true;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        bool told = e->point > count->point && ((e->kind == TC_EV_READ && e->object != TC_NONE && m->objects.data[e->object].space == TC_SPACE_SHARED) ||
                                                (e->kind == TC_EV_BARRIER && e->voted));
        if ((e == count || told) && e->value && e->value->op == TC_T_SYM && any_term(h, is_symbol, (void *)(uintptr_t)e->value->sym))
            return true;
    }
    return false;
}

static const char *hangs_on_count(const hunt *h) {
    const tc_kmodel *m = h->cx->model;
    for (size_t i = 0; i < m->events.len && (h->ob->rule == TC_RULE_TC1001 || h->ob->rule == TC_RULE_TC1002); i++) {
        const tc_event *e = &m->events.data[i];
        const tc_object *o = e->object == TC_NONE ? NULL : &m->objects.data[e->object];
        if (!o || o->space != TC_SPACE_GLOBAL || !counts(e) || !tells_of_count(h, e))
            continue;
        const tc_object_contract *c = o->contract >= 0 ? &h->cx->objects[o->contract] : NULL;
        if (c && c->borrow == TC_BORROW_ATOMIC && c->has_init)
            continue;
        return tc_fmt(h->cx->arena,
                      "'%s' counts by atomics, line %u: %stc_init(V) %s, where it holds V at each launch, lets what they give say "
                      "which blocks have come",
                      tc_object_name(h->cx, e->object), e->loc.line, c && c->borrow == TC_BORROW_ATOMIC ? "" : "tc_atomic ",
                      o->value ? "at its declaration" : "on it");
    }
    return NULL;
}

static bool is_product(void *ctx, tc_t t) {
    (void)ctx;
    if (t->op == TC_T_DIV || t->op == TC_T_MOD || t->op == TC_T_TDIV || t->op == TC_T_TREM)
        return !tc_is_const(t->args[1]);
    return t->op == TC_T_MUL && t->nargs > (tc_is_const(t->args[0]) ? 2u : 1u);
}

// What is stored in memory, and may be anything: hashes, packed fields.
static const char *meant_to_wrap(const hunt *h) {
    const char *what = h->ob->rule == TC_RULE_TC2002 && h->ob->check ? h->ob->check->what : NULL;
    if (!what || !(hangs_on_contents(h) || hangs_on_load(h)))
        return NULL;
    if (strcmp(what, "narrowing") == 0)
        return "where only the low bits of what was read are meant, mask them, as in v & 255; tc_range can say what the values keep to";
    if (strncmp(what, "unsigned", 8) == 0)
        return "where it is meant to wrap, as in a hash, compute it in 64 bits and mask the result with 0xffffffffu";
    return NULL;
}

// Blocks that share by atomics what is said to be of one block each; atomics of two widths.
static const char *is_about_atomics(const tc_cx *cx, const tc_obligation *ob) {
    const tc_event *a = ob->event, *b = ob->other;
    if (!a || !b || !tc_is_atomic(a) || !tc_is_atomic(b) || a->object != b->object || a->object == TC_NONE)
        return NULL;
    const char *name = tc_object_name(cx, a->object);
    if (a->width != b->width && (ob->rule == TC_RULE_TC3001 || ob->rule == TC_RULE_TC1001 || ob->rule == TC_RULE_TC1002))
        return tc_fmt(cx->arena, "atomic operations of two widths race where they meet: one width for all of '%s'", name);
    tc_borrow borrow = cx->borrow[a->object];
    if ((ob->rule != TC_RULE_TC1001 && ob->rule != TC_RULE_TC1002) || (borrow != TC_BORROW_MUT && borrow != TC_BORROW_OUT))
        return NULL;
    return tc_fmt(cx->arena, "tc_atomic on '%s' would say that blocks share it by atomic operations; tc_mut gives each element to one block", name);
}

static const char *hangs_on(const hunt *h) {
    tc_arena *a = h->cx->arena;
    const tc_obligation *overflow = open_overflow(h);
    const char *text;
    if (h->ob->rule == TC_RULE_TC2005)
        return "give the variable a value on every path";
    if (h->ob->rule == TC_RULE_TC2003)
        return NULL; // the reason says it
    if (h->ob->rule != TC_RULE_TC2002 && overflow && any_term(h, is_open_wrap, NULL))
        return tc_fmt(a, "it hangs on an operation that may overflow: the TC2002 at line %u comes first", overflow->loc.line);
    if ((text = meant_to_wrap(h)) || (text = hangs_on_count(h)) || (text = hangs_on_loop(h)) || (text = hangs_on_contents(h)) ||
        (text = hangs_on_load(h)))
        return text;
    if ((h->ob->rule == TC_RULE_TC1001 || h->ob->rule == TC_RULE_TC1002) && h->ob->contract >= 0 &&
        h->cx->objects[h->ob->contract].region == TC_REGION_NONE)
        return tc_fmt(a, "tc_tile with tc_at or tc_owner on '%s' would say which block owns what, and make each access a "
                         "question of its own",
                      h->cx->objects[h->ob->contract].path);
    if (h->ob->rule == TC_RULE_TC2002)
        return "tc_requires can bound the sizes that it is made of, or compute it in 64 bits";
    if (any_term(h, is_product, NULL))
        return "it hangs on products or quotients of sizes: tc_requires can say how they compare, and --budget=200 gives the solver "
               "more steps";
    return "tc_requires can state what it needs of the sizes, tc_assert shows what is known on the way, and --budget=200 gives the "
           "solver more steps";
}

// ---- all of a kernel ----

static bool leans_on_open(const tc_cx *cx, const tc_obligation *ob) {
    for (size_t i = 0; i < ob->depends_on.len; i++) {
        tc_verdict v = cx->result->obligations.data[ob->depends_on.data[i]].verdict;
        if (v == TC_UNKNOWN || v == TC_VIOLATED)
            return true;
    }
    return false;
}

static bool is_wanted(const tc_cx *cx, const tc_obligation *ob) {
    if (ob->hidden || !ob->goal || tc_is_true(ob->goal) || ob->rule == TC_RULE_TC9001 || ob->hint)
        return false;
    if (ob->verdict == TC_VIOLATED)
        return !ob->example->contract_only && ob->rule != TC_RULE_TC2005;
    return ob->verdict == TC_UNKNOWN && !leans_on_open(cx, ob);
}

void tc_find_hints(tc_cx *cx) {
    tc_solver_quick(cx->solver, true);
    unsigned left = tries_in_all, done = 0;
    for (size_t i = 0; i < cx->result->obligations.len; i++) {
        tc_obligation *ob = &cx->result->obligations.data[i];
        if (!is_wanted(cx, ob))
            continue;
        hunt h = {.cx = cx, .ob = ob, .left_in_all = left};
        if (ob->verdict == TC_UNKNOWN)
            ob->hint = is_about_atomics(cx, ob);
        if (ob->hint)
            continue;
        if (ob->rule != TC_RULE_TC2005 && done++ < hinted)
            hint(&h);
        left = h.left_in_all;
        if (!ob->hint && ob->verdict == TC_UNKNOWN)
            ob->hint = hangs_on(&h);
    }
    tc_solver_quick(cx->solver, false);
}
