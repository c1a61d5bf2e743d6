// Pure integer operations of the table: minima, counts of bits, saturation, overflow flags.
#include "checker/lift.h"

typedef struct tc_ops {
    tc_lift *L;
    tc_flow *f;
    LLVMTypeRef type;
    tc_int_op op;
    const tc_val *const *args;
    size_t nargs;
    unsigned width;
    tc_i128 smin, smax, umax;
} tc_ops;

static tc_t s(tc_ops *x, size_t i) { return tc_lift_signed(x->L, x->f, x->args[i], "signed value"); }
static tc_t u(tc_ops *x, size_t i) { return tc_lift_unsigned(x->L, x->f, x->args[i], "unsigned value", false); }

static const tc_val *result(tc_ops *x, tc_t t) { return tc_val_int(x->L, x->width, t); }

static const tc_val *unknown(tc_ops *x) {
    return tc_val_signless(tc_val_derived(x->L, x->type, "value", 1, x->args, x->nargs));
}

// A count of bits between lo and hi, and one value of its own for an argument of 0.
static const tc_val *bit_count(tc_ops *x, tc_i128 lo, tc_i128 hi, tc_i128 of_zero) {
    tc_lift *L = x->L;
    unsigned w = x->args[0]->width;
    if (!tc_is_false(tc_val_undef(L, x->args[0])))
        return tc_val_derived_ranged(L, x->width, "bit count", 1, 0, (tc_i128)w, x->args, 1);
    tc_t zero = tc_eq(L->ts, tc_mod(L->ts, x->args[0]->term, tc_int(L->ts, tc_pow2(w))), tc_int(L->ts, 0));
    const tc_val *v = tc_val_derived_ranged(L, x->width, "bit count", 1, lo, hi, x->args, 1);
    return result(x, tc_ite(L->ts, zero, tc_int(L->ts, of_zero), v->term));
}

static tc_t clamp(tc_ops *x, tc_t t, tc_i128 lo, tc_i128 hi) {
    tc_terms *ts = x->L->ts;
    return tc_min(ts, tc_max(ts, t, tc_int(ts, lo)), tc_int(ts, hi));
}

// The high half of the exact product: floor division by 2^width.
static const tc_val *high(tc_ops *x, tc_t a, tc_t b) {
    tc_terms *ts = x->L->ts;
    return result(x, tc_div(ts, tc_mul(ts, a, b), tc_int(ts, tc_pow2(x->width))));
}

// The low 24 bits of an argument.
static tc_t low24(tc_ops *x, size_t i, bool is_signed) {
    tc_terms *ts = x->L->ts;
    tc_i128 sign = is_signed ? tc_pow2(23) : 0;
    return tc_addc(ts, tc_mod(ts, tc_addc(ts, x->args[i]->term, sign), tc_int(ts, tc_pow2(24))), -sign);
}

static const tc_val *product24(tc_ops *x, bool is_signed) {
    return result(x, tc_mul(x->L->ts, low24(x, 0, is_signed), low24(x, 1, is_signed)));
}

static const tc_val *half(tc_ops *x, tc_t a, tc_t b, tc_i128 round) {
    tc_terms *ts = x->L->ts;
    return result(x, tc_div(ts, tc_addc(ts, tc_add(ts, a, b), round), tc_int(ts, 2)));
}

static const tc_val *distance(tc_ops *x, tc_t a, tc_t b) {
    tc_terms *ts = x->L->ts;
    tc_t d = tc_sub(ts, a, b);
    return result(x, tc_add(ts, tc_max(ts, d, tc_neg(ts, d)), x->args[2]->term));
}

// {value, overflowed}: the value is congruent, the flag exact.
static const tc_val *flagged(tc_ops *x, tc_t t, bool is_signed) {
    tc_lift *L = x->L;
    tc_t fits = is_signed ? tc_in_range(L->ts, t, x->smin, x->smax) : tc_in_range(L->ts, t, 0, x->umax);
    const tc_val *pair[2] = {tc_val_int(L, x->width, t), tc_val_bool(L, tc_not(L->ts, fits))};
    return tc_val_agg(L, pair, 2);
}

static const tc_val *rotate(tc_ops *x) {
    tc_terms *ts = x->L->ts;
    // A funnel shift by a constant, the way a 64-bit shift of two halves is written.
    if (!tc_is_const(x->args[2]->term))
        return unknown(x);
    unsigned by = (unsigned)tc_floor_mod(x->args[2]->term->value, x->width);
    bool left = x->op == TC_INT_FSHL;
    if (by == 0)
        return x->args[left ? 0 : 1];
    unsigned up = left ? by : x->width - by;
    tc_t hi = tc_mulc(ts, x->args[0]->term, tc_pow2(up));
    tc_t lo = tc_div(ts, u(x, 1), tc_int(ts, tc_pow2(x->width - up)));
    return result(x, tc_add(ts, hi, lo));
}

static const tc_val *arithmetic(tc_ops *x) {
    tc_terms *ts = x->L->ts;
    switch (x->op) {
    case TC_INT_SMULHI:
        return high(x, s(x, 0), s(x, 1));
    case TC_INT_UMULHI:
        return high(x, u(x, 0), u(x, 1));
    case TC_INT_SMUL24:
        return product24(x, true);
    case TC_INT_UMUL24:
        return product24(x, false);
    case TC_INT_SSAD:
        return distance(x, s(x, 0), s(x, 1));
    case TC_INT_USAD:
        return distance(x, u(x, 0), u(x, 1));
    case TC_INT_SHADD:
        return half(x, s(x, 0), s(x, 1), 0);
    case TC_INT_UHADD:
        return half(x, u(x, 0), u(x, 1), 0);
    case TC_INT_SRHADD:
        return half(x, s(x, 0), s(x, 1), 1);
    case TC_INT_URHADD:
        return half(x, u(x, 0), u(x, 1), 1);
    case TC_INT_SADD_SAT:
        return result(x, clamp(x, tc_add(ts, s(x, 0), s(x, 1)), x->smin, x->smax));
    case TC_INT_UADD_SAT:
        return result(x, clamp(x, tc_add(ts, u(x, 0), u(x, 1)), 0, x->umax));
    case TC_INT_SSUB_SAT:
        return result(x, clamp(x, tc_sub(ts, s(x, 0), s(x, 1)), x->smin, x->smax));
    case TC_INT_USUB_SAT:
        return result(x, clamp(x, tc_sub(ts, u(x, 0), u(x, 1)), 0, x->umax));
    case TC_INT_SADD_OV:
        return flagged(x, tc_add(ts, s(x, 0), s(x, 1)), true);
    case TC_INT_UADD_OV:
        return flagged(x, tc_add(ts, u(x, 0), u(x, 1)), false);
    case TC_INT_SSUB_OV:
        return flagged(x, tc_sub(ts, s(x, 0), s(x, 1)), true);
    case TC_INT_USUB_OV:
        return flagged(x, tc_sub(ts, u(x, 0), u(x, 1)), false);
    case TC_INT_SMUL_OV:
        return flagged(x, tc_mul(ts, s(x, 0), s(x, 1)), true);
    case TC_INT_UMUL_OV:
        return flagged(x, tc_mul(ts, u(x, 0), u(x, 1)), false);
    default:
        return unknown(x);
    }
}

static const tc_val *operate(tc_ops *x) {
    tc_terms *ts = x->L->ts;
    switch (x->op) {
    case TC_INT_ABS: {
        tc_t a = s(x, 0);
        return result(x, tc_max(ts, a, tc_neg(ts, a)));
    }
    case TC_INT_SMIN:
    case TC_INT_SMAX:
        return tc_lift_minmax(x->L, x->f, x->args[0], x->args[1], true, x->op == TC_INT_SMAX);
    case TC_INT_UMIN:
    case TC_INT_UMAX:
        return tc_lift_minmax(x->L, x->f, x->args[0], x->args[1], false, x->op == TC_INT_UMAX);
    case TC_INT_POPC:
    case TC_INT_FFS:
        return bit_count(x, 1, (tc_i128)x->args[0]->width, 0);
    case TC_INT_CLZ:
    case TC_INT_CTZ:
        return bit_count(x, 0, (tc_i128)x->args[0]->width - 1, (tc_i128)x->args[0]->width);
    case TC_INT_FSHL:
    case TC_INT_FSHR:
        return rotate(x);
    default:
        return arithmetic(x);
    }
}

static size_t arity(tc_int_op op) {
    static const unsigned char n[] = {
#define X(name, args) args,
        TC_INT_OPS(X)
#undef X
    };
    return n[op];
}

const tc_val *tc_lift_int_op(tc_lift *L, tc_flow *f, LLVMTypeRef type, tc_int_op op, const tc_val *const *args,
                             size_t nargs) {
    if (op == TC_INT_IDENTITY && nargs > 0)
        return tc_val_as(L, args[0], type, 0);
    if (op == TC_INT_ZERO)
        return tc_val_zero(L, type);
    LLVMTypeRef scalar = type;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type) > 0)
        scalar = LLVMStructGetTypeAtIndex(type, 0);
    unsigned bits;
    bool plain = tc_lift_type_bits(L, scalar, &bits) && bits > 1 && nargs >= arity(op);
    for (size_t i = 0; plain && i < arity(op); i++)
        plain = args[i]->kind == TC_V_INT && args[i]->width > 1;
    if (!plain)
        return tc_val_derived(L, type, "value", 1, args, nargs);
    tc_ops x = {L, f, type, op, args, nargs, bits, -tc_pow2(bits - 1), tc_pow2(bits - 1) - 1, tc_pow2(bits) - 1};
    return tc_lift_traced(L, operate(&x), args, nargs);
}
