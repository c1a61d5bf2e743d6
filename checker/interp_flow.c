// What the decoder must know of a function as a whole: which allocas can be registers, where branches meet again, and
// whether anything between can be seen by others.
#include "checker/interp_decode.h"

#include <string.h>

// ---- allocas ----

static bool scalar_type(tc_decoder *d, LLVMTypeRef t, tc_alloca_info *info) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        break;
    default:
        return false;
    }
    tc_layout l;
    tc_layout_of(d->a, d->td, t, &l);
    if (l.n != 1)
        return false;
    info->bits = l.leaves[0].bits;
    info->kind = l.leaves[0].kind;
    info->fkind = l.leaves[0].fkind;
    return true;
}

static bool same_scalar(tc_decoder *d, LLVMTypeRef t, const tc_alloca_info *info) {
    tc_alloca_info other = {0};
    return scalar_type(d, t, &other) && other.bits == info->bits && other.kind == info->kind &&
           other.fkind == info->fkind;
}

static tc_effect callee_effect(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    tc_effect none = {TC_FX_UNKNOWN, 0, 0, NULL};
    if (!callee || LLVMGetValueKind(callee) != LLVMFunctionValueKind)
        return none;
    size_t n;
    return tc_effect_of_call(LLVMGetValueName2(callee, &n));
}

static void classify(tc_decoder *d, LLVMValueRef alloca, tc_alloca_info *info) {
    info->promoted = scalar_type(d, LLVMGetAllocatedType(alloca), info);
    for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user)) {
            info->promoted = false;
            continue;
        }
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMLoad:
            if (LLVMGetVolatile(user) || LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic ||
                !same_scalar(d, LLVMTypeOf(user), info))
                info->promoted = false;
            break;
        case LLVMStore:
            if (LLVMGetOperand(user, 0) == alloca || LLVMGetVolatile(user) ||
                LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic ||
                !same_scalar(d, LLVMTypeOf(LLVMGetOperand(user, 0)), info))
                info->promoted = false;
            break;
        case LLVMCall:
            if (callee_effect(user).kind == TC_FX_NOTHING) {
                size_t n;
                if (strstr(LLVMGetValueName2(LLVMGetCalledValue(user), &n), "lifetime.start"))
                    info->has_lifetime = true;
                break;
            }
            info->promoted = false;
            break;
        default:
            info->promoted = false;
        }
    }
}

// ---- what a block does that others can see ----

static bool pointer_is_register(const tc_fninfo *f, LLVMValueRef ptr) {
    const tc_alloca_info *info = tc_map_get(&f->allocas, TC_KEY(ptr));
    return info && info->promoted;
}

static bool call_touches(tc_decoder *d, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMGetValueKind(callee) == LLVMInlineAsmValueKind)
        return LLVMGetInlineAsmHasSideEffects(callee) != 0;
    tc_effect fx = callee_effect(call);
    switch (fx.kind) {
    case TC_FX_NOTHING:
    case TC_FX_SREG:
    case TC_FX_OPAQUE:
    case TC_FX_INT:
    case TC_FX_ASSUME:
    case TC_FX_CVTA:
    case TC_FX_STMT_INVARIANT:
    case TC_FX_STMT_ASSERT:
    case TC_FX_STMT_ASSUME:
    case TC_FX_ANOTHER:
    case TC_FX_NOT_READ:
        return false;
    case TC_FX_UNKNOWN:
        break;
    default:
        return true;
    }
    if (LLVMGetValueKind(callee) != LLVMFunctionValueKind || LLVMIsDeclaration(callee))
        return true;
    tc_fninfo *f = tc_fninfo_of(d, callee);
    return f->busy || f->any_touches;
}

static bool insn_touches(tc_decoder *d, const tc_fninfo *f, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return !pointer_is_register(f, LLVMGetOperand(i, 0));
    case LLVMStore:
        return !pointer_is_register(f, LLVMGetOperand(i, 1));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    case LLVMCall:
        return call_touches(d, i);
    default:
        return false;
    }
}

static uint32_t block_number(const tc_fninfo *f, LLVMBasicBlockRef b) {
    return (uint32_t)(uintptr_t)tc_map_get(&f->index, TC_KEY(b)) - 1;
}

// ---- post-dominators (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the reverse graph) ----

typedef struct flow {
    tc_fninfo *f;
    uint32_t n;              // blocks; n is the virtual exit
    TC_VEC(uint32_t) * pred; // of each block
    uint32_t *order, *rank;  // reverse post-order of the reverse graph
    uint32_t norder;
} flow;

static void post_order(flow *g, uint32_t start, bool *seen, tc_arena *a) {
    TC_VEC(uint32_t) stack = {0};
    tc_u32s *at = TC_NEW_ARRAY(a, tc_u32s, 1);
    tc_push(a, &stack, start);
    tc_push(a, at, 0);
    seen[start] = true;
    while (stack.len) {
        uint32_t b = tc_last(&stack);
        uint32_t i = tc_last(at);
        if (i < g->pred[b].len) {
            tc_last(at) = i + 1;
            uint32_t p = g->pred[b].data[i];
            if (!seen[p]) {
                seen[p] = true;
                tc_push(a, &stack, p);
                tc_push(a, at, 0);
            }
        } else {
            g->order[g->norder++] = b;
            stack.len--;
            at->len--;
        }
    }
}

static uint32_t intersect(const uint32_t *ipdom, const uint32_t *rank, uint32_t a, uint32_t b) {
    while (a != b) {
        while (rank[a] < rank[b])
            a = ipdom[a];
        while (rank[b] < rank[a])
            b = ipdom[b];
    }
    return a;
}

static void post_dominators(tc_decoder *d, tc_fninfo *f) {
    uint32_t n = f->nblocks;
    flow g = {.f = f, .n = n};
    g.pred = tc_alloc_array(d->a, n + 1, sizeof *g.pred);
    g.order = TC_NEW_ARRAY(d->a, uint32_t, n + 1);
    g.rank = TC_NEW_ARRAY(d->a, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(f->blocks[b]);
        unsigned ns = t ? LLVMGetNumSuccessors(t) : 0;
        for (unsigned s = 0; s < ns; s++) {
            uint32_t to = block_number(f, LLVMGetSuccessor(t, s));
            tc_push(d->a, &g.pred[to], b);
        }
        if (ns == 0)
            tc_push(d->a, &g.pred[n], b);
    }
    f->npred = TC_NEW_ARRAY(d->a, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(f->blocks[b]);
        for (unsigned s = 0; t && s < LLVMGetNumSuccessors(t); s++)
            f->npred[block_number(f, LLVMGetSuccessor(t, s))]++;
    }
    bool *seen = TC_NEW_ARRAY(d->a, bool, n + 1);
    post_order(&g, n, seen, d->a);
    f->ipdom = TC_NEW_ARRAY(d->a, uint32_t, n + 1);
    for (uint32_t i = 0; i <= n; i++)
        f->ipdom[i] = TC_NONE;
    for (uint32_t i = 0; i < g.norder; i++)
        g.rank[g.order[i]] = i;
    f->ipdom[n] = n;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = g.norder - 1; i-- > 0;) { // the exit comes last in post-order
            uint32_t b = g.order[i];
            LLVMValueRef t = LLVMGetBasicBlockTerminator(f->blocks[b]);
            unsigned ns = t ? LLVMGetNumSuccessors(t) : 0;
            uint32_t best = ns == 0 ? n : TC_NONE;
            for (unsigned s = 0; s < ns; s++) {
                uint32_t to = block_number(f, LLVMGetSuccessor(t, s));
                if (f->ipdom[to] == TC_NONE)
                    continue;
                best = best == TC_NONE ? to : intersect(f->ipdom, g.rank, to, best);
            }
            if (best != TC_NONE && f->ipdom[b] != best) {
                f->ipdom[b] = best;
                changed = true;
            }
        }
    }
    // A block that never reaches the end (an endless loop) meets at the end.
    for (uint32_t b = 0; b < n; b++)
        if (f->ipdom[b] == TC_NONE)
            f->ipdom[b] = n;
}

void tc_fninfo_region(tc_fninfo *f, uint32_t b, void (*fn)(void *ctx, uint32_t block), void *ctx) {
    uint32_t n = 0, stamp = ++f->stamp, at = b;
    f->seen[f->ipdom[b]] = stamp;
    for (;;) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(f->blocks[at]);
        unsigned ns = t ? LLVMGetNumSuccessors(t) : 0;
        for (unsigned s = 0; s < ns; s++) {
            uint32_t to = block_number(f, LLVMGetSuccessor(t, s));
            if (f->seen[to] != stamp) {
                f->seen[to] = stamp;
                f->stack[n++] = to;
                fn(ctx, to);
            }
        }
        if (n == 0)
            return;
        at = f->stack[--n];
    }
}

typedef struct touch_query {
    const tc_fninfo *f;
    bool found;
} touch_query;

static void ask_touch(void *ctx, uint32_t block) {
    touch_query *q = ctx;
    q->found |= q->f->touches[block];
}

bool tc_fninfo_guards(tc_fninfo *f, uint32_t b) {
    touch_query q = {f, false};
    tc_fninfo_region(f, b, ask_touch, &q);
    return q.found;
}

// ---- all of it ----

static void number_blocks(tc_decoder *d, tc_fninfo *f) {
    uint32_t total = LLVMCountBasicBlocks(f->fn);
    f->blocks = TC_NEW_ARRAY(d->a, LLVMBasicBlockRef, total + 1);
    tc_map reached = {0};
    TC_VEC(LLVMBasicBlockRef) stack = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f->fn);
    tc_push(d->a, &stack, entry);
    tc_map_put(d->a, &reached, TC_KEY(entry), entry);
    while (stack.len) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(tc_pop(&stack));
        for (unsigned s = 0; t && s < LLVMGetNumSuccessors(t); s++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(t, s);
            if (!tc_map_has(&reached, TC_KEY(to))) {
                tc_map_put(d->a, &reached, TC_KEY(to), to);
                tc_push(d->a, &stack, to);
            }
        }
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->fn); b; b = LLVMGetNextBasicBlock(b))
        if (tc_map_has(&reached, TC_KEY(b))) {
            f->blocks[f->nblocks++] = b;
            tc_map_put(d->a, &f->index, TC_KEY(b), (void *)(uintptr_t)f->nblocks);
        }
}

tc_fninfo *tc_fninfo_of(tc_decoder *d, LLVMValueRef fn) {
    tc_fninfo *f = tc_map_get(&d->fninfos, TC_KEY(fn));
    if (f)
        return f;
    f = TC_NEW(d->a, tc_fninfo);
    f->fn = fn;
    f->busy = true;
    tc_map_put(d->a, &d->fninfos, TC_KEY(fn), f);
    number_blocks(d, f);
    f->touches = TC_NEW_ARRAY(d->a, bool, f->nblocks + 1);
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMAlloca) {
                tc_alloca_info *info = TC_NEW(d->a, tc_alloca_info);
                classify(d, i, info);
                tc_map_put(d->a, &f->allocas, TC_KEY(i), info);
            }
    for (uint32_t b = 0; b < f->nblocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            if (insn_touches(d, f, i))
                f->touches[b] = f->any_touches = true;
            if (LLVMGetInstructionOpcode(i) == LLVMRet)
                f->nreturns++;
        }
    post_dominators(d, f);
    f->seen = TC_NEW_ARRAY(d->a, uint32_t, f->nblocks + 1);
    f->stack = TC_NEW_ARRAY(d->a, uint32_t, f->nblocks + 1);
    f->busy = false;
    return f;
}
