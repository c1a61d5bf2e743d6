// Only x of a float4 is used. LLVM narrows the load to four bytes, which are in bounds;
// the source loads sixteen, and the last vector has only one float.
// RUN: %exits 2 %tilecheck %s 2>&1 | FileCheck %s
#include <tilecheck.h>

tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(n >= 1 && n <= 1 << 28)
__global__ void broken(tc_shared tc_shape(4 * n - 3) tc_align(16) const float *in,
                       tc_mut tc_shape(n) tc_tile(128) float *out, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        // CHECK: narrowed-vector-load.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}[TC2001]
        const float4 v = reinterpret_cast<const float4 *>(in)[i];
        out[i] = v.x;
    }
}

tc_block(128) tc_grid(tc_cdiv(n, 128))
tc_requires(n >= 1 && n <= 1 << 28)
__global__ void repaired(tc_shared tc_shape(4 * n) tc_align(16) const float *in,
                         tc_mut tc_shape(n) tc_tile(128) float *out, int n)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) {
        const float4 v = reinterpret_cast<const float4 *>(in)[i];
        out[i] = v.x;
    }
}
// CHECK: 2 kernels: 1 proved, 1 violated
