// Statistics over many reports: the next thing to model, or to say, is chosen by counting.
#include "cli/cli.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

// One kind of thing, and how often it was met.
typedef struct kind {
    const char *text, *more; // what, and its effects or its rule
    const char *where;       // the first of them: FILE:LINE
    unsigned count, kernels;
    size_t last_kernel; // to count each kernel once
} kind;

typedef TC_VEC(kind) kinds;

typedef struct stats {
    tc_arena *arena;
    kinds holes, reasons, hints;
    size_t kernel;       // number of the one that is read now
    unsigned with_holes; // kernels
} stats;

static const char *string_of(const cJSON *o, const char *key) {
    const cJSON *s = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(s) ? s->valuestring : "";
}

static unsigned number_of(const cJSON *o, const char *key) {
    const cJSON *n = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsNumber(n) && n->valuedouble > 0 ? (unsigned)n->valuedouble : 0;
}

static void add(stats *s, kinds *list, const char *text, const char *more, const char *file, unsigned line) {
    kind *k = NULL;
    for (size_t i = 0; i < list->len && !k; i++)
        if (!strcmp(list->data[i].text, text) && !strcmp(list->data[i].more, more))
            k = &list->data[i];
    if (!k) {
        kind fresh = {.text = tc_strdup(s->arena, text), .more = tc_strdup(s->arena, more)};
        fresh.where = tc_fmt(s->arena, "%s:%u", file, line);
        tc_push(s->arena, list, fresh);
        k = &list->data[list->len - 1];
    }
    k->count++;
    k->kernels += k->last_kernel != s->kernel;
    k->last_kernel = s->kernel;
}

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Names and numbers of the one kernel taken out, so that questions of one kind meet: 'x' becomes '…', 64 becomes N.
static const char *general(tc_arena *a, const char *text) {
    tc_text t = {.arena = a};
    for (const char *p = text; *p;) {
        const char *close = *p == '\'' && (p == text || !is_letter(p[-1])) ? strchr(p + 1, '\'') : NULL;
        if (close) {
            tc_put(&t, "'…'");
            p = close + 1;
        } else if (is_digit(*p) && (p == text || !is_letter(p[-1]))) {
            tc_putc(&t, 'N');
            p += strspn(p, "0123456789");
        } else if (is_letter(*p)) {
            size_t n = 1;
            while (is_letter(p[n]) || is_digit(p[n]))
                n++;
            tc_putn(&t, p, n);
            p += n;
        } else {
            tc_putc(&t, *p++);
        }
    }
    return tc_text_str(&t);
}

static const char *effects_of(tc_arena *a, const cJSON *hole) {
    tc_text t = {.arena = a};
    const cJSON *e;
    cJSON_ArrayForEach(e, cJSON_GetObjectItemCaseSensitive(hole, "effects")) {
        if (t.len)
            tc_put(&t, ", ");
        tc_put(&t, cJSON_IsString(e) ? e->valuestring : "");
    }
    return tc_text_str(&t);
}

// The attribute that a hint names.
static const char *word_of(tc_arena *a, const char *hint) {
    const char *at = strstr(hint, "tc_");
    bool decides = strstr(hint, "would decide") != NULL;
    if (!at)
        return "something else";
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    return tc_fmt(a, decides ? "%.*s decides" : "%.*s may help", (int)n, at);
}

static void add_kernel(stats *s, const cJSON *kernel) {
    const char *file = string_of(kernel, "file");
    const cJSON *o;
    s->kernel++;
    const cJSON *holes = cJSON_GetObjectItemCaseSensitive(kernel, "holes");
    s->with_holes += cJSON_GetArraySize(holes) > 0;
    cJSON_ArrayForEach(o, holes) add(s, &s->holes, string_of(o, "what"), effects_of(s->arena, o), file, number_of(o, "line"));
    cJSON_ArrayForEach(o, cJSON_GetObjectItemCaseSensitive(kernel, "obligations")) {
        const char *reason = string_of(o, "reason");
        // What leans on another question, or on a hole, is counted there.
        if (strcmp(string_of(o, "verdict"), "unknown") != 0 || !strncmp(reason, "leans on ", 9) || strstr(reason, "is not modelled"))
            continue;
        add(s, &s->reasons, general(s->arena, reason), string_of(o, "rule"), file, number_of(o, "line"));
        if (*string_of(o, "hint"))
            add(s, &s->hints, word_of(s->arena, string_of(o, "hint")), "", file, number_of(o, "line"));
    }
}

static int by_count(const void *a, const void *b) {
    const kind *x = a, *y = b;
    if (x->kernels != y->kernels)
        return x->kernels < y->kernels ? 1 : -1;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->text, y->text);
}

static void put_kinds(tc_text *t, kinds *list, const char *title) {
    if (list->len == 0)
        return;
    qsort(list->data, list->len, sizeof *list->data, by_count);
    tc_putf(t, "\n%s\n  kernels  places  kind\n", title);
    for (size_t i = 0; i < list->len; i++) {
        const kind *k = &list->data[i];
        tc_putf(t, "  %7u %7u  %s%s%s%s (first: %s)\n", k->kernels, k->count, k->text, *k->more ? " [" : "", k->more, *k->more ? "]" : "",
                k->where);
    }
}

const char *tc_stats_text(tc_arena *a, const tc_strings *reports, const tc_totals *t) {
    stats s = {.arena = a};
    for (size_t i = 0; i < reports->len; i++) {
        cJSON *report = cJSON_Parse(reports->data[i]);
        const cJSON *kernel;
        cJSON_ArrayForEach(kernel, cJSON_GetObjectItemCaseSensitive(report, "kernels")) add_kernel(&s, kernel);
        cJSON_Delete(report);
    }
    tc_text text = {.arena = a};
    tc_putf(&text, "%u file%s, %u kernel%s: %u proved, %u proved under preconditions, %u violated, %u unknown; %u with holes\n", t->files,
            t->files == 1 ? "" : "s", t->kernels, t->kernels == 1 ? "" : "s", t->proved, t->proved_if, t->violated, t->unknown,
            s.with_holes);
    put_kinds(&text, &s.holes, "Not modelled (holes):");
    put_kinds(&text, &s.reasons, "Not decided:");
    put_kinds(&text, &s.hints, "What the hints name:");
    return tc_text_str(&text);
}
