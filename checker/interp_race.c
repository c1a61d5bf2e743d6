// Races: who touched each cell last (FastTrack: Flanagan and Freund, PLDI 2009).
//
// A cell remembers the last plain write, and two readers and two users of atomics of different threads: when all that
// orders threads is the barrier of the whole block, one of two is always another thread than the one that asks. With
// finer orders all readers are kept.
#include <string.h>

#include "checker/interp_vm.h"

// ---- copies that are still to read ----

static uint32_t pending_new(tc_vm *vm, const tc_acc *a, uint32_t next) {
    uint32_t k = vm->pending_free;
    if (!k) {
        tc_push(vm->arena, &vm->pending, *a);
        tc_push(vm->arena, &vm->pending_next, next);
        return (uint32_t)vm->pending.len;
    }
    vm->pending_free = vm->pending_next.data[k - 1];
    vm->pending.data[k - 1] = *a;
    vm->pending_next.data[k - 1] = next;
    return k;
}

static uint32_t pending_copy(tc_vm *vm, uint32_t list) {
    uint32_t copy = 0;
    for (; list; list = vm->pending_next.data[list - 1]) {
        tc_acc a = vm->pending.data[list - 1];
        copy = pending_new(vm, &a, copy);
    }
    return copy;
}

static void pending_drop(tc_vm *vm, uint32_t *list, const tc_acc *which) {
    for (uint32_t *at = list; *at; at = &vm->pending_next.data[*at - 1]) {
        const tc_acc *a = &vm->pending.data[*at - 1];
        if (a->block != which->block || a->thread != which->thread || a->place != which->place)
            continue;
        uint32_t k = *at;
        *at = vm->pending_next.data[k - 1];
        vm->pending_next.data[k - 1] = vm->pending_free;
        vm->pending_free = k;
        return;
    }
}

// ---- grains ----

static void split_chunk(tc_vm *vm, tc_mobj *o, const tc_cell *old, uint64_t first, unsigned k) {
    for (uint64_t i = 0; i < ((uint64_t)TC_CHUNK << k); i++)
        if ((first << k) + i <= o->size >> o->grain) {
            tc_cell *c = tc_mem_cell(vm, o, (first << k) + i);
            *c = old[i >> k];
            c->pending = pending_copy(vm, c->pending);
        }
}

// Cells become smaller; what was said of the whole holds for each part.
void tc_race_grain(tc_vm *vm, tc_mobj *o, unsigned grain) {
    unsigned k = o->grain - grain;
    uint64_t old_chunks = ((o->size >> o->grain) + 1) / TC_CHUNK + 1;
    o->grain = (uint8_t)grain;
    if (o->kind == TC_MO_PAGED) {
        const tc_map old = *o->chunks;
        o->chunks = TC_NEW(vm->arena, tc_map);
        for (size_t i = 0; i < old.len; i++)
            split_chunk(vm, o, old.values[i], old.keys[i] * TC_CHUNK, k);
    } else if (o->cells) {
        tc_cell **old = o->cells;
        o->cells = TC_NEW_ARRAY(vm->arena, tc_cell *, ((o->size >> grain) + 1) / TC_CHUNK + 1);
        for (uint64_t c = 0; c < old_chunks; c++)
            if (old[c])
                split_chunk(vm, o, old[c], c * TC_CHUNK, k);
    }
    for (tc_mobj *t = o->twin; t && t != o; t = t->twin) {
        t->grain = o->grain;
        t->cells = o->cells;
    }
}

static void fit_grain(tc_vm *vm, tc_mobj *o, uint64_t offset, uint64_t width) {
    unsigned grain = o->grain;
    while (grain > 0 && ((offset | width) & ((UINT64_C(1) << grain) - 1)))
        grain--;
    if (grain != o->grain)
        tc_race_grain(vm, o, grain);
}

// ---- conflicts ----

typedef struct use {
    tc_vm *vm;
    tc_thread *t;
    tc_mobj *o;
    uint64_t offset, width;
    uint32_t flags, place;
    uint32_t block; // of the thread, + 1
} use;

static void coordinates(const tc_vm *vm, uint32_t linear, uint32_t *out) {
    const uint32_t *dim = vm->launch->block;
    out[0] = linear % dim[0];
    out[1] = linear / dim[0] % dim[1];
    out[2] = linear / dim[0] / dim[1];
}

static bool is_own(const use *u, const tc_acc *a) {
    return a->block == u->block && a->thread == u->t->linear;
}

// SOUND: a thread that does not run may be the one that looks for a signal, or takes a lock, and a barrier that it does not come to
// is passed without it. What a thread does while its own copy is pending is up to that thread alone.
static bool may_be_ordered_by_absent(const use *u, const tc_acc *a) {
    const tc_vm *vm = u->vm;
    return vm->partial && vm->p->hands_on && !vm->launch->watch && !is_own(u, a);
}

static void conflict(const use *u, const tc_acc *a, const char *mine, const char *theirs, bool both_write) {
    tc_vm *vm = u->vm;
    const tc_block *other = a->block == u->block ? vm->block : tc_vm_block(vm, a->block - 1);
    bool same_block = a->block == u->block;
    bool async = same_block && a->flags & TC_ACCF_ASYNC;
    if (may_be_ordered_by_absent(u, a)) {
        vm->stats->withheld = true;
        return;
    }
    if (same_block && !async && !vm->block->whole)
        return; // what would have ordered the two is missing
    if (same_block && !async && vm->step_copies && tc_lockstep_same_group(vm, u->t, a->thread)) {
        tc_vm_stop(vm, "copies by threads in lock-step that touch each other's bytes");
        return;
    }
    const char *code = async ? "TC3003" : same_block ? "TC3001" : both_write ? "TC1001" : "TC1002";
    tc_fault f = {.two = true,
                  .object = tc_vm_object_name(vm, u->o),
                  .offset = (tc_i128)u->offset,
                  .width = u->width,
                  .size = u->o->size};
    tc_vm_other(vm, &f, a->place);
    if (other)
        memcpy(f.other_block, other->idx, sizeof f.other_block);
    else
        tc_vm_block_index(vm, a->block - 1, f.other_block);
    coordinates(vm, a->thread, f.other_thread);
    if (async)
        tc_vm_fault(vm, u->t, code, u->place, &f, "%s of '%s' at byte %llu while an asynchronous copy %s it is pending",
                    mine, f.object, (unsigned long long)u->offset, a->flags & TC_ACCF_LOAD ? "of" : "to");
    else if (same_block)
        tc_vm_fault(vm, u->t, code, u->place, &f,
                    "%s of '%s' at byte %llu races with %s by another thread of the block", mine, f.object,
                    (unsigned long long)u->offset, theirs);
    else
        tc_vm_fault(vm, u->t, code, u->place, &f, "%s of '%s' at byte %llu, and %s by another block", mine, f.object,
                    (unsigned long long)u->offset, theirs);
}

static bool ordered(const use *u, const tc_acc *a) {
    if (a->block == u->block && a->clock < u->t->base)
        return true;
    return is_own(u, a) || tc_happened(u->vm, u->t, a);
}

static void against_write(const use *u, const tc_acc *w, const char *mine, bool writes) {
    if (w->block && ((w->flags & TC_ACCF_ASYNC) || !ordered(u, w)))
        conflict(u, w, mine, "a write", writes);
}

// What comes behind a read-modify-write comes behind all that this read the result of (PTX ISA, "Causality Order": observation).
static bool is_behind_chain(const use *u, const tc_cell *c) { return c->atomic[0].flags & TC_ACCF_RMW && ordered(u, &c->atomic[0]); }

static void against_atomics(const use *u, const tc_cell *c, const char *mine, bool writes) {
    if (is_behind_chain(u, c))
        return;
    for (int i = 0; i < 2; i++) {
        const tc_acc *a = &c->atomic[i];
        bool both_read = (a->flags & TC_ACCF_LOAD) && !writes;
        if (a->block && !both_read && !ordered(u, a)) {
            conflict(u, a, mine, "an atomic operation", writes);
            return;
        }
    }
}

static unsigned scope_of(const tc_acc *a) { return a->flags >> TC_ACCF_SCOPE_SHIFT & 7; }
static unsigned width_of(const tc_acc *a) { return a->flags >> TC_ACCF_WIDTH_SHIFT & 7; }

// PTX ISA, "Morally strong operations": each scope holds the other thread, and both are of the same bytes.
static bool is_morally_strong(const tc_acc *a, const tc_acc *b) {
    unsigned least = a->block == b->block ? TC_SCOPE_CTA : TC_SCOPE_GPU;
    return scope_of(a) >= least && scope_of(b) >= least && width_of(a) == width_of(b);
}

static void against_other_kinds(const use *u, const tc_cell *c, const tc_acc *mine) {
    for (int i = 0; i < 2; i++) {
        const tc_acc *a = &c->atomic[i];
        bool loads = a->flags & mine->flags & TC_ACCF_LOAD;
        if (!a->block || loads || is_morally_strong(a, mine) || ordered(u, a))
            continue;
        bool other_width = width_of(a) != width_of(mine), both_write = !((a->flags | mine->flags) & TC_ACCF_LOAD);
        conflict(u, a, "atomic operation", other_width ? "one of another width" : "one of too small a scope for both", both_write);
        return;
    }
}

static void against_reads(const use *u, const tc_cell *c, const char *mine) {
    for (int i = 0; i < 2; i++)
        if (c->read[i].block && !ordered(u, &c->read[i])) {
            conflict(u, &c->read[i], mine, "a read", false);
            return;
        }
    if (c->far_read.block && !ordered(u, &c->far_read)) {
        conflict(u, &c->far_read, mine, "a read", false);
        return;
    }
    for (uint32_t k = c->readers; k; k = u->vm->reader_next.data[k - 1])
        if (!ordered(u, &u->vm->readers.data[k - 1])) {
            conflict(u, &u->vm->readers.data[k - 1], mine, "a read", false);
            return;
        }
}

static void against_pending(const use *u, const tc_cell *c, const char *mine) {
    if (c->pending)
        conflict(u, &u->vm->pending.data[c->pending - 1], mine, "an asynchronous copy that is pending", false);
}

static tc_acc acc_of(const use *u, uint16_t flags) {
    return (tc_acc){u->block, u->t->linear, flags, u->t->clock, u->place};
}

static void keep_reader(tc_vm *vm, tc_cell *c, const tc_acc *a) {
    tc_push(vm->arena, &vm->readers, *a);
    tc_push(vm->arena, &vm->reader_next, c->readers);
    c->readers = (uint32_t)vm->readers.len;
}

static void note_read(const use *u, tc_cell *c) {
    tc_acc *r = &c->read[0];
    if (is_own(u, r)) {
        r->clock = u->t->clock;
        r->place = u->place;
        return;
    }
    if (r->block && r->block != u->block) {
        c->far_read = *r;
        c->read[1] = (tc_acc){0};
    } else if (r->block && !ordered(u, r)) {
        if (u->vm->keep_readers && c->read[1].block && !ordered(u, &c->read[1]))
            keep_reader(u->vm, c, &c->read[1]);
        c->read[1] = *r;
    }
    *r = acc_of(u, 0);
}

static void read_cell(const use *u, tc_cell *c, bool *uninit) {
    const tc_acc *w = &c->write;
    if (w->block) {
        // Where several threads wrote one value, who reads may be one of them.
        if (!(is_own(u, w) && !(w->flags & TC_ACCF_ASYNC)) && !(w->flags & TC_ACCF_AGAIN))
            against_write(u, w, "read", false);
        if (w->flags & TC_ACCF_UNINIT)
            *uninit = true;
        if (u->flags & TC_ACC_NC) {
            tc_fault f = {.two = true,
                          .object = tc_vm_object_name(u->vm, u->o),
                          .offset = (tc_i128)u->offset,
                          .width = u->width,
                          .size = u->o->size};
            tc_vm_other(u->vm, &f, w->place);
            tc_vm_block_index(u->vm, w->block - 1, f.other_block);
            coordinates(u->vm, w->thread, f.other_thread);
            tc_vm_fault(u->vm, u->t, "TC3003", u->place, &f,
                        "'%s' is read through the read-only cache and written in the same launch", f.object);
        }
    } else if (!c->atomic[0].block && u->o->uninit) {
        *uninit = true;
    }
    if (c->atomic[0].block)
        against_atomics(u, c, "read", false);
    if (u->flags & TC_ACC_NC)
        c->nc = u->place + 1;
    note_read(u, c);
}

// same-value: what is there is what this one writes. Where this cannot be told, nothing is said of the two. Two variables that
// were never written have no value in common.
static bool writes_what_is_there(const use *u, const tc_cell *c, uint64_t index) {
    tc_vm *vm = u->vm;
    if (!vm->options || !vm->options->same_value || (c->write.flags & TC_ACCF_ASYNC) || vm->stored_never)
        return false;
    if (vm->stored_unknown || (c->write.flags & TC_ACCF_UNKNOWN))
        return true;
    uint64_t from = index << u->o->grain, to = (index + 1) << u->o->grain, end = u->offset + u->width;
    from = from < u->offset ? u->offset : from;
    to = to > end ? end : to;
    const unsigned char *there = vm->stored ? tc_mem_bytes(vm, u->o, from, to - from) : NULL;
    return !there || memcmp(there, vm->stored + (from - u->offset), to - from) == 0;
}

static void write_cell(const use *u, tc_cell *c, uint64_t index, uint16_t accf) {
    bool changes = !writes_what_is_there(u, c, index);
    if (changes)
        against_write(u, &c->write, "write", true);
    if (c->atomic[0].block)
        against_atomics(u, c, "write", true);
    if (changes && c->read[0].block)
        against_reads(u, c, "write");
    if (changes)
        against_pending(u, c, "write");
    if (c->nc) {
        tc_fault f = {.object = tc_vm_object_name(u->vm, u->o),
                      .offset = (tc_i128)u->offset,
                      .width = u->width,
                      .size = u->o->size};
        tc_vm_fault(u->vm, u->t, "TC3003", c->nc - 1, &f,
                    "'%s' is read through the read-only cache and written in the same launch", f.object);
    }
    if (!changes && c->write.block && !ordered(u, &c->write)) { // reads since then are still to be told from another value
        c->write.flags |= TC_ACCF_AGAIN;
        return;
    }
    memset(c->read, 0, sizeof c->read);
    memset(c->atomic, 0, sizeof c->atomic);
    c->far_read = (tc_acc){0};
    c->readers = 0;
    c->write = acc_of(u, accf);
}

static uint16_t strong_flags(const use *u) {
    unsigned scope = u->flags >> TC_ACC_SCOPE_SHIFT & 7, width = 0;
    while (width < 7 && (UINT64_C(1) << width) < u->width)
        width++;
    return (uint16_t)(scope << TC_ACCF_SCOPE_SHIFT | width << TC_ACCF_WIDTH_SHIFT | (u->flags & TC_ACC_LOAD ? TC_ACCF_LOAD : 0));
}

// A chain of read-modify-writes goes back to the first atomic of the cell, or to a plain write.
static void atomic_cell(const use *u, tc_cell *c) {
    bool load = (u->flags & TC_ACC_LOAD) != 0;
    tc_acc *a = &c->atomic[0], mine = acc_of(u, strong_flags(u));
    if (u->flags & TC_ACC_RMW && (!a->block || a->flags & TC_ACCF_RMW))
        mine.flags |= TC_ACCF_RMW;
    against_write(u, &c->write, "atomic operation", !load);
    if (!load && c->read[0].block)
        against_reads(u, c, "atomic operation");
    if (!load)
        against_pending(u, c, "atomic operation");
    against_other_kinds(u, c, &mine);
    if (load && is_own(u, a) && !(a->flags & TC_ACCF_LOAD))
        return; // what it wrote is what matters to others
    if (!is_own(u, a) && a->block)
        c->atomic[1] = *a;
    *a = mine;
}

// ---- the door ----

static use use_of(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t flags,
                  uint32_t place) {
    return (use){vm, t, o, offset, width, flags, place, vm->block->number + 1};
}

void tc_race_read(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t flags, uint32_t place,
                  bool *uninit) {
    if ((offset | width) & ((UINT64_C(1) << o->grain) - 1))
        fit_grain(vm, o, offset, width);
    use u = use_of(vm, t, o, offset, width, flags, place);
    for (uint64_t i = offset >> o->grain, end = (offset + width - 1) >> o->grain; i <= end; i++)
        read_cell(&u, tc_mem_cell(vm, o, i), uninit);
}

void tc_race_write(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t flags, uint32_t place,
                   uint16_t accf) {
    if ((offset | width) & ((UINT64_C(1) << o->grain) - 1))
        fit_grain(vm, o, offset, width);
    use u = use_of(vm, t, o, offset, width, flags, place);
    for (uint64_t i = offset >> o->grain, end = (offset + width - 1) >> o->grain; i <= end; i++)
        write_cell(&u, tc_mem_cell(vm, o, i), i, accf);
}

void tc_race_atomic(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t flags,
                    uint32_t place) {
    if ((offset | width) & ((UINT64_C(1) << o->grain) - 1))
        fit_grain(vm, o, offset, width);
    use u = use_of(vm, t, o, offset, width, flags, place);
    for (uint64_t i = offset >> o->grain, end = (offset + width - 1) >> o->grain; i <= end; i++)
        atomic_cell(&u, tc_mem_cell(vm, o, i));
}

void tc_race_copy_begins(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t place) {
    if ((offset | width) & ((UINT64_C(1) << o->grain) - 1))
        fit_grain(vm, o, offset, width);
    use u = use_of(vm, t, o, offset, width, 0, place);
    tc_acc a = acc_of(&u, TC_ACCF_ASYNC | TC_ACCF_LOAD);
    for (uint64_t i = offset >> o->grain, end = (offset + width - 1) >> o->grain; i <= end; i++) {
        tc_cell *c = tc_mem_cell(vm, o, i);
        c->pending = pending_new(vm, &a, c->pending);
    }
}

void tc_race_copy_ends(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width, uint32_t place) {
    use u = use_of(vm, t, o, offset, width, 0, place);
    tc_acc a = acc_of(&u, 0);
    for (uint64_t i = offset >> o->grain, end = (offset + width - 1) >> o->grain; i <= end; i++) {
        tc_cell *c = tc_mem_cell(vm, o, i);
        pending_drop(vm, &c->pending, &a);
        note_read(&u, c);
    }
}

bool tc_race_after_atomics(tc_vm *vm, tc_thread *t, tc_mobj *o, uint64_t offset, uint64_t width) {
    use u = use_of(vm, t, o, offset, width, 0, 0);
    for (uint64_t i = offset >> o->grain, end = (offset + width - 1) >> o->grain; i <= end; i++) {
        const tc_cell *c = tc_mem_cell(vm, o, i);
        // Behind a plain write there was none since: that one came behind them, or was told; what the two are to each other is told apart.
        const bool none_since = c->write.block && !c->atomic[0].block;
        if (!none_since && !is_behind_chain(&u, c))
            return false;
    }
    return true;
}
