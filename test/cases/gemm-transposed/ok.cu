// C = A * B^T through shared tiles of 8 x 8, edges filled with zeros.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel gemm_nt --set m=9 --set n=17 --set k=12
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define B8 8

tc_block(B8, B8) tc_grid(tc_cdiv(n, B8), tc_cdiv(m, B8))
tc_requires(m <= 20000 && n <= 20000 && k <= 20000)
__global__ void gemm_nt(tc_shared tc_shape(m, k) const float *a, tc_shared tc_shape(n, k) const float *b,
                        tc_out tc_shape(m, n) tc_tile(B8, B8) float *c, int m, int n, int k)
{
    __shared__ float ta[B8][B8];
    __shared__ float tb[B8][B8 + 1];

    const int i = blockIdx.y * B8 + threadIdx.y;
    const int j = blockIdx.x * B8 + threadIdx.x;
    const int jb = blockIdx.x * B8 + threadIdx.y;
    float sum = 0.0f;

    for (int s = 0; s < (k + B8 - 1) / B8; ++s) {
        const int p = s * B8 + threadIdx.x;
        ta[threadIdx.y][threadIdx.x] = i < m && p < k ? a[i * k + p] : 0.0f;
        tb[threadIdx.y][threadIdx.x] = jb < n && p < k ? b[jb * k + p] : 0.0f;
        __syncthreads();
        for (int q = 0; q < B8; ++q)
            sum += ta[threadIdx.y][q] * tb[threadIdx.x][q];
        __syncthreads();
    }

    if (i < m && j < n)
        c[i * n + j] = sum;
}
