// Fault: the counter begins at -1.
// The repaired kernel is ../compact.cu.
#include <tilecheck.h>

tc_block(256)
tc_requires(n >= 0 && n < 1 << 30 && gridDim.x < 1 << 22 && gridDim.y == 1 && gridDim.z == 1)
__global__ void compact(tc_mut tc_shape(capacity) float *out, tc_atomic tc_shape(1) tc_init(-1) int *count,
                        tc_shared tc_shape(n) const float *in, int n, int capacity)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float v = in[i];
        if (!(v > 0.0f))
            continue;
        const int place = atomicAdd(count, 1);
        if (place < capacity)
            out[place] = v;
    }
}
