// Conditions: comparisons of polynomials with constants, and conjunction, disjunction, negation in normal form.
//
// Negation is pushed to the comparisons. Members of a conjunction are simplified under each other, and a disjunction of
// conjunctions is factored, so that the path condition of a join is again what it was before the branch.
#include <stdlib.h>
#include <string.h>

#include "solver/termi.h"

enum {
    PAIRS_MAX = 48,    // members compared with each other
    RESOLVE_MAX = 16,  // members of a disjunction resolved against each other
    UNDER_DEPTH = 3,   // how deep a member is simplified under the others
    UNDER_WORK = 4096
};

// ---- comparisons ----

// A choice between constants, compared, is a choice between truth values.
static tc_t compare_choice(tc_terms *ts, tc_op op, tc_t p, tc_i128 c) {
    tc_i128 coef = 1;
    tc_t t = p;
    if (p->op == TC_T_MUL && p->nargs == 2 && tc_is_const(p->args[0])) {
        coef = p->args[0]->value;
        t = p->args[1];
    }
    if (t->op != TC_T_ITE || !tc_is_const(t->args[1]) || !tc_is_const(t->args[2]))
        return NULL;
    bool truth[2];
    for (int i = 0; i < 2; i++) {
        tc_i128 v;
        if (!tc_mul128(coef, t->args[1 + i]->value, &v))
            return NULL;
        truth[i] = op == TC_T_EQ ? v == c : v <= c;
    }
    if (truth[0] == truth[1])
        return tc_bool(ts, truth[0]);
    return truth[0] ? t->args[0] : tc_not(ts, t->args[0]);
}

static void divide_poly(tc_poly *p, tc_i128 g) {
    for (uint32_t i = 0; i < p->n; i++)
        p->m[i].coef /= g;
}

static tc_t compare_term(tc_terms *ts, tc_op op, tc_t p, tc_i128 c) {
    tc_t t = compare_choice(ts, op, p, c);
    return t ? t : tc_term_op2(ts, op, TC_BOOL, p, tc_int(ts, c));
}

// x | y is negative where one of them is, x & y where both are: two's complement without end. NULL when m <= c is no sign test
// of such a term.
static tc_t sign_test(tc_terms *ts, const tc_poly *m, tc_i128 c) {
    tc_t bits = m->m[0].core;
    bool negative = m->m[0].coef == 1 && c == -1; // the test, else that it is not
    if (m->n != 1 || (bits->op != TC_T_BITOR && bits->op != TC_T_BITAND) ||
        !(negative || (m->m[0].coef == -1 && c == 0)))
        return NULL;
    tc_t zero = tc_int(ts, 0), t[2];
    for (int i = 0; i < 2; i++)
        t[i] = negative ? tc_lt(ts, bits->args[i], zero) : tc_le(ts, zero, bits->args[i]);
    return (bits->op == TC_T_BITOR) == negative ? tc_or(ts, t[0], t[1]) : tc_and(ts, t[0], t[1]);
}

tc_t tc_le(tc_terms *ts, tc_t a, tc_t b) {
    tc_poly p;
    tc_poly_of(tc_sub(ts, a, b), &p);
    if (p.n == 0)
        return tc_bool(ts, p.c <= 0);
    tc_i128 c, g = tc_poly_content(&p);
    if (!tc_sub128(0, p.c, &c))
        return tc_term_op2(ts, TC_T_LE, TC_BOOL, a, b);
    c = tc_floor_div(c, g);
    divide_poly(&p, g);
    p.c = 0;
    tc_t t = tc_poly_term(ts, &p);
    tc_interval r = tc_range_get(t);
    if (r.has_hi && r.hi <= c)
        return tc_bool(ts, true);
    if (r.has_lo && r.lo > c)
        return tc_bool(ts, false);
    tc_t sign = sign_test(ts, &p, c);
    return sign ? sign : compare_term(ts, TC_T_LE, t, c);
}

tc_t tc_eq(tc_terms *ts, tc_t a, tc_t b) {
    tc_poly p;
    tc_poly_of(tc_sub(ts, a, b), &p);
    if (p.n == 0)
        return tc_bool(ts, p.c == 0);
    tc_i128 c, g = tc_poly_content(&p);
    if (!tc_sub128(0, p.c, &c) || p.m[0].coef == TC_I128_MIN || g == TC_I128_MIN)
        return tc_term_sorted2(ts, TC_T_EQ, TC_BOOL, a, b);
    if (tc_floor_mod(c, g) != 0)
        return tc_bool(ts, false);
    if (p.m[0].coef < 0)
        g = -g;
    if (g == -1 && c == TC_I128_MIN)
        return tc_term_sorted2(ts, TC_T_EQ, TC_BOOL, a, b);
    for (uint32_t i = 0; i < p.n; i++)
        if (g < 0 && p.m[i].coef == TC_I128_MIN)
            return tc_term_sorted2(ts, TC_T_EQ, TC_BOOL, a, b);
    c /= g;
    divide_poly(&p, g);
    p.c = 0;
    tc_t t = tc_poly_term(ts, &p);
    tc_interval r = tc_range_get(t);
    if ((r.has_lo && c < r.lo) || (r.has_hi && c > r.hi))
        return tc_bool(ts, false);
    if (tc_range_in(r, c, c))
        return tc_bool(ts, true);
    if (c == 0 && t->op == TC_T_BITOR) // no bit is set where none is in either
        return tc_and(ts, tc_eq(ts, t->args[0], tc_int(ts, 0)), tc_eq(ts, t->args[1], tc_int(ts, 0)));
    return compare_term(ts, TC_T_EQ, t, c);
}

tc_t tc_ne(tc_terms *ts, tc_t a, tc_t b) {
    return tc_not(ts, tc_eq(ts, a, b));
}

tc_t tc_lt(tc_terms *ts, tc_t a, tc_t b) {
    return tc_le(ts, tc_addc(ts, a, 1), b);
}

tc_t tc_in_range(tc_terms *ts, tc_t a, tc_i128 lo, tc_i128 hi) {
    return tc_and(ts, tc_le(ts, tc_int(ts, lo), a), tc_le(ts, a, tc_int(ts, hi)));
}

// ---- negation ----

static void set_negation(tc_t a, tc_t b) {
    tc_tnode_of(a)->negation = b;
    if (!tc_tnode_of(b)->negation)
        tc_tnode_of(b)->negation = a;
}

static bool is_compound(tc_t t) {
    return t->op == TC_T_AND || t->op == TC_T_OR || (t->op == TC_T_ITE && t->sort == TC_BOOL);
}

static tc_t negate_comparison(tc_terms *ts, tc_t t) {
    tc_i128 one_more;
    if (t->op == TC_T_LE && !(tc_is_const(t->args[1]) && !tc_add128(t->args[1]->value, 1, &one_more)))
        return tc_lt(ts, t->args[1], t->args[0]);
    return tc_term_op(ts, TC_T_NOT, TC_BOOL, &t, 1);
}

// The negation of a compound whose arguments have theirs.
static tc_t negate_compound(tc_terms *ts, tc_t t) {
    if (t->op == TC_T_ITE)
        return tc_ite(ts, t->args[0], tc_tnode_of(t->args[1])->negation, tc_tnode_of(t->args[2])->negation);
    tc_t args[TC_MEMBERS_MAX];
    for (uint32_t i = 0; i < t->nargs; i++)
        args[i] = tc_tnode_of(t->args[i])->negation;
    return t->op == TC_T_AND ? tc_or_n(ts, args, t->nargs) : tc_and_n(ts, args, t->nargs);
}

static tc_t negate_leaf(tc_terms *ts, tc_t t) {
    if (tc_is_const(t))
        return tc_bool(ts, !t->value);
    if (t->op == TC_T_NOT)
        return t->args[0];
    if (t->op == TC_T_LE)
        return negate_comparison(ts, t);
    return tc_term_op(ts, TC_T_NOT, TC_BOOL, &t, 1);
}

// Arguments first, with a stack of its own: conditions can be deep.
static void negate_all(tc_terms *ts, tc_t root) {
    TC_VEC(tc_t) stack = {0};
    tc_push(ts->arena, &stack, root);
    while (stack.len) {
        tc_t t = tc_last(&stack);
        bool ready = true;
        for (uint32_t i = t->op == TC_T_ITE; is_compound(t) && i < t->nargs; i++)
            if (!tc_tnode_of(t->args[i])->negation) {
                ready = false;
                tc_push(ts->arena, &stack, t->args[i]);
            }
        if (!ready)
            continue;
        if (!tc_tnode_of(t)->negation)
            set_negation(t, is_compound(t) ? negate_compound(ts, t) : negate_leaf(ts, t));
        (void)tc_pop(&stack);
    }
}

tc_t tc_not(tc_terms *ts, tc_t a) {
    if (!tc_tnode_of(a)->negation) {
        if (is_compound(a))
            negate_all(ts, a);
        else
            set_negation(a, negate_leaf(ts, a));
    }
    return tc_tnode_of(a)->negation;
}

// ---- what one literal says about another ----

// A comparison as what it says about one polynomial: an interval, or one value that it does not have.
typedef struct literal {
    tc_t base;
    tc_interval r;
    bool is_ne;
} literal;

static bool leads_positive(tc_t p) {
    tc_t first = p->op == TC_T_ADD ? p->args[0] : p;
    return !(first->op == TC_T_MUL && tc_is_const(first->args[0]) && first->args[0]->value < 0);
}

static bool literal_of(tc_terms *ts, tc_t t, literal *l) {
    *l = (literal){.is_ne = t->op == TC_T_NOT};
    tc_t c = l->is_ne ? t->args[0] : t;
    if ((c->op != TC_T_EQ && (c->op != TC_T_LE || l->is_ne)) || !tc_is_const(c->args[1]))
        return false;
    tc_i128 v = c->args[1]->value;
    l->base = c->args[0];
    if (c->op == TC_T_EQ) {
        l->r = tc_range_between(v, v);
        return true;
    }
    if (leads_positive(l->base)) {
        l->r = (tc_interval){.has_hi = true, .hi = v};
        return true;
    }
    // -p <= v: the negation is written with p.
    tc_t n = tc_not(ts, t);
    if (n->op != TC_T_LE || !tc_is_const(n->args[1]) || !leads_positive(n->args[0]))
        return false;
    l->base = n->args[0];
    l->r.has_lo = tc_add128(n->args[1]->value, 1, &l->r.lo);
    return l->r.has_lo;
}

static bool inside(tc_interval a, tc_interval b) {
    return (!b.has_lo || (a.has_lo && a.lo >= b.lo)) && (!b.has_hi || (a.has_hi && a.hi <= b.hi));
}

static bool misses(tc_interval a, tc_i128 v) {
    return (a.has_lo && v < a.lo) || (a.has_hi && v > a.hi);
}

static bool literal_implies(const literal *x, const literal *y) {
    if (x->base != y->base)
        return false;
    if (x->is_ne)
        return y->is_ne && x->r.lo == y->r.lo;
    return y->is_ne ? misses(x->r, y->r.lo) : inside(x->r, y->r);
}

static bool implies(tc_terms *ts, tc_t x, tc_t y) {
    literal a, b;
    return x == y || (literal_of(ts, x, &a) && literal_of(ts, y, &b) && literal_implies(&a, &b));
}

// ---- members of a conjunction or disjunction ----

typedef struct members {
    uint32_t n;
    tc_t m[TC_MEMBERS_MAX];
} members;

static int compare_ids(const void *x, const void *y) {
    uint32_t a = (*(const tc_t *)x)->id, b = (*(const tc_t *)y)->id;
    return (a > b) - (a < b);
}

static void members_sort(members *s) {
    qsort(s->m, s->n, sizeof s->m[0], compare_ids);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (n == 0 || s->m[n - 1] != s->m[i])
            s->m[n++] = s->m[i];
    s->n = n;
}

static bool has_member(const tc_t *m, uint32_t n, tc_t t) {
    uint32_t lo = 0, hi = n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (m[mid]->id < t->id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n && m[lo] == t;
}

// The members of t as an op: its arguments, or itself alone.
static const tc_t *members_of(tc_op op, const tc_t *t, uint32_t *n) {
    if ((*t)->op == op) {
        *n = (*t)->nargs;
        return (*t)->args;
    }
    *n = 1;
    return t;
}

static bool flatten(tc_op op, const tc_t *xs, size_t n, members *s) {
    s->n = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t k;
        const tc_t *m = members_of(op, &xs[i], &k);
        if (s->n + k > TC_MEMBERS_MAX)
            return false;
        memcpy(s->m + s->n, m, k * sizeof *m);
        s->n += k;
    }
    return true;
}

static tc_t nary(tc_terms *ts, tc_op op, const tc_t *xs, size_t n);

static tc_op dual(tc_op op) {
    return op == TC_T_AND ? TC_T_OR : TC_T_AND;
}

// x op y == x
static bool absorbs(tc_terms *ts, tc_op op, tc_t x, tc_t y) {
    if (op == TC_T_AND ? implies(ts, x, y) : implies(ts, y, x))
        return true;
    // x && (x || y) == x
    if (y->op != dual(op))
        return false;
    uint32_t nx, ny;
    const tc_t *mx = members_of(dual(op), &x, &nx), *my = members_of(dual(op), &y, &ny);
    for (uint32_t i = 0; i < nx; i++)
        if (!has_member(my, ny, mx[i]))
            return false;
    return true;
}

// x op y is false (AND) or true (OR).
static bool clash(tc_terms *ts, tc_op op, tc_t x, tc_t y) {
    return op == TC_T_AND ? implies(ts, x, tc_not(ts, y)) : implies(ts, tc_not(ts, x), y);
}

// Drops what others absorb. false when two members clash.
static bool compare_members(tc_terms *ts, tc_op op, members *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (has_member(s->m, s->n, tc_not(ts, s->m[i])))
            return false;
    if (s->n > PAIRS_MAX)
        return true;
    bool gone[PAIRS_MAX] = {false};
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = 0; k < s->n; k++) {
            if (i == k || gone[i] || gone[k])
                continue;
            if (i < k && clash(ts, op, s->m[i], s->m[k]))
                return false;
            if (absorbs(ts, op, s->m[i], s->m[k]))
                gone[k] = true;
        }
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (!gone[i])
            s->m[n++] = s->m[i];
    s->n = n;
    return true;
}

// ---- simplifying under what is known ----

typedef struct known {
    tc_terms *ts;
    members facts; // sorted literals that are true
    uint32_t work;
} known;

static bool is_literal(tc_t t) {
    return t->op != TC_T_AND && t->op != TC_T_OR;
}

// 1 known to be true, 0 false, -1 neither.
static int truth_of(const known *k, tc_t t) {
    const members *f = &k->facts;
    if (has_member(f->m, f->n, t))
        return 1;
    tc_t n = tc_not(k->ts, t);
    if (has_member(f->m, f->n, n))
        return 0;
    literal x, lt, ln;
    if (f->n > PAIRS_MAX || !literal_of(k->ts, t, &lt) || !literal_of(k->ts, n, &ln))
        return -1;
    for (uint32_t i = 0; i < f->n; i++)
        if (literal_of(k->ts, f->m[i], &x)) {
            if (literal_implies(&x, &lt))
                return 1;
            if (literal_implies(&x, &ln))
                return 0;
        }
    return -1;
}

static tc_t simplify_under(known *k, tc_t t, unsigned depth) {
    if (is_literal(t)) {
        int v = truth_of(k, t);
        return v < 0 ? t : tc_bool(k->ts, v == 1);
    }
    k->work += t->nargs;
    if (depth == 0 || k->work > UNDER_WORK)
        return t;
    tc_t args[TC_MEMBERS_MAX];
    bool changed = false;
    for (uint32_t i = 0; i < t->nargs; i++) {
        args[i] = simplify_under(k, t->args[i], depth - 1);
        changed |= args[i] != t->args[i];
    }
    return changed ? nary(k->ts, t->op, args, t->nargs) : t;
}

// Simplifies the dual members under the literals: x && (!x || y) becomes x && y, and the same with both operators
// exchanged. true when something changed.
static bool propagate(tc_terms *ts, tc_op op, members *s) {
    known k;
    k.ts = ts;
    k.work = 0;
    k.facts.n = 0;
    bool any = false;
    for (uint32_t i = 0; i < s->n; i++)
        if (is_literal(s->m[i]))
            k.facts.m[k.facts.n++] = op == TC_T_AND ? s->m[i] : tc_not(ts, s->m[i]);
        else
            any = true;
    if (!any || k.facts.n == 0)
        return false;
    members_sort(&k.facts);
    bool changed = false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (is_literal(s->m[i]))
            continue;
        tc_t t = simplify_under(&k, s->m[i], UNDER_DEPTH);
        changed |= t != s->m[i];
        s->m[i] = t;
    }
    tc_terms_meet(ts, k.work + s->n);
    return changed;
}

// ---- factoring ----

// (a && x) || (a && y) becomes a && (x || y), where all members have the common part.
static bool factor(tc_terms *ts, const members *s, tc_t *t) {
    if (s->n < 2)
        return false;
    members common;
    uint32_t n;
    const tc_t *m = members_of(TC_T_AND, &s->m[0], &n);
    memcpy(common.m, m, n * sizeof *m);
    common.n = n;
    for (uint32_t i = 1; i < s->n && common.n; i++) {
        uint32_t kept = 0;
        m = members_of(TC_T_AND, &s->m[i], &n);
        for (uint32_t k = 0; k < common.n; k++)
            if (has_member(m, n, common.m[k]))
                common.m[kept++] = common.m[k];
        common.n = kept;
    }
    if (common.n == 0 || common.n + 1 > TC_MEMBERS_MAX)
        return false;
    tc_t rests[TC_MEMBERS_MAX];
    for (uint32_t i = 0; i < s->n; i++) {
        tc_t rest[TC_MEMBERS_MAX];
        uint32_t k = 0;
        m = members_of(TC_T_AND, &s->m[i], &n);
        for (uint32_t j = 0; j < n; j++)
            if (!has_member(common.m, common.n, m[j]))
                rest[k++] = m[j];
        rests[i] = nary(ts, TC_T_AND, rest, k);
    }
    common.m[common.n++] = nary(ts, TC_T_OR, rests, s->n);
    *t = nary(ts, TC_T_AND, common.m, common.n);
    return true;
}

// Position in y of the one member whose negation x has, when x's others are all in y; -1 when there is none.
static int resolvent(tc_terms *ts, const tc_t *x, uint32_t nx, const tc_t *y, uint32_t ny) {
    int at = -1;
    for (uint32_t i = 0; i < nx; i++) {
        if (has_member(y, ny, x[i]))
            continue;
        if (at >= 0)
            return -1;
        tc_t n = tc_not(ts, x[i]);
        for (uint32_t k = 0; k < ny; k++)
            if (y[k] == n)
                at = (int)k;
        if (at < 0)
            return -1;
    }
    return at;
}

// (a && x) || (a && !x && b) becomes (a && x) || (a && b), and the same with both operators exchanged.
static bool resolve(tc_terms *ts, tc_op op, members *s) {
    if (s->n > RESOLVE_MAX)
        return false;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = 0; k < s->n; k++) {
            if (i == k || is_literal(s->m[k]))
                continue;
            uint32_t nx, ny;
            const tc_t *x = members_of(dual(op), &s->m[i], &nx), *y = members_of(dual(op), &s->m[k], &ny);
            int at = resolvent(ts, x, nx, y, ny);
            if (at < 0)
                continue;
            tc_t rest[TC_MEMBERS_MAX];
            uint32_t n = 0;
            for (uint32_t j = 0; j < ny; j++)
                if ((int)j != at)
                    rest[n++] = y[j];
            s->m[k] = nary(ts, dual(op), rest, n);
            return true;
        }
    return false;
}

// ---- conjunction and disjunction ----

// Too many members for one node: halves, one inside the other.
static tc_t nested(tc_terms *ts, tc_op op, const tc_t *xs, size_t n) {
    tc_t a = xs[0], b = xs[n - 1];
    if (n > 2) {
        a = nary(ts, op, xs, n / 2);
        b = nary(ts, op, xs + n / 2, n - n / 2);
    }
    if (tc_is_const(a) || a == b)
        return tc_is_const(a) && (a->value != 0) == (op == TC_T_AND) ? b : a;
    if (tc_is_const(b))
        return (b->value != 0) == (op == TC_T_AND) ? a : b;
    return tc_term_sorted2(ts, op, TC_BOOL, a, b);
}

static tc_t nary(tc_terms *ts, tc_op op, const tc_t *xs, size_t n) {
    bool is_and = op == TC_T_AND;
    members s;
    if (!flatten(op, xs, n, &s))
        return nested(ts, op, xs, n);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        if (!tc_is_const(s.m[i]))
            s.m[kept++] = s.m[i];
        else if ((s.m[i]->value != 0) != is_and)
            return tc_bool(ts, !is_and);
    }
    s.n = kept;
    members_sort(&s);
    if (s.n == 0)
        return tc_bool(ts, is_and);
    if (s.n == 1)
        return s.m[0];
    if (!compare_members(ts, op, &s))
        return tc_bool(ts, !is_and);
    if (s.n == 1)
        return s.m[0];
    if (propagate(ts, op, &s) || resolve(ts, op, &s))
        return nary(ts, op, s.m, s.n);
    tc_t t;
    if (!is_and && factor(ts, &s, &t))
        return t;
    return tc_term_op(ts, op, TC_BOOL, s.m, s.n);
}

tc_t tc_and_n(tc_terms *ts, const tc_t *xs, size_t n) {
    return nary(ts, TC_T_AND, xs, n);
}

tc_t tc_or_n(tc_terms *ts, const tc_t *xs, size_t n) {
    return nary(ts, TC_T_OR, xs, n);
}

tc_t tc_and(tc_terms *ts, tc_t a, tc_t b) {
    tc_t xs[2] = {a, b};
    return nary(ts, TC_T_AND, xs, 2);
}

tc_t tc_or(tc_terms *ts, tc_t a, tc_t b) {
    tc_t xs[2] = {a, b};
    return nary(ts, TC_T_OR, xs, 2);
}

tc_t tc_implies(tc_terms *ts, tc_t a, tc_t b) {
    return tc_or(ts, tc_not(ts, a), b);
}
