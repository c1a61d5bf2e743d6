// Pairs of programs for a device with the shim: each file is built as it should be, and with -DBAD as it should not. Both end with 0; the
// bad one only looks right, because the device happened to be quick or slow enough.
#ifndef TC_PROGRAMS_COMMON_H
#define TC_PROGRAMS_COMMON_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <tilecheck.h>
#include <tilecheck_rt.h>

#ifdef BAD
constexpr bool bad = true;
#else
constexpr bool bad = false;
#endif

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess) {                                                                                   \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));                       \
            std::exit(3);                                                                                              \
        }                                                                                                              \
    } while (0)

constexpr int N = 1 << 20;
constexpr size_t BYTES = N * sizeof(float);

#define LAUNCH tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 24)

// y = 2 x + 1
LAUNCH __global__ void scale(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) tc_tile(256) float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i] + 1;
}

template <typename T> static T *device(size_t n)
{
    T *p = nullptr;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    CHECK(cudaMemset(p, 0, n * sizeof(T)));
    CHECK(cudaDeviceSynchronize());
    return p;
}

static cudaStream_t stream()
{
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return s;
}

static cudaEvent_t event()
{
    cudaEvent_t e;
    CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return e;
}

static void run(const float *x, float *y, cudaStream_t s, int n = N)
{
    scale<<<(n + 255) / 256, 256, 0, s>>>(x, y, n);
    CHECK(cudaGetLastError());
}

#endif
