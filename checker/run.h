// The interpreter as a tool: runs a kernel at a launch that the options describe, or over many small launches.
#ifndef TC_CHECKER_RUN_H
#define TC_CHECKER_RUN_H

#include "checker/check.h"
#include "checker/interp.h"

// One launch that was run.
typedef struct tc_run {
    const tc_kernel *kernel;
    tc_contract *contract;
    tc_launch launch;
    tc_faults faults; // those that no earlier run of the kernel showed
    tc_run_stats stats;
} tc_run;
typedef TC_VEC(tc_run) tc_runs;

// The lines of a kernel with an access that one of its runs executed.
typedef struct tc_run_lines {
    const tc_kernel *kernel;
    tc_lines lines;
} tc_run_lines;
typedef TC_VEC(tc_run_lines) tc_runs_lines;

// options->run names a kernel by its source name, by the name without template arguments, or "*" for all. With sizes
// (set, grid, block or extent) it is run once; without, over a sweep of small launches and a few large ones. Findings,
// the summary line and the report go to *r.
void tc_run_mode(tc_arena *a, const tc_unit *u, const tc_options *o, tc_result *r);

// run_report.c
void tc_run_tell(tc_arena *a, const tc_run *run, tc_findings *out);
const char *tc_run_report(tc_arena *a, const tc_unit *u, const tc_runs *runs, const tc_runs_lines *lines);
// "M = 3, grid (1,1,1), block (16,16,1)"
const char *tc_run_launch_text(tc_arena *a, const tc_contract *c, const tc_launch *l);

#endif
