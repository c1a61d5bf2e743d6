// Fault: the product is made in 32 bits and widened after it has wrapped.
// The repaired kernel is ../scale-wide.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 1024))
tc_requires(n <= 1LL << 38)
__global__ void scale_wide(tc_mut tc_shape(n) tc_tile(1024) float *x, float s, long long n)
{
    const long long base = blockIdx.x * 1024 + threadIdx.x;
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        const long long i = base + j * 256;
        if (i < n)
            x[i] *= s;
    }
}
