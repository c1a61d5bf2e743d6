// The lifter's driver: functions, blocks, instructions.
#include "checker/host.h"
#include "checker/lift.h"
#include "checker/strength.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_RUNS = 24 };
static const uint64_t max_steps = 3000000, max_visited = 30000000;
// Most calls, pieces of locals and paths cost far less than a kilobyte a step; trees of calls cost more.
static const size_t max_held = (size_t)160 << 20; // bytes
static const uint64_t max_host_steps = 200000, max_host_visited = 3000000; // what comes before a launch is short

bool tc_lift_spend(tc_lift *L, uint64_t steps) {
    L->steps += steps;
    bool host = L->host != NULL;
    if (L->steps > (host ? max_host_steps : max_steps) || tc_terms_visited(L->ts) > (host ? max_host_visited : max_visited) ||
        tc_trap_held(tc_arena_trap(L->arena)) > max_held)
        L->stopped = true;
    return !L->stopped;
}

tc_node *tc_lift_node(tc_lift *L, tc_node *parent, uint64_t key) {
    tc_node *n = parent == NULL ? NULL : tc_map_get(&parent->children, key);
    if (n == NULL) {
        n = TC_NEW(L->arena, tc_node);
        n->parent = parent;
        n->key = key;
        n->depth = parent == NULL ? 0 : parent->depth + 1;
        n->id = L->nodes++;
        if (parent != NULL)
            tc_map_put(L->arena, &parent->children, key, n);
    }
    return n;
}

// ---- values of a frame ----

const tc_val *tc_lift_operand(tc_lift *L, LLVMValueRef v) {
    if (LLVMIsAConstant(v) || LLVMIsAGlobalValue(v))
        return tc_val_const(L, v);
    const tc_val *r = tc_map_get(&L->frame->values, TC_KEY(v));
    if (r == NULL) // on no path that was taken
        r = LLVMIsAInstruction(v) || LLVMIsAArgument(v) ? tc_val_unknown(L, LLVMTypeOf(v), "value", TC_KEY(v))
                                                       : tc_val_any(L);
    return r;
}

void tc_lift_set(tc_lift *L, LLVMValueRef v, const tc_val *val) {
    tc_map_put(L->arena, &L->frame->values, TC_KEY(v), (void *)(uintptr_t)val);
}

// ---- edges ----

void tc_lift_push(tc_lift *L, uint32_t from, uint32_t to, tc_flow flow) {
    tc_frame *fr = L->frame;
    if (tc_is_false(flow.guard) || to == TC_NONE)
        return;
    if (fr->loop != NULL)
        flow.guard = tc_lift_forget_header(L, flow.guard);
    tc_edge e = {from, to, flow};
    if (fr->cfg->aborts[to]) // wherever that block stands in the text: of a loop it is behind it
        tc_record_abort(L, flow.guard);
    if (fr->loop == NULL)
        tc_push(L->arena, &fr->in[to], e);
    else if (!tc_cfg_contains(fr->cfg, fr->loop->cfg_loop, to))
        tc_push(L->arena, &fr->loop->exits, e);
    else if (to == fr->cfg->loops.data[fr->loop->cfg_loop].header)
        tc_push(L->arena, &fr->loop->back, e);
    else
        tc_push(L->arena, &fr->in[to], e);
}

// ---- phis ----

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

const tc_val *tc_lift_phi(tc_lift *L, const tc_cfg *g, LLVMValueRef phi, const tc_edge *edges, size_t n) {
    const tc_val *r = NULL;
    tc_t acc = L->ff;
    for (size_t i = n; i-- > 0;) {
        LLVMValueRef v = incoming(phi, g->blocks[edges[i].from]);
        const tc_val *x = v == NULL ? tc_val_any(L) : tc_lift_operand(L, v);
        if (r == NULL)
            r = x;
        else if (r != x)
            r = tc_val_choose(L, tc_flow_distinguish(L, acc, edges[i].flow.guard), r, x, LLVMTypeOf(phi));
        acc = tc_is_false(acc) ? edges[i].flow.guard : tc_or(L->ts, acc, edges[i].flow.guard);
    }
    return r == NULL ? tc_val_any(L) : r;
}

void tc_lift_phis(tc_lift *L, uint32_t block, const tc_edge *edges, size_t n) {
    const tc_cfg *g = L->frame->cfg;
    TC_VEC(const tc_val *) values = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks[block]); i != NULL && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        L->inst = i;
        tc_push(L->arena, &values, tc_lift_phi(L, g, i, edges, n));
    }
    size_t k = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(g->blocks[block]); i != NULL && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        tc_lift_set(L, i, values.data[k++]);
}

// ---- instructions ----

static tc_local *alloca_local(tc_lift *L, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMGetAllocatedType(inst);
    LLVMValueRef count = LLVMGetOperand(inst, 0);
    uint64_t n = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
    uint64_t size = tc_lift_type_size(L, type) * n;
    return tc_local_new(L, inst, n > 1 ? LLVMArrayType2(type, n) : type, size, -1);
}

static void lift_alloca(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    tc_local *l = alloca_local(L, inst);
    tc_local_reset(L, f, l);
    tc_push(L->arena, &L->frame->locals, l);
    tc_lift_set(L, inst, tc_val_ptr(L, l->place, tc_int(L->ts, 0)));
}

static const tc_val *lift_select(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMTypeOf(inst);
    const tc_val *c = tc_lift_operand(L, LLVMGetOperand(inst, 0));
    const tc_val *a = tc_lift_operand(L, LLVMGetOperand(inst, 1)), *b = tc_lift_operand(L, LLVMGetOperand(inst, 2));
    if (c->kind != TC_V_INT || c->width != 1)
        return tc_val_unknown(L, type, "selected", 1);
    return tc_val_choose(L, tc_lift_under(L, f->guard, c->term), a, b, type);
}

static const tc_val *lift_compare(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMValueRef x = LLVMGetOperand(inst, 0);
    LLVMTypeRef type = LLVMTypeOf(x);
    const tc_val *a = tc_val_as(L, tc_lift_operand(L, x), type, 0);
    const tc_val *b = tc_val_as(L, tc_lift_operand(L, LLVMGetOperand(inst, 1)), type, 0);
    if (a->kind == TC_V_INT && b->kind == TC_V_INT)
        return tc_lift_icmp(L, f, LLVMGetICmpPredicate(inst), a, b);
    if (a->kind == TC_V_PTR && b->kind == TC_V_PTR)
        return tc_lift_ptr_compare(L, f, LLVMGetICmpPredicate(inst), a, b);
    return tc_val_unknown(L, LLVMTypeOf(inst), "comparison", 1);
}

// A comparison of floats is some truth value; of uninitialised ones, an uninitialised truth value.
static const tc_val *lift_float_compare(tc_lift *L, LLVMValueRef inst) {
    const tc_val *args[] = {tc_lift_operand(L, LLVMGetOperand(inst, 0)), tc_lift_operand(L, LLVMGetOperand(inst, 1))};
    return tc_val_computed(L, tc_val_derived(L, LLVMTypeOf(inst), "comparison", 1, args, 2), 1, args, 2);
}

static const tc_val *lift_negation(tc_lift *L, LLVMValueRef inst) {
    const tc_val *v = tc_lift_operand(L, LLVMGetOperand(inst, 0));
    return tc_val_computed(L, tc_val_derived(L, LLVMTypeOf(inst), "value", 1, &v, 1), 1, &v, 1);
}

static const tc_val *lift_extract(tc_lift *L, LLVMValueRef inst) {
    const tc_val *v = tc_lift_operand(L, LLVMGetOperand(inst, 0));
    const unsigned *idx = LLVMGetIndices(inst);
    for (unsigned i = 0; i < LLVMGetNumIndices(inst); i++) {
        if (v->kind != TC_V_AGG || idx[i] >= v->nelems)
            return tc_val_unknown(L, LLVMTypeOf(inst), "value", 1);
        v = v->elems[idx[i]];
    }
    return tc_val_as(L, v, LLVMTypeOf(inst), 0);
}

static const tc_val *with_element(tc_lift *L, const tc_val *v, size_t i, const tc_val *e) {
    TC_VEC(const tc_val *) elems = {0};
    for (size_t k = 0; k < v->nelems; k++)
        tc_push(L->arena, &elems, k == i ? e : v->elems[k]);
    return tc_val_agg(L, elems.data, elems.len);
}

static const tc_val *insert_at(tc_lift *L, const tc_val *v, const unsigned *idx, unsigned n, const tc_val *e) {
    if (n == 0)
        return e;
    if (v->kind != TC_V_AGG || idx[0] >= v->nelems)
        return tc_val_any(L);
    return with_element(L, v, idx[0], insert_at(L, v->elems[idx[0]], idx + 1, n - 1, e));
}

static const tc_val *lift_element(tc_lift *L, LLVMValueRef inst, bool insert) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
    const tc_val *v = tc_val_as(L, tc_lift_operand(L, LLVMGetOperand(inst, 0)), type, 0);
    const tc_val *i = tc_lift_operand(L, LLVMGetOperand(inst, insert ? 2 : 1));
    if (v->kind != TC_V_AGG || i->kind != TC_V_INT || !tc_is_const(i->term) || i->term->value < 0 ||
        i->term->value >= (tc_i128)v->nelems)
        return tc_val_unknown(L, LLVMTypeOf(inst), "element", 1);
    size_t k = (size_t)i->term->value;
    return insert ? with_element(L, v, k, tc_lift_operand(L, LLVMGetOperand(inst, 1)))
                  : tc_val_as(L, v->elems[k], LLVMTypeOf(inst), 0);
}

static const tc_val *lift_shuffle(tc_lift *L, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
    const tc_val *a = tc_val_as(L, tc_lift_operand(L, LLVMGetOperand(inst, 0)), type, 0);
    const tc_val *b = tc_val_as(L, tc_lift_operand(L, LLVMGetOperand(inst, 1)), type, 0);
    if (a->kind != TC_V_AGG || b->kind != TC_V_AGG)
        return tc_val_unknown(L, LLVMTypeOf(inst), "shuffle", 1);
    TC_VEC(const tc_val *) elems = {0};
    for (unsigned i = 0; i < LLVMGetNumMaskElements(inst); i++) {
        int m = LLVMGetMaskValue(inst, i);
        const tc_val *e = m < 0 || (size_t)m >= a->nelems + b->nelems
                              ? tc_val_unknown(L, LLVMGetElementType(type), "shuffle", i + 2)
                          : (size_t)m < a->nelems ? a->elems[m]
                                                  : b->elems[(size_t)m - a->nelems];
        tc_push(L->arena, &elems, e);
    }
    return tc_val_agg(L, elems.data, elems.len);
}

// "instruction 'indirectbr ptr …'"
static const char *instruction_text(tc_lift *L, LLVMValueRef inst) {
    char copy[64] = {0};
    char *text = LLVMPrintValueToString(inst);
    const char *from = text + strspn(text, " ");
    const char *is = strstr(from, " = ");
    snprintf(copy, sizeof copy, "%s", is ? is + 3 : from);
    LLVMDisposeMessage(text);
    return tc_fmt(L->arena, "instruction '%s'", copy);
}

static void lift_unsupported(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    TC_VEC(const tc_val *) touched = {0};
    for (int i = 0; i < LLVMGetNumOperands(inst); i++)
        if (!LLVMIsABasicBlock(LLVMGetOperand(inst, (unsigned)i)))
            tc_push(L->arena, &touched, tc_lift_operand(L, LLVMGetOperand(inst, (unsigned)i)));
    tc_record_hole(L, f, TC_HOLE_VALUE | TC_HOLE_MEMORY | TC_HOLE_SYNC | TC_HOLE_CONTROL, instruction_text(L, inst),
                   touched.data, touched.len);
    if (LLVMGetTypeKind(LLVMTypeOf(inst)) != LLVMVoidTypeKind)
        tc_lift_set(L, inst, tc_val_unknown(L, LLVMTypeOf(inst), "value", 1));
}

static void lift_fence(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    tc_event e = tc_event_make(L, f, TC_EV_FENCE, "fence");
    e.scope = tc_llvm_scope(inst);
    e.order = tc_llvm_order(inst);
    if (e.scope > TC_SCOPE_THREAD) // __atomic_signal_fence
        tc_record_event(L, e);
}

static const tc_val *value_of(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFRem:
        return tc_lift_binary(L, f, inst);
    case LLVMFNeg:
        return lift_negation(L, inst);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return tc_lift_cast(L, f, inst);
    case LLVMICmp:
        return lift_compare(L, f, inst);
    case LLVMFCmp:
        return lift_float_compare(L, inst);
    case LLVMSelect:
        return lift_select(L, f, inst);
    case LLVMGetElementPtr:
        return tc_lift_gep(L, f, inst);
    case LLVMLoad:
        return tc_lift_load(L, f, inst);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return tc_lift_atomic(L, f, inst);
    case LLVMExtractValue:
        return lift_extract(L, inst);
    case LLVMInsertValue:
        return insert_at(L, tc_val_as(L, tc_lift_operand(L, LLVMGetOperand(inst, 0)), LLVMTypeOf(inst), 0),
                         LLVMGetIndices(inst), LLVMGetNumIndices(inst), tc_lift_operand(L, LLVMGetOperand(inst, 1)));
    case LLVMExtractElement:
        return lift_element(L, inst, false);
    case LLVMInsertElement:
        return lift_element(L, inst, true);
    case LLVMShuffleVector:
        return lift_shuffle(L, inst);
    case LLVMFreeze:
        return tc_lift_operand(L, LLVMGetOperand(inst, 0));
    default:
        return NULL;
    }
}

static void lift_inst(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAlloca:
        lift_alloca(L, f, inst);
        return;
    case LLVMStore:
        tc_lift_store(L, f, inst);
        return;
    case LLVMFence:
        lift_fence(L, f, inst);
        return;
    case LLVMCall:
        tc_lift_call_inst(L, f, inst);
        return;
    default:
        break;
    }
    const tc_val *v = value_of(L, f, inst);
    if (v != NULL)
        tc_lift_set(L, inst, v);
    else
        lift_unsupported(L, f, inst);
}

// ---- blocks ----

static tc_t condition(tc_lift *L, tc_flow *f, LLVMValueRef v) {
    tc_t c = tc_lift_under(L, f->guard, tc_lift_truth(L, tc_val_as(L, tc_lift_operand(L, v), LLVMTypeOf(v), 0)));
    tc_record_branch(L, f, c);
    return c;
}

static void lift_switch(tc_lift *L, tc_flow *f, LLVMValueRef t, uint32_t block) {
    const tc_cfg *g = L->frame->cfg;
    LLVMValueRef x = LLVMGetOperand(t, 0);
    const tc_val *v = tc_val_as(L, tc_lift_operand(L, x), LLVMTypeOf(x), 0);
    tc_t none = L->tt;
    unsigned n = LLVMGetNumSuccessors(t);
    for (unsigned i = 1; i < n && v->kind == TC_V_INT; i++) {
        const tc_val *c = tc_val_const(L, LLVMGetSwitchCaseValue(t, i));
        tc_t here = c->kind == TC_V_INT ? tc_lift_under(L, f->guard, tc_lift_icmp(L, f, LLVMIntEQ, v, c)->term)
                                        : tc_lift_bool_sym(L, "case", i);
        tc_record_branch(L, f, here);
        tc_lift_push(L, block, tc_cfg_number(g, LLVMGetSuccessor(t, i)), tc_flow_fork(L, f, tc_and(L->ts, none, here)));
        none = tc_and(L->ts, none, tc_not(L->ts, here));
    }
    if (v->kind != TC_V_INT)
        for (unsigned i = 1; i < n; i++) {
            tc_t here = tc_lift_bool_sym(L, "case", i);
            tc_lift_push(L, block, tc_cfg_number(g, LLVMGetSuccessor(t, i)), tc_flow_fork(L, f, tc_and(L->ts, none, here)));
            none = tc_and(L->ts, none, tc_not(L->ts, here));
        }
    tc_lift_push(L, block, tc_cfg_number(g, LLVMGetSuccessor(t, 0)), tc_flow_fork(L, f, none));
}

static void lift_terminator(tc_lift *L, tc_flow *f, LLVMValueRef t, uint32_t block) {
    const tc_cfg *g = L->frame->cfg;
    switch (LLVMGetInstructionOpcode(t)) {
    case LLVMBr: {
        if (!LLVMIsConditional(t)) {
            tc_lift_push(L, block, tc_cfg_number(g, LLVMGetSuccessor(t, 0)), *f);
            return;
        }
        tc_t c = condition(L, f, LLVMGetCondition(t));
        tc_lift_push(L, block, tc_cfg_number(g, LLVMGetSuccessor(t, 0)), tc_flow_fork(L, f, c));
        tc_lift_push(L, block, tc_cfg_number(g, LLVMGetSuccessor(t, 1)), tc_flow_fork(L, f, tc_not(L->ts, c)));
        return;
    }
    case LLVMSwitch:
        lift_switch(L, f, t, block);
        return;
    case LLVMRet: {
        const tc_val *v = LLVMGetNumOperands(t) > 0 ? tc_lift_operand(L, LLVMGetOperand(t, 0)) : NULL;
        tc_push(L->arena, &L->frame->returns, ((tc_return){*f, v}));
        return;
    }
    case LLVMInvoke: // where it goes on after an exception is not followed (host_graph.c)
        if (L->host == NULL)
            break;
        tc_lift_call_inst(L, f, t);
        tc_lift_push(L, block, tc_cfg_number(g, LLVMGetNormalDest(t)), *f);
        return;
    case LLVMUnreachable:
        tc_record_assumption(L, f, L->ff, "this point is not reached",
                             "__builtin_unreachable or a missing return: the compiler takes it as a fact");
        return;
    default:
        break;
    }
    lift_unsupported(L, f, t);
}

void tc_lift_block(tc_lift *L, uint32_t block, tc_flow flow) {
    LLVMBasicBlockRef b = L->frame->cfg->blocks[block];
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (tc_is_false(flow.guard) || !tc_lift_spend(L, 1))
            return;
        L->inst = i;
        L->readings_made.len = 0;
        if (LLVMIsAPHINode(i))
            continue;
        if (LLVMIsATerminatorInst(i))
            lift_terminator(L, &flow, i, block);
        else
            lift_inst(L, &flow, i);
    }
}

void tc_lift_region(tc_lift *L, uint32_t loop) {
    tc_frame *fr = L->frame;
    const tc_cfg *g = fr->cfg;
    const tc_cfg_loop *l = loop == TC_NONE ? NULL : &g->loops.data[loop];
    size_t n = l == NULL ? g->nblocks : l->blocks.len;
    for (size_t i = 0; i < n && !L->stopped; i++) {
        uint32_t b = l == NULL ? (uint32_t)i : l->blocks.data[i];
        if ((l != NULL && b == l->header) || fr->in[b].len == 0)
            continue;
        uint32_t inner = g->loop_of[b];
        if (inner == loop) {
            tc_edges edges = fr->in[b];
            fr->in[b].len = 0; // a later pass fills the same array
            tc_lift_phis(L, b, edges.data, edges.len);
            tc_lift_block(L, b, tc_flow_merge(L, edges.data, edges.len));
        } else if (inner != TC_NONE && g->loops.data[inner].parent == loop && g->loops.data[inner].header == b) {
            tc_lift_loop(L, inner);
        }
    }
}

// ---- functions ----

static tc_cfg *cfg_of(tc_lift *L, LLVMValueRef function) {
    tc_cfg *g = tc_map_get(&L->cfgs, TC_KEY(function));
    if (g == NULL) {
        g = tc_cfg_new(L->arena, function);
        tc_map_put(L->arena, &L->cfgs, TC_KEY(function), g);
    }
    return g;
}

static LLVMTypeRef byval_type(LLVMValueRef function, unsigned param) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef at = LLVMGetEnumAttributeAtIndex(function, param + 1, kind);
    return at == NULL ? NULL : LLVMGetTypeAttributeValue(at);
}

static void set_params(tc_lift *L, tc_flow *f, const tc_val *const *args, size_t nargs) {
    LLVMValueRef fn = L->frame->cfg->function;
    for (unsigned i = 0; i < LLVMCountParams(fn); i++) {
        LLVMValueRef p = LLVMGetParam(fn, i);
        const tc_val *v = i < nargs ? args[i] : tc_val_unknown(L, LLVMTypeOf(p), "argument", i);
        LLVMTypeRef copied = byval_type(fn, i);
        if (copied != NULL && L->frame->caller != NULL) {
            tc_local *l = tc_local_new(L, p, copied, tc_lift_type_size(L, copied), -1);
            tc_push(L->arena, &L->frame->locals, l);
            tc_local_reset(L, f, l);
            tc_lift_copy_in(L, f, l, v);
            v = tc_val_ptr(L, l->place, tc_int(L->ts, 0));
        }
        tc_lift_set(L, p, v);
    }
}

static const tc_val *run_body(tc_lift *L, tc_flow *flow) {
    tc_frame *fr = L->frame;
    // The entry block has no predecessors.
    tc_push(L->arena, &fr->in[0], ((tc_edge){0, 0, *flow}));
    tc_lift_region(L, TC_NONE);
    tc_edges out = {0};
    for (size_t i = 0; i < fr->returns.len; i++)
        tc_push(L->arena, &out, ((tc_edge){0, 0, fr->returns.data[i].flow}));
    if (out.len == 0) {
        flow->guard = L->ff;
        return NULL;
    }
    const tc_val *r = NULL;
    tc_t acc = L->ff;
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(fr->cfg->function));
    for (size_t i = out.len; i-- > 0;) {
        const tc_val *v = fr->returns.data[i].value;
        if (v != NULL)
            r = r == NULL ? v : tc_val_choose(L, tc_flow_distinguish(L, acc, out.data[i].flow.guard), r, v, type);
        acc = tc_is_false(acc) ? out.data[i].flow.guard : tc_or(L->ts, acc, out.data[i].flow.guard);
    }
    *flow = tc_flow_merge(L, out.data, out.len);
    return r;
}

static bool is_active(const tc_lift *L, LLVMValueRef function) {
    for (const tc_frame *f = L->frame; f != NULL; f = f->caller)
        if (f->cfg->function == function)
            return true;
    return false;
}

const tc_val *tc_lift_function(tc_lift *L, LLVMValueRef function, LLVMValueRef call, const tc_val *const *args,
                               size_t nargs, tc_flow *flow) {
    tc_frame fr = {.caller = L->frame, .call = call, .depth = L->frame == NULL ? 0 : L->frame->depth + 1, .args = args, .nargs = nargs};
    fr.cfg = cfg_of(L, function);
    if (L->host != NULL && call != NULL && (fr.depth > MAX_DEPTH || is_active(L, function) || fr.cfg->irreducible)) {
        tc_host_unknown_call(L, flow, call);
        return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind ? NULL : tc_lift_operand(L, call);
    }
    if (L->host != NULL)
        tc_host_enter(L, function);
    if (fr.depth > MAX_DEPTH || is_active(L, function) || fr.cfg->irreducible) {
        tc_record_hole(L, flow, TC_HOLE_VALUE | TC_HOLE_MEMORY | TC_HOLE_SYNC | TC_HOLE_CONTROL,
                       fr.cfg->irreducible ? "control flow that is no nest of loops" : "recursion", NULL, 0);
        LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
        return LLVMGetTypeKind(type) == LLVMVoidTypeKind ? NULL : tc_val_unknown(L, type, "result", 1);
    }
    fr.restricts = fr.caller != NULL && L->host == NULL && tc_restrict_any(function);
    if (fr.caller != NULL && L->host == NULL)
        tc_promise_arguments(L, flow, function, args, nargs);
    fr.in = TC_NEW_ARRAY(L->arena, tc_edges, fr.cfg->nblocks);
    tc_node *node = L->node;
    LLVMValueRef inst = L->inst;
    fr.node = tc_lift_node(L, node, TC_KEY(call == NULL ? function : call));
    L->frame = &fr;
    L->node = fr.node;
    set_params(L, flow, args, nargs);
    const tc_val *r = run_body(L, flow);
    if (!tc_is_false(flow->guard) && fr.caller != NULL)
        for (size_t i = 0; i < fr.locals.len; i++)
            tc_local_reset(L, flow, fr.locals.data[i]);
    L->frame = fr.caller;
    L->node = node;
    L->inst = inst;
    if (fr.restricts)
        tc_restrict_end(L, flow, &fr, tc_promise_name(L, function));
    if (fr.caller != NULL && L->host == NULL)
        tc_promise_result(L, flow, function, r);
    return r;
}

// ---- kernels ----

static const tc_val *kernel_param(tc_lift *L, LLVMValueRef fn, unsigned i) {
    LLVMValueRef p = LLVMGetParam(fn, i);
    LLVMTypeRef copied = byval_type(fn, i);
    if (copied == NULL)
        return tc_lift_param(L, i, 0, LLVMTypeOf(p));
    tc_local *l = tc_local_new(L, p, copied, tc_lift_type_size(L, copied), (int)i);
    return tc_val_ptr(L, l->place, tc_int(L->ts, 0));
}

static void init_lift(tc_lift *L, tc_arena *a, const tc_unit *u, tc_contract *c, tc_kmodel *m, tc_choices *choices) {
    memset(L, 0, sizeof *L);
    memset(m, 0, sizeof *m);
    m->terms = c->terms;
    m->contract = c;
    L->arena = a;
    L->ts = c->terms;
    L->unit = u;
    L->contract = c;
    L->m = m;
    L->module = u->module;
    L->layout = LLVMGetModuleDataLayout(u->module);
    L->choices = choices;
    if (choices->arena == NULL)
        choices->arena = a;
    L->tt = tc_bool(L->ts, true);
    L->ff = tc_bool(L->ts, false);
    L->node = L->root = tc_lift_node(L, NULL, 0);
    tc_push(a, &L->places, ((tc_place){TC_PL_NULL, TC_NONE, NULL, NULL, NULL}));
    tc_push(a, &L->places, ((tc_place){TC_PL_UNKNOWN, TC_NONE, NULL, NULL, NULL}));
}

typedef struct tc_used {
    tc_lift *L;
    tc_map syms;
} tc_used;

static void use_sym(void *ctx, tc_t t) {
    tc_used *u = ctx;
    if (t->op == TC_T_SYM)
        tc_map_put(u->L->arena, &u->syms, TC_KEY(t->sym), u->L);
}

static bool is_carried(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_SYM && (t->sym->kind == TC_SYM_UNKNOWN || t->sym->kind == TC_SYM_UNINIT);
}

static bool is_used_carried(void *ctx, tc_t t) {
    const tc_used *u = ctx;
    return is_carried(NULL, t) && tc_map_has(&u->syms, TC_KEY(t->sym));
}

static bool is_used_counter(void *ctx, tc_t t) {
    const tc_used *u = ctx;
    return t->op == TC_T_SYM && t->sym->kind == TC_SYM_COUNTER && tc_map_has(&u->syms, TC_KEY(t->sym));
}

static bool is_of_use(tc_used *u, const tc_invariant *v) {
    return v->declared ||
           tc_any(u->L->ts, v->term, tc_any(u->L->ts, v->term, is_carried, NULL) ? is_used_carried : is_used_counter, u);
}

static void use(tc_used *u, tc_t t) {
    if (t != NULL)
        tc_walk(u->L->ts, t, use_sym, u);
}

// What a variable that is used stands for is used too.
static void use_carried(tc_used *u) {
    for (size_t before = 0; before != u->syms.len;) {
        before = u->syms.len;
        for (size_t i = 0; i < u->L->m->loops.len; i++)
            for (size_t k = 0; k < u->L->m->loops.data[i].carried.len; k++) {
                const tc_carried *c = &u->L->m->loops.data[i].carried.data[k];
                if (tc_map_has(&u->syms, TC_KEY(c->sym))) {
                    use(u, c->entry);
                    use(u, c->step);
                }
            }
    }
}

// Candidates about variables that nothing depends on are dropped.
static void drop_idle_candidates(tc_lift *L) {
    tc_used u = {L, {0}};
    tc_kmodel *m = L->m;
    for (size_t i = 0; i < m->events.len; i++) {
        use(&u, m->events.data[i].offset);
        use(&u, m->events.data[i].width);
        use(&u, m->events.data[i].guard);
    }
    for (size_t i = 0; i < m->checks.len; i++) {
        use(&u, m->checks.data[i].cond);
        use(&u, m->checks.data[i].guard);
    }
    use_carried(&u);
    for (size_t i = 0; i < m->loops.len; i++) {
        tc_loop *l = &m->loops.data[i];
        size_t n = 0;
        for (size_t k = 0; k < l->invariants.len; k++)
            if (is_of_use(&u, &l->invariants.data[k]))
                l->invariants.data[n++] = l->invariants.data[k];
        l->invariants.len = n;
    }
}

// What the file says of all its kernels.
static void run_everywhere(tc_lift *L, tc_flow *flow) {
    for (LLVMValueRef f = LLVMGetFirstFunction(L->module); f != NULL; f = LLVMGetNextFunction(f))
        if (tc_unit_is_everywhere(f) && !tc_is_false(flow->guard))
            tc_lift_function(L, f, NULL, NULL, 0, flow);
}

// A parameter of a host function by its name: how the calling convention splits and orders parameters does not matter then. What
// has another name is a part of one, or the object that a method is called on.
static const tc_val *host_param(tc_lift *L, LLVMValueRef fn, unsigned i) {
    LLVMValueRef p = LLVMGetParam(fn, i);
    LLVMTypeRef copied = byval_type(fn, i), type = copied != NULL ? copied : LLVMTypeOf(p);
    const tc_kernel *k = L->contract->kernel;
    size_t n;
    const char *name = LLVMGetValueName2(p, &n);
    uint32_t number = TC_HOST_UNNAMED + i;
    for (uint32_t j = 0; j < k->nparams; j++)
        if (n > 0 && strcmp(k->params[j].name, name) == 0 && k->params[j].type->size == tc_lift_type_size(L, type))
            number = j;
    if (copied == NULL) {
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64)
            return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? tc_lift_param(L, number, 0, type) : tc_val_unknown(L, type, "parameter", i);
        return tc_lift_param(L, number, 0, type);
    }
    tc_local *l = tc_local_new(L, p, copied, tc_lift_type_size(L, copied), (int)number);
    return tc_val_ptr(L, l->place, tc_int(L->ts, 0));
}

static void lift_once(tc_lift *L, LLVMValueRef fn) {
    TC_VEC(const tc_val *) args = {0};
    tc_flow flow = {L->tt, {NULL, ++L->edits}};
    if (L->host != NULL)
        tc_host_begin(L);
    for (unsigned i = 0; i < LLVMCountParams(fn); i++)
        tc_push(L->arena, &args, L->host != NULL ? host_param(L, fn, i) : kernel_param(L, fn, i));
    if (L->host == NULL)
        run_everywhere(L, &flow);
    tc_lift_function(L, fn, NULL, args.data, args.len, &flow);
    if (L->host == NULL)
        drop_idle_candidates(L);
    if (L->stopped) {
        L->dry = 0;
        flow.guard = L->tt;
        L->frame = NULL;
        L->loop = NULL;
        L->inst = NULL;
        tc_record_hole(L, &flow, TC_HOLE_CONTROL | TC_HOLE_MEMORY | TC_HOLE_SYNC | TC_HOLE_VALUE,
                       L->host != NULL ? "a function that is too large" : "the rest of the kernel, which is too large to be checked,",
                       NULL, 0);
    }
}

// The first run sees what is written; each later one follows a choice that an earlier one asked for. Only the terms, which
// have an arena of their own, outlive a run that is not the last.
static void lift_until_settled(tc_arena *a, const tc_unit *u, tc_contract *c, tc_kmodel *m, tc_host *host, LLVMValueRef fn) {
    tc_choices choices = {.arena = a};
    tc_lift L;
    for (unsigned run = 0; run < MAX_RUNS; run++) {
        choices.changed = choices.refilled = false;
        choices.unfilled = (tc_map){0};
        if (run > 0)
            tc_arena_free(L.arena);
        init_lift(&L, tc_arena_new(tc_arena_trap(a)), u, c, m, &choices);
        L.host = host;
        lift_once(&L, fn);
        if (L.stopped || (!choices.changed && choices.known_writes))
            return;
        if (choices.refilled) // what was written then may have been made of what was not filled yet
            choices.tainted = (tc_map){0};
        if (!choices.changed) {
            choices.known_writes = true;
            choices.filled = (tc_map){0};
        }
        if (choices.remodelled) {
            choices.written = choices.tainted = choices.filled = choices.other_bytes = (tc_map){0};
            choices.known_writes = choices.remodelled = false;
        }
    }
    tc_flow flow = {L.tt, {NULL, 1}};
    L.dry = 0;
    L.frame = NULL;
    tc_record_hole(&L, &flow, TC_HOLE_CONTROL | TC_HOLE_MEMORY | TC_HOLE_SYNC | TC_HOLE_VALUE,
                   host != NULL ? "a function whose memory takes too many attempts" : "the kernel's local arrays take too many attempts", NULL, 0);
}

void tc_lift_kernel(tc_arena *a, const tc_unit *u, tc_contract *c, tc_kmodel *m) {
    LLVMValueRef fn = u->module == NULL ? NULL : LLVMGetNamedFunction(u->module, c->kernel->mangled);
    if (fn != NULL && !LLVMIsDeclaration(fn)) {
        lift_until_settled(a, u, c, m, NULL, fn);
        return;
    }
    tc_choices choices = {0};
    tc_lift L;
    init_lift(&L, a, u, c, m, &choices);
    tc_flow flow = {L.tt, {NULL, 1}};
    tc_record_hole(&L, &flow, TC_HOLE_CONTROL | TC_HOLE_MEMORY | TC_HOLE_SYNC | TC_HOLE_VALUE,
                   "the kernel has no code in this translation unit", NULL, 0);
}

void tc_lift_host(tc_arena *a, const tc_unit *u, tc_contract *c, tc_kmodel *m, tc_host *h, LLVMValueRef fn) {
    lift_until_settled(a, u, c, m, h, fn);
}

static bool is_wrap(const tc_check *c) { return c->kind == TC_CK_WRAP && c->term->op == TC_T_WRAP; }

// C says what it is where it does not fit: the value modulo 2^width.
static bool is_exact(const tc_lift *L, tc_t node) {
    for (size_t i = 0; i < L->m->checks.len; i++)
        if (is_wrap(&L->m->checks.data[i]) && L->m->checks.data[i].term == node && !L->m->checks.data[i].undefined)
            return true;
    return false;
}

// WRAP nodes with a check, by age, arguments first: exact ones as they are, others to their argument.
static tc_map without_wraps(tc_lift *L) {
    tc_tvec nodes = {0};
    for (size_t i = 0; i < L->m->checks.len; i++)
        if (is_wrap(&L->m->checks.data[i]))
            tc_push(L->arena, &nodes, L->m->checks.data[i].term);
    for (size_t i = 1; i < nodes.len; i++)
        for (size_t k = i; k > 0 && nodes.data[k]->id < nodes.data[k - 1]->id; k--) {
            tc_t t = nodes.data[k];
            nodes.data[k] = nodes.data[k - 1];
            nodes.data[k - 1] = t;
        }
    tc_map map = {0};
    for (size_t i = 0; i < nodes.len; i++) {
        tc_t n = nodes.data[i], t = tc_subst(L->ts, n->args[0], &map);
        if (is_exact(L, n))
            t = tc_wrap(L->ts, t, tc_wrap_width(n), tc_wrap_signed(n));
        tc_map_put(L->arena, &map, TC_KEY(n), (void *)(uintptr_t)t);
    }
    return map;
}

// SOUND: each check, where its guard holds, in terms of which no operation leaves what C defines: the first operation to break its
// check would have arguments of the values that the terms say.
static tc_t all_checks(tc_lift *L, const tc_map *map) {
    tc_t all = L->tt;
    for (size_t i = 0; i < L->m->checks.len; i++) {
        const tc_check *c = &L->m->checks.data[i];
        if (!is_wrap(c) || c->undefined)
            all = tc_and(L->ts, all, tc_implies(L->ts, tc_subst(L->ts, c->guard, map), tc_subst(L->ts, c->cond, map)));
    }
    return all;
}

static bool is_kept_wrap(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_WRAP && tc_wrap_is_kept(t);
}

static bool pure_args(tc_lift *L, LLVMValueRef fn, const tc_t *args, size_t nargs, const tc_val **out) {
    for (unsigned i = 0; i < nargs; i++) {
        unsigned bits;
        if (!tc_lift_type_bits(L, LLVMTypeOf(LLVMGetParam(fn, i)), &bits))
            return false;
        tc_t t = args[i];
        if (bits == 1)
            t = t->sort == TC_BOOL ? t : tc_ne(L->ts, t, tc_int(L->ts, 0));
        else if (t->sort == TC_BOOL)
            t = tc_ite(L->ts, t, tc_int(L->ts, 1), tc_int(L->ts, 0));
        bool fits = bits == 1 || tc_range_within(tc_range_of(L->ts, t), -tc_pow2(bits - 1), tc_pow2(bits) - 1);
        out[i] = fits ? tc_val_int(L, bits, t) : tc_val_made(L, bits, t, NULL, tc_argument);
    }
    return true;
}

// What is returned, as its type has it: an operation without a sign that nothing reads is not looked at otherwise.
static tc_t as_returned(tc_lift *L, const tc_val *v, bool is_signed) {
    tc_i128 lo = is_signed ? -tc_pow2(v->width - 1) : 0;
    if (v->width == 1 || tc_range_within(tc_range_of(L->ts, v->term), lo, lo + tc_pow2(v->width) - 1))
        return v->term;
    return tc_wrap(L->ts, v->term, v->width, is_signed);
}

tc_t tc_lift_pure_call(void *ctx, tc_contract *c, const char *mangled, const tc_t *args, size_t nargs, bool is_signed, tc_t *defined,
                       const char **why) {
    const tc_unit *u = ctx;
    tc_arena *a = tc_terms_arena(c->terms);
    LLVMValueRef fn = u->module == NULL ? NULL : LLVMGetNamedFunction(u->module, mangled);
    if (fn == NULL || LLVMIsDeclaration(fn) || LLVMCountParams(fn) != nargs) {
        *why = "there is no code for it";
        return NULL;
    }
    tc_choices choices = {.known_writes = true};
    tc_kmodel m;
    tc_lift L;
    init_lift(&L, a, u, c, &m, &choices);
    L.pure = true;
    const tc_val **vals = TC_NEW_ARRAY(a, const tc_val *, nargs + 1);
    if (!pure_args(&L, fn, args, nargs, vals)) {
        *why = "its parameters are not all integers";
        return NULL;
    }
    tc_flow flow = {L.tt, {NULL, ++L.edits}};
    const tc_val *r = tc_lift_function(&L, fn, NULL, vals, nargs, &flow);
    if (L.stopped || choices.changed || m.events.len > 0 || m.loops.len > 0 || r == NULL || r->kind != TC_V_INT ||
        !tc_is_true(flow.guard)) {
        *why = "it is not a pure function of integers without loops";
        return NULL;
    }
    if (L.pure_why != NULL) {
        *why = tc_fmt(a, "it is no function of its arguments: %s", L.pure_why);
        return NULL;
    }
    tc_map map = without_wraps(&L);
    tc_t term = tc_subst(c->terms, as_returned(&L, r, is_signed), &map);
    *defined = all_checks(&L, &map);
    if (!tc_any(c->terms, term, is_kept_wrap, NULL) && !tc_any(c->terms, *defined, is_kept_wrap, NULL))
        return term;
    *why = "it may overflow";
    return NULL;
}
