// The primitives of asynchronous copies: cp.async and its groups.
#ifndef TILECHECK_STANDIN_CUDA_PIPELINE_H
#define TILECHECK_STANDIN_CUDA_PIPELINE_H

#include "tilecheck_cuda.h"

static __inline__ __device__ __attribute__((always_inline)) void
__pipeline_memcpy_async(void *dst, const void *src, size_t size, size_t zfill = 0) {
    if (size == 4)
        __nv_memcpy_async_shared_global_4(dst, src, (unsigned)(size - zfill));
    else if (size == 8)
        __nv_memcpy_async_shared_global_8(dst, src, (unsigned)(size - zfill));
    else
        __nv_memcpy_async_shared_global_16(dst, src, (unsigned)(size - zfill));
}
static __inline__ __device__ void __pipeline_commit() {
    __nvvm_cp_async_commit_group();
}
// The number of groups left in flight must be a constant of the instruction.
static __inline__ __device__ __attribute__((always_inline)) void __pipeline_wait_prior(size_t n) {
    switch (n) {
    case 0:
        __nvvm_cp_async_wait_group(0);
        break;
    case 1:
        __nvvm_cp_async_wait_group(1);
        break;
    case 2:
        __nvvm_cp_async_wait_group(2);
        break;
    case 3:
        __nvvm_cp_async_wait_group(3);
        break;
    case 4:
        __nvvm_cp_async_wait_group(4);
        break;
    case 5:
        __nvvm_cp_async_wait_group(5);
        break;
    case 6:
        __nvvm_cp_async_wait_group(6);
        break;
    case 7:
        __nvvm_cp_async_wait_group(7);
        break;
    default:
        // Waiting for more than asked is always right.
        __nvvm_cp_async_wait_all();
    }
}

#endif
