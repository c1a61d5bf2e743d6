// Interval propagation: what the hypotheses' comparisons say about the interval of each subterm, forwards and backwards.
#include "solver/solvei.h"

enum { ROUNDS = 6, NODES_MAX = 4000 };

typedef struct bounds {
    tc_terms *ts;
    tc_t *order; // arguments first
    tc_interval *iv;
    size_t n;
    bool empty, changed; // empty: something has no value, so the hypotheses contradict each other
} bounds;

static void narrow(bounds *b, tc_t t, tc_interval r) {
    tc_interval *iv = &b->iv[tc_tnode_of(t)->pos], met = tc_range_meet(*iv, r);
    if (met.has_lo != iv->has_lo || met.has_hi != iv->has_hi || met.lo != iv->lo || met.hi != iv->hi) {
        b->changed = true;
        *iv = met;
        b->empty |= met.has_lo && met.has_hi && met.lo > met.hi;
    }
}

static tc_interval negated(tc_interval r) {
    return tc_range_mul(r, tc_range_between(-1, -1));
}

static tc_interval get(const bounds *b, tc_t t) {
    return b->iv[tc_tnode_of(t)->pos];
}

static void back_sum(bounds *b, tc_t t) {
    if (t->nargs > 32)
        return;
    for (uint32_t i = 0; i < t->nargs; i++) {
        tc_interval r = get(b, t);
        for (uint32_t k = 0; k < t->nargs; k++)
            if (k != i)
                r = tc_range_add(r, negated(get(b, t->args[k])));
        narrow(b, t->args[i], r);
    }
}

// x * y in [lo, hi], y >= 1: bounds of x.
static void back_product(bounds *b, tc_t t) {
    for (uint32_t i = 0; i < t->nargs; i++) {
        tc_interval rest = tc_range_between(1, 1), p = get(b, t), r = tc_range_any();
        for (uint32_t k = 0; k < t->nargs; k++)
            if (k != i)
                rest = tc_range_mul(rest, get(b, t->args[k]));
        if (rest.has_hi && rest.hi <= -1) {
            rest = negated(rest);
            p = negated(p);
        }
        if (!rest.has_lo || rest.lo < 1)
            continue;
        // x <= floor(hi / y): the largest for the smallest y when hi >= 0, and for the largest y otherwise.
        if (p.has_hi && (p.hi >= 0 || rest.has_hi)) {
            r.has_hi = true;
            r.hi = tc_floor_div(p.hi, p.hi >= 0 ? rest.lo : rest.hi);
        } else if (p.has_hi) {
            r.has_hi = true;
            r.hi = -1;
        }
        if (p.has_lo && p.lo > TC_I128_MIN && (p.lo <= 0 || rest.has_hi)) {
            r.has_lo = true;
            r.lo = -tc_floor_div(-p.lo, p.lo <= 0 ? rest.lo : rest.hi);
        } else if (p.has_lo && p.lo > 0) {
            r.has_lo = true;
            r.lo = 1;
        }
        narrow(b, t->args[i], r);
    }
}

static void back_div(bounds *b, tc_t t) {
    if (!tc_is_const(t->args[1]) || t->args[1]->value <= 0)
        return;
    tc_i128 c = t->args[1]->value;
    tc_interval q = get(b, t), r = tc_range_any();
    tc_i128 top;
    r.has_lo = q.has_lo && tc_mul128(q.lo, c, &r.lo);
    r.has_hi = q.has_hi && tc_mul128(q.hi, c, &top) && tc_add128(top, c - 1, &r.hi);
    narrow(b, t->args[0], r);
}

static void back_comparison(bounds *b, tc_t t) {
    tc_interval v = get(b, t), x = get(b, t->args[0]), y = get(b, t->args[1]);
    if (v.lo != 1 || t->args[0]->sort != TC_INT)
        return;
    if (t->op == TC_T_EQ) {
        narrow(b, t->args[0], y);
        narrow(b, t->args[1], x);
        return;
    }
    narrow(b, t->args[0], (tc_interval){.has_hi = y.has_hi, .hi = y.hi});
    narrow(b, t->args[1], (tc_interval){.has_lo = x.has_lo, .lo = x.lo});
}

static void back_connective(bounds *b, tc_t t) {
    tc_interval v = get(b, t);
    tc_i128 decided = t->op == TC_T_AND;
    if (v.lo == v.hi && v.lo == decided) {
        for (uint32_t i = 0; i < t->nargs; i++)
            narrow(b, t->args[i], v);
        return;
    }
    if (v.lo != v.hi)
        return;
    // All but one are known not to decide: the last one does.
    uint32_t open = 0, last = 0;
    for (uint32_t i = 0; i < t->nargs; i++) {
        tc_interval a = get(b, t->args[i]);
        if (a.lo != a.hi || a.lo != decided) {
            open++;
            last = i;
        }
    }
    if (open == 1)
        narrow(b, t->args[last], v);
}

static void back_choice(bounds *b, tc_t t) {
    tc_interval c = get(b, t->args[0]);
    if (t->sort == TC_INT && c.lo == c.hi)
        narrow(b, t->args[c.lo == 1 ? 1 : 2], get(b, t));
}

static void backward(bounds *b, tc_t t) {
    switch (t->op) {
    case TC_T_ADD:
        back_sum(b, t);
        break;
    case TC_T_MUL:
        back_product(b, t);
        break;
    case TC_T_DIV:
        back_div(b, t);
        break;
    case TC_T_MIN:
    case TC_T_MAX: {
        tc_interval v = get(b, t);
        if (t->op == TC_T_MIN)
            v.has_hi = false;
        else
            v.has_lo = false;
        narrow(b, t->args[0], v);
        narrow(b, t->args[1], v);
        break;
    }
    case TC_T_EQ:
    case TC_T_LE:
        back_comparison(b, t);
        break;
    case TC_T_NOT: {
        tc_interval v = get(b, t);
        narrow(b, t->args[0], tc_range_between(1 - v.hi, 1 - v.lo));
        break;
    }
    case TC_T_AND:
    case TC_T_OR:
        back_connective(b, t);
        break;
    case TC_T_ITE:
        back_choice(b, t);
        break;
    default:
        break;
    }
}

static void forward(bounds *b, tc_arena *scratch) {
    tc_interval few[16];
    for (size_t i = 0; i < b->n && !b->empty; i++) {
        tc_t t = b->order[i];
        tc_interval *args = t->nargs <= 16 ? few : TC_NEW_ARRAY(scratch, tc_interval, t->nargs);
        for (uint32_t k = 0; k < t->nargs; k++)
            args[k] = get(b, t->args[k]);
        narrow(b, t, tc_range_apply(t, args));
    }
}

// What the first n of the roots say of all of them, taken to be true. false: they are too large.
static bool propagate(bounds *b, tc_arena *scratch, const tc_t *roots, size_t n, size_t all) {
    size_t base = tc_order_take(b->ts, roots, all);
    b->n = b->ts->order.len - base;
    b->order = TC_NEW_ARRAY(scratch, tc_t, b->n);
    b->iv = TC_NEW_ARRAY(scratch, tc_interval, b->n);
    for (size_t i = 0; i < b->n; i++) {
        b->order[i] = b->ts->order.data[base + i];
        b->iv[i] = tc_range_get(b->order[i]);
    }
    // Nothing below walks other terms, so the positions stay valid.
    tc_order_drop(b->ts, base);
    if (b->n > NODES_MAX)
        return false;
    b->changed = true;
    for (size_t i = 0; i < n; i++)
        narrow(b, roots[i], tc_range_between(1, 1));
    for (int round = 0; round < ROUNDS && b->changed && !b->empty; round++) {
        b->changed = false;
        for (size_t i = b->n; i-- > 0 && !b->empty;)
            backward(b, b->order[i]);
        forward(b, scratch);
    }
    return true;
}

bool tc_bounds_prove(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal) {
    tc_t *roots = TC_NEW_ARRAY(scratch, tc_t, nhyps + 1);
    for (size_t i = 0; i < nhyps; i++)
        roots[i] = hyps[i];
    // The negated goal is one more hypothesis: what is sought is a contradiction.
    roots[nhyps] = tc_not(ts, goal);
    bounds b = {.ts = ts};
    return propagate(&b, scratch, roots, nhyps + 1, nhyps + 1) && b.empty;
}

bool tc_bounds_of(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, const tc_t *terms, size_t n, tc_interval *out) {
    tc_t *roots = TC_NEW_ARRAY(scratch, tc_t, nhyps + n);
    for (size_t i = 0; i < nhyps; i++)
        roots[i] = hyps[i];
    for (size_t i = 0; i < n; i++)
        roots[nhyps + i] = terms[i];
    bounds b = {.ts = ts};
    if (!propagate(&b, scratch, roots, nhyps, nhyps + n) || b.empty)
        return false;
    for (size_t i = 0; i < n; i++)
        out[i] = get(&b, terms[i]);
    return true;
}
