// Launches before main begins: of the initialiser of a variable, told by its name, and once.
// RUN: %exits 2 %launches %s | FileCheck %s
#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(n, 256)) tc_requires(n >= 1 && n <= 1 << 28)
__global__ void fill(tc_mut tc_shape(n) float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        y[i] = 1;
}

static int by_lambda = [] {
    float *p;
    cudaMalloc(&p, 4);
    fill<<<1, 256>>>(p, 10);
    return 0;
}();
struct Table {
    float *p;
    explicit Table(int n)
    {
        cudaMalloc(&p, n * sizeof(float));
        fill<<<(n + 255) / 256, 256>>>(p, n);
    }
};
static Table table(1000);
namespace tables {
Table other(2000);
}
template <class T> struct Of { static Table of; };
template <class T> Table Of<T>::of(3000);
Table *used = &Of<int>::of;

// CHECK-NOT: GLOBAL__sub
// CHECK-DAG: the initialiser of by_lambda fill line 16: violated
// CHECK-DAG: the initialiser of table fill line 24: proved
// CHECK-DAG: the initialiser of tables::other fill line 24: proved
// CHECK-DAG: the initialiser of Of<int>::of fill line 24: proved
// CHECK: tilecheck: 4 launches: 3 proved, 1 violated
