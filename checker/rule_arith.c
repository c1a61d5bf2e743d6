// TC2002: no machine operation that reaches an address, guard or trip count wraps. TC2004: no division by zero, no
// shift out of range. And what else is asked of single operations: calls (TC2001), assertions (TC9002).
#include "checker/rules.h"

typedef struct reach {
    tc_cx *cx;
    tc_map nodes; // WRAP nodes met
    tc_map syms;  // symbols met
} reach;

static void meet(void *ctx, tc_t t) {
    reach *r = ctx;
    if (t->op == TC_T_WRAP)
        tc_map_put(r->cx->arena, &r->nodes, TC_KEY(t), r);
    if (t->op == TC_T_SYM)
        tc_map_put(r->cx->arena, &r->syms, TC_KEY(t->sym), r);
}

static void visit(reach *r, tc_t t) {
    if (t)
        tc_walk(r->cx->ts, t, meet, r);
}

// What decides where memory is touched, and whether: offsets, widths, guards, trip counts. Also what the barriers
// depend on.
static void visit_model(reach *r) {
    const tc_kmodel *m = r->cx->model;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        visit(r, e->offset);
        visit(r, e->width);
        visit(r, e->guard);
        visit(r, e->operand[0]);
        visit(r, e->operand[1]);
    }
    for (size_t i = 0; i < m->loops.len; i++) {
        visit(r, m->loops.data[i].trips);
        visit(r, m->loops.data[i].guard);
    }
    // How often a loop runs is decided by the branches in it.
    for (size_t i = 0; i < m->branches.len; i++)
        if (m->branches.data[i].loop != TC_NONE)
            visit(r, m->branches.data[i].value);
}

// False when its symbol was not met, or was seen to before.
static bool visit_parts(reach *r, tc_map *done, const tc_carried *c) {
    if (!tc_map_has(&r->syms, TC_KEY(c->sym)) || tc_map_has(done, TC_KEY(c)))
        return false;
    tc_map_put(r->cx->arena, done, TC_KEY(c), r);
    visit(r, c->entry);
    visit(r, c->step);
    return true;
}

// A variable of a loop that is met stands for what it was on entry, and for what an iteration makes of it; a folded value for its formula,
// and so does the symbol of what a term has lost; what a shuffle or the like gave, for the values that were put in.
static void visit_carried(reach *r) {
    const tc_kmodel *m = r->cx->model;
    tc_map done = {0};
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < m->folded.len; i++)
            again |= visit_parts(r, &done, &m->folded.data[i]);
        for (size_t i = m->derived.len; i-- > 0;) // what is made of others comes later
            again |= visit_parts(r, &done, &m->derived.data[i]);
        for (size_t i = 0; i < m->lost.len; i++)
            again |= visit_parts(r, &done, &m->lost.data[i]);
        for (size_t i = 0; i < m->loops.len; i++)
            for (size_t k = 0; k < m->loops.data[i].carried.len; k++)
                again |= visit_parts(r, &done, &m->loops.data[i].carried.data[k]);
    }
}

tc_map tc_reached_wraps(tc_cx *cx) {
    reach r = {.cx = cx};
    visit_model(&r);
    visit_carried(&r);
    return r.nodes;
}

// What any question may be made of: also divisors, amounts, what is handed on through shared memory, and candidate invariants.
static void visit_questions(reach *r) {
    const tc_kmodel *m = r->cx->model;
    for (size_t i = 0; i < m->events.len; i++) {
        const tc_event *e = &m->events.data[i];
        bool relays = e->object != TC_NONE && m->objects.data[e->object].space == TC_SPACE_SHARED;
        if (e->kind == TC_EV_ATOMIC || relays)
            visit(r, e->value);
        visit(r, e->added);
        visit(r, e->put);
        visit(r, e->expected);
        visit(r, e->from_offset);
    }
    for (size_t i = 0; i < m->checks.len; i++) {
        const tc_check *c = &m->checks.data[i];
        if (c->kind == TC_CK_WRAP)
            continue;
        visit(r, c->guard);
        visit(r, c->cond);
    }
    for (size_t i = 0; i < m->assumptions.len; i++) {
        visit(r, m->assumptions.data[i].guard);
        visit(r, m->assumptions.data[i].cond);
    }
    for (size_t i = 0; i < m->holes.len; i++)
        visit(r, m->holes.data[i].guard);
    for (size_t i = 0; i < m->branches.len; i++) {
        visit(r, m->branches.data[i].guard);
        visit(r, m->branches.data[i].value);
    }
    for (size_t i = 0; i < m->loops.len; i++)
        for (size_t k = 0; k < m->loops.data[i].invariants.len; k++) {
            const tc_invariant *v = &m->loops.data[i].invariants.data[k];
            visit(r, v->term);
            visit(r, v->entry_guard);
            visit(r, v->entry_cond);
            visit(r, v->step_guard);
            visit(r, v->step_cond);
        }
}

// The guards of the operations that are met, until there is no new one: their checks are asked under them.
static void visit_guards(reach *r) {
    const tc_kmodel *m = r->cx->model;
    for (size_t before = 0; before != r->nodes.len;) {
        before = r->nodes.len;
        for (size_t i = 0; i < m->checks.len; i++) {
            const tc_check *c = &m->checks.data[i];
            if (c->kind == TC_CK_WRAP && c->term && tc_map_has(&r->nodes, TC_KEY(c->term))) {
                visit(r, c->guard);
                visit(r, c->cond);
            }
        }
        visit_carried(r);
    }
}

tc_map tc_asked_wraps(tc_cx *cx) {
    reach r = {.cx = cx};
    visit_model(&r);
    visit_questions(&r);
    visit_guards(&r);
    return r.nodes;
}

static tc_obligation check_obligation(tc_cx *cx, tc_rule rule, const tc_check *c, const char *claim) {
    tc_obligation ob = tc_obligation_start(rule, c->loc, claim);
    ob.check = c;
    ob.goal = tc_settle(cx, c->cond);
    tc_hyps_at(cx, &ob.hyps, c->guard, c->loop, c->point);
    return ob;
}

static void oblige_check(tc_cx *cx, tc_rule rule, const tc_check *c, const char *claim) {
    tc_obligation ob = check_obligation(cx, rule, c, claim);
    tc_decide(cx, &ob);
    tc_oblige(cx, &ob);
}

void tc_rule_arith(tc_cx *cx) {
    tc_map reached = tc_reached_wraps(cx);
    for (size_t i = 0; i < cx->model->checks.len; i++) {
        const tc_check *c = &cx->model->checks.data[i];
        const char *what = c->what ? c->what : "operation";
        switch (c->kind) {
        case TC_CK_WRAP:
            if (tc_map_has(&reached, TC_KEY(c->term)))
                oblige_check(cx, TC_RULE_TC2002, c, tc_fmt(cx->arena, "this %s does not overflow", what));
            break;
        case TC_CK_DIV:
            oblige_check(cx, TC_RULE_TC2004, c, tc_fmt(cx->arena, "the divisor of this %s is not zero", what));
            break;
        case TC_CK_DIV_RANGE:
            oblige_check(cx, TC_RULE_TC2004, c, tc_fmt(cx->arena, "this %s, of the least value by -1, does not overflow", what));
            break;
        case TC_CK_SHIFT:
            oblige_check(cx, TC_RULE_TC2004, c, tc_fmt(cx->arena, "the amount of this %s is in range", what));
            break;
        case TC_CK_CALL:
            oblige_check(cx, TC_RULE_TC2001, c, "what is called here is a function");
            break;
        case TC_CK_ASSERT:
            oblige_check(cx, TC_RULE_TC9002, c, "this tc_assert holds");
            break;
        case TC_CK_UNINIT:
        case TC_CK_FLOAT_TO_INT:
            break;
        }
    }
}
