// The same without guards: the contract says that the sizes are multiples of 8.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel gemm_nt --set m=8 --set n=16 --set k=24
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define B8 8

tc_block(B8, B8) tc_grid(tc_cdiv(n, B8), tc_cdiv(m, B8))
tc_requires(m <= 20000 && n <= 20000 && k <= 20000)
tc_requires(m % B8 == 0 && n % B8 == 0 && k % B8 == 0)
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
        ta[threadIdx.y][threadIdx.x] = a[i * k + p];
        tb[threadIdx.y][threadIdx.x] = b[jb * k + p];
        __syncthreads();
        for (int q = 0; q < B8; ++q)
            sum += ta[threadIdx.y][q] * tb[threadIdx.x][q];
        __syncthreads();
    }

    c[i * n + j] = sum;
}
