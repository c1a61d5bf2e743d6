// Fault: threads with no column leave before the sums.
// RUN: %exits 2 %tilecheck run %s --kernel normalise_rows --set rows=1 --set cols=10 2>&1 | FileCheck %s
// CHECK: row-normalise-idle-threads-leave.cu:{{(11|15|35)}}:{{[0-9]+}}: error: {{.*}}[TC3002]

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
tc_block(NT) tc_grid(rows)
tc_requires(cols >= 1 && cols <= 1 << 28)
__global__ void normalise_rows(tc_out tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y,
                               tc_shared tc_shape(rows, cols) const float *x, int rows, int cols)
{
    __shared__ float scratch[NT];
    const size_t start = (size_t)blockIdx.x * cols;

    if (threadIdx.x >= cols)
        return;
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
