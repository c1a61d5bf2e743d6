// Findings that are not told. A file of rules, one a line:
//   TC5001 kernel=GLOB parameter=GLOB buffer=GLOB  # why it is no error
// Each part may be missing, the reason may not. A rule matches when all its parts do, of either operation of a finding.
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime-shim/front/front.h"

enum { MAX_RULES = 256, MAX_LINE = 1024 };

typedef struct rule {
    char *line; // parts point into it
    char *whole;
    const char *code, *kernel, *parameter, *buffer;
    uint64_t used;
} rule;

static rule rules[MAX_RULES];
static unsigned count;

static bool take_part(rule *r, char *word) {
    static const struct {
        const char *key;
        size_t at;
    } keys[] = {{"kernel=", offsetof(rule, kernel)}, {"parameter=", offsetof(rule, parameter)}, {"buffer=", offsetof(rule, buffer)}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!strncmp(word, keys[i].key, strlen(keys[i].key))) {
            *(const char **)((char *)r + keys[i].at) = word + strlen(keys[i].key);
            return true;
        }
    for (int k = 0; k < TC_RT_RULE_COUNT; k++)
        if (!strcmp(word, tc_rt_rule_code((tc_rt_rule)k))) {
            r->code = word;
            return true;
        }
    return false;
}

static char *trimmed(char *s) {
    while (isspace((unsigned char)*s))
        s++;
    for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]);)
        s[--n] = '\0';
    return s;
}

// NULL: taken, or nothing is there; else what is wrong.
static const char *take_line(char *text) {
    char *s = trimmed(text);
    if (!*s || *s == '#')
        return NULL;
    if (count == MAX_RULES)
        return "there are too many rules";
    rule r = {.line = strdup(s), .whole = strdup(s)};
    const char *wrong = NULL;
    char *hash = r.line ? strchr(r.line, '#') : NULL, *next = NULL;
    if (!r.line || !r.whole)
        wrong = "no memory";
    else if (!hash || !*trimmed(hash + 1))
        wrong = "a rule needs a reason, after #";
    if (hash)
        *hash = '\0';
    for (char *w = wrong ? NULL : strtok_r(r.line, " \t", &next); w && !wrong; w = strtok_r(NULL, " \t", &next))
        if (!take_part(&r, w))
            wrong = "a part is no code of a rule, nor kernel=, parameter= or buffer=";
    if (!wrong && !r.code && !r.kernel && !r.parameter && !r.buffer)
        wrong = "it would match every finding";
    if (!wrong) {
        rules[count++] = r;
        return NULL;
    }
    free(r.line);
    free(r.whole);
    return wrong;
}

void suppress_read(const char *path) {
    FILE *f = fopen(path, "re");
    if (!f) {
        shim_say("%s: %s: nothing is suppressed", path, strerror(errno));
        return;
    }
    char line[MAX_LINE];
    for (unsigned n = 1; fgets(line, sizeof line, f); n++) {
        const char *wrong = take_line(line);
        if (wrong)
            shim_say("%s:%u: %s; the line has no effect", path, n, wrong);
    }
    fclose(f);
}

static bool fits(const char *glob, const char *a, const char *b) {
    return !glob || (a && fnmatch(glob, a, 0) == 0) || (b && fnmatch(glob, b, 0) == 0);
}

bool suppress_matches(const tc_rt_finding *f) {
    bool two = f->has_before;
    for (unsigned i = 0; i < count; i++) {
        rule *r = &rules[i];
        if ((r->code && strcmp(r->code, tc_rt_rule_code(f->rule)) != 0) || !fits(r->kernel, f->now.name, two ? f->before.name : NULL) ||
            !fits(r->parameter, f->now.use, two ? f->before.use : NULL) || !fits(r->buffer, f->buffer.name, NULL))
            continue;
        r->used++;
        return true;
    }
    return false;
}

void suppress_put_unused(void (*put)(const char *text)) {
    for (unsigned i = 0; i < count; i++)
        if (!rules[i].used)
            put(rules[i].whole);
}

unsigned suppress_count(void) {
    return count;
}
