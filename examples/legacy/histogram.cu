// Histogram of bytes, straight into global memory with atomics.
//
// Shapes: data has n bytes, bins 256 counters that all blocks share.
// Proved for every n up to 2^30 and at most 65536 blocks: every bin is in bounds because a
// byte is below 256, bins is touched only by atomics, the stride does not overflow.
#include <tilecheck.h>

tc_block(256)
tc_requires(n <= 1 << 30 && gridDim.x <= 65536 && gridDim.y == 1 && gridDim.z == 1)
__global__ void histogram(tc_atomic tc_shape(256) unsigned int *bins,
                          tc_shared tc_shape(n) const unsigned char *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
}
