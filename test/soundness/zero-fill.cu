// Asynchronous copies that read fewer bytes than they write, or none, and fill with zeros.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>
#include <stdint.h>
#define B 32

__device__ void copy16(void *s, const void *g, unsigned bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(s)), "l"(g), "r"(bytes) : "memory");
}
__device__ void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// CHECK: kernel rows proved
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 24 && ld % 8 == 0 && ld >= 8 && ld <= 1 << 22)
__global__ void rows(tc_mut tc_shape(n) tc_tile(B) short *y, tc_shared tc_shape(n, 8) tc_stride(ld, 1) tc_align(16) const short *x, int n, int64_t ld)
{
    __shared__ __align__(16) short s[B][8];
    const int row = blockIdx.x * B + threadIdx.x;
    copy16(s[threadIdx.x], x + row * ld, row < n ? 16 : 0);
    wait_all();
    __syncthreads();
    if (row < n)
        y[row] = s[B - 1 - threadIdx.x][0];
}

// One row too many.
// CHECK: kernel b_rows violated
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 24 && ld % 8 == 0 && ld >= 8 && ld <= 1 << 22)
__global__ void b_rows(tc_mut tc_shape(n) tc_tile(B) short *y, tc_shared tc_shape(n, 8) tc_stride(ld, 1) tc_align(16) const short *x, int n, int64_t ld)
{
    __shared__ __align__(16) short s[B][8];
    const int row = blockIdx.x * B + threadIdx.x;
    copy16(s[threadIdx.x], x + row * ld, row <= n ? 16 : 0);
    wait_all();
    __syncthreads();
    if (row < n)
        y[row] = s[B - 1 - threadIdx.x][0];
}

// Eight bytes at the end of a row of four elements, sixteen before: both are there.
// CHECK: kernel two_widths proved
tc_block(B) tc_grid(1) tc_requires(n == 2 * B)
__global__ void two_widths(tc_mut tc_shape(B) short *y, tc_shared tc_shape(8 * B - 4) tc_align(16) const short *x, int n)
{
    __shared__ __align__(16) short s[B][8];
    copy16(s[threadIdx.x], x + 8 * threadIdx.x, threadIdx.x == B - 1 ? 8 : 16);
    wait_all();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x][0];
}

// CHECK: kernel b_two_widths violated
tc_block(B) tc_grid(1)
__global__ void b_two_widths(tc_mut tc_shape(B) short *y, tc_shared tc_shape(8 * B - 4) tc_align(16) const short *x)
{
    __shared__ __align__(16) short s[B][8];
    copy16(s[threadIdx.x], x + 8 * threadIdx.x, threadIdx.x == 0 ? 8 : 16);
    wait_all();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x][0];
}

// The other way about: what is there is not read, and what is not there is.
// CHECK: kernel b_other_way violated
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 24)
__global__ void b_other_way(tc_mut tc_shape(n) tc_tile(B) short *y, tc_shared tc_shape(n, 8) tc_align(16) const short *x, int n)
{
    __shared__ __align__(16) short s[B][8];
    const int row = blockIdx.x * B + threadIdx.x;
    copy16(s[threadIdx.x], x + row * 8, row < n ? 0 : 16);
    wait_all();
    __syncthreads();
    if (row < n)
        y[row] = s[B - 1 - threadIdx.x][0];
}

// The address of a copy of nothing is to be aligned all the same.
// CHECK: kernel b_misaligned {{unknown|violated}}
tc_block(B) tc_grid(1)
__global__ void b_misaligned(tc_mut tc_shape(B) short *y, tc_shared tc_shape(16 * B) tc_align(16) const short *x)
{
    __shared__ __align__(16) short s[B][8];
    copy16(s[threadIdx.x], x + 8 * threadIdx.x + threadIdx.x % 2, threadIdx.x % 2 ? 0 : 16);
    wait_all();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x][0];
}

// What another block writes, and who reads it.
// CHECK: kernel own_only proved
tc_block(B) tc_grid(2)
__global__ void own_only(tc_mut tc_shape(2 * 8 * B) tc_tile(8 * B) tc_align(16) short *y)
{
    __shared__ __align__(16) short s[B][8];
    const int other = threadIdx.x % 2;
    const int from = blockIdx.x ^ other;
    copy16(s[threadIdx.x], y + (from * B + threadIdx.x) * 8, other ? 0 : 16);
    wait_all();
    __syncthreads();
    y[(blockIdx.x * B + threadIdx.x) * 8] = s[threadIdx.x][1];
}

// CHECK: kernel b_others_too {{unknown|violated}}
tc_block(B) tc_grid(2)
__global__ void b_others_too(tc_mut tc_shape(2 * 8 * B) tc_tile(8 * B) tc_align(16) short *y)
{
    __shared__ __align__(16) short s[B][8];
    const int other = threadIdx.x % 2;
    const int from = blockIdx.x ^ other;
    copy16(s[threadIdx.x], y + (from * B + threadIdx.x) * 8, other ? 16 : 0);
    wait_all();
    __syncthreads();
    y[(blockIdx.x * B + threadIdx.x) * 8] = s[threadIdx.x][1];
}
