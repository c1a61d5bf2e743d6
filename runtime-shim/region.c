#include "runtime-shim/region.h"

#include <string.h>

#define STEPS 20000 // pairs of parts that a comparison looks at

tc_rt_region tc_rt_region_dense(uint64_t base, uint64_t bytes) {
    return (tc_rt_region){.base = base, .run = bytes};
}

static uint64_t span(const tc_rt_region *r) {
    uint64_t bytes = r->run;
    for (unsigned d = 0; d < r->ndims; d++)
        bytes += r->dims[d].count ? (r->dims[d].count - 1) * r->dims[d].stride : 0;
    return bytes;
}

bool tc_rt_region_add(tc_rt_region *r, uint64_t count, int64_t stride) {
    uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    uint64_t reach;
    if (r->ndims == TC_RT_MAX_DIMS || __builtin_mul_overflow(count ? count - 1 : 0, step, &reach))
        return false;
    if (stride < 0 && reach > r->base)
        return false;
    uint64_t base = stride < 0 ? r->base - reach : r->base, end;
    if (__builtin_add_overflow(base, reach, &end) || __builtin_add_overflow(end, span(r), &end))
        return false;
    r->base = base;
    r->dims[r->ndims++] = (tc_rt_dim){count, step};
    return true;
}

bool tc_rt_region_empty(const tc_rt_region *r) {
    bool empty = r->run == 0;
    for (unsigned d = 0; d < r->ndims; d++)
        empty = empty || r->dims[d].count == 0;
    return empty;
}

static void drop_dim(tc_rt_region *r, unsigned d) {
    memmove(&r->dims[d], &r->dims[d + 1], (r->ndims - d - 1) * sizeof r->dims[0]);
    r->ndims--;
}

static void sort_dims(tc_rt_region *r) {
    for (unsigned i = 1; i < r->ndims; i++)
        for (unsigned j = i; j > 0 && r->dims[j - 1].stride < r->dims[j].stride; j--) {
            tc_rt_dim swap = r->dims[j];
            r->dims[j] = r->dims[j - 1];
            r->dims[j - 1] = swap;
        }
}

// The innermost dimension joins the run where its runs touch or overlap one another.
static void grow_run(tc_rt_region *r) {
    while (r->ndims && r->dims[r->ndims - 1].stride <= r->run) {
        tc_rt_dim d = r->dims[--r->ndims];
        r->run += (d.count - 1) * d.stride;
    }
}

void tc_rt_region_normalize(tc_rt_region *r) {
    if (tc_rt_region_empty(r)) {
        *r = tc_rt_region_dense(r->base, 0);
        return;
    }
    for (unsigned d = r->ndims; d-- > 0;)
        if (r->dims[d].count == 1 || r->dims[d].stride == 0)
            drop_dim(r, d);
    sort_dims(r);
    grow_run(r);
    for (unsigned d = r->ndims; d-- > 1;) // rows that go on where the one before ended
        if (r->dims[d - 1].stride == r->dims[d].count * r->dims[d].stride) {
            r->dims[d].count *= r->dims[d - 1].count;
            drop_dim(r, d - 1);
        }
}

uint64_t tc_rt_region_end(const tc_rt_region *r) {
    uint64_t end;
    return __builtin_add_overflow(r->base, span(r), &end) ? UINT64_MAX : end;
}

bool tc_rt_region_equal(const tc_rt_region *a, const tc_rt_region *b) {
    if (a->base != b->base || a->run != b->run || a->ndims != b->ndims)
        return false;
    for (unsigned d = 0; d < a->ndims; d++)
        if (a->dims[d].count != b->dims[d].count || a->dims[d].stride != b->dims[d].stride)
            return false;
    return true;
}

bool tc_rt_region_covers(const tc_rt_region *a, const tc_rt_region *b) {
    if (a->ndims == 0)
        return a->base <= b->base && tc_rt_region_end(b) <= tc_rt_region_end(a);
    return tc_rt_region_equal(a, b);
}

// ---- overlap ----

typedef struct search {
    unsigned steps;
    uint64_t at;
} search;

// One index of the outermost dimension left out: the part from index `from` on, `count` of them.
static tc_rt_region part(const tc_rt_region *r, uint64_t from, uint64_t count) {
    tc_rt_region p = *r;
    p.base += from * p.dims[0].stride;
    p.dims[0].count = count;
    if (count == 1)
        drop_dim(&p, 0);
    return p;
}

static tc_rt_overlap overlap(search *s, tc_rt_region a, tc_rt_region b);

static uint64_t inner_span(const tc_rt_region *r) {
    tc_rt_region inner = *r;
    drop_dim(&inner, 0);
    return span(&inner);
}

// Both advance by one stride P and their rows are no longer than P. With b's base in row `rows` of a, row i of a can meet row j of b
// only for i - j = rows and i - j = rows + 1, and whether it does depends on i - j alone: so row 0 of b is enough.
static tc_rt_overlap same_pitch(search *s, const tc_rt_region *a, const tc_rt_region *b) {
    if (a->base > b->base)
        return same_pitch(s, b, a);
    uint64_t rows = (b->base - a->base) / a->dims[0].stride;
    tc_rt_overlap met = TC_RT_DISJOINT;
    for (uint64_t row = rows; row <= rows + 1 && row < a->dims[0].count && met == TC_RT_DISJOINT; row++)
        met = overlap(s, part(a, row, 1), part(b, 0, 1));
    return met;
}

static tc_rt_overlap halves(search *s, const tc_rt_region *whole, const tc_rt_region *other) {
    uint64_t n = whole->dims[0].count, half = n / 2;
    tc_rt_overlap first = overlap(s, part(whole, 0, half), *other);
    if (first == TC_RT_OVERLAP)
        return first;
    tc_rt_overlap second = overlap(s, part(whole, half, n - half), *other);
    return second == TC_RT_DISJOINT ? first : second;
}

static tc_rt_overlap overlap(search *s, tc_rt_region a, tc_rt_region b) {
    if (a.base >= tc_rt_region_end(&b) || b.base >= tc_rt_region_end(&a))
        return TC_RT_DISJOINT;
    if (++s->steps > STEPS)
        return TC_RT_UNDECIDED;
    if (a.ndims == 0 && b.ndims == 0) {
        s->at = a.base > b.base ? a.base : b.base;
        return TC_RT_OVERLAP;
    }
    if (a.ndims && b.ndims && a.dims[0].stride == b.dims[0].stride && inner_span(&a) <= a.dims[0].stride &&
        inner_span(&b) <= b.dims[0].stride)
        return same_pitch(s, &a, &b);
    bool split_a = a.ndims && (!b.ndims || span(&a) >= span(&b));
    return split_a ? halves(s, &a, &b) : halves(s, &b, &a);
}

tc_rt_overlap tc_rt_region_overlap(const tc_rt_region *a, const tc_rt_region *b, uint64_t *at) {
    if (tc_rt_region_empty(a) || tc_rt_region_empty(b) || a->base >= tc_rt_region_end(b) || b->base >= tc_rt_region_end(a))
        return TC_RT_DISJOINT;
    if (a->ndims == 0 && b->ndims == 0) {
        if (at)
            *at = a->base > b->base ? a->base : b->base;
        return TC_RT_OVERLAP;
    }
    search s = {0};
    tc_rt_overlap found = overlap(&s, *a, *b);
    if (at && found == TC_RT_OVERLAP)
        *at = s.at;
    return found;
}
