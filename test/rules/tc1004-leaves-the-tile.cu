// TC1004: a write leaves the block's tile.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// Tiles are 64 wide, blocks 63 apart.
// VERDICT: kernel broken violated
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void broken(tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    const int i = blockIdx.x * 63 + threadIdx.x;
    if (i < n)
        // CHECK: tc1004-leaves-the-tile.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1004]
        y[i] = 1.0f;
}

// VERDICT: kernel repaired proved
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}

// Near miss: the tile is walked from its end.
// VERDICT: kernel backwards proved
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void backwards(tc_mut tc_shape(n) tc_tile(64) float *y, int n)
{
    const int i = blockIdx.x * 64 + (63 - threadIdx.x);
    if (i < n)
        y[i] = 1.0f;
}

// A vector of two elements of which the second is in the next tile.
// VERDICT: kernel second_half violated
tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void second_half(tc_mut tc_shape(n) tc_tile(64) tc_align(8) float *y, int n)
{
    const int i = 2 * (blockIdx.x * 32 + threadIdx.x);
    if (i + 1 < n && threadIdx.x < 33)
        *reinterpret_cast<float2 *>(y + i) = make_float2(0.0f, 1.0f);
}
