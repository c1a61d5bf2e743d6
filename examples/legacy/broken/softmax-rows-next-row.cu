// Fault: the output row is the next one: each block but the last writes what its
// neighbour owns.
// The repaired kernel is ../softmax-rows.cu.
#include <tilecheck.h>

#define NT 256

tc_block(NT) tc_grid(rows)
tc_requires(cols >= 1 && cols <= 1 << 30)
__global__ void softmax_rows(tc_out tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y,
                             tc_shared tc_shape(rows, cols) const float *x,
                             int rows, int cols)
{
    __shared__ float part[NT];
    const int t = threadIdx.x;
    const float *in = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)((blockIdx.x + 1) % gridDim.x) * cols;

    float m = -INFINITY;
    for (int c = t; c < cols; c += NT)
        m = fmaxf(m, in[c]);
    part[t] = m;
    __syncthreads();
    for (int s = NT / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] = fmaxf(part[t], part[t + s]);
        __syncthreads();
    }
    m = part[0];
    __syncthreads();

    float sum = 0.0f;
    for (int c = t; c < cols; c += NT)
        sum += expf(in[c] - m);
    part[t] = sum;
    __syncthreads();
    for (int s = NT / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    sum = part[0];

    for (int c = t; c < cols; c += NT)
        out[c] = expf(in[c] - m) / sum;
}
