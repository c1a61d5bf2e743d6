// Persistent loops over tiles in groups of rows: tc_owner says which block has a tile, in as many ways as code is written. Each
// correct kernel (g…) has a faulty twin (b…).
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>

#define T 16
#define GROUP 8
#define LAUNCH tc_block(T, T) tc_requires(M >= 1 && N >= 1 && M <= 32768 && N <= 32768 && gridDim.x < 4096 && gridDim.y == 1 && gridDim.z == 1)
#define TILES(f) tc_mut tc_shape(M, N) tc_tile(T, T) tc_owner(i, j; (f) % gridDim.x) float *C
#define BY_MACRO(i, j, rows, cols) ((i) / GROUP * GROUP * (cols) + (j) * min((rows) - (i) / GROUP * GROUP, GROUP) + (i) % GROUP)
#define STORE do { const int row = ti * T + threadIdx.y, col = tj * T + threadIdx.x; if (row < M && col < N) C[row * N + col] = 1.0f; } while (0)
typedef unsigned u;

// The order, once for code and contract.
__device__ int number(int i, int j, int rows, int cols)
{
    const int first = i / GROUP * GROUP;
    return first * cols + j * min(rows - first, GROUP) + i % GROUP;
}
__device__ int tile_row(int t, int rows, int cols)
{
    const int first = t / (GROUP * cols) * GROUP;
    return first + t % (GROUP * cols) % min(rows - first, GROUP);
}
__device__ int tile_col(int t, int rows, int cols)
{
    const int first = t / (GROUP * cols) * GROUP;
    return t % (GROUP * cols) / min(rows - first, GROUP);
}
__device__ u tile_row_u(u t, u rows, u cols)
{
    const u first = t / (GROUP * cols) * GROUP;
    return first + t % (GROUP * cols) % min(rows - first, (u)GROUP);
}
__device__ u tile_col_u(u t, u rows, u cols)
{
    const u first = t / (GROUP * cols) * GROUP;
    return t % (GROUP * cols) / min(rows - first, (u)GROUP);
}

// ---- functions ----

// CHECK: kernel g_functions proved
LAUNCH __global__ void g_functions(TILES(number(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int ti = tile_row(t, rows, cols), tj = tile_col(t, rows, cols); STORE; }
}
// CHECK: kernel b_functions_exchanged {{violated|unknown}}
LAUNCH __global__ void b_functions_exchanged(TILES(number(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int ti = tile_row(t, cols, rows), tj = tile_col(t, cols, rows); STORE; }
}
// CHECK: kernel g_owner_by_macro proved
LAUNCH __global__ void g_owner_by_macro(TILES(BY_MACRO(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), int M, int N)
{
    const int rows = (M + T - 1) / T, cols = (N + T - 1) / T;
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int ti = tile_row(t, rows, cols), tj = tile_col(t, rows, cols); STORE; }
}
// CHECK: kernel b_group_of_seven {{violated|unknown}}
LAUNCH __global__ void b_group_of_seven(TILES(i / 7 * 7 * tc_cdiv(N, T) + j * min(tc_cdiv(M, T) - i / 7 * 7, 7) + i % 7), int M, int N)
{
    const int rows = (M + T - 1) / T, cols = (N + T - 1) / T;
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int ti = tile_row(t, rows, cols), tj = tile_col(t, rows, cols); STORE; }
}
// CHECK: kernel b_last_group_whole {{violated|unknown}}
LAUNCH __global__ void b_last_group_whole(TILES(i / GROUP * GROUP * tc_cdiv(N, T) + j * GROUP + i % GROUP), int M, int N)
{
    const int rows = (M + T - 1) / T, cols = (N + T - 1) / T;
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int ti = tile_row(t, rows, cols), tj = tile_col(t, rows, cols); STORE; }
}
// CHECK: kernel b_step_of_one_more {{violated|unknown}}
LAUNCH __global__ void b_step_of_one_more(TILES(number(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x + 1) { const int ti = tile_row(t, rows, cols), tj = tile_col(t, rows, cols); STORE; }
}
// CHECK: kernel b_no_block_of_the_grid violated
LAUNCH __global__ void b_no_block_of_the_grid(tc_mut tc_shape(M, N) tc_tile(T, T) tc_owner(i, j; number(i, j, tc_cdiv(M, T), tc_cdiv(N, T)) % gridDim.x + 1) float *C, int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int t = blockIdx.x - 1; t >= 0 && t < rows * cols; t += gridDim.x) { const int ti = tile_row(t, rows, cols), tj = tile_col(t, rows, cols); STORE; }
}

// ---- without a sign, with other words ----

// CHECK: kernel g_unsigned proved
LAUNCH __global__ void g_unsigned(TILES(BY_MACRO(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), u M, u N)
{
    const u rows = (M + T - 1) / T, cols = (N + T - 1) / T;
    for (u t = blockIdx.x; t < rows * cols; t += gridDim.x) { const u ti = tile_row_u(t, rows, cols), tj = tile_col_u(t, rows, cols); const u row = ti * T + threadIdx.y, col = tj * T + threadIdx.x; if (row < M && col < N) C[row * N + col] = 1.0f; }
}
// CHECK: kernel b_unsigned_group_missing {{violated|unknown}}
LAUNCH __global__ void b_unsigned_group_missing(TILES(BY_MACRO(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), u M, u N)
{
    const u rows = (M + T - 1) / T, cols = (N + T - 1) / T;
    for (u t = blockIdx.x; t < rows * cols; t += gridDim.x) { const u ti = t / cols, tj = t % cols; const u row = ti * T + threadIdx.y, col = tj * T + threadIdx.x; if (row < M && col < N) C[row * N + col] = 1.0f; }
}
// CHECK: kernel g_written_out proved
LAUNCH __global__ void g_written_out(TILES(BY_MACRO(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int per = GROUP * cols, group = t / per, first = group * GROUP, height = rows - first < GROUP ? rows - first : GROUP, in = t - group * per; const int ti = first + in % height, tj = in / height; STORE; }
}
// CHECK: kernel b_written_out_height {{violated|unknown}}
LAUNCH __global__ void b_written_out_height(TILES(BY_MACRO(i, j, tc_cdiv(M, T), tc_cdiv(N, T))), int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int per = GROUP * cols, group = t / per, first = group * GROUP, height = rows - first <= GROUP ? rows - first : GROUP - 1, in = t - group * per; const int ti = first + in % height, tj = in / height; STORE; }
}
// CHECK: kernel g_columns proved
LAUNCH __global__ void g_columns(TILES(number(j, i, tc_cdiv(N, T), tc_cdiv(M, T))), int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) { const int tj = tile_row(t, cols, rows), ti = tile_col(t, cols, rows); STORE; }
}
// CHECK: kernel g_whole_blocks_at proved
tc_block(T, T) tc_grid(tc_cdiv(M, T) * tc_cdiv(N, T)) tc_requires(M >= 1 && N >= 1 && M <= 32768 && N <= 32768)
__global__ void g_whole_blocks_at(tc_mut tc_shape(M, N) tc_tile(T, T) tc_at(tile_row(blockIdx.x, tc_cdiv(M, T), tc_cdiv(N, T)), tile_col(blockIdx.x, tc_cdiv(M, T), tc_cdiv(N, T))) float *C, int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T), ti = tile_row(blockIdx.x, rows, cols), tj = tile_col(blockIdx.x, rows, cols);
    STORE;
}
// CHECK: kernel b_grid_of_one_more_at {{violated|unknown}}
tc_block(T, T) tc_grid(tc_cdiv(M, T) * tc_cdiv(N, T) + GROUP) tc_requires(M >= 1 && N >= 1 && M <= 32768 && N <= 32768)
__global__ void b_grid_of_one_more_at(tc_mut tc_shape(M, N) tc_tile(T, T) tc_at(tile_row(blockIdx.x, tc_cdiv(M, T), tc_cdiv(N, T)), tile_col(blockIdx.x, tc_cdiv(M, T), tc_cdiv(N, T))) float *C, int M, int N)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T), ti = tile_row(blockIdx.x, rows, cols), tj = tile_col(blockIdx.x, rows, cols);
    STORE;
}
