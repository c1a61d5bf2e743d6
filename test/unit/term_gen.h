// Random expressions, built twice: as a term, simplifying, and as a plain tree with an evaluator of its own.
// What the simplifier makes must have the tree's value. Driven by bytes, for the property test and for the fuzzer.
#ifndef TC_TEST_TERM_GEN_H
#define TC_TEST_TERM_GEN_H

#include <stdio.h>
#include <stdlib.h>

#include "solver/term.h"

enum { GEN_SYMS = 10, GEN_BOOLS = 3, GEN_NODES = 64 };

typedef struct gen_tree {
    tc_op op;
    tc_sort sort;
    tc_i128 value;
    unsigned width;
    bool is_signed, is_kept;
    int sym;
    int args[3];
    int nargs;
    tc_t term;
} gen_tree;

typedef struct gen {
    const uint8_t *data;
    size_t len, at;
    tc_terms *ts;
    const tc_sym *syms[GEN_SYMS + GEN_BOOLS];
    const tc_fn *fn;
    gen_tree nodes[GEN_NODES];
    int n;
    bool tame; // small values only: then nothing may overflow
    tc_i128 env[GEN_SYMS + GEN_BOOLS];
} gen;

static inline unsigned gen_byte(gen *g) {
    return g->at < g->len ? g->data[g->at++] : 0;
}

static inline uint64_t gen_word(gen *g) {
    uint64_t w = 0;
    for (int i = 0; i < 8; i++)
        w = w << 8 | gen_byte(g);
    return w;
}

typedef struct gen_range {
    bool has_lo, has_hi;
    int64_t lo, hi;
} gen_range;

static inline gen_range gen_range_of(int i) {
    static const gen_range ranges[GEN_SYMS] = {
        {true, true, 0, 1023},
        {true, true, 1, 1024},
        {true, true, -3, 3},
        {true, true, INT32_MIN, INT32_MAX},
        {true, true, 0, UINT32_MAX},
        {true, true, INT64_MIN, INT64_MAX},
        {true, false, 0, 0},
        {false, true, 0, -1},
        {false, false, 0, 0},
        {true, true, 8, 15},
    };
    return ranges[i];
}

static inline void gen_init(gen *g, tc_terms *ts, const uint8_t *data, size_t len) {
    g->ts = ts;
    g->data = data;
    g->len = len;
    g->at = 0;
    g->n = 0;
    for (int i = 0; i < GEN_SYMS + GEN_BOOLS; i++) {
        char name[8];
        snprintf(name, sizeof name, "%c%d", i < GEN_SYMS ? 'x' : 'b', i);
        tc_sym *s = tc_sym_new(ts, name, TC_SYM_PARAM, (tc_variance)(i % 4), i < GEN_SYMS ? TC_INT : TC_BOOL);
        if (i < GEN_SYMS) {
            gen_range r = gen_range_of(i);
            s->has_lo = r.has_lo;
            s->has_hi = r.has_hi;
            s->lo = r.lo;
            s->hi = r.hi;
        }
        g->syms[i] = s;
    }
    g->fn = tc_fn_new(ts, "f", 1);
    g->tame = gen_byte(g) % 2 == 0;
}

static inline tc_i128 gen_constant(gen *g) {
    static const int64_t edges[] = {0, 1, -1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 255, 256, -2, -3, -8, -256};
    unsigned b = gen_byte(g);
    if (g->tame || b < 128)
        return edges[b % (sizeof edges / sizeof *edges)];
    unsigned shifts[] = {15, 16, 30, 31, 32, 33, 62, 63, 64};
    tc_i128 v = tc_pow2(shifts[b % 9]) + (tc_i128)(gen_byte(g) % 3) - 1;
    return b & 64 ? -v : v;
}

static inline int gen_add(gen *g, gen_tree t) {
    g->nodes[g->n] = t;
    return g->n++;
}

static inline int gen_pick(gen *g, tc_sort sort) {
    int first = -1, start = (int)(gen_byte(g) % (unsigned)g->n);
    for (int k = 0; k < g->n; k++) {
        int i = (start + k) % g->n;
        if (g->nodes[i].sort == sort) {
            first = i;
            break;
        }
    }
    return first;
}

static inline tc_t gen_build(gen *g, const gen_tree *t) {
    tc_terms *ts = g->ts;
    tc_t a[3] = {NULL, NULL, NULL};
    for (int i = 0; i < t->nargs; i++)
        a[i] = g->nodes[t->args[i]].term;
    switch (t->op) {
    case TC_T_CONST:
        return t->sort == TC_INT ? tc_int(ts, t->value) : tc_bool(ts, t->value != 0);
    case TC_T_SYM:
        return tc_of_sym(ts, g->syms[t->sym]);
    case TC_T_ADD:
        return t->value == 1 ? tc_sub(ts, a[0], a[1]) : tc_add(ts, a[0], a[1]);
    case TC_T_MUL:
        return tc_mul(ts, a[0], a[1]);
    case TC_T_DIV:
        return tc_div(ts, a[0], a[1]);
    case TC_T_MOD:
        return tc_mod(ts, a[0], a[1]);
    case TC_T_TDIV:
        return tc_tdiv(ts, a[0], a[1]);
    case TC_T_TREM:
        return tc_trem(ts, a[0], a[1]);
    case TC_T_MIN:
        return tc_min(ts, a[0], a[1]);
    case TC_T_MAX:
        return tc_max(ts, a[0], a[1]);
    case TC_T_POW2:
        return tc_pow2_term(ts, a[0]);
    case TC_T_BITAND:
    case TC_T_BITOR:
    case TC_T_BITXOR:
        return tc_bitop(ts, t->op, a[0], a[1]);
    case TC_T_WRAP:
        return (t->is_kept ? tc_wrap_kept : tc_wrap)(ts, a[0], t->width, t->is_signed);
    case TC_T_ITE:
        return tc_ite(ts, a[0], a[1], a[2]);
    case TC_T_APP:
        return tc_app(ts, g->fn, a);
    case TC_T_EQ:
        return tc_eq(ts, a[0], a[1]);
    case TC_T_LE:
        return t->value == 1 ? tc_lt(ts, a[0], a[1]) : tc_le(ts, a[0], a[1]);
    case TC_T_NOT:
        return tc_not(ts, a[0]);
    case TC_T_AND:
        return tc_and(ts, a[0], a[1]);
    case TC_T_OR:
        return tc_or(ts, a[0], a[1]);
    case TC_T_COUNT:
        break;
    }
    return NULL;
}

// Leaves first, then random operators over what is there.
static inline void gen_trees(gen *g, int size) {
    for (int i = 0; i < 4; i++)
        gen_add(g, (gen_tree){.op = TC_T_SYM, .sort = TC_INT, .sym = (int)(gen_byte(g) % GEN_SYMS)});
    gen_add(g, (gen_tree){.op = TC_T_SYM, .sort = TC_BOOL, .sym = GEN_SYMS + (int)(gen_byte(g) % GEN_BOOLS)});
    gen_add(g, (gen_tree){.op = TC_T_CONST, .sort = TC_INT, .value = gen_constant(g)});
    for (int i = 0; i < g->n; i++)
        g->nodes[i].term = gen_build(g, &g->nodes[i]);
    while (g->n < size && g->n < GEN_NODES) {
        gen_tree t = {.op = (tc_op)(gen_byte(g) % TC_T_COUNT), .sort = TC_INT};
        tc_sort in = TC_INT;
        switch (t.op) {
        case TC_T_CONST:
            t.value = gen_constant(g);
            break;
        case TC_T_SYM:
            t.sym = (int)(gen_byte(g) % GEN_SYMS);
            break;
        case TC_T_POW2:
        case TC_T_APP:
            t.nargs = 1;
            break;
        case TC_T_WRAP: {
            static const unsigned widths[] = {1, 8, 16, 32, 64, 5};
            unsigned b = gen_byte(g);
            t.width = widths[b % 6];
            t.is_signed = b & 64;
            t.is_kept = b & 128;
            t.nargs = 1;
            break;
        }
        case TC_T_ITE:
            t.nargs = 3;
            if (gen_byte(g) % 3 == 0)
                t.sort = in = TC_BOOL;
            break;
        case TC_T_EQ:
        case TC_T_LE:
            t.sort = TC_BOOL;
            t.value = gen_byte(g) % 2;
            t.nargs = 2;
            break;
        case TC_T_NOT:
            t.sort = in = TC_BOOL;
            t.nargs = 1;
            break;
        case TC_T_AND:
        case TC_T_OR:
            t.sort = in = TC_BOOL;
            t.nargs = 2;
            break;
        case TC_T_ADD:
            t.value = gen_byte(g) % 2;
            t.nargs = 2;
            break;
        default:
            t.nargs = 2;
        }
        for (int i = 0; i < t.nargs; i++)
            t.args[i] = gen_pick(g, t.op == TC_T_ITE && i == 0 ? TC_BOOL : in);
        t.term = gen_build(g, &t);
        gen_add(g, t);
    }
}

static inline void gen_values(gen *g) {
    for (int i = 0; i < GEN_SYMS; i++) {
        gen_range r = gen_range_of(i);
        tc_i128 lo = r.has_lo ? r.lo : r.has_hi ? (tc_i128)r.hi - 1000 : -500;
        tc_i128 hi = r.has_hi ? r.hi : lo + 1000;
        unsigned b = gen_byte(g);
        tc_i128 v = b % 4 == 0   ? lo + (tc_i128)(gen_byte(g) % 3)
                    : b % 4 == 1 ? hi - (tc_i128)(gen_byte(g) % 3)
                    : b % 4 == 2 ? (tc_i128)(gen_byte(g) % 40) - 8
                                 : lo + (tc_i128)((tc_u128)gen_word(g) % (tc_u128)(hi - lo + 1));
        if (g->tame)
            v = (tc_i128)(b % 24) - 8;
        g->env[i] = v < lo ? lo : v > hi ? hi : v;
    }
    for (int i = 0; i < GEN_BOOLS; i++)
        g->env[GEN_SYMS + i] = gen_byte(g) % 2;
}

static inline tc_i128 gen_fn_value(tc_i128 x) {
    return (x * 7 % 13) - 4;
}

static inline tc_i128 gen_abs(tc_i128 x) {
    return x < 0 ? -x : x;
}

// The tree's value; false when it has none. *large is set when some subterm's magnitude makes an overflow elsewhere possible.
static inline bool gen_eval(const gen *g, int i, tc_i128 *r, bool *large) {
    const gen_tree *t = &g->nodes[i];
    tc_i128 a[3] = {0, 0, 0};
    bool ok[3] = {true, true, true};
    for (int k = 0; k < t->nargs; k++)
        ok[k] = gen_eval(g, t->args[k], &a[k], large);
    if (t->op == TC_T_AND || t->op == TC_T_OR) {
        tc_i128 zero = t->op == TC_T_OR;
        *r = zero;
        if ((ok[0] && a[0] == zero) || (ok[1] && a[1] == zero))
            return true;
        *r = !zero;
        return ok[0] && ok[1];
    }
    if (t->op == TC_T_ITE) {
        *r = a[0] ? a[1] : a[2];
        return ok[0] && (a[0] ? ok[1] : ok[2]);
    }
    if (!ok[0] || !ok[1] || !ok[2])
        return false;
    switch (t->op) {
    case TC_T_CONST:
        *r = t->value;
        break;
    case TC_T_SYM:
        *r = g->env[t->sym];
        break;
    case TC_T_ADD:
        if (t->value == 1 ? __builtin_sub_overflow(a[0], a[1], r) : __builtin_add_overflow(a[0], a[1], r))
            return false;
        break;
    case TC_T_MUL:
        if (__builtin_mul_overflow(a[0], a[1], r))
            return false;
        break;
    case TC_T_DIV:
    case TC_T_MOD: {
        if (a[1] == 0 || (a[1] == -1 && a[0] == TC_I128_MIN))
            return false;
        tc_i128 q = a[0] / a[1], m = a[0] - q * a[1];
        if (m != 0 && ((m < 0) != (a[1] < 0))) {
            q--;
            m += a[1];
        }
        *r = t->op == TC_T_DIV ? q : m;
        break;
    }
    case TC_T_TDIV:
    case TC_T_TREM:
        if (a[1] == 0 || (a[1] == -1 && a[0] == TC_I128_MIN))
            return false;
        *r = t->op == TC_T_TDIV ? a[0] / a[1] : a[0] % a[1];
        break;
    case TC_T_MIN:
        *r = a[0] <= a[1] ? a[0] : a[1];
        break;
    case TC_T_MAX:
        *r = a[0] >= a[1] ? a[0] : a[1];
        break;
    case TC_T_POW2:
        if (a[0] < 0 || a[0] > 126)
            return false;
        *r = (tc_i128)1 << (int)a[0];
        break;
    case TC_T_BITAND:
    case TC_T_BITOR:
    case TC_T_BITXOR:
        *r = t->op == TC_T_BITAND ? a[0] & a[1] : t->op == TC_T_BITOR ? a[0] | a[1] : a[0] ^ a[1];
        break;
    case TC_T_WRAP: {
        tc_i128 m = (tc_i128)1 << t->width, v = a[0] % m;
        if (v < 0)
            v += m;
        if (t->is_signed && v >= m / 2)
            v -= m;
        *r = v;
        break;
    }
    case TC_T_APP:
        if (gen_abs(a[0]) > tc_pow2(100))
            return false;
        *r = gen_fn_value(a[0]);
        break;
    case TC_T_EQ:
        *r = a[0] == a[1];
        break;
    case TC_T_LE:
        *r = t->value == 1 ? a[0] < a[1] : a[0] <= a[1];
        break;
    case TC_T_NOT:
        *r = !a[0];
        break;
    default:
        return false;
    }
    if (*r > tc_pow2(20) || *r < -tc_pow2(20))
        *large = true;
    return true;
}

static inline bool gen_app(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r) {
    (void)ctx;
    (void)f;
    if (args[0] > tc_pow2(100) || args[0] < -tc_pow2(100))
        return false;
    *r = gen_fn_value(args[0]);
    return true;
}

static inline bool gen_sym(void *ctx, const tc_sym *s, tc_i128 *r) {
    const gen *g = ctx;
    const tc_sym *root = s->origin ? s->origin : s;
    for (int i = 0; i < GEN_SYMS + GEN_BOOLS; i++)
        if (g->syms[i] == root) {
            *r = g->env[i];
            return true;
        }
    return false;
}

// One message about the first thing that is wrong, or NULL.
static inline const char *gen_check(gen *g, int i) {
    tc_env env = {.app = gen_app, .sym = gen_sym, .ctx = g};
    tc_t t = g->nodes[i].term;
    bool large = false;
    tc_i128 naive, got;
    if (!gen_eval(g, i, &naive, &large))
        return NULL;
    bool ok = tc_eval(g->ts, t, &env, &got);
    if (!ok)
        return large ? NULL : "no value after simplification";
    if (got != naive)
        return "another value after simplification";
    tc_interval r = tc_range_of(g->ts, t);
    if ((r.has_lo && got < r.lo) || (r.has_hi && got > r.hi))
        return "outside the interval";
    if (t->sort == TC_BOOL && tc_eval(g->ts, tc_not(g->ts, t), &env, &got) && got == naive)
        return "the negation has the same value";
    tc_t renamed = tc_rename(g->ts, t, TC_VAR_BLOCK, 1);
    if (tc_eval(g->ts, renamed, &env, &got) && got != naive)
        return "another value after renaming";
    tc_map map = {0};
    tc_arena *a = tc_terms_arena(g->ts);
    for (int k = 0; k < GEN_SYMS; k += 2)
        tc_map_put(a, &map, TC_KEY(tc_of_sym(g->ts, g->syms[k])), (void *)(uintptr_t)tc_int(g->ts, g->env[k]));
    tc_t fixed = tc_subst(g->ts, t, &map);
    if (tc_eval(g->ts, fixed, &env, &got) && got != naive)
        return "another value after substitution";
    return NULL;
}

#endif
