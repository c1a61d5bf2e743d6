// Options of a check, parsed from the plugin's arguments.
#ifndef TC_CHECKER_OPTIONS_H
#define TC_CHECKER_OPTIONS_H

#include "base/finding.h"
#include "base/int128.h"

typedef enum tc_unknown_mode { TC_UNKNOWN_WARNING, TC_UNKNOWN_ERROR, TC_UNKNOWN_IGNORE } tc_unknown_mode;
typedef enum tc_dump { TC_DUMP_NONE, TC_DUMP_MODEL, TC_DUMP_CONTRACT, TC_DUMP_SMT } tc_dump;

typedef struct tc_setting {
    const char *name;
    tc_i128 value;
    const char *text; // fill: the word or file
} tc_setting;

typedef struct tc_extents {
    bool given;
    tc_i128 dim[3]; // -1: free
} tc_extents;

typedef struct tc_options {
    const char *report;
    bool all;
    tc_extents block, grid;
    TC_VEC(tc_setting) defines;
    tc_unknown_mode unknown;
    const char *rules; // NULL: all
    unsigned effort;   // percent, 100 by default
    bool same_value;   // two plain writes of one value to one place are no conflict
    bool in_bounds;    // of what has no shape
    unsigned lockstep; // so many threads of a block execute each instruction together; 0 and 1: none do
    bool pure_extern;  // calls of functions without a body have no effect but a result
    bool null_functions; // those that a kernel is given
    bool host_variables; // variables of the device hold anything at launch, in counterexamples too
    bool nosearch;     // no search for counterexamples
    bool left;         // what launch sites leave to the run time is told
    bool unused;       // requirements that no proof needs are told
    const char *explain;
    tc_dump dump;
    const char *run;   // kernel to run, or NULL
    tc_i128 smem;      // -1: the contract's
    TC_VEC(tc_setting) sets, extents, fills;
    uint64_t seed;
    uint64_t steps;    // that a run may take; 0: a default
    uint64_t failalloc;
    const char *contracts; // file, or NULL
    const char *code;      // file with the code that they are about, or NULL
    const char *inferred;  // file, or NULL
    bool noembed;
    bool embed;        // contracts as bytes are wanted: set by the front end, no option
    unsigned parallel; // kernels of a file that are checked at a time; 0 and 1: one
} tc_options;

// Parses one KEY or KEY=VALUE. TC_EINPUT with *error set (arena) when it is not understood.
tc_status tc_options_parse(tc_options *o, tc_arena *a, const char *arg, const char **error);
void tc_options_init(tc_options *o);

// Is the rule switched on by o->rules?
bool tc_options_rule(const tc_options *o, const char *code);

#endif
