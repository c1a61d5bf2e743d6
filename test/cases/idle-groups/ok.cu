// Divides groups of 16 values by their sum, eight groups a block.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel scale_groups --set groups=11
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define LEN 16
#define PER 8

tc_block(LEN, PER) tc_grid(tc_cdiv(groups, PER))
tc_requires(groups <= 1 << 24)
__global__ void scale_groups(tc_mut tc_shape(groups, LEN) tc_tile(PER, LEN) tc_at(blockIdx.x, 0) float *v, int groups)
{
    __shared__ float sum[PER][LEN];
    const int g = blockIdx.x * PER + threadIdx.y;
    const int e = threadIdx.x;

    float mine = 0.0f;
    if (g < groups)
        mine = v[(size_t)g * LEN + e];
    sum[threadIdx.y][e] = mine;
    __syncthreads();
    for (int k = LEN / 2; k > 0; k /= 2) {
        if (e < k)
            sum[threadIdx.y][e] += sum[threadIdx.y][e + k];
        __syncthreads();
    }
    if (g < groups)
        v[(size_t)g * LEN + e] = mine / sum[threadIdx.y][0];
}
