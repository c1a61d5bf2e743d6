// A pointer that is read from memory may point to anything: no proof, and no fault either.
// RUN: %exits 0 %tilecheck %s 2>&1 | FileCheck %s
// CHECK-NOT: error:
// CHECK: 1 kernel: 1 unknown
#include <tilecheck.h>

tc_block(32) tc_grid(1)
__global__ void pick(tc_mut tc_shape(32) float *o, tc_shared tc_shape(1) float *const *table)
{
    o[threadIdx.x] = table[0][threadIdx.x];
}
