// Copy of n floats, four at a time; block 0 copies the last n % 4 of them one by one.
//
// Shapes: dst and src have n elements and lie on a 16-byte boundary, as cudaMalloc
// gives them. A block owns the 1024 floats that its 256 threads copy, and the tail
// belongs to nobody else: regions are taken from the code.
// Proved for every n up to 2^30: vectors are whole and aligned, the tail is in
// bounds and no other block writes it.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 1024))
tc_requires(n <= 1 << 30)
__global__ void copy_float4(tc_out tc_shape(n) tc_align(16) float *dst,
                            tc_shared tc_shape(n) tc_align(16) const float *src, int n)
{
    int vectors = n / 4;
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vectors)
        reinterpret_cast<float4 *>(dst)[v] = reinterpret_cast<const float4 *>(src)[v];

    if (blockIdx.x == 0) {
        int i = vectors * 4 + threadIdx.x;
        if (i < n)
            dst[i] = src[i];
    }
}
