#include "checker/strength.h"

#include <string.h>

tc_order tc_llvm_order(LLVMValueRef inst) {
    bool cas = LLVMIsAAtomicCmpXchgInst(inst) != NULL, update = cas || LLVMIsAAtomicRMWInst(inst) != NULL;
    switch (cas ? LLVMGetCmpXchgSuccessOrdering(inst) : LLVMGetOrdering(inst)) {
    case LLVMAtomicOrderingNotAtomic:
        return TC_ORD_PLAIN;
    case LLVMAtomicOrderingAcquire:
        return TC_ORD_ACQUIRE;
    case LLVMAtomicOrderingRelease:
        return TC_ORD_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
        return TC_ORD_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return update ? TC_ORD_RELAXED : TC_ORD_SEQ_CST;
    default:
        return TC_ORD_RELAXED;
    }
}

bool tc_acquires(tc_order o) { return o == TC_ORD_ACQUIRE || o >= TC_ORD_ACQ_REL; }
bool tc_releases(tc_order o) { return o == TC_ORD_RELEASE || o >= TC_ORD_ACQ_REL; }

// SOUND: a scope of another name holds nobody else.
tc_scope tc_llvm_scope(LLVMValueRef inst) {
    static const struct {
        const char *name; // of the NVPTX target
        tc_scope scope;
    } scopes[] = {
        {"", TC_SCOPE_SYS}, {"device", TC_SCOPE_GPU}, {"cluster", TC_SCOPE_CLUSTER}, {"block", TC_SCOPE_CTA}};
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(inst));
    unsigned id = LLVMGetAtomicSyncScopeID(inst);
    for (size_t i = 0; i < sizeof scopes / sizeof *scopes; i++)
        if (id == LLVMGetSyncScopeID(c, scopes[i].name, strlen(scopes[i].name)))
            return scopes[i].scope;
    return TC_SCOPE_THREAD;
}
