// The only place where a verdict is made.
#include "checker/verdict.h"

#include <string.h>

typedef enum tc_rule_mode { TC_RULE_PROVE, TC_RULE_LAUNCH, TC_RULE_RUN, TC_RULE_SHIM } tc_rule_mode;

static const struct tc_rule_row {
    const char *code, *title;
    tc_rule_mode mode;
} rule_rows[] = {
#define TC_RULE(code, title, run) {#code, title, TC_RULE_##run},
#include "checker/rules.def"
#undef TC_RULE
};

const char *tc_rule_code(tc_rule r) {
    return rule_rows[r].code;
}

const char *tc_rule_title(tc_rule r) {
    return rule_rows[r].title;
}

tc_rule tc_rule_of_code(const char *code) {
    for (int r = 0; r < TC_RULE_COUNT; r++)
        if (strcmp(rule_rows[r].code, code) == 0)
            return (tc_rule)r;
    return TC_RULE_COUNT;
}

bool tc_rule_runs(tc_rule r) {
    return rule_rows[r].mode == TC_RULE_PROVE;
}

bool tc_rule_is_of_launches(tc_rule r) {
    return rule_rows[r].mode == TC_RULE_LAUNCH;
}

bool tc_rule_is_of_streams(tc_rule r) {
    return rule_rows[r].mode == TC_RULE_SHIM;
}

const char *tc_verdict_name(tc_verdict v) {
    switch (v) {
    case TC_PROVED:
        return "proved";
    case TC_PROVED_IF:
        return "proved-if";
    case TC_VIOLATED:
        return "violated";
    case TC_UNKNOWN:
        break;
    }
    return "unknown";
}

tc_obligation tc_obligation_start(tc_rule rule, tc_loc loc, const char *claim) {
    tc_obligation ob = {.rule = rule, .loc = loc, .claim = claim, .object = TC_NONE, .contract = -1};
    tc_verdict_unknown(&ob, "not decided");
    return ob;
}

void tc_verdict_proved(tc_obligation *ob, tc_rung rung, uint64_t rlimit) {
    ob->verdict = TC_PROVED;
    ob->reason = NULL;
    ob->rung = rung;
    ob->rlimit = rlimit;
}

static bool has_fact(const tc_fact *facts, size_t n, tc_t term) {
    for (size_t i = 0; i < n; i++)
        if (facts[i].term == term)
            return true;
    return false;
}

void tc_verdict_proved_if(tc_arena *a, tc_obligation *ob, tc_fact precondition) {
    ob->verdict = TC_PROVED_IF;
    ob->reason = NULL;
    if (!has_fact(ob->preconditions.data, ob->preconditions.len, precondition.term))
        tc_push(a, &ob->preconditions, precondition);
}

void tc_verdict_unknown(tc_obligation *ob, const char *reason) {
    ob->verdict = TC_UNKNOWN;
    ob->reason = reason;
    ob->example = NULL;
}

void tc_verdict_violated(tc_obligation *ob, tc_counterexample *example) {
    ob->verdict = TC_VIOLATED;
    ob->reason = NULL;
    ob->example = example;
}

static bool holds(const tc_obligation *ob) {
    return ob->verdict == TC_PROVED || ob->verdict == TC_PROVED_IF;
}

static bool lean_on(tc_arena *a, tc_obligation *ob, const tc_obligation *on) {
    if (!holds(on)) {
        tc_verdict_unknown(
            ob, tc_fmt(a, "leans on %s at line %u, which is not proved", tc_rule_code(on->rule), on->loc.line));
        ob->leans = true;
        return true;
    }
    bool changed = false;
    for (size_t i = 0; i < on->preconditions.len; i++) {
        tc_fact f = on->preconditions.data[i];
        if (has_fact(ob->preconditions.data, ob->preconditions.len, f.term))
            continue;
        tc_verdict_proved_if(a, ob, f);
        changed = true;
    }
    return changed;
}

// SOUND: obligations that lean on each other in a circle stay proved only together, by the first operation of the
// launch that goes wrong: what each takes for granted happened before it.
static void settle_dependencies(tc_arena *a, tc_obligations *obs) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < obs->len; i++) {
            tc_obligation *ob = &obs->data[i];
            for (size_t k = 0; k < ob->depends_on.len && holds(ob); k++)
                changed |= lean_on(a, ob, &obs->data[ob->depends_on.data[k]]);
        }
    }
}

void tc_verdict_settle(tc_arena *a, tc_kernel_result *r) {
    settle_dependencies(a, &r->obligations);
    size_t shown = 0;
    r->verdict = TC_PROVED;
    r->preconditions.len = 0;
    for (size_t i = 0; i < r->obligations.len; i++) {
        const tc_obligation *ob = &r->obligations.data[i];
        if (ob->hidden)
            continue;
        shown++;
        if (ob->verdict > r->verdict)
            r->verdict = ob->verdict;
        for (size_t k = 0; k < ob->preconditions.len && holds(ob); k++)
            if (!has_fact(r->preconditions.data, r->preconditions.len, ob->preconditions.data[k].term))
                tc_push(a, &r->preconditions, ob->preconditions.data[k]);
    }
    if (shown == 0)
        r->verdict = TC_UNKNOWN;
}
