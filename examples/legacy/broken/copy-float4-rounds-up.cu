// Fault: the number of vectors is rounded up: the last vector runs past n.
// The repaired kernel is ../copy-float4.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 1024))
tc_requires(n <= 1 << 30)
__global__ void copy_float4(tc_out tc_shape(n) tc_align(16) float *dst,
                            tc_shared tc_shape(n) tc_align(16) const float *src, int n)
{
    int vectors = (n + 3) / 4;
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vectors)
        reinterpret_cast<float4 *>(dst)[v] = reinterpret_cast<const float4 *>(src)[v];

    if (blockIdx.x == 0) {
        int i = vectors * 4 + threadIdx.x;
        if (i < n)
            dst[i] = src[i];
    }
}
