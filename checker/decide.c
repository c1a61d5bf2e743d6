// From obligations to answers of the solver.
#include "checker/rules.h"

typedef struct answer {
    const tc_t *hyps;
    size_t nhyps;
    tc_t goal;
    tc_proof proof;
    struct answer *next; // same hash
} answer;

static uint64_t query_hash(const tc_tvec *h, tc_t goal) {
    uint64_t x = goal->id;
    for (size_t i = 0; i < h->len; i++)
        x = tc_hash_mix(x, h->data[i]->id);
    return x;
}

static bool same_query(const answer *a, const tc_tvec *h, tc_t goal) {
    if (a->goal != goal || a->nhyps != h->len)
        return false;
    for (size_t i = 0; i < h->len; i++)
        if (a->hyps[i] != h->data[i])
            return false;
    return true;
}

tc_proof tc_try(tc_cx *cx, const tc_tvec *h, tc_t goal) {
    uint64_t key = query_hash(h, goal);
    answer *first = tc_map_get(&cx->proofs, key);
    for (answer *a = first; a; a = a->next)
        if (same_query(a, h, goal))
            return a->proof;
    answer *a = TC_NEW(cx->arena, answer);
    tc_t *copy = TC_NEW_ARRAY(cx->arena, tc_t, h->len ? h->len : 1);
    for (size_t i = 0; i < h->len; i++)
        copy[i] = h->data[i];
    *a = (answer){copy, h->len, goal, tc_prove(cx->solver, copy, h->len, goal), first};
    tc_map_put(cx->arena, &cx->proofs, key, a);
    return a->proof;
}

bool tc_try_all(tc_cx *cx, const tc_tvec *h, tc_t goal) {
    const tc_t *parts = goal->op == TC_T_AND ? goal->args : &goal;
    for (uint32_t i = 0; i < (goal->op == TC_T_AND ? goal->nargs : 1); i++)
        if (!tc_try(cx, h, parts[i]).proved)
            return false;
    return true;
}

bool tc_follows(tc_cx *cx, tc_t guard, uint32_t loop, uint32_t point, tc_t what) {
    tc_t goal = tc_settle(cx, what);
    if (tc_is_true(goal))
        return true;
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, guard, loop, point);
    return tc_try_all(cx, &h, goal);
}

typedef struct tally {
    tc_rung rung;
    uint64_t rlimit;
    const char *reason;
    tc_tvec core; // hypotheses that Z3's proofs needed
} tally;

static void add_core(tc_cx *cx, tally *t, const tc_proof *p) {
    if (p->rung < TC_RUNG_LINEAR) // the cheaper rungs do not say
        return;
    for (size_t i = 0; i < p->used.len; i++) {
        bool known = false;
        for (size_t k = 0; k < t->core.len; k++)
            known |= t->core.data[k] == p->used.data[i];
        if (!known)
            tc_push(cx->arena, &t->core, p->used.data[i]);
    }
}

static bool prove_parts(tc_cx *cx, const tc_tvec *h, tc_t goal, tally *t) {
    if (goal->op == TC_T_AND) {
        for (uint32_t i = 0; i < goal->nargs; i++)
            if (!prove_parts(cx, h, goal->args[i], t))
                return false;
        return true;
    }
    tc_proof p = tc_try(cx, h, goal);
    t->rlimit += p.rlimit;
    if (p.rung > t->rung)
        t->rung = p.rung;
    t->reason = p.reason;
    if (p.proved)
        add_core(cx, t, &p);
    return p.proved;
}

static const char *unproved_reason(tc_cx *cx, const tc_obligation *ob, const char *reason) {
    const char *why = reason ? reason : "no rung decides it";
    return ob->claim ? tc_fmt(cx->arena, "not shown that %s (%s)", ob->claim, why) : why;
}

void tc_lean_on_no_wrap(tc_cx *cx, tc_obligation *ob) {
    for (size_t i = 0; i < cx->no_wrap.len; i++)
        tc_verdict_proved_if(cx->arena, ob, cx->no_wrap.data[i]);
}

bool tc_decide(tc_cx *cx, tc_obligation *ob) {
    tc_note_uses(cx, ob, ob->goal);
    for (size_t i = 0; i < ob->hyps.len; i++)
        tc_note_uses(cx, ob, ob->hyps.data[i]);
    tc_hyps_contents(cx, &ob->hyps, ob->goal);
    tally t = {0};
    if (prove_parts(cx, &ob->hyps, ob->goal, &t)) {
        tc_verdict_proved(ob, t.rung, t.rlimit);
        ob->core = t.core;
        tc_lean_on_no_wrap(cx, ob);
        return true;
    }
    tc_verdict_unknown(ob, unproved_reason(cx, ob, t.reason));
    ob->rlimit = t.rlimit;
    return false;
}

static bool prove_with(tc_cx *cx, const tc_obligation *ob, const tc_fact *facts, size_t n, uint64_t take, tally *t) {
    tc_tvec h = {0};
    for (size_t i = 0; i < ob->hyps.len; i++)
        tc_hyps_push(cx, &h, ob->hyps.data[i]);
    for (size_t i = 0; i < n; i++)
        if (take >> i & 1)
            tc_hyps_push(cx, &h, tc_settle(cx, facts[i].term));
    return prove_parts(cx, &h, ob->goal, t);
}

bool tc_decide_if(tc_cx *cx, tc_obligation *ob, const tc_fact *facts, size_t n) {
    if (n == 0 || n > 32 || ob->verdict != TC_UNKNOWN || !ob->goal)
        return false;
    uint64_t take = ((uint64_t)1 << n) - 1;
    tally t = {.rlimit = ob->rlimit};
    if (!prove_with(cx, ob, facts, n, take, &t))
        return false;
    for (size_t i = 0; i < n; i++)
        if (prove_with(cx, ob, facts, n, take & ~((uint64_t)1 << i), &t))
            take &= ~((uint64_t)1 << i);
    tc_verdict_proved(ob, t.rung, t.rlimit);
    ob->core = t.core;
    tc_lean_on_no_wrap(cx, ob);
    for (size_t i = 0; i < n; i++)
        if (take >> i & 1)
            tc_verdict_proved_if(cx->arena, ob, facts[i]);
    return true;
}

void tc_depend(tc_cx *cx, tc_obligation *ob, uint32_t on) {
    if (on == TC_NONE)
        return;
    for (size_t i = 0; i < ob->depends_on.len; i++)
        if (ob->depends_on.data[i] == on)
            return;
    tc_push(cx->arena, &ob->depends_on, on);
}

uint32_t tc_oblige(tc_cx *cx, tc_obligation *ob) {
    ob->hidden = ob->rule != TC_RULE_TC9001 && ob->rule != TC_RULE_TC9002 &&
                 !tc_options_rule(cx->options, tc_rule_code(ob->rule));
    tc_push(cx->arena, &cx->result->obligations, *ob);
    return (uint32_t)(cx->result->obligations.len - 1);
}

tc_obligation tc_site_obligation(tc_cx *cx, tc_rule rule, const tc_site *s, const char *claim) {
    tc_obligation ob = tc_obligation_start(rule, s->event->loc, claim);
    ob.event = s->event;
    ob.object = s->object;
    ob.contract = cx->model->objects.data[s->object].contract;
    tc_hyps_site(cx, &ob.hyps, s);
    return ob;
}

void tc_note_unknown(tc_cx *cx, tc_loc loc, const char *reason) {
    tc_obligation ob = tc_obligation_start(TC_RULE_TC9002, loc, NULL);
    tc_verdict_unknown(&ob, reason);
    tc_oblige(cx, &ob);
}

const char *tc_object_name(const tc_cx *cx, uint32_t object) {
    const char *name = object == TC_NONE ? NULL : cx->model->objects.data[object].name;
    return name ? name : "memory";
}

bool tc_event_writes(const tc_event *e) {
    return e->kind == TC_EV_WRITE || e->kind == TC_EV_ATOMIC || e->kind == TC_EV_ASYNC_WRITE;
}

bool tc_event_reads(const tc_event *e) {
    return e->kind == TC_EV_READ || e->kind == TC_EV_ATOMIC || e->kind == TC_EV_ASYNC_READ;
}

bool tc_is_atomic(const tc_event *e) { return e->kind == TC_EV_ATOMIC || (e->order != TC_ORD_PLAIN && !e->is_volatile); }

bool tc_event_touches(const tc_event *e) {
    return e->object != TC_NONE && (tc_event_reads(e) || tc_event_writes(e));
}

const char *tc_event_noun(const tc_event *e) {
    switch (e->kind) {
    case TC_EV_ATOMIC:
        return "atomic operation on";
    case TC_EV_WRITE:
    case TC_EV_ASYNC_WRITE:
        return "write of";
    default:
        return "read of";
    }
}
