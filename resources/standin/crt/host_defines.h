// The words that CUDA adds to the language.
#ifndef TILECHECK_STANDIN_HOST_DEFINES_H
#define TILECHECK_STANDIN_HOST_DEFINES_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// Clang knows managed memory for HIP only.
#define __managed__ __attribute__((device, annotate("managed")))
#define __device_builtin__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
// A keyword since Clang 15; the toolkit makes it a macro, and so code may test it.
#define __noinline__ __attribute__((noinline))
#define __no_return__ __attribute__((noreturn))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __grid_constant__ __attribute__((grid_constant))
#define __cluster_dims__(...) __attribute__((cluster_dims(__VA_ARGS__)))
#define __location__(x)
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#endif
