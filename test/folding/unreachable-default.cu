// The bound hides in a default that is declared unreachable.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void broken(tc_mut tc_shape(n) tc_tile(256) float *y, float a, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    // CHECK: kernel broken {{violated|unknown|assumed}}
    switch (i < n ? 0 : 1) {
    case 0:
        break;
    default:
        // CHECK-NEXT: assumption [[@LINE+1]] {{.*}}
        __builtin_unreachable();
    }
    y[i] += a;
}

// CHECK: kernel repaired proved
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void repaired(tc_mut tc_shape(n) tc_tile(256) float *y, float a, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n)
        return;
    switch (i % 2) {
    case 0:
        y[i] += a;
        break;
    case 1:
        y[i] -= a;
        break;
    default:
        __builtin_unreachable();
    }
}
