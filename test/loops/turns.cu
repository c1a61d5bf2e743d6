// Pointers that change places in each iteration: from which to which, by the iteration's number. b_: near misses.
// RUN: %verdicts %s --rules=TC1,TC2,TC3 | FileCheck %s
#include <tilecheck.h>
#define T threadIdx.x

// The one array is twice as long as the other; only in every other iteration may all of it be touched.
// CHECK: kernel even_steps proved
tc_block(64) tc_grid(1)
__global__ void even_steps(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        to[k % 2 ? T : T + 64] = from[T];
        __syncthreads();
        float *t = from;
        from = to;
        to = t;
    }
}

// CHECK: kernel b_even_steps violated
tc_block(64) tc_grid(1)
__global__ void b_even_steps(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        to[k % 2 ? T + 64 : T] = from[T];
        __syncthreads();
        float *t = from;
        from = to;
        to = t;
    }
}

// CHECK: kernel b_all_steps violated
tc_block(64) tc_grid(1)
__global__ void b_all_steps(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        to[T + 64] = from[T];
        __syncthreads();
        float *t = from;
        from = to;
        to = t;
    }
}

// After the loop it hangs on the number of iterations.
// CHECK: kernel behind_even proved
tc_block(64) tc_grid(1) tc_requires(n % 2 == 0)
__global__ void behind_even(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        float *t = from;
        from = to;
        to = t;
    }
    to[T + 64] = 1;
}

// CHECK: kernel b_behind_any violated
tc_block(64) tc_grid(1)
__global__ void b_behind_any(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        float *t = from;
        from = to;
        to = t;
    }
    to[T + 64] = 1;
}

// CHECK: kernel b_not_always violated
tc_block(64) tc_grid(1)
__global__ void b_not_always(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        to[k % 2 ? T : T + 64] = 1;
        if (k == 3)
            continue;
        float *t = from;
        from = to;
        to = t;
    }
}

// CHECK: kernel b_left_early violated
tc_block(64) tc_grid(1) tc_requires(n % 2 == 0)
__global__ void b_left_early(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n, int last)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        float *t = from;
        from = to;
        to = t;
        if (k == last)
            break;
    }
    to[T + 64] = 1;
}

// CHECK: kernel b_twice violated
tc_block(64) tc_grid(1)
__global__ void b_twice(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        to[k % 2 ? T : T + 64] = from[T];
        __syncthreads();
        float *t = from;
        from = to;
        to = t;
        if (k == 4) {
            t = from;
            from = to;
            to = t;
        }
    }
}

// Three of them: each is the short one in its turn.
// CHECK: kernel three proved
tc_block(64) tc_grid(1)
__global__ void three(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, tc_mut tc_shape(192) float *c, int n)
{
    float *x = a, *y = b, *z = c;
    for (int k = 0; k < n; k++) {
        x[T + 64 * (k % 3)] = 1;
        float *t = x;
        x = y;
        y = z;
        z = t;
    }
}

// CHECK: kernel b_three violated
tc_block(64) tc_grid(1)
__global__ void b_three(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, tc_mut tc_shape(192) float *c, int n)
{
    float *x = a, *y = b, *z = c;
    for (int k = 0; k < n; k++) {
        y[T + 64 * (k % 3)] = 1;
        float *t = x;
        x = y;
        y = z;
        z = t;
    }
}

// No ring: the third one is written over.
// CHECK: kernel b_no_ring violated
tc_block(64) tc_grid(1)
__global__ void b_no_ring(tc_mut tc_shape(192) float *a, tc_mut tc_shape(128) float *b, tc_mut tc_shape(64) float *c, int n)
{
    float *x = a, *y = b, *z = c;
    for (int k = 0; k < n; k++) {
        x[T + 64 * (2 - k % 3)] = 1;
        float *t = x;
        x = y;
        y = z;
        z = y;
        if (n < 0)
            z = t;
    }
}

// Each round moves them on by one element as well.
// CHECK: kernel b_moved_too {{violated|unknown}}
tc_block(64) tc_grid(1)
__global__ void b_moved_too(tc_mut tc_shape(64) float *a, tc_mut tc_shape(128) float *b, int n)
{
    float *from = a, *to = b;
    for (int k = 0; k < n; k++) {
        to[k % 2 ? T : T + 64] = 1;
        float *t = from;
        from = to;
        to = t + 1;
    }
}

// Places in shared memory, one behind the other.
// CHECK: kernel halves proved
tc_block(64) tc_grid(1)
__global__ void halves(tc_mut tc_shape(64) float *y, int n)
{
    __shared__ float s[128];
    float *from = s, *to = s + 64;
    s[T] = y[T];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        to[T] = from[63 - T];
        __syncthreads();
        float *t = from;
        from = to;
        to = t;
    }
    y[T] = from[T];
}

// CHECK: kernel b_halves violated
tc_block(64) tc_grid(1)
__global__ void b_halves(tc_mut tc_shape(64) float *y, int n)
{
    __shared__ float s[128];
    float *from = s, *to = s + 64;
    s[T] = y[T];
    __syncthreads();
    for (int k = 0; k < n; k++) {
        to[T] = from[63 - T];
        if (k % 2)
            __syncthreads();
        float *t = from;
        from = to;
        to = t;
    }
    y[T] = from[T];
}
