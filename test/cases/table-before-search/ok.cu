// Bin of each value: a table of sums, then a search in it; one block.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel find_bin --set n=100
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define BINS 40

tc_block(96) tc_grid(1)
tc_requires(n <= 1 << 26)
__global__ void find_bin(tc_out tc_shape(n) int *bin, tc_shared tc_shape(n) const int *v,
                         tc_shared tc_shape(BINS) tc_range(0, 1 << 20) const int *width, int n)
{
    __shared__ int edge[BINS];
    const int t = threadIdx.x;

    if (t < BINS) {
        edge[t] = 0;
        for (int k = 0; k <= t; ++k)
            edge[t] += width[k];
    }
    __syncthreads();
    for (int i = t; i < n; i += 96) {
        int b = 0;
        while (b < BINS - 1 && edge[b] <= v[i])
            ++b;
        bin[i] = b;
    }
}
