// A pointer that is not written on every path.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
struct P { float *p; int n; };
// CHECK: kernel bad_store {{violated|unknown}}
K bad_store(Y, int n) { float *p; if (n < 1000000) p = y; p[0] = 1; }
// CHECK: kernel bad_load {{violated|unknown}}
K bad_load(Y, int n, tc_shared tc_shape(32) const float *x) { const float *p; if (n < 1000000) p = x; y[0] = p[0]; }
// CHECK: kernel bad_field {{violated|unknown}}
K bad_field(Y, int n) { P s; s.n = 5; if (n < 1000000) s.p = y; s.p[3] = 1; }
// CHECK: kernel bad_local {{violated|unknown}}
K bad_local(Y, int n) { int *p; int k = 4; if (n < 1000000) p = &k; y[*p] = 1; }
// CHECK: kernel good_store proved
K good_store(Y, int n) { float *p; if (n < 1000000) p = y; else p = y + 1; p[0] = 1; }
struct S { int a; float f; int *p; };
// CHECK: kernel bad_compare {{violated|unknown}}
K bad_compare(Y, int n) { S s; s.a = 3; int *q = s.p; if (n > 1000000) y[q == nullptr] = 1; }
