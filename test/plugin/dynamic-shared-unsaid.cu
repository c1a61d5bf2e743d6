// Where no tc_smem says how much dynamic shared memory there is, the report says how to say it.
// RUN: not %clang --cuda-device-only %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(128) tc_grid(rows) tc_requires(cols <= 128 && rows <= 65535)
__global__ void reverse_rows(tc_mut tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *m, int rows, int cols)
{
    extern __shared__ float row[];
    const int c = threadIdx.x;
    // CHECK: [[#@LINE+2]]:{{.*}} error: out of bounds: write of 4 bytes at byte 0 of 'row', which has 0
    if (c < cols)
        row[c] = m[blockIdx.x * cols + c];
    // CHECK: [[#@LINE-1]]:{{.*}} note: say with tc_smem(bytes) how much
    __syncthreads();
    if (c < cols)
        m[blockIdx.x * cols + c] = row[cols - 1 - c];
}
