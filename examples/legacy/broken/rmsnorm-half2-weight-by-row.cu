// Fault: the weight is read at the offset of the row.
// The repaired kernel is ../rmsnorm-half2.cu.
#include <tilecheck.h>
#include <cuda_fp16.h>

#define THREADS 256
#define WARPS (THREADS / 32)

tc_block(THREADS) tc_grid(rows)
tc_requires(pairs >= 1 && pairs <= 1 << 20)
__global__ void rmsnorm_half2(tc_out tc_shape(rows, pairs) tc_tile(1, pairs) tc_at(blockIdx.x, 0) __half2 *out,
                              tc_shared tc_shape(rows, pairs) const __half2 *in,
                              tc_shared tc_shape(pairs) const __half2 *weight,
                              int rows, int pairs, float eps)
{
    __shared__ float of_warp[WARPS];
    const size_t row = (size_t)blockIdx.x * pairs;

    float sum = 0.0f;
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
        const float2 v = __half22float2(in[row + i]);
        sum += v.x * v.x + v.y * v.y;
    }
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();

    sum = 0.0f;
    for (int w = 0; w < WARPS; ++w)
        sum += of_warp[w];
    const float scale = rsqrtf(sum / (2 * pairs) + eps);
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
        const float2 v = __half22float2(in[row + i]);
        const float2 g = __half22float2(weight[row + i]);
        out[row + i] = __floats2half2_rn(v.x * scale * g.x, v.y * scale * g.y);
    }
}
