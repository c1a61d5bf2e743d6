// griddepcontrol.wait: does each thread come to it, and what comes behind it?
//
// Both are questions about the control flow alone: in each function on the way from the kernel to the wait, the block that leads to it lies in
// no loop, and control that goes around it comes neither to a return nor to a block that is later in the order in which blocks are lifted.
#include "checker/lift.h"

typedef struct around {
    const tc_cfg *g;
    uint32_t block; // that is gone around
    bool *seen;
    TC_VEC(uint32_t) stack;
} around;

static void visit(tc_lift *L, around *w, uint32_t block) {
    if (block == w->block || block == TC_NONE || w->seen[block])
        return;
    w->seen[block] = true;
    tc_push(L->arena, &w->stack, block);
}

// SOUND: numbers are in reverse post-order. A block after this one that control comes to by another way would be recorded behind the wait, and be
// executed without it: such a block (a dead end) makes the answer no.
static bool always_comes_to(tc_lift *L, const tc_cfg *g, LLVMBasicBlockRef at) {
    around w = {.g = g, .block = tc_cfg_number(g, at), .seen = TC_NEW_ARRAY(L->arena, bool, g->nblocks + 1)};
    if (g->irreducible || w.block == TC_NONE || g->loop_of[w.block] != TC_NONE)
        return false;
    visit(L, &w, 0);
    while (w.stack.len > 0) {
        uint32_t b = tc_pop(&w.stack);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(g->blocks[b]);
        if (b > w.block || end == NULL || LLVMGetInstructionOpcode(end) == LLVMRet)
            return false;
        for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
            visit(L, &w, tc_cfg_number(g, LLVMGetSuccessor(end, i)));
    }
    return true;
}

// A call through a pointer may be one of another function.
static bool is_direct(const tc_frame *f) {
    return f->call != NULL && LLVMGetCalledValue(f->call) == f->cfg->function;
}

static bool always_executed(tc_lift *L) {
    LLVMValueRef inst = L->inst;
    if (L->loop != NULL)
        return false;
    for (const tc_frame *f = L->frame; f != NULL; f = f->caller) {
        if (!always_comes_to(L, f->cfg, LLVMGetInstructionParent(inst)) || (f->caller != NULL && !is_direct(f)))
            return false;
        if (f->caller == NULL)
            return f->cfg->function == LLVMGetNamedFunction(L->module, L->contract->kernel->mangled);
        inst = f->call;
    }
    return false;
}

void tc_lift_grid_wait(tc_lift *L, tc_flow *f, const tc_act *a) {
    if (!tc_lift_recording(L) || tc_is_false(f->guard))
        return;
    tc_grid_wait w = {.always = a->fixed && always_executed(L), .point = L->point++, .loc = tc_lift_loc(L, L->inst, NULL)};
    tc_push(L->arena, &L->m->waits, w);
}
