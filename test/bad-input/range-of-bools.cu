// A bool is 0 or 1: a contract that allows more is none.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: range-of-bools.cu:[[@LINE+2]]:{{[0-9]+}}: error: tc_range of 'm', whose elements are bools, goes from 0 to 9{{.*}}[TC9001]
tc_block(1) tc_grid(1)
__global__ void nine(tc_shared tc_shape(1) tc_range(0, 9) const bool *m, tc_mut tc_shape(9) int *y)
{
    y[m[0]] = 1;
}

// CHECK-NOT: error:
tc_block(1) tc_grid(1)
__global__ void two(tc_shared tc_shape(1) tc_range(0, 2) const bool *m, tc_mut tc_shape(2) int *y)
{
    y[m[0]] = 1;
}
