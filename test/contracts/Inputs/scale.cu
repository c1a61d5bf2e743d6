// A kernel under contract, two instances of a template, and one kernel without a word.
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void scale(int n, float a, tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(256) float *y)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = a * x[i];
}

template <class T, int N> tc_block(N) tc_grid(1) tc_requires(n <= N)
__global__ void fill(T *tc_mut tc_shape(n) tc_tile(N) out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = T(1);
}

__global__ void plain(float *p) { *p = 0.0f; }

void run_scale(int n, float *x, float *y, double *z)
{
    scale<<<(n + 255) / 256, 256>>>(n, 2.0f, x, y);
    fill<float, 32><<<1, 32>>>(y, 32);
    fill<double, 64><<<1, 64>>>(z, 64);
    plain<<<1, 1>>>(x);
}
