// What a borrow covers, and what its elements hold.
#include "runtime-shim/contract.h"

#include <stdlib.h>

tc_embedded_state tc_embedded_extent_of(tc_embedded_frame *f, uint32_t borrow, tc_embedded_extent *x) {
    tc_embedded_borrow b = tc_embedded_borrow_at(f->record, borrow);
    tc_i128 lo, hi;
    tc_embedded_state s = tc_embedded_address(f, borrow, &x->address);
    if (s == TC_EMBEDDED_VALUE)
        s = tc_embedded_value(f, b.lo, &lo);
    if (s == TC_EMBEDDED_VALUE)
        s = tc_embedded_value(f, b.hi, &hi);
    if (s != TC_EMBEDDED_VALUE)
        return s;
    if (b.element == 0)
        return TC_EMBEDDED_MISSING;
    return tc_mul128(lo, b.element, &x->lo) && tc_mul128(hi, b.element, &x->hi) ? TC_EMBEDDED_VALUE : TC_EMBEDDED_OVERFLOW;
}

// ---- each element of an array ----

typedef struct elements {
    tc_embedded_frame *f;
    uint32_t borrow;
    unsigned ndims;
    tc_i128 extent[TC_REC_MAX_DIMS], stride[TC_REC_MAX_DIMS], index[TC_REC_MAX_DIMS];
    bool empty;
} elements;

static tc_embedded_state elements_begin(tc_embedded_frame *f, uint32_t borrow, elements *x) {
    tc_embedded_borrow b = tc_embedded_borrow_at(f->record, borrow);
    uint64_t address = 0;
    *x = (elements){.f = f, .borrow = borrow, .ndims = b.ndims};
    if (b.ndims == 0)
        return TC_EMBEDDED_NEVER;
    tc_embedded_state s = tc_embedded_address(f, borrow, &address);
    for (unsigned d = 0; d < x->ndims && s == TC_EMBEDDED_VALUE; d++) {
        tc_embedded_dim dim = tc_embedded_dim_at(f->record, b.first_dim + d);
        s = tc_embedded_value(f, dim.extent, &x->extent[d]);
        if (s == TC_EMBEDDED_VALUE)
            s = tc_embedded_value(f, dim.stride, &x->stride[d]);
        x->empty |= s == TC_EMBEDDED_VALUE && x->extent[d] <= 0;
    }
    // A null array holds nothing; where it may not be null is another condition.
    x->empty |= s == TC_EMBEDDED_VALUE && address == 0;
    return s;
}

static tc_embedded_state element_read(const elements *x, tc_i128 *flat, tc_i128 *value) {
    *flat = 0;
    for (unsigned d = 0; d < x->ndims; d++) {
        tc_i128 step;
        if (!tc_mul128(x->index[d], x->stride[d], &step) || !tc_add128(*flat, step, flat))
            return TC_EMBEDDED_OVERFLOW;
    }
    return tc_embedded_element(x->f, x->borrow, *flat, value);
}

// Row-major; false after the last one.
static bool elements_next(elements *x) {
    for (unsigned d = x->ndims; d-- > 0;) {
        if (++x->index[d] < x->extent[d])
            return true;
        x->index[d] = 0;
    }
    return false;
}

static bool spend(tc_embedded_budget *budget, uint64_t steps) {
    bool enough = budget->steps >= steps;
    budget->steps -= enough ? steps : budget->steps;
    return enough;
}

// ---- facts of single arrays ----

typedef struct check {
    tc_embedded_frame *f;
    tc_embedded_fact fact;
    tc_embedded_budget *budget;
    tc_embedded_witness *at;
    tc_i128 lo, hi, last; // last: the value before
    size_t count;         // elements so far
} check;

static tc_embedded_answer cannot(tc_embedded_state s, tc_embedded_state *why) {
    *why = s;
    return TC_EMBEDDED_CANNOT;
}

static bool element_is_good(check *c, tc_i128 v) {
    bool first = c->count == 0;
    tc_i128 before = c->last;
    c->last = v;
    switch (c->fact.kind) {
    case TC_REC_FACT_RANGE:
        return c->lo <= v && v < c->hi;
    case TC_REC_FACT_INIT:
        return v == c->lo;
    case TC_REC_FACT_MONOTONE:
        return first || before <= v;
    default: // injective: compared afterwards
        c->budget->scratch[c->count] = v;
        return true;
    }
}

static int by_value(const void *a, const void *b) {
    const tc_i128 *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static tc_embedded_answer all_different(const check *c) {
    tc_i128 *v = c->budget->scratch;
    qsort(v, c->count, sizeof *v, by_value);
    for (size_t i = 1; i < c->count; i++)
        if (v[i - 1] == v[i]) {
            *c->at = (tc_embedded_witness){.value = v[i]};
            return TC_EMBEDDED_FAILS;
        }
    return TC_EMBEDDED_HOLDS;
}

static tc_embedded_answer check_elements(check *c, tc_embedded_state *why) {
    elements x;
    tc_embedded_state s = elements_begin(c->f, c->fact.borrow, &x);
    bool injective = c->fact.kind == TC_REC_FACT_INJECTIVE;
    if (s == TC_EMBEDDED_VALUE && (c->fact.kind == TC_REC_FACT_RANGE || c->fact.kind == TC_REC_FACT_INIT))
        s = tc_embedded_value(c->f, c->fact.lo, &c->lo);
    if (s == TC_EMBEDDED_VALUE && c->fact.kind == TC_REC_FACT_RANGE)
        s = tc_embedded_value(c->f, c->fact.hi, &c->hi);
    if (s != TC_EMBEDDED_VALUE)
        return cannot(s, why);
    if (x.empty)
        return TC_EMBEDDED_HOLDS;
    do {
        tc_i128 flat, v;
        if (!spend(c->budget, 1) || (injective && c->count == c->budget->nscratch))
            return cannot(TC_EMBEDDED_LONG, why);
        s = element_read(&x, &flat, &v);
        if (s != TC_EMBEDDED_VALUE)
            return cannot(s, why);
        if (!element_is_good(c, v)) {
            *c->at = (tc_embedded_witness){.at = {flat}, .value = v, .n = 1};
            return TC_EMBEDDED_FAILS;
        }
        c->count++;
    } while (elements_next(&x));
    return injective ? all_different(c) : TC_EMBEDDED_HOLDS;
}

// ---- tc_forall ----

static tc_embedded_answer check_at(check *c, const tc_i128 *values, tc_embedded_state *why) {
    tc_i128 r;
    if (!spend(c->budget, tc_embedded_nodes(c->f->record)))
        return cannot(TC_EMBEDDED_LONG, why);
    tc_embedded_bind(c->f, values, c->fact.nbound);
    tc_embedded_state s = tc_embedded_value(c->f, c->fact.lo, &r);
    if (s != TC_EMBEDDED_VALUE)
        return cannot(s, why);
    if (r)
        return TC_EMBEDDED_HOLDS;
    *c->at = (tc_embedded_witness){.n = c->fact.nbound};
    for (unsigned i = 0; i < c->fact.nbound; i++)
        c->at->at[i] = values[i];
    return TC_EMBEDDED_FAILS;
}

// All values of the names from `depth` on; at most TC_REC_MAX_BOUND deep.
static tc_embedded_answer check_from(check *c, tc_i128 *values, unsigned depth, tc_embedded_state *why) {
    if (depth == c->fact.nbound)
        return check_at(c, values, why);
    tc_embedded_bound b = tc_embedded_bound_at(c->f->record, c->fact.first_bound + depth);
    tc_i128 lo, hi;
    tc_embedded_bind(c->f, values, depth);
    tc_embedded_state s = tc_embedded_value(c->f, b.lo, &lo);
    if (s == TC_EMBEDDED_VALUE)
        s = tc_embedded_value(c->f, b.hi, &hi);
    if (s != TC_EMBEDDED_VALUE)
        return cannot(s, why);
    for (tc_i128 v = lo; v < hi; v++) {
        if (!spend(c->budget, 1))
            return cannot(TC_EMBEDDED_LONG, why);
        values[depth] = v;
        tc_embedded_answer answer = check_from(c, values, depth + 1, why);
        if (answer != TC_EMBEDDED_HOLDS)
            return answer;
    }
    return TC_EMBEDDED_HOLDS;
}

tc_embedded_answer tc_embedded_fact_holds(tc_embedded_frame *f, uint32_t fact, tc_embedded_budget *budget, tc_embedded_witness *at,
                                          tc_embedded_state *why) {
    tc_embedded_witness nowhere;
    tc_embedded_state state = TC_EMBEDDED_VALUE;
    check c = {.f = f, .fact = tc_embedded_fact_at(f->record, fact), .budget = budget, .at = at ? at : &nowhere};
    tc_i128 values[TC_REC_MAX_BOUND] = {0};
    tc_embedded_answer answer = TC_EMBEDDED_CANNOT;
    if (c.fact.kind >= TC_REC_FACT_COUNT)
        state = TC_EMBEDDED_NEVER;
    else if (c.fact.kind == TC_REC_FACT_FORALL)
        answer = check_from(&c, values, 0, &state);
    else
        answer = check_elements(&c, &state);
    tc_embedded_bind(f, values, 0);
    if (why)
        *why = state;
    return answer;
}
