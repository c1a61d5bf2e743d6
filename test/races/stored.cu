// Values that come back from shared memory keep to what all stores keep to. b_: near misses.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#define B 32

// CHECK: kernel table proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1000)
__global__ void table(tc_mut tc_shape(m, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y, tc_shared tc_shape(m, B) const float *x,
                      tc_shared tc_shape(B) tc_range(0, B) const int *p, int m)
{
    __shared__ int s[B];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + s[B - 1 - threadIdx.x]];
}

// CHECK: kernel b_range violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 1000)
__global__ void b_range(tc_mut tc_shape(m, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y, tc_shared tc_shape(m, B) const float *x,
                        tc_shared tc_shape(B) tc_range(0, B + 1) const int *p, int m)
{
    __shared__ int s[B];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    y[blockIdx.x * B + threadIdx.x] = x[blockIdx.x * B + s[B - 1 - threadIdx.x]];
}

// One element is never written.
// CHECK: kernel b_hole {{violated|unknown}}
tc_block(B) tc_grid(1)
__global__ void b_hole(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x, tc_shared tc_shape(B) tc_range(0, B) const int *p)
{
    __shared__ int s[B];
    if (threadIdx.x != 5)
        s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = x[s[B - 1 - threadIdx.x]];
}

// Another store, of another kind of value, to the same bytes.
// CHECK: kernel b_second_store {{violated|unknown}}
tc_block(B) tc_grid(1)
__global__ void b_second_store(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x, tc_shared tc_shape(B) tc_range(0, B) const int *p)
{
    __shared__ int s[B];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 3)
        s[7] = B;
    __syncthreads();
    y[threadIdx.x] = x[s[B - 1 - threadIdx.x]];
}

// CHECK: kernel b_float {{violated|unknown}}
tc_block(B) tc_grid(1)
__global__ void b_float(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x, tc_shared tc_shape(B) tc_range(0, B) const int *p)
{
    __shared__ int s[B];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    ((float *)s)[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = x[s[B - 1 - threadIdx.x]];
}

// Two halves make up another value.
// CHECK: kernel b_halves {{violated|unknown}}
tc_block(B) tc_grid(1)
__global__ void b_halves(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ int s[B];
    s[threadIdx.x] = 3;
    __syncthreads();
    ((short *)s)[2 * threadIdx.x + 1] = 3;
    __syncthreads();
    y[threadIdx.x] = x[s[B - 1 - threadIdx.x]];
}

// CHECK: kernel b_atomic {{violated|unknown}}
tc_block(B) tc_grid(1)
__global__ void b_atomic(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ int s[B];
    s[threadIdx.x] = 3;
    __syncthreads();
    atomicAdd(&s[threadIdx.x], 2 * threadIdx.x);
    __syncthreads();
    y[threadIdx.x] = x[s[B - 1 - threadIdx.x]];
}

// Bounded by the guard of the store, in turn by what was loaded before.
// CHECK: kernel handed_on proved
tc_block(B) tc_grid(1) tc_requires(n >= 1 && n <= B)
__global__ void handed_on(tc_mut tc_shape(B) float *y, tc_shared tc_shape(n) const float *x, tc_shared tc_shape(B) const int *p, int n)
{
    __shared__ int s[B], t[B];
    int v = p[threadIdx.x];
    s[threadIdx.x] = v >= 0 && v < n ? v : 0;
    __syncthreads();
    t[threadIdx.x] = s[B - 1 - threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = x[t[(threadIdx.x + 1) % B]];
}

// A narrow element cuts the value off.
// CHECK: kernel b_narrow {{violated|unknown}}
tc_block(B) tc_grid(1) tc_requires(n >= 1 && n <= 100000)
__global__ void b_narrow(tc_mut tc_shape(B) float *y, tc_shared tc_shape(100000) const float *x, int n)
{
    __shared__ signed char s[B];
    s[threadIdx.x] = n;
    __syncthreads();
    y[threadIdx.x] = x[s[B - 1 - threadIdx.x]];
}

// What a later load gives says nothing of an earlier store: two tests of it that exclude each other would show anything.
// CHECK: kernel b_later {{violated|unknown}}
tc_block(64) tc_grid(1)
__global__ void b_later(tc_mut tc_shape(64) float *y, tc_shared tc_shape(64) const float *x, tc_shared tc_shape(64) const int *p)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    if (s[t] < 0 || s[t] >= 64)
        s[t] = t;
    __syncthreads();
    if (t == 0)
        s[63] = 5000;
    __syncthreads();
    y[t] = x[s[t]];
}

// CHECK: kernel b_own_value {{violated|unknown}}
tc_block(64) tc_grid(1)
__global__ void b_own_value(tc_mut tc_shape(64) float *y, tc_shared tc_shape(64) const float *x, tc_shared tc_shape(64) tc_range(0, 64) const int *p)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = p[t];
    s[t] = s[t] + 1;
    s[t] = s[t] + 1;
    y[t] = x[s[t]];
}

// The index went through two arrays; the first of them was never written whole.
// CHECK: kernel handed proved
tc_block(B) tc_grid(1)
__global__ void handed(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x, tc_shared tc_shape(B) tc_range(0, B) const int *p)
{
    __shared__ int s[B], q[B];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = s[B - 1 - threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = x[q[B - 1 - threadIdx.x]];
}

// CHECK: kernel b_handed {{violated|unknown}}
tc_block(B) tc_grid(1)
__global__ void b_handed(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x, tc_shared tc_shape(B) tc_range(0, B) const int *p)
{
    __shared__ int s[B], q[B];
    if (threadIdx.x != 5)
        s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    q[threadIdx.x] = s[B - 1 - threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = x[q[B - 1 - threadIdx.x]];
}

// What is known of the loop's variable leans on what was loaded in it.
// CHECK: kernel b_carried {{violated|unknown}}
tc_block(B) tc_grid(1) tc_requires(n >= 1 && n <= 100)
__global__ void b_carried(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x, tc_shared tc_shape(B) tc_range(0, B) const int *p, int n)
{
    __shared__ int s[B];
    if (threadIdx.x != 5)
        s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    int at = 0;
    for (int k = 0; k < n; k++) {
        if (s[k % B] > at)
            at = s[k % B];
    }
    y[threadIdx.x] = x[at];
}
