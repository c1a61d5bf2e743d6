// TC2001: a call through a pointer that is null, or no function's.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
// RUN: %verdicts %s --null-functions | FileCheck %s --check-prefix=NULL
#include <tilecheck.h>

typedef float (*step)(float);
__device__ float once(float v) { return v + 1; }
__device__ float twice(float v) { return v + 2; }
#define K tc_block(64) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(64) tc_tile(64) float *y

// VERDICT: kernel null violated
// CHECK: tc2001-calls.cu:[[# @LINE + 3]]:{{.*}} a call through a null pointer{{.*}}[TC2001]
// CHECK: note: with mode = {{-?[0-9]+}}
// CHECK: note: test the pointer against nullptr
K null(Y, int mode) { step f = mode == 1 ? once : mode == 2 ? twice : nullptr; y[threadIdx.x] = f(1.0f); }
// VERDICT: kernel tested proved
K tested(Y, int mode) { step f = mode == 1 ? once : mode == 2 ? twice : nullptr; y[threadIdx.x] = mode == 1 || mode == 2 ? f(1.0f) : 0; }
// VERDICT: kernel of_some_threads violated
K of_some_threads(Y) { step f = threadIdx.x == 63 ? nullptr : once; y[threadIdx.x] = f(1.0f); }
// Behind the call of nothing is no race to be told.
// VERDICT: kernel behind_it violated
// CHECK-NOT: [TC3001]
// CHECK: tc2001-calls.cu:[[# @LINE + 3]]:{{.*}} a call through a null pointer
// CHECK-NOT: [TC3001]
// CHECK: a call through a pointer to no function: it is a number
K behind_it(Y) { step f = nullptr; f(1.0f); y[0] = threadIdx.x; }

// VERDICT: kernel number violated
K number(Y) { step f = (step)40; y[threadIdx.x] = f(1.0f); }
// VERDICT: kernel moved violated
// CHECK: a call through a pointer to no function: it was moved away from one
// CHECK: note: with by = 0, f = once(float)
K moved(Y, step f, int by) { tc_assume(f == once, "the host passes it"); char *p = (char *)f; if (by == 0) p += 8; y[threadIdx.x] = ((step)p)(1.0f); }
// VERDICT: kernel moved_back assumed
K moved_back(Y, step f) { tc_assume(f == once, "the host passes it"); char *p = (char *)f + 8; y[threadIdx.x] = ((step)(p - 8))(1.0f); }
// VERDICT: kernel data violated
K data(Y) { step f = (step)(void *)y; y[threadIdx.x] = f(1.0f); }

// What a kernel is given is not null, unless that is asked for.
// VERDICT: kernel given unknown
// NULL: kernel given violated
K given(Y, step f) { y[threadIdx.x] = f(1.0f); }
// VERDICT: kernel given_or_not unknown
// NULL: kernel given_or_not unknown
K given_or_not(Y, step f) { if (f) y[threadIdx.x] = f(1.0f); }
// VERDICT: kernel given_one assumed
// NULL: kernel given_one assumed
K given_one(Y, step f) { tc_assume(f == once || f == twice, "the host passes one of them"); y[threadIdx.x] = f(1.0f); }
struct rule { int n; step f; };
// VERDICT: kernel given_in_struct unknown
// NULL: kernel given_in_struct violated
K given_in_struct(Y, rule r) { y[threadIdx.x] = r.f(1.0f); }
// VERDICT: kernel one_in_struct assumed
// NULL: kernel one_in_struct assumed
K one_in_struct(Y, rule r) { tc_assume(r.f == once, "the host passes it"); y[threadIdx.x] = r.f(1.0f); }
// A pointer to another function is not equal to two of them.
// VERDICT: kernel never_both assumed
K never_both(Y, step f) { tc_assume(f == once || f == twice, "the host passes one of them"); if (f == once && f == twice) y[99] = 0; y[threadIdx.x] = f(1.0f); }
