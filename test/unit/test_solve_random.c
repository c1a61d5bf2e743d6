// What is proved holds: random goals over few values against trying them all; lemmas and facts under random values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "solver/solvei.h"

enum { SYMS = 4, ROUNDS = 150, LEMMA_ROUNDS = 400, DRAWS = 40 };

typedef struct random_state {
    uint64_t s;
} random_state;

static unsigned below(random_state *r, unsigned n) {
    r->s ^= r->s << 13;
    r->s ^= r->s >> 7;
    r->s ^= r->s << 17;
    return (unsigned)((r->s >> 20) % n);
}

typedef struct world {
    random_state *r;
    tc_terms *ts;
    tc_lowering *lowering;
    tc_t syms[SYMS];
    tc_i128 values[SYMS];
    tc_fn *fn;
    unsigned salt; // another function for each
} world;

static void make_symbols(world *w) {
    for (int i = 0; i < SYMS; i++) {
        tc_sym *s = tc_sym_new(w->ts, "s", TC_SYM_PARAM, i % 2 ? TC_VAR_LAUNCH : TC_VAR_THREAD, TC_INT);
        s->has_lo = s->has_hi = true;
        s->lo = -(tc_i128)below(w->r, 4);
        s->hi = 1 + (tc_i128)below(w->r, 5);
        w->syms[i] = tc_of_sym(w->ts, s);
    }
    w->fn = tc_fn_new(w->ts, "f", 1);
    w->fn->has_lo = w->fn->has_hi = true;
    w->fn->lo = 0;
    w->fn->hi = 4;
}

static tc_t number(world *w, int depth) {
    tc_terms *ts = w->ts;
    if (depth == 0 || below(w->r, 6) == 0)
        return below(w->r, 4) ? w->syms[below(w->r, SYMS)] : tc_int(ts, (tc_i128)below(w->r, 9) - 3);
    tc_t a = number(w, depth - 1), b = number(w, depth - 1), c = tc_int(ts, 1 + (tc_i128)below(w->r, 8));
    switch (below(w->r, 16)) {
    case 0:
    case 1:
        return tc_add(ts, a, b);
    case 2:
        return tc_sub(ts, a, b);
    case 3:
    case 4:
    case 5:
        return tc_mul(ts, a, b);
    case 6:
        return tc_div(ts, a, c);
    case 7:
        return tc_mod(ts, a, c);
    case 8:
        return below(w->r, 2) ? tc_div(ts, a, b) : tc_mod(ts, a, b);
    case 9:
        return below(w->r, 2) ? tc_tdiv(ts, a, b) : tc_trem(ts, a, b);
    case 10:
        return tc_min(ts, a, b);
    case 11:
        return tc_bitop(ts, (tc_op)(TC_T_BITAND + below(w->r, 3)), a, below(w->r, 2) ? b : c);
    case 12:
        return tc_wrap(ts, a, 3 + below(w->r, 4), below(w->r, 2));
    case 13:
        return tc_ite(ts, tc_le(ts, a, b), b, c);
    case 14:
        return tc_app(ts, w->fn, &a);
    default:
        return tc_pow2_term(ts, tc_mod(ts, a, c));
    }
}

static tc_t condition(world *w, int depth) {
    tc_terms *ts = w->ts;
    unsigned k = below(w->r, 8);
    if (depth == 0 || k < 5) {
        tc_t a = number(w, 2), b = number(w, 1 + (int)below(w->r, 2));
        return k % 3 == 0 ? tc_eq(ts, a, b) : k % 3 == 1 ? tc_le(ts, a, b) : tc_lt(ts, a, b);
    }
    tc_t a = condition(w, depth - 1), b = condition(w, depth - 1);
    return k == 5 ? tc_and(ts, a, b) : k == 6 ? tc_or(ts, a, b) : tc_not(ts, a);
}

static bool app(void *ctx, const tc_fn *f, const tc_i128 *args, tc_i128 *r) {
    world *w = ctx;
    if (w->lowering && tc_lower_is_internal(w->lowering, f))
        return tc_lower_value(w->lowering, f, args, r);
    *r = tc_floor_mod(args[0] * (3 + (tc_i128)w->salt) + w->salt, 5);
    return true;
}

static bool value(void *ctx, const tc_sym *s, tc_i128 *r) {
    world *w = ctx;
    for (int i = 0; i < SYMS; i++)
        if (w->syms[i]->sym == s) {
            *r = w->values[i];
            return true;
        }
    return false;
}

static bool next_values(world *w) {
    for (int i = 0; i < SYMS; i++) {
        if (++w->values[i] <= w->syms[i]->sym->hi)
            return true;
        w->values[i] = w->syms[i]->sym->lo;
    }
    return false;
}

// A case in which all hypotheses are true and the goal is false.
static bool refuted(world *w, const tc_t *hyps, size_t n, tc_t goal) {
    tc_env env = {.app = app, .sym = value, .ctx = w};
    for (int i = 0; i < SYMS; i++)
        w->values[i] = w->syms[i]->sym->lo;
    do {
        tc_i128 v;
        bool all = true;
        for (size_t i = 0; i < n && all; i++)
            all = tc_eval(w->ts, hyps[i], &env, &v) && v == 1;
        if (all && tc_eval(w->ts, goal, &env, &v) && v == 0)
            return true;
    } while (next_values(w));
    return false;
}

typedef struct tally {
    random_state r;
    unsigned proved, asked;
} tally;

static void one_goal(tc_trap *trap, void *arg) {
    tally *t = arg;
    tc_arena *a = tc_arena_new(trap);
    world w = {.r = &t->r, .ts = tc_terms_new(a)};
    make_symbols(&w);
    tc_solver *s = tc_solver_new(w.ts, a, 50);
    tc_t hyps[4];
    size_t n = below(w.r, 5);
    for (size_t i = 0; i < n; i++)
        hyps[i] = condition(&w, 1);
    for (int g = 0; g < 4; g++) {
        tc_t goal = condition(&w, 1);
        tc_proof p = g == 3 ? tc_prove_disjoint(s, hyps, n, number(&w, 2), 2, number(&w, 2), 1) : tc_prove(s, hyps, n, goal);
        t->asked++;
        if (g == 3 || !p.proved)
            continue;
        t->proved++;
        for (w.salt = 0; w.salt < 3; w.salt++)
            if (refuted(&w, hyps, n, goal) || refuted(&w, p.used.data, p.used.len, goal)) {
                for (size_t i = 0; i < n; i++)
                    print_message("  have %s\n", tc_term_text(w.ts, hyps[i]));
                fail_msg("proved by rung %s, but not true: %s", tc_rung_name(p.rung), tc_term_text(w.ts, goal));
            }
    }
}

static long rounds(long n) {
    const char *text = getenv("TC_TEST_ROUNDS");
    return text ? strtol(text, NULL, 0) : n;
}

static uint64_t seed(void) {
    const char *text = getenv("TC_TEST_SEED");
    return UINT64_C(0x9e3779b97f4a7c15) ^ (text ? strtoull(text, NULL, 0) * UINT64_C(0x94d049bb133111eb) : 0);
}

static void what_is_proved_holds(void **state) {
    (void)state;
    tally t = {.r = {seed()}};
    for (long i = 0, n = rounds(ROUNDS); i < n; i++)
        assert_int_equal(tc_trap_run(one_goal, &t, NULL), TC_OK);
    // The test means something only if enough is proved.
    assert_true(t.proved * 10 > t.asked);
}

// The bit-vector rung alone. valid: goals that no case refutes.
typedef struct bits_tally {
    random_state r;
    unsigned proved, valid;
} bits_tally;

static void one_bits_goal(tc_trap *trap, void *arg) {
    bits_tally *t = arg;
    tc_arena *a = tc_arena_new(trap);
    world w = {.r = &t->r, .ts = tc_terms_new(a)};
    make_symbols(&w);
    tc_solver *s = tc_solver_new(w.ts, a, 100);
    tc_t hyps[3], bits = tc_bitop(w.ts, TC_T_BITXOR, w.syms[0], w.syms[1]);
    size_t n = below(w.r, 3);
    for (size_t i = 0; i < n; i++)
        hyps[i] = condition(&w, 1);
    hyps[n++] = tc_le(w.ts, bits, tc_int(w.ts, 2)); // there is always a bit operation
    for (int g = 0; g < 6; g++) {
        tc_t goal = condition(&w, 1);
        tc_proof p = {0};
        bool proved = tc_bits_prove(s, a, hyps, n, goal, 2000000, &p), wrong = false;
        for (w.salt = 0; w.salt < 3; w.salt++) {
            wrong |= refuted(&w, hyps, n, goal);
            if (proved && (wrong || refuted(&w, p.used.data, p.used.len, goal)))
                fail_msg("proved over bit-vectors, but not true: %s", tc_term_text(w.ts, goal));
        }
        t->valid += !wrong;
        t->proved += proved;
    }
    // What is said of two instances of one operation is true of all values.
    tc_t x = number(&w, 2), pair[2] = {tc_bitop(w.ts, TC_T_BITXOR, x, tc_div(w.ts, x, tc_int(w.ts, 2))), NULL};
    pair[0] = tc_eq(w.ts, pair[0], tc_int(w.ts, 3));
    pair[1] = tc_rename(w.ts, pair[0], TC_VAR_THREAD, 1);
    tc_tvec lemmas = {0};
    uint64_t spent = 0;
    tc_bits_lemmas(s, a, pair, 2, 100000, &spent, &lemmas);
    for (size_t i = 0; i < lemmas.len; i++) {
        tc_proof p = {0};
        assert_true(tc_bits_prove(s, a, NULL, 0, lemmas.data[i], 2000000, &p));
    }
}

static void bit_vectors_agree(void **state) {
    (void)state;
    bits_tally t = {.r = {seed()}};
    for (long i = 0, n = rounds(ROUNDS); i < n; i++)
        assert_int_equal(tc_trap_run(one_bits_goal, &t, NULL), TC_OK);
    // Half of the goals divide by what may be 0 or have no bounds; the test means something only if enough is proved.
    print_message("%u of %u true goals proved\n", t.proved, t.valid);
    assert_true(t.proved * 3 > t.valid);
}

// Lowered terms keep their values, and every fact and lemma about them is true, also far outside the symbols' ranges.
static void one_set_of_lemmas(tc_trap *trap, void *arg) {
    random_state *r = arg;
    tc_arena *a = tc_arena_new(trap);
    world w = {.r = r, .ts = tc_terms_new(a)};
    make_symbols(&w);
    w.lowering = tc_lowering_new(w.ts, a);
    tc_tvec all = {0}, lemmas = {0}, before = {0};
    for (int i = 0; i < 4; i++) {
        tc_t t = condition(&w, 1);
        tc_push(a, &before, t);
        tc_push(a, &all, tc_lower(w.lowering, t));
    }
    size_t lowered = all.len;
    tc_lower_facts(w.lowering, a, &all);
    tc_lemmas(w.ts, a, all.data, all.len, 1, below(r, 2), &lemmas);
    tc_env env = {.app = app, .sym = value, .ctx = &w};
    for (int d = 0; d < DRAWS; d++) {
        for (int i = 0; i < SYMS; i++) {
            const tc_sym *s = w.syms[i]->sym;
            w.values[i] = s->lo + (tc_i128)below(r, (unsigned)(s->hi - s->lo + 1));
        }
        tc_i128 x, y;
        for (size_t i = 0; i < lowered; i++)
            if (tc_eval(w.ts, before.data[i], &env, &x) && tc_eval(w.ts, all.data[i], &env, &y) && x != y)
                fail_msg("lowered to another value: %s\n  as %s", tc_term_text(w.ts, before.data[i]),
                         tc_term_text(w.ts, all.data[i]));
        for (size_t i = lowered; i < all.len; i++)
            if (tc_eval(w.ts, all.data[i], &env, &x) && x != 1)
                fail_msg("not a fact: %s", tc_term_text(w.ts, all.data[i]));
        for (size_t i = 0; i < lemmas.len; i++)
            if (tc_eval(w.ts, lemmas.data[i], &env, &x) && x != 1)
                fail_msg("not a lemma: %s", tc_term_text(w.ts, lemmas.data[i]));
    }
}

static void facts_and_lemmas_are_true(void **state) {
    (void)state;
    random_state r = {seed()};
    for (long i = 0, n = rounds(LEMMA_ROUNDS); i < n; i++)
        assert_int_equal(tc_trap_run(one_set_of_lemmas, &r, NULL), TC_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_proved_holds),
        cmocka_unit_test(bit_vectors_agree),
        cmocka_unit_test(facts_and_lemmas_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
