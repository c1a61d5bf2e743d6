// Fault: the first lane of each warp stores, at the number of the warp behind that of
// the block.
// The repaired kernel is ../warp-sum.cu.
#include <tilecheck.h>

#define THREADS 256
#define WARPS (THREADS / 32)
#define CHUNK 1024

__device__ float warp_sum(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

tc_block(THREADS) tc_grid(tc_cdiv(n, CHUNK))
tc_requires(n <= 1 << 30)
__global__ void warp_block_sum(tc_out tc_shape(gridDim.x) tc_tile(1) float *sums,
                               tc_shared tc_shape(n) const float *x, int n)
{
    __shared__ float of_warp[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = blockIdx.x * CHUNK;

    float v = 0.0f;
    for (int k = threadIdx.x; k < CHUNK; k += blockDim.x)
        if (first + k < n)
            v += x[first + k];
    v = warp_sum(v);
    if (lane == 0)
        of_warp[warp] = v;
    __syncthreads();

    {
        v = lane < WARPS ? of_warp[lane] : 0.0f;
        v = warp_sum(v);
        if (lane == 0)
            sums[blockIdx.x + warp] = v;
    }
}
