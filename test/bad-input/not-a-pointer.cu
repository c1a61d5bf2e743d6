// Words that say something about memory, on parameters that are none.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: not-a-pointer.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'n'{{.*}}pointer{{.*}}[TC9001]
__global__ void scalar(tc_shared int n, tc_mut tc_shape(4) float *out)
{
    if (threadIdx.x < 4 && n > 0)
        out[threadIdx.x] = 0.0f;
}

struct pair {
    int a, b;
};

// CHECK: not-a-pointer.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'p'{{.*}}pointer{{.*}}[TC9001]
__global__ void structure(tc_shape(2) pair p, tc_mut tc_shape(4) float *out)
{
    if (threadIdx.x < 4 && p.a > 0)
        out[threadIdx.x] = 0.0f;
}
