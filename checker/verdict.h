// Obligations and verdicts. A verdict can be made in verdict.c only.
#ifndef TC_CHECKER_VERDICT_H
#define TC_CHECKER_VERDICT_H

#include "checker/interp.h"
#include "checker/model.h"
#include "solver/solve.h"

typedef enum tc_rule {
#define TC_RULE(code, title, run) TC_RULE_##code,
#include "checker/rules.def"
#undef TC_RULE
    TC_RULE_COUNT
} tc_rule;
const char *tc_rule_code(tc_rule r);
const char *tc_rule_title(tc_rule r);
// TC_RULE_COUNT for an unknown code.
tc_rule tc_rule_of_code(const char *code);
// Does the prover decide this rule? Others are listed in the report's rules_not_run.
bool tc_rule_runs(tc_rule r);
// Is it decided at launch sites, in the compilation for the host?
bool tc_rule_is_of_launches(tc_rule r);
// Is it about streams and memory at run time, seen by the runtime shim?
bool tc_rule_is_of_streams(tc_rule r);

// From best to worst; a kernel's verdict is its worst obligation's.
typedef enum tc_verdict { TC_PROVED, TC_PROVED_IF, TC_UNKNOWN, TC_VIOLATED } tc_verdict;
const char *tc_verdict_name(tc_verdict v);

typedef struct tc_counterexample {
    tc_launch launch;
    const tc_watch *contents; // what its threads read of index arrays; NULL where that is not known
    tc_fault fault;     // as the interpreter saw it, or as the contract shows it (contract_only)
    bool contract_only; // a fault of the contract alone: no run is needed to see it
    const char *sizes;  // "n = 1, ld = 16"
    const char *fault_text;
} tc_counterexample;

typedef struct tc_obligation tc_obligation;
struct tc_obligation {
    tc_rule rule;
    tc_verdict verdict;
    tc_loc loc;
    const tc_event *event, *other; // NULL where none
    const tc_check *check;
    uint32_t object;               // index into the model's objects, or TC_NONE
    int contract;                  // index into the contract's objects, or -1
    const char *claim;             // what is to be shown: "the write of 'out' stays inside it"
    bool hidden;                   // its rule is switched off: decided for what leans on it, not reported
    tc_tvec hyps;                  // of the goal, after wraps are resolved
    tc_t goal;                     // NULL when there is nothing to prove (see reason)
    TC_VEC(uint32_t) depends_on;   // indices of obligations that this proof leans on
    TC_VEC(uint32_t) read_back;    // model objects of which the proof takes what a thread stored for what it loads
    TC_VEC(uint32_t) uses;         // model objects of which the proof takes the contents at launch
    TC_VEC(tc_fact) preconditions; // for TC_PROVED_IF
    const char *reason;            // for TC_UNKNOWN; with the attribute that would unlock it
    bool handed;                   // its proof leans on hand-overs between blocks (handed.h)
    bool handed_in_block;          // … between threads of a block
    bool leans;                    // unknown only because something that it leans on is not proved
    const char *hint;              // what would make it hold, or what it hangs on; NULL where nothing is known (hints.c)
    tc_tvec core; // hypotheses in the unsat cores of its proof by Z3: guards, requirements, invariants that it needed
    tc_rung rung;
    uint64_t rlimit;
    tc_counterexample *example; // for TC_VIOLATED
};
typedef TC_VEC(tc_obligation) tc_obligations;

// Something taken for true without proof.
typedef struct tc_taken {
    const char *text, *why;
    tc_loc loc;
} tc_taken;

typedef struct tc_redundant {
    tc_loc loc;
    bool wait; // for asynchronous copies
} tc_redundant;

typedef struct tc_kernel_result {
    const tc_kernel *kernel;
    tc_contract *contract;
    tc_kmodel *model;
    tc_verdict verdict;
    tc_obligations obligations;
    TC_VEC(tc_fact) preconditions;
    TC_VEC(tc_taken) assumptions;
    TC_VEC(tc_redundant) redundant; // barriers and waits that no proof needs, each by itself
    TC_VEC(tc_clause) unused; // parts of tc_requires that no proof needs, each by itself; only where it is asked for
    TC_VEC(tc_loc) missed; // accesses of proved obligations that no small launch comes to
    uint64_t queries, rlimit; // of Z3, searches included
    const char *note; // "ran grid (2,1,1) …", or NULL
} tc_kernel_result;

// A new obligation starts as unknown.
tc_obligation tc_obligation_start(tc_rule rule, tc_loc loc, const char *claim);

void tc_verdict_proved(tc_obligation *ob, tc_rung rung, uint64_t rlimit);
// Proved where `precondition` holds; several may be added.
void tc_verdict_proved_if(tc_arena *a, tc_obligation *ob, tc_fact precondition);
void tc_verdict_unknown(tc_obligation *ob, const char *reason);
// Only for a counterexample that was replayed, or for a fault of the contract alone.
void tc_verdict_violated(tc_obligation *ob, tc_counterexample *example);

// Makes everything unknown that leans on an obligation that is not proved, hands preconditions on, and gives the kernel
// the worst verdict of the obligations that are not hidden. Without any, the kernel is unknown.
void tc_verdict_settle(tc_arena *a, tc_kernel_result *r);

#endif
