/* gpuverify.h: kernels with GPUVerify's annotations, as they stand, under tilecheck.
 *
 *     tilecheck --all --block=64 --grid=1 FILE.cu -- -include test/gpuverify/gpuverify.h
 *
 * What has a counterpart becomes it:
 *
 *     __requires(c), __assume(c)          tc_assume: used, and listed with the proof
 *     __invariant(c) and its relatives    tc_invariant: proved, then used; nothing with -DTC_GPUVERIFY_NO_INVARIANTS
 *     __assert(c), __global_assert(c)     tc_assert
 *     __enabled()                         true: what stands on a path holds for the threads that come to it
 *     __all(c)                            c, of each thread, where it stands alone
 *
 * Contracts between functions (__ensures) and candidates are hints to a tool that looks at one function at a time, and become
 * nothing. So do facts about other threads and about all accesses so far (__uniform_int, __distinct_int, __other_int, __read,
 * __write, their offsets): the checker compares two threads itself. Such a fact is not said here: an assumption or an invariant
 * with one says nothing, an assertion with one is not decided. An __axiom, which would hold for a whole file, does not compile:
 * say it as a __requires in each kernel.
 *
 * SOUND: a dropped assumption or invariant only leaves less to prove with. A __requires in a function that kernels call is taken
 * for true there, as the list of assumptions shows.
 */
#ifndef TILECHECK_TEST_GPUVERIFY_H
#define TILECHECK_TEST_GPUVERIFY_H

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include "tilecheck.h"

#define TC_GV_HD static __inline__ __attribute__((host, device, always_inline, unused))

namespace tc_gpuverify {

struct unsaid {}; // a value that nothing is said of

// true of each thread; not to be combined with anything
struct each {
    bool holds;
};

// ---- what is made of a value that nothing is said of ----

#define TC_GV_BINARY(op)                                                                                                           \
    template <class T> TC_GV_HD unsaid operator op(unsaid, T) { return unsaid(); }                                                 \
    template <class T> TC_GV_HD unsaid operator op(T, unsaid) { return unsaid(); }                                                 \
    TC_GV_HD unsaid operator op(unsaid, unsaid) { return unsaid(); }
TC_GV_BINARY(+)
TC_GV_BINARY(-)
TC_GV_BINARY(*)
TC_GV_BINARY(/)
TC_GV_BINARY(%)
TC_GV_BINARY(<<)
TC_GV_BINARY(>>)
TC_GV_BINARY(<)
TC_GV_BINARY(<=)
TC_GV_BINARY(>)
TC_GV_BINARY(>=)
TC_GV_BINARY(==)
TC_GV_BINARY(!=)
TC_GV_BINARY(&)
TC_GV_BINARY(|)
TC_GV_BINARY(^)
TC_GV_BINARY(&&)
TC_GV_BINARY(||)
#undef TC_GV_BINARY
TC_GV_HD unsaid operator!(unsaid) { return unsaid(); }
TC_GV_HD unsaid operator-(unsaid) { return unsaid(); }
TC_GV_HD unsaid operator~(unsaid) { return unsaid(); }

TC_GV_HD bool implies(bool a, bool b) { return !a || b; }
template <class T> TC_GV_HD unsaid implies(unsaid, T) { return unsaid(); }
template <class T> TC_GV_HD unsaid implies(T, unsaid) { return unsaid(); }
TC_GV_HD unsaid implies(unsaid, unsaid) { return unsaid(); }

// ---- conditions of statements ----

TC_GV_HD bool known(bool c) { return c; }
TC_GV_HD bool known(each c) { return c.holds; }
TC_GV_HD bool known(unsaid) { return true; }

// Has no body: nothing is known of its result, and an assertion of it is not decided.
__attribute__((host, device)) bool not_said();
TC_GV_HD bool shown(bool c) { return c; }
TC_GV_HD bool shown(each c) { return c.holds; }
TC_GV_HD bool shown(unsaid) { return not_said(); }

} // namespace tc_gpuverify

#define TC_GV_NOTHING ((void)0)
#define TC_GV_UNSAID tc_gpuverify::unsaid{}

// ---- statements ----

#define __requires(...) tc_assume(tc_gpuverify::known(__VA_ARGS__), "__requires")
#define __global_requires(...) tc_assume(tc_gpuverify::known(__VA_ARGS__), "__global_requires")
#define __assume(...) tc_assume(tc_gpuverify::known(__VA_ARGS__), "__assume")
#define __assert(...) tc_assert(tc_gpuverify::shown(__VA_ARGS__))
#define __global_assert(...) __assert(__VA_ARGS__)
#ifdef TC_GPUVERIFY_NO_INVARIANTS
#define __invariant(...) TC_GV_NOTHING
#else
#define __invariant(...) tc_invariant(tc_gpuverify::known(__VA_ARGS__))
#endif
#define __global_invariant(...) __invariant(__VA_ARGS__)
#define __function_wide_invariant(...) TC_GV_NOTHING
#define __candidate_invariant(...) TC_GV_NOTHING
#define __candidate_global_invariant(...) TC_GV_NOTHING
#define __function_wide_candidate_invariant(...) TC_GV_NOTHING
#define __candidate_assert(...) TC_GV_NOTHING
#define __ensures(...) TC_GV_NOTHING
#define __global_ensures(...) TC_GV_NOTHING
// Pointers of parameters and their fields share no memory here unless a contract says that they may.
#define __requires_fresh_array(...) TC_GV_NOTHING
#define __axiom(...) static_assert(false, "an axiom of the whole file has no counterpart: say it as a __requires in each kernel")

// ---- expressions ----

#define __enabled() true
#define __implies(a, b) (tc_gpuverify::implies((a), (b)))
#define __ite(c, a, b) ((c) ? (a) : (b))
#define __mod_pow2(a, b) ((a) & ((b)-1))
#define __all(...) (tc_gpuverify::each{static_cast<bool>(__VA_ARGS__)})
#define __exclusive(...) TC_GV_UNSAID

#define __uniform_int(...) TC_GV_UNSAID
#define __uniform_bool(...) TC_GV_UNSAID
#define __distinct_int(...) TC_GV_UNSAID
#define __distinct_bool(...) TC_GV_UNSAID
#define __other_int(...) TC_GV_UNSAID
#define __other_bool(...) TC_GV_UNSAID
#define __other_ptr_base(...) TC_GV_UNSAID

#define __read(...) TC_GV_UNSAID
#define __write(...) TC_GV_UNSAID
#define __no_read(...) TC_GV_UNSAID
#define __no_write(...) TC_GV_UNSAID
#define __read_implies(...) TC_GV_UNSAID
#define __write_implies(...) TC_GV_UNSAID
#define __read_offset_bytes(...) TC_GV_UNSAID
#define __write_offset_bytes(...) TC_GV_UNSAID
#define __ptr_offset_bytes(...) TC_GV_UNSAID
#define __ptr_base(...) TC_GV_UNSAID

#define __return_val_int() TC_GV_UNSAID
#define __return_val_bool() TC_GV_UNSAID
#define __return_val_ptr() TC_GV_UNSAID
#define __return_val_funptr(...) TC_GV_UNSAID

// ---- what CUDA had: textures that are variables ----

#if defined(__TILECHECK_STANDIN__)
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture {};
template <class T, cudaTextureReadMode mode> __device__ T tex1Dfetch(texture<T, 1, mode>, int);
template <class T, cudaTextureReadMode mode> __device__ T tex1D(texture<T, 1, mode>, float);
template <class T, cudaTextureReadMode mode> __device__ T tex2D(texture<T, 2, mode>, float, float);
#endif

#endif
