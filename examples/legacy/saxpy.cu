// saxpy: y = a * x + y.
//
// Shapes: x and y have n elements; one thread an element, 256 threads a block.
// Proved for every n: a block writes only its own 256 elements of y, all accesses
// are in bounds, x is never written, no index wraps.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void saxpy(int n, float a,
                      tc_shared tc_shape(n) const float *x,
                      tc_mut tc_shape(n) tc_tile(256) float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
