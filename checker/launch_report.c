// What is said of launch sites: findings, the report's "launches", the summary.
#include "checker/launches.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "checker/json.h"
#include "checker/report.h"

// ---- findings ----

// "with n = 100, gridDim = (0,1,1), blockDim = (256,1,1)"
static const char *values_text(tc_arena *a, const tc_site_values *v) {
    tc_text t = {.arena = a};
    tc_put(&t, "with ");
    for (size_t i = 0; i < v->len; i++) {
        const char *name = v->data[i].name;
        bool extent = strncmp(name, "gridDim.", 8) == 0 || strncmp(name, "blockDim.", 9) == 0;
        size_t dot = strcspn(name, ".");
        if (extent && name[dot + 1] != 'x') {
            tc_putf(&t, ",%s", tc_i128_text(a, v->data[i].value));
        } else {
            tc_put(&t, i ? ", " : "");
            tc_putn(&t, name, extent ? dot : strlen(name));
            tc_putf(&t, extent ? " = (%s" : " = %s", tc_i128_text(a, v->data[i].value));
        }
        if (extent && name[dot + 1] == 'z')
            tc_put(&t, ")");
    }
    return tc_text_str(&t);
}

static bool same_loc(tc_loc x, tc_loc y) { return x.file == y.file && x.line == y.line && x.column == y.column; }

static void tell_rule(tc_arena *a, const tc_site_result *s, const tc_site_rule *r, tc_findings *out) {
    tc_finding f = {.code = tc_rule_code(r->rule), .loc = s->loc, .kernel = s->kernel ? s->kernel->name : NULL};
    bool left = r->verdict == TC_SITE_RUN_TIME && !r->warned;
    f.severity = r->verdict == TC_SITE_VIOLATED ? TC_SEV_ERROR : left ? TC_SEV_REMARK : TC_SEV_WARNING;
    f.text = left ? tc_fmt(a, "%s is left to the run time: %s", tc_rule_code(r->rule), r->text) : tc_fmt(a, "%s: %s", tc_rule_title(r->rule), r->text);
    for (size_t i = 0; i < out->len; i++) // one launch may be reached in several ways
        if (out->data[i].code == f.code && same_loc(out->data[i].loc, f.loc) && strcmp(out->data[i].text, f.text) == 0)
            return;
    for (size_t i = 0; i < r->notes.len; i++)
        tc_push(a, &f.notes, r->notes.data[i]);
    if (r->values.len > 0)
        tc_push(a, &f.notes, ((tc_note){s->loc, values_text(a, &r->values)}));
    for (size_t i = 0; i < s->calls.len; i++)
        tc_push(a, &f.notes, s->calls.data[i]);
    const char *repair = left ? NULL : tc_rule_repair(r->rule);
    if (repair != NULL)
        tc_push(a, &f.notes, ((tc_note){s->loc, repair}));
    tc_push(a, out, f);
}

// Said of the function that launches, whatever it is called with: it is true of each that calls it.
static bool is_told(const tc_site_results *sites, size_t i, size_t rule) {
    for (size_t k = 0; k < sites->len; k++) {
        const tc_site_result *s = &sites->data[k];
        if (k != i && s->calls.len == 0 && sites->data[i].calls.len > 0 && s->kernel == sites->data[i].kernel &&
            same_loc(s->loc, sites->data[i].loc) && s->rules[rule].verdict == TC_SITE_VIOLATED)
            return true;
    }
    return false;
}

void tc_launches_tell(tc_arena *a, const tc_options *o, const tc_site_results *sites, tc_findings *out) {
    for (size_t i = 0; i < sites->len; i++)
        for (size_t k = 0; k < TC_SITE_RULES; k++) {
            const tc_site_rule *r = &sites->data[i].rules[k];
            bool told = r->verdict == TC_SITE_VIOLATED || r->warned || (o->left && r->verdict == TC_SITE_RUN_TIME && r->text != NULL);
            if (!r->off && told && !is_told(sites, i, k))
                tell_rule(a, &sites->data[i], r, out);
        }
}

// ---- the report ----

static void put_rule(tc_json *j, const tc_site_rule *r) {
    tc_json_comma(j);
    tc_json_open(j, '{');
    tc_json_string(j, "rule", tc_rule_code(r->rule));
    tc_json_string(j, "verdict", tc_site_verdict_name(r->verdict));
    if (r->text != NULL && r->verdict != TC_SITE_PROVED)
        tc_json_string(j, "text", r->text);
    if (r->values.len > 0) {
        tc_json_key(j, "values");
        tc_json_open(j, '{');
        for (size_t i = 0; i < r->values.len; i++)
            tc_json_number(j, r->values.data[i].name, r->values.data[i].value);
        tc_json_close(j, '}');
    }
    tc_json_close(j, '}');
}

static void put_assumptions(tc_json *j, const tc_site_result *s) {
    tc_json_key(j, "assumptions");
    tc_json_open(j, '[');
    for (size_t i = 0; i < s->assumptions.len; i++) {
        tc_json_comma(j);
        tc_json_open(j, '{');
        tc_json_string(j, "text", s->assumptions.data[i].text);
        tc_json_string(j, "why", s->assumptions.data[i].why);
        tc_json_number(j, "line", s->assumptions.data[i].loc.line);
        tc_json_close(j, '}');
    }
    tc_json_close(j, ']');
}

static void put_site(tc_json *j, const tc_unit *u, const tc_site_result *s) {
    tc_json_comma(j);
    tc_put(&j->text, "\n    ");
    tc_json_open(j, '{');
    tc_json_string(j, "kernel", s->kernel ? s->kernel->name : "");
    tc_json_string(j, "file", s->loc.file < u->nfiles ? u->files[s->loc.file] : "");
    tc_json_number(j, "line", s->loc.line);
    tc_json_number(j, "column", s->loc.column);
    tc_json_string(j, "function", s->function);
    tc_json_string(j, "verdict", tc_site_verdict_name(s->verdict));
    tc_json_key(j, "rules");
    tc_json_open(j, '[');
    for (size_t i = 0; i < TC_SITE_RULES; i++)
        if (!s->rules[i].off)
            put_rule(j, &s->rules[i]);
    tc_json_close(j, ']');
    if (s->assumptions.len > 0)
        put_assumptions(j, s);
    tc_json_close(j, '}');
}

static void put_launches(tc_json *j, const tc_unit *u, const tc_site_results *sites) {
    tc_json_key(j, "launches");
    tc_json_open(j, '[');
    for (size_t i = 0; i < sites->len; i++)
        put_site(j, u, &sites->data[i]);
    tc_json_close(j, ']');
}

// What a report of the device's side counts.
typedef struct counts {
    unsigned kernels, proved, proved_if, violated, unknown;
} counts;

static unsigned count_of(const cJSON *summary, const char *name) {
    const cJSON *n = cJSON_GetObjectItemCaseSensitive(summary, name);
    return cJSON_IsNumber(n) && n->valuedouble > 0 ? (unsigned)n->valuedouble : 0;
}

// Is it a report of this file, and of what? No arena is used in between: nothing may jump over what cJSON holds.
static bool read_counts(const char *before, const char *file, counts *out) {
    cJSON *doc = before ? cJSON_Parse(before) : NULL;
    const cJSON *f = cJSON_GetObjectItemCaseSensitive(doc, "file"), *s = cJSON_GetObjectItemCaseSensitive(doc, "summary");
    bool good = cJSON_IsString(f) && strcmp(f->valuestring, file) == 0 && cJSON_IsObject(s) &&
                cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(doc, "kernels"));
    if (good)
        *out = (counts){count_of(s, "kernels"), count_of(s, "proved"), count_of(s, "proved_if"), count_of(s, "violated"), count_of(s, "unknown")};
    cJSON_Delete(doc);
    return good;
}

// The last place of a member of the whole document: everything before it is kept as it stands, large numbers too.
static const char *last_of(const char *text, const char *what) {
    const char *found = NULL;
    for (const char *s = text; (s = strstr(s, what)) != NULL; s++)
        if (s == text || s[-1] != '\\')
            found = s;
    return found;
}

static void put_not_run(tc_json *j, const tc_options *o) {
    tc_json_key(j, "rules_not_run");
    tc_json_open(j, '[');
    for (int r = 0; r < TC_RULE_COUNT; r++) {
        const char *code = tc_rule_code((tc_rule)r);
        bool always = r == TC_RULE_TC9001 || r == TC_RULE_TC9002, runs = tc_rule_runs((tc_rule)r) || tc_rule_is_of_launches((tc_rule)r);
        if (runs && (always || tc_options_rule(o, code)))
            continue;
        tc_json_comma(j);
        tc_json_escaped(&j->text, code);
    }
    tc_json_close(j, ']');
}

static void put_summary(tc_json *j, const counts *c, const tc_launch_summary *s) {
    tc_json_key(j, "summary");
    tc_json_open(j, '{');
    tc_json_number(j, "kernels", c->kernels);
    tc_json_number(j, "proved", c->proved);
    tc_json_number(j, "proved_if", c->proved_if);
    tc_json_number(j, "violated", c->violated);
    tc_json_number(j, "unknown", c->unknown);
    tc_json_number(j, "launches", s->launches);
    tc_json_number(j, "launches_proved", s->proved);
    tc_json_number(j, "launches_violated", s->violated);
    tc_json_number(j, "launches_run_time", s->run_time);
    tc_json_close(j, '}');
}

// A launch that is violated stands among the kernels too, so that who reads the kernels' verdicts alone does not miss it.
#define LAUNCH_ENTRY "\n    {\"launch\": true"

static void put_entry(tc_json *j, const tc_unit *u, const tc_site_result *s) {
    tc_json_comma(j);
    tc_put(&j->text, LAUNCH_ENTRY);
    tc_json_string(j, "name", s->kernel ? s->kernel->name : "");
    tc_json_string(j, "mangled", s->kernel ? s->kernel->mangled : "");
    tc_json_string(j, "file", s->loc.file < u->nfiles ? u->files[s->loc.file] : "");
    tc_json_number(j, "line", s->loc.line);
    tc_json_string(j, "function", s->function);
    tc_json_string(j, "verdict", "violated");
    tc_put(&j->text, ", \"preconditions\": [], \"assumptions\": [], \"obligations\": [");
    j->first = true;
    for (size_t i = 0; i < TC_SITE_RULES; i++) {
        if (s->rules[i].off || s->rules[i].verdict != TC_SITE_VIOLATED)
            continue;
        tc_json_comma(j);
        tc_json_open(j, '{');
        tc_json_string(j, "rule", tc_rule_code(s->rules[i].rule));
        tc_json_string(j, "verdict", "violated");
        tc_put(&j->text, ", \"depends_on\": []");
        tc_json_number(j, "line", s->loc.line);
        tc_json_number(j, "column", s->loc.column);
        tc_json_string(j, "reason", s->rules[i].text);
        tc_json_close(j, '}');
    }
    tc_put(&j->text, "]}");
    j->first = false;
}

// The report of the device's side up to the end of its kernels; entries of launches from a compilation before are left out.
static void put_kernels(tc_json *j, const char *before, size_t n) {
    while (n > 0 && before[n - 1] != ']')
        n--;
    n -= n > 0;
    const char *entry = strstr(before, LAUNCH_ENTRY);
    if (entry != NULL && (size_t)(entry - before) < n)
        n = (size_t)(entry - before);
    while (n > 0 && (before[n - 1] == ' ' || before[n - 1] == ','))
        n--;
    tc_putn(&j->text, before, n);
    j->first = n > 0 && before[n - 1] == '[';
}

static void put_entries(tc_json *j, const tc_unit *u, const tc_site_results *sites) {
    for (size_t i = 0; i < sites->len; i++)
        if (sites->data[i].verdict == TC_SITE_VIOLATED)
            put_entry(j, u, &sites->data[i]);
    tc_put(&j->text, "]");
    j->first = false;
}

const char *tc_launches_report(tc_arena *a, const tc_unit *u, const tc_options *o, const tc_site_results *sites, const tc_launch_summary *s,
                               const char *before) {
    tc_json j = {.text = {.arena = a}, .first = true};
    counts c = {0};
    const char *file = u->nfiles ? u->files[0] : "";
    const char *rest = read_counts(before, file, &c) ? last_of(before, "\"rules_not_run\":") : NULL;
    const char *old = rest != NULL ? last_of(before, "\"launches\": [") : NULL;
    if (old != NULL && old < rest)
        rest = old;
    if (rest != NULL) {
        put_kernels(&j, before, (size_t)(rest - before));
    } else {
        c = (counts){0};
        tc_json_open(&j, '{');
        tc_json_number(&j, "version", 1);
        tc_json_string(&j, "tool", "tilecheck");
        tc_json_string(&j, "file", file);
        tc_json_key(&j, "kernels");
        tc_put(&j.text, "[");
        j.first = true;
    }
    put_entries(&j, u, sites);
    put_launches(&j, u, sites);
    put_not_run(&j, o);
    put_summary(&j, &c, s);
    tc_json_close(&j, '}');
    tc_putc(&j.text, '\n');
    return tc_text_str(&j.text);
}

const char *tc_launches_summary_text(tc_arena *a, const tc_launch_summary *s) {
    tc_text t = {.arena = a};
    bool first = true;
    tc_putf(&t, "tilecheck: %u launch%s", s->launches, s->launches == 1 ? "" : "es");
    tc_summary_count(&t, s->proved, "proved", &first);
    tc_summary_count(&t, s->violated, "violated", &first);
    tc_summary_count(&t, s->run_time, "left to the run time", &first);
    return tc_text_str(&t);
}
