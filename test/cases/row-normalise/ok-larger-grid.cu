// The same for a grid that may have more blocks than there are rows.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel normalise_rows --grid 5 --set rows=3 --set cols=100
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

template <int NT>
__device__ float block_sum(float v, float *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    for (unsigned int k = NT / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    return s[0];
}

template <int NT>
tc_block(NT)
tc_requires(gridDim.x >= rows && gridDim.y == 1 && gridDim.z == 1)
tc_requires(cols >= 1 && cols <= 1 << 28)
__global__ void normalise_rows(tc_out tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y,
                               tc_shared tc_shape(rows, cols) const float *x, int rows, int cols)
{
    __shared__ float scratch[NT];
    if (blockIdx.x >= rows)
        return;
    const size_t start = (size_t)blockIdx.x * cols;

    float mean = 0.0f;
    for (int c = threadIdx.x; c < cols; c += NT)
        mean += x[start + c];
    mean = block_sum<NT>(mean, scratch) / cols;
    __syncthreads();

    float size = 0.0f;
    for (int c = threadIdx.x; c < cols; c += NT)
        size += fabsf(x[start + c] - mean);
    size = block_sum<NT>(size, scratch);

    for (int c = threadIdx.x; c < cols; c += NT)
        y[start + c] = (x[start + c] - mean) / size;
}

template __global__ void normalise_rows<64>(float *, const float *, int, int);
