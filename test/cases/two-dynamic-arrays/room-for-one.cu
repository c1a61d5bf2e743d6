// Fault: the launch gives shared memory for one of the two.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

#define N 96

tc_block(N) tc_grid(groups) tc_smem(N * 4)
tc_requires(groups <= 1 << 20)
__global__ void pick(tc_shared tc_shape(groups, N) const float *x, tc_shared tc_shape(N) tc_range(0, N) const int *order,
                     tc_out tc_shape(groups, N) tc_tile(1, N) tc_at(blockIdx.x, 0) float *y, int groups)
{
    extern __shared__ float value[];
    int *position = reinterpret_cast<int *>(&value[N]);
    const int t = threadIdx.x;
    const size_t first = (size_t)blockIdx.x * N;

    value[t] = x[first + t];
    // CHECK: room-for-one.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
    position[t] = order[t];
    __syncthreads();
    y[first + t] = value[position[t]];
}
