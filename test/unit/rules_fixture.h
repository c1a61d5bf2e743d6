// A kernel, its contract and its model made by hand, for the tests of the rules.
#ifndef TC_TEST_RULES_FIXTURE_H
#define TC_TEST_RULES_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "checker/report.h"
#include "checker/rules.h"

typedef struct fixture {
    tc_trap *trap;
    tc_arena *a;
    tc_terms *ts;
    tc_unit unit;
    tc_kernel kernel;
    tc_options options;
    tc_contract c;
    tc_kmodel m;
    tc_kernel_result r;
    tc_findings findings;
    tc_cx cx;
    tc_t bx, by, tx, bd, gd, gdy, n;
} fixture;

static inline const tc_type *fx_float(void) {
    static const tc_type t = {.kind = TC_TY_FLOAT, .name = "float", .size = 4, .align = 4};
    return &t;
}

static inline tc_t fx_sym(fixture *f, const char *name, tc_sym_kind kind, tc_variance var, tc_i128 lo, tc_i128 hi) {
    tc_sym *s = tc_sym_new(f->ts, name, kind, var, TC_INT);
    s->has_lo = s->has_hi = true;
    s->lo = lo;
    s->hi = hi;
    return tc_of_sym(f->ts, s);
}

static inline tc_t fx_unknown(fixture *f, const char *name, tc_i128 lo, tc_i128 hi) {
    return fx_sym(f, name, TC_SYM_UNKNOWN, TC_VAR_ACCESS, lo, hi);
}

static inline void fx_fact(fixture *f, tc_t term) {
    tc_fact fact = {term, "", {0}};
    tc_push(f->a, &f->c.facts, fact);
}

static inline tc_t fx_size(fixture *f, const char *name) {
    return fx_sym(f, name, TC_SYM_PARAM, TC_VAR_LAUNCH, INT32_MIN, INT32_MAX);
}

static inline void fx_launch(fixture *f) {
    static const char *const names[4][3] = {{"gridDim.x", "gridDim.y", "gridDim.z"},
                                            {"blockDim.x", "blockDim.y", "blockDim.z"},
                                            {"blockIdx.x", "blockIdx.y", "blockIdx.z"},
                                            {"threadIdx.x", "threadIdx.y", "threadIdx.z"}};
    tc_launch_syms *s = &f->c.syms;
    for (int d = 0; d < 3; d++) {
        s->grid_dim[d] = fx_sym(f, names[0][d], TC_SYM_GRIDDIM, TC_VAR_LAUNCH, 1, d ? 65535 : INT32_MAX);
        s->block_dim[d] = fx_sym(f, names[1][d], TC_SYM_BLOCKDIM, TC_VAR_LAUNCH, 1, d == 2 ? 64 : 1024);
        s->block_idx[d] = fx_sym(f, names[2][d], TC_SYM_BLOCKIDX, TC_VAR_BLOCK, 0, d ? 65534 : INT32_MAX - 1);
        s->thread_idx[d] = fx_sym(f, names[3][d], TC_SYM_THREADIDX, TC_VAR_THREAD, 0, d == 2 ? 63 : 1023);
        fx_fact(f, tc_lt(f->ts, s->block_idx[d], s->grid_dim[d]));
        fx_fact(f, tc_lt(f->ts, s->thread_idx[d], s->block_dim[d]));
    }
    s->smem = tc_int(f->ts, 0);
    f->bx = s->block_idx[0];
    f->by = s->block_idx[1];
    f->tx = s->thread_idx[0];
    f->bd = s->block_dim[0];
    f->gd = s->grid_dim[0];
    f->gdy = s->grid_dim[1];
    f->n = fx_size(f, "n");
}

static inline void fx_init(fixture *f, tc_trap *trap) {
    memset(f, 0, sizeof *f);
    f->trap = trap;
    f->a = tc_arena_new(trap);
    f->ts = tc_terms_new(f->a);
    static const char *const files[] = {"k.cu"};
    f->unit.files = files;
    f->unit.nfiles = 1;
    f->kernel.name = f->kernel.mangled = "k";
    f->kernel.loc.line = 1;
    tc_options_init(&f->options);
    f->c.kernel = &f->kernel;
    f->c.terms = f->ts;
    f->c.annotated = true;
    f->m.terms = f->ts;
    f->m.contract = &f->c;
    f->r.kernel = &f->kernel;
    f->r.contract = &f->c;
    f->r.model = &f->m;
    f->cx = (tc_cx){.arena = f->a,
                    .unit = &f->unit,
                    .options = &f->options,
                    .ts = f->ts,
                    .contract = &f->c,
                    .model = &f->m,
                    .result = &f->r,
                    .findings = &f->findings};
    fx_launch(f);
}

// A parameter of floats with this shape, row-major; returns its number among the model's objects.
static inline uint32_t fx_object(fixture *f, const char *name, tc_borrow borrow, unsigned ndims, const tc_t *shape) {
    tc_object_contract o = {.path = name, .param = (int)f->c.objects.len, .elem = fx_float(), .borrow = borrow, .nonnull = tc_bool(f->ts, true)};
    o.ndims = ndims;
    o.loc.line = 2;
    tc_t stride = tc_int(f->ts, 1);
    for (unsigned d = ndims; d-- > 0;) {
        o.shape[d] = shape[d];
        o.stride[d] = stride;
        stride = tc_mul(f->ts, stride, shape[d]);
        fx_fact(f, tc_le(f->ts, tc_int(f->ts, 0), shape[d]));
    }
    tc_object m = {.name = name,
                   .space = TC_SPACE_GLOBAL,
                   .variance = TC_VAR_LAUNCH,
                   .size = tc_mulc(f->ts, stride, 4),
                   .elem = 4,
                   .align = 4,
                   .contract = (int)f->c.objects.len,
                   .nonnull = tc_bool(f->ts, true)};
    tc_push(f->a, &f->c.objects, o);
    tc_push(f->a, &f->m.objects, m);
    return (uint32_t)f->m.objects.len - 1;
}

static inline tc_object_contract *fx_contract(fixture *f, uint32_t object) {
    return &f->c.objects.data[f->m.objects.data[object].contract];
}

static inline void fx_tile(fixture *f, uint32_t object, const tc_t *tile, const tc_t *at) {
    tc_object_contract *o = fx_contract(f, object);
    (void)f;
    o->region = TC_REGION_AT;
    for (unsigned d = 0; d < o->ndims; d++) {
        o->tile[d] = tile[d];
        o->at[d] = at[d];
    }
}

static inline void fx_event(fixture *f, tc_event_kind kind, uint32_t object, tc_t element, tc_i128 width, tc_t guard,
                            uint32_t line) {
    tc_event e = {.kind = kind, .object = object, .guard = guard, .loop = TC_NONE, .scope = TC_SCOPE_GPU, .align = 4};
    e.offset = tc_mulc(f->ts, element, 4);
    e.width = tc_int(f->ts, width);
    e.point = (uint32_t)(f->m.events.len + f->m.checks.len + 1);
    e.loc.line = line;
    tc_push(f->a, &f->m.events, e);
    if (kind != TC_EV_READ)
        f->m.objects.data[object].written = true;
}

// The node WRAP(t) with its check.
static inline tc_t fx_wrapped(fixture *f, tc_t t, unsigned width, bool is_signed, tc_t guard, uint32_t line) {
    tc_t node = tc_wrap_kept(f->ts, t, width, is_signed);
    tc_i128 hi = is_signed ? tc_pow2(width - 1) - 1 : tc_pow2(width) - 1, lo = is_signed ? -tc_pow2(width - 1) : 0;
    tc_check c = {.kind = TC_CK_WRAP, .guard = guard, .cond = tc_in_range(f->ts, t, lo, hi), .term = node};
    c.loop = TC_NONE;
    c.what = "sum";
    c.point = (uint32_t)(f->m.events.len + f->m.checks.len + 1);
    c.loc.line = line;
    tc_push(f->a, &f->m.checks, c);
    // Only what something depends on is asked about: a branch does.
    tc_event branch = {.loop = TC_NONE, .guard = guard, .value = tc_eq(f->ts, node, tc_int(f->ts, 0)), .object = TC_NONE};
    tc_push(f->a, &f->m.branches, branch);
    return node;
}

static inline void fx_grid(fixture *f, tc_i128 block, tc_t grid) {
    const tc_launch_syms *s = &f->c.syms;
    for (int d = 0; d < 3; d++) {
        fx_fact(f, tc_eq(f->ts, s->block_dim[d], tc_int(f->ts, d ? 1 : block)));
        fx_fact(f, tc_eq(f->ts, s->grid_dim[d], d ? tc_int(f->ts, 1) : grid));
    }
    f->c.has_block = f->c.has_grid = true;
    f->m.reads_block_idx[0] = f->m.reads_thread_idx[0] = true;
}

static inline tc_t fx_cdiv(fixture *f, tc_t n, tc_i128 by) {
    return tc_div(f->ts, tc_addc(f->ts, n, by - 1), tc_int(f->ts, by));
}

static inline void fx_prepare(fixture *f) {
    f->cx.solver = tc_solver_new(f->ts, f->a, 100);
    tc_settle_launch(&f->cx);
    tc_infer_borrows(&f->cx);
    tc_infer_grid(&f->cx);
    tc_resolve_wraps(&f->cx);
}

static inline void fx_check(fixture *f) {
    fx_prepare(f);
    tc_sites_make(&f->cx);
    tc_rule_contract(&f->cx);
    tc_rule_bounds(&f->cx);
    tc_rule_align(&f->cx);
    tc_rule_shared(&f->cx);
    tc_rule_atomic(&f->cx);
    tc_rule_owned(&f->cx);
    tc_rule_overlap(&f->cx);
    tc_rule_arith(&f->cx);
    tc_rule_uninit(&f->cx);
    tc_rule_assumptions(&f->cx);
    tc_rule_holes(&f->cx);
    tc_link_dependencies(&f->cx);
    tc_verdict_settle(f->a, &f->r);
}

// The worst verdict of the obligations of a rule at a line (0: any); proved when there are none, with *found false.
static inline tc_verdict fx_worst(const fixture *f, tc_rule rule, uint32_t line) {
    tc_verdict worst = TC_PROVED;
    for (size_t i = 0; i < f->r.obligations.len; i++) {
        const tc_obligation *ob = &f->r.obligations.data[i];
        if (ob->rule == rule && (line == 0 || ob->loc.line == line) && ob->verdict > worst)
            worst = ob->verdict;
    }
    return worst;
}

static inline size_t fx_count(const fixture *f, tc_rule rule) {
    size_t n = 0;
    for (size_t i = 0; i < f->r.obligations.len; i++)
        n += f->r.obligations.data[i].rule == rule;
    return n;
}

typedef struct fx_call {
    void (*fn)(fixture *);
    bool done;
} fx_call;

static inline void fx_enter(tc_trap *trap, void *arg) {
    fx_call *call = arg;
    fixture f;
    fx_init(&f, trap);
    call->fn(&f);
    call->done = true;
}

// Runs fn with a new fixture; a trap that is left early fails the test.
static inline void fx_run(void (*fn)(fixture *)) {
    fx_call call = {fn, false};
    const char *why = "";
    if (tc_trap_run(fx_enter, &call, &why) != TC_OK || !call.done)
        fail_msg("left early: %s", why);
}

#define FX_TEST(name)                                                                                                  \
    static void name##_body(fixture *f);                                                                               \
    static void name(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        fx_run(name##_body);                                                                                           \
    }                                                                                                                  \
    static void name##_body(fixture *f)

#endif
