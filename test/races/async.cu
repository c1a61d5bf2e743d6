// Asynchronous copies: complete after a wait for their group, and then ordered by barriers.
// RUN: %verdicts %s --rules=TC3 | FileCheck %s
#include <tilecheck.h>
#define B 32

__device__ void copy4(float *s, const float *g)
{
    unsigned a = (unsigned)__cvta_generic_to_shared(s);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a), "l"(g) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ void wait() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
__device__ void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// CHECK: kernel once proved
tc_block(B) tc_grid(1)
__global__ void once(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    copy4(&s[threadIdx.x], &x[threadIdx.x]);
    commit();
    wait<0>();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel all_at_once proved
tc_block(B) tc_grid(1)
__global__ void all_at_once(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    copy4(&s[threadIdx.x], &x[threadIdx.x]);
    wait_all();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_uncommitted {{unknown|violated}}
tc_block(B) tc_grid(1)
__global__ void b_uncommitted(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    copy4(&s[threadIdx.x], &x[threadIdx.x]);
    wait<0>();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_no_wait {{unknown|violated}}
tc_block(B) tc_grid(1)
__global__ void b_no_wait(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    copy4(&s[threadIdx.x], &x[threadIdx.x]);
    commit();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_wait_behind {{unknown|violated}}
tc_block(B) tc_grid(1)
__global__ void b_wait_behind(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    copy4(&s[threadIdx.x], &x[threadIdx.x]);
    commit();
    __syncthreads();
    wait<0>();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// CHECK: kernel b_one_pending {{unknown|violated}}
tc_block(B) tc_grid(1)
__global__ void b_one_pending(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    copy4(&s[threadIdx.x], &x[threadIdx.x]);
    commit();
    wait<1>();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}

// Three stages: the copy of tile k + 2 is under way while tile k is read.
// CHECK: kernel stages proved
tc_block(B) tc_grid(1) tc_requires(m >= 2 && m <= 64)
__global__ void stages(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[3][B];
    float a = 0;
    copy4(&s[0][threadIdx.x], &x[threadIdx.x]);
    commit();
    copy4(&s[1][threadIdx.x], &x[B + threadIdx.x]);
    commit();
    for (int k = 0; k < m; k++) {
        wait<1>();
        __syncthreads();
        if (k + 2 < m)
            copy4(&s[(k + 2) % 3][threadIdx.x], &x[(k + 2) * B + threadIdx.x]);
        commit();
        a += s[k % 3][B - 1 - threadIdx.x];
    }
    y[threadIdx.x] = a;
}

// CHECK: kernel b_stages_pending {{unknown|violated}}
tc_block(B) tc_grid(1) tc_requires(m >= 2 && m <= 64)
__global__ void b_stages_pending(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[3][B];
    float a = 0;
    copy4(&s[0][threadIdx.x], &x[threadIdx.x]);
    commit();
    copy4(&s[1][threadIdx.x], &x[B + threadIdx.x]);
    commit();
    for (int k = 0; k < m; k++) {
        wait<2>();
        __syncthreads();
        if (k + 2 < m)
            copy4(&s[(k + 2) % 3][threadIdx.x], &x[(k + 2) * B + threadIdx.x]);
        commit();
        a += s[k % 3][B - 1 - threadIdx.x];
    }
    y[threadIdx.x] = a;
}

// Commits only where something is copied: at the end one group too few is waited for.
// CHECK: kernel b_stages_end {{unknown|violated}}
tc_block(B) tc_grid(1) tc_requires(m >= 2 && m <= 64)
__global__ void b_stages_end(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[3][B];
    float a = 0;
    copy4(&s[0][threadIdx.x], &x[threadIdx.x]);
    commit();
    copy4(&s[1][threadIdx.x], &x[B + threadIdx.x]);
    commit();
    for (int k = 0; k < m; k++) {
        wait<1>();
        __syncthreads();
        if (k + 2 < m) {
            copy4(&s[(k + 2) % 3][threadIdx.x], &x[(k + 2) * B + threadIdx.x]);
            commit();
        }
        a += s[k % 3][B - 1 - threadIdx.x];
    }
    y[threadIdx.x] = a;
}

// Two buffers for three stages.
// CHECK: kernel b_stages_buffers {{unknown|violated}}
tc_block(B) tc_grid(1) tc_requires(m >= 2 && m <= 64)
__global__ void b_stages_buffers(tc_mut tc_shape(B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[2][B];
    float a = 0;
    copy4(&s[0][threadIdx.x], &x[threadIdx.x]);
    commit();
    copy4(&s[1][threadIdx.x], &x[B + threadIdx.x]);
    commit();
    for (int k = 0; k < m; k++) {
        wait<1>();
        __syncthreads();
        if (k + 2 < m)
            copy4(&s[k % 2][threadIdx.x], &x[(k + 2) * B + threadIdx.x]);
        commit();
        a += s[k % 2][B - 1 - threadIdx.x];
    }
    y[threadIdx.x] = a;
}

// The number in the instruction's own text; what is not committed is not waited for.
__device__ void wait_0() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

// CHECK: kernel ahead proved
tc_block(B) tc_grid(1) tc_requires(m >= 1 && m <= 64)
__global__ void ahead(tc_mut tc_shape(m, B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[2][B];
    copy4(&s[0][threadIdx.x], &x[threadIdx.x]);
    commit();
    wait_0();
    __syncthreads();
    for (int k = 0; k < m; k++) {
        if (k + 1 < m)
            copy4(&s[(k + 1) & 1][threadIdx.x], &x[(k + 1) * B + threadIdx.x]);
        y[k * B + threadIdx.x] = s[k & 1][B - 1 - threadIdx.x];
        commit();
        wait_0();
        __syncthreads();
    }
}

// CHECK: kernel b_commit_behind {{unknown|violated}}
tc_block(B) tc_grid(1) tc_requires(m >= 1 && m <= 64)
__global__ void b_commit_behind(tc_mut tc_shape(m, B) float *y, tc_shared tc_shape(m, B) const float *x, int m)
{
    __shared__ float s[2][B];
    copy4(&s[0][threadIdx.x], &x[threadIdx.x]);
    commit();
    wait_0();
    __syncthreads();
    for (int k = 0; k < m; k++) {
        if (k + 1 < m)
            copy4(&s[(k + 1) & 1][threadIdx.x], &x[(k + 1) * B + threadIdx.x]);
        y[k * B + threadIdx.x] = s[k & 1][B - 1 - threadIdx.x];
        wait_0();
        commit();
        __syncthreads();
    }
}

// CHECK: kernel b_uncommitted_text {{unknown|violated}}
tc_block(B) tc_grid(1)
__global__ void b_uncommitted_text(tc_mut tc_shape(B) float *y, tc_shared tc_shape(B) const float *x)
{
    __shared__ float s[B];
    copy4(&s[threadIdx.x], &x[threadIdx.x]);
    wait_0();
    __syncthreads();
    y[threadIdx.x] = s[B - 1 - threadIdx.x];
}
