// Calls through pointers in a run: by parameters, tables, results, in branches and in loops.
// RUN: %verdicts %s --rules=TC2001,TC9002 | FileCheck %s
#include <tilecheck.h>

typedef int (*binary)(int, int);
typedef void (*store)(int *, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ int larger(int a, int b) { if (a > b) return a; return b; }
__device__ void put(int *p, int v) { *p = v; }
__device__ void put_next(int *p, int v) { p[1] = v; }
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) tc_tile(32) int *y

// An assertion that fails for the one function and not for the other.
// CHECK: kernel by_value violated
K by_value(Y, int n) { binary f = n == 3 ? minus : plus; tc_assert(f(threadIdx.x, 2) >= 2); y[threadIdx.x] = 0; }
// CHECK: kernel by_value_kept proved
K by_value_kept(Y, int n) { binary f = n == 3 ? larger : plus; tc_assert(f(threadIdx.x, 2) >= 2); y[threadIdx.x] = 0; }
// CHECK: kernel of_thread violated
K of_thread(Y) { binary f = threadIdx.x == 31 ? minus : larger; tc_assert(f(threadIdx.x, 32) >= 2); y[threadIdx.x] = 0; }
// CHECK: kernel by_effect violated
K by_effect(Y, int n) { store f = n == 7 ? put_next : put; f(y + threadIdx.x, n); }
// CHECK: kernel by_effect_inside proved
K by_effect_inside(Y, int n) { store f = n == 7 ? put_next : put; if (threadIdx.x < 31) f(y + threadIdx.x, n); }
// CHECK: kernel given violated
K given(Y, store f) { tc_assume(f == put || f == put_next, "the host passes one of them"); f(y + threadIdx.x, 1); }
// CHECK: kernel given_one assumed
K given_one(Y, store f) { tc_assume(f == put, "the host passes it"); f(y + threadIdx.x, 1); }
// The argument is used behind the call, and the result in it.
// CHECK: kernel in_loop violated
K in_loop(Y) { binary f = minus; int a = 4; for (int i = 0; i < 4; i++) { binary g = i & 1 ? plus : f; a = g(a, i) + a; } tc_assert(a == 0); y[threadIdx.x] = 0; }
// CHECK: kernel in_loop_right {{proved|unknown}}
K in_loop_right(Y) { binary f = minus; int a = 4; for (int i = 0; i < 4; i++) { binary g = i & 1 ? plus : f; a = g(a, i) + a; } tc_assert(a == 67); y[threadIdx.x] = 0; }
// Through two of them.
__device__ int through(binary f, int a) { return f(a, 1); }
typedef int (*outer)(binary, int);
// CHECK: kernel nested violated
K nested(Y) { outer g = through; binary f = threadIdx.x < 30 ? plus : minus; tc_assert(g(f, 0) == 1); y[threadIdx.x] = 0; }
// CHECK: kernel nested_right proved
K nested_right(Y) { outer g = through; binary f = threadIdx.x < 30 ? plus : minus; tc_assert(g(f, 0) == (threadIdx.x < 30 ? 1 : -1)); y[threadIdx.x] = 0; }
__device__ binary table[2] = {plus, minus};
// What stands in a table on the device may have been changed.
// CHECK: kernel of_table {{unknown|violated}}
K of_table(Y, int n) { tc_assert(table[n & 1](threadIdx.x, 1) > 0); y[threadIdx.x] = 0; }
