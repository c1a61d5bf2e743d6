// Integer arithmetic where the fast paths stop: values whose bits are not all there is to them.
//
// A register stands for bits + h * 2^width for some h in [hi, hi + spread]. The spread is there for values whose sign
// nobody has said yet: constants and loads with the top bit set. A reading is wrong only when no h in the range makes
// it right.
#include <string.h>

#include "checker/interp_vm.h"

#define HI_MAX INT32_MAX
#define HI_MIN INT32_MIN
#define SPREAD_MAX 255

typedef tc_i128 wide;
typedef tc_u128 uwide;

static uint64_t mask_of(unsigned width) {
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static bool top_bit(uint64_t bits, unsigned width) {
    return (bits >> (width - 1)) & 1;
}

static int64_t sign_extend(uint64_t bits, unsigned width) {
    unsigned k = 64 - width;
    return (int64_t)(bits << k) >> k;
}

// ---- marks ----

uint32_t tc_mark_make(tc_vm *vm, tc_mark m) {
    if (!m.overflow && !m.uninit && !m.origin && !m.unknown)
        return 0;
    uint64_t key = tc_hash_mix(tc_hash_mix(m.overflow, m.uninit), tc_hash_mix(m.origin, m.unknown + 2 * m.misread));
    if (m.defined)
        key = tc_hash_mix(key, m.defined);
    for (;; key++) {
        uint32_t i = (uint32_t)(uintptr_t)tc_map_get(&vm->mark_index, key);
        if (i == 0)
            break;
        const tc_mark *o = &vm->marks.data[i];
        if (o->overflow == m.overflow && o->uninit == m.uninit && o->origin == m.origin && o->unknown == m.unknown &&
            o->misread == m.misread && o->defined == m.defined)
            return i;
    }
    if (vm->marks.len >= (1u << 24) - 1) {
        tc_vm_stop(vm, "too many different faults in values");
        return 1;
    }
    tc_push(vm->arena, &vm->marks, m);
    uint32_t i = (uint32_t)vm->marks.len - 1;
    tc_map_put(vm->arena, &vm->mark_index, key, (void *)(uintptr_t)i);
    return i;
}

bool tc_mark_is_real(const tc_vm *vm, uint32_t m) {
    const tc_mark *k = &vm->marks.data[m];
    return k->overflow || k->uninit || k->unknown;
}

uint32_t tc_mark_real(tc_vm *vm, uint32_t m) {
    if (m == 0)
        return 0;
    tc_mark k = vm->marks.data[m];
    if (k.origin == 0)
        return m;
    k.origin = 0;
    return tc_mark_make(vm, k);
}

uint32_t tc_mark_data(tc_vm *vm, uint32_t m) {
    if (m == 0)
        return 0;
    tc_mark k = vm->marks.data[m];
    if (k.origin == 0 && k.overflow == 0)
        return m;
    k.origin = k.overflow = 0;
    k.misread = (tc_misread)0;
    return k.uninit || k.unknown ? tc_mark_make(vm, k) : 0;
}

uint32_t tc_mark_union(tc_vm *vm, uint32_t a, uint32_t b) {
    if (a == b || b == 0)
        return tc_mark_real(vm, a);
    if (a == 0)
        return tc_mark_real(vm, b);
    tc_mark x = vm->marks.data[a], y = vm->marks.data[b];
    x.misread = x.overflow ? x.misread : y.misread;
    x.overflow = x.overflow ? x.overflow : y.overflow;
    x.defined = (x.uninit ? x.defined : ~UINT64_C(0)) & (y.uninit ? y.defined : ~UINT64_C(0));
    x.uninit = x.uninit ? x.uninit : y.uninit;
    if (!x.uninit)
        x.defined = 0;
    x.unknown |= y.unknown;
    x.origin = 0;
    return tc_mark_make(vm, x);
}

static uint32_t mark_overflow(tc_vm *vm, uint32_t m, uint32_t place, tc_misread how) {
    tc_mark k = vm->marks.data[m];
    if (!k.overflow) {
        k.overflow = place + 1;
        k.misread = how;
    }
    k.origin = 0;
    return tc_mark_make(vm, k);
}

static uint32_t with_overflow(tc_vm *vm, uint32_t m, uint32_t place) {
    return mark_overflow(vm, m, place, TC_MR_ARITHMETIC);
}

// ---- readings ----

static bool may_be(const tc_reg *r, int32_t h) {
    return r->hi <= h && (int64_t)h <= (int64_t)r->hi + TC_SPREAD(r);
}

static uint32_t misread(tc_vm *vm, const tc_reg *r, uint32_t place, bool as_signed) {
    uint32_t origin = vm->marks.data[TC_MARK(r)].origin;
    tc_misread how = TC_MR_ARITHMETIC;
    if (as_signed && may_be(r, 0))
        how = origin ? TC_MR_RESULT : TC_MR_LARGE;
    else if (!as_signed && !origin && may_be(r, -1))
        how = TC_MR_NEGATIVE;
    return mark_overflow(vm, TC_MARK(r), origin ? origin - 1 : place, how);
}

int64_t tc_read_signed(tc_vm *vm, const tc_reg *r, unsigned width, uint32_t place, uint32_t *mark) {
    bool ok = width == 1 || may_be(r, top_bit(r->bits, width) ? -1 : 0);
    *mark = ok ? tc_mark_real(vm, TC_MARK(r)) : misread(vm, r, place, true);
    return sign_extend(r->bits, width);
}

uint64_t tc_read_unsigned(tc_vm *vm, const tc_reg *r, unsigned width, uint32_t place, uint32_t *mark) {
    bool ok = width == 1 || may_be(r, 0);
    *mark = ok ? tc_mark_real(vm, TC_MARK(r)) : misread(vm, r, place, false);
    return r->bits;
}

// As a number that is compared for equality or as unsigned: a negative value passes for a large one, down to -2^width (lift_int.c).
uint32_t tc_read_any(tc_vm *vm, const tc_reg *r, unsigned width, uint32_t place) {
    bool ok = width == 1 || may_be(r, 0) || may_be(r, -1);
    return ok ? tc_mark_real(vm, TC_MARK(r)) : misread(vm, r, place, false);
}

// ---- results ----

static void put_signed(tc_reg *d, int64_t v, unsigned width, uint32_t mark) {
    d->bits = (uint64_t)v & mask_of(width);
    d->hi = top_bit(d->bits, width) ? -1 : 0;
    d->mark = mark;
}

static void put_unsigned(tc_reg *d, uint64_t v, unsigned width, uint32_t mark) {
    d->bits = v & mask_of(width);
    d->hi = 0;
    d->mark = mark;
}

static bool is_plain(const tc_reg *r, unsigned width) {
    return may_be(r, 0) || (top_bit(r->bits, width) && may_be(r, -1));
}

// Of a range that is too wide for a register what is nearest to no wrap stays: a reading is told as wrong only where it surely is.
static void fit_spread(wide *lo, wide *hi) {
    if (*hi - *lo <= SPREAD_MAX)
        return;
    if (*lo < -SPREAD_MAX / 2)
        *lo = *hi < SPREAD_MAX / 2 ? *hi - SPREAD_MAX : -SPREAD_MAX / 2;
    if (*hi > *lo + SPREAD_MAX)
        *hi = *lo + SPREAD_MAX;
}

// bits with the number of wraps in [lo, hi]; where it left the range is remembered.
static void put_lazy(tc_vm *vm, tc_reg *d, uint64_t bits, wide lo, wide hi, unsigned width, uint32_t mark,
                     uint32_t origin) {
    fit_spread(&lo, &hi);
    d->bits = bits & mask_of(width);
    d->hi = lo < HI_MIN ? HI_MIN : lo > HI_MAX ? HI_MAX : (int32_t)lo;
    uint32_t s = hi < lo ? 0 : (uint32_t)(hi - lo);
    if (origin && (d->hi != 0 || s != 0 || top_bit(d->bits, width))) {
        tc_mark k = vm->marks.data[mark];
        k.origin = origin;
        mark = tc_mark_make(vm, k);
    }
    d->mark = mark | s << 24;
}

// Where the value first left its range: at an operand, or here.
static uint32_t origin_of(const tc_vm *vm, const tc_reg *a, const tc_reg *b, unsigned width, uint32_t place) {
    if (!is_plain(a, width) && vm->marks.data[TC_MARK(a)].origin)
        return vm->marks.data[TC_MARK(a)].origin;
    if (b && !is_plain(b, width) && vm->marks.data[TC_MARK(b)].origin)
        return vm->marks.data[TC_MARK(b)].origin;
    return place + 1;
}

// ---- the operations ----

static void lazy_sum(tc_vm *vm, tc_reg *d, const tc_reg *a, const tc_reg *b, bool minus, unsigned width, uint32_t mark,
                     uint32_t place) {
    wide x = (wide)a->bits + (minus ? -(wide)b->bits : (wide)b->bits);
    wide carry = x >> width;
    wide lo = carry + a->hi, hi = carry + a->hi + TC_SPREAD(a);
    if (minus) {
        lo -= (wide)b->hi + TC_SPREAD(b);
        hi -= b->hi;
    } else {
        lo += b->hi;
        hi += (wide)b->hi + TC_SPREAD(b);
    }
    put_lazy(vm, d, (uint64_t)x, lo, hi, width, mark, origin_of(vm, a, b, width, place));
}

static wide product_hi(const tc_reg *a, const tc_reg *b, wide ha, wide hb, unsigned width) {
    uwide p = (uwide)a->bits * b->bits;
    wide carry = (wide)(width >= 64 ? p >> 64 : p >> width);
    return carry + ha * (wide)b->bits + hb * (wide)a->bits + ha * hb * ((wide)1 << width);
}

static void lazy_product(tc_vm *vm, tc_reg *d, const tc_reg *a, const tc_reg *b, unsigned width, uint32_t mark,
                         uint32_t place) {
    wide lo = 0, hi = 0;
    for (int k = 0; k < 4; k++) {
        wide ha = (wide)a->hi + (k & 1 ? TC_SPREAD(a) : 0), hb = (wide)b->hi + (k & 2 ? TC_SPREAD(b) : 0);
        wide h = product_hi(a, b, ha, hb, width);
        lo = k == 0 || h < lo ? h : lo;
        hi = k == 0 || h > hi ? h : hi;
    }
    put_lazy(vm, d, a->bits * b->bits, lo, hi, width, mark, origin_of(vm, a, b, width, place));
}

static int64_t bit_op(unsigned op, int64_t a, int64_t b) {
    return op == TC_OP_AND ? a & b : op == TC_OP_OR ? a | b : a ^ b;
}

// Bits and the number of wraps do not mix: the value is taken as two's complement without end.
static void lazy_bits(tc_vm *vm, tc_reg *d, const tc_reg *a, const tc_reg *b, unsigned op, unsigned width,
                      uint32_t mark, uint32_t place) {
    uint64_t bits = (uint64_t)bit_op(op, (int64_t)a->bits, (int64_t)b->bits) & mask_of(width);
    if (width == 1) {
        put_unsigned(d, bits, 1, mark);
        return;
    }
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (int k = 0; k < 4; k++) {
        int64_t h =
            bit_op(op, (int64_t)a->hi + (k & 1 ? TC_SPREAD(a) : 0), (int64_t)b->hi + (k & 2 ? TC_SPREAD(b) : 0));
        lo = h < lo ? h : lo;
        hi = h > hi ? h : hi;
    }
    // A constant's top bit says nothing of its sign, and that of ~~x not either: without a top bit it is not a negative number.
    if (lo == -1 && hi == 0 && !top_bit(bits, width))
        lo = 0;
    put_lazy(vm, d, bits, lo, hi, width, mark, origin_of(vm, a, b, width, place));
}

// A clean zero under AND, clean ones under OR, decide the result alone.
static bool absorbs(const tc_reg *r, unsigned op, unsigned width) {
    if (TC_MARK(r))
        return false;
    return (op == TC_OP_AND && r->bits == 0 && r->hi == 0) || (op == TC_OP_OR && r->bits == mask_of(width));
}

static void shift_left(tc_vm *vm, tc_reg *d, const tc_reg *a, uint64_t k, unsigned width, uint32_t mark,
                       uint32_t place) {
    wide carry = (wide)(((uwide)a->bits << k) >> width);
    wide step = (wide)1 << k, lo = carry + a->hi * step, hi = carry + ((wide)a->hi + TC_SPREAD(a)) * step;
    put_lazy(vm, d, a->bits << k, lo, hi, width, mark, origin_of(vm, a, NULL, width, place));
}

static uint64_t defined_bits(const tc_vm *vm, const tc_reg *r) {
    const tc_mark *k = &vm->marks.data[TC_MARK(r)];
    return TC_MARK(r) && k->uninit ? k->defined : ~UINT64_C(0);
}

static uint32_t mark_defined(tc_vm *vm, uint32_t mark, uint64_t defined, unsigned width) {
    tc_mark k = vm->marks.data[mark];
    if (!mark || !k.uninit)
        return mark;
    bool all = (defined & mask_of(width)) == mask_of(width);
    k.uninit = all ? 0 : k.uninit;
    k.defined = all ? 0 : defined;
    return tc_mark_make(vm, k);
}

// Bit by bit: a store to a bit-field keeps what nobody wrote of its unit, and a load of the field does not use it.
static uint32_t mark_of_bits(tc_vm *vm, const tc_reg *a, const tc_reg *b, unsigned op, unsigned width) {
    uint64_t x = defined_bits(vm, a), y = defined_bits(vm, b), both = x & y;
    if (op == TC_OP_AND)
        both |= (x & ~a->bits) | (y & ~b->bits);
    if (op == TC_OP_OR)
        both |= (x & a->bits) | (y & b->bits);
    return mark_defined(vm, tc_mark_union(vm, TC_MARK(a), TC_MARK(b)), both, width);
}

static uint32_t mark_shifted(tc_vm *vm, uint32_t mark, unsigned op, uint64_t by, unsigned width) {
    if (!mark || by == 0)
        return mark;
    uint64_t d = vm->marks.data[mark].defined;
    d = op == TC_OP_SHL ? d << by | ((UINT64_C(1) << by) - 1) : d >> by | ~(mask_of(width) >> by);
    return mark_defined(vm, mark, d, width);
}

// What follows from the result of a faulty operation is not a fault of its own.
static uint32_t after_fault(tc_vm *vm, uint32_t mark) {
    tc_mark k = vm->marks.data[mark];
    k.unknown = true;
    return tc_mark_make(vm, k);
}

static void slow_shift(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned width) {
    tc_reg *d = &t->regs[in->d];
    tc_reg a = t->regs[in->a], b = t->regs[in->b];
    uint32_t place = tc_place_of(vm, in), m, mb;
    uint64_t k = tc_read_unsigned(vm, &b, width, place, &mb);
    if (k >= width) {
        bool known = !mb || !(vm->marks.data[mb].uninit || vm->marks.data[mb].unknown);
        if (known)
            tc_vm_fault(vm, t, "TC2004", place, NULL, "shift of a %u-bit value by %lld", width,
                        (long long)sign_extend(b.bits, width));
        // The machine's result: shifts clamp in PTX.
        bool negative = op == TC_OP_ASHR && top_bit(a.bits, width);
        put_signed(d, negative ? -1 : 0, width, after_fault(vm, tc_mark_union(vm, TC_MARK(&a), mb)));
        return;
    }
    if (op == TC_OP_SHL) {
        m = mark_shifted(vm, tc_mark_union(vm, TC_MARK(&a), mb), op, k, width);
        shift_left(vm, d, &a, k, width, m, place);
    } else if (op == TC_OP_LSHR) {
        uint64_t v = tc_read_unsigned(vm, &a, width, place, &m);
        put_unsigned(d, v >> k, width, mark_shifted(vm, tc_mark_union(vm, m, mb), op, k, width));
    } else {
        int64_t v = tc_read_signed(vm, &a, width, place, &m);
        put_signed(d, v >> k, width, tc_mark_union(vm, m, mb));
    }
}

static void slow_divide(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned width) {
    tc_reg *d = &t->regs[in->d];
    tc_reg a = t->regs[in->a], b = t->regs[in->b];
    uint32_t place = tc_place_of(vm, in), ma, mb;
    bool is_signed = op == TC_OP_SDIV || op == TC_OP_SREM, rem = op == TC_OP_SREM || op == TC_OP_UREM;
    int64_t sa = 0, sb = 0;
    uint64_t ua = 0, ub = 0;
    if (is_signed) {
        sa = tc_read_signed(vm, &a, width, place, &ma);
        sb = tc_read_signed(vm, &b, width, place, &mb);
    } else {
        ua = tc_read_unsigned(vm, &a, width, place, &ma);
        ub = tc_read_unsigned(vm, &b, width, place, &mb);
    }
    uint32_t m = tc_mark_union(vm, ma, mb);
    bool known = !mb || !(vm->marks.data[mb].uninit || vm->marks.data[mb].unknown);
    if (b.bits == 0) {
        if (known)
            tc_vm_fault(vm, t, "TC2004", place, NULL, "division by zero");
        d->bits = mask_of(width);
        d->hi = -1;
        d->mark = after_fault(vm, m);
        return;
    }
    int64_t least = sign_extend(UINT64_C(1) << (width - 1), width);
    if (is_signed && sb == -1 && sa == least) {
        if (known)
            tc_vm_fault(vm, t, "TC2004", place, NULL, "%s of the least value by -1 overflows", rem ? "remainder" : "division");
        put_signed(d, rem ? 0 : sa, width, m);
        return;
    }
    if (is_signed)
        put_signed(d, rem ? sa % sb : sa / sb, width, m);
    else
        put_unsigned(d, rem ? ua % ub : ua / ub, width, m);
}

static void slow_signed(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned width) {
    uint32_t place = tc_place_of(vm, in), ma, mb;
    wide a = tc_read_signed(vm, &t->regs[in->a], width, place, &ma);
    wide b = tc_read_signed(vm, &t->regs[in->b], width, place, &mb);
    wide r = op == TC_OP_ADDS ? a + b : op == TC_OP_SUBS ? a - b : a * b;
    uint32_t m = tc_mark_union(vm, ma, mb);
    int64_t kept = sign_extend((uint64_t)r, width);
    if ((wide)kept != r)
        m = with_overflow(vm, m, place);
    put_signed(&t->regs[in->d], kept, width, m);
}

void tc_slow_binary(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned width) {
    tc_reg a = t->regs[in->a], b = t->regs[in->b];
    tc_reg *d = &t->regs[in->d];
    uint32_t place = tc_place_of(vm, in);
    switch (op) {
    case TC_OP_ADDS:
    case TC_OP_SUBS:
    case TC_OP_MULS:
        slow_signed(vm, t, in, op, width);
        return;
    case TC_OP_SHL:
    case TC_OP_LSHR:
    case TC_OP_ASHR:
        slow_shift(vm, t, in, op, width);
        return;
    case TC_OP_UDIV:
    case TC_OP_SDIV:
    case TC_OP_UREM:
    case TC_OP_SREM:
        slow_divide(vm, t, in, op, width);
        return;
    default:
        break;
    }
    if ((op == TC_OP_AND || op == TC_OP_OR) && (absorbs(&a, op, width) || absorbs(&b, op, width))) {
        *d = absorbs(&a, op, width) ? a : b;
        return;
    }
    uint32_t m = tc_mark_union(vm, TC_MARK(&a), TC_MARK(&b));
    if (op == TC_OP_AND || op == TC_OP_OR || op == TC_OP_XOR)
        m = mark_of_bits(vm, &a, &b, op, width);
    if (op == TC_OP_ADD || op == TC_OP_SUB)
        lazy_sum(vm, d, &a, &b, op == TC_OP_SUB, width, m, place);
    else if (op == TC_OP_MUL)
        lazy_product(vm, d, &a, &b, width, m, place);
    else
        lazy_bits(vm, d, &a, &b, op, width, m, place);
}

bool tc_slow_compare(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned width, uint32_t *mark) {
    const tc_reg *a = &t->regs[in->a], *b = &t->regs[in->b];
    uint32_t place = tc_place_of(vm, in), ma, mb;
    if (op == TC_OP_SLT || op == TC_OP_SLE) {
        int64_t x = tc_read_signed(vm, a, width, place, &ma), y = tc_read_signed(vm, b, width, place, &mb);
        *mark = tc_mark_union(vm, ma, mb);
        return op == TC_OP_SLT ? x < y : x <= y;
    }
    ma = tc_read_any(vm, a, width, place);
    mb = tc_read_any(vm, b, width, place);
    *mark = tc_mark_union(vm, ma, mb);
    switch (op) {
    case TC_OP_EQ:
        return a->bits == b->bits;
    case TC_OP_NE:
        return a->bits != b->bits;
    case TC_OP_ULT:
        return a->bits < b->bits;
    default:
        return a->bits <= b->bits;
    }
}

void tc_slow_cast(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op, unsigned from, unsigned to) {
    tc_reg a = t->regs[in->a];
    tc_reg *d = &t->regs[in->d];
    uint32_t place = tc_place_of(vm, in), m;
    if (op == TC_OP_ZEXT) {
        uint64_t v = tc_read_unsigned(vm, &a, from, place, &m);
        put_unsigned(d, v, to, m);
    } else if (op == TC_OP_SEXT) {
        int64_t v = tc_read_signed(vm, &a, from, place, &m);
        put_signed(d, v, to, m);
    } else { // the value stays what it was, in fewer bits
        m = tc_mark_real(vm, TC_MARK(&a));
        if (to == 1) {
            put_unsigned(d, a.bits, 1, m);
            return;
        }
        unsigned k = from - to;
        wide low = (wide)((a.bits & mask_of(from)) >> to);
        wide step = (wide)1 << k, lo = a.hi * step + low, hi = ((wide)a.hi + TC_SPREAD(&a)) * step + low;
        put_lazy(vm, d, a.bits, lo, hi, to, m, origin_of(vm, &a, NULL, from, place));
    }
}

// ---- integer intrinsics ----

static unsigned count_leading(uint64_t x, unsigned width) {
    return x == 0 ? width : (unsigned)__builtin_clzll(x) - (64 - width);
}

static uint64_t reverse_bits(uint64_t x, unsigned width) {
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++)
        r |= ((x >> i) & 1) << (width - 1 - i);
    return r;
}

static uint64_t byte_perm(uint64_t a, uint64_t b, uint64_t s) {
    uint64_t bytes = (a & 0xffffffffu) | b << 32, r = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned sel = (unsigned)(s >> (4 * i)) & 15;
        uint64_t byte = (bytes >> (8 * (sel & 7))) & 255;
        if (sel & 8)
            byte = byte & 128 ? 255 : 0;
        r |= byte << (8 * i);
    }
    return r;
}

typedef struct int_args {
    int64_t s[3];
    uint64_t u[3];
    uint32_t mark; // of bits only
    uint32_t smark, umark;
} int_args;

static void read_args(tc_vm *vm, tc_thread *t, const tc_insn *in, int_args *g) {
    const uint32_t regs[3] = {in->a, in->b, in->c};
    uint32_t place = tc_place_of(vm, in);
    memset(g, 0, sizeof *g);
    for (int k = 0; k < 3; k++) {
        if (regs[k] == TC_NONE)
            continue;
        const tc_reg *r = &t->regs[regs[k]];
        uint32_t m;
        unsigned width = in->w;
        g->s[k] = tc_read_signed(vm, r, width, place, &m);
        g->smark = tc_mark_union(vm, g->smark, m);
        g->u[k] = tc_read_unsigned(vm, r, width, place, &m);
        g->umark = tc_mark_union(vm, g->umark, m);
        g->mark = tc_mark_union(vm, g->mark, TC_MARK(r));
    }
}

static void put_overflow(tc_vm *vm, tc_thread *t, const tc_insn *in, const int_args *g, unsigned w) {
    bool is_signed = in->x == TC_INT_SADD_OV || in->x == TC_INT_SSUB_OV || in->x == TC_INT_SMUL_OV;
    wide a = is_signed ? g->s[0] : (wide)g->u[0], b = is_signed ? g->s[1] : (wide)g->u[1], r;
    if (in->x == TC_INT_SADD_OV || in->x == TC_INT_UADD_OV)
        r = a + b;
    else if (in->x == TC_INT_SSUB_OV || in->x == TC_INT_USUB_OV)
        r = a - b;
    else
        r = is_signed ? a * b : (wide)((uwide)g->u[0] * g->u[1]);
    uint64_t bits = (uint64_t)r & mask_of(w);
    wide back = is_signed ? (wide)sign_extend(bits, w) : (wide)bits;
    uint32_t m = is_signed ? g->smark : g->umark;
    // The program asks whether it overflowed: the wrapped result is what it wants.
    if (is_signed)
        put_signed(&t->regs[in->d], sign_extend(bits, w), w, m);
    else
        put_unsigned(&t->regs[in->d], bits, w, m);
    put_unsigned(&t->regs[in->d + 1], back != r, 1, m);
    (void)vm;
}

static int64_t clamp(wide x, wide lo, wide hi) {
    return (int64_t)(x < lo ? lo : x > hi ? hi : x);
}

void tc_exec_int(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    int_args g;
    read_args(vm, t, in, &g);
    unsigned w = in->w;
    tc_reg *d = &t->regs[in->d];
    wide smax = ((wide)1 << (w - 1)) - 1, smin = -smax - 1, umax = (wide)mask_of(w);
    switch ((tc_int_op)in->x) {
    case TC_INT_ABS:
        put_signed(d, g.s[0] < 0 ? (int64_t)(0 - (uint64_t)g.s[0]) : g.s[0], w, g.smark);
        break;
    case TC_INT_SMIN:
        put_signed(d, g.s[0] < g.s[1] ? g.s[0] : g.s[1], w, g.smark);
        break;
    case TC_INT_SMAX:
        put_signed(d, g.s[0] > g.s[1] ? g.s[0] : g.s[1], w, g.smark);
        break;
    case TC_INT_UMIN:
        put_unsigned(d, g.u[0] < g.u[1] ? g.u[0] : g.u[1], w, g.umark);
        break;
    case TC_INT_UMAX:
        put_unsigned(d, g.u[0] > g.u[1] ? g.u[0] : g.u[1], w, g.umark);
        break;
    case TC_INT_POPC:
        put_unsigned(d, (uint64_t)__builtin_popcountll(g.u[0]), w, g.mark);
        break;
    case TC_INT_CLZ:
        put_unsigned(d, count_leading(g.u[0], w), w, g.mark);
        break;
    case TC_INT_CTZ:
        put_unsigned(d, g.u[0] ? (uint64_t)__builtin_ctzll(g.u[0]) : w, w, g.mark);
        break;
    case TC_INT_FFS:
        put_unsigned(d, (uint64_t)__builtin_ffsll((int64_t)g.u[0]), 32, g.mark);
        break;
    case TC_INT_BREV:
        put_unsigned(d, reverse_bits(g.u[0], w), w, g.mark);
        break;
    case TC_INT_BSWAP:
        put_unsigned(d, __builtin_bswap64(g.u[0]) >> (64 - w), w, g.mark);
        break;
    case TC_INT_SMULHI:
        put_signed(d, (int64_t)(((wide)g.s[0] * g.s[1]) >> w), w, g.smark);
        break;
    case TC_INT_UMULHI:
        put_unsigned(d, (uint64_t)(((uwide)g.u[0] * g.u[1]) >> w), w, g.umark);
        break;
    case TC_INT_SMUL24: {
        wide r = (wide)sign_extend(g.u[0], 24) * sign_extend(g.u[1], 24);
        put_lazy(vm, d, (uint64_t)r, r >> w, r >> w, w, g.smark, tc_place_of(vm, in) + 1);
        break;
    }
    case TC_INT_UMUL24: {
        uint64_t r = (g.u[0] & 0xffffff) * (g.u[1] & 0xffffff);
        put_lazy(vm, d, r, (wide)(r >> w), (wide)(r >> w), w, g.umark, tc_place_of(vm, in) + 1);
        break;
    }
    case TC_INT_SSAD:
        put_unsigned(d, (uint64_t)(g.s[0] > g.s[1] ? g.s[0] - g.s[1] : g.s[1] - g.s[0]) + g.u[2], w, g.smark);
        break;
    case TC_INT_USAD:
        put_unsigned(d, (g.u[0] > g.u[1] ? g.u[0] - g.u[1] : g.u[1] - g.u[0]) + g.u[2], w, g.umark);
        break;
    case TC_INT_SHADD:
        put_signed(d, (int64_t)(((wide)g.s[0] + g.s[1]) >> 1), w, g.smark);
        break;
    case TC_INT_UHADD:
        put_unsigned(d, (uint64_t)(((wide)g.u[0] + g.u[1]) >> 1), w, g.umark);
        break;
    case TC_INT_SRHADD:
        put_signed(d, (int64_t)(((wide)g.s[0] + g.s[1] + 1) >> 1), w, g.smark);
        break;
    case TC_INT_URHADD:
        put_unsigned(d, (uint64_t)(((wide)g.u[0] + g.u[1] + 1) >> 1), w, g.umark);
        break;
    case TC_INT_PRMT:
        put_unsigned(d, byte_perm(g.u[0], g.u[1], g.u[2]), 32, g.mark);
        break;
    case TC_INT_FSHL:
    case TC_INT_FSHR: {
        unsigned k = (unsigned)(g.u[2] % w);
        uwide both = (uwide)g.u[0] << w | g.u[1];
        put_unsigned(d, (uint64_t)(in->x == TC_INT_FSHL ? (both << k) >> w : both >> k), w, g.mark);
        break;
    }
    case TC_INT_SADD_SAT:
        put_signed(d, clamp((wide)g.s[0] + g.s[1], smin, smax), w, g.smark);
        break;
    case TC_INT_SSUB_SAT:
        put_signed(d, clamp((wide)g.s[0] - g.s[1], smin, smax), w, g.smark);
        break;
    case TC_INT_UADD_SAT: {
        uwide r = (uwide)g.u[0] + g.u[1];
        put_unsigned(d, r > (uwide)umax ? (uint64_t)umax : (uint64_t)r, w, g.umark);
        break;
    }
    case TC_INT_USUB_SAT:
        put_unsigned(d, g.u[0] > g.u[1] ? g.u[0] - g.u[1] : 0, w, g.umark);
        break;
    case TC_INT_SADD_OV:
    case TC_INT_UADD_OV:
    case TC_INT_SSUB_OV:
    case TC_INT_USUB_OV:
    case TC_INT_SMUL_OV:
    case TC_INT_UMUL_OV:
        put_overflow(vm, t, in, &g, w);
        break;
    default:
        tc_vm_stop(vm, "an integer intrinsic that is not known");
    }
}
