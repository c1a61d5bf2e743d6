// Lowering: what Z3 gets are linear integers, products and functions. An operator that is neither becomes an application
// of an internal function to its lowered arguments (congruence is then free), with true facts about it.
#include "solver/solvei.h"

// X(name, what it stands for, number of arguments)
#define TC_INTERNALS(X)                                                                                                \
    X(DIV, "div", 2)                                                                                                   \
    X(MOD, "mod", 2)                                                                                                   \
    X(TDIV, "tdiv", 2)                                                                                                 \
    X(TREM, "trem", 2)                                                                                                 \
    X(POW2, "pow2", 1)                                                                                                 \
    X(LOG2, "log2", 1) /* the exponent of a power of two, otherwise 0 */                                               \
    X(AND, "bitand", 2)                                                                                                \
    X(OR, "bitor", 2)                                                                                                  \
    X(XOR, "bitxor", 2)

typedef enum internal {
#define X(name, text, arity) F_##name,
    TC_INTERNALS(X)
#undef X
        F_COUNT
} internal;

enum { RUNS_MAX = 4, PAIRS_MAX = 8, TABLE_MAX = 12, DEPTH_MAX = 40 };

struct tc_lowering {
    tc_terms *ts;
    tc_arena *arena;
    const tc_fn *fns[F_COUNT];
    tc_map memo;  // term -> lowered
    tc_map facts; // internal application -> tc_tvec *
    unsigned depth;
};

tc_lowering *tc_lowering_new(tc_terms *ts, tc_arena *a) {
    tc_lowering *l = TC_NEW(a, tc_lowering);
    l->ts = ts;
    l->arena = a;
#define X(name, text, n) l->fns[F_##name] = tc_fn_new(ts, text, n);
    TC_INTERNALS(X)
#undef X
    return l;
}

bool tc_lower_is_internal(const tc_lowering *l, const tc_fn *f) {
    for (int i = 0; i < F_COUNT; i++)
        if (l->fns[i] == f)
            return true;
    return false;
}

static bool log2_value(tc_i128 a, tc_i128 *r) {
    *r = 0;
    if (a > 0 && (a & (a - 1)) == 0)
        while (a >> *r > 1)
            ++*r;
    return true;
}

bool tc_lower_value(const tc_lowering *l, const tc_fn *f, const tc_i128 *a, tc_i128 *r) {
    tc_i128 most = TC_I128_MIN;
    if (f->arity == 2 && (f == l->fns[F_DIV] || f == l->fns[F_MOD] || f == l->fns[F_TDIV] || f == l->fns[F_TREM])) {
        if (a[1] == 0 || (a[1] == -1 && a[0] == most))
            return false;
        *r = f == l->fns[F_DIV]    ? tc_floor_div(a[0], a[1])
             : f == l->fns[F_MOD]  ? tc_floor_mod(a[0], a[1])
             : f == l->fns[F_TDIV] ? a[0] / a[1]
                                   : a[0] % a[1];
        return true;
    }
    if (f == l->fns[F_POW2]) {
        if (a[0] < 0 || a[0] > 126)
            return false;
        *r = tc_pow2((unsigned)a[0]);
        return true;
    }
    if (f == l->fns[F_LOG2])
        return log2_value(a[0], r);
    if (f != l->fns[F_AND] && f != l->fns[F_OR] && f != l->fns[F_XOR])
        return false;
    *r = f == l->fns[F_AND] ? a[0] & a[1] : f == l->fns[F_OR] ? a[0] | a[1] : a[0] ^ a[1];
    return true;
}

// ---- short names for what facts are made of ----

static tc_t add(tc_lowering *l, tc_t a, tc_t b) {
    return tc_add(l->ts, a, b);
}

static tc_t le(tc_lowering *l, tc_t a, tc_t b) {
    return tc_le(l->ts, a, b);
}

static tc_t lt(tc_lowering *l, tc_t a, tc_t b) {
    return tc_lt(l->ts, a, b);
}

static tc_t num(tc_lowering *l, tc_i128 v) {
    return tc_int(l->ts, v);
}

static tc_t at_least(tc_lowering *l, tc_t a, tc_i128 v) {
    return le(l, num(l, v), a);
}

static tc_t at_most(tc_lowering *l, tc_t a, tc_i128 v) {
    return le(l, a, num(l, v));
}

static tc_t both(tc_lowering *l, tc_t a, tc_t b) {
    return tc_and(l->ts, a, b);
}

// The application, its interval met with what is known of the operator's result; *facts is set when it is new.
static tc_t apply(tc_lowering *l, internal f, tc_t a, tc_t b, tc_interval known, tc_tvec **facts) {
    tc_t args[2] = {a, b}, t = tc_app(l->ts, l->fns[f], args);
    tc_tnode *n = tc_tnode_of(t);
    n->range = tc_range_meet(n->range, known);
    *facts = NULL;
    if (!tc_map_has(&l->facts, TC_KEY(t))) {
        *facts = TC_NEW(l->arena, tc_tvec);
        tc_map_put(l->arena, &l->facts, TC_KEY(t), *facts);
    }
    return t;
}

static void state(tc_lowering *l, tc_tvec *facts, tc_t t) {
    if (!tc_is_true(t))
        tc_push(l->arena, facts, t);
}

static void state_if(tc_lowering *l, tc_tvec *facts, tc_t when, tc_t t) {
    state(l, facts, tc_implies(l->ts, when, t));
}

// ---- division ----

static tc_t div_const(tc_lowering *l, tc_t a, tc_i128 c, tc_interval known) {
    tc_tvec *facts;
    tc_t q = apply(l, F_DIV, a, num(l, c), known, &facts);
    if (facts && c > 0) {
        tc_t rest = tc_sub(l->ts, a, tc_mulc(l->ts, q, c));
        state(l, facts, at_least(l, rest, 0));
        state(l, facts, at_most(l, rest, c - 1));
    }
    return q;
}

// a == d * q + r and 0 <= r < d where d > 0, the mirror image where d < 0, nothing where d == 0.
static tc_t div_symbolic(tc_lowering *l, internal which, tc_t a, tc_t d, tc_interval known) {
    tc_tvec *fq, *fr;
    tc_interval any = tc_range_any();
    tc_t q = apply(l, F_DIV, a, d, which == F_DIV ? known : any, &fq);
    tc_t r = apply(l, F_MOD, a, d, which == F_MOD ? known : any, &fr);
    if (fq && fr) {
        tc_t whole = tc_eq(l->ts, a, add(l, tc_mul(l->ts, d, q), r));
        tc_t up = at_least(l, d, 1), down = at_most(l, d, -1), nonneg = at_least(l, a, 0);
        state_if(l, fq, tc_or(l->ts, up, down), whole);
        state_if(l, fq, up, both(l, at_least(l, r, 0), lt(l, r, d)));
        state_if(l, fq, down, both(l, at_most(l, r, 0), lt(l, d, r)));
        state_if(l, fq, both(l, up, nonneg), both(l, at_least(l, q, 0), le(l, q, a)));
        state_if(l, fq, both(l, up, both(l, nonneg, lt(l, a, d))), both(l, at_least(l, q, 0), at_most(l, q, 0)));
        *fr = *fq;
    }
    return which == F_DIV ? q : r;
}

static tc_t tdiv_any(tc_lowering *l, internal which, tc_t a, tc_t d, tc_interval known) {
    tc_tvec *fq, *fr;
    tc_interval any = tc_range_any();
    tc_t q = apply(l, F_TDIV, a, d, which == F_TDIV ? known : any, &fq);
    tc_t r = apply(l, F_TREM, a, d, which == F_TREM ? known : any, &fr);
    if (fq && fr) {
        tc_t up = at_least(l, d, 1), down = at_most(l, d, -1), defined = tc_or(l->ts, up, down);
        tc_t below = both(l, lt(l, r, d), lt(l, tc_neg(l->ts, d), r));
        tc_t above = both(l, lt(l, d, r), lt(l, r, tc_neg(l->ts, d)));
        tc_t nonneg = at_least(l, a, 0), nonpos = at_most(l, a, 0);
        state_if(l, fq, defined, tc_eq(l->ts, a, add(l, tc_mul(l->ts, d, q), r)));
        state_if(l, fq, both(l, defined, nonneg), at_least(l, r, 0));
        state_if(l, fq, both(l, defined, nonpos), at_most(l, r, 0));
        state_if(l, fq, up, below);
        state_if(l, fq, down, above);
        state_if(l, fq, both(l, up, nonneg), both(l, at_least(l, q, 0), le(l, q, a)));
        state_if(l, fq, both(l, up, nonpos), both(l, at_most(l, q, 0), le(l, a, q)));
        *fr = *fq;
    }
    return which == F_TDIV ? q : r;
}

// ---- powers of two ----

static tc_t pow2(tc_lowering *l, tc_t a, tc_interval known) {
    tc_tvec *facts;
    tc_t p = apply(l, F_POW2, a, NULL, known, &facts);
    if (!facts)
        return p;
    tc_interval r = tc_range_get(a);
    state_if(l, facts, at_least(l, a, 0), lt(l, a, p));
    if (tc_range_in(r, 0, 126) && r.hi - r.lo <= TABLE_MAX)
        for (tc_i128 v = r.lo; v <= r.hi; v++)
            state_if(l, facts, tc_eq(l->ts, a, num(l, v)), tc_eq(l->ts, p, num(l, tc_pow2((unsigned)v))));
    return p;
}

// ---- bits ----

// The runs of ones of c >= 0; more than RUNS_MAX: 0.
static unsigned runs_of(tc_i128 c, unsigned lo[RUNS_MAX], unsigned hi[RUNS_MAX]) {
    unsigned n = 0, i = 0;
    if (c < 0)
        return 0;
    while (i < 126 && c >> i) {
        if (((c >> i) & 1) == 0) {
            i++;
            continue;
        }
        if (n == RUNS_MAX)
            return 0;
        lo[n] = i;
        while (i < 127 && ((c >> i) & 1))
            i++;
        hi[n++] = i;
    }
    return n;
}

// x & c as a sum of digits of x, not yet lowered; NULL when there are too many.
static tc_t and_digits(tc_lowering *l, tc_t x, tc_i128 c) {
    unsigned lo[RUNS_MAX], hi[RUNS_MAX], n = runs_of(c, lo, hi);
    tc_t sum = num(l, 0);
    for (unsigned i = 0; i < n; i++) {
        if (hi[i] > 126)
            return NULL;
        tc_t digit = tc_div(l->ts, x, num(l, tc_pow2(lo[i])));
        digit = tc_mod(l->ts, digit, num(l, tc_pow2(hi[i] - lo[i])));
        sum = add(l, sum, tc_mulc(l->ts, digit, tc_pow2(lo[i])));
    }
    return n ? sum : NULL;
}

// x | c and x ^ c by x & c.
static tc_t bits_with_const(tc_lowering *l, tc_t t) {
    if (!tc_is_const(t->args[1]))
        return NULL;
    tc_t x = t->args[0];
    tc_i128 c = t->args[1]->value;
    tc_t digits = and_digits(l, x, c);
    if (!digits || t->op == TC_T_BITAND)
        return digits;
    return tc_sub(l->ts, tc_addc(l->ts, x, c), tc_mulc(l->ts, digits, t->op == TC_T_BITOR ? 1 : 2));
}

static void and_facts(tc_lowering *l, tc_tvec *facts, tc_t v, tc_t x, tc_t y) {
    tc_t nx = at_least(l, x, 0), ny = at_least(l, y, 0);
    state_if(l, facts, nx, both(l, at_least(l, v, 0), le(l, v, x)));
    state_if(l, facts, ny, both(l, at_least(l, v, 0), le(l, v, y)));
    // x & (x - 1) == 0 says that x is a power of two.
    tc_t big = add(l, x, num(l, -1)) == y ? x : add(l, y, num(l, -1)) == x ? y : NULL;
    if (!big)
        return;
    tc_tvec *none;
    tc_t k = apply(l, F_LOG2, big, NULL, tc_range_between(0, 126), &none);
    tc_t p = pow2(l, k, tc_range_any());
    tc_t power = both(l, tc_eq(l->ts, v, num(l, 0)), tc_in_range(l->ts, big, 1, tc_pow2(126)));
    state_if(l, facts, power, tc_eq(l->ts, big, p));
}

// Bounds that are powers of two hold for | and ^ too.
static void below_pow2_facts(tc_lowering *l, tc_tvec *facts, tc_t v, tc_t x, tc_t y) {
    for (unsigned k = 3; k <= 10; k++) {
        tc_i128 top = tc_pow2(k) - 1;
        tc_t in_x = both(l, at_least(l, x, 0), at_most(l, x, top)), in_y = both(l, at_least(l, y, 0), at_most(l, y, top));
        state_if(l, facts, both(l, in_x, in_y), both(l, at_least(l, v, 0), at_most(l, v, top)));
    }
}

static tc_t bits(tc_lowering *l, tc_t t, tc_t x, tc_t y) {
    tc_tvec *facts;
    internal f = t->op == TC_T_BITAND ? F_AND : t->op == TC_T_BITOR ? F_OR : F_XOR;
    if (!tc_is_const(y) && y->id < x->id) {
        tc_t z = x;
        x = y;
        y = z;
    }
    tc_t v = apply(l, f, x, y, tc_range_get(t), &facts);
    if (!facts)
        return v;
    if (f == F_AND) {
        and_facts(l, facts, v, x, y);
        return v;
    }
    tc_t nonneg = both(l, at_least(l, x, 0), at_least(l, y, 0));
    if (f == F_OR)
        state_if(l, facts, nonneg, both(l, both(l, le(l, x, v), le(l, y, v)), le(l, v, add(l, x, y))));
    else
        state_if(l, facts, nonneg, both(l, at_least(l, v, 0), le(l, v, add(l, x, y))));
    below_pow2_facts(l, facts, v, x, y);
    return v;
}

// ---- one term ----

static tc_t wrapped(tc_lowering *l, tc_t t) {
    unsigned w = tc_wrap_width(t);
    tc_i128 lo = tc_wrap_signed(t) ? -tc_pow2(w - 1) : 0;
    tc_t k = tc_lower(l, tc_div(l->ts, tc_addc(l->ts, t->args[0], -lo), num(l, tc_pow2(w))));
    return tc_sub(l->ts, tc_lower(l, t->args[0]), tc_mulc(l->ts, k, tc_pow2(w)));
}

static tc_t lower_op(tc_lowering *l, tc_t t, const tc_t *a) {
    tc_interval known = tc_range_get(t);
    switch (t->op) {
    case TC_T_DIV:
        return tc_is_const(a[1]) ? div_const(l, a[0], a[1]->value, known) : div_symbolic(l, F_DIV, a[0], a[1], known);
    case TC_T_MOD:
        if (!tc_is_const(a[1]))
            return div_symbolic(l, F_MOD, a[0], a[1], known);
        if (a[1]->value <= 0)
            break;
        return tc_sub(l->ts, a[0],
                      tc_mulc(l->ts, div_const(l, a[0], a[1]->value, tc_range_any()), a[1]->value));
    case TC_T_TDIV:
        return tdiv_any(l, F_TDIV, a[0], a[1], known);
    case TC_T_TREM:
        return tdiv_any(l, F_TREM, a[0], a[1], known);
    case TC_T_MIN:
        return tc_ite(l->ts, le(l, a[0], a[1]), a[0], a[1]);
    case TC_T_MAX:
        return tc_ite(l->ts, le(l, a[0], a[1]), a[1], a[0]);
    case TC_T_POW2:
        return pow2(l, a[0], known);
    case TC_T_BITAND:
    case TC_T_BITOR:
    case TC_T_BITXOR:
        return bits(l, t, a[0], a[1]);
    case TC_T_WRAP:
        return wrapped(l, t);
    default:
        break;
    }
    bool same = true;
    for (uint32_t i = 0; i < t->nargs; i++)
        same &= a[i] == t->args[i];
    return same ? t : tc_term_rebuild(l->ts, t, a);
}

static tc_t lower_one(tc_lowering *l, tc_t t) {
    tc_t digits = NULL;
    if (t->op == TC_T_BITAND || t->op == TC_T_BITOR || t->op == TC_T_BITXOR)
        digits = bits_with_const(l, t);
    if (digits && digits != t)
        return tc_lower(l, digits);
    tc_t few[16], *args = t->nargs <= 16 ? few : TC_NEW_ARRAY(l->arena, tc_t, t->nargs);
    for (uint32_t i = 0; i < t->nargs; i++)
        args[i] = tc_map_get(&l->memo, TC_KEY(t->args[i]));
    return lower_op(l, t, args);
}

tc_t tc_lower(tc_lowering *l, tc_t root) {
    tc_t done = tc_map_get(&l->memo, TC_KEY(root));
    if (done)
        return done;
    // New operators come from the digits of a mask and from wraps, over smaller terms; a chain of them is cut off here.
    if (l->depth > DEPTH_MAX)
        return root;
    l->depth++;
    size_t base = tc_order_take(l->ts, &root, 1), n = l->ts->order.len - base;
    for (size_t i = 0; i < n; i++) {
        tc_t t = l->ts->order.data[base + i];
        if (tc_map_has(&l->memo, TC_KEY(t)))
            continue;
        tc_t r = lower_one(l, t);
        tc_map_put(l->arena, &l->memo, TC_KEY(t), (void *)(uintptr_t)r);
    }
    tc_order_drop(l->ts, base);
    l->depth--;
    return tc_map_get(&l->memo, TC_KEY(root));
}

// ---- facts ----

typedef struct gather {
    tc_lowering *l;
    tc_arena *scratch;
    tc_map seen;
    tc_tvec *all;
    tc_tvec pow2s, xors;
} gather;

static void take_facts(void *ctx, tc_t t) {
    gather *g = ctx;
    if (t->op != TC_T_APP || tc_map_has(&g->seen, TC_KEY(t)))
        return;
    tc_map_put(g->scratch, &g->seen, TC_KEY(t), g);
    const tc_tvec *facts = tc_map_get(&g->l->facts, TC_KEY(t));
    for (size_t i = 0; facts && i < facts->len; i++)
        tc_push(g->scratch, g->all, facts->data[i]);
    if (t->fn == g->l->fns[F_POW2])
        tc_push(g->scratch, &g->pow2s, t);
    if (t->fn == g->l->fns[F_XOR])
        tc_push(g->scratch, &g->xors, t);
}

static void pair_facts(gather *g) {
    tc_lowering *l = g->l;
    tc_terms *ts = l->ts;
    for (size_t i = 0; i < g->pow2s.len && i < PAIRS_MAX; i++)
        for (size_t k = 0; k < g->pow2s.len && k < PAIRS_MAX; k++) {
            tc_t p = g->pow2s.data[i], q = g->pow2s.data[k];
            tc_t when = both(l, at_least(l, p->args[0], 0), lt(l, p->args[0], q->args[0]));
            if (i != k)
                tc_push(g->scratch, g->all, tc_implies(ts, when, le(l, tc_mulc(ts, p, 2), q)));
        }
    // Exclusive or is injective in each argument.
    for (size_t i = 0; i < g->xors.len && i < PAIRS_MAX; i++)
        for (size_t k = i + 1; k < g->xors.len && k < PAIRS_MAX; k++) {
            tc_t x = g->xors.data[i], y = g->xors.data[k], same = tc_eq(ts, x, y);
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++) {
                    tc_t when = both(l, same, tc_eq(ts, x->args[a], y->args[b]));
                    tc_push(g->scratch, g->all, tc_implies(ts, when, tc_eq(ts, x->args[1 - a], y->args[1 - b])));
                }
        }
}

void tc_lower_facts(tc_lowering *l, tc_arena *scratch, tc_tvec *all) {
    gather g = {.l = l, .scratch = scratch, .all = all};
    for (size_t i = 0; i < all->len; i++)
        tc_walk(l->ts, all->data[i], take_facts, &g);
    pair_facts(&g);
}
