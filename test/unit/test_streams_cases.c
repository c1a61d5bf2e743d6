// The cases in test/streams: the tracker and the model find what each file expects, and nothing else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/trace.h"
#include "streams/model.h"

enum { MAX_EVENTS = 200 };

typedef struct traced {
    tc_rt_event events[MAX_EVENTS];
    size_t n;
    unsigned expected[MAX_EVENTS + 1]; // rules by bit, of the event with that number
    unsigned by_tracker[MAX_EVENTS + 1], by_model[MAX_EVENTS + 1];
} traced;

static void keep(void *ctx, const tc_rt_event *e) {
    traced *t = ctx;
    assert_true(t->n < MAX_EVENTS && e->line <= MAX_EVENTS);
    t->events[t->n++] = *e;
}

static unsigned rule_bit(const char *code) {
    for (unsigned r = 0; r < TC_RT_RULE_COUNT; r++)
        if (strncmp(code, tc_rt_rule_code((tc_rt_rule)r), 6) == 0)
            return 1u << r;
    fail_msg("no rule %.6s", code);
    return 0;
}

static void read_expected(const char *text, traced *t) {
    static const char word[] = "# expect: ";
    for (const char *p = text; (p = strstr(p, word)); p++) {
        unsigned long at = strtoul(p + strlen(word) + strlen("TC5001 at "), NULL, 10);
        assert_in_range(at, 1, MAX_EVENTS);
        t->expected[at] |= rule_bit(p + strlen(word));
    }
}

static void hear(void *ctx, const tc_rt_finding *f) {
    ((traced *)ctx)->by_tracker[f->line] |= 1u << f->rule;
}

static uint64_t bytes_up_to(const traced *t) {
    uint64_t end = 1;
    for (size_t i = 0; i < t->n; i++) {
        end = t->events[i].base + t->events[i].size > end ? t->events[i].base + t->events[i].size : end;
        for (size_t u = 0; u < t->events[i].nuses; u++) {
            uint64_t last = tc_rt_region_end(&t->events[i].uses[u].region);
            end = last > end ? last : end;
        }
    }
    return end;
}

static void run(traced *t) {
    tc_rt_settings settings = {0};
    tc_rt_tracker *tracker = tc_rt_tracker_new(&settings, hear, t);
    model *m = model_new(0, bytes_up_to(t));
    for (size_t i = 0; i < t->n; i++) {
        tc_rt_tracker_event(tracker, &t->events[i]);
        model_event(m, &t->events[i]);
    }
    size_t n;
    const model_finding *f = model_findings(m, &n);
    for (size_t i = 0; i < n; i++)
        t->by_model[f[i].line] |= 1u << f[i].rule;
    model_free(m);
    tc_rt_tracker_free(tracker);
}

static char *slurp(const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    static char text[1 << 16];
    size_t n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

typedef struct one_case {
    const char *path;
    bool bad, right;
} one_case;

static bool as_expected(const one_case *c, const traced *t) {
    bool right = true, any = false;
    for (unsigned i = 1; i <= MAX_EVENTS; i++) {
        any = any || t->expected[i];
        if (t->by_tracker[i] == t->expected[i] && t->by_model[i] == t->expected[i])
            continue;
        fprintf(stderr, "%s: event %u: expected %#x, the tracker %#x, the model %#x\n", c->path, i, t->expected[i], t->by_tracker[i],
                t->by_model[i]);
        right = false;
    }
    if (any == c->bad)
        return right;
    fprintf(stderr, "%s: %s\n", c->path, c->bad ? "a bad case that expects nothing" : "a good case that expects a finding");
    return false;
}

static void read_and_run(tc_trap *trap, void *arg) {
    one_case *c = arg;
    static traced t;
    memset(&t, 0, sizeof t);
    char *text = slurp(c->path);
    tc_trace_error error = {0};
    if (tc_trace_read(tc_arena_new(trap), text, strlen(text), keep, &t, &error) != TC_OK) {
        fprintf(stderr, "%s:%u: %s\n", c->path, error.line, error.text);
        return;
    }
    read_expected(text, &t);
    run(&t);
    c->right = as_expected(c, &t);
}

static bool ends_with(const char *s, const char *end) {
    size_t n = strlen(s), k = strlen(end);
    return n > k && strcmp(s + n - k, end) == 0;
}

static void the_cases_hold(void **state) {
    (void)state;
    unsigned bad = 0, good = 0, wrong = 0;
    DIR *d = opendir(TC_SOURCE_DIR "/test/streams");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (!ends_with(e->d_name, ".trace"))
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/test/streams/%s", TC_SOURCE_DIR, e->d_name);
        bool is_bad = ends_with(e->d_name, ".bad.trace");
        *(is_bad ? &bad : &good) += 1;
        one_case c = {.path = path, .bad = is_bad};
        assert_int_equal(tc_trap_run(read_and_run, &c, NULL), TC_OK);
        wrong += !c.right;
    }
    closedir(d);
    assert_int_equal(wrong, 0);
    assert_true(bad >= 30 && bad == good); // twins
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_cases_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
