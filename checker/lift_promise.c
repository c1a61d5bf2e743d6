// What a device function's attributes promise the compiler: that it writes nothing or depends on nothing but its arguments (pure,
// const), that pointers are not null (nonnull, returns_nonnull). What is not shown is an assumption. None of it is used: the code is
// followed as it stands.
#include <string.h>

#include "checker/lift.h"

static const char taken[] = "the compiler takes it as a fact";

static LLVMAttributeRef attribute(LLVMValueRef function, unsigned at, const char *name, size_t n) {
    return LLVMGetEnumAttributeAtIndex(function, at, LLVMGetEnumAttributeKindForName(name, n));
}

const char *tc_promise_name(tc_lift *L, LLVMValueRef function) {
    const char *name = tc_unit_function_name(L->arena, L->module, tc_unit_function_number(L->module, function));
    return name != NULL ? name : "a function";
}

// ---- pure and const ----

// Of two bits for each kind of memory: the lower one for reads, the upper one for writes (LLVM's MemoryEffects).
static const uint64_t all_reads = 0x55555555, all_writes = 0xaaaaaaaa;

// The outermost function being executed that promises not to do it; NULL: none.
static const tc_frame *forbidding(const tc_lift *L, uint64_t bits) {
    const tc_frame *found = NULL;
    for (const tc_frame *f = L->frame; f != NULL && f->caller != NULL; f = f->caller) {
        LLVMAttributeRef m = attribute(f->cfg->function, (unsigned)LLVMAttributeFunctionIndex, "memory", 6);
        if (m != NULL && (LLVMGetEnumAttributeValue(m) & bits) == 0)
            found = f;
    }
    return found;
}

static bool is_of(const tc_frame *f, const tc_node *node) {
    for (; node != NULL; node = node->parent)
        if (node == f->node)
            return true;
    return false;
}

static void broken(tc_lift *L, tc_flow *f, const tc_frame *by, const char *what) {
    tc_record_assumption(L, f, L->ff, tc_fmt(L->arena, "'%s' %s", tc_promise_name(L, by->cfg->function), what), taken);
}

// The function's own variables, and those of the functions that it calls, are nobody's memory.
void tc_promise_access(tc_lift *L, tc_flow *f, const tc_place *p, bool reads, bool writes) {
    const tc_frame *w = writes ? forbidding(L, all_writes) : NULL, *r = reads ? forbidding(L, all_reads) : NULL;
    if (p->kind == TC_PL_LOCAL) {
        w = w != NULL && is_of(w, p->local->node) ? NULL : w;
        r = r != NULL && is_of(r, p->local->node) ? NULL : r;
    }
    if (p->kind == TC_PL_OBJECT && tc_object_is_steady(L, p->object))
        r = NULL; // one value, whenever it is read
    if (w != NULL)
        broken(L, f, w, "writes nothing, says its attribute");
    else if (r != NULL)
        broken(L, f, r, "depends on its arguments alone, says its attribute");
}

void tc_promise_effect(tc_lift *L, tc_flow *f) {
    const tc_frame *w = forbidding(L, all_writes);
    if (w != NULL)
        broken(L, f, w, "has no effect, says its attribute");
}

// ---- nonnull ----

static tc_t not_null(tc_lift *L, const tc_val *v, bool is_reference) {
    tc_t all = L->tt;
    for (size_t i = 0; i < v->nalts; i++) {
        const tc_alt *a = &v->alts[i];
        const tc_place *p = &L->places.data[a->place];
        tc_t x = L->tt;
        if (p->kind == TC_PL_NULL)
            x = tc_ne(L->ts, a->offset, tc_int(L->ts, 0));
        else if (p->kind == TC_PL_UNKNOWN && !is_reference)
            x = tc_lift_bool_sym(L, "pointer != nullptr", 0x90a + i);
        else if (p->kind == TC_PL_OBJECT) // one that a contract calls optional; else also one that may have no elements
            x = is_reference ? L->m->objects.data[p->object].nonnull : tc_object_nonnull(L, p->object);
        all = tc_and(L->ts, all, tc_implies(L->ts, a->cond, x));
    }
    return tc_lift_under(L, L->tt, all);
}

static void check_not_null(tc_lift *L, tc_flow *f, LLVMValueRef function, unsigned at, const tc_val *v, const char *text) {
    if (v == NULL || v->kind != TC_V_PTR || attribute(function, at, "nonnull", 7) == NULL)
        return;
    bool is_reference = attribute(function, at, "dereferenceable", 15) != NULL;
    tc_t cond = tc_lift_under(L, f->guard, not_null(L, v, is_reference));
    tc_record_assumption(L, f, cond, text, taken);
}

void tc_promise_result(tc_lift *L, tc_flow *f, LLVMValueRef function, const tc_val *r) {
    check_not_null(L, f, function, 0, r, tc_fmt(L->arena, "what '%s' returns is not null", tc_promise_name(L, function)));
}

void tc_promise_arguments(tc_lift *L, tc_flow *f, LLVMValueRef function, const tc_val *const *args, size_t nargs) {
    for (unsigned i = 0; i < LLVMCountParams(function) && i < nargs; i++)
        check_not_null(L, f, function, i + 1, args[i],
                       tc_fmt(L->arena, "argument %u of '%s' is not null", i + 1, tc_promise_name(L, function)));
}

// ---- __builtin_assume_aligned and other bundles of llvm.assume ----

void tc_promise_bundles(tc_lift *L, tc_flow *f, LLVMValueRef call) {
    for (unsigned i = 0; i < LLVMGetNumOperandBundles(call); i++) {
        LLVMOperandBundleRef b = LLVMGetOperandBundleAtIndex(call, i);
        size_t n;
        const char *tag = tc_strndup(L->arena, LLVMGetOperandBundleTag(b, &n), n);
        bool align = strcmp(tag, "align") == 0 && LLVMGetNumOperandBundleArgs(b) >= 2;
        tc_t cond = tc_lift_bool_sym(L, "promised", 0xb0d + i);
        const char *text = tc_fmt(L->arena, "what the code says of a pointer ('%s')", tag);
        if (align) {
            const tc_val *p = tc_lift_operand(L, LLVMGetOperandBundleArgAtIndex(b, 0));
            const tc_val *by = tc_lift_operand(L, LLVMGetOperandBundleArgAtIndex(b, 1));
            const tc_val *off = LLVMGetNumOperandBundleArgs(b) > 2 ? tc_lift_operand(L, LLVMGetOperandBundleArgAtIndex(b, 2)) : NULL;
            if (p->kind == TC_V_PTR && by->kind == TC_V_INT && tc_is_const(by->term) && by->term->value > 0 &&
                (off == NULL || off->kind == TC_V_INT)) {
                tc_t at = tc_lift_ptr_to_int(L, p, 64)->term;
                if (off != NULL)
                    at = tc_sub(L->ts, at, off->term);
                cond = tc_eq(L->ts, tc_mod(L->ts, at, by->term), tc_int(L->ts, 0));
                text = tc_fmt(L->arena, "the address is a multiple of %s", tc_i128_text(L->arena, by->term->value));
            }
        }
        LLVMDisposeOperandBundle(b);
        tc_record_assumption(L, f, tc_lift_under(L, f->guard, cond), text, taken);
    }
}
