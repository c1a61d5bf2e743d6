// Inferred no-wrap preconditions: bounds on products of launch extents that the contract leaves open.
//
// A kernel that declares no grid may be launched with so many blocks that blockIdx * blockDim wraps. That is no fault
// of the kernel; the bound that excludes it is made from the operation: its largest value over all blocks and threads,
// taken from the guard where the guard bounds it.
#include "checker/rules.h"

// ---- the largest value over blocks and threads ----

static bool is_syms(tc_t t, const tc_t *syms, int *axis) {
    for (int d = 0; d < 3; d++)
        if (syms[d] == t) {
            *axis = d;
            return true;
        }
    return false;
}

// What a factor is at most, over the launch; NULL when nothing is known. Everything taken is never negative.
static tc_t factor_bound(tc_cx *cx, tc_t t) {
    const tc_launch_syms *s = &cx->contract->syms;
    int d;
    if (is_syms(t, s->block_idx, &d))
        return tc_addc(cx->ts, tc_settle(cx, s->grid_dim[d]), -1);
    if (is_syms(t, s->thread_idx, &d))
        return tc_addc(cx->ts, tc_settle(cx, s->block_dim[d]), -1);
    tc_interval r = tc_range_of(cx->ts, t);
    return t->variance == TC_VAR_LAUNCH && r.has_lo && r.lo >= 0 ? t : NULL;
}

static tc_t monomial_bound(tc_cx *cx, tc_t t) {
    if (t->variance == TC_VAR_LAUNCH)
        return t;
    uint32_t from = t->op == TC_T_MUL && tc_is_const(t->args[0]) ? 1 : 0;
    tc_i128 coef = from ? t->args[0]->value : 1;
    tc_t all = tc_int(cx->ts, coef > 0 ? coef : 0);
    const tc_t *factors = t->op == TC_T_MUL ? t->args + from : &t;
    uint32_t n = t->op == TC_T_MUL ? t->nargs - from : 1;
    for (uint32_t i = 0; i < n; i++) {
        tc_t b = factor_bound(cx, factors[i]);
        if (!b)
            return NULL;
        all = tc_mul(cx->ts, all, b);
    }
    return all;
}

static tc_t launch_bound(tc_cx *cx, tc_t t) {
    const tc_t *parts = t->op == TC_T_ADD ? t->args : &t;
    uint32_t n = t->op == TC_T_ADD ? t->nargs : 1;
    tc_t all = tc_int(cx->ts, 0);
    for (uint32_t i = 0; i < n; i++) {
        tc_t b = monomial_bound(cx, parts[i]);
        if (!b)
            return NULL;
        all = tc_add(cx->ts, all, b);
    }
    return all;
}

// ---- is it of the allowed kind ----

static bool is_term(void *ctx, tc_t t) {
    return t == ctx;
}

static bool mentions(tc_cx *cx, tc_t t, tc_t sym) {
    return tc_any(cx->ts, t, is_term, (void *)(uintptr_t)sym);
}

static bool same_place(tc_loc a, tc_loc b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

// The contract itself says something of this extent, beyond the hardware's limits.
static bool is_declared(tc_cx *cx, tc_t extent) {
    for (size_t i = 0; i < cx->contract->facts.len; i++) {
        const tc_fact *f = &cx->contract->facts.data[i];
        if (!same_place(f->loc, cx->contract->kernel->loc) && mentions(cx, f->term, extent))
            return true;
    }
    return false;
}

enum { MAX_STEP = 1 << 16 };

static bool is_counter(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_SYM && t->sym->kind == TC_SYM_COUNTER;
}

// size + constant, and what the check is about is a loop's counter: it runs up to the size by a constant step, and only where
// the size is within a step of its type's end does the last one go too far. The bound is on the size then, whatever grid is declared.
// A counter of a narrower type than the size is a fault of the kernel; and where the step is most of the type's range, it is
// the step that is no constant, and the constant its limit.
static bool is_last_step(tc_cx *cx, const tc_check *c, tc_t bound, tc_i128 hi) {
    tc_i128 step = tc_poly_constant(bound);
    tc_t size = tc_addc(cx->ts, bound, -step);
    return step > 0 && step <= MAX_STEP && step <= hi / 4 && size->op == TC_T_SYM && size->sym->kind == TC_SYM_PARAM &&
           size->sym->has_hi && size->sym->hi <= hi && tc_any(cx->ts, c->term, is_counter, NULL);
}

static bool speaks_of_open_grid(tc_cx *cx, tc_t bound) {
    bool any = false;
    for (int d = 0; d < 3; d++) {
        tc_t g = cx->contract->syms.grid_dim[d];
        if (tc_is_const(g) || !mentions(cx, bound, g))
            continue;
        if (is_declared(cx, g))
            return false;
        any = true;
    }
    return any;
}

// The blocks have a part in the value: another limit is not turned into one on the grid.
static bool varies_by_open_grid(tc_cx *cx, const tc_check *c, tc_t bound) {
    tc_t value = tc_settle(cx, c->term);
    for (int d = 0; d < 3; d++) {
        tc_t g = cx->contract->syms.grid_dim[d];
        if (!tc_is_const(g) && mentions(cx, bound, g) && !mentions(cx, value, g) &&
            !mentions(cx, value, tc_settle(cx, cx->contract->syms.block_idx[d])))
            return false;
    }
    return true;
}

// ---- candidates ----

static bool has_fact(const tc_cx *cx, tc_t t) {
    for (size_t i = 0; i < cx->no_wrap.len; i++)
        if (cx->no_wrap.data[i].term == t)
            return true;
    return false;
}

// bound <= hi as a precondition, if that makes the check true.
static bool serves(tc_cx *cx, const tc_check *c, tc_t bound, tc_i128 hi, tc_fact *out) {
    if (!bound || bound->variance != TC_VAR_LAUNCH)
        return false;
    if (!is_last_step(cx, c, bound, hi) &&
        (cx->contract->has_grid || !speaks_of_open_grid(cx, bound) || !varies_by_open_grid(cx, c, bound)))
        return false;
    tc_t term = tc_le(cx->ts, bound, tc_int(cx->ts, hi));
    if (tc_is_const(term) || has_fact(cx, term))
        return false;
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, c->guard, c->loop, c->point);
    tc_hyps_push(cx, &h, term);
    tc_t goal = tc_settle(cx, c->cond);
    const tc_t *parts = goal->op == TC_T_AND ? goal->args : &goal;
    for (uint32_t i = 0; i < (goal->op == TC_T_AND ? goal->nargs : 1); i++)
        if (!tc_try(cx, &h, parts[i]).proved)
            return false;
    *out = (tc_fact){term, tc_fmt(cx->arena, "%s (no overflow)", tc_term_text(cx->ts, term)), c->loc};
    return true;
}

enum { MAX_CASES = 3 };

static bool serves_case(tc_cx *cx, const tc_check *c, tc_t value, tc_t known, tc_i128 hi, tc_fact *out) {
    if (known->op != TC_T_LE)
        return false;
    tc_t e = tc_sub(cx->ts, known->args[0], known->args[1]);
    return e->variance != TC_VAR_LAUNCH && serves(cx, c, launch_bound(cx, tc_sub(cx->ts, value, e)), hi, out);
}

static bool candidate(tc_cx *cx, const tc_check *c, tc_fact *out) {
    tc_t node = c->term;
    unsigned width = tc_wrap_width(node);
    tc_i128 hi = tc_wrap_signed(node) ? tc_pow2(width - 1) - 1 : tc_pow2(width) - 1;
    tc_t value = tc_settle(cx, node->args[0]);
    if (serves(cx, c, launch_bound(cx, value), hi, out))
        return true;
    // e <= 0 is known, and value == e + rest: value <= rest. Or it is one of two cases, the other being the loop's entry.
    tc_tvec h = {0};
    tc_hyps_at(cx, &h, c->guard, c->loop, c->point);
    for (size_t i = 0; i < h.len; i++) {
        const tc_t *cases = h.data[i]->op == TC_T_OR ? h.data[i]->args : &h.data[i];
        uint32_t n = h.data[i]->op == TC_T_OR ? h.data[i]->nargs : 1;
        for (uint32_t k = 0; k < n && n <= MAX_CASES; k++)
            if (serves_case(cx, c, value, cases[k], hi, out))
                return true;
    }
    return false;
}

bool tc_infer_no_wrap(tc_cx *cx, const tc_check *c) {
    tc_fact f;
    if (cx->no_wrap.len >= 4 || !candidate(cx, c, &f))
        return false;
    tc_take_bound(cx, f);
    return true;
}

bool tc_infer_bound(tc_cx *cx, tc_t bound, tc_loc loc) {
    if (cx->contract->has_grid || cx->no_wrap.len >= 4 || bound->variance != TC_VAR_LAUNCH || tc_is_const(bound) ||
        !speaks_of_open_grid(cx, bound) || has_fact(cx, bound))
        return false;
    // No launch at all would meet it.
    tc_tvec h = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &h, cx->facts.data[i]);
    if (tc_try(cx, &h, tc_not(cx->ts, bound)).proved)
        return false;
    tc_fact f = {bound, tc_fmt(cx->arena, "%s (no overflow)", tc_term_text(cx->ts, bound)), loc};
    tc_take_bound(cx, f);
    return true;
}

void tc_take_bound(tc_cx *cx, tc_fact bound) {
    tc_push(cx->arena, &cx->no_wrap, bound);
    tc_hyps_push(cx, &cx->facts, bound.term);
}
