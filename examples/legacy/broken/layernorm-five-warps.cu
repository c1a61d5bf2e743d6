// Fault: five sums are added, of four warps.
// The repaired kernel is ../layernorm.cu.
#include <tilecheck.h>

#define THREADS 128

tc_block(THREADS) tc_grid(rows)
tc_requires(cols >= 1 && cols <= 1 << 20)
__global__ void layernorm(tc_out tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *out,
                          tc_shared tc_shape(rows, cols) const float *in,
                          tc_shared tc_shape(cols) const float *gamma,
                          tc_shared tc_shape(cols) tc_optional const float *beta,
                          int rows, int cols, float eps)
{
    __shared__ float sum[THREADS / 32], square[THREADS / 32];
    const float *x = in + (size_t)blockIdx.x * cols;
    float *y = out + (size_t)blockIdx.x * cols;

    float s = 0.0f, q = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        s += x[c];
        q += x[c] * x[c];
    }
    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_xor_sync(0xffffffffu, s, d);
        q += __shfl_xor_sync(0xffffffffu, q, d);
    }
    if ((threadIdx.x & 31) == 0) {
        sum[threadIdx.x >> 5] = s;
        square[threadIdx.x >> 5] = q;
    }
    __syncthreads();

    s = sum[0] + sum[1] + sum[2] + sum[3] + sum[4];
    q = square[0] + square[1] + square[2] + square[3];
    const float mean = s / cols;
    const float scale = rsqrtf(q / cols - mean * mean + eps);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        const float v = (x[c] - mean) * scale * gamma[c];
        y[c] = beta ? v + beta[c] : v;
    }
}
