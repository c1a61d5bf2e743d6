// See cover.h.
#include "checker/cover.h"

enum { most_symbols = 12 };

// ---- indices that an access may be named by ----

static void put(tc_cx *cx, tc_map *m, tc_t from, tc_t to) { tc_map_put(cx->arena, m, TC_KEY(from), (void *)(uintptr_t)to); }

typedef struct indices {
    tc_t symbol[most_symbols];
    tc_t extent[most_symbols]; // NULL: none
    size_t rank[most_symbols]; // outer ones first; of a part that of the whole
    size_t n;
} indices;

// False when there are too many.
static bool add_index(tc_cx *cx, indices *v, tc_t symbol, tc_t extent) {
    symbol = tc_settle(cx, symbol);
    if (symbol->op != TC_T_SYM)
        return true;
    if (v->n == most_symbols)
        return false;
    v->symbol[v->n] = symbol;
    v->rank[v->n] = v->n;
    v->extent[v->n++] = extent ? tc_settle(cx, extent) : NULL;
    return true;
}

static bool add_loops(tc_cx *cx, indices *v, uint32_t loop, uint32_t around) {
    if (loop == TC_NONE || loop == around)
        return true;
    const tc_loop *l = &cx->model->loops.data[loop];
    return l->leaves && l->counter && add_loops(cx, v, l->parent, around) && add_index(cx, v, tc_of_sym(cx->ts, l->counter), NULL);
}

static bool indices_of(tc_cx *cx, const tc_site *s, bool block_free, uint32_t around, indices *v) {
    const tc_launch_syms *ls = &cx->contract->syms;
    bool fits = true;
    for (int d = 3; d-- > 0 && block_free;)
        fits &= add_index(cx, v, ls->block_idx[d], ls->grid_dim[d]);
    for (int d = 3; d-- > 0;)
        fits &= add_index(cx, v, ls->thread_idx[d], ls->block_dim[d]);
    return fits && add_loops(cx, v, s->event->loop, around);
}

typedef struct open_indices {
    const indices *v;
    const tc_map *witness; // of those that have a value
} open_indices;

static bool is_open_index(void *ctx, tc_t t) {
    const open_indices *o = ctx;
    for (size_t i = 0; i < o->v->n; i++)
        if (o->v->symbol[i] == t && !tc_map_has(o->witness, TC_KEY(t)))
            return true;
    return false;
}

// ---- indices in quotients and remainders ----

typedef struct divided {
    const indices *v;
    tc_t symbol, by; // found
} divided;

static void find_divided(void *ctx, tc_t t) {
    divided *d = ctx;
    if (d->symbol || (t->op != TC_T_DIV && t->op != TC_T_MOD && t->op != TC_T_TDIV && t->op != TC_T_TREM) || !tc_is_const(t->args[1]) ||
        t->args[1]->value < 2)
        return;
    for (size_t i = 0; i < d->v->n; i++)
        if (d->v->symbol[i] == t->args[0]) {
            d->symbol = t->args[0];
            d->by = t->args[1];
        }
}

// An index that is divided by a constant is that times a quotient, plus a remainder: two indices in its place.
static void split_index(tc_cx *cx, indices *v, tc_map *parts, tc_t symbol, tc_t by) {
    tc_terms *ts = cx->ts;
    if (v->n + 2 > most_symbols)
        return;
    tc_sym *q = tc_sym_new(ts, "q", TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT), *r = tc_sym_new(ts, "r", TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
    q->has_lo = r->has_lo = r->has_hi = true;
    r->hi = by->value - 1;
    tc_t tq = tc_of_sym(ts, q), tr = tc_of_sym(ts, r);
    put(cx, parts, symbol, tc_add(ts, tc_mul(ts, by, tq), tr));
    size_t whole = 0;
    while (v->symbol[whole] != symbol)
        whole++;
    v->symbol[v->n] = tq;
    v->rank[v->n] = whole;
    v->extent[v->n++] = NULL;
    v->symbol[v->n] = tr;
    v->rank[v->n] = whole;
    v->extent[v->n++] = by;
}

static void split_indices(tc_cx *cx, indices *v, const tc_site *s, const tc_target *t, tc_map *parts) {
    size_t n = v->n;
    for (size_t i = 0; i < n; i++) {
        divided d = {.v = v};
        for (unsigned g = 0; g < t->n; g++)
            tc_walk(cx->ts, tc_subst(cx->ts, t->subscript[g], parts), find_divided, &d);
        tc_walk(cx->ts, tc_subst(cx->ts, s->guard, parts), find_divided, &d);
        if (!d.symbol)
            return;
        split_index(cx, v, parts, d.symbol, d.by);
    }
}

// ---- digits of a sum of indices ----

// A sum of indices that is taken apart by extents (i / n, i % n): its digits are indices in its place, and say what it is.
typedef struct digits {
    tc_cx *cx;
    indices *v;
    tc_t sum, made_of; // the sum, of its first two digits; NULL: there is none
    tc_t of, by;       // looked for: what is divided next, by what of its divisors that the others are multiples of
    tc_map nodes;      // quotients and remainders of it -> what they are in digits
    tc_t quotient, rest;
} digits;

static bool is_division(tc_t t) { return t->op == TC_T_DIV || t->op == TC_T_MOD || t->op == TC_T_TDIV || t->op == TC_T_TREM; }

static bool has_index(const digits *d, tc_t t) {
    const tc_map none = {0};
    open_indices open = {d->v, &none};
    return tc_any(d->cx->ts, t, is_open_index, &open);
}

static bool is_divided_index(void *ctx, tc_t t) { return is_division(t) && has_index(ctx, t); }

static bool is_multiple(tc_cx *cx, tc_t a, tc_t b, tc_t *times) {
    tc_t rest;
    tc_poly_divide(cx->ts, a, b, times, &rest);
    return tc_is_const(rest) && rest->value == 0;
}

static void find_sum(void *ctx, tc_t t) {
    digits *d = ctx;
    if (!d->of && is_division(t) && t->args[1]->variance <= TC_VAR_LAUNCH && has_index(d, t->args[0]) &&
        !tc_any(d->cx->ts, t->args[0], is_divided_index, d))
        d->of = t->args[0];
}

static void find_radix(void *ctx, tc_t t) {
    digits *d = ctx;
    tc_t times;
    if (is_division(t) && t->args[0] == d->of && t->args[1]->variance <= TC_VAR_LAUNCH &&
        (!d->by || (d->by != t->args[1] && is_multiple(d->cx, d->by, t->args[1], &times))))
        d->by = t->args[1];
}

// of / (by * k) == (of / by) / k
static void name_digit(void *ctx, tc_t t) {
    digits *d = ctx;
    tc_terms *ts = d->cx->ts;
    tc_t k;
    if (!is_division(t) || t->args[0] != d->of || !is_multiple(d->cx, t->args[1], d->by, &k))
        return;
    const bool one = tc_is_const(k) && k->value == 1, quotient = t->op == TC_T_DIV || t->op == TC_T_TDIV;
    tc_t high = one ? tc_int(ts, 0) : tc_mul(ts, d->by, tc_mod(ts, d->quotient, k));
    put(d->cx, &d->nodes, t, quotient ? one ? d->quotient : tc_div(ts, d->quotient, k) : tc_add(ts, high, d->rest));
}

static tc_t new_digit(digits *d, const char *name) {
    tc_sym *s = tc_sym_new(d->cx->ts, name, TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
    s->has_lo = true;
    const size_t n = d->v->n++;
    d->v->symbol[n] = tc_of_sym(d->cx->ts, s);
    d->v->rank[n] = n;
    d->v->extent[n] = NULL;
    return d->v->symbol[n];
}

// One more division of what the subscripts divide. False when there is none that is followed.
static bool take_digits(digits *d, tc_t *subscript, unsigned n, tc_map *parts, size_t whole) {
    tc_cx *cx = d->cx;
    d->of = d->by = NULL;
    d->nodes = (tc_map){0};
    for (unsigned g = 0; g < n; g++)
        tc_walk(cx->ts, subscript[g], find_sum, d);
    for (unsigned g = 0; g < n && d->of; g++)
        tc_walk(cx->ts, subscript[g], find_radix, d);
    bool digit = false;
    for (size_t i = whole; i < d->v->n; i++)
        digit |= d->of == d->v->symbol[i];
    if (!d->of || d->v->n + 2 > most_symbols || (!digit && d->sum))
        return false;
    d->quotient = new_digit(d, "q");
    d->rest = new_digit(d, "r");
    tc_t made_of = tc_add(cx->ts, tc_mul(cx->ts, d->by, d->quotient), d->rest);
    if (digit) {
        put(cx, parts, d->of, made_of);
    } else {
        d->sum = d->of;
        d->made_of = made_of;
    }
    for (unsigned g = 0; g < n; g++)
        tc_walk(cx->ts, subscript[g], name_digit, d);
    for (unsigned g = 0; g < n; g++)
        subscript[g] = tc_subst(cx->ts, subscript[g], &d->nodes);
    return true;
}

// ---- a guess ----

static tc_i128 size_of(tc_t t) { return t->value < 0 ? -t->value : t->value; }

// The larger of two coefficients, whatever their signs, as far as can be seen: a multiple, or a greater constant.
static bool is_larger(tc_cx *cx, tc_t a, tc_t b) {
    if (tc_is_const(a) && tc_is_const(b))
        return size_of(a) > size_of(b);
    if (tc_is_const(b))
        return true;
    tc_t q, rest;
    tc_poly_divide(cx->ts, a, b, &q, &rest);
    return !tc_is_const(q) && tc_is_const(rest) && rest->value == 0;
}

static bool is_down(tc_t coefficient) { return tc_is_const(coefficient) && coefficient->value < 0; }

// Do all that are left make the subscript smaller?
static bool all_down(const tc_t *coefficient, size_t n) {
    size_t left = 0, down = 0;
    for (size_t i = 0; i < n; i++) {
        left += coefficient[i] != NULL;
        down += coefficient[i] != NULL && is_down(coefficient[i]);
    }
    return left > 0 && left == down;
}

// What is added to all the subscript, where that is less than any index makes of it: the indices are those of the multiple below.
static tc_i128 added_within(tc_t rest, const tc_t *coefficient, size_t n) {
    tc_i128 added = tc_is_const(rest) ? rest->value : 0;
    for (uint32_t i = 0; rest->op == TC_T_ADD && i < rest->nargs; i++)
        if (tc_is_const(rest->args[i]))
            added = rest->args[i]->value;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (coefficient[i] == NULL || !tc_is_const(coefficient[i]))
            continue;
        any = true;
        if (coefficient[i]->value <= added)
            return 0;
    }
    return any && added > 0 ? added : 0;
}

// Of equals the outer one.
static bool is_before(tc_cx *cx, const indices *v, const tc_t *coefficient, size_t a, size_t b) {
    const tc_t x = coefficient[a], y = coefficient[b];
    return !is_larger(cx, y, x) && (is_larger(cx, x, y) || v->rank[a] <= v->rank[b]);
}

// Solves subscript == wanted for the indices in it that have no value yet.
static bool solve(tc_cx *cx, const indices *v, tc_t subscript, tc_t wanted, tc_map *witness) {
    tc_terms *ts = cx->ts;
    open_indices open = {v, witness};
    tc_t coefficient[most_symbols] = {0}, rest = tc_subst(ts, subscript, witness);
    for (size_t i = 0; i < v->n; i++) {
        if (tc_map_has(witness, TC_KEY(v->symbol[i])))
            continue;
        tc_t q, r;
        tc_poly_divide(ts, rest, v->symbol[i], &q, &r);
        if (tc_any(ts, q, is_open_index, &open))
            return false;
        if (tc_is_const(q) && q->value == 0)
            continue;
        coefficient[i] = q;
        rest = r;
    }
    if (tc_any(ts, rest, is_open_index, &open))
        return false; // in a quotient, a remainder, a choice
    tc_t left = tc_addc(ts, tc_sub(ts, wanted, rest), added_within(rest, coefficient, v->n));
    for (;;) {
        size_t at = v->n;
        for (size_t i = v->n; i-- > 0;)
            if (coefficient[i] && (at == v->n || is_before(cx, v, coefficient, i, at)))
                at = i;
        if (at == v->n)
            return true;
        tc_t c = coefficient[at];
        coefficient[at] = NULL;
        const bool down = is_down(c), rest_down = all_down(coefficient, v->n);
        tc_t by = down ? tc_neg(ts, c) : c, of = down ? tc_neg(ts, left) : left;
        if (down != rest_down) // rounded up, as the others make up for it
            of = tc_add(ts, of, tc_addc(ts, by, -1));
        tc_t q = tc_div(ts, of, by);
        put(cx, witness, v->symbol[at], q);
        left = tc_sub(ts, left, tc_mul(ts, c, q));
    }
}

static bool solve_all(tc_cx *cx, const indices *v, const tc_t *subscript, const tc_target *t, tc_map *witness) {
    for (unsigned g = 0; g < t->n; g++)
        if (!solve(cx, v, subscript[g], t->wanted[g], witness))
            return false;
    return true;
}

static tc_map copy_of(tc_cx *cx, const tc_map *m) {
    tc_map copy = {0};
    for (size_t i = 0; i < m->len; i++)
        tc_map_put(cx->arena, &copy, m->keys[i], m->values[i]);
    return copy;
}

// The least value of the symbol with a <= b, where that is a bound from below; or NULL.
static tc_t least(tc_cx *cx, tc_t a, tc_t b, tc_t symbol) {
    tc_t q, rest;
    tc_poly_divide(cx->ts, tc_sub(cx->ts, b, a), symbol, &q, &rest);
    if (!tc_is_const(q) || q->value < 1 || rest->variance > TC_VAR_LAUNCH)
        return NULL;
    return tc_div(cx->ts, tc_addc(cx->ts, tc_neg(cx->ts, rest), q->value - 1), q);
}

// An index of which the subscripts say nothing: what the guard says, the least that it allows, or 0.
static tc_t said_by(tc_cx *cx, tc_t guard, tc_t symbol) {
    const tc_t *parts = guard->op == TC_T_AND ? guard->args : &guard;
    tc_t from = NULL, other_than_zero = tc_ne(cx->ts, symbol, tc_int(cx->ts, 0));
    for (uint32_t i = 0; i < (guard->op == TC_T_AND ? guard->nargs : 1); i++) {
        if (parts[i]->op == TC_T_LE && !from)
            from = least(cx, parts[i]->args[0], parts[i]->args[1], symbol);
        if (parts[i] == other_than_zero)
            from = tc_int(cx->ts, 1);
        if (parts[i]->op != TC_T_EQ)
            continue;
        tc_t d = tc_sub(cx->ts, parts[i]->args[0], parts[i]->args[1]), q, rest;
        tc_poly_divide(cx->ts, d, symbol, &q, &rest);
        if (tc_is_const(q) && (q->value == 1 || q->value == -1) && rest->variance <= TC_VAR_LAUNCH)
            return tc_mulc(cx->ts, rest, -q->value);
    }
    return from ? from : tc_int(cx->ts, 0);
}

// Indices that have no value yet: parts before what they are parts of.
static void name_rest(tc_cx *cx, const indices *v, const tc_map *parts, tc_t guard, size_t from, size_t to, tc_map *witness) {
    for (size_t i = to; i-- > from;) {
        tc_t of = tc_map_get(parts, TC_KEY(v->symbol[i]));
        if (!tc_map_has(witness, TC_KEY(v->symbol[i])))
            put(cx, witness, v->symbol[i], of ? tc_subst(cx->ts, of, witness) : said_by(cx, guard, v->symbol[i]));
    }
}

// ---- what makes it right ----

typedef struct unknowns {
    tc_cx *cx;
    tc_map *map;
    tc_variance from; // of the instance: of a thread, or of its block too
    uint32_t copy;
} unknowns;

// SOUND: a value of the instance that is no function of its indices is some value: not the one that another instance has.
static void rename_unknown(void *ctx, tc_t t) {
    unknowns *u = ctx;
    if (t->op != TC_T_SYM || t->variance < u->from || tc_map_has(u->map, TC_KEY(t)))
        return;
    put(u->cx, u->map, t, tc_rename(u->cx->ts, t, u->from, u->copy));
}

static tc_t at(unknowns *u, tc_t t) {
    tc_walk(u->cx->ts, t, rename_unknown, u);
    return tc_subst(u->cx->ts, t, u->map);
}

// The instance gives up the launch before `point`. SOUND: nothing is promised of memory then, so it need not be written.
static tc_t gives_up(unknowns *u, uint32_t loop, uint32_t point) {
    const tc_kmodel *m = u->cx->model;
    tc_t any = tc_bool(u->cx->ts, false);
    for (size_t i = 0; i < m->aborts.len; i++) {
        const tc_abort *x = &m->aborts.data[i];
        if (x->point <= point && (x->loop == TC_NONE || (loop != TC_NONE && tc_loop_encloses(m, x->loop, loop))))
            any = tc_or(u->cx->ts, any, at(u, tc_settle(u->cx, x->guard)));
    }
    return any;
}

// The loops come to these iterations: none before was the last. SOUND: of any iteration before; the goal is to hold for each.
static tc_t loops_reach(unknowns *u, uint32_t loop, uint32_t around) {
    tc_cx *cx = u->cx;
    tc_map *witness = u->map;
    tc_terms *ts = cx->ts;
    tc_t all = tc_bool(ts, true);
    for (; loop != TC_NONE && loop != around; loop = cx->model->loops.data[loop].parent) {
        const tc_loop *l = &cx->model->loops.data[loop];
        tc_t k = tc_of_sym(ts, l->counter);
        tc_sym *earlier = tc_sym_new(ts, "j", TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT);
        earlier->has_lo = true;
        tc_t j = tc_of_sym(ts, earlier);
        tc_map before = {0};
        for (size_t i = 0; i < witness->len; i++)
            if (witness->keys[i] != TC_KEY(k) && ((tc_t)(uintptr_t)witness->keys[i])->variance != TC_VAR_ACCESS)
                tc_map_put(cx->arena, &before, witness->keys[i], witness->values[i]);
        put(cx, &before, k, j);
        // Values of other iterations are others: copies that the access's own values do not have.
        unknowns then = {cx, &before, u->from, u->copy + 100};
        tc_t left = at(&then, tc_settle(cx, l->leaves));
        all = tc_and(ts, all, at(u, tc_settle(cx, l->guard)));
        tc_t goes_on = tc_or(ts, tc_not(ts, left), gives_up(&then, loop, l->last));
        all = tc_and(ts, all, tc_implies(ts, tc_lt(ts, j, tc_map_get(witness, TC_KEY(k))), goes_on));
    }
    return all;
}

bool tc_cover(tc_cx *cx, const tc_site *s, const tc_target *t, bool block_free, uint32_t around, uint32_t copy, tc_t *condition,
              tc_map *witness) {
    tc_terms *ts = cx->ts;
    indices v = {.n = 0};
    tc_map parts = {0};
    if (!indices_of(cx, s, block_free, around, &v))
        return false;
    split_indices(cx, &v, s, t, &parts);
    tc_t guard = tc_subst(ts, s->guard, &parts), subscript[TC_MAX_DIMS];
    for (unsigned g = 0; g < t->n; g++)
        subscript[g] = tc_subst(ts, t->subscript[g], &parts);
    digits d = {.cx = cx, .v = &v};
    const size_t digits_from = v.n;
    const tc_map given = copy_of(cx, witness);
    if (!solve_all(cx, &v, subscript, t, witness)) {
        *witness = given;
        while (take_digits(&d, subscript, t->n, &parts, digits_from))
            ;
        if (!d.sum || !solve_all(cx, &v, subscript, t, witness))
            return false;
    }
    name_rest(cx, &v, &parts, guard, digits_from, v.n, witness);
    if (d.sum && !solve(cx, &v, d.sum, tc_subst(ts, d.made_of, witness), witness))
        return false;
    name_rest(cx, &v, &parts, guard, 0, digits_from, witness);
    tc_t all = tc_bool(ts, true);
    unknowns u = {cx, witness, block_free ? TC_VAR_BLOCK : TC_VAR_THREAD, copy};
    for (size_t i = 0; i < v.n; i++) {
        tc_t x = tc_map_get(witness, TC_KEY(v.symbol[i]));
        all = tc_and(ts, all, tc_le(ts, tc_int(ts, 0), x));
        if (v.extent[i])
            all = tc_and(ts, all, tc_lt(ts, x, at(&u, v.extent[i])));
    }
    for (unsigned g = 0; g < t->n; g++) {
        tc_t first = at(&u, t->subscript[g]);
        if (g + 1 < t->n || (tc_is_const(t->count) && t->count->value == 1))
            all = tc_and(ts, all, tc_eq(ts, first, t->wanted[g]));
        else
            all = tc_and(ts, all, tc_and(ts, tc_le(ts, first, t->wanted[g]), tc_lt(ts, t->wanted[g], tc_add(ts, first, t->count))));
    }
    all = tc_and(ts, all, loops_reach(&u, s->event->loop, around));
    *condition = tc_and(ts, all, tc_or(ts, at(&u, s->guard), gives_up(&u, s->event->loop, s->event->point)));
    return true;
}

// t == by * quotient + rest, 0 <= rest < by.
static bool split_term(tc_cx *cx, tc_t t, tc_i128 by, tc_t *quotient, tc_i128 *rest) {
    tc_t q, r;
    tc_poly_divide(cx->ts, t, tc_int(cx->ts, by), &q, &r);
    if (!tc_is_const(r))
        return false;
    *quotient = tc_addc(cx->ts, q, tc_floor_div(r->value, by));
    *rest = tc_floor_mod(r->value, by);
    return true;
}

bool tc_grain_of(tc_cx *cx, const tc_site *s, tc_grain *g) {
    enum { most_units = 16 };
    const tc_object_contract *o = s->contract;
    const tc_i128 elem = o && o->elem ? (tc_i128)o->elem->size : 0;
    for (g->each = 1; g->each <= most_units && g->each <= elem; g->each++) {
        g->unit = elem / g->each;
        if (elem % g->each == 0 && split_term(cx, s->offset, g->unit, &g->first, &g->lead) &&
            split_term(cx, s->width, g->unit, &g->units, &g->rest))
            return true;
    }
    return false;
}

// Elements lie one behind the other, in the order of their subscripts.
static bool is_dense(tc_cx *cx, const tc_object_contract *o) {
    tc_t next = tc_int(cx->ts, 1);
    for (unsigned d = o->ndims; d-- > 0;) {
        if (o->stride[d] != next)
            return false;
        next = tc_mul(cx->ts, next, o->shape[d]);
    }
    return o->ndims > 0;
}

// By its subscripts, where it has some; an access of any length by the number of the element.
static bool elements_of(tc_cx *cx, const tc_site *s, const tc_grain *g, const tc_t *element, tc_target *t) {
    const tc_index *x = &s->index;
    const tc_object_contract *o = s->contract;
    const bool by_index = x->exact && x->ngroups > 0 && g->each == 1 && s->bytes > 0;
    if (!by_index && !is_dense(cx, o))
        return false;
    t->n = by_index ? x->ngroups : 1;
    unsigned d = 0;
    for (unsigned k = 0; k < t->n; k++) {
        tc_t flat = tc_int(cx->ts, 0);
        for (; d <= (by_index ? x->last[k] : o->ndims - 1); d++)
            flat = tc_add(cx->ts, tc_mul(cx->ts, flat, o->shape[d]), element[d]);
        t->subscript[k] = by_index ? x->group[k] : g->first;
        t->wanted[k] = tc_mulc(cx->ts, flat, g->each);
    }
    return true;
}

bool tc_target_of_part(tc_cx *cx, const tc_site *s, const tc_t *element, tc_i128 from, tc_i128 to, tc_target *t) {
    tc_grain g;
    if (!tc_grain_of(cx, s, &g) || !elements_of(cx, s, &g, element, t))
        return false;
    // SOUND: the whole part, which begins no earlier than the access and ends no later: the access's first unit is one of the `count` last
    // ones up to that in which the part begins.
    const tc_i128 begin = tc_floor_div(from - g.lead, g.unit), end = -tc_floor_div(g.lead + g.rest - to, g.unit);
    t->wanted[t->n - 1] = tc_addc(cx->ts, t->wanted[t->n - 1], begin);
    t->count = tc_addc(cx->ts, g.units, begin - end + 1);
    return !tc_is_const(t->count) || t->count->value >= 1;
}

// ---- written before it is read ----

// In the same thread, earlier in the same iteration of what is around both.
static bool by_own_thread(tc_cx *cx, tc_obligation *ob, const tc_site *read, const tc_site *w) {
    bool around = w->event->loop == TC_NONE || (read->event->loop != TC_NONE && tc_loop_encloses(cx->model, w->event->loop, read->event->loop));
    if (!around || w->event->point > read->event->point)
        return false;
    tc_terms *ts = cx->ts;
    ob->hyps.len = 0;
    tc_hyps_site(cx, &ob->hyps, read);
    ob->goal = tc_and(ts, w->guard, tc_and(ts, tc_le(ts, w->offset, read->offset),
                                           tc_le(ts, tc_add(ts, read->offset, read->width), tc_add(ts, w->offset, w->width))));
    return tc_decide(cx, ob);
}

static uint32_t common_loop(const tc_kmodel *m, uint32_t a, uint32_t b) {
    while (a != TC_NONE && !(b != TC_NONE && tc_loop_encloses(m, a, b)))
        a = m->loops.data[a].parent;
    return a;
}

// Both begin at one byte, and are of one width.
static bool target_of_bytes(tc_cx *cx, const tc_site *w, const tc_site *read, tc_target *t) {
    *t = (tc_target){.n = 1, .subscript = {w->offset}, .wanted = {read->offset}, .count = tc_int(cx->ts, 1)};
    return w->bytes && w->bytes == read->bytes;
}

static void keep(tc_cx *cx, tc_map *m, tc_t symbol) {
    if (symbol && symbol->op == TC_T_SYM)
        put(cx, m, symbol, symbol);
}

// In the same thread, in an earlier iteration of a loop around both.
static bool in_earlier_iteration(tc_cx *cx, tc_obligation *ob, const tc_site *read, const tc_site *w) {
    tc_target t;
    uint32_t loop = common_loop(cx->model, w->event->loop, read->event->loop);
    tc_t k = loop == TC_NONE ? NULL : tc_loop_counter(cx, loop);
    if (!k || tc_is_async(w->event) || !target_of_bytes(cx, w, read, &t))
        return false;
    tc_map witness = {0};
    for (int d = 0; d < 3; d++)
        keep(cx, &witness, tc_settle(cx, cx->contract->syms.thread_idx[d]));
    uint32_t around = cx->model->loops.data[loop].parent;
    for (uint32_t l = around; l != TC_NONE; l = cx->model->loops.data[l].parent)
        keep(cx, &witness, tc_loop_counter(cx, l));
    tc_t condition;
    if (!tc_cover(cx, w, &t, false, around, 7, &condition, &witness))
        return false;
    ob->hyps.len = 0;
    tc_hyps_site(cx, &ob->hyps, read);
    ob->goal = tc_and(cx->ts, condition, tc_lt(cx->ts, tc_map_get(&witness, TC_KEY(k)), k));
    return tc_decide(cx, ob);
}

typedef struct commons {
    tc_cx *cx;
    tc_map *witness;
    const tc_two *two;
    uint32_t around;
} commons;

// SOUND: of what has one value in the iteration that both threads are in, and that is common to their team there.
static void keep_common(void *ctx, tc_t t) {
    commons *c = ctx;
    uint32_t loop;
    if (t->op != TC_T_SYM || t->variance < tc_two_from(c->two) || t->sym->kind == TC_SYM_THREADIDX || t->sym->kind == TC_SYM_BLOCKIDX ||
        !tc_symbol_loop(c->cx, t->sym, &loop))
        return;
    bool one = loop == TC_NONE || (c->around != TC_NONE && tc_loop_encloses(c->cx->model, loop, c->around));
    if (one && tc_two_alike(c->two, t, c->around))
        keep(c->cx, c->witness, t);
}

// By a thread of the team, before a barrier of it that comes before the read: of the block, or of the grid.
static bool by_team(tc_cx *cx, tc_obligation *ob, const tc_site *read, const tc_site *w, tc_team team) {
    tc_target t;
    uint32_t around = common_loop(cx->model, w->event->loop, read->event->loop);
    if (w->event->point > read->event->point || tc_is_async(w->event) || !target_of_bytes(cx, w, read, &t))
        return false;
    tc_meeting m = {.same = around, .apart = TC_NONE, .first = 1};
    tc_two two;
    tc_tvec h = {0};
    if (tc_hyps_unordered(cx, w, read, &m, team, &two, &h))
        return false;
    tc_map witness = {0};
    tc_t condition;
    // What the two have in common keeps its name; all else of the writing thread is its own.
    commons c = {cx, &witness, &two, around};
    tc_walk(cx->ts, w->guard, keep_common, &c);
    tc_walk(cx->ts, w->offset, keep_common, &c);
    for (uint32_t l = around; l != TC_NONE; l = cx->model->loops.data[l].parent)
        keep(cx, &witness, tc_loop_counter(cx, l));
    if (!tc_cover(cx, w, &t, team == TC_TEAM_GRID, around, 7, &condition, &witness))
        return false;
    ob->hyps.len = 0;
    tc_hyps_site(cx, &ob->hyps, read);
    ob->goal = condition;
    return tc_decide(cx, ob) || (team == TC_TEAM_GRID && tc_decide_if(cx, ob, cx->ones.data, cx->ones.len));
}

bool tc_decide_written(tc_cx *cx, tc_obligation *ob, const tc_site *read) {
    // Shared memory is another one in each block.
    bool in_grid = cx->alike_in_grid && cx->model->objects.data[read->object].variance == TC_VAR_LAUNCH;
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *w = &cx->sites.data[i];
        if (w->object != read->object || w->event->kind != TC_EV_WRITE)
            continue;
        if (by_own_thread(cx, ob, read, w) || in_earlier_iteration(cx, ob, read, w) || by_team(cx, ob, read, w, TC_TEAM_BLOCK) ||
            (in_grid && by_team(cx, ob, read, w, TC_TEAM_GRID))) {
            tc_lean_on_barriers(cx, ob);
            tc_depend(cx, ob, w->bounds);
            tc_depend(cx, ob, read->bounds);
            return true;
        }
    }
    return false;
}
