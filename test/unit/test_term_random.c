// The simplifier against a plain evaluator, on random expressions and values.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "term_gen.h"

enum { ROUNDS = 30000, VALUES = 12, BYTES = 400 };

typedef struct random_state {
    uint64_t s;
} random_state;

static uint64_t next(random_state *r) {
    r->s ^= r->s << 13;
    r->s ^= r->s >> 7;
    r->s ^= r->s << 17;
    return r->s;
}

static void one_round(tc_trap *trap, void *arg) {
    random_state *r = arg;
    uint8_t data[BYTES];
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(next(r) >> 24);
    gen g;
    gen_init(&g, tc_terms_new(tc_arena_new(trap)), data, BYTES);
    gen_trees(&g, 8 + (int)(next(r) % 30));
    for (int v = 0; v < VALUES; v++) {
        if (g.len - g.at < 150)
            g.at = 7 * (size_t)v;
        gen_values(&g);
        for (int i = 0; i < g.n; i++) {
            const char *why = gen_check(&g, i);
            if (!why)
                continue;
            for (int k = 0; k <= i; k++) {
                const gen_tree *t = &g.nodes[k];
                static const char *const names[] = {
#define X(name, text) text,
                    TC_TERM_OPS(X)
#undef X
                };
                print_message("  %d: %s value=%lld width=%u sym=%d (%d, %d, %d) -> %s\n", k, names[t->op],
                              (long long)t->value, t->width, t->sym, t->args[0], t->args[1], t->args[2],
                              tc_term_text(g.ts, t->term));
            }
            for (int k = 0; k < GEN_SYMS + GEN_BOOLS; k++)
                print_message("  %s = %s\n", g.syms[k]->name, tc_i128_text(tc_terms_arena(g.ts), g.env[k]));
            fail_msg("node %d: %s", i, why);
        }
    }
}

static void random_expressions(void **state) {
    (void)state;
    random_state r = {UINT64_C(0x9e3779b97f4a7c15)};
    const char *seed = getenv("TC_TEST_SEED"), *rounds = getenv("TC_TEST_ROUNDS");
    if (seed)
        r.s ^= strtoull(seed, NULL, 0) * UINT64_C(0xbf58476d1ce4e5b9);
    long n = rounds ? strtol(rounds, NULL, 0) : ROUNDS;
    for (long i = 0; i < n; i++)
        assert_int_equal(tc_trap_run(one_round, &r, NULL), TC_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_expressions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
