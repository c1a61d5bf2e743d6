// Happens-before. Clocks are drawn from one counter of the block, so that a barrier of the whole block is a single
// number: what carries a smaller clock happened before it. Finer orders (warps, named barriers, fences with atomics)
// add a vector clock; what is known of other blocks is a list of such pairs. A barrier of the grid is one number for each block.
#include <string.h>

#include "checker/interp_vm.h"

// ---- vector clocks, shared and counted ----

static tc_vclock *vc_new(tc_vm *vm) {
    tc_vclock *v = vm->free_vc;
    size_t bytes = sizeof *v + vm->nthreads * sizeof *v->clock;
    if (v) {
        vm->free_vc = v->next;
        memset(v, 0, bytes);
    } else {
        v = tc_alloc(vm->arena, bytes);
    }
    v->refs = 1;
    return v;
}

static tc_vclock *vc_keep(tc_vclock *v) {
    if (v)
        v->refs++;
    return v;
}

static void vc_drop(tc_vm *vm, tc_vclock *v) {
    if (v && --v->refs == 0) {
        v->next = vm->free_vc;
        vm->free_vc = v;
    }
}

static void vc_join(tc_vm *vm, tc_vclock *to, const tc_vclock *from) {
    if (!from || from == to)
        return;
    for (uint32_t i = 0; i < vm->nthreads; i++)
        if (from->clock[i] > to->clock[i])
            to->clock[i] = from->clock[i];
}

// What t knows of its block, without itself; in lock-step also what its group did in earlier steps.
static void vc_join_of(tc_vm *vm, tc_vclock *to, const tc_thread *t) {
    vc_join(vm, to, t->vc);
    if (t->step == 0)
        return;
    for (uint32_t i = t->linear / vm->lockstep * vm->lockstep, n = 0; n < vm->lockstep && i < vm->nthreads; i++, n++)
        if (i != t->linear && to->clock[i] < t->step - 1)
            to->clock[i] = t->step - 1;
}

// ---- knowledge of blocks ----

static tc_know *know_new(tc_vm *vm, uint32_t n) {
    tc_know *k = tc_alloc(vm->arena, sizeof *k + n * sizeof *k->far);
    k->refs = 1;
    return k;
}

static const tc_far *know_find(const tc_know *k, uint32_t block) {
    for (uint32_t i = 0; k && i < k->n; i++)
        if (k->far[i].block == block)
            return &k->far[i];
    return NULL;
}

static bool vc_covers(const tc_vm *vm, const tc_vclock *a, const tc_vclock *b) {
    if (!b || a == b)
        return true;
    for (uint32_t i = 0; a && i < vm->nthreads; i++)
        if (a->clock[i] < b->clock[i])
            return false;
    return a != NULL;
}

// Is nothing new in b?
static bool know_covers(const tc_vm *vm, const tc_know *a, const tc_know *b) {
    uint32_t i = 0;
    for (uint32_t j = 0; j < b->n; j++) {
        while (i < a->n && a->far[i].block < b->far[j].block)
            i++;
        if (i == a->n || a->far[i].block != b->far[j].block || a->far[i].base < b->far[j].base ||
            !vc_covers(vm, a->far[i].vc, b->far[j].vc))
            return false;
    }
    return true;
}

// a and b together; either may be NULL. Who waits reads the same again and again: that makes nothing new.
static tc_know *know_join(tc_vm *vm, tc_know *a, tc_know *b) {
    if (!a || a == b)
        return b;
    if (!b || know_covers(vm, a, b))
        return a;
    if (know_covers(vm, b, a))
        return b;
    tc_know *r = know_new(vm, a->n + b->n);
    uint32_t i = 0, j = 0;
    while (i < a->n || j < b->n) {
        tc_far f;
        if (j == b->n || (i < a->n && a->far[i].block < b->far[j].block)) {
            f = a->far[i++];
        } else if (i == a->n || b->far[j].block < a->far[i].block) {
            f = b->far[j++];
        } else {
            const tc_far *x = &a->far[i++], *y = &b->far[j++];
            f = *x;
            f.base = x->base > y->base ? x->base : y->base;
            if (x->vc && y->vc && x->vc != y->vc) {
                f.vc = vc_new(vm);
                vc_join(vm, f.vc, x->vc);
                vc_join(vm, f.vc, y->vc);
            } else if (!x->vc) {
                f.vc = y->vc;
            }
        }
        vc_keep(f.vc);
        r->far[r->n++] = f;
    }
    return r;
}

// All that t knows, its own block included, as others may take it over.
static tc_know *know_of(tc_vm *vm, tc_thread *t) {
    tc_know *own = know_new(vm, 1);
    own->n = 1;
    own->far[0].block = vm->block->number + 1;
    own->far[0].base = t->base;
    own->far[0].vc = vc_new(vm);
    vc_join_of(vm, own->far[0].vc, t);
    own->far[0].vc->clock[t->linear] = t->clock;
    return know_join(vm, own, t->far);
}

static void learn(tc_vm *vm, tc_thread *t, tc_know *k) {
    if (!k)
        return;
    const tc_far *own = know_find(k, vm->block->number + 1);
    if (own && own->vc) {
        tc_vclock *v = vc_new(vm);
        vc_join(vm, v, t->vc);
        vc_join(vm, v, own->vc);
        vc_drop(vm, t->vc);
        t->vc = v;
    }
    t->far = know_join(vm, t->far, k);
}

// What t did up to now stays apart from what it does from here on.
static void tick(tc_vm *vm, tc_thread *t) {
    t->clock = ++vm->block->time;
}

bool tc_happened(const tc_vm *vm, const tc_thread *t, const tc_acc *a) {
    if (a->block == vm->block->number + 1)
        return a->thread == t->linear || a->clock < t->base || (t->vc && t->vc->clock[a->thread] >= a->clock) ||
               (a->clock < t->step && tc_lockstep_same_group(vm, t, a->thread));
    if (vm->epochs && a->clock < vm->epochs[a->block])
        return true;
    const tc_far *f = know_find(t->far, a->block);
    return f && (a->clock < f->base || (f->vc && f->vc->clock[a->thread] >= a->clock));
}

// ---- events ----

// What passes a barrier of hand-overs.
static void gather_handing(tc_vm *vm, tc_handing *to, const tc_handing *from) {
    for (tc_reach r = TC_REACH_BLOCK; r < TC_REACHES; r++) {
        to[r].sc_released = know_join(vm, to[r].sc_released, from[r].sc_released);
        to[r].sc_acquired = know_join(vm, to[r].sc_acquired, from[r].sc_acquired);
    }
}

static void take_handing(tc_thread *t, const tc_handing *all) {
    for (tc_reach r = TC_REACH_BLOCK; r < TC_REACHES; r++) {
        t->hand[r].sc_released = all[r].sc_released;
        t->hand[r].sc_acquired = all[r].sc_acquired;
    }
}

void tc_clock_barrier(tc_vm *vm, tc_block *b) {
    tc_know *far = NULL;
    tc_handing hand[TC_REACHES] = {0};
    bool differ = false;
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        tc_thread *t = &b->threads[i];
        differ |= t->far != b->threads[0].far;
        if (vm->p->fine_sync)
            gather_handing(vm, hand, t->hand);
        vc_drop(vm, t->vc);
        t->vc = NULL;
    }
    for (uint32_t i = 0; differ && i < vm->nthreads; i++)
        far = know_join(vm, far, b->threads[i].far);
    b->time++;
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        b->threads[i].base = b->threads[i].clock = b->time;
        if (differ)
            b->threads[i].far = far;
        if (vm->p->fine_sync)
            take_handing(&b->threads[i], hand);
    }
}

void tc_clock_epoch(tc_vm *vm, const tc_block *b) {
    if (!vm->epochs) // all blocks of the run have started
        vm->epochs = TC_NEW_ARRAY(vm->arena, uint32_t, vm->blocks.len + 1);
    vm->epochs[b->number + 1] = b->time;
}

void tc_clock_join(tc_vm *vm, tc_thread *const *ts, size_t n) {
    if (n < 2)
        return;
    tc_vclock *v = vc_new(vm);
    tc_know *far = NULL;
    tc_handing hand[TC_REACHES] = {0};
    const tc_vclock *last = NULL;
    for (size_t i = 0; i < n; i++) {
        gather_handing(vm, hand, ts[i]->hand);
        if (ts[i]->vc != last || ts[i]->step)
            vc_join_of(vm, v, ts[i]);
        last = ts[i]->vc;
        far = know_join(vm, far, ts[i]->far);
    }
    for (size_t i = 0; i < n; i++)
        if (ts[i]->clock > v->clock[ts[i]->linear])
            v->clock[ts[i]->linear] = ts[i]->clock;
    uint32_t now = ++vm->block->time;
    for (size_t i = 0; i < n; i++) {
        vc_drop(vm, ts[i]->vc);
        ts[i]->vc = vc_keep(v);
        ts[i]->clock = now;
        ts[i]->far = far;
        take_handing(ts[i], hand);
    }
    vc_drop(vm, v);
}

void tc_clock_arrive(tc_vm *vm, tc_thread *t, tc_barrier *b) {
    if (!b->vc)
        b->vc = vc_new(vm);
    vc_join_of(vm, b->vc, t);
    if (t->clock > b->vc->clock[t->linear])
        b->vc->clock[t->linear] = t->clock;
    b->far = know_join(vm, b->far, t->far);
    gather_handing(vm, b->hand, t->hand);
    tick(vm, t);
}

void tc_clock_leave(tc_vm *vm, tc_thread *t, tc_barrier *b) {
    tc_vclock *v = vc_new(vm);
    vc_join(vm, v, t->vc);
    vc_join(vm, v, b->vc);
    vc_drop(vm, t->vc);
    t->vc = v;
    t->far = know_join(vm, t->far, b->far);
    gather_handing(vm, t->hand, b->hand);
}

void tc_clock_reset(tc_vm *vm, tc_barrier *b) {
    vc_drop(vm, b->vc);
    b->vc = NULL;
    b->far = NULL;
    memset(b->hand, 0, sizeof b->hand);
    b->arrived = 0;
}

// Release and acquire patterns are of one thread: a fence before an atomic write, an atomic read before a fence. Of two fences.sc
// one is before the other; where the one is before an atomic write, also by way of barriers, and the other behind a read of what
// that left, it is the first: the other way round the read would happen before the write that it reads (PTX ISA, "Memory Consistency Model": Synchronizes,
// Causality Order).
void tc_clock_fence(tc_vm *vm, tc_thread *t, unsigned order, unsigned scope) {
    bool sc = order == TC_ORD_PLAIN || order == TC_ORD_SEQ_CST;
    for (tc_reach r = TC_REACH_BLOCK; r < TC_REACHES; r++) {
        tc_handing *h = &t->hand[r];
        if (r == TC_REACH_GRID && scope < TC_SCOPE_GPU)
            continue;
        if (order != TC_ORD_RELEASE)
            learn(vm, t, h->acquired);
        if (sc)
            learn(vm, t, h->sc_acquired);
    }
    tc_know *k = know_of(vm, t);
    for (tc_reach r = TC_REACH_BLOCK; r < TC_REACHES; r++) {
        tc_handing *h = &t->hand[r];
        if (r == TC_REACH_GRID && scope < TC_SCOPE_GPU)
            continue;
        if (order != TC_ORD_ACQUIRE)
            h->released = k;
        if (sc)
            h->sc_released = k;
    }
    tick(vm, t);
}

static tc_carried_by *carried_at(tc_vm *vm, tc_reach r, uint64_t address) {
    tc_map *m = r == TC_REACH_BLOCK ? &vm->block->sync : &vm->sync;
    return m->len ? tc_map_get(m, address) : NULL;
}

static void carry(tc_vm *vm, tc_reach r, uint64_t address, tc_carried_by c) {
    tc_map *m = r == TC_REACH_BLOCK ? &vm->block->sync : &vm->sync;
    tc_carried_by *at = m->len ? tc_map_get(m, address) : NULL;
    if (!at && !c.pattern && !c.sc && !c.own)
        return;
    if (!at) {
        at = TC_NEW(vm->arena, tc_carried_by);
        tc_map_put(vm->arena, m, address, at);
    }
    *at = c;
}

void tc_clock_sync(tc_vm *vm, tc_thread *t, uint64_t address, bool read, bool write, unsigned flags) {
    bool release = write && flags & TC_ACC_RELEASE, acquire = read && flags & TC_ACC_ACQUIRE;
    unsigned scope = flags & TC_ACC_VOLATILE ? TC_SCOPE_SYS : flags >> TC_ACC_SCOPE_SHIFT;
    tc_know *own = release ? know_of(vm, t) : NULL;
    for (tc_reach r = TC_REACH_BLOCK; r < TC_REACHES; r++) {
        tc_handing *h = &t->hand[r];
        if (r == TC_REACH_GRID && scope < TC_SCOPE_GPU)
            continue;
        tc_carried_by *at = carried_at(vm, r, address), there = at ? *at : (tc_carried_by){0};
        if (write) {
            // A read-modify-write continues the release sequence that it reads from; any other write ends it.
            tc_carried_by now = there;
            if (own) {
                now.own = own;
                now.block = vm->block->number;
                now.thread = t->linear;
            }
            bool again = now.own && now.block == vm->block->number && now.thread == t->linear;
            tc_know *pattern = know_join(vm, h->released, again ? now.own : NULL);
            now.pattern = read ? know_join(vm, there.pattern, pattern) : pattern;
            now.sc = read ? know_join(vm, there.sc, h->sc_released) : h->sc_released;
            carry(vm, r, address, now);
        }
        if (acquire)
            learn(vm, t, there.pattern);
        if (read) {
            h->acquired = know_join(vm, h->acquired, there.pattern);
            h->sc_acquired = know_join(vm, h->sc_acquired, there.sc);
        }
    }
    if (release)
        tick(vm, t);
}

void tc_clock_drop(tc_vm *vm, tc_thread *t) {
    vc_drop(vm, t->vc);
    t->vc = NULL;
    t->far = NULL;
    memset(t->hand, 0, sizeof t->hand);
}
