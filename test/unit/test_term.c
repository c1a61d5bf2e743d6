// Terms: what each constructor makes of its arguments.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "solver/term.h"

// What the tests speak about.
typedef struct fixture {
    tc_terms *ts;
    tc_t x, y, z;    // no range
    tc_t n, m;       // 1 .. 2^31 - 1
    tc_t t;          // 0 .. 1023
    tc_t w;          // 0 .. 31
    tc_t l;          // 0 .. 31
    tc_t i;          // 32 bits, signed
    tc_t p, q, r, s; // conditions
} fixture;

static tc_t sym(tc_terms *ts, const char *name, tc_i128 lo, tc_i128 hi) {
    tc_sym *s = tc_sym_new(ts, name, TC_SYM_PARAM, TC_VAR_LAUNCH, TC_INT);
    if (lo <= hi) {
        s->has_lo = s->has_hi = true;
        s->lo = lo;
        s->hi = hi;
    }
    return tc_of_sym(ts, s);
}

static tc_t cond(tc_terms *ts, const char *name) {
    return tc_of_sym(ts, tc_sym_new(ts, name, TC_SYM_UNKNOWN, TC_VAR_THREAD, TC_BOOL));
}

static fixture make(tc_arena *a) {
    tc_terms *ts = tc_terms_new(a);
    return (fixture){
        .ts = ts,
        .x = sym(ts, "x", 1, 0),
        .y = sym(ts, "y", 1, 0),
        .z = sym(ts, "z", 1, 0),
        .n = sym(ts, "n", 1, INT32_MAX),
        .m = sym(ts, "m", 1, INT32_MAX),
        .t = sym(ts, "t", 0, 1023),
        .w = sym(ts, "w", 0, 31),
        .l = sym(ts, "l", 0, 31),
        .i = sym(ts, "i", INT32_MIN, INT32_MAX),
        .p = cond(ts, "p"),
        .q = cond(ts, "q"),
        .r = cond(ts, "r"),
        .s = cond(ts, "s"),
    };
}

typedef struct body {
    void (*fn)(fixture *f);
} body;

static void with_fixture(tc_trap *trap, void *arg) {
    fixture f = make(tc_arena_new(trap));
    ((body *)arg)->fn(&f);
}

static void run(void (*fn)(fixture *)) {
    body b = {fn};
    const char *why;
    if (tc_trap_run(with_fixture, &b, &why) != TC_OK)
        fail_msg("%s", why);
}

#define TEST(name)                                                                                                     \
    static void name##_body(fixture *f);                                                                               \
    static void name(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        run(name##_body);                                                                                              \
    }                                                                                                                  \
    static void name##_body(fixture *f)

#define SAME(a, b)                                                                                                     \
    do {                                                                                                               \
        tc_t a_ = (a), b_ = (b);                                                                                       \
        if (a_ != b_)                                                                                                  \
            fail_msg("%s\n  is not\n  %s", tc_term_text(f->ts, a_), tc_term_text(f->ts, b_));                          \
    } while (0)
#define INT(v) tc_int(f->ts, (v))
#define ADD(a, b) tc_add(f->ts, (a), (b))
#define SUB(a, b) tc_sub(f->ts, (a), (b))
#define MUL(a, b) tc_mul(f->ts, (a), (b))
#define MULC(a, c) tc_mulc(f->ts, (a), (c))
#define ADDC(a, c) tc_addc(f->ts, (a), (c))
#define DIV(a, c) tc_div(f->ts, (a), INT(c))
#define MOD(a, c) tc_mod(f->ts, (a), INT(c))
#define LE(a, b) tc_le(f->ts, (a), (b))
#define LT(a, b) tc_lt(f->ts, (a), (b))
#define EQ(a, b) tc_eq(f->ts, (a), (b))
#define AND(a, b) tc_and(f->ts, (a), (b))
#define OR(a, b) tc_or(f->ts, (a), (b))
#define NOT(a) tc_not(f->ts, (a))
#define ITE(c, a, b) tc_ite(f->ts, (c), (a), (b))
#define YES tc_bool(f->ts, true)
#define NO tc_bool(f->ts, false)

TEST(equal_polynomials_are_one_term) {
    SAME(MUL(ADD(f->y, f->z), f->x), ADD(MUL(f->y, f->x), MUL(f->x, f->z)));
    SAME(SUB(ADD(f->x, f->y), f->y), f->x);
    SAME(ADD(MULC(f->x, 3), MULC(f->x, -3)), INT(0));
    SAME(MUL(ADDC(f->x, 1), ADDC(f->x, -1)), ADDC(MUL(f->x, f->x), -1));
    tc_t xs[] = {f->z, f->x, f->y, f->x, INT(5)};
    SAME(tc_sum(f->ts, xs, 5), ADDC(ADD(MULC(f->x, 2), ADD(f->y, f->z)), 5));
    SAME(tc_neg(f->ts, SUB(f->x, f->y)), SUB(f->y, f->x));
    SAME(MUL(f->x, INT(0)), INT(0));
}

TEST(an_overflow_of_128_bits_is_left_alone) {
    tc_i128 big = TC_I128_MAX;
    tc_t a = ADDC(ADDC(f->x, big), big);
    tc_env env = {.ctx = NULL};
    tc_i128 v;
    assert_false(tc_eval(f->ts, a, &env, &v));
    SAME(ADDC(ADDC(a, -big), -big), ADDC(ADDC(a, -big), -big));
    tc_t b = MULC(MULC(f->x, big), big);
    assert_true(tc_eval(f->ts, b, &env, &v) && v == 0);
    tc_t c = MUL(INT(big), INT(big));
    assert_false(tc_eval(f->ts, c, &env, &v));
}

TEST(large_sums_and_products_stay_small_terms) {
    tc_t sum = INT(0), product = INT(1);
    for (int k = 0; k < 300; k++)
        sum = ADD(sum, sym(f->ts, "s", 1, 0));
    assert_true(sum->nargs <= 257);
    SAME(SUB(sum, sum), INT(0));
    for (int k = 0; k < 200; k++)
        product = MUL(product, ADDC(f->x, k));
    assert_true(product->nargs <= 257);
    tc_t square = ADD(f->x, f->y);
    for (int k = 0; k < 40; k++)
        square = MUL(square, square);
    assert_true(square->nargs <= 257);
}

TEST(division_by_constants) {
    SAME(DIV(ADDC(MULC(f->x, 8), 17), 4), ADDC(MULC(f->x, 2), 4));
    SAME(MOD(ADDC(MULC(f->x, 8), 17), 4), INT(1));
    SAME(DIV(DIV(f->x, 4), 8), DIV(f->x, 32));
    SAME(DIV(ADD(MULC(f->w, 32), f->l), 32), f->w);
    SAME(MOD(ADD(MULC(f->w, 32), f->l), 32), f->l);
    SAME(DIV(ADD(MULC(f->x, 32), f->l), 64), DIV(f->x, 2));
    SAME(MOD(ADD(MULC(f->x, 32), f->l), 64), ADD(MULC(MOD(f->x, 2), 32), f->l));
    SAME(MOD(MOD(f->x, 64), 8), MOD(f->x, 8));
    SAME(MOD(f->t, 1024), f->t);
    SAME(DIV(f->t, 1024), INT(0));
    SAME(ADD(MULC(DIV(f->x, 7), 7), MOD(f->x, 7)), f->x);
    SAME(SUB(f->x, MULC(DIV(f->x, 7), 7)), MOD(f->x, 7));
    SAME(DIV(f->x, 1), f->x);
    SAME(DIV(f->x, -1), tc_neg(f->ts, f->x));
    SAME(MOD(INT(-7), 4), INT(1));
    SAME(DIV(INT(-7), 4), INT(-2));
    SAME(MOD(INT(7), -4), INT(-1));
    // by zero: neither folded nor dropped
    assert_int_equal(DIV(f->x, 0)->op, TC_T_DIV);
    assert_int_equal(MOD(INT(3), 0)->op, TC_T_MOD);
    // near misses
    assert_int_equal(DIV(ADD(MULC(f->w, 31), f->l), 31)->op, TC_T_ADD);
    assert_int_equal(MOD(MOD(f->x, 60), 8)->op, TC_T_MOD);
}

TEST(division_by_symbols) {
    SAME(tc_div(f->ts, MUL(f->x, f->n), f->n), f->x);
    SAME(tc_mod(f->ts, ADD(MUL(f->x, f->n), f->y), f->n), tc_mod(f->ts, f->y, f->n));
    SAME(tc_div(f->ts, f->n, f->n), INT(1));
    SAME(ADD(MUL(tc_div(f->ts, f->x, f->n), f->n), tc_mod(f->ts, f->x, f->n)), f->x);
    SAME(SUB(f->x, MUL(f->n, tc_div(f->ts, f->x, f->n))), tc_mod(f->ts, f->x, f->n));
    // y may be 0: the quotient is then anything
    assert_int_equal(tc_div(f->ts, MUL(f->x, f->y), f->y)->op, TC_T_DIV);
    assert_int_equal(tc_div(f->ts, f->y, f->y)->op, TC_T_DIV);
    assert_false(tc_range_of(f->ts, tc_mod(f->ts, f->x, f->y)).has_lo);
}

TEST(c_division_becomes_floor_division_where_signs_are_known) {
    tc_t seven = INT(7);
    SAME(tc_tdiv(f->ts, f->n, seven), DIV(f->n, 7));
    SAME(tc_trem(f->ts, f->n, seven), MOD(f->n, 7));
    assert_int_equal(tc_tdiv(f->ts, f->i, seven)->op, TC_T_TDIV);
    SAME(tc_tdiv(f->ts, MULC(f->i, 14), seven), MULC(f->i, 2));
    SAME(tc_tdiv(f->ts, INT(-7), INT(2)), INT(-3));
    SAME(tc_trem(f->ts, INT(-7), INT(2)), INT(-1));
    SAME(tc_tdiv(f->ts, tc_neg(f->ts, f->n), seven), tc_neg(f->ts, DIV(f->n, 7)));
    SAME(tc_tdiv(f->ts, f->n, INT(-7)), tc_neg(f->ts, DIV(f->n, 7)));
}

TEST(wraps_go_where_they_change_nothing) {
    SAME(tc_wrap(f->ts, f->i, 32, true), f->i);
    SAME(tc_wrap(f->ts, ADD(f->t, f->t), 32, false), MULC(f->t, 2));
    assert_int_equal(tc_wrap(f->ts, ADDC(f->i, 1), 32, true)->op, TC_T_WRAP);
    assert_int_equal(tc_wrap(f->ts, f->i, 32, false)->op, TC_T_WRAP);
    tc_t w = tc_wrap(f->ts, f->x, 32, true);
    SAME(tc_wrap(f->ts, ADD(w, f->y), 32, true), tc_wrap(f->ts, ADD(f->x, f->y), 32, true));
    SAME(tc_wrap(f->ts, tc_wrap(f->ts, f->x, 64, false), 32, true), w);
    assert_int_equal(tc_wrap(f->ts, w, 64, false)->op, TC_T_WRAP);
    SAME(tc_wrap(f->ts, INT(tc_pow2(31)), 32, true), INT(INT32_MIN));
    SAME(tc_wrap(f->ts, INT(-1), 32, false), INT(UINT32_MAX));
    SAME(tc_wrap(f->ts, ADDC(f->t, -2000), 32, false), ADDC(f->t, tc_pow2(32) - 2000));
    SAME(tc_wrap(f->ts, ADD(MULC(f->y, tc_pow2(32)), f->t), 32, true), f->t);
    SAME(MOD(w, 16), MOD(f->x, 16));
    assert_int_equal(MOD(w, 3)->op, TC_T_MOD);
}

TEST(minimum_and_maximum) {
    SAME(tc_min(f->ts, f->x, ADDC(f->x, 1)), f->x);
    SAME(tc_max(f->ts, f->x, ADDC(f->x, 1)), ADDC(f->x, 1));
    SAME(tc_min(f->ts, f->t, INT(5000)), f->t);
    SAME(tc_min(f->ts, tc_min(f->ts, f->x, INT(7)), INT(5)), tc_min(f->ts, f->x, INT(5)));
    SAME(tc_min(f->ts, f->x, tc_max(f->ts, f->y, f->x)), f->x);
    SAME(tc_min(f->ts, f->x, f->y), tc_min(f->ts, f->y, f->x));
    assert_int_equal(tc_min(f->ts, f->x, f->y)->op, TC_T_MIN);
}

TEST(choices) {
    SAME(ITE(f->p, f->x, f->x), f->x);
    SAME(ITE(YES, f->x, f->y), f->x);
    SAME(ITE(NOT(f->p), f->x, f->y), ITE(f->p, f->y, f->x));
    SAME(ITE(f->p, ITE(f->p, f->x, f->y), f->z), ITE(f->p, f->x, f->z));
    SAME(ITE(f->p, YES, NO), f->p);
    SAME(ITE(f->p, NO, YES), NOT(f->p));
    SAME(ITE(f->p, f->q, NO), AND(f->p, f->q));
    SAME(ITE(f->p, YES, f->q), OR(f->p, f->q));
    SAME(EQ(ITE(f->p, INT(1), INT(0)), INT(0)), NOT(f->p));
    SAME(LT(INT(0), ITE(f->p, INT(1), INT(0))), f->p);
    // a negative value read as unsigned
    tc_t u = ITE(LE(INT(0), f->i), f->i, ADDC(f->i, tc_pow2(32)));
    tc_interval r = tc_range_of(f->ts, u);
    assert_true(r.has_lo && r.lo == 0 && r.has_hi && r.hi == UINT32_MAX);
}

TEST(bit_operations) {
    tc_op and = TC_T_BITAND, or = TC_T_BITOR, xor = TC_T_BITXOR;
    SAME(tc_bitop(f->ts, and, f->x, INT(31)), MOD(f->x, 32));
    SAME(tc_bitop(f->ts, and, INT(-32), f->x), MULC(DIV(f->x, 32), 32));
    SAME(tc_bitop(f->ts, and, f->x, INT(0x70)), MULC(MOD(DIV(f->x, 16), 8), 16));
    SAME(tc_bitop(f->ts, and, f->t, INT(-1024)), INT(0));
    SAME(tc_bitop(f->ts, and, f->t, INT(0xfffff)), f->t);
    SAME(tc_bitop(f->ts, or, MULC(f->x, 32), f->l), ADD(MULC(f->x, 32), f->l));
    SAME(tc_bitop(f->ts, xor, MULC(f->x, 32), f->l), ADD(MULC(f->x, 32), f->l));
    SAME(tc_bitop(f->ts, xor, f->x, f->x), INT(0));
    SAME(tc_bitop(f->ts, xor, tc_bitop(f->ts, xor, f->x, f->y), f->y), f->x);
    SAME(tc_bitop(f->ts, xor, f->x, INT(-1)), SUB(INT(-1), f->x));
    SAME(tc_bitop(f->ts, or, f->x, INT(0)), f->x);
    SAME(tc_bitop(f->ts, and, INT(-6), INT(13)), INT(-6 & 13));
    SAME(MOD(tc_bitop(f->ts, or, f->x, f->y), 16), tc_bitop(f->ts, or, MOD(f->x, 16), MOD(f->y, 16)));
    SAME(EQ(tc_bitop(f->ts, or, f->x, f->y), INT(0)), tc_and(f->ts, EQ(f->x, INT(0)), EQ(f->y, INT(0))));
    assert_int_equal(MOD(tc_bitop(f->ts, or, f->x, f->y), 12)->op, TC_T_MOD);
    tc_interval r = tc_range_of(f->ts, tc_bitop(f->ts, xor, f->t, f->w));
    assert_true(r.lo == 0 && r.hi == 1023);
    assert_int_equal(tc_bitop(f->ts, or, MULC(f->x, 16), f->l)->op, TC_T_BITOR);
}

TEST(comparisons) {
    SAME(LE(MULC(f->x, 4), INT(7)), LE(f->x, INT(1)));
    SAME(LT(f->x, f->y), NOT(LE(f->y, f->x)));
    SAME(EQ(f->x, f->y), EQ(f->y, f->x));
    SAME(EQ(MULC(f->x, 4), INT(6)), NO);
    SAME(EQ(MULC(f->x, -4), INT(8)), EQ(f->x, INT(-2)));
    SAME(LE(f->t, INT(1023)), YES);
    SAME(LE(f->t, INT(-1)), NO);
    SAME(EQ(f->t, INT(1024)), NO);
    SAME(LE(f->x, f->x), YES);
    SAME(LT(f->x, f->x), NO);
    assert_false(tc_is_const(LE(f->t, INT(1022))));
    SAME(LE(ADD(f->x, f->y), ADDC(f->y, 3)), LE(f->x, INT(3)));
}

TEST(conjunctions_and_disjunctions) {
    SAME(AND(f->p, f->q), AND(f->q, f->p));
    SAME(AND(f->p, AND(f->q, f->p)), AND(f->p, f->q));
    SAME(AND(f->p, NOT(f->p)), NO);
    SAME(OR(f->p, NOT(f->p)), YES);
    SAME(OR(f->p, AND(f->p, f->q)), f->p);
    SAME(AND(f->p, OR(f->p, f->q)), f->p);
    SAME(NOT(AND(f->p, f->q)), OR(NOT(f->p), NOT(f->q)));
    SAME(NOT(NOT(AND(f->p, OR(f->q, f->r)))), AND(f->p, OR(f->q, f->r)));
    SAME(AND(LE(f->x, INT(3)), LE(f->x, INT(5))), LE(f->x, INT(3)));
    SAME(OR(LE(f->x, INT(3)), LE(f->x, INT(5))), LE(f->x, INT(5)));
    SAME(AND(LE(f->x, INT(3)), LE(INT(4), f->x)), NO);
    SAME(AND(EQ(f->x, INT(3)), LE(f->x, INT(5))), EQ(f->x, INT(3)));
    SAME(AND(EQ(f->x, INT(3)), EQ(f->x, INT(4))), NO);
    SAME(AND(f->p, OR(NOT(f->p), f->q)), AND(f->p, f->q));
    SAME(OR(f->p, AND(NOT(f->p), f->q)), OR(f->p, f->q));
    assert_int_equal(AND(LE(f->x, INT(4)), LE(INT(4), f->x))->op, TC_T_AND);
}

// The path condition of a join is the one before the branch.
TEST(joins_do_not_grow) {
    tc_t g = AND(f->p, LT(f->x, f->n)), c = LT(f->y, f->n), d = AND(f->r, f->s);
    SAME(OR(AND(g, c), AND(g, NOT(c))), g);
    SAME(OR(AND(g, d), AND(g, NOT(d))), g);
    SAME(OR(AND(g, f->q), AND(g, f->r)), AND(g, OR(f->q, f->r)));
    // three ways
    tc_t a = AND(g, f->q), b = AND(g, AND(NOT(f->q), f->r)), e = AND(g, AND(NOT(f->q), NOT(f->r)));
    SAME(OR(OR(a, b), e), g);
    SAME(OR(e, OR(b, a)), g);
    SAME(OR(a, OR(b, e)), g);
    tc_t all[] = {a, e, b};
    SAME(tc_or_n(f->ts, all, 3), g);
    // an early return inside a branch
    SAME(OR(AND(g, AND(f->q, NOT(f->r))), AND(g, NOT(f->q))), AND(g, OR(NOT(f->q), NOT(f->r))));
    // a ladder of branches, joined from the inside out, is always the condition it began with
    tc_t path = g, pieces[40];
    for (int k = 0; k < 40; k++) {
        tc_t x = LT(sym(f->ts, "k", 0, 100), f->n);
        pieces[k] = AND(path, NOT(x));
        path = AND(path, x);
    }
    for (int k = 40; k-- > 0;)
        path = OR(path, pieces[k]);
    SAME(path, g);
}

TEST(substitution_and_renaming) {
    tc_map map = {0};
    tc_arena *a = tc_terms_arena(f->ts);
    tc_map_put(a, &map, TC_KEY(f->x), (void *)(uintptr_t)f->y);
    tc_map_put(a, &map, TC_KEY(f->y), (void *)(uintptr_t)f->x);
    SAME(tc_subst(f->ts, SUB(f->x, MULC(f->y, 2)), &map), SUB(f->y, MULC(f->x, 2)));
    tc_map whole = {0};
    tc_map_put(a, &whole, TC_KEY(tc_wrap(f->ts, f->x, 32, true)), (void *)(uintptr_t)f->x);
    SAME(tc_subst(f->ts, MUL(tc_wrap(f->ts, f->x, 32, true), f->n), &whole), MUL(f->x, f->n));

    tc_sym *b = tc_sym_new(f->ts, "b", TC_SYM_BLOCKIDX, TC_VAR_BLOCK, TC_INT);
    tc_fn *launch = tc_fn_new(f->ts, "ids", 1), *own = tc_fn_new(f->ts, "local", 1);
    own->variance = TC_VAR_BLOCK;
    tc_t bt = tc_of_sym(f->ts, b), e = ADD(MUL(bt, f->n), ADD(tc_app(f->ts, launch, &bt), tc_app(f->ts, own, &bt)));
    tc_t one = tc_rename(f->ts, e, TC_VAR_BLOCK, 1), two = tc_rename(f->ts, e, TC_VAR_BLOCK, 2);
    assert_ptr_not_equal(one, two);
    SAME(one, tc_rename(f->ts, e, TC_VAR_BLOCK, 1));
    SAME(tc_rename(f->ts, f->n, TC_VAR_BLOCK, 1), f->n);
    SAME(tc_rename(f->ts, e, TC_VAR_THREAD, 1), e);
    tc_t b1 = tc_rename(f->ts, bt, TC_VAR_BLOCK, 1);
    assert_ptr_equal(b1->sym->origin, b);
    assert_int_equal(b1->sym->copy, 1);
    SAME(tc_rename(f->ts, tc_app(f->ts, launch, &bt), TC_VAR_BLOCK, 1), tc_app(f->ts, launch, &b1));
}

static void count(void *ctx, tc_t t) {
    (void)t;
    ++*(size_t *)ctx;
}

static bool is_symbol_x(void *ctx, tc_t t) {
    return t == (tc_t)ctx;
}

TEST(deep_terms_do_not_exhaust_the_stack) {
    tc_t t = f->x, c = f->p;
    for (int k = 0; k < 100000; k++) {
        t = tc_min(f->ts, ADDC(t, 1), MULC(f->y, k + 2));
        c = OR(AND(c, LT(f->x, INT(k))), EQ(f->z, INT(k)));
    }
    size_t n = 0;
    tc_walk(f->ts, t, count, &n);
    assert_true(n > 100000);
    assert_true(tc_any(f->ts, t, is_symbol_x, (void *)(uintptr_t)f->x));
    assert_false(tc_any(f->ts, t, is_symbol_x, (void *)(uintptr_t)f->z));
    tc_map map = {0};
    tc_map_put(tc_terms_arena(f->ts), &map, TC_KEY(f->x), (void *)(uintptr_t)f->y);
    assert_non_null(tc_subst(f->ts, t, &map));
    assert_non_null(tc_subst(f->ts, c, &map));
    SAME(tc_not(f->ts, tc_not(f->ts, c)), c);
    tc_env env = {.ctx = NULL};
    tc_i128 v;
    assert_true(tc_eval(f->ts, t, &env, &v));
    assert_true(strlen(tc_term_text(f->ts, t)) < 20000);
    tc_t big = YES, sum = INT(0);
    for (int k = 0; k < 20000; k++) {
        big = AND(big, EQ(sym(f->ts, "e", 1, 0), INT(k)));
        sum = ADD(sum, sym(f->ts, "e", 1, 0));
    }
    n = 0;
    tc_walk(f->ts, big, count, &n);
    assert_true(n >= 40000);
    assert_ptr_not_equal(NOT(big), NO);
}

TEST(evaluation_is_exact) {
    tc_env env = {.ctx = NULL};
    tc_i128 v, seven = 7, zero = 0;
    tc_map_put(tc_terms_arena(f->ts), &env.syms, TC_KEY(f->x->sym), &seven);
    tc_map_put(tc_terms_arena(f->ts), &env.syms, TC_KEY(f->y->sym), &zero);
    assert_true(tc_eval(f->ts, ADDC(MULC(f->x, 3), 1), &env, &v) && v == 22);
    assert_false(tc_eval(f->ts, tc_div(f->ts, f->x, f->y), &env, &v));
    assert_true(tc_eval(f->ts, ITE(EQ(f->y, INT(0)), f->x, tc_div(f->ts, f->x, f->y)), &env, &v) && v == 7);
    assert_true(tc_eval(f->ts, AND(EQ(f->x, INT(8)), EQ(tc_div(f->ts, f->x, f->y), INT(1))), &env, &v) && v == 0);
    assert_false(tc_eval(f->ts, tc_pow2_term(f->ts, SUB(f->y, f->x)), &env, &v));
    assert_false(tc_eval(f->ts, tc_pow2_term(f->ts, MUL(f->x, MULC(f->x, 3))), &env, &v));
    assert_true(tc_eval(f->ts, tc_pow2_term(f->ts, f->x), &env, &v) && v == 128);
}

static void text_is(fixture *f, tc_t t, const char *want) {
    assert_string_equal(tc_term_text(f->ts, t), want);
}

TEST(text_reads_like_source) {
    tc_t b = sym(f->ts, "blockIdx.x", 0, 100), th = sym(f->ts, "threadIdx.x", 0, 100);
    tc_t i = ADD(MULC(b, 16), th);
    text_is(f, i, "blockIdx.x * 16 + threadIdx.x");
    text_is(f, LT(i, f->n), "blockIdx.x * 16 + threadIdx.x < n");
    text_is(f, LE(f->n, i), "n <= blockIdx.x * 16 + threadIdx.x");
    text_is(f, LT(f->x, INT(16)), "x < 16");
    text_is(f, LE(f->x, INT(1000)), "x <= 1000");
    text_is(f, LT(INT(0), f->x), "x > 0");
    text_is(f, LE(INT(4), f->x), "x >= 4");
    text_is(f, LE(ADDC(f->x, 4), f->n), "x + 4 <= n");
    text_is(f, EQ(f->x, INT(3)), "x == 3");
    text_is(f, NOT(EQ(f->x, f->y)), "x != y");
    text_is(f, SUB(f->x, f->y), "x - y");
    text_is(f, SUB(INT(0), f->x), "-x");
    text_is(f, ADDC(f->x, -1), "x - 1");
    text_is(f, MUL(f->x, ADDC(DIV(f->y, 2), 0)), "x * (y / 2)");
    text_is(f, DIV(ADDC(f->x, 1), 2), "(x + 1) / 2");
    text_is(f, AND(f->p, OR(f->q, f->r)), "p && (q || r)");
    text_is(f, ITE(f->p, f->x, f->y), "p ? x : y");
    text_is(f, ADDC(ITE(f->p, f->x, f->y), 1), "(p ? x : y) + 1");
    text_is(f, tc_pow2_term(f->ts, f->x), "1 << x");
    text_is(f, NOT(f->p), "!p");
    text_is(f, tc_min(f->ts, f->x, f->y), "min(x, y)");
    text_is(f, tc_wrap(f->ts, ADD(f->x, f->y), 32, true), "(int32)(x + y)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_polynomials_are_one_term),
        cmocka_unit_test(an_overflow_of_128_bits_is_left_alone),
        cmocka_unit_test(large_sums_and_products_stay_small_terms),
        cmocka_unit_test(division_by_constants),
        cmocka_unit_test(division_by_symbols),
        cmocka_unit_test(c_division_becomes_floor_division_where_signs_are_known),
        cmocka_unit_test(wraps_go_where_they_change_nothing),
        cmocka_unit_test(minimum_and_maximum),
        cmocka_unit_test(choices),
        cmocka_unit_test(bit_operations),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(conjunctions_and_disjunctions),
        cmocka_unit_test(joins_do_not_grow),
        cmocka_unit_test(substitution_and_renaming),
        cmocka_unit_test(deep_terms_do_not_exhaust_the_stack),
        cmocka_unit_test(evaluation_is_exact),
        cmocka_unit_test(text_reads_like_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
