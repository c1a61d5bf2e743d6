// What the interpreter computes is what the machine computes: each wrong value would leave the array.
// RUN: %exits 0 %tilecheck run %s --kernel='*' --set=n=7 2>&1 | FileCheck %s
// CHECK: no fault
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <tilecheck.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            out[1000] = __LINE__;                                                                                      \
    } while (0)

struct pair {
    float a;
    int b;
};
__device__ pair swapped(pair p) { return pair{(float)p.b, (int)p.a}; }

tc_block(1) tc_grid(1)
__global__ void integers(tc_mut tc_shape(4) int *out, int n)
{
    EXPECT(n * 3 - 1 == 20 && -n / 2 == -3 && -n % 2 == -1 && n >> 1 == 3 && -n >> 1 == -4);
    EXPECT((unsigned)n / 2u == 3 && (n & 5) == 5 && (n | 8) == 15 && (n ^ 2) == 5 && ~n == -8);
    EXPECT(__popc(n) == 3 && __clz(n) == 29 && __ffs(8 * n) == 4 && __brev(1u) == 0x80000000u);
    EXPECT(min(n, 3) == 3 && max(-n, 3) == 3 && abs(-n) == n && __mulhi(1 << 30, 8) == 2);
    EXPECT((long long)n * 1000000007ll == 7000000049ll && (signed char)n == 7);
    EXPECT(__byte_perm(0x03020100, 0x07060504, 0x7531) == 0x07050301);
    out[0] = n;
}

tc_block(1) tc_grid(1)
__global__ void floats(tc_mut tc_shape(4) int *out, float scale, int n)
{
    const float x = n;
    EXPECT(x / 2 == 3.5f && sqrtf(x * x) == x && fmaxf(x, 9.0f) == 9.0f && (int)(x + 0.9f) == 7);
    EXPECT(__float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 && __float_as_int(1.0f) == 0x3f800000);
    EXPECT(fmaf(x, x, 1.0f) == 50.0f && floorf(-0.5f) == -1.0f && copysignf(2.0f, -x) == -2.0f);
    EXPECT(fabsf(expf(logf(x)) - x) < 1e-4f && fabs(sin(0.5) - 0.479425538604203) < 1e-12);
    EXPECT(scale != 0.0f);
    out[0] = n;
}

tc_block(1) tc_grid(1)
__global__ void halves(tc_mut tc_shape(4) int *out, int n)
{
    const __half h = __float2half(1.5f);
    EXPECT(__half2float(__hadd(h, h)) == 3.0f && __half2float(__float2half(65504.0f)) == 65504.0f);
    EXPECT(__bfloat162float(__float2bfloat16(3.0f)) == 3.0f && __half2float(__float2half(5.96e-8f)) > 0.0f);
    out[0] = n;
}

tc_block(1) tc_grid(1)
__global__ void aggregates(tc_mut tc_shape(4) int *out, tc_shared tc_shape(2) const float4 *v, int n)
{
    const pair p = swapped(pair{2.0f, n});
    EXPECT(p.a == 7.0f && p.b == 2);
    float4 q = v[1];
    q.x = 1;
    float w[4] = {q.x, q.y, q.z, q.w};
    EXPECT(w[0] == 1.0f && w[n - 4] == v[1].w);
    char text[8];
    memset(text, 3, sizeof text);
    EXPECT(text[n] == 3);
    switch (n) {
    case 7: out[0] = 1; break;
    case 8: out[1000] = 1; break;
    default: out[1001] = 1;
    }
}

tc_block(4) tc_grid(1)
__global__ void inline_ptx(tc_mut tc_shape(4) int *out, int n)
{
    unsigned lane, sum, low, packed;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("{ .reg .u32 t; add.u32 t, %1, 5; mul.lo.u32 %0, t, 2; }" : "=r"(sum) : "r"(n));
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(low) : "r"(0xabcdu));
    asm("{ .reg .b16 a, b; mov.b32 {a, b}, %1; mov.b32 %0, {b, a}; }" : "=r"(packed) : "r"(0x00010002u));
    EXPECT(lane == threadIdx.x && sum == 24 && low == 0xbc && packed == 0x00020001u);
    out[lane] = n;
}
