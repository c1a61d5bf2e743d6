// The order in which the blocks of a persistent grid take the tiles of a matrix: groups of eight rows, column by column, so that the tiles that
// are computed at one time share rows of A and columns of B in the cache. Written once, for the kernels and for their contracts.
#ifndef TK_GEMM_RASTER_CUH
#define TK_GEMM_RASTER_CUH

#include <stdint.h>

constexpr int64_t TK_GEMM_GROUP = 8;

__host__ __device__ inline int64_t tk_tile_number(int64_t i, int64_t j, int64_t rows, int64_t cols)
{
    const int64_t first = i / TK_GEMM_GROUP * TK_GEMM_GROUP;
    return first * cols + j * min(rows - first, TK_GEMM_GROUP) + i % TK_GEMM_GROUP;
}

__host__ __device__ inline int64_t tk_tile_row(int64_t number, int64_t rows, int64_t cols)
{
    const int64_t first = number / (TK_GEMM_GROUP * cols) * TK_GEMM_GROUP;
    return first + number % (TK_GEMM_GROUP * cols) % min(rows - first, TK_GEMM_GROUP);
}

__host__ __device__ inline int64_t tk_tile_col(int64_t number, int64_t rows, int64_t cols)
{
    const int64_t first = number / (TK_GEMM_GROUP * cols) * TK_GEMM_GROUP;
    return number % (TK_GEMM_GROUP * cols) / min(rows - first, TK_GEMM_GROUP);
}

#endif
