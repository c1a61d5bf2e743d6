// What the files of the solver share and nobody else needs.
#ifndef TC_SOLVER_SOLVEI_H
#define TC_SOLVER_SOLVEI_H

#include "solver/solve.h"
#include "solver/termi.h"

typedef struct tc_z3 tc_z3;
typedef struct tc_lowering tc_lowering;

struct tc_solver {
    tc_terms *ts;
    tc_arena *arena;
    tc_answers *answers;      // or NULL
    struct tc_answer *asked;  // the last question's; NULL: what was asked is not kept any more
    TC_VEC(struct tc_ask) missed; // questions that Z3 has not seen, as others had the same answered
    bool caught_up;           // from here on Z3 is asked
    tc_work known;            // what the missed questions took
    unsigned effort;
    bool quick;
    tc_z3 *z3;
    tc_lowering *lowering;
    uint64_t searched; // what the searches took so far
    uint64_t proving;  // what the proofs took, with what it costs to put a question
    uint64_t multiplied; // of that, with real products
    void (*dump)(void *ctx, const char *smtlib);
    void *dump_ctx;
};

// ---- lowering (lower.c): operators to linear integers, products and functions with true facts about them ----

tc_lowering *tc_lowering_new(tc_terms *ts, tc_arena *a);
// t with division, remainder, wrapping, bit operations and powers of two replaced by applications of internal functions.
tc_t tc_lower(tc_lowering *l, tc_t t);
// Appends to all the facts about the internal applications in it, and about those in the facts.
void tc_lower_facts(tc_lowering *l, tc_arena *scratch, tc_tvec *all);
// The value of an internal function; false where it has none or is not internal.
bool tc_lower_value(const tc_lowering *l, const tc_fn *f, const tc_i128 *args, tc_i128 *r);
bool tc_lower_is_internal(const tc_lowering *l, const tc_fn *f);

// ---- products (lemma.c) ----

// Appends to out true statements about the products in the formulas: the first ngoal of them weigh more. wide: all pairs.
// Returns whether a statement came from taking a stride out of an offset (delinearisation).
bool tc_lemmas(tc_terms *ts, tc_arena *scratch, const tc_t *formulas, size_t n, size_t ngoal, bool wide, tc_tvec *out);

// ---- intervals (bounds.c) ----

// Does interval propagation decide that hyps imply goal?
bool tc_bounds_prove(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal);

// The intervals of n terms under hyps; false where these contradict each other, or are too large.
bool tc_bounds_of(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, const tc_t *terms, size_t n, tc_interval *out);

// ---- quotients (quotients.c) ----

// Bounds of the quotients in hyps and goal that the hypotheses imply: out[i] follows from hyps[from[i]]. Returns how many, at most `most`.
size_t tc_quotient_bounds(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t n, tc_t goal, tc_t *out, size_t *from, size_t most);

// ---- case splits (cases.c) ----

enum { TC_CASES_MAX = 64 };

typedef struct tc_cases {
    tc_t sym;
    tc_i128 values[TC_CASES_MAX]; // all that it may have where the hypotheses hold
    unsigned n;
} tc_cases;

// A symbol that the goal's bit operations, powers of two or divisors are made of, and that has few values: the one with fewest. Where
// it takes more than `most` cases, none.
bool tc_cases_find(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal, unsigned most, tc_cases *out);

// ---- enumeration (enum.c) ----

// Tries all values of the goal's symbols where they are few.
bool tc_enumerate(tc_terms *ts, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal);

// ---- bit-vectors (bits.c) ----

// Proves the goal over bit-vectors, where its values are bounded and a bit operation is in it or in a hypothesis. What was spent and the
// hypotheses that were needed are added to p.
bool tc_bits_prove(tc_solver *s, tc_arena *scratch, const tc_t *hyps, size_t nhyps, tc_t goal, uint64_t rlimit, tc_proof *p);
// Appends to out what bit-vectors show of bit operations in the formulas (not lowered ones): x' == x'' => b' == b'' for two instances
// of one operation over a symbol b.
void tc_bits_lemmas(tc_solver *s, tc_arena *scratch, const tc_t *formulas, size_t n, uint64_t rlimit, uint64_t *spent, tc_tvec *out);

// ---- Z3 (z3.c, z3_bits.c) ----

typedef enum tc_z3_answer { TC_Z3_UNSAT, TC_Z3_SAT, TC_Z3_UNDEF } tc_z3_answer;

tc_z3 *tc_z3_new(tc_terms *ts, tc_arena *a);
void tc_z3_free(tc_z3 *z); // idempotent; also done with the arena's trap

// One question at a time. real: products are Z3's own, otherwise an unknown function. scratch lives until the next begin.
// cuts: Gomory and Hermite cuts, which decide remainders; their coefficients grow without bound, and the rlimit does not count
// that, so they are for small budgets.
void tc_z3_begin(tc_z3 *z, tc_arena *scratch, bool real, bool cuts);
// Terms as bit-vectors of this width, not lowered; each has been measured (bits.c).
void tc_z3_begin_bits(tc_z3 *z, tc_arena *scratch, unsigned width);
void tc_z3_assert(tc_z3 *z, tc_t t, bool tracked); // lowered; ranges of its symbols and applications are added
void tc_z3_push(tc_z3 *z);
void tc_z3_pop(tc_z3 *z);
tc_z3_answer tc_z3_check(tc_z3 *z, uint64_t rlimit, uint64_t *spent);
// After UNSAT: was the i-th tracked formula needed?
bool tc_z3_in_core(tc_z3 *z, size_t i);
// After SAT, until the next check.
bool tc_z3_value(tc_z3 *z, tc_t t, tc_i128 *r);
void tc_z3_end(tc_z3 *z);
const char *tc_z3_text(tc_z3 *z); // SMT-LIB
tc_work tc_z3_work(const tc_z3 *z);

// ---- asking for a proof (ask.c) ----

// One formula of a question. tracked: may be told to have been used.
typedef struct tc_asked {
    tc_t formula;
    bool tracked;
} tc_asked;

// Lowered formulas over integers or, with a width, formulas over bit-vectors of that width (see tc_z3_begin).
typedef struct tc_ask {
    const tc_asked *list;
    size_t n;
    bool real, cuts;
    unsigned width;
    uint64_t rlimit;
} tc_ask;

typedef struct tc_known {
    tc_z3_answer answer;
    uint64_t spent;
    const bool *used; // UNSAT: of the tracked formulas
    size_t nused;
} tc_known;

// What putting a question takes, in units of Z3's rlimit.
enum { TC_RLIMIT_PUT = 1500 };

// The budget of an effort of 100, at this solver's effort.
uint64_t tc_solver_budget(const tc_solver *s, uint64_t rlimit);
// Have the proofs of the kernel taken all that they may? Then every answer is UNDEF: a kernel of thousands of questions ends too.
bool tc_solver_is_spent(const tc_solver *s);
// used lives in scratch, or with the answers.
tc_known tc_solver_ask(tc_solver *s, tc_arena *scratch, const tc_ask *a);

// Z3 gets what was answered without it. Before it is asked anything that is no proof; then `asked` ends too.
void tc_solver_catch_up(tc_solver *s, tc_arena *scratch);

// ---- answers of before (answers.c) ----

// All that an answer depends on, but what was asked before, as bytes; lives in the arena it was made in.
typedef struct tc_question {
    const uint8_t *bytes;
    size_t len;
    uint64_t hash;
} tc_question;

typedef struct tc_answer tc_answer;

tc_question tc_answers_question(tc_terms *ts, tc_arena *scratch, const tc_ask *a);
tc_answer *tc_answers_root(tc_answers *all); // before the first question
tc_answer *tc_answers_next(const tc_answer *after, const tc_question *q); // NULL: not asked after that
const tc_known *tc_answer_known(const tc_answer *answer);
tc_answer *tc_answers_put(tc_answers *all, tc_answer *after, const tc_question *q, tc_known known); // copied; NULL: no room

// ---- what a search finds (model.c) ----

typedef struct tc_model_entry {
    const tc_fn *fn;
    const tc_i128 *args;
    tc_i128 value;
} tc_model_entry;

struct tc_model {
    tc_solver *s;
    tc_map syms; // symbol -> tc_i128 *
    TC_VEC(tc_model_entry) table;
};

// What Z3 says of the leaves: symbols, and applications of the caller's functions after their arguments.
void tc_model_read(tc_model *m, tc_solver *s, tc_arena *scratch, const tc_tvec *leaves);
tc_i128 tc_model_clamp(tc_i128 v, bool has_lo, tc_i128 lo, bool has_hi, tc_i128 hi);

#endif
