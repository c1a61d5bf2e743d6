// Proving: kernels' index arithmetic, each with broken twins that must not be proved.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/solve.h"

enum { HYPS = 40 };

typedef struct fixture {
    tc_terms *ts;
    tc_solver *s;
    tc_t hyps[HYPS];
    size_t n;
} fixture;

typedef struct body {
    void (*fn)(fixture *f);
} body;

static void with_fixture(tc_trap *trap, void *arg) {
    tc_arena *a = tc_arena_new(trap);
    fixture f = {.ts = tc_terms_new(a)};
    f.s = tc_solver_new(f.ts, a, 100);
    ((body *)arg)->fn(&f);
    tc_solver_free(f.s);
    tc_solver_free(f.s);
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

#define ADD(a, b) tc_add(f->ts, (a), (b))
#define SUB(a, b) tc_sub(f->ts, (a), (b))
#define MUL(a, b) tc_mul(f->ts, (a), (b))
#define MULC(a, c) tc_mulc(f->ts, (a), (c))
#define ADDC(a, c) tc_addc(f->ts, (a), (c))
#define INT(v) tc_int(f->ts, (v))
#define LE(a, b) tc_le(f->ts, (a), (b))
#define LT(a, b) tc_lt(f->ts, (a), (b))
#define EQ(a, b) tc_eq(f->ts, (a), (b))
#define NE(a, b) tc_ne(f->ts, (a), (b))
#define AND(a, b) tc_and(f->ts, (a), (b))
#define OR(a, b) tc_or(f->ts, (a), (b))
#define DIV(a, b) tc_div(f->ts, (a), (b))
#define MOD(a, b) tc_mod(f->ts, (a), (b))

static tc_t sym(fixture *f, const char *name, tc_variance v, tc_i128 lo, tc_i128 hi) {
    tc_sym *s = tc_sym_new(f->ts, name, TC_SYM_PARAM, v, TC_INT);
    s->has_lo = s->has_hi = true;
    s->lo = lo;
    s->hi = hi;
    return tc_of_sym(f->ts, s);
}

static tc_t size(fixture *f, const char *name) {
    return sym(f, name, TC_VAR_LAUNCH, 1, INT32_MAX);
}

static tc_t block(fixture *f, const char *name) {
    return sym(f, name, TC_VAR_BLOCK, 0, INT32_MAX - 1);
}

static tc_t thread(fixture *f, const char *name, tc_i128 n) {
    return sym(f, name, TC_VAR_THREAD, 0, n - 1);
}

static tc_t copy(fixture *f, tc_t t, uint32_t k) {
    return tc_rename(f->ts, t, TC_VAR_BLOCK, k);
}

static void have(fixture *f, tc_t t) {
    assert_true(f->n < HYPS);
    f->hyps[f->n++] = t;
}

static void have_both(fixture *f, tc_t t) {
    have(f, copy(f, t, 1));
    have(f, copy(f, t, 2));
}

static void forget(fixture *f) {
    f->n = 0;
}

static void show(fixture *f, tc_t goal, const tc_proof *p) {
    for (size_t i = 0; i < f->n; i++)
        print_message("  have %s\n", tc_term_text(f->ts, f->hyps[i]));
    print_message("  goal %s\n  rung %s, rlimit %llu, %s\n", tc_term_text(f->ts, goal), tc_rung_name(p->rung),
                  (unsigned long long)p->rlimit, p->reason ? p->reason : "");
}

static void must(fixture *f, tc_t goal) {
    tc_proof p = tc_prove(f->s, f->hyps, f->n, goal);
    if (!p.proved) {
        show(f, goal, &p);
        fail_msg("not proved");
    }
}

static void must_not(fixture *f, tc_t goal) {
    tc_proof p = tc_prove(f->s, f->hyps, f->n, goal);
    if (p.proved) {
        show(f, goal, &p);
        fail_msg("proved");
    }
    assert_non_null(p.reason);
    assert_int_equal(p.used.len, 0);
}

// Each hypothesis is needed.
static void needs_all(fixture *f, tc_t goal, size_t from) {
    must(f, goal);
    for (size_t i = from; i < f->n; i++) {
        tc_t keep = f->hyps[i];
        f->hyps[i] = tc_bool(f->ts, true);
        must_not(f, goal);
        f->hyps[i] = keep;
    }
}

// The bytes of one element each, of two different blocks.
static bool disjoint(fixture *f, tc_t offset, tc_i128 width) {
    tc_proof p = tc_prove_disjoint(f->s, f->hyps, f->n, MULC(copy(f, offset, 1), width), width,
                                   MULC(copy(f, offset, 2), width), width);
    return p.proved;
}

TEST(trivial_and_interval) {
    tc_t x = thread(f, "x", 100), y = thread(f, "y", 100);
    must(f, LE(x, INT(99)));
    must_not(f, LE(x, INT(98)));
    have(f, LE(x, y));
    must(f, LE(x, y));
    have(f, LE(y, INT(10)));
    tc_proof p = tc_prove(f->s, f->hyps, f->n, LE(MUL(x, y), INT(100)));
    assert_true(p.proved);
    assert_int_equal(p.rung, TC_RUNG_INTERVAL);
    must_not(f, LE(MUL(x, y), INT(99)));
    have(f, tc_bool(f->ts, false));
    must(f, tc_bool(f->ts, false));
}

// a: i = blockIdx.x * blockDim.x + threadIdx.x, any block size.
TEST(elementwise) {
    tc_t b = block(f, "b"), t = thread(f, "t", 1024), bd = sym(f, "bd", TC_VAR_LAUNCH, 1, 1024), n = size(f, "n");
    tc_t i = ADD(MUL(b, bd), t);
    have(f, NE(copy(f, b, 1), copy(f, b, 2)));
    have_both(f, LT(t, bd));
    assert_true(disjoint(f, i, 4));
    assert_false(disjoint(f, ADD(MUL(b, ADDC(bd, -1)), t), 4));
    f->hyps[2] = LE(copy(f, t, 2), copy(f, bd, 2));
    assert_false(disjoint(f, i, 4));
    forget(f);
    have(f, LT(t, bd));
    have(f, LT(i, n));
    must(f, LE(INT(0), i));
    must(f, LT(i, n));
    must_not(f, LT(ADDC(i, 1), n));
}

// b: grid-stride loop.
TEST(grid_stride) {
    tc_t b = block(f, "b"), t = thread(f, "t", 1024), k = sym(f, "k", TC_VAR_ITERATION, 0, INT32_MAX);
    tc_t bd = sym(f, "bd", TC_VAR_LAUNCH, 1, 1024), gd = size(f, "gd");
    tc_t i = ADD(MUL(MUL(k, gd), bd), ADD(MUL(b, bd), t));
    have(f, NE(copy(f, b, 1), copy(f, b, 2)));
    have_both(f, LT(t, bd));
    have_both(f, LT(b, gd));
    assert_true(disjoint(f, i, 4));
    assert_false(disjoint(f, ADD(MUL(MUL(k, ADDC(gd, -1)), bd), ADD(MUL(b, bd), t)), 4));
    f->hyps[3] = tc_bool(f->ts, true);
    assert_false(disjoint(f, i, 4));
}

// c: a tile of a matrix with symbolic sizes.
TEST(matrix_tile) {
    tc_t by = block(f, "by"), bx = block(f, "bx"), ty = thread(f, "ty", 16), tx = thread(f, "tx", 16);
    tc_t m = size(f, "M"), n = size(f, "N"), ld = size(f, "ld");
    tc_t row = ADD(MULC(by, 16), ty), col = ADD(MULC(bx, 16), tx), i = ADD(MUL(row, n), col);
    have(f, LT(row, m));
    have(f, LT(col, n));
    must(f, LE(INT(0), i));
    needs_all(f, LT(i, MUL(m, n)), 0);
    must(f, LE(MULC(ADDC(i, 1), 4), MULC(MUL(m, n), 4)));
    must_not(f, LT(ADDC(i, 1), MUL(m, n)));
    must_not(f, LT(ADD(MUL(row, m), col), MUL(m, n)));
    must(f, LT(ADD(MUL(row, ld), col), ADD(MUL(ADDC(m, -1), ld), n)));
    have(f, LE(n, ld));
    must(f, LT(ADD(MUL(row, ld), col), MUL(m, ld)));
    have(f, LE(MUL(m, ld), INT(INT32_MAX)));
    needs_all(f, LE(ADD(MUL(row, ld), col), INT(INT32_MAX)), 0);

    forget(f);
    have(f, OR(NE(copy(f, bx, 1), copy(f, bx, 2)), NE(copy(f, by, 1), copy(f, by, 2))));
    have_both(f, LT(row, m));
    have_both(f, LT(col, n));
    assert_true(disjoint(f, i, 4));
    assert_false(disjoint(f, ADD(MUL(row, m), col), 4));
    assert_false(disjoint(f, ADD(MUL(row, ld), col), 4));
    have(f, LE(n, ld));
    assert_true(disjoint(f, ADD(MUL(row, ld), col), 4));
    assert_true(disjoint(f, ADDC(ADD(MUL(row, ld), col), -1), 4));
    f->hyps[3] = f->hyps[4] = tc_bool(f->ts, true);
    assert_false(disjoint(f, i, 4));
}

// c without a product bound: sizes are bounded one by one.
TEST(products_of_bounded_sizes) {
    tc_t by = block(f, "by"), ty = thread(f, "ty", 16), m = size(f, "M"), k = size(f, "K"), x = thread(f, "x", 16);
    tc_t row = ADD(MULC(by, 16), ty);
    have(f, LT(row, m));
    have(f, LE(m, INT(32768)));
    have(f, LE(k, INT(32768)));
    have(f, LT(x, k));
    must(f, LE(ADD(MUL(row, k), x), INT(INT32_MAX)));
    f->hyps[2] = LE(k, INT(131072));
    must_not(f, LE(ADD(MUL(row, k), x), INT(INT32_MAX)));
}

// d: padded transpose through shared memory.
TEST(padded_transpose) {
    tc_t tx = thread(f, "tx", 32), ty = thread(f, "ty", 8);
    tc_t at = ADD(MULC(ty, 33), tx), one = tc_rename(f->ts, at, TC_VAR_THREAD, 1), two = tc_rename(f->ts, at, TC_VAR_THREAD, 2);
    tc_t differ = OR(NE(tc_rename(f->ts, tx, TC_VAR_THREAD, 1), tc_rename(f->ts, tx, TC_VAR_THREAD, 2)),
                     NE(tc_rename(f->ts, ty, TC_VAR_THREAD, 1), tc_rename(f->ts, ty, TC_VAR_THREAD, 2)));
    have(f, differ);
    must(f, NE(one, two));
    tc_t narrow = ADD(MULC(ty, 31), tx);
    must_not(f, NE(tc_rename(f->ts, narrow, TC_VAR_THREAD, 1), tc_rename(f->ts, narrow, TC_VAR_THREAD, 2)));
}

// e, f: block numbers taken apart by a symbolic division.
TEST(symbolic_division) {
    tc_t pid = block(f, "pid"), tm = size(f, "tm"), tn = size(f, "tn");
    tc_t q = DIV(pid, tn), r = MOD(pid, tn);
    have(f, LT(pid, MUL(tm, tn)));
    must(f, AND(LE(INT(0), r), LT(r, tn)));
    must(f, LE(INT(0), q));
    needs_all(f, LT(q, tm), 0);
    must_not(f, LT(q, tn));
    forget(f);
    have(f, NE(copy(f, pid, 1), copy(f, pid, 2)));
    must(f, OR(NE(copy(f, q, 1), copy(f, q, 2)), NE(copy(f, r, 1), copy(f, r, 2))));
    must_not(f, NE(copy(f, r, 1), copy(f, r, 2)));
    must_not(f, OR(NE(copy(f, q, 1), copy(f, q, 2)), NE(MOD(copy(f, pid, 1), tm), MOD(copy(f, pid, 2), tm))));
    // divisors that may be 0 say nothing
    forget(f);
    tc_t z = sym(f, "z", TC_VAR_LAUNCH, 0, 100);
    must_not(f, LE(INT(0), DIV(pid, z)));
    must_not(f, LT(MOD(pid, z), ADDC(z, 1)));
    must_not(f, EQ(DIV(MUL(pid, z), z), pid));
    have(f, LE(INT(1), z));
    must(f, LE(INT(0), DIV(pid, z)));
    must(f, LT(MOD(pid, z), z));
}

// An index that is taken apart by extents, and put together with others: no product of five is known but by the bounds of its digits.
TEST(quotients_below_extents) {
    tc_t i = block(f, "i"), c = sym(f, "c", TC_VAR_LAUNCH, 1, 256), h = sym(f, "h", TC_VAR_LAUNCH, 1, 256);
    tc_t w = sym(f, "w", TC_VAR_LAUNCH, 1, 256), k = sym(f, "k", TC_VAR_LAUNCH, 1, 8);
    tc_t q = DIV(DIV(i, w), h), at = MUL(w, ADD(MOD(DIV(i, w), h), MUL(h, MUL(MUL(k, k), q))));
    must_not(f, LT(q, c));
    have(f, LT(i, MUL(c, MUL(h, w))));
    needs_all(f, LT(q, c), 0);
    needs_all(f, LT(at, INT((tc_i128)1 << 31)), 0);
    must_not(f, LT(q, ADDC(c, -1)));
    must_not(f, LT(at, INT(1069612800)));
    must_not(f, LT(DIV(i, w), c));
    forget(f);
    have(f, LE(i, MUL(c, MUL(h, w)))); // one more
    must_not(f, LT(q, c));
    must(f, LE(q, c));
    // a divisor that may be 0 or negative, or that does not divide the product
    forget(f);
    tc_t z = sym(f, "z", TC_VAR_LAUNCH, -10, 10), o = sym(f, "o", TC_VAR_LAUNCH, 1, 10);
    tc_t n = sym(f, "n", TC_VAR_THREAD, -1000, 1000);
    have(f, LT(n, MUL(c, z)));
    must_not(f, LT(DIV(n, z), c));
    must_not(f, LT(DIV(n, o), c));
    have(f, LE(INT(1), z));
    must(f, LT(DIV(n, z), c));
    must_not(f, LT(DIV(n, o), c));
    // below zero the quotient is rounded down
    forget(f);
    have(f, LT(n, MUL(SUB(c, INT(200)), w)));
    must(f, LT(DIV(n, w), SUB(c, INT(200))));
    must_not(f, LT(tc_tdiv(f->ts, n, w), SUB(c, INT(200))));
}

TEST(grouped_raster) {
    tc_t pid = block(f, "pid"), npm = size(f, "npm"), npn = size(f, "npn");
    tc_t group = MULC(npn, 8), g = DIV(pid, group), local = MOD(pid, group);
    tc_t rows = tc_min(f->ts, SUB(npm, MULC(g, 8)), INT(8));
    have(f, LT(pid, MUL(npm, npn)));
    must(f, LE(INT(1), rows));
    have(f, LE(INT(1), rows));
    must(f, LT(ADD(MULC(g, 8), MOD(local, rows)), npm));
    must_not(f, LT(ADD(MULC(g, 8), MOD(local, INT(8))), npm));
}

// g: swizzled columns.
TEST(swizzle) {
    tc_t row = thread(f, "row", 64), col = thread(f, "col", 64);
    tc_t x = tc_bitop(f->ts, TC_T_BITXOR, col, MOD(row, INT(8))), at = ADD(MULC(row, 64), x);
    must(f, AND(LE(INT(0), at), LT(at, INT(4096))));
    tc_t r1 = tc_rename(f->ts, row, TC_VAR_THREAD, 1), r2 = tc_rename(f->ts, row, TC_VAR_THREAD, 2);
    tc_t c1 = tc_rename(f->ts, col, TC_VAR_THREAD, 1), c2 = tc_rename(f->ts, col, TC_VAR_THREAD, 2);
    have(f, OR(NE(r1, r2), NE(c1, c2)));
    must(f, NE(tc_rename(f->ts, at, TC_VAR_THREAD, 1), tc_rename(f->ts, at, TC_VAR_THREAD, 2)));
    tc_t bad = ADD(MULC(row, 32), x);
    must_not(f, NE(tc_rename(f->ts, bad, TC_VAR_THREAD, 1), tc_rename(f->ts, bad, TC_VAR_THREAD, 2)));
    must_not(f, LT(tc_bitop(f->ts, TC_T_BITXOR, col, MULC(MOD(row, INT(8)), 16)), INT(64)));
}

// h: four dimensions, the last one constant.
TEST(four_dimensions) {
    tc_t b = block(f, "b"), h = sym(f, "h", TC_VAR_BLOCK, 0, INT32_MAX), s = sym(f, "s", TC_VAR_BLOCK, 0, INT32_MAX);
    tc_t d = thread(f, "d", 128), B = size(f, "B"), H = size(f, "H"), S = size(f, "S");
    tc_t i = ADD(MULC(ADD(MUL(ADD(MUL(b, H), h), S), s), 128), d);
    have(f, LT(b, B));
    have(f, LT(h, H));
    have(f, LT(s, S));
    needs_all(f, LT(i, MULC(MUL(MUL(B, H), S), 128)), 0);
    must(f, LE(INT(0), i));
    must_not(f, LT(ADD(MULC(ADD(MUL(ADD(MUL(h, B), b), S), s), 128), d), MULC(MUL(MUL(B, B), S), 128)));
    forget(f);
    have(f, OR(NE(copy(f, b, 1), copy(f, b, 2)), OR(NE(copy(f, h, 1), copy(f, h, 2)), NE(copy(f, s, 1), copy(f, s, 2)))));
    have_both(f, LT(h, H));
    have_both(f, LT(s, S));
    assert_true(disjoint(f, i, 2));
    assert_false(disjoint(f, ADD(MULC(ADD(MUL(ADD(MUL(h, B), b), S), s), 128), d), 2));
    tc_t shorter = ADD(MULC(ADD(MUL(ADD(MUL(b, H), h), S), s), 127), d);
    assert_false(disjoint(f, shorter, 2));
    f->hyps[4] = tc_bool(f->ts, true);
    assert_false(disjoint(f, i, 2));
}

// i: rows through an index array.
TEST(index_array) {
    tc_fn *ids = tc_fn_new(f->ts, "ids", 1);
    tc_t b = block(f, "b"), c = thread(f, "c", 1024), n = size(f, "n"), dim = size(f, "dim");
    tc_t id = tc_app(f->ts, ids, &b), at = ADD(MUL(id, dim), c);
    have(f, AND(LE(INT(0), id), LT(id, n)));
    have(f, LT(c, dim));
    must(f, AND(LE(INT(0), at), LT(at, MUL(n, dim))));
    forget(f);
    tc_t i1 = copy(f, id, 1), i2 = copy(f, id, 2);
    have(f, NE(copy(f, b, 1), copy(f, b, 2)));
    have_both(f, LT(c, dim));
    assert_false(disjoint(f, at, 4));
    have(f, OR(NE(i1, i2), EQ(copy(f, b, 1), copy(f, b, 2))));
    assert_true(disjoint(f, at, 4));
}

// j, k: reductions and stencils are linear.
TEST(linear_kernels) {
    tc_t t = thread(f, "t", 1024), s = sym(f, "s", TC_VAR_BLOCK, 1, 512), bd = sym(f, "bd", TC_VAR_LAUNCH, 1, 1024);
    tc_t t1 = tc_rename(f->ts, t, TC_VAR_THREAD, 1), t2 = tc_rename(f->ts, t, TC_VAR_THREAD, 2);
    have(f, LE(MULC(s, 2), bd));
    have(f, LT(t1, s));
    have(f, LT(t2, s));
    have(f, NE(t1, t2));
    must(f, NE(t1, ADD(t2, s)));
    must(f, LT(ADD(t1, s), bd));
    must(f, LE(MULC(DIV(s, INT(2)), 2), bd));
    f->hyps[1] = tc_bool(f->ts, true);
    must_not(f, NE(t1, ADD(t2, s)));
    forget(f);
    have(f, NE(t1, t2));
    must_not(f, NE(t1, ADDC(t2, 1)));
}

// l: a 32-bit sum that does or does not wrap.
TEST(wrapping) {
    tc_t n = size(f, "n"), b = block(f, "b"), t = thread(f, "t", 256), gd = size(f, "gd");
    have(f, EQ(gd, DIV(ADDC(n, 255), INT(256))));
    have(f, LT(b, gd));
    tc_t i = ADD(MULC(b, 256), t), w = tc_wrap(f->ts, i, 32, true);
    must(f, LE(i, INT(INT32_MAX)));
    must(f, EQ(w, i));
    forget(f);
    t = thread(f, "t", 96);
    have(f, EQ(gd, DIV(ADDC(n, 95), INT(96))));
    have(f, LT(b, gd));
    i = ADD(MULC(b, 96), t);
    must_not(f, LE(i, INT(INT32_MAX)));
    must_not(f, EQ(tc_wrap(f->ts, i, 32, true), i));
    must(f, EQ(MOD(SUB(tc_wrap(f->ts, i, 32, true), i), INT(tc_pow2(32))), INT(0)));
}

TEST(three_factors) {
    tc_t a = size(f, "a"), b = size(f, "b"), c = size(f, "c"), i = block(f, "i");
    have(f, LE(MUL(MUL(a, b), c), INT(1 << 30)));
    must(f, LE(MUL(a, b), INT(1 << 30)));
    must(f, LE(MUL(b, c), INT(1 << 30)));
    must_not(f, LE(MUL(a, a), INT(1 << 30)));
    have(f, LT(i, MUL(MUL(a, b), c)));
    must(f, LT(MOD(DIV(i, c), b), b));
    must(f, LT(DIV(i, c), MUL(a, b)));
    must_not(f, LT(DIV(i, c), a));
}

TEST(powers_of_two) {
    tc_t k = sym(f, "k", TC_VAR_LAUNCH, 0, 20), j = sym(f, "j", TC_VAR_LAUNCH, 0, 20), x = size(f, "x");
    tc_t p = tc_pow2_term(f->ts, k), q = tc_pow2_term(f->ts, j);
    must(f, LE(INT(1), p));
    have(f, LT(k, j));
    must(f, LE(MULC(p, 2), q));
    must_not(f, LE(MULC(p, 3), q));
    forget(f);
    have(f, EQ(tc_bitop(f->ts, TC_T_BITAND, x, ADDC(x, -1)), INT(0)));
    must_not(f, LE(INT(2), x));
    must_not(f, EQ(MOD(x, INT(2)), INT(0)));
}

// A power of two below a bound is one of a few numbers; the goal has to hold for each, also for the largest and the least.
TEST(one_of_a_few_values) {
    tc_t t = thread(f, "t", 512), s = sym(f, "s", TC_VAR_LAUNCH, 0, INT32_MAX), x = copy(f, t, 1), y = copy(f, t, 2);
    tc_t mask = ADDC(s, -1), power = EQ(tc_bitop(f->ts, TC_T_BITAND, s, mask), INT(0));
    tc_t px = SUB(MULC(x, 2), tc_bitop(f->ts, TC_T_BITAND, x, mask)), py = SUB(MULC(y, 2), tc_bitop(f->ts, TC_T_BITAND, y, mask));
    tc_t apart = tc_ne(f->ts, px, py), fits = LE(ADD(px, s), INT(1023));
    have(f, tc_ne(f->ts, x, y));
    have(f, LE(INT(1), s));
    have(f, LE(s, INT(512)));
    must_not(f, apart);
    have(f, power);
    must(f, apart);
    must(f, fits);
    forget(f);
    have(f, LE(INT(1), s));
    have(f, LE(s, INT(1024)));
    have(f, power);
    must_not(f, fits);
    forget(f);
    have(f, LE(s, INT(512)));
    have(f, power);
    must_not(f, LE(INT(1), tc_bitop(f->ts, TC_T_BITOR, s, MULC(x, 2))));
    // What speaks of another symbol too leaves no value out.
    forget(f);
    have(f, LE(s, INT(8)));
    have(f, EQ(tc_bitop(f->ts, TC_T_BITAND, s, x), INT(0)));
    must_not(f, EQ(tc_bitop(f->ts, TC_T_BITAND, s, INT(15)), INT(0)));
}

TEST(cores_name_what_was_used) {
    tc_t x = block(f, "x"), y = block(f, "y"), z = block(f, "z"), n = size(f, "n");
    have(f, LT(MUL(x, n), MUL(y, n)));
    have(f, LT(z, INT(10)));
    have(f, LT(z, n));
    tc_proof p = tc_prove(f->s, f->hyps, f->n, LT(x, y));
    assert_true(p.proved);
    assert_int_equal(p.used.len, 1);
    assert_ptr_equal(p.used.data[0], f->hyps[0]);
    assert_true(p.rlimit > 0 && p.rlimit < 20000);
}

TEST(a_budget_of_nothing_proves_nothing) {
    tc_t x = block(f, "x"), y = block(f, "y"), n = size(f, "n");
    have(f, LT(MUL(x, n), MUL(y, n)));
    tc_solver *poor = tc_solver_new(f->ts, tc_terms_arena(f->ts), 0);
    tc_proof p = tc_prove(poor, f->hyps, f->n, LT(x, y));
    assert_false(p.proved && p.rlimit > 2000);
    tc_solver_free(poor);
}

TEST(satisfiable) {
    tc_t x = block(f, "x"), n = size(f, "n");
    have(f, LT(x, n));
    assert_true(tc_maybe_sat(f->s, f->hyps, f->n));
    have(f, LE(MUL(n, n), MUL(x, n)));
    assert_false(tc_maybe_sat(f->s, f->hyps, f->n));
}

// ---- searching ----

typedef struct seen {
    fixture *f;
    tc_t a, b;
    tc_i128 va, vb;
    unsigned n;
    bool take;
} seen;

static bool look(void *ctx, tc_model *m) {
    seen *s = ctx;
    assert_true(tc_model_value(m, s->a, &s->va) && tc_model_value(m, s->b, &s->vb));
    for (size_t i = 0; i < s->f->n; i++) {
        tc_i128 v;
        assert_true(tc_model_value(m, s->f->hyps[i], &v) && v == 1);
    }
    s->n++;
    return s->take;
}

static seen find(fixture *f, tc_t a, tc_t b, bool large, bool take, unsigned tries) {
    seen s = {.f = f, .a = a, .b = b, .take = take};
    tc_search search = {.large = large, .tries = tries, .accept = look, .ctx = &s};
    bool found = tc_find(f->s, f->hyps, f->n, &search);
    assert_int_equal(found, take && s.n > 0);
    return s;
}

TEST(counterexamples_are_small_and_true) {
    tc_t by = block(f, "by"), ty = thread(f, "ty", 16), x = sym(f, "x", TC_VAR_BLOCK, 0, INT32_MAX);
    tc_t m = size(f, "M"), n = size(f, "N"), ld = size(f, "ld"), row = ADD(MULC(by, 16), ty);
    // ld >= N is missing
    have(f, LT(row, m));
    have(f, LT(x, n));
    have(f, LE(MUL(m, ld), ADD(MUL(row, ld), x)));
    seen s = find(f, m, n, false, true, 1);
    assert_int_equal(s.n, 1);
    assert_true(s.va >= 1 && s.va <= 4 && s.vb <= 4);
    s = find(f, m, n, false, false, 5);
    assert_true(s.n >= 2 && s.n <= 5);
    have(f, LE(n, ld));
    s = find(f, m, n, false, true, 1);
    assert_int_equal(s.n, 0);
}

TEST(overflows_are_found_at_large_sizes) {
    tc_t r = block(f, "r"), m = size(f, "M"), ld = size(f, "ld");
    have(f, LT(r, m));
    have(f, LT(INT(INT32_MAX), MUL(r, ld)));
    have(f, LE(m, INT(65536)));
    seen s = find(f, m, ld, true, true, 3);
    assert_int_equal(s.n, 1);
}

static void count_entry(void *ctx, const tc_i128 *args, tc_i128 value) {
    (void)args;
    (void)value;
    ++*(unsigned *)ctx;
}

static bool look_table(void *ctx, tc_model *m) {
    seen *s = ctx;
    unsigned n = 0;
    tc_model_table(m, s->a->fn, count_entry, &n);
    assert_true(n >= 1);
    return look(ctx, m);
}

TEST(models_give_tables_and_bits) {
    tc_fn *ids = tc_fn_new(f->ts, "ids", 1);
    tc_t b = block(f, "b"), id = tc_app(f->ts, ids, &b), x = sym(f, "x", TC_VAR_LAUNCH, 0, 255), y = sym(f, "y", TC_VAR_LAUNCH, 0, 255);
    have(f, LT(INT(7), id));
    have(f, EQ(tc_bitop(f->ts, TC_T_BITXOR, x, y), INT(5)));
    seen s = {.f = f, .a = id, .b = x, .take = true};
    tc_search search = {.tries = 2, .accept = look_table, .ctx = &s};
    assert_true(tc_find(f->s, f->hyps, f->n, &search));
    assert_true(s.va > 7);
}

TEST(preferences_are_kept_where_they_can_be) {
    tc_t x = size(f, "x"), y = size(f, "y");
    have(f, LT(x, y));
    seen s = {.f = f, .a = x, .b = y, .take = true};
    tc_t soft[] = {EQ(y, INT(3)), EQ(x, INT(9)), EQ(x, INT(2))};
    tc_search search = {.soft = soft, .nsoft = 3, .accept = look, .ctx = &s};
    // limits grow: under the first that fits, what can be kept is kept
    assert_true(tc_find(f->s, f->hyps, f->n, &search));
    assert_true(s.va < s.vb && s.vb <= 3);
}

// The columns of a convolution: eight sizes, products of five of them, quotients by two.
static tc_work search_columns(fixture *f) {
    tc_t c = size(f, "C"), h = size(f, "H"), w = size(f, "W"), oh = size(f, "OH"), ow = size(f, "OW"), k = size(f, "K");
    tc_t stride = size(f, "stride"), pad = sym(f, "pad", TC_VAR_LAUNCH, 0, INT32_MAX);
    tc_t i = ADD(MULC(block(f, "b"), 256), thread(f, "t", 256));
    tc_t ky = sym(f, "ky", TC_VAR_ITERATION, 0, INT32_MAX), kx = sym(f, "kx", TC_VAR_ITERATION, 0, INT32_MAX);
    tc_t ox = MOD(i, ow), oy = MOD(DIV(i, ow), oh), ch = DIV(DIV(i, ow), oh);
    tc_t y = SUB(ADD(MUL(oy, stride), ky), pad), x = SUB(ADD(MUL(ox, stride), kx), pad);
    tc_t top = INT(1 << 29), area = MUL(oh, ow), kk = MUL(k, k);
    tc_t to = ADD(MUL(ADD(MUL(ch, kk), ADD(MUL(ky, k), kx)), area), ADD(MUL(oy, ow), ox));
    tc_t from = ADD(MUL(ADD(MUL(ch, h), y), w), x);
    have(f, LT(MUL(c, MUL(kk, area)), top));
    have(f, LT(MUL(c, MUL(h, w)), top));
    have(f, LT(i, MUL(c, area)));
    have(f, LT(ky, k));
    have(f, LT(kx, k));
    size_t n = f->n;
    tc_t in_to = AND(LE(INT(0), to), LT(to, MUL(c, MUL(kk, area))));
    have(f, AND(AND(LE(INT(0), y), LT(y, h)), AND(LE(INT(0), x), LT(x, w))));
    tc_t in_from = AND(LE(INT(0), from), LT(from, MUL(c, MUL(h, w))));
    // Both hold, and nothing breaks them: whatever is proved, the search must end.
    const tc_t goals[] = {in_to, in_from, LT(to, top), LT(from, top)};
    tc_work before = tc_solver_work(f->s), after;
    for (size_t g = 0; g < 4; g++) {
        f->n = g == 0 || g == 2 ? n : n + 1;
        (void)tc_prove(f->s, f->hyps, f->n, goals[g]);
        have(f, tc_not(f->ts, goals[g]));
        seen s = {.f = f, .a = c, .b = k, .take = true};
        tc_search search = {.large = true, .tries = 4, .accept = look, .ctx = &s};
        assert_false(tc_find(f->s, f->hyps, f->n, &search));
        f->n--;
    }
    after = tc_solver_work(f->s);
    return (tc_work){after.rlimit - before.rlimit, after.questions - before.questions, 0};
}

TEST(work_is_bounded_and_the_same_every_time) {
    tc_work first = search_columns(f);
    assert_true(first.questions > 0 && first.questions < 2000);
    assert_true(first.rlimit < 1500000);
    tc_arena *a = tc_arena_new(tc_arena_trap(tc_terms_arena(f->ts)));
    fixture again = {.ts = tc_terms_new(a)};
    again.s = tc_solver_new(again.ts, a, 100);
    tc_work second = search_columns(&again);
    tc_solver_free(again.s);
    assert_int_equal(first.rlimit, second.rlimit);
    assert_int_equal(first.questions, second.questions);
}

// Is b at least 1, where d e + 3b >= c, d e <= a <= most, and c >= least or b mod 4 >= 3? And once more, with 2. In a manager of its own,
// with what is known from before, if anything is.
static bool ask_about(fixture *f, tc_answers *known, tc_i128 most, tc_i128 least, unsigned effort, tc_work *work) {
    tc_arena *a = tc_terms_arena(f->ts);
    fixture g = {.ts = tc_terms_new(a)};
    g.s = tc_solver_new(g.ts, a, effort);
    if (known)
        tc_solver_know(g.s, known);
    tc_t x = tc_mul(g.ts, sym(&g, "d", TC_VAR_LAUNCH, 0, 1000), sym(&g, "e", TC_VAR_LAUNCH, 0, 1000));
    tc_t y = sym(&g, "b", TC_VAR_LAUNCH, 0, 1000), z = sym(&g, "c", TC_VAR_LAUNCH, 0, 1000);
    have(&g, tc_le(g.ts, x, sym(&g, "a", TC_VAR_LAUNCH, 0, most)));
    have(&g, tc_le(g.ts, z, tc_add(g.ts, x, tc_mulc(g.ts, y, 3))));
    have(&g, tc_or(g.ts, tc_le(g.ts, tc_int(g.ts, least), z), tc_le(g.ts, tc_int(g.ts, 3), tc_mod(g.ts, y, tc_int(g.ts, 4)))));
    bool proved = tc_prove(g.s, g.hyps, g.n, tc_le(g.ts, tc_int(g.ts, 1), y)).proved;
    (void)tc_prove(g.s, g.hyps, g.n, tc_le(g.ts, tc_int(g.ts, 2), y));
    *work = tc_solver_work(g.s);
    tc_solver_free(g.s);
    return proved;
}

// The same answer and the same work as without what is known.
static bool ask_both(fixture *f, tc_answers *known, tc_i128 most, tc_i128 least, unsigned effort, tc_work *work) {
    tc_work alone;
    bool proved = ask_about(f, known, most, least, effort, work);
    assert_int_equal(ask_about(f, NULL, most, least, effort, &alone), proved);
    assert_int_equal(alone.known, 0);
    assert_int_equal(alone.questions, work->questions);
    assert_int_equal(alone.rlimit, work->rlimit);
    return proved;
}

TEST(what_was_asked_is_not_asked_again) {
    tc_answers *known = tc_answers_new(tc_terms_arena(f->ts));
    tc_work w;
    assert_true(ask_both(f, known, 200, 201, 100, &w));
    assert_true(w.questions > 1 && w.known == 0);
    assert_true(ask_both(f, known, 200, 201, 100, &w));
    assert_true(w.known == w.questions);
    // What differs in a range, a number, or the effort alone is another question.
    assert_false(ask_both(f, known, 201, 201, 100, &w));
    assert_true(w.known == 0);
    assert_false(ask_both(f, known, 200, 200, 100, &w));
    assert_true(w.known == 0);
    (void)ask_both(f, known, 200, 201, 90, &w);
    assert_true(w.known == 0);
    // What was not proved is known, too.
    assert_false(ask_both(f, known, 201, 201, 100, &w));
    assert_true(w.known == w.questions);
    assert_true(ask_both(f, known, 200, 201, 100, &w));
    assert_true(w.known == w.questions);
}

// Solving leaves through the trap when memory runs out, at every allocation.
static void prove_one_thing(tc_trap *trap, void *arg) {
    tc_arena *a = tc_arena_new(trap);
    fixture f = {.ts = tc_terms_new(a)};
    f.s = tc_solver_new(f.ts, a, 100);
    tc_t x = block(&f, "x"), y = block(&f, "y"), n = size(&f, "n"), h = tc_lt(f.ts, tc_mul(f.ts, x, n), tc_mul(f.ts, y, n));
    *(bool *)arg = tc_prove(f.s, &h, 1, tc_lt(f.ts, x, y)).proved;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    bool done = false;
    tc_alloc_count();
    assert_int_equal(tc_trap_run(prove_one_thing, &done, NULL), TC_OK);
    assert_true(done);
    uint64_t n = tc_alloc_count();
    for (uint64_t i = 1; i <= n; i += 1 + n / 60) {
        done = false;
        tc_alloc_fail_at(i);
        assert_int_equal(tc_trap_run(prove_one_thing, &done, NULL), TC_ENOMEM);
        assert_false(done);
    }
    tc_alloc_fail_at(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trivial_and_interval),
        cmocka_unit_test(elementwise),
        cmocka_unit_test(grid_stride),
        cmocka_unit_test(matrix_tile),
        cmocka_unit_test(products_of_bounded_sizes),
        cmocka_unit_test(padded_transpose),
        cmocka_unit_test(symbolic_division),
        cmocka_unit_test(quotients_below_extents),
        cmocka_unit_test(grouped_raster),
        cmocka_unit_test(swizzle),
        cmocka_unit_test(four_dimensions),
        cmocka_unit_test(index_array),
        cmocka_unit_test(linear_kernels),
        cmocka_unit_test(wrapping),
        cmocka_unit_test(three_factors),
        cmocka_unit_test(powers_of_two),
        cmocka_unit_test(one_of_a_few_values),
        cmocka_unit_test(cores_name_what_was_used),
        cmocka_unit_test(a_budget_of_nothing_proves_nothing),
        cmocka_unit_test(satisfiable),
        cmocka_unit_test(counterexamples_are_small_and_true),
        cmocka_unit_test(overflows_are_found_at_large_sizes),
        cmocka_unit_test(models_give_tables_and_bits),
        cmocka_unit_test(preferences_are_kept_where_they_can_be),
        cmocka_unit_test(work_is_bounded_and_the_same_every_time),
        cmocka_unit_test(what_was_asked_is_not_asked_again),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
