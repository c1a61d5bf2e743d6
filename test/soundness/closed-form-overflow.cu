// A variable of a signed type that a loop steps past its type's end: undefined also where a mask, or unsigned arithmetic,
// keeps only the low bits of it, and where its value after the loop is a constant.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

typedef unsigned u;
#define K tc_block(32) tc_grid(1) __global__ void
#define X tc_mut tc_shape(32) float *x
#define SET(i) if (threadIdx.x == 0) x[i] = 1
#define SUM int d = 0; for (int i = 0; i < n; i++) d += 3;

// CHECK: kernel b_behind {{violated|unknown}}
K b_behind(X, int n) { SUM SET(d & 31); }
// CHECK: kernel b_inside {{violated|unknown}}
K b_inside(X, int n) { int d = 0; for (int i = 0; i < n; i++) { SET(d & 31); d += 3; } }
// CHECK: kernel b_growing {{violated|unknown}}
K b_growing(X, int n) { int d = 0; for (int i = 0; i < n; i++) d += i; SET(d & 31); }
// CHECK: kernel b_as_unsigned {{violated|unknown}}
tc_requires(n <= 1 << 30) K b_as_unsigned(X, int n) { SUM SET((u)d % 32); }
// CHECK: kernel b_unsigned_sum {{violated|unknown}}
tc_requires(n <= 1 << 30) K b_unsigned_sum(X, int n) { SUM SET(((u)d + 5u) & 31); }
// CHECK: kernel b_joined {{violated|unknown}}
K b_joined(X, int n, int k) { int d = 0; if (k > 0) for (int i = 0; i < n; i++) d += 3; SET(d & 31); }
// CHECK: kernel b_constant_doubled {{violated|unknown}}
K b_constant_doubled(X, int n) { int s = 1, d = 1; if (n > 100000) for (int i = 0; i < 40; i++) { d *= 2; s <<= 1; } SET(d & 31); }
// CHECK: kernel b_constant_sum {{violated|unknown}}
K b_constant_sum(X, int n) { int d = 1; if (n > 100000) for (int i = 0; i < 40; i++) d += 1 << 28; SET(d & 31); }
// CHECK: kernel b_constant_square {{violated|unknown}}
K b_constant_square(X, int n) { int d = 1; if (n > 100000) for (int i = 0; i < 100000; i++) d += i; SET(d & 31); }
// CHECK: kernel b_complement {{violated|unknown}}
K b_complement(X, int n) { SUM SET(~d & 31); }
// CHECK: kernel b_is_zero {{violated|unknown}}
tc_requires(n <= 1 << 30) K b_is_zero(X, int n) { SUM if (d) SET(0); }
// CHECK: kernel b_switch {{violated|unknown}}
tc_requires(n <= 1 << 30) K b_switch(X, int n) { SUM switch (d) { case 12: SET(0); break; default: SET(1); } }
// CHECK: kernel g_behind proved
tc_requires(n <= 1 << 29) K g_behind(X, int n) { SUM SET(d & 31); }
// CHECK: kernel g_inside proved
tc_requires(n <= 1 << 29) K g_inside(X, int n) { int d = 0; for (int i = 0; i < n; i++) { SET(d & 31); d += 3; } }
// CHECK: kernel g_by_one proved
K g_by_one(X, int n) { int d = 0; for (int i = 0; i < n; i++) { SET(d & 31); d++; } SET(d & 31); }
// CHECK: kernel g_unsigned proved
K g_unsigned(X, int n) { u d = 0; for (int i = 0; i < n; i++) d += 3; SET(d & 31); }
// CHECK: kernel g_is_zero proved
tc_requires(n <= 1 << 29) K g_is_zero(X, int n) { SUM if (d) SET(0); }
