// Accesses to a tc_unchecked parameter are not checked when they are run, and what is read there may be anything; others
// beside them are checked.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: %verdicts %s | FileCheck %s --check-prefix=VERDICT
// RUN: %exits 0 %tilecheck run %s --kernel=scratch --set=n=300000 2>&1 | FileCheck %s --check-prefix=CLEAN
// CLEAN: no fault
#include <tilecheck.h>

// VERDICT: kernel scratch assumed
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n <= 1 << 24)
__global__ void scratch(int n, tc_unchecked("scratch of the library") float *s, tc_mut tc_shape(n) tc_tile(256) float *y)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        s[i * 7] = 0;
        *(float4 *)(s + 1) = make_float4(1, 2, 3, 4);
        y[i] = s[i * 7 - 3];
    }
}

// VERDICT: kernel beside violated
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n <= 1 << 24)
__global__ void beside(int n, tc_unchecked("scratch of the library") float *s, tc_mut tc_shape(n) tc_tile(256) float *y)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i <= n)
        // CHECK: unchecked.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}} of 'y'{{.*}}[TC2001]
        y[i] = s[i * 7];
}
