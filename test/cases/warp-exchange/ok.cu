// Scales 64 values by their mean and stores them mirrored; one warp a row.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel mirror_scaled --set rows=2
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(32) tc_grid(rows)
__global__ void mirror_scaled(tc_shared tc_shape(rows, 64) const float *in,
                              tc_out tc_shape(rows, 64) tc_tile(1, 64) tc_at(blockIdx.x, 0) float *out, int rows)
{
    __shared__ float kept[64];
    const int lane = threadIdx.x;
    const size_t row = (size_t)blockIdx.x * 64;

    kept[lane] = in[row + lane];
    kept[lane + 32] = in[row + lane + 32];
    float sum = kept[lane] + kept[lane + 32];
    for (int k = 1; k < 32; k *= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, k);
    __syncwarp();
    out[row + lane] = kept[63 - lane] / sum;
    out[row + 32 + lane] = kept[31 - lane] / sum;
}
