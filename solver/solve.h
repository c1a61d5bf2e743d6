// Deciding: does a set of hypotheses imply a goal; which small values break it.
//
// The ladder of docs/model.md: polynomial normal form and intervals; linear integers with
// products as an uninterpreted function under ground lemma instances; delinearised
// subscripts; bit-vectors on fixed shapes; real products, gated and last. Each rung is
// sound on its own. Budgets are Z3 rlimits, the seed is fixed: the same answer every run.
#ifndef TC_SOLVER_SOLVE_H
#define TC_SOLVER_SOLVE_H

#include "solver/term.h"

// X(NAME, text)
#define TC_RUNGS(X)                                                                                                    \
    X(NONE, "none")                                                                                                    \
    X(TRIVIAL, "normal-form")                                                                                          \
    X(INTERVAL, "interval")                                                                                            \
    X(LINEAR, "linear")          /* Z3, products uninterpreted, lemmas */                                              \
    X(DELIN, "delinearised")                                                                                           \
    X(BITVECTOR, "bit-vector")                                                                                         \
    X(NONLINEAR, "nonlinear")                                                                                          \
    X(ENUMERATED, "enumerated")

typedef enum tc_rung {
#define X(name, text) TC_RUNG_##name,
    TC_RUNGS(X)
#undef X
        TC_RUNG_COUNT
} tc_rung;
const char *tc_rung_name(tc_rung r);

typedef struct tc_solver tc_solver;

// effort scales every rlimit (100 = the default budget).
// The solver's Z3 context is released with the arena's trap.
tc_solver *tc_solver_new(tc_terms *ts, tc_arena *a, unsigned effort);
void tc_solver_free(tc_solver *s); // early release; idempotent
// Answers to questions of proofs, for all solvers that are given them, before they are asked anything; they and the arena outlive the solvers. What a
// solver answers and what it takes is the same with them and without.
typedef struct tc_answers tc_answers;
tc_answers *tc_answers_new(tc_arena *a);
void tc_solver_know(tc_solver *s, tc_answers *answers);
// Quick: of Z3's attempts only the first, which finds most proofs. For guesses that fail more often than not.
void tc_solver_quick(tc_solver *s, bool quick);

// What was asked of Z3 so far, by proofs and searches.
typedef struct tc_work {
    uint64_t rlimit;    // Z3's steps
    uint64_t questions;
    uint64_t known; // of these, what others had answered; Z3 was not asked
} tc_work;
tc_work tc_solver_work(const tc_solver *s);

typedef struct tc_proof {
    bool proved;
    tc_rung rung;
    uint64_t rlimit;    // spent, on all rungs tried
    tc_tvec used;       // the hypotheses in the unsat core (all of them where no core is known)
    const char *reason; // when not proved: "budget", "no rung decides it", …
} tc_proof;

// Is (and of hyps) => goal valid? Ranges of symbols and functions are added by the solver.
// SOUND: `proved` only when some rung found the negation unsatisfiable under true lemmas.
tc_proof tc_prove(tc_solver *s, const tc_t *hyps, size_t nhyps, tc_t goal);

// Do the byte ranges [a, a + wa) and [b, b + wb) never meet under hyps? a and b are offsets in
// one object; wa, wb positive constants. Tries the difference form of delinearisation first
// (docs/model.md), then the lemma rungs.
tc_proof tc_prove_disjoint(tc_solver *s, const tc_t *hyps, size_t nhyps, tc_t a, tc_i128 wa, tc_t b, tc_i128 wb);

// Are hyps satisfiable? true means "a model was found or cannot be excluded".
bool tc_maybe_sat(tc_solver *s, const tc_t *hyps, size_t nhyps);

// A search for values: launch symbols bounded by growing limits, smallest first. Products are made linear by fixing their
// factors, so that the solver's steps bound the time. All searches with one solver share a budget.
typedef struct tc_model tc_model;

typedef struct tc_search {
    const tc_t *soft;      // preferences tried in turn, each kept if satisfiable (e.g. gridDim.y == 1)
    size_t nsoft;
    bool large;            // also try sizes near 2^31 and 2^32 (for overflow)
    unsigned tries;        // how many different models at most (0 = 1); the callback decides
    // Called for each model; returns true to stop (the model is what was looked for).
    bool (*accept)(void *ctx, tc_model *m);
    void *ctx;
} tc_search;

// Looks for models of (and of hyps); true when accept returned true for one.
bool tc_find(tc_solver *s, const tc_t *hyps, size_t nhyps, const tc_search *search);

// The model's value of t (exact evaluation; functions are finite tables with a default).
bool tc_model_value(tc_model *m, tc_t t, tc_i128 *r);
// Every application of f in the model: calls fn for each entry of its table.
void tc_model_table(tc_model *m, const tc_fn *f, void (*fn)(void *ctx, const tc_i128 *args, tc_i128 value), void *ctx);

// When set, each goal given to Z3 is also written as an SMT-LIB 2 script: called with its text.
void tc_solver_dump(tc_solver *s, void (*fn)(void *ctx, const char *smtlib), void *ctx);

#endif
