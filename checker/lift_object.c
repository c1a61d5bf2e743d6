// The objects of the model: parameters' buffers, shared arrays, device variables and constants, local arrays.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/host.h"
#include "checker/lift.h"

enum { MAX_TABLE = 8, MAX_LEAVES = 1024 };

static uint32_t add_object(tc_lift *L, uint64_t key, tc_object o) {
    tc_push(L->arena, &L->m->objects, o);
    uint32_t id = (uint32_t)L->m->objects.len - 1;
    tc_map_put(L->arena, &L->objects, key, (void *)(uintptr_t)(id + 1));
    return id;
}

static bool find_object(const tc_lift *L, uint64_t key, uint32_t *id) {
    uint64_t v = (uint64_t)(uintptr_t)tc_map_get(&L->objects, key);
    *id = (uint32_t)(v - 1);
    return v != 0;
}

uint32_t tc_object_new(tc_lift *L, uint64_t key, tc_object o) {
    uint32_t id;
    return find_object(L, key, &id) ? id : add_object(L, key, o);
}

uint64_t tc_object_param_key(uint32_t param, uint64_t offset) { return tc_hash_mix(param + 0x9a7a1, offset); }

static tc_t shape_bytes(tc_lift *L, const tc_object_contract *o) {
    if (o->ndims == 0 || o->explicit_stride || o->elem == NULL || o->elem->size == 0)
        return NULL;
    tc_t n = tc_int(L->ts, (tc_i128)o->elem->size);
    for (unsigned i = 0; i < o->ndims; i++)
        n = tc_mul(L->ts, n, o->shape[i]);
    return n;
}

static void under_contract(tc_lift *L, tc_object *o, const tc_object_contract *oc) {
    o->contract = (int)(oc - L->contract->objects.data);
    o->name = oc->path;
    o->size = shape_bytes(L, oc);
    o->loc = oc->loc;
    if (oc->elem != NULL) {
        o->elem = oc->elem->size;
        o->align = oc->elem->align;
    }
    if (oc->align != NULL && tc_is_const(oc->align) && oc->align->value > 0 && oc->align->value <= 1 << 20)
        o->align = (uint64_t)oc->align->value;
}

// The pointer at (param, offset) as the source declares it; NULL when the type has none there. *name: "p.dst".
const tc_type *tc_object_declared(tc_lift *L, const tc_type *t, uint64_t offset, const char **name) {
    if (t->kind == TC_TY_POINTER)
        return offset == 0 ? t : NULL;
    if (t->kind == TC_TY_STRUCT)
        for (size_t i = t->nfields; i-- > 0;) {
            const tc_field *f = &t->fields[i];
            if (f->offset > offset || offset >= f->offset + f->type->size)
                continue;
            if (f->name != NULL && f->name[0] != 0)
                *name = tc_fmt(L->arena, "%s.%s", *name, f->name);
            return tc_object_declared(L, f->type, offset - f->offset, name);
        }
    if (t->kind == TC_TY_ARRAY && t->elem->size > 0) {
        *name = tc_fmt(L->arena, "%s[%llu]", *name, (unsigned long long)(offset / t->elem->size));
        return tc_object_declared(L, t->elem, offset % t->elem->size, name);
    }
    return NULL;
}

uint32_t tc_object_param(tc_lift *L, uint32_t param, uint64_t offset) {
    uint32_t id;
    uint64_t key = tc_object_param_key(param, offset);
    if (find_object(L, key, &id))
        return id;
    tc_object o = {.space = TC_SPACE_GLOBAL, .variance = TC_VAR_LAUNCH, .contract = -1, .nonnull = L->tt, .elem = 1,
                   .align = 1, .param = param, .param_offset = offset};
    const tc_kernel *k = L->contract->kernel;
    o.name = L->host != NULL && param >= TC_HOST_UNNAMED ? tc_host_param_name(L, param) : tc_fmt(L->arena, "parameter %u", param);
    if (k != NULL && param < k->nparams) {
        if (k->params[param].name != NULL)
            o.name = k->params[param].name;
        o.loc = k->params[param].loc;
        const tc_type *t = tc_object_declared(L, k->params[param].type, offset, &o.name);
        if (t != NULL && t->elem != NULL && t->elem->size > 0) {
            o.elem = t->elem->size;
            o.align = t->elem->align > 0 ? t->elem->align : 1;
        }
    }
    const tc_object_contract *oc = tc_contract_object(L->contract, param, offset);
    if (oc != NULL) {
        under_contract(L, &o, oc);
        o.nonnull = oc->nonnull;
    }
    const tc_function_param *f = tc_contract_function(L->contract, param, offset);
    if (f != NULL) {
        o.name = f->path;
        o.nonnull = tc_ne(L->ts, f->which, tc_int(L->ts, 0));
    }
    return add_object(L, key, o);
}

tc_t tc_object_nonnull(tc_lift *L, uint32_t object) {
    tc_object *o = &L->m->objects.data[object];
    if (!tc_is_true(o->nonnull) || o->value != NULL || o->space != TC_SPACE_GLOBAL ||
        tc_contract_function(L->contract, o->param, o->param_offset) != NULL)
        return o->nonnull;
    // A buffer that is not optional may be null where it has no elements.
    uint64_t key = tc_hash_mix(object, 0x2e20);
    tc_t known = tc_map_get(&L->root->things, key);
    if (known == NULL) {
        tc_sym *s = tc_sym_new(L->ts, tc_fmt(L->arena, "%s != nullptr", o->name), TC_SYM_UNKNOWN, TC_VAR_LAUNCH, TC_BOOL);
        known = tc_of_sym(L->ts, s);
        if (o->size != NULL)
            known = tc_or(L->ts, known, tc_lt(L->ts, tc_int(L->ts, 0), o->size));
        tc_map_put(L->arena, &L->root->things, key, (void *)(uintptr_t)known);
    }
    return known;
}

// ---- global variables ----

// The source's name: the last part of an Itanium name (_ZZ4kernE4tile, _ZN2ns3tabE), or the name itself.
static const char *source_name(tc_lift *L, const char *mangled) {
    if (strncmp(mangled, "__const.", 8) == 0 && strrchr(mangled, '.')[1] != 0) // an initialiser: __const.FUNCTION.NAME
        return strrchr(mangled, '.') + 1;
    if (strncmp(mangled, "_Z", 2) != 0)
        return mangled;
    const char *best = NULL;
    size_t best_len = 0;
    const char *start = mangled + 2;
    if (*start == 'Z') { // a local variable: what follows the function's name
        const char *e = strrchr(start, 'E');
        for (const char *p = start; (p = strchr(p, 'E')) != NULL; p++)
            if (isdigit((unsigned char)p[1]))
                e = p;
        if (e != NULL)
            start = e + 1;
    }
    for (const char *p = start; *p != 0;) {
        if (!isdigit((unsigned char)*p)) {
            p++;
            continue;
        }
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (n == 0 || n > strlen(end))
            break;
        if (strncmp(end, "_GLOBAL__N_1", n) != 0) {
            best = end;
            best_len = n;
        }
        p = end + n;
        if (*p == 'E' || *p == '_')
            break;
    }
    return best == NULL ? mangled : tc_strndup(L->arena, best, best_len);
}

static uint64_t leaf_size(tc_lift *L, LLVMTypeRef t) {
    while (LLVMGetTypeKind(t) == LLVMArrayTypeKind)
        t = LLVMGetElementType(t);
    uint64_t n = tc_lift_type_size(L, t);
    return n == 0 ? 1 : n;
}

static bool is_dynamic_shared(tc_lift *L, LLVMValueRef g) {
    LLVMTypeRef t = LLVMGlobalGetValueType(g);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 3 &&
           (LLVMIsDeclaration(g) || (LLVMTypeIsSized(t) && LLVMABISizeOfType(L->layout, t) == 0));
}

static uint32_t dynamic_shared(tc_lift *L, LLVMValueRef g) {
    uint32_t id;
    uint64_t align = LLVMGetAlignment(g);
    if (find_object(L, 0xd54a, &id)) {
        if (align > L->m->objects.data[id].align)
            L->m->objects.data[id].align = align;
        return id;
    }
    size_t n;
    tc_object o = {.space = TC_SPACE_SHARED, .variance = TC_VAR_BLOCK, .contract = -1, .nonnull = L->tt,
                   .dynamic_shared = true, .value = g, .align = align == 0 ? 1 : align};
    o.name = source_name(L, LLVMGetValueName2(g, &n));
    o.elem = leaf_size(L, LLVMGlobalGetValueType(g));
    o.size = L->contract->has_smem ? L->contract->smem : L->contract->syms.smem;
    return add_object(L, 0xd54a, o);
}

static tc_space space_of(LLVMValueRef g) {
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(g))) {
    case 3:
        return TC_SPACE_SHARED;
    case 4:
        return TC_SPACE_CONSTANT;
    case 5:
        return TC_SPACE_LOCAL;
    default:
        return TC_SPACE_GLOBAL;
    }
}

uint32_t tc_object_global(tc_lift *L, LLVMValueRef g) {
    uint32_t id;
    if (is_dynamic_shared(L, g))
        return dynamic_shared(L, g);
    if (find_object(L, TC_KEY(g), &id))
        return id;
    size_t n;
    const char *mangled = LLVMGetValueName2(g, &n);
    LLVMTypeRef type = LLVMGlobalGetValueType(g);
    tc_object o = {.space = space_of(g), .contract = -1, .nonnull = L->tt, .value = g};
    o.variance = o.space == TC_SPACE_SHARED ? TC_VAR_BLOCK : o.space == TC_SPACE_LOCAL ? TC_VAR_THREAD : TC_VAR_LAUNCH;
    o.name = source_name(L, mangled);
    o.elem = leaf_size(L, type);
    o.align = LLVMGetAlignment(g);
    if (o.align == 0)
        o.align = LLVMTypeIsSized(type) ? LLVMABIAlignmentOfType(L->layout, type) : 1;
    if (LLVMTypeIsSized(type))
        o.size = tc_int(L->ts, (tc_i128)LLVMABISizeOfType(L->layout, type));
    for (size_t i = 0; i < L->contract->objects.len; i++) {
        const tc_object_contract *oc = &L->contract->objects.data[i];
        if (oc->param < 0 && oc->var_mangled != NULL && strcmp(oc->var_mangled, mangled) == 0) {
            tc_t size = o.size;
            uint64_t align = o.align;
            under_contract(L, &o, oc);
            o.size = size; // the variable's own size is a fact
            o.align = align;
        }
    }
    for (size_t i = 0; i < L->unit->nvars; i++)
        if (L->unit->vars[i].mangled != NULL && strcmp(L->unit->vars[i].mangled, mangled) == 0) {
            o.name = L->unit->vars[i].name;
            o.loc = L->unit->vars[i].loc;
        }
    return add_object(L, TC_KEY(g), o);
}

// Of a parameter by value: what its attribute says.
static uint64_t param_align(LLVMValueRef param) {
    LLVMValueRef f = LLVMGetParamParent(param);
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMAttributeRef at = LLVMGetParam(f, i) == param ? LLVMGetEnumAttributeAtIndex(f, i + 1, kind) : NULL;
        if (at != NULL)
            return LLVMGetEnumAttributeValue(at);
    }
    return 0;
}

uint64_t tc_local_align(tc_lift *L, const tc_local *l) {
    if (LLVMIsAAllocaInst(l->value))
        return LLVMGetAlignment(l->value);
    uint64_t said = LLVMIsAArgument(l->value) ? param_align(l->value) : 0;
    uint64_t least = LLVMABIAlignmentOfType(L->layout, l->type);
    return said > least ? said : least;
}

uint32_t tc_object_local(tc_lift *L, tc_local *l) {
    if (l->object != TC_NONE)
        return l->object;
    size_t n;
    const char *name = LLVMGetValueName2(l->value, &n);
    bool param = l->param >= 0;
    tc_object o = {.space = param ? TC_SPACE_PARAM : TC_SPACE_LOCAL, .variance = param ? TC_VAR_LAUNCH : TC_VAR_THREAD,
                   .contract = -1, .nonnull = L->tt, .value = param ? NULL : l->value, .elem = 1,
                   .align = tc_local_align(L, l)};
    const tc_kernel *k = L->contract->kernel;
    o.name = n > 0 ? tc_strndup(L->arena, name, n) : "a local variable";
    if (param) {
        o.param = (uint32_t)l->param;
        if (k != NULL && o.param < k->nparams && k->params[o.param].name != NULL)
            o.name = k->params[o.param].name;
    } else {
        o.elem = leaf_size(L, l->type);
        o.loc = tc_lift_loc(L, LLVMIsAAllocaInst(l->value) ? l->value : L->inst, NULL);
    }
    o.size = tc_int(L->ts, (tc_i128)l->size);
    l->object = add_object(L, TC_KEY(l), o);
    return l->object;
}

uint32_t tc_object_null(tc_lift *L) {
    uint32_t id;
    if (find_object(L, 0x0, &id))
        return id;
    tc_object o = {.space = TC_SPACE_GLOBAL, .variance = TC_VAR_LAUNCH, .contract = -1, .nonnull = L->ff, .elem = 1,
                   .align = 1, .name = "nullptr", .size = tc_int(L->ts, 0), .param = TC_NONE};
    return add_object(L, 0x0, o);
}

// ---- what is stored ----

static uint64_t written_key(const tc_object *o) {
    return o->value != NULL ? TC_KEY(o->value) : tc_object_param_key(o->param, o->param_offset);
}

void tc_object_write(tc_lift *L, uint32_t object) {
    tc_object *o = &L->m->objects.data[object];
    if (tc_object_init(L, object) != NULL)
        return; // constant memory of the code itself
    o->written = true;
    if (o->space == TC_SPACE_LOCAL || o->space == TC_SPACE_PARAM)
        return;
    uint64_t key = written_key(o);
    if (tc_map_has(&L->choices->written, key))
        return;
    tc_map_put(L->choices->arena, &L->choices->written, key, L->choices);
    if (L->choices->known_writes)
        L->choices->changed = true;
}

void tc_object_taint(tc_lift *L, uint32_t object) {
    const tc_object *o = &L->m->objects.data[object];
    uint64_t key = written_key(o);
    if (tc_map_has(&L->choices->tainted, key))
        return;
    tc_map_put(L->choices->arena, &L->choices->tainted, key, L->choices);
    L->choices->changed = true;
}

bool tc_object_tainted(tc_lift *L, uint32_t object) {
    return tc_map_has(&L->choices->tainted, written_key(&L->m->objects.data[object]));
}

// SOUND: the least set: an object is filled only by a value that none of those that are not has a part in, so memory that is
// copied to itself, or counted up from what it held, is not.
bool tc_object_never_written(tc_lift *L, uint32_t object) {
    const tc_object *o = &L->m->objects.data[object];
    uint64_t key = written_key(o);
    if (o->space != TC_SPACE_SHARED || !L->choices->known_writes || tc_map_has(&L->choices->filled, key))
        return false;
    tc_map_put(L->choices->arena, &L->choices->unfilled, key, L->choices);
    return true;
}

void tc_object_fill(tc_lift *L, uint32_t object) {
    const tc_object *o = &L->m->objects.data[object];
    uint64_t key = written_key(o);
    if (o->space != TC_SPACE_SHARED || tc_map_has(&L->choices->filled, key))
        return;
    tc_map_put(L->choices->arena, &L->choices->filled, key, L->choices);
    if (tc_map_has(&L->choices->unfilled, key))
        L->choices->changed = L->choices->refilled = true;
}

uint64_t tc_object_key(const tc_lift *L, uint32_t object) { return written_key(&L->m->objects.data[object]); }

// Is it written under another name, by tc_inplace or tc_may_alias?
static bool written_as_other(tc_lift *L, uint32_t i) {
    const tc_contract *c = L->contract;
    for (uint32_t j = 0; j < c->objects.len; j++) {
        const tc_object_contract *o = &c->objects.data[j];
        if (i == j || o->param < 0 || o->borrow == TC_BORROW_SHARED || !tc_contract_may_meet(c, i, j))
            continue;
        if (!L->choices->known_writes || tc_map_has(&L->choices->written, tc_object_param_key((uint32_t)o->param, o->offset)))
            return true;
    }
    return false;
}

static bool is_readonly(tc_lift *L, const tc_object *o) {
    if (o->contract >= 0 && written_as_other(L, (uint32_t)o->contract))
        return false;
    if (o->contract >= 0 && L->contract->objects.data[o->contract].borrow == TC_BORROW_SHARED)
        return true; // TC1003 is proved apart, and what leans on contents leans on it
    return L->choices->known_writes && !tc_map_has(&L->choices->written, written_key(o));
}

bool tc_object_is_steady(tc_lift *L, uint32_t object) {
    const tc_object *o = &L->m->objects.data[object];
    return L->host == NULL && o->space != TC_SPACE_LOCAL && is_readonly(L, o);
}

LLVMValueRef tc_object_init(tc_lift *L, uint32_t object) {
    const tc_object *o = &L->m->objects.data[object];
    if (o->value == NULL || o->dynamic_shared || !LLVMIsAGlobalVariable(o->value))
        return NULL;
    LLVMValueRef init = LLVMGetInitializer(o->value);
    if (init == NULL || !LLVMIsGlobalConstant(o->value) || LLVMIsExternallyInitialized(o->value) ||
        o->space == TC_SPACE_SHARED)
        return NULL;
    return init;
}

LLVMValueRef tc_const_at(tc_lift *L, LLVMValueRef init, uint64_t offset, uint64_t width) {
    LLVMTypeRef t = LLVMTypeOf(init);
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (offset == 0 && tc_lift_type_size(L, t) == width && k != LLVMStructTypeKind && k != LLVMArrayTypeKind)
        return init;
    if (k == LLVMArrayTypeKind || k == LLVMVectorTypeKind) {
        LLVMTypeRef e = LLVMGetElementType(t);
        uint64_t size = tc_lift_type_size(L, e), n = k == LLVMArrayTypeKind ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
        if (size == 0 || offset / size >= n)
            return NULL;
        LLVMValueRef x = LLVMGetAggregateElement(init, (unsigned)(offset / size));
        return x == NULL ? NULL : tc_const_at(L, x, offset % size, width);
    }
    if (k != LLVMStructTypeKind)
        return NULL;
    for (unsigned i = LLVMCountStructElementTypes(t); i-- > 0;) {
        uint64_t at = LLVMOffsetOfElement(L->layout, t, i);
        if (at > offset)
            continue;
        LLVMValueRef x = LLVMGetAggregateElement(init, i);
        return x == NULL ? NULL : tc_const_at(L, x, offset - at, width);
    }
    return NULL;
}

tc_sign tc_object_sign(tc_lift *L, uint32_t object, tc_t offset, uint64_t bytes) {
    const tc_object *o = &L->m->objects.data[object];
    const tc_type *e = o->contract < 0 ? NULL : L->contract->objects.data[o->contract].elem;
    if (e == NULL || e->size == 0)
        return TC_SIGN_UNKNOWN;
    tc_t within = tc_mod(L->ts, offset, tc_int(L->ts, (tc_i128)e->size));
    return tc_is_const(within) ? tc_type_sign_at(e, (uint64_t)within->value, bytes) : tc_type_sign(e, bytes);
}

typedef struct tc_table {
    tc_i128 values[MAX_LEAVES];
    size_t n;
    tc_i128 lo, hi;
} tc_table;

static bool read_table(tc_lift *L, LLVMValueRef init, uint64_t width, tc_table *out) {
    uint64_t size = tc_lift_type_size(L, LLVMTypeOf(init));
    if (width == 0 || size == 0 || size / width > MAX_LEAVES || size % width != 0)
        return false;
    out->n = (size_t)(size / width);
    for (size_t i = 0; i < out->n; i++) {
        LLVMValueRef x = tc_const_at(L, init, i * width, width);
        if (x == NULL || !LLVMIsAConstantInt(x) || LLVMGetIntTypeWidth(LLVMTypeOf(x)) > 64)
            return false;
        out->values[i] = (tc_i128)LLVMConstIntGetSExtValue(x);
        if (i == 0 || out->values[i] < out->lo)
            out->lo = out->values[i];
        if (i == 0 || out->values[i] > out->hi)
            out->hi = out->values[i];
    }
    return out->n > 0;
}

static tc_t exact_index(tc_lift *L, tc_t offset, uint64_t elem) {
    tc_t q = tc_div(L->ts, offset, tc_int(L->ts, (tc_i128)elem));
    return tc_mulc(L->ts, q, (tc_i128)elem) == offset ? q : NULL;
}

// A table in the source: its constants at constant places, a choice where it is small, else a function with its range.
static const tc_val *table_value(tc_lift *L, tc_object *o, LLVMValueRef init, tc_t offset, unsigned bits) {
    uint64_t width = (bits + 7) / 8;
    if (tc_is_const(offset)) {
        LLVMValueRef x = offset->value < 0 ? NULL : tc_const_at(L, init, (uint64_t)offset->value, width);
        return x == NULL ? NULL : tc_val_const(L, x);
    }
    tc_table *t = TC_NEW(L->arena, tc_table);
    tc_t index = exact_index(L, offset, width);
    if (index == NULL || bits == 1 || !read_table(L, init, width, t))
        return NULL;
    if (t->n <= MAX_TABLE) {
        tc_t r = tc_int(L->ts, t->values[t->n - 1]);
        for (size_t i = t->n - 1; i-- > 0;)
            r = tc_ite(L->ts, tc_eq(L->ts, index, tc_int(L->ts, (tc_i128)i)), tc_int(L->ts, t->values[i]), r);
        return tc_val_int(L, bits, r);
    }
    if (o->contents == NULL) {
        tc_fn *fn = tc_fn_new(L->ts, o->name, 1);
        fn->has_lo = fn->has_hi = true;
        fn->lo = t->lo;
        fn->hi = t->hi;
        o->contents = fn;
    }
    return tc_val_int(L, bits, tc_app(L->ts, o->contents, &index));
}

const tc_val *tc_object_contents(tc_lift *L, uint32_t object, tc_t offset, LLVMTypeRef type) {
    tc_object *o = &L->m->objects.data[object];
    unsigned bits;
    if (!tc_lift_type_bits(L, type, &bits))
        return NULL;
    LLVMValueRef init = tc_object_init(L, object);
    if (init != NULL) {
        const tc_val *v = table_value(L, o, init, offset, bits);
        if (v != NULL && v->kind == TC_V_INT && v->width == bits)
            return v;
    }
    if (L->host != NULL || o->contract < 0 || !is_readonly(L, o))
        return NULL;
    const tc_object_contract *oc = &L->contract->objects.data[o->contract];
    if (oc->elem == NULL || (oc->elem->kind != TC_TY_INT && oc->elem->kind != TC_TY_BOOL) || oc->elem->size * 8 != bits)
        return NULL;
    tc_t index = exact_index(L, offset, oc->elem->size);
    const tc_fn *fn = index == NULL ? NULL : tc_contract_contents(L->contract, (uint32_t)o->contract);
    if (fn == NULL)
        return NULL;
    o->contents = fn;
    return tc_val_int(L, bits, tc_app(L->ts, fn, &index));
}
