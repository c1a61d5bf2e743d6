// Regions: remainders, strides, places. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define G __global__ void
typedef unsigned u; typedef long long ll;
#define BID (blockIdx.x*blockDim.x+threadIdx.x)
// CHECK: kernel bt1 violated
tc_block(256) tc_grid(tc_cdiv(n,256)) G bt1(tc_mut tc_shape(n) tc_tile(255) float *y, int n) { int i = BID; if (i < n) y[i] = 1; }
// CHECK: kernel gt1 proved
tc_block(256) tc_grid(tc_cdiv(n,256)) G gt1(tc_mut tc_shape(n) tc_tile(256) float *y, int n) { int i = BID; if (i < n) y[i] = 1; }
// CHECK: kernel bt5 violated
tc_block(256) G bt5(tc_mut tc_shape(n) float *y, int n) { for (int i = BID; i < n; i += 256) y[i] = 1; }
// CHECK: kernel gt5 proved-if
tc_block(256) tc_requires(n < 1 << 30) tc_requires(gridDim.x < 1 << 20) G gt5(tc_mut tc_shape(n) float *y, int n) { for (int i = BID; i < n; i += gridDim.x * blockDim.x) y[i] = 1; }
// CHECK: kernel bd2 violated
tc_block(16,16) tc_grid(tc_cdiv(N,16), tc_cdiv(M,16)) G bd2(tc_mut tc_shape(M,N) tc_tile(16,16) float *y, int M, int N) { int c = blockIdx.x*16+threadIdx.x, r = blockIdx.y*16+threadIdx.y; if (c < N && r < M) y[r*N+c] = 1; }
// CHECK: kernel gd2 proved
tc_block(16,16) tc_grid(tc_cdiv(N,16), tc_cdiv(M,16)) tc_requires((ll)M*N < 1LL<<31) G gd2(tc_mut tc_shape(M,N) tc_tile(16,16) float *y, int M, int N) { int c = blockIdx.x*16+threadIdx.x, r = blockIdx.y*16+threadIdx.y; if (c < N && r < M) y[r*N+c] = 1; }
// CHECK: kernel gd2b proved
tc_block(16,16) tc_grid(tc_cdiv(N,16), tc_cdiv(M,16)) tc_requires((ll)M*N <= 1LL<<31) G gd2b(tc_mut tc_shape(M,N) tc_tile(16,16) float *y, int M, int N) { int c = blockIdx.x*16+threadIdx.x, r = blockIdx.y*16+threadIdx.y; if (c < N && r < M) y[r*N+c] = 1; }
// CHECK: kernel bs1 violated
tc_block(32) tc_grid(rows) tc_requires(ld >= cols - 1 && cols >= 1) G bs1(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y, int rows, int cols, int ld) { for (int c = threadIdx.x; c < cols; c += 32) y[(ll)blockIdx.x*ld+c] = 1; }
// CHECK: kernel gs1 proved
tc_block(32) tc_grid(rows) tc_requires(ld >= cols && cols >= 1) tc_requires(cols < 1<<30) G gs1(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y, int rows, int cols, int ld) { for (int c = threadIdx.x; c < cols; c += 32) y[(ll)blockIdx.x*ld+c] = 1; }
// CHECK: kernel bs3 violated
tc_block(32) tc_grid(rows) tc_requires(ld >= cols && cols >= 1) tc_requires(cols < 1<<30) G bs3(tc_mut tc_shape(rows, cols) tc_stride(1, ld) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y, int rows, int cols, int ld) { for (int c = threadIdx.x; c < cols; c += 32) y[blockIdx.x+(ll)ld*c] = 1; }
// CHECK: kernel gs3 proved
tc_block(32) tc_grid(rows) tc_requires(ld >= rows && cols >= 1) tc_requires(cols < 1<<30) G gs3(tc_mut tc_shape(rows, cols) tc_stride(1, ld) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y, int rows, int cols, int ld) { for (int c = threadIdx.x; c < cols; c += 32) y[blockIdx.x+(ll)ld*c] = 1; }
// CHECK: kernel br1 violated
tc_block(32) tc_grid(nb) tc_requires(nb >= 1) G br1(tc_shared tc_shape(nb + 1) tc_range(0, n + 1) tc_monotone const int *off, tc_mut tc_shape(n) tc_rows(off[blockIdx.x], off[blockIdx.x + 1]) float *y, int n, int nb) { for (int i = off[blockIdx.x] + threadIdx.x; i <= off[blockIdx.x + 1]; i += 32) y[i] = 1; }
// CHECK: kernel gr1 proved
tc_block(32) tc_grid(nb) tc_requires(nb >= 1 && n < 1 << 30) G gr1(tc_shared tc_shape(nb + 1) tc_range(0, n + 1) tc_monotone const int *off, tc_mut tc_shape(n) tc_rows(off[blockIdx.x], off[blockIdx.x + 1]) float *y, int n, int nb) { for (int i = off[blockIdx.x] + threadIdx.x; i < off[blockIdx.x + 1]; i += 32) y[i] = 1; }
// CHECK: kernel br2 violated
tc_block(32) tc_grid(nb) tc_requires(nb >= 1 && n < 1 << 30) G br2(tc_shared tc_shape(nb + 1) tc_range(0, n + 1) const int *off, tc_mut tc_shape(n) tc_rows(off[blockIdx.x], off[blockIdx.x + 1]) float *y, int n, int nb) { for (int i = off[blockIdx.x] + threadIdx.x; i < off[blockIdx.x + 1]; i += 32) y[i] = 1; }
