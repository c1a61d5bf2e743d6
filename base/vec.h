// Growing arrays in an arena: TC_VEC(T) is a struct { T *data; size_t len, cap; }, zero-initialised empty.
#ifndef TC_BASE_VEC_H
#define TC_BASE_VEC_H

#include "base/arena.h"

#define TC_VEC(T)                                                                                                      \
    struct {                                                                                                           \
        T *data;                                                                                                       \
        size_t len, cap;                                                                                               \
    }

#define tc_push(arena, v, item)                                                                                        \
    ((v)->len == (v)->cap ? (void)((v)->data = tc_vec_grow((arena), (v)->data, &(v)->cap, sizeof *(v)->data)) : (void)0, \
     (void)((v)->data[(v)->len++] = (item)))

#define tc_pop(v) ((v)->data[--(v)->len])
#define tc_last(v) ((v)->data[(v)->len - 1])

// Doubles the capacity; contents are kept, the old array stays in the arena.
void *tc_vec_grow(tc_arena *a, void *data, size_t *cap, size_t size);

#endif
