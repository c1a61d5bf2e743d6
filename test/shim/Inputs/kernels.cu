// Kernels whose contracts the tests of the shim launch by.
#include <tilecheck.h>

#define LAUNCH tc_block(64) tc_grid(tc_cdiv(n, 64)) tc_requires(n >= 1 && n <= 1 << 20)

// y = 2 x
LAUNCH extern "C" __global__ void scale(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}

// The same, where y may be x.
LAUNCH extern "C" __global__ void scale_in_place(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(64) tc_inplace(x) float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
}

// The same, by way of dynamic shared memory.
LAUNCH tc_smem(256) extern "C" __global__ void staged(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    extern __shared__ float s[];
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = x[i];
        y[i] = 2 * s[threadIdx.x];
    }
}

// Counts elements that are not 0.
LAUNCH extern "C" __global__ void count(tc_shared tc_shape(n) const float *x, tc_atomic tc_shape(1) unsigned *sum, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n && x[i] != 0)
        atomicAdd(sum, 1u);
}

// Fills the first 16 columns of an image with rows of `pitch` elements.
tc_block(16) tc_grid(rows) tc_requires(rows >= 1 && rows <= 4096 && pitch >= 16 && pitch <= 4096)
extern "C" __global__ void fill(tc_mut tc_shape(rows, 16) tc_stride(pitch, 1) tc_tile(1, 16) tc_at(blockIdx.x, 0) float *m, int rows, int pitch)
{
    m[blockIdx.x * pitch + threadIdx.x] = 1;
}

// A pointer whose extent nothing says.
LAUNCH extern "C" __global__ void bare(tc_mut float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = 1;
}

// Puts element i where `to` says; each place once.
LAUNCH extern "C" __global__ void place(tc_shared tc_shape(n) tc_range(0, n) tc_injective const int *to, tc_mut tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[to[i]] = 1;
}
