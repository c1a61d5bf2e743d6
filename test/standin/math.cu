// Mathematics in device code: C names, C++ overloads, std::, mixed arguments, intrinsics.
// RUN: %clang_plain -fsyntax-only -Wall -Wextra -Werror %s
// RUN: %if cuda %{ %toolkit_plain -fsyntax-only %s %}
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>

__global__ void single(float *p, int *q)
{
    p[0] = sqrtf(p[1]) + rsqrtf(p[2]) + expf(p[3]) + exp2f(p[1]) + logf(p[1]) + log2f(p[1]) + powf(p[1], 2.0f);
    p[1] = fmaxf(p[1], 0.0f) + fminf(p[1], p[2]) + fabsf(p[1]) + floorf(p[1]) + ceilf(p[1]) + truncf(p[1]) + roundf(p[2]);
    p[2] = sinf(p[1]) + cosf(p[1]) + tanhf(p[1]) + erff(p[1]) + fmodf(p[1], 2.0f) + fmaf(p[1], p[2], p[3]) + atan2f(p[1], p[2]);
    p[3] = ldexpf(p[1], 3) + frexpf(p[1], q) + modff(p[1], p + 4) + copysignf(1.0f, p[1]) + hypotf(p[1], p[2]) + cbrtf(p[1]);
    p[4] = lgammaf(p[1]) + tgammaf(p[1]) + normcdff(p[1]) + erfcinvf(p[1]) + exp10f(p[1]) + sinpif(p[1]) + norm3df(1, 2, 3);
    sincosf(p[0], p + 1, p + 2);
}

__global__ void overloads(float *p, double *d, int *q, long long *l)
{
    p[0] = sqrt(p[1]) + exp(p[1]) + log(p[1]) + abs(p[1]) + fabs(p[1]) + pow(p[1], 2.0f) + floor(p[1]) + rsqrt(p[1]);
    d[0] = sqrt(d[1]) + exp(d[1]) + pow(d[1], 2) + pow(2, d[1]) + pow(p[1], d[1]) + sqrt(q[1]) + log2(q[1]) + atan2(d[1], d[2]);
    d[1] = fma(d[1], d[2], d[3]) + fmax(d[1], 2) + rsqrt(d[1]) + trunc(d[1]) + round(d[1]) + remainder(d[1], d[2]);
    q[0] = abs(q[1]) + isnan(p[1]) + isinf(d[1]) + isfinite(p[1]) + signbit(d[1]) + lrintf(p[1]) + lround(d[1]) + ilogbf(p[1]);
    l[0] = abs(l[1]) + llabs(l[2]) + llrint(d[1]);
}

__global__ void qualified(float *p, int *q)
{
    p[0] = std::sqrt(p[1]) + std::exp(p[1]) + std::pow(p[1], 2) + std::abs(p[1]) + std::fabs(p[1]) + std::floor(p[1]);
    p[1] = std::max(p[1], p[2]) + std::min(p[1], p[2]) + std::numeric_limits<float>::infinity() + std::fmax(p[1], p[2]);
    q[0] = std::max(q[1], 3) + std::isnan(p[1]) + std::abs(q[1]) + std::isfinite(p[1]);
    p[2] = INFINITY + NAN + FLT_MAX + HUGE_VALF + float(M_PI) + float(INT_MAX) + float(INT64_MAX);
}

__global__ void extremes(float *p, double *d, int *q, unsigned *u, long long *l, unsigned long long *ul)
{
    q[0] = min(q[1], 3) + max(q[1], q[2]);
    u[0] = min(u[1], 3u) + max(u[1], q[1]) + min(q[1], u[1]);
    l[0] = min(l[1], 3ll) + max(l[1], l[2]);
    ul[0] = min(ul[1], ul[2]) + max(ul[1], 2ull);
    p[0] = min(p[1], 0.0f) + max(p[1], p[2]);
    d[0] = max(d[1], p[1]) + min(p[1], d[1]) + max(d[1], d[2]);
}

__global__ void intrinsics(float *p, double *d, int *q, unsigned *u, long long *l)
{
    p[0] = __expf(p[1]) + __logf(p[1]) + __sinf(p[1]) + __powf(p[1], 2.0f) + __fdividef(p[1], p[2]) + __saturatef(p[1]);
    p[1] = __fmaf_rn(p[1], p[2], p[3]) + __fadd_rn(p[1], p[2]) + __fmul_rz(p[1], p[2]) + __frcp_rn(p[1]) + __fsqrt_rn(p[1]);
    q[0] = __float_as_int(p[1]) + __float2int_rn(p[1]) + __double2int_rz(d[1]) + __popc(u[1]) + __clz(q[1]) + __ffs(q[1]);
    u[0] = __float_as_uint(p[1]) + __brev(u[1]) + __umulhi(u[1], u[2]) + __byte_perm(u[0], u[1], 3) + __funnelshift_l(u[0], u[1], 3);
    p[2] = __int_as_float(q[1]) + __uint_as_float(u[1]) + __int2float_rn(q[1]) + __double2float_rn(d[1]);
    l[0] = __double_as_longlong(d[1]) + __clzll(l[1]) + __popcll(l[1]) + __mul64hi(l[1], l[2]);
    d[0] = __longlong_as_double(l[1]) + __hiloint2double(1, 2) + __dadd_rn(d[1], d[2]);
    q[1] = __mul24(q[1], q[2]) + __sad(q[0], q[1], u[1]) + __vadd4(u[0], u[1]) + __dp4a(q[0], q[1], q[2]) + __mulhi(q[1], q[2]);
}

float host(float x, int n)
{
    return sqrt(x) + sqrtf(x) + fabs(x) + pow(x, 2.0f) + float(std::abs(n)) + float(max(n, 3)) + min(x, 1.0f) + float(sqrt(n));
}
