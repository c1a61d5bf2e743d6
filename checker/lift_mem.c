// Loads, stores, atomics and block copies: events on objects, values on locals.
#include <string.h>

#include "checker/host.h"
#include "checker/lift.h"
#include "checker/strength.h"

// ---- choosing how a local array is modelled ----

static bool holds_addresses(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
        return true;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        return holds_addresses(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (holds_addresses(LLVMStructGetTypeAtIndex(t, i)))
                return true;
        return false;
    default:
        return false;
    }
}

typedef struct tc_maker {
    const tc_lift *L;
    const tc_loop_ctx *loop;
} tc_maker;

static bool made_by_loop(void *ctx, tc_t t) {
    const tc_maker *m = ctx;
    return t->op == TC_T_SYM && tc_map_get(&m->L->born, TC_KEY(t->sym)) == m->loop->node;
}

// The loop whose counter moves the offset is unrolled when the array may hold indices or pointers.
static bool asks_unroll(tc_lift *L, tc_local *l, tc_t offset) {
    if (L->dry > 0 || !holds_addresses(l->type))
        return false;
    bool asked = false;
    for (tc_loop_ctx *c = L->loop; c != NULL; c = c->outer) {
        tc_maker m = {L, c};
        if (c->unrolled || tc_map_has(&L->choices->keep, c->header) || !tc_any(L->ts, offset, made_by_loop, &m))
            continue;
        tc_map_put(L->choices->arena, &L->choices->unroll, c->header, L->choices);
        L->choices->changed = L->choices->remodelled = asked = true;
    }
    return asked;
}

// Failing that, or for mere data, the array becomes an object of the model.
static void choose_model(tc_lift *L, tc_local *l, tc_t offset) {
    if (L->dry > 0 || asks_unroll(L, l, offset) || l->param >= 0 ||
        tc_map_has(&L->choices->demoted, TC_KEY(l->value)))
        return;
    tc_map_put(L->choices->arena, &L->choices->demoted, TC_KEY(l->value), L->choices);
    L->choices->changed = L->choices->remodelled = true;
}

// The elements that are told apart: of a variable, which may become an object instead, and of a parameter, which may not.
enum { MAX_CHOSEN_STORES = 12, MAX_CHOICES = 16, MAX_TABLE = 64 };

typedef struct tc_leaves {
    uint64_t at[MAX_TABLE];
    size_t n; // MAX_TABLE + 1: too many
} tc_leaves;

// The places in a type where something of this size lies.
static void find_leaves(tc_lift *L, LLVMTypeRef t, uint64_t offset, uint64_t size, tc_leaves *out) {
    LLVMTypeKind k = LLVMGetTypeKind(t);
    if (out->n > MAX_TABLE)
        return;
    if (k == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            find_leaves(L, LLVMStructGetTypeAtIndex(t, i), offset + LLVMOffsetOfElement(L->layout, t, i), size, out);
    } else if (k == LLVMArrayTypeKind) {
        LLVMTypeRef e = LLVMGetElementType(t);
        uint64_t n = LLVMGetArrayLength2(t), step = tc_lift_type_size(L, e);
        for (uint64_t i = 0; i < n && out->n <= MAX_TABLE; i++)
            find_leaves(L, e, offset + i * step, size, out);
    } else if (tc_lift_type_size(L, t) == size) {
        if (out->n < MAX_TABLE)
            out->at[out->n] = offset;
        out->n++;
    }
}

// ---- one access ----

static const tc_val *fresh_read(tc_lift *L, const tc_touch *a, const char *name, uint64_t key) {
    unsigned bits;
    if (a->truth)
        return tc_val_unknown_ranged(L, 8, name, key, 0, 1);
    if (tc_lift_type_bits(L, a->type, &bits) && bits > 1 && a->prefer_unsigned)
        return tc_val_unknown_ranged(L, bits, name, key, 0, tc_pow2(bits) - 1);
    const tc_val *v = tc_val_unknown(L, a->type, name, key);
    return a->other_type ? tc_val_signless(v) : v;
}

// How an integer that is read there is taken.
static void set_sign(tc_lift *L, uint32_t object, tc_t offset, unsigned bits, tc_touch *a) {
    const tc_object *o = &L->m->objects.data[object];
    const tc_type *e = o->contract < 0 ? NULL : L->contract->objects.data[o->contract].elem;
    tc_sign sign = tc_object_sign(L, object, offset, bits / 8);
    bool alone = e != NULL && e->kind == TC_TY_INT && e->size * 8 == bits;
    if (sign == TC_SIGN_SIGNED || (sign == TC_SIGN_UNSIGNED && (alone || bits < 32)))
        a->prefer_unsigned = sign == TC_SIGN_UNSIGNED;
    else if (e != NULL)
        a->other_type = e->kind == TC_TY_INT || e->kind == TC_TY_FLOAT || e->kind == TC_TY_STRUCT;
    else // nobody says what it is; C widens such a value before it does anything else with it, and that says it
        a->other_type = bits < 32;
}

// Before all stores to the object, and before any other thread can be known to have come first, nothing was written.
static bool is_early(const tc_lift *L, const tc_object *o) {
    return o->space == TC_SPACE_SHARED && L->choices->known_writes && L->loop == NULL && L->dry == 0 && !L->synced && !o->written;
}

// Integers whose contents a contract describes are functions of their place; anything else is some value.
static const tc_val *read_object(tc_lift *L, tc_flow *g, uint32_t place, uint32_t object, tc_t offset,
                                 const tc_touch *a, size_t alt) {
    const tc_object *o = &L->m->objects.data[object];
    LLVMTypeKind k = LLVMGetTypeKind(a->type);
    if (!a->is_volatile && !a->changing) {
        if (k == LLVMStructTypeKind || k == LLVMArrayTypeKind || k == LLVMVectorTypeKind)
            return tc_val_as(L, tc_val_bytes(L, place, offset), a->type, 0);
        const tc_val *v = tc_object_contents(L, object, offset, a->type);
        if (v != NULL)
            return v;
    }
    tc_touch b = *a;
    unsigned bits;
    if (tc_lift_type_bits(L, a->type, &bits) && bits > 1)
        set_sign(L, object, offset, bits, &b);
    b.truth = tc_lift_type_bits(L, a->type, &bits) && bits == 8 && tc_bool_holds(L, object, tc_lift_under(L, g->guard, offset), 1);
    bool early = is_early(L, o);
    if (early || tc_object_never_written(L, object)) {
        const tc_val *u = tc_val_const(L, LLVMGetUndef(a->type));
        if (u->kind == TC_V_INT)
            tc_record_check(L, g, TC_CK_UNINIT, L->ff, u->term,
                            early ? "shared memory that is not written yet" : "shared memory that is never written", L->inst);
        return u;
    }
    const char *name = tc_fmt(L->arena, "%s[...]", o->name);
    if (!tc_object_tainted(L, object))
        return fresh_read(L, &b, name, 0x10ad + alt);
    const tc_val *undef = tc_val_float(L, L->tt);
    return tc_val_derived(L, a->type, name, 0x10ad + alt, &undef, 1);
}

static bool writes(tc_event_kind k) { return k == TC_EV_WRITE || k == TC_EV_ATOMIC || k == TC_EV_ASYNC_WRITE; }

// Not so an atomic operation on what was never written: what it stores is made of that.
static bool fills(tc_lift *L, const tc_flow *g, const tc_touch *a) {
    if (a->kind == TC_EV_ATOMIC)
        return a->replaces;
    return a->undef == NULL || !tc_is_true(tc_lift_under(L, g->guard, a->undef));
}

static void note_source(tc_lift *L, const tc_touch *a, tc_event *e) {
    if (a->kind != TC_EV_WRITE || a->from == NULL || a->from->kind != TC_V_PTR || a->from->nalts != 1)
        return;
    const tc_alt *alt = &a->from->alts[0];
    const tc_place *p = &L->places.data[alt->place];
    if (p->kind != TC_PL_OBJECT || !tc_object_is_steady(L, p->object))
        return;
    e->from = p->object;
    e->from_offset = tc_lift_under(L, e->guard, alt->offset);
}

static const tc_val *access_object(tc_lift *L, tc_flow *g, uint32_t place, uint32_t object, tc_t offset,
                                   const tc_touch *a, size_t alt) {
    const tc_val *r = a->type == NULL ? NULL : read_object(L, g, place, object, offset, a, alt);
    const bool is_float = a->kind == TC_EV_READ && r != NULL && r->kind == TC_V_FLOAT && tc_is_false(r->undef);
    bool fresh;
    if (is_float)
        r = tc_val_with_bits(L, r, tc_of_sym(L->ts, tc_lift_sym(L, "loaded", TC_SYM_UNKNOWN, TC_INT, tc_hash_mix(0xf10a7, alt), &fresh)));
    if (L->dry == 0 && !tc_is_false(g->guard)) {
        if (writes(a->kind)) {
            tc_object_write(L, object);
            tc_bool_store(L, object, tc_lift_under(L, g->guard, offset), a->width, a->stored, a->stored_type, a->from);
            if (fills(L, g, a))
                tc_object_fill(L, object);
            if (!tc_is_false(tc_lift_under(L, g->guard, a->undef == NULL ? L->ff : a->undef)))
                tc_object_taint(L, object);
        }
        tc_event e = tc_event_make(L, g, a->kind, a->what);
        e.object = object;
        e.offset = tc_lift_under(L, g->guard, offset);
        e.width = a->width;
        e.align = a->align;
        e.order = a->order;
        e.scope = a->scope;
        e.is_volatile = a->is_volatile;
        e.non_coherent = a->non_coherent;
        e.together = a->together;
        e.value = r != NULL && r->kind == TC_V_INT ? r->term : a->value;
        e.bits = is_float ? r->bits : NULL;
        e.operand[0] = a->operand;
        e.added = a->added;
        e.limit = a->limit;
        e.put = a->put;
        e.expected = a->expected;
        note_source(L, a, &e);
        tc_record_event(L, e);
    }
    return r;
}

static const tc_val *maybe_uninit(tc_lift *L, tc_flow *g, tc_local *l, const tc_alt *alt, const tc_val *r,
                                  const tc_touch *a) {
    bool exact = tc_is_const(alt->offset) && tc_is_const(a->width) && alt->offset->value >= 0;
    tc_t undef = exact ? tc_local_unfilled(L, g, l, (uint64_t)alt->offset->value, (uint64_t)a->width->value)
                       : tc_local_unfilled(L, g, l, 0, l->size);
    if (r == NULL || tc_is_false(undef))
        return r;
    if (r->kind == TC_V_FLOAT)
        return tc_val_float(L, undef);
    if (r->kind != TC_V_INT)
        return r;
    const tc_val *u = tc_val_const(L, LLVMGetUndef(a->type));
    tc_flow h = {tc_and(L->ts, g->guard, undef), g->state};
    tc_record_check(L, &h, TC_CK_UNINIT, L->ff, u->term, "maybe uninitialised array", L->inst);
    return tc_val_choose(L, undef, u, r, NULL);
}

// Accesses of a variable that is kept apart are no events, but for one of which its declaration does not show that it is
// aligned.
static void check_local_align(tc_lift *L, tc_flow *g, tc_local *l, uint64_t offset, const tc_touch *a) {
    uint64_t align = a->align;
    if (L->host != NULL) // is not asked of the host's own accesses
        return;
    while (align > (uint64_t)a->width->value)
        align >>= 1;
    if (align <= 1 || (offset % align == 0 && tc_local_align(L, l) % align == 0))
        return;
    tc_touch t = *a;
    t.type = NULL;
    access_object(L, g, l->place, tc_object_local(L, l), tc_int(L->ts, (tc_i128)offset), &t, 0);
}

static bool is_multiple(tc_lift *L, tc_t t, tc_t of) {
    tc_t r = tc_mod(L->ts, t, of);
    return tc_is_const(r) && r->value == 0;
}

// The number of the last element that the offset can mean, where it can mean nothing beside elements; SIZE_MAX otherwise.
static size_t last_choice(tc_lift *L, const tc_local *l, tc_t offset, tc_t width, const tc_leaves *leaves) {
    tc_interval r = tc_lift_range(L, offset);
    uint64_t w = (uint64_t)width->value;
    size_t first = 0, last = leaves->n - 1;
    // In bounds of a variable that consists of the elements, or by its range.
    if (leaves->n * w != l->size) {
        if (!r.has_lo || !r.has_hi)
            return SIZE_MAX;
        while (first < leaves->n && (tc_i128)leaves->at[first] < r.lo)
            first++;
        while (last > first && (tc_i128)leaves->at[last] > r.hi)
            last--;
        if (first == leaves->n || (tc_i128)leaves->at[first] != r.lo || (tc_i128)(leaves->at[last] + w) <= r.hi)
            return SIZE_MAX;
    }
    for (size_t i = first; i < last; i++)
        if (leaves->at[i] + w != leaves->at[i + 1])
            return SIZE_MAX;
    return is_multiple(L, tc_addc(L->ts, offset, -(tc_i128)leaves->at[first]), width) ? last : SIZE_MAX;
}

// A small array of indices or pointers at a changing offset: a choice between its elements, and an event for its bounds.
static const tc_val *access_choice(tc_lift *L, tc_flow *f, tc_flow *g, const tc_alt *alt, tc_local *l,
                                   const tc_touch *a, const tc_val *stored, size_t index, const tc_leaves *leaves) {
    access_object(L, g, l->place, tc_object_local(L, l), alt->offset, a, index);
    uint64_t width = (uint64_t)a->width->value;
    const tc_val *r = a->type == NULL ? NULL : fresh_read(L, a, "local", 0x10ca + index);
    // SOUND: after too many of them the cells have any value, and none where they may not have been written. Each store makes
    // every cell a choice of what it was before, so that exact ones grow without end.
    if (writes(a->kind) && ++l->choices > MAX_CHOSEN_STORES) {
        tc_t unfilled = tc_local_unfilled(L, f, l, 0, l->size);
        tc_local_forget(L, f, l);
        tc_local_store(L, f, L->tt, l, 0, l->size, tc_val_with_undef(L, tc_val_any(L), unfilled));
        return r;
    }
    // SOUND: where the event is in bounds one of the elements is meant, so the last of them needs no condition.
    size_t last = last_choice(L, l, alt->offset, a->width, leaves);
    for (size_t i = leaves->n; i-- > 0;) {
        tc_t here = tc_eq(L->ts, alt->offset, tc_int(L->ts, (tc_i128)leaves->at[i]));
        if (i == last && a->type != NULL)
            here = L->tt;
        here = tc_lift_under(L, g->guard, here);
        if (tc_is_false(here))
            continue;
        tc_flow h = {tc_and(L->ts, g->guard, here), f->state};
        if (a->type != NULL)
            r = tc_val_choose(L, here, tc_local_load(L, &h, l, leaves->at[i], a->type), r, a->type);
        if (writes(a->kind))
            tc_local_store(L, f, tc_and(L->ts, alt->cond, here), l, leaves->at[i], width,
                           stored != NULL ? stored : tc_val_any(L));
    }
    return r;
}

static const tc_val *access_moving(tc_lift *L, tc_flow *f, tc_flow *g, const tc_alt *alt, tc_local *l,
                                   const tc_touch *a, const tc_val *stored, size_t index) {
    tc_leaves leaves = {{0}, 0};
    bool constant = tc_is_const(a->width) && a->width->value > 0;
    if (constant && (l->param >= 0 || holds_addresses(l->type)))
        find_leaves(L, l->type, 0, (uint64_t)a->width->value, &leaves);
    size_t most = l->param >= 0 ? MAX_TABLE : MAX_CHOICES;
    if (leaves.n > 0 && leaves.n <= most && a->kind != TC_EV_ATOMIC && !asks_unroll(L, l, alt->offset))
        return access_choice(L, f, g, alt, l, a, stored, index, &leaves);
    choose_model(L, l, alt->offset);
    if (l->param >= 0)
        access_object(L, g, l->place, tc_object_local(L, l), alt->offset, a, index);
    if (writes(a->kind))
        tc_local_forget(L, f, l);
    return a->type == NULL ? NULL : fresh_read(L, a, "local", 0x10ca + index);
}

static const tc_val *access_local(tc_lift *L, tc_flow *f, tc_flow *g, const tc_alt *alt, tc_local *l,
                                  const tc_touch *a, const tc_val *stored, size_t index) {
    if (writes(a->kind))
        tc_bool_store_local(L, l, tc_lift_under(L, g->guard, alt->offset), a->width, a->stored, a->stored_type);
    bool constant = tc_is_const(alt->offset) && tc_is_const(a->width);
    bool inside = constant && alt->offset->value >= 0 && alt->offset->value + a->width->value <= (tc_i128)l->size;
    if (l->demoted || (constant && !inside)) {
        const tc_val *r = access_object(L, g, l->place, tc_object_local(L, l), alt->offset, a, index);
        if (!l->demoted && writes(a->kind))
            tc_local_forget(L, f, l);
        else if (writes(a->kind) && inside && tc_is_true(alt->cond))
            tc_local_set_filled(L, f, l, (uint64_t)alt->offset->value, (uint64_t)a->width->value);
        else if (writes(a->kind) && tc_is_const(a->width))
            tc_fill_note(L, l, alt->offset, a->width->value, g->guard);
        return r != NULL && l->demoted ? maybe_uninit(L, g, l, alt, r, a) : r;
    }
    if (!constant)
        return access_moving(L, f, g, alt, l, a, stored, index);
    uint64_t offset = (uint64_t)alt->offset->value;
    check_local_align(L, g, l, offset, a);
    const tc_val *r = a->type == NULL ? NULL : tc_local_load(L, g, l, offset, a->type);
    if (writes(a->kind))
        tc_local_store(L, f, alt->cond, l, offset, (uint64_t)a->width->value, stored != NULL ? stored : tc_val_any(L));
    return r;
}

static const tc_val *access_one(tc_lift *L, tc_flow *f, const tc_alt *alt, const tc_touch *a, const tc_val *stored,
                                size_t index) {
    const tc_place *p = &L->places.data[alt->place];
    if (L->host != NULL && p->kind != TC_PL_LOCAL)
        return tc_host_access(L, f, alt, a, stored);
    tc_flow g = {tc_and(L->ts, f->guard, alt->cond), f->state};
    const tc_val *ptr = tc_val_ptr(L, alt->place, alt->offset);
    tc_promise_access(L, &g, p, !writes(a->kind) || a->kind == TC_EV_ATOMIC, writes(a->kind));
    tc_restrict_access(L, g.guard, alt, a->width, writes(a->kind));
    p = &L->places.data[alt->place];
    switch (p->kind) {
    case TC_PL_OBJECT:
        return access_object(L, &g, alt->place, p->object, alt->offset, a, index);
    case TC_PL_LOCAL:
        return access_local(L, f, &g, alt, p->local, a, stored, index);
    case TC_PL_NULL:
        return access_object(L, &g, alt->place, tc_object_null(L), alt->offset, a, index);
    default:
        tc_record_hole(L, &g, TC_HOLE_MEMORY | TC_HOLE_VALUE,
                       tc_fmt(L->arena, "%s through a pointer of unknown origin", a->what), &ptr, 1);
        return a->type == NULL ? NULL : tc_val_unknown(L, a->type, "loaded", 0x10ad + index);
    }
}

const tc_val *tc_lift_touch(tc_lift *L, tc_flow *f, const tc_val *ptr, const tc_touch *a, const tc_val *stored) {
    if (ptr->kind != TC_V_PTR || ptr->nalts == 0)
        ptr = tc_val_ptr(L, tc_place_unknown(L), tc_int(L->ts, 0));
    const tc_val *r = NULL;
    for (size_t i = 0; i < ptr->nalts; i++) {
        const tc_alt *alt = &ptr->alts[i];
        if (tc_is_false(tc_lift_under(L, f->guard, alt->cond)))
            continue;
        const tc_val *v = access_one(L, f, alt, a, stored, i);
        if (a->type != NULL)
            r = r == NULL ? v : tc_val_choose(L, alt->cond, v, r, a->type);
    }
    if (r == NULL && a->type != NULL)
        r = tc_val_unknown(L, a->type, "loaded", 0x10ad);
    return r;
}

// ---- instructions ----

static bool reads_unsigned(LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user))
            continue;
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMZExt:
        case LLVMUIToFP:
        case LLVMUDiv:
        case LLVMURem:
        case LLVMLShr:
            return true;
        default:
            break;
        }
    }
    return false;
}

// CUDA's own functions have the device's scope, which IR does not say; nothing asks for more.
static tc_scope scope_of(LLVMValueRef inst) {
    tc_scope scope = tc_llvm_scope(inst);
    return scope == TC_SCOPE_SYS ? TC_SCOPE_GPU : scope;
}

static void set_order(LLVMValueRef inst, tc_touch *a) {
    a->is_volatile = LLVMGetVolatile(inst) != 0;
    a->order = tc_llvm_order(inst);
    a->scope = a->order == TC_ORD_PLAIN ? TC_SCOPE_THREAD : scope_of(inst);
    if (a->is_volatile && a->order == TC_ORD_PLAIN) { // volatile is relaxed, at system scope
        a->order = TC_ORD_RELAXED;
        a->scope = TC_SCOPE_SYS;
    }
}

const tc_val *tc_lift_load(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMTypeRef type = LLVMTypeOf(inst);
    tc_touch a = {.kind = TC_EV_READ, .what = "load", .type = type, .align = LLVMGetAlignment(inst)};
    a.width = tc_int(L->ts, (tc_i128)tc_lift_type_size(L, type));
    set_order(inst, &a);
    a.prefer_unsigned = reads_unsigned(inst);
    // __ldg is a load marked invariant.
    LLVMContextRef ctx = LLVMGetModuleContext(L->module);
    a.non_coherent = LLVMGetMetadata(inst, LLVMGetMDKindIDInContext(ctx, "invariant.load", 14)) != NULL;
    const tc_val *ptr = tc_val_as(L, tc_lift_operand(L, LLVMGetOperand(inst, 0)), LLVMTypeOf(LLVMGetOperand(inst, 0)), 0);
    const tc_val *r = tc_lift_touch(L, f, ptr, &a, NULL);
    tc_bool_load(L, f, inst, ptr, r);
    return r;
}

// The fields of a struct are stored one by one where it lies in a local; elsewhere it is one event.
static void store_struct(tc_lift *L, tc_flow *f, const tc_val *ptr, const tc_val *v, LLVMTypeRef type) {
    for (size_t i = 0; i < ptr->nalts; i++) {
        const tc_place *p = &L->places.data[ptr->alts[i].place];
        if (p->kind != TC_PL_LOCAL || p->local->demoted || !tc_is_const(ptr->alts[i].offset))
            continue;
        tc_alt alt = ptr->alts[i];
        for (unsigned k = 0; k < v->nelems; k++) {
            tc_i128 at = alt.offset->value + (tc_i128)LLVMOffsetOfElement(L->layout, type, k);
            uint64_t width = tc_lift_type_size(L, LLVMStructGetTypeAtIndex(type, k));
            if (at >= 0 && at + (tc_i128)width <= (tc_i128)p->local->size)
                tc_local_store(L, f, alt.cond, p->local, (uint64_t)at, width, v->elems[k]);
        }
    }
}

static bool may_be(const tc_lift *L, const tc_val *p, tc_place_kind kind) {
    for (size_t i = 0; i < p->nalts; i++)
        if (L->places.data[p->alts[i].place].kind == kind)
            return true;
    return p->nalts == 0;
}

// What is stored through `to`, as an integer: integers, constants of float and double by their bits, and addresses where others
// may see them; else NULL.
static tc_t stored_value(tc_lift *L, LLVMValueRef value, const tc_val *v, const tc_val *to) {
    if (v->kind == TC_V_INT)
        return v->width > 1 ? v->term : NULL;
    if (v->kind == TC_V_PTR)
        return may_be(L, to, TC_PL_OBJECT) && !may_be(L, v, TC_PL_UNKNOWN) ? tc_lift_ptr_to_int(L, v, 64)->term
                                                                           : NULL;
    LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(value));
    if (!LLVMIsAConstantFP(value) || (k != LLVMFloatTypeKind && k != LLVMDoubleTypeKind))
        return NULL;
    LLVMBool inexact;
    double d = LLVMConstRealGetDouble(value, &inexact);
    if (inexact || d != d)
        return NULL;
    uint64_t wide = 0;
    uint32_t narrow = 0;
    float f = (float)d;
    memcpy(&wide, &d, sizeof wide);
    memcpy(&narrow, &f, sizeof narrow);
    return tc_int(L->ts, k == LLVMFloatTypeKind ? (tc_i128)narrow : (tc_i128)wide);
}

// The pointer of the plain load that gave the value, in the same block of code.
static const tc_val *read_before(tc_lift *L, LLVMValueRef store, LLVMValueRef value) {
    if (!LLVMIsALoadInst(value) || LLVMGetInstructionParent(value) != LLVMGetInstructionParent(store) ||
        LLVMGetVolatile(value) || LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic)
        return NULL;
    LLVMValueRef from = LLVMGetOperand(value, 0);
    return tc_val_as(L, tc_lift_operand(L, from), LLVMTypeOf(from), 0);
}

void tc_lift_store(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    LLVMValueRef value = LLVMGetOperand(inst, 0), to = LLVMGetOperand(inst, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    const tc_val *v = tc_lift_operand(L, value), *ptr = tc_val_as(L, tc_lift_operand(L, to), LLVMTypeOf(to), 0);
    tc_touch a = {.kind = TC_EV_WRITE, .what = "store", .align = LLVMGetAlignment(inst)};
    a.width = tc_int(L->ts, (tc_i128)tc_lift_type_size(L, type));
    set_order(inst, &a);
    a.value = stored_value(L, value, v, ptr);
    a.undef = tc_val_undef(L, v);
    a.from = read_before(L, inst, value);
    a.stored = v;
    a.stored_type = type;
    bool is_struct = v->kind == TC_V_AGG && LLVMGetTypeKind(type) == LLVMStructTypeKind && ptr->kind == TC_V_PTR;
    if (L->host != NULL && !tc_host_keeps(L, ptr))
        tc_host_leak(L, v);
    tc_lift_touch(L, f, ptr, &a, is_struct ? NULL : v);
    if (is_struct)
        store_struct(L, f, ptr, v, type);
}

static const char *rmw_name(LLVMAtomicRMWBinOp op) {
    switch (op) {
    case LLVMAtomicRMWBinOpXchg:
        return "atomicExch";
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpFAdd:
        return "atomicAdd";
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpFSub:
        return "atomicSub";
    case LLVMAtomicRMWBinOpAnd:
        return "atomicAnd";
    case LLVMAtomicRMWBinOpOr:
        return "atomicOr";
    case LLVMAtomicRMWBinOpXor:
        return "atomicXor";
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpFMax:
        return "atomicMax";
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMin:
    case LLVMAtomicRMWBinOpFMin:
        return "atomicMin";
    case LLVMAtomicRMWBinOpUIncWrap:
        return "atomicInc";
    case LLVMAtomicRMWBinOpUDecWrap:
        return "atomicDec";
    default:
        return "atomic operation";
    }
}

// SOUND: a compare-and-exchange that may be weaker where it fails is taken for a relaxed one.
static tc_order update_order(LLVMValueRef inst, bool cas) {
    bool weaker = cas && LLVMGetCmpXchgFailureOrdering(inst) == LLVMAtomicOrderingMonotonic;
    return weaker ? TC_ORD_RELAXED : tc_llvm_order(inst);
}

const tc_val *tc_lift_atomic(tc_lift *L, tc_flow *f, LLVMValueRef inst) {
    bool cas = LLVMGetInstructionOpcode(inst) == LLVMAtomicCmpXchg;
    LLVMValueRef operand = LLVMGetOperand(inst, cas ? 2 : 1);
    tc_touch a = {.kind = TC_EV_ATOMIC, .order = update_order(inst, cas), .scope = scope_of(inst), .type = LLVMTypeOf(operand)};
    a.what = cas ? "atomicCAS" : rmw_name(LLVMGetAtomicRMWBinOp(inst));
    a.changing = true;
    a.replaces = !cas && LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpXchg;
    uint64_t size = tc_lift_type_size(L, a.type);
    a.width = tc_int(L->ts, (tc_i128)size);
    a.align = size;
    a.prefer_unsigned = reads_unsigned(inst);
    const tc_val *v = tc_lift_operand(L, operand);
    if (L->host != NULL) { // other threads may come first
        tc_host_leak(L, v);
        tc_host_clobber(L, f);
    }
    a.operand = v->kind == TC_V_INT && v->width > 1 ? v->term : NULL;
    if (!cas && LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpAdd)
        a.added = a.operand;
    if (!cas && LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpSub && a.operand)
        a.added = tc_neg(L->ts, a.operand);
    if (!cas && LLVMGetAtomicRMWBinOp(inst) == LLVMAtomicRMWBinOpUIncWrap)
        a.limit = a.operand;
    const tc_val *compared = cas ? tc_lift_operand(L, LLVMGetOperand(inst, 1)) : NULL;
    a.expected = compared && compared->kind == TC_V_INT && compared->width > 1 ? compared->term : NULL;
    a.put = (cas && a.expected) || a.replaces ? a.operand : NULL;
    const tc_val *r = tc_lift_touch(L, f, tc_lift_operand(L, LLVMGetOperand(inst, 0)), &a, NULL);
    if (!cas)
        return r;
    // Also a weak one is strong on these machines (PTX ISA, atom.cas).
    bool known = a.expected && r && r->kind == TC_V_INT;
    tc_t same = known ? tc_eq(L->ts, tc_wrap(L->ts, r->term, r->width, false), tc_wrap(L->ts, a.expected, r->width, false)) : NULL;
    const tc_val *pair[2] = {r, tc_val_bool(L, same ? same : tc_lift_bool_sym(L, "exchanged", 0xca5))};
    return tc_val_agg(L, pair, 2);
}

// ---- block copies ----

static uint64_t call_align(LLVMValueRef call, unsigned arg) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef at = LLVMGetCallSiteEnumAttribute(call, arg + 1, kind);
    return at == NULL ? 1 : LLVMGetEnumAttributeValue(at);
}

static tc_local *plain_local(tc_lift *L, const tc_val *p, tc_t width, uint64_t *offset) {
    if (p->kind != TC_V_PTR || p->nalts != 1 || !tc_is_const(p->alts[0].offset) || !tc_is_const(width))
        return NULL;
    const tc_place *pl = &L->places.data[p->alts[0].place];
    if (pl->kind != TC_PL_LOCAL || pl->local->demoted || p->alts[0].offset->value < 0 ||
        p->alts[0].offset->value + width->value > (tc_i128)pl->local->size)
        return NULL;
    *offset = (uint64_t)p->alts[0].offset->value;
    return pl->local;
}

// Copies the constants of an initialiser into a local's cells.
static void copy_table(tc_lift *L, tc_flow *f, tc_local *to, uint64_t at, LLVMValueRef init, uint64_t from,
                       uint64_t width) {
    static const uint64_t sizes[] = {8, 4, 2, 1};
    for (uint64_t i = 0; i < width;) {
        uint64_t step = 1;
        for (size_t k = 0; k < 4; k++) {
            LLVMValueRef x = i + sizes[k] <= width ? tc_const_at(L, init, from + i, sizes[k]) : NULL;
            if (x == NULL)
                continue;
            tc_local_store(L, f, L->tt, to, at + i, sizes[k], tc_val_const(L, x));
            step = sizes[k];
            break;
        }
        i += step;
    }
}

static void copy_into_local(tc_lift *L, tc_flow *f, tc_local *to, uint64_t at, const tc_val *from, tc_touch *a) {
    uint64_t width = (uint64_t)a->width->value;
    a->kind = TC_EV_READ;
    tc_lift_touch(L, f, from, a, NULL);
    const tc_val *bytes = tc_val_any(L);
    if (from->kind == TC_V_PTR && from->nalts == 1 && L->places.data[from->alts[0].place].kind == TC_PL_OBJECT) {
        bytes = tc_val_bytes(L, from->alts[0].place, from->alts[0].offset);
        LLVMValueRef init = tc_object_init(L, L->places.data[from->alts[0].place].object);
        tc_t off = from->alts[0].offset;
        if (init != NULL && tc_is_const(off) && off->value >= 0 && width <= 4096) {
            tc_local_store(L, f, L->tt, to, at, width, bytes);
            copy_table(L, f, to, at, init, (uint64_t)off->value, width);
            return;
        }
    }
    tc_local_store(L, f, L->tt, to, at, width, bytes);
}

// Bytes of another variable (NULL: of an object) come into a local one. What single bytes of an object are, their values tell.
static void copied_local(tc_lift *L, const tc_local *to, uint64_t at, tc_t width, const tc_local *from) {
    bool alike = from != NULL && from->type == to->type && from->param < 0 && !tc_map_has(&L->choices->other_bytes, TC_KEY(from->value));
    if (!alike)
        tc_bool_store_local(L, to, tc_int(L->ts, (tc_i128)at), width, NULL, NULL);
}

// A copy that is not followed piece by piece: the addresses that lie there get out of sight.
static void leak_copied(tc_lift *L, const tc_flow *f, const tc_val *from) {
    for (size_t i = 0; i < from->nalts; i++)
        if (L->places.data[from->alts[i].place].kind == TC_PL_LOCAL)
            tc_host_leak_cells(L, &f->state, L->places.data[from->alts[i].place].local);
}

void tc_lift_memcpy(tc_lift *L, tc_flow *f, LLVMValueRef call, const char *what) {
    const tc_val *to = tc_lift_operand(L, LLVMGetOperand(call, 0)), *from = tc_lift_operand(L, LLVMGetOperand(call, 1));
    const tc_val *n = tc_lift_operand(L, LLVMGetOperand(call, 2));
    if (n->kind != TC_V_INT) {
        tc_record_hole(L, f, TC_HOLE_MEMORY, what, (const tc_val *const[]){to, from}, 2);
        return;
    }
    tc_touch a = {.what = what, .width = tc_lift_unsigned(L, f, n, "length", false)};
    if (tc_is_const(a.width) && a.width->value == 0)
        return;
    uint64_t to_at, from_at;
    tc_local *l = plain_local(L, to, a.width, &to_at), *s = plain_local(L, from, a.width, &from_at);
    if (L->host != NULL && s == NULL)
        s = tc_host_outside_at(L, from, a.width, &from_at);
    if (L->host != NULL && (l == NULL || s == NULL))
        leak_copied(L, f, from);
    a.kind = TC_EV_READ;
    a.align = call_align(call, 1);
    if (s != NULL)
        check_local_align(L, f, s, from_at, &a);
    a.kind = TC_EV_WRITE;
    a.align = call_align(call, 0);
    if (l != NULL)
        check_local_align(L, f, l, to_at, &a);
    if (l != NULL) {
        tc_promise_access(L, f, &L->places.data[l->place], false, true);
        tc_restrict_access(L, f->guard, &to->alts[0], a.width, true);
        copied_local(L, l, to_at, a.width, s);
    }
    if (s != NULL) {
        tc_promise_access(L, f, &L->places.data[s->place], true, false);
        tc_restrict_access(L, f->guard, &from->alts[0], a.width, false);
    }
    if (l != NULL && s != NULL) {
        tc_local_copy(L, f, l, to_at, s, from_at, (uint64_t)a.width->value);
        return;
    }
    a.align = call_align(call, 1);
    if (l != NULL) {
        copy_into_local(L, f, l, to_at, from, &a);
        return;
    }
    a.kind = TC_EV_READ;
    if (s == NULL)
        tc_lift_touch(L, f, from, &a, NULL);
    a.kind = TC_EV_WRITE;
    a.align = call_align(call, 0);
    a.from = s == NULL ? from : NULL;
    if (s != NULL && from_at == 0 && (uint64_t)a.width->value == s->size) {
        L->dry++; // for what it says of single bytes
        a.stored = tc_local_load(L, f, s, 0, s->type);
        a.stored_type = s->type;
        L->dry--;
    }
    tc_lift_touch(L, f, to, &a, NULL);
}

void tc_lift_copy_in(tc_lift *L, tc_flow *f, tc_local *to, const tc_val *ptr) {
    uint64_t at;
    tc_touch a = {.what = "copy of an argument", .width = tc_int(L->ts, (tc_i128)to->size), .align = 1};
    tc_local *s = plain_local(L, ptr, a.width, &at);
    copied_local(L, to, 0, a.width, s);
    if (L->host != NULL && (s == NULL || to->demoted))
        leak_copied(L, f, ptr);
    if (s != NULL && !to->demoted)
        tc_local_copy(L, f, to, 0, s, at, to->size);
    else if (!to->demoted)
        copy_into_local(L, f, to, 0, ptr, &a);
    else
        tc_local_set_filled(L, f, to, 0, to->size);
}

void tc_lift_memset(tc_lift *L, tc_flow *f, LLVMValueRef call) {
    const tc_val *to = tc_lift_operand(L, LLVMGetOperand(call, 0)), *byte = tc_lift_operand(L, LLVMGetOperand(call, 1));
    const tc_val *n = tc_lift_operand(L, LLVMGetOperand(call, 2));
    if (n->kind != TC_V_INT) {
        tc_record_hole(L, f, TC_HOLE_MEMORY, "memset", &to, 1);
        return;
    }
    tc_touch a = {.kind = TC_EV_WRITE, .what = "memset", .width = tc_lift_unsigned(L, f, n, "length", false)};
    if (tc_is_const(a.width) && a.width->value == 0)
        return;
    a.align = call_align(call, 0);
    a.stored = byte;
    bool zero = byte->kind == TC_V_INT && tc_is_const(byte->term) && byte->term->value == 0;
    tc_lift_touch(L, f, to, &a, zero ? tc_val_zero_bytes(L) : NULL);
}
