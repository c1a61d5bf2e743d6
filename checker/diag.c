// What the user is told: what, where, for which launch, and how to repair it.
#include "checker/report.h"

#include <string.h>

static bool holds(const tc_obligation *ob) {
    return ob->verdict == TC_PROVED || ob->verdict == TC_PROVED_IF;
}

static const char *tuple(tc_arena *a, const uint32_t *v) {
    return tc_fmt(a, "(%u,%u,%u)", v[0], v[1], v[2]);
}

static void note(tc_arena *a, tc_finding *f, tc_loc loc, const char *text) {
    tc_note n = {loc, text};
    tc_push(a, &f->notes, n);
}

// ---- violations ----

const char *tc_read_name(tc_arena *a, tc_contract *c, const tc_launch *l, const tc_read *r) {
    const tc_object_contract *o = &c->objects.data[r->object];
    tc_i128 left = (tc_i128)r->index, stride = 1;
    tc_text t = {.arena = a};
    tc_put(&t, o->path);
    for (unsigned d = 0; d + 1 < o->ndims; d++) {
        if (!tc_launch_eval(c, l, NULL, NULL, o->stride[d], &stride) || stride <= 0)
            stride = 1;
        tc_putf(&t, "[%s]", tc_i128_text(a, left / stride));
        left %= stride;
    }
    tc_putf(&t, "[%s]", tc_i128_text(a, left));
    return tc_text_str(&t);
}

static const char *launch_text(tc_arena *a, tc_contract *c, const tc_counterexample *x) {
    const tc_launch *l = &x->launch;
    tc_text t = {.arena = a};
    tc_put(&t, "with ");
    for (size_t i = 0; i < c->scalars.len && l->scalars; i++) {
        const tc_scalar *s = &c->scalars.data[i];
        if (!s->path || (s->type && s->type->kind == TC_TY_FLOAT))
            continue;
        tc_putf(&t, "%s = ", s->path);
        tc_put128(&t, l->scalars[i]);
        tc_put(&t, ", ");
    }
    for (size_t i = 0; i < c->functions.len && l->functions; i++)
        tc_putf(&t, "%s = %s, ", c->functions.data[i].path, tc_contract_callable(c, l->functions[i]));
    tc_putf(&t, "gridDim = %s, blockDim = %s", tuple(a, l->grid), tuple(a, l->block));
    if (l->smem)
        tc_putf(&t, ", %llu bytes of dynamic shared memory", (unsigned long long)l->smem);
    if (l->in_place)
        tc_put(&t, ", one buffer for what tc_inplace names");
    if (l->variables)
        tc_put(&t, ", variables of the device as the host may set them");
    for (size_t i = 0; x->contents && i < x->contents->reads.len; i++)
        tc_putf(&t, ", %s = %s", tc_read_name(a, c, l, &x->contents->reads.data[i]), tc_i128_text(a, x->contents->reads.data[i].value));
    return tc_text_str(&t);
}

static const char *overflow_repair(tc_arena *a, const tc_fault *x) {
    static const char *const widened[] = {"product", "addition", "subtraction", "shift"};
    for (size_t i = 0; x->overflowing && i < sizeof widened / sizeof *widened; i++)
        if (strstr(x->overflowing, widened[i]))
            return tc_fmt(a, "compute in 64 bits before the %s, or bound the sizes with tc_requires%s", widened[i],
                          strncmp(x->overflowing, "unsigned", 8) == 0 ? "; where it is meant to wrap, mask the wide result with 0xffffffffu"
                                                                      : "");
    if (x->overflowing && strstr(x->overflowing, "narrowing"))
        return "guard the value or bound it with tc_requires, or mask it where only its low bits are meant, as in v & 255";
    return "guard the value, bound it with tc_requires, or keep it in 64 bits";
}

static const char *repair_of(tc_arena *a, const tc_kernel_result *r, const tc_obligation *ob) {
    bool dynamic = ob->object != TC_NONE && r->model && r->model->objects.data[ob->object].dynamic_shared;
    if (ob->rule == TC_RULE_TC2001 && dynamic && !r->contract->has_smem)
        return "say with tc_smem(bytes) how much dynamic shared memory a launch gives: any amount may be given else, and none";
    if (ob->check && ob->check->kind == TC_CK_CALL)
        return "test the pointer against nullptr before the call, or say with tc_assume which functions it may be of";
    return ob->rule == TC_RULE_TC2002 ? overflow_repair(a, &ob->example->fault) : tc_rule_repair(ob->rule);
}

static void call_notes(tc_arena *a, tc_finding *f, const tc_loc *calls, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        note(a, f, calls[i], "called from here");
}

static void violation_notes(tc_arena *a, const tc_kernel_result *r, const tc_obligation *ob, tc_finding *f) {
    const tc_fault *x = &ob->example->fault;
    bool two_ways = x->two && ob->rule != TC_RULE_TC1005 && !tc_fault_same_calls(x);
    if (two_ways)
        call_notes(a, f, x->calls, x->ncalls);
    if (x->two && ob->rule != TC_RULE_TC1005)
        note(a, f, x->other_loc.line ? x->other_loc : ob->loc,
             tc_fmt(a, "the other %s is here, %s thread %s of block %s", ob->rule == TC_RULE_TC3002 ? "one" : "access",
                    ob->rule == TC_RULE_TC3002 ? "which is" : "by", tuple(a, x->other_thread),
                    tuple(a, x->other_block)));
    if (two_ways)
        call_notes(a, f, x->other_calls, x->nother_calls);
    note(a, f, r->kernel->loc, launch_text(a, r->contract, ob->example));
    if (!two_ways && x->ncalls > 0)
        call_notes(a, f, x->calls, x->ncalls);
    else if (!two_ways && ob->event)
        for (size_t i = 0; i < ob->event->inlined.len; i++)
            note(a, f, ob->event->inlined.data[i].loc, ob->event->inlined.data[i].text);
    if (ob->hint)
        note(a, f, f->loc, ob->hint);
    const char *repair = repair_of(a, r, ob);
    if (repair)
        note(a, f, ob->loc, repair);
}

static const char *violation_text(tc_arena *a, const tc_obligation *ob) {
    const tc_fault *x = &ob->example->fault;
    const char *text = x->text ? x->text : ob->claim ? ob->claim : "";
    if (ob->example->contract_only || ob->rule == TC_RULE_TC1005) // no thread has to run
        return tc_fmt(a, "%s: %s", tc_rule_title(ob->rule), text);
    return tc_fmt(a, "%s: %s, by thread %s of block %s", tc_rule_title(ob->rule), text, tuple(a, x->thread),
                  tuple(a, x->block));
}

static tc_finding violation(tc_arena *a, const tc_kernel_result *r, const tc_obligation *ob) {
    tc_loc loc = ob->example->fault.loc.line ? ob->example->fault.loc : ob->loc;
    tc_finding f = {.code = tc_rule_code(ob->rule), .severity = TC_SEV_ERROR, .loc = loc, .kernel = r->kernel->name};
    f.text = violation_text(a, ob);
    violation_notes(a, r, ob, &f);
    return f;
}

// ---- unknowns ----

static bool depends_on(const tc_obligation *ob, uint32_t k) {
    for (size_t i = 0; i < ob->depends_on.len; i++)
        if (ob->depends_on.data[i] == k)
            return true;
    return false;
}

// Is one of those that obligation `of` leans on, directly or by others, open for a reason of its own, and told? Of two that lean on
// each other, both for reasons of their own, the first is.
static bool leads_to_told(const tc_kernel_result *r, uint32_t of, bool *seen) {
    const tc_obligation *ob = &r->obligations.data[of];
    seen[of] = true;
    for (size_t i = 0; i < ob->depends_on.len; i++) {
        uint32_t k = ob->depends_on.data[i];
        const tc_obligation *on = &r->obligations.data[k];
        if (seen[k] || holds(on) || (!ob->leans && k > of && depends_on(on, of)))
            continue;
        if (on->leans ? leads_to_told(r, k, seen) : !on->hidden)
            return true;
    }
    return false;
}

// Unknown only because of another that is told anyway.
static bool is_told_elsewhere(tc_arena *a, const tc_kernel_result *r, const tc_obligation *ob) {
    return leads_to_told(r, (uint32_t)(ob - r->obligations.data), TC_NEW_ARRAY(a, bool, r->obligations.len));
}

static tc_finding unknown(tc_arena *a, const tc_options *o, const tc_kernel_result *r, const tc_obligation *ob) {
    tc_finding f = {.code = "TC9002", .loc = ob->loc, .kernel = r->kernel->name};
    f.severity = o->unknown == TC_UNKNOWN_ERROR ? TC_SEV_ERROR : TC_SEV_WARNING;
    f.text = ob->rule == TC_RULE_TC9002 ? tc_fmt(a, "unknown: %s", ob->reason)
                                        : tc_fmt(a, "unknown, %s: %s", tc_rule_code(ob->rule), ob->reason);
    if (ob->hint)
        note(a, &f, ob->loc, ob->hint);
    return f;
}

// ---- all of a kernel ----

// One place in the source: an access through a table of pointers is one, however many objects it may be about.
static bool same_place(const tc_obligation *a, const tc_obligation *b) {
    return a->rule == b->rule && a->verdict == b->verdict && a->loc.file == b->loc.file && a->loc.line == b->loc.line &&
           (a->object == b->object || (a->loc.column != 0 && a->loc.column == b->loc.column));
}

static bool is_repeated(const tc_kernel_result *r, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (!r->obligations.data[k].hidden && same_place(&r->obligations.data[k], &r->obligations.data[i]))
            return true;
    return false;
}

// Rules of one question: a copy that is not complete races with the access.
static tc_rule family(tc_rule r) { return r == TC_RULE_TC3003 ? TC_RULE_TC3001 : r; }

static bool same_line(tc_loc a, tc_loc b) { return a.file == b.file && a.line == b.line; }

// An unknown beside a fault of the same rule on the same line.
static bool is_beside_fault(const tc_kernel_result *r, const tc_obligation *ob) {
    for (size_t k = 0; k < r->obligations.len; k++) {
        const tc_obligation *x = &r->obligations.data[k];
        if (x->verdict != TC_VIOLATED || x->hidden || family(x->rule) != family(ob->rule) || x->object != ob->object)
            continue;
        if (same_line(x->loc, ob->loc) || (x->example && x->example->fault.two && same_line(x->example->fault.other_loc, ob->loc)))
            return true;
    }
    return false;
}

static bool is_told(const tc_findings *out, size_t from, const tc_finding *f) {
    for (size_t k = from; k < out->len; k++) {
        const tc_finding *x = &out->data[k];
        if (x->loc.file == f->loc.file && x->loc.line == f->loc.line && x->loc.column == f->loc.column &&
            strcmp(x->text, f->text) == 0)
            return true;
    }
    return false;
}

static bool before(const tc_finding *a, const tc_finding *b) {
    if (a->loc.file != b->loc.file)
        return a->loc.file < b->loc.file;
    if (a->loc.line != b->loc.line)
        return a->loc.line < b->loc.line;
    int by_code = strcmp(a->code ? a->code : "", b->code ? b->code : "");
    return by_code != 0 ? by_code < 0 : a->loc.column < b->loc.column;
}

static void insert(tc_arena *a, tc_findings *out, size_t from, tc_finding f) {
    if (is_told(out, from, &f))
        return;
    tc_push(a, out, f);
    for (size_t k = out->len - 1; k > from && before(&out->data[k], &out->data[k - 1]); k--) {
        tc_finding t = out->data[k];
        out->data[k] = out->data[k - 1];
        out->data[k - 1] = t;
    }
}

static void tell_conditions(tc_arena *a, const tc_kernel_result *r, tc_findings *out) {
    tc_finding f = {.severity = TC_SEV_REMARK, .loc = r->kernel->loc, .kernel = r->kernel->name};
    if (r->preconditions.len == 0 && r->assumptions.len == 0)
        return;
    if (r->verdict != TC_PROVED && r->verdict != TC_PROVED_IF)
        return;
    f.text = tc_fmt(a, "'%s' is proved %s", r->kernel->name,
                    r->preconditions.len ? "for launches that meet these conditions" : "under these assumptions");
    for (size_t i = 0; i < r->preconditions.len; i++)
        note(a, &f, r->preconditions.data[i].loc, r->preconditions.data[i].text);
    for (size_t i = 0; i < r->assumptions.len; i++) {
        const tc_taken *t = &r->assumptions.data[i];
        note(a, &f, t->loc,
             t->why && *t->why ? tc_fmt(a, "taken for true: %s (%s)", t->text, t->why)
                               : tc_fmt(a, "taken for true: %s", t->text));
    }
    tc_push(a, out, f);
}

// One line of the source is one place, however many accesses it makes.
static bool is_noted(const tc_finding *f, tc_loc loc) {
    for (size_t i = 0; i < f->notes.len; i++)
        if (same_line(f->notes.data[i].loc, loc))
            return true;
    return false;
}

static void tell_missed(tc_arena *a, const tc_kernel_result *r, tc_findings *out) {
    if (r->missed.len == 0 || (r->verdict != TC_PROVED && r->verdict != TC_PROVED_IF))
        return;
    tc_finding f = {.severity = TC_SEV_REMARK, .loc = r->kernel->loc, .kernel = r->kernel->name};
    f.text = tc_fmt(a, "'%s' is proved, but no small launch that its contract allows was found to come to each access",
                    r->kernel->name);
    for (size_t i = 0; i < r->missed.len; i++)
        if (!is_noted(&f, r->missed.data[i]))
            note(a, &f, r->missed.data[i], "not reached in any of them: can it be?");
    tc_push(a, out, f);
}

static void tell_redundant(tc_arena *a, const tc_kernel_result *r, tc_findings *out) {
    for (size_t i = 0; i < r->redundant.len; i++) {
        tc_finding f = {.severity = TC_SEV_REMARK, .loc = r->redundant.data[i].loc, .kernel = r->kernel->name};
        f.text = tc_fmt(a, "'%s' is proved without this %s too", r->kernel->name, r->redundant.data[i].wait ? "wait" : "barrier");
        tc_push(a, out, f);
    }
}

static void tell_unused(tc_arena *a, const tc_kernel_result *r, tc_findings *out) {
    for (size_t i = 0; i < r->unused.len; i++) {
        tc_finding f = {.severity = TC_SEV_REMARK, .loc = r->unused.data[i].loc, .kernel = r->kernel->name};
        f.text = tc_fmt(a, "'%s' is proved without this requirement too: %s", r->kernel->name, r->unused.data[i].text);
        tc_push(a, out, f);
    }
}

void tc_tell_kernel(tc_arena *a, const tc_options *o, const tc_kernel_result *r, tc_findings *out) {
    size_t from = out->len;
    for (size_t i = 0; i < r->obligations.len; i++) {
        const tc_obligation *ob = &r->obligations.data[i];
        if (ob->hidden || holds(ob) || is_repeated(r, i))
            continue;
        if (ob->verdict == TC_VIOLATED)
            insert(a, out, from, violation(a, r, ob));
        else if (ob->rule != TC_RULE_TC9001 && o->unknown != TC_UNKNOWN_IGNORE && !is_told_elsewhere(a, r, ob) &&
                 !is_beside_fault(r, ob))
            insert(a, out, from, unknown(a, o, r, ob));
    }
    tell_conditions(a, r, out);
    tell_missed(a, r, out);
    tell_redundant(a, r, out);
    tell_unused(a, r, out);
}
