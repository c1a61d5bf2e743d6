// What one launch is given twice. A launch of few uses compares all pairs; of many, those alone that reach into each other.
#include "runtime-shim/trackeri.h"

#define FEW 32       // uses
#define PAIRS 20000u // of many uses, that are compared: no kernel has so many that may not overlap and do

static bool may_overlap(const tc_rt_use *a, const tc_rt_use *b) {
    return !rt_conflict(a->borrow, b->borrow) || (a->group && a->group == b->group);
}

static void check_pair(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s, const tc_rt_use *a, const tc_rt_use *b) {
    if (may_overlap(a, b))
        return;
    if (a->region.base >= tc_rt_region_end(&b->region) || b->region.base >= tc_rt_region_end(&a->region))
        return;
    tc_rt_region ra = a->region, rb = b->region;
    tc_rt_region_normalize(&ra);
    tc_rt_region_normalize(&rb);
    uint64_t at = 0;
    tc_rt_overlap met = tc_rt_region_overlap(&ra, &rb, &at);
    t->counts.undecided += met == TC_RT_UNDECIDED;
    if (met != TC_RT_OVERLAP)
        return;
    const rt_place *p = rt_place_at(t, at);
    p = p ? p : &t->elsewhere;
    tc_rt_finding f = {.rule = TC_RT_RULE_ALIAS,
                       .line = e->line,
                       .now = rt_party_now(e, s, a->name, a->borrow),
                       .has_before = true,
                       .before = rt_party_now(e, s, b->name, b->borrow),
                       .buffer = rt_place_buffer(p, at),
                       .at = at};
    rt_find(t, &f, p->id);
}

// ---- many ----

typedef struct sweep {
    tc_rt_tracker *t;
    const tc_rt_event *e;
    const rt_slot *slot;
    uint32_t left; // pairs
} sweep;

typedef struct spans {
    const rt_span *data;
    size_t len;
} spans;

static int by_base(const void *a, const void *b) {
    const rt_span *x = a, *y = b;
    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    return x->use < y->use ? -1 : x->use > y->use;
}

// The uses of one borrow, by base, behind those that are there already.
static spans spans_of(tc_rt_tracker *t, const tc_rt_event *e, tc_rt_borrow borrow) {
    size_t from = t->spans.len;
    for (size_t i = 0; i < e->nuses; i++) {
        const tc_rt_region *r = &e->uses[i].region;
        if (e->uses[i].borrow == borrow && !tc_rt_region_empty(r))
            t->spans.data[t->spans.len++] = (rt_span){r->base, tc_rt_region_end(r), (uint32_t)i};
    }
    spans s = {t->spans.data + from, t->spans.len - from};
    qsort(t->spans.data + from, s.len, sizeof *s.data, by_base);
    return s;
}

static void compare(sweep *w, const rt_span *x, const rt_span *y) {
    const tc_rt_use *a = &w->e->uses[x->use < y->use ? x->use : y->use], *b = &w->e->uses[x->use < y->use ? y->use : x->use];
    if (may_overlap(a, b))
        return;
    w->left--;
    check_pair(w->t, w->e, w->slot, a, b);
}

// Each of a with those of b that begin in it; what begins where it begins: when `same` is set.
static void compare_within(sweep *w, spans a, spans b, bool same) {
    size_t from = 0;
    for (size_t i = 0; i < a.len && w->left > 0; i++) {
        const rt_span *x = &a.data[i];
        while (from < b.len && (b.data[from].base < x->base || (!same && b.data[from].base == x->base)))
            from++;
        for (size_t j = a.data == b.data ? i + 1 : from; j < b.len && b.data[j].base < x->end && w->left > 0; j++)
            compare(w, x, &b.data[j]);
    }
}

static void compare_across(sweep *w, spans a, spans b) {
    compare_within(w, a, b, true);
    compare_within(w, b, a, false);
}

static void check_many(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s) {
    sweep w = {t, e, s, PAIRS};
    t->spans.len = 0;
    while (t->spans.cap < e->nuses)
        if (!tc_rt_grow((void **)&t->spans.data, &t->spans.cap, t->spans.cap, sizeof *t->spans.data)) {
            t->lost = true;
            return;
        }
    spans mut = spans_of(t, e, TC_RT_EXCLUSIVE), shared = spans_of(t, e, TC_RT_SHARED), atomic = spans_of(t, e, TC_RT_ATOMIC);
    compare_within(&w, mut, mut, true);
    compare_across(&w, mut, shared);
    compare_across(&w, mut, atomic);
    compare_across(&w, shared, atomic);
    t->counts.undecided += w.left == 0;
}

void rt_alias_check(tc_rt_tracker *t, const tc_rt_event *e, const rt_slot *s) {
    if (e->nuses > FEW) {
        check_many(t, e, s);
        return;
    }
    for (size_t i = 0; i < e->nuses; i++)
        for (size_t j = i + 1; j < e->nuses; j++)
            check_pair(t, e, s, &e->uses[i], &e->uses[j]);
}
