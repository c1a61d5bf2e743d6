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

// From best to worst; a kernel's verdict is its worst obligation's.
typedef enum tc_verdict { TC_PROVED, TC_PROVED_IF, TC_UNKNOWN, TC_VIOLATED } tc_verdict;
const char *tc_verdict_name(tc_verdict v);

typedef struct tc_counterexample {
    tc_launch launch;
    tc_fault fault; // as the interpreter saw it
} tc_counterexample;

typedef struct tc_obligation tc_obligation;
struct tc_obligation {
    tc_rule rule;
    tc_verdict verdict;
    tc_loc loc;
    const tc_event *event, *other; // NULL where none
    const tc_check *check;
    tc_tvec hyps;                  // of the goal, after wraps are resolved
    tc_t goal;
    TC_VEC(uint32_t) depends_on;   // indices of obligations that this proof leans on
    TC_VEC(tc_fact) preconditions; // for TC_PROVED_IF
    const char *reason;            // for TC_UNKNOWN; with the attribute that would unlock it
    tc_rung rung;
    uint64_t rlimit;
    tc_counterexample *example;    // for TC_VIOLATED
};

typedef struct tc_kernel_result {
    const tc_kernel *kernel;
    tc_contract *contract;
    tc_kmodel *model;
    tc_verdict verdict;
    TC_VEC(tc_obligation) obligations;
    TC_VEC(tc_fact) preconditions;
    const char *note; // "not vacuous: ran …", or NULL
} tc_kernel_result;

#endif
