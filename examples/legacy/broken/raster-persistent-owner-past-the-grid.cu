// Fault: the owners are numbered from one.
// The repaired kernel is ../raster-persistent.cu.
#include <tilecheck.h>

#define T 16
#define GROUP 8

__device__ int tile_number(int i, int j, int rows, int cols)
{
    const int first = i / GROUP * GROUP;
    return first * cols + j * min(rows - first, GROUP) + i % GROUP;
}

__device__ int tile_row(int number, int rows, int cols)
{
    const int first = number / (GROUP * cols) * GROUP;
    return first + number % (GROUP * cols) % min(rows - first, GROUP);
}

__device__ int tile_col(int number, int rows, int cols)
{
    const int first = number / (GROUP * cols) * GROUP;
    return number % (GROUP * cols) / min(rows - first, GROUP);
}

tc_block(T, T)
tc_requires(M >= 1 && N >= 1 && M <= 32768 && N <= 32768 && K <= 32768)
tc_requires(gridDim.x < 4096 && gridDim.y == 1 && gridDim.z == 1)
__global__ void sgemm_persistent(tc_mut tc_shape(M, N) tc_tile(T, T)
                                 tc_owner(i, j; tile_number(i, j, tc_cdiv(M, T), tc_cdiv(N, T)) % gridDim.x + 1) float *C,
                                 tc_shared tc_shape(M, K) const float *A,
                                 tc_shared tc_shape(K, N) const float *B, int M, int N, int K)
{
    const int rows = tc_cdiv(M, T), cols = tc_cdiv(N, T);
    for (int number = blockIdx.x; number < rows * cols; number += gridDim.x) {
        const int row = tile_row(number, rows, cols) * T + threadIdx.y;
        const int col = tile_col(number, rows, cols) * T + threadIdx.x;
        if (row >= M || col >= N)
            continue;
        float sum = 0.0f;
        for (int k = 0; k < K; ++k)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
