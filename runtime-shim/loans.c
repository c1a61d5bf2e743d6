#include "runtime-shim/trackeri.h"

// ---- the list: by base, so that a use looks at those alone that can reach it ----

static size_t first_from(const rt_place *p, uint64_t base) {
    size_t lo = 0, hi = p->loans.len;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (p->loans.data[mid]->region.base < base)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

// Index of the first loan that may reach the address.
static size_t first_reaching(const rt_place *p, uint64_t address) {
    return first_from(p, address > p->longest ? address - p->longest : 0);
}

static void remove_at(tc_rt_tracker *t, rt_place *p, size_t i) {
    tc_rt_release(p->loans.data[i]);
    memmove(&p->loans.data[i], &p->loans.data[i + 1], (p->loans.len - i - 1) * sizeof(rt_loan *));
    p->loans.len--;
    t->counts.live_loans--;
    if (!p->loans.len)
        p->longest = 0;
}

void rt_loans_clear(tc_rt_tracker *t, rt_place *p) {
    while (p->loans.len)
        remove_at(t, p, p->loans.len - 1);
}

static bool host_passed(const tc_rt_tracker *t, const rt_loan *l) {
    return rt_clock_at(&t->host, l->slot) >= l->seq;
}

// What the host has passed goes, and where that frees nothing the oldest loan.
static void make_room(tc_rt_tracker *t, rt_place *p) {
    unsigned max = t->settings.max_loans ? t->settings.max_loans : 4096;
    if (p->loans.len < max)
        return;
    size_t kept = 0, oldest = 0;
    for (size_t i = 0; i < p->loans.len; i++) {
        rt_loan *l = p->loans.data[i];
        if (host_passed(t, l)) {
            tc_rt_release(l);
            t->counts.live_loans--;
            continue;
        }
        p->loans.data[kept] = l;
        if (l->born < p->loans.data[oldest]->born)
            oldest = kept;
        kept++;
    }
    p->loans.len = kept;
    if (kept < max)
        return;
    remove_at(t, p, oldest);
    t->counts.forgotten++;
}

// ---- conflicts ----

static bool conflict(tc_rt_borrow a, tc_rt_borrow b) {
    return a == TC_RT_EXCLUSIVE || b == TC_RT_EXCLUSIVE || a != b;
}

static bool passed(const rt_user *who, const rt_loan *l) {
    if (who->slot && who->slot->number == l->slot)
        return who->own >= l->seq;
    return rt_clock_at(who->clock, l->slot) >= l->seq;
}

static void find_conflict(tc_rt_tracker *t, rt_place *p, const rt_user *who, const rt_loan *l, tc_rt_rule rule,
                          const char *use, tc_rt_borrow borrow, uint64_t at) {
    tc_rt_finding f = {.rule = rule,
                       .line = who->event->line,
                       .now = rt_party_now(who->event, who->slot, use, borrow),
                       .has_before = true,
                       .before = rt_party_loan(l),
                       .buffer = rt_place_buffer(p, at),
                       .at = at};
    f.now.exec = who->exec;
    rt_find(t, &f, p->id);
}

void rt_loans_check(tc_rt_tracker *t, rt_place *p, const rt_user *who, const tc_rt_use *use) {
    uint64_t end = tc_rt_region_end(&use->region);
    for (size_t i = first_reaching(p, use->region.base); i < p->loans.len && p->loans.data[i]->region.base < end;) {
        const rt_loan *l = p->loans.data[i];
        if (host_passed(t, l)) {
            remove_at(t, p, i);
            continue;
        }
        i++;
        uint64_t at = 0;
        if (!conflict(l->borrow, use->borrow) || passed(who, l))
            continue;
        tc_rt_overlap met = tc_rt_region_overlap(&l->region, &use->region, &at);
        t->counts.undecided += met == TC_RT_UNDECIDED;
        if (met == TC_RT_OVERLAP)
            find_conflict(t, p, who, l, who->slot ? TC_RT_RULE_UNORDERED : TC_RT_RULE_HOST, use->name, use->borrow, at);
    }
}

void rt_loans_check_freed(tc_rt_tracker *t, rt_place *p, const rt_user *who, uint64_t base, uint64_t size, bool forget) {
    tc_rt_region all = tc_rt_region_dense(base, size);
    uint64_t end = tc_rt_region_end(&all);
    for (size_t i = first_reaching(p, base); i < p->loans.len && p->loans.data[i]->region.base < end;) {
        const rt_loan *l = p->loans.data[i];
        uint64_t at = 0;
        tc_rt_overlap met = tc_rt_region_overlap(&l->region, &all, &at);
        t->counts.undecided += met == TC_RT_UNDECIDED;
        bool found = met == TC_RT_OVERLAP && !passed(who, l);
        if (found)
            find_conflict(t, p, who, l, TC_RT_RULE_FREED, NULL, TC_RT_EXCLUSIVE, at);
        if (forget && found && l->region.base >= base && tc_rt_region_end(&l->region) <= end)
            remove_at(t, p, i);
        else
            i++;
    }
}

// ---- lending ----

// Whatever conflicts with the old loan conflicts with the new one, and who has passed the new one has passed the old one.
// An explicit loan can be released, so that it takes over explicit ones alone.
static bool takes_over(const rt_loan *old, uint32_t slot, tc_rt_op op, const tc_rt_use *use) {
    return old->slot == slot && (op != TC_RT_LOAN || old->op == TC_RT_LOAN) && (use->borrow == old->borrow || use->borrow == TC_RT_EXCLUSIVE) &&
           tc_rt_region_covers(&use->region, &old->region);
}

void rt_loans_add(tc_rt_tracker *t, rt_place *p, const rt_user *who, const tc_rt_use *use, uint64_t seq) {
    uint64_t end = tc_rt_region_end(&use->region);
    rt_loan *l = NULL;
    for (size_t i = first_from(p, use->region.base); i < p->loans.len && p->loans.data[i]->region.base < end;) {
        if (!takes_over(p->loans.data[i], who->slot->number, who->event->op, use)) {
            i++;
        } else if (!l && p->loans.data[i]->region.base == use->region.base) { // its place in the list is right already
            l = p->loans.data[i++];
        } else {
            remove_at(t, p, i);
        }
    }
    if (!l) {
        make_room(t, p);
        if (!rt_reserve(t, &p->loans) || !(l = tc_rt_new(t, sizeof *l)))
            return;
        size_t i = first_from(p, use->region.base);
        memmove(&p->loans.data[i + 1], &p->loans.data[i], (p->loans.len - i) * sizeof(rt_loan *));
        p->loans.data[i] = l;
        p->loans.len++;
        t->counts.live_loans++;
    }
    const tc_rt_event *e = who->event;
    *l = (rt_loan){.slot = who->slot->number,
                   .borrow = use->borrow,
                   .seq = seq,
                   .region = use->region,
                   .op = e->op,
                   .line = e->line,
                   .stream = who->slot->handle,
                   .stream_name = who->slot->name,
                   .exec = who->exec,
                   .stack = e->stack,
                   .name = rt_keep(t, e->name, e->flags),
                   .use = rt_keep(t, use->name, e->flags),
                   .site = rt_keep(t, e->site, e->flags),
                   .born = ++t->next_born};
    if (end - use->region.base > p->longest)
        p->longest = end - use->region.base;
}

void rt_loans_release(tc_rt_tracker *t, rt_place *p, uint32_t slot, uint64_t base) {
    for (size_t i = first_from(p, base); i < p->loans.len && p->loans.data[i]->region.base == base;)
        if (p->loans.data[i]->slot == slot && p->loans.data[i]->op == TC_RT_LOAN)
            remove_at(t, p, i);
        else
            i++;
}
