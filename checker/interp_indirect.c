// Calls through pointers: the code of each function that the pointer may be of, and jumps to the one that it is of.
//
// These are the functions of the module that have the call's type and a body, and whose addresses are taken somewhere.
#include "checker/interp_decode.h"

enum { MAX_TARGETS = 32 };

static bool is_callee_only(LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != f)
            return false;
        for (unsigned k = 0; k < LLVMGetNumArgOperands(user); k++)
            if (LLVMGetOperand(user, k) == f)
                return false;
    }
    return true;
}

static void find_targets(tc_decoder *d, LLVMValueRef call, tc_u32s *out) {
    uint32_t n = 1;
    for (LLVMValueRef f = LLVMGetFirstFunction(d->u->module); f; f = LLVMGetNextFunction(f), n++)
        if (!LLVMIsDeclaration(f) && LLVMGlobalGetValueType(f) == LLVMGetCalledFunctionType(call) && !is_callee_only(f))
            tc_push(d->a, out, n);
}

static void note_callable(tc_decoder *d, uint32_t number) {
    for (size_t i = 0; i < d->p->callable.len; i++)
        if (d->p->callable.data[i] == number)
            return;
    tc_push(d->a, &d->p->callable, number);
}

// The call, if the pointer is this function; what follows is for where it is not.
static void decode_target(tc_decoder *d, LLVMValueRef call, uint32_t pointer, uint32_t number, uint32_t end) {
    uint32_t is = tc_regs_new(d, 1), here = tc_label_new(d), next = tc_label_new(d);
    tc_regs_free(d, is, 1);
    const uint32_t address = tc_const_reg(d, (tc_reg){.bits = tc_function_address(number)});
    tc_emit(d, TC_OP_PEQ, 64, is, pointer, address, 0, 0);
    tc_emit_at(d, tc_place_here(d, NULL), TC_OP_BR, TC_GUARDS, here, is, 0, next, 0);
    tc_label_here(d, here);
    tc_decode_callee(d, call, tc_unit_function(d->u->module, number));
    tc_emit(d, TC_OP_JMP, 0, end, 0, 0, 0, 0);
    tc_label_here(d, next);
}

void tc_decode_indirect(tc_decoder *d, LLVMValueRef call) {
    tc_u32s targets = {0};
    find_targets(d, call, &targets);
    uint32_t pointer = tc_use(d, LLVMGetCalledValue(call)), end = tc_label_new(d);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
        tc_def(d, call); // before any of them, so that it is the same for all
    if (targets.len > MAX_TARGETS) {
        tc_emit_stop(d, "a call through a pointer that may be of very many functions");
        return;
    }
    // Each of them uses the arguments once, and so does the call itself.
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        for (size_t i = 0; i < targets.len; i++)
            tc_retain(d, LLVMGetOperand(call, k));
    for (size_t i = 0; i < targets.len; i++) {
        note_callable(d, targets.data[i]);
        decode_target(d, call, pointer, targets.data[i], end);
    }
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        tc_value(d, LLVMGetOperand(call, k));
    tc_emit_at(d, tc_place_here(d, "call"), TC_OP_BADCALL, 0, 0, pointer, 0, 0, 0);
    tc_label_here(d, end);
}
