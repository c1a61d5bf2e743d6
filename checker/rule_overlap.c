// TC1001: two blocks write no common element. TC1002: no block reads what another writes.
//
// Where the contract gives regions, both follow from containment (TC1004) and the contract's lemma (TC1005). Otherwise
// two instances of the accesses, in two different blocks, are shown to be apart: at all times, or in each epoch (epoch.c), or where one does
// not hand on to the other (handed.c, locks.c).
#include "checker/handed.h"
#include "checker/made.h"

#include <string.h>

enum { max_pairs = 1500 };

static bool exclusive(const tc_cx *cx, const tc_site *s) {
    return cx->model->objects.data[s->object].space == TC_SPACE_GLOBAL &&
           (s->borrow == TC_BORROW_MUT || s->borrow == TC_BORROW_OUT);
}

static bool has_region(const tc_site *s) {
    return s->contract && s->contract->region != TC_REGION_NONE;
}

static uint32_t lemma(tc_cx *cx, const uint32_t *lemmas, uint32_t object) {
    int c = cx->model->objects.data[object].contract;
    return c >= 0 ? lemmas[c] : TC_NONE;
}

// All writes of the object stay in their blocks' regions, and no element is in two.
static void depend_on_regions(tc_cx *cx, tc_obligation *ob, uint32_t object) {
    tc_depend(cx, ob, lemma(cx, cx->region_lemma, object));
    tc_depend(cx, ob, lemma(cx, cx->stride_lemma, object));
    for (size_t i = 0; i < cx->sites.len; i++)
        if (cx->sites.data[i].object == object)
            tc_depend(cx, ob, cx->sites.data[i].owned);
}

// ---- two instances ----

// What else orders the two.
typedef enum order { NO_ORDER, HANDED, HANDED_WITHOUT_FENCES } order;

static void decide_pair(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, order order) {
    ob->hyps.len = 0;
    tc_hyps_two_sites(cx, &ob->hyps, a, b);
    if (order != NO_ORDER)
        tc_hyps_handed(cx, &ob->hyps, a, b, order == HANDED);
    tc_view v = tc_view_blocks(cx);
    if (order != NO_ORDER)
        tc_hyps_locked(cx, &ob->hyps, a, b, &v, order == HANDED);
    tc_hyps_two_values(cx, &ob->hyps, a, b, &v);
    tc_t meet = tc_elements_meet(cx, ob, &v, a, b);
    if (!meet) {
        tc_tvec h = {0};
        for (size_t i = 0; i < ob->hyps.len; i++)
            tc_push(cx->arena, &h, ob->hyps.data[i]);
        tc_hyps_contents(cx, &h, tc_add(cx->ts, a->offset, b->offset));
        ob->goal = tc_bool(cx->ts, false);
        tc_hyps_push(cx, &ob->hyps, tc_bytes_meet(cx, &v, a, b));
        if (tc_disjoint_bytes(cx, ob, &v, &h, a, b)) {
            for (size_t i = 0; i < h.len; i++)
                tc_note_uses(cx, ob, h.data[i]);
            return;
        }
    } else {
        tc_hyps_push(cx, &ob->hyps, meet);
    }
    ob->goal = tc_bool(cx->ts, false);
    if (!tc_decide(cx, ob) && !tc_decide_if(cx, ob, cx->ones.data, cx->ones.len))
        tc_decide_in_epochs(cx, ob, a, b);
}

static void lacks_fences(tc_cx *cx, tc_obligation *ob, const tc_site *a) {
    ob->rule = TC_RULE_TC3003;
    ob->claim = tc_fmt(cx->arena, "what a block writes of '%s' is released before its atomic operation, and acquired behind the one that sees it",
                       tc_object_name(cx, a->object));
    tc_verdict_unknown(ob, tc_fmt(cx->arena, "not shown that %s: __threadfence() in front of it and behind it, by the thread that executes it",
                                  ob->claim));
}

// A pair that lacks nothing but fences is one of TC3003.
static void by_hand_over(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b) {
    tc_obligation first = *ob, unfenced = *ob;
    decide_pair(cx, ob, a, b, HANDED);
    if (ob->verdict != TC_UNKNOWN) {
        tc_lean_on_handed(cx, ob);
        return;
    }
    *ob = first;
    decide_pair(cx, &unfenced, a, b, HANDED_WITHOUT_FENCES);
    if (unfenced.verdict != TC_UNKNOWN)
        lacks_fences(cx, ob, a);
}

// The same of a barrier of the grid that the kernel makes itself.
static void by_made(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b) {
    if (!tc_suppose_made(cx, true))
        return;
    tc_obligation unfenced = *ob;
    bool shown = tc_decide_in_epochs(cx, &unfenced, a, b);
    tc_suppose_made(cx, false);
    if (shown)
        lacks_fences(cx, ob, a);
}

static void pair(tc_cx *cx, tc_rule rule, const tc_site *a, const tc_site *b) {
    const char *name = tc_object_name(cx, a->object);
    const char *text = rule == TC_RULE_TC1001
                           ? tc_fmt(cx->arena, "no two blocks write one element of '%s'", name)
                           : tc_fmt(cx->arena, "no block reads an element of '%s' that another writes", name);
    if (tc_is_atomic(a->event) && tc_is_atomic(b->event) && a->event->width != b->event->width)
        text = tc_fmt(cx->arena, "no atomic operation on '%s' meets one of another width by another block", name);
    tc_obligation ob = tc_obligation_start(rule, a->event->loc, text);
    ob.event = a->event;
    ob.other = b->event;
    ob.object = a->object;
    ob.contract = cx->model->objects.data[a->object].contract;
    decide_pair(cx, &ob, a, b, NO_ORDER);
    if (ob.verdict == TC_UNKNOWN && (cx->signals || cx->locks))
        by_hand_over(cx, &ob, a, b);
    if (ob.verdict == TC_UNKNOWN && ob.rule == rule)
        by_made(cx, &ob, a, b);
    tc_oblige(cx, &ob);
}

// ---- TC1001 ----

static void by_regions(tc_cx *cx, tc_rule rule, const tc_site *s, const char *text) {
    tc_obligation ob = tc_obligation_start(rule, s->event->loc, text);
    ob.event = s->event;
    ob.object = s->object;
    ob.contract = cx->model->objects.data[s->object].contract;
    depend_on_regions(cx, &ob, s->object);
    tc_verdict_proved(&ob, TC_RUNG_TRIVIAL, 0);
    tc_oblige(cx, &ob);
}

static void write_write(tc_cx *cx) {
    size_t pairs = 0;
    for (size_t i = 0; i < cx->sites.len; i++) {
        const tc_site *s = &cx->sites.data[i];
        if (!exclusive(cx, s) || !tc_event_writes(s->event))
            continue;
        if (has_region(s)) {
            by_regions(cx, TC_RULE_TC1001, s,
                       tc_fmt(cx->arena, "no two blocks write one element of '%s'", tc_object_name(cx, s->object)));
            continue;
        }
        for (size_t k = i; k < cx->sites.len && pairs <= max_pairs; k++) {
            const tc_site *t = &cx->sites.data[k];
            if (t->object == s->object && tc_event_writes(t->event) && ++pairs <= max_pairs)
                pair(cx, TC_RULE_TC1001, s, t);
        }
    }
    if (pairs > max_pairs)
        tc_note_unknown(cx, cx->contract->kernel->loc,
                        "too many pairs of writes to compare: tc_tile would make each write a question of its own");
}

// ---- TC1002 ----

static bool object_is_written(const tc_cx *cx, uint32_t object) {
    for (size_t i = 0; i < cx->sites.len; i++)
        if (cx->sites.data[i].object == object && tc_event_writes(cx->sites.data[i].event))
            return true;
    return false;
}

static bool owned_read(tc_cx *cx, tc_site *s) {
    tc_obligation ob = tc_owned_obligation(cx, TC_RULE_TC1002, s);
    if (ob.verdict == TC_UNKNOWN)
        return false;
    depend_on_regions(cx, &ob, s->object);
    tc_oblige(cx, &ob);
    return true;
}

static void read_write(tc_cx *cx) {
    size_t pairs = 0;
    for (size_t i = 0; i < cx->sites.len; i++) {
        tc_site *s = &cx->sites.data[i];
        if (!exclusive(cx, s) || !tc_event_reads(s->event) || s->event->kind == TC_EV_ATOMIC ||
            !object_is_written(cx, s->object))
            continue;
        if (has_region(s) && owned_read(cx, s))
            continue;
        for (size_t k = 0; k < cx->sites.len && pairs <= max_pairs; k++) {
            const tc_site *t = &cx->sites.data[k];
            if (t->object == s->object && tc_event_writes(t->event) && ++pairs <= max_pairs)
                pair(cx, TC_RULE_TC1002, s, t);
        }
    }
    if (pairs > max_pairs)
        tc_note_unknown(cx, cx->contract->kernel->loc, "too many pairs of reads and writes to compare");
}

// ---- atomics of two widths ----

// What is tc_atomic all blocks may touch, by operations of one width: others are not morally strong, and race (PTX ISA, "Mixed-size
// Data-races").
static void mixed_widths(tc_cx *cx) {
    size_t pairs = 0;
    for (size_t i = 0; i < cx->sites.len; i++)
        for (size_t k = i + 1; k < cx->sites.len; k++) {
            const tc_site *a = &cx->sites.data[i], *b = &cx->sites.data[k];
            if (a->object != b->object || a->borrow != TC_BORROW_ATOMIC || a->event->width == b->event->width || !tc_is_atomic(a->event) ||
                !tc_is_atomic(b->event) || !(tc_event_writes(a->event) || tc_event_writes(b->event)))
                continue;
            bool both = tc_event_writes(a->event) && tc_event_writes(b->event);
            if (++pairs <= max_pairs)
                pair(cx, both ? TC_RULE_TC1001 : TC_RULE_TC1002, tc_event_writes(b->event) ? a : b, tc_event_writes(b->event) ? b : a);
        }
    if (pairs > max_pairs)
        tc_note_unknown(cx, cx->contract->kernel->loc, "too many pairs of atomics of two widths to compare");
}

// ---- pointers that may be one buffer ----

// Two writes are told once: the second by the name that is in place of another.
static bool is_told_of(const tc_site *s, const tc_site *w) {
    bool first = s->contract->inplace != NULL, second = w->contract->inplace != NULL;
    return !tc_event_writes(s->event) || (first == second ? s < w : second);
}

// tc_inplace: in the case of one buffer, what another block reads or writes through another name of it.
static void inplace(tc_cx *cx) {
    for (size_t k = 0; k < cx->sites.len; k++) {
        const tc_site *w = &cx->sites.data[k];
        if (!w->contract || !tc_event_writes(w->event))
            continue;
        for (size_t i = 0; i < cx->sites.len; i++) {
            const tc_site *s = &cx->sites.data[i];
            if (s->object != w->object && s->contract && tc_contract_one_buffer(s->contract, w->contract) && is_told_of(s, w))
                pair(cx, tc_event_writes(s->event) ? TC_RULE_TC1001 : TC_RULE_TC1002, s, w);
        }
    }
}

static bool contract_object_written(const tc_cx *cx, uint32_t c) {
    for (size_t i = 0; i < cx->model->objects.len; i++)
        if (cx->model->objects.data[i].contract == (int)c && cx->model->objects.data[i].written)
            return true;
    return false;
}

static void may_alias(tc_cx *cx) {
    const tc_contract *c = cx->contract;
    for (size_t i = 0; i + 1 < c->may_alias.len; i += 2) {
        uint32_t a = c->may_alias.data[i], b = c->may_alias.data[i + 1];
        if (contract_object_written(cx, a) || contract_object_written(cx, b))
            tc_note_unknown(cx, c->objects.data[a].loc,
                            tc_fmt(cx->arena,
                                   "'%s' and '%s' may overlap in any way, and one is written: tc_inplace says that "
                                   "they are one buffer or none",
                                   c->objects.data[a].path, c->objects.data[b].path));
    }
}

void tc_rule_overlap(tc_cx *cx) {
    write_write(cx);
    read_write(cx);
    mixed_widths(cx);
    inplace(cx);
    may_alias(cx);
}
