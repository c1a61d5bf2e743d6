// A random trace that is written and read again gives the findings that it gave: as JSON lines, and in the readable form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/trace.h"
#include "streams/trace.h"

enum { TRACES = 1500, LINE = 4096 };

typedef struct found {
    tc_rt_tracker *tracker;
    size_t events;
    unsigned rules[TRACE_MAX + 1]; // by bit, of the event with that number
    bool repeats[TRACE_MAX + 1];   // it has a finding that was told before
} found;

static void hear(void *ctx, const tc_rt_finding *f) {
    assert_in_range(f->line, 1, TRACE_MAX);
    ((found *)ctx)->rules[f->line] |= 1u << f->rule;
}

static void take(void *ctx, const tc_rt_event *e) {
    found *f = ctx;
    assert_in_range(e->line, 1, TRACE_MAX);
    uint64_t before = tc_rt_tracker_counts(f->tracker).repeated;
    f->events++;
    tc_rt_tracker_event(f->tracker, e);
    f->repeats[e->line] = tc_rt_tracker_counts(f->tracker).repeated > before;
}

static void begin(found *f, const trace *t) {
    memset(f, 0, sizeof *f);
    f->tracker = tc_rt_tracker_new(&t->settings, hear, f);
}

static void run_as_it_is(found *f, const trace *t) {
    begin(f, t);
    for (size_t i = 0; i < t->n; i++) {
        tc_rt_event e = trace_event(t, i);
        take(f, &e);
    }
    tc_rt_tracker_free(f->tracker);
}

static char *as_json(const trace *t) {
    char *text = malloc(TRACE_MAX * LINE), *at = text;
    assert_non_null(text);
    *at = '\0';
    for (size_t i = 0; i < t->n; i++) {
        tc_rt_event e = trace_event(t, i);
        size_t n = tc_trace_write(at, LINE, &e);
        assert_true(n + 1 < LINE);
        at += n;
        *at++ = '\n';
        *at = '\0';
    }
    return text;
}

static char *as_text(const trace *t) {
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    assert_non_null(f);
    trace_show(t, f);
    fclose(f);
    return text;
}

typedef struct reading {
    const trace *t;
    const char *text;
    found *into;
    tc_status status;
} reading;

static void read_it(tc_trap *trap, void *arg) {
    reading *r = arg;
    tc_trace_error error = {0};
    begin(r->into, r->t);
    r->status = tc_trace_read(tc_arena_new(trap), r->text, strlen(r->text), take, r->into, &error);
    if (r->status != TC_OK)
        fprintf(stderr, "line %u: %s\n", error.line, error.text);
    tc_rt_tracker_free(r->into->tracker);
}

// Copies have no names in the readable form, and so one may repeat what another one had.
static bool same(const found *once, const found *again) {
    bool all = once->events == again->events;
    for (size_t i = 1; i <= TRACE_MAX; i++) {
        unsigned missing = once->rules[i] & ~again->rules[i], more = again->rules[i] & ~once->rules[i];
        if (!more && (!missing || again->repeats[i]))
            continue;
        fprintf(stderr, "event %zu: %#x, read again %#x\n", i, once->rules[i], again->rules[i]);
        all = false;
    }
    return all;
}

static void same_findings(char *(*write)(const trace *), bool (*can)(const trace *)) {
    static trace t;
    unsigned seen = 0;
    for (uint64_t seed = 1; seed <= TRACES; seed++) {
        trace_generate(&t, seed);
        if (!can(&t))
            continue;
        found once, again;
        run_as_it_is(&once, &t);
        char *text = write(&t);
        reading r = {&t, text, &again, TC_OK};
        assert_int_equal(tc_trap_run(read_it, &r, NULL), TC_OK);
        bool right = r.status == TC_OK && same(&once, &again);
        if (!right)
            fputs(text, stderr);
        free(text);
        assert_true(right);
        seen++;
    }
    assert_true(seen > TRACES / 3);
}

static bool any_trace(const trace *t) {
    (void)t;
    return true;
}

// In the readable form all that is named was made in it, and so no handle comes back.
static bool can_be_shown(const trace *t) {
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < i; k++) {
            bool again = t->items[i].e.op == TC_RT_STREAM_CREATE && t->items[k].e.op == TC_RT_STREAM_CREATE;
            if (again && t->items[i].e.stream == t->items[k].e.stream)
                return false;
        }
    return t->n && !t->strange_memory && !t->strange_streams && trace_well_formed(t);
}

static void json_lines_keep_all(void **state) {
    (void)state;
    same_findings(as_json, any_trace);
}

static void the_readable_form_keeps_all(void **state) {
    (void)state;
    same_findings(as_text, can_be_shown);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(json_lines_keep_all), cmocka_unit_test(the_readable_form_keeps_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
