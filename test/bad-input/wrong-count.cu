// Too few or too many arguments of a word.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: wrong-count.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}rows{{.*}}[TC9001]
__global__ void rows(tc_mut tc_shape(n) tc_rows(0) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: wrong-count.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}block{{.*}}[TC9001]
tc_block(1, 2, 3, 4)
__global__ void four_dimensions(tc_mut tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: wrong-count.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}dimension{{.*}}[TC9001]
__global__ void nine_dimensions(tc_mut tc_shape(1, 1, 1, 1, 1, 1, 1, 1, n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: wrong-count.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}range{{.*}}[TC9001]
__global__ void half_a_range(tc_shared tc_shape(n) tc_range(5) const int *in, tc_mut tc_shape(n) int *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = in[threadIdx.x];
}
