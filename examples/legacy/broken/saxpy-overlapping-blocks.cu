// Fault: blocks are 255 elements apart but 256 wide: neighbours write one element both.
// The repaired kernel is ../saxpy.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void saxpy(int n, float a,
                      tc_shared tc_shape(n) const float *x,
                      tc_mut tc_shape(n) float *y)
{
    int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
