// Each thread takes its number apart by extents: the number is put together again from the element. b_: near misses.
// RUN: %verdicts %s --rules=TC1007 | FileCheck %s
#include <tilecheck.h>
#define K(T1, n) tc_block(T1) tc_grid(tc_cdiv(n, T1)) tc_requires(B >= 1 && T >= 1 && C >= 1 && B <= 64 && T <= 1024 && C <= 4096) __global__ void
#define SIZES int B, int T, int C
#define Y tc_out tc_shape(B, T, C) float *y

// CHECK: kernel by_rows proved
K(512, B * T * C) by_rows(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int bt = i / C, b = bt / T, t = bt % T, c = i % C;
        y[b * T * C + t * C + c] = 1;
    }
}

// CHECK: kernel by_products proved
K(256, B * T * C) by_products(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int b = i / (T * C), rest = i % (T * C), t = rest / C, c = rest % C;
        y[(b * T + t) * C + c] = 1;
    }
}

// CHECK: kernel transposed proved
K(256, B * T * C) transposed(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int b = i % B, t = i / B % T, c = i / B / T;
        y[(b * T + t) * C + c] = 1;
    }
}

// CHECK: kernel plain proved
tc_block(256) tc_grid(tc_cdiv(A * B * C * D, 256)) tc_requires(A >= 1 && B >= 1 && C >= 1 && D >= 1 && A <= 64 && B <= 32 && C <= 1024 && D <= 128)
__global__ void plain(tc_out tc_shape(A, B, C, D) float *y, tc_shared tc_shape(A, C, 3, B, D) const float *x, int A, int B, int C, int D)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < A * B * C * D) {
        int a = i / (B * C * D), rest = i % (B * C * D), b = rest / (C * D);
        rest %= C * D;
        y[i] = x[((a * C + rest / D) * 3 * B + b) * D + rest % D];
    }
}

// CHECK: kernel b_last {{violated|unknown}}
K(512, B * T * C) b_last(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C - 1) {
        int bt = i / C, b = bt / T, t = bt % T, c = i % C;
        y[b * T * C + t * C + c] = 1;
    }
}

// CHECK: kernel b_grid {{violated|unknown}}
K(512, B * T * C - 1) b_grid(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int bt = i / C, b = bt / T, t = bt % T, c = i % C;
        y[b * T * C + t * C + c] = 1;
    }
}

// CHECK: kernel b_other_radix {{violated|unknown}}
K(512, B * T * C) b_other_radix(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int bt = i / T, b = bt / T, t = bt % T, c = i % C;
        if (b < B)
            y[b * T * C + t * C + c] = 1;
    }
}

// CHECK: kernel b_one_twice {{violated|unknown}}
K(512, B * T * C) b_one_twice(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int bt = i / C, b = bt / T, c = i % C;
        if (c < T)
            y[b * T * C + c * C + c] = 1;
    }
}

// CHECK: kernel b_some_rows {{violated|unknown}}
K(512, B * T * C) b_some_rows(Y, SIZES)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * T * C) {
        int bt = i / C, b = bt / T, t = bt % T, c = i % C;
        if (t > 0 || T == 1)
            y[b * T * C + t * C + c] = 1;
    }
}
