// Local arrays that a loop initialises element by element: after the loop they count as written.
#include "checker/lift.h"

void tc_fill_note(tc_lift *L, tc_local *l, tc_t offset, tc_i128 width, tc_t guard) {
    tc_loop_ctx *c = L->loop;
    if (c != NULL && !c->unrolled)
        tc_push(L->arena, &c->fills, ((tc_fill){l, offset, guard, width}));
}

// Is the write made in each iteration that goes on?
static bool in_every_iteration(tc_lift *L, const tc_loop_ctx *c, const tc_flow *header, tc_t guard) {
    return tc_lift_implied(L, tc_and(L->ts, tc_and(L->ts, header->guard, c->goes_on), c->header_fact), guard);
}

// The writes of the iterations lie end to end; *from: where the first one begins.
static bool lies_end_to_end(tc_lift *L, tc_loop_ctx *c, const tc_fill *f, tc_t *from) {
    tc_t first = tc_loop_at(L, c, f->offset, tc_int(L->ts, 0));
    tc_t next = tc_loop_at(L, c, f->offset, tc_addc(L->ts, c->k, 1));
    tc_t step = tc_sub(L->ts, next, f->offset);
    *from = first;
    return tc_is_const(step) && step->value == f->width && !tc_lift_varies_in(L, first, c->node);
}

void tc_fill_leave(tc_lift *L, tc_loop_ctx *c, const tc_flow *entry, const tc_flow *header, tc_t trips) {
    if (trips == NULL || !tc_is_const(trips) || trips->value < 1 || trips->value > 1 << 16)
        return;
    for (size_t i = 0; i < c->fills.len; i++) {
        tc_fill *f = &c->fills.data[i];
        tc_t from;
        if (!in_every_iteration(L, c, header, f->guard) || !lies_end_to_end(L, c, f, &from))
            continue;
        tc_i128 width = f->width * trips->value;
        if (width > (tc_i128)f->local->size)
            continue;
        if (tc_is_const(from) && from->value >= 0 && from->value + width <= (tc_i128)f->local->size) {
            for (size_t e = 0; e < c->exits.len; e++)
                tc_local_set_filled(L, &c->exits.data[e].flow, f->local, (uint64_t)from->value, (uint64_t)width);
        } else {
            tc_fill_note(L, f->local, from, width, entry->guard);
        }
    }
}
