// Exact evaluation under an assignment.
#include "solver/termi.h"

typedef tc_cell_value cell;

typedef struct eval {
    tc_terms *ts;
    const tc_env *env;
    size_t base, n;
    uint64_t walk; // stamp under which the positions are valid
    size_t cells; // where its values start in ts->cells
} eval;

// A callback may have walked other terms.
static cell arg_cell(eval *e, tc_t t, uint32_t i) {
    if (e->ts->walks != e->walk) {
        tc_order_stamp(e->ts, e->base, e->n);
        e->walk = e->ts->walks;
    }
    return e->ts->cells.data[e->cells + tc_tnode_of(t->args[i])->pos];
}

static bool eval_sym(const eval *e, tc_t t, tc_i128 *r) {
    const tc_i128 *v = tc_map_get(&e->env->syms, TC_KEY(t->sym));
    if (v) {
        *r = *v;
        return true;
    }
    *r = 0;
    return !e->env->sym || e->env->sym(e->env->ctx, t->sym, r);
}

static bool eval_app(const eval *e, tc_t t, const tc_i128 *args, tc_i128 *r) {
    *r = 0;
    return !e->env->app || e->env->app(e->env->ctx, t->fn, args, r);
}

static bool truncated(tc_op op, tc_i128 a, tc_i128 b, tc_i128 *r) {
    if (b == 0 || (b == -1 && a == TC_I128_MIN))
        return false;
    *r = op == TC_T_TDIV ? a / b : a % b;
    return true;
}

static bool floored(tc_op op, tc_i128 a, tc_i128 b, tc_i128 *r) {
    if (b == 0 || (b == -1 && a == TC_I128_MIN))
        return false;
    *r = op == TC_T_DIV ? tc_floor_div(a, b) : tc_floor_mod(a, b);
    return true;
}

// All arguments have values.
static bool eval_op(eval *e, tc_t t, const tc_i128 *a, tc_i128 *r) {
    switch (t->op) {
    case TC_T_CONST:
        *r = t->value;
        return true;
    case TC_T_SYM:
        return eval_sym(e, t, r);
    case TC_T_APP:
        return eval_app(e, t, a, r);
    case TC_T_ADD:
        *r = 0;
        for (uint32_t i = 0; i < t->nargs; i++)
            if (!tc_add128(*r, a[i], r))
                return false;
        return true;
    case TC_T_MUL:
        *r = 1;
        for (uint32_t i = 0; i < t->nargs; i++)
            if (!tc_mul128(*r, a[i], r))
                return false;
        return true;
    case TC_T_DIV:
    case TC_T_MOD:
        return floored(t->op, a[0], a[1], r);
    case TC_T_TDIV:
    case TC_T_TREM:
        return truncated(t->op, a[0], a[1], r);
    case TC_T_MIN:
        *r = a[0] < a[1] ? a[0] : a[1];
        return true;
    case TC_T_MAX:
        *r = a[0] > a[1] ? a[0] : a[1];
        return true;
    case TC_T_POW2:
        if (a[0] < 0 || a[0] > 126)
            return false;
        *r = tc_pow2((unsigned)a[0]);
        return true;
    case TC_T_BITAND:
        *r = a[0] & a[1];
        return true;
    case TC_T_BITOR:
        *r = a[0] | a[1];
        return true;
    case TC_T_BITXOR:
        *r = a[0] ^ a[1];
        return true;
    case TC_T_WRAP:
        *r = tc_wrap128(a[0], tc_wrap_width(t), tc_wrap_signed(t));
        return true;
    case TC_T_EQ:
        *r = a[0] == a[1];
        return true;
    case TC_T_LE:
        *r = a[0] <= a[1];
        return true;
    case TC_T_NOT:
        *r = !a[0];
        return true;
    default:
        return false;
    }
}

// A false conjunct decides, whatever the others are; dually for a disjunction.
static cell eval_connective(eval *e, tc_t t) {
    bool is_and = t->op == TC_T_AND, ok = true;
    for (uint32_t i = 0; i < t->nargs; i++) {
        cell c = arg_cell(e, t, i);
        if (!c.ok)
            ok = false;
        else if ((c.v != 0) != is_and)
            return (cell){!is_and, true};
    }
    return (cell){is_and, ok};
}

static cell eval_term(eval *e, tc_t t) {
    if (t->op == TC_T_AND || t->op == TC_T_OR)
        return eval_connective(e, t);
    if (t->op == TC_T_ITE) {
        cell c = arg_cell(e, t, 0);
        return c.ok ? arg_cell(e, t, c.v ? 1 : 2) : c;
    }
    tc_i128 few[16], *args = t->nargs <= 16 ? few : TC_NEW_ARRAY(e->ts->arena, tc_i128, t->nargs);
    for (uint32_t i = 0; i < t->nargs; i++) {
        cell c = arg_cell(e, t, i);
        if (!c.ok)
            return c;
        args[i] = c.v;
    }
    cell r = {0, false};
    r.ok = eval_op(e, t, args, &r.v);
    return r;
}

bool tc_eval(tc_terms *ts, tc_t t, const tc_env *env, tc_i128 *r) {
    if (tc_is_const(t)) {
        *r = t->value;
        return true;
    }
    eval e = {.ts = ts, .env = env, .cells = ts->cells.len};
    e.base = tc_order_take(ts, &t, 1);
    e.walk = ts->walks;
    e.n = ts->order.len - e.base;
    for (size_t i = 0; i < e.n; i++) {
        cell c = eval_term(&e, ts->order.data[e.base + i]);
        tc_push(ts->arena, &ts->cells, c);
    }
    cell last = tc_last(&ts->cells);
    ts->cells.len = e.cells;
    tc_order_drop(ts, e.base);
    if (last.ok)
        *r = last.v;
    return last.ok;
}
