// Strong operations of PTX, and fences, by order and scope.
#include <tilecheck.h>

typedef unsigned u;

#define STORE(name, opcode)                                                                                            \
    __device__ __forceinline__ void name(u *p, u v) { asm volatile("st." opcode ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
#define LOAD(name, opcode)                                                                                             \
    __device__ __forceinline__ u name(u *p)                                                                            \
    {                                                                                                                  \
        u r;                                                                                                           \
        asm volatile("ld." opcode ".u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory");                                     \
        return r;                                                                                                      \
    }
#define ADD(name, opcode)                                                                                              \
    __device__ __forceinline__ u name(u *p, u v)                                                                       \
    {                                                                                                                  \
        u r;                                                                                                           \
        asm volatile("atom." opcode ".add.u32 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory");                   \
        return r;                                                                                                      \
    }
#define FENCE(name, opcode)                                                                                            \
    __device__ __forceinline__ void name() { asm volatile("fence." opcode ";" ::: "memory"); }

STORE(st_relaxed, "relaxed.gpu")
STORE(st_release, "release.gpu")
STORE(st_relaxed_cta, "relaxed.cta")
STORE(st_release_cta, "release.cta")
STORE(st_release_sys, "release.sys")
LOAD(ld_relaxed, "relaxed.gpu")
LOAD(ld_acquire, "acquire.gpu")
LOAD(ld_relaxed_cta, "relaxed.cta")
LOAD(ld_acquire_cta, "acquire.cta")
LOAD(ld_acquire_sys, "acquire.sys")
ADD(add_relaxed, "relaxed.gpu")
ADD(add_release, "release.gpu")
ADD(add_acquire, "acquire.gpu")
ADD(add_acq_rel, "acq_rel.gpu")
ADD(add_relaxed_cta, "relaxed.cta")
ADD(add_relaxed_sys, "relaxed.sys")
FENCE(fence_gpu, "acq_rel.gpu")
FENCE(fence_cta, "acq_rel.cta")
FENCE(fence_sys, "acq_rel.sys")
FENCE(fence_sc, "sc.gpu")

__device__ __forceinline__ void red_release(u *p, u v) { asm volatile("red.release.gpu.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ __forceinline__ void red_relaxed(u *p, u v) { asm volatile("red.relaxed.gpu.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
