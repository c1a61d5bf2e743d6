// What a kernel's last launches lent, by thread: programs launch alike over and over, and a launch with the same arguments, grid, block and
// shared memory lends the same and breaks nothing, so that no formula need be evaluated. Under the lock of the shim.
#ifndef TC_RUNTIME_MEMO_H
#define TC_RUNTIME_MEMO_H

#include "runtime-shim/contract.h"
#include "runtime-shim/event.h"

typedef struct memo memo;

// For a kernel that lends at most so many uses. NULL: no memory, or its arguments are more than are kept. The record outlives it.
memo *memo_new(const tc_embedded *record, unsigned uses);

// The uses of the last launch that this thread kept, if that one was the same; else NULL. They hold until the next memo_keep.
const tc_rt_use *memo_find(const memo *m, uint32_t thread, const tc_embedded_launch *l, size_t *n);
// A launch that met all conditions.
void memo_keep(memo *m, uint32_t thread, const tc_embedded_launch *l, const tc_rt_use *uses, size_t n);

#endif
