// From a byte offset to subscripts under the contract's shape.
//
// The offset, in elements, is a polynomial; dividing it by the strides, outermost first, gives one subscript a
// dimension. The identity offset == sum of subscript * stride holds by construction, whatever the guess; that the
// subscripts lie inside the shape is proved. Which multiples of a stride belong to the inner subscript, and which
// dimensions are better taken together, is tried.
#include "checker/rules.h"

// ---- polynomials ----

typedef struct mono {
    tc_i128 coef;
    tc_t const *factors; // sorted by the manager; the same array as the term's
    uint32_t n;
} mono;

static mono mono_of(const tc_t *t) {
    if (tc_is_const(*t))
        return (mono){(*t)->value, NULL, 0};
    if ((*t)->op != TC_T_MUL)
        return (mono){1, t, 1};
    if (tc_is_const((*t)->args[0]))
        return (mono){(*t)->args[0]->value, (*t)->args + 1, (*t)->nargs - 1};
    return (mono){1, (*t)->args, (*t)->nargs};
}

static uint32_t mono_count(tc_t t) {
    return t->op == TC_T_ADD ? t->nargs : 1;
}

// at lives as long as the term.
static const tc_t *mono_at(const tc_t *t, uint32_t i) {
    return (*t)->op == TC_T_ADD ? &(*t)->args[i] : t;
}

tc_i128 tc_poly_constant(tc_t t) {
    tc_i128 c = 0;
    for (uint32_t i = 0; i < mono_count(t); i++) {
        tc_t m = *mono_at(&t, i);
        if (tc_is_const(m))
            c = m->value;
    }
    return c;
}

// a / b as a monomial: every factor of b, as often, and an exact coefficient.
static bool mono_divide(tc_terms *ts, mono a, mono b, tc_t *quotient) {
    if (b.coef == 0 || a.coef % b.coef != 0 || b.n > a.n)
        return false;
    tc_t q = tc_int(ts, a.coef / b.coef);
    bool used[64] = {false};
    if (a.n > 64)
        return false;
    for (uint32_t k = 0; k < b.n; k++) {
        uint32_t i = 0;
        while (i < a.n && (used[i] || a.factors[i] != b.factors[k]))
            i++;
        if (i == a.n)
            return false;
        used[i] = true;
    }
    for (uint32_t i = 0; i < a.n; i++)
        if (!used[i])
            q = tc_mul(ts, q, a.factors[i]);
    *quotient = q;
    return true;
}

static tc_t leading(tc_t t) {
    tc_t best = NULL;
    for (uint32_t i = 0; i < mono_count(t); i++) {
        const tc_t *at = mono_at(&t, i);
        if (!best || mono_of(at).n > mono_of(&best).n)
            best = *at;
    }
    return best;
}

// The quotient of the first monomial of a that b's leading one divides; bare: quotients without a symbol are left
// alone.
static bool step(tc_terms *ts, tc_t a, tc_t lead, bool bare, tc_t *q) {
    for (uint32_t i = 0; i < mono_count(a); i++) {
        const tc_t *at = mono_at(&a, i);
        if (mono_divide(ts, mono_of(at), mono_of(&lead), q) && !(bare && tc_is_const(*q)) &&
            !(tc_is_const(*q) && (*q)->value == 0))
            return true;
    }
    return false;
}

static void divide(tc_terms *ts, tc_t a, tc_t b, bool bare, tc_t *quotient, tc_t *rest) {
    tc_t total = tc_int(ts, 0), lead = leading(b), q;
    // Each step removes a monomial; a divisor of several monomials could go on for ever in a strange order of terms.
    for (int steps = 0; steps < 64 && step(ts, a, lead, bare, &q); steps++) {
        total = tc_add(ts, total, q);
        a = tc_sub(ts, a, tc_mul(ts, q, b));
    }
    *quotient = total;
    *rest = a;
}

void tc_poly_divide(tc_terms *ts, tc_t a, tc_t b, tc_t *quotient, tc_t *rest) {
    divide(ts, a, b, false, quotient, rest);
}

// ---- groups of dimensions ----

static tc_t group_extent(tc_cx *cx, const tc_object_contract *o, const tc_index *x, unsigned g) {
    tc_t n = tc_int(cx->ts, 1);
    for (unsigned d = g ? x->last[g - 1] + 1 : 0; d <= x->last[g]; d++)
        n = tc_mul(cx->ts, n, o->shape[d]);
    return n;
}

// Dimension d lies in memory as shape[d + 1] times the next: the two may be taken together.
static bool joins_next(tc_cx *cx, const tc_object_contract *o, unsigned d) {
    return o->stride[d] == tc_mul(cx->ts, o->stride[d + 1], o->shape[d + 1]);
}

// Bit d of joined: dimensions d and d + 1 are in one group.
static bool make_groups(tc_cx *cx, const tc_object_contract *o, unsigned joined, tc_index *x) {
    x->ngroups = 0;
    for (unsigned d = 0; d < o->ndims; d++) {
        if (d + 1 < o->ndims && joined >> d & 1) {
            if (!joins_next(cx, o, d))
                return false;
            continue;
        }
        x->last[x->ngroups++] = d;
    }
    return true;
}

// ---- subscripts ----

// Offset in bytes = elem * flat + lead, 0 <= lead < elem.
static bool split_bytes(tc_cx *cx, tc_t offset, tc_i128 elem, tc_t *flat, tc_i128 *lead) {
    tc_t rest;
    divide(cx->ts, offset, tc_int(cx->ts, elem), false, flat, &rest);
    if (!tc_is_const(rest))
        return false;
    tc_i128 q = tc_floor_div(rest->value, elem);
    *lead = tc_floor_mod(rest->value, elem);
    *flat = tc_addc(cx->ts, *flat, q);
    return true;
}

// Strides may come in any order: the outermost in memory is the one of highest degree, then of the largest coefficient.
static unsigned next_stride(const tc_object_contract *o, const tc_index *x, unsigned done) {
    unsigned best = TC_MAX_DIMS;
    for (unsigned g = 0; g < x->ngroups; g++) {
        if (done >> g & 1)
            continue;
        if (best == TC_MAX_DIMS) {
            best = g;
            continue;
        }
        tc_t a = leading(o->stride[x->last[g]]), b = leading(o->stride[x->last[best]]);
        mono ma = mono_of(&a), mb = mono_of(&b);
        if (ma.n > mb.n || (ma.n == mb.n && ma.coef > mb.coef))
            best = g;
    }
    return best;
}

static bool subscripts(tc_cx *cx, const tc_object_contract *o, tc_t flat, bool bare, tc_index *x) {
    unsigned done = 0;
    for (unsigned k = 0; k < x->ngroups; k++) {
        unsigned g = next_stride(o, x, done);
        done |= 1u << g;
        tc_t stride = o->stride[x->last[g]], rest;
        divide(cx->ts, flat, stride, bare && k + 1 < x->ngroups, &x->group[g], &rest);
        flat = rest;
    }
    return tc_is_const(flat) && flat->value == 0;
}

static bool propose(tc_cx *cx, const tc_site *s, unsigned joined, bool bare, tc_index *x) {
    const tc_object_contract *o = s->contract;
    tc_i128 elem = (tc_i128)o->elem->size, lead;
    tc_t flat;
    *x = (tc_index){0};
    if (elem <= 0 || s->bytes <= 0 || !split_bytes(cx, s->offset, elem, &flat, &lead))
        return false;
    x->lead = lead;
    x->bytes = s->bytes;
    x->count = tc_floor_div(lead + s->bytes + elem - 1, elem);
    if (!make_groups(cx, o, joined, x) || !subscripts(cx, o, flat, bare, x))
        return false;
    tc_t stride = o->stride[o->ndims - 1];
    if (x->count > 1 && !(tc_is_const(stride) && stride->value == 1))
        return false;
    x->exact = true;
    return true;
}

tc_t tc_index_inside(tc_cx *cx, const tc_object_contract *o, const tc_index *x) {
    tc_terms *ts = cx->ts;
    tc_t all = tc_bool(ts, true);
    for (unsigned g = 0; g < x->ngroups; g++) {
        tc_t end = g + 1 == x->ngroups ? tc_addc(ts, x->group[g], x->count) : tc_addc(ts, x->group[g], 1);
        all = tc_and(ts, all, tc_le(ts, tc_int(ts, 0), x->group[g]));
        all = tc_and(ts, all, tc_le(ts, end, group_extent(cx, o, x, g)));
    }
    return all;
}

static bool shown_inside(tc_cx *cx, const tc_site *s, const tc_tvec *h, tc_index *x) {
    tc_t goal = tc_index_inside(cx, s->contract, x);
    if (goal->op != TC_T_AND)
        return tc_try(cx, h, goal).proved;
    for (uint32_t i = 0; i < goal->nargs; i++)
        if (!tc_try(cx, h, goal->args[i]).proved)
            return false;
    return true;
}

// A guess is worth trying only when it differs from those before.
static bool same_index(const tc_index *a, const tc_index *b) {
    if (a->ngroups != b->ngroups)
        return false;
    for (unsigned g = 0; g < a->ngroups; g++)
        if (a->last[g] != b->last[g] || a->group[g] != b->group[g])
            return false;
    return true;
}

typedef struct guesses {
    tc_index list[16];
    unsigned n;
} guesses;

static bool fresh_guess(guesses *gs, const tc_index *x) {
    for (unsigned i = 0; i < gs->n; i++)
        if (same_index(&gs->list[i], x))
            return false;
    if (gs->n == 16)
        return false;
    gs->list[gs->n++] = *x;
    return true;
}

void tc_index_find(tc_cx *cx, tc_site *s, const tc_tvec *h) {
    const tc_object_contract *o = s->contract;
    if (!o || o->ndims == 0 || !o->elem)
        return;
    guesses gs = {.n = 0};
    unsigned all = 1u << (o->ndims - 1);
    for (unsigned joined = 0; joined < all; joined++)
        for (int bare = 0; bare < 2; bare++) {
            tc_index x;
            if (!propose(cx, s, joined, bare != 0, &x) || !fresh_guess(&gs, &x))
                continue;
            if (!s->index.exact)
                s->index = x;
            if (shown_inside(cx, s, h, &x)) {
                x.inside = true;
                s->index = x;
                return;
            }
        }
}

// ---- what is made of them ----

void tc_index_element(tc_cx *cx, const tc_object_contract *o, const tc_index *x, tc_i128 e, tc_t *out) {
    for (unsigned g = 0; g < x->ngroups; g++) {
        tc_t rest = g + 1 == x->ngroups ? tc_addc(cx->ts, x->group[g], e) : x->group[g];
        unsigned first = g ? x->last[g - 1] + 1 : 0;
        for (unsigned d = x->last[g]; d > first; d--) {
            out[d] = tc_mod(cx->ts, rest, o->shape[d]);
            rest = tc_div(cx->ts, rest, o->shape[d]);
        }
        out[first] = rest;
    }
}

// SOUND: a byte that two accesses have in common lies in one element, at one distance from its beginning.
static bool other_fields(const tc_index *x, const tc_index *y) {
    return x->count == 1 && y->count == 1 && (x->lead + x->bytes <= y->lead || y->lead + y->bytes <= x->lead);
}

tc_t tc_index_meet(tc_cx *cx, const tc_object_contract *o, const tc_index *x, const tc_index *y) {
    tc_terms *ts = cx->ts;
    bool same = x->ngroups == y->ngroups;
    for (unsigned g = 0; same && g < x->ngroups; g++)
        same = x->last[g] == y->last[g];
    tc_t a[TC_MAX_DIMS], b[TC_MAX_DIMS], all = tc_bool(ts, true);
    unsigned n = x->ngroups;
    if (other_fields(x, y))
        return tc_bool(ts, false);
    if (same) {
        for (unsigned g = 0; g < n; g++) {
            a[g] = x->group[g];
            b[g] = y->group[g];
        }
    } else {
        if (x->count != 1 || y->count != 1)
            return NULL;
        n = o->ndims;
        tc_index_element(cx, o, x, 0, a);
        tc_index_element(cx, o, y, 0, b);
    }
    for (unsigned g = 0; g + 1 < n; g++)
        all = tc_and(ts, all, tc_eq(ts, a[g], b[g]));
    tc_t l = a[n - 1], r = b[n - 1];
    if (x->count == 1 && y->count == 1)
        return tc_and(ts, all, tc_eq(ts, l, r));
    all = tc_and(ts, all, tc_lt(ts, l, tc_addc(ts, r, y->count)));
    return tc_and(ts, all, tc_lt(ts, r, tc_addc(ts, l, x->count)));
}
