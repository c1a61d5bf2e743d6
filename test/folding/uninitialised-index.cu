// An index with no value on one path. LLVM folds phi(0, undef) to 0, and the store becomes
// rows[b * 4], which is in bounds and owned.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(32) tc_grid(rows)
tc_requires(rows <= 1 << 24)
__global__ void broken(tc_mut tc_shape(rows, 4) tc_tile(1, 4) tc_at(blockIdx.x, 0) int *out,
                       tc_shared tc_shape(rows) const int *is_free, int rows)
{
    if (threadIdx.x > 0)
        return;
    int slot;
    if (is_free[blockIdx.x])
        slot = 0;
    // CHECK: uninitialised-index.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2005]
    out[blockIdx.x * 4 + slot] = 1;
}

tc_block(32) tc_grid(rows)
tc_requires(rows <= 1 << 24)
__global__ void repaired(tc_mut tc_shape(rows, 4) tc_tile(1, 4) tc_at(blockIdx.x, 0) int *out,
                         tc_shared tc_shape(rows) const int *is_free, int rows)
{
    if (threadIdx.x > 0)
        return;
    int slot = 3;
    if (is_free[blockIdx.x])
        slot = 0;
    out[blockIdx.x * 4 + slot] = 1;
}
// CHECK: 2 kernels: 1 proved, 1 violated
