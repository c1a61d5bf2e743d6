// What a loop's condition of going on says: facts about earlier iterations, ranges, trip counts.
#include "checker/lift.h"

enum { MAX_COUNTED = 4096 };

tc_t tc_loop_at(tc_lift *L, tc_loop_ctx *c, tc_t t, tc_t k) {
    tc_map map = {0};
    tc_map_put(L->arena, &map, TC_KEY(c->k), (void *)(uintptr_t)k);
    return tc_subst(L->ts, t, &map);
}

static tc_t one_before(tc_lift *L, tc_loop_ctx *c, tc_t t) { return tc_loop_at(L, c, t, tc_addc(L->ts, c->k, -1)); }

typedef struct tc_own {
    tc_lift *L;
    const tc_loop_ctx *c;
} tc_own;

static bool is_foreign(void *ctx, tc_t t) {
    tc_own *o = ctx;
    return t->op == TC_T_SYM && t->sym != o->c->counter && tc_lift_born_in(o->L, t->sym, o->c->node);
}

static size_t conjuncts(tc_t t) { return t->op == TC_T_AND ? t->nargs : 1; }
static tc_t conjunct(tc_t t, size_t i) { return t->op == TC_T_AND ? t->args[i] : t; }

tc_t tc_loop_about_counter(tc_lift *L, tc_loop_ctx *c, tc_t guard, bool *all) {
    tc_own o = {L, c};
    tc_t r = L->tt;
    *all = true;
    for (size_t i = 0; i < conjuncts(guard); i++) {
        tc_t x = conjunct(guard, i);
        if (!tc_any(L->ts, x, is_foreign, &o))
            r = tc_and(L->ts, r, x);
        else // SOUND: it speaks of other values of that iteration
            *all = false;
    }
    return r;
}

// ---- readings ----

static bool is_same(void *ctx, tc_t t) { return t == ctx; }

static bool mentions(tc_lift *L, tc_t t, tc_t node) { return tc_any(L->ts, t, is_same, (void *)(uintptr_t)node); }

// A signed value as a comparison reads it that is made as unsigned in `bits` bits: a negative one is a large one (lift_int.c).
static tc_t as_unsigned(tc_lift *L, tc_t node, unsigned bits) {
    return tc_ite(L->ts, tc_le(L->ts, tc_int(L->ts, 0), node), node, tc_addc(L->ts, node, tc_pow2(bits)));
}

typedef struct tc_wanted {
    tc_lift *L;
    tc_t node;
} tc_wanted;

static bool is_choice_of(void *ctx, tc_t t) {
    const tc_wanted *w = ctx;
    // Read as unsigned, it is read for the choice itself.
    if (t->op == TC_T_ITE && (t == as_unsigned(w->L, w->node, 32) || t == as_unsigned(w->L, w->node, 64)))
        return false;
    return (t->op == TC_T_ITE || t->op == TC_T_OR) && mentions(w->L, t, w->node);
}

// Is the node read by every iteration that goes on, that is, in a conjunct and in none of its alternatives?
static bool always_read(tc_lift *L, const tc_loop_ctx *c, tc_t node) {
    for (size_t i = 0; i < conjuncts(c->read); i++) {
        tc_t x = conjunct(c->read, i);
        if (mentions(L, x, node) && !tc_any(L->ts, x, is_choice_of, &(tc_wanted){L, node}))
            return true;
    }
    return false;
}

// An affine variable as a number: an integer, or a pointer's offset from its one base.
typedef struct tc_number {
    tc_t value, first; // at the header, on entry
    unsigned width;
} tc_number;

static bool as_number(const tc_var *v, tc_number *out) {
    if (v->form != TC_F_AFFINE || v->back == NULL || v->header == NULL)
        return false;
    if (v->back->kind == TC_V_INT && v->back->width > 1)
        *out = (tc_number){v->header->term, v->entry->term, v->back->width};
    else if (v->back->kind == TC_V_PTR && v->header->nalts == 1)
        *out = (tc_number){v->header->alts[0].offset, v->entry->alts[0].offset, 64};
    else
        return false;
    return true;
}

// The reading as goes_on has it, which keeps no wrap inside of a wrap: the value of a congruent argument.
static tc_t flat_node(tc_lift *L, tc_t value, unsigned w, bool is_signed) {
    return tc_wrap_kept(L->ts, tc_lift_unwrapped(L, value, w), w, is_signed);
}

static void add_reading(tc_lift *L, tc_loop_ctx *c, tc_t value, unsigned w, bool is_signed) {
    tc_t node = tc_wrap_kept(L->ts, value, w, is_signed);
    if (node->op != TC_T_WRAP || !always_read(L, c, node))
        return;
    tc_reading r = {.node = node, .flat = flat_node(L, value, w, is_signed), .value = value};
    r.in_range = is_signed ? tc_in_range(L->ts, value, -tc_pow2(w - 1), tc_pow2(w - 1) - 1)
                           : tc_in_range(L->ts, value, 0, tc_pow2(w) - 1);
    r.before = tc_implies(L->ts, tc_le(L->ts, tc_int(L->ts, 1), c->k), one_before(L, c, r.in_range));
    tc_push(L->arena, &c->readings, r);
}

// a <= b where a - b never falls with the counter: then the iteration before met it too.
static bool is_monotone(tc_lift *L, tc_loop_ctx *c, tc_t goes_on) {
    for (size_t i = 0; i < conjuncts(goes_on); i++) {
        tc_t x = conjunct(goes_on, i);
        if (x->op != TC_T_LE)
            return false;
        tc_t d = tc_sub(L->ts, x->args[0], x->args[1]);
        tc_interval r = tc_range_of(L->ts, tc_sub(L->ts, d, one_before(L, c, d)));
        if (!r.has_lo || r.lo < 0)
            return false;
    }
    return true;
}

void tc_loop_set_facts(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars) {
    c->header_fact = L->tt;
    c->monotone = false;
    c->readings.len = 0;
    if (tc_is_true(c->goes_on))
        return;
    for (size_t i = 0; i < vars->len; i++) {
        tc_number x;
        if (as_number(&vars->data[i], &x)) {
            add_reading(L, c, x.value, x.width, true);
            add_reading(L, c, x.value, x.width, false);
        }
    }
    tc_map map = {0};
    tc_t in_range = L->tt;
    for (size_t i = 0; i < c->readings.len; i++) {
        const tc_reading *r = &c->readings.data[i];
        tc_map_put(L->arena, &map, TC_KEY(r->node), (void *)(uintptr_t)r->value);
        if (r->flat->op == TC_T_WRAP)
            tc_map_put(L->arena, &map, TC_KEY(r->flat), (void *)(uintptr_t)r->value);
        in_range = tc_and(L->ts, in_range, r->in_range);
    }
    // SOUND: where the readings were in range they were the values; otherwise nothing is said.
    tc_t plain = tc_subst(L->ts, c->goes_on, &map);
    tc_t known = tc_implies(L->ts, in_range, plain);
    if (c->read != c->goes_on) // the next reading, which may be this iteration's: it is said in any case
        known = tc_and(L->ts, c->goes_on, known);
    tc_t fact = one_before(L, c, known);
    c->header_fact = tc_implies(L->ts, tc_le(L->ts, tc_int(L->ts, 1), c->k), fact);
    c->monotone = is_monotone(L, c, plain);
}

// ---- bounds ----

// What goes_on says of an affine variable: reading <= limit, or reading >= limit. A value between min and max is its reading.
typedef struct tc_limit {
    tc_t limit;
    bool upper, is_signed;
    bool compared_unsigned; // a negative value is read as a large one, which is no fault
    tc_i128 min, max;
} tc_limit;

typedef struct tc_read_as {
    tc_t node;
    bool is_signed, compared_unsigned;
} tc_read_as;

enum { WAYS_TO_READ = 8 };

// The ways in which a condition may read the variable.
static void ways_to_read(tc_lift *L, const tc_number *v, tc_read_as *out) {
    tc_t plain[] = {tc_wrap_kept(L->ts, v->value, v->width, true), flat_node(L, v->value, v->width, true)};
    for (int i = 0; i < 2; i++) {
        out[4 * i] = (tc_read_as){plain[i], true, false};
        out[4 * i + 2] = (tc_read_as){as_unsigned(L, plain[i], 32), true, true};
        out[4 * i + 3] = (tc_read_as){as_unsigned(L, plain[i], 64), true, true};
    }
    out[1] = (tc_read_as){tc_wrap_kept(L->ts, v->value, v->width, false), false, false};
    out[5] = (tc_read_as){flat_node(L, v->value, v->width, false), false, false};
}

static bool limit_of(tc_lift *L, tc_loop_ctx *c, const tc_number *v, tc_t x, tc_limit *out) {
    tc_own o = {L, c};
    if (x->op != TC_T_LE)
        return false;
    tc_read_as ways[WAYS_TO_READ];
    ways_to_read(L, v, ways);
    for (int s = 0; s < WAYS_TO_READ; s++) {
        tc_t node = ways[s].node;
        tc_t d = tc_sub(L->ts, x->args[0], x->args[1]); // d <= 0
        tc_t up = tc_sub(L->ts, d, node), down = tc_add(L->ts, d, node);
        bool can_up = !mentions(L, up, c->k) && !tc_any(L->ts, up, is_foreign, &o);
        bool can_down = !mentions(L, down, c->k) && !tc_any(L->ts, down, is_foreign, &o);
        if (!can_up && !can_down)
            continue;
        *out = (tc_limit){can_up ? tc_neg(L->ts, up) : down, can_up, ways[s].is_signed, ways[s].compared_unsigned, 0, 0};
        out->min = ways[s].is_signed && !ways[s].compared_unsigned ? -tc_pow2(v->width - 1) : 0;
        out->max = tc_pow2(ways[s].is_signed ? v->width - 1 : v->width) - 1;
        return true;
    }
    return false;
}

// Downwards, until an unsigned reading is above the limit: behind zero. SOUND: by induction: each of the `beyond` values below zero is
// read as one above the limit, so what goes on is not negative, and a step of no more than that leads to one of them or stays above.
static bool range_by_wrap(const tc_limit *l, unsigned w, tc_interval x0, tc_interval step, tc_interval n, tc_interval *out) {
    if (!l->upper || l->is_signed || !n.has_hi || !x0.has_lo || !x0.has_hi)
        return false;
    const tc_i128 max = tc_pow2(w) - 1, beyond = max - n.hi;
    if (beyond < 1 || x0.lo < -beyond || x0.hi > max || step.lo < -beyond)
        return false;
    *out = x0;
    if (step.lo < out->lo)
        out->lo = step.lo;
    return true;
}

// The range of the variable at the header. SOUND: by induction: the first value is in it; a later one is the step away
// from a value that met the limit, and neither leaves the type's range, so that the reading was the value.
static bool range_by_limit(tc_lift *L, const tc_number *v, tc_t by, const tc_limit *l, tc_interval *out) {
    tc_i128 min = l->min, max = l->max;
    tc_interval x0 = tc_lift_range(L, v->first), step = tc_lift_range(L, by), n = tc_lift_range(L, l->limit);
    if (!step.has_lo || !step.has_hi)
        return false;
    if (step.hi < 0 && range_by_wrap(l, v->width, x0, step, n, out))
        return true;
    if (!tc_range_within(x0, min, max))
        return false;
    *out = x0;
    if (l->upper) {
        if (step.lo < 0 || !n.has_hi || n.hi > max || step.hi > max)
            return false;
        if (n.hi + step.hi > out->hi)
            out->hi = n.hi + step.hi;
        return out->hi <= max;
    }
    if (step.hi > 0 || !n.has_lo || n.lo < min || step.lo < -max)
        return false;
    if (n.lo + step.lo < out->lo)
        out->lo = n.lo + step.lo;
    return out->lo >= min;
}

static bool var_range(tc_lift *L, tc_loop_ctx *c, const tc_var *v, tc_interval *out) {
    tc_number x;
    if (!as_number(v, &x))
        return false;
    for (size_t i = 0; i < conjuncts(c->goes_on); i++) {
        tc_limit l;
        if (limit_of(L, c, &x, conjunct(c->goes_on, i), &l) && range_by_limit(L, &x, v->step, &l, out))
            return true;
    }
    return false;
}

void tc_loop_note_ranges(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars, tc_t k) {
    for (size_t i = 0; i < vars->len; i++) {
        tc_interval r;
        tc_number x;
        if (!var_range(L, c, &vars->data[i], &r) || !as_number(&vars->data[i], &x))
            continue;
        tc_interval *keep = TC_NEW(L->arena, tc_interval);
        *keep = r;
        tc_map_put(L->arena, &L->ranges, TC_KEY(tc_loop_at(L, c, x.value, k)), keep);
    }
}

// Counts a loop of constants: goes_on at 0, 1, 2, … folds to a truth value.
static bool count(tc_lift *L, tc_loop_ctx *c, tc_i128 *trips) {
    for (tc_i128 k = 0; k <= MAX_COUNTED; k++) {
        tc_t on = tc_loop_at(L, c, c->goes_on, tc_int(L->ts, k));
        if (tc_is_false(on)) {
            *trips = k;
            return true;
        }
        if (!tc_is_true(on))
            return false;
    }
    return false;
}

static bool is_wrap(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_WRAP;
}

// goes_on without the readings of a variable that never leaves its type's range.
static tc_t read_exactly(tc_lift *L, tc_loop_ctx *c, const tc_var *v, const tc_number *x) {
    tc_interval r;
    if (!var_range(L, c, v, &r))
        return c->goes_on;
    tc_map map = {0};
    for (int s = 0; s < 2; s++) {
        bool sign = s == 0;
        if (!tc_range_within(r, sign ? -tc_pow2(x->width - 1) : 0, tc_pow2(sign ? x->width - 1 : x->width) - 1))
            continue;
        tc_map_put(L->arena, &map, TC_KEY(tc_wrap_kept(L->ts, x->value, x->width, sign)), (void *)(uintptr_t)x->value);
        tc_map_put(L->arena, &map, TC_KEY(flat_node(L, x->value, x->width, sign)), (void *)(uintptr_t)x->value);
    }
    return tc_subst(L->ts, c->goes_on, &map);
}

// How often: the limit met by x0 + k * step for a positive constant step.
static tc_t closed_trips(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars, bool *exact) {
    if (c->goes_on->op != TC_T_LE)
        return NULL;
    for (size_t i = 0; i < vars->len; i++) {
        const tc_var *v = &vars->data[i];
        tc_limit l;
        tc_number x;
        if (!as_number(v, &x) || !limit_of(L, c, &x, c->goes_on, &l))
            continue;
        tc_t step = l.upper ? v->step : tc_neg(L->ts, v->step);
        tc_t room = l.upper ? tc_sub(L->ts, l.limit, x.first) : tc_sub(L->ts, x.first, l.limit);
        tc_interval r = tc_lift_range(L, step);
        tc_interval x0 = tc_lift_range(L, x.first), all;
        if (!r.has_lo || r.lo < 1)
            continue;
        // SOUND: it is never negative: it starts at 0 or above and rises, or does not come below 0 where it falls.
        if (l.compared_unsigned && !(l.upper ? x0.has_lo && x0.lo >= 0 : range_by_limit(L, &x, v->step, &l, &all)))
            continue;
        *exact = !tc_any(L->ts, read_exactly(L, c, v, &x), is_wrap, NULL);
        return tc_max(L->ts, tc_int(L->ts, 0), tc_addc(L->ts, tc_div(L->ts, room, step), 1));
    }
    return NULL;
}

tc_bound tc_loop_bound(tc_lift *L, tc_loop_ctx *c, const tc_vars *vars) {
    tc_bound b = {false, 0, NULL, false};
    if (tc_is_true(c->goes_on))
        return b;
    if (count(L, c, &b.hi)) {
        b.has_hi = true;
        b.trips = tc_int(L->ts, b.hi);
        b.exact = true;
        return b;
    }
    b.trips = closed_trips(L, c, vars, &b.exact);
    for (size_t i = 0; i < vars->len; i++) {
        const tc_var *v = &vars->data[i];
        tc_interval r;
        tc_number x;
        if (!as_number(v, &x) || !var_range(L, c, v, &r))
            continue;
        tc_interval step = tc_lift_range(L, v->step), x0 = tc_lift_range(L, x.first);
        tc_i128 hi = step.lo >= 1 ? (r.hi - x0.lo) / step.lo : step.hi <= -1 ? (x0.hi - r.lo) / -step.hi : -1;
        if (hi >= 0 && (!b.has_hi || hi < b.hi)) {
            b.has_hi = true;
            b.hi = hi;
        }
    }
    return b;
}
