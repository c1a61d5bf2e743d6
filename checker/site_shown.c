// Faults of a launch that its code shows, though there are values for which it is right.
#include "checker/launches.h"

#include <string.h>

static const char *const axes = "xyz";

// gridDim.x == tc_cdiv(n, 256): the extent that is passed, and the one that is asked for.
static bool is_of_grid(tc_site_cx *x, const tc_fact *f, tc_t *passed, tc_t *asked) {
    const tc_contract *c = x->contract;
    for (unsigned d = 0; d < 3 && c->has_grid; d++)
        if (f->loc.line == c->grid_loc.line && f->loc.column == c->grid_loc.column && !tc_is_const(c->syms.grid_dim[d]) &&
            f->text[0] == 'g' && f->text[8] == axes[d] && strstr(f->text, " == ") != NULL) {
            *passed = tc_site_term(x, c->syms.grid_dim[d]);
            *asked = tc_site_term(x, c->grid[d]);
            return true;
        }
    return false;
}

// Never too many blocks, sometimes enough, and sometimes too few of them: a division that is rounded down.
bool tc_site_leaves_tail(tc_site_cx *x, const tc_tvec *h, const tc_fact *f, tc_site_rule *r) {
    tc_t passed, asked;
    if (!is_of_grid(x, f, &passed, &asked) || tc_site_unknown(x, f->term) != NULL ||
        !tc_site_shows(x, h, tc_le(x->cx->ts, passed, asked)))
        return false;
    tc_tvec few = {0}, enough = {0};
    for (size_t i = 0; i < h->len; i++) {
        tc_hyps_push(x->cx, &few, h->data[i]);
        tc_hyps_push(x->cx, &enough, h->data[i]);
    }
    tc_site_values none = {0};
    tc_hyps_push(x->cx, &enough, tc_eq(x->cx->ts, passed, asked));
    tc_hyps_push(x->cx, &enough, tc_le(x->cx->ts, tc_int(x->cx->ts, 1), passed));
    tc_hyps_push(x->cx, &few, tc_lt(x->cx->ts, passed, asked));
    tc_hyps_push(x->cx, &few, tc_le(x->cx->ts, tc_int(x->cx->ts, 1), passed));
    r->values.len = 0;
    return tc_site_example(x, &enough, &none) && tc_site_example(x, &few, &r->values);
}

// Sizes beyond 2^31 that a narrowing turns into 0 are nothing that a reader of the code would be told of.
static void push_ordinary(tc_site_cx *x, tc_tvec *h, tc_t t) {
    tc_site_syms params = tc_site_params(x, t);
    for (size_t i = 0; i < params.len; i++)
        if (params.data[i]->sort == TC_INT)
            tc_hyps_push(x->cx, h, tc_in_range(x->cx->ts, tc_of_sym(x->cx->ts, params.data[i]), INT32_MIN, INT32_MAX));
}

// A parameter of which negative values have been sorted out: who did that has thought of 0.
static tc_t tested_size(tc_site_cx *x, tc_t passed) {
    tc_site_syms params = tc_site_params(x, passed);
    for (size_t i = 0; i < params.len; i++) {
        const tc_sym *p = params.data[i];
        tc_t t = tc_of_sym(x->cx->ts, p);
        if (p->sort == TC_INT && p->has_lo && p->lo < 0 && tc_site_shows(x, &x->hyps, tc_le(x->cx->ts, tc_int(x->cx->ts, 0), t)))
            return t;
    }
    return NULL;
}

// The size is tested before the launch, and 0 passes the test.
bool tc_site_lets_zero_pass(tc_site_cx *x, const tc_fact *f, tc_site_rule *r) {
    if (strncmp(f->text, "gridDim.", 8) != 0 || strstr(f->text, " >= 1") == NULL || tc_site_unknown(x, f->term) != NULL)
        return false;
    tc_t passed = NULL;
    for (unsigned d = 0; d < 3; d++)
        if (f->text[8] == axes[d])
            passed = tc_site_term(x, x->site->grid[d]);
    tc_t size = passed == NULL ? NULL : tested_size(x, passed);
    if (size == NULL)
        return false;
    tc_tvec h = {0};
    for (size_t i = 0; i < x->hyps.len; i++)
        tc_hyps_push(x->cx, &h, x->hyps.data[i]);
    push_ordinary(x, &h, passed);
    tc_hyps_push(x->cx, &h, tc_eq(x->cx->ts, passed, tc_int(x->cx->ts, 0)));
    tc_hyps_push(x->cx, &h, tc_eq(x->cx->ts, size, tc_int(x->cx->ts, 0)));
    r->values.len = 0;
    return tc_site_example(x, &h, &r->values);
}
