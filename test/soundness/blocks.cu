// Two blocks: tiles, rows, owners and direct disjointness. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define G __global__ void
#define BIG 1000000
typedef unsigned u; typedef long long ll;
// CHECK: kernel b1 {{violated|unknown}}
tc_block(32) tc_grid(nb) tc_requires(nb > BIG) G b1(tc_mut tc_shape(nb + 1) int *off, tc_mut tc_shape(n) tc_rows(off[blockIdx.x], off[blockIdx.x + 1]) float *y, int n, int nb) { off[blockIdx.x] = 0; int s = off[blockIdx.x]; if (s >= 0 && s < n && s < off[blockIdx.x + 1]) y[s] = 1; }
// CHECK: kernel b4 {{violated|unknown}}
tc_block(32) tc_grid(1) tc_forall(i; k[i] < 32) tc_requires(n > BIG) G b4(tc_mut tc_shape(n) u *k, tc_mut tc_shape(32) float *y, int n) { k[0] = 40; y[k[0]] = 1; }
struct Q { int *k; int *j; };
// CHECK: kernel b17 {{violated|unknown}}
tc_block(32) tc_requires(gridDim.x < 100000) G b17(tc_mut tc_shape(n) float *y, int n, int s) { ll i = (ll)blockIdx.x * s + threadIdx.x; if (i >= 0 && i < n && s > 30 && n > BIG) y[i] = 1; }
// CHECK: kernel g17 proved-if
tc_block(32) tc_requires(gridDim.x < 100000) G g17(tc_mut tc_shape(n) float *y, int n, int s) { ll i = (ll)blockIdx.x * s + threadIdx.x; if (i >= 0 && i < n && s > 31 && n > BIG) y[i] = 1; }
// CHECK: kernel b22 {{violated|unknown}}
tc_block(8, 4) tc_requires(gridDim.x < 60000 && gridDim.y < 10000) G b22(tc_mut tc_shape(n) float *y, int n) { ll i = ((ll)blockIdx.y * (gridDim.x - 1) + blockIdx.x) * 32 + threadIdx.y * 8 + threadIdx.x; if (i >= 0 && i < n && n > BIG) y[i] = 1; }
// CHECK: kernel g22 proved-if
tc_block(8, 4) tc_requires(gridDim.x < 60000 && gridDim.y < 10000) G g22(tc_mut tc_shape(n) float *y, int n) { ll i = ((ll)blockIdx.y * gridDim.x + blockIdx.x) * 32 + threadIdx.y * 8 + threadIdx.x; if (i >= 0 && i < n && n > BIG) y[i] = 1; }
