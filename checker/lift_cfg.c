// Control flow of one function: reverse post-order, dominators (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
// Algorithm", 2001), natural loops.
#include "checker/lift.h"

typedef struct tc_dfs {
    LLVMBasicBlockRef block;
    unsigned next;
} tc_dfs;

uint32_t tc_cfg_number(const tc_cfg *g, LLVMBasicBlockRef b) {
    uint64_t n = (uint64_t)(uintptr_t)tc_map_get(&g->index, TC_KEY(b));
    return n == 0 ? TC_NONE : (uint32_t)(n - 1);
}

bool tc_cfg_contains(const tc_cfg *g, uint32_t loop, uint32_t block) {
    for (uint32_t l = g->loop_of[block]; l != TC_NONE; l = g->loops.data[l].parent)
        if (l == loop)
            return true;
    return loop == TC_NONE;
}

static unsigned successor_count(LLVMBasicBlockRef b) {
    LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
    return t == NULL ? 0 : LLVMGetNumSuccessors(t);
}

static void order_blocks(tc_arena *a, tc_cfg *g) {
    TC_VEC(tc_dfs) stack = {0};
    TC_VEC(LLVMBasicBlockRef) post = {0};
    tc_map seen = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(g->function);
    tc_map_put(a, &seen, TC_KEY(entry), entry);
    tc_push(a, &stack, ((tc_dfs){entry, successor_count(entry)}));
    while (stack.len > 0) {
        tc_dfs *top = &tc_last(&stack);
        if (top->next == 0) {
            tc_push(a, &post, top->block);
            stack.len--;
            continue;
        }
        // The last successor first: the taken branch comes first in reverse post-order.
        LLVMBasicBlockRef s = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(top->block), --top->next);
        if (tc_map_has(&seen, TC_KEY(s)))
            continue;
        tc_map_put(a, &seen, TC_KEY(s), s);
        tc_push(a, &stack, ((tc_dfs){s, successor_count(s)}));
    }
    g->nblocks = (uint32_t)post.len;
    g->blocks = TC_NEW_ARRAY(a, LLVMBasicBlockRef, post.len);
    for (size_t i = 0; i < post.len; i++) {
        g->blocks[i] = post.data[post.len - 1 - i];
        tc_map_put(a, &g->index, TC_KEY(g->blocks[i]), (void *)(uintptr_t)(i + 1));
    }
}

typedef TC_VEC(uint32_t) tc_u32s;

static tc_u32s *predecessors(tc_arena *a, tc_cfg *g) {
    tc_u32s *preds = TC_NEW_ARRAY(a, tc_u32s, g->nblocks);
    for (uint32_t b = 0; b < g->nblocks; b++) {
        unsigned n = successor_count(g->blocks[b]);
        for (unsigned i = 0; i < n; i++) {
            uint32_t s = tc_cfg_number(g, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(g->blocks[b]), i));
            tc_push(a, &preds[s], b);
        }
    }
    return preds;
}

static uint32_t meet(const uint32_t *idom, uint32_t x, uint32_t y) {
    while (x != y) {
        while (x > y)
            x = idom[x];
        while (y > x)
            y = idom[y];
    }
    return x;
}

static void find_dominators(tc_arena *a, tc_cfg *g, const tc_u32s *preds) {
    g->idom = TC_NEW_ARRAY(a, uint32_t, g->nblocks);
    for (uint32_t b = 1; b < g->nblocks; b++)
        g->idom[b] = TC_NONE;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < g->nblocks; b++) {
            uint32_t d = TC_NONE;
            for (size_t i = 0; i < preds[b].len; i++) {
                uint32_t p = preds[b].data[i];
                if (p == 0 || g->idom[p] != TC_NONE)
                    d = d == TC_NONE ? p : meet(g->idom, d, p);
            }
            if (d != g->idom[b]) {
                g->idom[b] = d;
                changed = true;
            }
        }
    }
}

static bool dominates(const tc_cfg *g, uint32_t x, uint32_t y) {
    while (y > x)
        y = g->idom[y];
    return x == y;
}

// The natural loop of header: everything that reaches one of its back edges without passing it.
static void collect_loop(tc_arena *a, tc_cfg *g, const tc_u32s *preds, uint32_t header, bool *in) {
    tc_u32s stack = {0};
    for (uint32_t b = 0; b < g->nblocks; b++)
        in[b] = false;
    in[header] = true;
    for (size_t i = 0; i < preds[header].len; i++) {
        uint32_t p = preds[header].data[i];
        if (p >= header && !in[p]) {
            in[p] = true;
            tc_push(a, &stack, p);
        }
    }
    while (stack.len > 0) {
        uint32_t b = tc_pop(&stack);
        for (size_t i = 0; i < preds[b].len; i++) {
            uint32_t p = preds[b].data[i];
            if (!in[p]) {
                in[p] = true;
                tc_push(a, &stack, p);
            }
        }
    }
}

static void find_loops(tc_arena *a, tc_cfg *g, const tc_u32s *preds) {
    bool *in = TC_NEW_ARRAY(a, bool, g->nblocks);
    g->loop_of = TC_NEW_ARRAY(a, uint32_t, g->nblocks);
    for (uint32_t b = 0; b < g->nblocks; b++)
        g->loop_of[b] = TC_NONE;
    for (uint32_t h = 0; h < g->nblocks; h++) {
        bool header = false;
        for (size_t i = 0; i < preds[h].len; i++)
            if (preds[h].data[i] >= h) {
                header = true;
                if (!dominates(g, h, preds[h].data[i]))
                    g->irreducible = true;
            }
        if (!header || g->irreducible)
            continue;
        collect_loop(a, g, preds, h, in);
        // Outer headers come first in reverse post-order, so the innermost loop is set last.
        tc_cfg_loop l = {h, g->loop_of[h], 1, {0}};
        if (l.parent != TC_NONE)
            l.depth = g->loops.data[l.parent].depth + 1;
        uint32_t id = (uint32_t)g->loops.len;
        for (uint32_t b = 0; b < g->nblocks; b++)
            if (in[b]) {
                tc_push(a, &l.blocks, b);
                g->loop_of[b] = id;
            }
        tc_push(a, &g->loops, l);
    }
}

static void find_dead_ends(tc_arena *a, tc_cfg *g, const tc_u32s *preds) {
    g->dies = TC_NEW_ARRAY(a, bool, g->nblocks);
    tc_u32s stack = {0};
    for (uint32_t b = 0; b < g->nblocks; b++) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(g->blocks[b]);
        g->dies[b] = true;
        if (t != NULL && LLVMGetInstructionOpcode(t) == LLVMRet)
            tc_push(a, &stack, b);
    }
    while (stack.len > 0) {
        uint32_t b = tc_pop(&stack);
        if (!g->dies[b])
            continue;
        g->dies[b] = false;
        for (size_t i = 0; i < preds[b].len; i++)
            if (g->dies[preds[b].data[i]])
                tc_push(a, &stack, preds[b].data[i]);
    }
}

// SOUND: nothing that other threads may notice comes before, so that who goes there has done all that he does.
static bool gives_up(tc_arena *a, LLVMBasicBlockRef b, int depth);

// Its own variables, as arguments are passed through them.
static bool is_own(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p) != NULL || LLVMIsAAddrSpaceCastInst(p) != NULL)
        p = LLVMGetOperand(p, 0);
    return LLVMIsAAllocaInst(p) != NULL;
}

static bool is_unnoticed(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return is_own(LLVMGetOperand(i, 0));
    case LLVMStore:
        return is_own(LLVMGetOperand(i, 1));
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMInvoke:
        return false;
    default:
        return true;
    }
}

static bool asm_gives_up(tc_arena *a, LLVMValueRef callee) {
    size_t n;
    tc_ptx_inst in[1];
    return tc_ptx_parse(a, LLVMGetInlineAsmAsmString(callee, &n), in, 1) == 1 && in[0].effect.kind == TC_FX_TRAP && in[0].effect.arg == 0 &&
           in[0].predicate == NULL;
}

static tc_effect effect_of(tc_arena *a, LLVMValueRef callee, int depth) {
    static const tc_effect trap = {.kind = TC_FX_TRAP}, unknown = {.kind = TC_FX_UNKNOWN};
    size_t n;
    if (LLVMIsAInlineAsm(callee) != NULL)
        return asm_gives_up(a, callee) ? trap : unknown;
    if (LLVMIsAFunction(callee) == NULL)
        return unknown;
    const tc_effect fx = tc_effect_of_call(LLVMGetValueName2(callee, &n));
    if (fx.kind == TC_FX_UNKNOWN && !LLVMIsDeclaration(callee) && depth > 0 && gives_up(a, LLVMGetEntryBasicBlock(callee), depth - 1))
        return trap;
    return fx;
}

static bool gives_up(tc_arena *a, LLVMBasicBlockRef b, int depth) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (!is_unnoticed(i))
            return false;
        if (LLVMIsACallInst(i) == NULL)
            continue;
        const tc_effect fx = effect_of(a, LLVMGetCalledValue(i), depth);
        if (fx.kind == TC_FX_TRAP)
            return fx.arg == 0;
        if (fx.kind != TC_FX_NOTHING && fx.kind != TC_FX_PRINTF && fx.kind != TC_FX_SREG)
            return false;
    }
    return false;
}

tc_cfg *tc_cfg_new(tc_arena *a, LLVMValueRef function) {
    tc_cfg *g = TC_NEW(a, tc_cfg);
    g->function = function;
    order_blocks(a, g);
    tc_u32s *preds = predecessors(a, g);
    find_dominators(a, g, preds);
    find_loops(a, g, preds);
    find_dead_ends(a, g, preds);
    g->aborts = TC_NEW_ARRAY(a, bool, g->nblocks);
    for (uint32_t b = 0; b < g->nblocks; b++)
        g->aborts[b] = g->dies[b] && gives_up(a, g->blocks[b], 4);
    return g;
}
