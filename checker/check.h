// The checker's door: one call for a translation unit.
#ifndef TC_CHECKER_CHECK_H
#define TC_CHECKER_CHECK_H

#include "checker/options.h"
#include "checker/unit.h"

typedef struct tc_summary {
    unsigned kernels, proved, proved_if, violated, unknown;
} tc_summary;

typedef struct tc_result {
    tc_findings findings; // in the order in which they should be shown
    tc_summary summary;
    const char *summary_line; // "tilecheck: 3 kernels: 2 proved, 1 violated (0.21 s)" without the time
    const char *report;       // the JSON text; written to options->report by the caller of tc_check_unit
    const char *dump;         // text for dump=…, or NULL
    const uint8_t *contracts; // notes (embed.h), where the options want them
    size_t ncontracts;        // bytes
} tc_result;

// Checks (or, with options->run, runs) the kernels of u. Never fails: what goes wrong becomes a finding. *r lives in a.
// When even that is impossible (memory), a static result with one TC9002 finding is given.
void tc_check_unit(tc_arena *a, const tc_unit *u, const tc_options *o, tc_result *r);

// Text of `explain=CODE`, in capitals or not; NULL for an unknown code.
const char *tc_explain(tc_arena *a, const char *asked);

#endif
