// Stand-in for the CUDA toolkit's headers, enough to check kernels where no toolkit is installed and to parse a file
// in a fraction of the time. Use: clang++ -x cuda -nocudainc -nocudalib -isystem DIR -include DIR/tilecheck_cuda.h
//
// Clang's own device headers (special registers, libdevice, warp intrinsics) are used as they are, so that a kernel
// becomes the same IR as with a toolkit. What the toolkit itself would add is declared beside this file, under the
// toolkit's file names: types, the runtime API, atomics, half precision, cooperative groups.
#ifndef TILECHECK_STANDIN_CUDA_H
#define TILECHECK_STANDIN_CUDA_H

#ifndef __CUDA__
#error "the stand-in headers are for Clang's CUDA mode: -x cuda"
#endif

#define __TILECHECK_STANDIN__ 1
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000
#define CUDA_API_PER_THREAD_DEFAULT_STREAM_DEFAULT 0
#define __CUDACC__ 1

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crt/host_defines.h"
#include "driver_types.h"
#include "vector_functions.h"
#include "vector_types.h"

#include "__clang_cuda_builtin_vars.h"

__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const {
    return {x, y, z};
}
__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const {
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const {
    return {x, y, z};
}
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const {
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const {
    return {x, y, z};
}
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const {
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const {
    return {x, y, z};
}
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const {
    return dim3(x, y, z);
}

#define __nvvm_memcpy(s, d, n, a) __builtin_memcpy(s, d, n)
#define __nvvm_memset(d, c, n, a) __builtin_memset(d, c, n)

// The device's malloc, free and printf are library calls of the GPU.
extern "C" {
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ int printf(const char *, ...);
__device__ int vprintf(const char *, const char *);
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t width);
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned line,
                                            const char *function) {
    __assertfail(message, file, line, function, sizeof(char));
}
}
namespace std {
__device__ static inline void *malloc(size_t size) {
    return ::malloc(size);
}
__device__ static inline void free(void *p) {
    ::free(p);
}
} // namespace std

#ifdef TILECHECK_SYSTEM_MATH
#include <__clang_cuda_math_forward_declares.h>
#include <cmath>
#endif
#include <math.h>

#include <__clang_cuda_libdevice_declares.h>

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include "crt/device_math.h"

#include "crt/address_space.h"

#include <__clang_cuda_intrinsics.h>

#include "crt/atomics.h"
#include "crt/device_intrinsics.h"

#include "../compat/cache_hints.h"

#include "cuda_runtime_api.h"

#endif
