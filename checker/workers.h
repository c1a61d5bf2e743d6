// The kernels of a unit in several processes.
//
// A compiler's process may not have threads: the IR's context is not to be shared between any. So each worker is a fork of this
// process, does its part, and sends what it found through a pipe. A worker that crashes takes its own kernels with it and nothing else.
#ifndef TC_CHECKER_WORKERS_H
#define TC_CHECKER_WORKERS_H

#include "checker/embed.h"
#include "checker/verdict.h"

// What the check of one kernel gave.
typedef struct tc_outcome {
    bool skipped;       // it has no attribute
    bool lost;          // its worker ended early: nothing of the rest is set
    bool unsure;        // its contract was not seen
    tc_verdict verdict;
    const char *report; // JSON, NULL when skipped
    const char *dump;   // "" when none
    tc_findings findings;
    tc_bytes contract;  // its note (embed.h)
} tc_outcome;

typedef struct tc_work_list {
    size_t count;
    unsigned workers; // more than one
    // Fills *o for number i, in a worker. What it allocates stays there.
    void (*work)(void *ctx, size_t i, tc_outcome *o);
    void *ctx;
} tc_work_list;

// Fills out[0 … count), in a. False when no worker could be started; nothing was done then.
bool tc_workers_run(tc_arena *a, const tc_work_list *list, tc_outcome *out);

#endif
