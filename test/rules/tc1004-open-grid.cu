// A grid that is left open has the dimensions that the kernel reads: blocks that differ in another one are none of the launch.
// RUN: %verdicts %s --rules=TC1004,TC1005 | FileCheck %s
#include <tilecheck.h>
#define K tc_block(256) tc_requires(rows * cols <= 2147483647 && rows <= 1 << 20 && cols <= 1 << 20) __global__ void
#define Y(owner) tc_mut tc_shape(rows, cols) tc_tile(1, cols) tc_owner(i, j; owner) float *y, int rows, int cols

// CHECK: kernel in_turn proved-if
K in_turn(Y(i % gridDim.x)) { for (int r = blockIdx.x; r < rows; r += gridDim.x) for (int c = threadIdx.x; c < cols; c += 256) y[r * cols + c] = 1; }
// CHECK: kernel b_next_in_turn {{violated|unknown}}
K b_next_in_turn(Y((i + 1) % gridDim.x)) { for (int r = blockIdx.x; r < rows; r += gridDim.x) for (int c = threadIdx.x; c < cols; c += 256) y[r * cols + c] = 1; }
// What the kernel reads is not taken to be 1.
// CHECK: kernel b_second_dimension {{violated|unknown}}
K b_second_dimension(Y(i % gridDim.x)) { for (int r = blockIdx.x; r < rows; r += gridDim.x) for (int c = threadIdx.x; c < cols; c += 256) y[r * cols + c] = blockIdx.y; }
