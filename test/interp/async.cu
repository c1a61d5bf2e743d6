// cp.async: groups, waits, and the barrier that others need; data behind the read-only cache.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=64 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

__device__ __forceinline__ void copy4(float *s, const float *g)
{
    const unsigned a = (unsigned)__cvta_generic_to_shared(s);
    // A write that races with a read in no_barrier.
    // CHECK-DAG: async.cu:[[@LINE+1]]:{{.*}}[TC3001]
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a), "l"(g) : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

tc_block(64) tc_grid(1)
__global__ void waited(tc_mut tc_shape(n) float *out, tc_shared tc_shape(n) const float *in, int n)
{
    __shared__ float s[64];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    commit();
    wait<0>();
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void no_wait(tc_mut tc_shape(n) float *out, tc_shared tc_shape(n) const float *in, int n)
{
    __shared__ float s[64];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    commit();
    __syncthreads();
    // CHECK-DAG: async.cu:[[@LINE+1]]:{{.*}}asynchronous copy to it is pending{{.*}}[TC3003]
    out[threadIdx.x] = s[threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void newest_group_pending(tc_mut tc_shape(n) float *out, tc_shared tc_shape(n) const float *in, int n)
{
    __shared__ float s[2][64];
    copy4(&s[0][threadIdx.x], in + threadIdx.x);
    commit();
    copy4(&s[1][threadIdx.x], in + threadIdx.x);
    commit();
    wait<1>();
    out[threadIdx.x] = s[0][threadIdx.x];
    // CHECK-DAG: async.cu:[[@LINE+1]]:{{.*}}pending{{.*}}[TC3003]
    out[threadIdx.x] = s[1][threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void never_committed(tc_mut tc_shape(n) float *out, tc_shared tc_shape(n) const float *in, int n)
{
    __shared__ float s[64];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    wait<0>();
    // CHECK-DAG: async.cu:[[@LINE+1]]:{{.*}}pending{{.*}}[TC3003]
    out[threadIdx.x] = s[threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void no_barrier(tc_mut tc_shape(n) float *out, tc_shared tc_shape(n) const float *in, int n)
{
    __shared__ float s[64];
    copy4(&s[threadIdx.x], in + threadIdx.x);
    commit();
    wait<0>();
    // CHECK-DAG: async.cu:[[@LINE+1]]:{{.*}}[TC300{{[13]}}]
    out[threadIdx.x] = s[63 - threadIdx.x];
}

tc_block(64) tc_grid(1)
__global__ void cached_and_written(tc_mut tc_shape(n) float *a, int n)
{
    // CHECK-DAG: async.cu:[[@LINE+1]]:{{.*}}read-only cache{{.*}}[TC3003]
    const float v = __ldg(a + threadIdx.x);
    a[threadIdx.x] = v + 1;
}
