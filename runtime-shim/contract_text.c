// Expressions and their values for people.
#include "runtime-shim/contract.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 48 };

typedef struct out {
    char *to;
    size_t len, size;
    bool full;
} out;

static const char dots[] = "...";

static void put(out *o, const char *s) {
    size_t n = strlen(s), room = o->size - 1 - o->len;
    if (o->full)
        return;
    if (n <= room) {
        memcpy(o->to + o->len, s, n + 1);
        o->len += n;
        return;
    }
    o->full = true;
    size_t at = o->size > sizeof dots ? o->size - sizeof dots : 0;
    if (at < o->len)
        o->len = at;
    snprintf(o->to + o->len, o->size - o->len, "%s", dots);
}

static void put_number(out *o, tc_i128 v) {
    char digits[48];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    tc_u128 rest = v < 0 ? 0 - (tc_u128)v : (tc_u128)v;
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    if (v < 0)
        digits[--at] = '-';
    put(o, digits + at);
}

static const struct {
    const char *text, *kinds;
} ops[] = {
#define X(name, text, kinds) {text, kinds},
    TC_REC_OPS(X)
#undef X
};

static void put_axis(out *o, const char *what, uint32_t axis) {
    static const char *const axes[] = {".x", ".y", ".z"};
    put(o, what);
    put(o, axes[axis]);
}

static void put_leaf(out *o, const tc_embedded *e, const tc_embedded_node *n) {
    static const char *const bound[] = {"#0", "#1", "#2", "#3"};
    switch (n->op) {
    case TC_REC_OP_CONST:
        put_number(o, tc_embedded_constant(*n));
        return;
    case TC_REC_OP_SCALAR:
        put(o, tc_embedded_scalar_at(e, n->a).path);
        return;
    case TC_REC_OP_GRID:
    case TC_REC_OP_BLOCK:
    case TC_REC_OP_CLUSTER:
        put_axis(o, ops[n->op].text, n->a);
        return;
    case TC_REC_OP_ADDRESS:
        put(o, "address of ");
        put(o, tc_embedded_borrow_at(e, n->a).path);
        return;
    case TC_REC_OP_NONNULL:
        put(o, tc_embedded_borrow_at(e, n->a).path);
        put(o, " != nullptr");
        return;
    case TC_REC_OP_BOUND:
        put(o, bound[n->a]);
        return;
    default:
        put(o, ops[n->op].text);
    }
}

static void put_expr(out *o, const tc_embedded *e, uint32_t expr, int depth);

static void put_call(out *o, const tc_embedded *e, const tc_embedded_node *n, unsigned nargs, int depth) {
    put(o, ops[n->op].text);
    if (n->op == TC_REC_OP_WRAP_SIGNED || n->op == TC_REC_OP_WRAP_UNSIGNED) {
        char width[16];
        snprintf(width, sizeof width, "_%c%u", n->op == TC_REC_OP_WRAP_SIGNED ? 's' : 'u', n->width);
        put(o, width);
    }
    put(o, "(");
    put_expr(o, e, n->a, depth);
    if (nargs > 1) {
        put(o, ", ");
        put_expr(o, e, n->b, depth);
    }
    put(o, ")");
}

static void put_expr(out *o, const tc_embedded *e, uint32_t expr, int depth) {
    if (o->full) // a graph written as a tree may be longer than anything
        return;
    if (depth == MAX_DEPTH) {
        put(o, dots);
        return;
    }
    tc_embedded_node n = tc_embedded_node_at(e, expr);
    if (n.op >= TC_REC_OP_COUNT) {
        put(o, "?");
        return;
    }
    const char *kinds = ops[n.op].kinds;
    if (n.op == TC_REC_OP_ELEMENT) {
        put(o, tc_embedded_borrow_at(e, n.a).path);
        put(o, "[");
        put_expr(o, e, n.b, depth + 1);
        put(o, "]");
    } else if (kinds[0] != 'n') {
        put_leaf(o, e, &n);
    } else if (n.op == TC_REC_OP_ITE) {
        put(o, "(");
        put_expr(o, e, n.a, depth + 1);
        put(o, " ? ");
        put_expr(o, e, n.b, depth + 1);
        put(o, " : ");
        put_expr(o, e, n.c, depth + 1);
        put(o, ")");
    } else if (kinds[1] != 'n') {
        put_call(o, e, &n, 1, depth + 1);
    } else if (strchr("abcdefghijklmnopqrstuvwxyz", ops[n.op].text[0])) {
        put_call(o, e, &n, 2, depth + 1);
    } else {
        put(o, depth ? "(" : "");
        put_expr(o, e, n.a, depth + 1);
        put(o, " ");
        put(o, ops[n.op].text);
        put(o, " ");
        put_expr(o, e, n.b, depth + 1);
        put(o, depth ? ")" : "");
    }
}

const char *tc_embedded_expr_text(const tc_embedded *e, uint32_t expr, char *to, size_t size) {
    out o = {.to = to, .size = size};
    if (size == 0)
        return "";
    to[0] = '\0';
    if (expr < tc_embedded_nodes(e))
        put_expr(&o, e, expr, 0);
    else
        put(&o, "?");
    return to;
}

// ---- values ----

static bool has_name(const tc_embedded_node *n) {
    switch (n->op) {
    case TC_REC_OP_SCALAR:
    case TC_REC_OP_GRID:
    case TC_REC_OP_BLOCK:
    case TC_REC_OP_CLUSTER:
    case TC_REC_OP_SMEM:
    case TC_REC_OP_ADDRESS:
    case TC_REC_OP_NONNULL:
    case TC_REC_OP_ELEMENT:
        return true;
    default:
        return false;
    }
}

static void put_value(out *o, const tc_embedded_frame *f, const tc_embedded_node *n, tc_i128 v) {
    put(o, o->len ? ", " : "");
    if (n->op == TC_REC_OP_ELEMENT) {
        put(o, tc_embedded_borrow_at(f->record, n->a).path);
        put(o, "[");
        put_number(o, f->cells[n->b].value);
        put(o, "]");
    } else {
        put_leaf(o, f->record, n);
    }
    put(o, n->op == TC_REC_OP_NONNULL ? (v ? " holds" : " does not hold") : " = ");
    if (n->op != TC_REC_OP_NONNULL)
        put_number(o, v);
}

// Marks what expr is made of, as an evaluation does, and clears the marks again.
static void put_values(out *o, tc_embedded_frame *f, uint32_t expr) {
    f->cells[expr].wanted = true;
    for (uint32_t i = expr + 1; i-- > 0;) {
        if (!f->cells[i].wanted)
            continue;
        tc_embedded_node n = tc_embedded_node_at(f->record, i);
        const char *kinds = n.op < TC_REC_OP_COUNT ? ops[n.op].kinds : "---";
        uint32_t x[3] = {n.a, n.b, n.c};
        for (int k = 0; k < 3; k++)
            if (kinds[k] == 'n')
                f->cells[x[k]].wanted = true;
    }
    for (uint32_t i = 0; i <= expr; i++) {
        tc_embedded_node n = tc_embedded_node_at(f->record, i);
        if (f->cells[i].wanted && f->cells[i].state == TC_EMBEDDED_VALUE && has_name(&n))
            put_value(o, f, &n, f->cells[i].value);
        f->cells[i].wanted = false;
    }
}

const char *tc_embedded_values_text(tc_embedded_frame *f, uint32_t expr, char *to, size_t size) {
    out o = {.to = to, .size = size};
    tc_i128 r;
    if (size == 0)
        return "";
    to[0] = '\0';
    if (expr >= tc_embedded_nodes(f->record))
        return to;
    tc_embedded_value(f, expr, &r);
    put_values(&o, f, expr);
    return to;
}
