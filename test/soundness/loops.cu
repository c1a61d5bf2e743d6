// Loops of all kinds: what holds after them, and what does not. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K1 tc_block(32) tc_grid(1) __global__ void
// CHECK: kernel b_cond_inc violated
K1 b_cond_inc(tc_mut tc_shape(100) float *y, tc_shared tc_shape(100) const int *x) {
  for (int i = 0; i < 100; i++) { if (x[i] > 5) i++; y[i] = 1; } }
// CHECK: kernel g_cond_inc proved
K1 g_cond_inc(tc_mut tc_shape(101) float *y, tc_shared tc_shape(100) const int *x) {
  for (int i = 0; i < 100; i++) { if (x[i] > 5) i++; y[i] = 1; } }
// CHECK: kernel b_dowhile violated
K1 b_dowhile(tc_mut tc_shape(n) float *y, int n) { int i = 0; do { y[i] = 1; i++; } while (i < n); }
// CHECK: kernel g_dowhile proved
tc_requires(n >= 1) K1 g_dowhile(tc_mut tc_shape(n) float *y, int n) { int i = 0; do { y[i] = 1; i++; } while (i < n); }
// CHECK: kernel b_after violated
K1 b_after(tc_mut tc_shape(n) float *y, int n) { int i; for (i = 0; i < n; i++) {} y[i] = 1; }
// CHECK: kernel g_after proved
tc_requires(n >= 0) K1 g_after(tc_mut tc_shape(n+1) float *y, int n) { int i; for (i = 0; i < n; i++) {} y[i] = 1; }
// CHECK: kernel b_break violated
K1 b_break(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const int*x, int n) { int i; for (i = 0; i < n; i++) if (x[i] == 7) break; y[i] = 1; }
// CHECK: kernel g_break proved
K1 g_break(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const int*x, int n) { int i; for (i = 0; i < n; i++) if (x[i] == 7) break; if (i < n) y[i] = 1; }
// CHECK: kernel b_uchar violated
K1 b_uchar(tc_mut tc_shape(255) float *y) { for (unsigned char i = 0; i < 255; i++) y[i + 1] = 1; }
// CHECK: kernel g_uchar proved
K1 g_uchar(tc_mut tc_shape(256) float *y) { for (unsigned char i = 0; i < 255; i++) y[i + 1] = 1; }
// CHECK: kernel b_dec violated
K1 b_dec(tc_mut tc_shape(n) float *y, int n) { for (int i = n; i >= 0; i--) y[i] = 1; }
// CHECK: kernel g_dec proved
K1 g_dec(tc_mut tc_shape(n) float *y, int n) { for (int i = n - 1; i >= 0; i--) y[i] = 1; }
// CHECK: kernel b_half violated
K1 b_half(tc_mut tc_shape(32) float *y) { for (int s = 32; s > 0; s >>= 1) y[s] = 1; }
// CHECK: kernel g_half proved
K1 g_half(tc_mut tc_shape(33) float *y) { for (int s = 32; s > 0; s >>= 1) y[s] = 1; }
// CHECK: kernel b_prev violated
K1 b_prev(tc_mut tc_shape(n) float *y, int n) { int p = -1; for (int i = 0; i < n; i++) { y[p] = 1; p = i; } }
// CHECK: kernel g_prev proved
K1 g_prev(tc_mut tc_shape(n) float *y, int n) { int p = 0; for (int i = 0; i < n; i++) { y[p] = 1; p = i; } }
__device__ int find(const int *x, int n, int v) { for (int i = 0; i < n; i++) if (x[i] == v) return i; return n; }
__device__ int find2(const int *x, int n, int v) { for (int i = 0; i < n; i++) if (x[i] == v) return i; return -1; }
// CHECK: kernel b_find2 violated
K1 b_find2(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const int *x, int n) { y[find2(x, n, 3)] = 1; }
// CHECK: kernel g_find2 proved
K1 g_find2(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const int *x, int n) { int f = find2(x, n, 3); if (f >= 0) y[f] = 1; }
// CHECK: kernel b_nest2 violated
K1 b_nest2(tc_mut tc_shape(n) float *y, int n) { int j = 0; for (int i = 0; i < n; i++) { for (; j < i; j++) {} y[j + 1] = 1; } }
// CHECK: kernel g_nest2 proved
K1 g_nest2(tc_mut tc_shape(n) float *y, int n) { int j = 0; for (int i = 0; i < n; i++) { for (; j < i; j++) {} y[j] = 1; } }
// CHECK: kernel b_cont violated
K1 b_cont(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const int *x, int n) { int c = 0; for (int i = 0; i < n; i++) { if (x[i] < 0) continue; c++; y[c] = 1; } }
// CHECK: kernel g_cont proved
K1 g_cont(tc_mut tc_shape(n) float *y, tc_shared tc_shape(n) const int *x, int n) { int c = 0; for (int i = 0; i < n; i++) { if (x[i] < 0) continue; y[c] = 1; c++; } }
// CHECK: kernel b_step2 violated
tc_requires(s >= 1) K1 b_step2(tc_mut tc_shape(n) float *y, int n, int s) { for (int i = 0; i < n; i += s) y[i] = 1; }
// CHECK: kernel g_step2 proved
tc_requires(s >= 1 && n <= 1000000 && s <= 1000000) K1 g_step2(tc_mut tc_shape(n) float *y, int n, int s) { for (int i = 0; i < n; i += s) y[i] = 1; }
