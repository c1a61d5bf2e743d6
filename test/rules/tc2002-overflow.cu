// TC2002: an overflow that reaches an address or a guard; one that does not is no fault.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// VERDICT: kernel broken violated
tc_block(32) tc_grid(rows)
tc_requires(rows >= 1 && cols >= 1 && rows <= 1 << 20 && cols <= 1 << 20)
__global__ void broken(tc_mut tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) char *y, int rows, int cols)
{
    for (int c = threadIdx.x; c < cols; c += 32)
        // CHECK: tc2002-overflow.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2002]
        y[blockIdx.x * cols + c] = 1;
}

// VERDICT: kernel repaired proved
tc_block(32) tc_grid(rows)
tc_requires(rows >= 1 && cols >= 1 && rows <= 1 << 20 && cols <= 1 << 20)
__global__ void repaired(tc_mut tc_shape(rows, cols) tc_tile(1, cols) tc_at(blockIdx.x, 0) char *y, int rows, int cols)
{
    for (int c = threadIdx.x; c < cols; c += 32)
        y[(size_t)blockIdx.x * cols + c] = 1;
}

// Near miss: the sum that wraps is only stored.
// VERDICT: kernel only_data proved
tc_block(32) tc_grid(1)
__global__ void only_data(tc_mut tc_shape(32) int *y, int n)
{
    y[threadIdx.x] = n + (int)threadIdx.x;
}

// Near miss: an unsigned wrap that is undone.
// VERDICT: kernel undone proved
tc_block(32) tc_grid(1)
__global__ void undone(tc_mut tc_shape(32) int *y)
{
    const unsigned int before = threadIdx.x - 1u;
    const int i = (int)before;
    if (i >= 0)
        y[i] = 1;
}

// Nobody said how large the grid may be: a condition on the launch.
// VERDICT: kernel open_grid proved-if
tc_block(256)
__global__ void open_grid(tc_mut tc_shape(n) float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}
