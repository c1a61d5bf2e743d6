// What kernels over rows share: the threads that hold a row, reductions over them, and the shapes of blocks that the launches choose from.
//
// G threads hold a row (up to 32 lanes of a warp, or whole warps), each of them K packs: pack i is held by thread i % G, so that the threads of a
// warp read side by side. What no longer fits into G * K packs is read again when it is written.
#ifndef TK_ROWS_H
#define TK_ROWS_H

#include "tk_device.h"

#include <stdint.h>

constexpr int64_t TK_ROWS_MAX = ((int64_t)1 << 31) - 1; // as many blocks as a grid has
constexpr int64_t TK_LD_MAX = (int64_t)1 << 28;         // from one row to the next, in elements

// Blocks of a multiprocessor that leave each thread so many registers.
constexpr int tk_blocks(int threads, int registers) { return 65536 / registers / threads; }

struct tk_sum {
    static __device__ float of(float a, float b) { return a + b; }
};
struct tk_max {
    static __device__ float of(float a, float b) { return fmaxf(a, b); }
};

// Over the G threads of a row; all get it. Above a warp the whole block takes part, by way of part, a float for each warp, which is used once.
template <typename Op, int G> __device__ inline float tk_reduce(float v, float *part)
{
    for (int d = (G < 32 ? G : 32) / 2; d > 0; d /= 2)
        v = Op::of(v, __shfl_xor_sync(0xffffffffu, v, d));
    if constexpr (G > 32) {
        constexpr int WARPS = G / 32;
        if (threadIdx.x % 32 == 0)
            part[threadIdx.x / 32] = v;
        __syncthreads();
        v = part[threadIdx.x / G * WARPS + threadIdx.x % WARPS];
        for (int d = WARPS / 2; d > 0; d /= 2)
            v = Op::of(v, __shfl_xor_sync(0xffffffffu, v, d));
    }
    return v;
}

#endif
