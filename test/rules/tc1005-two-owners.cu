// TC1005: the contract gives one element to two blocks, whatever the kernel does.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel one_tile_for_two violated
// CHECK: tc1005-two-owners.cu:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}[TC1005]
tc_block(32) tc_grid(tc_cdiv(n, 32))
tc_requires(n >= 1 && n <= 1 << 20)
__global__ void one_tile_for_two(tc_mut tc_shape(n) tc_tile(32) tc_at(blockIdx.x / 2) float *y, int n)
{
    const int i = blockIdx.x / 2 * 32 + threadIdx.x;
    if (i < n && blockIdx.x % 2 == 0)
        y[i] = 1.0f;
}

// VERDICT: kernel narrow_rows violated
// CHECK: tc1005-two-owners.cu:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}[TC1005]
tc_block(32) tc_grid(rows)
tc_requires(rows >= 1 && cols >= 1 && ld >= 1 && rows <= 1 << 12 && cols <= 1 << 12 && ld <= 1 << 12)
__global__ void narrow_rows(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y,
                            int rows, int cols, int ld)
{
    for (int c = threadIdx.x; c < cols; c += 32)
        y[blockIdx.x * ld + c] = 1.0f;
}

// VERDICT: kernel repaired proved
tc_block(32) tc_grid(rows)
tc_requires(rows >= 1 && cols >= 1 && ld >= cols && rows <= 1 << 12 && cols <= 1 << 12 && ld <= 1 << 12)
__global__ void repaired(tc_mut tc_shape(rows, cols) tc_stride(ld, 1) tc_tile(1, cols) tc_at(blockIdx.x, 0) float *y,
                         int rows, int cols, int ld)
{
    for (int c = threadIdx.x; c < cols; c += 32)
        y[blockIdx.x * ld + c] = 1.0f;
}

// Near miss: tiles are given out in reverse.
// VERDICT: kernel reversed proved
tc_block(32) tc_grid(tc_cdiv(n, 32))
tc_requires(n >= 1 && n <= 1 << 20)
__global__ void reversed(tc_mut tc_shape(n) tc_tile(32) tc_at(gridDim.x - 1 - blockIdx.x) float *y, int n)
{
    const int i = (gridDim.x - 1 - blockIdx.x) * 32 + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}

// The owner of the last tiles may be a block that is not there.
// VERDICT: kernel owner_outside violated
tc_block(32)
tc_requires(gridDim.y == 1 && gridDim.z == 1 && n >= 1 && n <= 1 << 20 && gridDim.x <= 1 << 10)
__global__ void owner_outside(tc_mut tc_shape(n) tc_tile(32) tc_owner(i; i % (gridDim.x + 1)) float *y, int n)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}
