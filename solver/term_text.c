// Terms as text, with the source's operators.
#include <string.h>

#include "solver/termi.h"

enum { DEPTH_MAX = 60, LENGTH_MAX = 6000 };

// Binding strengths of C's operators.
enum { P_COND, P_OR, P_AND, P_BOR, P_XOR, P_BAND, P_EQ, P_REL, P_SHIFT, P_ADD, P_MUL, P_UNARY, P_ATOM };

typedef struct printer {
    tc_text *out;
    tc_terms *ts;
    unsigned depth;
    size_t limit; // length of the text at which the rest is left out
} printer;

static void put(printer *p, tc_t t, int least);

static void open_if(printer *p, bool paren) {
    if (paren)
        tc_putc(p->out, '(');
}

static void close_if(printer *p, bool paren) {
    if (paren)
        tc_putc(p->out, ')');
}

static void put_joined(printer *p, const tc_t *args, uint32_t n, const char *between, int prec) {
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            tc_put(p->out, between);
        // Operators of one strength group to the left.
        put(p, args[i], i ? prec + 1 : prec);
    }
}

static void put_call(printer *p, const char *name, const tc_t *args, uint32_t n) {
    tc_put(p->out, name);
    tc_putc(p->out, '(');
    put_joined(p, args, n, ", ", P_COND);
    tc_putc(p->out, ')');
}

static void put_sym(printer *p, const tc_sym *s) {
    tc_put(p->out, s->name);
    if (s->copy <= 3)
        for (uint32_t i = 0; i < s->copy; i++)
            tc_putc(p->out, '\'');
    else
        tc_putf(p->out, "'%u", (unsigned)s->copy);
}

// ---- sums ----

static bool is_negative(tc_t t) {
    if (t->op == TC_T_MUL)
        t = t->args[0];
    return tc_is_const(t) && t->value < 0 && t->value != TC_I128_MIN;
}

static void put_constant(printer *p, tc_i128 v, int least) {
    bool paren = v < 0 && least > P_UNARY;
    open_if(p, paren);
    tc_put128(p->out, v);
    close_if(p, paren);
}

// A monomial, without its sign where negated.
static void put_mono(printer *p, tc_t t, bool negated, int least) {
    if (tc_is_const(t)) {
        put_constant(p, negated ? -t->value : t->value, least);
        return;
    }
    if (t->op != TC_T_MUL || !tc_is_const(t->args[0])) {
        put(p, t, least);
        return;
    }
    tc_i128 coef = negated ? -t->args[0]->value : t->args[0]->value;
    bool paren = least > (coef == 1 && t->nargs == 2 ? P_ATOM : P_MUL);
    open_if(p, paren);
    if (coef == -1 && t->nargs == 2) {
        tc_putc(p->out, '-');
        put(p, t->args[1], P_UNARY);
    } else {
        put_joined(p, t->args + 1, t->nargs - 1, " * ", P_MUL);
        if (coef != 1) {
            tc_put(p->out, " * ");
            put_constant(p, coef, P_MUL + 1);
        }
    }
    close_if(p, paren);
}

// The sum of the arguments whose sign is as wanted (0: all), plus c. Positive ones first.
static void put_sum(printer *p, const tc_t *args, uint32_t n, int sign, tc_i128 c) {
    bool first = true;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < n; i++) {
            bool negative = is_negative(args[i]);
            if (negative != (pass == 1) || (sign > 0 && negative) || (sign < 0 && !negative))
                continue;
            bool minus = negative && sign >= 0;
            if (!first)
                tc_put(p->out, minus ? " - " : " + ");
            else if (minus)
                tc_put(p->out, "-");
            put_mono(p, args[i], negative, first && !minus ? P_ADD : P_ADD + 1);
            first = false;
        }
    if (first || c > 0 || c == TC_I128_MIN) {
        if (!first)
            tc_put(p->out, " + ");
        tc_put128(p->out, c);
    } else if (c < 0) {
        tc_put(p->out, " - ");
        tc_put128(p->out, -c);
    }
}

// ---- comparisons ----

static unsigned trailing_zeros(tc_i128 v) {
    unsigned n = 0;
    while (n < 126 && ((v >> n) & 1) == 0)
        n++;
    return n;
}

// p compared with c, negative monomials on the right.
static void put_compare(printer *p, tc_t poly, tc_i128 c, bool is_le) {
    const tc_t *args = poly->op == TC_T_ADD ? poly->args : &poly;
    uint32_t n = poly->op == TC_T_ADD ? poly->nargs : 1, negative = 0;
    for (uint32_t i = 0; i < n; i++)
        negative += is_negative(args[i]);
    bool has_left = negative < n, has_right = negative > 0;
    tc_i128 one_more;
    if (!is_le) {
        put_sum(p, args, n, 1, 0);
        tc_put(p->out, " == ");
        has_right ? put_sum(p, args, n, -1, c) : tc_put128(p->out, c);
    } else if (!has_left && c != TC_I128_MIN) {
        // -p <= c: p is at least -c.
        bool strict = trailing_zeros(-c - 1) > trailing_zeros(-c);
        put_sum(p, args, n, -1, 0);
        tc_put(p->out, strict ? " > " : " >= ");
        tc_put128(p->out, strict ? -c - 1 : -c);
    } else if (has_right && c < 0 && c != TC_I128_MIN) {
        put_sum(p, args, n, 1, c == -1 ? 0 : -c);
        tc_put(p->out, c == -1 ? " < " : " <= ");
        put_sum(p, args, n, -1, 0);
    } else {
        bool strict = !has_right && tc_add128(c, 1, &one_more) && trailing_zeros(one_more) > trailing_zeros(c);
        put_sum(p, args, n, 1, 0);
        tc_put(p->out, strict ? " < " : " <= ");
        has_right ? put_sum(p, args, n, -1, c) : tc_put128(p->out, strict ? one_more : c);
    }
}

static void put_relation(printer *p, tc_t t, const char *op) {
    if (tc_is_const(t->args[1])) {
        put_compare(p, t->args[0], t->args[1]->value, t->op == TC_T_LE);
        return;
    }
    put(p, t->args[0], P_REL + 1);
    tc_put(p->out, op);
    put(p, t->args[1], P_REL + 1);
}

static void put_not(printer *p, tc_t t) {
    tc_t a = t->args[0];
    if (a->op == TC_T_EQ && tc_is_const(a->args[1])) {
        size_t at = p->out->len;
        put_compare(p, a->args[0], a->args[1]->value, false);
        char *eq = p->out->data ? strstr(p->out->data + at, " == ") : NULL;
        if (eq)
            eq[1] = '!';
        return;
    }
    tc_putc(p->out, '!');
    put(p, a, P_UNARY);
}

// ---- everything ----

static int strength(tc_t t) {
    switch (t->op) {
    case TC_T_CONST:
        return t->sort == TC_INT && t->value < 0 ? P_UNARY : P_ATOM;
    case TC_T_ADD:
        return P_ADD;
    case TC_T_MUL:
        return P_MUL;
    case TC_T_DIV:
    case TC_T_MOD:
    case TC_T_TDIV:
    case TC_T_TREM:
        return P_MUL;
    case TC_T_POW2:
        return P_SHIFT;
    case TC_T_BITAND:
        return P_BAND;
    case TC_T_BITOR:
        return P_BOR;
    case TC_T_BITXOR:
        return P_XOR;
    case TC_T_ITE:
        return P_COND;
    case TC_T_EQ:
        return P_EQ;
    case TC_T_LE:
        return P_REL;
    case TC_T_NOT:
        return t->args[0]->op == TC_T_EQ ? P_EQ : P_UNARY;
    case TC_T_AND:
        return P_AND;
    case TC_T_OR:
        return P_OR;
    default:
        return P_ATOM;
    }
}

static void put_wrap(printer *p, tc_t t) {
    tc_putf(p->out, "(%sint%u)", tc_wrap_signed(t) ? "" : "u", tc_wrap_width(t));
    put(p, t->args[0], P_UNARY + 1);
}

static void put_parts(printer *p, tc_t t) {
    switch (t->op) {
    case TC_T_CONST:
        if (t->sort == TC_BOOL)
            tc_put(p->out, t->value ? "true" : "false");
        else
            tc_put128(p->out, t->value);
        return;
    case TC_T_SYM:
        put_sym(p, t->sym);
        return;
    case TC_T_ADD:
        put_sum(p, t->args, t->nargs, 0, 0);
        return;
    case TC_T_MUL:
        if (tc_is_const(t->args[0]))
            put_mono(p, t, false, P_MUL);
        else
            put_joined(p, t->args, t->nargs, " * ", P_MUL);
        return;
    case TC_T_DIV:
    case TC_T_TDIV:
        put_joined(p, t->args, 2, " / ", P_MUL);
        return;
    case TC_T_MOD:
    case TC_T_TREM:
        put_joined(p, t->args, 2, " % ", P_MUL);
        return;
    case TC_T_MIN:
    case TC_T_MAX:
        put_call(p, t->op == TC_T_MIN ? "min" : "max", t->args, 2);
        return;
    case TC_T_POW2:
        tc_put(p->out, "1 << ");
        put(p, t->args[0], P_SHIFT + 1);
        return;
    case TC_T_BITAND:
        put_joined(p, t->args, 2, " & ", P_BAND);
        return;
    case TC_T_BITOR:
        put_joined(p, t->args, 2, " | ", P_BOR);
        return;
    case TC_T_BITXOR:
        put_joined(p, t->args, 2, " ^ ", P_XOR);
        return;
    case TC_T_WRAP:
        put_wrap(p, t);
        return;
    case TC_T_ITE:
        put(p, t->args[0], P_OR);
        tc_put(p->out, " ? ");
        put(p, t->args[1], P_OR);
        tc_put(p->out, " : ");
        put(p, t->args[2], P_COND);
        return;
    case TC_T_APP:
        put_call(p, t->fn->name, t->args, t->nargs);
        return;
    case TC_T_EQ:
        put_relation(p, t, " == ");
        return;
    case TC_T_LE:
        put_relation(p, t, " <= ");
        return;
    case TC_T_NOT:
        put_not(p, t);
        return;
    case TC_T_AND:
        put_joined(p, t->args, t->nargs, " && ", P_AND);
        return;
    case TC_T_OR:
        put_joined(p, t->args, t->nargs, " || ", P_OR);
        return;
    case TC_T_COUNT:
        return;
    }
}

static void put(printer *p, tc_t t, int least) {
    if (p->depth >= DEPTH_MAX || p->out->len >= p->limit) {
        tc_put(p->out, "\xe2\x80\xa6");
        return;
    }
    p->depth++;
    bool paren = strength(t) < least;
    open_if(p, paren);
    put_parts(p, t);
    close_if(p, paren);
    p->depth--;
}

void tc_term_put(tc_text *out, tc_terms *ts, tc_t t) {
    printer p = {.out = out, .ts = ts, .limit = out->len + LENGTH_MAX};
    put(&p, t, P_COND);
}

const char *tc_term_text(tc_terms *ts, tc_t t) {
    tc_text out = {.arena = ts->arena};
    tc_term_put(&out, ts, t);
    return tc_text_str(&out);
}
