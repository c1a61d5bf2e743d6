// Inline PTX that only computes (PTX ISA, "Instruction Set"): the operations that headers and kernels use.
#include <math.h>
#include <string.h>

#include "checker/interp_vm.h"

static bool is_float(tc_ptx_type t) {
    return t >= TC_PTXT_F16;
}

static bool is_packed(tc_ptx_type t) {
    return t == TC_PTXT_F16X2 || t == TC_PTXT_BF16X2;
}

static bool is_signed(tc_ptx_type t) {
    return t >= TC_PTXT_S8 && t <= TC_PTXT_S64;
}

static tc_fkind kind_of(tc_ptx_type t) {
    switch (t) {
    case TC_PTXT_F16:
    case TC_PTXT_F16X2:
        return TC_F16;
    case TC_PTXT_BF16:
    case TC_PTXT_BF16X2:
        return TC_FB16;
    case TC_PTXT_F64:
        return TC_F64;
    default:
        return TC_F32;
    }
}

static bool has_part(const tc_ptx_inst *in, const char *word) {
    size_t n = strlen(word);
    for (const char *p = in->opcode; (p = strchr(p, '.')); p++)
        if (strncmp(p + 1, word, n) == 0 && (p[n + 1] == '.' || p[n + 1] == '\0'))
            return true;
    return false;
}

static bool is(const tc_ptx_inst *in, const char *base) {
    return strcmp(in->base, base) == 0;
}

// Types whose conversions are not computed here: the 8-bit floats and their kind have no entry in the table of types.
bool tc_ptx_known(const tc_ptx_inst *in) {
    static const char *const odd[] = {"e4m3x2",  "e5m2x2", "ue8m0x2", "e2m1x2", "relu",
                                      "xorsign", "wide",   "sat",     "cc",     "abs"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (has_part(in, odd[i]) && !(strcmp(odd[i], "wide") == 0 && (is(in, "mul") || is(in, "mad"))) &&
            !(strcmp(odd[i], "sat") == 0 && is_float(in->type)))
            return false;
    if (in->noperands == 0 || in->noperands > 5)
        return false;
    return in->type != TC_PTXT_NONE && in->type != TC_PTXT_B128;
}

typedef struct env {
    tc_vm *vm;
    tc_thread *t;
    const tc_px_inst *px;
    uint32_t mark, place;
    bool ok;
} env;

static uint64_t cut(uint64_t v, unsigned bits) {
    return bits >= 64 || bits == 0 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static int64_t extend(uint64_t v, unsigned bits) {
    if (bits >= 64 || bits == 0)
        return (int64_t)v;
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

// The bits of an operand; of a vector, its parts packed low to high.
static uint64_t get(env *e, unsigned k, unsigned bits) {
    const tc_px_operand *o = &e->px->op[k];
    switch (o->kind) {
    case TC_PX_REG:
        e->mark = tc_mark_union(e->vm, e->mark, TC_MARK(&e->t->regs[o->reg]));
        return cut(e->t->regs[o->reg].bits, bits);
    case TC_PX_IMM:
        return cut(o->imm, bits);
    case TC_PX_VEC: {
        uint64_t v = 0;
        unsigned each = o->n ? bits / o->n : 0;
        for (uint32_t i = 0; i < o->n; i++) {
            uint64_t part = o->sub[i].imm;
            if (o->sub[i].kind == TC_PX_REG) {
                e->mark = tc_mark_union(e->vm, e->mark, TC_MARK(&e->t->regs[o->sub[i].reg]));
                part = e->t->regs[o->sub[i].reg].bits;
            }
            v |= cut(part, each) << (each * i);
        }
        return v;
    }
    default:
        e->ok = false;
        return 0;
    }
}

static void put_reg(env *e, uint32_t reg, uint64_t v, unsigned bits, bool as_float) {
    tc_reg *r = &e->t->regs[reg];
    r->bits = cut(v, bits);
    r->hi = 0;
    r->mark = e->mark;
    if (!as_float && bits > 1 && (r->bits >> (bits - 1)) & 1) { // PTX does not say which sign a register has
        r->hi = -1;
        r->mark |= 1u << 24;
    }
}

static void put(env *e, uint64_t v, unsigned bits, bool as_float) {
    const tc_px_operand *o = &e->px->op[0];
    if (o->kind == TC_PX_REG) {
        put_reg(e, o->reg, v, bits, as_float);
    } else if (o->kind == TC_PX_VEC) {
        unsigned each = o->n ? bits / o->n : 0;
        for (uint32_t i = 0; i < o->n; i++)
            if (o->sub[i].kind == TC_PX_REG)
                put_reg(e, o->sub[i].reg, v >> (each * i), each, false);
    } else {
        e->ok = false;
    }
}

// ---- comparisons ----

static bool compare(const tc_ptx_inst *in, tc_ptx_type t, uint64_t a, uint64_t b) {
    double r;
    bool nan = false;
    if (is_float(t)) {
        double x = tc_float_get(a, kind_of(t)), y = tc_float_get(b, kind_of(t));
        nan = isnan(x) || isnan(y);
        r = nan ? 0 : x < y ? -1 : x > y ? 1 : 0;
    } else if (is_signed(t)) {
        int64_t x = extend(a, tc_ptx_type_bits(t)), y = extend(b, tc_ptx_type_bits(t));
        r = x < y ? -1 : x > y ? 1 : 0;
    } else {
        r = a < b ? -1 : a > b ? 1 : 0;
    }
    static const struct {
        const char *name;
        bool less, equal, greater, unordered;
    } forms[] = {{"eq", 0, 1, 0, 0},  {"ne", 1, 0, 1, 0},  {"lt", 1, 0, 0, 0},  {"le", 1, 1, 0, 0},
                 {"gt", 0, 0, 1, 0},  {"ge", 0, 1, 1, 0},  {"lo", 1, 0, 0, 0},  {"ls", 1, 1, 0, 0},
                 {"hi", 0, 0, 1, 0},  {"hs", 0, 1, 1, 0},  {"equ", 0, 1, 0, 1}, {"neu", 1, 0, 1, 1},
                 {"ltu", 1, 0, 0, 1}, {"leu", 1, 1, 0, 1}, {"gtu", 0, 0, 1, 1}, {"geu", 0, 1, 1, 1},
                 {"num", 1, 1, 1, 0}, {"nan", 0, 0, 0, 1}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (has_part(in, forms[i].name))
            return nan ? forms[i].unordered : r < 0 ? forms[i].less : r > 0 ? forms[i].greater : forms[i].equal;
    return false;
}

static bool exec_compare(env *e) {
    const tc_ptx_inst *in = &e->px->in;
    tc_ptx_type t = in->type;
    unsigned bits = tc_ptx_type_bits(t);
    if (has_part(in, "and") || has_part(in, "or") || has_part(in, "xor") || is_packed(t) || in->noperands != 3)
        return false;
    uint64_t a = get(e, 1, bits), b = get(e, 2, bits);
    bool r = compare(in, t, a, b);
    if (is(in, "setp")) {
        const tc_px_operand *o = &e->px->op[0];
        if (o->kind == TC_PX_PAIR && o->n == 2) {
            if (o->sub[0].kind == TC_PX_REG)
                put_reg(e, o->sub[0].reg, r, 1, false);
            if (o->sub[1].kind == TC_PX_REG)
                put_reg(e, o->sub[1].reg, !r, 1, false);
            return true;
        }
        put(e, r, 1, false);
        return true;
    }
    // set: all ones or 1.0
    tc_ptx_type to = in->type2;
    if (is_packed(to))
        return false;
    put(e, !r ? 0 : is_float(to) ? tc_float_put(1, kind_of(to)) : UINT64_MAX, tc_ptx_type_bits(to), is_float(to));
    return true;
}

// ---- conversions ----

static bool exec_cvt(env *e) {
    const tc_ptx_inst *in = &e->px->in;
    tc_ptx_type to = in->type2, from = in->type;
    unsigned fb = tc_ptx_type_bits(from), tb = tc_ptx_type_bits(to);
    if (is_packed(to) && in->noperands == 3 && !is_packed(from)) {
        // d = {a in the upper half, b in the lower}
        uint64_t a = get(e, 1, fb), b = get(e, 2, fb);
        uint64_t hi = tc_float_put(tc_float_get(a, kind_of(from)), kind_of(to));
        uint64_t lo = tc_float_put(tc_float_get(b, kind_of(from)), kind_of(to));
        put(e, hi << 16 | lo, 32, true);
        return true;
    }
    if (is_packed(to) || is_packed(from) || in->noperands != 2 || to == TC_PTXT_NONE)
        return false;
    uint64_t a = get(e, 1, fb);
    if (is_float(from)) {
        double x = tc_float_get(a, kind_of(from));
        bool fits;
        if (is_float(to)) {
            x = has_part(in, "rni")   ? rint(x)
                : has_part(in, "rzi") ? trunc(x)
                : has_part(in, "rmi") ? floor(x)
                : has_part(in, "rpi") ? ceil(x)
                                      : x;
            if (has_part(in, "sat"))
                x = isnan(x) || x < 0 ? 0 : x > 1 ? 1 : x;
            put(e, tc_float_put(x, kind_of(to)), tb, true);
        } else {
            unsigned mode = has_part(in, "rni") ? 0 : has_part(in, "rmi") ? 2 : has_part(in, "rpi") ? 3 : 1;
            put(e, tc_float_to_int(x, mode, tb, is_signed(to), &fits), tb, false);
        }
        return true;
    }
    int64_t s = extend(a, fb);
    if (is_float(to)) {
        double x = is_signed(from) ? (double)s : (double)a;
        if (to == TC_PTXT_F32) // one rounding
            x = is_signed(from) ? (double)(float)s : (double)(float)a;
        put(e, tc_float_put(x, kind_of(to)), tb, true);
    } else {
        put(e, is_signed(from) ? (uint64_t)s : a, tb, false);
    }
    return true;
}

// ---- arithmetic ----

static bool float_op(const tc_ptx_inst *in, tc_fkind k, double a, double b, double c, double *r) {
    static const struct {
        const char *name;
        tc_math op;
    } unary[] = {{"rcp", TC_MATH_RCP},  {"sqrt", TC_MATH_SQRT}, {"rsqrt", TC_MATH_RSQRT}, {"ex2", TC_MATH_EXP2},
                 {"lg2", TC_MATH_LOG2}, {"sin", TC_MATH_SIN},   {"cos", TC_MATH_COS},     {"tanh", TC_MATH_TANH}};
    if (is(in, "add"))
        *r = a + b;
    else if (is(in, "sub"))
        *r = a - b;
    else if (is(in, "mul"))
        *r = a * b;
    else if (is(in, "div"))
        *r = a / b;
    else if (is(in, "fma") || is(in, "mad"))
        *r = k == TC_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
    else if (is(in, "min"))
        *r = has_part(in, "NaN") && (isnan(a) || isnan(b)) ? NAN : fmin(a, b);
    else if (is(in, "max"))
        *r = has_part(in, "NaN") && (isnan(a) || isnan(b)) ? NAN : fmax(a, b);
    else if (is(in, "neg"))
        *r = -a;
    else if (is(in, "abs"))
        *r = fabs(a);
    else if (is(in, "copysign"))
        *r = copysign(b, a);
    else {
        for (size_t i = 0; i < sizeof unary / sizeof *unary; i++)
            if (is(in, unary[i].name)) {
                switch (unary[i].op) {
                case TC_MATH_RCP:
                    *r = 1 / a;
                    break;
                case TC_MATH_SQRT:
                    *r = sqrt(a);
                    break;
                case TC_MATH_RSQRT:
                    *r = 1 / sqrt(a);
                    break;
                case TC_MATH_EXP2:
                    *r = exp2(a);
                    break;
                case TC_MATH_LOG2:
                    *r = log2(a);
                    break;
                case TC_MATH_SIN:
                    *r = sin(a);
                    break;
                case TC_MATH_COS:
                    *r = cos(a);
                    break;
                default:
                    *r = tanh(a);
                }
                return true;
            }
        return false;
    }
    if (has_part(in, "sat"))
        *r = isnan(*r) || *r < 0 ? 0 : *r > 1 ? 1 : *r;
    return true;
}

static bool exec_float(env *e) {
    const tc_ptx_inst *in = &e->px->in;
    tc_fkind k = kind_of(in->type);
    unsigned bits = tc_ptx_type_bits(in->type), each = is_packed(in->type) ? 16 : bits;
    uint64_t v[3] = {0}, out = 0;
    for (unsigned i = 1; i < in->noperands && i < 4; i++)
        v[i - 1] = get(e, i, bits);
    for (unsigned at = 0; at < bits; at += each) {
        double r;
        if (!float_op(in, k, tc_float_get(cut(v[0] >> at, each), k), tc_float_get(cut(v[1] >> at, each), k),
                      tc_float_get(cut(v[2] >> at, each), k), &r))
            return false;
        out |= cut(tc_float_put(r, k), each) << at;
    }
    put(e, out, bits, true);
    return true;
}

static uint64_t lop3(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
    uint64_t r = 0;
    for (unsigned i = 0; i < 32; i++) {
        unsigned k = (unsigned)(((a >> i) & 1) << 2 | ((b >> i) & 1) << 1 | ((c >> i) & 1));
        r |= ((table >> k) & 1) << i;
    }
    return r;
}

static uint64_t funnel(const tc_ptx_inst *in, uint64_t a, uint64_t b, uint64_t c) {
    uint64_t both = b << 32 | a;
    uint64_t k = has_part(in, "clamp") ? (c > 32 ? 32 : c) : c & 31;
    return has_part(in, "l") ? (k == 32 ? a : cut(both << k >> 32, 32)) : cut(both >> k, 32);
}

static uint64_t perm(uint64_t a, uint64_t b, uint64_t s) {
    uint64_t bytes = a | b << 32, r = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned sel = (unsigned)(s >> (4 * i)) & 15;
        uint64_t byte = (bytes >> (8 * (sel & 7))) & 255;
        r |= (sel & 8 ? (byte & 128 ? UINT64_C(255) : 0) : byte) << (8 * i);
    }
    return r;
}

static uint64_t dot4(const tc_ptx_inst *in, uint64_t a, uint64_t b, uint64_t c) {
    // dp4a.atype.btype
    bool sa = in->type2 == TC_PTXT_S32, sb = in->type == TC_PTXT_S32;
    int64_t sum = (int64_t)c;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t x = (a >> (8 * i)) & 255, y = (b >> (8 * i)) & 255;
        sum += (sa ? extend(x, 8) : (int64_t)x) * (sb ? extend(y, 8) : (int64_t)y);
    }
    return (uint64_t)sum;
}

static bool int_op(const tc_ptx_inst *in, unsigned w, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *r) {
    bool s = is_signed(in->type);
    int64_t sa = extend(a, w), sb = extend(b, w);
    tc_i128 wide = s ? (tc_i128)sa * sb : (tc_i128)((tc_u128)a * b);
    bool mul = is(in, "mul") || is(in, "mad");
    if (is(in, "add"))
        *r = a + b;
    else if (is(in, "sub"))
        *r = a - b;
    else if (mul && has_part(in, "hi"))
        *r = (uint64_t)(wide >> w) + (is(in, "mad") ? c : 0);
    else if (mul)
        *r = (uint64_t)wide + (is(in, "mad") ? c : 0);
    else if (is(in, "div") || is(in, "rem")) {
        if (b == 0)
            *r = UINT64_MAX;
        else if (s && sb == -1)
            *r = is(in, "div") ? 0 - a : 0;
        else if (is(in, "div"))
            *r = s ? (uint64_t)(sa / sb) : a / b;
        else
            *r = s ? (uint64_t)(sa % sb) : a % b;
    } else if (is(in, "abs"))
        *r = sa < 0 ? 0 - a : a;
    else if (is(in, "neg"))
        *r = 0 - a;
    else if (is(in, "min"))
        *r = (s ? sa < sb : a < b) ? a : b;
    else if (is(in, "max"))
        *r = (s ? sa > sb : a > b) ? a : b;
    else if (is(in, "and"))
        *r = a & b;
    else if (is(in, "or"))
        *r = a | b;
    else if (is(in, "xor"))
        *r = a ^ b;
    else if (is(in, "not"))
        *r = ~a;
    else if (is(in, "cnot"))
        *r = a == 0;
    else if (is(in, "shl"))
        *r = b >= w ? 0 : a << b;
    else if (is(in, "shr"))
        *r = s ? (uint64_t)(sa >> (b >= w ? w - 1 : b)) : b >= w ? 0 : a >> b;
    else if (is(in, "shf"))
        *r = funnel(in, a, b, c);
    else if (is(in, "lop3"))
        *r = lop3(a, b, c, d);
    else if (is(in, "prmt"))
        *r = perm(a, b, c);
    else if (is(in, "popc"))
        *r = (uint64_t)__builtin_popcountll(a);
    else if (is(in, "clz"))
        *r = a ? (uint64_t)__builtin_clzll(a) - (64 - w) : w;
    else if (is(in, "brev")) {
        *r = 0;
        for (unsigned i = 0; i < w; i++)
            *r |= ((a >> i) & 1) << (w - 1 - i);
    } else if (is(in, "bfind")) {
        uint64_t x = s && sa < 0 ? cut(~a, w) : a;
        uint64_t at = x ? 63 - (uint64_t)__builtin_clzll(x) : UINT64_MAX;
        *r = has_part(in, "shiftamt") && x ? w - 1 - at : at;
    } else if (is(in, "bfe")) {
        unsigned pos = (unsigned)(b & 255), len = (unsigned)(c & 255);
        uint64_t field = pos >= w ? (s && sa < 0 ? UINT64_MAX : 0) : (s ? (uint64_t)(sa >> pos) : a >> pos);
        *r = len == 0 ? 0
             : s      ? (uint64_t)extend(cut(field, len < w ? len : w), len < w ? len : w)
                      : cut(field, len < w ? len : 64);
    } else if (is(in, "bfi")) {
        unsigned pos = (unsigned)(c & 255), len = (unsigned)(d & 255);
        uint64_t m = pos >= w ? 0 : cut(len >= 64 ? UINT64_MAX : (UINT64_C(1) << len) - 1, w) << pos;
        *r = (b & ~m) | ((pos >= w ? 0 : a << pos) & m);
    } else if (is(in, "sad"))
        *r = (s ? (sa > sb ? a - b : b - a) : a > b ? a - b : b - a) + c;
    else if (is(in, "dp4a"))
        *r = dot4(in, a, b, c);
    else
        return false;
    return true;
}

static bool exec_int(env *e) {
    const tc_ptx_inst *in = &e->px->in;
    unsigned w = tc_ptx_type_bits(in->type);
    bool wide = has_part(in, "wide");
    uint64_t v[4] = {0}, r;
    for (unsigned i = 1; i < in->noperands && i < 5; i++) {
        // Positions and lengths of bit fields are 32-bit numbers; mad.wide adds a number of double width.
        bool count =
            (is(in, "bfe") && i > 1) || (is(in, "bfi") && i > 2) || ((is(in, "shl") || is(in, "shr")) && i == 2);
        v[i - 1] = get(e, i, wide && i == 3 ? 2 * w : count ? 32 : w);
    }
    if (!int_op(in, w, v[0], v[1], v[2], v[3], &r))
        return false;
    bool narrow = is(in, "popc") || is(in, "clz") || is(in, "bfind");
    put(e, r, wide ? 2 * w : narrow ? 32 : w, false);
    return true;
}

static bool exec_select(env *e) {
    const tc_ptx_inst *in = &e->px->in;
    unsigned bits = tc_ptx_type_bits(in->type);
    uint64_t a = get(e, 1, bits), b = get(e, 2, bits), p = get(e, 3, 1);
    put(e, p ? a : b, bits, is_float(in->type));
    return true;
}

static bool run(env *e) {
    const tc_ptx_inst *in = &e->px->in;
    if (is(in, "mov")) {
        unsigned bits = tc_ptx_type_bits(in->type);
        put(e, get(e, 1, bits), bits, is_float(in->type));
        return true;
    }
    if (is(in, "cvt"))
        return exec_cvt(e);
    if (is(in, "selp"))
        return in->noperands == 4 && exec_select(e);
    if (is(in, "setp") || is(in, "set"))
        return exec_compare(e);
    return is_float(in->type) ? exec_float(e) : exec_int(e);
}

bool tc_exec_ptx(tc_vm *vm, tc_thread *t, const tc_px_inst *px, uint32_t place) {
    env e = {vm, t, px, 0, place, true};
    if (px->predicate != TC_NONE) {
        const tc_reg *p = &t->regs[px->predicate];
        if ((p->bits & 1) == (px->in.negated ? 1u : 0u))
            return true;
    }
    return run(&e) && e.ok;
}
