// What index arrays hold is told too where the block that read them came second.
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2 2>&1 | FileCheck %s
#include <tilecheck.h>
// CHECK: contents-of-two-blocks.cu:[[@LINE+8]]:{{.*}}regions of two blocks overlap{{.*}}[TC1001]
// CHECK: note: with a = {{.*}}, x[2] = 3
tc_block(1) tc_grid(2)
__global__ void two_places(tc_shared tc_shape(8) tc_range(0, 8) const int *x, tc_mut tc_shape(8) float *w, int a)
{
    if (blockIdx.x == 0)
        w[3] = 3;
    else
        w[x[2]] = 3;
}
