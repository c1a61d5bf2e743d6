// TC3001: two threads of a block touch no common byte, one of them writing, with no barrier between.
//
// TC3003: an asynchronous copy is waited for, by its thread, before the bytes are touched again; and by others after a barrier behind
// the wait.
//
// For each pair of accesses of one object: two instances, in the iterations in which no barrier comes between them, are shown
// to be apart or to be of one thread.
#include "checker/handed.h"

#include <string.h>

enum { max_pairs = 1500 };

static bool is_whole(tc_cx *cx, const tc_site *s) {
    tc_t rest = s->bytes ? tc_mod(cx->ts, s->offset, tc_int(cx->ts, s->bytes)) : NULL;
    return rest && tc_is_const(rest) && rest->value == 0;
}

// SOUND: two atomics of one width, at multiples of it from one base, touch the same bytes or none.
static bool may_race(tc_cx *cx, const tc_site *a, const tc_site *b) {
    if (!tc_event_writes(a->event) && !tc_event_writes(b->event))
        return false;
    bool atomics = tc_is_atomic(a->event) && tc_is_atomic(b->event) && a->bytes == b->bytes && is_whole(cx, a) && is_whole(cx, b);
    return !(atomics && a->event->scope >= TC_SCOPE_CTA && b->event->scope >= TC_SCOPE_CTA);
}

static bool is_common(const tc_cx *cx, const tc_site *s) {
    tc_space space = cx->model->objects.data[s->object].space;
    return space == TC_SPACE_SHARED || (space == TC_SPACE_GLOBAL && s->borrow != TC_BORROW_UNCHECKED);
}

static void copy(tc_cx *cx, tc_tvec *to, const tc_tvec *from) {
    for (size_t i = 0; i < from->len; i++)
        tc_push(cx->arena, to, from->data[i]);
}

// ---- one question ----

// The threads differ first in one dimension, and the others before it are one.
static bool apart_by_dimension(tc_cx *cx, tc_two *w, const tc_tvec *h, tc_t common_byte) {
    tc_terms *ts = cx->ts;
    tc_tvec base = {0};
    copy(cx, &base, h);
    tc_map one = {0};
    for (int d = 0; d < 3; d++) {
        tc_t i = tc_settle(cx, cx->contract->syms.thread_idx[d]);
        tc_t x = tc_two_at(w, i, 1), y = tc_two_at(w, i, 2);
        if (x == y)
            continue;
        tc_tvec g = {0};
        for (size_t k = 0; k < base.len; k++)
            tc_hyps_push(cx, &g, tc_subst(ts, base.data[k], &one));
        tc_hyps_push(cx, &g, tc_ne(ts, x, y));
        tc_hyps_push(cx, &g, tc_subst(ts, common_byte, &one));
        if (!tc_try(cx, &g, tc_bool(ts, false)).proved)
            return false;
        tc_map_put(cx->arena, &one, TC_KEY(y), (void *)(uintptr_t)x);
    }
    return true;
}

// of: any two threads of a block; of one warp, whose barriers count too; of two warps.
typedef enum threads { OF_BLOCK, OF_WARP, OF_WARPS } threads;

// What is known beside: by hand-overs inside the block; by locks (locks.c); what the threads read back, or the question is not asked.
typedef enum extra { NOTHING_MORE, HANDED, LOCKED, READ_BACK } extra;

static bool decide_threads(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_meeting *m, threads of,
                           extra more) {
    tc_two w;
    ob->hyps.len = 0;
    ob->goal = NULL;
    if (!tc_hyps_unordered(cx, a, b, m, of == OF_WARP ? TC_TEAM_WARP : TC_TEAM_BLOCK, &w, &ob->hyps)) {
        tc_verdict_proved(ob, TC_RUNG_TRIVIAL, 0);
        return true;
    }
    tc_view v = tc_view_threads(&w);
    tc_hyps_push(cx, &ob->hyps, tc_two_threads(&w));
    if (of == OF_WARPS)
        tc_hyps_push(cx, &ob->hyps, tc_not(cx->ts, tc_two_in_warp(&w)));
    tc_hyps_two_tickets(cx, &ob->hyps, a, b, &v);
    tc_hyps_two_values(cx, &ob->hyps, a, b, &v);
    tc_hyps_lockstep(cx, &ob->hyps, a, b, m, &w);
    tc_hyps_named(cx, &ob->hyps, a, b, &w);
    if (more == HANDED)
        tc_hyps_thread_handed(cx, &ob->hyps, a, b, &w);
    if (more == LOCKED)
        tc_hyps_locked(cx, &ob->hyps, a, b, &v, true);
    if (more == READ_BACK && !tc_hyps_two_read_back(cx, ob, a, b, &v))
        return false;
    tc_hyps_contents(cx, &ob->hyps, tc_add(cx->ts, tc_two_at(&w, a->offset, 1), tc_two_at(&w, b->offset, 2)));
    for (size_t i = 0; i < ob->hyps.len; i++)
        tc_note_uses(cx, ob, ob->hyps.data[i]);
    tc_t common_byte = tc_elements_meet(cx, ob, &v, a, b);
    if (!common_byte && tc_disjoint_bytes(cx, ob, &v, &ob->hyps, a, b))
        return true;
    if (!common_byte)
        common_byte = tc_bytes_meet(cx, &v, a, b);
    tc_tvec before = {0};
    copy(cx, &before, &ob->hyps);
    tc_hyps_push(cx, &ob->hyps, common_byte);
    ob->goal = tc_bool(cx->ts, false);
    if (tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->block_ones.data, cx->block_ones.len))
        return true;
    if (!apart_by_dimension(cx, &w, &before, common_byte))
        return false;
    tc_verdict_proved(ob, TC_RUNG_LINEAR, ob->rlimit);
    tc_lean_on_no_wrap(cx, ob);
    return true;
}

static bool decide_with(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_meeting *m, extra more) {
    if (decide_threads(cx, ob, a, b, m, OF_BLOCK, more))
        return true;
    return more != READ_BACK && tc_warps_meet(cx) && decide_threads(cx, ob, a, b, m, OF_WARP, more) &&
           decide_threads(cx, ob, a, b, m, OF_WARPS, more);
}

static bool decide_meeting(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_meeting *m) {
    if (decide_with(cx, ob, a, b, m, NOTHING_MORE))
        return true;
    // Where more does not help, the question stays as it was.
    for (extra more = HANDED; more <= READ_BACK; more++) {
        tc_obligation again = *ob;
        again.hyps = (tc_tvec){0};
        if ((more == HANDED && !cx->thread_signals) || (more == LOCKED && !cx->locks) || !decide_with(cx, &again, a, b, m, more))
            continue;
        *ob = again;
        ob->handed_in_block |= more == HANDED;
        if (more == LOCKED)
            tc_lean_on_handed(cx, ob);
        return true;
    }
    return false;
}

// PTX does not say which lane of the warp reads or writes a row that one of them names (ldmatrix, stmatrix).
// SOUND: whoever it is meets the barriers that the naming lane meets, and is of its warp. So where it is not the thread of the other
// access, the question about the naming lane and another thread is the one about it, or this one: both are of one thread.
static bool decide_lanes(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_meeting *m) {
    tc_two w;
    if ((!a->event->together && !b->event->together) || (a->event == b->event && m->apart == TC_NONE))
        return true;
    ob->hyps.len = 0;
    if (!tc_hyps_unordered_own(cx, a, b, m, &w, &ob->hyps))
        return true;
    tc_view v = tc_view_threads(&w);
    tc_hyps_push(cx, &ob->hyps, tc_bytes_meet(cx, &v, a, b));
    ob->goal = tc_bool(cx->ts, false);
    return tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->block_ones.data, cx->block_ones.len);
}

// The thread that began the copy, before it has waited for it.
static bool decide_own(tc_cx *cx, tc_obligation *ob, const tc_site *a, const tc_site *b, const tc_meeting *m) {
    tc_two w;
    ob->hyps.len = 0;
    if (!tc_is_async(m->first == 1 ? a->event : b->event) || !tc_hyps_unfinished(cx, a, b, m, &w, &ob->hyps))
        return true;
    if (a->event == b->event && m->apart == TC_NONE)
        return true;
    tc_view v = tc_view_threads(&w);
    tc_hyps_push(cx, &ob->hyps, tc_bytes_meet(cx, &v, a, b));
    ob->goal = tc_bool(cx->ts, false);
    return tc_decide(cx, ob) || tc_decide_if(cx, ob, cx->block_ones.data, cx->block_ones.len);
}

// Told at the access that comes too early, where one of the two is a copy.
static tc_obligation start(tc_cx *cx, const tc_site *a, const tc_site *b, bool async) {
    if (tc_is_async(a->event) && !tc_is_async(b->event)) {
        const tc_site *copied = a;
        a = b;
        b = copied;
    }
    const char *name = tc_object_name(cx, a->object);
    tc_obligation ob = tc_obligation_start(
        async ? TC_RULE_TC3003 : TC_RULE_TC3001, a->event->loc,
        async ? tc_fmt(cx->arena, "the asynchronous copy of '%s' is waited for before its bytes are touched again", name)
              : tc_fmt(cx->arena, "no two threads of a block touch one element of '%s' with no barrier between", name));
    ob.event = a->event;
    ob.other = b->event;
    ob.object = a->object;
    ob.contract = cx->model->objects.data[a->object].contract;
    return ob;
}

static bool pair(tc_cx *cx, const tc_site *a, const tc_site *b) {
    bool async = tc_is_async(a->event) || tc_is_async(b->event);
    tc_obligation ob = start(cx, a, b, async);
    tc_meetings ms = tc_meetings_of(cx, a, b);
    tc_rung rung = TC_RUNG_TRIVIAL;
    bool shown = true;
    for (size_t i = 0; i < ms.len && shown; i++) {
        shown = decide_meeting(cx, &ob, a, b, &ms.data[i]) && decide_lanes(cx, &ob, a, b, &ms.data[i]) &&
                (!async || decide_own(cx, &ob, a, b, &ms.data[i]));
        rung = ob.rung > rung ? ob.rung : rung;
    }
    if (shown)
        tc_verdict_proved(&ob, rung, ob.rlimit);
    if (shown && ob.preconditions.len > 0)
        tc_verdict_proved_if(cx->arena, &ob, ob.preconditions.data[0]);
    tc_lean_on_barriers(cx, &ob);
    tc_oblige(cx, &ob);
    return shown;
}

bool tc_never_meet(tc_cx *cx, const tc_site *a, const tc_site *b, tc_team team) {
    tc_meetings ms = tc_meetings_of(cx, a, b);
    for (size_t i = 0; i < ms.len; i++) {
        tc_two w;
        tc_tvec h = {0};
        if (!tc_hyps_unordered(cx, a, b, &ms.data[i], team, &w, &h))
            continue;
        tc_view v = tc_view_threads(&w);
        tc_hyps_push(cx, &h, tc_bytes_meet(cx, &v, a, b));
        if (!tc_try(cx, &h, tc_bool(cx->ts, false)).proved)
            return false;
    }
    return true;
}

// ---- all pairs ----

// One buffer, under two names where a contract says so.
static bool are_one(const tc_site *a, const tc_site *b) {
    return a->object == b->object || (a->contract && b->contract && tc_contract_one_buffer(a->contract, b->contract));
}

// SOUND: what the launch writes anywhere may be seen or not; that the bytes are others is not asked.
static void non_coherent(tc_cx *cx, const tc_site *s) {
    const tc_kmodel *m = cx->model;
    if (!s->event->non_coherent || !tc_is_written(cx, s->object))
        return;
    tc_obligation ob = tc_obligation_start(TC_RULE_TC3003, s->event->loc, NULL);
    ob.event = s->event;
    ob.object = s->object;
    ob.contract = m->objects.data[s->object].contract;
    tc_verdict_unknown(&ob, tc_fmt(cx->arena, "'%s' is read through the read-only cache, and this kernel writes it: a plain load would do",
                                   tc_object_name(cx, s->object)));
    tc_oblige(cx, &ob);
}

void tc_rule_race(tc_cx *cx) {
    size_t pairs = 0;
    for (size_t i = 0; i < cx->sites.len; i++)
        non_coherent(cx, &cx->sites.data[i]);
    for (size_t i = 0; i < cx->sites.len; i++)
        for (size_t k = i; k < cx->sites.len; k++) {
            const tc_site *a = &cx->sites.data[i], *b = &cx->sites.data[k];
            if (!is_common(cx, a) || !is_common(cx, b) || !are_one(a, b) || !may_race(cx, a, b))
                continue;
            if (++pairs <= max_pairs && !pair(cx, a, b) && cx->without)
                return; // enough is known
        }
    if (pairs > max_pairs)
        tc_note_unknown(cx, cx->contract->kernel->loc, "too many pairs of accesses by two threads to compare");
}
