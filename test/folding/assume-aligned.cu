// __builtin_assume_aligned is all that is said about the alignment of a 16-byte access.
// RUN: %verdicts %s | FileCheck %s
#include <tilecheck.h>

// CHECK: kernel broken {{violated|unknown|assumed|proved-if}}
tc_block(256) tc_grid(tc_cdiv(n, 256))
tc_requires(n <= 1 << 28)
__global__ void broken(tc_mut tc_shape(4 * n) float *y, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    float4 *q = static_cast<float4 *>(__builtin_assume_aligned(y, 16));
    if (i < n)
        q[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

// CHECK: kernel repaired proved{{$}}
tc_block(256) tc_grid(tc_cdiv(n, 256))
tc_requires(n <= 1 << 28)
__global__ void repaired(tc_mut tc_shape(4 * n) tc_align(16) float *y, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    float4 *q = reinterpret_cast<float4 *>(y);
    if (i < n)
        q[i] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}
