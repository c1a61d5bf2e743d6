// A counter of type int against an unsigned limit: C reads it as unsigned, and it is never negative where the limit keeps it in range.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel up_to_uint proved
tc_block(128) tc_grid(1) tc_requires(n <= 1024)
__global__ void up_to_uint(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(128) float *out, unsigned n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    out[threadIdx.x] = s;
}

// CHECK: kernel up_to_size proved
tc_block(128) tc_grid(1) tc_requires(n <= 1000000)
__global__ void up_to_size(tc_mut tc_shape(n) float *a, size_t n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        a[i] = 1;
}

// CHECK: kernel up_to_thread proved
tc_block(128) tc_grid(1)
__global__ void up_to_thread(tc_shared tc_shape(128) const float *a, tc_mut tc_shape(128) int *rank)
{
    int r = 0;
    for (int t = 0; t < threadIdx.x; t++)
        r += a[t] < a[threadIdx.x];
    rank[threadIdx.x] = r;
}

// CHECK: kernel up_to_grid proved
tc_block(128) tc_grid(blocks)
__global__ void up_to_grid(tc_shared tc_shape(gridDim.x) const float *a, tc_mut tc_shape(gridDim.x) float *out, unsigned blocks)
{
    float s = 0;
    for (int b = 0; b < gridDim.x; ++b)
        s += a[b];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s;
}

// The limit's bound is one of another size.
// CHECK: kernel up_to_less_than_another proved
tc_block(128) tc_grid(1) tc_requires(n <= m && m <= 100000)
__global__ void up_to_less_than_another(tc_mut tc_shape(m) float *a, unsigned n, size_t m)
{
    for (int i = threadIdx.x; i < n; i += 128)
        a[i] = 1;
}

// CHECK: kernel up_to_loaded proved
tc_block(128) tc_grid(1)
__global__ void up_to_loaded(tc_shared tc_shape(129) tc_range(0, 5000) const unsigned *first, tc_shared tc_shape(5000) const float *a,
                             tc_mut tc_shape(128) float *out)
{
    float s = 0;
    for (int i = 0; i < first[threadIdx.x]; i++)
        s += a[i];
    out[threadIdx.x] = s;
}

// CHECK: kernel up_to_included proved
tc_block(128) tc_grid(1) tc_requires(last < 1024)
__global__ void up_to_included(tc_mut tc_shape(last + 1) float *a, unsigned last)
{
    if (threadIdx.x == 0)
        for (short i = 0; i <= last; i++)
            a[i] = 1;
}

// CHECK: kernel with_barrier proved
tc_block(128) tc_grid(1) tc_requires(n <= 1024)
__global__ void with_barrier(tc_mut tc_shape(128) float *a, size_t n)
{
    __shared__ float s[128];
    s[threadIdx.x] = a[threadIdx.x];
    for (int i = 0; i < n; i++) {
        __syncthreads();
        float other = s[(threadIdx.x + 1) % 128];
        __syncthreads();
        s[threadIdx.x] = other;
    }
    a[threadIdx.x] = s[threadIdx.x];
}

// CHECK: kernel down_to proved
tc_block(128) tc_grid(1) tc_requires(least >= 2)
__global__ void down_to(tc_mut tc_shape(8) float *a, unsigned least)
{
    if (threadIdx.x == 0)
        for (int i = 7; i >= least; i -= 2)
            a[i] = 1;
}

// -1 is not below 1 as unsigned: the loop goes on.
// CHECK: kernel b_down_past_zero violated
tc_block(128) tc_grid(1) tc_requires(least >= 1 && least <= 3)
__global__ void b_down_past_zero(tc_mut tc_shape(9) float *a, unsigned least)
{
    if (threadIdx.x == 0)
        for (int i = 7; i >= least; i -= 2)
            a[i + 1] = 1;
}

// -4 is not below 8 as unsigned: the loop is not entered.
// CHECK: kernel b_starts_below_zero violated
tc_block(128) tc_grid(1)
__global__ void b_starts_below_zero(tc_mut tc_shape(8) float *a)
{
    if (threadIdx.x == 0)
        for (unsigned n = 0; n < 8; n++) {
            int i = -4;
            while (i < n)
                i++;
            a[i] = 1;
        }
}

// CHECK: kernel b_perhaps_below_zero violated
tc_block(128) tc_grid(1) tc_requires(n <= 8 && from >= -1 && from < 8)
__global__ void b_perhaps_below_zero(tc_mut tc_shape(9) float *a, unsigned n, int from)
{
    int i = from;
    while (i < n)
        i++;
    if (threadIdx.x == 0)
        a[i] = 1;
}

// CHECK: kernel b_open_limit unknown
tc_block(128) tc_grid(1)
__global__ void b_open_limit(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(128) float *out, unsigned n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    out[threadIdx.x] = s;
}

// CHECK: kernel b_steps_over_the_end violated
tc_block(128) tc_grid(1) tc_requires(n <= 0x7fffffff)
__global__ void b_steps_over_the_end(tc_mut tc_shape(3, 128) float *a, unsigned n)
{
    int row = 0;
    for (int i = 0; i < n; i += 1 << 30)
        a[row++ * 128 + threadIdx.x] = 1;
}

// CHECK: kernel b_one_past violated
tc_block(128) tc_grid(1) tc_requires(n <= 1024)
__global__ void b_one_past(tc_mut tc_shape(n) float *a, size_t n)
{
    for (int i = threadIdx.x; i <= n; i += 128)
        a[i] = 1;
}
