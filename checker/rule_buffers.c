// TC4002: what a launch borrows exclusively, it borrows under one name. TC4003: what is passed for a pointer is as large as the contract's
// shape, and is no null pointer.
//
// Both are said of launches that meet TC4001, whose facts are among what is known. Allocations are taken to succeed.
#include "checker/embed_terms.h"
#include "checker/launches.h"

#include <string.h>

static tc_t number(tc_site_cx *x, tc_i128 v) { return tc_int(x->cx->ts, v); }

static tc_tvec known_with(tc_site_cx *x, tc_t cond) {
    tc_tvec h = {0};
    for (size_t i = 0; i < x->hyps.len; i++)
        tc_hyps_push(x->cx, &h, x->hyps.data[i]);
    tc_hyps_push(x->cx, &h, tc_site_term(x, cond));
    return h;
}

// The address that is passed, as a number; NULL where it is not of one place.
static tc_t address_of(tc_site_cx *x, const tc_passed_alt *a) {
    return a->address == NULL ? NULL : tc_site_term(x, tc_add(x->cx->ts, a->address, a->offset));
}

// ---- extents ----

// The elements exist under `some`; then they lie in the first `bytes` bytes. NULL where there is no shape.
typedef struct extent {
    tc_t bytes, some;
} extent;

static extent extent_of(tc_site_cx *x, const tc_object_contract *o) {
    tc_terms *ts = x->cx->ts;
    extent e = {NULL, NULL};
    if (o->ndims == 0 || o->elem == NULL || o->elem->size == 0)
        return e;
    tc_t last = number(x, 0), all = number(x, 1), some = tc_bool(ts, true);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t n = tc_site_term(x, o->shape[d]);
        some = tc_and(ts, some, tc_le(ts, number(x, 1), n));
        last = tc_add(ts, last, tc_mul(ts, tc_addc(ts, n, -1), tc_site_term(x, o->stride[d])));
        all = tc_mul(ts, all, n);
    }
    e.bytes = tc_mulc(ts, o->explicit_stride ? tc_addc(ts, last, 1) : all, (tc_i128)o->elem->size);
    e.some = some;
    return e;
}

// ---- TC4003 ----

typedef struct ask {
    tc_site_cx *x;
    const tc_object_contract *o;
    tc_site_rule *rule;
    const char *what; // "the argument for 'x'"
} ask;

static void tell_origin(ask *q, const tc_passed_alt *a) {
    q->rule->notes.len = 0;
    tc_push(q->x->cx->arena, &q->rule->notes, ((tc_note){q->o->shape_loc.line ? q->o->shape_loc : q->o->loc, "the kernel says so here"}));
    if (a->made != NULL && a->made->loc.line != 0)
        tc_push(q->x->cx->arena, &q->rule->notes,
                ((tc_note){a->made->loc, tc_fmt(q->x->cx->arena, "the buffer comes from this %s", a->made->by)}));
}

static bool may_be_told(const ask *q) { return q->rule->verdict != TC_SITE_VIOLATED; }

// goal is to hold of what is passed under h.
static void require(ask *q, tc_tvec h, const tc_passed_alt *a, bool only, tc_t goal, const char *failing, const char *open) {
    tc_site_cx *x = q->x;
    if (tc_site_shows(x, &h, goal))
        return;
    tc_t not = tc_not(x->cx->ts, goal);
    bool never = tc_is_true(not) || tc_site_shows(x, &h, not);
    tc_site_values values = {0};
    tc_tvec with = h;
    tc_hyps_push(x->cx, &with, not);
    bool example = (never || tc_site_unknown(x, goal) == NULL) && tc_site_example(x, &with, &values);
    if (!may_be_told(q))
        return;
    if (never && example && only) {
        q->rule->values = values;
        tc_site_worse(q->rule, TC_SITE_VIOLATED, failing);
        tell_origin(q, a);
    } else if (q->rule->text == NULL) {
        q->rule->values = values;
        tc_site_worse(q->rule, TC_SITE_RUN_TIME, open);
        tell_origin(q, a);
    }
}

static void leave(ask *q, const char *why) {
    tc_site_worse(q->rule, TC_SITE_RUN_TIME, tc_fmt(q->x->cx->arena, "%s: %s", q->what, why));
}

static const char *bytes_text(tc_site_cx *x, tc_t t) {
    return tc_is_const(t) ? tc_fmt(x->cx->arena, "%s bytes", tc_i128_text(x->cx->arena, t->value))
                          : tc_fmt(x->cx->arena, "%s bytes", tc_term_text(x->cx->ts, t));
}

static void ask_null(ask *q, tc_tvec h, const tc_passed_alt *a, bool only, const extent *e) {
    tc_site_cx *x = q->x;
    if (q->o->optional)
        return;
    const char *failing = tc_fmt(x->cx->arena, "a null pointer is passed for '%s'", q->o->path);
    require(q, h, a, only, e->some == NULL ? tc_bool(x->cx->ts, false) : tc_not(x->cx->ts, e->some), failing,
            tc_fmt(x->cx->arena, "%s, which has elements for some sizes", failing));
}

static bool varies_by_iteration(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_SYM && t->sym->kind != TC_SYM_PARAM;
}

// ---- memory of the host ----

// The elements lie in bytes that cudaHostRegister was called for, and still are.
static bool is_pinned(ask *q, const tc_tvec *h, const tc_passed_alt *a, const extent *e) {
    tc_terms *ts = q->x->cx->ts;
    if (a->pinned == NULL || (a->pinned_turns && a->pinned->undone))
        return false;
    tc_t bytes = e->bytes != NULL ? e->bytes : number(q->x, 1), offset = tc_site_term(q->x, a->offset), from = tc_site_term(q->x, a->pinned->from);
    tc_t in = tc_and(ts, tc_le(ts, from, offset), tc_le(ts, tc_add(ts, offset, bytes), tc_add(ts, from, tc_site_term(q->x, a->pinned->size))));
    return tc_site_shows(q->x, h, tc_and(ts, tc_site_term(q->x, a->pinned_cond), in));
}

static const char *copy_text(tc_site_cx *x, const tc_allocation *copy) {
    if (copy == NULL)
        return "";
    return copy->into != NULL ? tc_fmt(x->cx->arena, "; '%s' was filled from it before", copy->into)
                              : tc_fmt(x->cx->arena, "; the buffer of line %u was filled from it before", copy->loc.line);
}

// Legal where a device shares the host's page tables (CUDA C++ Programming Guide, "Unified Memory"), which nothing here says.
static bool leave_memory_of_the_host(ask *q, const tc_tvec *h, const tc_passed_alt *a, const extent *e) {
    static const char *const only = "which a device reaches only where it shares the host's page tables (HMM, ATS)";
    tc_site_cx *x = q->x;
    if (a->memory == TC_MEMORY_OPEN || is_pinned(q, h, a, e))
        return false;
    const char *what = "";
    switch (a->memory) {
    case TC_MEMORY_OPEN:
    case TC_MEMORY_HOST:
        what = tc_fmt(x->cx->arena, "memory of the host, by %s, %s", a->made != NULL ? a->made->by : "the host", only);
        break;
    case TC_MEMORY_STACK:
        what = tc_fmt(x->cx->arena, "'%s' is memory of the host, on its stack, %s", a->name, only);
        break;
    case TC_MEMORY_VARIABLE:
        what = tc_fmt(x->cx->arena, "'%s' is memory of the host, a variable, %s", a->name, only);
        break;
    case TC_MEMORY_SHADOW:
        what = tc_fmt(x->cx->arena, "'%s' is memory of the host here, that stands for the variable of the device: %s", a->name,
                      "cudaGetSymbolAddress gives that one's address");
        break;
    }
    leave(q, tc_fmt(x->cx->arena, "%s%s", what, copy_text(x, a->copy)));
    return true;
}

// ---- what is passed ----

// The one buffer that can be passed was freed in every run that comes to the launch.
static bool is_gone(ask *q, tc_tvec h, const tc_passed_alt *a, bool only) {
    tc_site_cx *x = q->x;
    tc_site_values values = {0};
    if (!only || a->gone == NULL || a->several || a->turns || !tc_site_shows(x, &h, tc_site_term(x, a->gone)) || !tc_site_example(x, &h, &values))
        return false;
    if (!may_be_told(q))
        return true;
    q->rule->values = values;
    tc_site_worse(q->rule, TC_SITE_VIOLATED, tc_fmt(x->cx->arena, "'%s', which is passed for '%s', was freed before", a->name, q->o->path));
    tell_origin(q, a);
    tc_push(x->cx->arena, &q->rule->notes, ((tc_note){a->made->freed, "it is freed here"}));
    return true;
}

static void ask_size(ask *q, tc_tvec h, const tc_passed_alt *a, bool only, const extent *e) {
    tc_site_cx *x = q->x;
    tc_terms *ts = x->cx->ts;
    if (is_gone(q, h, a, only))
        return;
    bool kept = a->freed == NULL || tc_is_false(a->freed) || tc_site_shows(x, &h, tc_not(ts, tc_site_term(x, a->freed)));
    if (!kept || (a->turns && a->made != NULL && a->made->given_back)) {
        leave(q, "it may have been freed before");
        return;
    }
    bool reached = !leave_memory_of_the_host(q, &h, a, e);
    if (e->bytes == NULL) { // that there is some memory is all that is asked
        if (!q->o->optional && !a->distinct && reached)
            leave(q, tc_fmt(x->cx->arena, "nothing here says that '%s' is not null", a->name));
        return;
    }
    if (tc_site_by_contents(x, e->bytes)) {
        leave(q, "its shape hangs on what is stored");
        return;
    }
    if (a->size == NULL) {
        leave(q, a->kind == TC_PASSED_UNKNOWN ? "a pointer of unknown origin" : tc_fmt(x->cx->arena, "the size of '%s' is not seen here", a->name));
        return;
    }
    if (a->several && tc_any(ts, a->size, varies_by_iteration, NULL)) {
        leave(q, "it is allocated in a loop, with a size that changes");
        return;
    }
    tc_t size = tc_site_term(x, a->size), offset = tc_site_term(x, a->offset);
    tc_t fits = tc_and(ts, tc_le(ts, number(x, 0), offset), tc_le(ts, tc_add(ts, offset, e->bytes), size));
    bool moved = !tc_is_const(offset) || offset->value != 0;
    const char *failing = tc_fmt(x->cx->arena, "%s has %s%s, and '%s' needs %s for '%s'", a->made != NULL ? "the buffer" : tc_fmt(x->cx->arena, "'%s'", a->name),
                                 bytes_text(x, size), moved ? tc_fmt(x->cx->arena, ", of which it gets those from %s on", tc_term_text(ts, offset)) : "",
                                 x->contract->kernel->name, bytes_text(x, e->bytes), q->o->path);
    require(q, h, a, only, tc_or(ts, tc_not(ts, e->some), fits), failing, tc_fmt(x->cx->arena, "not shown for all sizes: %s", failing));
}

// How many of the alternatives can happen.
static size_t possible(tc_site_cx *x, const tc_passed *p, bool *can) {
    size_t n = 0;
    for (size_t i = 0; i < p->alts.len; i++) {
        tc_tvec h = known_with(x, p->alts.data[i].cond);
        can[i] = p->alts.len == 1 || !tc_site_shows(x, &h, tc_bool(x->cx->ts, false));
        n += can[i];
    }
    return n;
}

static void ask_object(tc_site_cx *x, tc_site_rule *r, size_t i) {
    const tc_object_contract *o = &x->contract->objects.data[i];
    const tc_passed *p = &x->site->pointers[i];
    ask q = {x, o, r, tc_fmt(x->cx->arena, "the argument for '%s'", o->path)};
    extent e = extent_of(x, o);
    if (p->alts.len == 0) {
        if (e.bytes != NULL || !o->optional)
            leave(&q, "a pointer of unknown origin");
        return;
    }
    bool *can = TC_NEW_ARRAY(x->cx->arena, bool, p->alts.len);
    bool only = possible(x, p, can) == 1;
    for (size_t k = 0; k < p->alts.len; k++) {
        const tc_passed_alt *a = &p->alts.data[k];
        if (!can[k])
            continue;
        tc_tvec h = known_with(x, a->cond);
        if (a->kind == TC_PASSED_NULL)
            ask_null(&q, h, a, only, &e);
        else
            ask_size(&q, h, a, only, &e);
    }
}

void tc_site_rule_buffers(tc_site_cx *x, tc_site_rule *r) {
    for (size_t i = 0; i < x->contract->objects.len; i++)
        if (x->contract->objects.data[i].param >= 0 && x->contract->objects.data[i].borrow != TC_BORROW_UNCHECKED &&
            (x->contract->objects.data[i].borrow != TC_BORROW_NONE || x->contract->objects.data[i].ndims > 0))
            ask_object(x, r, i);
}

// ---- alignment ----

// Is byte 0 of what is passed aligned?
// SOUND: a pointer that comes from elsewhere is taken to be aligned for the type that the kernel has it for, where no more is asked of it:
// who made it a pointer of that type says so (C11 6.3.2.3p7). docs/model.md lists that, and the shim looks.
static bool is_base_aligned(const tc_object_contract *o, const tc_passed_alt *a, uint32_t align) {
    if (a->align > 0)
        return a->align % align == 0;
    bool elsewhere = a->kind == TC_PASSED_OBJECT && a->made == NULL && !a->distinct;
    return elsewhere && o->elem != NULL && o->elem->align >= align;
}

// The offset modulo a power of two: what the machine cuts off above that is nothing.
static tc_t offset_modulo(tc_site_cx *x, const tc_passed_alt *a, uint32_t align) {
    tc_t t = tc_site_term(x, a->offset);
    while (t->op == TC_T_WRAP && tc_wrap_width(t) >= 32)
        t = t->args[0];
    return tc_mod(x->cx->ts, t, number(x, align));
}

static void ask_alignment(ask *q, uint32_t align, tc_tvec h, const tc_passed_alt *a, bool only) {
    tc_site_cx *x = q->x;
    tc_terms *ts = x->cx->ts;
    tc_t goal = tc_eq(ts, offset_modulo(x, a, align), number(x, 0));
    bool known = is_base_aligned(q->o, a, align);
    if (known && tc_is_true(goal))
        return;
    tc_t address = address_of(x, a); // which the code before the launch may have tested
    if (address != NULL && tc_site_shows(x, &h, tc_eq(ts, tc_mod(ts, address, number(x, align)), number(x, 0))))
        return;
    if (!known) {
        leave(q, tc_fmt(x->cx->arena, "nothing here says how '%s' is aligned", a->name));
        return;
    }
    const char *buffer = a->made != NULL ? "the buffer" : tc_fmt(x->cx->arena, "'%s'", a->name);
    const char *failing = tc_fmt(x->cx->arena, "'%s' needs '%s' aligned to %u bytes, and gets it from byte %s of %s on", x->contract->kernel->name,
                                 q->o->path, align, tc_term_text(ts, tc_site_term(x, a->offset)), buffer);
    bool surely = only && a->align > 0; // what comes from elsewhere is no fault that is seen here
    require(q, h, a, surely, goal, failing, tc_fmt(x->cx->arena, "not shown for all sizes: %s", failing));
}

void tc_site_rule_alignment(tc_site_cx *x, tc_site_rule *r) {
    for (size_t i = 0; i < x->contract->objects.len; i++) {
        const tc_object_contract *o = &x->contract->objects.data[i];
        uint32_t align = tc_embed_alignment(o);
        if (o->param < 0 || o->borrow == TC_BORROW_UNCHECKED || align <= 1)
            continue;
        const tc_passed *p = &x->site->pointers[i];
        ask q = {x, o, r, tc_fmt(x->cx->arena, "the argument for '%s'", o->path)};
        bool *can = TC_NEW_ARRAY(x->cx->arena, bool, p->alts.len + 1);
        bool only = possible(x, p, can) == 1;
        if (p->alts.len == 0)
            leave(&q, "a pointer of unknown origin, whose alignment nothing here says");
        for (size_t k = 0; k < p->alts.len; k++)
            if (can[k] && p->alts.data[k].kind != TC_PASSED_NULL) { // address 0 is aligned to everything
                tc_t is_there = tc_and(x->cx->ts, p->alts.data[k].cond, p->nonnull);
                ask_alignment(&q, align, known_with(x, is_there), &p->alts.data[k], only);
            }
    }
}

// ---- TC4002 ----

typedef struct pair {
    tc_site_cx *x;
    tc_site_rule *rule;
    const tc_object_contract *a, *b;
    extent ea, eb;
    bool in_place; // the same from end to end is allowed
} pair;

static const char *borrow_name(tc_borrow b) {
    static const char *const names[] = {"", "tc_shared", "tc_mut", "tc_out", "tc_atomic", ""};
    return names[b];
}

static void tell_pair(pair *p, tc_site_verdict v, const char *text, const tc_site_values *values) {
    if (p->rule->verdict == TC_SITE_VIOLATED || (v == TC_SITE_RUN_TIME && p->rule->text != NULL))
        return;
    tc_site_worse(p->rule, v, text);
    p->rule->values = *values;
    p->rule->notes.len = 0;
    tc_push(p->x->cx->arena, &p->rule->notes,
            ((tc_note){p->a->loc, tc_fmt(p->x->cx->arena, "'%s' is %s", p->a->path, borrow_name(p->a->borrow))}));
    tc_push(p->x->cx->arena, &p->rule->notes,
            ((tc_note){p->b->loc, tc_fmt(p->x->cx->arena, "'%s' is %s", p->b->path, borrow_name(p->b->borrow))}));
}

static void tell_buffer(pair *p, const tc_passed_alt *a) {
    if (a->made != NULL && a->made->loc.line != 0 && p->rule->verdict == TC_SITE_VIOLATED)
        tc_push(p->x->cx->arena, &p->rule->notes, ((tc_note){a->made->loc, tc_fmt(p->x->cx->arena, "the buffer comes from this %s", a->made->by)}));
}

static tc_t or_true(tc_site_cx *x, tc_t t) { return t != NULL ? t : tc_bool(x->cx->ts, true); }

static bool same_strides(tc_site_cx *x, const tc_object_contract *a, const tc_object_contract *b) {
    bool same = a->ndims == b->ndims;
    for (unsigned d = 0; same && d < a->ndims; d++)
        same = tc_site_term(x, a->stride[d]) == tc_site_term(x, b->stride[d]);
    return same;
}

// The elements from byte `from` on for the one meet those from `to` on for the other in a way that is not allowed.
static tc_t meeting(pair *p, tc_t from, tc_t to) {
    tc_site_cx *x = p->x;
    tc_terms *ts = x->cx->ts;
    tc_t both = tc_and(ts, or_true(x, p->ea.some), or_true(x, p->eb.some));
    // What has no shape has a byte at least.
    tc_t na = p->ea.bytes != NULL ? p->ea.bytes : number(x, 1), nb = p->eb.bytes != NULL ? p->eb.bytes : number(x, 1);
    tc_t meet = tc_and(ts, both, tc_and(ts, tc_lt(ts, from, tc_add(ts, to, nb)), tc_lt(ts, to, tc_add(ts, from, na))));
    return p->in_place && same_strides(x, p->a, p->b) ? tc_and(ts, meet, tc_ne(ts, from, to)) : meet;
}

// ---- views with strides: between their elements may lie those of another one ----

static tc_t stride_bytes(tc_site_cx *x, const tc_object_contract *o, unsigned d) {
    return tc_mulc(x->cx->ts, tc_site_term(x, o->stride[d]), (tc_i128)o->elem->size);
}

static bool is_multiple(tc_site_cx *x, const tc_tvec *h, tc_t t, tc_t of) {
    return t == of || tc_site_shows(x, h, tc_eq(x->cx->ts, tc_mod(x->cx->ts, t, of), number(x, 0)));
}

// Bytes from the first element on in which all lie, but for multiples of the period; NULL where a stride may be negative.
static tc_t span_within(tc_site_cx *x, const tc_tvec *h, const tc_object_contract *o, tc_t period) {
    tc_terms *ts = x->cx->ts;
    tc_t span = number(x, (tc_i128)o->elem->size);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t s = stride_bytes(x, o, d);
        if (is_multiple(x, h, s, period))
            continue;
        if (!tc_site_shows(x, h, tc_le(ts, number(x, 0), s)))
            return NULL;
        span = tc_add(ts, span, tc_mul(ts, tc_addc(ts, tc_site_term(x, o->shape[d]), -1), s));
    }
    return span;
}

// Modulo the period, the one view lies in `na` bytes and the other, which begins `by` bytes further on, in `nb`.
static bool are_apart_within(tc_site_cx *x, const tc_tvec *h, tc_t period, tc_t by, tc_t na, tc_t nb) {
    tc_terms *ts = x->cx->ts;
    tc_t back = tc_sub(ts, number(x, 0), by), rest = tc_mod(ts, by, period);
    return tc_site_shows(x, h, tc_and(ts, tc_le(ts, na, by), tc_le(ts, tc_add(ts, by, nb), period))) ||
           tc_site_shows(x, h, tc_and(ts, tc_le(ts, nb, back), tc_le(ts, tc_add(ts, back, na), period))) ||
           (tc_is_const(period) && tc_site_shows(x, h, tc_and(ts, tc_le(ts, na, rest), tc_le(ts, tc_add(ts, rest, nb), period))));
}

static void add_period(tc_site_cx *x, tc_tvec *to, tc_t period) {
    for (size_t i = 0; i < to->len; i++)
        if (to->data[i] == period)
            return;
    tc_push(x->cx->arena, to, period);
}

static bool are_apart_by(pair *p, const tc_tvec *h, tc_t period, tc_t by) {
    tc_site_cx *x = p->x;
    if (!tc_site_shows(x, h, tc_lt(x->cx->ts, number(x, 0), period)))
        return false;
    tc_t na = span_within(x, h, p->a, period), nb = span_within(x, h, p->b, period);
    return na != NULL && nb != NULL && are_apart_within(x, h, period, by, na, nb);
}

// Halves of the columns of one matrix, channels that are interleaved: each stride in turn as a period of both.
static bool are_interleaved(pair *p, const tc_tvec *known, tc_t from, tc_t to) {
    tc_site_cx *x = p->x;
    tc_tvec h = {0};
    for (size_t i = 0; i < known->len; i++)
        tc_hyps_push(x->cx, &h, known->data[i]);
    tc_hyps_push(x->cx, &h, tc_and(x->cx->ts, p->ea.some, p->eb.some));
    tc_t by = tc_sub(x->cx->ts, to, from);
    tc_tvec periods = {0};
    for (unsigned d = 0; d < p->a->ndims; d++)
        add_period(x, &periods, stride_bytes(x, p->a, d));
    for (unsigned d = 0; d < p->b->ndims; d++)
        add_period(x, &periods, stride_bytes(x, p->b, d));
    for (size_t i = 0; i < periods.len; i++)
        if (are_apart_by(p, &h, periods.data[i], by))
            return true;
    return false;
}

// Bytes from the first element on that have no gaps.
static tc_t run_of(tc_site_cx *x, const tc_tvec *h, const tc_object_contract *o, const extent *e) {
    if (e->bytes == NULL || !o->explicit_stride)
        return e->bytes != NULL ? e->bytes : number(x, 1);
    tc_t run = number(x, (tc_i128)o->elem->size);
    for (unsigned d = o->ndims; d-- > 0;) {
        tc_t s = stride_bytes(x, o, d);
        if (s != run && !tc_site_shows(x, h, tc_eq(x->cx->ts, s, run)))
            break;
        run = tc_mul(x->cx->ts, run, tc_site_term(x, o->shape[d]));
    }
    return run;
}

// The run of the one that begins `rows` strides further on has bytes of the first run of the other.
static tc_t runs_meet(tc_site_cx *x, const tc_object_contract *o, tc_t from, tc_t na, tc_t to, tc_t nb) {
    tc_terms *ts = x->cx->ts;
    tc_t meet = tc_and(ts, tc_lt(ts, from, tc_add(ts, to, nb)), tc_lt(ts, to, tc_add(ts, from, na)));
    for (unsigned d = 0; o->explicit_stride && d < o->ndims; d++) {
        tc_t s = stride_bytes(x, o, d);
        if (!tc_is_const(s) || s->value <= 0)
            continue;
        tc_t rows = tc_div(ts, tc_sub(ts, to, from), s), row = tc_add(ts, from, tc_mul(ts, rows, s));
        tc_t is_there = tc_and(ts, tc_le(ts, number(x, 0), rows), tc_lt(ts, rows, tc_site_term(x, o->shape[d])));
        meet = tc_or(ts, meet, tc_and(ts, is_there, tc_lt(ts, to, tc_add(ts, row, na))));
    }
    return meet;
}

// Elements that both have: not all such pairs of views, but none else.
static tc_t surely_meeting(pair *p, const tc_tvec *h, tc_t from, tc_t to) {
    tc_site_cx *x = p->x;
    tc_terms *ts = x->cx->ts;
    tc_t na = run_of(x, h, p->a, &p->ea), nb = run_of(x, h, p->b, &p->eb);
    tc_t meet = tc_or(ts, runs_meet(x, p->a, from, na, to, nb), runs_meet(x, p->b, to, nb, from, na));
    meet = tc_and(ts, meet, tc_and(ts, or_true(x, p->ea.some), or_true(x, p->eb.some)));
    return p->in_place && same_strides(x, p->a, p->b) ? tc_and(ts, meet, tc_ne(ts, from, to)) : meet;
}

static bool has_gaps(const pair *p) {
    return p->ea.bytes != NULL && p->eb.bytes != NULL && (p->a->explicit_stride || p->b->explicit_stride);
}

// ---- two arguments ----

// The symbols and stored values of a term; and which sides of a condition have some of them, some others.
typedef struct leaves {
    tc_arena *arena;
    tc_tvec own;
    bool has_own, has_other;
} leaves;

static bool is_leaf(tc_t t) { return t->op == TC_T_SYM || t->fn != NULL; }

static bool take_leaf(void *ctx, tc_t t) {
    leaves *l = ctx;
    if (is_leaf(t))
        tc_push(l->arena, &l->own, t);
    return false;
}

static bool see_leaf(void *ctx, tc_t t) {
    leaves *l = ctx;
    bool own = false;
    for (size_t i = 0; is_leaf(t) && i < l->own.len && !own; i++)
        own = l->own.data[i] == t;
    l->has_own |= own;
    l->has_other |= is_leaf(t) && !own;
    return l->has_own && l->has_other;
}

// Does anything that is known tell of the address together with something else? Where nothing does, it may lie anywhere.
static bool is_placed(tc_site_cx *x, const tc_tvec *h, tc_t address) {
    leaves l = {.arena = x->cx->arena};
    tc_any(x->cx->ts, address, take_leaf, &l);
    for (size_t i = 0; i < h->len; i++) {
        l.has_own = l.has_other = false;
        if (tc_any(x->cx->ts, h->data[i], see_leaf, &l))
            return true;
    }
    return false;
}

// Two buffers, of whose addresses the code before the launch says that they are apart.
static bool are_apart(pair *p, const tc_tvec *h, const tc_passed_alt *a, const tc_passed_alt *b) {
    tc_t from = address_of(p->x, a), to = address_of(p->x, b);
    return from != NULL && to != NULL && p->ea.bytes != NULL && p->eb.bytes != NULL && is_placed(p->x, h, from) && is_placed(p->x, h, to) &&
           tc_site_shows(p->x, h, tc_not(p->x->cx->ts, meeting(p, from, to)));
}

// Parts of one buffer.
static void ask_overlap(pair *p, tc_tvec h, const tc_passed_alt *a, const tc_passed_alt *b, bool only) {
    tc_site_cx *x = p->x;
    tc_terms *ts = x->cx->ts;
    tc_t from = tc_site_term(x, a->offset), to = tc_site_term(x, b->offset);
    tc_t same = tc_eq(ts, from, to);
    tc_t both = tc_and(ts, or_true(x, p->ea.some), or_true(x, p->eb.some));
    tc_t meet = meeting(p, from, to);
    bool shaped = p->ea.bytes != NULL && p->eb.bytes != NULL;
    const char *what = tc_is_true(same) ? tc_fmt(x->cx->arena, "'%s' is passed for '%s' and for '%s'", a->name, p->a->path, p->b->path)
                                        : tc_fmt(x->cx->arena, "parts of '%s' that overlap are passed for '%s' and for '%s'", a->name, p->a->path, p->b->path);
    if (shaped && tc_site_shows(x, &h, tc_not(ts, meet)))
        return;
    if (has_gaps(p)) {
        if (!tc_is_true(same) && are_interleaved(p, &h, from, to))
            return;
        meet = surely_meeting(p, &h, from, to);
    }
    tc_site_values values = {0};
    tc_tvec with = h;
    tc_hyps_push(x->cx, &with, meet);
    // One pointer for both meets wherever there is an element, and a launch without one is none that anybody is after.
    bool always = (tc_is_true(same) && !p->in_place) || tc_site_shows(x, &h, tc_or(ts, tc_not(ts, both), meet));
    bool example = !tc_site_by_contents(x, meet) && tc_site_example(x, &with, &values);
    if (always && only && example) {
        bool first = p->rule->verdict != TC_SITE_VIOLATED;
        tell_pair(p, TC_SITE_VIOLATED, what, &values);
        if (first)
            tell_buffer(p, a);
    } else
        tell_pair(p, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "not shown to be apart: %s", what), &values);
}

static void ask_alts(pair *p, const tc_passed_alt *a, const tc_passed_alt *b, bool only) {
    tc_site_cx *x = p->x;
    tc_site_values none = {0};
    if (a->kind == TC_PASSED_NULL || b->kind == TC_PASSED_NULL)
        return;
    tc_tvec h = known_with(x, tc_and(x->cx->ts, a->cond, b->cond));
    if (!only && tc_site_shows(x, &h, tc_bool(x->cx->ts, false)))
        return;
    bool known = a->kind != TC_PASSED_UNKNOWN && b->kind != TC_PASSED_UNKNOWN;
    bool same = known && a->kind == b->kind && a->id == b->id && !a->several;
    if (same) {
        ask_overlap(p, h, a, b, only);
        return;
    }
    // New memory is none that was there before; two variables, and two allocations, are two.
    bool two = known && !(a->kind == b->kind && a->id == b->id);
    if (two && ((a->distinct && b->distinct) || (a->fresh && b->old) || (b->fresh && a->old)))
        return;
    if (are_apart(p, &h, a, b))
        return;
    tell_pair(p, TC_SITE_RUN_TIME,
              tc_fmt(x->cx->arena, "'%s' and '%s' are passed for '%s' and '%s', and nothing here says that they are apart", a->name, b->name, p->a->path,
                     p->b->path),
              &none);
}

static bool is_in_place(const tc_contract *c, size_t i, size_t j) {
    return tc_contract_one_buffer(&c->objects.data[i], &c->objects.data[j]);
}

static bool may_alias(const tc_contract *c, size_t i, size_t j) {
    for (size_t k = 0; k + 1 < c->may_alias.len; k += 2)
        if ((c->may_alias.data[k] == i && c->may_alias.data[k + 1] == j) || (c->may_alias.data[k] == j && c->may_alias.data[k + 1] == i))
            return true;
    return false;
}

static bool is_borrow(const tc_object_contract *o) {
    return o->param >= 0 && o->borrow != TC_BORROW_NONE && o->borrow != TC_BORROW_UNCHECKED;
}

// Only what is read by both may be one buffer: of all else the kernel was shown to be right for two.
static bool is_asked(const tc_contract *c, size_t i, size_t j) {
    const tc_object_contract *a = &c->objects.data[i], *b = &c->objects.data[j];
    if (!is_borrow(a) || !is_borrow(b) || may_alias(c, i, j))
        return false;
    return a->borrow != TC_BORROW_SHARED || b->borrow != TC_BORROW_SHARED;
}

void tc_site_rule_aliases(tc_site_cx *x, tc_site_rule *r) {
    const tc_contract *c = x->contract;
    tc_site_values none = {0};
    for (size_t i = 0; i < c->objects.len; i++)
        for (size_t j = i + 1; j < c->objects.len; j++) {
            if (!is_asked(c, i, j))
                continue;
            const tc_object_contract *a = &c->objects.data[i], *b = &c->objects.data[j];
            pair p = {x, r, a, b, extent_of(x, a), extent_of(x, b), is_in_place(c, i, j)};
            const tc_passed *pa = &x->site->pointers[i], *pb = &x->site->pointers[j];
            if (pa->alts.len == 0 || pb->alts.len == 0)
                tell_pair(&p, TC_SITE_RUN_TIME, tc_fmt(x->cx->arena, "nothing here says where the arguments for '%s' and '%s' come from", a->path, b->path),
                          &none);
            for (size_t k = 0; k < pa->alts.len; k++)
                for (size_t m = 0; m < pb->alts.len; m++)
                    ask_alts(&p, &pa->alts.data[k], &pb->alts.data[m], pa->alts.len == 1 && pb->alts.len == 1);
        }
}
