// Shared memory in which nothing is stored but what was read there was never written; nor was what is read before anything is stored.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
//
#include <tilecheck.h>
#define K tc_block(32) tc_grid(1) __global__ void
#define Y tc_mut tc_shape(32) float *y
#define X tc_shared tc_shape(32) const int *x
#define T threadIdx.x
#define RARE if (n > 1000000)
// CHECK: kernel to_itself {{violated|unknown}}
K to_itself(Y, int n) { __shared__ int s[32]; s[T] = s[T]; RARE y[s[T] & 31] = 1; }
// CHECK: kernel to_each_other {{violated|unknown}}
K to_each_other(Y, int n) { __shared__ int s[32], t[32]; s[T] = t[T]; t[T] = s[T]; RARE y[s[T] & 31] = 1; }
// CHECK: kernel to_another {{violated|unknown}}
K to_another(Y, int n) { __shared__ int s[32], t[32]; s[T] = s[T] + 1; t[T] = s[T]; RARE y[t[T] & 31] = 1; }
// CHECK: kernel counted_up {{violated|unknown}}
K counted_up(Y, int n) { __shared__ int s[32]; s[T]++; RARE y[s[T] & 31] = 1; }
// CHECK: kernel counted_up_atomically {{violated|unknown}}
K counted_up_atomically(Y, int n) { __shared__ int s[32]; int q = atomicAdd(&s[T], 1); RARE y[q & 31] = 1; }
// CHECK: kernel guard {{violated|unknown}}
K guard(Y, int n) { __shared__ int s[32]; s[T] = s[T]; RARE { if (s[T] > 0) y[0] = 1; } }
// CHECK: kernel sum_of_nothing {{violated|unknown}}
K sum_of_nothing(Y, int n)
{
    __shared__ int s[32];
    for (int o = 16; o > 0; o >>= 1) {
        if (T < o)
            s[T] += s[T + o];
        __syncthreads();
    }
    RARE y[s[T] & 31] = 1;
}
// CHECK: kernel too_early {{violated|unknown}}
K too_early(Y, X, int n) { __shared__ int s[32]; int v = s[T]; __syncthreads(); s[T] = x[T]; RARE y[v & 31] = 1; }
// CHECK: kernel sum proved
K sum(Y, X, int n)
{
    __shared__ int s[32];
    s[T] = x[T];
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (T < o)
            s[T] += s[T + o];
        __syncthreads();
    }
    RARE y[s[T] & 31] = 1;
}
// CHECK: kernel counted_from_zero proved
K counted_from_zero(Y, int n)
{
    __shared__ int c;
    if (T == 0)
        c = 0;
    __syncthreads();
    int q = atomicAdd(&c, 1);
    RARE y[q & 31] = 1;
}
// Filled further down than it is read, and read only after that: right, and not found.
// CHECK: kernel one_iteration_late {{proved|unknown}}
K one_iteration_late(Y, X, int n)
{
    __shared__ int s[32], t[32];
    for (int k = 0; k < n; k++) {
        if (k > 0)
            t[T] = s[T];
        __syncthreads();
        s[T] = x[T];
    }
    __syncthreads();
    if (n > 3)
        y[t[T] & 31] = 1;
}
// Right, and not found: what an atomic exchange leaves is not followed.
// CHECK: kernel exchanged {{proved|unknown}}
K exchanged(Y, int n) { __shared__ int c; if (T == 0) atomicExch(&c, 1); __syncthreads(); RARE y[c & 31] = 1; }
// One element is written, another is read: found back from the element that is read.
// CHECK: kernel one_element {{unknown|violated}}
K one_element(Y, int n) { __shared__ int s[32]; if (T == 0) s[0] = 1; __syncthreads(); RARE y[s[T] & 31] = 1; }
// CHECK: kernel one_element_seen violated
K one_element_seen(Y) { __shared__ int s[32]; if (T == 0) s[0] = 1; __syncthreads(); y[s[T] & 31] = 1; }
