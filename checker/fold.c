// One finding for all instantiations of a template that it is true of.
//
// A template's kernel is checked once for each of its instantiations, and what is said of a place in it is mostly the same in all of
// them, but for numbers. The first is kept, with a note on the others; the report has every one.
#include "checker/report.h"

#include <string.h>

enum { NAMES_TOLD = 2 };

// A kernel's name without its template arguments.
static size_t base_length(const char *name) { return strcspn(name, "<"); }

static bool is_instantiation(const char *name) { return name != NULL && name[base_length(name)] == '<'; }

static bool same_template(const char *a, const char *b) {
    size_t n = base_length(a);
    return n == base_length(b) && strncmp(a, b, n) == 0;
}

// Are the texts equal, but for the kernels' names in them?
static bool same_text(const char *a, const char *in, const char *b, const char *of) {
    size_t na = strlen(in), nb = strlen(of);
    while (*a != '\0' && *b != '\0') {
        if (strncmp(a, in, na) == 0 && strncmp(b, of, nb) == 0) {
            a += na;
            b += nb;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static bool same_code(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

static bool same_loc(tc_loc a, tc_loc b) { return a.file == b.file && a.line == b.line && a.column == b.column; }

// A rule is broken at a place, whatever the values are with which it is; what else is told is its text.
static bool is_broken_rule(const tc_finding *f) { return f->code != NULL && strncmp(f->code, "TC9", 3) != 0; }

static bool repeats(const tc_finding *first, const tc_finding *f) {
    return first->severity == f->severity && same_loc(first->loc, f->loc) && same_code(first->code, f->code) && is_instantiation(first->kernel) &&
           is_instantiation(f->kernel) && same_template(first->kernel, f->kernel) && strcmp(first->kernel, f->kernel) != 0 &&
           (is_broken_rule(f) || same_text(first->text, first->kernel, f->text, f->kernel));
}

typedef TC_VEC(const char *) names;

static void tell_others(tc_arena *a, tc_finding *f, const names *others) {
    if (others->len == 0)
        return;
    tc_text t = {.arena = a};
    tc_put(&t, is_broken_rule(f) ? "this rule is broken here, too, by " : "the same of ");
    for (size_t i = 0; i < others->len && i < NAMES_TOLD; i++)
        tc_put(&t, tc_fmt(a, "%s'%s'", i == 0 ? "" : i + 1 == others->len ? " and " : ", ", others->data[i]));
    if (others->len > NAMES_TOLD)
        tc_put(&t, tc_fmt(a, " and %zu more instantiation%s", others->len - NAMES_TOLD, others->len == NAMES_TOLD + 1 ? "" : "s"));
    tc_push(a, &f->notes, ((tc_note){.loc = f->loc, .text = tc_text_str(&t)}));
}

void tc_findings_fold(tc_arena *a, tc_findings *findings) {
    TC_VEC(names) others = {0}; // of each finding that is kept
    size_t n = 0;
    for (size_t i = 0; i < findings->len; i++) {
        tc_finding f = findings->data[i];
        size_t k = 0;
        while (k < n && !repeats(&findings->data[k], &f))
            k++;
        if (k < n) {
            tc_push(a, &others.data[k], f.kernel);
            continue;
        }
        findings->data[n] = f;
        tc_push(a, &others, (names){0});
        n++;
    }
    findings->len = n;
    for (size_t k = 0; k < n; k++)
        tell_others(a, &findings->data[k], &others.data[k]);
}
