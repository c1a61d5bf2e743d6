// A buffer that is overwritten under another name has no constant contents.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
// CHECK: kernel bad_range {{violated|unknown}}
tc_block(32) tc_grid(1) __global__ void bad_range(tc_shared tc_shape(32) tc_range(0, 32) const int *x,
    tc_mut tc_shape(32) tc_inplace(x) int *y, tc_mut tc_shape(32) float *z)
{ int i = threadIdx.x; y[i] = 100; z[x[i]] = 1; }
// CHECK: kernel bad_guard {{violated|unknown}}
tc_block(32) tc_grid(1) __global__ void bad_guard(tc_shared tc_shape(32) const int *x,
    tc_mut tc_shape(32) tc_inplace(x) int *y, tc_mut tc_shape(32) float *z)
{ int i = threadIdx.x; if (x[i] >= 0 && x[i] < 32) { y[i] = 500; z[x[i]] = 1; } }
// CHECK: kernel bad_equal {{violated|unknown}}
tc_block(32) tc_grid(1) __global__ void bad_equal(tc_mut tc_shape(32) int *x, tc_mut tc_shape(32) tc_inplace(x) int *y,
    tc_mut tc_shape(1) float *z)
{ int i = threadIdx.x; int a = x[i]; y[i] = 5; int b = x[i]; z[a == b ? 0 : 7] = 1; }
// CHECK: kernel good_once {{proved|unknown}}
tc_block(32) tc_grid(1) __global__ void good_once(tc_shared tc_shape(32) tc_range(0, 32) const int *x,
    tc_mut tc_shape(32) tc_inplace(x) int *y, tc_mut tc_shape(32) float *z)
{ int i = threadIdx.x; int k = x[i]; y[i] = 100; z[k] = 1; }
// CHECK: kernel bad_required {{violated|unknown}}
tc_block(32) tc_grid(1) tc_requires(n > 1000000) tc_requires(k[0] < 32) __global__ void bad_required(tc_shared tc_shape(n) unsigned *k,
    tc_mut tc_shape(32) tc_inplace(k) unsigned *z, tc_mut tc_shape(32) float *y, int n) { z[0] = 40; y[k[0]] = 1; }
struct Q { int *k; int *j; };
tc_block(32) tc_grid(1) tc_param(q.k, shared, shape(n), range(0, 32)) tc_param(q.j, mut, shape(n), inplace(q.k))
// CHECK: kernel bad_field {{violated|unknown}}
__global__ void bad_field(Q q, tc_mut tc_shape(32) float *y, int n) { if (n > 0) { q.j[0] = 77; y[q.k[0]] = 1; } }
