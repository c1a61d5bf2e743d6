// memcpy, memset, atomic operations and asynchronous copies.
#include <string.h>

#include "checker/interp_vm.h"
#include "checker/layout.h"

// ---- shadows of local memory ----

static void local_note(tc_vm *vm, tc_thread *t, uint64_t offset, uint64_t width, uint32_t mark) {
    for (uint64_t i = offset; i < offset + width; i++) {
        tc_lshadow *s = &t->lshadow[i / 4];
        if (s->tag) {
            tc_reg r = {.shadow = s->shadow};
            s->shadow = 0;
            tc_reg n = {.mark = tc_mark_real(vm, TC_MARK(&r))};
            s->shadow = n.shadow;
            s->tag = 0;
        }
        s->init |= (uint8_t)(1u << (i & 3));
        tc_reg r = {.shadow = s->shadow};
        // A full word loses what it said before.
        uint32_t old = (i & 3) == 0 && offset + width - i >= 4 ? 0 : TC_MARK(&r);
        tc_reg n = {.mark = tc_mark_union(vm, old, mark)};
        s->shadow = n.shadow;
    }
}

uint32_t tc_local_mark(tc_vm *vm, const tc_thread *t, uint64_t offset, uint64_t width, uint32_t place) {
    uint32_t m = 0;
    for (uint64_t i = offset; i < offset + width; i++) {
        const tc_lshadow *s = &t->lshadow[i / 4];
        tc_reg r = {.shadow = s->shadow};
        m = tc_mark_union(vm, m, TC_MARK(&r));
        if (!(s->init >> (i & 3) & 1))
            m = tc_mark_union(vm, m, tc_mark_make(vm, (tc_mark){.uninit = place + 1}));
    }
    return m;
}

// ---- memcpy and memset ----

static uint64_t length_of(tc_vm *vm, tc_thread *t, const tc_insn *in, bool *ok) {
    uint32_t m, place = tc_place_of(vm, in);
    unsigned width = in->w ? in->w : 64;
    uint64_t n = tc_read_unsigned(vm, &t->regs[in->b], width, place, &m);
    *ok = true;
    if (m) {
        tc_vm_marked(vm, t, m, place, "length");
        const tc_mark k = vm->marks.data[m];
        *ok = !k.uninit && !k.unknown;
    }
    return n;
}

static bool never_written(const tc_thread *t, uint64_t offset, uint64_t width) {
    for (uint64_t i = offset; i < offset + width; i++)
        if (t->lshadow[i / 4].init >> (i & 3) & 1)
            return false;
    return true;
}

// May threads that do not run have a part in these bytes? o: NULL for the thread's own memory.
static bool is_unknown(tc_vm *vm, const tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width) {
    if (o)
        return tc_mem_is_unknown(vm, t, o, offset, width);
    const uint32_t m = tc_local_mark(vm, t, offset, width, 0);
    return m && vm->marks.data[m].unknown;
}

// Of the bytes [0, 4) of a word that goes to `offset`: were some never written that are more than padding there?
static bool word_is_tainted(const tc_vm *vm, const tc_mobj *to, uint64_t offset, const tc_lshadow *word) {
    const tc_type *t = to->contract >= 0 ? vm->contract->objects.data[to->contract].elem : NULL;
    for (unsigned b = 0; b < 4; b++)
        if (!(word->init >> b & 1) && (!t || t->size != to->elem || tc_type_array_has_value(t, offset + b, offset + b + 1, false)))
            return true;
    return false;
}

// One piece of at most 64 bytes from register address to register address; false when an access failed.
static bool copy_piece(tc_vm *vm, tc_thread *t, tc_reg *dst, tc_reg *src, uint64_t n, uint32_t da, uint32_t sa,
                       uint32_t place) {
    tc_mobj *so, *to;
    uint64_t soff = 0, doff = 0;
    bool uninit = false;
    unsigned char tmp[64];
    tc_lshadow shadows[17];
    unsigned char *from = tc_mem_access(vm, t, src, n, sa, TC_READ, 0, place, &so, &soff, &uninit);
    if (!from)
        return false;
    memcpy(tmp, from, n);
    bool from_local = so == NULL, words = from_local && (soff & 3) == 0 && (n & 3) == 0;
    uint32_t mark = 0;
    if (words)
        memcpy(shadows, &t->lshadow[soff / 4], n / 4 * sizeof *shadows);
    else if (from_local)
        mark = tc_local_mark(vm, t, soff, n, place);
    else
        mark = tc_mem_loaded(vm, t, so, soff, n, uninit, place);
    const bool unknown = is_unknown(vm, t, so, soff, n);
    bool taint = uninit;
    for (uint64_t i = 0; words && i < n / 4; i++)
        taint |= shadows[i].init != 15;
    vm->stored = tmp;
    vm->stored_never = from_local && never_written(t, soff, n);
    vm->stored_unknown = unknown;
    unsigned char *at = tc_mem_access(vm, t, dst, n, da, TC_WRITE, 0, place, &to, &doff, &taint);
    vm->stored = NULL;
    vm->stored_never = vm->stored_unknown = false;
    if (!at)
        return false;
    memcpy(at, tmp, n);
    for (uint64_t i = 0; taint && to && to->tracked && words && i < n / 4; i++)
        if (!word_is_tainted(vm, to, doff + 4 * i, &shadows[i]))
            for (uint64_t c = (doff + 4 * i) >> to->grain; c <= (doff + 4 * i + 3) >> to->grain; c++)
                tc_mem_cell(vm, to, c)->write.flags &= (uint16_t)~TC_ACCF_UNINIT;
    if (to == NULL && words && (doff & 3) == 0) {
        memcpy(&t->lshadow[doff / 4], shadows, n / 4 * sizeof *shadows);
        return true;
    }
    for (uint64_t i = 0; words && i < n / 4; i++) {
        tc_reg r = {.shadow = shadows[i].shadow};
        mark = tc_mark_union(vm, mark, TC_MARK(&r));
    }
    if (to == NULL)
        local_note(vm, t, doff, n, mark);
    return true;
}

// A piece of a long copy or fill costs as much as many instructions. False: the run has had its steps.
static bool take_piece(tc_vm *vm) {
    enum { steps_of_piece = 16 };
    vm->steps += steps_of_piece;
    if (vm->steps >= vm->limit)
        tc_vm_stop(vm, "the step limit of %llu instructions", (unsigned long long)vm->limit);
    return !vm->halted;
}

void tc_mem_copy(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    bool ok;
    uint64_t n = length_of(vm, t, in, &ok);
    if (!ok || n == 0)
        return;
    tc_reg dst = t->regs[in->d], src = t->regs[in->a];
    uint32_t place = tc_place_of(vm, in);
    // A copy of a known object is one access; long ones go in pieces.
    uint64_t piece = n <= 64 ? n : 16;
    bool backwards = dst.bits > src.bits && dst.bits < src.bits + n; // memmove
    for (uint64_t done = 0; done < n && !vm->halted; done += piece) {
        uint64_t k = n - done < piece ? n - done : piece, at = backwards ? n - done - k : done;
        tc_reg d = dst, s = src;
        d.bits += at;
        s.bits += at;
        if (!take_piece(vm))
            break;
        // What follows a failed piece would fail as well, for as long as the length says.
        if (!copy_piece(vm, t, &d, &s, k, done == 0 ? in->c : 1, done == 0 ? in->x : 1, place))
            break;
    }
}

void tc_mem_fill(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    bool ok;
    uint64_t n = length_of(vm, t, in, &ok);
    if (!ok || n == 0)
        return;
    tc_reg dst = t->regs[in->d];
    const tc_reg *v = &t->regs[in->a];
    uint32_t place = tc_place_of(vm, in);
    uint64_t piece = n <= 64 ? n : 16;
    for (uint64_t done = 0; done < n && !vm->halted; done += piece) {
        uint64_t k = n - done < piece ? n - done : piece, off = 0;
        tc_reg d = dst;
        d.bits += done;
        tc_mobj *o;
        bool uninit = TC_MARK(v) && vm->marks.data[TC_MARK(v)].uninit;
        if (!take_piece(vm))
            break;
        unsigned char *at = tc_mem_access(vm, t, &d, k, done == 0 ? in->c : 1, TC_WRITE, 0, place, &o, &off, &uninit);
        if (!at)
            break;
        memset(at, (int)(v->bits & 255), k);
        if (!o)
            local_note(vm, t, off, k, tc_mark_real(vm, TC_MARK(v)));
        else
            tc_mem_stored(vm, o, off, k, TC_MARK(v));
    }
}

// ---- atomics ----

static uint64_t cut(uint64_t v, unsigned bits) {
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static int64_t sign(uint64_t v, unsigned bits) {
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static tc_fkind kind_of(const tc_atomic_desc *d) {
    return d->bits == 64 ? TC_F64 : d->bits == 32 ? TC_F32 : d->bfloat ? TC_FB16 : TC_F16;
}

static uint64_t combine(const tc_atomic_desc *d, uint64_t old, uint64_t v, uint64_t cmp) {
    tc_fkind k = kind_of(d);
    if (d->is_float && d->op != TC_AT_EXCH && d->op != TC_AT_CAS) {
        double a = tc_float_get(old, k), b = tc_float_get(v, k);
        double r = d->op == TC_AT_FADD || d->op == TC_AT_ADD ? a + b
                   : d->op == TC_AT_FSUB                     ? a - b
                   : d->op == TC_AT_FMIN                     ? (b < a ? b : a)
                                                             : (b > a ? b : a);
        return tc_float_put(r, k);
    }
    switch (d->op) {
    case TC_AT_ADD:
    case TC_AT_FADD:
        return old + v;
    case TC_AT_SUB:
    case TC_AT_FSUB:
        return old - v;
    case TC_AT_EXCH:
        return v;
    case TC_AT_MIN:
        return sign(old, d->bits) < sign(v, d->bits) ? old : v;
    case TC_AT_MAX:
        return sign(old, d->bits) > sign(v, d->bits) ? old : v;
    case TC_AT_UMIN:
    case TC_AT_FMIN:
        return old < v ? old : v;
    case TC_AT_UMAX:
    case TC_AT_FMAX:
        return old > v ? old : v;
    case TC_AT_INC:
        return old >= v ? 0 : old + 1;
    case TC_AT_DEC:
        return old == 0 || old > v ? v : old - 1;
    case TC_AT_AND:
        return old & v;
    case TC_AT_OR:
        return old | v;
    case TC_AT_XOR:
        return old ^ v;
    case TC_AT_NAND:
        return ~(old & v);
    case TC_AT_CAS:
        return old == cmp ? v : old;
    }
    return old;
}

enum { MOST_LEFT_EARLY = 200 };

void tc_exec_atomic(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    const tc_atomic_desc *d = &vm->p->atomics.data[in->x];
    const tc_reg addr = t->regs[in->a], v = t->regs[in->b];
    const tc_reg cmp = in->c == TC_NONE ? (tc_reg){0} : t->regs[in->c];
    uint32_t place = tc_place_of(vm, in), bytes = d->bits / 8;
    tc_reg *r = &t->regs[in->d];
    tc_mobj *o;
    uint64_t off = 0;
    bool uninit = false;
    uint32_t flags = TC_ACC_ATOMIC | TC_ACC_RMW | d->flags | d->scope << TC_ACC_SCOPE_SHIFT;
    unsigned char *at = tc_mem_access(vm, t, &addr, bytes, bytes, TC_RMW, flags, place, &o, &off, &uninit);
    uint64_t old = 0;
    if (at) {
        memcpy(&old, at, bytes);
        uint64_t now = cut(combine(d, old, cut(v.bits, d->bits), cut(cmp.bits, d->bits)), d->bits);
        memcpy(at, &now, bytes);
        vm->block->drew |= o && !o->is_shared;
        if ((d->op == TC_AT_CAS || d->op == TC_AT_EXCH) && tc_vm_takes_turns(vm) && vm->left_early < MOST_LEFT_EARLY) {
            vm->left_early++;
            vm->slice_end = 0; // others come between this and what the thread does then
        }
        tc_handing hand[TC_REACHES];
        memcpy(hand, t->hand, sizeof hand);
        if (vm->p->fine_sync)
            tc_clock_sync(vm, t, addr.bits, true, true, flags);
        for (tc_reach k = TC_REACH_BLOCK; d->reduction && k < TC_REACHES; k++) { // PTX ISA, "Reductions do not form Acquire Patterns"
            t->hand[k].acquired = hand[k].acquired;
            t->hand[k].sc_acquired = hand[k].sc_acquired;
        }
    }
    *r = (tc_reg){.bits = old};
    if (!at || (vm->partial && !(o && o->is_shared && vm->block->whole)))
        r->mark = tc_mark_make(vm, (tc_mark){.unknown = true});
    if (!d->is_float && d->bits > 1 && old >> (d->bits - 1)) {
        r->hi = -1;
        r->mark |= 1u << 24;
    }
    if (d->success != TC_NONE)
        t->regs[d->success] = (tc_reg){.bits = old == cut(cmp.bits, d->bits), .mark = TC_MARK(r)};
}

// ---- cp.async ----

void tc_exec_cp_async(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    uint32_t width = in->x, place = tc_place_of(vm, in), m;
    tc_reg dst = t->regs[in->d], src = t->regs[in->a];
    uint64_t n = width;
    if (in->b != TC_NONE) {
        n = tc_read_unsigned(vm, &t->regs[in->b], 32, place, &m);
        if (n > width)
            n = width;
    }
    unsigned char tmp[16] = {0};
    tc_mobj *o;
    tc_copy c = {.width = width, .from = TC_NONE, .from_width = (uint32_t)n, .group = t->group, .place = place};
    uint64_t off = 0;
    uint32_t mark = 0;
    bool uninit = false;
    if (n > 0) {
        unsigned char *from = tc_mem_access(vm, t, &src, n, width, TC_READ, 0, place, &o, &c.from_offset, &uninit);
        if (from)
            memcpy(tmp, from, n);
        mark = !from ? tc_mark_make(vm, (tc_mark){.unknown = true}) : o ? tc_mem_loaded(vm, t, o, c.from_offset, n, uninit, place) : 0;
        if (from && o && o->tracked) {
            c.from = (uint32_t)tc_addr_object(src.bits);
            tc_race_copy_begins(vm, t, o, c.from_offset, n, place);
        }
    }
    bool taint = false;
    unsigned char *to = tc_mem_access(vm, t, &dst, width, width, TC_WRITE, 0, place, &o, &off, &taint);
    c.object = to && o ? (uint32_t)tc_addr_object(dst.bits) : TC_NONE;
    c.offset = off;
    if (c.object != TC_NONE) {
        memcpy(to, tmp, width);
        tc_mem_stored(vm, o, off, width, mark);
        for (uint64_t i = off >> o->grain; i <= (off + width - 1) >> o->grain; i++)
            tc_mem_cell(vm, o, i)->write.flags |= TC_ACCF_ASYNC;
    }
    tc_push(vm->arena, &t->copies, c);
}

static void complete(tc_vm *vm, tc_thread *t, const tc_copy *c) {
    if (c->from != TC_NONE)
        tc_race_copy_ends(vm, t, &vm->objects[c->from], c->from_offset, c->from_width, c->place);
    if (c->object == TC_NONE)
        return;
    tc_mobj *o = &vm->objects[c->object];
    for (uint64_t i = c->offset >> o->grain; i <= (c->offset + c->width - 1) >> o->grain; i++) {
        tc_acc *w = &tc_mem_cell(vm, o, i)->write;
        if (w->block != vm->block->number + 1 || w->thread != t->linear)
            continue;
        w->flags &= (uint16_t)~TC_ACCF_ASYNC;
        w->clock = t->clock;
    }
}

void tc_exec_cp_wait(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    // Groups below `open - allowed` are waited for; wait_all also waits for what is not committed.
    uint32_t open = t->group, upto = open > in->x ? open - in->x : 0;
    size_t kept = 0;
    for (size_t i = 0; i < t->copies.len; i++) {
        const tc_copy c = t->copies.data[i];
        if (in->c || c.group < upto)
            complete(vm, t, &c);
        else
            t->copies.data[kept++] = c;
    }
    t->copies.len = kept;
}
