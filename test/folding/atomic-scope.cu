// An atomic of block scope on a counter of the whole grid. In the IR its neighbours are sequentially consistent whatever the source
// says, so scope and order come from the call.
// RUN: %verdicts %s | FileCheck %s
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s --check-prefix=REPORT
#include <tilecheck.h>

tc_block(64)
tc_requires(gridDim.y == 1 && gridDim.z == 1)
__global__ void of_one(tc_atomic tc_shape(1) int *count, tc_shared tc_shape(64) const int *in)
// REPORT: remark: 'of_one' is proved for launches that meet these conditions
// REPORT: note: gridDim.x == 1
{
    if (in[threadIdx.x] > 0)
        atomicAdd_block(count, 1);
}

tc_block(64)
tc_grid(n)
tc_requires(n >= 1 && n <= 1 << 20)
__global__ void of_several(tc_atomic tc_shape(1) int *count, tc_shared tc_shape(n, 64) const int *in, int n)
{
    if (in[blockIdx.x * 64 + threadIdx.x] > 0)
        // REPORT: atomic-scope.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC1006]
        atomicAdd_block(count, 1);
}

tc_block(64)
tc_grid(n)
tc_requires(n >= 1 && n <= 1 << 20)
__global__ void where_alone(tc_atomic tc_shape(1) int *count, tc_shared tc_shape(n, 64) const int *in, int n)
{
    if (in[blockIdx.x * 64 + threadIdx.x] > 0) {
        if (gridDim.x == 1)
            atomicAdd_block(count, 1);
        else
            atomicAdd(count, 1);
    }
}

tc_block(64)
tc_requires(gridDim.y == 1 && gridDim.z == 1)
__global__ void repaired(tc_atomic tc_shape(1) int *count, tc_shared tc_shape(64) const int *in)
{
    if (in[threadIdx.x] > 0)
        atomicAdd(count, 1);
}

// Which block it is makes no difference to the first two: they are taken to be launched with one block, where the scope suffices, and the report says so.
// CHECK: kernel of_one proved-if
// CHECK: kernel of_several violated
// CHECK: kernel where_alone proved
// CHECK: kernel repaired proved
