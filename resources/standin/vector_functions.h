// make_float4 and the like.
#ifndef TILECHECK_STANDIN_VECTOR_FUNCTIONS_H
#define TILECHECK_STANDIN_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define TC_MAKE(name, E, a1, a2, a3, a4)                                                                               \
    static __inline__ __host__ __device__ name##1 make_##name##1(E x) {                                                \
        return {x};                                                                                                    \
    }                                                                                                                  \
    static __inline__ __host__ __device__ name##2 make_##name##2(E x, E y) {                                           \
        return {x, y};                                                                                                 \
    }                                                                                                                  \
    static __inline__ __host__ __device__ name##3 make_##name##3(E x, E y, E z) {                                      \
        return {x, y, z};                                                                                              \
    }                                                                                                                  \
    static __inline__ __host__ __device__ name##4 make_##name##4(E x, E y, E z, E w) {                                 \
        return {x, y, z, w};                                                                                           \
    }
TC_VECTOR_TYPES(TC_MAKE)
#undef TC_MAKE

#endif
