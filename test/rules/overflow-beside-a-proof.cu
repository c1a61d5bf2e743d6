// An overflow that a run sees where the value is read, on the line of another operation that is proved: no contradiction.
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2 2>&1 | FileCheck %s --implicit-check-not='internal error'
#include <tilecheck.h>

tc_block(1) tc_grid(1)
__global__ void turned_over(tc_mut tc_shape(22) int *y, unsigned char n)
{
    signed char q = n;
    // CHECK-DAG: overflow-beside-a-proof.cu:[[@LINE+2]]:{{.*}}a value too large for a signed type is read as signed{{.*}}[TC2002]
    if (q < 0)
        q = ~q;
    y[q] = 1;
}

tc_block(4) tc_grid(k) tc_requires(a <= 0)
__global__ void remainder_beside_a_sum(tc_shared tc_shape(8) tc_range(0, 8) const int *x, tc_mut tc_shape(0) float *w, int k, int a,
                                       long long b)
{
    int v = b;
    v *= 2;
    // CHECK-DAG: overflow-beside-a-proof.cu:[[@LINE+1]]:{{.*}}a negative value is read as unsigned{{.*}}[TC2002]
    w[((v % 8u) - (x[7] + a)) & 6] = 3;
}
