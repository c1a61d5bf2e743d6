// Which host functions launch kernels, and which calls are followed on the way.
#include <string.h>

#include "checker/host.h"

// A function that launches nothing is followed where it is about as small as what computes sizes: the constructor of a dim3, a
// rounded division. Larger ones (containers, output) tell nothing about a launch that is worth their time.
enum { MAX_WALKED = 400 };

const tc_host_node *tc_host_node_of(const tc_host_graph *g, LLVMValueRef function) {
    uint64_t i = (uint64_t)(uintptr_t)tc_map_get(&g->index, TC_KEY(function));
    return i == 0 ? NULL : &g->nodes.data[i - 1];
}

static bool is_launch(const char *name) {
    static const char *const names[] = {
#define TC_HOST(n, kind, out, size) n, #kind,
#include "checker/host.def"
#undef TC_HOST
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 2)
        if (strcmp(name, names[i]) == 0)
            return strncmp(names[i + 1], "LAUNCH", 6) == 0;
    return false;
}

static bool is_catch(LLVMValueRef pad) {
    for (unsigned i = 0; i < LLVMGetNumClauses(pad); i++)
        if (!LLVMIsAConstantArray(LLVMGetClause(pad, i)))
            return true;
    return false;
}

// A handler that ends the program (of a noexcept function, of a destructor during unwinding) catches nothing.
static bool only_terminates(LLVMValueRef pad) {
    for (LLVMValueRef i = LLVMGetNextInstruction(pad); i != NULL; i = LLVMGetNextInstruction(i)) {
        if (LLVMGetInstructionOpcode(i) == LLVMUnreachable)
            return true;
        if (LLVMIsATerminatorInst(i))
            return false;
    }
    return false;
}

static void scan(tc_arena *a, const tc_host_graph *g, tc_host_node *n) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(n->function); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            n->size += n->size < MAX_WALKED * 2;
            n->catches |= op == LLVMLandingPad && is_catch(i) && !only_terminates(i);
            for (int k = 0; k < LLVMGetNumOperands(i); k++) {
                LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
                if (LLVMIsAFunction(v) && tc_map_has(&g->stubs, TC_KEY(v)))
                    tc_push(a, &n->kernels, v);
            }
            n->launches |= n->kernels.len > 0 && !n->stub; // also by a pointer to it
            if (op != LLVMCall && op != LLVMInvoke)
                continue;
            LLVMValueRef callee = LLVMGetCalledValue(i);
            if (!LLVMIsAFunction(callee))
                continue;
            size_t len;
            n->launches |= is_launch(LLVMGetValueName2(callee, &len)) || tc_map_has(&g->stubs, TC_KEY(callee));
            uint64_t at = (uint64_t)(uintptr_t)tc_map_get(&g->index, TC_KEY(callee));
            if (at != 0)
                tc_push(a, &n->calls, (uint32_t)(at - 1));
        }
}

// What is reached, by rounds: chains of calls are short.
static void spread(tc_host_graph *g) {
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < g->nodes.len; i++) {
            tc_host_node *n = &g->nodes.data[i];
            for (size_t k = 0; k < n->calls.len; k++)
                if (g->nodes.data[n->calls.data[k]].reaches && !n->reaches)
                    n->reaches = again = true;
        }
    }
}

static uint32_t size_with_calls(const tc_host_graph *g, uint32_t at, unsigned depth) {
    const tc_host_node *n = &g->nodes.data[at];
    uint32_t sum = n->size;
    if (depth > 8)
        return MAX_WALKED + 1;
    for (size_t i = 0; i < n->calls.len && sum <= MAX_WALKED; i++)
        sum += size_with_calls(g, n->calls.data[i], depth + 1);
    return sum;
}

tc_host_graph *tc_host_graph_make(tc_arena *a, const tc_unit *u) {
    tc_host_graph *g = TC_NEW(a, tc_host_graph);
    for (size_t i = 0; i < u->nkernels; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(u->module, u->kernels[i].mangled);
        if (f != NULL)
            tc_map_put(a, &g->stubs, TC_KEY(f), g);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f != NULL; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) {
            tc_host_node n = {.function = f, .stub = tc_map_has(&g->stubs, TC_KEY(f))};
            tc_push(a, &g->nodes, n);
            tc_map_put(a, &g->index, TC_KEY(f), (void *)(uintptr_t)g->nodes.len);
        }
    for (size_t i = 0; i < g->nodes.len; i++)
        scan(a, g, &g->nodes.data[i]);
    for (size_t i = 0; i < g->nodes.len; i++) {
        tc_host_node *n = &g->nodes.data[i];
        n->reaches = n->launches;
        for (size_t k = 0; k < n->calls.len; k++) {
            tc_host_node *to = &g->nodes.data[n->calls.data[k]];
            to->called |= to != n;
        }
    }
    for (size_t i = 0; i < g->nodes.len; i++)
        g->nodes.data[i].reaches |= g->nodes.data[i].launches;
    spread(g);
    uint32_t *sizes = TC_NEW_ARRAY(a, uint32_t, g->nodes.len + 1);
    for (size_t i = 0; i < g->nodes.len; i++)
        sizes[i] = size_with_calls(g, (uint32_t)i, 0);
    for (size_t i = 0; i < g->nodes.len; i++)
        g->nodes.data[i].size = sizes[i];
    return g;
}

typedef struct reach {
    tc_arena *arena;
    const tc_host_graph *graph;
    tc_map seen, found;
} reach;

static void follow(reach *r, const tc_host_node *n) {
    if (tc_map_has(&r->seen, TC_KEY(n)))
        return;
    tc_map_put(r->arena, &r->seen, TC_KEY(n), r);
    for (size_t i = 0; i < n->kernels.len; i++)
        tc_map_put(r->arena, &r->found, TC_KEY(n->kernels.data[i]), r);
    for (size_t i = 0; i < n->calls.len; i++)
        if (r->graph->nodes.data[n->calls.data[i]].reaches)
            follow(r, &r->graph->nodes.data[n->calls.data[i]]);
}

tc_map tc_host_kernels_of(tc_arena *a, const tc_host_graph *g, LLVMValueRef function) {
    reach r = {.arena = a, .graph = g};
    const tc_host_node *n = tc_host_node_of(g, function);
    if (n != NULL)
        follow(&r, n);
    return r.found;
}

// What the linker may replace is not what is called.
static bool is_replaceable(LLVMValueRef f) {
    LLVMLinkage l = LLVMGetLinkage(f);
    return l == LLVMWeakAnyLinkage || l == LLVMLinkOnceAnyLinkage || l == LLVMExternalWeakLinkage || l == LLVMCommonLinkage;
}

bool tc_host_walks(const tc_host_graph *g, LLVMValueRef function) {
    const tc_host_node *n = tc_host_node_of(g, function);
    if (n == NULL || is_replaceable(function))
        return false;
    return n->reaches || n->stub || (n->size <= MAX_WALKED && !n->catches);
}

bool tc_host_is_open(LLVMValueRef function) {
    LLVMLinkage l = LLVMGetLinkage(function);
    return l == LLVMExternalLinkage || is_replaceable(function);
}

bool tc_host_is_initialiser(LLVMValueRef function) {
    size_t n;
    return strncmp(LLVMGetValueName2(function, &n), "__cxx_global_var_init", 21) == 0;
}
