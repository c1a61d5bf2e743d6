// What a kernel does before it has waited for the grids before it (griddepcontrol.wait).
//
// A kernel with the attribute of programmatic stream serialisation may begin while its predecessor on the stream still runs. What it touches before
// its wait meets what that one writes; what it touches behind it comes after (CUDA C++ Programming Guide, Programmatic Dependent Launch and
// Synchronization). And where each thread waits before it ends, the end of the kernel says that its predecessors have ended: who waits for it has waited for
// them.
#ifndef TC_CHECKER_WAITS_H
#define TC_CHECKER_WAITS_H

#include "checker/model.h"

typedef struct tc_waits {
    bool first; // each thread waits before it ends, and before it nothing but objects of the contract is touched: those that are `early`
    bool *early;     // of each object of the contract
    const char *why; // why not first
} tc_waits;

tc_waits tc_waits_of(tc_arena *a, const tc_kmodel *m);

#endif
