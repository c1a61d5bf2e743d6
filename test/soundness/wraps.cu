// Arithmetic that wraps, and arithmetic that only looks so. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K1 tc_block(32) tc_grid(1) __global__ void
#define OUT tc_mut tc_shape(32) float *y
typedef unsigned u; typedef long long ll; typedef unsigned long long ull; typedef unsigned char uc; typedef unsigned short us;
// CHECK: kernel bw2 violated
K1 bw2(OUT, u n) { u k = n - 5u; if (k < 32) y[k + 5] = 1; }
// CHECK: kernel gw2 proved
K1 gw2(OUT, u n) { u k = n - 5u; if (k < 27) y[k + 5] = 1; }
// CHECK: kernel gw5 proved
K1 gw5(OUT, int n, u m) { if (n < m && m <= 32) y[(u)n] = 1; }
// CHECK: kernel bw9 {{violated|unknown}}
K1 bw9(OUT, u n) { if (n * n < 1024) y[n] = 1; }
// CHECK: kernel gw9 proved
K1 gw9(OUT, u n) { if (n < 65536 && n * n < 1024) y[n] = 1; }
// CHECK: kernel bw17 violated
K1 bw17(OUT, int n) { y[n % 32] = 1; }
// CHECK: kernel gw17 proved
K1 gw17(OUT, int n) { y[(n % 32 + 32) % 32] = 1; }
// CHECK: kernel bw20 violated
K1 bw20(OUT, int n, int s) { int q = n >> s; y[q & 31] = 1; }
// CHECK: kernel gw20 proved
K1 gw20(OUT, int n, int s) { int q = n >> (s & 31); y[q & 31] = 1; }
// CHECK: kernel bw22 violated
K1 bw22(OUT, int s) { if (s >= 0 && s <= 32) { u q = 1u << s; if (q < 32) y[q] = 1; } }
// CHECK: kernel gw22 proved
K1 gw22(OUT, int s) { if (s >= 0 && s < 32) { u q = 1u << s; if (q < 32) y[q] = 1; } }
// CHECK: kernel bw25 {{violated|unknown}}
K1 bw25(OUT, int n) { y[(n >> 27) + 15] = 1; }
// CHECK: kernel gw25 proved
K1 gw25(OUT, int n) { y[(n >> 27) + 16] = 1; }
// CHECK: kernel bw29 violated
K1 bw29(OUT, int n) { size_t s = n; if (s - 1 < 32) y[n] = 1; }
// CHECK: kernel gw29 proved
K1 gw29(OUT, int n) { size_t s = n; if (s - 1 < 32) y[n - 1] = 1; }
// CHECK: kernel bw30 violated
K1 bw30(OUT, u a, u b) { if (a - b < 32) y[a - b + 1] = 1; }
// CHECK: kernel gw30 proved
K1 gw30(OUT, u a, u b) { if (a >= b && a - b < 32) y[a - b] = 1; }
