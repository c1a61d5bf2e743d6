// The tracker finds what a brute-force model of docs/streams.md finds, event by event, on random traces; and where its memory runs
// out, nothing that is not there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "streams/compare.h"

enum { TRACES = 40000, FAILING = 1000 };

typedef struct seen {
    unsigned traces, with, rules[TC_RT_RULE_COUNT];
} seen;

static bool differs(void *ctx, const trace *t) {
    return streams_compare(ctx, t).differs;
}

static void the_tracker_and_the_model_agree(void **state) {
    (void)state;
    static trace t;
    seen s = {0};
    model *m = model_new(TRACE_BASE, TRACE_BYTES);
    for (uint64_t seed = 1; seed <= TRACES; seed++) {
        trace_generate(&t, seed);
        comparison c = streams_compare(m, &t);
        if (c.differs) {
            trace_shrink(&t, differs, m);
            c = streams_compare(m, &t);
            trace_show(&t, stderr);
            fail_msg("seed %u: %s at event %u is %s", (unsigned)seed, tc_rt_rule_code(c.rule), (unsigned)c.line,
                     c.missed ? "missed" : "found without a reason");
        }
        s.traces++;
        s.with += c.found != 0;
        for (unsigned r = 0; r < TC_RT_RULE_COUNT; r++)
            s.rules[r] += c.by_rule[r] != 0;
    }
    model_free(m);
    assert_in_range(s.with, s.traces / 3, s.traces * 2 / 3); // of both kinds
    for (unsigned r = 0; r < TC_RT_RULE_COUNT; r++)
        assert_true(s.rules[r] > 10);
}

typedef struct heard {
    unsigned rules;
} heard;

static void hear(void *ctx, const tc_rt_finding *f) {
    ((heard *)ctx)->rules |= 1u << f->rule;
}

// How many allocations failed, 0 or 1. What is said must be expected.
static uint64_t run_failing(model *m, const trace *t, uint64_t seed, uint64_t at) {
    heard h = {0};
    tc_rt_alloc_fail_at(at);
    tc_rt_tracker *tracker = tc_rt_tracker_new(&t->settings, hear, &h);
    if (!tracker) {
        tc_rt_alloc_fail_at(0);
        return 1;
    }
    model_reset(m, &t->settings);
    size_t known = 0;
    for (size_t i = 0; i < t->n; i++) {
        tc_rt_event e = trace_event(t, i);
        h.rules = 0;
        tc_rt_tracker_event(tracker, &e);
        model_event(m, &e);
        unsigned expected = 0;
        size_t n;
        const model_finding *f = model_findings(m, &n);
        for (; known < n; known++)
            expected |= 1u << f[known].rule;
        // Calls that do nothing, uses that lend nothing: the tracker may have lost why, and goes on otherwise than the model.
        if (expected & (1u << TC_RT_RULE_CALL | 1u << TC_RT_RULE_FREED))
            break;
        if (h.rules & ~expected) {
            trace_show(t, stderr);
            fail_msg("seed %u, allocation %u fails: event %u gives %s without a reason", (unsigned)seed, (unsigned)at, (unsigned)e.line,
                     tc_rt_rule_code((tc_rt_rule)__builtin_ctz(h.rules & ~expected)));
        }
    }
    uint64_t failed = tc_rt_tracker_counts(tracker).failed_allocations;
    tc_rt_tracker_free(tracker);
    tc_rt_alloc_fail_at(0);
    return failed;
}

static void nothing_is_made_up_where_memory_runs_out(void **state) {
    (void)state;
    static trace t;
    uint64_t failed = 0;
    model *m = model_new(TRACE_BASE, TRACE_BYTES);
    for (uint64_t seed = 1; seed <= FAILING; seed++) {
        trace_generate(&t, seed);
        uint64_t last = 1;
        for (uint64_t at = 1; last && at < 1000; at++) {
            last = run_failing(m, &t, seed, at);
            failed += last;
        }
    }
    model_free(m);
    assert_true(failed > FAILING * 10);
}

static void a_seed_gives_one_trace(void **state) {
    (void)state;
    static trace a, b;
    trace_generate(&a, 42);
    memset(&b, 1, sizeof b);
    trace_generate(&b, 42);
    assert_int_equal(a.n, b.n);
    for (size_t i = 0; i < a.n; i++)
        assert_memory_equal(&a.items[i].e, &b.items[i].e, sizeof a.items[i].e);
    assert_true(trace_well_formed(&a));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_gives_one_trace),
        cmocka_unit_test(the_tracker_and_the_model_agree),
        cmocka_unit_test(nothing_is_made_up_where_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
