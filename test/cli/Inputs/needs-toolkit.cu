#include <cub/block/block_reduce.cuh>
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void ones(tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}
