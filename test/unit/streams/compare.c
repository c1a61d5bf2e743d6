#include "streams/compare.h"

#include <stdlib.h>
#include <string.h>

typedef struct heard {
    unsigned rules; // of the event in hand, by bit
} heard;

static void hear(void *ctx, const tc_rt_finding *f) {
    ((heard *)ctx)->rules |= 1u << f->rule;
}

static void difference(comparison *c, const tc_rt_event *e, unsigned said, unsigned expected, uint64_t repeated) {
    unsigned wrong = said & ~expected, missing = repeated ? 0 : expected & ~said;
    if (c->differs || !(wrong | missing))
        return;
    c->differs = true;
    c->line = e->line;
    c->missed = missing;
    c->rule = (tc_rt_rule)__builtin_ctz(missing ? missing : wrong);
}

comparison streams_compare(model *m, const trace *t) {
    comparison c = {0};
    heard h = {0};
    tc_rt_tracker *tracker = tc_rt_tracker_new(&t->settings, hear, &h);
    if (!tracker)
        abort();
    model_reset(m, &t->settings);
    uint64_t repeated = 0;
    size_t known = 0;
    for (size_t i = 0; i < t->n; i++) {
        tc_rt_event e = trace_event(t, i);
        h.rules = 0;
        tc_rt_tracker_event(tracker, &e);
        model_event(m, &e);
        unsigned expected = 0;
        size_t n;
        const model_finding *f = model_findings(m, &n);
        for (size_t k = known; k < n; k++)
            expected |= 1u << f[k].rule;
        known = n;
        c.found += expected != 0;
        for (unsigned r = 0; r < TC_RT_RULE_COUNT; r++)
            c.by_rule[r] += expected >> r & 1;
        uint64_t now = tc_rt_tracker_counts(tracker).repeated;
        difference(&c, &e, h.rules, expected, now - repeated);
        repeated = now;
    }
    size_t n;
    const model_finding *f = model_findings(m, &n);
    for (size_t k = 0; k < n && c.missed; k++)
        if (f[k].line == c.line && f[k].rule == c.rule)
            c.before = f[k].before;
    tc_rt_tracker_free(tracker);
    return c;
}
