// --unused: parts of tc_requires that no proof needs, each by itself; those that one needs are not told.
// RUN: %exits 2 %tilecheck --standin --unused --report=%t.json %s 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: %exits 2 %tilecheck --standin %s 2>&1 | FileCheck %s --check-prefix=SILENT
// SILENT-NOT: requirement
// REPORT: "name": "spare"
// REPORT: "unused_requirements": ["m > 5", "n % 4 == 0"]
#include <tilecheck.h>

// CHECK: unused.cu:[[#@LINE+2]]:{{[0-9]+}}: remark: 'spare' is proved without this requirement too: m > 5
// CHECK-NEXT: m > 5
tc_block(32) tc_grid(1) tc_requires(n >= 32 && m > 5)
// CHECK: unused.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'spare' is proved without this requirement too: n % 4 == 0
tc_requires(n % 4 == 0)
__global__ void spare(tc_mut tc_shape(n) float *y, int n, int m)
{
    y[threadIdx.x] = m;
}

// Each of the two does, both do not.
// CHECK: remark: 'either' is proved without this requirement too: n >= 64
// CHECK: remark: 'either' is proved without this requirement too: n >= 33
tc_block(32) tc_grid(1) tc_requires(n >= 64 && n >= 33)
__global__ void either(tc_mut tc_shape(n) float *y, int n)
{
    y[threadIdx.x] = 1;
}

// A bound that only an overflow needs; one that makes a division defined; one that a function in the contract needs; the launch's.
// CHECK-NOT: without this requirement
__device__ int scaled(int x) { return x * 4; }
tc_block(32) tc_grid(g) tc_requires(m > 0 && (n / m) * 4 >= g * 32 && n <= 1 << 28)
__global__ void needed(tc_mut tc_shape(scaled(n)) float *y, int n, int m, int g)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] = n / m;
}

// Of what is not proved nothing is told.
tc_block(32) tc_grid(1) tc_requires(m > 5)
__global__ void unproved(tc_mut tc_shape(n) float *y, int n, int m)
{
    y[threadIdx.x] = m;
}
