// Fault: the block length is a power of two that the caller chooses, and nothing bounds
// the exponent.
// The repaired kernel is ../scale-wide.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 1024))
tc_requires(n <= 1LL << 38)
__global__ void scale_wide(tc_mut tc_shape(n) tc_tile(1024) float *x, float s, long long n, int log2_block)
{
    const long long base = ((long long)blockIdx.x << log2_block) + threadIdx.x;
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        const long long i = base + j * 256;
        if (i < n)
            x[i] *= s;
    }
}
