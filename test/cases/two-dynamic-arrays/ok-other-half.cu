// Two extern arrays of one address, used in different halves.
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
// RUN: %exits 0 %tilecheck run %s --kernel pick --set groups=2
// VERDICT: kernel pick {{proved|proved-if|unknown}}

#include <tilecheck.h>

#define N 96

tc_block(N) tc_grid(groups) tc_smem(2 * N * 4)
tc_requires(groups <= 1 << 20)
__global__ void pick(tc_shared tc_shape(groups, N) const float *x, tc_shared tc_shape(N) tc_range(0, N) const int *order,
                     tc_out tc_shape(groups, N) tc_tile(1, N) tc_at(blockIdx.x, 0) float *y, int groups)
{
    extern __shared__ float value[];
    extern __shared__ int position[];
    const int t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * N;

    value[t] = x[first + t];
    position[N + t] = order[t];
    __syncthreads();
    y[first + t] = value[position[N + t]];
}
