// Instantiations on which mutants.txt is tried: those that ship take minutes. With -DTRY=n only one of them: 0 is wide, 1 element by element,
// 2 cut along K, 3 the sum of the slices.
#ifndef TRY
#define TRY -1
#endif
#include "gemm_kernel.cuh"

using bf = __nv_bfloat16;
#define TK_KERNEL(...)                                                                                                              \
    template __global__ void tk_gemm_kernel<bf, bf, __VA_ARGS__>(bf *, const bf *, const bf *, const bf *, const bf *, const bf *, \
                                                                 bool, int, int, int, int64_t, int64_t, int64_t, int64_t);
#if TRY < 0 || TRY == 0
TK_KERNEL(true, true, true, false, 128, 128, 2, 2, 3)
#endif
#if TRY < 0 || TRY == 1
TK_KERNEL(false, true, false, false, 64, 64, 2, 2, 2)
#endif
#if TRY < 0 || TRY == 2
template __global__ void tk_gemm_split_kernel<bf, false, true, 128, 128, 2, 2, 3>(float *, const bf *, const bf *, int, int, int, int64_t,
                                                                                          int64_t, int, int);
#endif
#if TRY < 0 || TRY == 3
template __global__ void tk_gemm_sum_kernel<bf, bf>(bf *, const float *, const bf *, const bf *, bool, int, int, int64_t, int64_t, int);
#endif
