// Atomics of each type and scope, cached loads and stores, fences, address spaces, copies in device code.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <cuda_runtime.h>

__global__ void atomics(int *i, unsigned *u, unsigned long long *ul, long long *l, float *f, double *d)
{
    atomicAdd(i, 1), atomicAdd(u, 1u), atomicAdd(ul, 1ull), atomicAdd(f, 1.0f), atomicAdd(d, 1.0);
    atomicAdd_block(i, 1), atomicAdd_system(i, 1), atomicAdd_block(f, 1.0f), atomicAdd_system(d, 1.0);
    atomicSub(i, 1), atomicSub(u, 1u), atomicSub_block(u, 1u);
    atomicExch(i, 1), atomicExch(f, 1.0f), atomicExch(ul, 1ull);
    atomicMin(i, 1), atomicMax(u, 1u), atomicMin(l, 1ll), atomicMax(ul, 1ull), atomicMax_system(i, 1);
    atomicInc(u, 7u), atomicDec(u, 7u), atomicInc_block(u, 7u);
    atomicAnd(i, 1), atomicOr(u, 1u), atomicXor(ul, 1ull), atomicAnd(l, 1ll), atomicOr_system(i, 1);
    atomicCAS(i, 1, 2), atomicCAS(u, 1u, 2u), atomicCAS(ul, 1ull, 2ull), atomicCAS_system(i, 1, 2);
}

__global__ void cached(float *f, const float4 *v, int2 *w, const double *d, unsigned char *b)
{
    f[0] = __ldg(f + 1) + __ldg(v).x + __ldcg(f + 2) + __ldcs(f + 3) + __ldca(f + 4) + __ldcv(f + 5) + float(__ldg(d));
    __stcs(f, 1.0f), __stcg(f, 1.0f), __stwb(f, 1.0f), __stwt(f, 1.0f), __stcs(w, w[1]), __stcg(b, b[1]);
}

__global__ void fences(int *p)
{
    __shared__ int s[32];
    extern __shared__ float dynamic[];
    s[threadIdx.x] = p[threadIdx.x];
    __threadfence_block(), __threadfence(), __threadfence_system();
    __syncthreads();
    p[0] = __syncthreads_count(s[0]) + __syncthreads_and(s[1]) + __syncthreads_or(s[2]);
    p[1] = int(__cvta_generic_to_shared(s)) + int(__isShared(s)) + int(__isGlobal(p)) + int(dynamic[0]);
    memcpy(p, s, sizeof s);
    memset(p + 32, 0, 128);
}

__constant__ float weights[16];
__device__ int counter;
__managed__ int managed;
__global__ void __launch_bounds__(256, 2) bounded(const float *__restrict__ x, float *__restrict__ y)
{
    y[threadIdx.x] = x[threadIdx.x] * weights[threadIdx.x % 16] + float(counter) + float(managed);
}
