// Loads and stores with a cache hint that Clang's headers lack: __ldca, __ldlu, __stwb, __stcg, __stcs. The hint does
// not change what is read or written, so for checking they are plain accesses.
#ifndef TILECHECK_COMPAT_CACHE_HINTS_H
#define TILECHECK_COMPAT_CACHE_HINTS_H

#define TC_CACHE_HINT_TYPES(X)                                                                                         \
    X(char)                                                                                                            \
    X(signed char) X(short) X(int) X(long) X(long long) X(unsigned char) X(unsigned short) X(unsigned int)             \
        X(unsigned long) X(unsigned long long) X(float) X(double) X(char2) X(char4) X(uchar2) X(uchar4) X(short2)      \
            X(short4) X(ushort2) X(ushort4) X(int2) X(int4) X(uint2) X(uint4) X(longlong2) X(ulonglong2) X(float2)     \
                X(float4) X(double2)
#define TC_CACHE_HINTS(T)                                                                                              \
    static __inline__ __device__ __attribute__((always_inline)) T __ldca(const T *p) {                                 \
        return *p;                                                                                                     \
    }                                                                                                                  \
    static __inline__ __device__ __attribute__((always_inline)) T __ldlu(const T *p) {                                 \
        return *p;                                                                                                     \
    }                                                                                                                  \
    static __inline__ __device__ __attribute__((always_inline)) void __stwb(T *p, T v) {                               \
        *p = v;                                                                                                        \
    }                                                                                                                  \
    static __inline__ __device__ __attribute__((always_inline)) void __stcg(T *p, T v) {                               \
        *p = v;                                                                                                        \
    }                                                                                                                  \
    static __inline__ __device__ __attribute__((always_inline)) void __stcs(T *p, T v) {                               \
        *p = v;                                                                                                        \
    }
TC_CACHE_HINT_TYPES(TC_CACHE_HINTS)
#undef TC_CACHE_HINTS
#undef TC_CACHE_HINT_TYPES

#endif
