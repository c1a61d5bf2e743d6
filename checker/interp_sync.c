// Barriers, and what happens when nobody in a block can go on.
#include <string.h>

#include "checker/interp_vm.h"

static void wake(tc_thread *t) {
    t->state = TC_TS_READY;
    t->pc++;
}

static uint32_t place_of_thread(const tc_vm *vm, const tc_thread *t) {
    return t->state == TC_TS_EXITED ? t->last_place : tc_place_of(vm, t->pc);
}

// ---- the barrier of the whole block ----

static bool waits_at(const tc_thread *t, uint32_t id, bool counted) {
    return t->state == TC_TS_BARRIER && t->wait_id == id && (t->wait_count != 0) == counted;
}

// The reduction over those who arrived.
static uint64_t reduce(const tc_vm *vm, const tc_block *b, uint32_t id, uint32_t *mark, tc_vm *v) {
    uint64_t all = 1, any = 0, count = 0;
    *mark = 0;
    tc_barrier_red op = TC_RED_NONE;
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        const tc_thread *t = &b->threads[i];
        if (!waits_at(t, id, false) || t->pc->b == TC_NONE)
            continue;
        const tc_reg *p = &t->regs[t->pc->b];
        op = (tc_barrier_red)t->pc->x;
        *mark = tc_mark_union(v, *mark, TC_MARK(p));
        all &= p->bits != 0;
        any |= p->bits != 0;
        count += p->bits != 0;
    }
    return op == TC_RED_AND ? all : op == TC_RED_OR ? any : count;
}

// All who wait at barrier id go on.
static void release_block(tc_vm *vm, tc_block *b, uint32_t id) {
    uint32_t mark;
    uint64_t value = reduce(vm, b, id, &mark, vm);
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < vm->nthreads; i++)
        waiting += waits_at(&b->threads[i], id, false);
    if (waiting == b->live) {
        tc_clock_barrier(vm, b);
    } else {
        // Some are missing, which was reported: order those who are here.
        tc_thread **ts = TC_NEW_ARRAY(vm->arena, tc_thread *, waiting + 1);
        size_t n = 0;
        for (uint32_t i = 0; i < vm->nthreads; i++)
            if (waits_at(&b->threads[i], id, false))
                ts[n++] = &b->threads[i];
        tc_clock_join(vm, ts, n);
    }
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        tc_thread *t = &b->threads[i];
        if (!waits_at(t, id, false))
            continue;
        if (t->pc->d != TC_NONE)
            t->regs[t->pc->d] = (tc_reg){.bits = value, .mark = mark};
        t->last_place = tc_place_of(vm, t->pc);
        t->barriers++;
        wake(t);
    }
    b->barriers[id].arrived = 0;
}

// Where the threads stand that wait at barrier id: one instruction, or different ones.
static const tc_thread *other_site(const tc_vm *vm, const tc_block *b, uint32_t id, const tc_thread *first) {
    for (uint32_t i = 0; i < vm->nthreads; i++)
        if (waits_at(&b->threads[i], id, false) && b->threads[i].pc != first->pc)
            return &b->threads[i];
    return NULL;
}

static void two_threads(tc_fault *f, const tc_vm *vm, const tc_block *b, const tc_thread *other) {
    f->two = true;
    memcpy(f->other_block, b->idx, sizeof f->other_block);
    memcpy(f->other_thread, other->idx, sizeof f->other_thread);
    tc_vm_other(vm, f, place_of_thread(vm, other));
}

tc_stop tc_exec_barrier(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    tc_block *b = vm->block;
    uint64_t id = t->regs[in->a].bits;
    if (id > 15) {
        tc_vm_stop(vm, "barrier number %llu", (unsigned long long)id);
        return TC_STOP_HALT;
    }
    t->state = TC_TS_BARRIER;
    t->pc = in;
    t->wait_id = (uint32_t)id;
    t->wait_count = 0;
    if (++b->barriers[id].arrived < b->expected)
        return TC_STOP_WAIT;
    const tc_thread *other = other_site(vm, b, t->wait_id, t);
    if (other && b->whole) {
        tc_fault f = {0};
        two_threads(&f, vm, b, other);
        tc_vm_fault(vm, t, "TC3002", tc_place_of(vm, in), &f, "threads of the block wait at two different barriers");
    }
    release_block(vm, b, t->wait_id);
    return TC_STOP_WAIT;
}

// ---- named barriers: so many threads arrive, some of them wait ----

static void release_named(tc_vm *vm, tc_block *b, uint32_t id) {
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        tc_thread *t = &b->threads[i];
        if (!waits_at(t, id, true))
            continue;
        tc_clock_leave(vm, t, &b->barriers[id]);
        t->last_place = tc_place_of(vm, t->pc);
        t->barriers++;
        wake(t);
    }
    tc_clock_reset(vm, &b->barriers[id]);
}

tc_stop tc_exec_named(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    tc_block *b = vm->block;
    uint64_t id = t->regs[in->a].bits, count = in->b == TC_NONE ? vm->nthreads : t->regs[in->b].bits;
    bool arrive = in->x == 1;
    if (!b->whole) { // those who are missing would have come
        t->pc = in + 1;
        return TC_STOP_SLICE;
    }
    if (id > 15 || count == 0 || count > vm->nthreads) {
        tc_fault f = {0};
        tc_vm_fault(vm, t, "TC3002", tc_place_of(vm, in), &f, "barrier %llu waits for %llu threads; the block has %u",
                    (unsigned long long)id, (unsigned long long)count, vm->nthreads);
        t->pc = in + 1;
        return id > 15 ? TC_STOP_HALT : TC_STOP_SLICE;
    }
    tc_clock_arrive(vm, t, &b->barriers[id]);
    b->barriers[id].expected = (uint32_t)count;
    b->barriers[id].place = tc_place_of(vm, in);
    t->pc = in;
    if (!arrive) {
        t->state = TC_TS_BARRIER;
        t->wait_id = (uint32_t)id;
        t->wait_count = (uint32_t)count;
    }
    if (++b->barriers[id].arrived >= count)
        release_named(vm, b, (uint32_t)id);
    if (arrive)
        t->pc = in + 1;
    return arrive ? TC_STOP_SLICE : TC_STOP_WAIT;
}

// ---- the barrier of the grid ----

tc_stop tc_exec_grid(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    (void)vm;
    t->state = TC_TS_BARRIER;
    t->pc = in;
    t->wait_id = TC_GRID_BARRIER;
    t->wait_count = 0;
    return TC_STOP_WAIT;
}

bool tc_sync_at_grid(const tc_vm *vm, const tc_block *b) {
    for (uint32_t i = 0; i < vm->nthreads; i++)
        if (!b->threads[i].absent && !waits_at(&b->threads[i], TC_GRID_BARRIER, false))
            return false;
    return true;
}

static tc_thread *first_at_grid(const tc_vm *vm, const tc_block *b) {
    for (uint32_t i = 0; i < vm->nthreads; i++)
        if (waits_at(&b->threads[i], TC_GRID_BARRIER, false))
            return &b->threads[i];
    return NULL;
}

// A block that is over: none of its threads comes.
static const tc_block *missing_block(const tc_vm *vm) {
    for (size_t i = 0; i < vm->blocks.len; i++)
        if (vm->blocks.data[i]->done)
            return vm->blocks.data[i];
    return NULL;
}

static void report_grid(tc_vm *vm, const tc_block *missing) {
    const tc_thread *gone = &missing->threads[0];
    tc_thread *t = first_at_grid(vm, vm->block);
    if (!t)
        return;
    tc_fault f = {.two = true};
    tc_vm_other(vm, &f, place_of_thread(vm, gone));
    memcpy(f.other_block, missing->idx, sizeof f.other_block);
    memcpy(f.other_thread, gone->idx, sizeof f.other_thread);
    tc_vm_fault(vm, t, "TC3002", tc_place_of(vm, t->pc), &f,
                "block (%u,%u,%u) does not reach this barrier of the grid: it has returned", missing->idx[0], missing->idx[1],
                missing->idx[2]);
}

// Blocks may wait at different places of the program, where the hardware counts them too; that is no fault.
void tc_sync_grid(tc_vm *vm) {
    const tc_block *missing = missing_block(vm);
    if (missing && vm->partial) { // how it came to its end may hang on what does not run
        tc_vm_stop(vm, "a barrier of the grid that some block does not reach, in a run of a few threads");
        return;
    }
    for (size_t i = 0; i < vm->blocks.len && !vm->halted; i++) {
        tc_block *b = vm->blocks.data[i];
        if (!b->at_grid)
            continue;
        tc_mem_switch(vm, b);
        if (missing)
            report_grid(vm, missing);
        release_block(vm, b, TC_GRID_BARRIER);
        tc_clock_epoch(vm, b);
        b->at_grid = false;
    }
}

// ---- nobody can go on ----

static const tc_thread *missing_from(const tc_vm *vm, const tc_block *b, const tc_thread *t) {
    const tc_thread *elsewhere = NULL;
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        const tc_thread *o = &b->threads[i];
        if (o->state == TC_TS_EXITED && !o->absent)
            return o;
        bool here =
            o->state == TC_TS_BARRIER && o->wait_id == t->wait_id && (o->wait_count != 0) == (t->wait_count != 0);
        if (!o->absent && !here && !elsewhere)
            elsewhere = o;
    }
    return elsewhere;
}

static void report_barrier(tc_vm *vm, tc_block *b, tc_thread *t) {
    if (!b->whole)
        return;
    const tc_thread *other = missing_from(vm, b, t);
    tc_fault f = {0};
    const char *why = "";
    if (other) {
        two_threads(&f, vm, b, other);
        why = other->state == TC_TS_EXITED ? ": it has returned" : ": it waits elsewhere";
    }
    if (t->wait_count)
        tc_vm_fault(vm, t, "TC3002", tc_place_of(vm, t->pc), &f, "barrier %u waits for %u threads, and only %u arrive",
                    t->wait_id, t->wait_count, b->barriers[t->wait_id].arrived);
    else if (other)
        tc_vm_fault(vm, t, "TC3002", tc_place_of(vm, t->pc), &f, "thread (%u,%u,%u) does not reach this barrier%s",
                    other->idx[0], other->idx[1], other->idx[2], why);
    else
        tc_vm_fault(vm, t, "TC3002", tc_place_of(vm, t->pc), &f, "not all threads of the block reach this barrier");
}

bool tc_sync_stuck(tc_vm *vm, tc_block *b) {
    if (tc_warp_stuck(vm, b))
        return true;
    // Those who passed the fewest barriers are the ones who are behind; their barrier is let go first.
    tc_thread *first = NULL;
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        tc_thread *t = &b->threads[i];
        if (t->state == TC_TS_BARRIER && (!first || t->barriers < first->barriers))
            first = t;
    }
    if (!first)
        return false;
    report_barrier(vm, b, first);
    if (first->wait_count)
        release_named(vm, b, first->wait_id);
    else if (first->wait_id == TC_GRID_BARRIER)
        b->at_grid = true;
    else
        release_block(vm, b, first->wait_id);
    return true;
}
