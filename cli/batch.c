#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

tc_exit tc_exit_worse(tc_exit a, tc_exit b) {
    static const int rank[] = {[TC_EXIT_CLEAN] = 0, [TC_EXIT_FINDINGS] = 1, [TC_EXIT_COMPILE] = 2, [TC_EXIT_TOOL] = 3};
    return rank[a] >= rank[b] ? a : b;
}

typedef struct batch {
    tc_session *session;
    tc_job *jobs;
    size_t count, next, running, ended, shown; // next to start, next to show
    tc_totals totals;
    tc_strings reports;
    tc_exit status;
} batch;

static void show_progress(batch *b, bool clear) {
    if (!b->session->options->progress)
        return;
    if (clear) {
        fputs("\r\033[K", stderr);
        return;
    }
    if (b->ended < b->count) {
        fprintf(stderr, "\r\033[K[%zu/%zu] %s", b->ended + 1, b->count, b->jobs[b->shown].file);
        fflush(stderr);
    }
}

static bool is_summary(const char *line) {
    return !strncmp(line, "tilecheck: ", 11) && strncmp(line, "tilecheck: error", 16) != 0;
}

// Of several files, each summary line is preceded by the file's name.
static void show_process(const batch *b, const tc_job *j, const char *out_path, const char *err_path) {
    const char *out = tc_file_read(b->session->arena, out_path);
    const char *err = tc_file_read(b->session->arena, err_path);
    if (out && *out)
        fputs(out, stdout);
    fflush(stdout);
    while (err && *err) {
        size_t n = strcspn(err, "\n");
        if (b->count > 1 && is_summary(err))
            fprintf(stderr, "%s: ", j->file);
        fprintf(stderr, "%.*s\n", (int)n, err);
        err += n + (err[n] == '\n');
    }
    fflush(stderr);
}

static void show_output(const batch *b, const tc_job *j) {
    show_process(b, j, j->out, j->err);
    if (j->host)
        show_process(b, j, j->host_out, j->host_err);
}

static void take_result(batch *b, tc_job *j) {
    const char *text = tc_file_read(b->session->arena, j->report);
    if (text && tc_report_add(text, &b->totals)) {
        tc_push(b->session->arena, &b->reports, text);
    } else if (text) {
        bool runs = b->session->options->command == TC_COMMAND_RUN;
        fprintf(stderr, "tilecheck: error: %s: %s\n", j->file,
                runs ? "nothing was run" : "the plugin's report cannot be read");
        j->status = TC_EXIT_TOOL;
    }
    b->status = tc_exit_worse(b->status, j->status);
}

static void show_ready(batch *b) {
    while (b->shown < b->count && b->jobs[b->shown].done) {
        tc_job *j = &b->jobs[b->shown++];
        show_progress(b, true);
        // Statistics tell what went wrong, and nothing of what was found.
        if (b->session->options->command != TC_COMMAND_STATS || j->status == TC_EXIT_TOOL || j->status == TC_EXIT_COMPILE)
            show_output(b, j);
        else if (j->status == TC_EXIT_FINDINGS)
            j->status = TC_EXIT_CLEAN;
        take_result(b, j);
    }
}

static void start_next(batch *b) {
    tc_job *j = &b->jobs[b->next++];
    tc_job_start(b->session, j);
    if (j->done)
        b->ended++;
    else
        b->running++;
}

static tc_job *job_of(batch *b, pid_t process) {
    for (size_t i = 0; i < b->count; i++)
        if (b->jobs[i].process == (int)process)
            return &b->jobs[i];
    return NULL;
}

// Waits for one process. false when the wait was interrupted.
static bool wait_for_one(batch *b) {
    int status;
    pid_t process = waitpid(-1, &status, 0);
    if (process < 0)
        return false;
    tc_job *j = job_of(b, process);
    if (!j)
        return true;
    tc_job_ended(b->session, j, status);
    if (j->done) {
        b->running--;
        b->ended++;
    }
    return true;
}

// After a signal.
static tc_exit give_up(batch *b) {
    for (size_t i = 0; i < b->count; i++)
        if (b->jobs[i].process > 0)
            kill(b->jobs[i].process, SIGTERM);
    show_progress(b, true);
    fputs("tilecheck: interrupted\n", stderr);
    return TC_EXIT_TOOL;
}

static void show_totals(const batch *b) {
    const tc_totals *t = &b->totals;
    if (b->count > 1)
        fprintf(stderr,
                "tilecheck: %zu files, %u kernels: %u proved, %u proved under preconditions, %u violated, %u unknown\n",
                b->count, t->kernels, t->proved, t->proved_if, t->violated, t->unknown);
    if (b->count > 1 && t->launches)
        fprintf(stderr, "tilecheck: %u launches: %u proved, %u violated, %u left to the run time\n", t->launches, t->launches_proved,
                t->launches_violated, t->launches_run_time);
    if (t->not_run[0] && (t->proved || t->proved_if))
        fprintf(stderr, "tilecheck: not proved, at most seen in runs of small launches: %s\n", t->not_run);
}

static void write_report(batch *b) {
    const char *path = b->session->options->report;
    if (!path || !b->reports.len)
        return;
    const char *error = tc_report_write(b->session->arena, path, &b->reports, &b->totals);
    if (!error)
        return;
    fprintf(stderr, "tilecheck: error: %s\n", error);
    b->status = TC_EXIT_TOOL;
}

tc_exit tc_batch_run(tc_session *s) {
    batch b = {.session = s, .count = s->options->files.len};
    b.jobs = TC_NEW_ARRAY(s->arena, tc_job, b.count);
    for (size_t i = 0; i < b.count; i++)
        tc_job_init(s, &b.jobs[i], s->options->files.data[i], (unsigned)i);
    while (b.shown < b.count) {
        while (b.next < b.count && b.running < s->options->jobs)
            start_next(&b);
        show_progress(&b, false);
        if (b.running && !wait_for_one(&b))
            return give_up(&b);
        show_ready(&b);
    }
    if (s->options->command == TC_COMMAND_STATS)
        fputs(tc_stats_text(s->arena, &b.reports, &b.totals), stdout);
    else
        show_totals(&b);
    write_report(&b);
    return b.status;
}
