// Bytes that are read as `bool`. Clang promises that such a byte is 0 or 1 (!range), and what the compiler makes of the code relies on it:
// it uses the whole byte where C++ says a truth value. Enumerations with -fstrict-enums have the same promise.
//
// What is read from an object is 0 or 1 where the object is declared to hold a bool at that place, or holds nothing before the kernel
// writes it (shared and local memory), and all that is stored there is 0 or 1. What is not shown is an assumption.
#include <string.h>

#include "checker/lift.h"

// ---- what is declared at a place ----

typedef enum tc_holds { HOLDS_NO_BOOL, HOLDS_BOOL, MAY_HOLD_BOOL } tc_holds;

// A place: some byte of [offset, offset + width) of an object that consists of values of `size` bytes.
static tc_t within(tc_lift *L, tc_t offset, uint64_t size) { return tc_mod(L->ts, offset, tc_int(L->ts, (tc_i128)size)); }

static bool is_known(tc_t offset) { return tc_is_const(offset) && offset->value >= 0; }

static tc_holds also(tc_holds a, tc_holds b) { return a == b ? a : MAY_HOLD_BOOL; }

static bool apart(uint64_t a, uint64_t size, tc_t offset, uint64_t width) {
    return is_known(offset) && ((tc_i128)(a + size) <= offset->value || offset->value + (tc_i128)width <= (tc_i128)a);
}

static tc_holds in_type(tc_lift *L, const tc_type *t, tc_t offset, uint64_t width) {
    if (t == NULL || t->size == 0)
        return MAY_HOLD_BOOL;
    switch (t->kind) {
    case TC_TY_BOOL:
        return HOLDS_BOOL;
    case TC_TY_INT:
    case TC_TY_FLOAT:
    case TC_TY_POINTER:
    case TC_TY_FUNCTION:
        return HOLDS_NO_BOOL;
    case TC_TY_ARRAY:
        return t->elem == NULL || t->elem->size == 0 ? MAY_HOLD_BOOL : in_type(L, t->elem, within(L, offset, t->elem->size), width);
    case TC_TY_STRUCT: {
        bool any = false;
        tc_holds r = MAY_HOLD_BOOL;
        for (size_t i = 0; i < t->nfields; i++) {
            const tc_field *f = &t->fields[i];
            if (apart(f->offset, f->type->size, offset, width))
                continue;
            tc_t inner = is_known(offset) && offset->value >= (tc_i128)f->offset ? tc_addc(L->ts, offset, -(tc_i128)f->offset)
                                                                                : tc_int(L->ts, 0);
            tc_holds h = in_type(L, f->type, inner, width);
            r = any ? also(r, h) : h;
            any = true;
        }
        return r;
    }
    default:
        return MAY_HOLD_BOOL;
    }
}

// Clang's `bool` and `unsigned char` are one type in the IR.
static tc_holds in_code_type(tc_lift *L, LLVMTypeRef t, tc_t offset, uint64_t width) {
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (k == LLVMArrayTypeKind) {
        uint64_t size = tc_lift_type_size(L, LLVMGetElementType(t));
        return size == 0 ? MAY_HOLD_BOOL : in_code_type(L, LLVMGetElementType(t), within(L, offset, size), width);
    }
    if (k == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
            LLVMTypeRef e = LLVMStructGetTypeAtIndex(t, i);
            uint64_t at = LLVMOffsetOfElement(L->layout, t, i), size = tc_lift_type_size(L, e);
            if (apart(at, size, offset, width))
                continue;
            tc_t inner = is_known(offset) && offset->value >= (tc_i128)at ? tc_addc(L->ts, offset, -(tc_i128)at) : tc_int(L->ts, 0);
            if (in_code_type(L, e, inner, width) != HOLDS_NO_BOOL)
                return MAY_HOLD_BOOL;
        }
        return HOLDS_NO_BOOL;
    }
    return tc_lift_type_size(L, t) == 1 ? MAY_HOLD_BOOL : HOLDS_NO_BOOL;
}

static const tc_type *variable_type(const tc_lift *L, LLVMValueRef global) {
    size_t n;
    const char *mangled = LLVMGetValueName2(global, &n);
    for (size_t i = 0; i < L->unit->nvars; i++)
        if (L->unit->vars[i].mangled != NULL && strcmp(L->unit->vars[i].mangled, mangled) == 0)
            return L->unit->vars[i].type;
    return NULL;
}

// What the source says that the object consists of; NULL: only the code is known.
static const tc_type *source_type(tc_lift *L, const tc_object *o) {
    const tc_kernel *k = L->contract->kernel;
    const char *name = "";
    if (o->space == TC_SPACE_SHARED || o->space == TC_SPACE_LOCAL)
        return NULL;
    if (o->value != NULL)
        return variable_type(L, o->value);
    if (k == NULL || o->param >= k->nparams)
        return NULL;
    const tc_type *t = k->params[o->param].type;
    if (o->space == TC_SPACE_PARAM)
        return t;
    t = tc_object_declared(L, t, o->param_offset, &name);
    return t == NULL ? NULL : t->elem;
}

static LLVMTypeRef code_type(const tc_object *o) {
    if (o->dynamic_shared || o->value == NULL)
        return NULL;
    if (LLVMIsAGlobalVariable(o->value))
        return LLVMGlobalGetValueType(o->value);
    return LLVMIsAAllocaInst(o->value) && LLVMIsAConstantInt(LLVMGetOperand(o->value, 0)) &&
                   LLVMConstIntGetZExtValue(LLVMGetOperand(o->value, 0)) == 1
               ? LLVMGetAllocatedType(o->value)
               : NULL;
}

static tc_holds declared(tc_lift *L, uint32_t object, tc_t offset, uint64_t width) {
    const tc_object *o = &L->m->objects.data[object];
    if (o->space == TC_SPACE_SHARED || o->space == TC_SPACE_LOCAL) {
        LLVMTypeRef t = code_type(o);
        return t == NULL ? MAY_HOLD_BOOL : in_code_type(L, t, offset, width);
    }
    const tc_type *t = source_type(L, o);
    return t == NULL || t->size == 0 ? MAY_HOLD_BOOL : in_type(L, t, within(L, offset, t->size), width);
}

// ---- what is stored ----

static bool is_truth(tc_lift *L, const tc_val *v) {
    if (v->kind == TC_V_BYTES)
        return v->zero;
    if (v->kind != TC_V_INT)
        return false;
    return (tc_is_const(v->term) && v->term->value == 0) || (v->width <= 8 && tc_range_within(tc_lift_range(L, v->term), 0, 1));
}

static bool is_like(tc_lift *L, uint32_t a, uint32_t b) {
    const tc_object *x = &L->m->objects.data[a], *y = &L->m->objects.data[b];
    const tc_type *t = source_type(L, x), *u = source_type(L, y);
    return t != NULL && u != NULL && t->kind == u->kind && t->size == u->size && strcmp(t->name, u->name) == 0;
}

static bool holds_others(tc_lift *L, uint32_t object) { return tc_map_has(&L->choices->other_bytes, tc_object_key(L, object)); }

// Under no other name is anything else written there.
static bool is_alone(tc_lift *L, uint32_t object) {
    int of = L->m->objects.data[object].contract;
    for (uint32_t j = 0; of >= 0 && j < L->contract->objects.len; j++) {
        const tc_object_contract *o = &L->contract->objects.data[j];
        if ((int)j == of || !tc_contract_may_meet(L->contract, (uint32_t)of, j) || o->param < 0)
            continue;
        uint64_t other = tc_object_param_key((uint32_t)o->param, o->offset);
        bool is_bool = o->elem != NULL && o->elem->kind == TC_TY_BOOL;
        if (tc_map_has(&L->choices->other_bytes, other) || (!is_bool && tc_map_has(&L->choices->written, other)))
            return false;
    }
    return true;
}

// A copy from an object of the same type, in which each bool is one, to the same place of an element.
static bool is_copy(tc_lift *L, uint32_t object, tc_t offset, const tc_val *from) {
    if (from == NULL || from->kind != TC_V_PTR || from->nalts != 1 || L->places.data[from->alts[0].place].kind != TC_PL_OBJECT)
        return false;
    uint32_t source = L->places.data[from->alts[0].place].object;
    if (!is_like(L, object, source) || holds_others(L, source) || !is_alone(L, source))
        return false;
    tc_t size = tc_int(L->ts, (tc_i128)source_type(L, &L->m->objects.data[source])->size);
    tc_t between = tc_mod(L->ts, tc_sub(L->ts, offset, from->alts[0].offset), size);
    return tc_is_const(between) && between->value == 0;
}

// Where something is stored: an object, or a local variable that is kept apart.
typedef struct tc_target {
    uint32_t object;
    const tc_local *local; // or NULL
} tc_target;

static uint64_t target_key(tc_lift *L, tc_target to) { return to.local ? TC_KEY(to.local->value) : tc_object_key(L, to.object); }

static tc_holds target_holds(tc_lift *L, tc_target to, tc_t offset, uint64_t width) {
    return to.local ? in_code_type(L, to.local->type, offset, width) : declared(L, to.object, offset, width);
}

static void note_others(tc_lift *L, uint64_t key) {
    if (tc_map_has(&L->choices->other_bytes, key))
        return;
    tc_map_put(L->choices->arena, &L->choices->other_bytes, key, L->choices);
    L->choices->changed = true;
}

static void store_part(tc_lift *L, tc_target to, tc_t offset, tc_t width, const tc_val *v, LLVMTypeRef type) {
    enum { any_width = 1 << 20 };
    bool fields = v != NULL && v->kind == TC_V_AGG && type != NULL && LLVMGetTypeKind(type) == LLVMStructTypeKind;
    for (unsigned i = 0; fields && i < LLVMCountStructElementTypes(type); i++) {
        LLVMTypeRef e = LLVMStructGetTypeAtIndex(type, i);
        store_part(L, to, tc_addc(L->ts, offset, (tc_i128)LLVMOffsetOfElement(L->layout, type, i)),
                   tc_int(L->ts, (tc_i128)tc_lift_type_size(L, e)), i < v->nelems ? v->elems[i] : NULL, e);
    }
    uint64_t bytes = tc_is_const(width) && width->value >= 0 && width->value < any_width ? (uint64_t)width->value : any_width;
    if (!fields && !(v != NULL && is_truth(L, v)) && target_holds(L, to, offset, bytes) != HOLDS_NO_BOOL)
        note_others(L, target_key(L, to));
}

void tc_bool_store(tc_lift *L, uint32_t object, tc_t offset, tc_t width, const tc_val *v, LLVMTypeRef type, const tc_val *from) {
    if (!is_copy(L, object, offset, from))
        store_part(L, (tc_target){object, NULL}, offset, width, v, type);
}

void tc_bool_store_local(tc_lift *L, const tc_local *l, tc_t offset, tc_t width, const tc_val *v, LLVMTypeRef type) {
    if (L->dry == 0)
        store_part(L, (tc_target){TC_NONE, l}, offset, width, v, type);
}

bool tc_bool_holds(tc_lift *L, uint32_t object, tc_t offset, uint64_t width) {
    tc_holds h = declared(L, object, offset, width);
    tc_space space = L->m->objects.data[object].space;
    bool own = space == TC_SPACE_SHARED || space == TC_SPACE_LOCAL;
    return (h == HOLDS_BOOL || (own && h == MAY_HOLD_BOOL)) && !holds_others(L, object) && is_alone(L, object);
}

// ---- what is read ----

static bool has_uninit(void *ctx, tc_t t) {
    (void)ctx;
    return t->op == TC_T_SYM && t->sym->kind == TC_SYM_UNINIT;
}

typedef struct tc_zeroed {
    tc_lift *L;
    tc_map map;
} tc_zeroed;

static void put_zero(void *ctx, tc_t t) {
    tc_zeroed *z = ctx;
    if (has_uninit(NULL, t))
        tc_map_put(z->L->arena, &z->map, TC_KEY(t), (void *)(uintptr_t)(t->sort == TC_BOOL ? z->L->ff : tc_int(z->L->ts, 0)));
}

// That a value was never written is told elsewhere (TC2005).
static tc_t written_part(tc_lift *L, tc_t t) {
    tc_zeroed z = {L, {0}};
    if (!tc_any(L->ts, t, has_uninit, NULL))
        return t;
    tc_walk(L->ts, t, put_zero, &z);
    return tc_subst(L->ts, t, &z.map);
}

// !range: a pair of constants, from the first up to the second.
typedef struct tc_ends {
    tc_i128 lo, hi;
} tc_ends;

static bool ends_of(LLVMValueRef range, unsigned width, tc_ends *out) {
    LLVMValueRef ends[2];
    if (LLVMGetMDNodeNumOperands(range) != 2)
        return false;
    LLVMGetMDNodeOperands(range, ends);
    out->lo = (tc_i128)LLVMConstIntGetSExtValue(ends[0]);
    out->hi = (tc_i128)LLVMConstIntGetSExtValue(ends[1]);
    if (out->hi <= out->lo) // around the end of the signed numbers
        out->hi += tc_pow2(width);
    return true;
}

static bool is_of_bool(LLVMValueRef range, unsigned width) {
    tc_ends e;
    return width == 8 && ends_of(range, width, &e) && e.lo == 0 && e.hi == 2;
}

// Of several pairs the promise is taken for one that nothing shows.
static tc_t promised(tc_lift *L, LLVMValueRef range, tc_t t, unsigned width) {
    tc_ends e;
    if (!ends_of(range, width, &e))
        return tc_lift_bool_sym(L, "in range", 0x3a9e);
    if (tc_range_within(tc_lift_range(L, t), e.lo, e.hi - 1))
        return L->tt;
    tc_t above = tc_mod(L->ts, tc_addc(L->ts, t, -e.lo), tc_int(L->ts, tc_pow2(width)));
    return tc_lt(L->ts, above, tc_int(L->ts, e.hi - e.lo));
}

// Is a bool of a local variable read, in which nothing but 0 and 1 is stored? SOUND: by induction on the stores.
static bool of_locals(tc_lift *L, const tc_flow *f, const tc_val *p) {
    for (size_t i = 0; i < p->nalts; i++) {
        const tc_place *pl = &L->places.data[p->alts[i].place];
        if (tc_is_false(tc_lift_under(L, f->guard, p->alts[i].cond)))
            continue;
        if (pl->kind != TC_PL_LOCAL || pl->local->param >= 0 || tc_map_has(&L->choices->other_bytes, TC_KEY(pl->local->value)) ||
            in_code_type(L, pl->local->type, p->alts[i].offset, 1) == HOLDS_NO_BOOL)
            return false;
    }
    return p->kind == TC_V_PTR && p->nalts > 0;
}

void tc_bool_load(tc_lift *L, tc_flow *f, LLVMValueRef inst, const tc_val *p, const tc_val *v) {
    LLVMValueRef range = LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(LLVMGetModuleContext(L->module), "range", 5));
    unsigned bits;
    if (range == NULL || L->dry > 0 || !tc_lift_type_bits(L, LLVMTypeOf(inst), &bits))
        return;
    v = tc_val_as(L, v, LLVMTypeOf(inst), 0);
    if (v->kind != TC_V_INT || v->width < 2 || (is_of_bool(range, bits) && of_locals(L, f, p)))
        return;
    tc_t cond = promised(L, range, written_part(L, tc_lift_under(L, f->guard, v->term)), bits);
    tc_record_assumption(L, f, cond, is_of_bool(range, bits) ? "the byte that is read as bool is 0 or 1"
                                                                : "the value that is read is one of its type",
                         "the compiler takes it as a fact");
}
