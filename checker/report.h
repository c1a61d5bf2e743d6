// The JSON report, kernel by kernel, and the findings of a kernel.
#ifndef TC_CHECKER_REPORT_H
#define TC_CHECKER_REPORT_H

#include "checker/check.h"
#include "checker/verdict.h"

// One kernel's object of the report, as text in a. terms may go afterwards.
const char *tc_report_kernel(tc_arena *a, const tc_unit *u, const tc_kernel_result *r);

// The whole report. kernels: texts from tc_report_kernel.
const char *tc_report_text(tc_arena *a, const tc_unit *u, const tc_options *o, const char *const *kernels, size_t n,
                           const tc_summary *s);

// "tilecheck: 3 kernels: 2 proved, 1 violated"
const char *tc_summary_text(tc_arena *a, const tc_summary *s);
// ": 3 proved", ", 1 violated"; nothing for 0.
void tc_summary_count(tc_text *t, unsigned n, const char *what, bool *first);

// "rp[3]": an element of a buffer of the launch.
const char *tc_read_name(tc_arena *a, tc_contract *c, const tc_launch *l, const tc_read *r);
// What the user is told of a kernel; added to out.
void tc_tell_kernel(tc_arena *a, const tc_options *o, const tc_kernel_result *r, tc_findings *out);

// Of findings that are the same of several instantiations of a template, only the first is left, with a note on the others.
void tc_findings_fold(tc_arena *a, tc_findings *findings);

// One sentence on how faults of this rule are usually repaired; NULL when there is none.
const char *tc_rule_repair(tc_rule r);

#endif
