// How strong an atomic instruction or a fence of LLVM's IR is.
#ifndef TC_CHECKER_STRENGTH_H
#define TC_CHECKER_STRENGTH_H

#include <llvm-c/Core.h>

#include "checker/model.h"

// Of a compare-and-exchange, what it is when it stores. A read-modify-write that is sequentially consistent is taken for a
// relaxed one: that is what Clang makes of CUDA's relaxed functions.
tc_order tc_llvm_order(LLVMValueRef inst);
tc_scope tc_llvm_scope(LLVMValueRef inst);

// What an operation or a fence of this order does (PTX ISA, "Release and Acquire Patterns").
bool tc_acquires(tc_order o);
bool tc_releases(tc_order o);

#endif
