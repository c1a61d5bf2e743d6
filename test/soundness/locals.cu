// Local arrays, structs, aliases, lambdas. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K1 tc_block(32) tc_grid(1) __global__ void
#define OUT tc_mut tc_shape(32) float *y
#define BIG 1000000
typedef unsigned u; typedef long long ll;


struct P { float *p; int n; };
__device__ void adv(P &s, int k) { s.p += k; s.n -= k; }
__device__ P mk(float *p, int n) { P r; r.p = p; r.n = n; return r; }
// CHECK: kernel bp5 violated
tc_param(s.p, mut, shape(s.n)) tc_requires(s.n >= 10) K1 bp5(P s) { adv(s, 5); s.p[s.n] = 1; }
// CHECK: kernel gp5 proved
tc_param(s.p, mut, shape(s.n)) tc_requires(s.n >= 10) K1 gp5(P s) { adv(s, 5); s.p[s.n - 1] = 1; s.p[-5] = 1; }
// CHECK: kernel bp6 violated
tc_requires(n >= 1) K1 bp6(tc_mut tc_shape(n) float *y, int n) { P q = mk(y + 1, n); q.p[q.n - 1] = 1; }
// CHECK: kernel gp6 proved
tc_requires(n >= 1) K1 gp6(tc_mut tc_shape(n) float *y, int n) { P q = mk(y + 1, n - 1); q.p[q.n - 1] = 1; }
__device__ void setv(int *p, int v) { *p = v; }
// CHECK: kernel bl4 {{violated|unknown}}
K1 bl4(OUT, int n) { int i = 3, j = 4; int *p = n > BIG ? &i : &j; *p = 40; y[i] = 1; }
// CHECK: kernel gl4 proved
K1 gl4(OUT, int n) { int i = 3, j = 4; int *p = n > BIG ? &i : &j; *p = 30; y[i] = 1; y[j] = 1; }
// CHECK: kernel bl7 violated
K1 bl7(OUT, int n) { int k = 0; int *p = &k; for (int i = 0; i < 40; i++) (*p)++; y[k] = 1; }
// CHECK: kernel gl7 proved
K1 gl7(OUT, int n) { int k = 0; int *p = &k; for (int i = 0; i < 31; i++) (*p)++; y[k] = 1; }
// CHECK: kernel bl9 violated
K1 bl9(OUT, int n) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i * 5; y[a[n & 7]] = 1; }
// CHECK: kernel gl9 proved
K1 gl9(OUT, int n) { int a[8]; for (int i = 0; i < 8; i++) a[i] = i * 4; y[a[n & 7]] = 1; }
// CHECK: kernel bl13 {{violated|unknown}}
K1 bl13(OUT, int n) { int a[8] = {0}; int b[8]; memcpy(b, a, 28); if (n > BIG) y[b[7] & 31] = 1; }
// CHECK: kernel gl13 proved
K1 gl13(OUT, int n) { int a[8] = {0}; int b[8]; memcpy(b, a, 32); if (n > BIG) y[b[7] & 31] = 1; }
// CHECK: kernel bl16 violated
K1 bl16(OUT, int n) { ll v = 0x2000000001LL; int *p = (int *)&v; y[p[1]] = 1; }
// CHECK: kernel gl16 proved
K1 gl16(OUT, int n) { ll v = 0x1f00000001LL; int *p = (int *)&v; y[p[1]] = 1; }
// CHECK: kernel bl24 violated
K1 bl24(OUT, int n) { int k = 0; auto f = [k]() mutable { k += 20; return k; }; f(); y[f()] = 1; }
// CHECK: kernel gl24 proved
K1 gl24(OUT, int n) { int k = 0; auto f = [=]() mutable { k += 15; return k; }; f(); y[f()] = 1; y[k] = 1; }
__device__ int fu(int i) { int k; if (i == 0) k = 3; return k; }
