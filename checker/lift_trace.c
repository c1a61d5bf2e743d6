// What an operation was made of, and its result does not show: `x & 240 & 7` is 0 whatever x is, and `x - x`, and `x % 1 < 4` is true.
//
// TC2002 asks about the operations that the terms of addresses and guards are made of (rule_arith.c). Where a term loses one, a symbol
// takes its place: it is 0, or true, and the model says what it stands for. The rules put the constant in its place (hyps.c).
//
// SOUND: the symbol's value is the constant, in every execution, so a term with it has the value that it had without.
#include "checker/lift.h"

void tc_trace_reading(tc_lift *L, tc_t node) { tc_push(L->arena, &L->readings_made, node); }

typedef struct tc_search {
    tc_lift *L;
    const tc_val *result;
    tc_map seen;
    tc_t lost; // the sum of what is lost; NULL: nothing
} tc_search;

static bool is_leaf(tc_t t) { return t->op == TC_T_SYM || (t->op == TC_T_WRAP && tc_wrap_is_kept(t)); }

static bool is_near(tc_t t, tc_t part, unsigned depth) {
    if (t == part)
        return true;
    for (uint32_t i = 0; depth > 0 && t->traced && i < t->nargs; i++)
        if (is_near(t->args[i], part, depth - 1))
            return true;
    return false;
}

static bool is_part(void *ctx, tc_t t) { return t == ctx; }

// Most parts are met near the top; for the last of them all of the term is walked through.
static bool shows(tc_lift *L, tc_t t, tc_t part) {
    enum { NEAR = 4 };
    return t != NULL && t->traced && (is_near(t, part, NEAR) || (is_leaf(part) && tc_any(L->ts, t, is_part, (void *)(uintptr_t)part)));
}

static bool value_shows(tc_lift *L, const tc_val *v, tc_t part) {
    bool found = v->kind == TC_V_INT && shows(L, v->term, part);
    for (size_t i = 0; i < v->nalts && !found; i++)
        found = shows(L, v->alts[i].offset, part) || shows(L, v->alts[i].cond, part);
    for (size_t i = 0; i < v->nelems && !found; i++)
        found = value_shows(L, v->elems[i], part);
    return found;
}

static void search(tc_search *s, tc_t t) {
    if (t == NULL || !t->traced || tc_map_has(&s->seen, TC_KEY(t)) || value_shows(s->L, s->result, t))
        return;
    tc_map_put(s->L->arena, &s->seen, TC_KEY(t), s);
    if (is_leaf(t))
        s->lost = s->lost == NULL ? t : tc_add(s->L->ts, s->lost, t);
    for (uint32_t i = 0; i < t->nargs && !is_leaf(t); i++)
        search(s, t->args[i]);
}

static void search_value(tc_search *s, const tc_val *v) {
    if (v->kind == TC_V_INT)
        search(s, v->term);
    for (size_t i = 0; i < v->nalts; i++)
        search(s, v->alts[i].offset);
    for (size_t i = 0; i < v->nelems; i++)
        search_value(s, v->elems[i]);
}

// Passes over a loop lose the same thing again.
static void note(tc_lift *L, const tc_sym *s, tc_t lost) {
    for (size_t i = L->m->lost.len; i-- > 0 && i + 16 >= L->m->lost.len;)
        if (L->m->lost.data[i].sym == s && L->m->lost.data[i].entry == lost)
            return;
    tc_push(L->arena, &L->m->lost, ((tc_carried){s, lost, NULL}));
}

// The symbol that stands for what the current instruction lost.
static tc_t stand_in(tc_lift *L, tc_sort sort, tc_t lost) {
    bool fresh;
    tc_sym *s = tc_lift_sym(L, sort == TC_BOOL ? "true" : "zero", TC_SYM_UNKNOWN, sort, 0x105f, &fresh);
    if (fresh && sort == TC_INT)
        s->has_lo = s->has_hi = true;
    s->traced = true;
    note(L, s, lost);
    return tc_of_sym(L->ts, s);
}

static tc_t with_lost(tc_lift *L, tc_t t, tc_t lost) {
    if (t->sort == TC_INT)
        return tc_add(L->ts, t, stand_in(L, TC_INT, lost));
    tc_t s = stand_in(L, TC_BOOL, lost);
    return tc_is_false(t) ? tc_not(L->ts, s) : tc_and(L->ts, t, s);
}

static const tc_val *value_with_lost(tc_lift *L, const tc_val *v, tc_t lost) {
    tc_val *r = TC_NEW(L->arena, tc_val);
    *r = *v;
    r->serial = ++L->serial;
    if (v->kind == TC_V_INT)
        r->term = with_lost(L, v->term, lost);
    tc_alt *alts = TC_NEW_ARRAY(L->arena, tc_alt, v->nalts + 1);
    for (size_t i = 0; i < v->nalts; i++) {
        alts[i] = v->alts[i];
        alts[i].offset = with_lost(L, alts[i].offset, lost);
    }
    const tc_val **elems = TC_NEW_ARRAY(L->arena, const tc_val *, v->nelems + 1);
    for (size_t i = 0; i < v->nelems; i++)
        elems[i] = value_with_lost(L, v->elems[i], lost);
    r->alts = alts;
    r->elems = elems;
    return r;
}

const tc_val *tc_lift_traced(tc_lift *L, const tc_val *r, const tc_val *const *args, size_t n) {
    tc_search s = {L, r, {0}, NULL};
    tc_tvec made = L->readings_made;
    L->readings_made = (tc_tvec){0};
    if (L->pure || (r->kind != TC_V_INT && r->kind != TC_V_PTR && r->kind != TC_V_AGG))
        return r;
    for (size_t i = 0; i < n; i++)
        search_value(&s, args[i]);
    for (size_t i = 0; i < made.len; i++)
        search(&s, made.data[i]);
    return s.lost == NULL ? r : value_with_lost(L, r, s.lost);
}
