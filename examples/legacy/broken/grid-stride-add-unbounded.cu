// Fault: n is not bounded any more: near 2^31 the step past the end overflows and the
// loop goes on at a negative i.
// The repaired kernel is ../grid-stride-add.cu.
#include <tilecheck.h>

tc_requires(blockDim.y == 1 && blockDim.z == 1 && gridDim.y == 1 && gridDim.z == 1)
tc_requires(gridDim.x <= 1 << 20)
__global__ void vector_add(tc_shared tc_shape(n) const float *a,
                           tc_shared tc_shape(n) const float *b,
                           tc_out tc_shape(n) float *c, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        c[i] = a[i] + b[i];
}
