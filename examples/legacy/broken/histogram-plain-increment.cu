// Fault: the increment is not atomic.
// The repaired kernel is ../histogram.cu.
#include <tilecheck.h>

tc_block(256)
tc_requires(n <= 1 << 30 && gridDim.x <= 65536 && gridDim.y == 1 && gridDim.z == 1)
__global__ void histogram(tc_atomic tc_shape(256) unsigned int *bins,
                          tc_shared tc_shape(n) const unsigned char *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        bins[data[i]]++;
}
