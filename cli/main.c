#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct start {
    int argc;
    char **argv;
    tc_exit status;
} start;

static tc_exit complain(const char *text) {
    fprintf(stderr, "tilecheck: error: %s\n", text);
    return TC_EXIT_TOOL;
}

// A first SIGINT or SIGTERM ends the wait for Clang, which the terminal has told as well; the folder is removed then.
static void on_signal(int number) {
    (void)number;
}

static void watch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool files_are_there(tc_arena *a, const tc_cli_options *o, const char **error) {
    for (size_t i = 0; i < o->files.len; i++) {
        const char *file = o->files.data[i];
        struct stat st;
        if (stat(file, &st) != 0 || access(file, R_OK) != 0)
            *error = tc_fmt(a, "%s: %s", file, strerror(errno));
        else if (S_ISDIR(st.st_mode))
            *error = tc_fmt(a, "%s: a folder, not a file; name the files in it", file);
        if (*error)
            return false;
    }
    return true;
}

// Tried before the work, so that a run of minutes is not lost for a wrong path.
static bool report_is_writable(tc_arena *a, const char *path, const char **error) {
    struct stat st;
    bool there = path && stat(path, &st) == 0;
    if (!path || (there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
        return true;
    FILE *f = fopen(path, "ab");
    if (!f) {
        *error = tc_fmt(a, "cannot write the report to '%s': %s", path, strerror(errno));
        return false;
    }
    fclose(f);
    if (!there)
        unlink(path);
    return true;
}

static void remove_folder(void *arg) {
    const tc_session *s = arg;
    for (unsigned i = 0; i < s->options->files.len; i++) {
        static const char *const kinds[] = {"err", "out", "json", "json.notes", "host-err", "host-out"};
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            char name[256];
            snprintf(name, sizeof name, "%s/%u.%s", s->folder, i, kinds[k]);
            unlink(name);
        }
    }
    rmdir(s->folder);
}

static tc_exit check_files(tc_trap *trap, tc_session *s) {
    tc_arena *a = s->arena;
    const char *error = NULL;
    if (!report_is_writable(a, s->options->report, &error))
        return complain(error);
    const char *tmp = getenv("TMPDIR");
    if (!tmp || !*tmp || strlen(tmp) > 150)
        tmp = "/tmp";
    char *folder = tc_fmt(a, "%s/tilecheck-XXXXXX", tmp);
    if (!mkdtemp(folder))
        return complain(tc_fmt(a, "cannot make a folder in '%s': %s", tmp, strerror(errno)));
    s->folder = folder;
    int cleanup = tc_trap_cleanup(trap, remove_folder, s);
    watch_signals();
    tc_exit status = tc_batch_run(s);
    tc_trap_done(trap, cleanup);
    return status;
}

static tc_exit explain(tc_session *s) {
    tc_cli_options o = *s->options;
    tc_strings one = {0};
    tc_push(s->arena, &one, tc_fmt(s->arena, "explain=%s", o.explain));
    o.plugin = one;
    s->options = &o;
    tc_strings argv = {0};
    tc_job_command(s, TC_HEADERS_STANDIN, false, "/dev/null", NULL, &argv);
    tc_push(s->arena, &argv, "-fno-caret-diagnostics"); // nor a count of errors
    return tc_spawn_wait(s->arena, &argv, NULL, NULL) == 0 ? TC_EXIT_CLEAN : TC_EXIT_TOOL;
}

static void fill_defaults(tc_cli_options *o) {
    if (!o->arch)
        o->arch = "sm_90";
    if (!o->jobs) {
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        o->jobs = n > 0 ? (unsigned)n : 1;
    }
    o->progress = o->progress || isatty(STDERR_FILENO);
}

static tc_exit run(tc_trap *trap, tc_arena *a, int argc, char **argv) {
    tc_cli_options o = {0};
    const char *error = NULL;
    if (!tc_cli_parse(a, argc, argv, &o, &error))
        return complain(error);
    if (o.command == TC_COMMAND_HELP || o.command == TC_COMMAND_VERSION) {
        fputs(o.command == TC_COMMAND_HELP ? tc_cli_help(a, &o) : "tilecheck " TC_VERSION " (Clang 22)\n", stdout);
        return TC_EXIT_CLEAN;
    }
    fill_defaults(&o);
    tc_session s = {.arena = a, .options = &o, .color = isatty(STDERR_FILENO)};
    if (o.command == TC_COMMAND_REPLAY)
        return tc_replay(trap, &s);
    bool explains = o.command == TC_COMMAND_EXPLAIN;
    if (o.command == TC_COMMAND_CONTRACTS)
        return files_are_there(a, &o, &error) ? tc_contracts_list(a, &o) : complain(error);
    if ((!explains && !files_are_there(a, &o, &error)) || !tc_places_find(a, &o, &s.places, &error))
        return complain(error);
    return explains ? explain(&s) : check_files(trap, &s);
}

static void run_trapped(tc_trap *trap, void *arg) {
    start *s = arg;
    s->status = run(trap, tc_arena_new(trap), s->argc, s->argv);
}

int main(int argc, char **argv) {
    start s = {argc, argv, TC_EXIT_TOOL};
    const char *why = NULL;
    if (tc_trap_run(run_trapped, &s, &why) != TC_OK)
        return (int)complain(why ? why : "out of memory");
    return (int)s.status;
}
