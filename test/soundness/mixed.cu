// Atomics, shuffles, shared memory, inline PTX. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#include <cassert>
#define G __global__ void
#define K1 tc_block(32) tc_grid(1) __global__ void
#define OUT tc_mut tc_shape(32) float *y
typedef unsigned u; typedef long long ll; typedef unsigned long long ull;
#define BID (blockIdx.x*blockDim.x+threadIdx.x)
struct AB { int a, b; };
#define BIG 1000000
__device__ tc_mut tc_shape(100) int g64[64];
__device__ tc_shared tc_shape(100) tc_range(0, 32) int r64[64];
__constant__ tc_shape(100) int c64[64];
// CHECK: kernel bt2 violated
K1 bt2(OUT, int n) { assert(y[n] == 0); }
// CHECK: kernel gt2 proved
K1 gt2(OUT, int n) { assert(n >= 0 && n < 32); y[n] = 1; }
// CHECK: kernel bt6 {{violated|unknown}}
K1 bt6(OUT, int n) { int k = 0; while (true) { if (k == 33) break; k++; } if (n > BIG) y[k] = 1; }
// CHECK: kernel gt6 proved
K1 gt6(OUT, int n) { int k = 0; while (true) { if (k == 31) break; k++; } if (n > BIG) y[k] = 1; }
// CHECK: kernel bx2 violated
tc_block(256) tc_grid(tc_cdiv(n,256)) G bx2(tc_mut tc_shape(n) tc_tile(256) float *y, int n) { int i = BID; if (i < n) y[i] = y[0]; }
// CHECK: kernel gx2 proved
tc_block(256) tc_grid(tc_cdiv(n,256)) G gx2(tc_mut tc_shape(n) tc_tile(256) float *y, int n) { int i = BID; if (i < n) y[i] = y[blockIdx.x * 256]; }
// CHECK: kernel bx4 violated
tc_block(256) tc_grid(tc_cdiv(n,256)) tc_requires(n >= 300 && n < 1<<30) G bx4(tc_mut tc_shape(n) float *y, int n) { int i = BID; if (i < n && i % 2 == 0) y[i] = y[i + 2 < n ? i + 2 : i]; }
// CHECK: kernel gx4 proved
tc_block(256) tc_grid(tc_cdiv(n,256)) tc_requires(n >= 300 && n < 1<<30) G gx4(tc_mut tc_shape(n) float *y, int n) { int i = BID; if (i < n && i % 2 == 0) y[i] = y[i + 1 < n ? i + 1 : i]; }
struct PA { float *p[4]; int n; };
template <int N, class T> tc_block(N) tc_grid(1) __global__ void btmp(tc_mut tc_shape(N) T *y) { y[threadIdx.x + (N > 64)] = 1; }
template <int N, class T> tc_block(N) tc_grid(1) __global__ void gtmp(tc_mut tc_shape(N) T *y) { y[threadIdx.x] = 1; }
// CHECK: kernel bab1 {{violated|unknown}}
K1 bab1(OUT, int n) { AB s[4] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}}; s[n & 3].b = 40; if (n > BIG) y[s[3].b] = 1; }
// CHECK: kernel gab1 proved
K1 gab1(OUT, int n) { AB s[4] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}}; s[n & 3].b = 31; s[n & 3].a = 4; if (n > BIG) y[s[(n >> 2) & 3].b] = 1; }
// CHECK: kernel bpt9 violated
K1 bpt9(OUT, u n) { u r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); y[r + 1] = 1; }
// CHECK: kernel gpt9 proved
K1 gpt9(OUT, u n) { u r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); y[r] = 1; }
