// TC9002, assertions that are not shown by what is known where they stand: about values that a thread reads back, and about
// values in other threads.
#include "checker/rules.h"

static bool is_open_assertion(const tc_obligation *ob) {
    return ob->check && ob->check->kind == TC_CK_ASSERT && ob->verdict == TC_UNKNOWN;
}

// ---- other threads ----

static bool is_symbol(void *ctx, tc_t t) { return t->op == TC_T_SYM && t->sym == ctx; }

static bool is_about_others(tc_cx *cx, tc_t cond) {
    for (size_t i = 0; i < cx->model->others.len; i++)
        if (tc_any(cx->ts, cond, is_symbol, (void *)(uintptr_t)cx->model->others.data[i].sym))
            return true;
    return false;
}

static tc_t differ(tc_cx *cx, const tc_t *indices, tc_variance from) {
    tc_t any = tc_bool(cx->ts, false);
    for (int d = 0; d < 3; d++) {
        tc_t i = tc_settle(cx, indices[d]);
        any = tc_or(cx->ts, any, tc_ne(cx->ts, tc_rename(cx->ts, i, from, 1), tc_rename(cx->ts, i, from, 2)));
    }
    return any;
}

// SOUND: of the other thread nothing is known but that it is one of the launch: not that it comes to the assertion, nor that
// the two have any values in common. In another block its block's values are others too.
static bool shown_for(tc_cx *cx, tc_obligation *ob, tc_variance from) {
    const tc_launch_syms *s = &cx->contract->syms;
    tc_terms *ts = cx->ts;
    tc_tvec known = {0};
    tc_hyps_at(cx, &known, ob->check->guard, ob->check->loop, ob->check->point);
    ob->hyps = (tc_tvec){0};
    for (size_t i = 0; i < known.len; i++)
        tc_hyps_push(cx, &ob->hyps, tc_rename(ts, known.data[i], from, 1));
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &ob->hyps, tc_rename(ts, cx->facts.data[i], from, 2));
    tc_hyps_push(cx, &ob->hyps, differ(cx, from == TC_VAR_BLOCK ? s->block_idx : s->thread_idx, from));
    tc_map values = {0};
    for (size_t i = 0; i < cx->model->others.len; i++) {
        const tc_another *o = &cx->model->others.data[i];
        tc_t value = tc_rename(ts, tc_settle(cx, o->term), from, 2);
        tc_map_put(cx->arena, &values, TC_KEY(tc_rename(ts, tc_of_sym(ts, o->sym), from, 1)), (void *)(uintptr_t)value);
    }
    ob->goal = tc_subst(ts, tc_rename(ts, tc_settle(cx, ob->check->cond), from, 1), &values);
    return tc_decide(cx, ob);
}

static bool shown_for_others(tc_cx *cx, tc_obligation *ob) {
    return is_about_others(cx, ob->check->cond) && shown_for(cx, ob, TC_VAR_THREAD) && shown_for(cx, ob, TC_VAR_BLOCK);
}

// ---- all of them ----

static bool shown_by_read_back(tc_cx *cx, tc_obligation *ob) {
    ob->goal = tc_settle(cx, ob->check->cond);
    return tc_hyps_read_back(cx, ob, ob->check->loop, ob->check->point) && tc_decide(cx, ob);
}

void tc_rule_assert(tc_cx *cx, bool races) {
    for (size_t i = 0; i < cx->result->obligations.len; i++) {
        if (!is_open_assertion(&cx->result->obligations.data[i]))
            continue;
        tc_obligation others = cx->result->obligations.data[i], own = others;
        if (shown_for_others(cx, &others))
            cx->result->obligations.data[i] = others;
        else if (races && shown_by_read_back(cx, &own))
            cx->result->obligations.data[i] = own;
    }
}
