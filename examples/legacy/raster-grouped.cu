// C = A * B with the tiles in groups of eight rows, so that blocks that run together share
// rows of A and columns of B in the cache: a linear block number is turned into a tile.
//
// Shapes: A is M x K, B is K x N, C is M x N, row-major; tiles of 16 x 16, one block a tile.
// The order is written once, for the code and for the contract.
// Proved for any M, N, K up to 32768: no two blocks have one tile, the last group may have
// fewer rows, and a block writes its own tile.
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
        sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
