#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool says(const tc_strings *flags, const char *prefix) {
    for (size_t i = 0; i < flags->len; i++)
        if (!strncmp(flags->data[i], prefix, strlen(prefix)))
            return true;
    return false;
}

// Are rules of launch sites among those that are asked for?
static bool asks_launches(const tc_strings *plugin) {
    for (size_t i = 0; i < plugin->len; i++) {
        const char *list = plugin->data[i];
        if (strncmp(list, "rules=", 6) != 0)
            continue;
        for (list += 6; *list; list += strcspn(list, ","), list += *list == ',')
            if (strncmp(list, "TC4", 3) == 0 || strcspn(list, ",") < 3)
                return true;
        return false;
    }
    return true;
}

void tc_job_init(tc_session *s, tc_job *j, const char *file, unsigned number) {
    tc_arena *a = s->arena;
    *j = (tc_job){.file = file, .process = -1};
    j->err = tc_fmt(a, "%s/%u.err", s->folder, number);
    j->out = tc_fmt(a, "%s/%u.out", s->folder, number);
    j->report = tc_fmt(a, "%s/%u.json", s->folder, number);
    j->host_err = tc_fmt(a, "%s/%u.host-err", s->folder, number);
    j->host_out = tc_fmt(a, "%s/%u.host-out", s->folder, number);
    j->launches = s->options->command == TC_COMMAND_CHECK && !s->options->device_only && !says(&s->options->compiler, "--cuda-") && asks_launches(&s->options->plugin) &&
                  tc_file_launches(a, file, &s->options->compiler);
    if (!s->options->toolkit)
        j->tries[j->ntries++] = TC_HEADERS_STANDIN;
    j->tries[j->ntries++] = s->places.toolkit ? TC_HEADERS_TOOLKIT : TC_HEADERS_STANDIN_SYSTEM;
}

static void put_headers(tc_session *s, tc_headers headers, tc_strings *argv) {
    tc_arena *a = s->arena;
    const char *from = s->places.resources;
    if (headers == TC_HEADERS_TOOLKIT) {
        tc_push(a, argv, tc_fmt(a, "--cuda-path=%s", s->places.toolkit));
        tc_push(a, argv, "-isystem");
        tc_push(a, argv, tc_fmt(a, "%s/compat", from));
        tc_push(a, argv, "-isystem");
        tc_push(a, argv, tc_fmt(a, "%s/include/cccl", s->places.toolkit));
        tc_push(a, argv, "-include");
        tc_push(a, argv, tc_fmt(a, "%s/compat/tilecheck_compat.h", from));
        return;
    }
    tc_push(a, argv, "-nocudainc");
    tc_push(a, argv, "-nocudalib");
    if (headers == TC_HEADERS_STANDIN_SYSTEM)
        tc_push(a, argv, "-DTILECHECK_SYSTEM_MATH");
    tc_push(a, argv, "-isystem");
    tc_push(a, argv, tc_fmt(a, "%s/standin", from));
    tc_push(a, argv, "-include");
    tc_push(a, argv, tc_fmt(a, "%s/standin/tilecheck_cuda.h", from));
}

void tc_job_command(tc_session *s, tc_headers headers, bool host, const char *file, const char *report, tc_strings *argv) {
    tc_arena *a = s->arena;
    const tc_cli_options *o = s->options;
    tc_push(a, argv, s->places.clang);
    tc_push(a, argv, "-x");
    tc_push(a, argv, "cuda");
    tc_push(a, argv, "-fsyntax-only");
    // Kernels first; the host's side would parse everything a second time, and is asked only of files that launch some.
    tc_push(a, argv, host ? "--cuda-host-only" : "--cuda-device-only");
    tc_push(a, argv, "-Wno-unknown-cuda-version");
    tc_push(a, argv, "-ferror-limit=0"); // every finding is told
    if (!says(&o->compiler, "--cuda-gpu-arch") && !says(&o->compiler, "--offload-arch"))
        tc_push(a, argv, tc_fmt(a, "--cuda-gpu-arch=%s", o->arch));
    if (!says(&o->compiler, "-std") && !says(&o->compiler, "--std"))
        tc_push(a, argv, "-std=c++17");
    if (s->color)
        tc_push(a, argv, "-fcolor-diagnostics");
    tc_push(a, argv, tc_fmt(a, "-I%s", s->places.include));
    put_headers(s, headers, argv);
    tc_push(a, argv, tc_fmt(a, "-fplugin=%s", s->places.plugin));
    for (size_t i = 0; i < o->plugin.len; i++)
        tc_push(a, argv, tc_fmt(a, "-fplugin-arg-tilecheck-%s", o->plugin.data[i]));
    // With fewer files than processors, the kernels of each share them.
    size_t files = o->files.len ? o->files.len : 1;
    if (o->command == TC_COMMAND_CHECK && !says(&o->plugin, "parallel=") && o->jobs / files > 1)
        tc_push(a, argv, tc_fmt(a, "-fplugin-arg-tilecheck-parallel=%zu", o->jobs / files > 64 ? 64 : o->jobs / files));
    if (report)
        tc_push(a, argv, tc_fmt(a, "-fplugin-arg-tilecheck-report=%s", report));
    for (size_t i = 0; i < o->compiler.len; i++)
        tc_push(a, argv, o->compiler.data[i]);
    if (host) {
        tc_push(a, argv, "-fplugin-arg-tilecheck-launches");
        tc_push(a, argv, "-Wno-everything"); // Clang's own were told before
    }
    tc_push(a, argv, file);
}

static void finish(tc_job *j, tc_exit status) {
    j->done = true;
    j->process = -1;
    j->status = status;
}

// A job that failed before Clang could say anything says it itself.
static void fail(tc_job *j, const char *what) {
    FILE *f = fopen(j->err, "a");
    if (f) {
        fprintf(f, "tilecheck: error: %s: %s\n", j->file, what);
        fclose(f);
    }
    finish(j, TC_EXIT_TOOL);
}

void tc_job_start(tc_session *s, tc_job *j) {
    tc_strings argv = {0};
    tc_job_command(s, j->tries[j->at], j->host, j->file, j->report, &argv);
    // What the check of the kernels infers is asked of the launches.
    if (j->launches)
        tc_push(s->arena, &argv, tc_fmt(s->arena, "-fplugin-arg-tilecheck-inferred=%s.notes", j->report));
    if (!j->host)
        unlink(j->report);
    j->process = tc_spawn(s->arena, &argv, j->host ? j->host_out : j->out, j->host ? j->host_err : j->err);
    if (j->process < 0)
        fail(j, tc_fmt(s->arena, "cannot run %s: %s", s->places.clang, strerror(errno)));
}

// Errors that other headers could cure.
static bool lacks_declaration(const char *errors) {
    static const char *const texts[] = {
        "file not found",       "undeclared identifier", "unknown type name", "no member named",
        "no matching function", "no template named",     "incomplete type",   "is ambiguous",
        "too many errors",      "no type named",         "no viable",         "cannot initialize",
        "undeclared template",  "expected unqualified",  "_Float16",          "#error",
        "static assertion"};
    for (size_t i = 0; errors && i < sizeof texts / sizeof texts[0]; i++)
        if (strstr(errors, texts[i]))
            return true;
    return false;
}

// Does the same command fail on an empty file too? Then it is not the file that is wrong.
static bool command_is_wrong(tc_session *s) {
    tc_cli_options plain = *s->options;
    tc_strings plugin = {0};
    for (size_t i = 0; i < plain.plugin.len; i++)
        if (strncmp(plain.plugin.data[i], "run=", 4) != 0 && strncmp(plain.plugin.data[i], "contracts=", 10) != 0 &&
            strncmp(plain.plugin.data[i], "code=", 5) != 0)
            tc_push(s->arena, &plugin, plain.plugin.data[i]);
    plain.plugin = plugin;
    tc_session probe = *s;
    probe.options = &plain;
    tc_strings argv = {0};
    tc_job_command(&probe, TC_HEADERS_STANDIN, false, "/dev/null", NULL, &argv);
    return tc_spawn_wait(s->arena, &argv, "/dev/null", "/dev/null") != 0;
}

// The launch sites were looked at, unless the host's code does not compile with headers that were good enough for the device's.
static void host_ended(tc_session *s, tc_job *j, int wait_status) {
    const char *report = tc_file_read(s->arena, j->report);
    bool checked = report && strstr(report, "\"launches\": [");
    if (WEXITSTATUS(wait_status) == 0) {
        finish(j, j->status);
    } else if (checked) {
        finish(j, TC_EXIT_FINDINGS);
    } else {
        FILE *f = fopen(j->host_err, "w");
        if (f) {
            fputs("tilecheck: launch sites are not checked: the host's code does not compile with the headers that were taken\n", f);
            fclose(f);
        }
        finish(j, j->status);
    }
}

void tc_job_ended(tc_session *s, tc_job *j, int wait_status) {
    if (WIFSIGNALED(wait_status)) {
        fail(j, tc_fmt(s->arena, "Clang ended by signal %d", WTERMSIG(wait_status)));
    } else if (j->host) {
        host_ended(s, j, wait_status);
    } else if (access(j->report, R_OK) == 0) {
        finish(j, WEXITSTATUS(wait_status) ? TC_EXIT_FINDINGS : TC_EXIT_CLEAN);
        if (!j->launches)
            return;
        j->done = false;
        j->host = true;
        tc_job_start(s, j);
    } else if (WEXITSTATUS(wait_status) == 0) {
        fail(j, "Clang ended well, but the plugin has written no report");
    } else if (j->at + 1 < j->ntries && lacks_declaration(tc_file_read(s->arena, j->err))) {
        j->at++;
        tc_job_start(s, j);
    } else {
        finish(j, WEXITSTATUS(wait_status) > 2 || command_is_wrong(s) ? TC_EXIT_TOOL : TC_EXIT_COMPILE);
    }
}
