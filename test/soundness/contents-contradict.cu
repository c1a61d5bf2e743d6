// What is said of stored values contradicts itself: nothing is proved of a contract that no launch with work to do meets.
// Each contradiction (b…) has a twin that some contents keep to (g…).
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2 2>&1 | FileCheck %s --check-prefix=TEXT --implicit-check-not='[TC9001]'
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
#define K1 tc_block(32) tc_grid(1)
#define KN tc_block(32) tc_grid(tc_cdiv(n, 32)) tc_requires(n <= 1 << 20)
#define Y tc_mut tc_shape(16) float *y
#define T threadIdx.x

// One index may be both of them.
// CHECK: kernel b_same_index unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with an element of 'x' satisfies this contract{{.*}}[TC9001]
K1 tc_forall(i, j; x[i] != x[j]) __global__ void b_same_index(tc_shared tc_shape(32) const int *x, Y) { y[x[T]] = 0; }
// CHECK: kernel g_same_index {{violated|unknown}}
K1 tc_forall(i, j; i == j || x[i] != x[j]) __global__ void g_same_index(tc_shared tc_shape(32) const int *x, Y) { y[x[T]] = 0; }

// CHECK: kernel b_beside_range unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with an element of 'x'{{.*}}[TC9001]
K1 tc_forall(i; x[i] >= 100) __global__ void b_beside_range(tc_shared tc_shape(32) tc_range(0, 50) const int *x, Y) { y[x[T]] = 0; }
// CHECK: kernel g_beside_range violated
K1 tc_forall(i; x[i] >= 49) __global__ void g_beside_range(tc_shared tc_shape(32) tc_range(0, 50) const int *x, Y) { y[x[T]] = 0; }
// CHECK: kernel b_beside_size unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with {{.*}}[TC9001]
KN tc_forall(i; x[i] > n) __global__ void b_beside_size(tc_shared tc_shape(n) tc_range(0, n) const int *x, Y, int n) { int i = blockIdx.x * 32 + T; if (i < n) y[x[i]] = 0; }
// CHECK: kernel g_beside_size violated
KN tc_forall(i; x[i] >= n) __global__ void g_beside_size(tc_shared tc_shape(n) tc_range(0, n + 1) const int *x, Y, int n) { int i = blockIdx.x * 32 + T; if (i < n) y[x[i]] = 0; }

// CHECK: kernel b_falls unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with {{.*}}[TC9001]
K1 tc_forall(i; x[i + 1] < x[i]) __global__ void b_falls(tc_shared tc_shape(33) tc_monotone const int *x, Y) { if (x[T + 1] >= x[T]) y[99] = 0; }
// CHECK: kernel g_falls violated
K1 tc_forall(i; x[i + 1] <= x[i]) __global__ void g_falls(tc_shared tc_shape(33) tc_monotone const int *x, Y) { if (x[T + 1] >= x[T]) y[99] = 0; }
// One element alone neither rises nor falls; but of one nothing is read here.
// CHECK: kernel b_falls_from_two_on unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with two elements of 'x'{{.*}}[TC9001]
KN tc_forall(i; x[i + 1] < x[i]) __global__ void b_falls_from_two_on(tc_shared tc_shape(n) tc_monotone const int *x, Y, int n) { int i = blockIdx.x * 32 + T; if (i + 1 < n && x[i + 1] >= x[i]) y[99] = 0; }
// CHECK: kernel g_one_is_read violated
KN tc_forall(i; x[i + 1] < x[i]) __global__ void g_one_is_read(tc_shared tc_shape(n) tc_monotone const int *x, Y, int n) { int i = blockIdx.x * 32 + T; if (i < n && x[i] > 16) y[x[i]] = 0; }

// CHECK: kernel b_two_of_them unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with {{.*}}[TC9001]
K1 tc_forall(i; x[i] < 5) tc_forall(k; x[k] > 7) __global__ void b_two_of_them(tc_shared tc_shape(32) const int *x, Y) { y[x[T]] = 0; }
// CHECK: kernel g_two_of_them {{violated|unknown}}
K1 tc_forall(i; x[i] < 50) tc_forall(k; x[k] > 7) __global__ void g_two_of_them(tc_shared tc_shape(32) const int *x, Y) { y[x[T]] = 0; }
// CHECK: kernel b_two_arrays unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with {{.*}}[TC9001]
K1 tc_forall(i; x[i] < z[i]) tc_forall(i; z[i] < x[i]) __global__ void b_two_arrays(tc_shared tc_shape(32) const int *x, tc_shared tc_shape(32) const int *z, Y) { y[x[T] + z[T]] = 0; }
// CHECK: kernel b_rows unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with {{.*}}[TC9001]
K1 tc_forall(i, j; t[i][j] == t[j][i] + 1) __global__ void b_rows(tc_shared tc_shape(8, 8) const int *t, Y) { y[t[T % 8 * 8]] = 0; }

// More different values than there are values.
// CHECK: kernel b_too_many unknown
// TEXT: contents-contradict.cu:[[@LINE+1]]:{{[0-9]+}}: error: no launch with {{.*}}[TC9001]
K1 __global__ void b_too_many(tc_shared tc_shape(32) tc_range(0, 16) tc_injective const int *x, Y) { y[x[T]] = 0; }
// CHECK: kernel g_as_many proved
tc_block(16) tc_grid(1) __global__ void g_as_many(tc_shared tc_shape(16) tc_range(0, 16) tc_injective const int *x, Y) { y[x[T]] = 0; }

// The other arrays are there without it, and the kernel works on them.
// CHECK: kernel g_is_not_there {{proved|violated}}
KN tc_forall(i; x[i] < 0) __global__ void g_is_not_there(tc_shared tc_optional tc_shape(n) tc_range(0, 16) const int *x, tc_mut tc_shape(n) tc_tile(32) float *y, int n) { int i = blockIdx.x * 32 + T; if (i < n) y[i] = x ? x[i] : 0; }
// TEXT: contents-contradict.cu:{{.*}}: remark: no launch with an element of 'x' satisfies this contract
// CHECK: kernel g_is_empty proved
tc_block(32) tc_grid(tc_cdiv(n, 32)) tc_requires(n <= 1 << 20 && rows == 0 && m <= 100) __global__ void g_is_empty(tc_shared tc_shape(m) tc_range(0, rows) const int *x, tc_mut tc_shape(n) tc_tile(32) float *y, int n, int m, int rows) { int i = blockIdx.x * 32 + T; if (i < n) y[i] = i < m ? x[i] : 0; }
// What is said of one array that may be null says nothing of another.
// CHECK: kernel g_other_may_be_null {{violated|unknown}}
K1 tc_forall(i; z[i] < 0) __global__ void g_other_may_be_null(tc_shared tc_shape(32) tc_range(0, 50) const int *x, tc_shared tc_optional tc_shape(32) tc_range(0, 16) const int *z, Y) { y[z ? z[T] : x[T]] = 0; }
// Only empty arrays: no contradiction, and nothing to do.
// CHECK: kernel g_only_empty {{proved|unknown}}
K1 tc_requires(n == 0) __global__ void g_only_empty(tc_shared tc_shape(n) tc_range(0, 16) const int *x, Y, int n) { if (T < n) y[x[T]] = 0; }
