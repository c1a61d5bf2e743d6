// Running a launch: blocks one after another, the threads of a block in turn. A block whose threads all spin, or have come to
// a barrier of the grid, is put aside so that another one can set it free. So is one of the first few that has come to a barrier
// with a value from an atomic operation: blocks that share out the work among them all get some.
#include <string.h>

#include "checker/interp_vm.h"

// SLICE: IR instructions of a thread before others have their turn. MOST_IN_STEP: the largest lockstep=N.
enum { MOST_IN_TURN = 16, MOST_WAITING = 4096, SLICE = 50000, MOST_IN_STEP = 1024 };
#define DEFAULT_LIMIT UINT64_C(200000000)
#define MOST_BYTES_WAITING (UINT64_C(1) << 29)

// ---- threads ----

static void set(tc_reg *r, uint64_t v) {
    *r = (tc_reg){.bits = v};
}

// Registers that are the same for all threads of the launch.
static tc_reg *make_template(tc_vm *vm) {
    const tc_program *p = vm->p;
    const tc_launch *l = vm->launch;
    tc_reg *r = TC_NEW_ARRAY(vm->arena, tc_reg, p->nregs + 1);
    for (int d = 0; d < 3; d++) {
        set(&r[TC_SLOT_NTID + d], l->block[d]);
        set(&r[TC_SLOT_NCTAID + d], l->grid[d]);
    }
    set(&r[TC_SLOT_SMEM], l->smem);
    if (p->consts.len)
        memcpy(r + p->const_base, p->consts.data, p->consts.len * sizeof *r);
    return r;
}

static uint64_t scalar_bits(const tc_scalar *s, tc_i128 v, tc_reg *r) {
    unsigned width = (unsigned)(s->type->size * 8);
    uint64_t bits = width >= 64 ? (uint64_t)v : (uint64_t)v & ((UINT64_C(1) << width) - 1);
    if (r) {
        *r = (tc_reg){.bits = bits};
        if (s->type->kind == TC_TY_INT && s->type->is_signed && v < 0)
            r->hi = -1;
    }
    return bits;
}

uint64_t tc_vm_base(const tc_buffer *b, uint32_t object) {
    return ((uint64_t)(1 + object) << TC_ADDR_SHIFT) + b->misalign + (b->open ? TC_OPEN_PLACE(object) : 0);
}

static uint64_t pointer_bits(const tc_vm *vm, uint32_t object) {
    const tc_buffer *b = &vm->launch->buffers[object];
    return b->null ? 0 : tc_vm_base(b, object);
}

static uint64_t function_bits(const tc_vm *vm, size_t i) {
    const uint32_t number = vm->launch->functions[i];
    return number == 0 ? 0 : tc_function_address(number == TC_FUNCTION_UNSAID ? 0 : number);
}

// The parameter's bytes as the launch passes them, for parameters by value.
static void fill_param(const tc_vm *vm, uint32_t param, unsigned char *bytes, uint64_t size) {
    const tc_contract *c = vm->contract;
    for (size_t i = 0; i < c->scalars.len; i++) {
        const tc_scalar *s = &c->scalars.data[i];
        if (s->param == param && s->offset + s->type->size <= size) {
            uint64_t v = scalar_bits(s, vm->launch->scalars[i], NULL);
            memcpy(bytes + s->offset, &v, s->type->size <= 8 ? s->type->size : 8);
        }
    }
    for (size_t i = 0; i < c->objects.len; i++) {
        const tc_object_contract *o = &c->objects.data[i];
        if (o->param == (int)param && o->offset + 8 <= size) {
            uint64_t v = pointer_bits(vm, (uint32_t)i);
            memcpy(bytes + o->offset, &v, 8);
        }
    }
    for (size_t i = 0; i < c->functions.len; i++) {
        const tc_function_param *f = &c->functions.data[i];
        if (f->param == param && f->offset + 8 <= size) {
            uint64_t v = function_bits(vm, i);
            memcpy(bytes + f->offset, &v, 8);
        }
    }
}

// A float that no contract names: some number that is neither zero nor one.
static uint64_t float_param(const tc_vm *vm, uint32_t param, uint64_t size) {
    double x = 0.5 + (double)((vm->launch->seed + param) % 7) / 4;
    return tc_float_put(x, size == 8 ? TC_F64 : size == 2 ? TC_F16 : TC_F32);
}

static void set_params(tc_vm *vm, tc_reg *r) {
    const tc_program *p = vm->p;
    for (uint32_t k = 0; k < p->param_reg.len; k++) {
        uint32_t reg = p->param_reg.data[k];
        if (reg == TC_NONE)
            continue;
        const tc_type *t = k < p->kernel->nparams ? p->kernel->params[k].type : NULL;
        const tc_scalar *s = tc_contract_scalar(vm->contract, k, 0);
        const tc_object_contract *o = tc_contract_object(vm->contract, k, 0);
        const tc_function_param *f = tc_contract_function(vm->contract, k, 0);
        if (f)
            set(&r[reg], function_bits(vm, (size_t)(f - vm->contract->functions.data)));
        else if (o)
            set(&r[reg], pointer_bits(vm, (uint32_t)(o - vm->contract->objects.data)));
        else if (s)
            scalar_bits(s, vm->launch->scalars[s - vm->contract->scalars.data], &r[reg]);
        else if (t && t->kind == TC_TY_FLOAT)
            set(&r[reg], float_param(vm, k, t->size));
        else
            r[reg].mark = TC_MARK_UNKNOWN;
    }
}

// Floats inside of structures get numbers too.
static void fill_floats(const tc_vm *vm, uint32_t param, const tc_type *t, uint64_t at, unsigned char *bytes,
                        uint64_t size) {
    if (t->kind == TC_TY_FLOAT && at + t->size <= size && t->size <= 8) {
        uint64_t v = float_param(vm, param + (uint32_t)at, t->size);
        memcpy(bytes + at, &v, t->size);
    } else if (t->kind == TC_TY_STRUCT) {
        for (size_t i = 0; i < t->nfields; i++)
            fill_floats(vm, param, t->fields[i].type, at + t->fields[i].offset, bytes, size);
    } else if (t->kind == TC_TY_ARRAY) {
        for (uint64_t i = 0; i < t->count && i < 64; i++)
            fill_floats(vm, param, t->elem, at + i * t->elem->size, bytes, size);
    }
}

static void set_byval(tc_vm *vm, tc_thread *t) {
    const tc_program *p = vm->p;
    for (size_t i = 0; i < p->locals.len; i++) {
        const tc_vm_local *l = &p->locals.data[i];
        if (l->param == TC_NONE)
            continue;
        unsigned char *bytes = t->local + l->offset;
        memset(bytes, 0, l->size);
        if (l->param < p->kernel->nparams)
            fill_floats(vm, l->param, p->kernel->params[l->param].type, 0, bytes, l->size);
        fill_param(vm, l->param, bytes, l->size);
        for (uint32_t w = 0; w < (l->size + 3) / 4; w++)
            t->lshadow[l->offset / 4 + w] = (tc_lshadow){.init = 15};
        // Integers of known sign are stored as such.
        for (size_t k = 0; k < vm->contract->scalars.len; k++) {
            const tc_scalar *s = &vm->contract->scalars.data[k];
            if (s->param != l->param || s->offset + s->type->size > l->size || s->type->size < 4 || s->type->size > 8 ||
                s->offset & 3)
                continue;
            tc_reg r;
            scalar_bits(s, vm->launch->scalars[k], &r);
            tc_lshadow *sh = &t->lshadow[(l->offset + s->offset) / 4];
            sh->shadow = r.shadow;
            sh->tag = (uint8_t)s->type->size;
            if (s->type->size == 8)
                sh[1].tag = 9;
        }
    }
}

static void start_thread(tc_vm *vm, tc_block *b, uint32_t i) {
    const tc_program *p = vm->p;
    tc_thread *t = &b->threads[i];
    const uint32_t *dim = vm->launch->block;
    tc_reg *regs = t->regs;
    unsigned char *local = t->local;
    tc_lshadow *ls = t->lshadow;
    uint32_t *laps = t->laps;
    memset(t, 0, sizeof *t);
    t->laps = laps ? laps : TC_NEW_ARRAY(vm->arena, uint32_t, p->loops.len + 1);
    memset(t->laps, 0, p->loops.len * sizeof *laps);
    t->regs = regs ? regs : tc_alloc_array(vm->arena, p->nregs + 1, sizeof *regs);
    memcpy(t->regs, vm->template, p->nregs * sizeof *regs);
    if (p->local_bytes) {
        t->local = local ? local : tc_alloc(vm->arena, p->local_bytes + 16);
        t->lshadow = ls ? ls : tc_alloc_array(vm->arena, p->local_bytes / 4 + 4, sizeof *ls);
        if (ls)
            memset(ls, 0, (p->local_bytes / 4 + 4) * sizeof *ls);
        set_byval(vm, t);
    }
    t->linear = (uint16_t)i;
    t->lane = (uint16_t)(i % 32);
    t->idx[0] = i % dim[0];
    t->idx[1] = i / dim[0] % dim[1];
    t->idx[2] = i / dim[0] / dim[1];
    uint32_t lane = i % 32, below = lane ? (UINT32_C(1) << lane) - 1 : 0, me = UINT32_C(1) << lane;
    for (int d = 0; d < 3; d++) {
        set(&t->regs[TC_SLOT_TID + d], t->idx[d]);
        set(&t->regs[TC_SLOT_CTAID + d], b->idx[d]);
    }
    set(&t->regs[TC_SLOT_LANE], lane);
    set(&t->regs[TC_SLOT_WARP], i / 32);
    set(&t->regs[TC_SLOT_MASKS], below);
    set(&t->regs[TC_SLOT_MASKS + 1], below | me);
    set(&t->regs[TC_SLOT_MASKS + 2], me);
    set(&t->regs[TC_SLOT_MASKS + 3], ~below);
    set(&t->regs[TC_SLOT_MASKS + 4], ~(below | me));
    t->pc = p->code.data;
    t->base = t->clock = b->time;
}

// ---- blocks ----

tc_block *tc_vm_block(tc_vm *vm, uint32_t number) {
    for (size_t i = 0; i < vm->blocks.len; i++)
        if (vm->blocks.data[i]->number == number && !vm->blocks.data[i]->done)
            return vm->blocks.data[i];
    return NULL;
}

static uint64_t linear_of(const tc_vm *vm, uint32_t number) {
    return vm->partial ? vm->chosen.data[number] : number;
}

void tc_vm_block_index(const tc_vm *vm, uint32_t number, uint32_t *idx) {
    uint64_t k = linear_of(vm, number);
    const uint32_t *grid = vm->launch->grid;
    idx[0] = (uint32_t)(k % grid[0]);
    idx[1] = (uint32_t)(k / grid[0] % grid[1]);
    idx[2] = (uint32_t)(k / grid[0] / grid[1]);
}

static bool is_chosen(const tc_vm *vm, const tc_block *b, const tc_thread *t) {
    if (!vm->partial)
        return true;
    for (size_t i = 0; i < vm->launch->nonly; i++)
        if (memcmp(vm->launch->only[i], b->idx, sizeof b->idx) == 0 &&
            memcmp(vm->launch->only[i] + 3, t->idx, sizeof t->idx) == 0)
            return true;
    return false;
}

static tc_block *start_block(tc_vm *vm, uint32_t number) {
    tc_block *b = NULL;
    for (size_t i = 0; i < vm->blocks.len && !b; i++)
        if (vm->blocks.data[i]->done && !vm->p->grid_sync)
            b = vm->blocks.data[i]; // its memory is used again
    if (!b) {
        b = TC_NEW(vm->arena, tc_block);
        b->threads = TC_NEW_ARRAY(vm->arena, tc_thread, vm->nthreads);
        tc_push(vm->arena, &vm->blocks, b);
    }
    if (vm->block == b)
        tc_mem_switch(vm, NULL);
    b->done = false;
    b->number = number;
    b->linear = linear_of(vm, number);
    b->time = 1;
    b->spins = 0;
    b->drew = b->at_grid = false;
    memset(b->barriers, 0, sizeof b->barriers);
    b->sync = (tc_map){0};
    tc_vm_block_index(vm, number, b->idx);
    tc_mem_block(vm, b);
    tc_own_block(vm, b);
    b->live = 0;
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        start_thread(vm, b, i);
        tc_thread *t = &b->threads[i];
        t->absent = !is_chosen(vm, b, t);
        if (t->absent)
            t->state = TC_TS_EXITED;
        else
            b->live++;
    }
    b->expected = b->live;
    b->whole = b->live == vm->nthreads;
    return b;
}

static void exit_thread(tc_vm *vm, tc_block *b, tc_thread *t) {
    t->state = TC_TS_EXITED;
    b->live--;
    tc_clock_drop(vm, t);
    tc_sync_exited(vm, t);
}

// Until it stops or steps reach `end`. False when the run is over.
static bool run_thread(tc_vm *vm, tc_block *b, tc_thread *t, uint64_t end, bool *moved) {
    const tc_insn *from = t->pc;
    vm->thread = t;
    vm->slice_end = end < vm->limit ? end : vm->limit;
    tc_stop stop = tc_vm_run_thread(vm, t);
    if (stop == TC_STOP_HALT || vm->halted)
        return false;
    if (stop == TC_STOP_EXIT)
        exit_thread(vm, b, t);
    if (stop == TC_STOP_SLICE && vm->lockstep > 1)
        tc_lockstep_jumped(vm, t, from);
    if (stop == TC_STOP_EXIT || stop == TC_STOP_WAIT)
        *moved = true;
    else if (vm->steps >= vm->limit) {
        tc_vm_stop(vm, "the step limit of %llu instructions", (unsigned long long)vm->limit);
        return false;
    }
    return true;
}

static bool run_threads(tc_vm *vm, tc_block *b, bool *ran, bool *moved) {
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        if (b->threads[i].state != TC_TS_READY)
            continue;
        *ran = true;
        if (!run_thread(vm, b, &b->threads[i], vm->steps + SLICE, moved))
            return false;
    }
    return true;
}

// In lock-step: each thread of a group to its next access or jump, as long as some can go on.
static bool run_groups(tc_vm *vm, tc_block *b, bool *ran, bool *moved) {
    tc_thread *step[MOST_IN_STEP];
    for (uint32_t first = 0; first < vm->nthreads; first += vm->lockstep) {
        const uint64_t end = vm->steps + SLICE;
        for (size_t n; vm->steps < end && (n = tc_lockstep_pick(vm, b, first, step)) > 0;) {
            *ran = true;
            for (size_t i = 0; i < n; i++)
                if (!run_thread(vm, b, step[i], vm->steps, moved))
                    return false;
        }
    }
    return true;
}

typedef enum turn { TURN_DONE, TURN_ASIDE, TURN_SPINS, TURN_HALT } turn;

// Runs b until it is done, is put aside, or all its threads that could run have used up several slices in vain.
static turn run_block(tc_vm *vm, tc_block *b) {
    tc_mem_switch(vm, b);
    tc_own_switch(vm, b);
    for (uint64_t idle = 0;;) {
        bool ran = false, moved = false;
        bool goes_on = vm->lockstep > 1 ? run_groups(vm, b, &ran, &moved) : run_threads(vm, b, &ran, &moved);
        if (!goes_on)
            return TURN_HALT;
        if (!ran) {
            if (b->live == 0) {
                b->done = true;
                return TURN_DONE;
            }
            if (!b->at_grid && !tc_sync_at_grid(vm, b)) {
                if (!tc_sync_stuck(vm, b))
                    return TURN_HALT;
                continue;
            }
            b->at_grid = true;
            return TURN_ASIDE;
        }
        if (b->drew && b->live > 0 && vm->blocks.len < MOST_IN_TURN) {
            b->drew = false;
            return TURN_ASIDE;
        }
        idle = moved ? 0 : idle + 1;
        if (idle >= 20)
            return TURN_SPINS;
    }
}

static void choose_blocks(tc_vm *vm) {
    const tc_launch *l = vm->launch;
    tc_map seen = {0};
    for (size_t i = 0; i < l->nonly; i++) {
        const uint32_t *o = l->only[i];
        uint64_t k = o[0] + (uint64_t)l->grid[0] * (o[1] + (uint64_t)l->grid[1] * o[2]);
        if (tc_map_has(&seen, k))
            continue;
        tc_map_put(vm->arena, &seen, k, vm);
        tc_push(vm->arena, &vm->chosen, k);
    }
}

// Of those that were put aside, in turn; NULL: all are done, or wait at the barrier of the grid.
static tc_block *next_aside(tc_vm *vm, size_t *turn_of) {
    size_t n = vm->blocks.len, i = 0;
    while (i < n && (vm->blocks.data[(*turn_of + i) % n]->done || vm->blocks.data[(*turn_of + i) % n]->at_grid))
        i++;
    if (i == n)
        return NULL;
    tc_block *b = vm->blocks.data[(*turn_of + i) % n];
    *turn_of = (*turn_of + i + 1) % n;
    return b;
}

static bool any_at_grid(const tc_vm *vm) {
    for (size_t i = 0; i < vm->blocks.len; i++)
        if (vm->blocks.data[i]->at_grid)
            return true;
    return false;
}

// Blocks whose threads are kept while they wait.
static bool are_too_many(const tc_vm *vm) {
    uint64_t thread = (uint64_t)vm->p->nregs * sizeof(tc_reg) + 5 * (uint64_t)vm->p->local_bytes;
    return vm->blocks.len > MOST_WAITING || vm->blocks.len * vm->nthreads > MOST_BYTES_WAITING / (thread + 1);
}

bool tc_vm_takes_turns(const tc_vm *vm) { return vm->p->fine_sync && vm->launch->seed & 1; }

// Where blocks may hand on something: in some launches the last one comes first.
static bool is_backwards(const tc_vm *vm, uint64_t total) { return vm->p->fine_sync && vm->launch->seed & 2 && total <= MOST_IN_TURN; }

static void run_grid(tc_vm *vm) {
    const tc_launch *l = vm->launch;
    uint64_t total = vm->partial ? vm->chosen.len : (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    const bool backwards = is_backwards(vm, total);
    uint64_t next = 0;
    tc_block *b = NULL;
    size_t turn_of = 0;
    if (total > UINT32_MAX - 1) {
        tc_vm_stop(vm, "the grid has too many blocks to be run");
        return;
    }
    for (;;) {
        if (!b && next < total) {
            b = start_block(vm, (uint32_t)(backwards ? total - 1 - next : next));
            next++;
        }
        if (!b)
            b = next_aside(vm, &turn_of);
        if (!b && any_at_grid(vm)) {
            tc_sync_grid(vm);
            if (vm->halted)
                return;
            continue;
        }
        if (!b)
            return;
        turn r = run_block(vm, b);
        if (r == TURN_HALT)
            return;
        b = NULL;
        if (are_too_many(vm)) {
            tc_vm_stop(vm, "too many blocks wait for each other");
            return;
        }
    }
}

void tc_interp_run(tc_arena *a, tc_program *p, const tc_launch *l, const tc_options *o, size_t max_faults,
                   tc_faults *out, tc_run_stats *stats) {
    *stats = (tc_run_stats){0};
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    if (threads == 0 || threads > 4096) {
        stats->stopped = "a block of no or more than 4096 threads";
        return;
    }
    tc_arena *run = tc_arena_new(tc_arena_trap(a));
    tc_vm *vm = TC_NEW(run, tc_vm);
    vm->arena = run;
    vm->out_arena = a;
    vm->p = p;
    vm->launch = l;
    vm->options = o;
    vm->contract = p->contract;
    vm->faults = out;
    vm->given = out->len;
    vm->max_faults = max_faults ? max_faults : 64;
    vm->stats = stats;
    vm->nthreads = (uint32_t)threads;
    vm->limit = l->max_steps ? l->max_steps : DEFAULT_LIMIT;
    size_t room = tc_trap_room(tc_arena_trap(a));
    vm->room = room == SIZE_MAX ? 0 : room / 2;
    vm->partial = l->nonly > 0;
    vm->lockstep = p->contract->lockstep > 1 ? p->contract->lockstep : 0;
    vm->keep_readers = p->fine_sync || vm->lockstep;
    tc_push(run, &vm->marks, ((tc_mark){0})); // TC_MARK_NONE and so on
    tc_push(run, &vm->marks, ((tc_mark){.uninit = 1}));
    tc_push(run, &vm->marks, ((tc_mark){.unknown = true}));
    vm->template = make_template(vm);
    set_params(vm, vm->template);
    tc_mem_init(vm);
    tc_own_init(vm);
    if (vm->partial)
        choose_blocks(vm);
    if (!vm->halted)
        run_grid(vm);
    stats->complete = !vm->halted && !vm->partial;
    if (stats->complete)
        tc_mem_finish(vm);
    if (stats->breaks_assume)
        out->len = vm->given;
    stats->steps = vm->steps;
    stats->accesses = vm->accesses;
    tc_arena_free(run);
}
