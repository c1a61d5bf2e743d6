// The grid of a launch: rounding, zero, limits, wrong extents; each good function has a bad twin.
// RUN: %exits 2 %launches %s | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n <= 1 << 30)
__global__ void scale(tc_mut tc_shape(n) tc_tile(256) float *x, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        x[i] *= 2.0f;
}

tc_block(16, 16) tc_grid(tc_cdiv(w, 16), tc_cdiv(h, 16)) tc_requires(w >= 1 && h >= 1 && w <= 1 << 15 && h <= 1 << 15)
__global__ void fill(tc_mut tc_shape(h, w) tc_tile(16, 16) float *x, int w, int h)
{
    int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
    if (i < w && j < h)
        x[j * w + i] = 1.0f;
}

// Rounded up; the size is tested.
void g_ceil(float *x, int n)
{
    if (n <= 0 || n > 1 << 30)
        return;
    scale<<<(n + 255) / 256, 256>>>(x, n);
}
// CHECK: g_ceil scale {{.*}} TC4001 proved

// Rounded down: the tail is left out.
void b_floor(float *x, int n)
{
    if (n <= 0 || n > 1 << 30)
        return;
    scale<<<n / 256, 256>>>(x, n);
}
// CHECK: b_floor scale {{.*}} TC4001 run-time

// The division is right for what the guard lets through.
void g_floor_of_multiples(float *x, int n)
{
    if (n <= 0 || n > 1 << 30 || n % 256 != 0)
        return;
    scale<<<n / 256, 256>>>(x, n);
}
// CHECK: g_floor_of_multiples scale {{.*}} TC4001 proved

// The test lets 0 through.
void b_zero(float *x, int n)
{
    if (n < 0 || n > 1 << 30)
        return;
    scale<<<(n + 255) / 256, 256>>>(x, n);
}
// CHECK: b_zero scale {{.*}} TC4001 run-time

// Only an upper bound is tested, or nothing: left to the run time without a word.
void open_above(float *x, int n)
{
    if (n > 1 << 30)
        return;
    scale<<<(n + 255) / 256, 256>>>(x, n);
}
// CHECK: open_above scale {{.*}} TC4001 run-time
void open_size(float *x, int n)
{
    scale<<<(n + 255) / 256, 256>>>(x, n);
}
// CHECK: open_size scale {{.*}} run-time, TC4001 run-time

void b_wrong_block(float *x, int n)
{
    if (n <= 0 || n > 1 << 30)
        return;
    scale<<<(n + 255) / 256, 128>>>(x, n);
}
// CHECK: b_wrong_block scale {{.*}} violated, TC4001 violated

void b_no_blocks(float *x)
{
    scale<<<0, 256>>>(x, 100);
}
// CHECK: b_no_blocks scale {{.*}} violated, TC4001 violated

void g_constant(float *x)
{
    scale<<<4, 256>>>(x, 1000);
}
// CHECK: g_constant scale {{.*}} TC4001 proved

void b_constant(float *x)
{
    scale<<<3, 256>>>(x, 1000);
}
// CHECK: b_constant scale {{.*}} violated, TC4001 violated

// Two extents, as a dim3 by parts, and swapped.
void g_dim3(float *x, int w, int h)
{
    if (w < 1 || h < 1 || w > 1 << 15 || h > 1 << 15)
        return;
    dim3 grid, block(16, 16);
    grid.x = (w + block.x - 1) / block.x;
    grid.y = (h + block.y - 1) / block.y;
    fill<<<grid, block>>>(x, w, h);
}
// CHECK: g_dim3 fill {{.*}} TC4001 proved

void b_dim3_swapped(float *x, int w, int h)
{
    if (w < 1 || h < 1 || w > 1 << 15 || h > 1 << 15)
        return;
    dim3 grid((h + 15) / 16, (w + 15) / 16);
    fill<<<grid, dim3(16, 16)>>>(x, w, h);
}
// CHECK: b_dim3_swapped fill {{.*}} TC4001 run-time

void b_dim3_forgotten(float *x)
{
    dim3 grid;
    grid.x = 4;
    fill<<<grid, dim3(16, 16)>>>(x, 64, 64);
}
// CHECK: b_dim3_forgotten fill {{.*}} violated, TC4001 violated

void b_block_too_large(float *x)
{
    fill<<<dim3(4, 4), dim3(32, 64)>>>(x, 64, 64);
}
// CHECK: b_block_too_large fill {{.*}} violated, TC4001 violated

// More blocks than a grid has in y.
tc_block(1) __global__ void column(tc_mut tc_shape(gridDim.y) float *x)
{
    if (blockIdx.x == 0)
        x[blockIdx.y] = 0.0f;
}
void g_rows(float *x)
{
    column<<<dim3(1, 65535), 1>>>(x);
}
// CHECK: g_rows column {{.*}} TC4001 proved
void b_rows(float *x)
{
    column<<<dim3(1, 65536), 1>>>(x);
}
// CHECK: b_rows column {{.*}} violated, TC4001 violated

// The sizes are added up in int, and are more than an int holds for some: not shown, as they should not be.
void open_overflow(float *x, int rows, int cols)
{
    if (rows < 1 || cols < 1)
        return;
    int n = rows * cols;
    scale<<<(n + 255) / 256, 256>>>(x, n);
}
// CHECK: open_overflow scale {{.*}} TC4001 run-time

// size_t to the unsigned field of a dim3: the upper half is lost.
void g_narrowed(float *x, size_t n)
{
    if (n < 1 || n > 1u << 30)
        return;
    scale<<<(n + 255) / 256, 256>>>(x, (int)n);
}
// CHECK: g_narrowed scale {{.*}} TC4001 proved
void open_narrowed(float *x, size_t n)
{
    if (n < 1)
        return;
    scale<<<(n + 255) / 256, 256>>>(x, (int)n);
}
// CHECK: open_narrowed scale {{.*}} TC4001 run-time

// min, max and a choice.
template <class T> T cdiv(T a, T b) { return (a + b - 1) / b; }
void g_clamped(float *x, int n)
{
    int m = n < 1 ? 1 : n > 1 << 20 ? 1 << 20 : n;
    scale<<<cdiv(m, 256), 256>>>(x, m);
}
// CHECK: g_clamped scale {{.*}} TC4001 proved
void open_clamped(float *x, int n)
{
    int m = n > 1 << 20 ? 1 << 20 : n;
    scale<<<cdiv(m, 256), 256>>>(x, m);
}
// CHECK: open_clamped scale {{.*}} TC4001 run-time

// CHECK: warning: {{.*}} needs gridDim.x == tc_cdiv(n, 256), and the grid of this launch leaves out the last block [TC4001]
// CHECK-NEXT: warning: {{.*}} needs gridDim.x >= 1, and the tests before this launch sort out negative sizes, and let 0 pass [TC4001]
// CHECK-DAG: error: {{.*}} needs blockDim.x == 256, and is launched with blockDim.x = 128 [TC4001]
// CHECK-DAG: error: {{.*}} needs gridDim.y <= 65535, and is launched with gridDim.y = 65536 [TC4001]
// CHECK-NOT: warning:
// CHECK: tilecheck: 21 launches
