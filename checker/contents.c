// TC9001: what the contract says of stored values contradicts itself, or the requirements, so that no launch with elements meets it.
//
// What is said of all elements is said of the first few: of these all instances are taken. Where they cannot hold with an element in
// an array, the array is empty in every launch. That is the contract's fault where no launch is left, or none that touches memory.
#include "checker/rules.h"

enum { most_elements = 2 };

typedef struct search {
    tc_cx *cx;
    TC_VEC(uint32_t) arrays; // of the contract: read by the kernel, and something is said of their contents
    tc_tvec empty;           // what follows: arrays that have fewer elements
    int first;               // the array of the first of these, or -1
    unsigned elements;       // that it cannot have
} search;

static bool is_of(void *ctx, tc_t t) { return t->op == TC_T_APP && t->fn == ctx; }

static const tc_forall_fact *forall_of(const tc_cx *cx, const tc_fn *contents) {
    for (size_t i = 0; i < cx->contract->foralls.len; i++)
        if (tc_any(cx->ts, cx->contract->foralls.data[i].term, is_of, (void *)(uintptr_t)contents))
            return &cx->contract->foralls.data[i];
    return NULL;
}

static void find_arrays(search *s) {
    tc_cx *cx = s->cx;
    for (size_t i = 0; i < cx->model->objects.len; i++) {
        const tc_object *m = &cx->model->objects.data[i];
        if (!m->contents || m->contract < 0)
            continue;
        const tc_object_contract *o = &cx->objects[m->contract];
        if (o->ndims > 0 && (o->has_range || o->injective || o->monotone || forall_of(cx, m->contents)))
            tc_push(cx->arena, &s->arrays, (uint32_t)m->contract);
    }
}

// It is there, and has so many elements along each dimension whose extent is not fixed.
static tc_t has_elements(tc_cx *cx, const tc_object_contract *o, unsigned n) {
    tc_t all = tc_settle(cx, o->nonnull);
    for (unsigned d = 0; d < o->ndims; d++)
        all = tc_and(cx->ts, all, tc_le(cx->ts, tc_int(cx->ts, tc_is_const(o->shape[d]) ? 1 : (tc_i128)n), o->shape[d]));
    return all;
}

// Different values between lo and hi are no more than hi - lo.
static void push_different(tc_cx *cx, tc_tvec *h, const tc_object_contract *o, tc_t when) {
    const tc_fn *values = tc_contract_contents(cx->contract, (uint32_t)(o - cx->objects));
    if (!o->injective || !values->has_lo || !values->has_hi)
        return;
    tc_t lo = o->has_range ? o->range_lo : tc_int(cx->ts, values->lo), hi = o->has_range ? o->range_hi : tc_int(cx->ts, values->hi + 1);
    tc_t n = tc_int(cx->ts, 1);
    for (unsigned d = 0; d < o->ndims; d++)
        n = tc_mul(cx->ts, n, o->shape[d]);
    tc_hyps_push(cx, h, tc_implies(cx->ts, when, tc_le(cx->ts, n, tc_sub(cx->ts, hi, lo))));
}

static bool never(tc_cx *cx, const tc_tvec *h) { return tc_try(cx, h, tc_bool(cx->ts, false)).proved; }

// Is `what` against what is said of contents, though not against the conditions on the launch?
static bool is_excluded(search *s, tc_t what) {
    tc_cx *cx = s->cx;
    tc_tvec h = {0}, plain = {0};
    for (size_t i = 0; i < cx->facts.len; i++) {
        tc_hyps_push(cx, &h, cx->facts.data[i]);
        tc_hyps_push(cx, &plain, cx->facts.data[i]);
    }
    tc_hyps_push(cx, &h, what);
    tc_hyps_push(cx, &plain, what);
    for (size_t i = 0; i < s->arrays.len; i++) {
        const tc_object_contract *o = &cx->objects[s->arrays.data[i]];
        push_different(cx, &h, o, has_elements(cx, o, 1));
    }
    tc_hyps_first_contents(cx, &h, most_elements + 1);
    return never(cx, &h) && !never(cx, &plain);
}

static void exclude(search *s, tc_t what, uint32_t array, unsigned n) {
    tc_hyps_push(s->cx, &s->empty, tc_not(s->cx->ts, what));
    if (s->first >= 0)
        return;
    s->first = (int)array;
    s->elements = n;
}

// All of the arrays together first: mostly there is nothing to be found. SOUND: of a null pointer's contents nothing is said, so what is
// asked for is always that none of them is null.
static void find_empty(search *s, unsigned n) {
    tc_cx *cx = s->cx;
    tc_t all = tc_bool(cx->ts, true), there = all;
    for (size_t i = 0; i < s->arrays.len; i++) {
        const tc_object_contract *o = &cx->objects[s->arrays.data[i]];
        all = tc_and(cx->ts, all, has_elements(cx, o, n));
        there = tc_and(cx->ts, there, tc_settle(cx, o->nonnull));
    }
    if (!is_excluded(s, all))
        return;
    size_t before = s->empty.len;
    for (size_t i = 0; i < s->arrays.len && s->arrays.len > 1; i++) {
        tc_t one = tc_and(cx->ts, there, has_elements(cx, &cx->objects[s->arrays.data[i]], n));
        if (is_excluded(s, one))
            exclude(s, one, s->arrays.data[i], n);
    }
    if (s->empty.len == before)
        exclude(s, all, s->arrays.data[0], n);
}

static bool touches_nothing(search *s) {
    tc_cx *cx = s->cx;
    for (size_t i = 0; i < cx->sites.len; i++) {
        tc_tvec h = {0};
        tc_hyps_site(cx, &h, &cx->sites.data[i]);
        for (size_t k = 0; k < s->empty.len; k++)
            tc_hyps_push(cx, &h, s->empty.data[k]);
        if (!never(cx, &h))
            return false;
    }
    return cx->sites.len > 0;
}

// Where the kernel has work to do without the array, its proofs are about that, and this is a remark.
static void tell(search *s, bool refused) {
    tc_cx *cx = s->cx;
    const tc_object_contract *o = &cx->objects[s->first];
    const tc_forall_fact *f = forall_of(cx, tc_contract_contents(cx->contract, (uint32_t)s->first));
    tc_finding told = {.severity = TC_SEV_REMARK, .loc = f ? f->loc : o->loc, .kernel = cx->contract->kernel->name};
    told.text = tc_fmt(cx->arena,
                       "no launch with %s of '%s' satisfies this contract: what it says of the stored values contradicts itself or the other "
                       "conditions",
                       s->elements > 1 ? "two elements" : "an element", o->path);
    if (refused) {
        tc_obligation ob = tc_obligation_start(TC_RULE_TC9001, told.loc, NULL);
        tc_verdict_unknown(&ob, told.text);
        tc_oblige(cx, &ob);
        told.code = "TC9001";
        told.severity = TC_SEV_ERROR;
    }
    tc_push(cx->arena, cx->findings, told);
}

void tc_rule_contents(tc_cx *cx) {
    search s = {.cx = cx, .first = -1};
    find_arrays(&s);
    if (s.arrays.len == 0)
        return;
    tc_solver_quick(cx->solver, true); // mostly they do not contradict each other
    for (unsigned n = 1; n <= most_elements; n++)
        find_empty(&s, n);
    tc_solver_quick(cx->solver, false);
    if (s.empty.len == 0)
        return;
    tc_tvec h = {0};
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &h, cx->facts.data[i]);
    for (size_t i = 0; i < s.empty.len; i++)
        tc_hyps_push(cx, &h, s.empty.data[i]);
    tell(&s, never(cx, &h) || touches_nothing(&s));
}
