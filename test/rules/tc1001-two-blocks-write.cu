// TC1001: two blocks write one element.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
#include <tilecheck.h>

// The block is missing in the index.
// VERDICT: kernel broken violated
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void broken(tc_mut tc_shape(n) float *y, int n)
{
    const int i = threadIdx.x;
    if (i < n)
        // CHECK: tc1001-two-blocks-write.cu:[[@LINE+2]]:{{[0-9]+}}: error: {{.*}}block{{.*}}[TC1001]
        // CHECK: note: the other access is here, by thread ({{.*}}) of block ({{.*}})
        y[i] = 1.0f;
}

// VERDICT: kernel repaired proved
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void repaired(tc_mut tc_shape(n) float *y, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = 1.0f;
}

// Near miss: blocks write interleaved elements, no tile could say it.
// VERDICT: kernel interleaved proved
tc_block(64) tc_grid(32)
__global__ void interleaved(tc_mut tc_shape(2048) float *y)
{
    y[threadIdx.x * 32 + blockIdx.x] = 1.0f;
}

// The same with one block too many: block 32 comes back to element 0 of the next column.
// VERDICT: kernel one_block_too_many violated
tc_block(63) tc_grid(33)
__global__ void one_block_too_many(tc_mut tc_shape(2048) float *y)
{
    y[threadIdx.x * 32 + blockIdx.x] = 1.0f;
}
