// A proof about accesses that no launch comes to is told: a small launch in which each proved access happens is looked for.
// RUN: %exits 0 %tilecheck --rules=TC1,TC2 --report=%t.json %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON <%t.json
#include <tilecheck.h>

// CHECK: proved-of-nothing.cu:[[@LINE+2]]:{{[0-9]+}}: remark: 'never' is proved, but no small launch
tc_block(32) tc_grid(tc_cdiv(n, 32))
__global__ void never(tc_mut tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    // JSON: "not_reached": {{\[}}[[@LINE+3]]]
    // CHECK: proved-of-nothing.cu:[[@LINE+2]]:{{[0-9]+}}: note: not reached in any of them: can it be?
    if (i < n && i % 2 == 0 && i % 4 == 1)
        y[i] = 1.0f;
    if (i < n)
        y[i] = 2.0f;
}

// Reached where n is large enough for the sixth warp: more launches are tried than for the check itself.
// CHECK-NOT: remark: 'seldom'
// JSON: "name": "seldom"
// JSON: "not_reached": {{\[}}]
tc_block(256) tc_grid(tc_cdiv(n, 256))
__global__ void seldom(tc_mut tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && threadIdx.x / 32 == 6)
        y[i] = 1.0f;
}

// Contradicting requirements are found before; here they only make the body idle.
// CHECK: remark: 'idle' is proved, but no small launch
tc_requires(n <= m) tc_block(32) tc_grid(tc_cdiv(n, 32))
__global__ void idle(tc_mut tc_shape(n) float *y, int n, int m)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n && n > m)
        y[i] = 1.0f;
}

// One line is told once, whatever it touches.
// CHECK: remark: 'line' is proved, but no small launch
// CHECK: note: not reached in any of them: can it be?
// CHECK-NOT: note: not reached
// CHECK: tilecheck:
tc_block(32) tc_grid(tc_cdiv(n, 32))
__global__ void line(tc_shared tc_shape(n) const float *x, tc_mut tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n && i % 2 == 0 && i % 4 == 1)
        y[i] += x[i] * x[i];
}
