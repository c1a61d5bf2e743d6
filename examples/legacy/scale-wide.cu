// x *= s for tensors of more than 2^31 elements: all index arithmetic is 64-bit.
//
// Shapes: x has n elements; a block owns 1024 of them, four a thread, 256 apart.
// Proved for every n up to 2^38: a block writes only its own 1024 elements, all
// accesses are in bounds, nothing wraps.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 1024))
tc_requires(n <= 1LL << 38)
__global__ void scale_wide(tc_mut tc_shape(n) tc_tile(1024) float *x, float s, long long n)
{
    const long long base = (long long)blockIdx.x * 1024 + threadIdx.x;
    #pragma unroll
    for (int j = 0; j < 4; ++j) {
        const long long i = base + j * 256;
        if (i < n)
            x[i] *= s;
    }
}
