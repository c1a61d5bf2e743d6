// Fault: the product wraps in 32 bits before it is widened.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s

#include <tilecheck.h>

tc_block(256) tc_grid(tc_cdiv(count, 256))
tc_requires(count <= 1LL << 36 && classes >= 1)
__global__ void remap(tc_shared tc_shape(count) const unsigned int *in, tc_out tc_shape(count) tc_tile(256) unsigned int *out,
                      unsigned int classes, long long count)
{
    // CHECK: widened-too-late.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2002]
    const long long i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < count)
        out[i] = in[i] % classes;
}
