// The interpreter: runs a kernel's IR concretely, all threads of the grid, and checks every step.
//
// Happens-before is kept with vector clocks (FastTrack: Flanagan and Freund, PLDI 2009) over the model's synchronisation table.
#ifndef TC_CHECKER_INTERP_H
#define TC_CHECKER_INTERP_H

#include "checker/launch.h"

typedef struct tc_program tc_program;

// Decodes the kernel (and what it calls). NULL with *why when the IR has something that cannot be run at all.
tc_program *tc_program_new(tc_arena *a, const tc_unit *u, tc_contract *c, const char **why);

// Does the kernel read its grid (its block) along this axis: an id or the extent? Does it use shuffles, votes or __syncwarp?
bool tc_program_reads_grid(const tc_program *p, unsigned axis);
bool tc_program_reads_threads(const tc_program *p, unsigned axis);
bool tc_program_uses_warps(const tc_program *p);
// Is the launch's block one that the inferred preconditions allow? Where the contract declares none, dimensions that the
// kernel never reads are 1, and warps are full if they matter.
bool tc_program_takes_block(const tc_program *p, const tc_launch *l);
// The numbers (tc_unit_function) of the functions that it may call through pointers.
const uint32_t *tc_program_callable(const tc_program *p, size_t *n);
// Does it compare pointers, or make numbers of them? Two names of one buffer have addresses of their own in a run.
bool tc_program_sees_addresses(const tc_program *p);
// Does it touch variables that the host may set?
bool tc_program_has_settable(const tc_program *p);
// Has a run of the program come to an access at this place of the source?
bool tc_program_reached(const tc_program *p, tc_loc loc);
// Does it have dynamic shared memory, or read its size?
bool tc_program_uses_dynamic_shared(const tc_program *p);

// The object that a fault names when several declarations of dynamic shared memory have no name in common.
#define tc_dynamic_shared_name "dynamic shared memory"

// Lines with an access that was executed in some run of p so far, rising.
typedef TC_VEC(uint32_t) tc_lines;
void tc_program_lines_met(tc_arena *a, const tc_program *p, tc_lines *out);

typedef struct tc_fault {
    const char *code;     // rule, "TC2001"; NULL: the run stopped for another reason (see text)
    tc_loc loc;
    uint32_t block[3], thread[3];
    bool two;             // a second party
    tc_loc other_loc;
    uint32_t other_block[3], other_thread[3];
    const char *object;   // name, or NULL
    tc_i128 offset;       // bytes from its base
    uint64_t width, size; // bytes of the access; of the object
    const char *overflowing; // TC2002: "signed product"; NULL for a conversion
    const char *text;     // "write of 4 bytes at byte 400 of 'out', which has 400"
    uint64_t step;        // when
    const tc_loc *calls;  // call sites around loc, innermost first; they live as long as the program
    uint32_t ncalls;
    const tc_loc *other_calls; // around other_loc
    uint32_t nother_calls;
} tc_fault;
// Are the call sites around its two places the same?
bool tc_fault_same_calls(const tc_fault *f);
typedef TC_VEC(tc_fault) tc_faults;

typedef struct tc_run_stats {
    uint64_t steps;       // IR instructions executed
    uint64_t accesses;
    bool complete;        // every thread ran to its end
    const char *stopped;  // why not: "step limit", "inline asm 'foo' cannot be run", …
    bool withheld;        // accesses conflict that what does not run (tc_launch.only) may order: no fault is given
    bool breaks_hint;     // it came to a __builtin_assume that does not hold
    bool breaks_assume;   // it came to a tc_assume that does not hold, and counts for nothing: no fault is given
} tc_run_stats;

// Runs l. Faults are collected once for each (rule, place, object), in the order in which they happen; at most max_faults (0: 64). After an
// out-of-bounds access the access is skipped (a load gives an uninitialised value) and the run goes on, so that one run shows every fault.
// Rules not switched on by o are still checked where others depend on it, but not reported.
void tc_interp_run(tc_arena *a, tc_program *p, const tc_launch *l, const tc_options *o, size_t max_faults, tc_faults *out,
                   tc_run_stats *stats);

#endif
