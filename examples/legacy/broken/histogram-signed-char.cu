// Fault: a char may be negative, and so may the bin.
// The repaired kernel is ../histogram.cu.
#include <tilecheck.h>

tc_block(256)
tc_requires(n <= 1 << 30 && gridDim.x <= 65536 && gridDim.y == 1 && gridDim.z == 1)
__global__ void histogram(tc_atomic tc_shape(256) unsigned int *bins,
                          tc_shared tc_shape(n) const signed char *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
}
