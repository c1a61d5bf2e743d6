// From a kernel's IR to flat register code: functions, blocks, registers, places.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/demangle.h"
#include "checker/interp_decode.h"

enum { MAX_DEPTH = 64 };

// ---- code ----

static bool is_access(tc_vm_op op) {
    switch (op) {
    case TC_OP_LOADV:
    case TC_OP_STOREV:
    case TC_OP_MEMCPY:
    case TC_OP_MEMSET:
    case TC_OP_ATOMIC:
    case TC_OP_FENCE:
    case TC_OP_NAMED:
    case TC_OP_CP_ASYNC:
        return true;
    default:
        return op >= TC_OP_LOAD8 && op <= TC_OP_STORE64;
    }
}

uint32_t tc_emit_at(tc_decoder *d, uint32_t place, tc_vm_op op, unsigned w, uint32_t rd, uint32_t a, uint32_t b,
                    uint32_t c, uint32_t x) {
    if (d->p->contract->lockstep > 1 && is_access(op))
        tc_emit_at(d, place, TC_OP_STEP, 0, 0, 0, 0, 0, 0);
    if (d->p->code.len >= TC_MAX_CODE) {
        d->why = "the kernel is too large to be run";
        return 0;
    }
    tc_push(d->a, &d->p->code, ((tc_insn){(uint16_t)op, (uint16_t)w, rd, a, b, c, x}));
    tc_push(d->a, &d->p->place, place);
    return (uint32_t)d->p->code.len - 1;
}

uint32_t tc_emit(tc_decoder *d, tc_vm_op op, unsigned w, uint32_t rd, uint32_t a, uint32_t b, uint32_t c, uint32_t x) {
    return tc_emit_at(d, tc_place_here(d, NULL), op, w, rd, a, b, c, x);
}

uint32_t tc_text_index(tc_decoder *d, const char *text) {
    tc_push(d->a, &d->p->texts, text);
    return (uint32_t)d->p->texts.len - 1;
}

void tc_emit_stop(tc_decoder *d, const char *format, ...) {
    char text[400];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    tc_emit(d, TC_OP_STOP, 0, 0, 0, 0, 0, tc_text_index(d, tc_strdup(d->a, text)));
}

uint32_t tc_label_new(tc_decoder *d) {
    tc_push(d->a, &d->labels, TC_NONE);
    return (uint32_t)d->labels.len - 1;
}

void tc_label_here(tc_decoder *d, uint32_t label) {
    d->labels.data[label] = (uint32_t)d->p->code.len;
}

// IR instructions since the last jump, and this one.
static uint32_t take_pending(tc_decoder *d) {
    uint32_t n = d->pending;
    d->pending = 0;
    return n;
}

// ---- registers ----

uint32_t tc_regs_new(tc_decoder *d, uint32_t n) {
    if (n < d->free_runs.len && d->free_runs.data[n].len)
        return tc_pop(&d->free_runs.data[n]);
    uint32_t r = d->top;
    d->top += n;
    if (d->top > (1u << 24))
        d->why = "the kernel needs too many registers to be run";
    return r;
}

static void release(tc_decoder *d, uint32_t reg, uint32_t n) {
    while (d->free_runs.len <= n)
        tc_push(d->a, &d->free_runs, ((tc_u32s){0}));
    tc_push(d->a, &d->free_runs.data[n], reg);
}

void tc_regs_free(tc_decoder *d, uint32_t reg, uint32_t n) {
    tc_push(d->a, &d->dying, reg);
    tc_push(d->a, &d->dying, n);
}

static void bury(tc_decoder *d, size_t from) {
    while (d->dying.len > from) {
        uint32_t n = tc_pop(&d->dying);
        uint32_t reg = tc_pop(&d->dying);
        release(d, reg, n);
    }
}

static void own(tc_decoder *d, tc_instance *in, uint32_t reg, uint32_t n) {
    tc_push(d->a, &in->owned, reg);
    tc_push(d->a, &in->owned, n);
}

// ---- values ----

uint32_t tc_leaf_count(tc_decoder *d, LLVMTypeRef type) {
    tc_layout l;
    tc_layout_of(d->a, d->td, type, &l);
    for (uint32_t i = 0; i < l.n && i < TC_MAX_LEAVES; i++)
        if (l.leaves && l.leaves[i].bits > 64)
            return TC_MAX_LEAVES + 1;
    return l.n;
}

uint32_t tc_layout_index(tc_decoder *d, LLVMTypeRef type) {
    tc_layout l;
    tc_layout_of(d->a, d->td, type, &l);
    tc_push(d->a, &d->p->layouts, l);
    return (uint32_t)d->p->layouts.len - 1;
}

tc_dval *tc_dval_new(tc_decoder *d, tc_dkind kind, uint32_t reg, uint32_t n) {
    tc_dval *v = TC_NEW(d->a, tc_dval);
    v->kind = kind;
    v->reg = reg;
    v->n = n;
    return v;
}

uint64_t tc_value_uses(LLVMValueRef v) {
    uint64_t n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        n++;
    return n;
}

bool tc_is_local_value(LLVMValueRef v) {
    LLVMBasicBlockRef b = LLVMGetInstructionParent(v);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) || LLVMGetInstructionParent(user) != b || LLVMIsAPHINode(user))
            return false;
    }
    return true;
}

static tc_dval *new_value(tc_decoder *d, LLVMValueRef v, tc_dkind kind) {
    uint32_t n = tc_leaf_count(d, LLVMTypeOf(v));
    if (n > TC_MAX_LEAVES)
        return NULL;
    tc_dval *dv = tc_dval_new(d, kind, n ? tc_regs_new(d, n) : 0, n);
    dv->uses = (uint32_t)tc_value_uses(v);
    if (kind == TC_DV_KEPT && n)
        own(d, d->inst, dv->reg, n);
    return dv;
}

void tc_bind(tc_decoder *d, LLVMValueRef v, tc_dval *dv) {
    tc_map_put(d->a, &d->inst->vals, TC_KEY(v), dv);
}

static tc_dval *undefined_value(tc_decoder *d) {
    return tc_dval_new(d, TC_DV_FIXED, tc_const_reg(d, (tc_reg){.mark = 1}), 1);
}

static tc_dval *find_value(tc_decoder *d, LLVMValueRef v) {
    tc_dval *dv = tc_map_get(&d->inst->vals, TC_KEY(v));
    if (!dv && !LLVMIsAInstruction(v))
        dv = tc_const_value(d, v);
    if (!dv) {
        tc_emit_stop(d, "a value of an unusual type");
        dv = undefined_value(d);
    }
    return dv;
}

static void take_use(tc_decoder *d, tc_dval *dv) {
    if (dv->uses > 0)
        dv->uses--;
    if (dv->uses == 0 && dv->kind == TC_DV_TEMP && dv->n) {
        tc_regs_free(d, dv->reg, dv->n);
        dv->kind = TC_DV_FIXED;
    }
}

tc_dval *tc_value(tc_decoder *d, LLVMValueRef v) {
    tc_dval *dv = find_value(d, v);
    take_use(d, dv);
    return dv;
}

void tc_retain(tc_decoder *d, LLVMValueRef v) {
    tc_dval *dv = find_value(d, v);
    dv->uses++;
    if (dv->kind == TC_DV_SEXT)
        dv->inner->uses++;
}

void tc_use_inner(tc_decoder *d, tc_dval *sext) {
    take_use(d, sext->inner);
}

tc_dval *tc_settled(tc_decoder *d, LLVMValueRef v) {
    tc_dval *dv = tc_value(d, v);
    if (dv->kind != TC_DV_SEXT)
        return dv;
    uint32_t r = tc_regs_new(d, 1);
    tc_emit(d, TC_OP_SEXT3264, 32, r, dv->inner->reg, 0, 0, 0);
    take_use(d, dv->inner);
    tc_regs_free(d, r, 1);
    return tc_dval_new(d, TC_DV_FIXED, r, 1);
}

uint32_t tc_use(tc_decoder *d, LLVMValueRef v) {
    return tc_settled(d, v)->reg;
}

void tc_slot_written(tc_decoder *d, tc_aslot *s) {
    for (size_t i = 0; i < s->aliases.len; i++) {
        tc_dval *dv = s->aliases.data[i];
        if (dv->uses == 0 || dv->kind != TC_DV_ALIAS)
            continue;
        dv->reg = tc_regs_new(d, 1);
        dv->kind = TC_DV_TEMP;
        tc_emit(d, TC_OP_MOV, 0, dv->reg, s->reg, 0, 0, 0);
    }
    s->aliases.len = 0;
}

// v's only use is a store to a promoted alloca later in its block, and nothing between looks at that: its slot.
static tc_aslot *stored_slot(tc_decoder *d, LLVMValueRef v) {
    LLVMUseRef u = LLVMGetFirstUse(v);
    if (!u || LLVMGetNextUse(u))
        return NULL;
    LLVMValueRef store = LLVMGetUser(u);
    if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != v ||
        LLVMGetInstructionParent(store) != LLVMGetInstructionParent(v))
        return NULL;
    LLVMValueRef slot = LLVMGetOperand(store, 1);
    tc_aslot *s = tc_map_get(&d->inst->slots, TC_KEY(slot));
    if (!s)
        return NULL;
    for (LLVMValueRef i = LLVMGetNextInstruction(v); i != store; i = LLVMGetNextInstruction(i))
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            if (LLVMGetOperand(i, (unsigned)k) == slot)
                return NULL;
    for (size_t i = 0; i < s->aliases.len; i++)
        if (s->aliases.data[i]->uses > 0 && s->aliases.data[i]->kind == TC_DV_ALIAS)
            return NULL;
    return s;
}

uint32_t tc_def(tc_decoder *d, LLVMValueRef v) {
    tc_dval *dv = tc_map_get(&d->inst->vals, TC_KEY(v));
    if (dv)
        return dv->reg;
    tc_aslot *s = stored_slot(d, v);
    if (s) {
        dv = tc_dval_new(d, TC_DV_FIXED, s->reg, 1);
        tc_bind(d, v, dv);
        return dv->reg;
    }
    dv = new_value(d, v, TC_DV_TEMP);
    if (!dv) {
        tc_emit_stop(d, "a value of an unusual type");
        dv = tc_dval_new(d, TC_DV_FIXED, tc_regs_new(d, 1), 1);
    }
    tc_bind(d, v, dv);
    if (dv->uses == 0 && dv->kind == TC_DV_TEMP && dv->n) {
        tc_regs_free(d, dv->reg, dv->n);
        dv->kind = TC_DV_FIXED;
    }
    return dv->reg;
}

// ---- allocas ----

static const char *variable_name(LLVMValueRef alloca) {
    size_t n;
    const char *name = LLVMGetValueName2(alloca, &n);
    return n ? name : NULL;
}

static uint32_t add_local(tc_decoder *d, const char *name, uint64_t size, uint64_t align, uint32_t param) {
    tc_program *p = d->p;
    if (size > (1u << 22) || p->local_bytes + size > (1u << 24) || p->locals.len >= TC_LOCAL_IDS - 1) {
        d->why = "the kernel needs too much local memory to be run";
        size = 0;
    }
    if (align < 4)
        align = 4; // the shadow has one piece for every four bytes
    p->local_bytes = (uint32_t)((p->local_bytes + align - 1) / align * align);
    tc_vm_local l = {name, p->local_bytes, (uint32_t)size, (uint32_t)align, param, tc_place_here(d, "local variable")};
    p->local_bytes += (uint32_t)((size + 7) / 8 * 8);
    tc_push(d->a, &p->locals, l);
    return (uint32_t)p->locals.len - 1;
}

static tc_dval *local_address(tc_decoder *d, uint32_t local) {
    tc_reg r = {.bits = (uint64_t)(TC_LOCAL_IDS + local) << TC_ADDR_SHIFT};
    return tc_dval_new(d, TC_DV_FIXED, tc_const_reg(d, r), 1);
}

// Does the slot get a value before anything looks at it, as far as the block of `from` shows?
static bool stored_first(LLVMValueRef from, LLVMValueRef slot) {
    for (LLVMValueRef i = from; i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == slot)
            return false;
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot)
            return true;
    }
    return false;
}

void tc_slot_reset(tc_decoder *d, LLVMValueRef alloca, LLVMValueRef after) {
    tc_aslot *s = tc_map_get(&d->inst->slots, TC_KEY(alloca));
    if (s) {
        tc_slot_written(d, s);
        if (stored_first(after, alloca))
            return;
        const char *name = variable_name(alloca);
        uint32_t place = tc_place_here(d, name ? tc_fmt(d->a, "variable '%s'", name) : "variable");
        tc_emit_at(d, place, TC_OP_UNINIT, 0, s->reg, 0, 0, 1, 0);
        return;
    }
    tc_dval *l = tc_map_get(&d->inst->locals, TC_KEY(alloca));
    if (l)
        tc_emit(d, TC_OP_LIFETIME, 0, 0, l->reg, 0, 0, 0);
}

static void make_allocas(tc_decoder *d, tc_instance *in) {
    for (uint32_t b = 0; b < in->f->nblocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(in->f->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            const tc_alloca_info *info = tc_map_get(&in->f->allocas, TC_KEY(i));
            if (!info)
                continue;
            d->cur = i;
            if (info->promoted) {
                tc_aslot *s = TC_NEW(d->a, tc_aslot);
                s->reg = tc_regs_new(d, 1);
                own(d, in, s->reg, 1);
                tc_map_put(d->a, &in->slots, TC_KEY(i), s);
                if (!info->has_lifetime)
                    tc_slot_reset(d, i, LLVMGetNextInstruction(i));
                continue;
            }
            uint64_t size = LLVMABISizeOfType(d->td, LLVMGetAllocatedType(i));
            LLVMValueRef count = LLVMGetOperand(i, 0);
            if (LLVMIsAConstantInt(count))
                size *= LLVMConstIntGetZExtValue(count);
            else
                tc_emit_stop(d, "a local array of variable length");
            tc_dval *addr = local_address(d, add_local(d, variable_name(i), size, LLVMGetAlignment(i), TC_NONE));
            tc_map_put(d->a, &in->locals, TC_KEY(i), addr);
            tc_bind(d, i, addr);
        }
}

// Values that outlive their block get registers before any other, so that nothing decoded later shares them.
static void make_kept_values(tc_decoder *d, tc_instance *in) {
    for (uint32_t b = 0; b < in->f->nblocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(in->f->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            d->cur = i;
            if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || tc_map_has(&in->vals, TC_KEY(i)) ||
                tc_map_has(&in->f->allocas, TC_KEY(i)) || (tc_is_local_value(i) && !LLVMIsAPHINode(i)))
                continue;
            tc_dval *dv = new_value(d, i, TC_DV_KEPT);
            if (dv)
                tc_bind(d, i, dv);
        }
}

// ---- control flow ----

typedef struct move {
    uint32_t to, from, n;
} move;

static void emit_move(tc_decoder *d, uint32_t to, uint32_t from, uint32_t n) {
    if (to == from || n == 0)
        return;
    if (n == 1)
        tc_emit(d, TC_OP_MOV, 0, to, from, 0, 0, 0);
    else
        tc_emit(d, TC_OP_MOVN, 0, to, from, 0, n, 0);
}

// The phis of `to` get their values from block `from`: all at once.
static void emit_moves(tc_decoder *d, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    TC_VEC(move) moves = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            if (LLVMGetIncomingBlock(i, k) == from) {
                tc_dval *dst = find_value(d, i);
                uint32_t src = find_value(d, LLVMGetIncomingValue(i, k))->reg;
                if (dst->reg != src && dst->n)
                    tc_push(d->a, &moves, ((move){dst->reg, src, dst->n}));
                break;
            }
    bool clash = false;
    for (size_t i = 0; i < moves.len; i++)
        for (size_t j = i + 1; j < moves.len; j++)
            clash |= moves.data[j].from < moves.data[i].to + moves.data[i].n &&
                     moves.data[i].to < moves.data[j].from + moves.data[j].n;
    for (size_t i = 0; clash && i < moves.len; i++) {
        uint32_t tmp = tc_regs_new(d, moves.data[i].n);
        tc_emit(d, TC_OP_MOVN, 0, tmp, moves.data[i].from, 0, moves.data[i].n, 0);
        tc_regs_free(d, tmp, moves.data[i].n);
        moves.data[i].from = tmp;
    }
    for (size_t i = 0; i < moves.len; i++)
        emit_move(d, moves.data[i].to, moves.data[i].from, moves.data[i].n);
}

static bool has_phis(LLVMBasicBlockRef b) {
    LLVMValueRef first = LLVMGetFirstInstruction(b);
    return first && LLVMIsAPHINode(first);
}

static uint32_t label_of(tc_decoder *d, LLVMBasicBlockRef b) {
    uint32_t n = (uint32_t)(uintptr_t)tc_map_get(&d->inst->f->index, TC_KEY(b)) - 1;
    return d->inst->labels[n];
}

// The label to jump to for an edge; edges with moves get code of their own, emitted by finish_edges.
typedef struct edge {
    LLVMBasicBlockRef from, to;
    uint32_t label;
} edge;
typedef TC_VEC(edge) edges;

static uint32_t edge_label(tc_decoder *d, edges *out, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    if (!has_phis(to))
        return label_of(d, to);
    uint32_t l = tc_label_new(d);
    tc_push(d->a, out, ((edge){from, to, l}));
    return l;
}

static void finish_edges(tc_decoder *d, const edges *es) {
    for (size_t i = 0; i < es->len; i++) {
        tc_label_here(d, es->data[i].label);
        emit_moves(d, es->data[i].from, es->data[i].to);
        tc_emit(d, TC_OP_JMP, 0, label_of(d, es->data[i].to), 0, 0, 0, 0);
    }
}

typedef struct taint_query {
    tc_decoder *d;
    tc_u32s *regs;
    LLVMBasicBlockRef join;
} taint_query;

static void collect_written(void *ctx, uint32_t block) {
    taint_query *q = ctx;
    const tc_instance *in = q->d->inst;
    for (LLVMValueRef i = LLVMGetFirstInstruction(in->f->blocks[block]); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i)) {
            const tc_aslot *s = tc_map_get(&in->slots, TC_KEY(LLVMGetOperand(i, 1)));
            if (s)
                tc_push(q->d->a, q->regs, s->reg);
        }
}

// A branch that decides values only: what it decides is marked where the ways meet. Returns the join's number + 1, or
// 0.
static uint32_t pure_join(tc_decoder *d) {
    tc_instance *in = d->inst;
    uint32_t at = in->f->ipdom[d->block];
    uint32_t known = in->joins[at];
    if (known == 0) {
        tc_join j = {0};
        j.id = (uint32_t)d->p->joins.len + 1;
        tc_push(d->a, &d->p->joins, j);
        known = in->joins[at] = j.id;
    }
    tc_u32s regs = {0};
    tc_join *j = &d->p->joins.data[known - 1];
    for (uint32_t i = 0; i < j->n; i++)
        tc_push(d->a, &regs, j->regs[i]);
    taint_query q = {d, &regs, NULL};
    tc_fninfo_region(in->f, d->block, collect_written, &q);
    if (at < in->f->nblocks) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(in->f->blocks[at]); i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i)) {
            tc_dval *dv = find_value(d, i);
            for (uint32_t k = 0; k < dv->n; k++)
                tc_push(d->a, &regs, dv->reg + k);
        }
    } else if (in->result) {
        for (uint32_t k = 0; k < in->result->n; k++)
            tc_push(d->a, &regs, in->result->reg + k);
    }
    j = &d->p->joins.data[known - 1];
    j->regs = regs.data;
    j->n = (uint32_t)regs.len;
    return known;
}

// The w of a branch.
static uint16_t branch_guards(tc_decoder *d) {
    uint32_t join = tc_fninfo_guards(d->inst->f, d->block) ? TC_GUARDS : pure_join(d);
    return join < TC_GUARDS ? (uint16_t)join : TC_GUARDS;
}

// icmp of 32-bit integers whose only use is this branch, right after it.
static bool fused_compare(LLVMValueRef cond, LLVMValueRef br) {
    if (!LLVMIsAICmpInst(cond) || LLVMGetNextInstruction(cond) != br || tc_value_uses(cond) != 1)
        return false;
    LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(cond, 0));
    return LLVMGetTypeKind(t) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(t) == 32;
}

bool tc_is_fused_compare(LLVMValueRef icmp) {
    LLVMValueRef next = LLVMGetNextInstruction(icmp);
    return next && LLVMIsABranchInst(next) && LLVMIsConditional(next) && LLVMGetCondition(next) == icmp &&
           fused_compare(icmp, next);
}

static void decode_branch(tc_decoder *d, LLVMValueRef i) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(i);
    edges es = {0};
    if (!LLVMIsConditional(i)) {
        emit_moves(d, here, LLVMGetSuccessor(i, 0));
        uint32_t to = label_of(d, LLVMGetSuccessor(i, 0));
        bool next = d->block + 1 < d->inst->f->nblocks && d->inst->f->blocks[d->block + 1] == LLVMGetSuccessor(i, 0);
        if (next && d->inst->f->npred[d->block + 1] == 1)
            return; // falls into it
        tc_emit(d, TC_OP_JMP, 0, to, 0, 0, 0, take_pending(d));
        return;
    }
    LLVMValueRef cond = LLVMGetCondition(i);
    LLVMBasicBlockRef yes_block = LLVMGetSuccessor(i, 0), no_block = LLVMGetSuccessor(i, 1);
    if (yes_block == no_block) {
        tc_value(d, cond);
        emit_moves(d, here, yes_block);
        tc_emit(d, TC_OP_JMP, 0, label_of(d, yes_block), 0, 0, 0, take_pending(d));
        return;
    }
    uint32_t yes = edge_label(d, &es, here, yes_block), no = edge_label(d, &es, here, no_block);
    if (fused_compare(cond, i)) {
        static const struct {
            LLVMIntPredicate p;
            tc_vm_op op;
            bool swap;
        } forms[] = {{LLVMIntEQ, TC_OP_BR_EQ32, false},   {LLVMIntNE, TC_OP_BR_NE32, false},
                     {LLVMIntSLT, TC_OP_BR_SLT32, false}, {LLVMIntSLE, TC_OP_BR_SLE32, false},
                     {LLVMIntSGT, TC_OP_BR_SLT32, true},  {LLVMIntSGE, TC_OP_BR_SLE32, true},
                     {LLVMIntULT, TC_OP_BR_ULT32, false}, {LLVMIntULE, TC_OP_BR_ULE32, false},
                     {LLVMIntUGT, TC_OP_BR_ULT32, true},  {LLVMIntUGE, TC_OP_BR_ULE32, true}};
        LLVMIntPredicate p = LLVMGetICmpPredicate(cond);
        uint32_t a = tc_use(d, LLVMGetOperand(cond, 0)), b = tc_use(d, LLVMGetOperand(cond, 1));
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
            if (forms[k].p == p)
                tc_emit(d, forms[k].op, branch_guards(d), yes, forms[k].swap ? b : a, forms[k].swap ? a : b, no,
                        take_pending(d));
    } else {
        uint32_t a = tc_use(d, cond);
        tc_emit(d, TC_OP_BR, branch_guards(d), yes, a, 0, no, take_pending(d));
    }
    finish_edges(d, &es);
}

static void decode_switch(tc_decoder *d, LLVMValueRef i) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(i);
    LLVMValueRef v = LLVMGetOperand(i, 0);
    unsigned n = LLVMGetNumSuccessors(i);
    edges es = {0};
    tc_switch s = {.width = LLVMGetIntTypeWidth(LLVMTypeOf(v))};
    if (s.width > 64) {
        tc_emit_stop(d, "a switch over more than 64 bits");
        return;
    }
    s.values = TC_NEW_ARRAY(d->a, uint64_t, n);
    s.targets = TC_NEW_ARRAY(d->a, uint32_t, n);
    s.guards = branch_guards(d);
    s.otherwise = edge_label(d, &es, here, LLVMGetSwitchDefaultDest(i));
    for (unsigned k = 1; k < n; k++) {
        s.values[s.n] = LLVMConstIntGetZExtValue(LLVMGetSwitchCaseValue(i, k));
        s.targets[s.n++] = edge_label(d, &es, here, LLVMGetSuccessor(i, k));
    }
    uint32_t a = tc_use(d, v);
    s.count = take_pending(d);
    tc_push(d->a, &d->p->switches, s);
    tc_emit(d, TC_OP_SWITCH, s.width, 0, a, 0, 0, (uint32_t)d->p->switches.len - 1);
    finish_edges(d, &es);
}

static void decode_return(tc_decoder *d, LLVMValueRef i) {
    tc_instance *in = d->inst;
    if (!in->parent) {
        tc_emit(d, TC_OP_EXIT, 0, 0, 0, 0, 0, take_pending(d));
        return;
    }
    if (LLVMGetNumOperands(i) == 1) {
        tc_dval *dv = tc_settled(d, LLVMGetOperand(i, 0));
        if (in->f->nblocks == 1)
            in->returned = dv;
        else
            emit_move(d, in->result->reg, dv->reg, in->result->n);
    }
    if (in->f->nreturns == 1 && d->block + 1 == in->f->nblocks && in->joins[in->f->nblocks] == 0)
        return; // falls out of the function
    tc_emit(d, TC_OP_JMP, 0, in->ret_label, 0, 0, 0, take_pending(d));
}

void tc_decode_terminator(tc_decoder *d, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
        decode_branch(d, i);
        break;
    case LLVMSwitch:
        decode_switch(d, i);
        break;
    case LLVMRet:
        decode_return(d, i);
        break;
    case LLVMUnreachable:
        tc_emit(d, TC_OP_UNREACHABLE, 0, 0, 0, 0, 0, take_pending(d));
        break;
    default:
        tc_emit_stop(d, "a terminator of an unusual kind");
    }
}

// ---- functions ----

static void decode_blocks(tc_decoder *d, tc_instance *in) {
    for (uint32_t b = 0; b < in->f->nblocks && !d->why; b++) {
        d->block = b;
        tc_label_here(d, in->labels[b]);
        if (in->joins[b]) {
            d->cur = LLVMGetFirstInstruction(in->f->blocks[b]);
            tc_emit(d, TC_OP_TAINT, 0, 0, 0, 0, 0, in->joins[b] - 1);
        }
        for (LLVMValueRef i = LLVMGetFirstInstruction(in->f->blocks[b]); i && !d->why; i = LLVMGetNextInstruction(i)) {
            d->cur = i;
            d->pending++;
            size_t grave = d->dying.len;
            tc_decode_insn(d, i);
            bury(d, grave);
        }
    }
}

// Joins must be known before their blocks are decoded: a loop's exit may stand before the branch.
static void find_joins(tc_decoder *d, tc_instance *in) {
    for (uint32_t b = 0; b < in->f->nblocks; b++) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(in->f->blocks[b]);
        bool decides = t && ((LLVMIsABranchInst(t) && LLVMIsConditional(t)) || LLVMIsASwitchInst(t));
        d->block = b;
        d->cur = t;
        if (decides && !tc_fninfo_guards(in->f, b))
            pure_join(d);
    }
}

static tc_instance *instance_new(tc_decoder *d, LLVMValueRef fn) {
    tc_instance *in = TC_NEW(d->a, tc_instance);
    in->f = tc_fninfo_of(d, fn);
    in->parent = d->inst;
    in->depth = d->inst ? d->inst->depth + 1 : 0;
    in->id = ++d->instances;
    in->labels = TC_NEW_ARRAY(d->a, uint32_t, in->f->nblocks + 1);
    in->joins = TC_NEW_ARRAY(d->a, uint32_t, in->f->nblocks + 1);
    for (uint32_t b = 0; b < in->f->nblocks; b++)
        in->labels[b] = tc_label_new(d);
    in->ret_label = tc_label_new(d);
    return in;
}

static void decode_instance(tc_decoder *d, tc_instance *in) {
    tc_instance *outer = d->inst;
    uint32_t outer_block = d->block;
    LLVMValueRef outer_cur = d->cur;
    d->inst = in;
    make_allocas(d, in);
    make_kept_values(d, in);
    find_joins(d, in);
    decode_blocks(d, in);
    d->inst = outer;
    d->block = outer_block;
    d->cur = outer_cur;
    tc_label_here(d, in->ret_label);
    if (in->parent && in->joins[in->f->nblocks])
        tc_emit(d, TC_OP_TAINT, 0, 0, 0, 0, 0, in->joins[in->f->nblocks] - 1);
    for (size_t i = 0; i + 1 < in->owned.len; i += 2)
        release(d, in->owned.data[i], in->owned.data[i + 1]);
}

static bool is_recursive(const tc_instance *in, LLVMValueRef fn) {
    for (; in; in = in->parent)
        if (in->f->fn == fn)
            return true;
    return false;
}

static bool is_byval(LLVMValueRef fn, unsigned param) {
    static const char name[] = "byval";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    return LLVMGetEnumAttributeAtIndex(fn, param + 1, kind) != NULL;
}

static LLVMTypeRef byval_type(LLVMValueRef fn, unsigned param) {
    static const char name[] = "byval";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    return LLVMGetTypeAttributeValue(LLVMGetEnumAttributeAtIndex(fn, param + 1, kind));
}

// The user's call sites around an instance, innermost first.
static void record_calls(tc_decoder *d, tc_instance *in, LLVMValueRef call) {
    const tc_instance *outer = d->inst;
    tc_loc loc;
    if (!tc_vm_loc(d->a, d->u, call, &loc)) {
        in->calls = outer->calls;
        in->ncalls = outer->ncalls;
        return;
    }
    tc_loc *calls = TC_NEW_ARRAY(d->a, tc_loc, outer->ncalls + 1);
    calls[0] = loc;
    for (uint32_t i = 0; i < outer->ncalls; i++)
        calls[i + 1] = outer->calls[i];
    in->calls = calls;
    in->ncalls = outer->ncalls + 1;
}

void tc_decode_call_body(tc_decoder *d, LLVMValueRef call, LLVMValueRef fn) {
    if (is_recursive(d->inst, fn)) {
        size_t n;
        tc_emit_stop(d, "the recursive function '%s'", tc_demangle(d->a, LLVMGetValueName2(fn, &n)));
        return;
    }
    if (d->inst->depth > MAX_DEPTH) {
        d->why = "calls are nested too deeply";
        return;
    }
    tc_instance *in = instance_new(d, fn);
    in->call = call;
    record_calls(d, in, call);
    unsigned n = LLVMCountParams(fn);
    for (unsigned k = 0; k < n && k < LLVMGetNumArgOperands(call); k++) {
        tc_dval *arg = tc_settled(d, LLVMGetOperand(call, k));
        tc_dval *param = tc_dval_new(d, TC_DV_FIXED, arg->reg, arg->n);
        if (is_byval(fn, k)) {
            LLVMTypeRef t = byval_type(fn, k);
            uint64_t size = LLVMABISizeOfType(d->td, t);
            uint32_t align = LLVMABIAlignmentOfType(d->td, t);
            param = local_address(d, add_local(d, NULL, size, align, TC_NONE));
            tc_emit(d, TC_OP_MEMCPY, 0, param->reg, arg->reg, tc_const_int(d, size, 64), align, align);
        }
        tc_map_put(d->a, &in->vals, TC_KEY(LLVMGetParam(fn, k)), param);
    }
    bool has_result = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
    if (has_result && in->f->nblocks > 1)
        in->result = tc_dval_new(d, TC_DV_FIXED, tc_def(d, call), tc_leaf_count(d, LLVMTypeOf(call)));
    decode_instance(d, in);
    if (!has_result || in->f->nblocks > 1)
        return;
    // The returned register was given back but not yet used again. One that never changes stands for the result itself.
    tc_dval *r = in->returned ? in->returned : undefined_value(d);
    bool unchanging = r->n == 1 && (r->reg < TC_SLOT_FIRST || r->reg & TC_CONST_BIT);
    if (unchanging && !tc_map_has(&d->inst->vals, TC_KEY(call)))
        tc_bind(d, call, tc_dval_new(d, TC_DV_FIXED, r->reg, 1));
    else
        emit_move(d, tc_def(d, call), r->reg, r->n);
}

// ---- the kernel ----

static void kernel_params(tc_decoder *d, tc_instance *in) {
    LLVMValueRef fn = in->f->fn;
    for (unsigned k = 0; k < LLVMCountParams(fn); k++) {
        LLVMValueRef v = LLVMGetParam(fn, k);
        tc_dval *dv;
        uint32_t reg = TC_NONE;
        if (is_byval(fn, k)) {
            LLVMTypeRef t = byval_type(fn, k);
            const char *name = k < d->p->kernel->nparams ? d->p->kernel->params[k].name : NULL;
            uint32_t l = add_local(d, name, LLVMABISizeOfType(d->td, t), LLVMABIAlignmentOfType(d->td, t), k);
            dv = local_address(d, l);
        } else {
            uint32_t n = tc_leaf_count(d, LLVMTypeOf(v));
            if (n > TC_MAX_LEAVES) {
                d->why = "a parameter of an unusual type";
                return;
            }
            reg = tc_regs_new(d, n);
            dv = tc_dval_new(d, TC_DV_FIXED, reg, n);
        }
        tc_push(d->a, &d->p->param_reg, reg);
        tc_map_put(d->a, &in->vals, TC_KEY(v), dv);
    }
}

// What the file says of all its kernels stands before the kernel's own code.
static void decode_everywhere(tc_decoder *d, tc_instance *kernel) {
    for (LLVMValueRef f = LLVMGetFirstFunction(d->u->module); f && !d->why; f = LLVMGetNextFunction(f)) {
        if (!tc_unit_is_everywhere(f))
            continue;
        d->inst = kernel;
        d->cur = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
        decode_instance(d, instance_new(d, f));
    }
    d->inst = NULL;
}

static void fix(uint32_t *operand, uint32_t base) {
    if (*operand != TC_NONE && *operand & TC_CONST_BIT)
        *operand = base + (*operand & ~TC_CONST_BIT);
}

static void fix_px(tc_px_operand *o, uint32_t base) {
    if (o->kind == TC_PX_REG)
        fix(&o->reg, base);
    for (uint32_t i = 0; i < o->n; i++)
        fix_px(&o->sub[i], base);
}

// Constants become registers after all others; labels become code positions.
static void patch(tc_decoder *d) {
    tc_program *p = d->p;
    p->const_base = d->top;
    p->nregs = d->top + (uint32_t)p->consts.len;
    for (size_t i = 0; i < p->code.len; i++) {
        tc_insn *in = &p->code.data[i];
        fix(&in->a, p->const_base);
        fix(&in->b, p->const_base);
        if (in->op == TC_OP_JMP || in->op == TC_OP_BR || (in->op >= TC_OP_BR_EQ32 && in->op <= TC_OP_BR_ULE32)) {
            in->d = d->labels.data[in->d];
            if (in->op != TC_OP_JMP)
                in->c = d->labels.data[in->c];
        } else {
            fix(&in->d, p->const_base);
            fix(&in->c, p->const_base);
        }
        if (in->op == TC_OP_SHUFFLE)
            fix(&in->x, p->const_base);
    }
    for (size_t i = 0; i < p->switches.len; i++) {
        tc_switch *s = &p->switches.data[i];
        s->otherwise = d->labels.data[s->otherwise];
        for (uint32_t k = 0; k < s->n; k++)
            s->targets[k] = d->labels.data[s->targets[k]];
    }
    for (size_t i = 0; i < p->ptx.len; i++)
        for (size_t k = 0; k < 8; k++)
            fix_px(&p->ptx.data[i].op[k], p->const_base);
}

// Which of an instruction's fields are registers that it reads, as bits: 1 d, 2 a, 4 b, 8 c.
static unsigned sources(const tc_insn *in) {
    if (in->op >= TC_OP_LOAD8 && in->op <= TC_OP_LOADR64)
        return 2;
    if ((in->op >= TC_OP_STORE8 && in->op <= TC_OP_STORE64) || in->op == TC_OP_STOREV)
        return 1 | 2;
    switch (in->op) {
    case TC_OP_LOADV:
    case TC_OP_MOV:
    case TC_OP_MOVN:
    case TC_OP_BR:
    case TC_OP_SWITCH:
    case TC_OP_BADCALL:
        return 2;
    case TC_OP_MEMCPY:
    case TC_OP_MEMSET:
    case TC_OP_CP_ASYNC:
        return 1 | 2 | 4;
    case TC_OP_SELECT:
    case TC_OP_MATH:
    case TC_OP_INT:
    case TC_OP_INSERT:
    case TC_OP_ATOMIC:
    case TC_OP_SHUFFLE:
        return 2 | 4 | 8;
    case TC_OP_JMP:
    case TC_OP_STOP:
    case TC_OP_TAINT:
    case TC_OP_STEP:
        return 0;
    default:
        return 2 | 4;
    }
}

static bool reads(const tc_program *p, uint32_t slot) {
    for (size_t i = 0; i < p->code.len; i++) {
        const tc_insn *in = &p->code.data[i];
        unsigned from = sources(in);
        if ((from & 1 && in->d == slot) || (from & 2 && in->a == slot) || (from & 4 && in->b == slot) ||
            (from & 8 && in->c == slot) || (in->op == TC_OP_SHUFFLE && in->x == slot))
            return true;
    }
    for (size_t i = 0; i < p->ptx.len; i++)
        for (size_t k = 0; k < 8; k++)
            if (p->ptx.data[i].op[k].kind == TC_PX_REG && p->ptx.data[i].op[k].reg == slot)
                return true;
    return false;
}

bool tc_program_reads_grid(const tc_program *p, unsigned axis) {
    return reads(p, TC_SLOT_CTAID + axis) || reads(p, TC_SLOT_NCTAID + axis);
}

bool tc_program_sees_addresses(const tc_program *p) { return p->sees_addresses; }

// Lanes and warps are counted along x first.
static bool reads_lanes(const tc_program *p) {
    for (uint32_t s = TC_SLOT_LANE; s < TC_SLOT_SMEM; s++)
        if (reads(p, s))
            return true;
    return false;
}

bool tc_program_reads_threads(const tc_program *p, unsigned axis) {
    return reads(p, TC_SLOT_TID + axis) || reads(p, TC_SLOT_NTID + axis) || (axis == 0 && reads_lanes(p));
}

bool tc_program_takes_block(const tc_program *p, const tc_launch *l) {
    if (p->contract->has_block)
        return true;
    for (unsigned d = 0; d < 3; d++)
        if (l->block[d] > 1 && !tc_program_reads_threads(p, d))
            return false;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    return threads % 32 == 0 || !tc_program_uses_warps(p);
}

bool tc_program_uses_warps(const tc_program *p) {
    for (size_t i = 0; i < p->code.len; i++)
        if (p->code.data[i].op == TC_OP_SYNCWARP || p->code.data[i].op == TC_OP_SHUFFLE ||
            p->code.data[i].op == TC_OP_VOTE || p->code.data[i].op == TC_OP_MATRIX)
            return true;
    return false;
}

const uint32_t *tc_program_callable(const tc_program *p, size_t *n) {
    *n = p->callable.len;
    return p->callable.data;
}

bool tc_program_has_settable(const tc_program *p) {
    for (size_t i = 0; i < p->globals.len; i++)
        if (p->globals.data[i].is_settable)
            return true;
    return false;
}

bool tc_program_reached(const tc_program *p, tc_loc loc) {
    bool known = false, on_line = false;
    for (size_t i = 0; i < p->places.len; i++) {
        const tc_loc *at = &p->places.data[i].loc;
        if (at->line != loc.line || at->file != loc.file)
            continue;
        if (at->column == loc.column && p->met[i])
            return true;
        known |= at->column == loc.column;
        on_line |= p->met[i];
    }
    return !known && on_line; // what has no place of its own there is told by its line
}

void tc_program_lines_met(tc_arena *a, const tc_program *p, tc_lines *out) {
    for (size_t i = 0; i < p->places.len; i++) {
        uint32_t line = p->places.data[i].loc.line;
        size_t k = out->len;
        while (k > 0 && out->data[k - 1] > line)
            k--;
        if (!p->met[i] || line == 0 || (k > 0 && out->data[k - 1] == line))
            continue;
        tc_push(a, out, line);
        memmove(out->data + k + 1, out->data + k, (out->len - 1 - k) * sizeof *out->data);
        out->data[k] = line;
    }
}

bool tc_program_uses_dynamic_shared(const tc_program *p) {
    return p->dyn_shared != 0 || reads(p, TC_SLOT_SMEM);
}

tc_program *tc_program_new(tc_arena *a, const tc_unit *u, tc_contract *c, const char **why) {
    const tc_kernel *k = c->kernel;
    LLVMValueRef fn = u->module && k->mangled ? LLVMGetNamedFunction(u->module, k->mangled) : NULL;
    if (!fn || LLVMIsDeclaration(fn)) {
        *why = "the kernel has no body";
        return NULL;
    }
    tc_program *p = TC_NEW(a, tc_program);
    tc_decoder d = {.a = a, .p = p, .u = u, .top = TC_SLOT_FIRST};
    p->arena = a;
    p->unit = u;
    p->contract = c;
    p->kernel = k;
    p->function = fn;
    p->layout = d.td = LLVMGetModuleDataLayout(u->module);
    p->nobjects = (uint32_t)c->objects.len;
    tc_push(a, &p->places, ((tc_place_info){.loc = k->loc, .what = "undefined value"}));
    tc_instance *in = instance_new(&d, fn);
    kernel_params(&d, in);
    if (!d.why)
        decode_everywhere(&d, in);
    if (!d.why)
        decode_instance(&d, in);
    if (d.why) {
        *why = d.why;
        return NULL;
    }
    patch(&d);
    p->fine_sync |= p->hands_on;
    for (size_t i = 1; i < p->atomics.len; i++)
        p->mixed_atomics |= p->atomics.data[i].bits != p->atomics.data[0].bits;
    if (c->lockstep > 1)
        tc_lockstep_loops(p);
    p->met = TC_NEW_ARRAY(a, bool, p->places.len + 1);
    return p;
}
