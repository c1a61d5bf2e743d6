// The tracker against the model on random traces: streams-campaign [--traces N] [--seed S] [--show SEED] [--limit FINDS]
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "streams/compare.h"

typedef struct same_kind {
    model *m;
    comparison first;
} same_kind;

static bool differs_alike(void *ctx, const trace *t) {
    const same_kind *k = ctx;
    comparison c = streams_compare(k->m, t);
    return c.differs && c.rule == k->first.rule && c.missed == k->first.missed;
}

static void tell(const comparison *c, const trace *t) {
    trace_show(t, stdout);
    printf("%s at %" PRIu64 ": %s by the tracker", tc_rt_rule_code(c->rule), c->line, c->missed ? "missed" : "found without a reason");
    if (c->before)
        printf(", against %" PRIu64, c->before);
    putchar('\n');
}

static void shrink_and_tell(model *m, trace *t, uint64_t seed, const comparison *c) {
    same_kind k = {m, *c};
    trace_shrink(t, differs_alike, &k);
    comparison small = streams_compare(m, t);
    printf("\nseed %" PRIu64 "\n", seed);
    tell(&small, t);
}

static void show(model *m, trace *t, uint64_t seed) {
    trace_generate(t, seed);
    comparison c = streams_compare(m, t);
    trace_show(t, stdout);
    size_t n;
    const model_finding *f = model_findings(m, &n);
    for (size_t i = 0; i < n; i++)
        printf("# expect: %s at %" PRIu64 " (%" PRIu64 ")\n", tc_rt_rule_code(f[i].rule), f[i].line, f[i].before);
    if (c.differs)
        tell(&c, t);
}

int main(int argc, char **argv) {
    uint64_t traces = 100000, seed = 1, limit = 5, one = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t v = strtoull(argv[i + 1], NULL, 10);
        *(strcmp(argv[i], "--traces") == 0 ? &traces : strcmp(argv[i], "--seed") == 0 ? &seed : strcmp(argv[i], "--show") == 0 ? &one : &limit) = v;
    }
    model *m = model_new(TRACE_BASE, TRACE_BYTES);
    static trace t;
    if (one) {
        show(m, &t, one);
        model_free(m);
        return 0;
    }
    uint64_t events = 0, with = 0, differ = 0, rules[TC_RT_RULE_COUNT] = {0};
    clock_t start = clock();
    uint64_t k = 0;
    for (; k < traces && differ < limit; k++) {
        trace_generate(&t, seed + k);
        comparison c = streams_compare(m, &t);
        events += t.n;
        with += c.found != 0;
        for (unsigned r = 0; r < TC_RT_RULE_COUNT; r++)
            rules[r] += c.by_rule[r] != 0;
        if (c.differs) {
            differ++;
            shrink_and_tell(m, &t, seed + k, &c);
        }
    }
    printf("%" PRIu64 " traces, %" PRIu64 " events, %" PRIu64 " traces with a finding, %" PRIu64 " differ, %.1f s\n", k, events, with, differ,
           (double)(clock() - start) / CLOCKS_PER_SEC);
    for (unsigned r = 0; r < TC_RT_RULE_COUNT; r++)
        printf("  %s in %" PRIu64 " traces\n", tc_rt_rule_code((tc_rt_rule)r), rules[r]);
    model_free(m);
    return differ != 0;
}
