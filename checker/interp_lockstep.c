// lockstep=N: the threads of a group execute an instruction together, and then the next one.
//
// A thread pauses before each access and behind each jump. Of a group's threads those go on that are behind all others in the
// program's order: in an earlier iteration of a loop that they are in, or earlier in the text. Those at one place go
// together, and are one step: what they touch in it is in no order, what any of the group touched in an earlier one came
// before. Of two sides of a branch the first in the text goes first.
#include "checker/interp_vm.h"

// ---- loops of the code ----

static bool is_jump(uint16_t op) {
    return op == TC_OP_JMP || op == TC_OP_BR || op == TC_OP_SWITCH || (op >= TC_OP_BR_EQ32 && op <= TC_OP_BR_ULE32);
}

static void add_loop(tc_program *p, uint32_t head, uint32_t end) {
    for (size_t i = 0; i < p->loops.len; i++) {
        tc_code_loop *l = &p->loops.data[i];
        if (l->head == head) {
            l->end = end > l->end ? end : l->end;
            return;
        }
    }
    tc_push(p->arena, &p->loops, ((tc_code_loop){head, end}));
    for (size_t i = p->loops.len - 1; i > 0 && p->loops.data[i - 1].head > head; i--) {
        tc_code_loop l = p->loops.data[i];
        p->loops.data[i] = p->loops.data[i - 1];
        p->loops.data[i - 1] = l;
    }
}

static void add_jump(tc_program *p, uint32_t from, uint32_t to) {
    if (to <= from)
        add_loop(p, to, from);
}

// One that begins in another ends in it too.
static void nest(tc_program *p) {
    for (size_t i = p->loops.len; i-- > 0;)
        for (size_t k = i + 1; k < p->loops.len; k++) {
            tc_code_loop *outer = &p->loops.data[i];
            const tc_code_loop *inner = &p->loops.data[k];
            if (inner->head <= outer->end && inner->end > outer->end)
                outer->end = inner->end;
        }
}

void tc_lockstep_loops(tc_program *p) {
    for (uint32_t i = 0; i < p->code.len; i++) {
        const tc_insn *in = &p->code.data[i];
        if (in->op == TC_OP_SWITCH) {
            const tc_switch *s = &p->switches.data[in->x];
            add_jump(p, i, s->otherwise);
            for (uint32_t k = 0; k < s->n; k++)
                add_jump(p, i, s->targets[k]);
        } else if (is_jump(in->op)) {
            add_jump(p, i, in->d);
            if (in->op != TC_OP_JMP)
                add_jump(p, i, in->c);
        }
    }
    nest(p);
}

// ---- places in the program ----

static uint32_t position(const tc_vm *vm, const tc_thread *t) { return (uint32_t)(t->pc - vm->p->code.data); }

static bool is_in(const tc_code_loop *l, uint32_t pc) { return l->head <= pc && pc <= l->end; }

// -1, 0, 1: a is behind b, at the same place, before it.
static int compare(const tc_vm *vm, const tc_thread *a, const tc_thread *b) {
    const uint32_t x = position(vm, a), y = position(vm, b);
    for (size_t i = 0; i < vm->p->loops.len; i++) {
        const tc_code_loop *l = &vm->p->loops.data[i];
        if (is_in(l, x) && is_in(l, y) && a->laps[i] != b->laps[i])
            return a->laps[i] < b->laps[i] ? -1 : 1;
    }
    return x == y ? 0 : x < y ? -1 : 1;
}

size_t tc_lockstep_pick(tc_vm *vm, tc_block *b, uint32_t first, tc_thread **out) {
    size_t n = 0;
    for (uint32_t i = first; i < first + vm->lockstep && i < vm->nthreads; i++) {
        tc_thread *t = &b->threads[i];
        if (t->state != TC_TS_READY)
            continue;
        const int c = n ? compare(vm, t, out[0]) : 0;
        if (c < 0)
            n = 0;
        if (c <= 0)
            out[n++] = t;
    }
    if (n == 0)
        return 0;
    const uint32_t now = ++b->time;
    for (size_t i = 0; i < n; i++)
        out[i]->clock = out[i]->step = now;
    const uint16_t op = out[0]->pc->op;
    vm->step_copies = op == TC_OP_MEMCPY || op == TC_OP_MEMSET || op == TC_OP_CP_ASYNC;
    return n;
}

void tc_lockstep_jumped(const tc_vm *vm, tc_thread *t, const tc_insn *from) {
    while (!is_jump(from->op))
        from++;
    const uint32_t x = (uint32_t)(from - vm->p->code.data), y = position(vm, t);
    for (size_t i = 0; i < vm->p->loops.len; i++) {
        const tc_code_loop *l = &vm->p->loops.data[i];
        if (!is_in(l, x) || !is_in(l, y))
            t->laps[i] = 0;
        else if (y == l->head)
            t->laps[i]++;
    }
}

// ---- order ----

bool tc_lockstep_same_group(const tc_vm *vm, const tc_thread *t, uint32_t thread) {
    return vm->lockstep > 1 && thread / vm->lockstep == t->linear / vm->lockstep;
}
