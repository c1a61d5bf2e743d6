// One head of q or k: RMSNorm and RoPE by a warp, a lane the elements 2 i, 2 i + 1 and 64 on. And what the host checks of such tensors.
#ifndef Q3_HEAD_CUH
#define Q3_HEAD_CUH

#include "tk_device.h"
#include "tk_host.h"

constexpr int D = 128, HALF = D / 2;

typedef __nv_bfloat16 bf16;
typedef tk_pack<bf16, 2> duo;

__device__ inline float warp_sum(float x)
{
    for (int d = 16; d > 0; d >>= 1)
        x += __shfl_xor_sync(0xffffffffu, x, d);
    return x;
}

__device__ inline bf16 rounded_product(bf16 a, bf16 b) { return tk_round<bf16>(tk_float(a) * tk_float(b)); }

// What a lane needs for its elements of a head: the norm's weights, and the angle's cosines and sines.
typedef struct turn {
    duo low, high, cosine, sine;
} turn;

__device__ inline turn turn_of(const bf16 *norm, const bf16 *cosines, const bf16 *sines, long long position)
{
    const int at = threadIdx.x % 32 * 2;
    const long long row = position * HALF + at;
    return {*(const duo *)(norm + at), *(const duo *)(norm + at + HALF), *(const duo *)(cosines + row), *(const duo *)(sines + row)};
}

// RMSNorm and RoPE of the head that the warp holds, rounded where the model rounds.
__device__ inline void turn_head(duo &low, duo &high, const turn &by, float eps)
{
    float sum = 0.0f;
    for (int i = 0; i < 2; ++i)
        sum += tk_float(low.at[i]) * tk_float(low.at[i]) + tk_float(high.at[i]) * tk_float(high.at[i]);
    const float scale = rsqrtf(warp_sum(sum) / D + eps);
    for (int i = 0; i < 2; ++i) {
        const bf16 x = rounded_product(tk_round<bf16>(tk_float(low.at[i]) * scale), by.low.at[i]);
        const bf16 y = rounded_product(tk_round<bf16>(tk_float(high.at[i]) * scale), by.high.at[i]);
        low.at[i] = tk_round<bf16>(tk_float(rounded_product(x, by.cosine.at[i])) - tk_float(rounded_product(y, by.sine.at[i])));
        high.at[i] = tk_round<bf16>(tk_float(rounded_product(y, by.cosine.at[i])) + tk_float(rounded_product(x, by.sine.at[i])));
    }
}

// ---- host ----

static inline tk_status check_pairs(const void *p, const char *name)
{
    if (p == nullptr)
        return tk_fail(TK_NULL, "%s is null", name);
    return tk_is_aligned(p, 4) ? TK_OK : tk_fail(TK_ALIGNMENT, "%s is %p, not aligned to 4 bytes", name, p);
}

#endif
