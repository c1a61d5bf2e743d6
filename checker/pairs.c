// Two instances of accesses, in two blocks or by two threads of one: do they touch a common byte?
#include "checker/rules.h"

static tc_t in_blocks(void *ctx, tc_t t, int which) {
    return tc_rename(((tc_cx *)ctx)->ts, t, TC_VAR_BLOCK, (uint32_t)which);
}

tc_view tc_view_blocks(tc_cx *cx) { return (tc_view){.at = in_blocks, .ctx = cx}; }

tc_t tc_seen(const tc_view *v, tc_t t, int which) { return v->at(v->ctx, t, which); }

tc_t tc_bytes_meet(tc_cx *cx, const tc_view *v, const tc_site *a, const tc_site *b) {
    tc_terms *ts = cx->ts;
    tc_t x = tc_seen(v, a->offset, 1), y = tc_seen(v, b->offset, 2);
    return tc_and(ts, tc_lt(ts, x, tc_add(ts, y, tc_seen(v, b->width, 2))), tc_lt(ts, y, tc_add(ts, x, tc_seen(v, a->width, 1))));
}

static tc_index seen_index(const tc_view *v, const tc_index *x, int which) {
    tc_index r = *x;
    for (unsigned g = 0; g < x->ngroups; g++)
        r.group[g] = tc_seen(v, x->group[g], which);
    return r;
}

// SOUND: with both accesses inside the shape and strides that are one-to-one on it (both are leaned on), they touch a
// common byte only if they touch a common element.
tc_t tc_elements_meet(tc_cx *cx, tc_obligation *ob, const tc_view *v, const tc_site *a, const tc_site *b) {
    if (!a->contract || a->contract != b->contract || !a->index.inside || !b->index.inside)
        return NULL;
    tc_index x = seen_index(v, &a->index, 1), y = seen_index(v, &b->index, 2);
    tc_t meet = tc_index_meet(cx, a->contract, &x, &y);
    if (!meet)
        return NULL;
    tc_depend(cx, ob, a->bounds);
    tc_depend(cx, ob, b->bounds);
    tc_depend(cx, ob, cx->stride_lemma[cx->model->objects.data[a->object].contract]);
    return meet;
}

bool tc_disjoint_bytes(tc_cx *cx, tc_obligation *ob, const tc_view *v, const tc_tvec *h, const tc_site *a, const tc_site *b) {
    if (!a->bytes || !b->bytes)
        return false;
    tc_proof p = tc_prove_disjoint(cx->solver, h->data, h->len, tc_seen(v, a->offset, 1), a->bytes, tc_seen(v, b->offset, 2), b->bytes);
    if (p.proved) {
        tc_verdict_proved(ob, p.rung, p.rlimit);
        tc_lean_on_no_wrap(cx, ob);
    }
    return p.proved;
}
