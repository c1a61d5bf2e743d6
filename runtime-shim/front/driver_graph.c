// Graphs that are built by hand. What they are at last is given to the tracker: when they are instantiated, or launched after a change.
// Until then nodes, edges and parameters come in any order, and what lies between is nobody's program. Of captured graphs the nodes are
// known to the tracker alone.
//
// All of it is in the brackets of the shim. A node or an edge for which there is no memory ends the checking: without it what is in order
// would seem not to be.
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/front/driver.h"

#define P(function) const tc_cu_##function *p = c->params

typedef enum kind { WORK, RECORD, WAIT, GONE } kind;

typedef struct node {
    u64 handle, event; // event: of RECORD and WAIT
    kind kind;
    tc_rt_event made;      // its uses and breaches are owned
    uint32_t *after;       // nodes of the list, in any order
    size_t nafter, cap;
} node;

typedef struct graph {
    struct graph *next;
    u64 handle;
    bool exec, dirty; // dirty: the tracker has to be told
    node *nodes;
    size_t n, cap;
} graph;

enum { BUCKETS = 1024 };
static graph *buckets[BUCKETS];

static graph **link_of(u64 handle, bool exec) {
    graph **p = &buckets[(handle * UINT64_C(0x9e3779b97f4a7c15) >> 50) % BUCKETS];
    while (*p && ((*p)->handle != handle || (*p)->exec != exec))
        p = &(*p)->next;
    return p;
}

static graph *graph_of(u64 handle, bool exec) {
    return *link_of(handle, exec);
}

static void work_clear(tc_rt_event *e) {
    for (size_t i = 0; i < e->nbreaches; i++) {
        free((void *)(uintptr_t)e->breaches[i].where);
        free((void *)(uintptr_t)e->breaches[i].values);
    }
    free((void *)(uintptr_t)e->breaches);
    free((void *)(uintptr_t)e->uses);
    *e = (tc_rt_event){.op = TC_RT_GRAPH_NODE};
}

static void node_clear(node *n) {
    work_clear(&n->made);
    free(n->after);
    n->after = NULL;
    n->nafter = n->cap = 0;
}

static void forget(u64 handle, bool exec) {
    graph **p = link_of(handle, exec), *g = *p;
    if (!g)
        return;
    *p = g->next;
    for (size_t i = 0; i < g->n; i++)
        node_clear(&g->nodes[i]);
    free(g->nodes);
    free(g);
}

static graph *graph_new(u64 handle, bool exec) {
    forget(handle, exec);
    graph *g = calloc(1, sizeof *g);
    if (!g) {
        shim_lost();
        return NULL;
    }
    g->handle = handle;
    g->exec = exec;
    g->dirty = !exec;
    graph **p = link_of(handle, exec);
    *p = g;
    return g;
}

static void *copy_of(const void *p, size_t n) {
    void *copy = p && n ? malloc(n) : NULL;
    return copy ? memcpy(copy, p, n) : NULL;
}

static char *text_of(const char *s) {
    return s ? strdup(s) : NULL;
}

// Takes what a node does; what does not fit into memory is left out.
static void node_keep(node *n, const tc_rt_event *e) {
    work_clear(&n->made);
    tc_rt_event made = *e;
    tc_rt_breach *b = copy_of(e->breaches, e->nbreaches * sizeof *b);
    made.op = TC_RT_GRAPH_NODE;
    made.uses = copy_of(e->uses, e->nuses * sizeof *e->uses);
    made.nuses = made.uses ? e->nuses : 0;
    made.nbreaches = b ? e->nbreaches : 0;
    made.breaches = b;
    made.after = NULL;
    made.nafter = 0;
    for (size_t i = 0; i < made.nbreaches; i++) {
        b[i].where = text_of(b[i].where);
        b[i].values = text_of(b[i].values);
    }
    n->made = made;
}

static bool after_add(node *n, uint32_t number) {
    if (n->nafter == n->cap) {
        size_t more = n->cap ? n->cap * 2 : 4;
        uint32_t *p = realloc(n->after, more * sizeof *p);
        if (!p) {
            shim_lost();
            return false;
        }
        n->after = p;
        n->cap = more;
    }
    n->after[n->nafter++] = number;
    return true;
}

static void after_remove(node *n, uint32_t number) {
    for (size_t i = 0; i < n->nafter; i++)
        if (n->after[i] == number) {
            n->after[i] = n->after[--n->nafter];
            return;
        }
}

static node *node_add(graph *g, u64 handle) {
    if (g->n == g->cap) {
        size_t more = g->cap ? g->cap * 2 : 16;
        node *p = realloc(g->nodes, more * sizeof *p);
        if (!p) {
            shim_lost();
            return NULL;
        }
        g->nodes = p;
        g->cap = more;
    }
    node *n = &g->nodes[g->n++];
    *n = (node){.handle = handle};
    return n;
}

static node *node_of(const graph *g, u64 handle) {
    for (size_t i = g->n; i-- > 0;)
        if (g->nodes[i].handle == handle && g->nodes[i].kind != GONE)
            return &g->nodes[i];
    return NULL;
}

// The graph of which a node is: the driver's calls name the node alone.
static graph *graph_with(u64 handle, node **n) {
    for (size_t b = 0; b < BUCKETS; b++)
        for (graph *g = buckets[b]; g; g = g->next)
            if (!g->exec && (*n = node_of(g, handle)))
                return g;
    return NULL;
}

static void give(const shim_call *c, tc_rt_event *e) {
    e->device = c->device;
    e->flags |= driver_accepted(c);
    shim_give(e);
}

// ---- to the tracker ----

#define NOT_GIVEN UINT32_MAX

// Gives a node when all that it comes after has been given. false: not yet.
static bool give_node(const shim_call *c, const graph *g, size_t i, u64 to, uint32_t *numbers, uint32_t *list, uint32_t *next) {
    const node *n = &g->nodes[i];
    tc_rt_event e = n->made;
    for (size_t k = 0; k < n->nafter; k++) {
        if (g->nodes[n->after[k]].kind == GONE)
            continue;
        if (numbers[n->after[k]] == NOT_GIVEN)
            return false;
        if (e.nafter < g->n)
            list[e.nafter++] = numbers[n->after[k]];
    }
    e.graph = to;
    e.after = list;
    give(c, &e);
    numbers[i] = (*next)++;
    return true;
}

// The nodes, in an order that their edges allow; they are numbered in that order.
static void give_nodes(const shim_call *c, const graph *g, u64 to) {
    uint32_t *numbers = malloc((2 * g->n + 1) * sizeof *numbers), next = 0, before;
    if (!numbers)
        return;
    memset(numbers, 0xff, g->n * sizeof *numbers);
    do {
        before = next;
        for (size_t i = 0; i < g->n; i++)
            if (g->nodes[i].kind != GONE && numbers[i] == NOT_GIVEN)
                give_node(c, g, i, to, numbers, numbers + g->n, &next);
    } while (next > before && next < g->n);
    free(numbers);
}

// A graph as it is now.
static void settle(const shim_call *c, graph *g) {
    if (!g || !g->dirty)
        return;
    tc_rt_event gone = {.op = TC_RT_GRAPH_DESTROY, .graph = g->handle}, made = {.op = TC_RT_GRAPH_CREATE, .graph = g->handle};
    give(c, &gone);
    give(c, &made);
    give_nodes(c, g, g->handle);
    g->dirty = false;
}

// An executable as it is now (g NULL: what it does is not known), by way of a graph that no program can have.
#define SHADOW (UINT64_C(1) << 63)
static void settle_exec(const shim_call *c, u64 exec, const graph *g) {
    u64 shadow = exec ^ SHADOW;
    tc_rt_event made = {.op = TC_RT_GRAPH_CREATE, .graph = shadow}, update = {.op = TC_RT_GRAPH_UPDATE, .exec = exec, .graph = shadow},
                gone = {.op = TC_RT_GRAPH_DESTROY, .graph = shadow};
    give(c, &made);
    if (g)
        give_nodes(c, g, shadow);
    give(c, &update);
    give(c, &gone);
}

// ---- graphs ----

void take_graph_create(const shim_call *c) {
    P(cuGraphCreate);
    tc_rt_event e = {.op = TC_RT_GRAPH_CREATE, .graph = *p->phGraph};
    if (!shim_enter())
        return;
    graph_new(*p->phGraph, false);
    give(c, &e);
    shim_leave();
}

void take_graph_destroy(const shim_call *c) {
    P(cuGraphDestroy);
    tc_rt_event e = {.op = TC_RT_GRAPH_DESTROY, .graph = p->hGraph};
    if (!shim_enter())
        return;
    forget(p->hGraph, false);
    give(c, &e);
    shim_leave();
}

// A capture may go into a graph that was built by hand before; from then on the tracker alone knows it.
void take_capture_end(const shim_call *c) {
    P(cuStreamEndCapture);
    u64 made = c->result == CU_OK && p->phGraph ? *p->phGraph : 0;
    tc_rt_event e = {.op = TC_RT_CAPTURE_END, .stream = driver_stream(c, p->hStream), .graph = made};
    if (!shim_enter())
        return;
    if (made)
        forget(made, false);
    give(c, &e);
    shim_leave();
}

static bool copy_nodes(graph *to, const graph *from) {
    for (size_t i = 0; i < from->n; i++) {
        const node *old = &from->nodes[i];
        node *n = node_add(to, old->handle);
        if (!n)
            return false;
        n->kind = old->kind;
        n->event = old->event;
        node_keep(n, &old->made);
        for (size_t k = 0; k < old->nafter; k++)
            if (!after_add(n, old->after[k]))
                return false;
    }
    return true;
}

typedef int (*find_in_clone)(u64 *node, u64 original, u64 clone);

// A clone's nodes have handles of their own, which the driver tells.
static void take_handles(graph *clone) {
    find_in_clone find = NULL;
    void *f = driver_function("cuGraphNodeFindInClone");
    memcpy(&find, &f, sizeof f);
    for (size_t i = 0; i < clone->n; i++) {
        u64 handle = 0;
        bool known = find && clone->nodes[i].kind != GONE && find(&handle, clone->nodes[i].handle, clone->handle) == CU_OK;
        clone->nodes[i].handle = known ? handle : 0;
    }
}

void take_graph_clone(const shim_call *c) {
    P(cuGraphClone);
    tc_rt_event e = {.op = TC_RT_GRAPH_CREATE, .graph = *p->phGraphClone};
    if (!shim_enter())
        return;
    give(c, &e);
    const graph *from = graph_of(p->originalGraph, false);
    graph *clone = from ? graph_new(*p->phGraphClone, false) : NULL;
    if (clone && copy_nodes(clone, from)) {
        take_handles(clone);
    } else {
        forget(*p->phGraphClone, false);
        shim_count(SHIM_NOTE_PARTIAL, "a copy of a captured graph", "what its nodes use is not known");
    }
    shim_leave();
}

// ---- nodes ----

// e: what the node does, in the brackets.
static void add_node(const shim_call *c, u64 to, u64 handle, const u64 *after, u64 nafter, tc_rt_event *e, kind what, u64 event) {
    graph *g = graph_of(to, false);
    e->device = c->device;
    e->stack = shim_stack();
    if (!g) { // after which captured nodes it comes is not known: what it uses would seem to conflict with theirs
        shim_count(SHIM_NOTE_PARTIAL, "nodes added to a captured graph", "what they use is not known");
        return;
    }
    node *n = node_add(g, handle);
    if (!n)
        return;
    n->kind = what;
    n->event = event;
    node_keep(n, e);
    for (u64 i = 0; after && i < nafter; i++) {
        const node *x = node_of(g, after[i]);
        if (x)
            after_add(n, (uint32_t)(x - g->nodes));
    }
    g->dirty = true;
}

typedef struct place {
    u64 *handle;
    u64 graph;
    const u64 *after;
    u64 nafter;
} place;
#define PLACE(p) ((place){(p)->phGraphNode, (p)->hGraph, (p)->dependencies, (p)->numDependencies})

static void add(const shim_call *c, place at, tc_rt_event *e, kind what, u64 event) {
    add_node(c, at.graph, *at.handle, at.after, at.nafter, e, what, event);
}

// Version 1 of the structure ends before `kern`.
static shim_launch launch_of(const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *n, bool has_kern) {
    return (shim_launch){.function = n->func || !has_kern ? n->func : n->kern,
                         .grid = {n->gridDimX, n->gridDimY, n->gridDimZ},
                         .block = {n->blockDimX, n->blockDimY, n->blockDimZ},
                         .smem = n->sharedMemBytes,
                         .params = n->kernelParams,
                         .extra = n->extra};
}

static shim_kernel *kernel_of(const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *n, const shim_launch *l) {
    return kernels_find(l->function, NULL, n->func ? SHIM_FUNCTION : SHIM_KERNEL);
}

static void add_kernel(const shim_call *c, place at, const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *n, bool has_kern) {
    const shim_launch l = launch_of(n, has_kern);
    shim_kernel *k = kernel_of(n, &l);
    tc_rt_event e = {0};
    if (!shim_enter())
        return;
    kernels_launch(k, &l, &e);
    add(c, at, &e, WORK, 0);
    shim_leave();
}

void take_kernel_node_v1(const shim_call *c) {
    P(cuGraphAddKernelNode_v2);
    add_kernel(c, PLACE(p), p->nodeParams, false);
}

void take_kernel_node(const shim_call *c) {
    P(cuGraphAddKernelNode_v2);
    add_kernel(c, PLACE(p), p->nodeParams, true);
}

static tc_rt_event copy_event(const tc_cu_CUDA_MEMCPY3D *m, tc_rt_use uses[COPY_USES]) {
    return (tc_rt_event){.op = TC_RT_GRAPH_NODE, .flags = TC_RT_LASTING, .name = "copy", .uses = uses, .nuses = driver_copy_uses(m, uses)};
}

static tc_rt_event set_event(const tc_cu_CUDA_MEMSET_NODE_PARAMS *m, tc_rt_use *use) {
    tc_rt_region rows = driver_rows(m->dst, m->width * m->elementSize, m->height, m->pitch);
    *use = (tc_rt_use){.region = rows, .borrow = TC_RT_EXCLUSIVE, .name = "destination"};
    return (tc_rt_event){.op = TC_RT_GRAPH_NODE, .flags = TC_RT_LASTING, .name = "memset", .uses = use, .nuses = 1};
}

static void add_event(const shim_call *c, place at, tc_rt_event *e, kind what, u64 event) {
    if (!shim_enter())
        return;
    add(c, at, e, what, event);
    shim_leave();
}

static void add_copy(const shim_call *c, place at, const tc_cu_CUDA_MEMCPY3D *m) {
    tc_rt_use uses[COPY_USES];
    tc_rt_event e = copy_event(m, uses);
    add_event(c, at, &e, WORK, 0);
}

static void add_set(const shim_call *c, place at, const tc_cu_CUDA_MEMSET_NODE_PARAMS *m) {
    tc_rt_use use;
    tc_rt_event e = set_event(m, &use);
    add_event(c, at, &e, WORK, 0);
}

static void add_other(const shim_call *c, place at, kind what, u64 event) {
    tc_rt_event e = {0};
    add_event(c, at, &e, what, event);
}

void take_copy_node(const shim_call *c) {
    P(cuGraphAddMemcpyNode);
    add_copy(c, PLACE(p), p->copyParams);
}

void take_set_node(const shim_call *c) {
    P(cuGraphAddMemsetNode);
    add_set(c, PLACE(p), p->memsetParams);
}

void take_other_node(const shim_call *c) { // host functions, child graphs, memory: what they use is not known
    P(cuGraphAddEmptyNode);
    add_other(c, PLACE(p), WORK, 0);
}

void take_record_node(const shim_call *c) {
    P(cuGraphAddEventRecordNode);
    add_other(c, PLACE(p), RECORD, p->event);
}

void take_wait_node(const shim_call *c) {
    P(cuGraphAddEventRecordNode);
    add_other(c, PLACE(p), WAIT, p->event);
}

// ---- CUgraphNodeParams: a type, padding to 16 bytes, and the node's own structure ----

enum { TYPE_KERNEL, TYPE_COPY, TYPE_SET, TYPE_WAIT = 6, TYPE_RECORD = 7 }; // CUgraphNodeType

static const void *body(const void *params, u32 *type) {
    memcpy(type, params, sizeof *type);
    return (const u8 *)params + 16;
}

// CUDA_MEMCPY_NODE_PARAMS: flags, reserved, context, and the copy.
static const tc_cu_CUDA_MEMCPY3D *copy_in(const void *b) {
    return (const void *)((const u8 *)b + 16);
}

static void add_any(const shim_call *c, place at, const void *params) {
    u32 type;
    const void *b = body(params, &type);
    u64 event;
    memcpy(&event, b, sizeof event);
    switch (type) {
    case TYPE_KERNEL:
        add_kernel(c, at, b, true);
        break;
    case TYPE_COPY:
        add_copy(c, at, copy_in(b));
        break;
    case TYPE_SET:
        add_set(c, at, b);
        break;
    case TYPE_WAIT:
    case TYPE_RECORD:
        add_other(c, at, type == TYPE_WAIT ? WAIT : RECORD, event);
        break;
    default:
        add_other(c, at, WORK, 0);
        break;
    }
}

void take_any_node(const shim_call *c) {
    P(cuGraphAddNode);
    add_any(c, PLACE(p), p->nodeParams);
}

void take_any_node_v2(const shim_call *c) {
    P(cuGraphAddNode_v2);
    add_any(c, PLACE(p), p->nodeParams);
}

// ---- changes ----

static void edges(u64 handle, const u64 *from, const u64 *to, u64 count, bool added) {
    if (!shim_enter())
        return;
    graph *g = graph_of(handle, false);
    for (u64 i = 0; g && i < count; i++) {
        const node *a = node_of(g, from[i]);
        node *b = node_of(g, to[i]);
        if (a && b && added)
            after_add(b, (uint32_t)(a - g->nodes));
        else if (a && b)
            after_remove(b, (uint32_t)(a - g->nodes));
        g->dirty = true;
    }
    shim_leave();
}

void take_add_edges(const shim_call *c) {
    P(cuGraphAddDependencies);
    edges(p->hGraph, p->from, p->to, p->numDependencies, true);
}

void take_add_edges_v2(const shim_call *c) {
    P(cuGraphAddDependencies_v2);
    edges(p->hGraph, p->from, p->to, p->numDependencies, true);
}

void take_remove_edges(const shim_call *c) {
    P(cuGraphAddDependencies);
    edges(p->hGraph, p->from, p->to, p->numDependencies, false);
}

void take_remove_edges_v2(const shim_call *c) {
    P(cuGraphAddDependencies_v2);
    edges(p->hGraph, p->from, p->to, p->numDependencies, false);
}

void take_node_destroy(const shim_call *c) { // its edges go with it
    P(cuGraphDestroyNode);
    node *n = NULL;
    if (!shim_enter())
        return;
    graph *g = graph_with(p->hNode, &n);
    if (g) {
        node_clear(n);
        n->kind = GONE;
        g->dirty = true;
    }
    shim_leave();
}

// e NULL: what the node does is not known.
static void change(u64 handle, const tc_rt_event *e) {
    const tc_rt_event nothing = {.op = TC_RT_GRAPH_NODE};
    node *n = NULL;
    graph *g = graph_with(handle, &n);
    if (!g) {
        shim_count(SHIM_NOTE_PARTIAL, "nodes of a captured graph that were changed", "what they use now is not known");
        return;
    }
    node_keep(n, e ? e : &nothing);
    g->dirty = true;
}

// What the executable did is forgotten at once, so that memory which it used may go; what it does now is told when it is launched.
static void change_exec(const shim_call *c, u64 exec, u64 handle, const tc_rt_event *e) {
    const tc_rt_event nothing = {.op = TC_RT_GRAPH_NODE};
    graph *g = graph_of(exec, true);
    node *n = g ? node_of(g, handle) : NULL;
    if (!g || !g->dirty)
        settle_exec(c, exec, NULL);
    if (n) {
        node_keep(n, e ? e : &nothing);
        g->dirty = true;
        return;
    }
    forget(exec, true);
    shim_count(SHIM_NOTE_PARTIAL, "executables of captured graphs of which nodes were changed", "what they use is not known any more");
}

// exec 0: the node of a graph.
static void change_either(const shim_call *c, u64 exec, u64 handle, tc_rt_event *e) {
    if (e) {
        e->device = c->device;
        e->stack = shim_stack();
    }
    if (exec)
        change_exec(c, exec, handle, e);
    else
        change(handle, e);
}

static void change_kernel(const shim_call *c, u64 exec, u64 handle, const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *p, bool has_kern) {
    const shim_launch l = launch_of(p, has_kern);
    shim_kernel *k = kernel_of(p, &l);
    tc_rt_event e = {0};
    if (!shim_enter())
        return;
    kernels_launch(k, &l, &e);
    change_either(c, exec, handle, &e);
    shim_leave();
}

static void change_to(const shim_call *c, u64 exec, u64 handle, tc_rt_event *e) {
    if (!shim_enter())
        return;
    change_either(c, exec, handle, e);
    shim_leave();
}

static void change_copy(const shim_call *c, u64 exec, u64 handle, const tc_cu_CUDA_MEMCPY3D *m) {
    tc_rt_use uses[COPY_USES];
    tc_rt_event e = copy_event(m, uses);
    change_to(c, exec, handle, &e);
}

static void change_set(const shim_call *c, u64 exec, u64 handle, const tc_cu_CUDA_MEMSET_NODE_PARAMS *m) {
    tc_rt_use use;
    tc_rt_event e = set_event(m, &use);
    change_to(c, exec, handle, &e);
}

static void change_any(const shim_call *c, u64 exec, u64 handle, const void *params) {
    u32 type;
    const void *b = body(params, &type);
    if (type == TYPE_KERNEL)
        change_kernel(c, exec, handle, b, true);
    else if (type == TYPE_COPY)
        change_copy(c, exec, handle, copy_in(b));
    else if (type == TYPE_SET)
        change_set(c, exec, handle, b);
    else
        change_to(c, exec, handle, NULL);
}

void take_set_kernel_node_v1(const shim_call *c) {
    P(cuGraphKernelNodeSetParams_v2);
    change_kernel(c, 0, p->hNode, p->nodeParams, false);
}

void take_set_kernel_node(const shim_call *c) {
    P(cuGraphKernelNodeSetParams_v2);
    change_kernel(c, 0, p->hNode, p->nodeParams, true);
}

void take_set_copy_node(const shim_call *c) {
    P(cuGraphMemcpyNodeSetParams);
    change_copy(c, 0, p->hNode, p->nodeParams);
}

void take_set_set_node(const shim_call *c) {
    P(cuGraphMemsetNodeSetParams);
    change_set(c, 0, p->hNode, p->nodeParams);
}

void take_set_any_node(const shim_call *c) {
    P(cuGraphNodeSetParams);
    change_any(c, 0, p->hNode, p->nodeParams);
}

void take_exec_kernel_node_v1(const shim_call *c) {
    P(cuGraphExecKernelNodeSetParams_v2);
    change_kernel(c, p->hGraphExec, p->hNode, p->nodeParams, false);
}

void take_exec_kernel_node(const shim_call *c) {
    P(cuGraphExecKernelNodeSetParams_v2);
    change_kernel(c, p->hGraphExec, p->hNode, p->nodeParams, true);
}

void take_exec_copy_node(const shim_call *c) {
    P(cuGraphExecMemcpyNodeSetParams);
    change_copy(c, p->hGraphExec, p->hNode, p->copyParams);
}

void take_exec_set_node(const shim_call *c) {
    P(cuGraphExecMemsetNodeSetParams);
    change_set(c, p->hGraphExec, p->hNode, p->memsetParams);
}

void take_exec_any_node(const shim_call *c) {
    P(cuGraphExecNodeSetParams);
    change_any(c, p->hGraphExec, p->hNode, p->nodeParams);
}

void take_exec_other_node(const shim_call *c) {
    P(cuGraphExecNodeSetParams);
    change_to(c, p->hGraphExec, p->hNode, NULL);
}

// ---- executables ----

// The executable's own copy of the nodes, for changes.
static void take_nodes(u64 exec, u64 from) {
    const graph *g = graph_of(from, false);
    graph *x = g ? graph_new(exec, true) : NULL;
    if (!x || !copy_nodes(x, g))
        forget(exec, true);
}

void take_instantiate(const shim_call *c) { // all versions begin alike
    P(cuGraphInstantiateWithFlags);
    tc_rt_event e = {.op = TC_RT_GRAPH_INSTANTIATE, .exec = *p->phGraphExec, .graph = p->hGraph};
    if (!shim_enter())
        return;
    settle(c, graph_of(p->hGraph, false));
    take_nodes(*p->phGraphExec, p->hGraph);
    give(c, &e);
    shim_leave();
}

// Nodes go on to be named by the handles of the graph that the executable was made from.
static bool update_nodes(graph *x, const graph *g) {
    if (!x || !g || x->n != g->n)
        return false;
    for (size_t i = 0; i < x->n; i++)
        node_keep(&x->nodes[i], &g->nodes[i].made);
    x->dirty = false;
    return true;
}

void take_exec_update(const shim_call *c) {
    P(cuGraphExecUpdate_v2);
    tc_rt_event e = {.op = TC_RT_GRAPH_UPDATE, .exec = p->hGraphExec, .graph = p->hGraph};
    if (!shim_enter())
        return;
    settle(c, graph_of(p->hGraph, false));
    if (!update_nodes(graph_of(p->hGraphExec, true), graph_of(p->hGraph, false)))
        forget(p->hGraphExec, true);
    give(c, &e);
    shim_leave();
}

// Records and waits inside are those of the whole graph. SOUND: for false alarms: they order more than the nodes do.
static void give_events(const shim_call *c, const graph *x, kind what, u64 stream) {
    for (size_t i = 0; x && i < x->n; i++)
        if (x->nodes[i].kind == what) {
            tc_rt_event e = {.op = what == WAIT ? TC_RT_STREAM_WAIT : TC_RT_EVENT_RECORD, .stream = stream, .event = x->nodes[i].event};
            give(c, &e);
        }
}

void take_graph_launch(const shim_call *c) {
    P(cuGraphLaunch);
    u64 stream = driver_stream(c, p->hStream);
    tc_rt_event e = {.op = TC_RT_GRAPH_LAUNCH, .exec = p->hGraph, .stream = stream};
    if (!shim_enter())
        return;
    graph *x = graph_of(p->hGraph, true);
    if (x && x->dirty) {
        settle_exec(c, p->hGraph, x);
        x->dirty = false;
    }
    give_events(c, x, WAIT, stream);
    give(c, &e);
    give_events(c, x, RECORD, stream);
    shim_leave();
}

void take_exec_destroy(const shim_call *c) {
    P(cuGraphExecDestroy);
    tc_rt_event e = {.op = TC_RT_EXEC_DESTROY, .exec = p->hGraphExec};
    if (!shim_enter())
        return;
    forget(p->hGraphExec, true);
    give(c, &e);
    shim_leave();
}
