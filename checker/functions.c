// Functions of the module as numbers: what a pointer to one is in a launch.
#include <string.h>

#include <llvm-c/Core.h>

#include "base/demangle.h"
#include "checker/unit.h"

uint32_t tc_unit_function_number(LLVMModuleRef module, LLVMValueRef function) {
    uint32_t n = 1;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f), n++)
        if (f == function)
            return n;
    return 0;
}

LLVMValueRef tc_unit_function(LLVMModuleRef module, uint32_t number) {
    LLVMValueRef f = number ? LLVMGetFirstFunction(module) : NULL;
    for (uint32_t n = 1; f && n < number; n++)
        f = LLVMGetNextFunction(f);
    return f;
}

const char *tc_unit_function_name(tc_arena *a, LLVMModuleRef module, uint32_t number) {
    LLVMValueRef f = tc_unit_function(module, number);
    size_t n;
    return f ? tc_demangle(a, LLVMGetValueName2(f, &n)) : "";
}

bool tc_unit_is_everywhere(LLVMValueRef function) {
    static const char prefix[] = "tc_everywhere_";
    size_t n;
    const char *name = LLVMGetValueName2(function, &n);
    if (n < sizeof prefix - 1 || memcmp(name, prefix, sizeof prefix - 1) != 0 || LLVMIsDeclaration(function))
        return false;
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    return LLVMCountParams(function) == 0 && LLVMGetTypeKind(result) == LLVMVoidTypeKind;
}
