// explain=CODE: what a rule means, a kernel that breaks it, the repair, and the page that says more.
#include <string.h>

#include "checker/check.h"
#include "checker/report.h"

static const struct explanation {
    tc_rule rule;
    const char *what, *failing, *repaired, *repair;
} explanations[] = {
#define TC_EXPLAIN(code, what, failing, repaired, repair) {TC_RULE_##code, what, failing, repaired, repair},
#include "checker/explain.def"
#undef TC_EXPLAIN
};

static const struct explanation *explanation_of(tc_rule r) {
    for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
        if (explanations[i].rule == r)
            return &explanations[i];
    return NULL;
}

const char *tc_rule_repair(tc_rule r) {
    const struct explanation *e = explanation_of(r);
    return e ? e->repair : NULL;
}

static void put_indented(tc_text *t, const char *code) {
    for (const char *line = code; *line;) {
        const char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) + 1 : strlen(line);
        tc_put(t, "    ");
        tc_putn(t, line, n);
        line += n;
    }
}

const char *tc_explain(tc_arena *a, const char *asked) {
    char *code = tc_strdup(a, asked);
    for (char *s = code; *s; s++)
        if (*s >= 'a' && *s <= 'z')
            *s = (char)(*s - 'a' + 'A');
    tc_rule r = tc_rule_of_code(code);
    const struct explanation *e = r == TC_RULE_COUNT ? NULL : explanation_of(r);
    if (!e)
        return NULL;
    tc_text t = {.arena = a};
    tc_putf(&t, "%s: %s\n\n%s\n\nFails:\n\n", code, tc_rule_title(r), e->what);
    put_indented(&t, e->failing);
    tc_put(&t, "\nRepaired:\n\n");
    put_indented(&t, e->repaired);
    if (tc_rule_is_of_streams(r))
        tc_put(&t, "\nThe runtime shim sees it (docs/shim.md), and tilecheck replay in a trace.\n");
    else if (!tc_rule_runs(r) && !tc_rule_is_of_launches(r))
        tc_put(&t, "\nThe prover does not decide this rule; `run` shows it where it happens.\n");
    tc_putf(&t, "\nMore: docs/rules/%s.md\n", code);
    return tc_text_str(&t);
}
