// The term manager: hash-consing, symbols, leaves.
#include <string.h>

#include "solver/termi.h"

enum { FIRST_SLOTS = 1024 };

tc_terms *tc_terms_new(tc_arena *a) {
    tc_terms *ts = TC_NEW(a, tc_terms);
    ts->arena = a;
    ts->nslots = FIRST_SLOTS;
    ts->slots = TC_NEW_ARRAY(a, tc_tnode *, ts->nslots);
    return ts;
}

tc_arena *tc_terms_arena(const tc_terms *ts) {
    return ts->arena;
}

// Ids, never addresses: the same hash in every run.
static uint64_t term_hash(const tc_term *t, const tc_t *args, uint32_t nargs) {
    uint64_t h = tc_hash_mix((uint64_t)t->op * 2 + (uint64_t)t->sort, nargs);
    h = tc_hash_mix(h, (uint64_t)t->value);
    h = tc_hash_mix(h, (uint64_t)((tc_u128)t->value >> 64));
    h = tc_hash_mix(h, t->sym ? t->sym->id + 1 : 0);
    h = tc_hash_mix(h, t->fn ? t->fn->id + 1 : 0);
    for (uint32_t i = 0; i < nargs; i++)
        h = tc_hash_mix(h, args[i]->id);
    return h;
}

static bool term_same(const tc_term *a, const tc_term *b, const tc_t *args, uint32_t nargs) {
    return a->op == b->op && a->sort == b->sort && a->nargs == nargs && a->value == b->value && a->sym == b->sym &&
           a->fn == b->fn && (nargs == 0 || memcmp(a->args, args, nargs * sizeof *args) == 0);
}

static void slots_grow(tc_terms *ts) {
    tc_tnode **old = ts->slots;
    size_t n = ts->nslots;
    tc_tnode **bigger = TC_NEW_ARRAY(ts->arena, tc_tnode *, n * 2);
    for (size_t i = 0; i < n; i++) {
        if (!old[i])
            continue;
        size_t k = old[i]->t.hash & (n * 2 - 1);
        while (bigger[k])
            k = (k + 1) & (n * 2 - 1);
        bigger[k] = old[i];
    }
    ts->slots = bigger;
    ts->nslots = n * 2;
}

static bool has_uninit(const tc_term *t) {
    bool found = t->sym && t->sym->kind == TC_SYM_UNINIT;
    for (uint32_t i = 0; i < t->nargs && !found; i++)
        found = t->args[i]->uninit;
    return found;
}

static bool is_traced(const tc_term *t) {
    bool found = (t->sym && t->sym->traced) || (t->op == TC_T_WRAP && tc_wrap_is_kept(t));
    for (uint32_t i = 0; i < t->nargs && !found; i++)
        found = t->args[i]->traced;
    return found;
}

static tc_variance largest_variance(const tc_term *t) {
    tc_variance v = t->sym ? t->sym->variance : TC_VAR_LAUNCH;
    if (t->fn && t->fn->variance > v)
        v = t->fn->variance;
    for (uint32_t i = 0; i < t->nargs; i++)
        if (t->args[i]->variance > v)
            v = t->args[i]->variance;
    return v;
}

static uint32_t tree_size(const tc_term *t) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < t->nargs; i++)
        n += tc_tnode_of(t->args[i])->size;
    return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

uint32_t tc_term_size(tc_t t) {
    return tc_tnode_of(t)->size;
}

tc_t tc_term_intern(tc_terms *ts, const tc_term *parts, const tc_t *args, uint32_t nargs) {
    uint64_t hash = term_hash(parts, args, nargs);
    size_t i = hash & (ts->nslots - 1);
    for (; ts->slots[i]; i = (i + 1) & (ts->nslots - 1))
        if (ts->slots[i]->t.hash == hash && term_same(&ts->slots[i]->t, parts, args, nargs))
            return &ts->slots[i]->t;
    tc_tnode *n = TC_NEW(ts->arena, tc_tnode);
    n->t = *parts;
    n->t.hash = hash;
    n->t.nargs = nargs;
    if (nargs) {
        tc_t *copy = TC_NEW_ARRAY(ts->arena, tc_t, nargs);
        memcpy(copy, args, nargs * sizeof *args);
        n->t.args = copy;
    }
    n->t.variance = largest_variance(&n->t);
    n->t.uninit = has_uninit(&n->t);
    n->t.traced = is_traced(&n->t);
    n->range = tc_range_make(ts, &n->t);
    n->size = tree_size(&n->t);
    tc_terms_meet(ts, 1 + nargs / 4); // sums of many parts cost more than they are
    if ((size_t)ts->count * 2 >= ts->nslots) {
        slots_grow(ts);
        i = hash & (ts->nslots - 1);
        while (ts->slots[i])
            i = (i + 1) & (ts->nslots - 1);
    }
    n->t.id = ts->count++;
    ts->slots[i] = n;
    return &n->t;
}

tc_t tc_term_op(tc_terms *ts, tc_op op, tc_sort sort, const tc_t *args, uint32_t nargs) {
    tc_term parts = {.op = op, .sort = sort};
    return tc_term_intern(ts, &parts, args, nargs);
}

tc_t tc_term_op2(tc_terms *ts, tc_op op, tc_sort sort, tc_t a, tc_t b) {
    tc_t args[2] = {a, b};
    return tc_term_op(ts, op, sort, args, 2);
}

tc_t tc_term_sorted2(tc_terms *ts, tc_op op, tc_sort sort, tc_t a, tc_t b) {
    return a->id <= b->id ? tc_term_op2(ts, op, sort, a, b) : tc_term_op2(ts, op, sort, b, a);
}

// ---- leaves ----

tc_sym *tc_sym_new(tc_terms *ts, const char *name, tc_sym_kind kind, tc_variance var, tc_sort sort) {
    tc_sym *s = TC_NEW(ts->arena, tc_sym);
    s->name = tc_strdup(ts->arena, name);
    s->kind = kind;
    s->variance = var;
    s->sort = sort;
    s->id = ts->nsyms++;
    return s;
}

tc_fn *tc_fn_new(tc_terms *ts, const char *name, uint32_t arity) {
    tc_fn *f = TC_NEW(ts->arena, tc_fn);
    f->name = tc_strdup(ts->arena, name);
    f->arity = arity;
    f->id = ts->nfns++;
    return f;
}

tc_t tc_int(tc_terms *ts, tc_i128 v) {
    tc_term parts = {.op = TC_T_CONST, .sort = TC_INT, .value = v};
    return tc_term_intern(ts, &parts, NULL, 0);
}

tc_t tc_bool(tc_terms *ts, bool v) {
    tc_term parts = {.op = TC_T_CONST, .sort = TC_BOOL, .value = v};
    return tc_term_intern(ts, &parts, NULL, 0);
}

tc_t tc_of_sym(tc_terms *ts, const tc_sym *s) {
    tc_term parts = {.op = TC_T_SYM, .sort = s->sort, .sym = s};
    return tc_term_intern(ts, &parts, NULL, 0);
}

tc_t tc_app(tc_terms *ts, const tc_fn *f, const tc_t *args) {
    tc_term parts = {.op = TC_T_APP, .sort = TC_INT, .fn = f};
    return tc_term_intern(ts, &parts, args, f->arity);
}

tc_interval tc_range_of(tc_terms *ts, tc_t t) {
    (void)ts;
    return tc_range_get(t);
}
