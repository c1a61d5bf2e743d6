// The command "tilecheck": runs Clang with the plugin on each file and says how it went.
//
// It holds no checking of its own. A check is one Clang process whose diagnostics are collected, so that several can
// run at a time; what it found is read from the JSON report that the plugin writes.
#ifndef TC_CLI_CLI_H
#define TC_CLI_CLI_H

#include <stdbool.h>

#include "base/text.h"
#include "base/vec.h"

// Exit status of the command.
typedef enum tc_exit {
    TC_EXIT_CLEAN = 0,
    TC_EXIT_TOOL = 1,     // the tool failed: a missing file or program, an option that is not understood, a crash
    TC_EXIT_FINDINGS = 2, // something is violated, or unknown where --unknown=error
    TC_EXIT_COMPILE = 3   // Clang's own errors; nothing was checked
} tc_exit;

// The worse of two: a failure of the tool, then a file that does not compile, then findings.
tc_exit tc_exit_worse(tc_exit a, tc_exit b);

typedef TC_VEC(const char *) tc_strings;

// ---- options.c ----

typedef enum tc_command {
    TC_COMMAND_CHECK,
    TC_COMMAND_RUN,
    TC_COMMAND_EXPLAIN,
    TC_COMMAND_STATS,
    TC_COMMAND_REPLAY,
    TC_COMMAND_CONTRACTS,
    TC_COMMAND_HELP,
    TC_COMMAND_VERSION
} tc_command;

typedef struct tc_cli_options {
    tc_command command;
    tc_command named; // the command that the command line names, also when it asks for help
    tc_strings files;
    tc_strings plugin;   // KEY or KEY=VALUE for the plugin, report and explain left out
    tc_strings compiler; // flags for Clang
    const char *report;  // NULL: none is wanted
    const char *explain; // the code, for TC_COMMAND_EXPLAIN
    const char *arch;    // sm_90
    const char *clang;   // --clang=, or NULL
    const char *toolkit; // --cuda-path=, or NULL
    bool json;           // of contracts and replay
    bool standin;        // --standin: never the toolkit
    unsigned jobs;       // files at a time; 0 until it is known
    bool progress;       // a progress line
    bool print, pageable_async, free_is_async; // of replay
    bool device_only;    // launch sites are not looked at
} tc_cli_options;

// Parses the command line. On bad usage *error says what is wrong and false is returned.
bool tc_cli_parse(tc_arena *a, int argc, char **argv, tc_cli_options *o, const char **error);

// The help of the command that o names.
const char *tc_cli_help(tc_arena *a, const tc_cli_options *o);

// ---- places.c ----

// Where things are. Paths live in the arena.
typedef struct tc_places {
    const char *clang;     // clang++ of version 22
    const char *plugin;    // tilecheck.so
    const char *include;   // the folder of tilecheck.h
    const char *resources; // the folder of standin/ and compat/
    const char *toolkit;   // a CUDA toolkit, or NULL
} tc_places;

// On failure *error says what is missing and what to do.
bool tc_places_find(tc_arena *a, const tc_cli_options *o, tc_places *p, const char **error);

// ---- spawn.c ----

// Starts argv[0] (found in PATH) with no input; out and err name files for its output, NULL keeps the command's own.
// Returns the process, or -1 with errno set.
int tc_spawn(tc_arena *a, const tc_strings *argv, const char *out, const char *err);
// Runs it to its end; the wait status, or -1.
int tc_spawn_wait(tc_arena *a, const tc_strings *argv, const char *out, const char *err);

// The contents of a file, NULL when it cannot be read.
char *tc_file_read(tc_arena *a, const char *path);

// ---- job.c ----

// With which headers a file is parsed.
typedef enum tc_headers {
    TC_HEADERS_STANDIN,        // the stand-ins
    TC_HEADERS_STANDIN_SYSTEM, // the stand-ins with the system's <math.h>
    TC_HEADERS_TOOLKIT
} tc_headers;

typedef struct tc_job {
    const char *file;
    const char *err, *out, *report; // files of the run now, in the command's temporary folder
    tc_headers tries[2];
    unsigned ntries, at;
    int process; // -1 when none runs
    bool launches;       // the file has launch sites to be checked, in a second process
    bool host;           // that one runs, or has run; `at` is as in the first
    const char *host_err, *host_out;
    bool done;
    tc_exit status;
} tc_job;

typedef struct tc_session {
    tc_arena *arena;
    const tc_cli_options *options;
    tc_places places;
    const char *folder; // temporary
    bool color;
} tc_session;

void tc_job_init(tc_session *s, tc_job *j, const char *file, unsigned number);
// Starts Clang with the job's headers. A job that cannot start is done.
void tc_job_start(tc_session *s, tc_job *j);
// Takes the wait status of the job's process: the job is done, or has started again with other headers.
void tc_job_ended(tc_session *s, tc_job *j, int wait_status);
// The command line of a check that reads file; without a report when report is NULL. host: of its launch sites.
void tc_job_command(tc_session *s, tc_headers headers, bool host, const char *file, const char *report, tc_strings *argv);

// ---- launch_text.c ----

// Does the file, or what it includes by a name in quotes, look as if it launched a kernel? flags: the compiler's, for its folders.
bool tc_file_launches(tc_arena *a, const char *path, const tc_strings *flags);

// ---- batch.c ----

// Checks all files, options->jobs at a time, and prints what Clang said in the order of the files.
tc_exit tc_batch_run(tc_session *s);

// ---- replay.c ----

typedef struct tc_trap tc_trap;
tc_exit tc_replay(tc_trap *trap, tc_session *s);

// ---- report.c ----

typedef struct tc_totals {
    unsigned files, kernels, proved, proved_if, violated, unknown;
    unsigned launches, launches_proved, launches_violated, launches_run_time;
    char not_run[128]; // codes of the kernel's rules that are not proved
} tc_totals;

// Adds the summary of one report. false when text is no report, or that of a run that ran nothing.
bool tc_report_add(const char *text, tc_totals *t);

// Writes the reports of a run to path: one file's report as it is; of several files
// {"version":1,"reports":[…],"summary":{"files",…}}. NULL, or what went wrong.
const char *tc_report_write(tc_arena *a, const char *path, const tc_strings *reports, const tc_totals *t);

// ---- stats.c ----

// What stands between the kernels of these reports and a proof: holes by kind, questions that no rung decides by rule and by what
// would decide them. A text for people.
const char *tc_stats_text(tc_arena *a, const tc_strings *reports, const tc_totals *t);

// ---- contracts.c ----

// Prints the contracts that the files hold. A file that holds none, or a corrupt one, is a failure of the tool.
tc_exit tc_contracts_list(tc_arena *a, const tc_cli_options *o);

#endif
