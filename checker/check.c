// One translation unit: every kernel on its own, in source order.
//
// Each kernel is checked in a tc_trap_run of its own. When that is left early, by a failed allocation or an internal
// error, the kernel is unknown with that reason and the next one is checked.
#include "checker/check.h"

#include <string.h>

#include "checker/defines.h"
#include "checker/embed.h"
#include "checker/report.h"
#include "checker/cover.h"
#include "checker/handed.h"
#include "checker/made.h"
#include "checker/run.h"
#include "checker/workers.h"

typedef struct job {
    tc_arena *arena; // of the results
    const tc_unit *unit;
    const tc_options *options;
    tc_result *result;
    TC_VEC(const char *) reports;
    tc_bytes contracts;
    tc_text dump;
    tc_defines defines;
    tc_answers *answers; // of all kernels
} job;

// One kernel of a job.
typedef struct task {
    job *job;
    const tc_kernel *kernel;
    bool skipped; // it has no attribute
    tc_verdict verdict;
    const char *report;
    tc_findings findings;
    tc_bytes contract; // as a note
} task;

// ---- one kernel ----

// Several times what the largest kernels of the library take; seconds. A kernel has them for itself, whichever is checked first.
static const size_t max_memory = (size_t)320 << 20; // bytes of arenas, for one kernel

static void put_smt(void *ctx, const char *smtlib) {
    tc_text *t = ctx;
    tc_put(t, smtlib);
    tc_put(t, "\n");
}

static bool is_about_order(const tc_options *o) {
    return tc_options_rule(o, "TC3001") || tc_options_rule(o, "TC3002") || tc_options_rule(o, "TC3003") || tc_options_rule(o, "TC3004");
}

// Is there a counter whose value at launch is known?
static bool has_counters(const tc_cx *cx) {
    for (size_t i = 0; i < cx->contract->objects.len; i++)
        if (cx->contract->objects.data[i].has_init)
            return true;
    return false;
}

static bool has_exchanges(const tc_cx *cx) {
    for (size_t i = 0; i < cx->model->events.len; i++)
        if (cx->model->events.data[i].put)
            return true;
    return false;
}

static void check_rules(tc_cx *cx) {
    tc_settle_launch(cx);
    tc_infer_borrows(cx);
    tc_infer_grid(cx);
    tc_find_tickets(cx, false);
    tc_resolve_wraps(cx);
    if (tc_find_tickets(cx, true))
        tc_resolve_wraps(cx);
    tc_sites_make(cx);
    tc_map loads = tc_deciding_loads(cx);
    if (loads.len > 0) {
        tc_alike_find(cx);
        if (tc_find_stored(cx, &loads)) {
            tc_resolve_wraps(cx);
            cx->sites.len = 0;
            tc_sites_make(cx);
        }
    }
    tc_report_invariants(cx);
    tc_rule_contract(cx);
    tc_rule_bounds(cx);
    tc_rule_align(cx);
    tc_rule_shared(cx);
    tc_rule_owned(cx);
    bool out = tc_options_rule(cx->options, "TC1007");
    bool shared = loads.len > 0;
    bool handed = has_counters(cx), locked = has_exchanges(cx);
    if (handed)
        tc_find_made(cx);
    bool in_epochs = tc_has_grid_barriers(cx);
    if (out || shared || handed || in_epochs || locked || is_about_order(cx->options)) {
        tc_infer_block(cx);
        tc_alike_find(cx);
        tc_find_votes(cx);
        if (handed)
            tc_find_signals(cx);
        if (locked)
            tc_find_locks(cx);
        if (shared)
            tc_find_thread_signals(cx, &loads);
        tc_rule_barrier(cx);
    }
    tc_rule_atomic(cx);
    tc_rule_overlap(cx);
    tc_rule_arith(cx);
    tc_rule_uninit(cx);
    if (is_about_order(cx->options)) {
        tc_rule_race(cx);
        tc_rule_lanes(cx);
    }
    tc_rule_assert(cx, is_about_order(cx->options));
    if (out)
        tc_rule_out(cx);
    if (shared)
        tc_rule_uninit_shared(cx);
    tc_rule_assumptions(cx);
    tc_rule_holes(cx);
    tc_link_dependencies(cx);
}

static void nothing_to_prove(tc_cx *cx) {
    for (size_t i = 0; i < cx->result->obligations.len; i++)
        if (!cx->result->obligations.data[i].hidden)
            return;
    tc_note_unknown(cx, cx->contract->kernel->loc,
                    "there is nothing to prove: no access of this kernel is under a rule that runs");
}

static void prove(task *t, tc_arena *a, tc_cx *cx) {
    job *j = t->job;
    cx->solver = tc_solver_new(cx->ts, a, j->options->effort ? j->options->effort : 100);
    tc_solver_know(cx->solver, j->answers);
    if (j->options->dump == TC_DUMP_SMT)
        tc_solver_dump(cx->solver, put_smt, &j->dump);
    check_rules(cx);
    nothing_to_prove(cx);
    tc_verdict_settle(cx->arena, cx->result);
    tc_search_counterexamples(cx);
    tc_verdict_settle(cx->arena, cx->result);
    tc_find_hints(cx);
    if (cx->alike && is_about_order(cx->options))
        tc_find_redundant(cx);
    cx->result->queries = tc_solver_work(cx->solver).questions;
    cx->result->rlimit = tc_solver_work(cx->solver).rlimit;
    tc_solver_free(cx->solver);
}

// ---- requirements that no proof needs ----

static bool same_conditions(const tc_kernel_result *a, const tc_kernel_result *b) {
    bool same = a->verdict == b->verdict && a->preconditions.len == b->preconditions.len;
    for (size_t i = 0; same && i < a->preconditions.len; i++)
        same = strcmp(a->preconditions.data[i].text, b->preconditions.data[i].text) == 0;
    return same;
}

// Everything once more, under the contract without one of its clauses; only whether it is proved is kept.
static bool proved_without(const task *t, tc_arena *a, size_t clause, const tc_kernel_result *r) {
    const job *j = t->job;
    tc_terms *ts = tc_terms_new(a);
    tc_contract contract = {.without = clause + 1};
    tc_kmodel model = {0};
    tc_findings findings = {0};
    tc_kernel_result result = {.kernel = t->kernel, .contract = &contract, .model = &model};
    tc_contract_set_call_hook(&contract, tc_lift_pure_call, (void *)(uintptr_t)j->unit);
    if (tc_contract_make(a, ts, j->unit, t->kernel, j->options, &contract, &findings) != TC_OK)
        return false;
    tc_lift_kernel(a, j->unit, &contract, &model);
    tc_cx cx = {.arena = a, .unit = j->unit, .options = j->options, .ts = ts, .contract = &contract, .model = &model, .result = &result,
                .findings = &findings};
    cx.solver = tc_solver_new(ts, a, j->options->effort ? j->options->effort : 100);
    tc_solver_know(cx.solver, j->answers);
    check_rules(&cx);
    nothing_to_prove(&cx);
    tc_verdict_settle(a, &result);
    tc_solver_free(cx.solver);
    return same_conditions(&result, r);
}

static void find_unused(const task *t, tc_trap *trap, tc_kernel_result *r) {
    enum { most_clauses = 24 };
    const tc_contract *c = r->contract;
    if (!t->job->options->unused || (r->verdict != TC_PROVED && r->verdict != TC_PROVED_IF) || c->clauses.len > most_clauses)
        return;
    for (size_t i = 0; i < c->clauses.len; i++) {
        tc_arena *scratch = tc_arena_new(trap);
        if (proved_without(t, scratch, i, r))
            tc_push(t->job->arena, &r->unused, c->clauses.data[i]);
        tc_arena_free(scratch);
    }
}

static void finish(task *t, tc_kernel_result *r) {
    tc_arena *a = t->job->arena;
    t->verdict = r->verdict;
    t->report = tc_report_kernel(a, t->job->unit, r);
    tc_tell_kernel(a, t->job->options, r, &t->findings);
}

// Made in a, kept with the results.
static void embed(task *t, tc_arena *a, bool complete, const tc_kernel_result *r) {
    tc_bytes note = {0};
    if (!t->job->options->embed)
        return;
    tc_embed_kernel(a, t->job->unit, t->job->options, t->kernel, r->contract, complete, r, &note);
    uint8_t *kept = tc_alloc(t->job->arena, note.len);
    memcpy(kept, note.data, note.len);
    t->contract = (tc_bytes){kept, note.len, note.len};
}

// The contract does not resolve: its findings say why.
static void contract_failed(tc_arena *a, tc_kernel_result *r) {
    tc_obligation ob = tc_obligation_start(TC_RULE_TC9001, r->kernel->loc, NULL);
    tc_verdict_unknown(&ob, "the contract does not resolve");
    tc_push(a, &r->obligations, ob);
    tc_verdict_settle(a, r);
}

static void copy_findings(task *t, const tc_findings *from) {
    for (size_t i = 0; i < from->len; i++)
        tc_push(t->job->arena, &t->findings, from->data[i]);
}

static void check_kernel(tc_trap *trap, void *arg) {
    task *t = arg;
    job *j = t->job;
    tc_trap_limit(trap, max_memory);
    // Findings and the report outlive this run: texts of the contract and of the rules are made in the results' arena.
    tc_arena_retrap(j->arena, trap);
    tc_arena *scratch = tc_arena_new(trap);
    tc_terms *ts = tc_terms_new(scratch);
    tc_contract contract = {0};
    tc_kmodel model = {0};
    tc_findings findings = {0};
    tc_kernel_result result = {.kernel = t->kernel, .contract = &contract, .model = &model};
    tc_contract_set_call_hook(&contract, tc_lift_pure_call, (void *)(uintptr_t)j->unit);
    tc_status status = tc_contract_make(j->arena, ts, j->unit, t->kernel, j->options, &contract, &findings);
    copy_findings(t, &findings);
    tc_defines_see(j->arena, &j->defines, &contract);
    if (status == TC_OK && !contract.annotated && !j->options->all) {
        t->skipped = true;
        return;
    }
    if (j->options->dump == TC_DUMP_CONTRACT)
        tc_put(&j->dump, tc_contract_text(scratch, &contract));
    if (status != TC_OK) {
        contract_failed(j->arena, &result);
        finish(t, &result);
        embed(t, scratch, false, &result);
        return;
    }
    tc_lift_kernel(scratch, j->unit, &contract, &model);
    if (j->options->dump == TC_DUMP_MODEL)
        tc_put(&j->dump, tc_kmodel_text(scratch, &model));
    tc_cx cx = {.arena = j->arena,
                .unit = j->unit,
                .options = j->options,
                .ts = ts,
                .contract = &contract,
                .model = &model,
                .result = &result,
                .findings = &t->findings};
    prove(t, scratch, &cx);
    find_unused(t, trap, &result);
    finish(t, &result);
    embed(t, scratch, true, &result);
}

// ---- the kernel's place in the results ----

static void count(tc_summary *s, tc_verdict v) {
    s->kernels++;
    switch (v) {
    case TC_PROVED:
        s->proved++;
        break;
    case TC_PROVED_IF:
        s->proved_if++;
        break;
    case TC_VIOLATED:
        s->violated++;
        break;
    case TC_UNKNOWN:
        s->unknown++;
        break;
    }
}

static void take_results(job *j, const task *t) {
    if (t->skipped)
        return;
    for (size_t i = 0; i < t->findings.len; i++)
        tc_push(j->arena, &j->result->findings, t->findings.data[i]);
    tc_push(j->arena, &j->reports, t->report);
    for (size_t i = 0; i < t->contract.len; i++)
        tc_push(j->arena, &j->contracts, t->contract.data[i]);
    count(&j->result->summary, t->verdict);
}

static task *task_new(job *j, const tc_kernel *k) {
    task *t = TC_NEW(j->arena, task);
    t->job = j;
    t->kernel = k;
    return t;
}

// The check of a kernel was left early.
static void give_up(task *t, tc_status status, const char *why) {
    job *j = t->job;
    j->defines.unsure = true;
    const char *reason = status == TC_ENOMEM ? "out of memory"
                         : status == TC_ELIMIT
                             ? tc_fmt(j->arena, "the kernel is too large to be checked: %s", why && *why ? why : "no text")
                             : tc_fmt(j->arena, "internal error, please report it: %s", why && *why ? why : "no text");
    tc_kernel_result r = {.kernel = t->kernel};
    tc_obligation ob = tc_obligation_start(TC_RULE_TC9002, t->kernel->loc, NULL);
    tc_verdict_unknown(&ob, reason);
    tc_push(j->arena, &r.obligations, ob);
    tc_verdict_settle(j->arena, &r);
    t->findings = (tc_findings){0};
    t->skipped = false;
    t->contract = (tc_bytes){0};
    finish(t, &r);
    embed(t, j->arena, false, &r);
}

static task *check_one(job *j, const tc_kernel *k) {
    task *t = task_new(j, k);
    tc_trap *outer = tc_arena_trap(j->arena);
    char text[256];
    const char *why = NULL;
    tc_status status = tc_trap_run(check_kernel, t, &why);
    tc_arena_retrap(j->arena, outer);
    if (status != TC_OK) {
        // The text is the last run's; the next one overwrites it.
        strncpy(text, why ? why : "", sizeof text - 1);
        text[sizeof text - 1] = '\0';
        give_up(t, status, text);
    }
    return t;
}

// ---- several at a time ----

typedef struct kernels {
    job *job;
    TC_VEC(const tc_kernel *) list;
} kernels;

static void check_for_outcome(void *ctx, size_t i, tc_outcome *o) {
    kernels *ks = ctx;
    job *j = ks->job;
    j->dump = (tc_text){.arena = j->arena};
    const task *t = check_one(j, ks->list.data[i]);
    *o = (tc_outcome){.skipped = t->skipped, .verdict = t->verdict, .report = t->report, .findings = t->findings, .contract = t->contract};
    o->dump = tc_text_str(&j->dump);
    o->unsure = j->defines.unsure;
}

// What the contract has for define=; the worker's own notes are gone with it.
static void see_defines(tc_trap *trap, void *arg) {
    task *t = arg;
    job *j = t->job;
    tc_arena_retrap(j->arena, trap);
    tc_contract contract = {0};
    tc_findings findings = {0};
    tc_contract_set_call_hook(&contract, tc_lift_pure_call, (void *)(uintptr_t)j->unit);
    tc_contract_make(j->arena, tc_terms_new(tc_arena_new(trap)), j->unit, t->kernel, j->options, &contract, &findings);
    tc_defines_see(j->arena, &j->defines, &contract);
}

static void take_outcome(job *j, const tc_kernel *k, const tc_outcome *o, tc_text *dump) {
    task *t = task_new(j, k);
    if (o->lost) {
        give_up(t, TC_EINTERNAL, "the process that checked this kernel ended early");
    } else {
        t->skipped = o->skipped;
        t->verdict = o->verdict;
        t->report = o->report;
        t->findings = o->findings;
        t->contract = o->contract;
        tc_put(dump, o->dump ? o->dump : "");
    }
    j->defines.unsure |= o->unsure;
    if (j->options->defines.len > 0) {
        tc_trap *outer = tc_arena_trap(j->arena);
        j->defines.unsure |= tc_trap_run(see_defines, t, NULL) != TC_OK;
        tc_arena_retrap(j->arena, outer);
    }
    take_results(j, t);
}

// False when no process could be made; nothing is checked then.
static bool check_in_workers(job *j, kernels *ks) {
    size_t n = ks->list.len;
    tc_outcome *out = TC_NEW_ARRAY(j->arena, tc_outcome, n);
    tc_work_list list = {.count = n, .workers = j->options->parallel, .work = check_for_outcome, .ctx = ks};
    if (!tc_workers_run(j->arena, &list, out))
        return false;
    tc_text dump = {.arena = j->arena};
    for (size_t i = 0; i < n; i++)
        take_outcome(j, ks->list.data[i], &out[i], &dump);
    j->dump = dump;
    return true;
}

static void check_kernels(job *j) {
    kernels ks = {.job = j};
    for (size_t i = 0; i < j->unit->nkernels; i++)
        if (j->unit->kernels[i].has_body)
            tc_push(j->arena, &ks.list, &j->unit->kernels[i]);
    if (j->options->parallel > 1 && ks.list.len > 1 && !j->options->failalloc && check_in_workers(j, &ks))
        return;
    for (size_t i = 0; i < ks.list.len; i++)
        take_results(j, check_one(j, ks.list.data[i]));
}

// ---- the unit ----

static void check_unit(tc_trap *trap, void *arg) {
    job *j = arg;
    tc_arena_retrap(j->arena, trap);
    if (j->options->run) {
        tc_run_mode(j->arena, j->unit, j->options, j->result);
        return;
    }
    j->dump.arena = j->arena;
    j->answers = tc_answers_new(j->arena);
    check_kernels(j);
    tc_findings_fold(j->arena, &j->result->findings);
    tc_defines_tell(j->arena, &j->defines, j->unit, j->options, &j->result->findings);
    j->result->summary_line = tc_summary_text(j->arena, &j->result->summary);
    j->result->report =
        tc_report_text(j->arena, j->unit, j->options, j->reports.data, j->reports.len, &j->result->summary);
    j->result->contracts = j->contracts.data;
    j->result->ncontracts = j->contracts.len;
    if (j->options->dump != TC_DUMP_NONE)
        j->result->dump = tc_text_str(&j->dump);
}

// Static, since there is no memory; only the severity varies.
static void no_memory(const tc_options *o, tc_result *r) {
    static tc_finding finding = {.code = "TC9002", .text = "unknown: out of memory, no kernel of this file is checked"};
    finding.severity = o->unknown == TC_UNKNOWN_ERROR ? TC_SEV_ERROR : TC_SEV_WARNING;
    memset(r, 0, sizeof *r);
    r->findings.data = &finding;
    r->findings.len = r->findings.cap = 1;
    r->summary_line = "tilecheck: nothing is checked: out of memory";
    r->report = "{\"version\": 1, \"tool\": \"tilecheck\", \"file\": \"\", \"kernels\": [], \"rules_not_run\": [], "
                "\"summary\": {\"kernels\": 0, \"proved\": 0, \"proved_if\": 0, \"violated\": 0, \"unknown\": 0}}\n";
}

void tc_check_unit(tc_arena *a, const tc_unit *u, const tc_options *o, tc_result *r) {
    job j = {.arena = a, .unit = u, .options = o, .result = r};
    memset(r, 0, sizeof *r);
    if (o->failalloc)
        tc_alloc_fail_at(o->failalloc);
    tc_trap *outer = tc_arena_trap(a);
    tc_status status = tc_trap_run(check_unit, &j, NULL);
    tc_arena_retrap(a, outer);
    tc_alloc_fail_at(0);
    if (status != TC_OK)
        no_memory(o, r);
}
