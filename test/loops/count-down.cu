// Loops that count down: the test before, after and with the decrement.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;

// CHECK: kernel down_postdec proved-if
tc_block(128)
__global__ void down_postdec(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    for (int i = n; i-- > 0;)
        s += a[i];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel down_one_more violated
tc_block(128)
__global__ void down_one_more(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    for (int i = n; i-- >= 0;)
        s += a[i];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel down_j proved-if
tc_block(128)
__global__ void down_j(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, unsigned n)
{
    float s = 0;
    unsigned j = n;
    while (j--)
        s += a[j];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel down_j_int proved-if
tc_block(128) tc_requires(n >= 0)
__global__ void down_j_int(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    int j = n;
    while (j--)
        s += a[j];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel down_j_size proved-if
tc_block(128)
__global__ void down_j_size(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, size_t n)
{
    float s = 0;
    for (size_t j = n; j-- > 0;)
        s += a[j];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel down_do proved-if
tc_block(128) tc_requires(n >= 1)
__global__ void down_do(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    int k = n;
    do {
        s += a[k - 1];
    } while (--k);
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel down_do_open violated
tc_block(128) tc_requires(n >= 0)
__global__ void down_do_open(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    int k = n;
    do {
        s += a[k - 1];
    } while (--k);
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel down_do_first violated
tc_block(128) tc_requires(n >= 1)
__global__ void down_do_first(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    int k = n;
    do {
        s += a[k];
    } while (--k);
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel ne_int proved-if
tc_block(128) tc_requires(n >= 0)
__global__ void ne_int(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(gridDim.x * 128) float *out, int n)
{
    float s = 0;
    for (int i = 0; i != n; i++)
        s += a[i];
    out[blockIdx.x * 128 + threadIdx.x] = s;
}

// CHECK: kernel downstride proved
tc_block(1) tc_grid(1)
__global__ void downstride(tc_mut tc_shape(n) float *a, int n)
{
    for (int i = n - 1; i >= 0; i -= 3) a[i] = 1;
}

// CHECK: kernel digits proved
tc_block(128) tc_grid(1)
__global__ void digits(tc_shared tc_shape(128) const uint *a, tc_mut tc_shape(128, 10) char *o)
{
    uint x = a[threadIdx.x];
    int p = 9;
    do { o[threadIdx.x * 10 + p] = '0' + x % 10; x /= 10; p--; } while (x && p >= 0);
    while (p >= 0) o[threadIdx.x * 10 + p--] = ' ';
}

// CHECK: kernel suffix proved
tc_block(1) tc_grid(1)
__global__ void suffix(tc_mut tc_shape(n) float *x, size_t n)
{
    if (n == 0) return;
    for (size_t i = n - 1; i > 0; --i) x[i - 1] += x[i];
}

// CHECK: kernel suffix_past violated
tc_block(1) tc_grid(1)
__global__ void suffix_past(tc_mut tc_shape(n) float *x, size_t n)
{
    if (n == 0) return;
    for (size_t i = n - 1; i > 0; --i) x[i] += x[i + 1];
}

// CHECK: kernel knap proved
tc_block(1) tc_grid(1) tc_requires(n >= 0 && cap >= 0 && cap < 1 << 30)
__global__ void knap(tc_shared tc_shape(n) const int *w, tc_mut tc_shape(cap + 1) int *dp, int n, int cap)
{
    for (int i = 0; i < n; i++)
        for (int c = cap; c >= w[i]; c--) {
            if (w[i] < 0) break;
            dp[c] = max(dp[c], dp[c - w[i]] + 1);
        }
}

// ---- until the counter passes zero: its unsigned reading is above the limit then ----

// CHECK: kernel past_zero proved
tc_block(1) tc_grid(1) tc_requires(n >= 0 && n <= 1 << 20)
__global__ void past_zero(tc_mut tc_shape(n) float *y, int n)
{
    for (uint i = n - 1; i < n; i--) y[i] = 1;
}

// CHECK: kernel b_past_zero violated
tc_block(1) tc_grid(1) tc_requires(n >= 0 && n <= 1 << 20)
__global__ void b_past_zero(tc_mut tc_shape(n) float *y, int n)
{
    for (uint i = n; i <= n; i--) y[i] = 1;
}

// CHECK: kernel past_zero_long proved
tc_block(1) tc_grid(1) tc_requires(n <= 1 << 20)
__global__ void past_zero_long(tc_mut tc_shape(n) float *y, size_t n)
{
    for (size_t i = n - 1; i < n; --i) y[i] = 1;
}

// CHECK: kernel past_zero_of_100 proved
tc_block(1) tc_grid(1)
__global__ void past_zero_of_100(tc_mut tc_shape(100) float *y)
{
    for (uint i = 99; i < 100; i--) y[i] = 1;
}

// CHECK: kernel b_past_zero_of_100 violated
tc_block(1) tc_grid(1)
__global__ void b_past_zero_of_100(tc_mut tc_shape(99) float *y)
{
    for (uint i = 99; i < 100; i--) y[i] = 1;
}

// CHECK: kernel past_zero_by_two proved
tc_block(1) tc_grid(1) tc_requires(n <= 1 << 20)
__global__ void past_zero_by_two(tc_mut tc_shape(n) float *y, uint n)
{
    for (uint i = n - 2; i < n; i -= 2) y[i] = 1;
}

// From 0 on it steps over all that ends the loop, and goes on for a long time.
// CHECK: kernel b_steps_over {{violated|unknown}}
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_steps_over(tc_mut tc_shape(n) float *y, uint n)
{
    uint c = 0;
    y[0] = 1;
    for (uint i = n - 1; i < 0xfffffffeu; i -= 3)
        if (++c > 1 << 21) y[n] = 1;
}

// So it does where it begins below what ends it.
// CHECK: kernel b_begins_below {{violated|unknown}}
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_begins_below(tc_mut tc_shape(n) float *y, uint n)
{
    uint c = 0;
    y[0] = 1;
    for (uint i = n - 6; i < 0xfffffffcu; i--)
        if (++c > 1 << 21) y[n] = 1;
}

// A signed reading below zero is not above anything.
// CHECK: kernel b_signed violated
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_signed(tc_mut tc_shape(n) float *y, int n)
{
    for (int i = n - 1; i < n; i--) y[i] = 1;
}

// CHECK: kernel b_signed_for_long {{violated|unknown}}
tc_block(1) tc_grid(1) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_signed_for_long(tc_mut tc_shape(n) float *y, int n)
{
    uint c = 0;
    y[0] = 1;
    for (int i = n - 1; i < n; i--)
        if (++c > 1 << 21) y[n] = 1;
}
