#include <stdio.h>

#include "runtime-shim/trackeri.h"

// ---- sets of nodes ----

static bool bits_reserve(tc_rt_tracker *t, rt_bits *b, size_t n) {
    if (n <= b->n)
        return true;
    uint64_t *words = tc_rt_realloc(b->words, n * sizeof *words);
    if (!words) {
        t->lost = true;
        return false;
    }
    memset(words + b->n, 0, (n - b->n) * sizeof *words);
    b->words = words;
    b->n = n;
    return true;
}

void rt_bits_join(tc_rt_tracker *t, rt_bits *b, const rt_bits *from) {
    if (!bits_reserve(t, b, from->n))
        return;
    for (size_t i = 0; i < from->n; i++)
        b->words[i] |= from->words[i];
}

void rt_bits_set(tc_rt_tracker *t, rt_bits *b, size_t i) {
    if (bits_reserve(t, b, i / 64 + 1))
        b->words[i / 64] |= UINT64_C(1) << (i % 64);
}

bool rt_bits_has(const rt_bits *b, size_t i) {
    return i / 64 < b->n && (b->words[i / 64] >> (i % 64) & 1);
}

static void bits_copy(tc_rt_tracker *t, rt_bits *b, const rt_bits *from) {
    if (b->n)
        memset(b->words, 0, b->n * sizeof *b->words);
    rt_bits_join(t, b, from);
}

// ---- nodes ----

static void nodes_free(rt_nodes *n) {
    for (size_t i = 0; i < n->before.len; i++)
        tc_rt_release(n->before.data[i].words);
    tc_rt_release(n->before.data);
    tc_rt_release(n->uses.data);
    memset(n, 0, sizeof *n);
}

static void nodes_copy(tc_rt_tracker *t, rt_nodes *to, const rt_nodes *from) {
    to->uses.len = 0;
    for (size_t i = 0; i < from->uses.len && rt_reserve(t, &to->uses); i++)
        to->uses.data[to->uses.len++] = from->uses.data[i];
}

// Without a slot the graph is made by hand. Two nodes of one slot that are not in order have a programmatic edge between them.
static void find_nodes(tc_rt_tracker *t, const rt_nodes *n, const rt_slot *s, const tc_rt_event *e, const tc_rt_use *use, const rt_use *u,
                       const rt_place *p, uint64_t at) {
    tc_rt_finding f = {.rule = TC_RT_RULE_UNORDERED,
                       .line = e->line,
                       .now = rt_party_now(e, s, use->name, use->borrow),
                       .has_before = true,
                       .before = {.op = u->op, .line = u->line, .name = u->name, .use = u->use, .borrow = u->borrow,
                                  .site = u->site, .stack = u->stack, .exec = s ? TC_RT_CAPTURED : TC_RT_BUILT},
                       .buffer = rt_place_buffer(p, at),
                       .overtakes = s && u->slot == s->number,
                       .others_between = u->node + 1 != n->before.len,
                       .at = at};
    f.now.exec = f.before.exec;
    rt_find(t, &f, p->id);
}

static void check_nodes(tc_rt_tracker *t, const rt_nodes *n, const rt_bits *before, const rt_slot *s, const tc_rt_event *e,
                        const rt_place *p, const tc_rt_use *use) {
    for (size_t i = 0; i < n->uses.len; i++) {
        const rt_use *u = &n->uses.data[i];
        uint64_t at = 0;
        if (u->node == n->before.len || rt_bits_has(before, u->node) || !rt_conflict(u->borrow, use->borrow))
            continue;
        tc_rt_overlap met = tc_rt_region_overlap(&u->region, &use->region, &at);
        t->counts.undecided += met == TC_RT_UNDECIDED;
        if (met != TC_RT_OVERLAP)
            continue;
        find_nodes(t, n, s, e, use, u, p, at);
    }
}

static void add_use(tc_rt_tracker *t, rt_nodes *n, const rt_slot *s, const tc_rt_event *e, const tc_rt_use *use) {
    if (!rt_reserve(t, &n->uses))
        return;
    n->uses.data[n->uses.len++] = (rt_use){.node = (uint32_t)n->before.len,
                                           .slot = s ? s->number : RT_NO_SLOT,
                                           .borrow = use->borrow,
                                           .region = use->region,
                                           .op = e->op,
                                           .line = e->line,
                                           .stack = e->stack,
                                           .name = rt_keep(t, e->name, e->flags),
                                           .use = rt_keep(t, use->name, e->flags),
                                           .site = rt_keep(t, e->site, e->flags)};
}

// The uses of a node that comes after `before`, and behind its wait for the last node after `ended`. The node itself is added by its caller.
static void node_uses(tc_rt_tracker *t, rt_nodes *n, const rt_bits *before, const rt_bits *ended, const rt_slot *s, const tc_rt_event *e,
                      const rt_place *whole) {
    tc_rt_use all = {.borrow = TC_RT_EXCLUSIVE};
    if (whole)
        all.region = tc_rt_region_dense(whole->base, whole->size);
    const tc_rt_use *uses = whole ? &all : e->uses;
    size_t nuses = whole ? 1 : e->nuses;
    for (size_t i = 0; i < nuses; i++) {
        tc_rt_use use;
        const rt_place *p = rt_use_find(t, e, s, &uses[i], &use);
        if (!p)
            continue;
        check_nodes(t, n, use.early ? before : ended, s, e, p, &use);
        add_use(t, n, s, e, &use);
    }
}

static bool node_done(tc_rt_tracker *t, rt_nodes *n, rt_bits *before) {
    if (!rt_reserve(t, &n->before)) {
        tc_rt_release(before->words);
        return false;
    }
    n->before.data[n->before.len++] = *before;
    return true;
}

// ---- graphs ----

static rt_graph **table(tc_rt_tracker *t, bool execs) {
    return execs ? &t->execs : &t->graphs;
}

static rt_graph *graph_find(tc_rt_tracker *t, uint64_t handle, bool exec) {
    rt_graph *g = NULL, *all = *table(t, exec);
    HASH_FIND(hh, all, &handle, sizeof handle, g);
    return g;
}

// Loans that launches made go on without them.
static void end_turns(rt_graph *g) {
    if (g->turns)
        g->turns->over = true;
    rt_turns_drop(&g->turns);
    g->changes = 0;
    g->seen.len = 0;
}

static rt_graph *graph_make(tc_rt_tracker *t, uint64_t handle, bool exec, const tc_rt_event *e) {
    rt_graph *g = graph_find(t, handle, exec), **all = table(t, exec);
    if (!g) {
        g = tc_rt_new(t, sizeof *g);
        if (!g)
            return NULL;
        g->handle = handle;
        g->is_exec = exec;
        HASH_ADD(hh, *all, handle, sizeof g->handle, g);
        if (!rt_added(t, g))
            return NULL;
    }
    if (!g->live)
        t->counts.live_graphs++;
    else
        nodes_free(&g->nodes);
    g->live = true;
    g->spoilt = false;
    end_turns(g);
    rt_clock_free(&g->clock);
    g->name = rt_keep(t, e->name, e->flags);
    return g;
}

// NULL: never seen, or destroyed, and TC5005 was said.
static rt_graph *graph_of(tc_rt_tracker *t, const tc_rt_event *e, uint64_t handle, bool exec) {
    rt_graph *g = graph_find(t, handle, exec);
    if (!g || g->live)
        return g;
    tc_rt_party end = rt_party_then(&g->ended, g->name, 0, NULL);
    rt_find_call(t, e, &end, exec ? "the executable graph was destroyed before" : "the graph was destroyed before");
    return NULL;
}

const char *rt_graph_name(tc_rt_tracker *t, uint64_t handle, bool exec) {
    const rt_graph *g = graph_find(t, handle, exec);
    return g ? g->name : NULL;
}

static void graph_remove(tc_rt_tracker *t, rt_graph *g) {
    rt_graph **all = table(t, g->is_exec);
    HASH_DEL(*all, g);
    end_turns(g);
    tc_rt_release(g->seen.data);
    nodes_free(&g->nodes);
    rt_clock_free(&g->clock);
    tc_rt_release(g);
}

static void destroy(tc_rt_tracker *t, const tc_rt_event *e, uint64_t handle, bool exec) {
    rt_graph *g = graph_of(t, e, handle, exec);
    if (!g)
        return;
    end_turns(g);
    nodes_free(&g->nodes);
    rt_clock_free(&g->clock);
    g->live = false;
    g->ended = rt_moment_of(t, e);
    t->counts.live_graphs--;
    if (HASH_COUNT(*table(t, exec)) > RT_MAX_DEAD + t->counts.live_graphs)
        graph_remove(t, g);
}

// ---- captures ----

rt_capture *rt_capture_numbered(tc_rt_tracker *t, uint64_t number) {
    for (rt_capture *c = t->captures; c; c = c->next)
        if (c->number == number)
            return c;
    return NULL;
}

void rt_capture_spoil(rt_capture *c) {
    c->spoilt = true;
}

void rt_find_captured(tc_rt_tracker *t, const tc_rt_event *e, const rt_capture *c, const char *text) {
    tc_rt_party began = c ? rt_party_then(&c->began, NULL, c->origin->handle, c->origin->name) : (tc_rt_party){0};
    rt_find_call(t, e, c ? &began : NULL, text);
}

// A capture in which a stream of the device takes part that is in order with the default stream.
static const rt_capture *blocks_legacy(const tc_rt_tracker *t, uint32_t device) {
    for (const rt_capture *c = t->captures; c; c = c->next)
        for (size_t i = 0; i < c->branches.len; i++)
            if (c->branches.data[i].slot->blocking && !c->branches.data[i].slot->guessed && c->branches.data[i].slot->device == device)
                return c;
    return NULL;
}

bool rt_capture_forbids(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s) {
    const rt_capture *c = s->legacy ? blocks_legacy(t, s->device) : NULL;
    if (!c)
        return false;
    rt_find_captured(t, e, c, "a stream that is in order with the default stream is being captured");
    return true;
}

static bool branch_new(tc_rt_tracker *t, rt_capture *c, rt_slot *s) {
    if (!rt_reserve(t, &c->branches))
        return false;
    s->branch = c->branches.len;
    s->capture = c;
    c->branches.data[c->branches.len++] = (rt_branch){.slot = s};
    return true;
}

static void capture_free(tc_rt_tracker *t, rt_capture *c) {
    rt_capture **at = &t->captures;
    while (*at && *at != c)
        at = &(*at)->next;
    if (*at)
        *at = c->next;
    for (size_t i = 0; i < c->branches.len; i++) {
        c->branches.data[i].slot->capture = NULL;
        tc_rt_release(c->branches.data[i].known.words);
        tc_rt_release(c->branches.data[i].floor.words);
        tc_rt_release(c->branches.data[i].ended.words);
    }
    tc_rt_release(c->branches.data);
    nodes_free(&c->nodes);
    tc_rt_release(c);
}

static void begin(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_slot *s = rt_stream_slot(t, e);
    t->capture_lost = t->capture_lost || (!s && t->lost);
    if (!s)
        return;
    if (s->capture || s->legacy) {
        rt_find_captured(t, e, s->capture, s->legacy ? "the legacy default stream cannot be captured" : "the stream is being captured already");
        return;
    }
    rt_capture *c = tc_rt_new(t, sizeof *c);
    t->capture_lost = t->capture_lost || !c;
    if (!c)
        return;
    c->number = ++t->next_capture;
    c->origin = s;
    c->began = rt_moment_of(t, e);
    c->next = t->captures;
    t->captures = c;
    if (!branch_new(t, c, s)) {
        capture_free(t, c);
        t->capture_lost = true;
    }
}

// A stream that another one forked and that this one has not waited for.
static const rt_branch *not_joined(const rt_capture *c) {
    const rt_bits *known = &c->branches.data[c->origin->branch].known;
    for (size_t i = 0; i < c->branches.len; i++)
        for (size_t w = 0; w < c->branches.data[i].known.n; w++) {
            uint64_t have = w < known->n ? known->words[w] : 0;
            if (c->branches.data[i].known.words[w] & ~have)
                return &c->branches.data[i];
        }
    return NULL;
}

static void find_not_joined(tc_rt_tracker *t, const tc_rt_event *e, const rt_capture *c, const rt_slot *forked) {
    char text[256];
    bool named = forked->name && c->origin->name;
    snprintf(text, sizeof text, "%s%s%s, forked into the capture, has work that %s%s%s does not wait for, so that there is no graph",
             named ? "stream '" : "a stream", named ? forked->name : "", named ? "'" : "", named ? "stream '" : "the first stream",
             named ? c->origin->name : "", named ? "'" : "");
    rt_find_captured(t, e, c, text);
}

static void end(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_slot *s = rt_stream_slot(t, e);
    if (!s)
        return;
    rt_capture *c = s->capture;
    if (t->capture_lost) {
        t->capture_lost = false;
        t->lost = true; // what was taken to run lends nothing
    }
    if (!c || c->origin != s) {
        rt_find_captured(t, e, c, c ? "the capture began on another stream" : "the stream is not being captured");
        return;
    }
    const rt_branch *open = c->spoilt ? NULL : not_joined(c);
    if (open)
        find_not_joined(t, e, c, open->slot);
    else if (!c->spoilt) {
        rt_graph *g = graph_make(t, e->graph, false, e);
        if (g) {
            g->nodes = c->nodes;
            memset(&c->nodes, 0, sizeof c->nodes);
        }
    }
    capture_free(t, c);
}

void rt_capture_node(tc_rt_tracker *t, rt_slot *s, const tc_rt_event *e, const rt_place *whole) {
    rt_capture *c = s->capture;
    if (c->spoilt)
        return;
    rt_branch *b = &c->branches.data[s->branch];
    bool early = (e->flags & TC_RT_PROGRAMMATIC) && b->last_is_launch;
    if (!early)
        bits_copy(t, &b->floor, &b->known);
    if (!early || !(e->flags & TC_RT_WAITS))
        bits_copy(t, &b->ended, &b->floor);
    b->last_is_launch = e->op == TC_RT_LAUNCH || e->op == TC_RT_LAUNCH_UNTRACKED;
    node_uses(t, &c->nodes, &b->floor, &b->ended, s, e, whole);
    rt_bits before = {0};
    rt_bits_join(t, &before, &b->floor);
    size_t number = c->nodes.before.len;
    if (node_done(t, &c->nodes, &before)) {
        rt_bits_set(t, &b->known, number);
        rt_bits_set(t, &b->ended, number);
    }
}

void rt_capture_record(tc_rt_tracker *t, rt_slot *s, rt_mark *m) {
    m->recorded = true;
    m->capture = s->capture->number;
    bits_copy(t, &m->nodes, &s->capture->branches.data[s->branch].known);
    s->capture->branches.data[s->branch].last_is_launch = false;
}

bool rt_capture_wait(tc_rt_tracker *t, rt_slot *s, const tc_rt_event *e, const rt_mark *m) {
    if (!m->recorded)
        return true;
    rt_capture *c = m->capture ? rt_capture_numbered(t, m->capture) : NULL;
    if (!c || (s->capture && s->capture != c)) {
        rt_find_captured(t, e, s->capture,
                         s->capture ? "the event was not recorded in the capture of the stream" : "the event was recorded in a capture that has ended");
        if (s->capture)
            rt_capture_spoil(s->capture);
        return false;
    }
    if (s->legacy) {
        rt_find_captured(t, e, c, "the event was recorded in a capture, and the legacy default stream cannot be captured");
        return false;
    }
    if (!s->capture && !branch_new(t, c, s)) {
        t->capture_lost = true;
        return true;
    }
    rt_bits_join(t, &c->branches.data[s->branch].known, &m->nodes);
    c->branches.data[s->branch].last_is_launch = false;
    return true;
}

// ---- launches ----

// A node's use as one of the graph's launch.
typedef struct node_use {
    tc_rt_event event;
    rt_user who;
    tc_rt_use use;
} node_use;

static void node_use_of(tc_rt_tracker *t, const rt_graph *g, const rt_user *launch, const rt_use *u, node_use *n) {
    n->event = *launch->event;
    n->event.op = u->op;
    n->event.name = u->name;
    n->event.site = u->site ? u->site : rt_keep(t, launch->event->site, launch->event->flags);
    n->event.flags |= TC_RT_LASTING;
    n->who = *launch;
    n->who.event = &n->event;
    n->who.exec = g->handle;
    n->use = (tc_rt_use){.region = u->region, .borrow = u->borrow, .name = u->use};
}

// The place of a node's memory; NULL: it was freed, which was told then.
static rt_place *node_place(tc_rt_tracker *t, const rt_use *u) {
    rt_place *p = rt_place_at(t, u->region.base);
    return !p ? &t->elsewhere : p->live ? p : NULL;
}

static void begin_turns(tc_rt_tracker *t, rt_graph *g, const rt_slot *s) {
    end_turns(g);
    g->turns = tc_rt_new(t, sizeof *g->turns);
    if (g->turns)
        g->turns->holders = 1;
    g->slot = s->number;
    g->version = t->version;
}

// Is a launch in order with all that came since the last one, which was, and are that one's loans all there? Then they are
// renewed, and there is no more to do. The places are those that it saw (t->version).
// SOUND: what the slot has passed only grows. What other slots add or renew from here on makes another epoch, as the place was last used by
// this slot; a renewal without one (loans_again.c) needs the epoch of before.
static bool launches_alike(tc_rt_tracker *t, rt_graph *g, const rt_user *who) {
    if (!g->changes)
        return false;
    for (size_t i = 0; g->changes != t->changes && i < g->seen.len; i++) {
        const rt_seen *s = &g->seen.data[i];
        if (s->place->epoch != s->epoch && (s->place->lost != s->lost || !rt_loans_apart_since(t, s->place, who, g->born, &g->nodes)))
            return false;
    }
    for (size_t i = 0; g->changes != t->changes && i < g->seen.len; i++) {
        rt_loans_used_by(t, g->seen.data[i].place, g->slot);
        g->seen.data[i].epoch = g->seen.data[i].place->epoch;
    }
    g->changes = t->changes;
    g->born = t->next_born;
    return true;
}

static void check_launch(tc_rt_tracker *t, const rt_graph *g, const rt_user *who) {
    t->found.len = 0;
    for (size_t i = 0; i < g->nodes.uses.len && rt_reserve(t, &t->found); i++) {
        const rt_use *u = &g->nodes.uses.data[i];
        rt_found *f = &t->found.data[t->found.len++];
        node_use n;
        node_use_of(t, g, who, u, &n);
        *f = (rt_found){.place = node_place(t, u)};
        f->clean = f->place && rt_loans_check(t, f->place, &n.who, &n.use);
    }
}

static bool note_seen(tc_rt_tracker *t, rt_graph *g, rt_place *p) {
    for (size_t i = 0; i < g->seen.len; i++)
        if (g->seen.data[i].place == p) {
            g->seen.data[i] = (rt_seen){p, p->epoch, p->lost};
            return true;
        }
    if (!rt_reserve(t, &g->seen))
        return false;
    g->seen.data[g->seen.len++] = (rt_seen){p, p->epoch, p->lost};
    return true;
}

static void lend(tc_rt_tracker *t, rt_graph *g, const rt_user *who, uint64_t seq) {
    bool clean = g->turns && t->found.len == g->nodes.uses.len;
    for (size_t i = 0; i < t->found.len; i++) {
        const rt_found *f = &t->found.data[i];
        node_use n;
        clean = clean && f->clean;
        if (!f->place)
            continue;
        node_use_of(t, g, who, &g->nodes.uses.data[i], &n);
        clean = rt_loans_add(t, f->place, &n.who, &n.use, seq) && clean;
    }
    for (size_t i = 0; clean && i < t->found.len; i++)
        clean = note_seen(t, g, t->found.data[i].place);
    g->changes = clean ? t->changes : 0;
    g->born = t->next_born;
}

static void launch_in_capture(tc_rt_tracker *t, const tc_rt_event *e, rt_slot *s, const rt_graph *g) {
    rt_capture *c = s->capture;
    if (c->spoilt)
        return;
    for (size_t i = 0; i < g->nodes.uses.len; i++) { // as nodes of one child graph
        const rt_use *u = &g->nodes.uses.data[i];
        const rt_place *p = rt_place_at(t, u->region.base);
        if (p && !p->live)
            continue;
        tc_rt_use use = {.region = u->region, .borrow = u->borrow, .name = u->use};
        tc_rt_event node = *e;
        node.op = u->op;
        node.name = u->name;
        node.site = u->site;
        node.flags |= TC_RT_LASTING;
        check_nodes(t, &c->nodes, &c->branches.data[s->branch].known, s, &node, p ? p : &t->elsewhere, &use);
        add_use(t, &c->nodes, s, &node, &use);
    }
    tc_rt_event nothing = *e;
    nothing.nuses = 0;
    rt_capture_node(t, s, &nothing, NULL);
}

void rt_graph_launch(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_graph *g = graph_of(t, e, e->exec, true);
    rt_slot *s = g ? rt_stream_slot(t, e) : NULL;
    if (!s)
        return;
    if (s->capture) {
        launch_in_capture(t, e, s, g);
        return;
    }
    if (rt_capture_forbids(t, e, s))
        return;
    rt_order_before(t, s);
    rt_clock_join(t, &s->clock, &g->clock); // launches of one executable are in order
    if (!g->turns || g->slot != s->number || g->version != t->version)
        begin_turns(t, g, s);
    rt_user who = {.event = e, .slot = s, .clock = &s->clock, .own = s->seq, .exec = g->handle, .turns = g->turns};
    bool alike = launches_alike(t, g, &who);
    if (!alike)
        check_launch(t, g, &who);
    uint64_t seq = rt_order_count(t, s, false, 0);
    if (g->turns)
        g->turns->last = (rt_turn){seq, e->line, e->stack};
    if (!alike)
        lend(t, g, &who, seq);
    rt_clock_join(t, &g->clock, &s->clock);
}

static void explicit_node(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_graph *g = graph_of(t, e, e->graph, false);
    if (!g || g->spoilt)
        return;
    rt_bits before = {0};
    for (size_t i = 0; i < e->nafter; i++)
        if (e->after[i] < g->nodes.before.len) {
            rt_bits_join(t, &before, &g->nodes.before.data[e->after[i]]);
            rt_bits_set(t, &before, e->after[i]);
        }
    rt_launch_check(t, e, NULL);
    node_uses(t, &g->nodes, &before, &before, NULL, e, NULL);
    node_done(t, &g->nodes, &before);
    g->spoilt = t->lost;
}

// ---- memory that graphs use ----

static void find_graph(tc_rt_tracker *t, const tc_rt_event *e, const rt_graph *g, const rt_use *u, const rt_place *p, uint64_t at) {
    tc_rt_finding f = {.rule = TC_RT_RULE_GRAPH,
                       .line = e->line,
                       .now = rt_party_now(e, NULL, NULL, TC_RT_EXCLUSIVE),
                       .has_before = true,
                       .before = {.op = u->op, .line = u->line, .name = u->name, .use = u->use, .borrow = u->borrow,
                                  .site = u->site, .stack = u->stack, .exec = g->handle},
                       .buffer = rt_place_buffer(p, at),
                       .at = at};
    rt_find(t, &f, p->id);
}

// What was freed since the nodes were made; once for each buffer.
static void check_made_from(tc_rt_tracker *t, const tc_rt_event *e, const rt_graph *x) {
    for (size_t i = 0; i < x->nodes.uses.len; i++) {
        const rt_use *u = &x->nodes.uses.data[i];
        rt_place *p = rt_place_at(t, u->region.base);
        const rt_part *part = p ? rt_part_at(p, u->region.base) : NULL;
        if (p && (!p->live || (part && !part->live)))
            find_graph(t, e, x, u, p, u->region.base);
    }
}

static void check_graph_freed(tc_rt_tracker *t, const tc_rt_event *e, rt_graph *g, const rt_place *p, const tc_rt_region *freed) {
    for (size_t i = 0; i < g->nodes.uses.len; i++) {
        uint64_t at = 0;
        if (tc_rt_region_overlap(&g->nodes.uses.data[i].region, freed, &at) == TC_RT_OVERLAP)
            find_graph(t, e, g, &g->nodes.uses.data[i], p, at);
    }
}

void rt_graphs_check_freed(tc_rt_tracker *t, const tc_rt_event *e, rt_place *p, uint64_t base, uint64_t size) {
    tc_rt_region freed = tc_rt_region_dense(base, size);
    rt_graph *g, *next;
    HASH_ITER(hh, t->execs, g, next) {
        check_graph_freed(t, e, g, p, &freed);
    }
}

static void make_from(tc_rt_tracker *t, const tc_rt_event *e, rt_graph *x, const rt_graph *g) {
    if (!x || !g)
        return;
    end_turns(x);
    nodes_copy(t, &x->nodes, &g->nodes);
    check_made_from(t, e, x);
}

void rt_graph_event(tc_rt_tracker *t, const tc_rt_event *e) {
    rt_graph *g = NULL, *x = NULL;
    switch (e->op) {
    case TC_RT_CAPTURE_BEGIN:
        begin(t, e);
        break;
    case TC_RT_CAPTURE_END:
        end(t, e);
        break;
    case TC_RT_GRAPH_CREATE:
        graph_make(t, e->graph, false, e);
        break;
    case TC_RT_GRAPH_NODE:
        explicit_node(t, e);
        break;
    case TC_RT_GRAPH_INSTANTIATE:
        g = graph_of(t, e, e->graph, false);
        x = g ? graph_make(t, e->exec, true, e) : NULL;
        make_from(t, e, x, g);
        break;
    case TC_RT_GRAPH_UPDATE:
        g = graph_of(t, e, e->graph, false);
        x = g ? graph_of(t, e, e->exec, true) : NULL;
        make_from(t, e, x, g);
        break;
    case TC_RT_GRAPH_LAUNCH:
        rt_graph_launch(t, e);
        break;
    case TC_RT_GRAPH_DESTROY:
        destroy(t, e, e->graph, false);
        break;
    case TC_RT_EXEC_DESTROY:
        destroy(t, e, e->exec, true);
        break;
    default:
        break;
    }
}

void rt_graphs_free(tc_rt_tracker *t) {
    while (t->captures)
        capture_free(t, t->captures);
    rt_graph *g, *next;
    HASH_ITER(hh, t->execs, g, next) {
        graph_remove(t, g);
    }
    HASH_ITER(hh, t->graphs, g, next) {
        graph_remove(t, g);
    }
}
