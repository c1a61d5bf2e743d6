// Fault: `<=` for `<`: one thread works on element n.
// The repaired kernel is ../saxpy.cu.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void saxpy(int n, float a,
                      tc_shared tc_shape(n) const float *x,
                      tc_mut tc_shape(n) tc_tile(256) float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = a * x[i] + y[i];
}
