// Captures, graphs and what is made from them.
#include "streams/modeli.h"

static int find_graph(const model *m, uint64_t handle, bool executable) {
    for (size_t i = m->graphs.n; i-- > 0;)
        if (m->graphs.v[i].handle == handle && m->graphs.v[i].executable == executable && m->graphs.v[i].capture == NONE)
            return (int)i;
    return NONE;
}

static int new_graph(model *m, uint64_t handle, bool executable) {
    *PUSH(m->graphs) = (graph){.handle = handle, .executable = executable, .capture = NONE, .launched = NONE};
    return (int)m->graphs.n - 1;
}

bool model_captured_device(const model *m, uint32_t device, bool blocking_only) {
    for (size_t i = 0; i < m->streams.n; i++) {
        const stream *s = &m->streams.v[i];
        if (s->capture != NONE && s->device == device && !(blocking_only && (s->non_blocking || s->guessed)))
            return true;
    }
    return false;
}

void model_graph_lost(model *m, const tc_rt_event *e, int g, int allocation) {
    for (size_t i = 0; i < m->graphs.v[g].told.n; i++)
        if (m->graphs.v[g].told.v[i] == allocation)
            return;
    *PUSH(m->graphs.v[g].told) = allocation;
    model_report(m, e, TC_RT_RULE_GRAPH, 0);
}

static void node_use_of(model *m, const tc_rt_event *e, int g, bool early, node_use now) {
    node_set before = model_reach(m, early ? &m->nodes.v[now.node].start : &m->nodes.v[now.node].before);
    for (size_t k = 0; k < m->graphs.v[g].uses.n; k++) {
        const node_use *u = &m->graphs.v[g].uses.v[k];
        if (u->node != now.node && !node_has(&before, u->node) && model_conflict(u->borrow, now.borrow) &&
            model_common(m, u->bytes, now.bytes))
            model_report(m, e, TC_RT_RULE_UNORDERED, m->nodes.v[u->node].line);
    }
    *PUSH(m->graphs.v[g].uses) = now;
}

void model_node_uses(model *m, const tc_rt_event *e, int g, int x) {
    *PUSH(m->graphs.v[g].nodes) = x;
    for (size_t i = 0; i < e->nuses; i++) {
        bool freed;
        const tc_rt_use *use = &e->uses[i];
        bits bytes = model_lent(m, use->region.base, model_bits_of(m, &use->region), &freed);
        if (freed && use->region.run)
            model_report(m, e, TC_RT_RULE_FREED, 0);
        if (!freed)
            node_use_of(m, e, g, use->early, (node_use){x, use->borrow, bytes, use->region.base});
    }
}

void model_spoil(model *m, uint32_t device) {
    for (size_t i = 0; i < m->streams.n; i++)
        if (m->streams.v[i].device == device && m->streams.v[i].capture != NONE)
            m->captures.v[m->streams.v[i].capture].spoilt = true;
}

static void begin(model *m, const tc_rt_event *e) {
    int s = model_stream(m, e);
    stream *st = &m->streams.v[s];
    if (st->destroyed || st->capture != NONE || st->legacy) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    int c = (int)m->captures.n, g = new_graph(m, 0, false);
    m->graphs.v[g].capture = c;
    *PUSH(m->captures) = (capture){.origin = s, .active = true, .graph = g};
    st->capture = c;
    st->captured = (position){.kernel = NONE};
}

static void end(model *m, const tc_rt_event *e) {
    int s = model_stream(m, e);
    int c = m->streams.v[s].capture;
    if (m->streams.v[s].destroyed || c == NONE || m->captures.v[c].origin != s) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    node_set joined = model_reach(m, &m->streams.v[s].captured.tail);
    graph *g = &m->graphs.v[m->captures.v[c].graph];
    bool all = true;
    for (size_t i = 0; i < g->nodes.n; i++)
        all = all && node_has(&joined, g->nodes.v[i]);
    for (size_t i = 0; i < m->streams.n; i++)
        if (m->streams.v[i].capture == c)
            m->streams.v[i].capture = NONE;
    m->captures.v[c].active = false;
    g->capture = NONE;
    g->destroyed = !all || m->captures.v[c].spoilt; // the call gives none
    g->handle = g->destroyed ? 0 : e->graph;
    if (!all && !m->captures.v[c].spoilt)
        model_report(m, e, TC_RT_RULE_CALL, 0);
}

static void make_from(model *m, const tc_rt_event *e, int x, int g) {
    m->graphs.v[x].uses.n = 0;
    for (size_t i = 0; i < m->graphs.v[g].uses.n; i++) {
        node_use u = m->graphs.v[g].uses.v[i];
        int in = model_allocation_at(m, u.base);
        if (in != NONE && !m->allocations.v[in].live)
            model_graph_lost(m, e, x, model_whole_at(m, u.base));
        *PUSH(m->graphs.v[x].uses) = u;
    }
}

static void explicit_node(model *m, const tc_rt_event *e, int g) {
    *PUSH(m->nodes) = (node){.line = e->line, .op = e->op, .stream = NONE, .capture = g};
    int x = (int)m->nodes.n - 1;
    for (size_t i = 0; i < e->nafter; i++)
        if (e->after[i] < m->graphs.v[g].nodes.n)
            node_add(&m->nodes.v[x].before, m->graphs.v[g].nodes.v[e->after[i]]);
    model_conditions(m, e);
    model_extents(m, e);
    model_node_uses(m, e, g, x);
}

// As one node.
static void launch_captured(model *m, const tc_rt_event *e, int g, int into, int x) {
    *PUSH(m->graphs.v[into].nodes) = x;
    if (m->captures.v[m->graphs.v[into].capture].spoilt)
        return;
    for (size_t i = 0; i < m->graphs.v[g].uses.n; i++) {
        node_use n = m->graphs.v[g].uses.v[i];
        int a = model_whole_at(m, n.base);
        if (a == NONE || m->allocations.v[a].live)
            node_use_of(m, e, into, false, (node_use){x, n.borrow, n.bytes, n.base});
    }
}

static void launch(model *m, const tc_rt_event *e, int g) {
    int s = model_stream(m, e);
    if (m->streams.v[s].destroyed || (m->streams.v[s].legacy && model_captured_device(m, m->streams.v[s].device, true))) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    int x = model_operation(m, s, e), c = m->nodes.v[x].capture;
    if (c != NONE) {
        launch_captured(m, e, g, m->captures.v[c].graph, x);
        return;
    }
    if (m->graphs.v[g].launched != NONE)
        node_add(&m->nodes.v[x].before, m->graphs.v[g].launched);
    m->graphs.v[g].launched = x;
    for (size_t i = 0; i < m->graphs.v[g].uses.n; i++) {
        node_use n = m->graphs.v[g].uses.v[i];
        int a = model_whole_at(m, n.base);
        if (a != NONE && !m->allocations.v[a].live)
            continue; // told when it was freed
        bits bytes = model_bits(m);
        model_join_bits(m, bytes, n.bytes);
        model_lend(m, e, x, false, n.borrow, bytes, n.base);
    }
}

void model_graph_event(model *m, const tc_rt_event *e) {
    if (e->op == TC_RT_CAPTURE_BEGIN) {
        begin(m, e);
        return;
    }
    if (e->op == TC_RT_CAPTURE_END) {
        end(m, e);
        return;
    }
    if (e->op == TC_RT_GRAPH_CREATE) {
        new_graph(m, e->graph, false);
        return;
    }
    bool of_graph = e->op != TC_RT_GRAPH_LAUNCH && e->op != TC_RT_EXEC_DESTROY;
    bool of_exec = e->op == TC_RT_GRAPH_LAUNCH || e->op == TC_RT_EXEC_DESTROY || e->op == TC_RT_GRAPH_UPDATE;
    int g = of_graph ? find_graph(m, e->graph, false) : NONE, x = of_exec ? find_graph(m, e->exec, true) : NONE;
    if ((of_graph && g == NONE) || (of_exec && x == NONE))
        return; // made before anyone looked
    if ((of_graph && m->graphs.v[g].destroyed) || (of_exec && m->graphs.v[x].destroyed)) {
        model_report(m, e, TC_RT_RULE_CALL, 0);
        return;
    }
    switch (e->op) {
    case TC_RT_GRAPH_NODE:
        explicit_node(m, e, g);
        break;
    case TC_RT_GRAPH_INSTANTIATE:
        make_from(m, e, new_graph(m, e->exec, true), g);
        break;
    case TC_RT_GRAPH_UPDATE:
        make_from(m, e, x, g);
        break;
    case TC_RT_GRAPH_LAUNCH:
        launch(m, e, x);
        break;
    case TC_RT_GRAPH_DESTROY:
        m->graphs.v[g].destroyed = true;
        break;
    default:
        m->graphs.v[x].destroyed = true;
    }
}
