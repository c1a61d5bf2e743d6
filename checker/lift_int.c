// Integers. A lifted integer is a mathematical term that is congruent to the machine's value modulo 2^width; only who
// needs its signed or unsigned reading pays for the difference, with a TC_WRAP and a check.
#include <string.h>

#include "checker/lift.h"

bool tc_range_within(tc_interval r, tc_i128 lo, tc_i128 hi) {
    return r.has_lo && r.has_hi && r.lo >= lo && r.hi <= hi;
}

tc_interval tc_lift_range(tc_lift *L, tc_t t) {
    tc_interval r = tc_range_of(L->ts, t);
    const tc_interval *known = tc_map_get(&L->ranges, TC_KEY(t));
    if (known == NULL)
        return r;
    if (known->has_lo && (!r.has_lo || known->lo > r.lo)) {
        r.has_lo = true;
        r.lo = known->lo;
    }
    if (known->has_hi && (!r.has_hi || known->hi < r.hi)) {
        r.has_hi = true;
        r.hi = known->hi;
    }
    return r;
}

static bool nonneg(tc_lift *L, tc_t t) {
    tc_interval r = tc_lift_range(L, t);
    return r.has_lo && r.lo >= 0;
}

static tc_i128 signed_min(unsigned w) { return -tc_pow2(w - 1); }
static tc_i128 signed_max(unsigned w) { return tc_pow2(w - 1) - 1; }
static tc_i128 unsigned_max(unsigned w) { return tc_pow2(w) - 1; }

static tc_t as_int(tc_lift *L, tc_t b, tc_i128 yes) { return tc_ite(L->ts, b, tc_int(L->ts, yes), tc_int(L->ts, 0)); }

static const char *or_text(const char *a, const char *b) { return a != NULL ? a : b; }

// Made by C's signed types.
static bool is_signed_made(const tc_val *v) { return v->what != NULL && strncmp(v->what, "signed ", 7) == 0; }

// v's term where it is in range; a node of its own otherwise, with the check that it is.
static tc_t reading(tc_lift *L, tc_flow *f, const tc_val *v, bool is_signed, const char *what) {
    tc_i128 lo = is_signed ? signed_min(v->width) : 0, hi = is_signed ? signed_max(v->width) : unsigned_max(v->width);
    tc_t w = tc_wrap_kept(L->ts, v->term, v->width, is_signed);
    if (w == v->term)
        return w;
    tc_trace_reading(L, w);
    tc_check *c = tc_record_check(L, f, TC_CK_WRAP, tc_in_range(L->ts, v->term, lo, hi), w, or_text(v->what, what),
                                  v->made != NULL ? v->made : L->inst);
    if (c != NULL)
        c->undefined = is_signed_made(v) || (v->what != NULL && strcmp(v->what, tc_argument) == 0);
    return w;
}

// A constant of the source, or bits: each reading of them is right. Not what arithmetic or a conversion made of constants.
static bool is_written(const tc_val *v) { return tc_is_const(v->term) && (v->what == NULL || strcmp(v->what, "complement") == 0); }

tc_t tc_lift_signed(tc_lift *L, tc_flow *f, const tc_val *v, const char *what) {
    if (v->width == 1)
        return as_int(L, v->term, -1);
    tc_interval r = tc_lift_range(L, v->term);
    if (tc_range_within(r, signed_min(v->width), signed_max(v->width)))
        return v->term;
    if (is_written(v))
        return tc_wrap(L->ts, v->term, v->width, true);
    return reading(L, f, v, true, what);
}

// SOUND: a closed form is congruent to what C computed as long as no step overflowed, and such a step is undefined whatever is
// made of the value after it: unsigned arithmetic, a mask. So it is read as signed first.
static const tc_val *as_made(tc_lift *L, tc_flow *f, const tc_val *v) {
    if (v->width == 1 || !is_signed_made(v))
        return v;
    tc_t t = tc_lift_signed(L, f, v, "signed value");
    return t == v->term ? v : tc_val_made(L, v->width, t, v->made, v->what);
}

tc_t tc_lift_unsigned(tc_lift *L, tc_flow *f, const tc_val *v, const char *what, bool compare) {
    if (v->width == 1)
        return as_int(L, v->term, 1);
    v = as_made(L, f, v);
    tc_i128 top = unsigned_max(v->width);
    if (is_written(v))
        return tc_wrap(L->ts, v->term, v->width, false);
    tc_interval r = tc_lift_range(L, v->term);
    if (tc_range_within(r, 0, top))
        return v->term;
    if (tc_val_is_signless(v))
        return tc_wrap(L->ts, v->term, v->width, false); // exact, and no fault
    if (!compare || !(r.has_lo && r.lo >= -top - 1 && r.lo < 0))
        return reading(L, f, v, false, what);
    // Comparisons read negative values as large ones, exactly, and that is no fault; beyond 2^width it wraps.
    LLVMValueRef at = v->made != NULL ? v->made : L->inst;
    tc_t zero = tc_int(L->ts, 0), high = v->term;
    if (!r.has_hi || r.hi > top) {
        high = tc_wrap_kept(L->ts, v->term, v->width, false);
        tc_trace_reading(L, high);
        tc_flow g = {tc_and(L->ts, f->guard, tc_le(L->ts, zero, v->term)), f->state};
        tc_record_check(L, &g, TC_CK_WRAP, tc_le(L->ts, v->term, tc_int(L->ts, top)), high,
                        or_text(v->what, what), at);
    }
    return tc_ite(L->ts, tc_le(L->ts, zero, v->term), high, tc_addc(L->ts, v->term, top + 1));
}

tc_t tc_lift_truth(tc_lift *L, const tc_val *v) {
    if (v->kind != TC_V_INT)
        return tc_lift_bool_sym(L, "condition", 7);
    return v->width == 1 ? v->term : tc_ne(L->ts, v->term, tc_int(L->ts, 0));
}

// ---- comparisons ----

// A choice between constants compared with a constant is the choice's condition.
static tc_t fold_choice(tc_lift *L, tc_t a, tc_t b, bool *done) {
    *done = false;
    if (a->op != TC_T_ITE || !tc_is_const(b) || !tc_is_const(a->args[1]) || !tc_is_const(a->args[2]))
        return NULL;
    bool x = a->args[1]->value == b->value, y = a->args[2]->value == b->value;
    *done = true;
    if (x == y)
        return tc_bool(L->ts, x);
    return x ? a->args[0] : tc_not(L->ts, a->args[0]);
}

static tc_t equal(tc_lift *L, tc_t a, tc_t b) {
    bool done;
    tc_t t = fold_choice(L, a, b, &done);
    if (!done)
        t = fold_choice(L, b, a, &done);
    return done ? t : tc_eq(L->ts, a, b);
}

// Never negative, or made by C's unsigned types: to be compared as unsigned.
static bool is_unsigned_like(tc_lift *L, const tc_val *v) {
    return nonneg(L, v->term) || (!tc_is_const(v->term) && v->what != NULL && strncmp(v->what, "unsigned", 8) == 0);
}

static tc_t lift_equal(tc_lift *L, tc_flow *f, const tc_val *a, const tc_val *b) {
    if (a->width == 1) {
        tc_t both = tc_and(L->ts, a->term, b->term);
        tc_t none = tc_and(L->ts, tc_not(L->ts, a->term), tc_not(L->ts, b->term));
        if (tc_is_const(b->term))
            return b->term->value ? a->term : tc_not(L->ts, a->term);
        if (tc_is_const(a->term))
            return a->term->value ? b->term : tc_not(L->ts, b->term);
        return tc_or(L->ts, both, none);
    }
    a = as_made(L, f, a);
    b = as_made(L, f, b);
    // Congruent terms less than 2^width apart are equal exactly when the machine's values are.
    tc_interval d = tc_range_of(L->ts, tc_sub(L->ts, a->term, b->term));
    tc_i128 top = unsigned_max(a->width);
    if (tc_range_within(d, -top, top))
        return equal(L, a->term, b->term);
    bool ua = is_unsigned_like(L, a), ub = is_unsigned_like(L, b);
    bool as_unsigned = (ua && ub) || (tc_is_const(b->term) && nonneg(L, a->term)) || (tc_is_const(a->term) && nonneg(L, b->term));
    if (as_unsigned)
        return equal(L, tc_lift_unsigned(L, f, a, "unsigned value", true), tc_lift_unsigned(L, f, b, "unsigned value", true));
    return equal(L, tc_lift_signed(L, f, a, "signed value"), tc_lift_signed(L, f, b, "signed value"));
}

static const tc_val *compare(tc_lift *L, tc_flow *f, LLVMIntPredicate p, const tc_val *a, const tc_val *b) {
    tc_t x, y, t;
    switch (p) {
    case LLVMIntEQ:
        return tc_val_bool(L, lift_equal(L, f, a, b));
    case LLVMIntNE:
        return tc_val_bool(L, tc_not(L->ts, lift_equal(L, f, a, b)));
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntULT:
    case LLVMIntULE:
        x = tc_lift_unsigned(L, f, a, "unsigned value", true);
        y = tc_lift_unsigned(L, f, b, "unsigned value", true);
        break;
    default:
        x = tc_lift_signed(L, f, a, "signed value");
        y = tc_lift_signed(L, f, b, "signed value");
    }
    switch (p) {
    case LLVMIntUGT:
    case LLVMIntSGT:
        t = tc_lt(L->ts, y, x);
        break;
    case LLVMIntUGE:
    case LLVMIntSGE:
        t = tc_le(L->ts, y, x);
        break;
    case LLVMIntULT:
    case LLVMIntSLT:
        t = tc_lt(L->ts, x, y);
        break;
    default:
        t = tc_le(L->ts, x, y);
    }
    return tc_val_bool(L, t);
}

const tc_val *tc_lift_icmp(tc_lift *L, tc_flow *f, LLVMIntPredicate p, const tc_val *a, const tc_val *b) {
    return tc_lift_traced(L, compare(L, f, p, a, b), (const tc_val *const[]){a, b}, 2);
}

// ---- arithmetic ----

typedef struct tc_bin {
    tc_lift *L;
    tc_flow *f;
    LLVMValueRef inst;
    const tc_val *a, *b;
    unsigned width;
} tc_bin;

static const tc_val *opaque(tc_bin *x) {
    return tc_val_derived(x->L, LLVMTypeOf(x->inst), "value", 1, (const tc_val *const[]){x->a, x->b}, 2);
}

// A value of the sign that the operation gives it; of a constant it would not be seen that it is not one of the source.
static const tc_val *converted(tc_lift *L, unsigned width, tc_t t, LLVMValueRef inst, const char *what) {
    return tc_is_const(t) ? tc_val_made(L, width, t, inst, what) : tc_val_int(L, width, t);
}

// C's signed operation: it must not leave the range, and its result is wrapped if it does.
static const tc_val *checked(tc_bin *x, tc_t t, const char *what) {
    tc_lift *L = x->L;
    const tc_val *v = tc_val_made(L, x->width, t, x->inst, what);
    return tc_val_made(L, x->width, reading(L, x->f, v, true, what), x->inst, what);
}

// a / b + (a % b > 0 ? 1 : 0), as tc_cdiv has it: a division rounded up. SOUND: for b > 0 it is (a + b - 1) / b rounded
// down, for every a, whether / and % round down or towards zero.
static tc_t rounded_up(tc_lift *L, tc_t q, tc_t one) {
    if ((q->op != TC_T_DIV && q->op != TC_T_TDIV) || one->op != TC_T_ITE || !tc_is_const(one->args[1]) ||
        !tc_is_const(one->args[2]) || one->args[1]->value != 1 || one->args[2]->value != 0)
        return NULL;
    tc_t rest = q->op == TC_T_DIV ? tc_mod(L->ts, q->args[0], q->args[1]) : tc_trem(L->ts, q->args[0], q->args[1]);
    tc_interval by = tc_lift_range(L, q->args[1]);
    if (one->args[0] != tc_lt(L->ts, tc_int(L->ts, 0), rest) || !by.has_lo || by.lo < 1)
        return NULL;
    return tc_div(L->ts, tc_addc(L->ts, tc_add(L->ts, q->args[0], q->args[1]), -1), q->args[1]);
}

static tc_t plus(tc_lift *L, tc_t a, tc_t b) {
    tc_t up = rounded_up(L, a, b);
    return up ? up : tc_add(L->ts, a, b);
}

static const tc_val *sum(tc_bin *x, bool minus) {
    tc_lift *L = x->L;
    const char *what = minus ? "signed subtraction" : "signed addition";
    if (LLVMGetNSW(x->inst)) {
        tc_t s = tc_lift_signed(L, x->f, x->a, "signed value"), t = tc_lift_signed(L, x->f, x->b, "signed value");
        return checked(x, minus ? tc_sub(L->ts, s, t) : plus(L, s, t), what);
    }
    tc_t a = as_made(L, x->f, x->a)->term, b = as_made(L, x->f, x->b)->term;
    tc_t t = minus ? tc_sub(L->ts, a, b) : plus(L, a, b);
    return tc_val_made(L, x->width, t, x->inst, minus ? "unsigned subtraction" : "unsigned sum");
}

enum { MAX_PRODUCT = 256 };

static size_t terms_of(tc_t t) { return t->op == TC_T_ADD ? t->nargs : 1; }

static const tc_val *product(tc_bin *x) {
    tc_lift *L = x->L;
    if (LLVMGetNSW(x->inst)) {
        if (terms_of(x->a->term) * terms_of(x->b->term) > MAX_PRODUCT)
            return opaque(x);
        tc_t s = tc_lift_signed(L, x->f, x->a, "signed value"), t = tc_lift_signed(L, x->f, x->b, "signed value");
        return checked(x, tc_mul(L->ts, s, t), "signed product");
    }
    // Polynomials grow by products of sums; what is that far from an index is taken as some value.
    if (terms_of(x->a->term) * terms_of(x->b->term) > MAX_PRODUCT)
        return opaque(x);
    tc_t a = as_made(L, x->f, x->a)->term, b = as_made(L, x->f, x->b)->term;
    return tc_val_made(L, x->width, tc_mul(L->ts, a, b), x->inst, "unsigned product");
}

static void check_divisor(tc_bin *x, tc_t dividend, tc_t divisor, bool is_signed, tc_t result) {
    tc_lift *L = x->L;
    tc_t ok = tc_ne(L->ts, divisor, tc_int(L->ts, 0));
    if (!tc_is_true(ok))
        tc_record_check(L, x->f, TC_CK_DIV, ok, result, "division", x->inst);
    tc_interval r = tc_lift_range(L, dividend);
    if (!is_signed || (r.has_lo && r.lo > signed_min(x->width)))
        return;
    ok = tc_or(L->ts, tc_ne(L->ts, divisor, tc_int(L->ts, -1)),
               tc_ne(L->ts, dividend, tc_int(L->ts, signed_min(x->width))));
    if (!tc_is_true(ok))
        tc_record_check(L, x->f, TC_CK_DIV_RANGE, ok, result, "division", x->inst);
}

// A division or remainder by zero gives some value of the type: the solver leaves it open, the check catches it.
static const tc_val *division(tc_bin *x, bool is_signed, bool remainder) {
    tc_lift *L = x->L;
    tc_t a, b, t;
    if (is_signed) {
        a = tc_lift_signed(L, x->f, x->a, "dividend");
        b = tc_lift_signed(L, x->f, x->b, "divisor");
    } else {
        a = tc_lift_unsigned(L, x->f, x->a, "dividend", false);
        b = tc_lift_unsigned(L, x->f, x->b, "divisor", false);
    }
    if (tc_is_const(b) && b->value == 0) {
        const tc_val *v = opaque(x);
        check_divisor(x, a, b, is_signed, v->term);
        return v;
    }
    tc_interval rb = tc_lift_range(L, b);
    if (nonneg(L, a) && rb.has_lo && rb.lo >= 0)
        t = remainder ? tc_mod(L->ts, a, b) : tc_div(L->ts, a, b);
    else
        t = remainder ? tc_trem(L->ts, a, b) : tc_tdiv(L->ts, a, b);
    check_divisor(x, a, b, is_signed, t);
    return converted(L, x->width, t, x->inst, "division");
}

static const tc_val *shift_left(tc_bin *x) {
    tc_lift *L = x->L;
    bool nsw = LLVMGetNSW(x->inst);
    tc_t amount = tc_lift_unsigned(L, x->f, x->b, "shift amount", false);
    if (tc_is_const(amount) && (amount->value < 0 || amount->value >= (tc_i128)x->width)) {
        const tc_val *v = opaque(x);
        tc_record_check(L, x->f, TC_CK_SHIFT, L->ff, v->term, "shift", x->inst);
        return v;
    }
    tc_t base = nsw ? tc_lift_signed(L, x->f, x->a, "signed value") : as_made(L, x->f, x->a)->term;
    tc_t t = tc_is_const(amount) ? tc_mulc(L->ts, base, tc_pow2((unsigned)amount->value))
                                 : tc_mul(L->ts, base, tc_pow2_term(L->ts, amount));
    if (!tc_is_const(amount)) {
        tc_t ok = tc_in_range(L->ts, amount, 0, (tc_i128)x->width - 1);
        if (!tc_is_true(ok))
            tc_record_check(L, x->f, TC_CK_SHIFT, ok, t, "shift", x->inst);
    }
    return nsw ? checked(x, t, "signed shift") : tc_val_made(L, x->width, t, x->inst, "shift");
}

static const tc_val *shift_right(tc_bin *x, bool is_signed) {
    tc_lift *L = x->L;
    tc_t amount = tc_lift_unsigned(L, x->f, x->b, "shift amount", false);
    if (tc_is_const(amount) && (amount->value < 0 || amount->value >= (tc_i128)x->width)) {
        const tc_val *v = opaque(x);
        tc_record_check(L, x->f, TC_CK_SHIFT, L->ff, v->term, "shift", x->inst);
        return v;
    }
    tc_t a = is_signed ? tc_lift_signed(L, x->f, x->a, "signed value")
                       : tc_lift_unsigned(L, x->f, x->a, "unsigned value", false);
    tc_t by = tc_is_const(amount) ? tc_int(L->ts, tc_pow2((unsigned)amount->value)) : tc_pow2_term(L->ts, amount);
    tc_t t = tc_div(L->ts, a, by);
    if (!tc_is_const(amount)) {
        tc_t ok = tc_in_range(L->ts, amount, 0, (tc_i128)x->width - 1);
        if (!tc_is_true(ok))
            tc_record_check(L, x->f, TC_CK_SHIFT, ok, t, "shift", x->inst);
    }
    return converted(L, x->width, t, x->inst, "shift");
}

// A mask of ones from bit lo up to, not including, bit hi.
static bool is_mask(tc_i128 m, unsigned *lo, unsigned *hi) {
    if (m <= 0)
        return false;
    unsigned l = 0;
    while (((m >> l) & 1) == 0)
        l++;
    tc_i128 top = (m >> l) + 1;
    if ((top & (top - 1)) != 0)
        return false;
    unsigned h = l;
    while (tc_pow2(h - l) < top)
        h++;
    *lo = l;
    *hi = h;
    return true;
}

// SOUND: the sign bits go through: both signed readings give the signed reading of the result, both unsigned ones the unsigned.
static const tc_val *bitwise(tc_bin *x, tc_op op, const tc_val *a, const tc_val *b, const char *what) {
    tc_lift *L = x->L;
    bool plain = is_unsigned_like(L, a) && is_unsigned_like(L, b);
    tc_t s = plain ? tc_lift_unsigned(L, x->f, a, what, false) : tc_lift_signed(L, x->f, a, what);
    tc_t t = plain ? tc_lift_unsigned(L, x->f, b, what, false) : tc_lift_signed(L, x->f, b, what);
    return tc_val_int(L, x->width, tc_bitop(L->ts, op, s, t));
}

static const tc_val *bit_and(tc_bin *x) {
    tc_lift *L = x->L;
    const tc_val *a = as_made(L, x->f, x->a), *b = as_made(L, x->f, x->b);
    if (tc_is_const(a->term)) {
        const tc_val *s = a;
        a = b;
        b = s;
    }
    unsigned lo, hi;
    if (tc_is_const(b->term)) {
        tc_i128 m = tc_wrap128(b->term->value, x->width, false);
        if (m == 0)
            return tc_val_int(L, x->width, tc_int(L->ts, 0));
        if (is_mask(m, &lo, &hi)) {
            // Low bits of a congruent term are those of the value, so no reading is needed.
            tc_t t = tc_div(L->ts, a->term, tc_int(L->ts, tc_pow2(lo)));
            if (hi == x->width) { // bits below are cleared; an address keeps its base in sight
                tc_t kept = tc_lift_is_address(L, a->term)
                                ? tc_sub(L->ts, a->term, tc_mod(L->ts, a->term, tc_int(L->ts, tc_pow2(lo))))
                                : tc_mulc(L->ts, t, tc_pow2(lo));
                return tc_val_made(L, x->width, kept, a->made, a->what);
            }
            return tc_val_int(L, x->width, tc_mulc(L->ts, tc_mod(L->ts, t, tc_int(L->ts, tc_pow2(hi - lo))), tc_pow2(lo)));
        }
    }
    return bitwise(x, TC_T_BITAND, a, b, "operand of &");
}

// Is t a multiple of 2^k, from its shape alone?
static bool is_multiple(tc_lift *L, tc_t t, unsigned k) {
    tc_t r = tc_mod(L->ts, t, tc_int(L->ts, tc_pow2(k)));
    return tc_is_const(r) && r->value == 0;
}

static const tc_val *add_disjoint(tc_bin *x, const tc_val *a, const tc_val *b) {
    tc_lift *L = x->L;
    tc_interval r = tc_lift_range(L, b->term);
    if (!r.has_lo || r.lo < 0 || !r.has_hi || r.hi > unsigned_max(x->width))
        return NULL;
    unsigned k = 0;
    while (k < x->width && tc_pow2(k) <= r.hi)
        k++;
    if (k >= x->width || !is_multiple(L, a->term, k))
        return NULL;
    return tc_val_made(L, x->width, tc_add(L->ts, a->term, b->term), a->made, a->what);
}

static const tc_val *bit_or(tc_bin *x) {
    const tc_val *v = add_disjoint(x, x->a, x->b);
    if (v == NULL)
        v = add_disjoint(x, x->b, x->a);
    if (v != NULL)
        return v;
    return bitwise(x, TC_T_BITOR, x->a, x->b, "operand of |");
}

static const tc_val *bit_xor(tc_bin *x) {
    tc_lift *L = x->L;
    const tc_val *a = as_made(L, x->f, x->a), *b = as_made(L, x->f, x->b);
    if (tc_is_const(a->term)) {
        const tc_val *s = a;
        a = b;
        b = s;
    }
    if (tc_is_const(b->term) && tc_wrap128(b->term->value, x->width, true) == -1)
        return tc_val_made(L, x->width, tc_addc(L->ts, tc_neg(L->ts, a->term), -1), x->inst, "complement");
    return bitwise(x, TC_T_BITXOR, a, b, "operand of ^");
}

static const tc_val *boolean(tc_bin *x, LLVMOpcode op) {
    tc_lift *L = x->L;
    tc_t a = x->a->term, b = x->b->term;
    switch (op) {
    case LLVMAnd:
    case LLVMMul:
        return tc_val_bool(L, tc_and(L->ts, a, b));
    case LLVMOr:
        return tc_val_bool(L, tc_or(L->ts, a, b));
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
        if (tc_is_const(b))
            return tc_val_bool(L, b->value ? tc_not(L->ts, a) : a);
        if (tc_is_const(a))
            return tc_val_bool(L, a->value ? tc_not(L->ts, b) : b);
        return tc_val_bool(L, tc_or(L->ts, tc_and(L->ts, a, tc_not(L->ts, b)), tc_and(L->ts, tc_not(L->ts, a), b)));
    default:
        return opaque(x);
    }
}

static const tc_val *integer_binary(tc_bin *x, LLVMOpcode op) {
    if (x->width == 1)
        return boolean(x, op);
    switch (op) {
    case LLVMAdd:
        return sum(x, false);
    case LLVMSub:
        return sum(x, true);
    case LLVMMul:
        return product(x);
    case LLVMUDiv:
        return division(x, false, false);
    case LLVMSDiv:
        return division(x, true, false);
    case LLVMURem:
        return division(x, false, true);
    case LLVMSRem:
        return division(x, true, true);
    case LLVMShl:
        return shift_left(x);
    case LLVMLShr:
        return shift_right(x, false);
    case LLVMAShr:
        return shift_right(x, true);
    case LLVMAnd:
        return bit_and(x);
    case LLVMOr:
        return bit_or(x);
    case LLVMXor:
        return bit_xor(x);
    default:
        return opaque(x);
    }
}

// Rounds of a hash or a cipher make formulas that double with each step, and that no address ever sees.
// SOUND: any value of the type may stand for what the operation gave. The formula is kept for TC2002, which asks what a value is
// made of.
static const tc_val *folded(tc_lift *L, const tc_val *v) {
    enum { LARGEST = 3000 };
    if (v->kind != TC_V_INT || v->width == 1 || tc_term_size(v->term) <= LARGEST)
        return v;
    tc_t undef = tc_val_undef(L, v);
    if (!tc_is_const(undef))
        return v;
    bool fresh;
    tc_sym *s = tc_lift_sym(L, "value", tc_is_true(undef) ? TC_SYM_UNINIT : TC_SYM_UNKNOWN, TC_INT, 7, &fresh);
    if (fresh) {
        s->has_lo = s->has_hi = true;
        s->lo = signed_min(v->width);
        s->hi = signed_max(v->width);
    }
    s->traced = true;
    tc_push(L->arena, &L->m->folded, ((tc_carried){s, v->term, NULL}));
    return tc_val_int(L, v->width, tc_of_sym(L->ts, s));
}

const tc_val *tc_lift_binary(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMTypeOf(inst);
    const tc_val *a = tc_lift_operand(L, LLVMGetOperand(inst, 0)), *b = tc_lift_operand(L, LLVMGetOperand(inst, 1));
    unsigned bits;
    if (!tc_lift_type_bits(L, type, &bits)) {
        const tc_val *const args[] = {a, b};
        return tc_val_computed(L, tc_val_derived(L, type, "value", 1, args, 2), 1, args, 2);
    }
    a = tc_val_as(L, a, type, 0);
    b = tc_val_as(L, b, type, 0);
    if (a->kind != TC_V_INT || b->kind != TC_V_INT)
        return tc_val_derived(L, type, "value", 1, (const tc_val *const[]){a, b}, 2);
    tc_bin x = {L, f, inst, a, b, bits};
    const tc_val *v = integer_binary(&x, LLVMGetInstructionOpcode(inst));
    return folded(L, tc_lift_traced(L, v, (const tc_val *const[]){a, b}, 2));
}

// ---- conversions ----

// Bit 0 of a congruent term.
static tc_t low_bit(tc_lift *L, tc_t t) {
    if (t->op == TC_T_ITE)
        return tc_ite(L->ts, t->args[0], low_bit(L, t->args[1]), low_bit(L, t->args[2]));
    if (tc_is_const(t))
        return tc_bool(L->ts, (t->value & 1) != 0);
    return tc_eq(L->ts, tc_mod(L->ts, t, tc_int(L->ts, 2)), tc_int(L->ts, 1));
}

static const tc_val *truncate(tc_lift *L, const tc_val *v, unsigned bits, LLVMValueRef inst) {
    return bits == 1 ? tc_val_bool(L, low_bit(L, v->term)) : tc_val_made(L, bits, v->term, inst, "narrowing");
}

static const tc_val *float_to_int(tc_lift *L, const tc_val *v, unsigned bits, bool is_signed) {
    tc_i128 lo = is_signed ? signed_min(bits) : 0, hi = is_signed ? signed_max(bits) : unsigned_max(bits);
    return tc_val_computed(L, tc_val_derived_ranged(L, bits, "converted", 1, lo, hi, &v, 1), 1, &v, 1);
}

static const tc_val *integer_cast(tc_lift *L, tc_flow *f, LLVMOpcode op, const tc_val *v, unsigned bits,
                                  LLVMValueRef inst) {
    switch (op) {
    case LLVMTrunc:
        return v->width == 1 ? v : truncate(L, v, bits, inst);
    case LLVMSExt:
        return converted(L, bits, tc_lift_signed(L, f, v, "widening"), inst, "widening");
    default:
        return converted(L, bits, tc_lift_unsigned(L, f, v, "widening", false), inst, "widening");
    }
}

static const tc_val *to_integer(tc_lift *L, tc_flow *f, LLVMOpcode op, const tc_val *v, unsigned bits,
                                LLVMValueRef inst) {
    LLVMTypeRef to = LLVMTypeOf(inst);
    switch (op) {
    case LLVMTrunc:
    case LLVMSExt:
    case LLVMZExt:
        if (v->kind == TC_V_ANY || v->kind == TC_V_BYTES)
            v = tc_val_as(L, v, LLVMTypeOf(LLVMGetOperand(inst, 0)), 0);
        return v->kind == TC_V_INT ? tc_lift_traced(L, integer_cast(L, f, op, v, bits, inst), &v, 1)
                                   : tc_val_derived(L, to, "value", 1, &v, 1);
    case LLVMFPToSI:
    case LLVMFPToUI:
        return float_to_int(L, v, bits, op == LLVMFPToSI);
    case LLVMPtrToInt:
        v = tc_val_as(L, v, LLVMTypeOf(LLVMGetOperand(inst, 0)), 0);
        return v->kind == TC_V_PTR ? tc_lift_ptr_to_int(L, v, bits) : tc_val_unknown(L, to, "address", 1);
    default: // a bit cast
        if (v->kind == TC_V_FLOAT || v->kind == TC_V_AGG)
            return tc_val_computed(L, tc_val_signless(tc_val_derived(L, to, "bits", 1, &v, 1)), 1, &v, 1);
        return tc_val_as(L, v, to, 0);
    }
}

const tc_val *tc_lift_cast(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    LLVMTypeRef to = LLVMTypeOf(inst);
    const tc_val *v = tc_lift_operand(L, LLVMGetOperand(inst, 0));
    unsigned bits;
    if (tc_lift_type_bits(L, to, &bits))
        return to_integer(L, f, op, v, bits, inst);
    if (LLVMGetTypeKind(to) == LLVMPointerTypeKind) {
        v = tc_val_as(L, v, LLVMTypeOf(LLVMGetOperand(inst, 0)), 0);
        if (v->kind == TC_V_PTR)
            return v;
        if (v->kind == TC_V_INT)
            return LLVMGetPointerAddressSpace(to) == 0 ? tc_lift_int_to_generic(L, v) : tc_lift_int_to_ptr(L, v);
        return tc_val_unknown(L, to, "pointer", 1);
    }
    return tc_val_computed(L, tc_val_derived(L, to, "value", 1, &v, 1), 1, &v, 1);
}

// ---- minimum, maximum and the intrinsics ----

const tc_val *tc_lift_minmax(tc_lift *L, tc_flow *f, const tc_val *a, const tc_val *b, bool is_signed, bool is_max) {
    tc_t x = is_signed ? tc_lift_signed(L, f, a, "signed value") : tc_lift_unsigned(L, f, a, "unsigned value", false);
    tc_t y = is_signed ? tc_lift_signed(L, f, b, "signed value") : tc_lift_unsigned(L, f, b, "unsigned value", false);
    return tc_val_int(L, a->width, is_max ? tc_max(L->ts, x, y) : tc_min(L->ts, x, y));
}
