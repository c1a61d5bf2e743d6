// RMSNorm: each row is divided by its root mean square and scaled by a weight a column.
//
// Shapes: x and y are rows x cols, w has cols elements; one block a row, any
// power-of-two block of one dimension, one partial sum a thread in dynamic shared memory.
// Proved for every number of rows and up to 2^20 columns: a block writes only its own
// row, the tree stays inside the shared memory that the launch gives, x and w are
// never written.
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
        y[row * cols + c] = x[row * cols + c] * scale * w[c];
}
