#include <stdarg.h>
#include <stdio.h>

#include "runtime-shim/trackeri.h"

static void find_freed(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s, const tc_rt_use *use, const rt_place *p) {
    tc_rt_finding f = {.rule = TC_RT_RULE_FREED,
                       .line = e->line,
                       .now = rt_party_now(e, s, use->name, use->borrow),
                       .buffer = rt_place_buffer(p, use->region.base),
                       .at = use->region.base};
    rt_find(t, &f, p->id);
}

static void find_small(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s, const tc_rt_use *use, const rt_place *p) {
    tc_rt_finding f = {.rule = TC_RT_RULE_SMALL,
                       .line = e->line,
                       .now = rt_party_now(e, s, use->name, use->borrow),
                       .buffer = rt_place_buffer(p, use->region.base),
                       .at = use->region.base,
                       .needed = tc_rt_region_end(&use->region) - use->region.base};
    rt_find(t, &f, p->id);
}

rt_place *rt_use_find(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s, const tc_rt_use *use, tc_rt_use *out) {
    *out = *use;
    tc_rt_region_normalize(&out->region);
    if (tc_rt_region_empty(&out->region))
        return NULL;
    uint64_t base = out->region.base;
    rt_place *p = rt_place_at(t, base);
    if (!p)
        return &t->elsewhere;
    const rt_part *part = rt_part_at(p, base);
    if (!p->live || (part && !part->live)) {
        find_freed(t, e, s, out, p);
        return NULL;
    }
    uint64_t end = part ? part->base + part->size : p->base + p->size;
    if (tc_rt_region_end(&out->region) <= end)
        return p;
    if (!out->unshaped && (e->op == TC_RT_LAUNCH || e->op == TC_RT_GRAPH_NODE))
        find_small(t, e, s, out, p);
    return p;
}

// ---- what a launch breaks by itself ----

// Largest extents of any device (CUDA C++ Programming Guide, Technical Specifications per Compute Capability).
static const uint32_t max_grid[3] = {2147483647u, 65535u, 65535u};
static const uint32_t max_block[3] = {1024u, 1024u, 64u};
#define MAX_THREADS 1024u
#define MAX_SMEM (227u * 1024u)

static void find_breach(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s, const char *parameter, const char *text) {
    tc_rt_finding f = {.rule = TC_RT_RULE_PRECONDITION,
                       .line = e->line,
                       .now = rt_party_now(e, s, parameter, TC_RT_SHARED),
                       .text = text};
    rt_find(t, &f, 0);
}

static void check_extent(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s, const char *what, const uint32_t at[3],
                         const uint32_t max[3]) {
    for (unsigned d = 0; d < 3; d++) {
        char text[160];
        if (at[d] == 0)
            snprintf(text, sizeof text, "%s.%c is 0", what, "xyz"[d]);
        else if (at[d] > max[d])
            snprintf(text, sizeof text, "%s.%c is %u, more than %u, the most that any device takes", what, "xyz"[d], at[d], max[d]);
        else
            continue;
        find_breach(t, e, s, NULL, text);
    }
}

static void check_limits(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s) {
    const uint32_t *g = e->grid, *b = e->block;
    bool known = g[0] | g[1] | g[2] | b[0] | b[1] | b[2];
    if (!known)
        return;
    check_extent(t, e, s, "gridDim", g, max_grid);
    check_extent(t, e, s, "blockDim", b, max_block);
    uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    char text[160];
    if (b[0] <= max_block[0] && b[1] <= max_block[1] && b[2] <= max_block[2] && threads > MAX_THREADS) {
        snprintf(text, sizeof text, "a block of %llu threads: %u is the most", (unsigned long long)threads, MAX_THREADS);
        find_breach(t, e, s, NULL, text);
    }
    if (e->smem > MAX_SMEM) {
        snprintf(text, sizeof text, "%llu bytes of dynamic shared memory: %u is the most", (unsigned long long)e->smem, MAX_SMEM);
        find_breach(t, e, s, NULL, text);
    }
}

static void check_breaches(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s) {
    for (size_t i = 0; i < e->nbreaches; i++) {
        const tc_rt_breach *b = &e->breaches[i];
        char text[512];
        const char *how = b->null ? " is null" : " does not hold", *then = b->null ? " and has " : ": ";
        snprintf(text, sizeof text, "'%s'%s%s%s%s%s%s", b->text, b->where ? " (" : "", b->where ? b->where : "", b->where ? ")" : "", how,
                 b->values ? then : "", b->values ? b->values : "");
        find_breach(t, e, s, b->null ? b->text : NULL, text);
    }
}

void rt_launch_check(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s) {
    if (e->op == TC_RT_LAUNCH || e->op == TC_RT_GRAPH_NODE || e->op == TC_RT_LAUNCH_UNTRACKED) {
        check_limits(t, e, s);
        check_breaches(t, e, s);
    }
    if (e->op != TC_RT_LAUNCH && e->op != TC_RT_GRAPH_NODE && e->op != TC_RT_COPY)
        return;
    rt_alias_check(t, e, s);
}
