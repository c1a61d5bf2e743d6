// The warp's part of a tensor-core GEMM: asynchronous copies of tiles into swizzled shared memory, fragments of them, and products.
// Everything here is sm_80 and later.
#ifndef TK_GEMM_MMA_CUH
#define TK_GEMM_MMA_CUH

#include "tk_device.h"

__device__ __forceinline__ unsigned tk_shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

// 16 bytes, or zeros where there are none.
__device__ __forceinline__ void tk_copy16(void *to, const void *from, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(tk_shared_address(to)), "l"(from), "r"(there ? 16 : 0) : "memory");
}
__device__ __forceinline__ void tk_copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void tk_copy_wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
__device__ __forceinline__ void tk_copy_wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

template <bool TRANS> __device__ __forceinline__ void tk_load_matrix(unsigned (&r)[4], const void *row)
{
    if (TRANS)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(tk_shared_address(row)) : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(tk_shared_address(row)) : "memory");
}

// d += a * b, 16 x 8 += 16 x 16 * 16 x 8.
template <typename T> __device__ __forceinline__ void tk_mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1);

template <> __device__ __forceinline__ void tk_mma<__half>(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
template <> __device__ __forceinline__ void tk_mma<__nv_bfloat16>(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#endif
