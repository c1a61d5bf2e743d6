/* tilecheck.h: the contract language.
 *
 * One header for C and C++, host and device, with no dependency. Attributes say which block of a grid owns what:
 *
 *     tc_block(256) tc_grid(tc_cdiv(n, 256))
 *     __global__ void saxpy(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *y, float a, int n);
 *
 * Compiled by Clang with the tilecheck plugin, which defines __TILECHECK__, each attribute becomes
 *     __attribute__((annotate("tilecheck:NAME", "ARGUMENTS")))
 * where NAME has no tc_ prefix and macros in the arguments are expanded. The plugin takes these annotations off again
 * before code is generated. Everywhere else (Clang without the plugin, nvcc, gcc) attributes expand to nothing.
 *
 * Arguments are C expressions over the kernel's parameters, template parameters, constants, blockIdx, blockDim and
 * gridDim, read as mathematical integers. An attribute stands before or after a declarator, on a kernel before
 * __global__ or after the parameters.
 */
#ifndef TILECHECK_H
#define TILECHECK_H

#if defined(__clang__) && defined(__TILECHECK__)
#define TC_WORD_(name) __attribute__((annotate("tilecheck:" name)))
#define TC_WORDS_(name, ...) __attribute__((annotate("tilecheck:" name, #__VA_ARGS__)))
#else
#define TC_WORD_(name)
#define TC_WORDS_(name, ...)
#endif

/* ---- on a parameter, a struct field or a __device__ variable ---- */

/* Borrowed by everyone: read only, never written; may alias other tc_shared. */
#define tc_shared TC_WORD_("shared")
/* Borrowed exclusively: each block writes its own region and nobody reads what another block writes. */
#define tc_mut TC_WORD_("mut")
/* tc_mut that is never read before it is written, and is written completely by the end. */
#define tc_out TC_WORD_("out")
/* Shared by all blocks, touched only by atomic operations. */
#define tc_atomic TC_WORD_("atomic")
/* Not checked; listed in every report with the reason: tc_unchecked("why"). */
#define tc_unchecked(...) TC_WORDS_("unchecked", __VA_ARGS__)

/* Extents in elements, outermost first: tc_shape(rows, cols). */
#define tc_shape(...) TC_WORDS_("shape", __VA_ARGS__)
/* Strides in elements, outermost first; row-major without it. */
#define tc_stride(...) TC_WORDS_("stride", __VA_ARGS__)
/* Extents of the tile that a block writes; tiles at the edge are clipped to the shape. */
#define tc_tile(...) TC_WORDS_("tile", __VA_ARGS__)
/* Which tile is the block's: tc_at(blockIdx.y, blockIdx.x), which is also the default in two dimensions. */
#define tc_at(...) TC_WORDS_("at", __VA_ARGS__)
/* Which block owns a tile: tc_owner(i, j; (i * tiles_x + j) % gridDim.x). */
#define tc_owner(...) TC_WORDS_("owner", __VA_ARGS__)
/* The block's range in the outermost dimension: lo <= index < hi. */
#define tc_rows(...) TC_WORDS_("rows", __VA_ARGS__)
/* This tc_mut may be the very buffer of the named parameter. */
#define tc_inplace(...) TC_WORDS_("inplace", __VA_ARGS__)
/* May be null. */
#define tc_optional TC_WORD_("optional")
/* The value at launch of a tc_atomic. */
#define tc_init(...) TC_WORDS_("init", __VA_ARGS__)
/* Alignment of the pointer in bytes. */
#define tc_align(...) TC_WORDS_("align", __VA_ARGS__)
/* lo <= v < hi for each value stored in a tc_shared index array. */
#define tc_range(...) TC_WORDS_("range", __VA_ARGS__)
/* The stored values are all different. */
#define tc_injective TC_WORD_("injective")
/* The stored values never fall. */
#define tc_monotone TC_WORD_("monotone")

/* ---- on a kernel ---- */

/* The launch that the kernel is written for; dimensions left out are 1. */
#define tc_block(...) TC_WORDS_("block", __VA_ARGS__)
#define tc_grid(...) TC_WORDS_("grid", __VA_ARGS__)
#define tc_cluster(...) TC_WORDS_("cluster", __VA_ARGS__)
/* Bytes of dynamic shared memory. */
#define tc_smem(...) TC_WORDS_("smem", __VA_ARGS__)
/* A precondition of the launch. */
#define tc_requires(...) TC_WORDS_("requires", __VA_ARGS__)
/* A fact about index arrays: tc_forall(i, j; table[i][j] < pages). */
#define tc_forall(...) TC_WORDS_("forall", __VA_ARGS__)
/* The attributes of a parameter or field, said at the kernel, without the prefix: tc_param(p.x, shared, shape(M, N)). */
#define tc_param(...) TC_WORDS_("param", __VA_ARGS__)
/* These pointers never alias / may alias. */
#define tc_distinct(...) TC_WORDS_("distinct", __VA_ARGS__)
#define tc_may_alias(...) TC_WORDS_("may_alias", __VA_ARGS__)

/* ---- in a body ----
 *
 *     tc_invariant(expr);        first in a loop's body: proved, then used
 *     tc_assert(expr);           proved
 *     tc_assume(expr, "why");    used without proof, listed in every report
 *
 * expr is a C expression over local variables, without side effects. Under Clang each statement calls an empty function
 * that is always inlined, in device and host code alike and with or without the plugin, so that both give the same object
 * code; from -O1 on nothing is left of it. Other compilers check the expression's types and do not evaluate it.
 */
#if defined(__clang__)

#if defined(__CUDA__)
#define TC_HD_ __attribute__((host, device))
#else
#define TC_HD_
#endif
#if defined(__cplusplus)
#define TC_BOOL_ bool
#else
#define TC_BOOL_ _Bool
#endif
/* The asm labels give the functions one name in C and in C++. */
#define TC_STMT_ static __inline__ TC_HD_ __attribute__((always_inline, unused, nothrow)) void
TC_STMT_ tc_stmt_invariant_(TC_BOOL_ holds) __asm__("tc_stmt_invariant_");
TC_STMT_ tc_stmt_assert_(TC_BOOL_ holds) __asm__("tc_stmt_assert_");
TC_STMT_ tc_stmt_assume_(TC_BOOL_ holds, const char *why) __asm__("tc_stmt_assume_");
TC_STMT_ tc_stmt_invariant_(TC_BOOL_ holds) {
    (void)holds;
}
TC_STMT_ tc_stmt_assert_(TC_BOOL_ holds) {
    (void)holds;
}
TC_STMT_ tc_stmt_assume_(TC_BOOL_ holds, const char *why) {
    (void)holds;
    (void)why;
}
#undef TC_STMT_
#undef TC_BOOL_
#define tc_invariant(...) tc_stmt_invariant_((__VA_ARGS__) ? 1 : 0)
#define tc_assert(...) tc_stmt_assert_((__VA_ARGS__) ? 1 : 0)
#define tc_assume(expr, ...) tc_stmt_assume_((expr) ? 1 : 0, __VA_ARGS__)

#else

#if defined(__CUDACC__)
#define TC_HD_ __host__ __device__
#else
#define TC_HD_
#endif
#define tc_invariant(...) ((void)sizeof((__VA_ARGS__) ? 1 : 0))
#define tc_assert(...) ((void)sizeof((__VA_ARGS__) ? 1 : 0))
#define tc_assume(expr, ...) ((void)sizeof((expr) ? 1 : 0), (void)sizeof("" __VA_ARGS__))

#endif

/* a / b rounded up, for b > 0. A function and not a macro: host code calls it, tc_grid(tc_cdiv(n, 32)) keeps its name,
 * and a contract reads it over mathematical integers. */
#if defined(__cplusplus)
template <class A, class B> TC_HD_ constexpr auto tc_cdiv(A a, B b) -> decltype(a / b) {
    return a / b + (a % b > 0 ? 1 : 0);
}
#else
#if defined(__GNUC__)
__attribute__((unused))
#endif
static __inline__ long long tc_cdiv(long long a, long long b) {
    return a / b + (a % b > 0 ? 1 : 0);
}
#endif
#undef TC_HD_

#endif
