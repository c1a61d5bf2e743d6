// TC1005: faults of the contract itself. No element has two owners: tc_at is one-to-one on blocks with a non-empty
// tile, tc_owner names a block of the grid, tc_rows of two blocks are apart, strides are one-to-one on the shape.
//
// SOUND: that containment (TC1004) and these lemmas give disjoint blocks is pure logic when tile extents and tc_owner
// are the same for every block: an element lies in one tile of a regular tiling, and the tile has one owner.
#include "checker/rules.h"

static tc_obligation start(tc_cx *cx, uint32_t c, tc_rule rule, tc_loc loc, const char *claim) {
    tc_obligation ob = tc_obligation_start(rule, loc, claim);
    ob.contract = (int)c;
    for (uint32_t i = 0; i < cx->model->objects.len; i++)
        if (cx->model->objects.data[i].contract == (int)c)
            ob.object = i;
    return ob;
}

static tc_loc at_loc(const tc_object_contract *o) {
    return o->at_loc.line ? o->at_loc : o->tile_loc.line ? o->tile_loc : o->loc;
}

// ---- tc_at ----

// Some element of the shape lies in tile `at`.
static tc_t tile_has_element(tc_cx *cx, const tc_object_contract *o, const tc_t *at) {
    tc_terms *ts = cx->ts;
    tc_t all = tc_bool(ts, true);
    for (unsigned d = 0; d < o->ndims; d++) {
        all = tc_and(ts, all, tc_le(ts, tc_int(ts, 0), at[d]));
        all = tc_and(ts, all, tc_lt(ts, tc_mul(ts, at[d], o->tile[d]), o->shape[d]));
    }
    return all;
}

static bool varies(const tc_object_contract *o) {
    for (unsigned d = 0; d < o->ndims; d++)
        if (o->tile[d]->variance > TC_VAR_LAUNCH || o->shape[d]->variance > TC_VAR_LAUNCH)
            return true;
    return false;
}

static void push_at_facts(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o) {
    tc_terms *ts = cx->ts;
    tc_hyps_two_blocks(cx, &ob->hyps);
    tc_t one[TC_MAX_DIMS], two[TC_MAX_DIMS];
    for (unsigned d = 0; d < o->ndims; d++) {
        one[d] = tc_rename(ts, o->at[d], TC_VAR_BLOCK, 1);
        two[d] = tc_rename(ts, o->at[d], TC_VAR_BLOCK, 2);
        tc_hyps_push(cx, &ob->hyps, tc_eq(ts, one[d], two[d]));
        tc_hyps_push(cx, &ob->hyps, tc_le(ts, tc_int(ts, 1), o->tile[d]));
    }
    tc_hyps_push(cx, &ob->hyps, tile_has_element(cx, o, one));
    tc_hyps_push(cx, &ob->hyps, tile_has_element(cx, o, two));
}

static bool is_same(void *ctx, tc_t t) {
    return t == ctx;
}

static bool at_mentions(tc_cx *cx, const tc_object_contract *o, tc_t sym) {
    for (unsigned d = 0; d < o->ndims; d++)
        if (tc_any(cx->ts, o->at[d], is_same, (void *)(uintptr_t)sym))
            return true;
    return false;
}

// A dimension of the grid that the kernel reads and tc_at lacks, unless its extent is 1; -1 when there is none.
static int lacking_axis(tc_cx *cx, uint32_t c) {
    const tc_object_contract *o = &cx->contract->objects.data[c];
    for (int d = 0; d < 3; d++) {
        const tc_launch_syms *s = &cx->contract->syms;
        tc_t one = tc_eq(cx->ts, tc_settle(cx, s->grid_dim[d]), tc_int(cx->ts, 1));
        if (cx->model->reads_block_idx[d] && !at_mentions(cx, o, s->block_idx[d]) &&
            !tc_try(cx, &cx->facts, one).proved)
            return d;
    }
    return -1;
}

static void lacks_axis(tc_cx *cx, uint32_t c, int axis) {
    const tc_object_contract *o = &cx->objects[c];
    tc_obligation ob = start(cx, c, TC_RULE_TC9001, at_loc(o), NULL);
    tc_verdict_unknown(&ob, tc_fmt(cx->arena,
                                   "the tile of '%s' does not depend on blockIdx.%c, which the kernel reads: "
                                   "say with tc_at which tile is a block's, or with tc_requires(gridDim.%c == 1) that there is one",
                                   o->path, "xyz"[axis], "xyz"[axis]));
    tc_finding f = {.code = "TC9001",
                    .severity = TC_SEV_ERROR,
                    .loc = ob.loc,
                    .text = ob.reason,
                    .kernel = cx->contract->kernel->name};
    tc_push(cx->arena, cx->findings, f);
    cx->region_lemma[c] = tc_oblige(cx, &ob);
}

static void check_at(tc_cx *cx, uint32_t c) {
    const tc_object_contract *o = &cx->objects[c];
    int axis = lacking_axis(cx, c);
    if (axis >= 0) {
        lacks_axis(cx, c, axis);
        return;
    }
    tc_obligation ob =
        start(cx, c, TC_RULE_TC1005, at_loc(o), tc_fmt(cx->arena, "no two blocks have one tile of '%s'", o->path));
    if (varies(o)) {
        tc_verdict_unknown(&ob, tc_fmt(cx->arena, "the tile extents of '%s' differ from block to block", o->path));
        cx->region_lemma[c] = tc_oblige(cx, &ob);
        return;
    }
    push_at_facts(cx, &ob, o);
    ob.goal = tc_bool(cx->ts, false);
    if (!tc_decide(cx, &ob))
        tc_decide_if(cx, &ob, cx->ones.data, cx->ones.len);
    cx->region_lemma[c] = tc_oblige(cx, &ob);
}

// ---- tc_owner ----

static tc_t linear_blocks(tc_cx *cx) {
    const tc_launch_syms *s = &cx->contract->syms;
    tc_t n = tc_int(cx->ts, 1);
    for (int d = 0; d < 3; d++)
        n = tc_mul(cx->ts, n, tc_settle(cx, s->grid_dim[d]));
    return n;
}

static bool differs_by_block(void *ctx, tc_t t) {
    (void)ctx;
    return (t->op == TC_T_SYM && t->sym->kind != TC_SYM_BOUND && t->sym->variance > TC_VAR_LAUNCH) ||
           (t->op == TC_T_APP && t->fn->variance > TC_VAR_LAUNCH);
}

static bool owner_varies(tc_cx *cx, const tc_object_contract *o) {
    return tc_any(cx->ts, o->owner, differs_by_block, NULL);
}

static void check_owner(tc_cx *cx, uint32_t c) {
    tc_terms *ts = cx->ts;
    const tc_object_contract *o = &cx->objects[c];
    tc_obligation ob = start(cx, c, TC_RULE_TC1005, at_loc(o),
                             tc_fmt(cx->arena, "tc_owner names a block of the grid for every tile of '%s'", o->path));
    if (varies(o) || owner_varies(cx, o)) {
        tc_verdict_unknown(&ob,
                           tc_fmt(cx->arena, "the tiles of '%s' or their owners differ from block to block", o->path));
        cx->region_lemma[c] = tc_oblige(cx, &ob);
        return;
    }
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &ob.hyps, cx->facts.data[i]);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t i = tc_of_sym(ts, o->owner_index[d]);
        tc_hyps_push(cx, &ob.hyps, tc_le(ts, tc_int(ts, 1), o->tile[d]));
        tc_hyps_push(cx, &ob.hyps, tc_le(ts, tc_int(ts, 0), i));
        tc_hyps_push(cx, &ob.hyps, tc_lt(ts, tc_mul(ts, i, o->tile[d]), o->shape[d]));
    }
    ob.goal = tc_and(ts, tc_le(ts, tc_int(ts, 0), o->owner), tc_lt(ts, o->owner, linear_blocks(cx)));
    tc_decide(cx, &ob);
    cx->region_lemma[c] = tc_oblige(cx, &ob);
}

// ---- tc_rows ----

static void check_rows(tc_cx *cx, uint32_t c) {
    tc_terms *ts = cx->ts;
    const tc_object_contract *o = &cx->objects[c];
    tc_obligation ob =
        start(cx, c, TC_RULE_TC1005, at_loc(o), tc_fmt(cx->arena, "the rows of '%s' of two blocks are apart", o->path));
    tc_hyps_two_blocks(cx, &ob.hyps);
    tc_t row = tc_of_sym(ts, tc_sym_new(ts, "row", TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT));
    tc_hyps_push(cx, &ob.hyps, tc_le(ts, tc_int(ts, 0), row));
    tc_hyps_push(cx, &ob.hyps, tc_lt(ts, row, o->shape[0]));
    for (uint32_t copy = 1; copy <= 2; copy++) {
        tc_hyps_push(cx, &ob.hyps, tc_le(ts, tc_rename(ts, o->rows_lo, TC_VAR_BLOCK, copy), row));
        tc_hyps_push(cx, &ob.hyps, tc_lt(ts, row, tc_rename(ts, o->rows_hi, TC_VAR_BLOCK, copy)));
    }
    ob.goal = tc_bool(ts, false);
    if (!tc_decide(cx, &ob))
        tc_decide_if(cx, &ob, cx->ones.data, cx->ones.len);
    cx->region_lemma[c] = tc_oblige(cx, &ob);
}

// ---- strides ----

// With the dimensions in this order, outermost in memory first: each stride is longer than all that lies inside of it.
static tc_t order_is_one_to_one(tc_cx *cx, const tc_object_contract *o, const unsigned *order) {
    tc_terms *ts = cx->ts;
    tc_t all = tc_bool(ts, true), span = tc_int(ts, 0); // the largest offset of the inner dimensions
    for (unsigned k = o->ndims; k-- > 0;) {
        unsigned d = order[k];
        tc_t single = tc_le(ts, o->shape[d], tc_int(ts, 1));
        all = tc_and(ts, all, tc_or(ts, single, tc_lt(ts, span, o->stride[d])));
        span = tc_add(ts, span, tc_mul(ts, o->stride[d], tc_addc(ts, o->shape[d], -1)));
    }
    return all;
}

static bool next_permutation(unsigned *p, unsigned n) {
    unsigned i = n - 1;
    while (i > 0 && p[i - 1] >= p[i])
        i--;
    if (i == 0)
        return false;
    unsigned j = n - 1;
    while (p[j] <= p[i - 1])
        j--;
    unsigned t = p[i - 1];
    p[i - 1] = p[j];
    p[j] = t;
    for (j = n - 1; i < j; i++, j--) {
        t = p[i];
        p[i] = p[j];
        p[j] = t;
    }
    return true;
}

static void push_nonempty(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o) {
    for (size_t i = 0; i < cx->facts.len; i++)
        tc_hyps_push(cx, &ob->hyps, cx->facts.data[i]);
    for (unsigned d = 0; d < o->ndims; d++)
        tc_hyps_push(cx, &ob->hyps, tc_le(cx->ts, tc_int(cx->ts, 1), o->shape[d]));
}

// What a counterexample is: two different multi-indices at one address.
static void push_clash(tc_cx *cx, tc_obligation *ob, const tc_object_contract *o) {
    tc_terms *ts = cx->ts;
    tc_t differ = tc_bool(ts, false), gap = tc_int(ts, 0);
    for (unsigned d = 0; d < o->ndims; d++) {
        tc_t i[2];
        for (int k = 0; k < 2; k++) {
            i[k] = tc_of_sym(
                ts, tc_sym_new(ts, tc_fmt(cx->arena, "%c%u", k ? 'j' : 'i', d), TC_SYM_BOUND, TC_VAR_LAUNCH, TC_INT));
            tc_hyps_push(cx, &ob->hyps, tc_le(ts, tc_int(ts, 0), i[k]));
            tc_hyps_push(cx, &ob->hyps, tc_lt(ts, i[k], o->shape[d]));
        }
        differ = tc_or(ts, differ, tc_ne(ts, i[0], i[1]));
        gap = tc_add(ts, gap, tc_mul(ts, tc_sub(ts, i[0], i[1]), o->stride[d]));
    }
    tc_hyps_push(cx, &ob->hyps, differ);
    tc_hyps_push(cx, &ob->hyps, tc_eq(ts, gap, tc_int(ts, 0)));
}

static void check_strides(tc_cx *cx, uint32_t c) {
    const tc_object_contract *o = &cx->objects[c];
    tc_obligation ob = start(cx, c, TC_RULE_TC1005, o->stride_loc.line ? o->stride_loc : o->loc,
                             tc_fmt(cx->arena, "the strides of '%s' give each element an address of its own", o->path));
    push_nonempty(cx, &ob, o);
    unsigned order[TC_MAX_DIMS];
    for (unsigned d = 0; d < o->ndims; d++)
        order[d] = d;
    tc_tvec plain = ob.hyps;
    int tried = 0;
    do {
        ob.hyps = plain;
        ob.goal = order_is_one_to_one(cx, o, order);
        if (tc_decide(cx, &ob))
            break;
    } while (next_permutation(order, o->ndims) && ++tried < 24);
    if (ob.verdict == TC_UNKNOWN) {
        ob.hyps = plain;
        push_clash(cx, &ob, o);
        ob.goal = tc_bool(cx->ts, false);
        tc_verdict_unknown(&ob, tc_fmt(cx->arena,
                                       "not shown that the strides of '%s' are one-to-one on its shape: a "
                                       "tc_requires such as ld >= N is missing",
                                       o->path));
    }
    cx->stride_lemma[c] = tc_oblige(cx, &ob);
}

// ---- all of them ----

static bool is_exclusive(const tc_cx *cx, uint32_t c) {
    for (size_t i = 0; i < cx->model->objects.len; i++)
        if (cx->model->objects.data[i].contract == (int)c)
            return cx->borrow[i] == TC_BORROW_MUT || cx->borrow[i] == TC_BORROW_OUT;
    tc_borrow b = cx->objects[c].borrow;
    return b == TC_BORROW_MUT || b == TC_BORROW_OUT;
}

// The condition to show: the first one in the source of those that the contradiction needs.
static tc_loc contradiction_loc(tc_cx *cx, const tc_proof *p) {
    tc_loc loc = {0};
    for (size_t i = 0; i < cx->contract->facts.len; i++) {
        const tc_fact *f = &cx->contract->facts.data[i];
        tc_t t = tc_settle(cx, f->term);
        bool used = tc_is_false(t);
        for (size_t k = 0; k < p->used.len; k++)
            used |= p->used.data[k] == t;
        if (used && f->loc.line && (loc.line == 0 || f->loc.line < loc.line))
            loc = f->loc;
    }
    return loc.line ? loc : cx->contract->kernel->loc;
}

static bool no_launch(tc_cx *cx) {
    tc_proof p = tc_try(cx, &cx->facts, tc_bool(cx->ts, false));
    if (!p.proved)
        return false;
    tc_obligation ob = tc_obligation_start(TC_RULE_TC9001, contradiction_loc(cx, &p), NULL);
    tc_verdict_unknown(&ob, "no launch satisfies this contract: its conditions contradict each other");
    tc_finding f = {.code = "TC9001",
                    .severity = TC_SEV_ERROR,
                    .loc = ob.loc,
                    .text = ob.reason,
                    .kernel = cx->contract->kernel->name};
    tc_push(cx->arena, cx->findings, f);
    tc_oblige(cx, &ob);
    return true;
}

// ---- functions in expressions ----

void tc_hyps_tiles(tc_cx *cx, tc_tvec *h) {
    tc_terms *ts = cx->ts;
    for (size_t c = 0; c < cx->contract->objects.len; c++) {
        const tc_object_contract *o = &cx->objects[c];
        for (unsigned d = 0; d < o->ndims && o->region == TC_REGION_OWNER; d++) {
            tc_t i = tc_of_sym(ts, o->owner_index[d]);
            tc_hyps_push(cx, h, tc_le(ts, tc_int(ts, 1), o->tile[d]));
            tc_hyps_push(cx, h, tc_le(ts, tc_int(ts, 0), i));
            tc_hyps_push(cx, h, tc_lt(ts, tc_mul(ts, i, o->tile[d]), o->shape[d]));
        }
    }
}

// SOUND: the contract means the mathematical value in any case; that C computes it is what a reader expects.
static void check_needs(tc_cx *cx) {
    for (size_t i = 0; i < cx->contract->needs.len; i++) {
        const tc_need *n = &cx->contract->needs.data[i];
        tc_obligation ob = tc_obligation_start(
            TC_RULE_TC9002, n->loc, tc_fmt(cx->arena, "the functions in '%s' neither overflow nor divide by zero", n->text));
        for (size_t k = 0; k < cx->facts.len; k++)
            tc_hyps_push(cx, &ob.hyps, cx->facts.data[k]);
        tc_hyps_tiles(cx, &ob.hyps);
        ob.goal = tc_settle(cx, n->cond);
        tc_decide(cx, &ob);
        tc_oblige(cx, &ob);
    }
}

void tc_rule_contract(tc_cx *cx) {
    size_t n = cx->contract->objects.len;
    cx->region_lemma = TC_NEW_ARRAY(cx->arena, uint32_t, n + 1);
    cx->stride_lemma = TC_NEW_ARRAY(cx->arena, uint32_t, n + 1);
    if (!no_launch(cx))
        tc_rule_contents(cx);
    check_needs(cx);
    for (uint32_t c = 0; c < n; c++) {
        const tc_object_contract *o = &cx->objects[c];
        cx->region_lemma[c] = cx->stride_lemma[c] = TC_NONE;
        if (o->explicit_stride && o->borrow != TC_BORROW_UNCHECKED)
            check_strides(cx, c);
        if (!is_exclusive(cx, c))
            continue;
        switch (o->region) {
        case TC_REGION_AT:
            check_at(cx, c);
            break;
        case TC_REGION_OWNER:
            check_owner(cx, c);
            break;
        case TC_REGION_ROWS:
            check_rows(cx, c);
            break;
        case TC_REGION_NONE:
            break;
        }
    }
}
