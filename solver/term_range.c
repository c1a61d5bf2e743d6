// Intervals of terms, from the ranges of symbols and functions. A side that does not fit 128 bits is missing.
#include "solver/termi.h"

// A bound: a number, or beyond all numbers in one direction.
typedef struct bound {
    int inf; // -1, 0, 1
    tc_i128 v;
} bound;

static bound finite(tc_i128 v) {
    return (bound){0, v};
}

static bound lower(tc_interval r) {
    return r.has_lo ? finite(r.lo) : (bound){-1, 0};
}

static bound upper(tc_interval r) {
    return r.has_hi ? finite(r.hi) : (bound){1, 0};
}

static bool less(bound a, bound b) {
    if (a.inf || b.inf)
        return a.inf < b.inf;
    return a.v < b.v;
}

static int sign(bound a) {
    return a.inf ? a.inf : (a.v > 0) - (a.v < 0);
}

static bound bound_mul(bound a, bound b) {
    int s = sign(a) * sign(b);
    bound r = finite(0);
    if (s == 0)
        return r;
    if (a.inf || b.inf || !tc_mul128(a.v, b.v, &r.v))
        r.inf = s;
    return r;
}

// Floor division by a positive bound.
static bound bound_div(bound a, bound b) {
    if (a.inf)
        return a;
    if (b.inf)
        return finite(a.v < 0 ? -1 : 0);
    return finite(tc_floor_div(a.v, b.v));
}

static tc_interval from_bounds(bound lo, bound hi) {
    return (tc_interval){.has_lo = !lo.inf, .lo = lo.v, .has_hi = !hi.inf, .hi = hi.v};
}

typedef bound (*combine)(bound, bound);

// The hull of op over the corners.
static tc_interval corners(tc_interval a, tc_interval b, combine op) {
    bound as[2] = {lower(a), upper(a)}, bs[2] = {lower(b), upper(b)};
    bound lo = op(as[0], bs[0]), hi = lo;
    for (int i = 1; i < 4; i++) {
        bound x = op(as[i & 1], bs[i >> 1]);
        if (less(x, lo))
            lo = x;
        if (less(hi, x))
            hi = x;
    }
    return from_bounds(lo, hi);
}

tc_interval tc_range_any(void) {
    return (tc_interval){.has_lo = false};
}

tc_interval tc_range_between(tc_i128 lo, tc_i128 hi) {
    return (tc_interval){.has_lo = true, .lo = lo, .has_hi = true, .hi = hi};
}

tc_interval tc_range_add(tc_interval a, tc_interval b) {
    tc_interval r = tc_range_any();
    r.has_lo = a.has_lo && b.has_lo && tc_add128(a.lo, b.lo, &r.lo);
    r.has_hi = a.has_hi && b.has_hi && tc_add128(a.hi, b.hi, &r.hi);
    return r;
}

tc_interval tc_range_mul(tc_interval a, tc_interval b) {
    return corners(a, b, bound_mul);
}

static tc_interval range_neg(tc_interval a) {
    return tc_range_mul(a, tc_range_between(-1, -1));
}

tc_interval tc_range_join(tc_interval a, tc_interval b) {
    tc_interval r = tc_range_any();
    if (a.has_lo && b.has_lo) {
        r.has_lo = true;
        r.lo = a.lo < b.lo ? a.lo : b.lo;
    }
    if (a.has_hi && b.has_hi) {
        r.has_hi = true;
        r.hi = a.hi > b.hi ? a.hi : b.hi;
    }
    return r;
}

tc_interval tc_range_meet(tc_interval a, tc_interval b) {
    if (b.has_lo && (!a.has_lo || b.lo > a.lo)) {
        a.has_lo = true;
        a.lo = b.lo;
    }
    if (b.has_hi && (!a.has_hi || b.hi < a.hi)) {
        a.has_hi = true;
        a.hi = b.hi;
    }
    return a;
}

static tc_interval range_product(const tc_term *t, const tc_interval *args) {
    tc_interval r = tc_range_between(1, 1);
    for (uint32_t i = 0; i < t->nargs;) {
        uint32_t same = 1;
        while (i + same < t->nargs && t->args[i + same] == t->args[i])
            same++;
        tc_interval power = args[i];
        for (uint32_t k = 1; k < same; k++)
            power = tc_range_mul(power, args[i]);
        if (same % 2 == 0 && !tc_range_nonneg(power)) {
            power.has_lo = true;
            power.lo = 0;
        }
        r = tc_range_mul(r, power);
        i += same;
    }
    return r;
}

// Says nothing where the divisor may be 0: the quotient is then any number.
static tc_interval range_div(tc_interval a, tc_interval b) {
    if (tc_range_positive(b))
        return corners(a, b, bound_div);
    if (b.has_hi && b.hi <= -1)
        return corners(range_neg(a), range_neg(b), bound_div);
    return tc_range_any();
}

static tc_interval range_mod(tc_interval a, tc_interval b) {
    tc_interval r = tc_range_any();
    if (tc_range_positive(b)) {
        r = (tc_interval){.has_lo = true, .lo = 0, .has_hi = b.has_hi, .hi = b.has_hi ? b.hi - 1 : 0};
        if (tc_range_nonneg(a) && a.has_hi && (!r.has_hi || a.hi < r.hi)) {
            r.has_hi = true;
            r.hi = a.hi;
        }
    } else if (b.has_hi && b.hi <= -1) {
        r = (tc_interval){.has_hi = true, .hi = 0};
        if (b.has_lo && tc_add128(b.lo, 1, &r.lo))
            r.has_lo = true;
    }
    return r;
}

static tc_interval magnitude(tc_interval a) {
    if (tc_range_nonneg(a))
        return a;
    tc_interval n = range_neg(a);
    if (tc_range_nonneg(n))
        return n;
    tc_interval r = tc_range_join(a, n);
    r.has_lo = true;
    r.lo = 0;
    return r;
}

static bool excludes_zero(tc_interval b) {
    return tc_range_positive(b) || (b.has_hi && b.hi <= -1);
}

static tc_interval range_tdiv(tc_interval a, tc_interval b) {
    if (!excludes_zero(b))
        return tc_range_any();
    tc_interval q = corners(magnitude(a), magnitude(b), bound_div), r = q;
    bool same = tc_range_nonneg(a) == tc_range_positive(b);
    if (tc_range_nonneg(a) || (a.has_hi && a.hi <= 0))
        return same ? q : range_neg(q);
    r = tc_range_join(q, range_neg(q));
    return r;
}

static tc_interval range_trem(tc_interval a, tc_interval b) {
    if (!excludes_zero(b))
        return tc_range_any();
    tc_interval m = magnitude(a), d = magnitude(b), r = {.has_lo = true, .lo = 0};
    r.has_hi = m.has_hi;
    r.hi = m.hi;
    if (d.has_hi && (!r.has_hi || d.hi - 1 < r.hi)) {
        r.has_hi = true;
        r.hi = d.hi - 1;
    }
    if (tc_range_nonneg(a))
        return r;
    tc_interval n = range_neg(r);
    return a.has_hi && a.hi <= 0 ? n : tc_range_join(r, n);
}

static tc_interval range_pow2(tc_interval a) {
    tc_interval r = tc_range_any();
    if (!tc_range_nonneg(a))
        return r;
    if (a.lo <= 126) {
        r.has_lo = true;
        r.lo = tc_pow2((unsigned)a.lo);
    }
    if (a.has_hi && a.hi <= 126) {
        r.has_hi = true;
        r.hi = tc_pow2((unsigned)a.hi);
    }
    return r;
}

// The least k such that all of r lies in [-2^k, 2^k - 1]; false when there is none below 127.
static bool bits_of(tc_interval r, unsigned *k) {
    if (!r.has_lo || !r.has_hi)
        return false;
    unsigned n = 0;
    while (n < 127 && (r.lo < -tc_pow2(n) || r.hi > tc_pow2(n) - 1))
        if (++n == 127)
            return false;
    *k = n;
    return true;
}

static tc_i128 larger(tc_i128 a, tc_i128 b) {
    return a > b ? a : b;
}

static tc_interval range_and(tc_interval a, tc_interval b) {
    bool na = tc_range_nonneg(a), nb = tc_range_nonneg(b);
    tc_interval r = tc_range_any();
    unsigned ka, kb;
    if (na || nb) {
        r.has_lo = true;
        if (na)
            r.has_hi = a.has_hi, r.hi = a.hi;
        if (nb && b.has_hi && (!r.has_hi || b.hi < r.hi))
            r.has_hi = true, r.hi = b.hi;
        return r;
    }
    if (bits_of(a, &ka) && bits_of(b, &kb))
        return tc_range_between(-tc_pow2(ka > kb ? ka : kb), larger(a.hi, b.hi));
    return r;
}

static tc_interval range_or(tc_interval a, tc_interval b, bool exclusive) {
    unsigned ka, kb;
    if (!bits_of(a, &ka) || !bits_of(b, &kb)) {
        tc_interval r = tc_range_any();
        if (tc_range_nonneg(a) && tc_range_nonneg(b)) {
            r.has_lo = true;
            r.lo = exclusive ? 0 : larger(a.lo, b.lo);
        }
        return r;
    }
    tc_i128 top = tc_pow2(ka > kb ? ka : kb);
    if (tc_range_nonneg(a) && tc_range_nonneg(b))
        return tc_range_between(exclusive ? 0 : larger(a.lo, b.lo), top - 1);
    return tc_range_between(-top, top - 1);
}

static tc_interval range_wrap(const tc_term *t) {
    unsigned w = tc_wrap_width(t);
    return tc_wrap_signed(t) ? tc_range_between(-tc_pow2(w - 1), tc_pow2(w - 1) - 1)
                             : tc_range_between(0, tc_pow2(w) - 1);
}

static tc_interval range_minmax(tc_interval a, tc_interval b, bool is_min) {
    tc_interval r = tc_range_join(a, b);
    if (is_min && (a.has_hi || b.has_hi)) {
        r.has_hi = true;
        r.hi = !a.has_hi || (b.has_hi && b.hi < a.hi) ? b.hi : a.hi;
    }
    if (!is_min && (a.has_lo || b.has_lo)) {
        r.has_lo = true;
        r.lo = !a.has_lo || (b.has_lo && b.lo > a.lo) ? b.lo : a.lo;
    }
    return r;
}

static tc_interval range_declared(bool has_lo, tc_i128 lo, bool has_hi, tc_i128 hi) {
    return (tc_interval){.has_lo = has_lo, .lo = lo, .has_hi = has_hi, .hi = hi};
}

static tc_interval truth(bool can_be_false, bool can_be_true) {
    return tc_range_between(can_be_false ? 0 : 1, can_be_true ? 1 : 0);
}

static bool surely_less(tc_interval a, tc_interval b) {
    return a.has_hi && b.has_lo && a.hi < b.lo;
}

static tc_interval range_compare(tc_op op, tc_interval a, tc_interval b) {
    if (op == TC_T_LE) {
        bool always = a.has_hi && b.has_lo && a.hi <= b.lo;
        return truth(!always, !surely_less(b, a));
    }
    bool same = a.has_lo && a.has_hi && b.has_lo && b.has_hi && a.lo == a.hi && b.lo == b.hi && a.lo == b.lo;
    return truth(!same, !surely_less(a, b) && !surely_less(b, a));
}

static tc_interval range_connective(const tc_term *t, const tc_interval *args) {
    tc_interval r = args[0];
    for (uint32_t i = 1; i < t->nargs; i++)
        r = range_minmax(r, args[i], t->op == TC_T_AND);
    return r;
}

static tc_interval range_choice(const tc_interval *args) {
    if (args[0].lo == 1)
        return args[1];
    return args[0].hi == 0 ? args[2] : tc_range_join(args[1], args[2]);
}

tc_interval tc_range_apply(const tc_term *t, const tc_interval *args) {
    switch (t->op) {
    case TC_T_CONST:
        return tc_range_between(t->value, t->value);
    case TC_T_SYM:
        return t->sort == TC_BOOL ? tc_range_between(0, 1)
                                  : range_declared(t->sym->has_lo, t->sym->lo, t->sym->has_hi, t->sym->hi);
    case TC_T_APP:
        return range_declared(t->fn->has_lo, t->fn->lo, t->fn->has_hi, t->fn->hi);
    case TC_T_ADD: {
        tc_interval r = args[0];
        for (uint32_t i = 1; i < t->nargs; i++)
            r = tc_range_add(r, args[i]);
        return r;
    }
    case TC_T_MUL:
        return range_product(t, args);
    case TC_T_DIV:
        return range_div(args[0], args[1]);
    case TC_T_MOD:
        return range_mod(args[0], args[1]);
    case TC_T_TDIV:
        return range_tdiv(args[0], args[1]);
    case TC_T_TREM:
        return range_trem(args[0], args[1]);
    case TC_T_MIN:
    case TC_T_MAX:
        return range_minmax(args[0], args[1], t->op == TC_T_MIN);
    case TC_T_POW2:
        return range_pow2(args[0]);
    case TC_T_BITAND:
        return range_and(args[0], args[1]);
    case TC_T_BITOR:
    case TC_T_BITXOR:
        return range_or(args[0], args[1], t->op == TC_T_BITXOR);
    case TC_T_WRAP:
        return range_wrap(t);
    case TC_T_ITE:
        return range_choice(args);
    case TC_T_EQ:
    case TC_T_LE:
        return range_compare(t->op, args[0], args[1]);
    case TC_T_NOT:
        return tc_range_between(1 - args[0].hi, 1 - args[0].lo);
    case TC_T_AND:
    case TC_T_OR:
        return range_connective(t, args);
    case TC_T_COUNT:
        break;
    }
    return tc_range_any();
}

tc_interval tc_range_make(tc_terms *ts, const tc_term *t) {
    // A condition that is never true or never false would have been folded where it was made.
    if (t->sort == TC_BOOL && t->op != TC_T_CONST)
        return tc_range_between(0, 1);
    tc_interval few[16], *args = t->nargs <= 16 ? few : TC_NEW_ARRAY(ts->arena, tc_interval, t->nargs);
    for (uint32_t i = 0; i < t->nargs; i++)
        args[i] = tc_range_get(t->args[i]);
    return tc_range_apply(t, args);
}
