// Minimum of each block of a vector of ints, for any power-of-two block, in dynamic shared
// memory.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel block_min --grid 3 --block 64 --set n=150
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_smem(blockDim.x * sizeof(int))
tc_requires((blockDim.x & (blockDim.x - 1)) == 0 && blockDim.y == 1 && blockDim.z == 1)
tc_requires(gridDim.x <= 1 << 16 && gridDim.y == 1 && gridDim.z == 1 && n <= 1 << 29)
__global__ void block_min(tc_out tc_shape(gridDim.x) tc_tile(1) int *least, tc_shared tc_shape(n) const int *v, int n)
{
    extern __shared__ int low[];
    const unsigned int t = threadIdx.x;

    int m = 0x7fffffff;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
        m = min(m, v[i]);
    low[t] = m;
    __syncthreads();

    for (unsigned int s = blockDim.x >> 1; s != 0; s >>= 1) {
        if (t < s)
            low[t] = min(low[t], low[t + s]);
        __syncthreads();
    }
    if (t == 0)
        least[blockIdx.x] = low[0];
}
