// Fault: rows are of any length: the copies of 8 bytes of every other row are misaligned.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// CHECK: odd-rows.cu:{{(12|27|31)}}:{{[0-9]+}}: error: {{.*}}[TC2003]

#include <tilecheck.h>

#define LEN 128

__device__ __forceinline__ void fetch(float *to, const float *from)
{
    const unsigned int s = (unsigned int)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"(s), "l"(from) : "memory");
}
__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> __device__ __forceinline__ void wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory"); }

tc_block(LEN / 2) tc_grid(rows)
tc_requires(chunks >= 1 && chunks <= 1 << 16 && length >= chunks * LEN && length <= 1 << 24)
__global__ void smooth_chunks(tc_out tc_shape(rows, chunks, LEN) tc_tile(1, chunks, LEN) tc_at(blockIdx.x, 0, 0) float *out,
                              tc_shared tc_shape(rows, length) tc_align(8) const float *in, int rows, int chunks, int length)
{
    __shared__ __align__(8) float stage[2][LEN];
    const float *src = in + (size_t)blockIdx.x * length;
    float *dst = out + (size_t)blockIdx.x * chunks * LEN;
    const int t = threadIdx.x;

    fetch(&stage[0][2 * t], src + 2 * t);
    commit();
    for (int c = 0; c < chunks; ++c) {
        if (c + 1 < chunks) {
            fetch(&stage[(c + 1) % 2][2 * t], src + (size_t)(c + 1) * LEN + 2 * t);
            commit();
            wait<1>();
        } else {
            wait<0>();
        }
        __syncthreads();
        for (int i = t; i < LEN; i += LEN / 2)
            dst[(size_t)c * LEN + i] = stage[c % 2][i] + stage[c % 2][(i + 1) % LEN];
        __syncthreads();
    }
}

// The sweep of small launches has to meet an odd length of more than one chunk, and does not; the answer is unknown.
