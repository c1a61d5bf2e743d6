// The JSON report: stable order, no times, nothing that differs between two runs.
//
// Written into an arena text, so that a failed allocation leaves nothing behind.
#include "checker/report.h"

#include <string.h>

// ---- JSON ----

typedef struct json {
    tc_text text;
    bool first; // nothing stands before the next member
} json;

// The length of a well-formed UTF-8 sequence at s, or 0.
static size_t utf8_length(const unsigned char *s, size_t n) {
    size_t len = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    if (len == 0 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] >= 0x90);
    return overlong || outside ? 0 : len;
}

static void put_escaped(tc_text *t, const char *s) {
    size_t n = strlen(s);
    tc_putc(t, '"');
    for (size_t i = 0; i < n;) {
        const unsigned char *p = (const unsigned char *)s + i;
        size_t len = utf8_length(p, n - i);
        if (*p == '"' || *p == '\\')
            tc_putf(t, "\\%c", *p);
        else if (*p == '\n')
            tc_put(t, "\\n");
        else if (*p < 0x20 || *p == 0x7f)
            tc_putf(t, "\\u%04x", *p);
        else if (len == 0)
            tc_put(t, "\\ufffd");
        else
            tc_putn(t, s + i, len);
        i += len ? len : 1;
    }
    tc_putc(t, '"');
}

static void comma(json *j) {
    if (!j->first)
        tc_put(&j->text, ", ");
    j->first = false;
}

static void key(json *j, const char *name) {
    comma(j);
    put_escaped(&j->text, name);
    tc_put(&j->text, ": ");
}

static void open(json *j, char bracket) {
    tc_putc(&j->text, bracket);
    j->first = true;
}

static void close(json *j, char bracket) {
    tc_putc(&j->text, bracket);
    j->first = false;
}

static void put_string(json *j, const char *name, const char *value) {
    key(j, name);
    put_escaped(&j->text, value ? value : "");
}

static void put_number(json *j, const char *name, tc_i128 value) {
    key(j, name);
    tc_put128(&j->text, value);
}

static void put_triple(json *j, const char *name, const uint32_t *v) {
    key(j, name);
    tc_putf(&j->text, "[%u, %u, %u]", v[0], v[1], v[2]);
}

// ---- counterexamples ----

static void put_thread(json *j, const uint32_t *block, const uint32_t *thread) {
    comma(j);
    open(j, '{');
    put_triple(j, "block", block);
    put_triple(j, "thread", thread);
    close(j, '}');
}

static void put_sizes(json *j, const tc_contract *c, const tc_launch *l) {
    key(j, "sizes");
    open(j, '{');
    for (size_t i = 0; i < c->scalars.len; i++)
        if (c->scalars.data[i].path && l->scalars)
            put_number(j, c->scalars.data[i].path, l->scalars[i]);
    close(j, '}');
}

static void put_functions(json *j, const tc_contract *c, const tc_launch *l) {
    if (c->functions.len == 0 || !l->functions)
        return;
    key(j, "functions");
    open(j, '{');
    for (size_t i = 0; i < c->functions.len; i++)
        put_string(j, c->functions.data[i].path, tc_contract_callable(c, l->functions[i]));
    close(j, '}');
}

static void put_place(json *j, const tc_kernel_result *r, const tc_obligation *ob, const tc_fault *f) {
    if (!f->object)
        return;
    put_string(j, "object", f->object);
    put_number(j, "offset", f->offset);
    uint64_t elem = ob->object != TC_NONE ? r->model->objects.data[ob->object].elem : 0;
    if (ob->contract >= 0 && r->contract->objects.data[ob->contract].elem)
        elem = r->contract->objects.data[ob->contract].elem->size;
    if (elem)
        put_number(j, "element", tc_floor_div(f->offset, (tc_i128)elem));
}

static void put_example(json *j, const tc_kernel_result *r, const tc_obligation *ob) {
    const tc_counterexample *x = ob->example;
    const tc_fault *f = &x->fault;
    key(j, "counterexample");
    open(j, '{');
    put_sizes(j, r->contract, &x->launch);
    put_functions(j, r->contract, &x->launch);
    put_triple(j, "grid", x->launch.grid);
    put_triple(j, "block", x->launch.block);
    if (x->launch.smem)
        put_number(j, "smem", (tc_i128)x->launch.smem);
    key(j, "threads");
    open(j, '[');
    put_thread(j, f->block, f->thread);
    if (f->two)
        put_thread(j, f->other_block, f->other_thread);
    close(j, ']');
    put_place(j, r, ob, f);
    key(j, "lines");
    tc_putf(&j->text, f->two ? "[%u, %u]" : "[%u]", f->loc.line, f->other_loc.line);
    put_string(j, "text", f->text);
    close(j, '}');
}

// ---- kernels ----

static void put_depends(json *j, const tc_kernel_result *r, const tc_obligation *ob) {
    key(j, "depends_on");
    open(j, '[');
    for (size_t i = 0; i < ob->depends_on.len; i++) {
        const tc_obligation *on = &r->obligations.data[ob->depends_on.data[i]];
        bool seen = false;
        for (size_t k = 0; k < i; k++) {
            const tc_obligation *o = &r->obligations.data[ob->depends_on.data[k]];
            seen |= o->rule == on->rule && o->loc.line == on->loc.line;
        }
        if (seen)
            continue;
        comma(j);
        tc_putf(&j->text, "\"%s@%u\"", tc_rule_code(on->rule), on->loc.line);
    }
    close(j, ']');
}

// Guards, requirements and invariants that the proof needed, as text.
static void put_core(json *j, const tc_kernel_result *r, const tc_obligation *ob) {
    if (ob->core.len == 0 || !r->model)
        return;
    key(j, "used");
    open(j, '[');
    for (size_t i = 0; i < ob->core.len; i++) {
        comma(j);
        put_escaped(&j->text, tc_term_text(r->model->terms, ob->core.data[i]));
    }
    close(j, ']');
}

static void put_obligation(json *j, tc_arena *a, const tc_unit *u, const tc_kernel_result *r, const tc_obligation *ob) {
    comma(j);
    tc_put(&j->text, "\n      ");
    open(j, '{');
    put_string(j, "rule", tc_rule_code(ob->rule));
    put_string(j, "verdict", tc_verdict_name(ob->verdict));
    put_depends(j, r, ob);
    if (ob->loc.file != r->kernel->loc.file && ob->loc.file < u->nfiles)
        put_string(j, "file", u->files[ob->loc.file]);
    put_number(j, "line", ob->loc.line);
    put_number(j, "column", ob->loc.column);
    if (ob->object != TC_NONE && r->model)
        put_string(j, "object", r->model->objects.data[ob->object].name);
    if (ob->claim)
        put_string(j, "claim", ob->claim);
    if (ob->reason)
        put_string(j, "reason", ob->reason);
    if (ob->hint)
        put_string(j, "hint", ob->hint);
    put_core(j, r, ob);
    put_string(j, "rung", tc_rung_name(ob->rung));
    put_number(j, "rlimit", (tc_i128)ob->rlimit);
    if (ob->example)
        put_example(j, r, ob);
    close(j, '}');
    (void)a;
}

static void put_facts(json *j, const tc_kernel_result *r) {
    key(j, "preconditions");
    open(j, '[');
    for (size_t i = 0; i < r->preconditions.len; i++) {
        comma(j);
        put_escaped(&j->text, r->preconditions.data[i].text);
    }
    close(j, ']');
    key(j, "assumptions");
    open(j, '[');
    for (size_t i = 0; i < r->assumptions.len; i++) {
        const tc_taken *t = &r->assumptions.data[i];
        comma(j);
        open(j, '{');
        put_string(j, "text", t->text);
        put_string(j, "why", t->why);
        put_number(j, "line", t->loc.line);
        close(j, '}');
    }
    close(j, ']');
}

// What could not be lifted, and what it may touch: for statistics, and beside the reasons of unknowns.
static void put_holes(json *j, const tc_kmodel *m) {
    static const struct {
        unsigned effect;
        const char *name;
    } effects[] = {{TC_HOLE_VALUE, "value"}, {TC_HOLE_MEMORY, "memory"}, {TC_HOLE_SYNC, "order"}, {TC_HOLE_CONTROL, "control"}};
    key(j, "holes");
    open(j, '[');
    for (size_t i = 0; m && i < m->holes.len; i++) {
        const tc_hole *h = &m->holes.data[i];
        comma(j);
        open(j, '{');
        put_string(j, "what", h->what);
        key(j, "effects");
        open(j, '[');
        for (size_t k = 0; k < sizeof effects / sizeof *effects; k++)
            if (h->effect & effects[k].effect) {
                comma(j);
                put_escaped(&j->text, effects[k].name);
            }
        close(j, ']');
        put_number(j, "line", h->loc.line);
        close(j, '}');
    }
    close(j, ']');
}

static void put_lines(json *j, const char *name, const tc_loc *locs, size_t n) {
    key(j, name);
    open(j, '[');
    for (size_t i = 0; i < n; i++) {
        comma(j);
        tc_putf(&j->text, "%u", locs[i].line);
    }
    close(j, ']');
}

static void put_clauses(json *j, const char *name, const tc_clause *clauses, size_t n) {
    if (n == 0)
        return;
    key(j, name);
    open(j, '[');
    for (size_t i = 0; i < n; i++) {
        comma(j);
        put_escaped(&j->text, clauses[i].text);
    }
    close(j, ']');
}

const char *tc_report_kernel(tc_arena *a, const tc_unit *u, const tc_kernel_result *r) {
    json j = {.text = {.arena = a}, .first = true};
    open(&j, '{');
    put_string(&j, "name", r->kernel->name);
    put_string(&j, "mangled", r->kernel->mangled);
    put_string(&j, "file", r->kernel->loc.file < u->nfiles ? u->files[r->kernel->loc.file] : "");
    put_number(&j, "line", r->kernel->loc.line);
    put_string(&j, "verdict", tc_verdict_name(r->verdict));
    put_facts(&j, r);
    if (r->note)
        put_string(&j, "note", r->note);
    put_holes(&j, r->model);
    put_lines(&j, "not_reached", r->missed.data, r->missed.len);
    tc_loc *redundant = TC_NEW_ARRAY(a, tc_loc, r->redundant.len + 1);
    for (size_t i = 0; i < r->redundant.len; i++)
        redundant[i] = r->redundant.data[i].loc;
    put_lines(&j, "redundant_barriers", redundant, r->redundant.len);
    put_clauses(&j, "unused_requirements", r->unused.data, r->unused.len);
    put_number(&j, "queries", (tc_i128)r->queries);
    put_number(&j, "rlimit", (tc_i128)r->rlimit);
    key(&j, "obligations");
    open(&j, '[');
    for (size_t i = 0; i < r->obligations.len; i++)
        if (!r->obligations.data[i].hidden)
            put_obligation(&j, a, u, r, &r->obligations.data[i]);
    close(&j, ']');
    close(&j, '}');
    return tc_text_str(&j.text);
}

// ---- the whole ----

static void put_rules_not_run(json *j, const tc_options *o) {
    key(j, "rules_not_run");
    open(j, '[');
    for (int r = 0; r < TC_RULE_COUNT; r++) {
        const char *code = tc_rule_code((tc_rule)r);
        bool always = r == TC_RULE_TC9001 || r == TC_RULE_TC9002;
        if (tc_rule_runs((tc_rule)r) && (always || tc_options_rule(o, code)))
            continue;
        comma(j);
        put_escaped(&j->text, code);
    }
    close(j, ']');
}

static void put_summary(json *j, const tc_summary *s) {
    key(j, "summary");
    open(j, '{');
    put_number(j, "kernels", s->kernels);
    put_number(j, "proved", s->proved);
    put_number(j, "proved_if", s->proved_if);
    put_number(j, "violated", s->violated);
    put_number(j, "unknown", s->unknown);
    close(j, '}');
}

const char *tc_report_text(tc_arena *a, const tc_unit *u, const tc_options *o, const char *const *kernels, size_t n,
                           const tc_summary *s) {
    json j = {.text = {.arena = a}, .first = true};
    open(&j, '{');
    put_number(&j, "version", 1);
    put_string(&j, "tool", "tilecheck");
    put_string(&j, "file", u->nfiles ? u->files[0] : "");
    key(&j, "kernels");
    open(&j, '[');
    for (size_t i = 0; i < n; i++) {
        comma(&j);
        tc_put(&j.text, "\n    ");
        tc_put(&j.text, kernels[i]);
    }
    close(&j, ']');
    put_rules_not_run(&j, o);
    put_summary(&j, s);
    close(&j, '}');
    tc_putc(&j.text, '\n');
    return tc_text_str(&j.text);
}

static void put_count(tc_text *t, unsigned n, const char *what, bool *first) {
    if (n == 0)
        return;
    tc_putf(t, "%s%u %s", *first ? ": " : ", ", n, what);
    *first = false;
}

const char *tc_summary_text(tc_arena *a, const tc_summary *s) {
    if (s->kernels == 0)
        return "tilecheck: no kernel checked";
    tc_text t = {.arena = a};
    bool first = true;
    tc_putf(&t, "tilecheck: %u kernel%s", s->kernels, s->kernels == 1 ? "" : "s");
    put_count(&t, s->proved, "proved", &first);
    put_count(&t, s->proved_if, "proved-if", &first);
    put_count(&t, s->violated, "violated", &first);
    put_count(&t, s->unknown, "unknown", &first);
    return tc_text_str(&t);
}
