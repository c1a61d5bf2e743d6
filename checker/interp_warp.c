// What the lanes of a warp do together. A warp is 32 threads of consecutive linear numbers; lanes that do not exist
// count as exited. An operation is done when all lanes that its mask names and that are still there wait at the same
// instruction.
#include <string.h>

#include "checker/interp_vm.h"

static tc_thread *lane_of(const tc_vm *vm, const tc_block *b, uint32_t warp, uint32_t lane) {
    uint32_t i = warp * 32 + lane;
    return i < vm->nthreads ? &b->threads[i] : NULL;
}

static bool is_there(const tc_thread *t) {
    return t && t->state != TC_TS_EXITED;
}

static bool same_operation(const tc_thread *a, const tc_thread *b) {
    if (b->state != TC_TS_WARP || b->mask != a->mask)
        return false;
    // __syncwarp may stand at different places; what exchanges values may not.
    return a->pc == b->pc || (a->pc->op == TC_OP_SYNCWARP && b->pc->op == TC_OP_SYNCWARP);
}

static uint32_t waiting_with(const tc_vm *vm, const tc_block *b, const tc_thread *t) {
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < 32; l++) {
        const tc_thread *o = lane_of(vm, b, t->linear / 32, l);
        if (o && same_operation(t, o) && (t->mask >> l & 1 || o == t))
            lanes |= 1u << l;
    }
    return lanes;
}

// Those who ask for the active mask at one place come along together.
static uint32_t waiting_with_any(const tc_vm *vm, const tc_block *b, const tc_thread *t) {
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < 32; l++) {
        const tc_thread *o = lane_of(vm, b, t->linear / 32, l);
        if (o && o->state == TC_TS_WARP && o->mask == 0 && o->pc == t->pc)
            lanes |= 1u << l;
    }
    return lanes;
}

// Lanes of the mask that will not come: they have exited or do not exist.
static uint32_t gone(const tc_vm *vm, const tc_block *b, const tc_thread *t) {
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < 32; l++)
        if (!is_there(lane_of(vm, b, t->linear / 32, l)))
            lanes |= 1u << l;
    return lanes;
}

// ---- the operations; `lanes` take part ----

static uint32_t mark_all(tc_vm *vm, const tc_block *b, uint32_t warp, uint32_t lanes, uint32_t reg_of) {
    uint32_t m = 0;
    for (uint32_t l = 0; l < 32; l++)
        if (lanes >> l & 1) {
            const tc_thread *t = lane_of(vm, b, warp, l);
            m = tc_mark_union(vm, m, TC_MARK(&t->regs[reg_of]));
        }
    return m;
}

// PTX ISA, "shfl.sync": the lane that lane l reads from, and whether it is in range.
static bool source_lane(tc_shuffle_mode mode, uint32_t l, uint64_t b, uint64_t c, uint32_t *from) {
    uint32_t bval = b & 31, cval = c & 31, segmask = (uint32_t)(c >> 8) & 31;
    uint32_t max = (l & segmask) | (cval & ~segmask & 31), min = l & segmask;
    int64_t j;
    bool ok;
    switch (mode) {
    case TC_SHFL_UP:
        j = (int64_t)l - bval;
        ok = j >= (int64_t)max;
        break;
    case TC_SHFL_DOWN:
        j = (int64_t)l + bval;
        ok = j <= (int64_t)max;
        break;
    case TC_SHFL_BFLY:
        j = l ^ bval;
        ok = j <= (int64_t)max;
        break;
    default:
        j = min | (bval & ~segmask);
        ok = j <= (int64_t)max;
    }
    *from = ok ? (uint32_t)j : l;
    return ok;
}

static void shuffle(tc_vm *vm, tc_block *b, const tc_insn *in, uint32_t warp, uint32_t lanes) {
    tc_reg values[32] = {0};
    for (uint32_t l = 0; l < 32; l++)
        if (lanes >> l & 1)
            values[l] = lane_of(vm, b, warp, l)->regs[in->b];
    for (uint32_t l = 0; l < 32; l++) {
        if (!(lanes >> l & 1))
            continue;
        tc_thread *t = lane_of(vm, b, warp, l);
        const tc_reg *lane = &t->regs[in->c], *control = &t->regs[in->x];
        uint32_t from;
        bool ok = source_lane((tc_shuffle_mode)(in->w & 15), l, lane->bits, control->bits, &from);
        tc_reg r = values[from];
        if (!(lanes >> from & 1)) {
            tc_fault f = {0};
            const tc_thread *o = lane_of(vm, b, warp, from);
            if (o) {
                f.two = true;
                memcpy(f.other_block, b->idx, sizeof f.other_block);
                memcpy(f.other_thread, o->idx, sizeof f.other_thread);
                tc_vm_other(vm, &f, o->state == TC_TS_EXITED ? o->last_place : tc_place_of(vm, o->pc));
            }
            const char *why = !o                         ? "which does not exist"
                              : o->state == TC_TS_EXITED ? "which has returned"
                              : !(t->mask >> from & 1)   ? "which the mask does not name"
                                                         : "which is elsewhere";
            if (b->whole)
                tc_vm_fault(vm, t, "TC3004", tc_place_of(vm, in), &f, "lane %u takes a value from lane %u, %s", l, from,
                            why);
            r = (tc_reg){.mark = tc_mark_make(vm, (tc_mark){.unknown = true})};
        }
        uint32_t m = tc_mark_union(vm, TC_MARK(lane), TC_MARK(control));
        if (m)
            r.mark = tc_mark_union(vm, TC_MARK(&r), m) | TC_SPREAD(&r) << 24;
        t->regs[in->d] = r;
        if (in->w & 16)
            t->regs[in->d + 1] = (tc_reg){.bits = ok};
    }
}

static uint64_t vote_value(const tc_vm *vm, const tc_block *b, const tc_insn *in, uint32_t warp, uint32_t lanes,
                           uint32_t me) {
    const uint32_t v = in->b;
    uint64_t mine = v == TC_NONE ? 0 : lane_of(vm, b, warp, me)->regs[v].bits;
    uint32_t ballot = 0, equal = 0;
    uint64_t sum = 0, all_and = UINT64_MAX, all_or = 0, all_xor = 0, umin = UINT64_MAX, umax = 0;
    int64_t smin = INT64_MAX, smax = INT64_MIN;
    for (uint32_t l = 0; l < 32 && v != TC_NONE; l++) {
        if (!(lanes >> l & 1))
            continue;
        uint64_t x = lane_of(vm, b, warp, l)->regs[v].bits;
        int64_t s = (int32_t)x;
        ballot |= (x != 0 ? 1u : 0u) << l;
        equal |= (x == mine ? 1u : 0u) << l;
        sum += x;
        all_and &= x;
        all_or |= x;
        all_xor ^= x;
        umin = x < umin ? x : umin;
        umax = x > umax ? x : umax;
        smin = s < smin ? s : smin;
        smax = s > smax ? s : smax;
    }
    switch ((tc_vote_mode)in->x) {
    case TC_VOTE_ANY:
        return ballot != 0;
    case TC_VOTE_ALL:
        return ballot == lanes;
    case TC_VOTE_UNI:
        return ballot == lanes || ballot == 0;
    case TC_VOTE_BALLOT:
        return ballot;
    case TC_VOTE_ACTIVEMASK:
        return lanes;
    case TC_VOTE_MATCH_ANY:
        return equal;
    case TC_VOTE_MATCH_ALL:
        return equal == lanes ? lanes : 0;
    case TC_VOTE_REDUX_ADD:
        return sum & 0xffffffffu;
    case TC_VOTE_REDUX_MIN:
        return (uint32_t)smin;
    case TC_VOTE_REDUX_MAX:
        return (uint32_t)smax;
    case TC_VOTE_REDUX_UMIN:
        return umin;
    case TC_VOTE_REDUX_UMAX:
        return umax;
    case TC_VOTE_REDUX_AND:
        return all_and & 0xffffffffu;
    case TC_VOTE_REDUX_OR:
        return all_or;
    case TC_VOTE_REDUX_XOR:
        return all_xor;
    case TC_VOTE_ELECT: // any would do, and the same each time
        return (uint64_t)(unsigned)__builtin_ctz(lanes);
    }
    return 0;
}

static void vote(tc_vm *vm, tc_block *b, const tc_insn *in, uint32_t warp, uint32_t lanes) {
    uint64_t results[32];
    uint32_t m = in->b == TC_NONE ? 0 : mark_all(vm, b, warp, lanes, in->b);
    for (uint32_t l = 0; l < 32; l++)
        if (lanes >> l & 1)
            results[l] = vote_value(vm, b, in, warp, lanes, l);
    bool is_bool = in->x == TC_VOTE_ANY || in->x == TC_VOTE_ALL || in->x == TC_VOTE_UNI;
    bool reduced = in->x >= TC_VOTE_REDUX_ADD && in->x <= TC_VOTE_REDUX_XOR;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(lanes >> l & 1))
            continue;
        tc_reg r = {.bits = results[l], .mark = m};
        if (!is_bool && reduced && results[l] >> 31) {
            r.hi = -1;
            r.mark |= 1u << 24;
        }
        tc_thread *t = lane_of(vm, b, warp, l);
        t->regs[in->d] = r;
        if (in->x == TC_VOTE_MATCH_ALL)
            t->regs[in->d + 1] = (tc_reg){.bits = results[l] != 0, .mark = m};
        if (in->x == TC_VOTE_ELECT)
            t->regs[in->d + 1] = (tc_reg){.bits = results[l] == l};
    }
}

void tc_warp_run(tc_vm *vm, tc_block *b, const tc_insn *in, uint32_t warp, uint32_t lanes) {
    tc_thread *ts[32];
    size_t n = 0;
    for (uint32_t l = 0; l < 32; l++)
        if (lanes >> l & 1)
            ts[n++] = lane_of(vm, b, warp, l);
    if (in->op == TC_OP_SHUFFLE)
        shuffle(vm, b, in, warp, lanes);
    else if (in->op == TC_OP_VOTE)
        vote(vm, b, in, warp, lanes);
    else if (in->op == TC_OP_MATRIX)
        tc_matrix_run(vm, b, in, warp, lanes);
    else
        tc_clock_join(vm, ts, n);
    for (size_t i = 0; i < n; i++) {
        ts[i]->state = TC_TS_READY;
        ts[i]->pc++;
    }
}

// ---- arriving ----

tc_stop tc_exec_warp(tc_vm *vm, tc_thread *t, const tc_insn *in) {
    tc_block *b = vm->block;
    uint32_t warp = t->linear / 32, place = tc_place_of(vm, in);
    bool active = in->op == TC_OP_VOTE && in->x == TC_VOTE_ACTIVEMASK;
    t->pc = in;
    t->state = TC_TS_WARP;
    t->mask = active ? 0 : (uint32_t)t->regs[in->a].bits;
    if (active) // the lanes that come along are known when the warp cannot go on
        return TC_STOP_WAIT;
    if (TC_MARK(&t->regs[in->a]))
        tc_vm_marked(vm, t, TC_MARK(&t->regs[in->a]), place, "mask");
    if (!(t->mask >> t->lane & 1)) {
        tc_fault f = {0};
        tc_vm_fault(vm, t, "TC3004", place, &f, "lane %u is not in its own mask 0x%x", (unsigned)t->lane, t->mask);
        tc_warp_run(vm, b, in, warp, 1u << t->lane);
        return TC_STOP_WAIT;
    }
    uint32_t lanes = waiting_with(vm, b, t);
    if ((t->mask & ~lanes & ~gone(vm, b, t)) == 0)
        tc_warp_run(vm, b, in, warp, lanes);
    return TC_STOP_WAIT;
}

// A lane has exited: the others may have waited for nothing else.
void tc_sync_exited(tc_vm *vm, tc_thread *gone_thread) {
    tc_block *b = vm->block;
    uint32_t warp = gone_thread->linear / 32;
    for (uint32_t l = 0; l < 32; l++) {
        tc_thread *t = lane_of(vm, b, warp, l);
        if (!t || t->state != TC_TS_WARP || t->mask == 0)
            continue;
        uint32_t lanes = waiting_with(vm, b, t);
        if ((t->mask & ~lanes & ~gone(vm, b, t)) == 0)
            tc_warp_run(vm, b, t->pc, warp, lanes);
    }
}

static bool any_ready(const tc_vm *vm, const tc_block *b, uint32_t warp) {
    for (uint32_t l = 0; l < 32; l++) {
        const tc_thread *t = lane_of(vm, b, warp, l);
        if (t && t->state == TC_TS_READY)
            return true;
    }
    return false;
}

static void report_lanes(tc_vm *vm, tc_block *b, tc_thread *t, uint32_t lanes) {
    uint32_t missing = t->mask & ~lanes & ~gone(vm, b, t);
    uint32_t lane = missing ? (uint32_t)__builtin_ctz(missing) : 0;
    const tc_thread *o = lane_of(vm, b, t->linear / 32, lane);
    tc_fault f = {0};
    if (o) {
        f.two = true;
        memcpy(f.other_block, b->idx, sizeof f.other_block);
        memcpy(f.other_thread, o->idx, sizeof f.other_thread);
        tc_vm_other(vm, &f, tc_place_of(vm, o->pc));
    }
    bool sync = t->pc->op == TC_OP_SYNCWARP || t->pc->op == TC_OP_MATRIX;
    if (b->whole)
        tc_vm_fault(vm, t, sync ? "TC3002" : "TC3004", tc_place_of(vm, t->pc), &f,
                    "lane %u is named in the mask 0x%x and does not come: it waits elsewhere", lane, t->mask);
}

// Called when no thread of the block can go on.
bool tc_warp_stuck(tc_vm *vm, tc_block *b) {
    for (uint32_t i = 0; i < vm->nthreads; i++) { // first those who only ask who is there
        tc_thread *t = &b->threads[i];
        if (t->state == TC_TS_WARP && t->mask == 0 && !any_ready(vm, b, i / 32)) {
            tc_warp_run(vm, b, t->pc, i / 32, waiting_with_any(vm, b, t));
            return true;
        }
    }
    for (uint32_t i = 0; i < vm->nthreads; i++) {
        tc_thread *t = &b->threads[i];
        if (t->state != TC_TS_WARP)
            continue;
        uint32_t lanes = waiting_with(vm, b, t);
        report_lanes(vm, b, t, lanes);
        tc_warp_run(vm, b, t->pc, i / 32, lanes);
        return true;
    }
    return false;
}
