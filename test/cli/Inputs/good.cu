#include <cmath>
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void roots(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = sqrtf(x[i]);
}
