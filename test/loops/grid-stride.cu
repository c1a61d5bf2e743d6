// Strides over the grid, for sizes of every type: what keeps the last step in the type's range is a bound on the launch, or known.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s
#include <tilecheck.h>
typedef unsigned int uint;

// CHECK: kernel gs_size proved-if
__global__ void gs_size(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = a[i];
}

// CHECK: kernel gs_size_next violated
__global__ void gs_size_next(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = a[i + 1];
}

// CHECK: kernel gs_size2 proved-if
__global__ void gs_size2(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, size_t n)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = a[i];
}

// CHECK: kernel gs_int proved-if
__global__ void gs_int(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = a[i];
}

// CHECK: kernel gs_int_declared violated
tc_grid(nb) __global__ void gs_int_declared(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, int n, int nb)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = a[i];
}

// CHECK: kernel gs_ull proved-if
__global__ void gs_ull(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, unsigned long long n)
{
    unsigned long long tid = threadIdx.x + (unsigned long long)blockIdx.x * blockDim.x;
    while (tid < n) {
        out[tid] = a[tid];
        tid += (unsigned long long)blockDim.x * gridDim.x;
    }
}

// CHECK: kernel gs_uint proved-if
__global__ void gs_uint(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        out[i] = a[i];
}

// CHECK: kernel gs_ll proved-if
__global__ void gs_ll(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, long long n)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)blockDim.x * gridDim.x)
        out[i] = a[i];
}

// CHECK: kernel plain_int proved-if
__global__ void plain_int(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(n) float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i];
}

// CHECK: kernel gd proved
tc_block(128) tc_grid(nb) tc_requires(nb <= 65535 && n < 2000000000)
__global__ void gd(tc_shared tc_shape(n) const float *a, tc_mut tc_shape(nb) float *out, int n, int nb)
{
    float s = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        s += a[i];
    if (threadIdx.x == 0) out[gridDim.x - 1 - blockIdx.x] = s;
}

// CHECK: kernel gd2 proved
tc_block(128) tc_grid(nb) tc_requires(nb <= 65535)
__global__ void gd2(tc_shared tc_shape(nb, 128) const float *a, tc_mut tc_shape(nb * 128) float *out, int nb)
{
    out[threadIdx.x * gridDim.x + blockIdx.x] = a[blockIdx.x * 128 + threadIdx.x];
}

// CHECK: kernel persist_nb proved
tc_block(128) tc_grid(nb) tc_requires(nb >= 1 && nb <= 4096 && tiles >= 0 && tiles <= 1 << 20)
__global__ void persist_nb(tc_shared tc_shape(tiles, 128) const float *x, tc_mut tc_shape(tiles, 128) tc_tile(1, 128) tc_owner(t, j; t % nb) float *y, int tiles, int nb)
{
    for (int t = blockIdx.x; t < tiles; t += gridDim.x)
        y[t * 128 + threadIdx.x] = x[t * 128 + threadIdx.x];
}

// CHECK: kernel persist_grid proved
tc_block(128) tc_grid(nb) tc_requires(nb >= 1 && nb <= 4096 && tiles >= 0 && tiles <= 1 << 20)
__global__ void persist_grid(tc_shared tc_shape(tiles, 128) const float *x, tc_mut tc_shape(tiles, 128) tc_tile(1, 128) tc_owner(t, j; t % gridDim.x) float *y, int tiles, int nb)
{
    for (int t = blockIdx.x; t < tiles; t += nb)
        y[t * 128 + threadIdx.x] = x[t * 128 + threadIdx.x];
}

// CHECK: kernel stride_nb proved
tc_block(128) tc_grid(nb) tc_requires(nb >= 1 && nb <= 4096 && n >= 0 && n <= 1 << 30)
__global__ void stride_nb(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *y, int n, int nb)
{
    for (int t = blockIdx.x * 128 + threadIdx.x; t < n; t += nb * 128)
        y[t] = x[t];
}

// CHECK: kernel stride_less violated
tc_block(128) tc_grid(nb) tc_requires(nb >= 2 && nb <= 4096 && n >= 0 && n <= 1 << 30)
__global__ void stride_less(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *y, int n, int nb)
{
    for (int t = blockIdx.x * 128 + threadIdx.x; t < n; t += (nb - 1) * 128)
        y[t] = x[t];
}

// CHECK: kernel reversed_blocks proved
tc_block(128) tc_grid(nb) tc_requires(nb >= 1 && nb <= 4096)
__global__ void reversed_blocks(tc_mut tc_shape(nb, 128) float *y, tc_mut tc_shape(128, nb) float *z, int nb)
{
    y[((gridDim.x - 1 - blockIdx.x)) * 128 + threadIdx.x] = 1;
    z[threadIdx.x * gridDim.x + blockIdx.x] = 2;
}

// CHECK: kernel reversed_blocks_bad violated
tc_block(128) tc_grid(nb) tc_requires(nb >= 1 && nb <= 4096)
__global__ void reversed_blocks_bad(tc_mut tc_shape(nb, 128) float *y, int nb)
{
    y[((gridDim.x - blockIdx.x)) * 128 + threadIdx.x] = 1;
}

// CHECK: kernel dws proved-if
tc_block(128) tc_requires(n >= 1)
__global__ void dws(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    do { o[i] = x[i]; i += blockDim.x * gridDim.x; } while (i < n);
}

// CHECK: kernel dws_late violated
tc_block(128) tc_requires(n >= 1)
__global__ void dws_late(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    do { o[i] = x[i]; i += blockDim.x * gridDim.x; } while (i <= n);
}

// CHECK: kernel forever proved-if
tc_block(128)
__global__ void forever(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *o, uint n)
{
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    while (true) {
        if (i >= n) break;
        o[i] = x[i];
        i += gridDim.x * blockDim.x;
    }
}

// CHECK: kernel bias proved-if
tc_block(256)
__global__ void bias(tc_mut tc_shape(rows, cols) float *x, tc_shared tc_shape(cols) const float *b, size_t rows, size_t cols)
{
    size_t total = rows * cols;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < total; i += (size_t)gridDim.x * blockDim.x)
        x[i] += b[i % cols];
}

// CHECK: kernel hist proved
tc_block(256) tc_grid(nb) tc_requires(nb >= 1 && nb <= 1024 && n >= 0 && n <= 1 << 30)
__global__ void hist(tc_shared tc_shape(n) const unsigned char *x, tc_atomic tc_shape(256) uint *h, int n, int nb)
{
    __shared__ uint sh[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) sh[b] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    while (i < n) { atomicAdd(&sh[x[i]], 1u); i += stride; }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) if (sh[b]) atomicAdd(&h[b], sh[b]);
}

// CHECK: kernel radix proved
tc_block(256) tc_grid(nb) tc_requires(nb >= 1 && nb <= 65535 && n >= 0 && n <= 1 << 30 && shift >= 0 && shift <= 28)
__global__ void radix(tc_shared tc_shape(n) const uint *k, tc_mut tc_shape(nb, 16) uint *cnt, int n, int nb, int shift)
{
    __shared__ uint c[16];
    if (threadIdx.x < 16) c[threadIdx.x] = 0;
    __syncthreads();
    int per = (n + nb - 1) / nb, lo = min((int)blockIdx.x * per, n), hi = min(lo + per, n);
    for (int i = lo + threadIdx.x; i < hi; i += blockDim.x) atomicAdd(&c[(k[i] >> shift) & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16) cnt[blockIdx.x * 16 + threadIdx.x] = c[threadIdx.x];
}
