// Corners of the language: switch, goto, short circuits, memory copies. Each fault (b…) has a correct twin (g…).
// RUN: %exits 0 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K1 tc_block(32) tc_grid(1) __global__ void
#define OUT tc_mut tc_shape(32) float *y
#define BIG 1000000
typedef unsigned u; typedef long long ll; typedef unsigned long long ull;
// CHECK: kernel bc8 {{violated|unknown}}
K1 bc8(OUT, int n) { for (int i = 0, j = 10; i < j; i++, j--) { if (n > BIG && i == 4) y[26 + j] = 1; } }
// CHECK: kernel gc8 proved
K1 gc8(OUT, int n) { for (int i = 0, j = 10; i < j; i++, j--) { if (n > BIG && i == 4) y[25 + j] = 1; } }
// CHECK: kernel bc10 {{violated|unknown}}
K1 bc10(OUT, int n) { int c = 0; while (c++ < 10) { } if (n > BIG) y[c + 21] = 1; }
// CHECK: kernel gc10 proved
K1 gc10(OUT, int n) { int c = 0; while (c++ < 10) { } if (n > BIG) y[c + 20] = 1; }
// CHECK: kernel bc12 {{violated|unknown}}
K1 bc12(OUT, u n) { u c = 10; while (c--) { if (n > BIG) y[22 + c + 1] = 1; } }
// CHECK: kernel gc12 proved
K1 gc12(OUT, u n) { u c = 10; while (c--) { if (n > BIG) y[22 + c] = 1; } }
// CHECK: kernel bc15 {{violated|unknown}}
K1 bc15(OUT, int n) { for (int i = 0; i < 4; i++) { static const int t[4] = {1, 2, 3, 32}; if (n > BIG) y[t[i]] = 1; } }
// CHECK: kernel gc15 proved
K1 gc15(OUT, int n) { for (int i = 0; i < 4; i++) { static const int t[4] = {1, 2, 3, 31}; if (n > BIG) y[t[i]] = 1; } }
// CHECK: kernel bp6 {{violated|unknown}}
K1 bp6(OUT, int n) { float *p = y + 10, *q = y + 20; ll d = q - p; if (n > BIG) y[d + 22] = 1; }
// CHECK: kernel gp6 proved
K1 gp6(OUT, int n) { float *p = y + 10, *q = y + 20; ll d = q - p; if (n > BIG) y[d + 21] = 1; }
// CHECK: kernel bp8 {{violated|unknown}}
K1 bp8(OUT, tc_mut tc_shape(16) float *z, int n) { float *p = n > BIG ? z : y; int k = n > BIG + 1 ? 10 : 20; p[k] = 1; }
// CHECK: kernel gp8 proved
K1 gp8(OUT, tc_mut tc_shape(16) float *z, int n) { float *p = n > BIG ? z : y; int k = n > BIG ? 10 : 20; p[k] = 1; }
// CHECK: kernel bp9 {{violated|unknown}}
K1 bp9(OUT, int n) { float *p[2] = {y, y + 16}; if (n > BIG) p[n & 1][16] = 1; }
// CHECK: kernel gp9 proved
K1 gp9(OUT, int n) { float *p[2] = {y, y + 16}; if (n > BIG) p[n & 1][15] = 1; }
struct Base { int k; __device__ virtual int get() { return k; } }; struct Der : Base { __device__ int get() override { return k + 32; } };
template <class F> __device__ int ap(F f, int v) { return f(v); } __device__ int p32(int v) { return v + 32; } __device__ int p31(int v) { return v + 31; }
__device__ int rec(int k) { return k <= 0 ? 0 : 1 + rec(k - 1); }
// CHECK: kernel bi7 {{violated|unknown}}
K1 bi7(OUT, int n) { if (n < -BIG) { int k = -(n % 33); y[k] = 1; } }
// CHECK: kernel gi7 proved
K1 gi7(OUT, int n) { if (n < -BIG) { int k = -(n % 32); y[k] = 1; } }
// CHECK: kernel bi16 {{violated|unknown}}
K1 bi16(OUT, u a, u b) { if (a > BIG && b > 0) { u q = a / b, r = a - q * b; if (b <= 33) y[r] = 1; } }
// CHECK: kernel gi16 proved
K1 gi16(OUT, u a, u b) { if (a > BIG && b > 0) { u q = a / b, r = a - q * b; if (b <= 32) y[r] = 1; } }
