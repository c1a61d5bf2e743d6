// A test of the address in the kernel: the guard says how it is aligned, and the launch need not (g…). What says too little, or says it
// of another pointer, leaves the condition to the launch (b…).
// RUN: %verdicts %s | FileCheck %s
// RUN: %exits 0,2 %tilecheck %s 2>&1 | FileCheck %s --check-prefix=REACH --allow-empty
// REACH-NOT: 'g_{{[a-z]+}}' is proved, but
#include <stdint.h>
#include <tilecheck.h>

#define LAUNCH tc_block(32) tc_grid(1) tc_requires(n >= 4 && n <= 1000) __global__ void
#define Y tc_mut tc_shape(n) float *y
#define X tc_shared tc_shape(n) const float *x
#define EACH(i, m) int i = threadIdx.x; i < (m); i += 32

__device__ void fill4(float *y, int n)
{
    for (EACH(i, n / 4))
        reinterpret_cast<float4 *>(y)[i] = make_float4(0, 0, 0, 0);
}

__device__ void copy4(float *y, const float *x, int n)
{
    for (EACH(i, n / 4))
        reinterpret_cast<float4 *>(y)[i] = reinterpret_cast<const float4 *>(x)[i];
}

// CHECK: kernel g_mask proved
LAUNCH g_mask(Y, int n)
{
    if (((uintptr_t)y & 15) == 0)
        fill4(y, n);
    else
        for (EACH(i, n))
            y[i] = 0;
}

// CHECK: kernel g_remainder proved
LAUNCH g_remainder(Y, int n)
{
    if ((uintptr_t)y % 16 != 0)
        return;
    fill4(y, n);
}

// CHECK: kernel g_both proved
LAUNCH g_both(Y, X, int n)
{
    if ((((uintptr_t)x | (uintptr_t)y) & 15) == 0)
        copy4(y, x, n);
}

// CHECK: kernel g_each proved
LAUNCH g_each(Y, X, int n)
{
    if (reinterpret_cast<size_t>(x) % 16 == 0 && (reinterpret_cast<size_t>(y) & 0xf) == 0)
        copy4(y, x, n);
}

// CHECK: kernel g_flag proved
LAUNCH g_flag(Y, int n)
{
    const bool aligned = ((uintptr_t)y & 15) == 0;
    __syncthreads();
    if (aligned)
        fill4(y, n);
}

// CHECK: kernel g_part proved
LAUNCH g_part(Y, int n)
{
    if ((uintptr_t)(y + 3) % 16 == 0 && n >= 8 && threadIdx.x == 0)
        *reinterpret_cast<float4 *>(y + 3) = make_float4(0, 0, 0, 0);
}

// More than is needed.
// CHECK: kernel g_lines proved
LAUNCH g_lines(Y, int n)
{
    if (((uintptr_t)y & 127) == 0)
        fill4(y, n);
}

// From the first multiple on.
// CHECK: kernel g_head {{proved$}}
LAUNCH g_head(Y, int n)
{
    const int head = ((16 - ((uintptr_t)y & 15)) & 15) / 4;
    if (threadIdx.x < head && threadIdx.x < n)
        y[threadIdx.x] = 0;
    for (EACH(i, (n - head) / 4))
        reinterpret_cast<float4 *>(y + head)[i] = make_float4(0, 0, 0, 0);
}

// CHECK: kernel b_half proved-if
LAUNCH b_half(Y, int n)
{
    if (((uintptr_t)y & 7) == 0)
        fill4(y, n);
}

// CHECK: kernel b_other proved-if
LAUNCH b_other(Y, X, int n)
{
    if (((uintptr_t)x & 15) == 0)
        fill4(y, n);
}

// CHECK: kernel b_either proved-if
LAUNCH b_either(Y, X, int n)
{
    if ((((uintptr_t)x & (uintptr_t)y) & 15) == 0)
        copy4(y, x, n);
}

// CHECK: kernel b_else proved-if
LAUNCH b_else(Y, int n)
{
    if (((uintptr_t)y & 15) != 0)
        fill4(y, n);
}

// CHECK: kernel b_next {{proved-if|violated|unknown}}
LAUNCH b_next(Y, int n)
{
    if ((uintptr_t)(y + 1) % 16 == 0)
        fill4(y, n);
}

// CHECK: kernel b_from_one_on {{violated|unknown}}
LAUNCH b_from_one_on(Y, int n)
{
    if ((uintptr_t)y % 16 == 0 && n >= 8 && threadIdx.x == 0)
        *reinterpret_cast<float4 *>(y + 1) = make_float4(0, 0, 0, 0);
}

struct two {
    float *p[2];
    int n;
};

// One pointer of a table says nothing of the next.
// CHECK: kernel b_table {{proved-if|unknown}}
tc_block(32) tc_grid(2) tc_param(t.p[i], mut, shape(t.n)) tc_requires(t.n >= 4 && t.n <= 1000) __global__ void b_table(two t)
{
    if (((uintptr_t)t.p[0] & 15) == 0 && blockIdx.x == 1)
        fill4(t.p[1], t.n);
}

// CHECK: kernel g_table proved
tc_block(32) tc_grid(2) tc_param(t.p[i], mut, shape(t.n)) tc_requires(t.n >= 4 && t.n <= 1000) __global__ void g_table(two t)
{
    float *p = t.p[blockIdx.x];
    if (((uintptr_t)p & 15) == 0)
        fill4(p, t.n);
}
