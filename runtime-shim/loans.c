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

static void changed(tc_rt_tracker *t, rt_place *p) {
    p->epoch++;
    t->changes++;
}

void rt_turns_drop(rt_turns **turns) {
    if (*turns && !--(*turns)->holders)
        tc_rt_release(*turns);
    *turns = NULL;
}

static void unlink_loan(rt_place *p, rt_loan *l) {
    *(l->newer ? &l->newer->older : &p->newest) = l->older;
    if (l->older)
        l->older->newer = l->newer;
    l->older = l->newer = NULL;
}

static void link_newest(rt_place *p, rt_loan *l) {
    l->older = p->newest;
    l->newer = NULL;
    if (p->newest)
        p->newest->newer = l;
    p->newest = l;
}

static bool launches_renew(const rt_loan *l) {
    return l->turns && !l->turns->over;
}

// Out of all but the list.
static void loan_free(tc_rt_tracker *t, rt_place *p, rt_loan *l) {
    changed(t, p);
    p->lost += launches_renew(l);
    unlink_loan(p, l);
    rt_turns_drop(&l->turns);
    tc_rt_release(l);
    t->counts.live_loans--;
}

static void remove_at(tc_rt_tracker *t, rt_place *p, size_t i) {
    loan_free(t, p, p->loans.data[i]);
    memmove(&p->loans.data[i], &p->loans.data[i + 1], (p->loans.len - i - 1) * sizeof(rt_loan *));
    p->loans.len--;
    if (!p->loans.len)
        p->longest = 0;
}

void rt_loans_clear(tc_rt_tracker *t, rt_place *p) {
    while (p->loans.len)
        remove_at(t, p, p->loans.len - 1);
}

static bool host_passed(const tc_rt_tracker *t, const rt_loan *l) {
    return rt_clock_at(&t->host, l->slot) >= rt_loan_turn(l)->seq;
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
            loan_free(t, p, l);
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

static bool passed(const rt_user *who, const rt_loan *l) {
    uint64_t seq = rt_loan_turn(l)->seq;
    if (who->slot && who->slot->number == l->slot)
        return who->own >= seq || (who->since && seq >= who->since);
    return rt_clock_at(who->clock, l->slot) >= seq;
}

static void find_conflict(tc_rt_tracker *t, rt_place *p, const rt_user *who, const rt_loan *l, tc_rt_rule rule,
                          const char *use, tc_rt_borrow borrow, uint64_t at) {
    tc_rt_finding f = {.rule = rule,
                       .line = who->event->line,
                       .now = rt_party_now(who->event, who->slot, use, borrow),
                       .has_before = true,
                       .before = rt_party_loan(l),
                       .buffer = rt_place_buffer(p, at),
                       .overtakes = rule == TC_RT_RULE_UNORDERED && who->slot->number == l->slot,
                       .others_between = who->slot && rt_loan_turn(l)->seq < who->slot->seq,
                       .at = at};
    f.now.exec = who->exec;
    rt_find(t, &f, p->id);
}

// A loan that the use conflicts with, and that it does not come after.
static bool in_its_way(tc_rt_tracker *t, const rt_user *who, const rt_loan *l, const tc_rt_use *use, uint64_t *at) {
    if (!rt_conflict(l->borrow, use->borrow) || passed(who, l))
        return false;
    tc_rt_overlap met = tc_rt_region_overlap(&l->region, &use->region, at);
    t->counts.undecided += met == TC_RT_UNDECIDED;
    return met == TC_RT_OVERLAP;
}

// Room for one more conflict, and for its slot.
static bool reserve_met(tc_rt_tracker *t, uint32_t slot) {
    while (t->latest.len <= slot) {
        if (!rt_reserve(t, &t->latest))
            return false;
        t->latest.data[t->latest.len++] = 0;
    }
    return rt_reserve(t, &t->met);
}

static void meet(tc_rt_tracker *t, const rt_loan *l, uint64_t at) {
    if (!reserve_met(t, l->slot))
        return;
    t->met.data[t->met.len++] = (rt_met){l, at};
    if (t->latest.data[l->slot] < rt_loan_turn(l)->seq)
        t->latest.data[l->slot] = rt_loan_turn(l)->seq;
}

// Of several loans of one stream the last one is told: who waits for it has waited for the others. What was met is forgotten.
static void tell_met(tc_rt_tracker *t, rt_place *p, const rt_user *who, tc_rt_rule rule, const char *use, tc_rt_borrow borrow) {
    for (size_t i = 0; i < t->met.len; i++) {
        const rt_met *m = &t->met.data[i];
        if (rt_loan_turn(m->loan)->seq == t->latest.data[m->loan->slot])
            find_conflict(t, p, who, m->loan, rule, use, borrow, m->at);
    }
    for (size_t i = 0; i < t->met.len; i++)
        t->latest.data[t->met.data[i].loan->slot] = 0;
    t->met.len = 0;
}

bool rt_loans_check(tc_rt_tracker *t, rt_place *p, const rt_user *who, const tc_rt_use *use) {
    uint64_t end = tc_rt_region_end(&use->region);
    bool clean = true;
    for (size_t i = first_reaching(p, use->region.base); i < p->loans.len && p->loans.data[i]->region.base < end;) {
        const rt_loan *l = p->loans.data[i];
        if (host_passed(t, l) && !launches_renew(l)) {
            remove_at(t, p, i);
            continue;
        }
        i++;
        uint64_t at = 0;
        if (!in_its_way(t, who, l, use, &at))
            continue;
        clean = false;
        meet(t, l, at);
    }
    tell_met(t, p, who, who->slot ? TC_RT_RULE_UNORDERED : TC_RT_RULE_HOST, use->name, use->borrow);
    return clean;
}

void rt_loans_check_freed(tc_rt_tracker *t, rt_place *p, const rt_user *who, uint64_t base, uint64_t size, bool forget) {
    tc_rt_use all = {.region = tc_rt_region_dense(base, size), .borrow = TC_RT_EXCLUSIVE};
    uint64_t end = tc_rt_region_end(&all.region), at = 0;
    size_t from = first_reaching(p, base);
    for (size_t i = from; i < p->loans.len && p->loans.data[i]->region.base < end; i++)
        if (in_its_way(t, who, p->loans.data[i], &all, &at))
            meet(t, p->loans.data[i], at);
    tell_met(t, p, who, TC_RT_RULE_FREED, NULL, TC_RT_EXCLUSIVE);
    for (size_t i = from; forget && i < p->loans.len && p->loans.data[i]->region.base < end;) {
        const rt_loan *l = p->loans.data[i];
        bool told = in_its_way(t, who, l, &all, &at) && l->region.base >= base && tc_rt_region_end(&l->region) <= end;
        if (told)
            remove_at(t, p, i);
        else
            i++;
    }
}

// ---- lending ----

// Whatever conflicts with the old loan conflicts with the new one, and who has passed the new one has passed the old one.
// An explicit loan can be released, so that it takes over explicit ones alone.
static bool takes_over(const rt_loan *old, const rt_user *who, const tc_rt_use *use) {
    return old->slot == who->slot->number && (who->event->op != TC_RT_LOAN || old->op == TC_RT_LOAN) &&
           (use->borrow == old->borrow || use->borrow == TC_RT_EXCLUSIVE) && tc_rt_region_covers(&use->region, &old->region);
}

// The same use as before, by what findings say of it.
static bool is_renewed(const rt_loan *old, const rt_user *who, const tc_rt_use *use, const char *name, const char *parameter) {
    return old->slot == who->slot->number && old->name == name && old->use == parameter && old->op == who->event->op &&
           old->borrow == use->borrow && old->exec == who->exec && tc_rt_region_equal(&old->region, &use->region);
}

#define MANY_LOANS 8 // up to so many may be taken over by others and stay: kernels that take turns on a buffer then renew their own

static rt_loan *loan_for(tc_rt_tracker *t, rt_place *p, const rt_user *who, const tc_rt_use *use, const char *name, const char *parameter) {
    uint64_t end = tc_rt_region_end(&use->region);
    size_t from = first_from(p, use->region.base);
    for (size_t i = from; !who->alone && i < p->loans.len && p->loans.data[i]->region.base == use->region.base; i++)
        if (is_renewed(p->loans.data[i], who, use, name, parameter))
            return p->loans.data[i];
    for (size_t i = from; !who->alone && p->loans.len >= MANY_LOANS && i < p->loans.len && p->loans.data[i]->region.base < end;)
        if (takes_over(p->loans.data[i], who, use))
            remove_at(t, p, i);
        else
            i++;
    make_room(t, p);
    rt_loan *l = rt_reserve(t, &p->loans) ? tc_rt_new(t, sizeof *l) : NULL;
    if (!l)
        return NULL;
    size_t i = first_from(p, use->region.base);
    memmove(&p->loans.data[i + 1], &p->loans.data[i], (p->loans.len - i) * sizeof(rt_loan *));
    p->loans.data[i] = l;
    p->loans.len++;
    t->counts.live_loans++;
    changed(t, p);
    link_newest(p, l);
    l->region = use->region;
    if (end - use->region.base > p->longest)
        p->longest = end - use->region.base;
    return l;
}

void rt_loans_used_by(tc_rt_tracker *t, rt_place *p, uint32_t slot) {
    if (p->last_slot == slot)
        return;
    p->last_slot = slot;
    changed(t, p);
}

bool rt_loans_apart_since(tc_rt_tracker *t, const rt_place *p, const rt_user *who, uint64_t born, const rt_nodes *nodes) {
    for (const rt_loan *l = p->newest; l && l->born > born; l = l->older) {
        uint64_t at = 0;
        for (size_t i = 0; !passed(who, l) && i < nodes->uses.len; i++) {
            tc_rt_use use = {.region = nodes->uses.data[i].region, .borrow = nodes->uses.data[i].borrow};
            if (in_its_way(t, who, l, &use, &at))
                return false;
        }
    }
    return true;
}

rt_loan *rt_loans_add(tc_rt_tracker *t, rt_place *p, const rt_user *who, const tc_rt_use *use, uint64_t seq) {
    const tc_rt_event *e = who->event;
    const char *name = rt_keep(t, e->name, e->flags), *parameter = rt_keep(t, use->name, e->flags);
    rt_loan *l = loan_for(t, p, who, use, name, parameter);
    if (!l)
        return NULL;
    rt_loans_used_by(t, p, who->slot->number);
    l->slot = who->slot->number;
    l->borrow = use->borrow;
    l->own = (rt_turn){seq, e->line, e->stack};
    if (l->turns != who->turns) {
        rt_turns_drop(&l->turns);
        l->turns = who->turns;
        if (l->turns)
            l->turns->holders++;
    }
    l->op = e->op;
    l->stream = who->slot->handle;
    l->stream_name = who->slot->name;
    l->exec = who->exec;
    l->name = name;
    l->use = parameter;
    l->site = rt_keep(t, e->site, e->flags);
    l->born = ++t->next_born;
    unlink_loan(p, l);
    link_newest(p, l);
    return l;
}

void rt_loans_release(tc_rt_tracker *t, rt_place *p, uint32_t slot, uint64_t base) {
    for (size_t i = first_from(p, base); i < p->loans.len && p->loans.data[i]->region.base == base;)
        if (p->loans.data[i]->slot == slot && p->loans.data[i]->op == TC_RT_LOAN)
            remove_at(t, p, i);
        else
            i++;
}
