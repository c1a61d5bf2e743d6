// dump=contract: everything that a contract says, in a fixed order.
#include "checker/contract.h"

static const char *borrow_text(tc_borrow b) {
    switch (b) {
    case TC_BORROW_SHARED:
        return "shared";
    case TC_BORROW_MUT:
        return "mut";
    case TC_BORROW_OUT:
        return "out";
    case TC_BORROW_ATOMIC:
        return "atomic";
    case TC_BORROW_UNCHECKED:
        return "unchecked";
    case TC_BORROW_NONE:
        break;
    }
    return "no borrow";
}

static void put_list(tc_text *out, const tc_contract *c, const char *name, const tc_t *xs, unsigned n) {
    tc_putf(out, " %s(", name);
    for (unsigned i = 0; i < n; i++) {
        tc_put(out, i ? ", " : "");
        tc_term_put(out, c->terms, xs[i]);
    }
    tc_putc(out, ')');
}

static void put_owner(tc_text *out, const tc_contract *c, const tc_object_contract *o) {
    tc_put(out, " owner(");
    for (unsigned d = 0; d < o->ndims; d++)
        tc_putf(out, "%s%s", d ? ", " : "", o->owner_index[d]->name);
    tc_put(out, "; ");
    tc_term_put(out, c->terms, o->owner);
    tc_putc(out, ')');
}

static void put_region(tc_text *out, const tc_contract *c, const tc_object_contract *o) {
    if (o->region == TC_REGION_AT || o->region == TC_REGION_OWNER)
        put_list(out, c, "tile", o->tile, o->ndims);
    if (o->region == TC_REGION_AT)
        put_list(out, c, "at", o->at, o->ndims);
    if (o->region == TC_REGION_OWNER)
        put_owner(out, c, o);
    if (o->region == TC_REGION_ROWS)
        put_list(out, c, "rows", (tc_t[]){o->rows_lo, o->rows_hi}, 2);
}

static void put_object(tc_text *out, const tc_contract *c, const tc_object_contract *o) {
    tc_putf(out, "  %s '%s' of %s: %s", o->param < 0 ? "variable" : "pointer", o->path,
            o->elem && o->elem->name ? o->elem->name : "?", borrow_text(o->borrow));
    if (o->unchecked_why)
        tc_putf(out, " (%s)", o->unchecked_why);
    if (o->ndims)
        put_list(out, c, "shape", o->shape, o->ndims);
    if (o->explicit_stride)
        put_list(out, c, "stride", o->stride, o->ndims);
    put_region(out, c, o);
    if (o->has_init)
        put_list(out, c, "init", &o->init, 1);
    if (o->align)
        put_list(out, c, "align", &o->align, 1);
    if (o->has_range)
        put_list(out, c, "range", (tc_t[]){o->range_lo, o->range_hi}, 2);
    tc_put(out, o->injective ? " injective" : "");
    tc_put(out, o->monotone ? " monotone" : "");
    tc_put(out, o->optional ? " optional" : "");
    if (o->inplace)
        tc_putf(out, " inplace(%s)", o->inplace);
    tc_putc(out, '\n');
}

static void put_scalar(tc_text *out, const tc_contract *c, const tc_scalar *s) {
    tc_interval r = tc_range_of(c->terms, s->term);
    tc_putf(out, "  scalar '%s' of %s", s->path, s->type->name ? s->type->name : "?");
    if (tc_is_const(s->term)) {
        tc_put(out, " = ");
        tc_put128(out, s->term->value);
    } else if (r.has_lo && r.has_hi) {
        tc_put(out, " in [");
        tc_put128(out, r.lo);
        tc_put(out, ", ");
        tc_put128(out, r.hi);
        tc_putc(out, ']');
    }
    tc_putc(out, '\n');
}

static void put_pairs(tc_text *out, const tc_contract *c, const char *name, const uint32_t *pairs, size_t n) {
    for (size_t i = 0; i + 1 < n; i += 2)
        tc_putf(out, "  %s(%s, %s)\n", name, c->objects.data[pairs[i]].path, c->objects.data[pairs[i + 1]].path);
}

static void put_launch(tc_text *out, const tc_contract *c) {
    tc_put(out, "  launch");
    if (c->has_block)
        put_list(out, c, "block", c->block, 3);
    if (c->has_grid)
        put_list(out, c, "grid", c->grid, 3);
    if (c->has_smem)
        put_list(out, c, "smem", &c->smem, 1);
    if (c->has_cluster)
        put_list(out, c, "cluster", c->cluster, 3);
    tc_put(out, c->has_block || c->has_grid || c->has_smem || c->has_cluster ? "\n" : " undeclared\n");
}

const char *tc_contract_text(tc_arena *a, const tc_contract *c) {
    tc_text out = {.arena = a};
    tc_putf(&out, "contract of %s\n", c->kernel->name);
    put_launch(&out, c);
    for (size_t i = 0; i < c->scalars.len; i++)
        put_scalar(&out, c, &c->scalars.data[i]);
    for (size_t i = 0; i < c->functions.len; i++) {
        const tc_function_param *f = &c->functions.data[i];
        bool may_be_null = !tc_is_true(tc_ne(c->terms, f->which, tc_int(c->terms, 0)));
        tc_putf(&out, "  function '%s'%s\n", f->path, may_be_null ? " or null" : "");
    }
    for (size_t i = 0; i < c->objects.len; i++)
        put_object(&out, c, &c->objects.data[i]);
    put_pairs(&out, c, "distinct", c->distinct.data, c->distinct.len);
    put_pairs(&out, c, "may_alias", c->may_alias.data, c->may_alias.len);
    for (size_t i = 0; i < c->facts.len; i++) {
        tc_put(&out, "  fact ");
        tc_term_put(&out, c->terms, c->facts.data[i].term);
        tc_putf(&out, "    // %s\n", c->facts.data[i].text);
    }
    for (size_t i = 0; i < c->foralls.len; i++) {
        tc_put(&out, "  forall ");
        for (unsigned k = 0; k < c->foralls.data[i].nbound; k++)
            tc_putf(&out, "%s%s", k ? ", " : "", c->foralls.data[i].bound[k]->name);
        tc_put(&out, "; ");
        tc_term_put(&out, c->terms, c->foralls.data[i].term);
        tc_putf(&out, "    // %s\n", c->foralls.data[i].text);
    }
    return tc_text_str(&out);
}
