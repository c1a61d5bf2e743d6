// Names that no parameter, constant or launch variable has: the caret shows which.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

// CHECK: unknown-name.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'m'{{.*}}[TC9001]
__global__ void in_shape(tc_mut tc_shape(2 * m) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: unknown-name.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'threadIdx{{.*}}[TC9001]
__global__ void thread_in_tile_map(tc_mut tc_shape(n) tc_tile(4) tc_at(threadIdx.x) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}

// CHECK: unknown-name.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}'size'{{.*}}[TC9001]
tc_requires(n >= size)
__global__ void in_requires(tc_mut tc_shape(n) float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 0.0f;
}
