#include "base/vec.h"

#include <string.h>

#include "base/internal.h"

enum { FIRST = 8 };

void *tc_vec_grow(tc_arena *a, void *data, size_t *cap, size_t size) {
    size_t bigger = *cap ? *cap * 2 : FIRST;
    if (bigger < *cap)
        tc_trap_out_of_memory(tc_arena_trap(a));
    void *grown = tc_alloc_array(a, bigger, size);
    if (*cap)
        memcpy(grown, data, *cap * size);
    *cap = bigger;
    return grown;
}
