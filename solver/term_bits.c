// Bit operations on two's complement of unbounded width. Masks become division and remainder.
#include "solver/termi.h"

// The least k <= 126 such that r lies in [0, 2^k).
static bool width_of(tc_interval r, unsigned *k) {
    if (!tc_range_nonneg(r) || !r.has_hi)
        return false;
    for (*k = 0; *k <= 126; ++*k)
        if (r.hi < tc_pow2(*k))
            return true;
    return false;
}

enum { FOREVER = 128 };

// The bits of m are those from lo up to, not including, hi; FOREVER: all from lo on.
static bool is_run(tc_i128 m, unsigned *lo, unsigned *hi) {
    if (m == 0)
        return false;
    unsigned l = 0;
    while (((m >> l) & 1) == 0)
        l++;
    tc_i128 x = m >> l;
    *lo = l;
    *hi = FOREVER;
    if (x == -1)
        return true;
    if (x < 0 || x == TC_I128_MAX || (x & (x + 1)) != 0)
        return false;
    unsigned n = 0;
    while (x >> n)
        n++;
    *hi = l + n;
    return n <= 126;
}

// A constant second operand, cut to the bits that matter for the first.
static tc_i128 relevant_bits(tc_t a, tc_i128 c) {
    unsigned k;
    return width_of(tc_range_get(a), &k) ? c & (tc_pow2(k) - 1) : c;
}

static tc_t and_const(tc_terms *ts, tc_t a, tc_i128 c) {
    c = relevant_bits(a, c);
    if (a->op == TC_T_BITAND && tc_is_const(a->args[1]))
        return and_const(ts, a->args[0], a->args[1]->value & c);
    unsigned lo, hi;
    if (c == 0)
        return tc_int(ts, 0);
    if (c == -1)
        return a;
    if (!is_run(c, &lo, &hi) || lo > 126)
        return tc_term_op2(ts, TC_T_BITAND, TC_INT, a, tc_int(ts, c));
    tc_t t = tc_div(ts, a, tc_int(ts, tc_pow2(lo)));
    if (hi != FOREVER)
        t = tc_mod(ts, t, tc_int(ts, tc_pow2(hi - lo)));
    return tc_mulc(ts, t, tc_pow2(lo));
}

// a is a multiple of 2^k and b in [0, 2^k): they share no bit.
static bool disjoint_bits(tc_terms *ts, tc_t a, tc_t b) {
    unsigned k;
    if (!width_of(tc_range_get(b), &k) || k == 0)
        return false;
    tc_t r = tc_mod(ts, a, tc_int(ts, tc_pow2(k)));
    return tc_is_const(r) && r->value == 0;
}

static tc_t bits_of_constants(tc_terms *ts, tc_op op, tc_i128 a, tc_i128 b) {
    return tc_int(ts, op == TC_T_BITAND ? a & b : op == TC_T_BITOR ? a | b : a ^ b);
}

static tc_t or_const(tc_terms *ts, tc_t a, tc_i128 c) {
    if (c == 0)
        return a;
    if (c == -1)
        return tc_int(ts, -1);
    if (a->op == TC_T_BITOR && tc_is_const(a->args[1]))
        return or_const(ts, a->args[0], a->args[1]->value | c);
    return tc_term_op2(ts, TC_T_BITOR, TC_INT, a, tc_int(ts, c));
}

static tc_t xor_const(tc_terms *ts, tc_t a, tc_i128 c) {
    if (c == 0)
        return a;
    if (c == -1)
        return tc_addc(ts, tc_neg(ts, a), -1);
    if (a->op == TC_T_BITXOR && tc_is_const(a->args[1]))
        return xor_const(ts, a->args[0], a->args[1]->value ^ c);
    return tc_term_op2(ts, TC_T_BITXOR, TC_INT, a, tc_int(ts, c));
}

// x ^ (x ^ y) == y
static tc_t xor_cancel(tc_t x, tc_t y) {
    if (y->op != TC_T_BITXOR)
        return NULL;
    return y->args[0] == x ? y->args[1] : y->args[1] == x ? y->args[0] : NULL;
}

tc_t tc_bitop(tc_terms *ts, tc_op op, tc_t a, tc_t b) {
    if (tc_is_const(a)) {
        tc_t x = a;
        a = b;
        b = x;
    }
    if (tc_is_const(a))
        return bits_of_constants(ts, op, a->value, b->value);
    if (a == b)
        return op == TC_T_BITXOR ? tc_int(ts, 0) : a;
    if (tc_is_const(b) && op == TC_T_BITAND)
        return and_const(ts, a, b->value);
    if (disjoint_bits(ts, a, b) || disjoint_bits(ts, b, a))
        return op == TC_T_BITAND ? tc_int(ts, 0) : tc_add(ts, a, b);
    if (tc_is_const(b))
        return op == TC_T_BITOR ? or_const(ts, a, b->value) : xor_const(ts, a, b->value);
    if (op == TC_T_BITXOR) {
        tc_t t = xor_cancel(a, b);
        if (!t)
            t = xor_cancel(b, a);
        if (t)
            return t;
    }
    return tc_term_sorted2(ts, op, TC_INT, a, b);
}
