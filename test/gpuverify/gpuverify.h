/* gpuverify.h: kernels with GPUVerify's annotations, as they stand, under tilecheck.
 *
 *     tilecheck --all --block=64 --grid=1 FILE.cu -- -include test/gpuverify/gpuverify.h
 *
 * What has a counterpart becomes it:
 *
 *     __requires(c), __assume(c)          tc_assume: used, and listed with the proof
 *     __invariant(c) and its relatives    tc_invariant: proved, then used; nothing with -DTC_GPUVERIFY_NO_INVARIANTS
 *     __assert(c), __global_assert(c)     tc_assert
 *     __axiom(c)                          tc_assume, with which each kernel of the file begins
 *     __enabled()                         true: what stands on a path holds for the threads that come to it
 *     __all(c)                            c, of each thread, where it stands alone
 *     __other_int(e), __uniform_int(e),   in an assertion: the value of e in another thread of the launch, whichever it is
 *     __distinct_int(e), and of bool
 *     __no_read(p)                        in an assertion: the thread has read nothing of p's array so far
 *
 * Contracts between functions (__ensures) and candidates are hints to a tool that looks at one function at a time, and become
 * nothing. So do facts about other threads and about all accesses so far elsewhere than in assertions, and those about offsets: the
 * checker compares two threads itself. Such a fact is not said here: an assumption or an invariant with one says nothing, an assertion
 * with one is not decided.
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

// a value in another thread, and what only an assertion can ask
struct another {
    long long value;
};
struct asked {
    bool holds;
};

// where a name is used: TC_GV_USE is of one of these types
struct in_statement {};
struct in_assertion {};
__attribute__((host, device)) in_statement use_of(in_statement);
__attribute__((host, device)) in_assertion use_of(in_assertion);

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

#define TC_GV_ANOTHER(op, type)                                                                                                    \
    template <class T> TC_GV_HD type operator op(another a, T b) { return type{a.value op static_cast<long long>(b)}; }            \
    template <class T> TC_GV_HD type operator op(T a, another b) { return type{static_cast<long long>(a) op b.value}; }            \
    TC_GV_HD type operator op(another a, another b) { return type{a.value op b.value}; }
TC_GV_ANOTHER(+, another)
TC_GV_ANOTHER(-, another)
TC_GV_ANOTHER(*, another)
TC_GV_ANOTHER(/, another)
TC_GV_ANOTHER(%, another)
TC_GV_ANOTHER(<, asked)
TC_GV_ANOTHER(<=, asked)
TC_GV_ANOTHER(>, asked)
TC_GV_ANOTHER(>=, asked)
TC_GV_ANOTHER(==, asked)
TC_GV_ANOTHER(!=, asked)
#undef TC_GV_ANOTHER
#define TC_GV_ASKED(op)                                                                                                            \
    TC_GV_HD asked operator op(asked a, bool b) { return asked{a.holds op b}; }                                                    \
    TC_GV_HD asked operator op(bool a, asked b) { return asked{a op b.holds}; }                                                    \
    TC_GV_HD asked operator op(asked a, asked b) { return asked{a.holds op b.holds}; }
TC_GV_ASKED(&&)
TC_GV_ASKED(||)
#undef TC_GV_ASKED
TC_GV_HD asked operator&(asked a, asked b) { return asked{a.holds && b.holds}; }
TC_GV_HD asked operator&(asked a, bool b) { return asked{a.holds && b}; }
TC_GV_HD asked operator&(bool a, asked b) { return asked{a && b.holds}; }
TC_GV_HD asked operator|(asked a, asked b) { return asked{a.holds || b.holds}; }
TC_GV_HD asked operator|(asked a, bool b) { return asked{a.holds || b}; }
TC_GV_HD asked operator|(bool a, asked b) { return asked{a || b.holds}; }
TC_GV_HD asked operator!(asked a) { return asked{!a.holds}; }
TC_GV_HD asked implies(bool a, asked b) { return asked{!a || b.holds}; }
TC_GV_HD asked implies(asked a, bool b) { return asked{!a.holds || b}; }
TC_GV_HD asked implies(asked a, asked b) { return asked{!a.holds || b.holds}; }

__attribute__((host, device)) long long in_another_thread(long long) __asm__("tc_stmt_in_another_thread_");
__attribute__((host, device)) bool not_read(const volatile void *) __asm__("tc_stmt_not_read_");
template <class T> TC_GV_HD another other(T v) { return another{in_another_thread(static_cast<long long>(v))}; }

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
TC_GV_HD bool shown(asked c) { return c.holds; }
TC_GV_HD bool shown(unsaid) { return not_said(); }

} // namespace tc_gpuverify

#define TC_GV_NOTHING ((void)0)
#define TC_GV_UNSAID tc_gpuverify::unsaid{}
static constexpr tc_gpuverify::in_statement TC_GV_USE{};
#define TC_GV_IN_ASSERTION(...) _Generic(tc_gpuverify::use_of(TC_GV_USE), tc_gpuverify::in_assertion: (__VA_ARGS__), default: TC_GV_UNSAID)
#define TC_GV_PASTE(a, b) TC_GV_PASTED(a, b)
#define TC_GV_PASTED(a, b) a##b
#define TC_GV_TEXT(...) TC_GV_TEXT_OF(__VA_ARGS__)
#define TC_GV_TEXT_OF(...) #__VA_ARGS__
#define TC_GV_EVERYWHERE(name, ...)                                                                                                \
    static __attribute__((device, used)) void name() __asm__(TC_GV_TEXT(name));                                                    \
    static __attribute__((device, used)) void name() { tc_assume(tc_gpuverify::known(__VA_ARGS__), "__axiom"); }                   \
    static_assert(true, "")

// ---- statements ----

#define __requires(...) tc_assume(tc_gpuverify::known(__VA_ARGS__), "__requires")
#define __global_requires(...) tc_assume(tc_gpuverify::known(__VA_ARGS__), "__global_requires")
#define __assume(...) tc_assume(tc_gpuverify::known(__VA_ARGS__), "__assume")
#define __assert(...)                                                                                                              \
    __extension__({                                                                                                                \
        constexpr tc_gpuverify::in_assertion TC_GV_USE{};                                                                          \
        (void)TC_GV_USE;                                                                                                           \
        tc_assert(tc_gpuverify::shown(__VA_ARGS__));                                                                               \
    })
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
#define __axiom(...) TC_GV_EVERYWHERE(TC_GV_PASTE(tc_everywhere_, __COUNTER__), __VA_ARGS__)

// ---- expressions ----

#define __enabled() true
#define __implies(a, b) (tc_gpuverify::implies((a), (b)))
#define __ite(c, a, b) ((c) ? (a) : (b))
#define __mod_pow2(a, b) ((a) & ((b)-1))
#define __all(...) (tc_gpuverify::each{static_cast<bool>(__VA_ARGS__)})
#define __exclusive(...) TC_GV_UNSAID

#define __uniform_int(...) TC_GV_IN_ASSERTION(tc_gpuverify::other(__VA_ARGS__) == (__VA_ARGS__))
#define __uniform_bool(...) TC_GV_IN_ASSERTION(tc_gpuverify::other(!(__VA_ARGS__)) == !(__VA_ARGS__))
#define __distinct_int(...) TC_GV_IN_ASSERTION(tc_gpuverify::other(__VA_ARGS__) != (__VA_ARGS__))
#define __distinct_bool(...) TC_GV_IN_ASSERTION(tc_gpuverify::other(!(__VA_ARGS__)) != !(__VA_ARGS__))
#define __other_int(...) TC_GV_IN_ASSERTION(tc_gpuverify::other(__VA_ARGS__))
#define __other_bool(...) TC_GV_IN_ASSERTION(tc_gpuverify::other(!(__VA_ARGS__)) == 0)
#define __other_ptr_base(...) TC_GV_UNSAID

#define __read(...) TC_GV_UNSAID
#define __write(...) TC_GV_UNSAID
#define __no_read(...) TC_GV_IN_ASSERTION(tc_gpuverify::asked{tc_gpuverify::not_read(__VA_ARGS__)})
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
