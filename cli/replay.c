// "tilecheck replay": reads traces and tells what the tracker finds in them.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cli/cli.h"
#include "runtime-shim/trace.h"
#include "runtime-shim/tracker.h"

typedef struct replay {
    tc_session *session;
    const char *file; // as it is named
    tc_rt_tracker *tracker;
    cJSON *findings; // of all files; NULL without --json
    uint64_t events, launches, found;
    bool read; // a trace, or a part of one
} replay;

static const char *bold(const replay *r, const char *code) {
    return r->session->color ? code : "";
}

static void put_line(const replay *r, uint64_t line, const char *color, const char *kind, const char *text, const char *code) {
    fprintf(stderr, "%s%s: event %llu: %s%s:%s %s%s%s%s\n", bold(r, "\033[1m"), r->file, (unsigned long long)line, bold(r, color), kind,
            bold(r, "\033[0m"), text, code ? " [" : "", code ? code : "", code ? "]" : "");
}

static void put_note(const replay *r, uint64_t line, const char *text) {
    put_line(r, line, "\033[36m", "note", text, NULL);
}

// ", at FILE:LINE", where the front end knew it.
static const char *at(const replay *r, const char *site) {
    return site ? tc_fmt(r->session->arena, ", at %s", site) : "";
}

static void put_finding(const replay *r, const tc_rt_finding *f) {
    tc_arena *a = r->session->arena;
    put_line(r, f->line, "\033[31m", "error", f->text, tc_rt_rule_code(f->rule));
    char note[1024];
    if (f->has_before && f->before.line != f->line) {
        tc_rt_party_note(&f->before, note, sizeof note);
        put_note(r, f->before.line, note);
    }
    if (f->buffer.size)
        put_note(r, f->buffer.line,
                 tc_fmt(a, "%s%s%s (%s memory, %llu bytes) begins here%s", f->buffer.name ? "'" : "",
                        f->buffer.name ? f->buffer.name : "the buffer", f->buffer.name ? "'" : "", tc_rt_memory_name(f->buffer.memory),
                        (unsigned long long)f->buffer.size, at(r, f->buffer.site)));
    if (f->remedy)
        put_note(r, f->line, f->remedy);
}

static cJSON *party_json(const tc_rt_party *p) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "op", tc_rt_op_name(p->op));
    cJSON_AddNumberToObject(o, "event", (double)p->line);
    if (p->name)
        cJSON_AddStringToObject(o, "name", p->name);
    if (p->use)
        cJSON_AddStringToObject(o, "parameter", p->use);
    cJSON_AddStringToObject(o, "borrow", tc_rt_borrow_name(p->borrow));
    if (p->stream_name)
        cJSON_AddStringToObject(o, "stream", p->stream_name);
    if (p->site)
        cJSON_AddStringToObject(o, "site", p->site);
    return o;
}

static void add_json(replay *r, const tc_rt_finding *f) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "file", r->file);
    cJSON_AddStringToObject(o, "rule", tc_rt_rule_code(f->rule));
    cJSON_AddNumberToObject(o, "event", (double)f->line);
    cJSON_AddStringToObject(o, "text", f->text);
    if (f->remedy)
        cJSON_AddStringToObject(o, "remedy", f->remedy);
    cJSON_AddItemToObject(o, "now", party_json(&f->now));
    if (f->has_before)
        cJSON_AddItemToObject(o, "before", party_json(&f->before));
    if (f->buffer.size) {
        cJSON *b = cJSON_AddObjectToObject(o, "buffer");
        if (f->buffer.name)
            cJSON_AddStringToObject(b, "name", f->buffer.name);
        cJSON_AddNumberToObject(b, "size", (double)f->buffer.size);
        cJSON_AddNumberToObject(b, "event", (double)f->buffer.line);
        cJSON_AddStringToObject(b, "memory", tc_rt_memory_name(f->buffer.memory));
    }
    cJSON_AddItemToArray(r->findings, o);
}

static void on_finding(void *ctx, const tc_rt_finding *f) {
    replay *r = ctx;
    r->found++;
    if (r->findings)
        add_json(r, f);
    else
        put_finding(r, f);
}

static void on_event(void *ctx, const tc_rt_event *e) {
    const replay *r = ctx;
    tc_rt_tracker_event(r->tracker, e);
}

static void print_event(void *ctx, const tc_rt_event *e) {
    replay *r = ctx;
    size_t n = tc_trace_write(NULL, 0, e) + 1;
    char *line = tc_alloc(r->session->arena, n);
    tc_trace_write(line, n, e);
    puts(line);
}

// "-" is the standard input.
static bool read_file(tc_arena *a, const char *path, tc_text *out, const char **error) {
    bool standard = strcmp(path, "-") == 0;
    FILE *f = standard ? stdin : fopen(path, "rb");
    if (!f) {
        *error = tc_fmt(a, "%s: %s", path, strerror(errno));
        return false;
    }
    char part[65536];
    size_t n;
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        tc_putn(out, part, n);
    bool good = !ferror(f);
    if (!standard)
        fclose(f);
    if (!good)
        *error = tc_fmt(a, "%s: cannot be read", standard ? "<stdin>" : path);
    return good;
}

static void drop_tracker(void *arg) {
    tc_rt_tracker_free(arg);
}

static tc_exit replay_file(replay *r, tc_trap *trap, const char *path) {
    tc_arena *a = r->session->arena;
    const char *error = NULL;
    tc_text text = {.arena = a};
    r->file = strcmp(path, "-") == 0 ? "<stdin>" : path;
    if (!read_file(a, path, &text, &error)) {
        fprintf(stderr, "tilecheck: error: %s\n", error);
        return TC_EXIT_TOOL;
    }
    r->read = true;
    const tc_rt_settings settings = {.pageable_async = r->session->options->pageable_async, .free_is_async = r->session->options->free_is_async};
    r->tracker = tc_rt_tracker_new(&settings, on_finding, r);
    if (!r->tracker)
        tc_trap_raise(trap, TC_ENOMEM, "out of memory");
    int cleanup = tc_trap_cleanup(trap, drop_tracker, r->tracker);
    tc_trace_error wrong = {0};
    uint64_t found = r->found;
    tc_status status = tc_trace_read(a, text.data ? text.data : "", text.len, r->session->options->print ? print_event : on_event, r, &wrong);
    tc_rt_counts counts = tc_rt_tracker_counts(r->tracker);
    r->events += counts.events;
    r->launches += counts.launches + counts.untracked;
    tc_trap_done(trap, cleanup);
    fflush(stdout);
    if (status != TC_OK) {
        fprintf(stderr, "%s:%u: error: %s\n", r->file, wrong.line, wrong.text);
        return TC_EXIT_TOOL;
    }
    return r->found > found ? TC_EXIT_FINDINGS : TC_EXIT_CLEAN;
}

tc_exit tc_replay(tc_trap *trap, tc_session *s) {
    replay r = {.session = s};
    tc_exit worst = TC_EXIT_CLEAN;
    if (s->options->print)
        puts("{\"tilecheck_trace\":1}");
    if (s->options->json)
        r.findings = cJSON_CreateArray();
    for (size_t i = 0; i < s->options->files.len; i++)
        worst = tc_exit_worse(worst, replay_file(&r, trap, s->options->files.data[i]));
    if (r.findings) {
        char *text = cJSON_Print(r.findings);
        puts(text ? text : "[]");
        cJSON_free(text);
        cJSON_Delete(r.findings);
    }
    if (s->options->print || !r.read)
        return worst;
    fprintf(stderr, "tilecheck: %llu event%s, %llu launch%s: %llu finding%s\n", (unsigned long long)r.events, r.events == 1 ? "" : "s",
            (unsigned long long)r.launches, r.launches == 1 ? "" : "es", (unsigned long long)r.found, r.found == 1 ? "" : "s");
    return worst;
}
