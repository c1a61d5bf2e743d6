// What is wrong with the C++ is Clang's to say; nothing is checked.
// RUN: %exits 3 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
__global__ void k(tc_mut tc_shape(n) float *out, int n)
{
    // CHECK: cpp-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: use of undeclared identifier 'element'
    out[element] = 0.0f;
    // CHECK: cpp-errors.cu:[[@LINE+1]]:{{[0-9]+}}: error: expected ';'
    int i = threadIdx.x
    if (i < n)
        out[i] = 0.0f;
}

// CHECK: error:
template <typename T> __global__ void broken(T *p) { p->nothing(); }
template __global__ void broken<float>(float *);
// CHECK-NOT: proved
