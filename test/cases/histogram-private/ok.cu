// Histogram of six-bit values: private counters in shared memory, then merged with atomics.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel count_values --grid 2 --set n=300
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define VALUES 64

tc_block(80)
tc_requires(gridDim.x <= 2048 && gridDim.y == 1 && gridDim.z == 1 && n <= 1 << 30)
__global__ void count_values(tc_atomic tc_shape(VALUES) int *total, tc_shared tc_shape(n) const unsigned char *in, int n)
{
    __shared__ int mine[VALUES];

    if (threadIdx.x < VALUES)
        mine[threadIdx.x] = 0;
    __syncthreads();

    for (int i = blockIdx.x * 80 + threadIdx.x; i < n; i += gridDim.x * 80)
        atomicAdd(&mine[in[i] & (VALUES - 1)], 1);
    __syncthreads();

    for (int v = threadIdx.x; v < VALUES; v += 80)
        atomicAdd(&total[v], mine[v]);
}
