// Candidate invariants of a loop: what tc_invariant says, and guesses from a small family. Nothing here needs to be right:
// what is not shown to hold on entry and to be kept by an iteration is dropped (invariants.c).
//
//   0 <= x, x <= x0, x0 <= x,
//   x <= x0 + k, x0 + k <= x                 for a variable x without a closed form, of first value x0
//   x <= e, e <= x                           where the loop compares x, or what x is set to, with e
//   x < m                                    where x is set to a remainder by m
//   x * size + size <= bytes                 where the loop touches an object at what x is set to
//   x <= y                                   for two of them
//   x == x0 + k * step || !c                  where x is moved by a step only if c
//   a * x + b * y + c * z == its first value where every way through the body keeps it
//   min(x0, y0) <= x <= max(x0, y0)          where one takes the other's value; x + y == x0 + y0 where they are swapped
//   x + y <= x0 + y0                         where one depends on the other
//   a <= b, b <= a                           where the loop goes on while a != b
//   (x & (x - 1)) == 0                       where x is doubled or halved, and masks or divisors are made of it
#include "checker/lift.h"

enum {
    MAX_PAIRED = 4,
    MAX_LIMITS = 6,   // a variable
    MAX_ATOMS = 32,   // a loop
    MAX_LEAVES = 6,   // values that a variable may be set to
    MAX_INSIDE = 16,  // taken over from an inner loop
    MAX_CHOICES = 5,  // conditions told apart by the ways through the body
    MAX_WAYS = 16,
    MAX_RELATED = 5,  // variables of equalities
    MAX_DELTA = 1 << 20
};

typedef struct tc_steps {
    tc_map entry, step; // what the header's symbols are on entry, and after an iteration
} tc_steps;

typedef struct tc_guess {
    tc_lift *L;
    tc_loop_ctx *c;
    const tc_vars *vars;
    tc_steps steps;
    const tc_flow *entry, *back;
    tc_loc loc;
    tc_map own;    // the header's symbols that an invariant may speak of: the counter, variables without a closed form
    tc_tvec atoms; // comparisons that the body makes
} tc_guess;

// ---- one candidate ----

// A variable whose header's value is an unknown integer.
static bool is_unknown(const tc_var *v) {
    return v->form == TC_F_UNKNOWN && v->sym != NULL && v->header != NULL && v->header->kind == TC_V_INT &&
           v->back != NULL && v->back->kind == TC_V_INT && v->back->width > 1;
}

static void make_steps(tc_guess *g) {
    tc_lift *L = g->L;
    tc_steps *s = &g->steps;
    tc_map_put(L->arena, &s->entry, TC_KEY(g->c->k), (void *)(uintptr_t)tc_int(L->ts, 0));
    tc_map_put(L->arena, &s->step, TC_KEY(g->c->k), (void *)(uintptr_t)tc_addc(L->ts, g->c->k, 1));
    tc_map_put(L->arena, &g->own, TC_KEY(g->c->counter), g);
    for (size_t i = 0; i < g->vars->len; i++) {
        const tc_var *v = &g->vars->data[i];
        if (v->back == NULL || v->back->kind != TC_V_INT || v->header == NULL || v->header->kind != TC_V_INT)
            continue;
        if (v->form == TC_F_UNKNOWN) {
            tc_t e = tc_var_entry_term(L, v), b = tc_var_back_term(L, v);
            if (e == NULL || b == NULL)
                continue;
            tc_map_put(L->arena, &s->entry, TC_KEY(tc_of_sym(L->ts, v->sym)), (void *)(uintptr_t)e);
            tc_map_put(L->arena, &s->step, TC_KEY(tc_of_sym(L->ts, v->sym)), (void *)(uintptr_t)b);
            if (tc_is_false(v->header->undef))
                tc_map_put(L->arena, &g->own, TC_KEY(v->sym), g);
        } else if (v->form == TC_F_AFFINE && v->back->width > 1) {
            // The next reading is the increment's result, which has its own check.
            tc_t node = tc_wrap_kept(L->ts, v->header->term, v->back->width, true);
            if (node->op == TC_T_WRAP)
                tc_map_put(L->arena, &s->step, TC_KEY(node),
                           (void *)(uintptr_t)tc_wrap(L->ts, v->back->term, v->back->width, true));
        }
    }
}

static void add_invariant(tc_guess *g, tc_t term, bool declared, tc_loc loc) {
    tc_lift *L = g->L;
    tc_loop *loop = &L->m->loops.data[g->c->record];
    if (!declared && tc_is_true(term))
        return;
    for (size_t i = 0; i < loop->invariants.len; i++)
        if (loop->invariants.data[i].term == term && !declared)
            return;
    tc_invariant v = {.term = term, .declared = declared, .loc = loc};
    v.entry_guard = g->entry->guard;
    v.entry_cond = tc_subst(L->ts, term, &g->steps.entry);
    v.step_guard = tc_and(L->ts, g->back->guard, term);
    v.step_cond = tc_subst(L->ts, term, &g->steps.step);
    if (!declared && (tc_is_false(v.entry_cond) || tc_is_false(v.step_cond) || tc_is_false(v.step_guard)))
        return;
    tc_t terms[] = {v.entry_cond, v.step_cond};
    v.entry_guard = tc_record_guard(L, v.entry_guard, terms, 1);
    v.step_guard = tc_record_guard(L, v.step_guard, terms + 1, 1);
    tc_push(L->arena, &loop->invariants, v);
}

static void guess(tc_guess *g, tc_t term) { add_invariant(g, term, false, g->loc); }

static bool is_other(void *ctx, tc_t t) {
    const tc_guess *g = ctx;
    return t->op == TC_T_SYM && !tc_map_has(&g->own, TC_KEY(t->sym)) && tc_lift_born_in(g->L, t->sym, g->c->node);
}

// Does it speak of nothing else in the loop than the header's symbols?
static bool is_about_header(tc_guess *g, tc_t t) { return !tc_any(g->L->ts, t, is_other, g); }

static bool is_same(void *ctx, tc_t t) { return t == ctx; }

static bool mentions(tc_lift *L, tc_t t, tc_t part) { return tc_any(L->ts, t, is_same, (void *)(uintptr_t)part); }

// ---- what the loop compares ----

static void collect_atom(void *ctx, tc_t t) {
    tc_guess *g = ctx;
    if ((t->op != TC_T_LE && t->op != TC_T_EQ) || g->atoms.len >= MAX_ATOMS)
        return;
    for (size_t i = 0; i < g->atoms.len; i++)
        if (g->atoms.data[i] == t)
            return;
    tc_push(g->L->arena, &g->atoms, t);
}

static void collect_atoms(tc_guess *g) {
    tc_lift *L = g->L;
    const tc_loop *loop = &L->m->loops.data[g->c->record];
    for (size_t i = 0; i < g->vars->len; i++)
        if (is_unknown(&g->vars->data[i]))
            tc_walk(L->ts, g->vars->data[i].back->term, collect_atom, g);
    tc_walk(L->ts, g->c->goes_on, collect_atom, g);
    for (size_t i = 0; i < L->m->branches.len; i++)
        if (L->m->branches.data[i].point > loop->first)
            tc_walk(L->ts, L->m->branches.data[i].value, collect_atom, g);
}

static void inner_counter(void *ctx, tc_t t) {
    struct {
        tc_guess *g;
        tc_map zero;
    } *z = ctx;
    if (t->op == TC_T_SYM && t->sym->kind == TC_SYM_COUNTER && is_other(z->g, t))
        tc_map_put(z->g->L->arena, &z->zero, TC_KEY(t), (void *)(uintptr_t)tc_int(z->g->L->ts, 0));
}

// a - b of a comparison, wraps left out, where each inner loop starts.
static tc_t difference(tc_guess *g, tc_t atom, unsigned width) {
    struct {
        tc_guess *g;
        tc_map zero;
    } z = {g, {0}};
    tc_t d = tc_lift_unwrapped(g->L, tc_sub(g->L->ts, atom->args[0], atom->args[1]), width);
    tc_walk(g->L->ts, d, inner_counter, &z);
    return z.zero.len == 0 ? d : tc_subst(g->L->ts, d, &z.zero);
}

// The e of x <= e or e <= x that a comparison of x makes; NULL: it is of another kind.
static tc_t limit_of(tc_guess *g, tc_t atom, tc_t x, tc_t varying, unsigned width) {
    tc_lift *L = g->L;
    tc_t d = difference(g, atom, width);
    tc_t up = tc_sub(L->ts, d, x), down = tc_add(L->ts, d, x);
    tc_t e = !mentions(L, up, varying) ? tc_neg(L->ts, up) : !mentions(L, down, varying) ? down : NULL;
    return e != NULL && is_about_header(g, e) ? e : NULL;
}

static void guess_limit(tc_guess *g, tc_t h, tc_t e, bool inclusive) {
    tc_terms *ts = g->L->ts;
    guess(g, tc_le(ts, h, e));
    guess(g, tc_le(ts, e, h));
    if (inclusive)
        return;
    guess(g, tc_le(ts, h, tc_addc(ts, e, 1)));
    guess(g, tc_lt(ts, e, h));
}

typedef struct tc_leaves {
    tc_t at[MAX_LEAVES];
    unsigned n;
} tc_leaves;

// What the variable may be set to.
static void collect_leaves(tc_lift *L, tc_t t, tc_leaves *out) {
    if (t->op == TC_T_ITE) {
        collect_leaves(L, t->args[1], out);
        collect_leaves(L, t->args[2], out);
    } else if (out->n < MAX_LEAVES) {
        out->at[out->n++] = t;
    }
}

// x = i where i < e, x = 2 * x + 1 where that is compared with e: what the body says of the new value.
static void guess_new_value(tc_guess *g, const tc_var *v, tc_t h, tc_t leaf) {
    tc_lift *L = g->L;
    if ((leaf->op == TC_T_MOD || leaf->op == TC_T_TREM) && is_about_header(g, leaf->args[1]))
        guess(g, tc_lt(L->ts, h, leaf->args[1]));
    for (size_t a = 0; a < g->atoms.len; a++) {
        tc_t x = g->atoms.data[a];
        tc_t d = difference(g, x, v->back->width);
        tc_t up = tc_sub(L->ts, d, leaf), down = tc_add(L->ts, d, leaf);
        if (!tc_lift_varies_in(L, up, g->c->node))
            guess_limit(g, h, tc_neg(L->ts, up), true);
        else if (!tc_lift_varies_in(L, down, g->c->node))
            guess_limit(g, h, down, true);
    }
}

// The body touches memory at the new value: it stays inside of that object, perhaps.
static void guess_index(tc_guess *g, tc_t h, tc_t leaf) {
    tc_lift *L = g->L;
    const tc_loop *loop = &L->m->loops.data[g->c->record];
    unsigned n = 0;
    for (size_t i = 0; i < L->m->events.len && n < MAX_LIMITS; i++) {
        const tc_event *e = &L->m->events.data[i];
        if (e->point < loop->first || e->object == TC_NONE || !tc_is_const(e->width))
            continue;
        tc_t size = L->m->objects.data[e->object].size, d = tc_lift_unwrapped(L, e->offset, 32);
        tc_t rest = tc_sub(L->ts, d, tc_mul(L->ts, e->width, leaf));
        if (size == NULL || !tc_is_const(rest) || tc_lift_varies_in(L, size, g->c->node))
            continue;
        tc_t end = tc_add(L->ts, tc_add(L->ts, tc_mul(L->ts, e->width, h), rest), e->width);
        guess(g, tc_le(L->ts, end, size));
        n++;
    }
}

// What is guessed of an inner loop's variable that the new value is.
static void guess_as_inside(tc_guess *g, tc_t h, tc_t leaf) {
    tc_lift *L = g->L;
    uint32_t first = L->m->loops.data[g->c->record].first;
    tc_map map = {0};
    unsigned n = 0;
    tc_map_put(L->arena, &map, TC_KEY(leaf), (void *)(uintptr_t)h);
    for (size_t l = 0; l < L->m->loops.len; l++)
        for (size_t i = 0; L->m->loops.data[l].first > first && i < L->m->loops.data[l].invariants.len; i++) {
            tc_t t = L->m->loops.data[l].invariants.data[i].term;
            tc_t moved = mentions(L, t, leaf) ? tc_subst(L->ts, t, &map) : t;
            if (moved != t && is_about_header(g, moved) && n++ < MAX_INSIDE)
                guess(g, moved);
        }
}

static void guess_limits(tc_guess *g, const tc_var *v, tc_t h) {
    unsigned n = 0;
    tc_leaves leaves = {.n = 0};
    for (size_t a = 0; a < g->atoms.len && n < MAX_LIMITS; a++) {
        tc_t x = g->atoms.data[a];
        tc_t e = limit_of(g, x, h, h, v->back->width);
        if (e != NULL) {
            guess_limit(g, h, e, x->op == TC_T_EQ);
            n++;
        }
    }
    collect_leaves(g->L, tc_lift_unwrapped(g->L, v->back->term, v->back->width), &leaves);
    for (unsigned i = 0; i < leaves.n; i++) {
        if (leaves.at[i] == h || tc_is_const(leaves.at[i]))
            continue;
        guess_new_value(g, v, h, leaves.at[i]);
        guess_index(g, h, leaves.at[i]);
        if (leaves.at[i]->op == TC_T_SYM && !tc_map_has(&g->own, TC_KEY(leaves.at[i]->sym)))
            guess_as_inside(g, h, leaves.at[i]);
    }
}

static tc_t first_value(tc_guess *g, tc_t h) { return tc_subst(g->L->ts, h, &g->steps.entry); }

// x += step only where c, which does not come back once it is false: x has gone all the way, or has stopped for good.
static void guess_stopped(tc_guess *g, const tc_var *v, tc_t h) {
    tc_terms *ts = g->L->ts;
    tc_t next = tc_lift_unwrapped(g->L, v->back->term, v->back->width);
    if (next->op != TC_T_ITE || (next->args[1] != h) == (next->args[2] != h) || !is_about_header(g, next->args[0]))
        return;
    const bool then = next->args[2] == h;
    tc_t moves = then ? next->args[0] : tc_not(ts, next->args[0]), step = tc_sub(ts, next->args[then ? 1 : 2], h);
    if (tc_lift_varies_in(g->L, step, g->c->node))
        return;
    tc_t straight = tc_add(ts, first_value(g, h), tc_mul(ts, g->c->k, step));
    guess(g, tc_or(ts, tc_eq(ts, h, straight), tc_not(ts, moves)));
}

// ---- variables that take each other's values ----

static tc_t step_of(tc_guess *g, const tc_var *v) {
    return tc_sub(g->L->ts, tc_lift_unwrapped(g->L, v->back->term, v->back->width), tc_of_sym(g->L->ts, v->sym));
}

// Both lie between the least and the largest of their first values; a swap keeps their sum.
static void guess_swap(tc_guess *g, const tc_var *a, const tc_var *b) {
    tc_terms *ts = g->L->ts;
    tc_t x = tc_of_sym(ts, a->sym), y = tc_of_sym(ts, b->sym);
    bool xy = mentions(g->L, a->back->term, y), yx = mentions(g->L, b->back->term, x);
    if (!xy && !yx)
        return;
    tc_t x0 = first_value(g, x), y0 = first_value(g, y), both[] = {x, y};
    guess(g, tc_le(ts, tc_add(ts, x, y), tc_add(ts, x0, y0)));
    for (int i = 0; i < 2; i++) {
        guess(g, tc_le(ts, both[i], tc_max(ts, x0, y0)));
        guess(g, tc_le(ts, tc_min(ts, x0, y0), both[i]));
    }
    tc_t sum = tc_add(ts, step_of(g, a), step_of(g, b));
    if (tc_is_const(sum) && sum->value == 0)
        guess(g, tc_eq(ts, tc_add(ts, x, y), tc_add(ts, x0, y0)));
}

static void guess_swaps(tc_guess *g) {
    TC_VEC(const tc_var *) seen = {0};
    for (size_t i = 0; i < g->vars->len && seen.len < MAX_PAIRED; i++) {
        const tc_var *v = &g->vars->data[i];
        if (!is_unknown(v) || !tc_map_has(&g->own, TC_KEY(v->sym)))
            continue;
        for (size_t k = 0; k < seen.len; k++)
            guess_swap(g, seen.data[k], v);
        tc_push(g->L->arena, &seen, v);
    }
}

// ---- going on while two things differ ----

// A stored value that is another one in each iteration.
static bool is_content(void *ctx, tc_t t) {
    const tc_guess *g = ctx;
    return t->op == TC_T_APP && tc_lift_varies_in(g->L, t, g->c->node);
}

static void guess_unequal(tc_guess *g) {
    tc_lift *L = g->L;
    tc_t on = g->c->goes_on;
    size_t n = on->op == TC_T_AND ? on->nargs : 1;
    for (size_t i = 0; i < n; i++) {
        tc_t x = on->op == TC_T_AND ? on->args[i] : on;
        if (x->op != TC_T_NOT || x->args[0]->op != TC_T_EQ)
            continue;
        tc_t d = difference(g, x->args[0], 32);
        if (!is_about_header(g, d) || tc_any(L->ts, d, is_content, g))
            continue;
        guess(g, tc_le(L->ts, d, tc_int(L->ts, 0)));
        guess(g, tc_le(L->ts, tc_int(L->ts, 0), d));
    }
}

// What is read to go on is in range: said for those who speak of the value and read nothing, also after the loop.
static void guess_ranges(tc_guess *g) {
    for (size_t i = 0; i < g->c->readings.len; i++)
        guess(g, g->c->readings.data[i].in_range);
}

// ---- equalities ----

typedef struct tc_ways {
    tc_guess *g;
    tc_t x[MAX_RELATED];           // variables, as terms over the header's symbols
    tc_i128 by[MAX_WAYS][MAX_RELATED]; // what each way through the body adds
    unsigned n, ways;
    bool failed;
} tc_ways;

static bool is_choice(void *ctx, tc_t t) {
    tc_t *found = ctx;
    if (t->op == TC_T_ITE && t->sort == TC_INT)
        *found = t;
    return *found != NULL;
}

static void follow(tc_ways *w, const tc_t *by, unsigned depth) {
    tc_lift *L = w->g->L;
    tc_t choice = NULL;
    for (unsigned i = 0; i < w->n && choice == NULL; i++)
        tc_any(L->ts, by[i], is_choice, &choice);
    if (choice != NULL && depth < MAX_CHOICES) {
        for (int side = 0; side < 2 && !w->failed; side++) {
            tc_map map = {0};
            tc_t next[MAX_RELATED];
            tc_map_put(L->arena, &map, TC_KEY(choice->args[0]), (void *)(uintptr_t)(side ? L->ff : L->tt));
            for (unsigned i = 0; i < w->n; i++)
                next[i] = tc_subst(L->ts, by[i], &map);
            follow(w, next, depth + 1);
        }
        return;
    }
    w->failed |= w->ways == MAX_WAYS;
    for (unsigned i = 0; i < w->n && !w->failed; i++) {
        w->failed |= !tc_is_const(by[i]) || by[i]->value > MAX_DELTA || by[i]->value < -MAX_DELTA;
        if (!w->failed)
            w->by[w->ways][i] = by[i]->value;
    }
    w->ways++;
}

static bool is_kept(const tc_ways *w, const tc_i128 *coef) {
    for (unsigned way = 0; way < w->ways; way++) {
        tc_i128 sum = 0;
        for (unsigned i = 0; i < w->n; i++)
            sum += coef[i] * w->by[way][i];
        if (sum != 0)
            return false;
    }
    return true;
}

static void guess_equality(tc_ways *w, const tc_i128 *coef) {
    tc_lift *L = w->g->L;
    if (!is_kept(w, coef))
        return;
    tc_t sum = tc_int(L->ts, 0);
    for (unsigned i = 0; i < w->n; i++)
        sum = tc_add(L->ts, sum, tc_mulc(L->ts, w->x[i], coef[i]));
    guess(w->g, tc_eq(L->ts, sum, first_value(w->g, sum)));
}

// Pairs in the ratio of their steps, triples of coefficients 1 and -1.
static void guess_equalities_of(tc_ways *w) {
    for (unsigned i = 0; i < w->n; i++)
        for (unsigned j = i + 1; j < w->n; j++) {
            tc_i128 a = 0, b = 0;
            for (unsigned way = 0; way < w->ways && a == 0 && b == 0; way++) {
                a = w->by[way][j];
                b = -w->by[way][i];
            }
            tc_i128 pair[MAX_RELATED] = {0};
            pair[i] = a;
            pair[j] = b;
            if (a != 0 || b != 0)
                guess_equality(w, pair);
            for (unsigned k = j + 1; k < w->n; k++)
                for (int signs = 0; signs < 4; signs++) {
                    tc_i128 triple[MAX_RELATED] = {0};
                    triple[i] = 1;
                    triple[j] = signs & 1 ? -1 : 1;
                    triple[k] = signs & 2 ? -1 : 1;
                    guess_equality(w, triple);
                }
        }
}

static void guess_equalities(tc_guess *g) {
    tc_lift *L = g->L;
    tc_ways w = {.g = g};
    tc_t by[MAX_RELATED];
    w.x[0] = g->c->k;
    by[0] = tc_int(L->ts, 1);
    w.n = 1;
    for (size_t i = 0; i < g->vars->len && w.n < MAX_RELATED; i++) {
        const tc_var *v = &g->vars->data[i];
        if (!is_unknown(v) || !tc_map_has(&g->own, TC_KEY(v->sym)))
            continue;
        tc_ways one = {.g = g, .n = 1};
        tc_t h = tc_of_sym(L->ts, v->sym);
        tc_t d = step_of(g, v);
        follow(&one, &d, 0);
        if (one.failed)
            continue;
        w.x[w.n] = h;
        by[w.n++] = d;
    }
    if (w.n < 3)
        return; // of the counter and one more there is none: that one would have a closed form
    follow(&w, by, 0);
    if (!w.failed)
        guess_equalities_of(&w);
}

// ---- powers of two ----

static bool is_power(tc_t t) { return tc_is_const(t) && t->value > 0 && (t->value & (t->value - 1)) == 0; }

// Doubled or halved, once or several times.
static bool is_moved(tc_t t, tc_t x) {
    if (t->op == TC_T_MUL)
        return t->nargs == 2 && t->args[1] == x && is_power(t->args[0]);
    return (t->op == TC_T_DIV || t->op == TC_T_TDIV) && t->args[0] == x && is_power(t->args[1]);
}

// Perhaps one: a constant, or made of a variable of a loop around or of a size.
static bool may_be_power(tc_t t) {
    if ((t->op == TC_T_DIV || t->op == TC_T_TDIV) && is_power(t->args[1]))
        return may_be_power(t->args[0]);
    if (t->op == TC_T_MUL && t->nargs == 2 && is_power(t->args[0]))
        return may_be_power(t->args[1]);
    return is_power(t) || t->op == TC_T_POW2 || t->op == TC_T_SYM;
}

typedef struct tc_masked {
    tc_lift *L;
    tc_t x;
} tc_masked;

static bool is_made_of(void *ctx, tc_t t) {
    const tc_masked *m = ctx;
    switch (t->op) {
    case TC_T_BITAND:
    case TC_T_BITOR:
    case TC_T_BITXOR:
        return mentions(m->L, t, m->x);
    case TC_T_DIV:
    case TC_T_MOD:
    case TC_T_TDIV:
    case TC_T_TREM:
        return mentions(m->L, t->args[1], m->x);
    default:
        return false;
    }
}

// Does an address in the loop, or a condition of it, hang on bits of the variable, or on what it divides? Or what is guessed of an inner
// loop that starts with it.
static bool is_masked(tc_guess *g, tc_t h) {
    tc_lift *L = g->L;
    tc_masked m = {L, h};
    uint32_t first = L->m->loops.data[g->c->record].first;
    for (size_t i = 0; i < L->m->events.len; i++) {
        const tc_event *e = &L->m->events.data[i];
        if (e->point > first && (tc_any(L->ts, e->offset, is_made_of, &m) || tc_any(L->ts, e->guard, is_made_of, &m)))
            return true;
    }
    for (size_t l = 0; l < L->m->loops.len; l++)
        for (size_t i = 0; L->m->loops.data[l].first > first && i < L->m->loops.data[l].invariants.len; i++)
            if (tc_any(L->ts, L->m->loops.data[l].invariants.data[i].entry_cond, is_made_of, &m))
                return true;
    return false;
}

static void guess_power(tc_guess *g, const tc_var *v, tc_t h, tc_t x0) {
    tc_terms *ts = g->L->ts;
    unsigned w = v->back->width;
    if (is_moved(tc_lift_unwrapped(g->L, v->back->term, w), h) && may_be_power(tc_lift_unwrapped(g->L, x0, w)) && is_masked(g, h))
        guess(g, tc_eq(ts, tc_bitop(ts, TC_T_BITAND, h, tc_addc(ts, h, -1)), tc_int(ts, 0)));
}

// ---- all of them ----

static void guess_invariants(tc_guess *g) {
    tc_lift *L = g->L;
    tc_terms *ts = L->ts;
    tc_tvec syms = {0};
    collect_atoms(g);
    for (size_t i = 0; i < g->vars->len; i++) {
        const tc_var *v = &g->vars->data[i];
        tc_t x0 = v->form == TC_F_UNKNOWN && v->header != NULL && v->header->kind == TC_V_INT ? tc_var_entry_term(L, v) : NULL;
        if (x0 == NULL || !tc_is_false(v->header->undef))
            continue;
        tc_t h = tc_of_sym(ts, v->sym);
        guess(g, tc_le(ts, tc_int(ts, 0), h));
        guess(g, tc_le(ts, h, x0));
        guess(g, tc_le(ts, x0, h));
        guess(g, tc_le(ts, h, tc_add(ts, x0, g->c->k)));
        guess(g, tc_le(ts, tc_add(ts, x0, g->c->k), h));
        guess_limits(g, v, h);
        if (v->back != NULL && v->back->kind == TC_V_INT) {
            guess_stopped(g, v, h);
            guess_power(g, v, h, x0);
        }
        if (syms.len < MAX_PAIRED)
            tc_push(L->arena, &syms, h);
    }
    for (size_t i = 0; i < syms.len; i++)
        for (size_t j = 0; j < syms.len; j++)
            if (i != j)
                guess(g, tc_le(ts, syms.data[i], syms.data[j]));
    guess_swaps(g);
    guess_equalities(g);
    guess_unequal(g);
    guess_ranges(g);
}

// Said of the point where it stands: at the header, it holds wherever that point would be reached. Whether it holds where
// the loop ends instead is a guess.
static void declared_invariants(tc_guess *g, const tc_flow *header) {
    for (size_t i = 0; i < g->c->declared.len; i++) {
        const tc_declared *d = &g->c->declared.data[i];
        tc_t there = tc_lift_strip(g->L, d->guard, header->guard);
        add_invariant(g, tc_implies(g->L->ts, there, d->cond), true, d->loc);
        if (!tc_is_true(there) && is_about_header(g, d->cond))
            guess(g, d->cond);
    }
}

void tc_lift_invariants(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars, const tc_flow *entry, const tc_flow *header,
                        const tc_flow *back) {
    tc_guess g = {.L = L, .c = c, .vars = vars, .entry = entry, .back = back};
    g.loc = L->m->loops.data[c->record].loc;
    make_steps(&g);
    declared_invariants(&g, header);
    guess_invariants(&g);
}
