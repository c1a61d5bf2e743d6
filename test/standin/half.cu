// Half precision and bfloat16.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(__half *p, half2 *r, float *f)
{
    __shared__ half s[32];
    s[threadIdx.x] = p[threadIdx.x];
    p[0] = __hadd(p[1], p[2]) * p[3] + __float2half(f[0]);
    p[1] = __hfma(p[1], p[2], p[3]);
    p[2] = hexp(p[2]);
    p[3] = __hmax(p[1], p[2]);
    p[4] = p[1] > p[2] ? p[1] : -p[2];
    p[5] += s[0];
    f[0] = __half2float(p[0]) + __low2float(r[0]);
    r[0] = __hfma2(r[1], r[2], __float2half2_rn(f[0]));
    r[1] = __floats2half2_rn(f[1], f[2]);
    r[2] = __halves2half2(p[1], p[2]);
    float2 v = __half22float2(r[3]);
    f[1] = v.x + v.y;
    p[6] = __shfl_xor_sync(0xffffffffu, p[6], 1);
    p[7] = __ldg(p + 8);
    atomicAdd(r, r[1]);
}

__global__ void bfloats(__nv_bfloat16 *p, __nv_bfloat162 *r, float *f)
{
    p[0] = __float2bfloat16(__bfloat162float(p[1]) * 2.0f);
    p[1] = p[2] * p[3] + __hmul(p[1], p[2]);
    r[0] = __floats2bfloat162_rn(f[0], f[1]);
    r[1] = __hmul2(r[1], r[2]);
    float2 v = __bfloat1622float2(r[3]);
    f[0] = v.x + __low2float(r[1]);
}
static_assert(sizeof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4 && sizeof(nv_bfloat16) == 2, "");
