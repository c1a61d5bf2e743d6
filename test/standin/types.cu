// Vector types, dim3, and the sizes and alignments that kernels rely on.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <cuda_runtime.h>

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "");
static_assert(sizeof(char3) == 3 && alignof(uchar4) == 4 && alignof(short4) == 8 && alignof(int2) == 8, "");
static_assert(sizeof(longlong2) == 16 && alignof(longlong2) == 16 && sizeof(dim3) == 12, "");

__global__ void vectors(float4 *v, uchar4 *c, int2 *i, double2 *d, longlong2 *l)
{
    v[0] = make_float4(v[1].x, v[1].y, v[1].z, v[1].w);
    c[0] = make_uchar4(1, 2, 3, 4);
    i[0] = make_int2(i[1].y, i[1].x);
    d[0] = make_double2(d[1].y, d[1].x);
    l[0] = make_longlong2(1, 2);
    float3 f = {1.0f, 2.0f, 3.0f};
    v[1].x = f.x + f.z;
    dim3 block = blockDim;
    uint3 thread = threadIdx;
    v[2].x = float(block.x + thread.y + gridDim.z + blockIdx.y);
}
