#include <tilecheck.h>

#define ROWS 64
#define COLS 32

#ifndef __CUDACC__
#ifndef __CUDA__
#error "this is CUDA"
#endif
#endif

// Before and after a declarator, in structs, on device variables.
struct Tensor {
    tc_shared tc_shape(rows, COLS) tc_stride(ld, 1) const float *in;
    float *out tc_mut tc_shape(rows, COLS);
    tc_optional tc_shared const float *bias;
    int rows, ld;
};

template <typename T> struct Batch {
    tc_shared tc_shape(n) tc_range(0, n) tc_injective tc_monotone const int *index;
    tc_out tc_shape(n) T *dst;
    int n;
};

__device__ tc_atomic tc_init(0) int ticket;
__device__ int counters[4] tc_atomic;
__constant__ tc_shared float table[ROWS];

tc_block(ROWS, 4) tc_grid(tc_cdiv(n, ROWS), 1, 1) tc_smem(n * sizeof(float)) tc_cluster(2)
tc_requires(n > 0 && n < (1 << 20)) tc_forall(i, j; index[i] * COLS + j < n || i >= n)
tc_param(t.in, align(16)) tc_distinct(x, y) tc_may_alias(x, index)
__global__ void every(tc_shared tc_shape(n) tc_align(16) const float *x, tc_mut tc_shape(n) tc_tile(ROWS) tc_at(blockIdx.x) float *y,
                      const int *tc_shared tc_shape(n) index, float *z tc_mut tc_shape(n, COLS) tc_rows(index[blockIdx.x], index[blockIdx.x + 1]),
                      tc_inplace(y) tc_mut tc_shape(n) float *w, tc_mut tc_shape(n, n) tc_tile(ROWS, COLS)
                      tc_owner(i, j; (i * tc_cdiv(n, COLS) + j) % gridDim.x) float *v,
                      tc_unchecked("a reason, with a comma") float *u, Tensor t, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        tc_invariant(i >= 0 && i % (int)blockDim.x == (int)threadIdx.x);
        tc_assert(i < n);
        tc_assume(x[i] > 0.0f && index[i] < tc_cdiv(n, 2), "the caller sorts");
        y[i] = x[i] + z[0] + w[0] + v[0] + u[0] + t.in[0];
    }
}

// After the parameters, and said again on a later declaration.
__global__ void later(const float *x, float *y, int n) tc_block(ROWS);
tc_grid(1) __global__ void later(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *y, int n);
__global__ void later(const float *x, float *y, int n) tc_requires(n == ROWS)
{
    int i = threadIdx.x;
    if (i < n)
        y[i] = x[i];
}

template <typename T, int N>
tc_block(N) __global__ void templated(tc_mut tc_shape(N, n) T *p, Batch<T> b, int n)
{
    tc_assert(N > 0);
    p[threadIdx.x] = T(tc_cdiv(n, N)) + b.dst[0];
}
template __global__ void templated<float, 32>(float *, Batch<float>, int);

// In host code, in constant expressions, with types mixed.
static_assert(tc_cdiv(7, 2) == 4 && tc_cdiv(8u, 2u) == 4u && tc_cdiv(0, 3) == 0 && tc_cdiv(7ll, 2) == 4, "");
__host__ __device__ int blocks(int n)
{
    tc_assert(n >= 0);
    tc_assume(n < 1 << 20, "small");
    return tc_cdiv(n, 32);
}
int host(int n)
{
    int shared[tc_cdiv(100, 32)] = {0};
    for (int i = 0; i < n; i++)
        tc_invariant(i >= 0);
    return blocks(n) + shared[0];
}
