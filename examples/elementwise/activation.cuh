// Activations of one float, accurate for f32 and fast for the 16-bit types. All keep NaN, and the sign of what underflows.
#ifndef ACTIVATION_CUH
#define ACTIVATION_CUH

#include "tk_device.h"

// 1 / d within a rounding or so, for d in 1 … 2: a division would take a branch.
__device__ inline float reciprocal(float d)
{
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(d));
    return fmaf(r, fmaf(-d, r, 1.0f), r);
}

// x / (1 + exp(-y)). The exponential is of -|y|, at most 1: nothing overflows, and for large -y the result fades out to 0.
template <typename T> __device__ inline float times_sigmoid(float x, float y)
{
    if constexpr (sizeof(T) == 4) {
        const float e = expf(-fabsf(y));
        return (y >= 0 ? x : x * e) * reciprocal(1 + e);
    } else {
        const float e = __expf(-fabsf(y));
        return __fdividef(y >= 0 ? x : x * e, 1 + e);
    }
}

template <typename T> __device__ inline float silu(float x) { return times_sigmoid<T>(x, x); }

// x / 2 (1 + tanh(u)) is x / (1 + exp(-2 u)).
template <typename T> __device__ inline float gelu_tanh(float x)
{
    const float u = 0.7978845608f * (x + 0.044715f * x * x * x); // sqrt(2 / pi)
    return times_sigmoid<T>(x, 2 * u);
}

// Φ(x) is erfc(-x / sqrt 2) / 2: of the small tail, no difference of 1 and nearly 1.
template <typename T> __device__ inline float gelu_erf(float x)
{
    if constexpr (sizeof(T) == 4) {
        return 0.5f * x * erfcf(-0.7071067812f * x);
    } else {
        // Abramowitz and Stegun, 7.1.26: erfc(z) is a polynomial in 1 / (1 + p z) times exp(-z²), for z >= 0.
        const float z = 0.7071067812f * fabsf(x);
        const float t = __fdividef(1.0f, 1 + 0.3275911f * z);
        const float poly = ((((1.061405429f * t - 1.453152027f) * t + 1.421413741f) * t - 0.284496736f) * t + 0.254829592f) * t;
        const float tail = 0.5f * poly * __expf(-z * z);
        return x * (x >= 0 ? 1 - tail : tail);
    }
}

#endif
