// Fault: the vectors start at the second float: 16-byte accesses at an address that is 4
// past a multiple of 16.
// The repaired kernel is ../copy-float4.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 1024))
tc_requires(n <= 1 << 30)
__global__ void copy_float4(tc_out tc_shape(n) tc_align(16) float *dst,
                            tc_shared tc_shape(n) tc_align(16) const float *src, int n)
{
    int vectors = (n - 1) / 4;
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vectors)
        reinterpret_cast<float4 *>(dst + 1)[v] = reinterpret_cast<const float4 *>(src + 1)[v];

    if (blockIdx.x == 0) {
        int i = threadIdx.x == 0 ? 0 : vectors * 4 + threadIdx.x;
        if (i < n)
            dst[i] = src[i];
    }
}
