// Launch sites: is each launch that a host function makes one that the kernel's contract allows?
//
// One answer a rule (TC4001, TC4002, TC4003) for each launch, in each function that it is reached from:
// - proved: for all values of the function's parameters, and all else that the file does not show, with which the launch is reached;
//   TC4002 and TC4003 of those launches that meet TC4001;
// - violated: for none of them, and there are some;
// - left to the run time: for some, or it cannot be told. Nothing is said of it but in the report, unless the code itself shows
//   the fault (a grid that leaves out the tail; a grid of zero blocks behind a test of the size that lets it pass): a warning.
#ifndef TC_CHECKER_LAUNCHES_H
#define TC_CHECKER_LAUNCHES_H

#include "checker/check.h"
#include "checker/host.h"
#include "checker/launches_door.h"
#include "checker/rules.h"

typedef enum tc_site_verdict { TC_SITE_PROVED, TC_SITE_RUN_TIME, TC_SITE_VIOLATED } tc_site_verdict;
const char *tc_site_verdict_name(tc_site_verdict v); // "proved", "run-time", "violated"

typedef struct tc_site_value {
    const char *name;
    tc_i128 value;
} tc_site_value;
typedef TC_VEC(tc_site_value) tc_site_values;

// What is said of one rule at one launch.
typedef struct tc_site_rule {
    tc_rule rule;
    bool off; // the rule is switched off
    tc_site_verdict verdict;
    const char *text;      // what fails or is not known; NULL when proved
    tc_site_values values; // with which it fails; none where it always does, or nobody knows
    bool warned;           // left to the run time, and the code shows the fault
    tc_notes notes;        // where the kernel says so, where a buffer comes from
} tc_site_rule;

enum { TC_SITE_RULES = 3 };

typedef struct tc_site_result {
    const tc_kernel *kernel;
    const char *function; // from which the launch is reached
    tc_loc loc;
    tc_notes calls;       // from there to the launch, innermost first
    tc_site_verdict verdict;
    tc_site_rule rules[TC_SITE_RULES];
    TC_VEC(tc_taken) assumptions; // tc_assume and __builtin_assume of the function and of what it calls; that nothing is inferred of the kernel, where that is not known
} tc_site_result;
typedef TC_VEC(tc_site_result) tc_site_results;

// One site while it is decided. Terms of the contract are those of the host function after `given`.
typedef struct tc_site_cx {
    tc_cx *cx;
    const tc_launch_site *site;
    tc_contract *contract;
    tc_map given;       // symbols of the contract -> what is passed
    tc_map exact;       // reductions modulo 2^w that change nothing here
    tc_tvec hyps;       // what is known where the launch is reached
    TC_VEC(tc_fact) facts; // what the contract asks of it; the terms as `given`
} tc_site_cx;

// Decides the site. cx: the host function's.
void tc_site_decide(tc_cx *cx, const tc_launch_site *s, tc_site_result *out);

// ---- what the rules share (site_terms.c) ----

void tc_site_give(tc_site_cx *x);                 // fills `given`
void tc_site_settle(tc_site_cx *x, tc_tvec more); // fills `exact` for what is known, what is asked, and the terms in more
tc_t tc_site_term(tc_site_cx *x, tc_t t);         // of the contract, as the launch has it
typedef TC_VEC(const tc_sym *) tc_site_syms;
tc_site_syms tc_site_params(tc_site_cx *x, tc_t t); // parameters of the host function in it
bool tc_site_shows(tc_site_cx *x, const tc_tvec *h, tc_t goal);
// A launch that is reached, with h: values of what it depends on. False when none is found.
bool tc_site_example(tc_site_cx *x, const tc_tvec *h, tc_site_values *out);
// Does the term depend on what is not the function's own parameters? The name of such a thing, or NULL.
const char *tc_site_unknown(tc_site_cx *x, tc_t t);
bool tc_site_by_contents(tc_site_cx *x, tc_t t); // of what is stored in index arrays

// ---- site_shown.c: of a fact that holds for some values; r gets values with which it fails ----

// Never too many blocks, sometimes enough, and sometimes too few of them: a division that is rounded down.
bool tc_site_leaves_tail(tc_site_cx *x, const tc_tvec *h, const tc_fact *f, tc_site_rule *r);
// Negative sizes are sorted out before the launch, and 0 passes.
bool tc_site_lets_zero_pass(tc_site_cx *x, const tc_fact *f, tc_site_rule *r);

// ---- the rules ----

void tc_site_worse(tc_site_rule *r, tc_site_verdict v, const char *text);
void tc_site_rule_alignment(tc_site_cx *x, tc_site_rule *r); // TC4001: tc_align
void tc_site_rule_buffers(tc_site_cx *x, tc_site_rule *r);  // TC4003 (rule_buffers.c)
void tc_site_rule_aliases(tc_site_cx *x, tc_site_rule *r);  // TC4002

// ---- the unit (launches.c) ----

typedef struct tc_launch_summary {
    unsigned launches, proved, violated, run_time;
} tc_launch_summary;

// launch_report.c
const char *tc_launches_report(tc_arena *a, const tc_unit *u, const tc_options *o, const tc_site_results *sites, const tc_launch_summary *s,
                               const char *before);
const char *tc_launches_summary_text(tc_arena *a, const tc_launch_summary *s);
// What is violated or warned of; with o->left what is left to the run time too.
void tc_launches_tell(tc_arena *a, const tc_options *o, const tc_site_results *sites, tc_findings *out);

#endif
