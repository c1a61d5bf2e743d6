// Blocks that share by atomics what is said to be of one each; atomics of two widths; an order of which only neighbours are told.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: atomics.cu:[[@LINE+3]]:{{[0-9]+}}: warning: unknown, TC1001
// CHECK: note: tc_atomic on 'c' would say that blocks share it
tc_block(64) tc_grid(4)
__global__ void shared_by_blocks(tc_mut tc_shape(10) int *c) { atomicAdd(c, 1); }

// CHECK: atomics.cu:{{.*}}: error: {{.*}}one of another width{{.*}}[TC3001]
tc_block(64) tc_grid(1)
__global__ void two_widths(tc_atomic tc_align(8) tc_shape(2) unsigned *c)
{
    if (threadIdx.x & 1)
        atomicAdd((unsigned long long *)c, 1ull);
    else
        atomicAdd(c, 1u);
}

// CHECK: atomics.cu:{{.*}}: warning: unknown, TC3001
// CHECK: note: {{.*}}tc_monotone
tc_block(32) tc_grid(1) tc_forall(i; x[i + 1] >= x[i] + 1)
__global__ void ragged(tc_shared tc_shape(33) tc_range(0, 1001) const int *x, tc_mut tc_shape(1000) float *y)
{
    for (int i = x[threadIdx.x]; i < x[threadIdx.x + 1]; i++)
        y[i] = 0;
}
