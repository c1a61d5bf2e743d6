// Calls through pointers: each function that the pointer may be, on a path of its own.
//
// A pointer that the kernel is given may be any function. Where the code compares it with one, the outcome is a symbol, one
// for the whole kernel; behind "it is f or g" there is no path left on which it is neither.
#include "base/demangle.h"
#include "checker/lift.h"

static bool is_at(const tc_lift *L, const tc_val *v, tc_place_kind kind) {
    return v->kind == TC_V_PTR && v->nalts == 1 && L->places.data[v->alts[0].place].kind == kind &&
           tc_is_const(v->alts[0].offset) && v->alts[0].offset->value == 0;
}

// The parameter that the place is the pointer of; TC_NONE.
static uint32_t param_of(const tc_lift *L, uint32_t place) {
    const tc_place *p = &L->places.data[place];
    if (p->kind != TC_PL_OBJECT || L->m->objects.data[p->object].value != NULL)
        return TC_NONE;
    return p->object;
}

static const char *function_name(tc_lift *L, LLVMValueRef function) {
    size_t n;
    return tc_demangle(L->arena, LLVMGetValueName2(function, &n));
}

// SOUND: two functions have two addresses; a pointer of which the contract says nothing has one outcome for each.
static tc_t equality(tc_lift *L, uint32_t object, LLVMValueRef function) {
    const tc_object *o = &L->m->objects.data[object];
    const tc_function_param *p = tc_contract_function(L->contract, o->param, o->param_offset);
    uint32_t number = tc_unit_function_number(L->module, function);
    if (p != NULL && number != 0)
        return tc_eq(L->ts, p->which, tc_int(L->ts, number));
    tc_sym *s = tc_sym_new(L->ts, tc_fmt(L->arena, "%s is %s", o->name, function_name(L, function)), TC_SYM_UNKNOWN,
                           TC_VAR_LAUNCH, TC_BOOL);
    tc_map_put(L->arena, &L->born, TC_KEY(s), L->root);
    return tc_of_sym(L->ts, s);
}

static tc_t same_function(tc_lift *L, uint32_t object, LLVMValueRef function) {
    for (size_t i = 0; i < L->compared.len; i++)
        if (L->compared.data[i].object == object && L->compared.data[i].function == function)
            return L->compared.data[i].equal;
    tc_t t = equality(L, object, function);
    tc_push(L->arena, &L->compared, ((tc_compared){object, function, t}));
    return t;
}

tc_t tc_lift_is_function(tc_lift *L, const tc_val *a, const tc_val *b) {
    if (is_at(L, a, TC_PL_FUNCTION)) {
        const tc_val *other = a;
        a = b;
        b = other;
    }
    if (!is_at(L, a, TC_PL_OBJECT) || !is_at(L, b, TC_PL_FUNCTION))
        return NULL;
    uint32_t object = param_of(L, a->alts[0].place);
    return object == TC_NONE ? NULL : same_function(L, object, L->places.data[b->alts[0].place].function);
}

// ---- calls ----

typedef struct target {
    tc_t cond;
    LLVMValueRef function; // NULL: not known which
    tc_t callable;         // where it is not: the condition under which it is some function
} target;
typedef TC_VEC(target) targets;

static bool fits(LLVMValueRef function, LLVMValueRef call) {
    return LLVMGlobalGetValueType(function) == LLVMGetCalledFunctionType(call);
}

static void targets_of_param(tc_lift *L, const tc_alt *a, uint32_t object, LLVMValueRef call, targets *out) {
    tc_t rest = a->cond;
    for (size_t i = 0; i < L->compared.len; i++) {
        const tc_compared *c = &L->compared.data[i];
        if (c->object != object || !fits(c->function, call))
            continue;
        tc_push(L->arena, out, ((target){tc_and(L->ts, rest, c->equal), c->function, L->tt}));
        rest = tc_and(L->ts, rest, tc_not(L->ts, c->equal));
    }
    tc_push(L->arena, out, ((target){rest, NULL, tc_object_nonnull(L, object)}));
}

// Null, and what was moved away from a function by a constant, is none.
static tc_t is_some_function(tc_lift *L, const tc_alt *a, size_t index) {
    const tc_place *pl = &L->places.data[a->place];
    const bool moved = tc_is_const(a->offset) && a->offset->value != 0;
    const bool pointer = pl->kind == TC_PL_FUNCTION || param_of(L, a->place) != TC_NONE;
    if (pl->kind == TC_PL_NULL ? !moved && tc_is_const(a->offset) : pointer && moved)
        return L->ff;
    return pl->kind == TC_PL_FUNCTION && tc_is_const(a->offset)
               ? L->tt
               : tc_lift_bool_sym(L, "a function is called", 0xca11 + index);
}

// SOUND: the conditions of a pointer's alternatives exclude each other and leave nothing out, and so do these.
static targets targets_of(tc_lift *L, const tc_val *p, LLVMValueRef call) {
    targets out = {0};
    for (size_t i = 0; i < p->nalts; i++) {
        const tc_alt *a = &p->alts[i];
        const tc_place *pl = &L->places.data[a->place];
        bool base = tc_is_const(a->offset) && a->offset->value == 0;
        uint32_t object = param_of(L, a->place);
        if (base && pl->kind == TC_PL_FUNCTION && fits(pl->function, call))
            tc_push(L->arena, &out, ((target){a->cond, pl->function, L->tt}));
        else if (base && object != TC_NONE)
            targets_of_param(L, a, object, call, &out);
        else
            tc_push(L->arena, &out, ((target){a->cond, NULL, is_some_function(L, a, i)}));
    }
    if (p->nalts == 0)
        tc_push(L->arena, &out, ((target){L->tt, NULL, tc_lift_bool_sym(L, "a function is called", 0xca11)}));
    return out;
}

static const tc_val *call_target(tc_lift *L, tc_flow *f, const target *t, LLVMValueRef call) {
    tc_node *node = L->node;
    L->node = tc_lift_node(L, node, tc_hash_mix(TC_KEY(call), TC_KEY(t->function)));
    if (t->function != NULL) {
        tc_lift_call_function(L, f, t->function, call);
    } else {
        tc_record_check(L, f, TC_CK_CALL, t->callable, t->callable, "call through a pointer", call);
        // SOUND: nobody comes back from there; every proof leans on nobody coming there (depends.c).
        if (tc_is_false(t->callable))
            f->guard = L->ff;
        else
            tc_lift_unknown_call(L, f, "call through a pointer", call);
    }
    L->node = node;
    bool has_result = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind && !tc_is_false(f->guard);
    return has_result ? tc_lift_operand(L, call) : NULL;
}

void tc_lift_indirect(tc_lift *L, tc_flow *f, LLVMValueRef call) {
    const tc_val *p = tc_lift_operand(L, LLVMGetCalledValue(call)), none = {.kind = TC_V_PTR};
    targets all = targets_of(L, p->kind == TC_V_PTR ? p : &none, call);
    tc_edges out = {0};
    const tc_val *r = NULL;
    tc_t guard = f->guard;
    bool all_return = true;
    for (size_t i = all.len; i-- > 0;) {
        tc_flow g = tc_flow_fork(L, f, all.data[i].cond);
        if (tc_is_false(g.guard))
            continue;
        tc_t before = g.guard;
        const tc_val *v = call_target(L, &g, &all.data[i], call);
        all_return &= g.guard == before;
        if (v != NULL)
            r = r == NULL ? v : tc_val_choose(L, all.data[i].cond, v, r, LLVMTypeOf(call));
        tc_push(L->arena, &out, ((tc_edge){0, 0, g}));
    }
    if (out.len > 0)
        *f = tc_flow_merge(L, out.data, out.len);
    if (all_return)
        f->guard = guard; // SOUND: one of the conditions holds
    if (r != NULL)
        tc_lift_set(L, call, r);
}
