// Unrolling: a loop of few iterations that moves through a small local array of indices or pointers.
#include "checker/lift.h"

enum { MAX_ITERATIONS = 64 };

bool tc_lift_unroll(tc_lift *L, tc_loop_ctx *c, tc_edges entry) {
    static const uint64_t budget = 400000, visits = 10000000;
    uint64_t start = L->steps, met = tc_terms_visited(L->ts);
    tc_node *top = c->node;
    tc_edges next = entry;
    tc_edges exits = {0};
    size_t events = L->m->events.len, checks = L->m->checks.len;
    c->unrolled = true;
    for (unsigned i = 0; next.len > 0; i++) {
        if (i == MAX_ITERATIONS || L->steps - start > budget || tc_terms_visited(L->ts) - met > visits) {
            // It is not a loop of few iterations. This run is void; the next one keeps the loop.
            tc_map_put(L->choices->arena, &L->choices->keep, c->header, L->choices);
            L->choices->changed = L->choices->remodelled = true;
            L->m->events.len = events;
            L->m->checks.len = checks;
            c->node = top;
            return false;
        }
        tc_flow f = tc_flow_merge(L, next.data, next.len), back;
        // The header's phis keep one cell for all iterations.
        c->node = top;
        if (tc_is_false(f.guard))
            break;
        c->iteration = tc_lift_node(L, top, i + 1);
        bool loops = tc_loop_pass(L, c, f, &back);
        for (size_t e = 0; e < c->exits.len; e++)
            tc_push(L->arena, &exits, c->exits.data[e]);
        if (!loops)
            break;
        next = c->back;
    }
    c->node = top;
    for (size_t e = 0; e < exits.len; e++)
        tc_lift_push(L, exits.data[e].from, exits.data[e].to, exits.data[e].flow);
    return true;
}
