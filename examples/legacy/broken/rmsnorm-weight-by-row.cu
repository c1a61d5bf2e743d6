// Fault: the weight is indexed by the row, not by the column.
// The repaired kernel is ../rmsnorm.cu.
#include <tilecheck.h>

tc_grid(rows) tc_smem(blockDim.x * sizeof(float))
tc_requires((blockDim.x & (blockDim.x - 1)) == 0 && blockDim.y == 1 && blockDim.z == 1)
tc_requires(cols >= 1 && cols <= 1 << 20)
__global__ void rmsnorm(tc_out tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *__restrict__ y,
                        tc_shared tc_shape(rows, cols) const float *__restrict__ x,
                        tc_shared tc_shape(cols) const float *__restrict__ w,
                        float eps, int rows, int cols)
{
    extern __shared__ float sums[];
    const unsigned int t = threadIdx.x;
    const size_t row = blockIdx.x;

    float s = 0.0f;
    for (int c = t; c < cols; c += blockDim.x) {
        const float v = x[row * cols + c];
        s += v * v;
    }
    sums[t] = s;
    __syncthreads();
    for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads();
    }

    const float scale = rsqrtf(sums[0] / cols + eps);
    for (int c = t; c < cols; c += blockDim.x)
        y[row * cols + c] = x[row * cols + c] * scale * w[row];
}
