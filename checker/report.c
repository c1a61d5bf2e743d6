// The JSON report: stable order, no times, nothing that differs between two runs.
//
// Written into an arena text, so that a failed allocation leaves nothing behind.
#include "checker/report.h"

#include "checker/json.h"

#include <string.h>

static void put_triple(tc_json *j, const char *name, const uint32_t *v) {
    tc_json_key(j, name);
    tc_putf(&j->text, "[%u, %u, %u]", v[0], v[1], v[2]);
}

// ---- counterexamples ----

static void put_thread(tc_json *j, const uint32_t *block, const uint32_t *thread) {
    tc_json_comma(j);
    tc_json_open(j, '{');
    put_triple(j, "block", block);
    put_triple(j, "thread", thread);
    tc_json_close(j, '}');
}

static void put_sizes(tc_json *j, const tc_contract *c, const tc_launch *l) {
    tc_json_key(j, "sizes");
    tc_json_open(j, '{');
    for (size_t i = 0; i < c->scalars.len; i++)
        if (c->scalars.data[i].path && l->scalars)
            tc_json_number(j, c->scalars.data[i].path, l->scalars[i]);
    tc_json_close(j, '}');
}

static void put_functions(tc_json *j, const tc_contract *c, const tc_launch *l) {
    if (c->functions.len == 0 || !l->functions)
        return;
    tc_json_key(j, "functions");
    tc_json_open(j, '{');
    for (size_t i = 0; i < c->functions.len; i++)
        tc_json_string(j, c->functions.data[i].path, tc_contract_callable(c, l->functions[i]));
    tc_json_close(j, '}');
}

// Of what the launch reads and the contract does not tell, as the notes name it.
static void put_contents(tc_json *j, tc_contract *c, const tc_counterexample *x) {
    if (!x->contents || x->contents->reads.len == 0)
        return;
    tc_json_key(j, "contents");
    tc_json_open(j, '{');
    for (size_t i = 0; i < x->contents->reads.len; i++)
        tc_json_number(j, tc_read_name(j->text.arena, c, &x->launch, &x->contents->reads.data[i]), x->contents->reads.data[i].value);
    tc_json_close(j, '}');
}

static void put_place(tc_json *j, const tc_kernel_result *r, const tc_obligation *ob, const tc_fault *f) {
    if (!f->object)
        return;
    tc_json_string(j, "object", f->object);
    tc_json_number(j, "offset", f->offset);
    uint64_t elem = ob->object != TC_NONE ? r->model->objects.data[ob->object].elem : 0;
    if (ob->contract >= 0 && r->contract->objects.data[ob->contract].elem)
        elem = r->contract->objects.data[ob->contract].elem->size;
    if (elem)
        tc_json_number(j, "element", tc_floor_div(f->offset, (tc_i128)elem));
}

static void put_example(tc_json *j, const tc_kernel_result *r, const tc_obligation *ob) {
    const tc_counterexample *x = ob->example;
    const tc_fault *f = &x->fault;
    tc_json_key(j, "counterexample");
    tc_json_open(j, '{');
    put_sizes(j, r->contract, &x->launch);
    put_functions(j, r->contract, &x->launch);
    put_triple(j, "grid", x->launch.grid);
    put_triple(j, "block", x->launch.block);
    if (x->launch.smem)
        tc_json_number(j, "smem", (tc_i128)x->launch.smem);
    put_contents(j, r->contract, x);
    tc_json_key(j, "threads");
    tc_json_open(j, '[');
    put_thread(j, f->block, f->thread);
    if (f->two)
        put_thread(j, f->other_block, f->other_thread);
    tc_json_close(j, ']');
    put_place(j, r, ob, f);
    tc_json_key(j, "lines");
    tc_putf(&j->text, f->two ? "[%u, %u]" : "[%u]", f->loc.line, f->other_loc.line);
    tc_json_string(j, "text", f->text);
    tc_json_close(j, '}');
}

// ---- kernels ----

static void put_depends(tc_json *j, const tc_kernel_result *r, const tc_obligation *ob) {
    tc_json_key(j, "depends_on");
    tc_json_open(j, '[');
    for (size_t i = 0; i < ob->depends_on.len; i++) {
        const tc_obligation *on = &r->obligations.data[ob->depends_on.data[i]];
        bool seen = false;
        for (size_t k = 0; k < i; k++) {
            const tc_obligation *o = &r->obligations.data[ob->depends_on.data[k]];
            seen |= o->rule == on->rule && o->loc.line == on->loc.line;
        }
        if (seen)
            continue;
        tc_json_comma(j);
        tc_putf(&j->text, "\"%s@%u\"", tc_rule_code(on->rule), on->loc.line);
    }
    tc_json_close(j, ']');
}

// Guards, requirements and invariants that the proof needed, as text.
static void put_core(tc_json *j, const tc_kernel_result *r, const tc_obligation *ob) {
    if (ob->core.len == 0 || !r->model)
        return;
    tc_json_key(j, "used");
    tc_json_open(j, '[');
    for (size_t i = 0; i < ob->core.len; i++) {
        tc_json_comma(j);
        tc_json_escaped(&j->text, tc_term_text(r->model->terms, ob->core.data[i]));
    }
    tc_json_close(j, ']');
}

static void put_obligation(tc_json *j, tc_arena *a, const tc_unit *u, const tc_kernel_result *r, const tc_obligation *ob) {
    tc_json_comma(j);
    tc_put(&j->text, "\n      ");
    tc_json_open(j, '{');
    tc_json_string(j, "rule", tc_rule_code(ob->rule));
    tc_json_string(j, "verdict", tc_verdict_name(ob->verdict));
    put_depends(j, r, ob);
    if (ob->loc.file != r->kernel->loc.file && ob->loc.file < u->nfiles)
        tc_json_string(j, "file", u->files[ob->loc.file]);
    tc_json_number(j, "line", ob->loc.line);
    tc_json_number(j, "column", ob->loc.column);
    if (ob->object != TC_NONE && r->model)
        tc_json_string(j, "object", r->model->objects.data[ob->object].name);
    if (ob->claim)
        tc_json_string(j, "claim", ob->claim);
    if (ob->reason)
        tc_json_string(j, "reason", ob->reason);
    if (ob->hint)
        tc_json_string(j, "hint", ob->hint);
    put_core(j, r, ob);
    tc_json_string(j, "rung", tc_rung_name(ob->rung));
    tc_json_number(j, "rlimit", (tc_i128)ob->rlimit);
    if (ob->example)
        put_example(j, r, ob);
    tc_json_close(j, '}');
    (void)a;
}

static void put_facts(tc_json *j, const tc_kernel_result *r) {
    tc_json_key(j, "preconditions");
    tc_json_open(j, '[');
    for (size_t i = 0; i < r->preconditions.len; i++) {
        tc_json_comma(j);
        tc_json_escaped(&j->text, r->preconditions.data[i].text);
    }
    tc_json_close(j, ']');
    tc_json_key(j, "assumptions");
    tc_json_open(j, '[');
    for (size_t i = 0; i < r->assumptions.len; i++) {
        const tc_taken *t = &r->assumptions.data[i];
        tc_json_comma(j);
        tc_json_open(j, '{');
        tc_json_string(j, "text", t->text);
        tc_json_string(j, "why", t->why);
        tc_json_number(j, "line", t->loc.line);
        tc_json_close(j, '}');
    }
    tc_json_close(j, ']');
}

// What could not be lifted, and what it may touch: for statistics, and beside the reasons of unknowns.
static void put_holes(tc_json *j, const tc_kmodel *m) {
    static const struct {
        unsigned effect;
        const char *name;
    } effects[] = {{TC_HOLE_VALUE, "value"}, {TC_HOLE_MEMORY, "memory"}, {TC_HOLE_SYNC, "order"}, {TC_HOLE_CONTROL, "control"}};
    tc_json_key(j, "holes");
    tc_json_open(j, '[');
    for (size_t i = 0; m && i < m->holes.len; i++) {
        const tc_hole *h = &m->holes.data[i];
        tc_json_comma(j);
        tc_json_open(j, '{');
        tc_json_string(j, "what", h->what);
        tc_json_key(j, "effects");
        tc_json_open(j, '[');
        for (size_t k = 0; k < sizeof effects / sizeof *effects; k++)
            if (h->effect & effects[k].effect) {
                tc_json_comma(j);
                tc_json_escaped(&j->text, effects[k].name);
            }
        tc_json_close(j, ']');
        tc_json_number(j, "line", h->loc.line);
        tc_json_close(j, '}');
    }
    tc_json_close(j, ']');
}

static void put_lines(tc_json *j, const char *name, const tc_loc *locs, size_t n) {
    tc_json_key(j, name);
    tc_json_open(j, '[');
    for (size_t i = 0; i < n; i++) {
        tc_json_comma(j);
        tc_putf(&j->text, "%u", locs[i].line);
    }
    tc_json_close(j, ']');
}

static void put_clauses(tc_json *j, const char *name, const tc_clause *clauses, size_t n) {
    if (n == 0)
        return;
    tc_json_key(j, name);
    tc_json_open(j, '[');
    for (size_t i = 0; i < n; i++) {
        tc_json_comma(j);
        tc_json_escaped(&j->text, clauses[i].text);
    }
    tc_json_close(j, ']');
}

const char *tc_report_kernel(tc_arena *a, const tc_unit *u, const tc_kernel_result *r) {
    tc_json j = {.text = {.arena = a}, .first = true};
    tc_json_open(&j, '{');
    tc_json_string(&j, "name", r->kernel->name);
    tc_json_string(&j, "mangled", r->kernel->mangled);
    tc_json_string(&j, "file", r->kernel->loc.file < u->nfiles ? u->files[r->kernel->loc.file] : "");
    tc_json_number(&j, "line", r->kernel->loc.line);
    tc_json_string(&j, "verdict", tc_verdict_name(r->verdict));
    put_facts(&j, r);
    if (r->note)
        tc_json_string(&j, "note", r->note);
    put_holes(&j, r->model);
    put_lines(&j, "not_reached", r->missed.data, r->missed.len);
    tc_loc *redundant = TC_NEW_ARRAY(a, tc_loc, r->redundant.len + 1);
    for (size_t i = 0; i < r->redundant.len; i++)
        redundant[i] = r->redundant.data[i].loc;
    put_lines(&j, "redundant_barriers", redundant, r->redundant.len);
    put_clauses(&j, "unused_requirements", r->unused.data, r->unused.len);
    tc_json_number(&j, "queries", (tc_i128)r->queries);
    tc_json_number(&j, "rlimit", (tc_i128)r->rlimit);
    tc_json_key(&j, "obligations");
    tc_json_open(&j, '[');
    for (size_t i = 0; i < r->obligations.len; i++)
        if (!r->obligations.data[i].hidden)
            put_obligation(&j, a, u, r, &r->obligations.data[i]);
    tc_json_close(&j, ']');
    tc_json_close(&j, '}');
    return tc_text_str(&j.text);
}

// ---- the whole ----

static void put_rules_not_run(tc_json *j, const tc_options *o) {
    tc_json_key(j, "rules_not_run");
    tc_json_open(j, '[');
    for (int r = 0; r < TC_RULE_COUNT; r++) {
        const char *code = tc_rule_code((tc_rule)r);
        bool always = r == TC_RULE_TC9001 || r == TC_RULE_TC9002;
        if (tc_rule_runs((tc_rule)r) && (always || tc_options_rule(o, code)))
            continue;
        tc_json_comma(j);
        tc_json_escaped(&j->text, code);
    }
    tc_json_close(j, ']');
}

static void put_summary(tc_json *j, const tc_summary *s) {
    tc_json_key(j, "summary");
    tc_json_open(j, '{');
    tc_json_number(j, "kernels", s->kernels);
    tc_json_number(j, "proved", s->proved);
    tc_json_number(j, "proved_if", s->proved_if);
    tc_json_number(j, "violated", s->violated);
    tc_json_number(j, "unknown", s->unknown);
    tc_json_close(j, '}');
}

const char *tc_report_text(tc_arena *a, const tc_unit *u, const tc_options *o, const char *const *kernels, size_t n,
                           const tc_summary *s) {
    tc_json j = {.text = {.arena = a}, .first = true};
    tc_json_open(&j, '{');
    tc_json_number(&j, "version", 1);
    tc_json_string(&j, "tool", "tilecheck");
    tc_json_string(&j, "file", u->nfiles ? u->files[0] : "");
    tc_json_key(&j, "kernels");
    tc_json_open(&j, '[');
    for (size_t i = 0; i < n; i++) {
        tc_json_comma(&j);
        tc_put(&j.text, "\n    ");
        tc_put(&j.text, kernels[i]);
    }
    tc_json_close(&j, ']');
    put_rules_not_run(&j, o);
    put_summary(&j, s);
    tc_json_close(&j, '}');
    tc_putc(&j.text, '\n');
    return tc_text_str(&j.text);
}

void tc_summary_count(tc_text *t, unsigned n, const char *what, bool *first) {
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
    tc_summary_count(&t, s->proved, "proved", &first);
    tc_summary_count(&t, s->proved_if, "proved-if", &first);
    tc_summary_count(&t, s->violated, "violated", &first);
    tc_summary_count(&t, s->unknown, "unknown", &first);
    return tc_text_str(&t);
}
