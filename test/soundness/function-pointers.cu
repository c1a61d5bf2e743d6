// A call through a pointer is a call of each function that it may be, and of any where that is not known.
// RUN: %verdicts %s --all --block=64 --grid=2 --rules=TC1001,TC3001,TC9002 | FileCheck %s
#include <tilecheck.h>
typedef void (*store)(float *, unsigned);
typedef int (*step)(int);
__device__ void here(float *v, unsigned i) { v[i] = 2.0f; }
__device__ void farther(float *v, unsigned i) { v[i + 64] = 3.0f; }
__device__ void in_pairs(float *v, unsigned i) { v[i / 2] = 3.0f; }
__device__ void with_another(float *v, unsigned i, int) { v[0] = 3.0f; }
__device__ int same(int i) { return i; }
__device__ int next(int i) { return i + 64; }
__device__ int half(int i) { return i / 2; }
#define T (threadIdx.x + blockIdx.x * blockDim.x)

// CHECK: kernel choice assumed
__global__ void choice(float *v, int n) { store f = n ? here : farther; f(v, T); }
// CHECK: kernel result assumed
__global__ void result(float *v, int n) { step f = n > 2 ? same : next; v[f(T)] = 1; }
// CHECK: kernel handed_over assumed
__global__ void handed_over(float *v, store f) { tc_assume(f == here || f == farther, "the host passes one of them"); f(v, T); }
// CHECK: kernel through_void assumed
__global__ void through_void(float *v, store f) { tc_assume(f == here, "the host passes it"); void *p = (void *)f; store g = (store)p; g(v, T); }
// CHECK: kernel tested assumed
__global__ void tested(float *v, store f) { if (f == here) f(v, T); }

// CHECK: kernel bad_choice {{violated|unknown}}
__global__ void bad_choice(float *v, int n) { store f = n ? here : in_pairs; f(v, T); }
// CHECK: kernel bad_result {{violated|unknown}}
__global__ void bad_result(float *v, int n) { step f = n > 2 ? same : half; v[f(T)] = 1; }
// One function in each half of a block.
// CHECK: kernel bad_mix {{violated|unknown}}
__global__ void bad_mix(float *v) { store f = threadIdx.x < 32 ? here : in_pairs; f(v, T); }
// CHECK: kernel bad_null {{violated|unknown}}
__global__ void bad_null(float *v, int n) { store f = n ? here : nullptr; f(v, T); }
// CHECK: kernel bad_one_of_them {{violated|unknown}}
__global__ void bad_one_of_them(float *v, store f) { tc_assume(f == here || f == in_pairs, "the host passes one of them"); f(v, T); }
// CHECK: kernel bad_any {{violated|unknown}}
__global__ void bad_any(float *v, store f) { f(v, T); v[T] = 1; }
// CHECK: kernel bad_tested_in_vain {{violated|unknown}}
__global__ void bad_tested_in_vain(float *v, store f) { if (f == here) v[T] = 1; f(v, T); }
// CHECK: kernel bad_other_pointer {{violated|unknown}}
__global__ void bad_other_pointer(float *v, store f, store g) { tc_assume(f == here, "the host passes it"); g(v, T); v[T] = 1; }
// CHECK: kernel bad_moved {{violated|unknown}}
__global__ void bad_moved(float *v, store f, int n) { tc_assume(f == here, "the host passes it"); store g = (store)((char *)f + n); g(v, T); v[T] = 1; }
// CHECK: kernel bad_type {{violated|unknown}}
__global__ void bad_type(float *v) { store f = (store)with_another; f(v, T); v[T] = 1; }
