// Terms as bit-vectors (SMT-LIB theory FixedSizeBitVectors), two's complement.
#include "solver/z3i.h"

Z3_ast tc_z3_number_bits(Z3_context c, tc_arena *scratch, tc_i128 v, unsigned width) {
    return Z3_mk_numeral(c, tc_i128_text(scratch, v), Z3_mk_bv_sort(c, width));
}

static Z3_sort sort_of(Z3_context c, tc_sort s, unsigned width) {
    return s == TC_BOOL ? Z3_mk_bool_sort(c) : Z3_mk_bv_sort(c, width);
}

static Z3_ast named(Z3_context c, tc_arena *scratch, const char *name, uint32_t id, tc_sort s, unsigned width) {
    const char *text = tc_fmt(scratch, "%s!b%u", name, (unsigned)id);
    return Z3_mk_const(c, Z3_mk_string_symbol(c, text), sort_of(c, s, width));
}

static Z3_ast applied(Z3_context c, tc_arena *scratch, tc_t t, Z3_ast const *a, unsigned width) {
    Z3_sort bits = Z3_mk_bv_sort(c, width), *domain = TC_NEW_ARRAY(scratch, Z3_sort, t->nargs + 1);
    for (uint32_t i = 0; i < t->nargs; i++)
        domain[i] = bits;
    const char *name = tc_fmt(scratch, "%s!bf%u", t->fn->name, (unsigned)t->fn->id);
    return Z3_mk_app(c, Z3_mk_func_decl(c, Z3_mk_string_symbol(c, name), t->nargs, domain, bits), t->nargs, a);
}

typedef Z3_ast (*binary)(Z3_context c, Z3_ast a, Z3_ast b);

static Z3_ast folded(Z3_context c, binary op, tc_t t, Z3_ast const *a) {
    Z3_ast r = a[0];
    for (uint32_t i = 1; i < t->nargs; i++)
        r = op(c, r, a[i]);
    return r;
}

static bool power_of_two(tc_t t, unsigned *log) {
    if (!tc_is_const(t) || t->value < 1 || (t->value & (t->value - 1)) != 0)
        return false;
    for (*log = 0; (tc_i128)1 << *log != t->value;)
        ++*log;
    return true;
}

// Floor division by a positive number, and its remainder.
static Z3_ast divided(Z3_context c, tc_arena *scratch, tc_t t, Z3_ast const *a, unsigned width) {
    unsigned log;
    bool quotient = t->op == TC_T_DIV;
    if (!power_of_two(t->args[1], &log)) {
        Z3_ast q = Z3_mk_bvsdiv(c, a[0], a[1]), r = Z3_mk_bvsrem(c, a[0], a[1]);
        Z3_ast below = Z3_mk_bvslt(c, r, tc_z3_number_bits(c, scratch, 0, width));
        Z3_ast one = tc_z3_number_bits(c, scratch, 1, width);
        return quotient ? Z3_mk_ite(c, below, Z3_mk_bvsub(c, q, one), q) : Z3_mk_ite(c, below, Z3_mk_bvadd(c, r, a[1]), r);
    }
    if (quotient)
        return Z3_mk_bvashr(c, a[0], tc_z3_number_bits(c, scratch, log, width));
    return Z3_mk_bvand(c, a[0], tc_z3_number_bits(c, scratch, t->args[1]->value - 1, width));
}

static Z3_ast wrapped(Z3_context c, tc_t t, Z3_ast const *a, unsigned width) {
    unsigned low = tc_wrap_width(t);
    if (low >= width)
        return tc_wrap_signed(t) ? a[0] : NULL; // signed: every value that fits is in the type's range
    Z3_ast part = Z3_mk_extract(c, low - 1, 0, a[0]);
    return tc_wrap_signed(t) ? Z3_mk_sign_ext(c, width - low, part) : Z3_mk_zero_ext(c, width - low, part);
}

Z3_ast tc_z3_express_bits(Z3_context c, tc_arena *scratch, tc_t t, Z3_ast const *a, unsigned width) {
    switch (t->op) {
    case TC_T_CONST:
        if (t->sort == TC_INT)
            return tc_z3_number_bits(c, scratch, t->value, width);
        return t->value ? Z3_mk_true(c) : Z3_mk_false(c);
    case TC_T_SYM:
        return named(c, scratch, t->sym->name, t->sym->id, t->sort, width);
    case TC_T_APP:
        return applied(c, scratch, t, a, width);
    case TC_T_ADD:
        return folded(c, Z3_mk_bvadd, t, a);
    case TC_T_MUL:
        return folded(c, Z3_mk_bvmul, t, a);
    case TC_T_DIV:
    case TC_T_MOD:
        return divided(c, scratch, t, a, width);
    case TC_T_TDIV:
        return Z3_mk_bvsdiv(c, a[0], a[1]);
    case TC_T_TREM:
        return Z3_mk_bvsrem(c, a[0], a[1]);
    case TC_T_MIN:
        return Z3_mk_ite(c, Z3_mk_bvsle(c, a[0], a[1]), a[0], a[1]);
    case TC_T_MAX:
        return Z3_mk_ite(c, Z3_mk_bvsle(c, a[0], a[1]), a[1], a[0]);
    case TC_T_POW2:
        return Z3_mk_bvshl(c, tc_z3_number_bits(c, scratch, 1, width), a[0]);
    case TC_T_BITAND:
        return Z3_mk_bvand(c, a[0], a[1]);
    case TC_T_BITOR:
        return Z3_mk_bvor(c, a[0], a[1]);
    case TC_T_BITXOR:
        return Z3_mk_bvxor(c, a[0], a[1]);
    case TC_T_WRAP:
        return wrapped(c, t, a, width);
    case TC_T_LE:
        return Z3_mk_bvsle(c, a[0], a[1]);
    default:
        return tc_z3_express_logic(c, t, a);
    }
}
