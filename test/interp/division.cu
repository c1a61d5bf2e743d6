// Division by zero, the least value by -1, and shifts out of range.
// RUN: %exits 2 %tilecheck run %s --kernel='*' --set=n=0 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tilecheck.h>

tc_block(1) tc_grid(1)
__global__ void by_zero(tc_mut tc_shape(8) int *out, int n)
{
    // CHECK-DAG: division.cu:[[@LINE+1]]:{{.*}}division by zero{{.*}}[TC2004]
    out[7 / n] = 1;
}

tc_block(1) tc_grid(1)
__global__ void guarded(tc_mut tc_shape(8) int *out, int n)
{
    out[n ? 7 / n : 0] = 1;
}

tc_block(1) tc_grid(1)
__global__ void least(tc_mut tc_shape(8) int *out, int n)
{
    const int low = -2147483647 - 1 + n;
    // CHECK-DAG: division.cu:[[@LINE+1]]:{{.*}}by -1{{.*}}[TC2004]
    out[0] = low / (n - 1);
}

tc_block(1) tc_grid(1)
__global__ void shift(tc_mut tc_shape(8) int *out, int n)
{
    // CHECK-DAG: division.cu:[[@LINE+1]]:{{.*}}shift of a 32-bit value by 40{{.*}}[TC2004]
    out[0] = 1 << (n + 40);
}

tc_block(1) tc_grid(1)
__global__ void negative_shift(tc_mut tc_shape(8) unsigned *out, int n)
{
    // CHECK-DAG: division.cu:[[@LINE+1]]:{{.*}}by -1{{.*}}[TC2004]
    out[0] = 1u >> (n - 1);
}

tc_block(1) tc_grid(1)
__global__ void shift_inside(tc_mut tc_shape(8) int *out, int n)
{
    out[0] = 1 << (n + 30);
}
