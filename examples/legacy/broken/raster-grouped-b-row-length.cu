// Fault: the rows of B are taken to be K long.
// The repaired kernel is ../raster-grouped.cu.
#include <tilecheck.h>

#define T 16
#define GROUP 8

// The tiles of a group are numbered column by column.
#define BLOCK ((int)blockIdx.x)
#define TILES_M ((M + T - 1) / T)
#define TILES_N ((N + T - 1) / T)
#define FIRST (BLOCK / (GROUP * TILES_N) * GROUP)
#define ROWS min(TILES_M - FIRST, GROUP)
#define TILE_ROW (FIRST + BLOCK % (GROUP * TILES_N) % ROWS)
#define TILE_COL (BLOCK % (GROUP * TILES_N) / ROWS)

tc_block(T, T) tc_grid(TILES_M * TILES_N)
tc_requires(M >= 1 && N >= 1 && M <= 32768 && N <= 32768 && K <= 32768)
__global__ void sgemm_grouped(tc_out tc_shape(M, N) tc_tile(T, T) tc_at(TILE_ROW, TILE_COL) float *C,
                              tc_shared tc_shape(M, K) const float *A,
                              tc_shared tc_shape(K, N) const float *B, int M, int N, int K)
{
    const int row = TILE_ROW * T + threadIdx.y;
    const int col = TILE_COL * T + threadIdx.x;
    if (row >= M || col >= N)
        return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * B[k * K + col];
    C[row * N + col] = sum;
}
