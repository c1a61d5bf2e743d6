#include "runtime-shim/trackeri.h"

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

static rt_again *entry(const tc_rt_tracker *t, const rt_user *who, const tc_rt_use *use) {
    uint64_t h = mix(mix(use->region.base, (uintptr_t)who->event->name), (uintptr_t)use->name);
    return &t->again[mix(h, who->slot->number ^ (uint64_t)use->borrow << 32) & (RT_AGAIN - 1)];
}

bool rt_again_find(tc_rt_tracker *t, const rt_user *who, const tc_rt_use *use, rt_found *f) {
    const tc_rt_event *e = who->event;
    f->again = NULL;
    if (!(e->flags & TC_RT_LASTING) || who->own != who->slot->seq)
        return false;
    const rt_again *a = entry(t, who, use);
    bool same = a->loan && a->version == t->version && a->slot == who->slot->number && a->name == e->name && a->use == use->name &&
                a->borrow == use->borrow && a->op == e->op && a->unshaped == use->unshaped;
    if (!same || a->epoch != a->place->epoch || !tc_rt_region_equal(&a->region, &use->region))
        return false;
    f->place = a->place;
    f->again = a->loan;
    f->epoch = a->epoch;
    return true;
}

bool rt_again_renew(const rt_found *f, const rt_user *who, uint64_t seq) {
    if (!f->again || f->epoch != f->place->epoch)
        return false;
    f->again->own = (rt_turn){seq, who->event->line, who->event->stack};
    f->again->site = who->event->site;
    return true;
}

// What goes beyond its buffer is told each time.
static bool fits(rt_place *p, const tc_rt_region *r) {
    const rt_part *part = p->size ? rt_part_at(p, r->base) : NULL;
    uint64_t end = part ? part->base + part->size : p->base + p->size;
    return !p->size || tc_rt_region_end(r) <= end;
}

void rt_again_note(tc_rt_tracker *t, const rt_user *who, const tc_rt_use *given, rt_place *p, rt_loan *l) {
    const tc_rt_event *e = who->event;
    if (!l || !(e->flags & TC_RT_LASTING) || !fits(p, &l->region))
        return;
    *entry(t, who, given) = (rt_again){.name = e->name,
                                       .use = given->name,
                                       .region = given->region,
                                       .version = t->version,
                                       .epoch = p->epoch,
                                       .place = p,
                                       .loan = l,
                                       .slot = who->slot->number,
                                       .borrow = given->borrow,
                                       .op = e->op,
                                       .unshaped = given->unshaped};
}
