#include "checker/run.h"

#include <string.h>

#include "checker/defines.h"
#include "checker/model.h"

enum {
    SWEEP_SMALL = 72,
    SWEEP_LARGE = 16,
    SWEEP_STEPS = 10000000 // of one launch of a sweep
};
#define SWEEP_BUDGET UINT64_C(60000000) // instructions of all

typedef struct mode {
    tc_arena *a;
    const tc_unit *u;
    const tc_options *o;
    tc_result *r;
    tc_runs runs;
    tc_runs_lines lines;
    tc_defines defines;
    unsigned launches;
    uint64_t steps;
} mode;

// ---- which kernels ----

static bool same_name(const char *name, const char *asked) {
    if (strcmp(asked, "*") == 0 || strcmp(name, asked) == 0)
        return true;
    // Without template arguments, and without the namespace before it.
    size_t n = strcspn(name, "<"), k = strlen(asked);
    if (strncmp(name, asked, k) == 0 && k == n)
        return true;
    return n > k && strncmp(name + n - k, asked, k) == 0 && name[n - k - 1] == ':';
}

static void tell(mode *m, tc_severity severity, tc_loc loc, const char *code, const char *kernel, const char *text) {
    tc_finding f = {.code = code, .severity = severity, .loc = loc, .kernel = kernel, .text = text};
    tc_push(m->a, &m->r->findings, f);
}

static void no_such_kernel(mode *m) {
    tc_text names = {.arena = m->a};
    for (size_t i = 0; i < m->u->nkernels; i++)
        tc_putf(&names, "%s%s", i ? ", " : "", m->u->kernels[i].name);
    const char *text = m->u->nkernels
                           ? tc_fmt(m->a, "no kernel is named '%s'; the file has: %s", m->o->run, tc_text_str(&names))
                           : tc_fmt(m->a, "no kernel is named '%s'; the file has none", m->o->run);
    tell(m, TC_SEV_ERROR, (tc_loc){0}, "TC9001", NULL, text);
}

// ---- one kernel ----

typedef struct job {
    mode *m;
    tc_contract *c;
    tc_program *p;
    const tc_kernel *k;
    tc_map shown; // (rule, line) of faults that were told
    uint64_t steps;
    const char *stopped;
    unsigned kept;          // launches that keep to every tc_assume
    const char *assumption; // how another one breaks one
} job;

static bool is_new(job *j, const tc_fault *f) {
    uint64_t key = tc_hash_mix(tc_hash_bytes(f->code, strlen(f->code), 1), (uint64_t)f->loc.file << 32 | f->loc.line);
    if (tc_map_has(&j->shown, key))
        return false;
    tc_map_put(j->m->a, &j->shown, key, j);
    return true;
}

static void run_launch(job *j, tc_launch *l) {
    if (!j->c->has_smem && j->m->o->smem < 0 && !tc_program_uses_dynamic_shared(j->p))
        l->smem = 0;
    tc_run run = {.kernel = j->k, .contract = j->c, .launch = *l};
    tc_faults faults = {0};
    tc_interp_run(j->m->a, j->p, l, j->m->o, 0, &faults, &run.stats);
    j->kept += !run.stats.breaks_assume;
    if (run.stats.breaks_assume)
        j->assumption = run.stats.stopped;
    for (size_t i = 0; i < faults.len; i++)
        if (is_new(j, &faults.data[i]))
            tc_push(j->m->a, &run.faults, faults.data[i]);
    j->m->launches++;
    j->m->steps += run.stats.steps;
    j->steps += run.stats.steps;
    // Launches of a sweep that take too long are left; that is no news.
    bool too_long = l->max_steps == SWEEP_STEPS && run.stats.steps >= SWEEP_STEPS && j->m->o->steps == 0;
    if (run.stats.stopped && !j->stopped && !too_long && !run.stats.breaks_assume)
        j->stopped = run.stats.stopped;
    tc_push(j->m->a, &j->m->runs, run);
}

// What an inferred precondition would exclude is not run.
static bool is_wanted(const job *j, const tc_launch *l) {
    for (unsigned d = 0; d < 3; d++)
        if (!j->c->has_grid && l->grid[d] > 1 && !tc_program_reads_grid(j->p, d))
            return false;
    return tc_program_takes_block(j->p, l);
}

static bool sweep_small(void *ctx, tc_launch *l) {
    job *j = ctx;
    if (!is_wanted(j, l))
        return false;
    l->max_steps = SWEEP_STEPS;
    run_launch(j, l);
    return j->steps > SWEEP_BUDGET;
}

static bool sweep_large(void *ctx, tc_launch *l) {
    job *j = ctx;
    if (is_wanted(j, l))
        run_launch(j, l);
    return j->steps > 2 * SWEEP_BUDGET;
}

static bool has_sizes(const tc_options *o) {
    return o->sets.len || o->extents.len || o->grid.given || o->block.given;
}

static void run_kernel(mode *m, const tc_kernel *k) {
    tc_terms *ts = tc_terms_new(m->a);
    tc_contract *c = TC_NEW(m->a, tc_contract);
    tc_contract_set_call_hook(c, tc_lift_pure_call, (void *)(uintptr_t)m->u);
    tc_status status = tc_contract_make(m->a, ts, m->u, k, m->o, c, &m->r->findings);
    tc_defines_see(m->a, &m->defines, c);
    if (status != TC_OK)
        return;
    const char *why = NULL;
    job j = {.m = m, .c = c, .k = k};
    j.p = tc_program_new(m->a, m->u, c, &why);
    if (!j.p) {
        tell(m, TC_SEV_ERROR, k->loc, "TC9002", k->name, tc_fmt(m->a, "'%s' cannot be run: %s", k->name, why));
        return;
    }
    for (unsigned d = 0; d < 3; d++) {
        c->unread_block[d] = !c->has_block && !tc_program_reads_threads(j.p, d);
        c->unread_grid[d] = !c->has_grid && !tc_program_reads_grid(j.p, d);
    }
    c->joins = !tc_program_sees_addresses(j.p);
    m->r->summary.kernels++;
    if (has_sizes(m->o)) {
        tc_launch l;
        if (!tc_launch_make(m->a, c, m->o, &l, &why)) {
            tell(m, TC_SEV_ERROR, k->loc, "TC4001", k->name,
                 tc_fmt(m->a, "'%s' cannot be launched so: %s", k->name, why));
            return;
        }
        l.max_steps = m->o->steps;
        run_launch(&j, &l);
    } else {
        uint64_t seed = m->o->seed ? m->o->seed : 1;
        tc_launch_sweep(m->a, c, seed, SWEEP_SMALL, sweep_small, &j);
        tc_launch_large(m->a, c, seed, SWEEP_LARGE, sweep_large, &j);
        if (m->launches == 0)
            tell(m, TC_SEV_WARNING, k->loc, "TC9002", k->name,
                 tc_fmt(m->a, "no launch of '%s' was found that its contract allows", k->name));
    }
    tc_run_lines met = {.kernel = k};
    tc_program_lines_met(m->a, j.p, &met.lines);
    tc_push(m->a, &m->lines, met);
    if (j.assumption && j.kept == 0)
        tell(m, TC_SEV_WARNING, k->loc, "TC9002", k->name,
             tc_fmt(m->a, "%s of '%s' breaks an assumption, and shows nothing: %s",
                    has_sizes(m->o) ? "this launch" : "every launch that was tried", k->name, j.assumption));
    if (j.stopped)
        tell(m, TC_SEV_WARNING, k->loc, "TC9002", k->name,
             tc_fmt(m->a, "a run of '%s' stopped: %s", k->name, j.stopped));
}

// ---- the result ----

static const char *summary_text(mode *m, size_t faults) {
    const bool cut = m->launches == 1 && m->runs.data[0].stats.stopped;
    const char *what = faults == 1 ? "1 fault" : faults > 1 ? tc_fmt(m->a, "%zu faults", faults) : cut ? "no fault before it stopped" : "no fault";
    if (m->launches == 0)
        return "tilecheck: nothing was run";
    if (m->launches == 1) {
        const tc_run *run = &m->runs.data[0];
        return tc_fmt(m->a, "tilecheck: ran %s at %s: %llu instructions, %s", run->kernel->name,
                      tc_run_launch_text(m->a, run->contract, &run->launch), (unsigned long long)run->stats.steps,
                      what);
    }
    return tc_fmt(m->a, "tilecheck: ran %s at %u launches: %llu instructions, %s", m->o->run, m->launches,
                  (unsigned long long)m->steps, what);
}

void tc_run_mode(tc_arena *a, const tc_unit *u, const tc_options *o, tc_result *r) {
    mode m = {.a = a, .u = u, .o = o, .r = r};
    bool any = false;
    for (size_t i = 0; i < u->nkernels; i++)
        if (u->kernels[i].has_body && same_name(u->kernels[i].name, o->run)) {
            any = true;
            run_kernel(&m, &u->kernels[i]);
        }
    if (!any)
        no_such_kernel(&m);
    else
        tc_defines_tell(a, &m.defines, u, o, &r->findings);
    size_t faults = 0;
    for (size_t i = 0; i < m.runs.len; i++) {
        faults += m.runs.data[i].faults.len;
        tc_run_tell(a, &m.runs.data[i], &r->findings);
    }
    if (faults)
        r->summary.violated = 1;
    r->summary_line = summary_text(&m, faults);
    r->report = tc_run_report(a, u, &m.runs, &m.lines);
}
