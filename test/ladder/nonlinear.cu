// Real products, tried last and only with a budget above the default.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --check-prefix=DEFAULT
// RUN: %verdicts %s --rules=TC1,TC2 --budget=200 | FileCheck %s --check-prefix=MORE
// RUN: %exits 0,2 %tilecheck --rules=TC1,TC2 --budget=200 --report=%t.json %s
// RUN: FileCheck %s --check-prefix=RUNG <%t.json
// RUNG: "rung": "nonlinear"
#include <tilecheck.h>

// DEFAULT: kernel squares {{unknown|violated}}
// MORE: kernel squares proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(0 <= n && 0 <= m && m < 30000 && n < 30000 && n * n <= m * m)
__global__ void squares(tc_mut tc_shape(m) float *y, int n, int m)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] = 1;
}

// DEFAULT: kernel other_squares {{unknown|violated}}
// MORE: kernel other_squares {{unknown|violated}}
tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(0 <= n && 0 <= m && m < 30000 && n < 30000 && n * n <= m * m + 2 * m + 1)
__global__ void other_squares(tc_mut tc_shape(m) float *y, int n, int m)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] = 1;
}
