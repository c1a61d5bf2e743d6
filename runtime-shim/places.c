#include "runtime-shim/trackeri.h"

#define MAX_FREED 4096 // places that were freed and are remembered until something else takes their addresses

static uint64_t end_of(uint64_t base, uint64_t size) {
    uint64_t end;
    return __builtin_add_overflow(base, size, &end) ? UINT64_MAX : end;
}

// Index of the first place that ends behind the address.
static size_t first_beyond(const tc_rt_tracker *t, uint64_t address) {
    size_t lo = 0, hi = t->places.len;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const rt_place *p = t->places.data[mid];
        if (end_of(p->base, p->size) <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

rt_place *rt_place_at(tc_rt_tracker *t, uint64_t address) {
    size_t i = first_beyond(t, address);
    return i < t->places.len && t->places.data[i]->base <= address ? t->places.data[i] : NULL;
}

static void place_release(tc_rt_tracker *t, rt_place *p) {
    rt_loans_clear(t, p);
    tc_rt_release(p->loans.data);
    tc_rt_release(p->parts.data);
    tc_rt_release(p);
}

// ---- those that were freed ----

static void freed_push(tc_rt_tracker *t, rt_place *p) {
    p->freed_before = t->freed_last;
    *(t->freed_last ? &t->freed_last->freed_after : &t->freed_first) = p;
    t->freed_last = p;
    t->freed_places++;
}

static void freed_drop(tc_rt_tracker *t, rt_place *p) {
    *(p->freed_before ? &p->freed_before->freed_after : &t->freed_first) = p->freed_after;
    *(p->freed_after ? &p->freed_after->freed_before : &t->freed_last) = p->freed_before;
    t->freed_places--;
}

static void remove_at(tc_rt_tracker *t, size_t i) {
    rt_place *p = t->places.data[i];
    t->version++;
    if (p->live)
        t->counts.live_allocations--;
    else
        freed_drop(t, p);
    memmove(&t->places.data[i], &t->places.data[i + 1], (t->places.len - i - 1) * sizeof(rt_place *));
    t->places.len--;
    place_release(t, p);
}

void rt_places_clear(tc_rt_tracker *t, uint64_t base, uint64_t size) {
    size_t i = first_beyond(t, base);
    while (i < t->places.len && t->places.data[i]->base < end_of(base, size))
        remove_at(t, i);
}

rt_place *rt_place_new(tc_rt_tracker *t, const tc_rt_event *e) {
    if (!e->size || !rt_reserve(t, &t->places))
        return NULL;
    rt_place *p = tc_rt_new(t, sizeof *p);
    if (!p)
        return NULL;
    *p = (rt_place){.base = e->base,
                    .size = e->size,
                    .memory = e->memory,
                    .device = e->device,
                    .live = true,
                    .name = rt_keep(t, e->name, e->flags),
                    .site = rt_keep(t, e->site, e->flags),
                    .line = e->line,
                    .stack = e->stack,
                    .id = ++t->next_id};
    t->version++;
    size_t i = first_beyond(t, e->base);
    memmove(&t->places.data[i + 1], &t->places.data[i], (t->places.len - i) * sizeof(rt_place *));
    t->places.data[i] = p;
    t->places.len++;
    t->counts.live_allocations++;
    return p;
}

void rt_place_freed(tc_rt_tracker *t, rt_place *p) {
    rt_loans_clear(t, p);
    t->version++;
    p->parts.len = 0;
    p->live = false;
    t->counts.live_allocations--;
    freed_push(t, p);
    if (t->freed_places > MAX_FREED)
        remove_at(t, first_beyond(t, t->freed_first->base));
}

// ---- parts ----

static bool holds(const rt_part *part, uint64_t address) {
    return part->base <= address && address - part->base < part->size;
}

rt_part *rt_part_at(rt_place *p, uint64_t address) {
    rt_part *inner = NULL;
    for (size_t i = 0; i < p->parts.len; i++) {
        rt_part *part = &p->parts.data[i];
        if (holds(part, address) && (!inner || part->size <= inner->size))
            inner = part;
    }
    return inner;
}

// Parts that were given back go where the new one takes their bytes.
static void drop_given_back(rt_place *p, uint64_t base, uint64_t size) {
    size_t kept = 0;
    for (size_t i = 0; i < p->parts.len; i++) {
        rt_part part = p->parts.data[i];
        bool apart = part.base >= end_of(base, size) || base >= end_of(part.base, part.size);
        if (part.live || apart)
            p->parts.data[kept++] = part;
    }
    p->parts.len = kept;
}

bool rt_part_new(tc_rt_tracker *t, rt_place *p, const tc_rt_event *e) {
    t->version++;
    drop_given_back(p, e->base, e->size);
    if (!rt_reserve(t, &p->parts))
        return false;
    p->parts.data[p->parts.len++] = (rt_part){.base = e->base,
                                              .size = e->size,
                                              .live = true,
                                              .name = rt_keep(t, e->name, e->flags),
                                              .site = rt_keep(t, e->site, e->flags),
                                              .line = e->line,
                                              .stack = e->stack};
    return true;
}

tc_rt_buffer rt_place_buffer(const rt_place *p, uint64_t address) {
    const rt_part *part = rt_part_at((rt_place *)p, address);
    if (part)
        return (tc_rt_buffer){.base = part->base,
                              .size = part->size,
                              .memory = TC_RT_MEM_SUB,
                              .name = part->name,
                              .line = part->line,
                              .site = part->site,
                              .stack = part->stack,
                              .freed = !part->live};
    return (tc_rt_buffer){.base = p->base,
                          .size = p->size,
                          .memory = p->memory,
                          .name = p->name,
                          .line = p->line,
                          .site = p->site,
                          .stack = p->stack,
                          .freed = p->size && !p->live};
}

void rt_places_reset_device(tc_rt_tracker *t, uint32_t device) {
    for (size_t i = t->places.len; i-- > 0;) {
        const rt_place *p = t->places.data[i];
        bool of_device = p->memory != TC_RT_MEM_PAGEABLE && p->memory != TC_RT_MEM_SYSTEM;
        if (p->device == device && of_device)
            remove_at(t, i);
    }
    rt_loans_clear(t, &t->elsewhere);
}

void rt_places_free(tc_rt_tracker *t) {
    while (t->places.len)
        remove_at(t, t->places.len - 1);
    tc_rt_release(t->places.data);
    rt_loans_clear(t, &t->elsewhere);
    tc_rt_release(t->elsewhere.loans.data);
}
