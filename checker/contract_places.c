// What the parameters have in them: scalars, pointers, structures and arrays of these, each under its path.
#include "checker/contract_build.h"

enum {
    MAX_PLACES = 4096, // of one kernel
    MAX_ELEMENTS = 256 // of one array that are places of their own
};

bool tc_type_is_integer(const tc_type *t) {
    return (t->kind == TC_TY_INT || t->kind == TC_TY_BOOL) && t->size >= 1 && t->size <= 8;
}

void tc_type_range(const tc_type *t, tc_i128 *lo, tc_i128 *hi) {
    unsigned bits = (unsigned)t->size * 8;
    *lo = t->kind == TC_TY_BOOL || !t->is_signed ? 0 : -tc_pow2(bits - 1);
    *hi = t->kind == TC_TY_BOOL ? 1 : t->is_signed ? tc_pow2(bits - 1) - 1 : tc_pow2(bits) - 1;
}

const tc_place *tc_place_find(const tc_build *b, const char *path) {
    return tc_strmap_get(&b->places, path);
}

static void place_put(tc_build *b, const char *path, tc_place_kind kind, size_t index, const tc_type *type) {
    tc_place *p = TC_NEW(b->arena, tc_place);
    *p = (tc_place){kind, (uint32_t)index, type};
    tc_strmap_put(b->arena, &b->places, path, p);
}

// Where in which parameter a walk is; param is -1 in a device variable.
typedef struct spot {
    int param;
    uint64_t offset;
    const char *var; // mangled
    tc_loc loc;
} spot;

static void put_object(tc_build *b, const char *path, const tc_type *elem, bool is_restrict, const tc_type *type,
                       spot at) {
    tc_object_contract o = {.path = path,
                            .param = at.param,
                            .offset = at.offset,
                            .var_mangled = at.var,
                            .elem = elem,
                            .loc = at.loc,
                            .is_restrict = is_restrict};
    place_put(b, path, TC_PLACE_OBJECT, b->c->objects.len, type);
    tc_push(b->arena, &b->c->objects, o);
    tc_push(b->arena, &b->words, (tc_words){.shape = TC_SHAPE_OPEN});
}

static void put_scalar(tc_build *b, const char *path, const tc_type *type, spot at) {
    tc_scalar s = {.path = path, .param = (uint32_t)at.param, .offset = at.offset, .type = type};
    place_put(b, path, TC_PLACE_SCALAR, b->c->scalars.len, type);
    tc_push(b->arena, &b->c->scalars, s);
}

// A contract's expressions cannot speak of it.
static void put_function(tc_build *b, const char *path, const tc_type *type, spot at) {
    tc_function_param f = {.path = path, .param = (uint32_t)at.param, .offset = at.offset, .type = type};
    place_put(b, path, TC_PLACE_OTHER, 0, type);
    tc_push(b->arena, &b->c->functions, f);
}

static void walk(tc_build *b, const char *path, const tc_type *type, spot at);

static void say_all(tc_build *b, const char *path, const char *prefix, const tc_attrs *attrs) {
    for (size_t i = 0; i < attrs->len; i++)
        tc_words_say(b, path, prefix, &attrs->data[i]);
}

static void walk_struct(tc_build *b, const char *path, const tc_type *type, spot at) {
    const char *prefix = tc_fmt(b->arena, "%s.", path);
    for (size_t i = 0; i < type->nfields; i++) {
        const tc_field *f = &type->fields[i];
        spot in = at;
        in.offset += f->offset;
        in.loc = f->loc.line ? f->loc : at.loc;
        walk(b, tc_fmt(b->arena, "%s.%s", path, f->name), f->type, in);
    }
    for (size_t i = 0; i < type->nfields; i++)
        say_all(b, tc_fmt(b->arena, "%s%s", prefix, type->fields[i].name), prefix, &type->fields[i].attrs);
}

static void walk_array(tc_build *b, const char *path, const tc_type *type, spot at) {
    for (uint64_t i = 0; i < type->count && i < MAX_ELEMENTS; i++) {
        spot in = at;
        in.offset += i * type->elem->size;
        walk(b, tc_fmt(b->arena, "%s[%llu]", path, (unsigned long long)i), type->elem, in);
    }
}

static void walk(tc_build *b, const char *path, const tc_type *type, spot at) {
    if (b->places.len >= MAX_PLACES)
        return;
    switch (type->kind) {
    case TC_TY_POINTER:
        put_object(b, path, type->elem, type->is_restrict, type, at);
        return;
    case TC_TY_FUNCTION:
        put_function(b, path, type, at);
        return;
    case TC_TY_STRUCT:
        place_put(b, path, TC_PLACE_STRUCT, 0, type);
        walk_struct(b, path, type, at);
        return;
    case TC_TY_ARRAY:
        place_put(b, path, TC_PLACE_ARRAY, 0, type);
        walk_array(b, path, type, at);
        return;
    default:
        break;
    }
    if (tc_type_is_integer(type))
        put_scalar(b, path, type, at);
    else
        place_put(b, path, TC_PLACE_OTHER, 0, type);
}

// A variable is the object itself; where it is a pointer, the object is what it points to.
static void place_var(tc_build *b, const tc_device_var *v) {
    const tc_type *elem = v->type;
    bool is_restrict = elem->kind == TC_TY_POINTER && elem->is_restrict;
    if (elem->kind == TC_TY_POINTER)
        elem = elem->elem;
    while (elem->kind == TC_TY_ARRAY && v->type->kind != TC_TY_POINTER)
        elem = elem->elem;
    if (tc_place_find(b, v->name)) // hidden by a parameter of that name
        return;
    put_object(b, v->name, elem, is_restrict, v->type, (spot){-1, 0, v->mangled, v->loc});
    say_all(b, v->name, "", &v->attrs);
}

void tc_places_make(tc_build *b) {
    for (size_t i = 0; i < b->kernel->nparams; i++) {
        const tc_param *p = &b->kernel->params[i];
        const char *name = p->name && *p->name ? p->name : tc_fmt(b->arena, "parameter %zu", i);
        walk(b, name, p->type, (spot){(int)i, 0, NULL, p->loc});
        say_all(b, name, "", &p->attrs);
        b->c->annotated |= p->attrs.len != 0;
    }
    // Words on a device variable do not make a kernel annotated: it may not touch the variable.
    bool annotated = b->c->annotated;
    for (size_t i = 0; i < b->unit->nvars; i++)
        if (b->unit->vars[i].attrs.len > 0)
            place_var(b, &b->unit->vars[i]);
    b->c->annotated = annotated;
}
