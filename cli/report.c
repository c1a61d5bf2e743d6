#include "cli/cli.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_of(const cJSON *summary, const char *key) {
    const cJSON *n = cJSON_GetObjectItemCaseSensitive(summary, key);
    return cJSON_IsNumber(n) && n->valuedouble > 0 ? (unsigned)n->valuedouble : 0;
}

// The rules of the kernel itself that are not proved; those of launch sites (TC4…) and of run time (TC5…) are told elsewhere.
static void note_not_run(const cJSON *report, tc_totals *t) {
    const cJSON *code;
    size_t n = 0;
    t->not_run[0] = '\0';
    cJSON_ArrayForEach(code, cJSON_GetObjectItemCaseSensitive(report, "rules_not_run")) {
        const char *s = cJSON_IsString(code) ? code->valuestring : "";
        if (strncmp(s, "TC1", 3) != 0 && strncmp(s, "TC2", 3) != 0 && strncmp(s, "TC3", 3) != 0)
            continue;
        if (n + strlen(s) + 3 > sizeof t->not_run)
            return;
        n += (size_t)snprintf(t->not_run + n, sizeof t->not_run - n, "%s%s", n ? ", " : "", s);
    }
}

bool tc_report_add(const char *text, tc_totals *t) {
    cJSON *report = cJSON_Parse(text);
    const cJSON *summary = cJSON_GetObjectItemCaseSensitive(report, "summary");
    bool ran = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(report, "runs")) > 0;
    bool good = cJSON_IsObject(summary) || ran;
    if (good) {
        t->files++;
        t->kernels += count_of(summary, "kernels");
        t->proved += count_of(summary, "proved");
        t->proved_if += count_of(summary, "proved_if");
        t->violated += count_of(summary, "violated");
        t->unknown += count_of(summary, "unknown");
        t->launches += count_of(summary, "launches");
        t->launches_proved += count_of(summary, "launches_proved");
        t->launches_violated += count_of(summary, "launches_violated");
        t->launches_run_time += count_of(summary, "launches_run_time");
        note_not_run(report, t);
    }
    cJSON_Delete(report);
    return good;
}

static const char *merged(tc_arena *a, const tc_strings *reports, const tc_totals *t) {
    tc_text text = {.arena = a};
    tc_put(&text, "{\"version\":1,\"reports\":[");
    for (size_t i = 0; i < reports->len; i++) {
        tc_put(&text, i ? ",\n" : "\n");
        size_t n = strlen(reports->data[i]);
        while (n && (reports->data[i][n - 1] == '\n' || reports->data[i][n - 1] == ' '))
            n--;
        tc_putn(&text, reports->data[i], n);
    }
    tc_putf(&text,
            "\n],\"summary\":{\"files\":%u,\"kernels\":%u,\"proved\":%u,\"proved_if\":%u,\"violated\":%u,"
            "\"unknown\":%u",
            t->files, t->kernels, t->proved, t->proved_if, t->violated, t->unknown);
    if (t->launches)
        tc_putf(&text, ",\"launches\":%u,\"launches_proved\":%u,\"launches_violated\":%u,\"launches_run_time\":%u", t->launches,
                t->launches_proved, t->launches_violated, t->launches_run_time);
    tc_put(&text, "}}\n");
    return tc_text_str(&text);
}

const char *tc_report_write(tc_arena *a, const char *path, const tc_strings *reports, const tc_totals *t) {
    const char *text = reports->len == 1 ? reports->data[0] : merged(a, reports, t);
    FILE *f = fopen(path, "wb");
    if (!f)
        return tc_fmt(a, "cannot write the report to '%s': %s", path, strerror(errno));
    bool good = fputs(text, f) >= 0;
    if (fclose(f) != 0 || !good)
        return tc_fmt(a, "cannot write the report to '%s': %s", path, strerror(errno));
    return NULL;
}
