// Each element of a tc_out parameter is written: found back from the element. b_: near misses.
// RUN: %verdicts %s --rules=TC1007 | FileCheck %s
#include <tilecheck.h>
#define B 32

// CHECK: kernel each proved
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void each(tc_out tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n)
        y[i] = 1;
}

// CHECK: kernel b_last violated
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_last(tc_out tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n - 1)
        y[i] = 1;
}

// CHECK: kernel b_grid violated
tc_block(B) tc_grid(n / B + 1) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_grid(tc_out tc_shape(n + B) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n + B)
        y[i] = 1;
}

// CHECK: kernel stride proved
tc_requires(n >= 1 && n <= 1 << 20 && blockDim.y == 1 && blockDim.z == 1 && gridDim.y == 1 && gridDim.z == 1)
tc_requires(gridDim.x <= 1024)
__global__ void stride(tc_out tc_shape(n) float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 1;
}

// CHECK: kernel b_stride violated
tc_block(B) tc_grid(4) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_stride(tc_out tc_shape(n) float *y, int n)
{
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += 5 * B)
        y[i] = 1;
}

// CHECK: kernel b_leaves_early violated
tc_block(B) tc_grid(4) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_leaves_early(tc_out tc_shape(n) float *y, int n)
{
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += 4 * B) {
        if (i > 100)
            break;
        y[i] = 1;
    }
}

// The condition of the break is about one iteration: those behind it are not come to.
// CHECK: kernel b_leaves_once violated
tc_block(B) tc_grid(4) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_leaves_once(tc_out tc_shape(n) float *y, int n)
{
    for (int i = blockIdx.x * B + threadIdx.x; i < n; i += 4 * B) {
        y[i] = 1;
        if (i / (4 * B) == 1)
            break;
    }
}

// A break behind which there is nothing more to write.
// CHECK: kernel leaves_in_time proved
tc_block(B) tc_grid(4) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void leaves_in_time(tc_out tc_shape(n) float *y, int n)
{
    for (int k = 0; k < 1 << 20; k++) {
        int i = blockIdx.x * B + threadIdx.x + k * 4 * B;
        if (i >= n)
            break;
        y[i] = 1;
    }
}

// CHECK: kernel b_data violated
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_data(tc_out tc_shape(n) float *y, tc_shared tc_shape(n) const int *x, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n && x[i] > 0)
        y[i] = 1;
}

// CHECK: kernel data proved
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void data(tc_out tc_shape(n) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] > 0)
        y[i] = 1;
    else
        y[i] = 2;
}

// Two loads are two values: neither branch may be taken.
// CHECK: kernel b_two_loads {{violated|unknown}}
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_two_loads(tc_out tc_shape(n) float *y, tc_mut tc_shape(n) float *x, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i >= n)
        return;
    if (x[i] > 0)
        y[i] = 1;
    x[i] = -x[i];
    if (!(x[i] > 0))
        y[i] = 2;
}

// The values of two threads: one may write neither of its elements.
// CHECK: kernel b_of_another {{violated|unknown}}
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= B && n <= 1 << 20 && n % B == 0)
__global__ void b_of_another(tc_out tc_shape(n) float *y, tc_shared tc_shape(n) const float *x, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (x[i] > 0)
        y[i] = 1;
    else
        y[blockIdx.x * B + (B - 1 - threadIdx.x)] = 2;
}

// CHECK: kernel vectors proved
tc_block(B) tc_grid(tc_cdiv(n, B * 4)) tc_requires(n >= 4 && n <= 1 << 20 && n % 4 == 0)
__global__ void vectors(tc_out tc_shape(n) tc_align(16) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n / 4)
        *(float4 *)&y[i * 4] = make_float4(1, 2, 3, 4);
}

// CHECK: kernel tail proved
tc_block(B) tc_grid(tc_cdiv(n, B * 4)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void tail(tc_out tc_shape(n) tc_align(16) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n / 4)
        *(float4 *)&y[i * 4] = make_float4(1, 2, 3, 4);
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        y[n / 4 * 4 + threadIdx.x] = 1;
}

// CHECK: kernel b_tail violated
tc_block(B) tc_grid(tc_cdiv(n, B * 4)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_tail(tc_out tc_shape(n) tc_align(16) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n / 4)
        *(float4 *)&y[i * 4] = make_float4(1, 2, 3, 4);
    if (blockIdx.x == 0 && threadIdx.x + 1 < n % 4)
        y[n / 4 * 4 + threadIdx.x] = 1;
}

// CHECK: kernel rows proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void rows(tc_out tc_shape(m, n) tc_tile(1, n) tc_at(blockIdx.x, 0) float *y, int m, int n)
{
    for (int c = threadIdx.x; c < n; c += B)
        y[blockIdx.x * n + c] = c;
}

// CHECK: kernel b_rows violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void b_rows(tc_out tc_shape(m, n) tc_tile(1, n) tc_at(blockIdx.x, 0) float *y, int m, int n)
{
    for (int c = threadIdx.x + 1; c < n; c += B)
        y[blockIdx.x * n + c] = c;
}

// CHECK: kernel tiles proved
tc_block(16, 8) tc_grid(tc_cdiv(n, 16), tc_cdiv(m, 32)) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void tiles(tc_out tc_shape(m, n) tc_tile(32, 16) float *y, int m, int n)
{
    for (int k = 0; k < 4; k++) {
        int r = blockIdx.y * 32 + k * 8 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
        if (r < m && c < n)
            y[r * n + c] = 1;
    }
}

// CHECK: kernel b_tiles violated
tc_block(16, 8) tc_grid(tc_cdiv(n, 16), tc_cdiv(m, 32)) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void b_tiles(tc_out tc_shape(m, n) tc_tile(32, 16) float *y, int m, int n)
{
    for (int k = 0; k < 3; k++) {
        int r = blockIdx.y * 32 + k * 8 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
        if (r < m && c < n)
            y[r * n + c] = 1;
    }
}

// Warps and lanes.
// CHECK: kernel warp_each proved
tc_block(128) tc_grid(tc_cdiv(n, 4)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void warp_each(tc_out tc_shape(n) tc_tile(4) float *y, int n)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row < n && threadIdx.x % 32 == 0)
        y[row] = 1;
}

// CHECK: kernel b_warp_each violated
tc_block(96) tc_grid(tc_cdiv(n, 4)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_warp_each(tc_out tc_shape(n) tc_tile(4) float *y, int n)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    if (row < n && threadIdx.x % 32 == 0)
        y[row] = 1;
}

// A permutation of as many rows as there are blocks reaches each of them; a map that may leave out some does not.
// CHECK: kernel permuted proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 4096)
__global__ void permuted(tc_out tc_shape(m, B) tc_tile(1, B) tc_at(p[blockIdx.x], 0) float *y,
                         tc_shared tc_shape(m) tc_range(0, m) tc_injective const int *p, int m)
{
    y[p[blockIdx.x] * B + threadIdx.x] = 1;
}

// CHECK: kernel b_permuted violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 4096)
__global__ void b_permuted(tc_out tc_shape(m + 1, B) tc_tile(1, B) tc_at(p[blockIdx.x], 0) float *y,
                           tc_shared tc_shape(m) tc_range(0, m + 1) tc_injective const int *p, int m)
{
    y[p[blockIdx.x] * B + threadIdx.x] = 1;
}

// ---- what is read was written before ----

// CHECK: kernel own proved
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void own(tc_out tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n) {
        y[i] = 1;
        y[i] += 2;
    }
}

// CHECK: kernel b_own violated
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_own(tc_out tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n)
        y[i] += 2;
}

// CHECK: kernel of_the_block proved
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 4096)
__global__ void of_the_block(tc_out tc_shape(m, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y, tc_mut tc_shape(m, B) tc_tile(1, B)
                             tc_at(blockIdx.x, 0) float *z, int m)
{
    y[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    z[blockIdx.x * B + threadIdx.x] = y[blockIdx.x * B + (B - 1 - threadIdx.x)];
}

// CHECK: kernel b_half violated
tc_block(B) tc_grid(m) tc_requires(m >= 1 && m <= 4096)
__global__ void b_half(tc_out tc_shape(m, B) tc_tile(1, B) tc_at(blockIdx.x, 0) float *y, tc_mut tc_shape(m, B) tc_tile(1, B)
                       tc_at(blockIdx.x, 0) float *z, int m)
{
    if (threadIdx.x < B / 2)
        y[blockIdx.x * B + threadIdx.x] = 1;
    __syncthreads();
    z[blockIdx.x * B + threadIdx.x] = y[blockIdx.x * B + (B - 1 - threadIdx.x)];
    if (threadIdx.x >= B / 2)
        y[blockIdx.x * B + threadIdx.x] = 1;
}

// The element before, by the same thread in the iteration before.
// CHECK: kernel prefix proved
tc_block(1) tc_grid(m) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void prefix(tc_out tc_shape(m, n) tc_tile(1, n) tc_at(blockIdx.x, 0) int *y, int m, int n)
{
    for (int c = 0; c < n; c++)
        y[blockIdx.x * n + c] = c + (c > 0 ? y[blockIdx.x * n + c - 1] : 0);
}

// CHECK: kernel b_prefix violated
tc_block(1) tc_grid(m) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void b_prefix(tc_out tc_shape(m, n) tc_tile(1, n) tc_at(blockIdx.x, 0) int *y, int m, int n)
{
    for (int c = 0; c < n; c++)
        y[blockIdx.x * n + c] = c + (c + 1 < n ? y[blockIdx.x * n + c + 1] : 0);
}

// CHECK: kernel b_prefix_other {{violated|unknown}}
tc_block(1) tc_grid(m) tc_requires(m >= 1 && m <= 4096 && n >= 1 && n <= 4096)
__global__ void b_prefix_other(tc_out tc_shape(m, n) tc_tile(1, n) tc_at(blockIdx.x, 0) int *y, int m, int n)
{
    for (int c = n - 1; c >= 0; c--)
        y[blockIdx.x * n + c] = c + (c > 0 ? y[blockIdx.x * n + c - 1] : 0);
}

// From the second byte on: the first one of an element is never written.
// CHECK: kernel b_shifted {{violated|unknown}}
tc_block(B) tc_grid(1)
__global__ void b_shifted(tc_out tc_shape(B + 1) short2 *y)
{
    *(short *)((char *)y + 2 + threadIdx.x * 4) = 1;
    *(short *)((char *)y + 4 + threadIdx.x * 4) = 1;
}

// By the second warp: which one it is stands in the guard alone.
// CHECK: kernel second_warp proved
tc_block(64) tc_grid(1) tc_requires(n >= 1 && n <= 1000)
__global__ void second_warp(tc_out tc_shape(n, 32) int *y, int n)
{
    for (int k = 0; k < n; k++)
        if (threadIdx.x >= 32)
            y[k * 32 + threadIdx.x % 32] = k;
}

// CHECK: kernel not_the_first_warp proved
tc_block(64) tc_grid(1)
__global__ void not_the_first_warp(tc_out tc_shape(32) int *y)
{
    if (threadIdx.x / 32 != 0)
        y[threadIdx.x % 32] = 1;
}

// CHECK: kernel b_half_a_warp violated
tc_block(64) tc_grid(1)
__global__ void b_half_a_warp(tc_out tc_shape(32) int *y)
{
    if (threadIdx.x >= 48)
        y[threadIdx.x % 32] = 1;
}

// CHECK: kernel b_no_second_warp violated
tc_block(32) tc_grid(1)
__global__ void b_no_second_warp(tc_out tc_shape(32) int *y)
{
    if (threadIdx.x >= 32)
        y[threadIdx.x % 32] = 1;
}

// ---- backwards ----

// CHECK: kernel reversed proved
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void reversed(tc_out tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n)
        y[n - 1 - i] = 1;
}
// CHECK: kernel b_reversed_from_one {{unknown|violated}}
tc_block(B) tc_grid(tc_cdiv(n, B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_reversed_from_one(tc_out tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i > 0 && i < n)
        y[n - 1 - i] = 1;
}
// CHECK: kernel blocks_reversed proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void blocks_reversed(tc_out tc_shape(n * B) float *y, int n)
{
    y[(n - 1 - blockIdx.x) * B + threadIdx.x] = 1;
}
// CHECK: kernel threads_reversed proved
tc_block(B) tc_grid(n) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void threads_reversed(tc_out tc_shape(n * B) float *y, int n)
{
    y[blockIdx.x * B + B - 1 - threadIdx.x] = 1;
}
// CHECK: kernel b_threads_reversed {{unknown|violated}}
tc_block(B) tc_grid(n) tc_requires(n >= 2 && n <= 1 << 20)
__global__ void b_threads_reversed(tc_out tc_shape(n * B) float *y, int n)
{
    y[blockIdx.x * B + B - 1 - threadIdx.x / 2] = 1;
}

// ---- several elements at a time, and what is left ----

// CHECK: kernel four_and_tail proved
tc_block(B) tc_grid(tc_cdiv(n, 4 * B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void four_and_tail(tc_out tc_shape(n) float *y, int n)
{
    int i = (blockIdx.x * B + threadIdx.x) * 4;
    if (i + 3 < n) {
        y[i] = 1;
        y[i + 1] = 2;
        y[i + 2] = 3;
        y[i + 3] = 4;
    } else {
        for (int k = i; k < n; k++)
            y[k] = 1;
    }
}
// CHECK: kernel b_three_and_tail {{unknown|violated}}
tc_block(B) tc_grid(tc_cdiv(n, 4 * B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_three_and_tail(tc_out tc_shape(n) float *y, int n)
{
    int i = (blockIdx.x * B + threadIdx.x) * 4;
    if (i + 3 < n) {
        y[i] = 1;
        y[i + 1] = 2;
        y[i + 3] = 4;
    } else {
        for (int k = i; k < n; k++)
            y[k] = 1;
    }
}
// CHECK: kernel b_four_and_short_tail {{unknown|violated}}
tc_block(B) tc_grid(tc_cdiv(n, 4 * B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_four_and_short_tail(tc_out tc_shape(n) float *y, int n)
{
    int i = (blockIdx.x * B + threadIdx.x) * 4;
    if (i + 3 < n) {
        y[i] = 1;
        y[i + 1] = 2;
        y[i + 2] = 3;
        y[i + 3] = 4;
    } else {
        for (int k = i; k < n - 1; k++)
            y[k] = 1;
    }
}

// ---- lanes of warps ----

// CHECK: kernel lanes_in_loop proved
tc_block(2 * B) tc_grid(tc_cdiv(n, 2 * B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void lanes_in_loop(tc_out tc_shape(n) float *y, int n)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = lane; k < 32; k += 32) {
        int i = blockIdx.x * 2 * B + warp * 32 + k;
        if (i < n)
            y[i] = 1;
    }
}
// CHECK: kernel b_lanes_from_one {{unknown|violated}}
tc_block(2 * B) tc_grid(tc_cdiv(n, 2 * B)) tc_requires(n >= 1 && n <= 1 << 20)
__global__ void b_lanes_from_one(tc_out tc_shape(n) float *y, int n)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int k = lane + 1; k < 32; k += 32) {
        int i = blockIdx.x * 2 * B + warp * 32 + k;
        if (i < n)
            y[i] = 1;
    }
}
