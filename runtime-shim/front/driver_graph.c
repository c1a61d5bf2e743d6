// Graphs that are built by hand. The tracker knows nodes by number and does not change one; here stands what each node was made with, so that
// a node that is changed gives the graph, or the executable, anew. Of captured graphs the nodes are known to the tracker alone.
//
// All of it is in the brackets of the shim.
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/front/driver.h"

#define P(function) const tc_cu_##function *p = c->params

typedef enum kind { WORK, RECORD, WAIT, GONE } kind;

typedef struct node {
    u64 handle, event; // event: of RECORD and WAIT
    kind kind;
    tc_rt_event made; // uses and after are owned
} node;

typedef struct graph {
    struct graph *next;
    u64 handle;
    bool exec;
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

static void node_clear(node *n) {
    free((void *)(uintptr_t)n->made.uses);
    free((void *)(uintptr_t)n->made.after);
    n->made = (tc_rt_event){.op = TC_RT_GRAPH_NODE};
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
    if (!g)
        return NULL;
    g->handle = handle;
    g->exec = exec;
    graph **p = link_of(handle, exec);
    *p = g;
    return g;
}

static void *copy_of(const void *p, size_t n) {
    void *copy = p && n ? malloc(n) : NULL;
    return copy ? memcpy(copy, p, n) : NULL;
}

// Takes what a node uses and comes after; of lists that do not fit into memory nothing is left.
static void node_keep(node *n, const tc_rt_event *e) {
    n->made = *e;
    n->made.breaches = NULL;
    n->made.nbreaches = 0;
    n->made.uses = copy_of(e->uses, e->nuses * sizeof *e->uses);
    n->made.nuses = n->made.uses ? e->nuses : 0;
    n->made.after = copy_of(e->after, e->nafter * sizeof *e->after);
    n->made.nafter = n->made.after ? e->nafter : 0;
}

static node *node_add(graph *g, u64 handle) {
    if (g->n == g->cap) {
        size_t more = g->cap ? g->cap * 2 : 16;
        node *p = realloc(g->nodes, more * sizeof *p);
        if (!p)
            return NULL;
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
    shim_give(e);
}

static bool enter(const shim_call *c) {
    if (!shim_enter())
        return false;
    shim_call_succeeded(!c->entry && c->result == CU_OK);
    return true;
}

static void give_nodes(const shim_call *c, const graph *from, u64 to) {
    for (size_t i = 0; i < from->n; i++) {
        tc_rt_event e = from->nodes[i].made;
        e.op = TC_RT_GRAPH_NODE;
        e.graph = to;
        give(c, &e);
    }
}

// The tracker's graph, made again from what stands here.
static void rebuild(const shim_call *c, const graph *g) {
    tc_rt_event gone = {.op = TC_RT_GRAPH_DESTROY, .graph = g->handle}, made = {.op = TC_RT_GRAPH_CREATE, .graph = g->handle};
    give(c, &gone);
    give(c, &made);
    give_nodes(c, g, g->handle);
}

// The same of an executable: by way of a graph that no program can have.
#define SHADOW (UINT64_C(1) << 63)
static void rebuild_exec(const shim_call *c, u64 exec, const graph *g) {
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
    if (!enter(c))
        return;
    graph_new(*p->phGraph, false);
    give(c, &e);
    shim_leave();
}

void take_graph_destroy(const shim_call *c) {
    P(cuGraphDestroy);
    tc_rt_event e = {.op = TC_RT_GRAPH_DESTROY, .graph = p->hGraph};
    if (!enter(c))
        return;
    forget(p->hGraph, false);
    give(c, &e);
    shim_leave();
}

static bool copy_nodes(graph *to, const graph *from) {
    for (size_t i = 0; i < from->n; i++) {
        node *n = node_add(to, from->nodes[i].handle);
        if (!n)
            return false;
        n->kind = from->nodes[i].kind;
        n->event = from->nodes[i].event;
        node_keep(n, &from->nodes[i].made);
    }
    return true;
}

// A clone's nodes have handles of their own, which only cuGraphNodeFindInClone tells: they are not changed one by one.
void take_graph_clone(const shim_call *c) {
    P(cuGraphClone);
    tc_rt_event e = {.op = TC_RT_GRAPH_CREATE, .graph = *p->phGraphClone};
    if (!enter(c))
        return;
    give(c, &e);
    graph *clone = graph_new(*p->phGraphClone, false);
    const graph *from = graph_of(p->originalGraph, false);
    if (from && clone && copy_nodes(clone, from)) {
        for (size_t i = 0; i < clone->n; i++)
            clone->nodes[i].handle = 0;
        give_nodes(c, clone, clone->handle);
    } else {
        shim_count(SHIM_NOTE_PARTIAL, "a copy of a captured graph", "what its nodes use is not known");
    }
    shim_leave();
}

// ---- nodes ----

// Numbers of the nodes that a new one comes after. NULL and *n for none.
static uint32_t *numbers(const graph *g, const u64 *handles, u64 n, size_t *out) {
    uint32_t *list = n && handles ? malloc(n * sizeof *list) : NULL;
    *out = 0;
    for (u64 i = 0; list && i < n; i++) {
        const node *x = node_of(g, handles[i]);
        if (x)
            list[(*out)++] = (uint32_t)(x - g->nodes);
    }
    return list;
}

// e: what the node does, in the brackets.
static void add_node(const shim_call *c, u64 to, u64 handle, const u64 *after, u64 nafter, tc_rt_event *e, kind what, u64 event) {
    graph *g = graph_of(to, false);
    e->op = TC_RT_GRAPH_NODE;
    e->graph = to;
    if (!g) { // after which captured nodes it comes is not known: what it uses would seem to conflict with theirs
        shim_count(SHIM_NOTE_PARTIAL, "nodes added to a captured graph", "what they use is not known");
        e->nuses = 0;
        e->after = NULL;
        give(c, e);
        return;
    }
    uint32_t *list = numbers(g, after, nafter, &e->nafter);
    e->after = list;
    node *n = node_add(g, handle);
    if (n) {
        n->kind = what;
        n->event = event;
        node_keep(n, e);
    }
    give(c, e);
    free(list);
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

static void add_kernel(const shim_call *c, place at, const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *n, bool has_kern) {
    const shim_launch l = launch_of(n, has_kern);
    shim_kernel *k = kernels_find(l.function, NULL);
    tc_rt_event e = {0};
    if (!enter(c))
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
    *use = (tc_rt_use){.region = driver_rows(m->dst, m->width * m->elementSize, m->height, m->pitch), .borrow = TC_RT_EXCLUSIVE, .name = "destination"};
    return (tc_rt_event){.op = TC_RT_GRAPH_NODE, .flags = TC_RT_LASTING, .name = "memset", .uses = use, .nuses = 1};
}

static void add_event(const shim_call *c, place at, tc_rt_event *e, kind what, u64 event) {
    if (!enter(c))
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

static bool add_after(node *n, uint32_t number) {
    uint32_t *list = realloc((void *)(uintptr_t)n->made.after, (n->made.nafter + 1) * sizeof *list);
    if (!list)
        return false;
    list[n->made.nafter++] = number;
    n->made.after = list;
    return true;
}

// An edge to a node that was made earlier cannot be said to the tracker, whose nodes come after earlier ones only: then what the graph
// uses is given up.
static void add_edges(const shim_call *c, u64 handle, const u64 *from, const u64 *to, u64 count) {
    if (!enter(c))
        return;
    graph *g = graph_of(handle, false);
    bool known = g != NULL;
    for (u64 i = 0; g && i < count; i++) {
        const node *a = node_of(g, from[i]);
        node *b = node_of(g, to[i]);
        known = known && a && b && a < b && add_after(b, (uint32_t)(a - g->nodes));
    }
    for (size_t i = 0; g && !known && i < g->n; i++)
        node_clear(&g->nodes[i]);
    if (!known)
        shim_count(SHIM_NOTE_PARTIAL, "a graph with edges against the order in which its nodes were made", "what it uses is not known");
    if (g)
        rebuild(c, g);
    shim_leave();
}

void take_add_edges(const shim_call *c) {
    P(cuGraphAddDependencies);
    add_edges(c, p->hGraph, p->from, p->to, p->numDependencies);
}

void take_add_edges_v2(const shim_call *c) {
    P(cuGraphAddDependencies_v2);
    add_edges(c, p->hGraph, p->from, p->to, p->numDependencies);
}

// Its number stays, as a node that does nothing and comes after what it came after: SOUND: for false alarms: with the node its edges go,
// and order that is not there any more is still believed.
void take_node_destroy(const shim_call *c) {
    P(cuGraphDestroyNode);
    node *n = NULL;
    if (!enter(c))
        return;
    graph *g = graph_with(p->hNode, &n);
    if (g) {
        free((void *)(uintptr_t)n->made.uses);
        n->made.uses = NULL;
        n->made.nuses = 0;
        n->kind = GONE;
        rebuild(c, g);
    }
    shim_leave();
}

// The node does something else from now on, after what it came after before.
static void node_replace(node *n, const tc_rt_event *e) {
    const uint32_t *after = n->made.after;
    size_t nafter = n->made.nafter;
    n->made.after = NULL;
    node_clear(n);
    node_keep(n, e);
    n->made.op = TC_RT_GRAPH_NODE;
    n->made.after = after;
    n->made.nafter = nafter;
}

// e NULL: what the node does is not known.
static void change(const shim_call *c, u64 handle, tc_rt_event *e) {
    const tc_rt_event nothing = {.op = TC_RT_GRAPH_NODE};
    node *n = NULL;
    graph *g = graph_with(handle, &n);
    if (!g) {
        shim_count(SHIM_NOTE_PARTIAL, "nodes of a captured or copied graph that were changed", "what they use now is not known");
        return;
    }
    node_replace(n, e ? e : &nothing);
    rebuild(c, g);
}

static void change_exec(const shim_call *c, u64 exec, u64 handle, tc_rt_event *e) {
    const tc_rt_event nothing = {.op = TC_RT_GRAPH_NODE};
    graph *g = graph_of(exec, true);
    node *n = g ? node_of(g, handle) : NULL;
    if (n)
        node_replace(n, e ? e : &nothing);
    else
        shim_count(SHIM_NOTE_PARTIAL, "executables of captured graphs of which nodes were changed", "what they use is not known any more");
    rebuild_exec(c, exec, n ? g : NULL);
}

// exec 0: the node of a graph.
static void change_either(const shim_call *c, u64 exec, u64 handle, tc_rt_event *e) {
    if (exec)
        change_exec(c, exec, handle, e);
    else
        change(c, handle, e);
}

static void change_kernel(const shim_call *c, u64 exec, u64 handle, const tc_cu_CUDA_KERNEL_NODE_PARAMS_v2 *p, bool has_kern) {
    const shim_launch l = launch_of(p, has_kern);
    shim_kernel *k = kernels_find(l.function, NULL);
    tc_rt_event e = {0};
    if (!enter(c))
        return;
    kernels_launch(k, &l, &e);
    change_either(c, exec, handle, &e);
    shim_leave();
}

static void change_to(const shim_call *c, u64 exec, u64 handle, tc_rt_event *e) {
    if (!enter(c))
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

static void take_nodes(u64 exec, u64 from) {
    const graph *g = graph_of(from, false);
    graph *x = g ? graph_new(exec, true) : NULL;
    if (!g || !x || !copy_nodes(x, g))
        forget(exec, true);
}

void take_instantiate(const shim_call *c) { // all versions begin alike
    P(cuGraphInstantiateWithFlags);
    tc_rt_event e = {.op = TC_RT_GRAPH_INSTANTIATE, .exec = *p->phGraphExec, .graph = p->hGraph};
    if (!enter(c))
        return;
    take_nodes(*p->phGraphExec, p->hGraph);
    give(c, &e);
    shim_leave();
}

void take_exec_update(const shim_call *c) {
    P(cuGraphExecUpdate_v2);
    tc_rt_event e = {.op = TC_RT_GRAPH_UPDATE, .exec = p->hGraphExec, .graph = p->hGraph};
    if (!enter(c))
        return;
    graph *x = graph_of(p->hGraphExec, true);
    const graph *g = graph_of(p->hGraph, false);
    // Nodes go on to be named by the handles of the graph that the executable was made from.
    bool alike = x && g && x->n == g->n;
    for (size_t i = 0; alike && i < x->n; i++)
        node_replace(&x->nodes[i], &g->nodes[i].made);
    if (!alike)
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
    tc_rt_event e = {.op = TC_RT_GRAPH_LAUNCH, .exec = p->hGraphExec, .stream = stream};
    if (!enter(c))
        return;
    const graph *x = graph_of(p->hGraphExec, true);
    give_events(c, x, WAIT, stream);
    give(c, &e);
    give_events(c, x, RECORD, stream);
    shim_leave();
}

void take_exec_destroy(const shim_call *c) {
    P(cuGraphExecDestroy);
    tc_rt_event e = {.op = TC_RT_EXEC_DESTROY, .exec = p->hGraphExec};
    if (!enter(c))
        return;
    forget(p->hGraphExec, true);
    give(c, &e);
    shim_leave();
}
