// What arrays hold at the launch, and over which indices a tc_forall has to be looked at.
#include "checker/embed_terms.h"

typedef struct fact_row {
    unsigned kind;
    const char *text;
    uint32_t borrow, lo, hi, first_bound, nbound, line;
    bool unbounded; // a name of it takes any value
} fact_row;

static void put_fact(tc_embed *e, fact_row f) {
    bool cannot = f.unbounded || tc_embed_cannot(e, f.lo) || tc_embed_cannot(e, f.hi);
    if (!tc_embed_row(e, TC_REC_TABLE_FACT))
        return;
    tc_embed_put32(e, TC_REC_TABLE_FACT, tc_embed_text(e, f.text));
    tc_embed_put32(e, TC_REC_TABLE_FACT, f.borrow);
    tc_embed_put32(e, TC_REC_TABLE_FACT, f.lo);
    tc_embed_put32(e, TC_REC_TABLE_FACT, f.hi);
    tc_embed_put32(e, TC_REC_TABLE_FACT, f.first_bound);
    tc_embed_put32(e, TC_REC_TABLE_FACT, f.nbound);
    tc_embed_put32(e, TC_REC_TABLE_FACT, f.line);
    tc_embed_put32(e, TC_REC_TABLE_FACT, f.kind | (cannot ? TC_REC_CONDITION_CANNOT : 0u) << 8);
}

static void put_contents(tc_embed *e, uint32_t i) {
    const tc_object_contract *o = &e->c->objects.data[i];
    fact_row f = {.borrow = e->borrows[i], .lo = TC_REC_NONE, .hi = TC_REC_NONE, .line = o->loc.line};
    if (f.borrow == TC_REC_NONE)
        return;
    if (o->injective) {
        f.kind = TC_REC_FACT_INJECTIVE;
        f.text = tc_fmt(e->arena, "the elements of '%s' are all different", o->path);
        put_fact(e, f);
    }
    if (o->monotone) {
        f.kind = TC_REC_FACT_MONOTONE;
        f.text = tc_fmt(e->arena, "the elements of '%s' never fall", o->path);
        put_fact(e, f);
    }
    if (o->has_init) {
        f.kind = TC_REC_FACT_INIT;
        f.text = tc_fmt(e->arena, "'%s' is %s", o->path, tc_term_text(e->c->terms, o->init));
        f.lo = tc_embed_term(e, o->init);
        put_fact(e, f);
    }
    if (o->has_range) {
        f.kind = TC_REC_FACT_RANGE;
        f.text = tc_fmt(e->arena, "%s <= '%s' < %s", tc_term_text(e->c->terms, o->range_lo), o->path,
                        tc_term_text(e->c->terms, o->range_hi));
        f.lo = tc_embed_term(e, o->range_lo);
        f.hi = tc_embed_term(e, o->range_hi);
        put_fact(e, f);
    }
}

// ---- tc_forall: over which values of its names it has to be looked at ----

typedef struct mention {
    const tc_sym *const *syms;
    unsigned n;
} mention;

static bool mentions(void *ctx, tc_t t) {
    const mention *m = ctx;
    for (unsigned i = 0; t->op == TC_T_SYM && i < m->n; i++)
        if (t->sym == m->syms[i])
            return true;
    return false;
}

typedef struct limits {
    tc_t lo, hi; // lo <= name < hi; NULL: none
} limits;

// `member` is a part of a disjunction: where it holds, so does the whole. Where it does not, a <= b is false, a - b >= 1, which bounds
// a name that has the coefficient 1 or -1 there by what speaks of earlier names only.
static void limit_by(tc_terms *ts, const tc_forall_fact *f, unsigned which, tc_t member, limits *x) {
    tc_t a, b, name = tc_of_sym(ts, f->bound[which]);
    if (member->op == TC_T_LE) {
        a = member->args[0];
        b = member->args[1];
    } else if (member->op == TC_T_NOT && member->args[0]->op == TC_T_LE) { // a > b does not hold: b - a >= 0
        a = tc_addc(ts, member->args[0]->args[1], 1);
        b = member->args[0]->args[0];
    } else
        return;
    tc_t difference = tc_sub(ts, a, b); // >= 1
    mention later = {&f->bound[which], f->nbound - which};
    tc_t below = tc_sub(ts, difference, name), above = tc_add(ts, difference, name);
    if (!tc_any(ts, below, mentions, &later)) { // name + below >= 1
        tc_t lo = tc_addc(ts, tc_neg(ts, below), 1);
        x->lo = x->lo ? tc_max(ts, x->lo, lo) : lo;
    } else if (!tc_any(ts, above, mentions, &later)) // above - name >= 1
        x->hi = x->hi ? tc_min(ts, x->hi, above) : above;
}

static limits limits_of(tc_embed *e, const tc_forall_fact *f, unsigned which) {
    limits x = {0};
    tc_terms *ts = e->c->terms;
    if (f->term->op == TC_T_OR)
        for (uint32_t i = 0; i < f->term->nargs; i++)
            limit_by(ts, f, which, f->term->args[i], &x);
    else
        limit_by(ts, f, which, f->term, &x);
    return x;
}

static void put_forall(tc_embed *e, const tc_forall_fact *f) {
    fact_row r = {.kind = TC_REC_FACT_FORALL, .text = f->text, .borrow = TC_REC_NONE, .hi = TC_REC_NONE, .line = f->loc.line};
    e->bound = f->bound;
    e->nbound = f->nbound;
    r.first_bound = e->counts[TC_REC_TABLE_BOUND];
    r.nbound = f->nbound;
    r.lo = tc_embed_term(e, f->term);
    for (unsigned i = 0; i < f->nbound; i++) {
        limits x = limits_of(e, f, i);
        uint32_t lo = x.lo ? tc_embed_term(e, x.lo) : TC_REC_NONE, hi = x.hi ? tc_embed_term(e, x.hi) : TC_REC_NONE;
        r.unbounded |= lo == TC_REC_NONE || hi == TC_REC_NONE || tc_embed_cannot(e, lo) || tc_embed_cannot(e, hi);
        tc_embed_put32(e, TC_REC_TABLE_BOUND, tc_embed_text(e, f->bound[i]->name));
        tc_embed_put32(e, TC_REC_TABLE_BOUND, lo);
        tc_embed_put32(e, TC_REC_TABLE_BOUND, hi);
        e->counts[TC_REC_TABLE_BOUND]++;
    }
    put_fact(e, r);
    e->nbound = 0;
}

void tc_embed_facts(tc_embed *e) {
    const tc_contract *c = e->c;
    for (uint32_t i = 0; i < c->objects.len; i++)
        put_contents(e, i);
    for (size_t i = 0; i < c->foralls.len; i++) {
        bool room = e->counts[TC_REC_TABLE_BOUND] + TC_REC_MAX_BOUND <= TC_REC_MAX_ROWS;
        e->partial |= !room;
        if (room)
            put_forall(e, &c->foralls.data[i]);
    }
}
