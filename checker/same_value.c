// same-value: two plain writes of one value to one place are no conflict; nor is a write with a load, by a thread that wrote
// that value there itself just before.
//
// CUDA calls them a race; much code relies on their doing no harm, and other tools let them be. Off unless asked for.
#include "checker/rules.h"

static bool is_plain_write(const tc_site *s) {
    return s->event->kind == TC_EV_WRITE && s->event->value && s->bytes;
}

static bool is_copy(const tc_site *s) { return s->event->kind == TC_EV_WRITE && s->event->from != TC_NONE; }

// From one object, in which nothing changes. What one block has of its own is not another's.
static bool are_copies(const tc_cx *cx, const tc_site *a, const tc_site *b, const tc_view *view) {
    if (!is_copy(a) || !is_copy(b) || a->event->from != b->event->from)
        return false;
    const tc_object *o = &cx->model->objects.data[a->event->from];
    return o->variance == TC_VAR_LAUNCH || (o->variance == TC_VAR_BLOCK && view->one_block);
}

// How far the place is from where the bytes were read.
static tc_t moved_by(tc_cx *cx, const tc_site *s, const tc_view *view, int which) {
    return tc_seen(view, tc_sub(cx->ts, s->offset, tc_settle(cx, s->event->from_offset)), which);
}

// SOUND: the byte at place p is that of the other object at p less the distance. So where the distances are equal, both
// writes leave one value in each byte that they share, however wide they are; the loads were in bounds, on which it leans
// (depends.c).
static void copies(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_view *view) {
    tc_hyps_push(cx, h, tc_ne(cx->ts, moved_by(cx, a, view, 1), moved_by(cx, b, view, 2)));
}

// SOUND: what the thread of the load wrote there is there in any order, as far as this write has to do with it.
static void leaves_as_read(tc_cx *cx, tc_tvec *h, const tc_site *load, const tc_site *write, const tc_view *view, int which) {
    const tc_read_back *own = load->event->kind == TC_EV_READ ? tc_own_write_before(cx, load->event) : NULL;
    if (!own || !is_plain_write(write) || load->bytes != write->bytes)
        return;
    tc_terms *ts = cx->ts;
    const int other = 3 - which;
    tc_t same = tc_seen(view, own->same, which), v = tc_seen(view, own->value, which);
    tc_t w = tc_seen(view, tc_settle(cx, write->event->value), other);
    tc_t apart = tc_ne(ts, tc_seen(view, load->offset, which), tc_seen(view, write->offset, other));
    tc_hyps_push(cx, h, tc_implies(ts, same, tc_or(ts, apart, tc_ne(ts, v, w))));
}

// SOUND: the terms are congruent to what is stored modulo 2^(8 * width). Where they are equal, and place and width are, both
// writes leave the same bytes, in any order. A value that nobody wrote is a symbol of its own in each instance, and never
// shown equal.
void tc_hyps_two_values(tc_cx *cx, tc_tvec *h, const tc_site *a, const tc_site *b, const tc_view *view) {
    tc_terms *ts = cx->ts;
    if (cx->options->same_value && are_copies(cx, a, b, view))
        copies(cx, h, a, b, view);
    if (cx->options->same_value) {
        leaves_as_read(cx, h, a, b, view, 1);
        leaves_as_read(cx, h, b, a, view, 2);
    }
    if (!cx->options->same_value || !is_plain_write(a) || !is_plain_write(b) || a->bytes != b->bytes)
        return;
    tc_t x = tc_seen(view, a->offset, 1), y = tc_seen(view, b->offset, 2);
    tc_t v = tc_seen(view, tc_settle(cx, a->event->value), 1), w = tc_seen(view, tc_settle(cx, b->event->value), 2);
    tc_hyps_push(cx, h, tc_or(ts, tc_ne(ts, x, y), tc_ne(ts, v, w)));
}
