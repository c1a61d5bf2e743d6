// A race that takes a second turn of a loop, in a kernel of which each launch costs a lot: it is found where that size alone grows.
// RUN: %verdicts %s --rules=TC3001 | FileCheck %s
#include <tilecheck.h>

#define SIDE 64
#define DEPTH 16

// One buffer: while some threads still read a slice, others put the next one there.
// CHECK: kernel product violated
tc_block(256) tc_grid(cols / SIDE, rows / SIDE)
tc_requires(rows % SIDE == 0 && cols % SIDE == 0 && depth % DEPTH == 0 && depth >= DEPTH)
tc_requires(rows * depth <= 1 << 30 && depth * cols <= 1 << 30 && rows * cols <= 1 << 30)
__global__ void product(tc_shared tc_shape(rows, depth) const float *a, tc_shared tc_shape(depth, cols) const float *b,
                        tc_mut tc_shape(rows, cols) tc_tile(SIDE, SIDE) float *c, int rows, int cols, int depth)
{
    __shared__ float as[DEPTH][SIDE], bs[DEPTH][SIDE];
    const int t = threadIdx.x, row = blockIdx.y * SIDE, col = blockIdx.x * SIDE;
    float sum[16] = {};
    for (int k = 0; k < depth; k += DEPTH) {
        for (int i = 0; i < 4; i++) {
            const int e = i * 256 + t;
            as[e / SIDE][e % SIDE] = a[(row + e % SIDE) * depth + k + e / SIDE];
            bs[e / SIDE][e % SIDE] = b[(k + e / SIDE) * cols + col + e % SIDE];
        }
        __syncthreads();
        for (int d = 0; d < DEPTH; d++)
            for (int i = 0; i < 16; i++)
                sum[i] += as[d][t / 16 * 4 + i / 4] * bs[d][t % 16 * 4 + i % 4];
    }
    for (int i = 0; i < 16; i++)
        c[(row + t / 16 * 4 + i / 4) * cols + col + t % 16 * 4 + i % 4] = sum[i];
}
