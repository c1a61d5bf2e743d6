// same-value: two plain writes of one value to one place are no conflict.
//
// CUDA calls them a race; much code relies on their doing no harm, and other tools let them be. Off unless asked for.
#include "checker/rules.h"

static bool is_plain_write(const tc_site *s) {
    return s->event->kind == TC_EV_WRITE && s->event->value && s->bytes;
}

// SOUND: the terms are congruent to what is stored modulo 2^(8 * width). Where they are equal, and place and width are, both
// writes leave the same bytes, in any order. A value that nobody wrote is a symbol of its own in each instance, and never shown equal.
void tc_hyps_two_values(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_view *view) {
    tc_terms *ts = cx->ts;
    if (!cx->options->same_value || !is_plain_write(a) || !is_plain_write(b) || a->bytes != b->bytes)
        return;
    tc_t x = tc_seen(view, a->offset, 1), y = tc_seen(view, b->offset, 2);
    tc_t v = tc_seen(view, tc_settle(cx, a->event->value), 1), w = tc_seen(view, tc_settle(cx, b->event->value), 2);
    tc_hyps_push(cx, h, tc_or(ts, tc_ne(ts, x, y), tc_ne(ts, v, w)));
}
