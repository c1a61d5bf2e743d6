// Sum of each block; the last steps of the tree are inside one warp.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel sum_blocks --set blocks=2
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

tc_block(128) tc_grid(blocks)
tc_requires(blocks <= 1 << 20)
__global__ void sum_blocks(tc_shared tc_shape(blocks, 128) const float *in, tc_out tc_shape(blocks) tc_tile(1) float *out, int blocks)
{
    __shared__ volatile float s[128];
    const int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    s[t] = v;
    __syncthreads();
    if (t < 64) {
        v += s[t + 64];
        s[t] = v;
    }
    __syncthreads();
    if (t < 32) {
        v += s[t + 32];
        s[t] = v;
        for (int k = 16; k > 0; k >>= 1) {
            __syncwarp();
            if (t < k)
                v += s[t + k];
            __syncwarp();
            if (t < k)
                s[t] = v;
        }
        if (t == 0)
            out[blockIdx.x] = v;
    }
}
