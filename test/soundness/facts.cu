// Facts about index arrays, and contracts that say just too little. Each fault (b…) has a correct twin (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define G __global__ void
#define K1 tc_block(32) tc_grid(1) __global__ void
#define OUT tc_mut tc_shape(32) float *y
#define BIG 1000000
typedef unsigned u; typedef long long ll; typedef unsigned long long ull;
// CHECK: kernel bo1 {{violated|unknown}}
K1 bo1(OUT, tc_shared tc_optional tc_shape(32) const float *x, int n) { if (n > BIG || x) y[0] = x[0]; }
// CHECK: kernel go1 proved
K1 go1(OUT, tc_shared tc_optional tc_shape(32) const float *x, int n) { if (n > BIG && x) y[0] = x[0]; }
// CHECK: kernel bo4 {{violated|unknown}}
K1 bo4(OUT, tc_shared tc_optional tc_shape(n) const float *x, tc_shared tc_optional tc_shape(n) const float *z, int n) { if (x) { if (n > BIG) y[0] = z[0]; } }
// CHECK: kernel go4 proved
tc_requires(x != nullptr || z == nullptr) K1 go4(OUT, tc_shared tc_optional tc_shape(n) const float *x, tc_shared tc_optional tc_shape(n) const float *z, int n) { if (z) { if (n > BIG) y[0] = x[0]; } }
// CHECK: kernel brg4 violated
K1 brg4(OUT, tc_shared tc_shape(n) tc_range(0, 32) const int *x, int n, int m) { if (m >= 0 && m <= n) y[x[m]] = 1; }
// CHECK: kernel brg11 {{violated|unknown}}
K1 brg11(OUT, tc_shared tc_shape(n) tc_range(0, 32) const int *x, int n, int j) { if (n > BIG) { *(int *)(x + 3) = 77; y[x[3]] = 1; } }
// CHECK: kernel bmo1 violated
tc_block(32) tc_grid(nb) tc_requires(nb > BIG) G bmo1(tc_shared tc_shape(nb + 1) tc_monotone tc_range(0, n + 1) const int *off, tc_mut tc_shape(n) float *y, int n, int nb) { int s = off[blockIdx.x], e = off[blockIdx.x + 1]; if (threadIdx.x == 0 && s <= e) for (int i = s; i <= e && i < n; i++) y[i] = 1; }
// CHECK: kernel gmo1 proved
tc_block(32) tc_grid(nb) tc_requires(nb > BIG) G gmo1(tc_shared tc_shape(nb + 1) tc_monotone tc_range(0, n + 1) const int *off, tc_mut tc_shape(n) float *y, int n, int nb) { int s = off[blockIdx.x], e = off[blockIdx.x + 1]; if (threadIdx.x == 0) for (int i = s; i < e; i++) y[i] = 1; }
// CHECK: kernel bfa1 {{violated|unknown}}
tc_block(32) tc_grid(1) tc_forall(i; t[i] < 32 || i > 5) G bfa1(tc_shared tc_shape(n) const u *t, OUT, int n) { if (n > BIG) y[t[6]] = 1; }
// CHECK: kernel gfa1 proved
tc_block(32) tc_grid(1) tc_forall(i; t[i] < 32 || i > 5) G gfa1(tc_shared tc_shape(n) const u *t, OUT, int n) { if (n > BIG) y[t[5]] = 1; }
// CHECK: kernel bmi5 violated
tc_block(32) tc_grid((n - 1) / 32 + 1) tc_requires(n % 16 == 0 && n > BIG) G bmi5(tc_mut tc_shape(n) tc_tile(32) float *y, int n) { y[blockIdx.x * 32 + threadIdx.x] = 1; }
// CHECK: kernel gmi5 proved
tc_block(32) tc_grid((n - 1) / 32 + 1) tc_requires(n % 32 == 0 && n > BIG) G gmi5(tc_mut tc_shape(n) tc_tile(32) float *y, int n) { y[blockIdx.x * 32 + threadIdx.x] = 1; }
// CHECK: kernel gmi6 proved
tc_block(32) tc_grid(n >> 5) tc_requires((n & 15) == 0 && n > BIG) G gmi6(tc_mut tc_shape(n) tc_tile(32) float *y, int n) { y[blockIdx.x * 32 + threadIdx.x] = 1; }
// CHECK: kernel bmi6 violated
tc_block(32) tc_grid(n >> 4) tc_requires((n & 15) == 0 && n > BIG) G bmi6(tc_mut tc_shape(n) tc_tile(16) float *y, int n) { y[blockIdx.x * 16 + threadIdx.x] = 1; }
// CHECK: kernel bmi8 violated
tc_block(64) tc_grid(tc_cdiv(n, 64)) tc_requires(n > BIG) G bmi8(tc_mut tc_shape(n) tc_tile(64) tc_at(blockIdx.x % 1000) float *y, int n) { int i = blockIdx.x % 1000 * 64 + threadIdx.x; if (i < n) y[i] = 1; }
// CHECK: kernel gmi8 proved
tc_block(64) tc_grid(tc_cdiv(n, 64)) tc_requires(n > BIG) G gmi8(tc_mut tc_shape(n) tc_tile(64) tc_at(gridDim.x - 1 - blockIdx.x) float *y, int n) { int i = (gridDim.x - 1 - blockIdx.x) * 64 + threadIdx.x; if (i < n) y[i] = 1; }
// CHECK: kernel bcp3 {{violated|unknown}}
K1 bcp3(OUT, tc_shared tc_shape(n) tc_align(16) const float *x, int n) { __shared__ __align__(16) float s[32]; if (n > BIG) asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"((u)__cvta_generic_to_shared(s + 2)), "l"(x) : "memory"); y[0] = s[0]; }
// CHECK: kernel gcp3 proved
K1 gcp3(OUT, tc_shared tc_shape(n) tc_align(16) const float *x, int n) { __shared__ __align__(16) float s[32]; if (n > BIG) asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" :: "r"((u)__cvta_generic_to_shared(s + 4)), "l"(x + 4) : "memory"); y[0] = s[0]; }
