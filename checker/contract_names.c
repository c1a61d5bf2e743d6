// What names mean, in this order: bound names, a field's siblings, parameters and their fields, template arguments, the
// launch, the names of the file.
#include <string.h>

#include "checker/contract_build.h"

static tc_terms *terms(const tc_scope *s) {
    return s->b->c->terms;
}

static tc_value value_of(const tc_scope *s, tc_t t) {
    tc_meaning kind = t->sort == TC_BOOL ? TC_MEANS_BOOL : TC_MEANS_INT;
    return (tc_value){.kind = kind, .term = t, .defined = tc_bool(terms(s), true)};
}

static bool is_integer(tc_value v) {
    return v.kind == TC_MEANS_INT;
}

// ---- chains: a name followed by fields and indices ----

typedef struct chain {
    const tc_expr *root;   // NAME
    const tc_expr **steps; // FIELD and INDEX nodes, innermost first
    size_t n;
} chain;

static bool chain_of(const tc_scope *s, const tc_expr *e, chain *c) {
    *c = (chain){.n = 0};
    const tc_expr *in = e;
    for (; in->op == TC_X_FIELD || in->op == TC_X_INDEX; in = in->args[0])
        c->n++;
    if (in->op != TC_X_NAME) {
        tc_resolve_fail(s, in, NULL, "only a parameter has fields and elements");
        return false;
    }
    c->root = in;
    c->steps = TC_NEW_ARRAY(s->b->arena, const tc_expr *, c->n);
    in = e;
    for (size_t i = c->n; i-- > 0; in = in->args[0])
        c->steps[i] = in;
    return true;
}

const char *tc_expr_path(tc_arena *a, const tc_expr *e, const char **wildcard) {
    if (e->op == TC_X_NAME)
        return e->text;
    if (e->op != TC_X_FIELD && e->op != TC_X_INDEX)
        return NULL;
    const char *base = tc_expr_path(a, e->args[0], wildcard);
    if (!base || (wildcard && *wildcard)) // what comes after a wildcard has no single path
        return NULL;
    if (e->op == TC_X_FIELD)
        return tc_fmt(a, "%s.%s", base, e->text);
    const tc_expr *index = e->args[1];
    if (index->op == TC_X_NUM)
        return tc_fmt(a, "%s[%s]", base, tc_i128_text(a, index->num));
    if (!wildcard || index->op != TC_X_NAME)
        return NULL;
    *wildcard = index->text;
    return base;
}

// ---- elements of index arrays ----

static tc_value load(const tc_scope *s, const tc_expr *e, uint32_t object, const chain *c, size_t from) {
    tc_build *b = s->b;
    tc_terms *ts = terms(s);
    const tc_object_contract *o = &b->c->objects.data[object];
    if (o->borrow != TC_BORROW_SHARED)
        return tc_resolve_fail(
            s, e, NULL,
            "the elements of '%s' may change during the launch: a contract can speak of those of tc_shared arrays",
            o->path);
    if (!o->elem || !tc_type_is_integer(o->elem))
        return tc_resolve_fail(s, e, NULL, "the elements of '%s' are not integers", o->path);
    if (!tc_object_shape(b, object))
        return tc_resolve_fail(s, e, NULL, "'%s' needs a tc_shape of its own before its elements can be spoken of",
                               o->path);
    if (c->n - from != o->ndims)
        return tc_resolve_fail(s, e, NULL, "'%s' has %u dimensions, not %zu", o->path, o->ndims, c->n - from);
    tc_t index[TC_MAX_DIMS], defined = tc_bool(ts, true);
    for (unsigned d = 0; d < o->ndims; d++) {
        const tc_expr *step = c->steps[from + d];
        if (step->op != TC_X_INDEX)
            return tc_resolve_fail(s, step, NULL, "the elements of '%s' have no fields", o->path);
        tc_value i = tc_resolve_int(s, step->args[1]);
        if (!is_integer(i))
            return tc_value_nothing();
        index[d] = i.term;
        tc_t exists = tc_and(ts, tc_le(ts, tc_int(ts, 0), i.term), tc_lt(ts, i.term, o->shape[d]));
        defined = tc_and(ts, defined, tc_and(ts, i.defined, exists));
    }
    tc_t flat = tc_contract_flat(b->c, o, index);
    tc_value v = value_of(s, tc_app(ts, tc_contract_contents(b->c, object), &flat));
    v.defined = defined;
    return v;
}

// ---- parameters and their parts ----

static tc_value walk(const tc_scope *s, const tc_expr *e, const char *path, const chain *c, size_t from);

// An element that the launch chooses: one alternative for each.
static tc_value walk_choice(const tc_scope *s, const tc_expr *e, const char *path, const tc_type *array, const chain *c,
                            size_t from, tc_value index) {
    enum { MOST = 64 };
    tc_terms *ts = terms(s);
    if (array->count > MOST)
        return tc_resolve_fail(s, c->steps[from], NULL,
                               "'%s' has more than %d elements: its index has to be a constant", path, MOST);
    tc_value r = value_of(s, tc_int(ts, 0));
    r.defined = tc_bool(ts, false);
    for (uint64_t k = array->count; k-- > 0;) {
        tc_value v = walk(s, e, tc_fmt(s->b->arena, "%s[%llu]", path, (unsigned long long)k), c, from + 1);
        if (v.kind == TC_MEANS_POINTER)
            return tc_resolve_fail(s, c->steps[from], NULL, "the index of '%s' has to be a constant", path);
        if (!is_integer(v))
            return tc_value_nothing();
        tc_t here = tc_eq(ts, index.term, tc_int(ts, (tc_i128)k));
        r.term = k + 1 == array->count ? v.term : tc_ite(ts, here, v.term, r.term);
        r.defined = tc_or(ts, r.defined, tc_and(ts, here, v.defined));
    }
    r.defined = tc_and(ts, r.defined, index.defined);
    return r;
}

static tc_value walk_index(const tc_scope *s, const tc_expr *e, const char *path, const tc_place *p, const chain *c,
                           size_t from) {
    const tc_expr *step = c->steps[from];
    tc_value i = tc_resolve_int(s, step->args[1]);
    if (!is_integer(i))
        return tc_value_nothing();
    if (!tc_is_const(i.term))
        return walk_choice(s, e, path, p->type, c, from, i);
    const char *index = tc_i128_text(s->b->arena, i.term->value), *element = tc_fmt(s->b->arena, "%s[%s]", path, index);
    if (!tc_place_find(s->b, element))
        return tc_resolve_fail(s, step->args[1], NULL, "'%s' has %llu elements", path,
                               (unsigned long long)p->type->count);
    return walk(s, e, element, c, from + 1);
}

static tc_value walk_field(const tc_scope *s, const tc_expr *e, const char *path, const tc_place *p, const chain *c,
                           size_t from) {
    const tc_expr *step = c->steps[from];
    const char *field = tc_fmt(s->b->arena, "%s.%s", path, step->text);
    if (step->num)
        return tc_resolve_fail(s, step, NULL, "'%s' is not a pointer: write %s", path, field);
    if (!tc_place_find(s->b, field)) {
        const char **names = TC_NEW_ARRAY(s->b->arena, const char *, p->type->nfields);
        for (size_t i = 0; i < p->type->nfields; i++)
            names[i] = p->type->fields[i].name;
        return tc_resolve_fail(s, step, tc_nearest_hint(s->b->arena, step->text, names, p->type->nfields),
                               "'%s' has no field '%s'", path, step->text);
    }
    return walk(s, e, field, c, from + 1);
}

static tc_value not_a_number(const tc_scope *s, const tc_expr *e, const char *path, const tc_place *p) {
    const char *hint = p->kind == TC_PLACE_STRUCT ? "name one of its fields" : NULL;
    return tc_resolve_fail(s, e, hint, "'%s' is %s%s: a contract speaks of integers", path,
                           p->kind == TC_PLACE_ARRAY ? "an array, " : "",
                           p->type->name ? p->type->name : "of another type");
}

// The meaning of path with the steps from `from` on.
static tc_value walk(const tc_scope *s, const tc_expr *e, const char *path, const chain *c, size_t from) {
    const tc_place *p = tc_place_find(s->b, path);
    if (!p)
        return tc_resolve_fail(s, e, NULL, "'%s' is beyond the number of parts of parameters that a contract covers",
                               path);
    const tc_expr *step = from < c->n ? c->steps[from] : NULL;
    if (p->kind == TC_PLACE_OBJECT && step && step->op == TC_X_FIELD)
        return tc_resolve_fail(s, step, "pass it as a parameter of its own",
                               "'%s' is a pointer: what it points to is not known at the launch", path);
    if (p->kind == TC_PLACE_OBJECT && step)
        return load(s, e, p->index, c, from);
    if (p->kind == TC_PLACE_OBJECT)
        return (tc_value){.kind = TC_MEANS_POINTER, .object = p->index, .defined = tc_bool(terms(s), true)};
    if (p->kind == TC_PLACE_SCALAR && !step)
        return value_of(s, s->b->c->scalars.data[p->index].term);
    if (p->kind == TC_PLACE_STRUCT && step && step->op == TC_X_FIELD)
        return walk_field(s, e, path, p, c, from);
    if (p->kind == TC_PLACE_ARRAY && step && step->op == TC_X_INDEX)
        return walk_index(s, e, path, p, c, from);
    if (!step)
        return not_a_number(s, e, path, p);
    return tc_resolve_fail(s, step, NULL, "'%s' has no %s", path, step->op == TC_X_FIELD ? "fields" : "elements");
}

// ---- the launch ----

static const struct {
    const char *name;
    unsigned sees;
} launch_names[] = {
    {"blockIdx", TC_SEES_BLOCK_IDX}, {"blockDim", TC_SEES_BLOCK_DIM}, {"gridDim", TC_SEES_GRID_DIM}, {"threadIdx", 0}};

static int launch_name(const char *name) {
    for (int i = 0; i < 4; i++)
        if (strcmp(launch_names[i].name, name) == 0)
            return i;
    return -1;
}

static tc_value resolve_launch(const tc_scope *s, const tc_expr *e, const chain *c, int which) {
    const char *name = launch_names[which].name;
    const tc_launch_syms *syms = &s->b->c->syms;
    if (which == 3)
        return tc_resolve_fail(s, e, NULL,
                               "'threadIdx' is not known to a contract: it speaks of blocks, not of threads");
    if (!(s->sees & launch_names[which].sees))
        return tc_resolve_fail(s, e, NULL, "'%s' cannot be used here: %s", name,
                               which == 0 ? "this is one value for all blocks" : "this is what decides it");
    const char *field = c->n == 1 && c->steps[0]->op == TC_X_FIELD ? c->steps[0]->text : "";
    const char *axis = strlen(field) == 1 ? strchr("xyz", *field) : NULL;
    if (!axis)
        return tc_resolve_fail(s, e, NULL, "write %s.x, %s.y or %s.z", name, name, name);
    size_t d = (size_t)(*axis - 'x');
    return value_of(s, which == 0 ? syms->block_idx[d] : which == 1 ? syms->block_dim[d] : syms->grid_dim[d]);
}

// ---- names ----

// The path that a root name stands for: a sibling of a field, from the inside out, or a parameter.
static const char *find_root(const tc_scope *s, const char *name) {
    const char *prefix = s->said->prefix;
    size_t n = strlen(prefix);
    while (n) {
        const char *path = tc_fmt(s->b->arena, "%.*s%s", (int)n, prefix, name);
        if (tc_place_find(s->b, path))
            return path;
        for (n--; n && prefix[n - 1] != '.'; n--)
            ;
    }
    return tc_place_find(s->b, name) ? name : NULL;
}

static const tc_targ *find_targ(const tc_build *b, const char *name) {
    for (size_t i = 0; i < b->kernel->ntargs; i++)
        if (strcmp(b->kernel->targs[i].name, name) == 0)
            return &b->kernel->targs[i];
    return NULL;
}

static tc_value unknown_name(const tc_scope *s, const tc_expr *e, const char *name) {
    tc_build *b = s->b;
    TC_VEC(const char *) names = {0};
    for (size_t i = 0; i < s->nbound; i++)
        tc_push(b->arena, &names, s->bound[i]->name);
    for (size_t i = 0; i < b->places.len; i++)
        tc_push(b->arena, &names, b->places.keys[i]);
    for (size_t i = 0; i < b->kernel->ntargs; i++)
        tc_push(b->arena, &names, b->kernel->targs[i].name);
    for (size_t i = 0; i < 3; i++)
        tc_push(b->arena, &names, launch_names[i].name);
    return tc_resolve_fail(s, e, tc_nearest_hint(b->arena, name, names.data, names.len),
                           "nothing that a contract can speak of is called '%s' here", name);
}

static tc_value resolve_in_file(const tc_scope *s, const tc_expr *e, const char *name) {
    const tc_unit *u = s->b->unit;
    tc_name found = {0};
    if (strcmp(name, "warpSize") == 0)
        return value_of(s, tc_int(terms(s), 32));
    if (!u->resolve || !u->resolve(u->ctx, s->b->kernel, name, &found))
        return unknown_name(s, e, name);
    switch (found.kind) {
    case TC_NAME_VALUE:
        return value_of(s, tc_int(terms(s), found.value));
    case TC_NAME_TYPE:
        return tc_resolve_fail(s, e, "a cast of a negative number is written (type)(-x)", "'%s' is a type, not a value",
                               name);
    case TC_NAME_FUNCTION:
        return tc_resolve_fail(s, e, NULL, "'%s' is a function: call it", name);
    default:
        return unknown_name(s, e, name);
    }
}

static const tc_sym *find_bound(const tc_scope *s, const char *name) {
    for (size_t i = s->nbound; i-- > 0;)
        if (strcmp(s->bound[i]->name, name) == 0)
            return s->bound[i];
    return NULL;
}

// A name that no part of a parameter has.
static tc_value resolve_plain(const tc_scope *s, const tc_expr *e, const char *name) {
    const tc_targ *t = find_targ(s->b, name);
    if (t && t->is_type)
        return tc_resolve_fail(s, e, "a cast of a negative number is written (type)(-x)", "'%s' is a type, not a value",
                               name);
    return t ? value_of(s, tc_int(terms(s), t->value)) : resolve_in_file(s, e, name);
}

tc_value tc_resolve_name(const tc_scope *s, const tc_expr *e) {
    chain c;
    if (!chain_of(s, e, &c))
        return tc_value_nothing();
    const char *name = c.root->text, *path;
    tc_value v;
    const tc_sym *bound = find_bound(s, name);
    int launch;
    if (bound)
        v = value_of(s, tc_of_sym(terms(s), bound));
    else if (s->said->index_name && strcmp(s->said->index_name, name) == 0)
        v = value_of(s, tc_int(terms(s), s->said->index));
    else if ((path = find_root(s, name)) != NULL)
        return walk(s, e, path, &c, 0);
    else if (!find_targ(s->b, name) && (launch = launch_name(name)) >= 0)
        return resolve_launch(s, e, &c, launch);
    else
        v = resolve_plain(s, c.root, name);
    if (c.n && v.kind != TC_MEANS_NOTHING)
        return tc_resolve_fail(s, c.steps[0], NULL, "'%s' is a number: it has no fields and no elements", name);
    return v;
}

const tc_place *tc_resolve_object(tc_build *b, const tc_said *said, const tc_expr *e) {
    tc_scope s = {.b = b, .said = said};
    const char *path = tc_expr_path(b->arena, e, NULL);
    size_t root = path ? strcspn(path, ".[") : 0;
    if (path) {
        const char *found = find_root(&s, tc_strndup(b->arena, path, root));
        if (found)
            path = tc_fmt(b->arena, "%s%s", found, path + root);
    }
    const tc_place *p = path ? tc_place_find(b, path) : NULL;
    if (p && p->kind == TC_PLACE_OBJECT)
        return p;
    const char *hint = path && !p ? tc_nearest_hint(b->arena, path, b->places.keys, b->places.len) : NULL;
    tc_contract_fail_at(b, said, e->pos, e->end, hint,
                        p ? "tc_%s: '%s' is not a pointer" : "tc_%s: the kernel has no pointer '%s'", said->name,
                        path ? path : tc_said_slice(b->arena, said, e));
    return NULL;
}

// ---- calls and casts ----

static tc_value cast_to(const tc_scope *s, const tc_expr *e, const tc_type *t, const char *name, const tc_expr *arg) {
    if (t->kind == TC_TY_BOOL)
        return tc_resolve_cond(s, arg);
    if (t->kind == TC_TY_POINTER && arg->op == TC_X_NUM && arg->num == 0)
        return tc_resolve_int(s, arg);
    if (!tc_type_is_integer(t))
        return tc_resolve_fail(s, e, NULL, "a cast to '%s': a contract has integers only", name);
    tc_value v = tc_resolve_int(s, arg);
    if (!is_integer(v))
        return v;
    tc_i128 lo, hi;
    tc_type_range(t, &lo, &hi);
    tc_interval r = tc_range_of(terms(s), v.term);
    if (!r.has_lo || !r.has_hi || r.lo < lo || r.hi > hi)
        v.term = tc_wrap(terms(s), v.term, (unsigned)t->size * 8, t->is_signed);
    return v;
}

tc_value tc_resolve_cast(const tc_scope *s, const tc_expr *e) {
    const tc_type *t = tc_type_named(s, e->text);
    if (!t)
        return tc_resolve_fail(s, e, NULL, "'%s' is not a type", e->text);
    return cast_to(s, e, t, e->text, e->args[0]);
}

// sizeof(T), sizeof(parameter), alignof(T)
static tc_value size_of(const tc_scope *s, const tc_expr *e) {
    const char *name = e->args[0]->text, *path = find_root(s, name);
    const tc_place *p = path ? tc_place_find(s->b, path) : NULL;
    const tc_type *t = p ? p->type : tc_type_named(s, name);
    bool align = strcmp(e->text, "alignof") == 0;
    if (!t)
        return tc_resolve_fail(s, e->args[0], NULL, "'%s' is not a type", name);
    uint64_t n = align ? t->align : t->size;
    if (n == 0)
        return tc_resolve_fail(s, e->args[0], NULL, "the size of '%s' is not known", name);
    return value_of(s, tc_int(terms(s), (tc_i128)n));
}

static const char *without_std(const char *name) {
    return strncmp(name, "std::", 5) == 0 ? name + 5 : strncmp(name, "::", 2) == 0 ? name + 2 : name;
}

// min, max, tc_cdiv: integers to an integer.
static tc_value call_builtin(const tc_scope *s, const tc_expr *e, const char *name) {
    if (e->nargs != 2)
        return tc_resolve_fail(s, e, NULL, "%s wants 2 arguments, not %zu", name, e->nargs);
    tc_terms *ts = terms(s);
    tc_value a = tc_resolve_int(s, e->args[0]), b = tc_resolve_int(s, e->args[1]);
    if (!is_integer(a) || !is_integer(b))
        return tc_value_nothing();
    if (strcmp(name, "tc_cdiv") == 0)
        return tc_value_cdiv(s, e, a, b);
    tc_value v = value_of(s, strcmp(name, "min") == 0 ? tc_min(ts, a.term, b.term) : tc_max(ts, a.term, b.term));
    v.defined = tc_and(ts, a.defined, b.defined);
    return v;
}

static tc_value call_function(const tc_scope *s, const tc_expr *e, const tc_name *f) {
    const char *mangled = f->mangled;
    tc_build *b = s->b;
    tc_terms *ts = terms(s);
    tc_t *args = TC_NEW_ARRAY(b->arena, tc_t, e->nargs), defined = tc_bool(ts, true);
    for (size_t i = 0; i < e->nargs; i++) {
        tc_value a = tc_resolve_int(s, e->args[i]);
        if (!is_integer(a))
            return tc_value_nothing();
        args[i] = a.term;
        defined = tc_and(ts, defined, a.defined);
    }
    // The first pass has a term manager of its own, of which the lift knows nothing.
    if (b->first)
        return tc_value_nothing();
    const char *why = NULL;
    tc_t exact = defined;
    bool is_signed = f->type && f->type->is_signed;
    tc_t t = b->c->call ? b->c->call(b->c->call_ctx, b->c, mangled, args, e->nargs, is_signed, &exact, &why) : NULL;
    if (!t)
        return tc_resolve_fail(s, e, NULL, "'%s' cannot be used in a contract: %s", e->text,
                               why ? why : "it is not lifted");
    b->calls++;
    tc_value v = value_of(s, t);
    v.defined = tc_and(ts, defined, exact);
    return v;
}

tc_value tc_resolve_call(const tc_scope *s, const tc_expr *e) {
    const char *name = e->text, *plain = without_std(name);
    if (strcmp(name, "sizeof") == 0 || strcmp(name, "alignof") == 0)
        return size_of(s, e);
    if (strcmp(plain, "min") == 0 || strcmp(plain, "max") == 0 || strcmp(plain, "tc_cdiv") == 0)
        return call_builtin(s, e, plain);
    const tc_unit *u = s->b->unit;
    tc_name found = {0};
    if (u->resolve && u->resolve(u->ctx, s->b->kernel, name, &found) && found.kind == TC_NAME_FUNCTION)
        return call_function(s, e, &found);
    const tc_type *t = tc_type_named(s, name);
    if (t && e->nargs == 1)
        return cast_to(s, e, t, name, e->args[0]);
    return tc_resolve_fail(s, e, "min, max, tc_cdiv, sizeof and the device functions of the file can be called",
                           "there is no function '%s' to call", name);
}
