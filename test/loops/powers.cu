// Loops over powers of two whose addresses are made of their bits: sorting networks, trees over the whole of shared memory.
// RUN: %verdicts %s --rules=TC1,TC2,TC3 | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel merge proved
tc_block(512) tc_grid(1)
__global__ void merge(tc_mut tc_shape(1024) float *data)
{
    __shared__ float key[1024];
    key[threadIdx.x] = data[threadIdx.x];
    key[threadIdx.x + 512] = data[threadIdx.x + 512];
    for (unsigned stride = 512; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        float a = key[pos], b = key[pos + stride];
        if (a < b) {
            key[pos] = b;
            key[pos + stride] = a;
        }
    }
    __syncthreads();
    data[threadIdx.x] = key[threadIdx.x];
    data[threadIdx.x + 512] = key[threadIdx.x + 512];
}

// CHECK: kernel sort_by_index proved
tc_block(512) tc_grid(1)
__global__ void sort_by_index(tc_mut tc_shape(1024) float *data)
{
    __shared__ float key[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        key[i] = data[i];
    __syncthreads();
    for (int size = 2; size <= 1024; size <<= 1)
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            int lo = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            float a = key[lo], b = key[lo + stride];
            if ((a < b) == ((lo & size) == 0)) {
                key[lo] = b;
                key[lo + stride] = a;
            }
            __syncthreads();
        }
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        data[i] = key[i];
}

// CHECK: kernel sort_by_xor proved
tc_block(1024) tc_grid(1)
__global__ void sort_by_xor(tc_mut tc_shape(1024) float *data)
{
    __shared__ float key[1024];
    unsigned t = threadIdx.x;
    key[t] = data[t];
    __syncthreads();
    for (unsigned k = 2; k <= 1024; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = t ^ j;
            if (other > t && (key[t] > key[other]) == ((t & k) == 0)) {
                float x = key[t];
                key[t] = key[other];
                key[other] = x;
            }
            __syncthreads();
        }
    data[t] = key[t];
}

// The size of the block is not known, only that it is a power of two.
// CHECK: kernel merge_of_any_size proved
tc_grid(1) tc_requires(blockDim.y == 1 && blockDim.z == 1 && (blockDim.x & (blockDim.x - 1)) == 0)
__global__ void merge_of_any_size(tc_mut tc_shape(2 * blockDim.x) float *data)
{
    unsigned t = threadIdx.x;
    for (unsigned stride = blockDim.x; stride > 0; stride >>= 1) {
        unsigned pos = 2 * t - (t & (stride - 1));
        float a = data[pos], b = data[pos + stride];
        data[pos] = fminf(a, b);
        data[pos + stride] = fmaxf(a, b);
        __syncthreads();
    }
}

// CHECK: kernel scan proved
tc_block(256) tc_grid(1)
__global__ void scan(tc_mut tc_shape(512) float *g)
{
    __shared__ float temp[512];
    int t = threadIdx.x, offset = 1;
    temp[2 * t] = g[2 * t];
    temp[2 * t + 1] = g[2 * t + 1];
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            temp[offset * (2 * t + 2) - 1] += temp[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        temp[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            float x = temp[a];
            temp[a] = temp[b];
            temp[b] += x;
        }
    }
    __syncthreads();
    g[2 * t] = temp[2 * t];
    g[2 * t + 1] = temp[2 * t + 1];
}

// CHECK: kernel b_scan_not_halved violated
tc_block(256) tc_grid(1)
__global__ void b_scan_not_halved(tc_mut tc_shape(512) float *g)
{
    __shared__ float temp[512];
    int t = threadIdx.x, offset = 512;
    temp[2 * t] = g[2 * t];
    temp[2 * t + 1] = g[2 * t + 1];
    for (int d = 1; d < 512; d *= 2) {
        __syncthreads();
        if (t < d)
            temp[offset * (2 * t + 1) - 1] += 1;
        offset >>= 1;
    }
    __syncthreads();
    g[2 * t] = temp[2 * t];
    g[2 * t + 1] = temp[2 * t + 1];
}

// CHECK: kernel b_no_barrier violated
tc_block(512) tc_grid(1)
__global__ void b_no_barrier(tc_mut tc_shape(1024) float *data)
{
    __shared__ float key[1024];
    key[threadIdx.x] = data[threadIdx.x];
    key[threadIdx.x + 512] = data[threadIdx.x + 512];
    __syncthreads();
    for (unsigned stride = 512; stride > 0; stride >>= 1) {
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        key[pos] += key[pos + stride];
    }
    __syncthreads();
    data[threadIdx.x] = key[threadIdx.x];
}

// Only the first of the strides is too long.
// CHECK: kernel b_first_too_long violated
tc_block(512) tc_grid(1)
__global__ void b_first_too_long(tc_mut tc_shape(1024) float *data)
{
    for (unsigned stride = 1024; stride > 0; stride >>= 1) {
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        data[pos + stride] = 1;
        __syncthreads();
    }
}

// 384, 192, ..., 3, 1: no powers of two.
// CHECK: kernel b_no_powers violated
tc_block(512) tc_grid(1)
__global__ void b_no_powers(tc_mut tc_shape(1024) float *data)
{
    for (unsigned stride = 384; stride > 0; stride >>= 1) {
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        data[pos] = 1;
        __syncthreads();
    }
}

// Both of a pair exchange.
// CHECK: kernel b_both_exchange violated
tc_block(1024) tc_grid(1)
__global__ void b_both_exchange(tc_mut tc_shape(1024) float *data)
{
    __shared__ float key[1024];
    unsigned t = threadIdx.x;
    key[t] = data[t];
    __syncthreads();
    for (unsigned k = 2; k <= 1024; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = t ^ j;
            if (key[t] > key[other]) {
                float x = key[t];
                key[t] = key[other];
                key[other] = x;
            }
            __syncthreads();
        }
    data[t] = key[t];
}

// CHECK: kernel b_any_size violated
tc_grid(1) tc_requires(blockDim.y == 1 && blockDim.z == 1)
__global__ void b_any_size(tc_mut tc_shape(2 * blockDim.x) float *data)
{
    unsigned t = threadIdx.x;
    for (unsigned stride = blockDim.x; stride > 0; stride >>= 1) {
        unsigned pos = 2 * t - (t & (stride - 1));
        data[pos] = 1;
        __syncthreads();
    }
}

// CHECK: kernel b_once_tripled violated
tc_block(512) tc_grid(1)
__global__ void b_once_tripled(tc_mut tc_shape(1024) float *data, int odd)
{
    unsigned stride = 256;
    while (stride > 0) {
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        data[pos] = 1;
        __syncthreads();
        stride = odd == 7 && stride == 256 ? 3 : stride >> 1;
    }
}
