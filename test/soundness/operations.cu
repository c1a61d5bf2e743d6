// Operations on integers: signs, widths, shifts, divisions. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define G __global__ void
#define K1 tc_block(32) tc_grid(1) __global__ void
#define OUT tc_mut tc_shape(32) float *y
typedef unsigned u; typedef long long ll; typedef unsigned long long ull;
#define BID (blockIdx.x*blockDim.x+threadIdx.x)
// CHECK: kernel bv3 violated
tc_block(64) tc_grid(rows) tc_requires(cols % 2 == 0 && cols >= 4 && cols <= 4096) G bv3(tc_shared tc_shape(rows, cols) tc_align(16) const float *x, tc_mut tc_shape(rows) tc_tile(1) float *y, int rows, int cols) { float4 v = *(const float4 *)(x + (ll)blockIdx.x * cols); if (threadIdx.x == 0) y[blockIdx.x] = v.x; }
// CHECK: kernel gv3 proved
tc_block(64) tc_grid(rows) tc_requires(cols % 4 == 0 && cols >= 4 && cols <= 4096) G gv3(tc_shared tc_shape(rows, cols) tc_align(16) const float *x, tc_mut tc_shape(rows) tc_tile(1) float *y, int rows, int cols) { float4 v = *(const float4 *)(x + (ll)blockIdx.x * cols); if (threadIdx.x == 0) y[blockIdx.x] = v.x; }
struct __align__(8) A8 { int a, b; };
// CHECK: kernel bat2 {{violated|unknown}}
K1 bat2(tc_atomic tc_shape(1) tc_init(0) int *c, OUT) { int k = atomicAdd(c, 2); y[k] = 1; if (k < 32) y[k] = 1; }
// CHECK: kernel gat2 proved
K1 gat2(tc_atomic tc_shape(1) tc_init(0) int *c, OUT) { int k = atomicAdd(c, 1); if (k < 32 && k >= 0) y[k] = 1; }
// CHECK: kernel basm3 violated
K1 basm3(OUT, int n) { asm volatile("st.global.f32 [%0+128], %1;" :: "l"(y + 0), "f"(1.f) : "memory"); }
// CHECK: kernel gasm3 proved
K1 gasm3(OUT, int n) { asm volatile("st.global.f32 [%0+124], %1;" :: "l"(y + 0), "f"(1.f) : "memory"); }
// CHECK: kernel bgo2 violated
K1 bgo2(OUT, int n) { int i = n; if (n < 0) goto out; if (n >= 32) goto bad; y[i] = 1; return; bad: i = 0; out: y[i] = 1; }
// CHECK: kernel ggo2 proved
K1 ggo2(OUT, int n) { int i = n; if (n < 0) goto out; if (n < 32) goto bad; i = 4; goto bad; out: i = 0; bad: y[i] = 1; }
// CHECK: kernel bsw1 violated
K1 bsw1(OUT, int n) { int k = 0; switch (n) { case 1: k += 20; case 2: k += 20; case 3: k += 1; break; default: k = 31; } y[k] = 1; }
// CHECK: kernel gsw1 proved
K1 gsw1(OUT, int n) { int k = 0; switch (n) { case 1: k += 10; case 2: k += 20; case 3: k += 1; break; default: k = 31; } y[k] = 1; }
// CHECK: kernel bsw3 violated
K1 bsw3(OUT, int n) { switch (n) { case 0 ... 32: y[n] = 1; break; } }
// CHECK: kernel gsw3 proved
K1 gsw3(OUT, int n) { switch (n) { case 0 ... 31: y[n] = 1; break; } }
// CHECK: kernel bsc2 violated
K1 bsc2(OUT, tc_shared tc_shape(32) const int *x, int n) { if (n >= 0 && (n < 32 | x[n] > 3)) y[0] = 1; }
// CHECK: kernel gsc2 proved
K1 gsc2(OUT, tc_shared tc_shape(32) const int *x, int n) { if (n >= 0 && (n >= 32 || x[n] > 3)) y[0] = 1; }
__device__ int dtab[8]; __constant__ int ctab[8]; __constant__ int ci[4] = {1, 2, 3, 4}; __device__ int di[4] = {1,2,3,4}; static __device__ const int dc[4] = {1, 2, 3, 32}; __device__ tc_shared tc_range(0, 32) int drange[8];
// CHECK: kernel gdv5 proved
K1 gdv5(OUT) { y[drange[threadIdx.x & 7]] = 1; }
// CHECK: kernel bdv6 violated
K1 bdv6(OUT, int n) { drange[0] = n; y[drange[threadIdx.x & 7]] = 1; }
