// Source places from debug information.
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "checker/lift.h"

// Headers of compilers and toolkits, and the contract language's own, are not where a user looks for a fault.
static bool is_system_file(const char *dir, const char *name) {
    static const char *const parts[] = {"/lib/clang/", "/usr/include/", "/cuda/include/", "/cuda/targets/",
                                        "/standin/",   "/c++/",         "tilecheck.h",    "/nvidia/",
                                        "cuda_runtime.h", "cuda_runtime_api.h"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]) != NULL || (name[0] != '/' && strstr(dir, parts[i]) != NULL))
            return true;
    return strncmp(name, "/usr/local/cuda", 15) == 0;
}

static bool inst_loc(tc_lift *L, LLVMValueRef inst, tc_loc *loc, bool *system) {
    LLVMMetadataRef d = inst != NULL && LLVMIsAInstruction(inst) ? LLVMInstructionGetDebugLoc(inst) : NULL;
    if (d == NULL)
        return false;
    LLVMMetadataRef scope = LLVMDILocationGetScope(d);
    LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
    *loc = (tc_loc){0, LLVMDILocationGetLine(d), LLVMDILocationGetColumn(d), 0, 0};
    *system = false;
    if (file != NULL) {
        unsigned nd, nf;
        const char *dir = LLVMDIFileGetDirectory(file, &nd), *name = LLVMDIFileGetFilename(file, &nf);
        const char *d0 = tc_strndup(L->arena, dir == NULL ? "" : dir, dir == NULL ? 0 : nd);
        const char *n0 = tc_strndup(L->arena, name == NULL ? "" : name, name == NULL ? 0 : nf);
        *system = is_system_file(d0, n0);
        loc->file = tc_unit_file(L->unit, d0, n0);
    }
    return loc->line != 0;
}

// The innermost place in the user's files: of the instruction itself, or of the call that led to it.
tc_loc tc_lift_loc(tc_lift *L, LLVMValueRef inst, tc_notes *inlined) {
    tc_loc loc = {0}, at;
    bool system, found = false;
    if (inst_loc(L, inst, &at, &system) && !system) {
        loc = at;
        found = true;
    }
    for (const tc_frame *f = L->frame; f != NULL && f->caller != NULL; f = f->caller) {
        if (!inst_loc(L, f->call, &at, &system) || system)
            continue;
        if (!found) {
            loc = at;
            found = true;
        } else if (inlined != NULL) {
            tc_note n = {at, "called from here"};
            tc_push(L->arena, inlined, n);
        }
    }
    return loc;
}
