// An index from a local array of which no element was filled on one path.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(64) tc_grid(tc_cdiv(n, 64))
tc_requires(n <= 1 << 24)
__global__ void broken(tc_mut tc_shape(n, 4) tc_tile(64, 4) tc_at(blockIdx.x, 0) float *out,
                       tc_shared tc_shape(n) const int *length, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    int order[4];
    for (int k = 0; k < 4; ++k)
        if (k < length[i])
            order[k] = k;
    // CHECK: uninitialised-element.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2005]
    out[i * 4 + order[0]] = 1.0f;
}

tc_block(64) tc_grid(tc_cdiv(n, 64))
tc_requires(n <= 1 << 24)
__global__ void repaired(tc_mut tc_shape(n, 4) tc_tile(64, 4) tc_at(blockIdx.x, 0) float *out,
                         tc_shared tc_shape(n) const int *length, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    int order[4] = {0, 0, 0, 0};
    for (int k = 0; k < 4; ++k)
        if (k < length[i])
            order[k] = k;
    out[i * 4 + order[0]] = 1.0f;
}
// CHECK: 2 kernels: {{.*}}1 violated
