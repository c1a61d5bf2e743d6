// A float turned into an index. Out of range LLVM calls the conversion poison, and may
// choose a value that is in bounds; the device saturates.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel broken {{violated|unknown}}
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void broken(tc_mut tc_shape(n) tc_tile(128) float *out, tc_shared tc_shape(n) const float *where,
                       tc_shared tc_shape(100) const float *table, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        const int k = (int)where[i];
        out[i] = table[k];
    }
}

// CHECK: kernel repaired proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(128) float *out, tc_shared tc_shape(n) const float *where,
                         tc_shared tc_shape(100) const float *table, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        const int k = (int)where[i];
        out[i] = k >= 0 && k < 100 ? table[k] : 0.0f;
    }
}
