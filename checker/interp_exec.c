// The loop that runs one thread until it waits, ends or has used up its slice. Each operation has a fast path for
// values that are just their bits; everything else is in interp_arith.c.
#include <string.h>

#include "checker/interp_vm.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define SIGN32(x) ((uint64_t)(uint32_t)((int32_t)(uint32_t)(x) >> 31))
#define SIGN64(x) ((uint64_t)(uint32_t)((int64_t)(x) >> 63))

// ---- memory ----

static inline void put_loaded(tc_reg *d, uint64_t bits, unsigned width, bool is_int, unsigned sign, uint32_t mark) {
    d->bits = bits;
    d->hi = 0;
    d->mark = mark;
    // An integer with its top bit set is negative or large: the type of what it was stored as says which, if that is
    // known.
    if (is_int && bits >> (width - 1) && sign != TC_SIGN_UNSIGNED) {
        d->hi = -1;
        d->mark = mark | (sign == TC_SIGN_SIGNED ? 0 : 1u << 24);
    }
}

// As it was stored, where that is known. A wide unsigned one of a struct may be read in both ways (lift_value.c).
static inline unsigned sign_at(const tc_mobj *o, uint64_t off, unsigned bytes) {
    if (UNLIKELY(o->fields != NULL)) {
        tc_sign s = tc_type_sign_at(o->fields, off % o->elem, bytes);
        return s == TC_SIGN_UNSIGNED && bytes >= 4 ? TC_SIGN_UNKNOWN : s;
    }
    return o->elem == bytes ? o->sign : TC_SIGN_UNKNOWN;
}

static uint64_t get_bytes(const unsigned char *p, unsigned n) {
    uint64_t v = 0;
    memcpy(&v, p, n);
    return v;
}

static void load_local(tc_vm *vm, tc_thread *t, tc_reg *d, const unsigned char *at, uint64_t off, unsigned bytes,
                       bool is_int, uint32_t place) {
    const tc_lshadow *s = &t->lshadow[off / 4];
    uint64_t bits = get_bytes(at, bytes);
    bool whole = (off & 3) == 0 && s->tag == bytes && s->init == 15 &&
                 (bytes == 4 || (bytes == 8 && s[1].tag == 9 && s[1].init == 15));
    if (LIKELY(whole)) {
        d->bits = bits;
        d->shadow = s->shadow;
        return;
    }
    put_loaded(d, bits, bytes * 8, is_int, 0, tc_local_mark(vm, t, off, bytes, place));
}

static void store_local(tc_vm *vm, tc_thread *t, const tc_reg *v, unsigned char *at, uint64_t off, unsigned bytes) {
    memcpy(at, &v->bits, bytes);
    tc_lshadow *s = &t->lshadow[off / 4];
    if (bytes >= 4 && (off & 3) == 0) {
        s->shadow = v->shadow;
        s->tag = (uint8_t)bytes;
        s->init = 15;
        if (bytes == 8)
            s[1] = (tc_lshadow){.tag = 9, .init = 15};
        return;
    }
    for (uint64_t i = off; i < off + bytes; i++) {
        tc_lshadow *w = &t->lshadow[i / 4];
        tc_reg old = {.shadow = w->shadow}, n = {0};
        n.mark = tc_mark_union(vm, TC_MARK(&old), TC_MARK(v));
        w->shadow = n.shadow;
        w->tag = 0;
        w->init |= (uint8_t)(1u << (i & 3));
    }
}

static void watch_read(tc_vm *vm, const tc_mobj *o, uint64_t off, const tc_reg *v) {
    enum { KEPT = 4 };
    tc_watch *w = vm->launch->watch;
    tc_read r = {.object = (uint32_t)o->contract, .index = off / o->elem};
    r.value = tc_wrap128((tc_i128)v->bits, o->elem * 8, o->sign == 1);
    size_t n = 0;
    for (size_t i = 0; i < w->reads.len; i++)
        if (w->reads.data[i].object != r.object || w->reads.data[i].index != r.index)
            w->reads.data[n++] = w->reads.data[i];
    w->reads.len = n;
    if (n == KEPT) {
        memmove(w->reads.data, w->reads.data + 1, (KEPT - 1) * sizeof r);
        w->reads.len--;
    }
    tc_push(vm->out_arena, &w->reads, r);
}

static void slow_load(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned bytes, bool is_int) {
    tc_reg *d = &t->regs[in->d];
    const tc_reg addr = t->regs[in->a];
    uint32_t place = tc_place_of(vm, in);
    tc_mobj *o;
    uint64_t off = 0;
    bool uninit = false;
    const unsigned char *at = tc_mem_access(vm, t, &addr, bytes, in->b, TC_READ, in->x, place, &o, &off, &uninit);
    if (!at) {
        *d = (tc_reg){.mark = tc_mark_make(vm, (tc_mark){.unknown = true})};
        return;
    }
    if (!o) {
        load_local(vm, t, d, at, off, bytes, is_int, place);
        return;
    }
    put_loaded(d, get_bytes(at, bytes), bytes * 8, is_int, sign_at(o, off, bytes),
               tc_mem_loaded(vm, t, o, off, bytes, uninit, place));
    if (UNLIKELY(vm->launch->watch && !vm->launch->watch->seen && o->is_const && o->contract >= 0 && o->sign != 0 &&
                 o->elem == bytes))
        watch_read(vm, o, off, d);
    if (UNLIKELY(vm->p->fine_sync && in->x & (TC_ACC_ATOMIC | TC_ACC_VOLATILE)))
        tc_clock_sync(vm, t, addr.bits, true, false, in->x);
}

static void slow_store(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned bytes) {
    const tc_reg addr = t->regs[in->a], v = t->regs[in->d];
    uint32_t place = tc_place_of(vm, in);
    tc_mobj *o;
    uint64_t off = 0;
    bool uninit = TC_MARK(&v) && vm->marks.data[TC_MARK(&v)].uninit;
    vm->stored = (const unsigned char *)&v.bits;
    vm->stored_unknown = TC_MARK(&v) && vm->marks.data[TC_MARK(&v)].unknown;
    unsigned char *at = tc_mem_access(vm, t, &addr, bytes, in->b, TC_WRITE, in->x, place, &o, &off, &uninit);
    vm->stored = NULL;
    vm->stored_unknown = false;
    if (!at)
        return;
    if (!o) {
        store_local(vm, t, &v, at, off, bytes);
        return;
    }
    memcpy(at, &v.bits, bytes);
    if (UNLIKELY(vm->p->fine_sync && in->x & (TC_ACC_ATOMIC | TC_ACC_VOLATILE)))
        tc_clock_sync(vm, t, addr.bits, false, true, in->x);
}

static inline void do_load(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned bytes, bool is_int) {
    const tc_reg *p = &t->regs[in->a];
    uint64_t id = tc_addr_object(p->bits);
    if (LIKELY(id < vm->nobjects && (p->mark | (p->bits & (in->b - 1)) | in->x) == 0)) {
        tc_mobj *o = &vm->objects[id];
        uint64_t off = p->bits - o->base;
        if (LIKELY(off < o->size && o->size - off >= bytes)) {
            if (o->kind == TC_MO_PLAIN) {
                vm->accesses++;
                vm->p->met[tc_place_of(vm, in)] = true;
                put_loaded(&t->regs[in->d], get_bytes(o->data + off, bytes), bytes * 8, is_int,
                           sign_at(o, off, bytes), 0);
                return;
            }
            if (o->kind == TC_MO_TRACKED && o->is_shared && vm->block->whole && !vm->partial) {
                vm->accesses++;
                bool uninit = false;
                uint32_t place = tc_place_of(vm, in);
                vm->p->met[place] = true;
                tc_race_read(vm, t, o, off, bytes, 0, place, &uninit);
                put_loaded(&t->regs[in->d], get_bytes(o->data + off, bytes), bytes * 8, is_int, 0,
                           uninit ? tc_mark_make(vm, (tc_mark){.uninit = place + 1}) : 0);
                return;
            }
        }
    }
    slow_load(vm, t, in, bytes, is_int);
}

static inline void do_store(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned bytes) {
    const tc_reg *p = &t->regs[in->a], *v = &t->regs[in->d];
    uint64_t id = tc_addr_object(p->bits);
    if (LIKELY(id < vm->nobjects && (p->mark | TC_MARK(v) | (p->bits & (in->b - 1)) | in->x) == 0)) {
        tc_mobj *o = &vm->objects[id];
        uint64_t off = p->bits - o->base;
        if (o->is_shared && off < o->size && o->size - off >= bytes) {
            vm->accesses++;
            vm->p->met[tc_place_of(vm, in)] = true;
            vm->stored = (const unsigned char *)&v->bits;
            tc_race_write(vm, t, o, off, bytes, 0, tc_place_of(vm, in), 0);
            vm->stored = NULL;
            memcpy(o->data + off, &v->bits, bytes);
            return;
        }
    }
    slow_store(vm, t, in, bytes);
}

static void load_vector(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_layout *l = &vm->p->layouts.data[in->c];
    const tc_reg addr = t->regs[in->a];
    uint32_t place = tc_place_of(vm, in);
    tc_mobj *o;
    uint64_t off = 0;
    bool uninit = false;
    const unsigned char *at = tc_mem_access(vm, t, &addr, l->size, in->b, TC_READ, in->x, place, &o, &off, &uninit);
    uint32_t mark = !at ? tc_mark_make(vm, (tc_mark){.unknown = true})
                    : o ? tc_mem_loaded(vm, t, o, off, l->size, uninit, place)
                        : 0;
    for (uint32_t i = 0; i < l->n; i++) {
        const tc_leaf *f = &l->leaves[i];
        tc_reg *d = &t->regs[in->d + i];
        if (at && !o) {
            load_local(vm, t, d, at + f->offset, off + f->offset, f->bytes, f->kind == TC_LEAF_INT, place);
        } else {
            unsigned sign = o ? sign_at(o, off + f->offset, f->bytes) : TC_SIGN_UNKNOWN;
            put_loaded(d, at ? get_bytes(at + f->offset, f->bytes) : 0, f->bytes * 8u, f->kind == TC_LEAF_INT, sign,
                       mark);
        }
        if (f->bits < f->bytes * 8u) {
            d->bits &= (UINT64_C(1) << f->bits) - 1;
            d->hi = 0;
            d->mark = TC_MARK(d);
        }
    }
    if (UNLIKELY(o && vm->p->fine_sync && in->x & (TC_ACC_ATOMIC | TC_ACC_VOLATILE)))
        tc_clock_sync(vm, t, addr.bits, true, false, in->x);
}

static void store_vector(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_layout *l = &vm->p->layouts.data[in->c];
    const tc_reg addr = t->regs[in->a];
    uint32_t place = tc_place_of(vm, in);
    tc_mobj *o;
    uint64_t off = 0;
    bool uninit = false;
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t m = TC_MARK(&t->regs[in->d + i]);
        uninit |= m && vm->marks.data[m].uninit;
        vm->stored_unknown |= m && vm->marks.data[m].unknown;
    }
    unsigned char *at = tc_mem_access(vm, t, &addr, l->size, in->b, TC_WRITE, in->x, place, &o, &off, &uninit);
    vm->stored_unknown = false;
    for (uint32_t i = 0; at && i < l->n; i++) {
        const tc_leaf *f = &l->leaves[i];
        const tc_reg *v = &t->regs[in->d + i];
        if (o)
            memcpy(at + f->offset, &v->bits, f->bytes);
        else
            store_local(vm, t, v, at + f->offset, off + f->offset, f->bytes);
    }
    if (UNLIKELY(at && o && vm->p->fine_sync && in->x & (TC_ACC_ATOMIC | TC_ACC_VOLATILE)))
        tc_clock_sync(vm, t, addr.bits, false, true, in->x);
}

static void reset_local(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    uint64_t id = tc_addr_object(t->regs[in->a].bits);
    const tc_vm_local *l = &vm->p->locals.data[id - TC_LOCAL_IDS];
    memset(&t->lshadow[l->offset / 4], 0, (l->size + 3) / 4 * sizeof *t->lshadow);
}

// ---- bits as other types ----

static void pack(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_pack *p = &vm->p->packs.data[in->x];
    const tc_layout *from = &vm->p->layouts.data[p->from], *to = &vm->p->layouts.data[p->to];
    unsigned char bytes[64] = {0};
    uint32_t mark = 0;
    if (from->size > sizeof bytes || to->size > sizeof bytes) {
        tc_vm_stop(vm, "a bit cast of more than 64 bytes");
        return;
    }
    for (uint32_t i = 0; i < from->n; i++) {
        memcpy(bytes + from->leaves[i].offset, &t->regs[in->a + i].bits, from->leaves[i].bytes);
        mark = tc_mark_union(vm, mark, TC_MARK(&t->regs[in->a + i]));
    }
    for (uint32_t i = 0; i < to->n; i++)
        put_loaded(&t->regs[in->d + i], get_bytes(bytes + to->leaves[i].offset, to->leaves[i].bytes),
                   to->leaves[i].bytes * 8u, to->leaves[i].kind == TC_LEAF_INT, 0, mark);
}

static void pick(tc_vm *vm, tc_thread *t, const tc_insn *in, bool insert) {
    uint32_t m, place = tc_place_of(vm, in);
    uint64_t i = tc_read_unsigned(vm, &t->regs[in->b], in->w, place, &m);
    if (i >= in->x) { // poison in LLVM, an unknown register in the machine
        if (!insert)
            t->regs[in->d] = (tc_reg){.mark = 1};
        return;
    }
    tc_reg *d = insert ? &t->regs[in->d + i] : &t->regs[in->d];
    *d = insert ? t->regs[in->c] : t->regs[in->a + i];
    if (m)
        d->mark = tc_mark_union(vm, TC_MARK(d), m) | TC_SPREAD(d) << 24;
}

// ---- addresses ----

static void slow_gep(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned width, int64_t scale) {
    uint32_t place = tc_place_of(vm, in), m;
    int64_t i = tc_read_signed(vm, &t->regs[in->b], width, place, &m);
    const tc_reg a = t->regs[in->a];
    t->regs[in->d] =
        (tc_reg){.bits = a.bits + (uint64_t)i * (uint64_t)scale, .mark = tc_mark_union(vm, TC_MARK(&a), m)};
}

// A shared address as the 32-bit number that PTX has, and back.
static uint64_t to_window(uint64_t addr) {
    uint64_t id = tc_addr_object(addr);
    if (id == 0 || id >= 255)
        return addr;
    return ((id << TC_WINDOW_SHIFT) + (addr - (id << TC_ADDR_SHIFT))) & 0xffffffffu;
}

static uint64_t from_window(uint64_t w) {
    if (w >> 32 || w < (UINT64_C(1) << (TC_WINDOW_SHIFT - 1)))
        return w;
    uint64_t id = (w + (UINT64_C(1) << (TC_WINDOW_SHIFT - 1))) >> TC_WINDOW_SHIFT;
    return (id << TC_ADDR_SHIFT) + (w - (id << TC_WINDOW_SHIFT));
}

static void int_to_pointer(tc_vm *vm, tc_thread *t, const tc_insn *in, bool shared) {
    const tc_reg a = t->regs[in->a];
    uint32_t m = tc_mark_real(vm, TC_MARK(&a));
    t->regs[in->d] = (tc_reg){.bits = shared ? from_window(a.bits) : a.bits, .mark = m};
}

static void pointer_to_int(tc_vm *vm, tc_thread *t, const tc_insn *in, bool shared) {
    const tc_reg a = t->regs[in->a];
    uint64_t v = shared ? to_window(a.bits) : a.bits;
    tc_reg *d = &t->regs[in->d];
    d->bits = in->w < 64 ? v & ((UINT64_C(1) << in->w) - 1) : v;
    d->hi = in->w < 64 ? (int32_t)(v >> in->w) : 0;
    d->mark = tc_mark_real(vm, TC_MARK(&a));
}

static bool is_space(const tc_vm *vm, uint64_t addr, tc_space space) {
    uint64_t id = tc_addr_object(addr);
    if (id >= TC_LOCAL_IDS)
        return space == TC_SPACE_LOCAL;
    if (id == 0 || id >= vm->nobjects)
        return false;
    const tc_mobj *o = &vm->objects[id];
    if (o->is_shared)
        return space == TC_SPACE_SHARED;
    return space == (o->is_const && o->contract < 0 ? TC_SPACE_CONSTANT : TC_SPACE_GLOBAL);
}

// ---- branches on marked conditions ----

static void marked_branch(tc_vm *vm, tc_thread *t, const tc_insn *in, uint32_t mark, uint32_t guards) {
    if (!tc_mark_is_real(vm, mark))
        return;
    // What follows may be what no run does. Behind a fault the run goes on nevertheless, as the fault counts only if no assumption breaks.
    if (guards == TC_GUARDS && vm->marks.data[mark].unknown)
        vm->in_doubt = true;
    if (vm->in_doubt && vm->faults->len == vm->given)
        tc_vm_stop(vm, "the condition at line %u hangs on a value of which nothing is known",
                   vm->p->places.data[tc_place_of(vm, in)].loc.line);
    if (guards == TC_GUARDS) {
        tc_vm_marked(vm, t, mark, tc_place_of(vm, in), "condition");
        return;
    }
    if (t->taint == 0)
        t->taint_join = guards;
    t->taint = tc_mark_union(vm, t->taint, mark);
}

static void join_taint(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_join *j = &vm->p->joins.data[in->x];
    if (t->taint_join != j->id)
        return;
    for (uint32_t i = 0; i < j->n; i++) {
        tc_reg *r = &t->regs[j->regs[i]];
        r->mark = tc_mark_union(vm, TC_MARK(r), t->taint) | TC_SPREAD(r) << 24;
    }
    t->taint = 0;
}

static bool slow_branch(tc_vm *vm, tc_thread *t, const tc_insn *in, unsigned op) {
    uint32_t mark;
    bool r = tc_slow_compare(vm, t, in, op, 32, &mark);
    if (mark)
        marked_branch(vm, t, in, mark, in->w);
    return r;
}

static uint32_t run_switch(tc_vm *vm, tc_thread *t, const tc_insn *in, uint64_t *count) {
    const tc_switch *s = &vm->p->switches.data[in->x];
    const tc_reg *r = &t->regs[in->a];
    *count = s->count;
    if (r->shadow) {
        uint32_t mark = tc_read_any(vm, r, s->width, tc_place_of(vm, in));
        if (mark)
            marked_branch(vm, t, in, mark, s->guards);
    }
    for (uint32_t i = 0; i < s->n; i++)
        if (s->values[i] == r->bits)
            return s->targets[i];
    return s->otherwise;
}

// ---- assertions of the source ----

// An assumption has to be seen to hold: one on an unknown value counts as broken.
static void check_assume(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_reg *r = &t->regs[in->a];
    const tc_mark m = vm->marks.data[TC_MARK(r)];
    if (r->bits & 1 && !m.uninit && !m.unknown)
        return;
    const tc_place_info *p = &vm->p->places.data[tc_place_of(vm, in)];
    if (in->x == 3) { // told to the compiler, not to tilecheck: the run goes on and shows what follows
        vm->stats->breaks_hint = true;
        return;
    }
    vm->stats->breaks_assume = true;
    tc_vm_stop(vm, "the %s at line %u does not hold for thread (%u,%u,%u) of block (%u,%u,%u)",
               p->what ? p->what : "assumption", p->loc.line, t->idx[0], t->idx[1], t->idx[2], vm->block->idx[0], vm->block->idx[1], vm->block->idx[2]);
}

static void check_assert(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_reg *r = &t->regs[in->a];
    if (r->bits & 1 || TC_MARK(r))
        return;
    tc_fault f = {0};
    tc_vm_fault(vm, t, "TC9002", tc_place_of(vm, in), &f, "%s does not hold",
                in->x == 0 ? "tc_assert" : "tc_invariant");
}

#define R(i) (&regs[i])
#define FAST2(a, b) LIKELY(((a)->shadow | (b)->shadow) == 0)

// One form of a 32- or 64-bit sum, difference or product without nsw: the bits are the value while they stay below the
// top bit.
#define PLAIN(NAME, W)                                                                                                 \
    case TC_OP_##NAME##W: {                                                                                            \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        if (FAST2(a, b) && LIKELY(plain_##NAME##W(a->bits, b->bits, &v))) {                                            \
            R(in->d)->bits = v;                                                                                        \
            R(in->d)->shadow = 0;                                                                                      \
        } else {                                                                                                       \
            tc_slow_binary(vm, t, in, TC_OP_##NAME, W);                                                                \
        }                                                                                                              \
        in++;                                                                                                          \
        break;                                                                                                         \
    }
#define SIGNED32(NAME, builtin)                                                                                        \
    case TC_OP_##NAME##S32: {                                                                                          \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        int32_t r;                                                                                                     \
        if (LIKELY(a->shadow == SIGN32(a->bits) && b->shadow == SIGN32(b->bits) &&                                     \
                   !builtin((int32_t)(uint32_t)a->bits, (int32_t)(uint32_t)b->bits, &r))) {                            \
            R(in->d)->bits = (uint32_t)r;                                                                              \
            R(in->d)->shadow = SIGN32((uint32_t)r);                                                                    \
        } else {                                                                                                       \
            tc_slow_binary(vm, t, in, TC_OP_##NAME##S, 32);                                                            \
        }                                                                                                              \
        in++;                                                                                                          \
        break;                                                                                                         \
    }
#define SIGNED64(NAME, builtin)                                                                                        \
    case TC_OP_##NAME##S64: {                                                                                          \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        int64_t r;                                                                                                     \
        if (LIKELY(a->shadow == SIGN64(a->bits) && b->shadow == SIGN64(b->bits) &&                                     \
                   !builtin((int64_t)a->bits, (int64_t)b->bits, &r))) {                                                \
            R(in->d)->bits = (uint64_t)r;                                                                              \
            R(in->d)->shadow = SIGN64(r);                                                                              \
        } else {                                                                                                       \
            tc_slow_binary(vm, t, in, TC_OP_##NAME##S, 64);                                                            \
        }                                                                                                              \
        in++;                                                                                                          \
        break;                                                                                                         \
    }
#define SLOW(NAME)                                                                                                     \
    case TC_OP_##NAME:                                                                                                 \
        tc_slow_binary(vm, t, in, TC_OP_##NAME, in->w);                                                                \
        in++;                                                                                                          \
        break;
// Values that are not negative compare alike in both readings.
#define COMPARE(NAME, op)                                                                                              \
    case TC_OP_##NAME: {                                                                                               \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        uint32_t mark = 0;                                                                                             \
        bool r;                                                                                                        \
        if (FAST2(a, b) && LIKELY((a->bits | b->bits) >> (in->w - 1) == 0))                                            \
            r = a->bits op b->bits;                                                                                    \
        else                                                                                                           \
            r = tc_slow_compare(vm, t, in, TC_OP_##NAME, in->w, &mark);                                                \
        R(in->d)->bits = r;                                                                                            \
        R(in->d)->hi = 0;                                                                                              \
        R(in->d)->mark = mark;                                                                                         \
        in++;                                                                                                          \
        break;                                                                                                         \
    }
#define POINTER(NAME, op)                                                                                              \
    case TC_OP_##NAME: {                                                                                               \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        bool r = a->bits op b->bits;                                                                                   \
        uint32_t mark = LIKELY((a->mark | b->mark) == 0) ? 0 : tc_mark_union(vm, TC_MARK(a), TC_MARK(b));              \
        R(in->d)->bits = r;                                                                                            \
        R(in->d)->hi = 0;                                                                                              \
        R(in->d)->mark = mark;                                                                                         \
        in++;                                                                                                          \
        break;                                                                                                         \
    }
#define FLOAT32(NAME, op)                                                                                              \
    case TC_OP_##NAME: {                                                                                               \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        uint32_t x = (uint32_t)a->bits, y = (uint32_t)b->bits, z;                                                      \
        float fx, fy, fz;                                                                                              \
        memcpy(&fx, &x, 4);                                                                                            \
        memcpy(&fy, &y, 4);                                                                                            \
        fz = fx op fy;                                                                                                 \
        memcpy(&z, &fz, 4);                                                                                            \
        uint32_t mark = LIKELY((a->mark | b->mark) == 0) ? 0 : tc_mark_union(vm, TC_MARK(a), TC_MARK(b));              \
        R(in->d)->bits = z;                                                                                            \
        R(in->d)->hi = 0;                                                                                              \
        R(in->d)->mark = mark;                                                                                         \
        in++;                                                                                                          \
        break;                                                                                                         \
    }
#define FLOAT64(NAME, op)                                                                                              \
    case TC_OP_##NAME: {                                                                                               \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        double fx, fy, fz;                                                                                             \
        memcpy(&fx, &a->bits, 8);                                                                                      \
        memcpy(&fy, &b->bits, 8);                                                                                      \
        fz = fx op fy;                                                                                                 \
        uint32_t mark = LIKELY((a->mark | b->mark) == 0) ? 0 : tc_mark_union(vm, TC_MARK(a), TC_MARK(b));              \
        memcpy(&R(in->d)->bits, &fz, 8);                                                                               \
        R(in->d)->hi = 0;                                                                                              \
        R(in->d)->mark = mark;                                                                                         \
        in++;                                                                                                          \
        break;                                                                                                         \
    }
// Where a jump goes; time is counted here, and the slice ends here.
#define JUMP(target)                                                                                                   \
    do {                                                                                                               \
        steps += in->x;                                                                                                \
        in = code + (target);                                                                                          \
        if (UNLIKELY(steps >= vm->slice_end))                                                                          \
            goto slice;                                                                                                \
    } while (0)
#define BRANCH_SIGNED(NAME, op)                                                                                        \
    case TC_OP_BR_##NAME##32: {                                                                                        \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        bool r;                                                                                                        \
        if (LIKELY(a->shadow == SIGN32(a->bits) && b->shadow == SIGN32(b->bits)))                                      \
            r = (int32_t)(uint32_t)a->bits op(int32_t)(uint32_t) b -> bits;                                            \
        else                                                                                                           \
            r = slow_branch(vm, t, in, TC_OP_##NAME);                                                                  \
        JUMP(r ? in->d : in->c);                                                                                       \
        break;                                                                                                         \
    }
#define BRANCH_ANY(NAME, op)                                                                                           \
    case TC_OP_BR_##NAME##32: {                                                                                        \
        const tc_reg *a = R(in->a), *b = R(in->b);                                                                     \
        bool r;                                                                                                        \
        if (FAST2(a, b))                                                                                               \
            r = a->bits op b->bits;                                                                                    \
        else                                                                                                           \
            r = slow_branch(vm, t, in, TC_OP_##NAME);                                                                  \
        JUMP(r ? in->d : in->c);                                                                                       \
        break;                                                                                                         \
    }

static inline bool plain_ADD32(uint64_t a, uint64_t b, uint64_t *r) {
    *r = a + b;
    return *r >> 31 == 0;
}
static inline bool plain_SUB32(uint64_t a, uint64_t b, uint64_t *r) {
    *r = a - b;
    return *r >> 31 == 0;
}
static inline bool plain_MUL32(uint64_t a, uint64_t b, uint64_t *r) {
    *r = a * b;
    return *r >> 31 == 0;
}
static inline bool plain_ADD64(uint64_t a, uint64_t b, uint64_t *r) {
    return !__builtin_add_overflow(a, b, r) && *r >> 63 == 0;
}
static inline bool plain_SUB64(uint64_t a, uint64_t b, uint64_t *r) {
    return !__builtin_sub_overflow(a, b, r) && *r >> 63 == 0;
}
static inline bool plain_MUL64(uint64_t a, uint64_t b, uint64_t *r) {
    return !__builtin_mul_overflow(a, b, r) && *r >> 63 == 0;
}

tc_stop tc_vm_run_thread(tc_vm *vm, tc_thread *t) {
    tc_reg *const regs = t->regs;
    const tc_insn *const code = vm->p->code.data;
    const tc_insn *in = t->pc;
    uint64_t steps = vm->steps, v;
    tc_stop stop;
    for (;;) {
        switch ((tc_vm_op)in->op) {
        case TC_OP_MOV:
            regs[in->d] = regs[in->a];
            in++;
            break;
        case TC_OP_MOVN:
            memmove(R(in->d), R(in->a), in->c * sizeof *regs);
            in++;
            break;
        case TC_OP_UNINIT:
            for (uint32_t i = 0; i < in->c; i++)
                regs[in->d + i] = (tc_reg){.mark = tc_mark_make(vm, (tc_mark){.uninit = tc_place_of(vm, in) + 1})};
            in++;
            break;
            PLAIN(ADD, 32)
            PLAIN(SUB, 32)
            PLAIN(MUL, 32)
            PLAIN(ADD, 64)
            PLAIN(SUB, 64)
            PLAIN(MUL, 64)
            SIGNED32(ADD, __builtin_sadd_overflow)
            SIGNED32(SUB, __builtin_ssub_overflow)
            SIGNED32(MUL, __builtin_smul_overflow)
            SIGNED64(ADD, __builtin_saddl_overflow)
            SIGNED64(SUB, __builtin_ssubl_overflow)
            SIGNED64(MUL, __builtin_smull_overflow)
            SLOW(ADD)
            SLOW(SUB)
            SLOW(MUL)
            SLOW(ADDS)
            SLOW(SUBS)
            SLOW(MULS)
        case TC_OP_AND: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (FAST2(a, b)) {
                R(in->d)->bits = a->bits & b->bits;
                R(in->d)->shadow = 0;
            } else {
                tc_slow_binary(vm, t, in, TC_OP_AND, in->w);
            }
            in++;
            break;
        }
        case TC_OP_OR: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (FAST2(a, b)) {
                R(in->d)->bits = a->bits | b->bits;
                R(in->d)->shadow = 0;
            } else {
                tc_slow_binary(vm, t, in, TC_OP_OR, in->w);
            }
            in++;
            break;
        }
        case TC_OP_XOR: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (FAST2(a, b)) {
                R(in->d)->bits = a->bits ^ b->bits;
                R(in->d)->shadow = 0;
            } else {
                tc_slow_binary(vm, t, in, TC_OP_XOR, in->w);
            }
            in++;
            break;
        }
        case TC_OP_LSHR: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (FAST2(a, b) && b->bits < in->w) {
                R(in->d)->bits = a->bits >> b->bits;
                R(in->d)->shadow = 0;
            } else {
                tc_slow_binary(vm, t, in, TC_OP_LSHR, in->w);
            }
            in++;
            break;
        }
        case TC_OP_UDIV: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (FAST2(a, b) && b->bits != 0) {
                R(in->d)->bits = a->bits / b->bits;
                R(in->d)->shadow = 0;
            } else {
                tc_slow_binary(vm, t, in, TC_OP_UDIV, in->w);
            }
            in++;
            break;
        }
        case TC_OP_UREM: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (FAST2(a, b) && b->bits != 0) {
                R(in->d)->bits = a->bits % b->bits;
                R(in->d)->shadow = 0;
            } else {
                tc_slow_binary(vm, t, in, TC_OP_UREM, in->w);
            }
            in++;
            break;
        }
        case TC_OP_SDIV:
        case TC_OP_SREM: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            // Values that are not negative divide alike in both readings.
            if (FAST2(a, b) && b->bits != 0 && (a->bits | b->bits) >> (in->w - 1) == 0) {
                R(in->d)->bits = in->op == TC_OP_SDIV ? a->bits / b->bits : a->bits % b->bits;
                R(in->d)->shadow = 0;
            } else {
                tc_slow_binary(vm, t, in, in->op, in->w);
            }
            in++;
            break;
        }
            SLOW(SHL)
            SLOW(ASHR)
            COMPARE(EQ, ==)
            COMPARE(NE, !=)
            COMPARE(ULT, <)
            COMPARE(ULE, <=)
            COMPARE(SLT, <)
            COMPARE(SLE, <=)
            POINTER(PEQ, ==)
            POINTER(PNE, !=)
            POINTER(PLT, <)
            POINTER(PLE, <=)
        case TC_OP_TRUNC:
            tc_slow_cast(vm, t, in, TC_OP_TRUNC, in->w, in->x);
            in++;
            break;
        case TC_OP_ZEXT:
            tc_slow_cast(vm, t, in, TC_OP_ZEXT, in->w, in->x);
            in++;
            break;
        case TC_OP_SEXT:
            tc_slow_cast(vm, t, in, TC_OP_SEXT, in->w, in->x);
            in++;
            break;
        case TC_OP_ZEXT1: {
            const tc_reg *a = R(in->a);
            R(in->d)->bits = a->bits & 1;
            R(in->d)->shadow = 0;
            R(in->d)->mark = TC_MARK(a);
            in++;
            break;
        }
        case TC_OP_SEXT1: {
            const tc_reg *a = R(in->a);
            bool one = a->bits & 1;
            uint32_t mark = TC_MARK(a);
            R(in->d)->bits = !one ? 0 : in->x >= 64 ? UINT64_MAX : (UINT64_C(1) << in->x) - 1;
            R(in->d)->hi = one ? -1 : 0;
            R(in->d)->mark = mark;
            in++;
            break;
        }
        case TC_OP_SEXT3264: {
            const tc_reg *a = R(in->a);
            if (LIKELY(a->shadow == SIGN32(a->bits))) {
                uint64_t x = (uint64_t)(int64_t)(int32_t)(uint32_t)a->bits;
                R(in->d)->bits = x;
                R(in->d)->shadow = SIGN64(x);
            } else {
                tc_slow_cast(vm, t, in, TC_OP_SEXT, 32, 64);
            }
            in++;
            break;
        }
        case TC_OP_ZEXT3264: {
            const tc_reg *a = R(in->a);
            if (LIKELY(a->shadow == 0))
                regs[in->d] = *a;
            else
                tc_slow_cast(vm, t, in, TC_OP_ZEXT, 32, 64);
            in++;
            break;
        }
        case TC_OP_TRUNC6432: {
            const tc_reg *a = R(in->a);
            if (LIKELY(a->shadow == 0 && a->bits >> 31 == 0))
                regs[in->d] = *a;
            else
                tc_slow_cast(vm, t, in, TC_OP_TRUNC, 64, 32);
            in++;
            break;
        }
        case TC_OP_GEPC: {
            const tc_reg *a = R(in->a);
            R(in->d)->bits = a->bits + (uint64_t)(int64_t)(int32_t)in->x;
            R(in->d)->shadow = a->shadow;
            in++;
            break;
        }
        case TC_OP_GEP: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (LIKELY(a->mark == 0 && b->shadow == SIGN64(b->bits))) {
                R(in->d)->bits = a->bits + b->bits * in->x;
                R(in->d)->shadow = 0;
            } else {
                slow_gep(vm, t, in, 64, in->x);
            }
            in++;
            break;
        }
        case TC_OP_GEP32: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            if (LIKELY(a->mark == 0 && b->shadow == SIGN32(b->bits))) {
                R(in->d)->bits = a->bits + (uint64_t)(int64_t)(int32_t)(uint32_t)b->bits * in->x;
                R(in->d)->shadow = 0;
            } else {
                slow_gep(vm, t, in, 32, in->x);
            }
            in++;
            break;
        }
        case TC_OP_GEPW:
            slow_gep(vm, t, in, 64, (int64_t)R(in->c)->bits);
            in++;
            break;
        case TC_OP_P2I:
        case TC_OP_P2IS:
            pointer_to_int(vm, t, in, in->op == TC_OP_P2IS);
            in++;
            break;
        case TC_OP_I2P:
        case TC_OP_I2PS:
            int_to_pointer(vm, t, in, in->op == TC_OP_I2PS);
            in++;
            break;
        case TC_OP_SELECT: {
            const tc_reg *c = R(in->a);
            uint32_t mark = TC_MARK(c);
            regs[in->d] = c->bits & 1 ? regs[in->b] : regs[in->c];
            if (UNLIKELY(mark)) {
                tc_reg *d = R(in->d);
                d->mark = tc_mark_union(vm, TC_MARK(d), mark) | TC_SPREAD(d) << 24;
            }
            in++;
            break;
        }
            FLOAT32(FADD32, +)
            FLOAT32(FSUB32, -)
            FLOAT32(FMUL32, *)
            FLOAT32(FDIV32, /)
            FLOAT64(FADD64, +)
            FLOAT64(FSUB64, -)
            FLOAT64(FMUL64, *)
            FLOAT64(FDIV64, /)
        case TC_OP_FOP:
            tc_exec_fop(vm, t, in);
            in++;
            break;
        case TC_OP_FCMP: {
            const tc_reg *a = R(in->a), *b = R(in->b);
            bool r =
                tc_exec_fcmp(in->c, tc_float_get(a->bits, (tc_fkind)in->w), tc_float_get(b->bits, (tc_fkind)in->w));
            uint32_t mark = LIKELY((a->mark | b->mark) == 0) ? 0 : tc_mark_union(vm, TC_MARK(a), TC_MARK(b));
            R(in->d)->bits = r;
            R(in->d)->hi = 0;
            R(in->d)->mark = mark;
            in++;
            break;
        }
        case TC_OP_FCVT:
        case TC_OP_S2F:
        case TC_OP_U2F:
        case TC_OP_F2S:
        case TC_OP_F2U:
            tc_exec_fcvt(vm, t, in);
            in++;
            break;
        case TC_OP_MATH:
            tc_exec_math(vm, t, in);
            in++;
            if (UNLIKELY(vm->halted))
                goto halt;
            break;
        case TC_OP_INT:
            tc_exec_int(vm, t, in);
            in++;
            if (UNLIKELY(vm->halted))
                goto halt;
            break;
        case TC_OP_PACK:
            pack(vm, t, in);
            in++;
            break;
        case TC_OP_EXTRACT:
        case TC_OP_INSERT:
            pick(vm, t, in, in->op == TC_OP_INSERT);
            in++;
            break;
        case TC_OP_LOAD8:
            do_load(vm, t, in, 1, true);
            in++;
            break;
        case TC_OP_LOAD16:
            do_load(vm, t, in, 2, true);
            in++;
            break;
        case TC_OP_LOAD32:
            do_load(vm, t, in, 4, true);
            in++;
            break;
        case TC_OP_LOAD64:
            do_load(vm, t, in, 8, true);
            in++;
            break;
        case TC_OP_LOADR8:
            do_load(vm, t, in, 1, false);
            in++;
            break;
        case TC_OP_LOADR16:
            do_load(vm, t, in, 2, false);
            in++;
            break;
        case TC_OP_LOADR32:
            do_load(vm, t, in, 4, false);
            in++;
            break;
        case TC_OP_LOADR64:
            do_load(vm, t, in, 8, false);
            in++;
            break;
        case TC_OP_STORE8:
            do_store(vm, t, in, 1);
            in++;
            break;
        case TC_OP_STORE16:
            do_store(vm, t, in, 2);
            in++;
            break;
        case TC_OP_STORE32:
            do_store(vm, t, in, 4);
            in++;
            break;
        case TC_OP_STORE64:
            do_store(vm, t, in, 8);
            in++;
            break;
        case TC_OP_LOADV:
            load_vector(vm, t, in);
            in++;
            break;
        case TC_OP_STOREV:
            store_vector(vm, t, in);
            in++;
            break;
        case TC_OP_MEMCPY:
        case TC_OP_MEMSET:
            vm->steps = steps;
            if (in->op == TC_OP_MEMCPY)
                tc_mem_copy(vm, t, in);
            else
                tc_mem_fill(vm, t, in);
            steps = vm->steps;
            in++;
            if (UNLIKELY(vm->halted))
                goto halt;
            break;
        case TC_OP_LIFETIME:
            reset_local(vm, t, in);
            in++;
            break;
        case TC_OP_ATOMIC:
            vm->steps = steps;
            tc_exec_atomic(vm, t, in);
            in++;
            break;
        case TC_OP_FENCE:
            tc_clock_fence(vm, t, in->c, in->x);
            in++;
            break;
        case TC_OP_BARRIER:
            vm->steps = steps;
            return tc_exec_barrier(vm, t, in);
        case TC_OP_GRID:
            vm->steps = steps;
            return tc_exec_grid(vm, t, in);
        case TC_OP_NAMED:
            vm->steps = steps;
            stop = tc_exec_named(vm, t, in);
            if (stop != TC_STOP_SLICE)
                return stop;
            in = t->pc;
            break;
        case TC_OP_SYNCWARP:
        case TC_OP_SHUFFLE:
        case TC_OP_VOTE:
        case TC_OP_MATRIX:
            vm->steps = steps;
            return tc_exec_warp(vm, t, in);
        case TC_OP_CP_ASYNC:
            tc_exec_cp_async(vm, t, in);
            in++;
            break;
        case TC_OP_CP_COMMIT:
            t->group++;
            in++;
            break;
        case TC_OP_CP_WAIT:
            tc_exec_cp_wait(vm, t, in);
            in++;
            break;
        case TC_OP_PTX:
            if (UNLIKELY(!tc_exec_ptx(vm, t, &vm->p->ptx.data[in->x], tc_place_of(vm, in)))) {
                tc_vm_stop(vm, "inline PTX '%s'", vm->p->ptx.data[in->x].in.opcode);
                goto halt;
            }
            in++;
            break;
        case TC_OP_ISSPACE:
            regs[in->d] = (tc_reg){.bits = is_space(vm, R(in->a)->bits, (tc_space)in->x), .mark = TC_MARK(R(in->a))};
            in++;
            break;
        case TC_OP_CLOCK:
            regs[in->d] = (tc_reg){.bits = in->w == 32 ? steps & 0x7fffffffu : steps};
            in++;
            break;
        case TC_OP_ASSERT:
            if (in->x >= 2)
                check_assume(vm, t, in);
            else
                check_assert(vm, t, in);
            in++;
            if (UNLIKELY(vm->halted))
                goto halt;
            break;
        case TC_OP_STEP:
            vm->steps = steps;
            t->pc = in + 1;
            return TC_STOP_STEP;
        case TC_OP_TAINT:
            if (UNLIKELY(t->taint))
                join_taint(vm, t, in);
            in++;
            break;
        case TC_OP_JMP:
            JUMP(in->d);
            break;
        case TC_OP_BR: {
            const tc_reg *a = R(in->a);
            if (UNLIKELY(a->mark))
                marked_branch(vm, t, in, TC_MARK(a), in->w);
            JUMP(a->bits & 1 ? in->d : in->c);
            break;
        }
            BRANCH_ANY(EQ, ==)
            BRANCH_ANY(NE, !=)
            BRANCH_ANY(ULT, <)
            BRANCH_ANY(ULE, <=)
            BRANCH_SIGNED(SLT, <)
            BRANCH_SIGNED(SLE, <=)
        case TC_OP_SWITCH: {
            uint64_t count;
            uint32_t to = run_switch(vm, t, in, &count);
            steps += count;
            in = code + to;
            if (UNLIKELY(steps >= vm->slice_end))
                goto slice;
            break;
        }
        case TC_OP_EXIT:
            steps += in->x;
            goto exited;
        case TC_OP_TRAP:
            if (in->x == 0)
                tc_vm_trap(vm, t, tc_place_of(vm, in));
            goto exited;
        case TC_OP_BADCALL:
            vm->steps = steps;
            tc_vm_bad_call(vm, t, R(in->a), tc_place_of(vm, in));
            if (vm->halted)
                goto halt;
            goto exited;
        case TC_OP_UNREACHABLE:
            tc_vm_unreachable(vm, t, tc_place_of(vm, in));
            goto exited;
        case TC_OP_STOP:
            tc_vm_stop(vm, "%s cannot be run", vm->p->texts.data[in->x]);
            goto halt;
        default:
            tc_vm_stop(vm, "an operation that is not known");
            goto halt;
        }
    }
exited:
    vm->steps = steps;
    t->pc = in;
    t->last_place = tc_place_of(vm, in);
    return TC_STOP_EXIT;
slice:
    vm->steps = steps;
    t->pc = in;
    return vm->halted ? TC_STOP_HALT : t->absent ? TC_STOP_EXIT : TC_STOP_SLICE;
halt:
    vm->steps = steps;
    t->pc = in;
    return TC_STOP_HALT;
}
