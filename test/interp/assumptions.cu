// A run that breaks a tc_assume counts for nothing, whatever it does before or behind it; what the assumption does not
// exclude is still found.
// RUN: %exits 2 %tilecheck %s --rules=TC1,TC2 2>&1 | FileCheck %s --check-prefix=CHECK --implicit-check-not='internal error'
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --check-prefix=VERDICT
// RUN: %exits 0 %tilecheck run %s --kernel=host_pads --set=n=100 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: %exits 0 %tilecheck run %s --kernel=host_pads --set=n=256 2>&1 | FileCheck %s --check-prefix=KEPT --implicit-check-not=warning
// BROKEN: warning: {{.*}}'host_pads' breaks an assumption, and shows nothing: the tc_assume at line 16 {{.*}}thread (0,0,0) of block (0,0,0)
// BROKEN: no fault
// KEPT: no fault
#include <tilecheck.h>

// VERDICT: kernel host_pads assumed
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void host_pads(int n, tc_mut tc_shape(n) tc_tile(256) float *y)
{
    tc_assume(n % 256 == 0, "the host pads");
    y[blockIdx.x * 256 + threadIdx.x] = 0;
}

// VERDICT: kernel identity assumed
tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n <= 1 << 28)
__global__ void identity(int n, tc_mut tc_shape(n) tc_tile(256) float *y, tc_shared tc_shape(n) const int *x)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        const int k = x[i];
        tc_assume(k == i, "the identity");
        y[k] = 0;
    }
}

// VERDICT: kernel compiler_is_told assumed
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void compiler_is_told(int n, tc_mut tc_shape(n) tc_tile(256) float *y)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    __builtin_assume(i < n);
    y[i] = 0;
}

// VERDICT: kernel half_as_much violated
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void half_as_much(int n, tc_mut tc_shape(n) tc_tile(256) float *y)
{
    tc_assume(n % 128 == 0, "the host pads");
    // CHECK: assumptions.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}which has 512{{.*}}[TC2001]
    y[blockIdx.x * 256 + threadIdx.x] = 0;
}
