#include "checker/waits.h"

#include "checker/rules.h"

// The first wait that each thread comes to.
static const tc_grid_wait *first_wait(const tc_kmodel *m) {
    const tc_grid_wait *first = NULL;
    for (size_t i = 0; i < m->waits.len; i++) {
        const tc_grid_wait *w = &m->waits.data[i];
        if (w->always && (first == NULL || w->point < first->point))
            first = w;
    }
    return first;
}

// Something before the wait that may do anything.
static const tc_hole *hole_before(const tc_kmodel *m, uint32_t point) {
    for (size_t i = 0; i < m->holes.len; i++)
        if (m->holes.data[i].point < point && (m->holes.data[i].effect & ~(unsigned)TC_HOLE_VALUE) != 0)
            return &m->holes.data[i];
    return NULL;
}

// Memory that other grids see. Constant memory and parameters no kernel writes.
static bool is_global(const tc_kmodel *m, const tc_event *e) {
    return tc_event_touches(e) && m->objects.data[e->object].space == TC_SPACE_GLOBAL;
}

// SOUND: what is read through the read-only cache has to stay as it is from the kernel's beginning on (PTX ISA, ld.global.nc), and compilers take that as
// leave to move such a load to the other side of the wait. A compiler makes one of each load through a restricted pointer that nobody writes through.
static bool may_be_moved(const tc_kmodel *m, const tc_event *e) {
    const tc_object *o = &m->objects.data[e->object];
    bool restricted = o->contract >= 0 && m->contract->objects.data[o->contract].is_restrict && !o->written;
    return e->non_coherent || restricted;
}

static tc_waits not_first(tc_waits w, const char *why) {
    w.why = why;
    return w;
}

tc_waits tc_waits_of(tc_arena *a, const tc_kmodel *m) {
    tc_waits w = {.early = TC_NEW_ARRAY(a, bool, m->contract->objects.len + 1)};
    const tc_grid_wait *wait = first_wait(m);
    if (wait == NULL)
        return not_first(w, m->waits.len == 0 ? "it does not wait for the kernels before it" : "not all of its threads wait for the kernels before it");
    if (m->ends_threads)
        return not_first(w, "its threads may end before they have waited for the kernels before it");
    const tc_hole *h = hole_before(m, wait->point);
    if (h != NULL)
        return not_first(w, tc_fmt(a, "%s comes before its wait for the kernels before it", h->what));
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        if (!is_global(m, e) || (e->point > wait->point && !may_be_moved(m, e)))
            continue;
        int c = m->objects.data[e->object].contract;
        if (c < 0)
            return not_first(w, tc_fmt(a, "it touches '%s' before it has waited for the kernels before it", m->objects.data[e->object].name));
        w.early[c] = true;
    }
    w.first = true;
    return w;
}
