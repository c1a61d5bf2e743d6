// The host's side of a unit: each function that launches a kernel under contract is lifted, and its launches are decided.
#include "checker/launches.h"

#include "base/demangle.h"
#include "checker/embed.h"

#include <string.h>

typedef struct job {
    tc_arena *arena; // of the results
    const tc_unit *unit;
    const tc_options *options;
    const char *before;
    tc_result *result;
    tc_host_graph *graph;
    tc_map kernels; // launch function -> index + 1
    bool *entered;  // by node of the graph: functions that were walked through. No map: one that is grown when memory ends is broken
    tc_site_results sites;
    LLVMValueRef root; // being lifted
} job;

// ---- contracts ----

// The launch is as the host says: what fixes sizes for the check of the kernel does not bind it.
static tc_options host_options(const tc_options *o) {
    tc_options h = *o;
    h.block.given = h.grid.given = false;
    h.defines.len = 0;
    return h;
}

// NULL where the kernel has no contract to check; *broken: it has one, which does not resolve here.
static tc_contract *contract_of(job *j, tc_arena *a, tc_terms *ts, size_t kernel, bool *broken) {
    tc_contract *c = TC_NEW(a, tc_contract);
    tc_findings none = {0};
    tc_options *o = TC_NEW(a, tc_options);
    *o = host_options(j->options);
    *broken = false;
    tc_contract_set_call_hook(c, tc_lift_pure_call, (void *)(uintptr_t)j->unit);
    tc_status status = tc_contract_make(a, ts, j->unit, &j->unit->kernels[kernel], o, c, &none);
    if (!c->annotated)
        return NULL;
    *broken = status != TC_OK;
    if (!*broken)
        c->knows_inferred = tc_embed_inferred(a, j->unit, &j->unit->kernels[kernel], c);
    return c;
}

// ---- one function ----

static const size_t max_memory = (size_t)320 << 20; // bytes of arenas

// The variable of the file that it writes, or gives to a constructor, first; guards of such variables are the compiler's.
static const char *initialiser_name(tc_arena *a, LLVMValueRef fn) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL; i = LLVMGetNextInstruction(i)) {
            bool store = LLVMIsAStoreInst(i) != NULL, call = LLVMIsACallInst(i) != NULL || LLVMIsAInvokeInst(i) != NULL;
            LLVMValueRef v = store ? LLVMGetOperand(i, 1) : call && LLVMGetNumArgOperands(i) > 0 ? LLVMGetOperand(i, 0) : NULL;
            size_t n;
            if (v != NULL && LLVMIsAGlobalVariable(v) && strncmp(LLVMGetValueName2(v, &n), "_ZGV", 4) != 0)
                return tc_fmt(a, "the initialiser of %s", tc_demangle(a, LLVMGetValueName2(v, &n)));
        }
    return "a global initialiser";
}

static tc_kernel *as_kernel(job *j, tc_arena *a, LLVMValueRef fn) {
    tc_kernel *k = TC_NEW(a, tc_kernel);
    size_t n;
    tc_host_function h = {0};
    k->mangled = LLVMGetValueName2(fn, &n);
    k->name = tc_host_is_initialiser(fn) ? initialiser_name(a, fn) : k->mangled;
    k->has_body = true;
    if (j->unit->describe(j->unit->ctx, k->mangled, &h)) {
        k->name = h.name;
        k->loc = h.loc;
        k->params = h.params;
        k->nparams = h.nparams;
    }
    return k;
}

// Of what happens in a loop, and after it, something is known only where its counters are: no operation that decides how it goes on
// overflows. Where that is not shown: the reason, and the program point from which on nothing is known.
typedef struct open_loop {
    const char *why; // NULL: all loops are known
    uint32_t from;
} open_loop;

static open_loop open_loops(tc_cx *cx) {
    open_loop out = {NULL, UINT32_MAX};
    tc_map asked = cx->model->loops.len > 0 ? tc_asked_wraps(cx) : (tc_map){0};
    for (size_t i = 0; i < cx->model->checks.len; i++) {
        const tc_check *c = &cx->model->checks.data[i];
        if (c->kind != TC_CK_WRAP || c->loop == TC_NONE || !c->term || !tc_map_has(&asked, TC_KEY(c->term)) ||
            tc_map_has(&cx->settled, TC_KEY(c->term)))
            continue;
        uint32_t from = cx->model->loops.data[tc_loop_outermost(cx->model, c->loop)].first;
        if (from < out.from) {
            out.from = from;
            out.why = tc_fmt(cx->arena, "the %s in line %u may overflow, on which a loop hangs", c->what ? c->what : "operation", c->loc.line);
        }
    }
    return out;
}

static tc_notes copy_notes(tc_arena *a, const tc_notes *from) {
    tc_notes out = {0};
    for (size_t i = 0; i < from->len; i++)
        tc_push(a, &out, from->data[i]);
    return out;
}

static tc_site_result result_of(job *j, const tc_kernel *k, const tc_launch_site *s, const char *function) {
    tc_site_result r = {.kernel = k, .function = tc_strdup(j->arena, function), .loc = s->loc, .calls = copy_notes(j->arena, &s->calls)};
    for (int i = 0; i < TC_SITE_RULES; i++)
        r.rules[i].rule = (tc_rule)((int)TC_RULE_TC4001 + i);
    return r;
}

static void copy_assumptions(job *j, const tc_kmodel *m, tc_site_result *r) {
    for (size_t i = 0; i < m->assumptions.len; i++) {
        const tc_assumption *s = &m->assumptions.data[i];
        bool stated = strcmp(s->text, "tc_assume") == 0;
        if (stated || strcmp(s->text, "__builtin_assume") == 0) // others are not used
            tc_push(j->arena, &r->assumptions, ((tc_taken){stated ? "tc_assume" : "__builtin_assume", tc_strdup(j->arena, s->why), s->loc}));
    }
}

// SOUND: what is not known of the kernel's check is an assumption of what is said of its launches.
static void assume_nothing_inferred(job *j, const tc_kernel *k, tc_site_result *r) {
    tc_push(j->arena, &r->assumptions,
            ((tc_taken){"the kernel needs no more than its contract says", "what its check infers is not known in this compilation", k->loc}));
}

static void leave(tc_site_result *r, const char *why) {
    for (size_t i = 0; i < TC_SITE_RULES; i++)
        tc_site_worse(&r->rules[i], TC_SITE_RUN_TIME, why);
}

// Rules that are switched off say nothing.
static void take(job *j, tc_site_result *r) {
    r->verdict = TC_SITE_PROVED;
    for (size_t i = 0; i < TC_SITE_RULES; i++) {
        tc_site_rule *x = &r->rules[i];
        x->off = !tc_options_rule(j->options, tc_rule_code(x->rule));
        if (!x->off && x->verdict > r->verdict)
            r->verdict = x->verdict;
    }
    tc_push(j->arena, &j->sites, *r);
}

static void decide_sites(job *j, tc_cx *cx, tc_host *h, const char *function, const bool *broken) {
    const open_loop loops = open_loops(cx);
    for (size_t i = 0; i < h->sites.len; i++) {
        const tc_launch_site *s = &h->sites.data[i];
        tc_site_result r = result_of(j, &j->unit->kernels[s->kernel], s, function);
        if (h->lost != NULL)
            leave(&r, tc_fmt(j->arena, "%s is not followed", h->lost));
        else if (broken[s->kernel])
            leave(&r, "the kernel's contract does not resolve here");
        else if (loops.why != NULL && s->point >= loops.from)
            leave(&r, loops.why);
        else
            tc_site_decide(cx, s, &r);
        copy_assumptions(j, cx->model, &r);
        const tc_contract *c = h->contracts[s->kernel];
        if (c == NULL || !c->knows_inferred)
            assume_nothing_inferred(j, r.kernel, &r);
        take(j, &r);
    }
}

// Nothing of the function was followed: each kernel that it may launch, at the function's own place.
static void leave_function(job *j, const tc_host *h, const tc_kernel *function) {
    const tc_launch_site at = {.loc = function->loc};
    for (size_t i = 0; i < j->unit->nkernels; i++)
        if (h->contracts[i] != NULL) {
            tc_site_result r = result_of(j, &j->unit->kernels[i], &at, function->name);
            leave(&r, tc_fmt(j->arena, "%s is not followed", h->lost));
            take(j, &r);
        }
}

static void check_function(tc_trap *trap, void *arg) {
    job *j = arg;
    tc_trap_limit(trap, max_memory);
    tc_arena_retrap(j->arena, trap);
    tc_arena *a = tc_arena_new(trap);
    tc_terms *ts = tc_terms_new(a);
    size_t n = j->unit->nkernels;
    tc_kernel *k = as_kernel(j, a, j->root);
    tc_contract own = {0};
    tc_kmodel model = {0};
    tc_findings findings = {0};
    tc_options o = host_options(j->options);
    tc_kernel_result result = {.kernel = k, .contract = &own, .model = &model};
    if (tc_contract_make(a, ts, j->unit, k, &o, &own, &findings) != TC_OK)
        return;
    own.facts.len = 0; // the extents are no business of the host function
    tc_host h = {.unit = j->unit, .graph = j->graph, .kernels = j->kernels, .kept = a};
    bool *broken = TC_NEW_ARRAY(a, bool, n + 1);
    h.contracts = TC_NEW_ARRAY(a, tc_contract *, n + 1);
    tc_map named = tc_host_kernels_of(a, j->graph, j->root);
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef launch = LLVMGetNamedFunction(j->unit->module, j->unit->kernels[i].mangled);
        if (launch != NULL && tc_map_has(&named, TC_KEY(launch)))
            h.contracts[i] = contract_of(j, a, ts, i, &broken[i]);
    }
    tc_lift_host(a, j->unit, &own, &model, &h, j->root);
    for (size_t i = 0; i < j->graph->nodes.len; i++)
        j->entered[i] |= tc_map_has(&h.entered, TC_KEY(j->graph->nodes.data[i].function));
    if (j->options->dump == TC_DUMP_MODEL && h.sites.len > 0)
        j->result->dump = tc_fmt(j->arena, "%s%s", j->result->dump ? j->result->dump : "", tc_kmodel_text(a, &model));
    if (h.sites.len == 0) {
        if (h.lost != NULL)
            leave_function(j, &h, k);
        return;
    }
    tc_cx cx = {.arena = j->arena, .unit = j->unit, .options = &o, .ts = ts, .contract = &own, .model = &model, .result = &result,
                .findings = &findings, .host = true};
    cx.solver = tc_solver_new(ts, a, j->options->effort ? j->options->effort : 100);
    tc_settle_launch(&cx);
    tc_resolve_wraps(&cx);
    decide_sites(j, &cx, &h, k->name, broken);
    tc_solver_free(cx.solver);
}

// What could not be looked at is told in the report: each launch of the function by itself.
static void give_up(job *j, const char *why) {
    tc_site_result r = {.kernel = NULL};
    uint32_t number = tc_unit_function_number(j->unit->module, j->root);
    r.function = tc_host_is_initialiser(j->root) ? initialiser_name(j->arena, j->root) : tc_unit_function_name(j->arena, j->unit->module, number);
    for (int i = 0; i < TC_SITE_RULES; i++)
        r.rules[i].rule = (tc_rule)((int)TC_RULE_TC4001 + i);
    leave(&r, tc_strdup(j->arena, why && *why ? why : "out of memory"));
    take(j, &r);
}

static void check_root(job *j, LLVMValueRef fn) {
    tc_trap *outer = tc_arena_trap(j->arena);
    const char *why = NULL;
    size_t before = j->sites.len;
    j->root = fn;
    tc_status status = tc_trap_run(check_function, j, &why);
    tc_arena_retrap(j->arena, outer);
    if (status == TC_OK)
        return;
    j->sites.len = before;
    j->entered[tc_host_node_of(j->graph, fn) - j->graph->nodes.data] = true;
    give_up(j, why);
}

// ---- the unit ----

// What runs all initialisers of the file is nobody's source; each by itself is.
static bool is_root(const tc_host_node *n) {
    size_t len;
    if (strncmp(LLVMGetValueName2(n->function, &len), "_GLOBAL__sub_I_", 15) == 0)
        return false;
    return n->reaches && !n->stub && (tc_host_is_open(n->function) || !n->called || tc_host_is_initialiser(n->function));
}

// Functions that others call, and what nobody calls; then what none of these has come to.
static void check_functions(job *j) {
    for (size_t i = 0; i < j->graph->nodes.len; i++)
        if (is_root(&j->graph->nodes.data[i]))
            check_root(j, j->graph->nodes.data[i].function);
    for (size_t i = 0; i < j->graph->nodes.len; i++) {
        const tc_host_node *n = &j->graph->nodes.data[i];
        if (n->launches && !n->stub && !j->entered[i])
            check_root(j, n->function);
    }
}

static tc_launch_summary count(const tc_site_results *sites) {
    tc_launch_summary s = {0};
    for (size_t i = 0; i < sites->len; i++) {
        s.launches++;
        s.proved += sites->data[i].verdict == TC_SITE_PROVED;
        s.violated += sites->data[i].verdict == TC_SITE_VIOLATED;
        s.run_time += sites->data[i].verdict == TC_SITE_RUN_TIME;
    }
    return s;
}

static void check_unit(tc_trap *trap, void *arg) {
    job *j = arg;
    tc_arena_retrap(j->arena, trap);
    j->graph = tc_host_graph_make(j->arena, j->unit);
    j->entered = TC_NEW_ARRAY(j->arena, bool, j->graph->nodes.len + 1);
    for (size_t i = 0; i < j->unit->nkernels; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(j->unit->module, j->unit->kernels[i].mangled);
        if (f != NULL)
            tc_map_put(j->arena, &j->kernels, TC_KEY(f), (void *)(uintptr_t)(i + 1));
    }
    check_functions(j);
    if (j->sites.len == 0)
        return;
    tc_launch_summary s = count(&j->sites);
    tc_launches_tell(j->arena, j->options, &j->sites, &j->result->findings);
    j->result->report = tc_launches_report(j->arena, j->unit, j->options, &j->sites, &s, j->before);
    j->result->summary_line = tc_launches_summary_text(j->arena, &s);
}

// Static, since there is no memory; only the severity varies.
static void no_memory(const tc_options *o, tc_result *r) {
    static tc_finding finding = {.code = "TC9002", .text = "unknown: out of memory, launch sites of this file are not checked"};
    finding.severity = o->unknown == TC_UNKNOWN_ERROR ? TC_SEV_ERROR : TC_SEV_WARNING;
    memset(r, 0, sizeof *r);
    r->findings.data = &finding;
    r->findings.len = r->findings.cap = 1;
}

void tc_check_launches(tc_arena *a, const tc_unit *u, const tc_options *o, const char *before, tc_result *r) {
    memset(r, 0, sizeof *r);
    bool any = false;
    static const char *const codes[] = {"TC4001", "TC4002", "TC4003"};
    for (size_t i = 0; i < 3; i++)
        any |= tc_options_rule(o, codes[i]);
    if (!any || u->module == NULL || u->describe == NULL)
        return;
    job j = {.arena = a, .unit = u, .options = o, .before = before, .result = r};
    tc_trap *outer = tc_arena_trap(a);
    tc_alloc_fail_at(o->failalloc);
    tc_status status = tc_trap_run(check_unit, &j, NULL);
    tc_alloc_fail_at(0);
    tc_arena_retrap(a, outer);
    if (status != TC_OK)
        no_memory(o, r);
}
