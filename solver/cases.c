// Case splits: powers of two are few, and with one of them in the place of a symbol a mask is a remainder, a shift a multiple, and a
// division by it linear.
#include "solver/solvei.h"

enum { SYMS_MAX = 8, SPAN_MAX = 1 << 13, WORK_MAX = 1 << 20 };

typedef struct found {
    tc_arena *arena;
    tc_tvec parts; // what is to become a constant
    tc_t syms[SYMS_MAX];
    unsigned n;
} found;

static void take_part(void *ctx, tc_t t) {
    found *f = ctx;
    switch (t->op) {
    case TC_T_BITAND:
    case TC_T_BITOR:
    case TC_T_BITXOR:
        tc_push(f->arena, &f->parts, t->args[0]);
        tc_push(f->arena, &f->parts, t->args[1]);
        break;
    case TC_T_DIV:
    case TC_T_MOD:
    case TC_T_TDIV:
    case TC_T_TREM:
        tc_push(f->arena, &f->parts, t->args[1]);
        break;
    case TC_T_POW2:
        tc_push(f->arena, &f->parts, t->args[0]);
        break;
    default:
        break;
    }
}

static void take_sym(void *ctx, tc_t t) {
    found *f = ctx;
    if (t->op != TC_T_SYM || t->sort != TC_INT || f->n == SYMS_MAX)
        return;
    for (unsigned i = 0; i < f->n; i++)
        if (f->syms[i] == t)
            return;
    f->syms[f->n++] = t;
}

typedef struct leaves {
    tc_t sym;
    uint64_t nodes;
    bool has, others;
} leaves;

static void meet(void *ctx, tc_t t) {
    leaves *l = ctx;
    l->nodes++;
    l->has |= t == l->sym;
    l->others |= t->op == TC_T_APP || (t->op == TC_T_SYM && t != l->sym);
}

// Those that speak of nothing else.
static size_t about(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t sym, tc_tvec *out) {
    uint64_t nodes = 1;
    for (size_t i = 0; i < nhyps; i++) {
        leaves l = {.sym = sym};
        tc_walk(ts, hyps[i], meet, &l);
        if (!l.has || l.others)
            continue;
        nodes += l.nodes;
        tc_push(scratch, out, hyps[i]);
    }
    return nodes;
}

typedef struct choice {
    const tc_sym *sym;
    tc_i128 value;
} choice;

static bool value_of(void *ctx, const tc_sym *s, tc_i128 *r) {
    const choice *c = ctx;
    *r = c->value;
    return s == c->sym;
}

// SOUND: what is left out is outside of what the hypotheses bound the symbol by, or makes one of them false by itself.
static bool values_of(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t sym, tc_interval r, tc_cases *out) {
    tc_tvec only = {0};
    if (!r.has_lo || !r.has_hi || r.hi - r.lo >= SPAN_MAX)
        return false;
    uint64_t nodes = about(ts, scratch, hyps, nhyps, sym, &only);
    if (nodes * (uint64_t)(r.hi - r.lo + 1) > WORK_MAX)
        return false;
    *out = (tc_cases){.sym = sym};
    choice c = {sym->sym, 0};
    tc_env env = {.sym = value_of, .ctx = &c};
    for (c.value = r.lo; c.value <= r.hi; c.value++) {
        bool excluded = false;
        tc_i128 v;
        for (size_t i = 0; i < only.len && !excluded; i++)
            excluded = tc_eval(ts, only.data[i], &env, &v) && v == 0;
        if (excluded)
            continue;
        if (out->n == TC_CASES_MAX)
            return false;
        out->values[out->n++] = c.value;
    }
    return true;
}

// Another instance of the same symbol has to be split as well.
static bool is_twice(const found *f, tc_t sym) {
    unsigned n = 0;
    for (unsigned i = 0; i < f->n; i++)
        n += sym->sym->origin && f->syms[i]->sym->origin == sym->sym->origin;
    return n > 1;
}

bool tc_cases_find(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal, unsigned most, tc_cases *out) {
    found f = {.arena = scratch};
    tc_walk(ts, goal, take_part, &f);
    for (size_t i = 0; i < f.parts.len; i++)
        tc_walk(ts, f.parts.data[i], take_sym, &f);
    tc_interval iv[SYMS_MAX];
    if (f.n == 0 || !tc_bounds_of(ts, scratch, hyps, nhyps, f.syms, f.n, iv))
        return false;
    bool any = false;
    for (unsigned i = 0; i < f.n; i++) {
        tc_cases c;
        if (!values_of(ts, scratch, hyps, nhyps, f.syms[i], iv[i], &c) || (any && c.n >= out->n) ||
            c.n * (is_twice(&f, c.sym) ? c.n : 1) > most)
            continue;
        *out = c;
        any = true;
    }
    return any;
}
