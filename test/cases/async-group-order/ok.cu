// Shifts chunks by one element, prefetched with cp.async into two buffers.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %exits 0 %tilecheck run %s --kernel shift_chunks --set rows=2 --set chunks=3
// CHECK: {{1 kernel: 1 proved($|[^-])}}

#include <tilecheck.h>

#define LEN 96

__device__ __forceinline__ void start(float *to, const float *from)
{
    const unsigned int s = (unsigned int)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(s), "l"(from) : "memory");
}
__device__ __forceinline__ void close_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ __forceinline__ void finish_all() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }

tc_block(LEN) tc_grid(rows)
tc_requires(chunks >= 1 && chunks <= 1 << 16)
__global__ void shift_chunks(tc_out tc_shape(rows, chunks, LEN) tc_tile(1, chunks, LEN) tc_at(blockIdx.x, 0, 0) float *out,
                             tc_shared tc_shape(rows, chunks, LEN) const float *in, int rows, int chunks)
{
    __shared__ float now[LEN], next[LEN];
    const size_t row = (size_t)blockIdx.x * chunks * LEN;
    const int t = threadIdx.x;

    start(&now[t], in + row + t);
    close_group();
    finish_all();
    __syncthreads();
    for (int c = 0; c < chunks; ++c) {
        if (c + 1 < chunks)
            start(&next[t], in + row + (size_t)(c + 1) * LEN + t);
        close_group();
        out[row + (size_t)c * LEN + t] = now[(t + 1) % LEN];
        finish_all();
        __syncthreads();
        now[t] = next[(t + 5) % LEN];
        __syncthreads();
    }
}
