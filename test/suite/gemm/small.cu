// Instantiations on which mutants.txt is tried: those of gemm.cu take minutes.
#include "gemm_kernel.cuh"

using bf = __nv_bfloat16;
#define TK_KERNEL(...)                                                                                                                       \
    template __global__ void tk_gemm_kernel<bf, bf, __VA_ARGS__>(bf *, const bf *, const bf *, const bf *, const bf *, const bf *, bool, int, int, int, \
                                                                 int64_t, int64_t, int64_t, int64_t);
TK_KERNEL(true, true, true, false, 128, 128, 2, 2, 3)
TK_KERNEL(false, true, false, false, 64, 64, 2, 2, 2)
template __global__ void tk_gemm_split_kernel<bf, false, true, 128, 128, 2, 2, 3>(float *, const bf *, const bf *, int, int, int, int64_t, int64_t, int, int);
template __global__ void tk_gemm_sum_kernel<bf, bf>(bf *, const float *, const bf *, const bf *, bool, int, int, int64_t, int64_t, int);
