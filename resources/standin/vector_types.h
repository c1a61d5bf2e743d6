// The built-in vector types. Sizes and alignments: CUDA C++ Programming Guide, "Built-in Vector Types".
#ifndef TILECHECK_STANDIN_VECTOR_TYPES_H
#define TILECHECK_STANDIN_VECTOR_TYPES_H

#include "crt/host_defines.h"

// V(name prefix, element, alignment of 1, 2, 3 and 4 elements)
#define TC_VECTOR_TYPES(V)                                                                                             \
    V(char, signed char, 1, 2, 1, 4)                                                                                   \
    V(uchar, unsigned char, 1, 2, 1, 4)                                                                                \
    V(short, short, 2, 4, 2, 8)                                                                                        \
    V(ushort, unsigned short, 2, 4, 2, 8)                                                                              \
    V(int, int, 4, 8, 4, 16)                                                                                           \
    V(uint, unsigned int, 4, 8, 4, 16)                                                                                 \
    V(long, long, 8, 16, 8, 16)                                                                                        \
    V(ulong, unsigned long, 8, 16, 8, 16)                                                                              \
    V(longlong, long long, 8, 16, 8, 16)                                                                               \
    V(ulonglong, unsigned long long, 8, 16, 8, 16)                                                                     \
    V(float, float, 4, 8, 4, 16)                                                                                       \
    V(double, double, 8, 16, 8, 16)

#define TC_VECTOR(name, element, a1, a2, a3, a4)                                                                       \
    struct __align__(a1) name##1 {                                                                                     \
        element x;                                                                                                     \
    };                                                                                                                 \
    struct __align__(a2) name##2 {                                                                                     \
        element x, y;                                                                                                  \
    };                                                                                                                 \
    struct __align__(a3) name##3 {                                                                                     \
        element x, y, z;                                                                                               \
    };                                                                                                                 \
    struct __align__(a4) name##4 {                                                                                     \
        element x, y, z, w;                                                                                            \
    };                                                                                                                 \
    typedef struct name##1 name##1;                                                                                    \
    typedef struct name##2 name##2;                                                                                    \
    typedef struct name##3 name##3;                                                                                    \
    typedef struct name##4 name##4;
TC_VECTOR_TYPES(TC_VECTOR)
#undef TC_VECTOR

// Four 64-bit elements with the alignment in the name.
#define TC_VECTOR(name, element)                                                                                       \
    struct __align__(16) name##4_16a {                                                                                 \
        element x, y, z, w;                                                                                            \
    };                                                                                                                 \
    struct __align__(32) name##4_32a {                                                                                 \
        element x, y, z, w;                                                                                            \
    };                                                                                                                 \
    typedef struct name##4_16a name##4_16a;                                                                            \
    typedef struct name##4_32a name##4_32a;
TC_VECTOR(long, long)
TC_VECTOR(ulong, unsigned long)
TC_VECTOR(longlong, long long)
TC_VECTOR(ulonglong, unsigned long long)
TC_VECTOR(double, double)
#undef TC_VECTOR

struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
