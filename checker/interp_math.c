// Floating point: conversions and the mathematical functions, by the host's.
#include <math.h>
#include <string.h>

#include "checker/interp_vm.h"

// ---- 16-bit formats (IEEE 754 binary16; bfloat16 is the upper half of binary32) ----

double tc_half_to_double(uint16_t bits) {
    unsigned e = (bits >> 10) & 31, m = bits & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + (int)m, (int)e - 25) : ldexp((int)m, -24);
    return bits & 0x8000 ? -v : v;
}

uint16_t tc_double_to_half(double x) {
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    double a = fabs(x);
    if (isnan(x))
        return 0x7fff;
    if (a >= 65520)
        return (uint16_t)(sign | 0x7c00);
    if (a == 0)
        return sign;
    int e;
    frexp(a, &e); // a in [2^(e-1), 2^e)
    int shift = e < -13 ? 24 : 11 - e;
    // nearbyint rounds to even: the default mode is never changed here.
    unsigned m = (unsigned)nearbyint(ldexp(a, shift));
    if (e < -13)
        return (uint16_t)(sign | m); // subnormal; 1024 is the smallest normal one
    return (uint16_t)(sign | (uint16_t)(((unsigned)(e + 14) << 10) + (m - 1024)));
}

double tc_bfloat_to_double(uint16_t bits) {
    uint32_t u = (uint32_t)bits << 16;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

uint16_t tc_float_to_bfloat(float x) {
    uint32_t u;
    memcpy(&u, &x, 4);
    if (isnan(x))
        return 0x7fff;
    return (uint16_t)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

double tc_float_get(uint64_t bits, tc_fkind k) {
    uint32_t u = (uint32_t)bits;
    float f;
    double d;
    switch (k) {
    case TC_F16:
        return tc_half_to_double((uint16_t)bits);
    case TC_FB16:
        return tc_bfloat_to_double((uint16_t)bits);
    case TC_F32:
        memcpy(&f, &u, 4);
        return f;
    default:
        memcpy(&d, &bits, 8);
        return d;
    }
}

uint64_t tc_float_put(double x, tc_fkind k) {
    float f = (float)x;
    uint32_t u;
    uint64_t b;
    switch (k) {
    case TC_F16:
        return tc_double_to_half(x);
    case TC_FB16:
        return tc_float_to_bfloat(f);
    case TC_F32:
        memcpy(&u, &f, 4);
        return u;
    default:
        memcpy(&b, &x, 8);
        return b;
    }
}

uint64_t tc_float_to_int(double x, unsigned mode, unsigned bits, bool is_signed, bool *fits) {
    *fits = true;
    if (isnan(x)) {
        *fits = false;
        return 0;
    }
    double r = mode == 0 ? rint(x) : mode == 1 ? trunc(x) : mode == 2 ? floor(x) : ceil(x);
    double hi = ldexp(1.0, (int)bits - (is_signed ? 1 : 0)), lo = is_signed ? -hi : 0;
    if (r >= hi || r < lo) {
        *fits = false;
        uint64_t top = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
        if (!is_signed)
            return r < 0 ? 0 : top;
        return r < 0 ? UINT64_C(1) << (bits - 1) : top >> 1;
    }
    uint64_t v = is_signed ? (uint64_t)(int64_t)r : (uint64_t)r;
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

// LLVM's predicates are a mask: 1 equal, 2 greater, 4 less, 8 unordered.
bool tc_exec_fcmp(unsigned predicate, double a, double b) {
    unsigned r = isnan(a) || isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
    return (predicate & r) != 0;
}

// ---- functions that C has not ----

static double erf_inverse(double x) {
    if (x <= -1 || x >= 1)
        return x == 1 ? INFINITY : x == -1 ? -INFINITY : NAN;
    // A start by Winitzki's formula, then Newton.
    double a = 0.147, l = log1p(-x * x), b = 2 / (M_PI * a) + l / 2;
    double y = copysign(sqrt(sqrt(b * b - l / a) - b), x);
    for (int i = 0; i < 4; i++)
        y -= (erf(y) - x) / (2 / sqrt(M_PI) * exp(-y * y));
    return y;
}

static double saturate(double x) {
    return isnan(x) || x < 0 ? 0 : x > 1 ? 1 : x;
}

static double math1(tc_math op, double x) {
    switch (op) {
    case TC_MATH_SQRT:
        return sqrt(x);
    case TC_MATH_RSQRT:
        return 1 / sqrt(x);
    case TC_MATH_RCP:
        return 1 / x;
    case TC_MATH_EXP:
        return exp(x);
    case TC_MATH_EXP2:
        return exp2(x);
    case TC_MATH_EXP10:
        return exp10(x);
    case TC_MATH_EXPM1:
        return expm1(x);
    case TC_MATH_LOG:
        return log(x);
    case TC_MATH_LOG2:
        return log2(x);
    case TC_MATH_LOG10:
        return log10(x);
    case TC_MATH_LOG1P:
        return log1p(x);
    case TC_MATH_SIN:
        return sin(x);
    case TC_MATH_COS:
        return cos(x);
    case TC_MATH_TAN:
        return tan(x);
    case TC_MATH_SINPI:
        return sin(M_PI * fmod(x, 2));
    case TC_MATH_COSPI:
        return cos(M_PI * fmod(x, 2));
    case TC_MATH_ASIN:
        return asin(x);
    case TC_MATH_ACOS:
        return acos(x);
    case TC_MATH_ATAN:
        return atan(x);
    case TC_MATH_SINH:
        return sinh(x);
    case TC_MATH_COSH:
        return cosh(x);
    case TC_MATH_TANH:
        return tanh(x);
    case TC_MATH_ASINH:
        return asinh(x);
    case TC_MATH_ACOSH:
        return acosh(x);
    case TC_MATH_ATANH:
        return atanh(x);
    case TC_MATH_ERF:
        return erf(x);
    case TC_MATH_ERFC:
        return erfc(x);
    case TC_MATH_ERFCX:
        return exp(x * x) * erfc(x);
    case TC_MATH_ERFINV:
        return erf_inverse(x);
    case TC_MATH_ERFCINV:
        return erf_inverse(1 - x);
    case TC_MATH_NORMCDF:
        return erfc(-x / M_SQRT2) / 2;
    case TC_MATH_NORMCDFINV:
        return M_SQRT2 * erf_inverse(2 * x - 1);
    case TC_MATH_TGAMMA:
        return tgamma(x);
    case TC_MATH_LGAMMA: {
        int sign;
        return lgamma_r(x, &sign);
    }
    case TC_MATH_CBRT:
        return cbrt(x);
    case TC_MATH_RCBRT:
        return 1 / cbrt(x);
    case TC_MATH_FABS:
        return fabs(x);
    case TC_MATH_FLOOR:
        return floor(x);
    case TC_MATH_CEIL:
        return ceil(x);
    case TC_MATH_TRUNC:
        return trunc(x);
    case TC_MATH_ROUND:
        return round(x);
    case TC_MATH_RINT:
        return rint(x);
    case TC_MATH_SATURATE:
        return saturate(x);
    case TC_MATH_J0:
        return j0(x);
    case TC_MATH_J1:
        return j1(x);
    case TC_MATH_Y0:
        return y0(x);
    case TC_MATH_Y1:
        return y1(x);
    case TC_MATH_LOGB:
        return logb(x);
    case TC_MATH_FREXP: {
        int e;
        return frexp(x, &e);
    }
    case TC_MATH_MODF:
        return isinf(x) ? copysign(0, x) : x - trunc(x);
    default:
        return x;
    }
}

// The machine adds and multiplies in the type itself.
static double math2(tc_math op, double x, double y) {
    switch (op) {
    case TC_MATH_ADD:
        return x + y;
    case TC_MATH_SUB:
        return x - y;
    case TC_MATH_MUL:
        return x * y;
    case TC_MATH_DIV:
        return x / y;
    case TC_MATH_POW:
        return pow(x, y);
    case TC_MATH_FMIN:
        return fmin(x, y);
    case TC_MATH_FMAX:
        return fmax(x, y);
    case TC_MATH_FMOD:
        return fmod(x, y);
    case TC_MATH_REMAINDER:
        return remainder(x, y);
    case TC_MATH_ATAN2:
        return atan2(x, y);
    case TC_MATH_HYPOT:
        return hypot(x, y);
    case TC_MATH_RHYPOT:
        return 1 / hypot(x, y);
    case TC_MATH_COPYSIGN:
        return copysign(x, y);
    case TC_MATH_FDIM:
        return fdim(x, y);
    default:
        return nextafter(x, y);
    }
}

static double next_after(double x, double y, tc_fkind k) {
    return k == TC_F32 ? (double)nextafterf((float)x, (float)y) : nextafter(x, y);
}

static double fused(double x, double y, double z, tc_fkind k) {
    return k == TC_F32 ? (double)fmaf((float)x, (float)y, (float)z) : fma(x, y, z);
}

static bool float_result(tc_math op, tc_fkind k, double x, double y, double z, int64_t n, double *r) {
    if (op < TC_MATH_ADD || op == TC_MATH_FREXP || op == TC_MATH_MODF)
        *r = math1(op, x);
    else if (op == TC_MATH_NEXTAFTER)
        *r = next_after(x, y, k);
    else if (op <= TC_MATH_NEXTAFTER)
        *r = math2(op, x, y);
    else if (op == TC_MATH_FMA)
        *r = fused(x, y, z, k);
    else if (op == TC_MATH_NORM3D || op == TC_MATH_RNORM3D)
        *r = op == TC_MATH_NORM3D ? sqrt(x * x + y * y + z * z) : 1 / sqrt(x * x + y * y + z * z);
    else if (op == TC_MATH_LDEXP)
        *r = ldexp(x, (int)n);
    else if (op == TC_MATH_POWI)
        *r = pow(x, (double)n);
    else if (op == TC_MATH_F2F)
        *r = x;
    else
        return false;
    return true;
}

static uint64_t int_result(tc_math op, double x, unsigned bits, bool *fits) {
    *fits = true;
    switch (op) {
    case TC_MATH_ISNAN:
        return isnan(x) != 0;
    case TC_MATH_ISINF:
        return isinf(x) != 0;
    case TC_MATH_FINITE:
        return isfinite(x) != 0;
    case TC_MATH_SIGNBIT:
        return signbit(x) != 0;
    case TC_MATH_ILOGB:
        return (uint64_t)(int64_t)ilogb(x);
    case TC_MATH_FREXP: { // its exponent
        int e = 0;
        frexp(x, &e);
        return (uint64_t)(int64_t)e;
    }
    case TC_MATH_LRINT:
        return tc_float_to_int(x, 0, bits, true, fits);
    case TC_MATH_LROUND:
        return tc_float_to_int(round(x), 1, bits, true, fits);
    default: {
        bool is_signed = op <= TC_MATH_F2S_RU;
        static const unsigned modes[] = {0, 1, 2, 3};
        unsigned mode = modes[(unsigned)op - (is_signed ? TC_MATH_F2S_RN : TC_MATH_F2U_RN)];
        return tc_float_to_int(x, mode, bits, is_signed, fits);
    }
    }
}

static void put_int(tc_vm *vm, tc_reg *d, uint64_t v, unsigned bits, bool is_signed, bool fits, uint32_t mark,
                    uint32_t place) {
    if (bits > 0 && bits < 64)
        v &= (UINT64_C(1) << bits) - 1;
    if (!fits) {
        tc_mark k = vm->marks.data[mark];
        k.misread = k.overflow ? k.misread : TC_MR_ARITHMETIC;
        k.overflow = k.overflow ? k.overflow : place + 1;
        mark = tc_mark_make(vm, k);
    }
    d->bits = v;
    d->hi = is_signed && bits > 1 && (v >> (bits - 1)) & 1 ? -1 : 0;
    d->mark = mark;
}

// Bits moved between integers and floats.
static bool move_bits(tc_vm *vm, tc_math op, tc_reg *d, const tc_reg *a, const tc_reg *b, uint32_t mark) {
    uint64_t v;
    bool to_int = false;
    (void)vm;
    switch (op) {
    case TC_MATH_HILO2D:
        v = a->bits << 32 | (b->bits & 0xffffffffu);
        break;
    case TC_MATH_LOHI2D:
        v = b->bits << 32 | (a->bits & 0xffffffffu);
        break;
    case TC_MATH_D2HI:
        v = a->bits >> 32;
        to_int = true;
        break;
    case TC_MATH_D2LO:
        v = a->bits & 0xffffffffu;
        to_int = true;
        break;
    case TC_MATH_H2F:
        v = tc_float_put(tc_half_to_double((uint16_t)a->bits), TC_F32);
        break;
    case TC_MATH_F2H:
        v = tc_double_to_half(tc_float_get(a->bits, TC_F32));
        to_int = true;
        break;
    default:
        return false;
    }
    d->bits = v;
    d->hi = 0;
    d->mark = mark;
    if (to_int && v >> 31) { // of no stated sign
        d->hi = -1;
        d->mark |= 1u << 24;
    }
    return true;
}

void tc_exec_math(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    static const tc_reg none = {0};
    const tc_reg *a = in->a == TC_NONE ? &none : &t->regs[in->a];
    const tc_reg *b = in->b == TC_NONE ? &none : &t->regs[in->b];
    const tc_reg *c = in->c == TC_NONE ? &none : &t->regs[in->c];
    tc_math op = (tc_math)(in->x & 0xffff);
    unsigned kind = (in->x >> 16) & 15, bits = in->x >> 20;
    tc_fkind from = (tc_fkind)in->w;
    uint32_t place = tc_place_of(vm, in);
    uint32_t mark = tc_mark_union(vm, tc_mark_union(vm, TC_MARK(a), TC_MARK(b)), TC_MARK(c));
    tc_reg *d = &t->regs[in->d];
    if (move_bits(vm, op, d, a, b, mark))
        return;
    if (op == TC_MATH_JN || op == TC_MATH_YN) {
        double v = tc_float_get(b->bits, (tc_fkind)kind);
        int n = (int)(int32_t)a->bits;
        *d = (tc_reg){.bits = tc_float_put(op == TC_MATH_JN ? jn(n, v) : yn(n, v), (tc_fkind)kind)};
        d->mark = mark;
        return;
    }
    double x = tc_float_get(a->bits, from), r = 0;
    if (kind != 4) {
        int64_t n = (int32_t)b->bits;
        if (!float_result(op, from, x, tc_float_get(b->bits, from), tc_float_get(c->bits, from), n, &r)) {
            tc_vm_stop(vm, "a mathematical function that is not known");
            return;
        }
        d->bits = tc_float_put(r, (tc_fkind)kind);
        d->hi = 0;
        d->mark = mark;
        return;
    }
    bool fits, is_signed = !(op >= TC_MATH_F2U_RN && op <= TC_MATH_F2U_RU) && bits > 1;
    uint64_t v = int_result(op, x, bits, &fits);
    put_int(vm, d, v, bits, is_signed, fits, mark, place);
}

void tc_exec_fop(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_reg *a = &t->regs[in->a], *b = &t->regs[in->b];
    tc_fkind k = (tc_fkind)in->w;
    uint32_t mark = tc_mark_union(vm, TC_MARK(a), TC_MARK(b));
    double x = tc_float_get(a->bits, k), y = tc_float_get(b->bits, k), r;
    switch (in->c) {
    case 0:
        r = x + y;
        break;
    case 1:
        r = x - y;
        break;
    case 2:
        r = x * y;
        break;
    case 3:
        r = x / y;
        break;
    case 4:
        r = fmod(x, y);
        break;
    default:
        r = -x;
    }
    tc_reg *d = &t->regs[in->d];
    d->bits = tc_float_put(r, k);
    d->hi = 0;
    d->mark = mark;
}

void tc_exec_fcvt(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_reg a = t->regs[in->a];
    tc_reg *d = &t->regs[in->d];
    uint32_t place = tc_place_of(vm, in), mark = tc_mark_real(vm, TC_MARK(&a));
    tc_fkind to = (tc_fkind)in->c;
    bool fits;
    switch ((tc_vm_op)in->op) {
    case TC_OP_FCVT:
        *d = (tc_reg){.bits = tc_float_put(tc_float_get(a.bits, (tc_fkind)in->w), to), .mark = mark};
        break;
    case TC_OP_S2F: {
        int64_t v = tc_read_signed(vm, &a, in->w, place, &mark);
        double x = to == TC_F32 ? (double)(float)v : (double)v; // one rounding
        *d = (tc_reg){.bits = tc_float_put(x, to), .mark = tc_mark_data(vm, mark)};
        break;
    }
    case TC_OP_U2F: {
        uint64_t v = tc_read_unsigned(vm, &a, in->w, place, &mark);
        double x = to == TC_F32 ? (double)(float)v : (double)v;
        *d = (tc_reg){.bits = tc_float_put(x, to), .mark = tc_mark_data(vm, mark)};
        break;
    }
    default: {
        bool is_signed = in->op == TC_OP_F2S;
        uint64_t v = tc_float_to_int(tc_float_get(a.bits, (tc_fkind)in->w), 1, in->c, is_signed, &fits);
        put_int(vm, d, v, in->c, is_signed, fits, mark, place);
    }
    }
}
