// Which machine operations are mathematical ones: no-wrap first.
//
// Every operation that may leave its type's range is a WRAP node with a check: the condition, under the guard at its
// own program point, under which the node changes nothing. A greatest fixpoint: all nodes are taken to be the identity
// and all candidate invariants to hold; what then fails to be proved is put back, and everything is asked again until
// nothing changes.
//
// SOUND: let the fixpoint be reached, and suppose that some execution of an allowed launch breaks one of the surviving
// checks or invariants. Take the first to be broken, in that thread's order of execution. Its guard, its condition and
// the invariants it was proved from speak only of operations executed, and loop headers reached, before it; none of
// those broke, so each surviving WRAP node in them had its argument's value, and the settled terms were the true ones.
// The proof then says that it is not broken: a contradiction. An invariant in which an operation of the iteration stands is
// no hypothesis before that operation has had its check (hyps.c), and a guess of that kind is none at all. The condition of a loop's closed form (an increment that
// does not wrap) is a check of each earlier iteration, and is covered in the same way. Stored values that the terms
// speak of are those at launch: until the first fault of the whole launch nobody has written a read-only object.
#include "checker/rules.h"

typedef struct wraps {
    tc_map asked;  // nodes that some question has to do with; the others stay, which is always right
    tc_tvec nodes; // distinct kept WRAP nodes of them that have a check, by age: arguments first
    tc_map failed;
} wraps;

static bool has_node(const tc_check *c) {
    return c->kind == TC_CK_WRAP && c->term && c->term->op == TC_T_WRAP && tc_wrap_is_kept(c->term);
}

static void collect_nodes(tc_cx *cx, wraps *w) {
    tc_map seen = {0};
    w->asked = tc_asked_wraps(cx);
    for (size_t i = 0; i < cx->model->checks.len; i++) {
        const tc_check *c = &cx->model->checks.data[i];
        if (!has_node(c) || !tc_map_has(&w->asked, TC_KEY(c->term)) || tc_map_has(&seen, TC_KEY(c->term)))
            continue;
        tc_map_put(cx->arena, &seen, TC_KEY(c->term), cx);
        tc_push(cx->arena, &w->nodes, c->term);
    }
    for (size_t i = 1; i < w->nodes.len; i++)
        for (size_t k = i; k > 0 && w->nodes.data[k]->id < w->nodes.data[k - 1]->id; k--) {
            tc_t t = w->nodes.data[k];
            w->nodes.data[k] = w->nodes.data[k - 1];
            w->nodes.data[k - 1] = t;
        }
}

static void settle_nodes(tc_cx *cx, const wraps *w) {
    cx->settled = (tc_map){0};
    for (size_t i = 0; i < cx->fixed.len; i++)
        tc_map_put(cx->arena, &cx->settled, cx->fixed.keys[i], cx->fixed.values[i]);
    for (size_t i = 0; i < w->nodes.len; i++) {
        tc_t node = w->nodes.data[i];
        if (!tc_map_has(&w->failed, TC_KEY(node)))
            tc_map_put(cx->arena, &cx->settled, TC_KEY(node), (void *)(uintptr_t)tc_settle(cx, node->args[0]));
    }
}

static bool check_holds(tc_cx *cx, const tc_check *c) {
    tc_t goal = tc_settle(cx, c->cond);
    if (tc_is_true(goal))
        return true;
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, c->guard, c->loop, c->point);
    tc_hyps_contents(cx, &h, goal);
    return tc_try_all(cx, &h, goal);
}

// A node stays as soon as one of its checks fails: the substitution is made wherever the node stands.
static bool drop_nodes(tc_cx *cx, wraps *w) {
    bool dropped = false;
    for (size_t i = 0; i < cx->model->checks.len; i++) {
        const tc_check *c = &cx->model->checks.data[i];
        if (!has_node(c) || !tc_map_has(&w->asked, TC_KEY(c->term)) || tc_map_has(&w->failed, TC_KEY(c->term)))
            continue;
        if (check_holds(cx, c))
            continue;
        tc_map_put(cx->arena, &w->failed, TC_KEY(c->term), cx);
        dropped = true;
    }
    return dropped;
}

static void assume_invariants(tc_cx *cx) {
    for (size_t l = 0; l < cx->model->loops.len; l++) {
        tc_loop *loop = &cx->model->loops.data[l];
        // A guess about an operation of the iteration may stand where that operation is not executed: its check then says nothing.
        for (size_t i = 0; i < loop->invariants.len; i++) {
            tc_invariant *v = &loop->invariants.data[i];
            v->holds = v->declared || tc_wraps_decided(cx, (uint32_t)l, v->term) == 0;
        }
    }
}

static void fixpoint(tc_cx *cx, wraps *w) {
    w->failed = (tc_map){0};
    assume_invariants(cx);
    bool again = true;
    while (again) {
        settle_nodes(cx, w);
        again = drop_nodes(cx, w);
        if (again)
            settle_nodes(cx, w);
        again |= tc_drop_invariants(cx);
    }
}

// An inferred bound on the launch that saves one of the operations that matter.
static bool infer_bound(tc_cx *cx, const wraps *w) {
    if (cx->host)
        return false;
    tc_map reached = tc_reached_wraps(cx);
    for (size_t i = 0; i < cx->model->checks.len; i++) {
        const tc_check *c = &cx->model->checks.data[i];
        if (c->kind == TC_CK_WRAP && c->term && tc_map_has(&w->failed, TC_KEY(c->term)) &&
            tc_map_has(&reached, TC_KEY(c->term)) && !check_holds(cx, c) && tc_infer_no_wrap(cx, c))
            return true;
    }
    return false;
}

void tc_resolve_wraps(tc_cx *cx) {
    wraps w = {0};
    collect_nodes(cx, &w);
    fixpoint(cx, &w);
    while (infer_bound(cx, &w))
        fixpoint(cx, &w);
}
