// What is told of runs: findings and the JSON report.
#include <cjson/cJSON.h>
#include <string.h>

#include "checker/run.h"

static const char *tuple(tc_arena *a, const uint32_t *v) {
    return tc_fmt(a, "(%u,%u,%u)", v[0], v[1], v[2]);
}

const char *tc_run_launch_text(tc_arena *a, const tc_contract *c, const tc_launch *l) {
    tc_text t = {.arena = a};
    for (size_t i = 0; i < c->scalars.len; i++) {
        const tc_type *type = c->scalars.data[i].type;
        if (type->kind == TC_TY_FLOAT)
            continue;
        tc_putf(&t, "%s = ", c->scalars.data[i].path);
        tc_put128(&t, l->scalars[i]);
        tc_put(&t, ", ");
    }
    tc_putf(&t, "grid %s, block %s", tuple(a, l->grid), tuple(a, l->block));
    if (c->has_smem)
        tc_putf(&t, ", %llu bytes of dynamic shared memory", (unsigned long long)l->smem);
    if (l->in_place)
        tc_put(&t, ", one buffer for what tc_inplace names");
    return tc_text_str(&t);
}

static void note(tc_arena *a, tc_finding *f, tc_loc loc, const char *text) {
    tc_note n = {loc, text};
    tc_push(a, &f->notes, n);
}

void tc_run_tell(tc_arena *a, const tc_run *run, tc_findings *out) {
    for (size_t i = 0; i < run->faults.len; i++) {
        const tc_fault *x = &run->faults.data[i];
        tc_finding f = {.code = x->code, .severity = TC_SEV_ERROR, .loc = x->loc, .kernel = run->kernel->name};
        const bool of_contract = strcmp(x->code, "TC1005") == 0; // no thread has to run
        f.text = of_contract ? x->text
                             : tc_fmt(a, "%s, thread %s of block %s", x->text, tuple(a, x->thread), tuple(a, x->block));
        const bool two_ways = x->two && !of_contract && !tc_fault_same_calls(x);
        for (uint32_t k = 0; two_ways && k < x->ncalls; k++)
            note(a, &f, x->calls[k], "called from here");
        if (x->two && !of_contract)
            note(a, &f, x->other_loc,
                 tc_fmt(a, "the other one is here, thread %s of block %s", tuple(a, x->other_thread),
                        tuple(a, x->other_block)));
        const tc_loc *calls = two_ways ? x->other_calls : x->calls;
        for (uint32_t k = 0; k < (two_ways ? x->nother_calls : x->ncalls); k++)
            note(a, &f, calls[k], "called from here");
        note(a, &f, run->kernel->loc, tc_fmt(a, "with %s", tc_run_launch_text(a, run->contract, &run->launch)));
        tc_push(a, out, f);
    }
}

// ---- JSON ----

// cJSON's memory is its own: it is freed by the trap when an allocation of the arena fails.
static void delete_json(void *p) {
    cJSON_Delete(p);
}

static cJSON *triple(const uint32_t *v) {
    cJSON *x = cJSON_CreateArray();
    for (int d = 0; d < 3; d++)
        cJSON_AddItemToArray(x, cJSON_CreateNumber(v[d]));
    return x;
}

static const char *file_of(const tc_unit *u, tc_loc loc) {
    return loc.file < u->nfiles ? u->files[loc.file] : "";
}

static void add_place(cJSON *to, const tc_unit *u, tc_loc loc) {
    cJSON_AddStringToObject(to, "file", file_of(u, loc));
    cJSON_AddNumberToObject(to, "line", loc.line);
    cJSON_AddNumberToObject(to, "column", loc.column);
}

static cJSON *fault_json(tc_arena *a, const tc_unit *u, const tc_fault *x) {
    cJSON *f = cJSON_CreateObject();
    cJSON_AddStringToObject(f, "rule", x->code);
    add_place(f, u, x->loc);
    cJSON_AddStringToObject(f, "text", x->text);
    cJSON_AddItemToObject(f, "block", triple(x->block));
    cJSON_AddItemToObject(f, "thread", triple(x->thread));
    if (x->object) {
        cJSON_AddStringToObject(f, "object", x->object);
        cJSON_AddItemToObject(f, "offset", cJSON_CreateRaw(tc_i128_text(a, x->offset)));
        cJSON_AddNumberToObject(f, "width", (double)x->width);
        cJSON_AddNumberToObject(f, "size", (double)x->size);
    }
    if (x->two) {
        cJSON *o = cJSON_AddObjectToObject(f, "other");
        add_place(o, u, x->other_loc);
        cJSON_AddItemToObject(o, "block", triple(x->other_block));
        cJSON_AddItemToObject(o, "thread", triple(x->other_thread));
    }
    return f;
}

static cJSON *launch_json(tc_arena *a, const tc_run *run) {
    cJSON *l = cJSON_CreateObject();
    cJSON *scalars = cJSON_AddObjectToObject(l, "scalars");
    for (size_t i = 0; i < run->contract->scalars.len; i++)
        if (run->contract->scalars.data[i].type->kind != TC_TY_FLOAT)
            cJSON_AddItemToObject(scalars, run->contract->scalars.data[i].path,
                                  cJSON_CreateRaw(tc_i128_text(a, run->launch.scalars[i])));
    cJSON_AddItemToObject(l, "grid", triple(run->launch.grid));
    cJSON_AddItemToObject(l, "block", triple(run->launch.block));
    cJSON_AddNumberToObject(l, "smem", (double)run->launch.smem);
    return l;
}

static cJSON *run_json(tc_arena *a, const tc_unit *u, const tc_run *run) {
    cJSON *r = cJSON_CreateObject();
    cJSON_AddStringToObject(r, "kernel", run->kernel->name);
    cJSON_AddItemToObject(r, "launch", launch_json(a, run));
    cJSON_AddNumberToObject(r, "instructions", (double)run->stats.steps);
    cJSON_AddNumberToObject(r, "accesses", (double)run->stats.accesses);
    cJSON_AddBoolToObject(r, "complete", run->stats.complete);
    if (run->stats.stopped)
        cJSON_AddStringToObject(r, "stopped", run->stats.stopped);
    cJSON *faults = cJSON_AddArrayToObject(r, "faults");
    for (size_t i = 0; i < run->faults.len; i++)
        cJSON_AddItemToArray(faults, fault_json(a, u, &run->faults.data[i]));
    return r;
}

static cJSON *lines_json(const tc_run_lines *l) {
    cJSON *x = cJSON_CreateObject();
    cJSON_AddStringToObject(x, "kernel", l->kernel->name);
    cJSON *lines = cJSON_AddArrayToObject(x, "lines");
    for (size_t i = 0; i < l->lines.len; i++)
        cJSON_AddItemToArray(lines, cJSON_CreateNumber(l->lines.data[i]));
    return x;
}

const char *tc_run_report(tc_arena *a, const tc_unit *u, const tc_runs *runs, const tc_runs_lines *lines) {
    cJSON *top = cJSON_CreateObject();
    int handle = tc_trap_cleanup(tc_arena_trap(a), delete_json, top);
    cJSON_AddNumberToObject(top, "version", 1);
    cJSON_AddStringToObject(top, "tool", "tilecheck run");
    cJSON_AddStringToObject(top, "file", u->nfiles ? u->files[0] : "");
    cJSON *list = cJSON_AddArrayToObject(top, "runs");
    for (size_t i = 0; i < runs->len; i++)
        cJSON_AddItemToArray(list, run_json(a, u, &runs->data[i]));
    cJSON *met = cJSON_AddArrayToObject(top, "accesses_met");
    for (size_t i = 0; i < lines->len; i++)
        cJSON_AddItemToArray(met, lines_json(&lines->data[i]));
    char *text = cJSON_Print(top);
    const char *copy = tc_fmt(a, "%s\n", text ? text : "{}");
    cJSON_free(text);
    tc_trap_done(tc_arena_trap(a), handle);
    return copy;
}
