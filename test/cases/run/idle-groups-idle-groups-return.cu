// Fault: groups that are not there return before the barriers.
// RUN: %exits 2 %tilecheck run %s --kernel scale_groups --set groups=11 2>&1 | FileCheck %s
// CHECK: idle-groups-idle-groups-return.cu:{{(23|27)}}:{{[0-9]+}}: error: {{.*}}[TC3002]

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
    if (g >= groups)
        return;
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
