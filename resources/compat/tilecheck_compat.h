// What nvcc accepts and Clang with the toolkit's headers does not. Included before the first line of a file that is
// checked with a toolkit (-include).
#ifndef TILECHECK_COMPAT_H
#define TILECHECK_COMPAT_H

#ifdef __CUDA__

#include "cache_hints.h"
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Clang knows managed memory for HIP only.
#undef __managed__
#define __managed__ __attribute__((device))

// Host code may call the device's min and max under nvcc.
#define TC_MIN_MAX(T)                                                                                                  \
    static __inline__ __host__ T min(T a, T b) {                                                                       \
        return b < a ? b : a;                                                                                          \
    }                                                                                                                  \
    static __inline__ __host__ T max(T a, T b) {                                                                       \
        return a < b ? b : a;                                                                                          \
    }
TC_MIN_MAX(int)
TC_MIN_MAX(unsigned int)
TC_MIN_MAX(long)
TC_MIN_MAX(unsigned long)
TC_MIN_MAX(long long)
TC_MIN_MAX(unsigned long long)
TC_MIN_MAX(float)
TC_MIN_MAX(double)
#undef TC_MIN_MAX

// Signatures as they were before CUDA 13.
#if CUDART_VERSION >= 13000
static inline cudaError_t cudaMemAdvise(const void *p, size_t size, enum cudaMemoryAdvise advice, int device) {
    cudaMemLocation where = {};
    where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = device;
    return ::cudaMemAdvise(p, size, advice, where);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, int device, cudaStream_t stream = 0) {
    cudaMemLocation where = {};
    where.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = device;
    return ::cudaMemPrefetchAsync(p, size, where, 0, stream);
}
#endif

#endif
#endif
