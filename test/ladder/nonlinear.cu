// Real products, tried last and only with a budget above the default.
// RUN: %verdicts %s --rules=TC1,TC2 | FileCheck %s --check-prefix=DEFAULT
// RUN: %verdicts %s --rules=TC1,TC2 --budget=200 | FileCheck %s --check-prefix=MORE
// RUN: %exits 0,2 %tilecheck --rules=TC1,TC2 --budget=200 --report=%t.json %s
// RUN: FileCheck %s --check-prefix=RUNG <%t.json
// RUNG: "rung": "nonlinear"
#include <tilecheck.h>

// DEFAULT: kernel cubes {{unknown|violated}}
// MORE: kernel cubes proved
tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(0 <= n && 0 <= m && m < 3000 && n < 3000 && n * n * n <= m * m * m)
__global__ void cubes(tc_mut tc_shape(m) float *y, int n, int m)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] = 1;
}

// DEFAULT: kernel other_cubes {{unknown|violated}}
// MORE: kernel other_cubes {{unknown|violated}}
tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(0 <= n && 0 <= m && m < 3000 && n < 3000 && n * n * n <= m * m * m + 8)
__global__ void other_cubes(tc_mut tc_shape(m) float *y, int n, int m)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        y[i] = 1;
}
